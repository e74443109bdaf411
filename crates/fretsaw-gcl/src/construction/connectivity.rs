//! Algorithm 2, making the graph connected: \[HLW20\], section "Making the Affinity Graph Connected".
//!
//! As long as there are several components, join the largest to the piece outside it that fits it
//! best, along the best pair of sides (eq. find_conn), with a small weight (eq. w_nb_005); equally
//! good pairs are chosen among by the seed. Most best pairs are in the candidate lists. Where a side lists
//! no side of the largest component, it is compared with all sides of that component, from a place that
//! the seed chooses, until one fits as well as anything unlisted can. The others that tie with that one
//! are not compared: a side of a uniform piece ties with so many that this would take the time of
//! comparing all pairs.

use super::matches::SideMatch;
use crate::graph::Components;
use fretsaw::puzzle::{PieceId, Side, SideId, SidePair, TurnSet};
use fretsaw::unstable::dissimilarity::NearestSides;
use fretsaw::unstable::matching::MatchModel;

/// The matches, and matches that connect their components. The candidates are those of the model, or the
/// same with other values.
pub fn connect_components(
    model: &MatchModel<'_>,
    nearest: &NearestSides,
    turns: TurnSet,
    mut matches: Vec<SideMatch>,
    weight: f64,
    tie_order: impl Fn(SideId, SideId) -> u64,
) -> Vec<SideMatch> {
    let num_pieces = nearest.num_sides() / 4;
    let ends = matches.iter().map(SideMatch::pieces).map(|(i, j)| (i.index(), j.index()));
    let components = Components::new(num_pieces, ends);
    // The largest; of equally large ones the one with the smallest member in the caller's order.
    let Some(largest) = (0..components.members().len()).max_by_key(|&component| {
        let members = &components.members()[component];
        let side = |&piece: &usize| SideId::new(PieceId::new(piece), Side::Top);
        let order = members.iter().map(side).map(|side| tie_order(side, side)).min();
        (members.len(), std::cmp::Reverse(order))
    }) else {
        return matches;
    };
    let mut closest = Closest {
        model,
        nearest,
        turns,
        is_inside: vec![false; num_pieces],
        inside: Vec::new(),
        asked: vec![None; nearest.num_sides()],
    };
    closest.take_in(&components.members()[largest]);
    let mut outside: Vec<usize> =
        (0..num_pieces).filter(|&piece| !closest.is_inside[piece]).collect();
    while !outside.is_empty() {
        let Some((value, a, b)) = closest.best_pair(&outside, &tie_order) else { break };
        matches.push(SideMatch::new(a, b, value, weight));
        closest.take_in(&components.members()[components.component_of(a.piece().index())]);
        outside.retain(|&piece| !closest.is_inside[piece]);
    }
    matches.sort_by_key(|side_match| (side_match.a, side_match.b));
    matches
}

/// Finds the pair of a side outside and a side inside a growing set of pieces that fits best.
struct Closest<'a> {
    model: &'a MatchModel<'a>,
    nearest: &'a NearestSides,
    turns: TurnSet,
    is_inside: Vec<bool>,
    inside: Vec<PieceId>,
    /// For sides whose list did not help: how many pieces of `inside` were asked, and the best side
    /// among them.
    asked: Vec<Option<(usize, f64, SideId)>>,
}

impl Closest<'_> {
    fn take_in(&mut self, pieces: &[usize]) {
        for &piece in pieces {
            self.is_inside[piece] = true;
            self.inside.push(PieceId::new(piece));
        }
    }

    fn best_pair(
        &mut self,
        outside: &[usize],
        tie_order: &impl Fn(SideId, SideId) -> u64,
    ) -> Option<(f64, SideId, SideId)> {
        let sides = || {
            outside
                .iter()
                .flat_map(|&piece| Side::ALL.map(|side| SideId::new(PieceId::new(piece), side)))
        };
        let better = |x: &(f64, SideId, SideId), y: &(f64, SideId, SideId)| {
            let by_value = x.0.total_cmp(&y.0);
            by_value.then_with(|| tie_order(x.1, x.2).cmp(&tie_order(y.1, y.2)))
        };
        let mut best = sides().flat_map(|side| self.listed(side)).min_by(better);
        // An unlisted side is no better than `next_best`; by measures it is no better than the listed sides
        // either. A matcher can find an unlisted side likely, if that side is certain.
        let may_be_unlisted = self.model.has_probabilities();
        for side in sides() {
            let may_be_better =
                best.is_none_or(|(value, ..)| self.nearest.next_best(side) <= value);
            if may_be_better && (may_be_unlisted || self.listed(side).next().is_none()) {
                let asked = self.ask_all(side, tie_order(side, side));
                best = [best, asked].into_iter().flatten().min_by(better);
            }
        }
        best
    }

    /// The listed sides inside that fit best.
    fn listed(&self, side: SideId) -> impl Iterator<Item = (f64, SideId, SideId)> {
        let inside = |side: SideId| self.is_inside[side.piece().index()];
        let list = self.nearest.of(side);
        let first = list.iter().find(|c| inside(c.side)).map(|c| c.cost);
        list.iter()
            .filter(move |c| Some(c.cost) == first && inside(c.side))
            .map(move |c| (c.cost, side, c.side))
    }

    /// The side inside that fits best, from all of them. Stops at one that cannot be beaten; `random`
    /// chooses where to begin, and so which of several.
    fn ask_all(&mut self, side: SideId, random: u64) -> Option<(f64, SideId, SideId)> {
        let floor = self.nearest.next_best(side);
        let (asked, mut best) = match self.asked[side.index()] {
            Some((asked, value, other)) => (asked, Some((value, other))),
            None => (0, None),
        };
        let unasked = &self.inside[asked..];
        let begin = usize::try_from(random % unasked.len().max(1) as u64).unwrap_or(0);
        let (later, first) = unasked.split_at(begin);
        for &piece in first.iter().chain(later) {
            if best.is_some_and(|(value, _)| value <= floor) {
                break;
            }
            for other in Side::ALL.map(|side| SideId::new(piece, side)) {
                if !self.turns.allows(SidePair::of(side, other)) {
                    continue;
                }
                let value = self.model.candidate_cost(side, other);
                if best.is_none_or(|(smallest, _)| value < smallest) {
                    best = Some((value, other));
                }
            }
        }
        let (value, other) = best?;
        self.asked[side.index()] = Some((self.inside.len(), value, other));
        Some((value, side, other))
    }
}
