//! The candidates that are worth a closer look.

use super::features::OrderlessSum;
use super::features::single;
use super::loops::PairCosts;
use super::verdicts::LogVerdicts;
use crate::dissimilarity::NearestSides;
use crate::puzzle::SideId;

/// How many candidates a shortlist has; more if some tie with the last of them.
const LENGTH: usize = 16;

/// For each side, the slots of some of its candidates.
#[derive(Clone, Debug)]
pub(super) struct Shortlist {
    starts: Vec<usize>,
    slots: Vec<usize>,
}

impl Shortlist {
    /// Every candidate.
    pub(super) fn all(nearest: &NearestSides) -> Self {
        Self::new(nearest, |_, _| true)
    }

    /// Those of the least cost.
    pub(super) fn best(nearest: &NearestSides, costs: &PairCosts<'_>) -> Self {
        Self::new(nearest, |side, slot| costs.rank(side, costs.cost(slot)) < LENGTH)
    }

    fn new(nearest: &NearestSides, keeps: impl Fn(SideId, usize) -> bool) -> Self {
        let mut shortlist = Self { starts: vec![0], slots: Vec::new() };
        for side in (0..nearest.num_sides()).map(SideId::from_index) {
            shortlist.slots.extend(nearest.slots(side).filter(|&slot| keeps(side, slot)));
            shortlist.starts.push(shortlist.slots.len());
        }
        shortlist
    }

    /// The slots of a side, in increasing order.
    pub(super) fn of(&self, side: SideId) -> &[usize] {
        &self.slots[self.starts[side.index()]..self.starts[side.index() + 1]]
    }

    /// By side, how many there are.
    pub(super) fn lengths(&self) -> Vec<usize> {
        self.starts.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// What a verdict on the shortlist says of all candidates: those left out share what it has for
    /// unlisted ones, in proportion to what was judged before.
    pub(super) fn spread(
        &self,
        nearest: &NearestSides,
        before: &LogVerdicts,
        judged: &LogVerdicts,
    ) -> LogVerdicts {
        let mut spread = before.clone();
        spread.border.clone_from(&judged.border);
        for side in (0..nearest.num_sides()).map(SideId::from_index) {
            let kept = self.of(side);
            let mut rest = OrderlessSum::default();
            rest.add(f64::from(before.unlisted[side.index()]).exp());
            let left_out = nearest.slots(side).filter(|slot| kept.binary_search(slot).is_err());
            left_out.for_each(|slot| rest.add(f64::from(before.candidates[slot]).exp()));
            let share = judged.unlisted[side.index()] - single(rest.value().max(LEAST).ln());
            for log in &mut spread.candidates[nearest.slots(side)] {
                *log = (*log + share).max(LEAST_LOG);
            }
            spread.unlisted[side.index()] = (before.unlisted[side.index()] + share).max(LEAST_LOG);
            for (&slot, &log) in kept.iter().zip(&judged.candidates[self.range(side)]) {
                spread.candidates[slot] = log;
            }
        }
        spread
    }

    fn range(&self, side: SideId) -> std::ops::Range<usize> {
        self.starts[side.index()]..self.starts[side.index() + 1]
    }
}

/// What is left over is at least this, for its logarithm to be finite.
const LEAST: f64 = 1e-12;
/// And that of a share of it.
const LEAST_LOG: f32 = -30.0;
