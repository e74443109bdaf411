//! The candidates that later networks evaluate.

use super::features::{OrderlessSum, all_sides, single};
use super::log_probabilities::LogProbabilities;
use super::loops::LoopCostTable;
use crate::dissimilarity::NearestSides;
use crate::puzzle::SideId;

/// The number of candidates of a shortlist; more if some tie with the last.
const LENGTH: usize = 16;

/// For each side, the slots of some of its candidates.
#[derive(Clone, Debug)]
pub(super) struct Shortlist {
    starts: Vec<usize>,
    slots: Vec<usize>,
}

impl Shortlist {
    /// The candidates of least cost.
    pub(super) fn best(nearest: &NearestSides, costs: &LoopCostTable) -> Self {
        Self::new(nearest, |slot| costs.rank(slot) < LENGTH)
    }

    fn new(nearest: &NearestSides, keeps: impl Fn(usize) -> bool) -> Self {
        let mut shortlist = Self { starts: vec![0], slots: Vec::new() };
        for side in all_sides(nearest) {
            shortlist.slots.extend(nearest.slots(side).filter(|&slot| keeps(slot)));
            shortlist.starts.push(shortlist.slots.len());
        }
        shortlist
    }

    /// The slots of a side, in increasing order.
    pub(super) fn of(&self, side: SideId) -> &[usize] {
        &self.slots[self.starts[side.index()]..self.starts[side.index() + 1]]
    }

    /// Adds the probabilities of the next side, of which `found` are those of its shortlist. The candidates that
    /// were left out share the probability of an unlisted neighbour, in proportion to their probabilities before.
    pub(super) fn spread(
        &self,
        nearest: &NearestSides,
        before: &LogProbabilities,
        side: SideId,
        found: &LogProbabilities,
        spread: &mut LogProbabilities,
    ) {
        let kept = self.of(side);
        let unlisted_before = before.unlisted[side.index()];
        let is_left_out = |slot: &usize| kept.binary_search(slot).is_err();
        let left_out = nearest.slots(side).filter(is_left_out).map(|slot| before.candidates[slot]);
        // Relative to the largest, so that the sum does not vanish if all are small.
        let largest = left_out.clone().fold(unlisted_before, f32::max);
        let mut rest = OrderlessSum::default();
        left_out.chain([unlisted_before]).for_each(|log| rest.add(f64::from(log - largest).exp()));
        let share = found.unlisted[0] - largest - single(rest.value().ln());
        let mut of_kept = found.candidates.iter().copied();
        let candidates = nearest.slots(side).map(|slot| {
            let shared = (before.candidates[slot] + share).max(LEAST_LOG);
            if is_left_out(&slot) { shared } else { of_kept.next().unwrap_or(shared) }
        });
        let unlisted = (unlisted_before + share).max(LEAST_LOG);
        spread.push_logs(candidates, found.border[0], unlisted);
    }
}

/// The least logarithm of a shared probability.
pub(super) const LEAST_LOG: f32 = -30.0;

#[cfg(test)]
mod tests {
    use super::super::features::slots_back;
    use super::*;
    use crate::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
    use crate::observer::Silent;
    use crate::picture::synthetic;
    use crate::puzzle::{PuzzleType, TurnSet};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn candidates() -> NearestSides {
        let (pieces, _, _) = synthetic::puzzle(4, 5, 8, PuzzleType::Type2, 1);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let settings = NearestSettings { num_candidates: 24, max_candidates: 30 };
        find_nearest(&dissimilarity, TurnSet::Quarter, &settings, &Silent).unwrap()
    }

    fn lengths(nearest: &NearestSides) -> Vec<usize> {
        let sides = all_sides(nearest);
        sides.map(|side| nearest.slots(side).len()).collect()
    }

    /// Random probabilities of `lengths[s]` candidates of side s, from logits between `-farthest` and `farthest`.
    fn random_logs(lengths: &[usize], farthest: f32, random: &mut ChaCha8Rng) -> LogProbabilities {
        let mut logs = LogProbabilities::default();
        let mut logit = || random.random_range(-farthest..=farthest);
        for &length in lengths {
            logs.push((0..length).map(|_| logit()).collect(), logit(), logit());
        }
        logs
    }

    fn sum_of(nearest: &NearestSides, logs: &LogProbabilities, side: SideId) -> f64 {
        let exp = |log: f32| f64::from(log).exp();
        nearest.slots(side).map(|slot| exp(logs.candidates[slot])).sum::<f64>()
            + exp(logs.border[side.index()])
            + exp(logs.unlisted[side.index()])
    }

    #[test]
    fn probabilities_of_a_shortlist_are_spread_over_all_candidates_without_loss() {
        let nearest = &candidates();
        let mut random = ChaCha8Rng::seed_from_u64(3);
        // The farther apart the logits, the less probability is left for the others.
        for farthest in [1.0, 5.0, 12.0, 25.0] {
            for one_in in [1, 2, 7, usize::MAX] {
                let shortlist = Shortlist::new(nearest, |slot| slot % one_in == 0);
                let before = random_logs(&lengths(nearest), farthest, &mut random);
                let mut spread = LogProbabilities::default();
                let mut found_sides = Vec::new();
                for side in all_sides(nearest) {
                    let found = random_logs(&[shortlist.of(side).len()], 3.0, &mut random);
                    shortlist.spread(nearest, &before, side, &found, &mut spread);
                    found_sides.push(found);
                }
                for side in all_sides(nearest) {
                    let found = &found_sides[side.index()];
                    assert_eq!(spread.border[side.index()], found.border[0]);
                    let sum = sum_of(nearest, &spread, side);
                    assert!((sum - 1.0).abs() < 1e-4, "{sum}, {farthest}, one in {one_in}");
                    let kept = shortlist.of(side);
                    let kept_logs = kept.iter().map(|&slot| spread.candidates[slot]);
                    assert!(kept_logs.eq(found.candidates.iter().copied()));
                    // Those left out keep their proportions, unless they are cut off.
                    let share = spread.unlisted[side.index()] - before.unlisted[side.index()];
                    if spread.unlisted[side.index()] <= LEAST_LOG {
                        continue;
                    }
                    for slot in nearest.slots(side).filter(|slot| !kept.contains(slot)) {
                        let (new, old) = (spread.candidates[slot], before.candidates[slot]);
                        assert!((new - (old + share).max(LEAST_LOG)).abs() < 1e-4);
                    }
                }
            }
        }
    }

    #[test]
    fn the_shortlist_has_the_cheapest_and_all_that_tie_with_the_last() {
        let nearest = &candidates();
        let mut random = ChaCha8Rng::seed_from_u64(4);
        let mut before = random_logs(&lengths(nearest), 5.0, &mut random);
        // Many ties.
        before.candidates.iter_mut().for_each(|log| *log = log.round());
        let costs = LoopCostTable::new(nearest, &slots_back(nearest), &before);
        let shortlist = Shortlist::best(nearest, &costs);
        for side in all_sides(nearest) {
            let kept = shortlist.of(side);
            assert!(kept.len() >= LENGTH.min(nearest.slots(side).len()));
            assert!(kept.is_sorted_by(|x, y| x < y));
            let worst = kept.iter().map(|&slot| costs.cost(slot)).fold(0.0, f32::max);
            for slot in nearest.slots(side) {
                assert_eq!(kept.contains(&slot), costs.cost(slot) <= worst);
            }
            let num_better = kept.iter().filter(|&&slot| costs.cost(slot) < worst).count();
            assert!(num_better < LENGTH);
        }
    }
}
