//! Logarithms of the probabilities of all sides and candidates.

use super::features::{all_sides, log_of_sum};
use super::match_model::{MatchModel, SideDistribution};
use crate::dissimilarity::{Dissimilarity, NearestSides};
use crate::puzzle::SideId;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Logarithms of probabilities. For each side the probabilities of its candidates, of the border and of an unlisted
/// neighbour add up to 1.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct LogProbabilities {
    /// By candidate slot: ln p(u -> v).
    pub(super) candidates: Vec<f32>,
    /// By side.
    pub(super) border: Vec<f32>,
    /// By side.
    pub(super) unlisted: Vec<f32>,
}

impl LogProbabilities {
    /// Adds the next side from the logits of its candidates, of border and of unlisted.
    pub(super) fn push(&mut self, mut logits: Vec<f32>, border: f32, unlisted: f32) {
        let length = logits.len();
        logits.extend([border, unlisted]);
        let log_sum = log_of_sum(logits.iter().copied());
        logits.iter_mut().for_each(|logit| *logit -= log_sum);
        self.candidates.extend_from_slice(&logits[..length]);
        self.border.push(logits[length]);
        self.unlisted.push(logits[length + 1]);
    }

    /// Adds the next side from the logarithms of its probabilities.
    pub(super) fn push_logs(
        &mut self,
        candidates: impl IntoIterator<Item = f32>,
        border: f32,
        unlisted: f32,
    ) {
        self.candidates.extend(candidates);
        self.border.push(border);
        self.unlisted.push(unlisted);
    }

    pub(super) fn concat(parts: Vec<Self>) -> Self {
        let mut all = Self::default();
        for part in parts {
            all.candidates.extend(part.candidates);
            all.border.extend(part.border);
            all.unlisted.extend(part.unlisted);
        }
        all
    }

    /// The same with more evidence: the logarithms of likelihood ratios of pairs, and of all unlisted sides of a side
    /// together. These probabilities count as much as their side is trusted, from 0 to 1.
    pub(super) fn with_evidence(
        &self,
        lists: &NearestSides,
        trust: impl Fn(SideId) -> f32,
        of_pair: impl Fn(SideId, SideId) -> f32,
        of_unlisted: impl Fn(SideId) -> f32,
    ) -> Self {
        let mut all = Self::default();
        for side in all_sides(lists) {
            let listed = lists.of(side).iter().zip(&self.candidates[lists.slots(side)]);
            let trust = trust(side);
            let candidates =
                listed.map(|(other, log)| trust * log + of_pair(side, other.side)).collect();
            let unlisted = trust * self.unlisted[side.index()] + of_unlisted(side);
            all.push(candidates, trust * self.border[side.index()], unlisted);
        }
        all
    }

    pub(super) fn into_model<'a>(
        self,
        dissimilarity: &'a Dissimilarity,
        nearest: Cow<'a, NearestSides>,
    ) -> MatchModel<'a> {
        let of_sides = self.border.iter().zip(&self.unlisted);
        let of_sides = of_sides
            .map(|(border, unlisted)| SideDistribution {
                border: border.exp(),
                unlisted: unlisted.exp(),
            })
            .collect();
        let of_candidates = self.candidates.iter().map(|log| log.exp()).collect();
        MatchModel::by_probabilities(dissimilarity, nearest, of_candidates, of_sides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn probabilities_of_a_side_add_up_to_one_in_any_order(
            logits in prop::collection::vec(-60.0..60.0_f32, 0..40),
            none in (-60.0..60.0_f32, -60.0..60.0_f32),
        ) {
            let pushed = |logits: Vec<f32>| {
                let mut logs = LogProbabilities::default();
                logs.push(logits, none.0, none.1);
                logs
            };
            let logs = pushed(logits.clone());
            let all = [&logs.candidates[..], &logs.border, &logs.unlisted].concat();
            prop_assert!(all.iter().all(|&log| log.is_finite() && log <= 0.0));
            let sum: f64 = all.iter().map(|&log| f64::from(log).exp()).sum();
            prop_assert!((sum - 1.0).abs() < 2e-5, "{}", sum);

            let backwards = pushed(logits.into_iter().rev().collect());
            let bits = |list: &[f32]| list.iter().map(|log| log.to_bits()).collect::<Vec<_>>();
            let mut expected = bits(&backwards.candidates);
            expected.reverse();
            prop_assert_eq!(bits(&logs.candidates), expected);
            prop_assert_eq!(bits(&logs.border), bits(&backwards.border));
            prop_assert_eq!(bits(&logs.unlisted), bits(&backwards.unlisted));
        }
    }

    #[test]
    fn parts_are_concatenated_in_their_order() {
        let part = |logits: &[f32], none: f32| {
            let mut part = LogProbabilities::default();
            part.push(logits.to_vec(), none, none);
            part
        };
        let (one, other) = (part(&[1.0, 2.0], 0.0), part(&[3.0], -1.0));
        let all = LogProbabilities::concat(vec![one.clone(), part(&[], 0.5), other.clone()]);
        assert_eq!(all.candidates, [one.candidates, other.candidates].concat());
        assert_eq!(all.border.len(), 3);
        assert_eq!((all.border[0], all.unlisted[2]), (one.border[0], other.unlisted[0]));
    }
}
