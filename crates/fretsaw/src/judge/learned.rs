//! The learned judge.
//!
//! 1. Network 0 judges every candidate by what its pixels and its rivals look like.
//! 2. Network 1 judges a shortlist again, by the loops that the pairs close.
//! 3. Sides that are still open, which means that neither a neighbour nor the border is certain, get
//!    new candidates: pairs that would close a loop of likely ones. Network 2 judges the open sides again,
//!    by the loops that are likely now. So certainty grows from textured areas into flat ones.
//! 4. The same a few times, the last time by network 3, whose probabilities are the result.
//!
//! An observer that keeps states is given the result ([`SavedVerdicts`]), and one that has it spares the
//! work.

use super::completion::{ADDED, complete_loops};
use super::features::{NOT_LISTED, slots_back};
use super::judgement::Judgement;
use super::loop_features::{LOOP_FEATURES, LoopContext};
use super::loops::{CostTable, PairCosts};
use super::network::{Network, NetworkError, read_networks};
use super::pair_features::{PAIR_FEATURES, PairContext};
use super::saved_verdicts::SavedVerdicts;
use super::shortlist::Shortlist;
use super::verdicts::LogVerdicts;
use crate::dissimilarity::{Dissimilarity, Evidence, NearestSides};
use crate::footprint::{Footprint, SidesSize, array};
use crate::observer::{Cancelled, Observer, Stage};
use crate::puzzle::{SideId, TurnSet};
use std::borrow::Cow;
use std::sync::LazyLock;

/// The networks that the program comes with; how they were made is told in `training/README.md`.
static SHIPPED: LazyLock<LearnedJudge> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "a test reads the same bytes")]
    LearnedJudge::from_bytes(include_bytes!("judge.bin")).expect("the shipped networks are whole")
});

/// Trained networks: the first looks at pairs, every later one at the loops that the one before it
/// makes likely.
#[derive(Clone, Debug, Default)]
pub struct LearnedJudge {
    networks: Vec<Network>,
}

/// Features of all candidates of a puzzle.
#[derive(Clone, Debug)]
pub struct FeatureTable {
    /// The features' names.
    pub names: Vec<&'static str>,
    /// Row by row.
    pub values: Vec<f32>,
    /// The sides that the network judges, each with those of its candidates that have a row.
    pub sides: Vec<(SideId, Vec<SideId>)>,
}

/// How often open sides get new candidates and are judged again.
const GROWTHS: usize = 4;

/// A side is certain if its likeliest answer is at least so likely: ln 0.999.
const CERTAIN: f32 = -0.001;

impl LearnedJudge {
    /// The one that the program comes with.
    #[must_use]
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// One that was trained elsewhere.
    ///
    /// # Errors
    /// If the bytes are not networks for this version of the program.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let num_features =
            |network| if network == 0 { PAIR_FEATURES.len() } else { LOOP_FEATURES.len() };
        Ok(Self { networks: read_networks(bytes, num_features)? })
    }

    /// How many networks judge one after the other.
    #[must_use]
    pub const fn num_networks(&self) -> usize {
        self.networks.len()
    }

    /// The same judge with its first networks only: an earlier state of its opinion.
    #[must_use]
    pub fn with_first(mut self, num_networks: usize) -> Self {
        self.networks.truncate(num_networks);
        self
    }

    /// Judge the candidates.
    ///
    /// # Errors
    /// If the observer cancels.
    pub fn judge<'a>(
        &self,
        dissimilarity: &'a Dissimilarity,
        nearest: &'a NearestSides,
        turns: TurnSet,
        observer: &dyn Observer,
    ) -> Result<Judgement<'a>, Cancelled> {
        observer.stage_started(Stage::Judge, (2 + GROWTHS) as u64);
        let saved = observer.saved_state(Stage::Judge);
        let saved =
            saved.and_then(|saved| SavedVerdicts::read(&saved, dissimilarity, nearest, turns));
        if let Some((nearest, verdicts)) = saved {
            observer.stage_finished(Stage::Judge);
            return Ok(verdicts.into_judgement(dissimilarity, Cow::Owned(nearest)));
        }
        let evidence = Evidence::new(dissimilarity);
        let puzzle = Puzzle { dissimilarity, evidence: &evidence, turns, observer };
        let judged = self.run(&puzzle, nearest, self.networks.len())?;
        if let Some(Round { nearest: grown, verdicts, .. }) = &judged
            && observer.keeps_states()
        {
            let saved = SavedVerdicts::new(nearest, grown, verdicts);
            observer.save_state(Stage::Judge, saved.bytes());
        }
        observer.stage_finished(Stage::Judge);
        Ok(match judged {
            None => Judgement::by_ratio(dissimilarity, nearest),
            Some(Round { nearest, verdicts, .. }) => {
                verdicts.into_judgement(dissimilarity, nearest)
            }
        })
    }

    /// The features that the next network, which is yet to be trained, would see.
    ///
    /// # Errors
    /// If the observer cancels.
    pub fn next_features(
        &self,
        dissimilarity: &Dissimilarity,
        nearest: &NearestSides,
        turns: TurnSet,
        observer: &dyn Observer,
    ) -> Result<FeatureTable, Cancelled> {
        let evidence = Evidence::new(dissimilarity);
        let puzzle = Puzzle { dissimilarity, evidence: &evidence, turns, observer };
        let mut values = Vec::new();
        let Some(round) = self.run(&puzzle, nearest, self.networks.len() + 1)? else {
            let slots_back = slots_back(nearest);
            let pairs = puzzle.pairs(nearest, &slots_back);
            let row = |side| {
                pairs.write(side, &mut values);
                (side, nearest.of(side).iter().map(|candidate| candidate.side).collect())
            };
            let sides = all_sides(nearest).into_iter().map(row).collect();
            let names = PAIR_FEATURES.iter().map(|feature| feature.name).collect();
            return Ok(FeatureTable { names, values, sides });
        };
        let pairs = puzzle.pairs(&round.nearest, &round.slots_back);
        let costs = CostTable::new(&round.nearest, &round.slots_back, &round.verdicts);
        let loops = round.loops(&pairs, &costs);
        let judged = if self.networks.len() == 1 { all_sides(nearest) } else { round.open_sides() };
        let row = |side| {
            loops.write(side, &mut values);
            (side, round.shortlisted(side))
        };
        let sides = judged.into_iter().map(row).collect();
        let names = LOOP_FEATURES.iter().map(|feature| feature.name).collect();
        Ok(FeatureTable { names, values, sides })
    }

    /// All networks in turn. `None` if there are none.
    ///
    /// `of_networks` is how many there will be: it stops where the next one would set in.
    fn run<'a>(
        &self,
        puzzle: &Puzzle<'_>,
        nearest: &'a NearestSides,
        of_networks: usize,
    ) -> Result<Option<Round<'a>>, Cancelled> {
        let Some(first) = self.networks.first() else { return Ok(None) };
        let all = all_sides(nearest);
        let mut round = Round::open(puzzle, Cow::Borrowed(nearest), first, &all, None)?;
        let Some(second) = self.networks.get(1) else { return Ok(Some(round)) };
        round.look_closer(puzzle, second, &all, None)?;
        if of_networks == 2 {
            return Ok(Some(round));
        }
        for growth in 1..=GROWTHS {
            round = round.grown(puzzle, first, second)?;
            let number = if growth == GROWTHS { of_networks - 1 } else { 2 };
            let Some(network) = self.networks.get(number) else { break };
            let open = round.open_sides();
            round.look_closer(puzzle, network, &open, None)?;
        }
        Ok(Some(round))
    }
}

/// Candidates that a side has in the end, of so many at first: few sides stay open long enough to get more
/// than once what one growth adds.
pub(super) const fn grown_candidates(num_candidates: usize) -> usize {
    num_candidates + ADDED
}

/// The memory of judging so many candidates of every side.
pub(super) fn footprint(sides: SidesSize, num_candidates: usize) -> Footprint {
    let num_sides = sides.num_sides;
    let grown = grown_candidates(num_candidates);
    let round = NearestSides::bytes(num_sides, grown)
        + array::<u32>(num_sides * grown)
        + 2 * LogVerdicts::bytes(num_sides, grown)
        + Shortlist::bytes(num_sides)
        + CostTable::bytes(num_sides, grown);
    // When a round grows out of another, both are there, and what the ways back are sorted in.
    let growing = Evidence::bytes(sides)
        + PairContext::bytes(num_sides)
        + 2 * round
        + array::<(u32, u32)>(num_sides * grown);
    let kept = Judgement::bytes(num_sides, grown);
    Footprint {
        kept,
        tables: growing.max(kept),
        // Blocks of sides and, from them, one list.
        blocks: 2 * LogVerdicts::bytes_by_side(num_sides, num_candidates),
    }
}

fn all_sides(nearest: &NearestSides) -> Vec<SideId> {
    (0..nearest.num_sides()).map(SideId::from_index).collect()
}

/// What stays the same while a puzzle is judged.
struct Puzzle<'a> {
    dissimilarity: &'a Dissimilarity,
    evidence: &'a Evidence<'a>,
    turns: TurnSet,
    observer: &'a dyn Observer,
}

impl Puzzle<'_> {
    fn pairs<'b>(&'b self, nearest: &'b NearestSides, slots_back: &'b [u32]) -> PairContext<'b> {
        PairContext::new(self.evidence, nearest, slots_back, self.turns)
    }
}

/// What is known of one set of candidates.
struct Round<'a> {
    nearest: Cow<'a, NearestSides>,
    slots_back: Vec<u32>,
    /// What the first network said.
    first: LogVerdicts,
    /// What the last one said.
    verdicts: LogVerdicts,
    /// What later ones look at.
    shortlist: Shortlist,
    /// Costs by `verdicts`, if they are at hand.
    costs: Option<CostTable>,
}

/// Verdicts of an earlier round, and its candidates.
type Before<'a> = Option<(&'a NearestSides, &'a LogVerdicts)>;

impl<'a> Round<'a> {
    /// Judge sides by the first network; the others, whose candidates are those of an earlier round,
    /// as they were judged there.
    fn open(
        puzzle: &Puzzle<'_>,
        nearest: Cow<'a, NearestSides>,
        network: &Network,
        sides: &[SideId],
        before: Before<'_>,
    ) -> Result<Self, Cancelled> {
        let slots_back = slots_back(&nearest);
        let pairs = puzzle.pairs(&nearest, &slots_back);
        let judged = network.judge(sides, |side, out| pairs.write(side, out), puzzle.observer)?;
        puzzle.observer.stage_advanced(Stage::Judge, u64::from(before.is_none()));
        let first = merge(&nearest, sides, before, |at, all| {
            let LogVerdicts { candidates, border, unlisted } = &judged[at];
            all.push_logs(candidates.iter().copied(), border[0], unlisted[0]);
        });
        let costs = CostTable::new(&nearest, &slots_back, &first);
        let by_first = PairCosts::from_table(&nearest, &slots_back, &first, &costs);
        let shortlist = Shortlist::best(&nearest, &by_first);
        Ok(Self {
            nearest,
            slots_back,
            verdicts: first.clone(),
            first,
            shortlist,
            costs: Some(costs),
        })
    }

    /// Judge the shortlisted candidates of sides by another network; the other sides as they were
    /// judged in an earlier round, or if there is none stay as they are.
    fn look_closer(
        &mut self,
        puzzle: &Puzzle<'_>,
        network: &Network,
        sides: &[SideId],
        before: Before<'_>,
    ) -> Result<(), Cancelled> {
        let costs = self.take_costs();
        let pairs = puzzle.pairs(&self.nearest, &self.slots_back);
        let loops = self.loops(&pairs, &costs);
        let judged = network.judge(sides, |side, out| loops.write(side, out), puzzle.observer)?;
        puzzle.observer.stage_advanced(Stage::Judge, u64::from(before.is_none()));
        let before = before.or(Some((&self.nearest, &self.verdicts)));
        self.verdicts = merge(&self.nearest, sides, before, |at, all| {
            self.shortlist.spread(&self.nearest, &self.first, sides[at], &judged[at], all);
        });
        Ok(())
    }

    /// The next round: with more candidates for open sides. Sides that got some are judged again by
    /// the first networks.
    fn grown(
        self,
        puzzle: &Puzzle<'_>,
        first: &Network,
        second: &Network,
    ) -> Result<Self, Cancelled> {
        let mut is_open = vec![false; self.nearest.num_sides()];
        self.open_sides().iter().for_each(|side| is_open[side.index()] = true);
        let costs = CostTable::new(&self.nearest, &self.slots_back, &self.verdicts);
        let costs = PairCosts::from_table(&self.nearest, &self.slots_back, &self.verdicts, &costs);
        let added = complete_loops(puzzle.dissimilarity, &self.nearest, &costs, &is_open);
        let has_more = |side: &SideId| !added[side.index()].is_empty();
        let grown: Vec<SideId> = all_sides(&self.nearest).into_iter().filter(has_more).collect();
        let more = Cow::Owned(self.nearest.with_more(&added));
        let before = |verdicts| Some((&*self.nearest, verdicts));
        let mut round = Self::open(puzzle, more, first, &grown, before(&self.first))?;
        round.look_closer(puzzle, second, &grown, before(&self.verdicts))?;
        Ok(round)
    }

    /// The sides of which neither a neighbour nor the border is certain.
    fn open_sides(&self) -> Vec<SideId> {
        let LogVerdicts { candidates, border, .. } = &self.verdicts;
        let is_certain = |side: &SideId| {
            let has_neighbor = self.nearest.slots(*side).any(|slot| {
                let back = self.slots_back[slot];
                candidates[slot] > CERTAIN
                    && back != NOT_LISTED
                    && candidates[back as usize] > CERTAIN
            });
            has_neighbor || border[side.index()] > CERTAIN
        };
        all_sides(&self.nearest).into_iter().filter(|side| !is_certain(side)).collect()
    }

    /// Costs by the verdicts, which are about to change.
    fn take_costs(&mut self) -> CostTable {
        let Self { nearest, slots_back, verdicts, costs, .. } = self;
        costs.take().unwrap_or_else(|| CostTable::new(nearest, slots_back, verdicts))
    }

    fn loops<'b>(&'b self, pairs: &'b PairContext<'b>, costs: &'b CostTable) -> LoopContext<'b> {
        let Self { nearest, slots_back, first, verdicts, shortlist, .. } = self;
        let costs = PairCosts::from_table(nearest, slots_back, verdicts, costs);
        LoopContext::new(pairs, nearest, slots_back, first, verdicts, costs, shortlist)
    }

    /// The shortlisted candidates of a side.
    fn shortlisted(&self, side: SideId) -> Vec<SideId> {
        let start = self.nearest.slots(side).start;
        let listed = self.nearest.of(side);
        self.shortlist.of(side).iter().map(|slot| listed[slot - start].side).collect()
    }
}

/// Verdicts on all sides: on those in `sides`, in increasing order, what `push` adds for their place
/// there; on the others what was said before.
fn merge(
    nearest: &NearestSides,
    sides: &[SideId],
    before: Before<'_>,
    push: impl Fn(usize, &mut LogVerdicts),
) -> LogVerdicts {
    let mut all = LogVerdicts::default();
    let mut judged = sides.iter().enumerate().peekable();
    for side in all_sides(nearest) {
        if let Some((at, _)) = judged.next_if(|&(_, &next)| next == side) {
            push(at, &mut all);
        } else if let Some((nearest, verdicts)) = before {
            let (border, unlisted) =
                (verdicts.border[side.index()], verdicts.unlisted[side.index()]);
            let candidates = &verdicts.candidates[nearest.slots(side)];
            all.push_logs(candidates.iter().copied(), border, unlisted);
        }
    }
    all
}
