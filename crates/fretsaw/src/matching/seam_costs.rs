//! The costs of seams, computed once for a match model: the terms of the energy that boards and the search lower.
//!
//! The energy of a board is the sum of `-ln p` over its seams, where p is the probability that the two sides
//! belong together, and of `-ln border` over the sides that touch nothing. It does not use the truth.
//!
//! The costs of listed pairs are in a hash table. Most unlisted pairs cost [`MAX_COST`], which two numbers per pair
//! show without measuring. The others are measured on demand and kept in a cache. Two threads may
//! measure the same pair, which changes no answer.

use super::features::single;
use super::match_model::MatchModel;
use super::pair_stores::{PairCache, PairTable};
use crate::puzzle::{PairCost, SideId, is_large};
use rayon::prelude::*;
use std::cell::LazyCell;

/// The most that a seam costs, in nats.
///
/// A single wrong seam should not outweigh a dozen others: the smallest probabilities of a matcher are its least
/// tested ones.
pub const MAX_COST: f32 = 12.0;

/// The probabilities of border and of unlisted that are assumed if the model has none.
const ASSUMED: f32 = 0.25;

/// In a large puzzle, unlisted pairs that cost at least this much are not measured and cost [`MAX_COST`].
///
/// The probability of an unlisted neighbour is shared by so many sides that each of them costs nearly the maximum,
/// and measuring them would take much of the time of a search.
const UNLISTED_LIMIT_OF_LARGE: f32 = 9.0;

/// The likelihood ratio at the best unlisted side: [`likelihood_ratio`].
const RATIO_AT_BEST: f32 = 12.0;
/// The power of the dissimilarity with which it falls.
const RATIO_DECAY: f32 = 2.2;
/// Its minimum.
const LEAST_RATIO: f32 = 0.02;

/// How much likelier the true neighbour is than any other unlisted side to be `times` as dissimilar as the best
/// unlisted side.
///
/// Fitted by eye to true neighbours that their sides do not list, on the odd-numbered pictures of three standard sets and on
/// parts of the pictures that the matcher was trained on.
fn likelihood_ratio(times: f32) -> f32 {
    (RATIO_AT_BEST * times.max(1.0).powf(-RATIO_DECAY)).max(LEAST_RATIO)
}

/// `-ln p`, finite for p = 0, too.
fn cost_of(probability: f32) -> f32 {
    -probability.clamp(1e-12, 1.0).ln()
}

/// A side to try next to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proposal {
    pub(crate) side: SideId,
    /// The share of tries that go to this proposal or to an earlier one of the same side.
    pub(crate) up_to: f32,
}

/// A side has at most this many proposals.
const MAX_PROPOSALS: usize = 12;
/// Pairs that cost more are not proposed.
const MAX_PROPOSED: f32 = 9.0;
/// Pairs that cost more are not likely matches.
const MAX_MATCHED: f32 = 5.0;

/// The costs of all seams.
#[derive(Debug)]
pub(super) struct SeamTable {
    listed: PairTable,
    measured: PairCache,
    /// Per side, its half of the least cost of an unlisted pair.
    unlisted_half: Vec<f32>,
    /// Unlisted pairs that cost at least this are not measured and cost [`MAX_COST`].
    unlisted_limit: f32,
    pub(super) sides: SideTable,
}

/// For each side: its cost as a border, the sides to try next to it, and its likely matches.
#[derive(Clone, Debug, Default)]
pub(crate) struct SideTable {
    pub(crate) border: Vec<f32>,
    proposals: Vec<Proposal>,
    /// Where the proposals of each side end.
    proposals_end: Vec<usize>,
    matches: Vec<PairCost>,
    /// Where the matches of each side end.
    matches_end: Vec<usize>,
}

impl SideTable {
    /// Adds the next side: its cost as a border, those of its matches that no earlier side has, and proposals
    /// with their weights.
    pub(crate) fn push(
        &mut self,
        border: f32,
        matches: impl IntoIterator<Item = PairCost>,
        proposals: impl IntoIterator<Item = (SideId, f32)>,
    ) {
        self.border.push(border);
        self.matches.extend(matches);
        self.matches_end.push(self.matches.len());
        let start = self.proposals.len();
        let mut sum = 0.0;
        for (side, weight) in proposals {
            sum += weight;
            self.proposals.push(Proposal { side, up_to: sum });
        }
        for proposal in &mut self.proposals[start..] {
            proposal.up_to /= sum;
        }
        self.proposals_end.push(self.proposals.len());
    }

    pub(crate) fn proposals(&self, side: SideId) -> &[Proposal] {
        &self.proposals[range_of(&self.proposals_end, side)]
    }

    /// The proposals of a side with their weights.
    pub(crate) fn weighted_proposals(&self, side: SideId) -> impl Iterator<Item = (SideId, f32)> {
        let mut before = 0.0;
        self.proposals(side).iter().map(move |&Proposal { side, up_to }| {
            (side, up_to - std::mem::replace(&mut before, up_to))
        })
    }

    /// The likely matches that are stored at this side. Each match is stored at one of its two sides.
    pub(crate) fn matches_of(&self, side: SideId) -> &[PairCost] {
        &self.matches[range_of(&self.matches_end, side)]
    }

    /// All likely matches, each once.
    pub(crate) fn matches(&self) -> &[PairCost] {
        &self.matches
    }
}

/// The range of a side, from where the ranges of all sides end.
fn range_of(ends: &[usize], side: SideId) -> std::ops::Range<usize> {
    let start = side.index().checked_sub(1).map_or(0, |before| ends[before]);
    start..ends[side.index()]
}

impl SeamTable {
    pub(super) fn new(model: &MatchModel<'_>) -> Self {
        let num_sides = model.num_sides();
        let candidates = model.candidates();
        let sides = || (0..num_sides).into_par_iter().map(SideId::from_index);
        let distribution = |side| {
            let known = model.of_side(side).map(|known| (known.border, known.unlisted));
            known.unwrap_or((ASSUMED, ASSUMED))
        };
        let unlisted_half = |side| {
            let (_, unlisted) = distribution(side);
            let largest_share = match model.unlisted_shares() {
                Some(shares) => shares.largest_log_share(side).exp(),
                None => RATIO_AT_BEST / num_sides as f32,
            };
            0.5 * cost_of(unlisted * largest_share)
        };
        let is_large = is_large(num_sides / 4);
        let mut table = Self {
            listed: PairTable::new(num_sides, candidates.num_candidates()),
            measured: PairCache::new(num_sides),
            unlisted_half: sides().map(unlisted_half).collect(),
            unlisted_limit: if is_large { UNLISTED_LIMIT_OF_LARGE } else { MAX_COST },
            sides: SideTable::default(),
        };
        let of_candidates: Vec<Vec<PairCost>> = sides()
            .map(|a| {
                let pair = |b, candidate_cost| {
                    let cost = table.listed_cost(model, a, b, candidate_cost);
                    PairCost { a, b, cost }
                };
                candidates.of(a).iter().map(|b| pair(b.side, b.cost)).collect()
            })
            .collect();
        for (side, found) in of_candidates.iter().enumerate() {
            // Two sides that list each other give the pair twice, with the same cost.
            let new = found.iter().filter(|x| table.listed.insert(x.a, x.b, x.cost));
            let matches = new.filter(|x| x.cost < MAX_MATCHED).copied();
            // A proposal is tried in proportion to the square root of its probability.
            let likely = found.iter().filter(|x| x.cost < MAX_PROPOSED).take(MAX_PROPOSALS);
            let proposals = likely.map(|x| (x.b, (-0.5 * x.cost).exp()));
            let (border, _) = distribution(SideId::from_index(side));
            table.sides.push(cost_of(border).min(MAX_COST), matches, proposals);
        }
        table
    }

    /// The cost of a pair that a lists.
    fn listed_cost(
        &self,
        model: &MatchModel<'_>,
        a: SideId,
        b: SideId,
        candidate_cost: f64,
    ) -> f32 {
        let is_mutual = || model.candidates().of(b).iter().any(|back| back.side == a);
        let cost = if !model.has_probabilities() || is_mutual() {
            single(model.odds_of_cost(a, b, candidate_cost).ln_1p())
        } else {
            let dissimilarity = || model.dissimilarity().value(a, b);
            let of_a = 0.5 * cost_of(single(model.probability_from(a, b)));
            of_a + self.half_of_unlisted(model, b, a, dissimilarity)
        };
        cost.min(MAX_COST)
    }

    /// The cost of any pair.
    pub(super) fn cost(&self, model: &MatchModel<'_>, a: SideId, b: SideId) -> f32 {
        if let Some(cost) = self.listed.get(a, b) {
            cost
        } else if self.unlisted_halves(a, b) >= self.unlisted_limit {
            MAX_COST
        } else {
            self.measured.get_or(a, b, || self.unlisted_cost(model, a, b))
        }
    }

    /// The least cost of two sides that do not list each other: none is likelier than those that tie with the best.
    pub(super) fn least_of_unlisted(&self, model: &MatchModel<'_>, a: SideId, b: SideId) -> f32 {
        if !model.has_probabilities() {
            return std::f32::consts::LN_2;
        }
        let least = self.unlisted_halves(a, b);
        if least >= self.unlisted_limit { MAX_COST } else { least }
    }

    fn unlisted_halves(&self, a: SideId, b: SideId) -> f32 {
        self.unlisted_half[a.index()] + self.unlisted_half[b.index()]
    }

    fn unlisted_cost(&self, model: &MatchModel<'_>, a: SideId, b: SideId) -> f32 {
        let cost = if model.has_probabilities() {
            // The same from both sides, and what takes most of the time.
            let dissimilarity = LazyCell::new(|| model.dissimilarity().value(a, b));
            self.half_of_unlisted(model, a, b, || *dissimilarity)
                + self.half_of_unlisted(model, b, a, || *dissimilarity)
        } else {
            single(model.odds_against(a, b).ln_1p())
        };
        cost.min(MAX_COST)
    }

    /// A side's half of the cost of a pair that it does not list.
    ///
    /// The neighbour is a given one of all 4n sides with the probability that it is unlisted, times its share among
    /// the unlisted sides: a network's, or 1 / 4n times the likelihood ratio of the dissimilarity.
    fn half_of_unlisted(
        &self,
        model: &MatchModel<'_>,
        side: SideId,
        other: SideId,
        dissimilarity: impl FnOnce() -> f64,
    ) -> f32 {
        let of_best = match model.unlisted_shares() {
            Some(shares) => {
                let least = (LEAST_RATIO / self.unlisted_half.len() as f32).ln();
                let share = shares.log_share(side, other).max(least);
                (shares.largest_log_share(side) - share).max(0.0)
            }
            None => {
                let best = model.measured().next_best(side);
                let times = single((dissimilarity() + 1.0) / (best + 1.0));
                cost_of(likelihood_ratio(times) / RATIO_AT_BEST)
            }
        };
        self.unlisted_half[side.index()] + 0.5 * of_best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likelihood_ratio_falls_from_its_best_to_its_least() {
        assert_eq!(likelihood_ratio(0.5), RATIO_AT_BEST);
        assert!((likelihood_ratio(3.0) - 1.07).abs() < 0.01);
        assert_eq!(likelihood_ratio(1e9), LEAST_RATIO);
    }
}
