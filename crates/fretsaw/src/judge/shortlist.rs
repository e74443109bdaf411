//! The candidates that are worth a closer look.

use super::features::{OrderlessSum, single};
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

    /// Adds what a verdict on the shortlist of the next side says of all its candidates: those left
    /// out share what it has for unlisted ones, in proportion to what was judged before.
    pub(super) fn spread(
        &self,
        nearest: &NearestSides,
        before: &LogVerdicts,
        side: SideId,
        judged: &LogVerdicts,
        spread: &mut LogVerdicts,
    ) {
        let kept = self.of(side);
        let unlisted_before = before.unlisted[side.index()];
        let is_left_out = |slot: &usize| kept.binary_search(slot).is_err();
        let mut rest = OrderlessSum::default();
        rest.add(f64::from(unlisted_before).exp());
        for slot in nearest.slots(side).filter(is_left_out) {
            rest.add(f64::from(before.candidates[slot]).exp());
        }
        let share = judged.unlisted[0] - single(rest.value().max(LEAST).ln());
        let mut of_kept = judged.candidates.iter().copied();
        let candidates = nearest.slots(side).map(|slot| {
            let shared = (before.candidates[slot] + share).max(LEAST_LOG);
            if is_left_out(&slot) { shared } else { of_kept.next().unwrap_or(shared) }
        });
        let unlisted = (unlisted_before + share).max(LEAST_LOG);
        spread.push_logs(candidates, judged.border[0], unlisted);
    }
}

/// What is left over is at least this, for its logarithm to be finite.
const LEAST: f64 = 1e-12;
/// And that of a share of it.
const LEAST_LOG: f32 = -30.0;
