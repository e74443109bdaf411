//! The costs that a search adds up: those of a match model, with constraints, for all pieces or some of them.
//!
//! A search needs the costs of the same pairs again and again. In a small puzzle it keeps all costs in a square table, row by
//! row of the second side, so that the search for the best piece next to a side stays within one row and in the
//! processor's cache. In a large puzzle it uses the model each time.

use crate::constraints::Constraints;
pub use crate::matching::MAX_COST;
pub(crate) use crate::matching::MAX_SIDES_OF_ALL_PAIRS;
use crate::matching::{AllPairs, MatchModel, Proposal, SideTable, pair_key};
use crate::puzzle::{PairCost, PieceId, Side, SideId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// The cost of a forbidden seam, and of a side that touches something other than its required partner. It is more
/// than all seams around a piece can gain.
const VIOLATION: f32 = 100.0;

/// Constraints on pairs of sides.
#[derive(Debug)]
struct Rules {
    /// The required neighbours, both ways.
    partners: FxHashMap<SideId, SideId>,
    forbidden: FxHashSet<u64>,
}

impl Rules {
    fn new(constraints: &Constraints) -> Self {
        let joins = constraints.joins.iter();
        Self {
            partners: joins.flat_map(|x| [(x.first, x.second), (x.second, x.first)]).collect(),
            forbidden: constraints.forbidden.iter().map(|x| pair_key(x.first, x.second)).collect(),
        }
    }

    /// The cost of a pair if a rule concerns it.
    fn cost(&self, a: SideId, b: SideId) -> Option<f32> {
        match (self.partners.get(&a), self.partners.get(&b)) {
            (Some(&of_a), _) if of_a == b => Some(0.0),
            (None, None) => self.forbidden.contains(&pair_key(a, b)).then_some(VIOLATION),
            _ => Some(VIOLATION),
        }
    }
}

/// The cost of every seam: 0 to [`MAX_COST`], unless a constraint says otherwise. Cheap to create from a model.
#[derive(Debug)]
pub struct SeamCosts<'m> {
    source: Source<'m>,
    rules: Option<Rules>,
    all_pairs: Option<AllPairs>,
    sides: Cow<'m, SideTable>,
    look_alikes: Cow<'m, [PieceId]>,
}

/// Where costs come from.
#[derive(Debug)]
enum Source<'m> {
    Model(&'m MatchModel<'m>),
    /// Some pieces of a puzzle, in the order of their new numbers.
    Part {
        whole: &'m SeamCosts<'m>,
        pieces: Vec<PieceId>,
    },
}

impl<'m> SeamCosts<'m> {
    /// The costs of a model.
    pub fn new(model: &'m MatchModel<'m>) -> Self {
        let sides = Cow::Borrowed(model.side_table());
        let look_alikes = Cow::Borrowed(model.look_alikes());
        Self { source: Source::Model(model), rules: None, all_pairs: None, sides, look_alikes }
    }

    /// The same costs with constraints on which sides touch.
    #[must_use]
    pub fn with_constraints(self, constraints: &Constraints) -> Self {
        let rules = Rules::new(constraints);
        if rules.partners.is_empty() && rules.forbidden.is_empty() {
            return self;
        }
        let mut sides = SideTable::default();
        for side in (0..self.num_sides()).map(SideId::from_index) {
            let partner = rules.partners.get(&side).copied();
            // A cost below all others, so that a required join comes first even if costs are disturbed.
            let required = partner.filter(|&other| side < other);
            let required = required.map(|b| PairCost { a: side, b, cost: -1.0 });
            let is_free = |a: SideId, b: SideId| rules.cost(a, b).is_none();
            let matches = self.sides.matches_of(side).iter().copied();
            let matches = matches.filter(|x| is_free(x.a, x.b)).chain(required);
            let proposals = self.sides.weighted_proposals(side);
            let proposals = proposals.filter(|&(other, _)| is_free(side, other));
            let proposals = proposals.chain(partner.map(|other| (other, 1.0)));
            let border = if partner.is_some() { VIOLATION } else { self.of_border(side) };
            sides.push(border, matches, proposals);
        }
        // A constraint on a piece tells it from others.
        let concerned = constraints.joins.iter().chain(&constraints.forbidden);
        let concerned: FxHashSet<PieceId> =
            concerned.flat_map(|x| [x.first.piece(), x.second.piece()]).collect();
        let look_alikes = self.groups_of((0..self.num_pieces()).map(PieceId::new), &concerned);
        let (sides, look_alikes) = (Cow::Owned(sides), Cow::Owned(look_alikes));
        Self { rules: Some(rules), sides, look_alikes, ..self }
    }

    /// The same costs for some pieces, which get new numbers in the order given. Only the first `num_loose` pieces
    /// move: the others neither propose nor are proposed.
    pub(super) fn part(&self, pieces: Vec<PieceId>, num_loose: usize) -> SeamCosts<'_> {
        let numbers: FxHashMap<PieceId, PieceId> =
            pieces[..num_loose].iter().copied().zip((0..).map(PieceId::new)).collect();
        let renumbered =
            |side: SideId| Some(SideId::new(*numbers.get(&side.piece())?, side.side()));
        let mut sides = SideTable::default();
        for (number, &piece) in pieces.iter().enumerate() {
            for side in Side::ALL.map(|side| SideId::new(piece, side)) {
                let border = self.of_border(side);
                if number >= num_loose {
                    sides.border.push(border);
                    continue;
                }
                let matches = self.sides.matches_of(side).iter().filter_map(|found| {
                    let (a, b) = (renumbered(found.a)?, renumbered(found.b)?);
                    Some(PairCost { a, b, ..*found })
                });
                let proposals = self.sides.weighted_proposals(side);
                let proposals =
                    proposals.filter_map(|(side, weight)| Some((renumbered(side)?, weight)));
                sides.push(border, matches, proposals);
            }
        }
        let look_alikes = self.groups_of(pieces.iter().copied(), &FxHashSet::default());
        let source = Source::Part { whole: self, pieces };
        let (sides, look_alikes) = (Cow::Owned(sides), Cow::Owned(look_alikes));
        SeamCosts { source, rules: None, all_pairs: None, sides, look_alikes }
    }

    /// For each of some pieces, which get new numbers in this order, the first of those that cost the same. Pieces
    /// that differ by a constraint are alone.
    fn groups_of(
        &self,
        pieces: impl Iterator<Item = PieceId>,
        alone: &FxHashSet<PieceId>,
    ) -> Vec<PieceId> {
        let mut firsts: FxHashMap<PieceId, PieceId> = FxHashMap::default();
        let first = |(number, piece): (usize, PieceId)| {
            let number = PieceId::new(number);
            if alone.contains(&piece) {
                return number;
            }
            *firsts.entry(self.look_alike(piece)).or_insert(number)
        };
        pieces.enumerate().map(first).collect()
    }

    fn num_sides(&self) -> usize {
        self.sides.border.len()
    }

    /// The sides to try next to a side.
    pub(super) fn proposals(&self, side: SideId) -> &[Proposal] {
        self.sides.proposals(side)
    }

    /// The first of the pieces that cost the same as this one next to anything.
    pub(super) fn look_alike(&self, piece: PieceId) -> PieceId {
        self.look_alikes[piece.index()]
    }

    /// The pairs that may join segments, each once.
    pub(crate) fn matches(&self) -> &[PairCost] {
        self.sides.matches()
    }

    /// The number of pieces.
    pub(super) fn num_pieces(&self) -> usize {
        self.num_sides() / 4
    }

    /// Whether a side has candidates. It has none if too many sides fit it equally well.
    pub(super) fn has_candidates(&self, side: SideId) -> bool {
        let has_partner = |rules: &Rules| rules.partners.contains_key(&side);
        self.rules.as_ref().is_some_and(has_partner)
            || match &self.source {
                Source::Model(model) => !model.candidates().of(side).is_empty(),
                Source::Part { whole, pieces } => whole.has_candidates(in_whole(pieces, side)),
            }
    }

    /// The number of a side's pixels: the same for sides with the same outermost pixels.
    pub(super) fn strip_of(&self, side: SideId) -> usize {
        match &self.source {
            Source::Model(model) => model.dissimilarity().strip_of(side),
            Source::Part { whole, pieces } => whole.strip_of(in_whole(pieces, side)),
        }
    }

    /// The strips of blank sides.
    pub(super) fn blank_strips(&self) -> Vec<usize> {
        match &self.source {
            Source::Model(model) => model.dissimilarity().blank_strips(),
            Source::Part { whole, .. } => whole.blank_strips(),
        }
    }

    /// The share of sides without candidates.
    pub(crate) fn share_without_candidates(&self) -> f64 {
        let sides = (0..self.num_sides()).map(SideId::from_index);
        sides.filter(|&side| !self.has_candidates(side)).count() as f64 / self.num_sides() as f64
    }

    /// The least cost of two sides that do not list each other.
    pub(super) fn least_of_unlisted(&self, a: SideId, b: SideId) -> f32 {
        match &self.source {
            Source::Model(model) => model.least_of_unlisted(a, b),
            Source::Part { whole, pieces } => {
                whole.least_of_unlisted(in_whole(pieces, a), in_whole(pieces, b))
            }
        }
    }

    /// Makes a table of all pairs if the puzzle is small enough. It pays if many pairs are looked up again.
    pub(super) fn remember_pairs(&mut self) {
        if self.num_sides() <= MAX_SIDES_OF_ALL_PAIRS {
            self.all_pairs = Some(AllPairs::new(self.num_sides()));
        }
    }

    /// The cost of two touching sides.
    ///
    /// If many calls share one side, it should be the second.
    #[inline]
    pub fn of(&self, a: SideId, b: SideId) -> f32 {
        match &self.all_pairs {
            Some(all_pairs) => all_pairs.get_or(a, b, || self.find(a, b)),
            None => self.find(a, b),
        }
    }

    fn find(&self, a: SideId, b: SideId) -> f32 {
        if let Some(cost) = self.rules.as_ref().and_then(|rules| rules.cost(a, b)) {
            return cost;
        }
        match &self.source {
            Source::Model(model) => model.cost(a, b),
            Source::Part { whole, pieces } => whole.of(in_whole(pieces, a), in_whole(pieces, b)),
        }
    }

    /// The cost of a side on the border of the picture, which touches nothing.
    #[inline]
    pub fn of_border(&self, side: SideId) -> f32 {
        self.sides.border[side.index()]
    }
}

/// A side of some pieces of a puzzle, by its number in the whole puzzle.
fn in_whole(pieces: &[PieceId], side: SideId) -> SideId {
    SideId::new(pieces[side.piece().index()], side.side())
}
