//! Tables of features: numbers that describe a candidate, each a named function.

use crate::dissimilarity::NearestSides;
use crate::puzzle::{Side, SideId};
use rayon::prelude::*;
use std::sync::LazyLock;

/// A number that describes a candidate.
pub(super) struct Feature<View> {
    /// As in the model card.
    pub(super) name: &'static str,
    /// Its value, always finite.
    pub(super) of: fn(&View) -> f32,
}

/// Writes the features of views, row by row.
pub(super) fn write_features<View>(features: &[Feature<View>], views: &[View], out: &mut Vec<f32>) {
    for view in views {
        out.extend(features.iter().map(|feature| (feature.of)(view)));
    }
}

/// Features are kept in single precision.
#[expect(clippy::cast_possible_truncation, reason = "rounding is what is wanted")]
pub(super) const fn single(x: f64) -> f32 {
    x as f32
}

/// ln(1 + count).
pub(super) fn log_count(count: usize) -> f32 {
    /// Ranks and ties are smaller than lists are long.
    static LOGS: LazyLock<[f32; 64]> =
        LazyLock::new(|| std::array::from_fn(|count| single((count as f64).ln_1p())));
    LOGS[count.min(LOGS.len() - 1)]
}

/// Says that a pair is listed by one of its sides only.
pub(super) const NOT_LISTED: u32 = u32::MAX;

/// For each candidate slot of a pair (u, v) the slot of (v, u), or [`NOT_LISTED`].
pub(super) fn slots_back(nearest: &NearestSides) -> Vec<u32> {
    (0..nearest.num_sides())
        .into_par_iter()
        .map(SideId::from_index)
        .flat_map_iter(|u| {
            nearest.of(u).iter().map(move |candidate| {
                let v = candidate.side;
                let found = nearest.of(v).iter().position(|other| other.side == u);
                #[expect(clippy::cast_possible_truncation, reason = "some hundred million at most")]
                found.map_or(NOT_LISTED, |at| (nearest.slots(v).start + at) as u32)
            })
        })
        .collect()
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
/// Candidates that tie come in the order of their numbers, which must not show in anything.
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
