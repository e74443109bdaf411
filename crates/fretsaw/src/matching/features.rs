//! Features, numbers that describe a candidate, and small functions that several files share.

use crate::dissimilarity::NearestSides;
pub(super) use crate::linalg::single;
use crate::puzzle::{Side, SideId};
use rayon::prelude::*;
use std::sync::LazyLock;

/// A number that describes a candidate.
pub(super) struct Feature<View> {
    /// The name in the table of features.
    pub(super) name: &'static str,
    /// Its value, always finite.
    pub(super) of: fn(&View) -> f32,
}

pub(super) const fn feature<View>(name: &'static str, of: fn(&View) -> f32) -> Feature<View> {
    Feature { name, of }
}

/// Writes the features of views, row by row.
///
/// The outer loop is over features, so that the processor predicts the next call.
pub(super) fn write_features<View>(
    features: &[&[Feature<View>]],
    views: &[View],
    out: &mut Vec<f32>,
) {
    let start = out.len();
    let width = features.iter().map(|part| part.len()).sum();
    out.resize(start + views.len() * width, 0.0);
    for (column, feature) in features.iter().copied().flatten().enumerate() {
        for (row, view) in out[start..].chunks_exact_mut(width).zip(views) {
            row[column] = (feature.of)(view);
        }
    }
}

/// ln(1 + count).
pub(super) fn log_count(count: usize) -> f32 {
    /// Ranks and numbers of ties are smaller than the length of a list.
    static LOGS: LazyLock<[f32; 128]> =
        LazyLock::new(|| std::array::from_fn(|count| single((count as f64).ln_1p())));
    LOGS[count.min(LOGS.len() - 1)]
}

pub(super) fn all_sides(nearest: &NearestSides) -> impl Iterator<Item = SideId> + use<> {
    (0..nearest.num_sides()).map(SideId::from_index)
}

/// In place of a slot: the other side does not list the pair.
pub(super) const NOT_LISTED: u32 = u32::MAX;

/// Number of sides that [`slots_back`] processes with the same marks.
const SIDES_PER_MARKS: usize = 1024;

/// For each candidate slot of a pair (u, v) the slot of (v, u), or [`NOT_LISTED`].
///
/// A search in the list of each v would jump through memory. Instead all pairs are sorted by v first, so that the
/// pairs that lead to a side lie together.
pub(super) fn slots_back(nearest: &NearestSides) -> Vec<u32> {
    let sides = |range: std::ops::Range<usize>| range.map(SideId::from_index);
    let num_sides = nearest.num_sides();
    let mut ends = vec![0_usize; num_sides + 1];
    for u in sides(0..num_sides) {
        nearest.of(u).iter().for_each(|candidate| ends[candidate.side.index() + 1] += 1);
    }
    for side in 0..num_sides {
        ends[side + 1] += ends[side];
    }
    // While the pairs are put in their places, the starts of the sides become their ends.
    let mut arriving = vec![(0_u32, NOT_LISTED); nearest.num_candidates()];
    for u in sides(0..num_sides) {
        for (slot, candidate) in nearest.slots(u).zip(nearest.of(u)) {
            let end = &mut ends[candidate.side.index()];
            #[expect(clippy::cast_possible_truncation, reason = "some hundred million at most")]
            let pair = (u.index() as u32, slot as u32);
            arriving[*end] = pair;
            *end += 1;
        }
    }
    let blocks: Vec<Vec<u32>> = (0..num_sides.div_ceil(SIDES_PER_MARKS))
        .into_par_iter()
        .map(|block| {
            let first = block * SIDES_PER_MARKS;
            let mut marks = vec![NOT_LISTED; num_sides];
            let mut back = Vec::new();
            for u in sides(first..(first + SIDES_PER_MARKS).min(num_sides)) {
                let start = u.index().checked_sub(1).map_or(0, |before| ends[before]);
                let arriving = &arriving[start..ends[u.index()]];
                arriving.iter().for_each(|&(v, slot)| marks[v as usize] = slot);
                back.extend(nearest.of(u).iter().map(|candidate| marks[candidate.side.index()]));
                arriving.iter().for_each(|&(v, _)| marks[v as usize] = NOT_LISTED);
            }
            back
        })
        .collect();
    blocks.concat()
}

/// The next side of the same piece, clockwise.
pub(super) const fn clockwise(side: SideId) -> SideId {
    SideId::new(side.piece(), Side::from_index(side.side().index() + 1))
}

/// The next side of the same piece, counter-clockwise.
pub(super) const fn counter_clockwise(side: SideId) -> SideId {
    SideId::new(side.piece(), Side::from_index(side.side().index() + 3))
}

/// A sum of numbers from 0 to 1 that does not depend on their order.
///
/// Candidates that tie come in the order of their numbers, on which no result may depend.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OrderlessSum(u64);

impl OrderlessSum {
    /// 2^40: a million summands do not overflow.
    const ONE: f64 = 1_099_511_627_776.0;

    pub(super) fn add(&mut self, x: f64) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole and at least 0"
        )]
        let fixed = (x * Self::ONE).round() as u64;
        self.0 += fixed;
    }

    #[expect(clippy::cast_precision_loss, reason = "below 2^53 unless there are thousands of ones")]
    pub(super) fn value(self) -> f64 {
        self.0 as f64 / Self::ONE
    }
}

/// `ln sum exp(log)`, which does not depend on the order of the logs.
pub(super) fn log_of_sum(logs: impl Iterator<Item = f32> + Clone) -> f32 {
    // Relative to the largest, so that the sum does not vanish if all are small.
    let largest = logs.clone().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = OrderlessSum::default();
    logs.for_each(|log| sum.add(f64::from(log - largest).exp()));
    largest + single(sum.value().ln())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
    use crate::observer::Silent;
    use crate::picture::synthetic;
    use crate::puzzle::{PuzzleType, TurnSet};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_sum_does_not_depend_on_the_order(
            // Of all magnitudes, so that a sum of floating-point numbers would depend on the order.
            numbers in prop::collection::vec((0.0..1.0_f64).prop_map(|x| x.powi(9)), 0..100),
            seed: u64,
        ) {
            let sum = |numbers: &[f64]| {
                let mut sum = OrderlessSum::default();
                numbers.iter().for_each(|&x| sum.add(x));
                sum.value()
            };
            let mut shuffled = numbers.clone();
            shuffled.sort_by_key(|x| x.to_bits().wrapping_mul(seed | 1));
            prop_assert_eq!(sum(&numbers).to_bits(), sum(&shuffled).to_bits());
            prop_assert!((sum(&numbers) - numbers.iter().sum::<f64>()).abs() < 1e-9);
        }
    }

    #[test]
    fn a_million_ones_are_summed_without_overflow() {
        let mut sum = OrderlessSum::default();
        (0..1_000_000).for_each(|_| sum.add(1.0));
        assert_eq!(sum.value(), 1e6);
    }

    #[test]
    fn the_slot_back_of_a_slot_back_is_the_same_slot() {
        let (pieces, _, _) = synthetic::puzzle(5, 6, 8, PuzzleType::Type2, 1);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let settings = NearestSettings { num_candidates: 6, max_candidates: 12 };
        let nearest = find_nearest(&dissimilarity, TurnSet::Quarter, &settings, &Silent).unwrap();
        let back = slots_back(&nearest);
        assert_eq!(back.len(), nearest.num_candidates());
        let (mut num_mutual, mut num_one_way) = (0, 0);
        for u in (0..nearest.num_sides()).map(SideId::from_index) {
            for (slot, candidate) in nearest.slots(u).zip(nearest.of(u)) {
                let v = candidate.side;
                let is_mutual = nearest.of(v).iter().any(|other| other.side == u);
                assert_eq!(back[slot] != NOT_LISTED, is_mutual);
                if is_mutual {
                    num_mutual += 1;
                    let there = back[slot] as usize;
                    assert!(nearest.slots(v).contains(&there));
                    assert_eq!(nearest.of(v)[there - nearest.slots(v).start].side, u);
                    assert_eq!(back[there] as usize, slot);
                } else {
                    num_one_way += 1;
                }
            }
        }
        assert!(num_mutual > 0 && num_one_way > 0, "{num_mutual} {num_one_way}");
    }

    #[test]
    fn clockwise_and_counter_clockwise_sides_are_inverse() {
        for side in (0..8).map(SideId::from_index) {
            assert_eq!(counter_clockwise(clockwise(side)), side);
            assert_eq!(clockwise(side).piece(), side.piece());
            assert_eq!(clockwise(side).side().index(), (side.side().index() + 1) % 4);
        }
    }
}
