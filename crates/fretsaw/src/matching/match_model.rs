//! What a matcher says: how likely two sides belong together, for any two sides.

use super::features::{NOT_LISTED, slots_back};
use crate::dissimilarity::{Dissimilarity, NearestSides};
use crate::puzzle::SideId;
use std::borrow::Cow;

/// The verdict of a matcher on a puzzle's sides.
///
/// Everything that assembles asks this, whoever judged: for the candidates of a side in the matcher's
/// order ([`candidates`](Self::candidates)), for what a pair costs ([`value`](Self::value)) and for
/// the odds against it ([`ratio`](Self::ratio)).
#[derive(Clone, Debug)]
pub struct MatchModel<'a> {
    dissimilarity: &'a Dissimilarity,
    nearest: Cow<'a, NearestSides>,
    probabilities: Option<Probabilities>,
}

/// What a side says of itself: probabilities, which together with those of its candidates make 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideDistribution {
    /// That it lies on the border of the picture.
    pub border: f32,
    /// That it has a neighbour, which is not among its candidates.
    pub unlisted: f32,
}

/// Probabilities of all candidates, and what follows from them.
#[derive(Clone, Debug)]
struct Probabilities {
    /// In the order of the measured candidates.
    of_candidates: Vec<f32>,
    of_sides: Vec<SideDistribution>,
    /// For each side, what the best unlisted side would get.
    floors: Vec<f32>,
    /// Candidates in the matcher's order; their dissimilarity is the matcher's cost.
    judged: NearestSides,
}

/// No probability is taken to be smaller: its logarithm is to be finite.
const LEAST: f32 = 1e-12;

/// Unlisted sides get at most this share of the least likely listed one.
const UNLISTED_SHARE: f32 = 0.37;

impl<'a> MatchModel<'a> {
    /// The verdict of no matcher: dissimilarities as they were measured, and Gallagher's ratio.
    #[must_use]
    pub const fn by_ratio(dissimilarity: &'a Dissimilarity, nearest: &'a NearestSides) -> Self {
        Self { dissimilarity, nearest: Cow::Borrowed(nearest), probabilities: None }
    }

    /// The verdict that these probabilities make: `of_candidates` has one for each candidate of
    /// each side, in the order of `nearest`, `of_sides` one for each side. A matcher may have added
    /// candidates to those that were measured.
    ///
    /// # Panics
    /// If there are more or fewer probabilities than candidates or sides.
    #[must_use]
    pub fn by_probabilities(
        dissimilarity: &'a Dissimilarity,
        nearest: Cow<'a, NearestSides>,
        of_candidates: Vec<f32>,
        of_sides: Vec<SideDistribution>,
    ) -> Self {
        assert_eq!(of_candidates.len(), nearest.num_candidates(), "one for each candidate");
        assert_eq!(of_sides.len(), nearest.num_sides(), "one for each side");
        let floors = (0..nearest.num_sides())
            .map(SideId::from_index)
            .map(|side| {
                let listed = &of_candidates[nearest.slots(side)];
                let least = listed.iter().copied().fold(of_sides[side.index()].unlisted, f32::min);
                (UNLISTED_SHARE * least).max(LEAST)
            })
            .collect();
        let slots_back = slots_back(&nearest);
        let mut probabilities =
            Probabilities { of_candidates, of_sides, floors, judged: NearestSides::default() };
        let judged = nearest.judged(
            |slot, _, b, value| {
                let there = probabilities.of_slot(slot);
                let back = match slots_back[slot] {
                    NOT_LISTED => probabilities.of_unlisted(&nearest, b, value),
                    slot => probabilities.of_slot(slot as usize),
                };
                // As `value` has it, to the last digit.
                -(there * back).sqrt().ln()
            },
            // The other side's opinion is unknown: it may be certain.
            |side| 0.5 * -f64::from(probabilities.floors[side.index()]).ln(),
        );
        probabilities.judged = judged;
        Self { dissimilarity, nearest, probabilities: Some(probabilities) }
    }

    /// Number of sides, 4n.
    #[must_use]
    pub fn num_sides(&self) -> usize {
        self.nearest.num_sides()
    }

    /// What was measured.
    #[must_use]
    pub const fn dissimilarity(&self) -> &'a Dissimilarity {
        self.dissimilarity
    }

    /// The candidates as they were measured, and those that the matcher added.
    #[must_use]
    pub fn measured(&self) -> &NearestSides {
        &self.nearest
    }

    /// Whether there are probabilities; otherwise, only ratios.
    #[must_use]
    pub const fn has_probabilities(&self) -> bool {
        self.probabilities.is_some()
    }

    /// The candidates of all sides in the matcher's order, with [`value`](Self::value) as their
    /// dissimilarity.
    #[must_use]
    pub fn candidates(&self) -> &NearestSides {
        self.probabilities.as_ref().map_or(&self.nearest, |probabilities| &probabilities.judged)
    }

    /// What it costs to put two sides together, lower is better, the same whichever is named first:
    /// `-ln p` of [`pair_probability`](Self::pair_probability); without probabilities the
    /// dissimilarity.
    #[must_use]
    pub fn value(&self, a: SideId, b: SideId) -> f64 {
        if self.probabilities.is_some() {
            -self.pair_probability(a, b).ln()
        } else {
            self.dissimilarity.value(a, b)
        }
    }

    /// The odds against two sides, N in the comments: from 0, certain; 1 where something else is as
    /// likely; above 1 something else is likelier. `(1 - p) / p` of
    /// [`pair_probability`](Self::pair_probability); without probabilities Gallagher's ratio.
    #[must_use]
    pub fn ratio(&self, a: SideId, b: SideId) -> f64 {
        if self.probabilities.is_some() {
            let probability = self.pair_probability(a, b);
            (1.0 - probability).max(0.0) / probability
        } else {
            self.nearest.ratio(a, b, self.dissimilarity.value(a, b))
        }
    }

    /// [`ratio`](Self::ratio) of two sides whose [`value`](Self::value) is known, as it is of
    /// candidates: nothing is measured again.
    #[must_use]
    pub fn ratio_of_value(&self, a: SideId, b: SideId, value: f64) -> f64 {
        if self.probabilities.is_some() {
            // (1 - p) / p, p being exp(-value).
            value.exp_m1().max(0.0)
        } else {
            self.nearest.ratio(a, b, value)
        }
    }

    /// How likely two sides belong together: the geometric mean of what each of them says; without
    /// probabilities `1 / (1 + N)`.
    #[must_use]
    pub fn pair_probability(&self, a: SideId, b: SideId) -> f64 {
        if self.probabilities.is_some() {
            (self.probability(a, b) * self.probability(b, a)).sqrt()
        } else {
            1.0 / (1.0 + self.ratio(a, b))
        }
    }

    /// How likely it is for a side that its neighbour is the other one.
    #[must_use]
    pub fn probability(&self, side: SideId, other: SideId) -> f64 {
        let Some(probabilities) = &self.probabilities else {
            return self.pair_probability(side, other);
        };
        let listed = self.nearest.of(side).iter().position(|candidate| candidate.side == other);
        match listed {
            Some(at) => probabilities.of_slot(self.nearest.slots(side).start + at),
            None => {
                let value = self.dissimilarity.value(side, other);
                probabilities.of_unlisted(&self.nearest, side, value)
            }
        }
    }

    /// How likely a side lies on the border, and how likely its neighbour is not among its
    /// candidates; `None` without probabilities.
    #[must_use]
    pub fn of_side(&self, side: SideId) -> Option<SideDistribution> {
        self.probabilities.as_ref().map(|probabilities| probabilities.of_sides[side.index()])
    }
}

impl Probabilities {
    /// Of a listed pair.
    fn of_slot(&self, slot: usize) -> f64 {
        f64::from(self.of_candidates[slot].max(LEAST))
    }

    /// Of a side that this one does not list, by their dissimilarity: the best of them gets the floor,
    /// the others less in proportion to it.
    fn of_unlisted(&self, nearest: &NearestSides, side: SideId, dissimilarity: f64) -> f64 {
        let best = nearest.next_best(side) + 1.0;
        let value = dissimilarity + 1.0;
        let share = if value > best { best / value } else { 1.0 };
        (f64::from(self.floors[side.index()]) * share).max(f64::from(LEAST))
    }
}
