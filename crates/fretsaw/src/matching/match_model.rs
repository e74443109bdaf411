//! The match model: the cost of joining any two sides of a puzzle.

use super::features::{NOT_LISTED, all_sides, slots_back};
use super::look_alikes::look_alikes;
use super::pixel_network::UnlistedShares;
use super::seam_costs::{SeamTable, SideTable};
use crate::dissimilarity::{Dissimilarity, Material, NearestSides};
use crate::puzzle::{PieceId, SideId};
use std::borrow::Cow;
use std::sync::OnceLock;

/// The result of a matcher, on which all assembling is based.
///
/// It has three scales for a pair of sides:
///
/// * [`cost`](Self::cost), from 0 to [`MAX_COST`](super::MAX_COST): the terms of the energy that boards, search and
///   confidences add up. The table behind it is computed once, on first use.
/// * [`candidate_cost`](Self::candidate_cost): the scale of the lists of [`candidates`](Self::candidates). `-ln p`
///   of [`pair_probability`](Self::pair_probability) or, without probabilities, the dissimilarity.
/// * [`odds_against`](Self::odds_against): N in the comments. `(1 - p) / p` or, without probabilities, Gallagher's
///   ratio.
#[derive(Debug)]
pub struct MatchModel<'a> {
    dissimilarity: &'a Dissimilarity,
    measured: Cow<'a, NearestSides>,
    scores: Scores,
    /// How likely each unlisted side is, if a network said it; otherwise, their dissimilarity says it.
    unlisted_shares: Option<UnlistedShares>,
    seams: OnceLock<SeamTable>,
    look_alikes: OnceLock<Vec<PieceId>>,
}

/// How a model scores pairs.
#[derive(Debug)]
enum Scores {
    /// By dissimilarity and Gallagher's ratio.
    Ratios,
    Probabilities(Probabilities),
}

/// Probabilities of a side besides those of its candidates. All together add up to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideDistribution {
    /// That the side lies on the border of the picture.
    pub border: f32,
    /// That the side has a neighbour which is not among its candidates.
    pub unlisted: f32,
}

/// Probabilities of all candidates.
#[derive(Debug)]
struct Probabilities {
    /// In the order of the measured candidates.
    of_candidates: Vec<f32>,
    of_sides: Vec<SideDistribution>,
    /// For each side, the probability of its best unlisted side.
    floors: Vec<f32>,
    /// The candidates by increasing candidate cost.
    ranked: NearestSides,
}

/// The least probability: its logarithm is finite.
const LEAST: f32 = 1e-12;

/// An unlisted side gets at most this share of the probability of the least likely candidate.
const UNLISTED_SHARE: f32 = 0.37;

impl<'a> MatchModel<'a> {
    /// A model without probabilities: dissimilarities as measured, and Gallagher's ratio.
    pub const fn by_ratio(dissimilarity: &'a Dissimilarity, nearest: &'a NearestSides) -> Self {
        let measured = Cow::Borrowed(nearest);
        Self::with_scores(dissimilarity, measured, Scores::Ratios)
    }

    /// A model without probabilities that knows the best few candidates of each side, and is made in little time.
    pub(crate) fn by_ratio_of_best(
        dissimilarity: &'a Dissimilarity,
        nearest: &NearestSides,
        num_candidates: usize,
    ) -> Self {
        let best = Cow::Owned(nearest.best(num_candidates));
        Self::with_scores(dissimilarity, best, Scores::Ratios)
    }

    /// A model of probabilities: `of_candidates` has one for each candidate of each side, in the order of
    /// `nearest`, and `of_sides` has one entry for each side. `nearest` may have more candidates than were measured
    /// at first.
    ///
    /// # Panics
    /// If there are more or fewer probabilities than candidates or sides.
    pub fn by_probabilities(
        dissimilarity: &'a Dissimilarity,
        nearest: Cow<'a, NearestSides>,
        of_candidates: Vec<f32>,
        of_sides: Vec<SideDistribution>,
    ) -> Self {
        assert_eq!(of_candidates.len(), nearest.num_candidates(), "one for each candidate");
        assert_eq!(of_sides.len(), nearest.num_sides(), "one for each side");
        let floors = all_sides(&nearest)
            .map(|side| {
                let listed = &of_candidates[nearest.slots(side)];
                let least = listed.iter().copied().fold(of_sides[side.index()].unlisted, f32::min);
                (UNLISTED_SHARE * least).max(LEAST)
            })
            .collect();
        let slots_back = slots_back(&nearest);
        let mut probabilities =
            Probabilities { of_candidates, of_sides, floors, ranked: NearestSides::default() };
        let ranked = nearest.rescored(
            |slot, _, b, value| {
                let there = probabilities.of_slot(slot);
                let back = match slots_back[slot] {
                    NOT_LISTED => probabilities.of_unlisted(&nearest, b, value),
                    slot => probabilities.of_slot(slot as usize),
                };
                // The same operations as in `candidate_cost`, so that both agree to the last bit.
                -(there * back).sqrt().ln()
            },
            // The other side's probability is unknown and may be 1.
            |side| 0.5 * -f64::from(probabilities.floors[side.index()]).ln(),
        );
        probabilities.ranked = ranked;
        Self::with_scores(dissimilarity, nearest, Scores::Probabilities(probabilities))
    }

    const fn with_scores(
        dissimilarity: &'a Dissimilarity,
        measured: Cow<'a, NearestSides>,
        scores: Scores,
    ) -> Self {
        Self {
            dissimilarity,
            measured,
            scores,
            unlisted_shares: None,
            seams: OnceLock::new(),
            look_alikes: OnceLock::new(),
        }
    }

    /// The same model, with shares of the probability of unlisted sides.
    pub(super) fn with_unlisted_shares(mut self, shares: UnlistedShares) -> Self {
        self.unlisted_shares = Some(shares);
        self
    }

    pub(super) const fn unlisted_shares(&self) -> Option<&UnlistedShares> {
        self.unlisted_shares.as_ref()
    }

    /// What the pieces are of.
    pub(crate) const fn material(&self) -> Material {
        self.dissimilarity.material()
    }

    /// Number of sides, 4n.
    pub fn num_sides(&self) -> usize {
        self.measured.num_sides()
    }

    /// The measure.
    pub const fn dissimilarity(&self) -> &'a Dissimilarity {
        self.dissimilarity
    }

    /// The candidates with their dissimilarities, including those that the matcher added.
    pub fn measured(&self) -> &NearestSides {
        &self.measured
    }

    /// Whether the model has probabilities; otherwise, it has only ratios.
    pub const fn has_probabilities(&self) -> bool {
        matches!(self.scores, Scores::Probabilities(_))
    }

    /// The candidates of all sides, each list by increasing [`candidate_cost`](Self::candidate_cost), which takes
    /// the place of the dissimilarity.
    pub fn candidates(&self) -> &NearestSides {
        match &self.scores {
            Scores::Ratios => &self.measured,
            Scores::Probabilities(probabilities) => &probabilities.ranked,
        }
    }

    /// The cost of joining two sides: 0 to [`MAX_COST`](super::MAX_COST), the same in either order.
    pub fn cost(&self, a: SideId, b: SideId) -> f32 {
        self.seam_table().cost(self, a, b)
    }

    /// The least [`cost`](Self::cost) of two sides that do not list each other.
    pub(crate) fn least_of_unlisted(&self, a: SideId, b: SideId) -> f32 {
        self.seam_table().least_of_unlisted(self, a, b)
    }

    /// The cost of a side on the border of the picture, which touches nothing.
    pub fn border_cost(&self, side: SideId) -> f32 {
        self.side_table().border[side.index()]
    }

    /// By piece, the first of the pieces that the model cannot tell from it: they cost the same next to anything.
    pub(crate) fn look_alikes(&self) -> &[PieceId] {
        self.look_alikes.get_or_init(|| look_alikes(self))
    }

    fn seam_table(&self) -> &SeamTable {
        self.seams.get_or_init(|| SeamTable::new(self))
    }

    /// The costs and matches of each side for the search.
    pub(crate) fn side_table(&self) -> &SideTable {
        &self.seam_table().sides
    }

    /// The cost of a pair on the scale of the candidate lists, at least 0, the same in either order: `-ln p` of
    /// [`pair_probability`](Self::pair_probability) or, without probabilities, the dissimilarity.
    pub fn candidate_cost(&self, a: SideId, b: SideId) -> f64 {
        match &self.scores {
            Scores::Ratios => self.dissimilarity.value(a, b),
            Scores::Probabilities(_) => -self.pair_probability(a, b).ln(),
        }
    }

    /// Whether either side was compared with a third, so that [`odds_against`](Self::odds_against) the pair say something.
    pub(crate) fn has_rivals(&self, a: SideId, b: SideId) -> bool {
        self.measured.best_other(a, b).min(self.measured.best_other(b, a)).is_finite()
    }

    /// The odds against a pair: 0 if it is certain, 1 if an alternative is as likely, more if an alternative is
    /// likelier. `(1 - p) / p` of [`pair_probability`](Self::pair_probability) or, without probabilities,
    /// Gallagher's ratio.
    pub fn odds_against(&self, a: SideId, b: SideId) -> f64 {
        match &self.scores {
            Scores::Ratios => self.measured.ratio(a, b, self.dissimilarity.value(a, b)),
            Scores::Probabilities(_) => {
                let probability = self.pair_probability(a, b);
                (1.0 - probability).max(0.0) / probability
            }
        }
    }

    /// [`odds_against`](Self::odds_against) a pair whose [`candidate_cost`](Self::candidate_cost) is known, without
    /// measuring it again.
    pub fn odds_of_cost(&self, a: SideId, b: SideId, candidate_cost: f64) -> f64 {
        match &self.scores {
            Scores::Ratios => self.measured.ratio(a, b, candidate_cost),
            // (1 - p) / p, where p = exp(-cost).
            Scores::Probabilities(_) => candidate_cost.exp_m1().max(0.0),
        }
    }

    /// The probability that two sides belong together, the same in either order: the geometric mean of
    /// [`probability_from`](Self::probability_from) both sides or, without probabilities, `1 / (1 + N)`.
    pub fn pair_probability(&self, a: SideId, b: SideId) -> f64 {
        match &self.scores {
            Scores::Ratios => 1.0 / (1.0 + self.odds_against(a, b)),
            Scores::Probabilities(_) => {
                (self.probability_from(a, b) * self.probability_from(b, a)).sqrt()
            }
        }
    }

    /// The probability, as seen from a side, that its neighbour is the other one. Without probabilities,
    /// [`pair_probability`](Self::pair_probability).
    pub fn probability_from(&self, side: SideId, other: SideId) -> f64 {
        let Scores::Probabilities(probabilities) = &self.scores else {
            return self.pair_probability(side, other);
        };
        let listed = self.measured.of(side).iter().position(|candidate| candidate.side == other);
        match listed {
            Some(at) => probabilities.of_slot(self.measured.slots(side).start + at),
            None => {
                let dissimilarity = self.dissimilarity.value(side, other);
                probabilities.of_unlisted(&self.measured, side, dissimilarity)
            }
        }
    }

    /// The probabilities that a side lies on the border and that its neighbour is unlisted; `None` if the model
    /// has no probabilities.
    pub fn of_side(&self, side: SideId) -> Option<SideDistribution> {
        match &self.scores {
            Scores::Ratios => None,
            Scores::Probabilities(probabilities) => Some(probabilities.of_sides[side.index()]),
        }
    }
}

impl Probabilities {
    fn of_slot(&self, slot: usize) -> f64 {
        f64::from(self.of_candidates[slot].max(LEAST))
    }

    /// The probability of a side that this one does not list. The best unlisted side gets the floor; the others get
    /// less, in inverse proportion to their dissimilarity.
    fn of_unlisted(&self, nearest: &NearestSides, side: SideId, dissimilarity: f64) -> f64 {
        let best = nearest.next_best(side) + 1.0;
        let value = dissimilarity + 1.0;
        let share = if value > best { best / value } else { 1.0 };
        (f64::from(self.floors[side.index()]) * share).max(f64::from(LEAST))
    }
}
