//! Candidates from among the sides that are still open.
//!
//! A side that certainly belongs to another is nobody's neighbour any more. In a sky of ten thousand sides
//! that look alike the k best by measure are mostly such sides, and the true neighbour is not among them.
//! Listed among open sides alone, it is often enough.

use super::features::log_of_sum;
use super::shortlist::LEAST_LOG;
use super::verdicts::LogVerdicts;
use crate::dissimilarity::{Candidate, NearestSides};
use crate::puzzle::SideId;

/// Adds what a verdict on a side's candidates says of its new ones, which a first look has judged.
///
/// Candidates that are gone are out of the question, and the others share what they had in proportion.
/// Those that are new were unlisted before: what the verdict has for unlisted sides is divided between them
/// and what is unlisted still, in proportion to what the first look says.
pub(super) fn carry_over(
    side: SideId,
    (before, verdicts): (&NearestSides, &LogVerdicts),
    (anew, first): (&NearestSides, &LogVerdicts),
    carried: &mut LogVerdicts,
) {
    let unlisted_before = verdicts.unlisted[side.index()];
    let old = |other: SideId| {
        let at = before.of(side).iter().position(|candidate| candidate.side == other)?;
        Some(verdicts.candidates[before.slots(side).start + at])
    };
    let first_unlisted = first.unlisted[side.index()];
    let listed = anew.of(side).iter().zip(anew.slots(side));
    let judged: Vec<(Option<f32>, f32)> =
        listed.map(|(&Candidate { side, .. }, slot)| (old(side), first.candidates[slot])).collect();
    let is_new = |&&(old, _): &&(Option<f32>, f32)| old.is_none();
    let new = judged.iter().filter(is_new).map(|&(_, first)| first);
    let share = unlisted_before - log_of_sum(new.chain([first_unlisted]));
    let unlisted = first_unlisted + share;
    let border = verdicts.border[side.index()];
    let logs = judged.iter().map(|&(old, first)| old.unwrap_or(first + share));
    let all = log_of_sum(logs.clone().chain([border, unlisted]));
    let of_all = |log: f32| (log - all).max(LEAST_LOG);
    carried.push_logs(logs.map(of_all), of_all(border), of_all(unlisted));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Side 0 of two pieces, with these candidates.
    fn listing(candidates: &[usize]) -> NearestSides {
        let candidate = |&index: &usize| Candidate {
            side: SideId::from_index(index),
            dissimilarity: index as f64,
        };
        let list = candidates.iter().map(candidate).collect();
        NearestSides::of_some(8, vec![(SideId::from_index(0), list, 9.0)])
    }

    fn verdicts(candidates: &[f32], border: f32, unlisted: f32) -> LogVerdicts {
        let mut verdicts = LogVerdicts::default();
        verdicts.push_logs(candidates.iter().map(|p| p.ln()), border.ln(), unlisted.ln());
        verdicts
    }

    /// Probabilities of the new candidates, of the border and of the unlisted.
    fn carried(
        before: (&[usize], &[f32], f32, f32),
        first: (&[usize], &[f32], f32, f32),
    ) -> Vec<f32> {
        let mut found = LogVerdicts::default();
        let old = (&listing(before.0), &verdicts(before.1, before.2, before.3));
        let new = (&listing(first.0), &verdicts(first.1, first.2, first.3));
        carry_over(SideId::from_index(0), old, new, &mut found);
        let LogVerdicts { candidates, border, unlisted } = found;
        [candidates, border, unlisted].concat().into_iter().map(f32::exp).collect()
    }

    fn assert_close(found: &[f32], expected: &[f32]) {
        assert_eq!(found.len(), expected.len());
        for (x, y) in found.iter().zip(expected) {
            assert!((x - y).abs() < 1e-5, "{found:?}, not {expected:?}");
        }
    }

    #[test]
    fn where_nothing_changes_nothing_is_said_anew() {
        let before: (&[usize], &[f32], f32, f32) = (&[4, 5, 6], &[0.5, 0.2, 0.1], 0.05, 0.15);
        let found = carried(before, (&[4, 5, 6], &[0.1, 0.1, 0.7], 0.09, 0.01));
        assert_close(&found, &[0.5, 0.2, 0.1, 0.05, 0.15]);
    }

    #[test]
    fn what_is_gone_leaves_its_share_to_all_others() {
        let before: (&[usize], &[f32], f32, f32) = (&[4, 5, 6], &[0.5, 0.2, 0.1], 0.05, 0.15);
        let found = carried(before, (&[5, 6], &[0.3, 0.3], 0.3, 0.1));
        assert_close(&found, &[0.4, 0.2, 0.1, 0.3]);
    }

    #[test]
    fn what_is_new_shares_with_the_unlisted_as_the_first_look_says() {
        let before: (&[usize], &[f32], f32, f32) = (&[4, 5], &[0.5, 0.1], 0.1, 0.3);
        let found = carried(before, (&[4, 6, 7], &[0.6, 0.2, 0.1], 0.0, 0.1));
        // Side 5 is gone: all of 0.9 that is left.
        assert_close(&found, &[0.5 / 0.9, 0.15 / 0.9, 0.075 / 0.9, 0.1 / 0.9, 0.075 / 0.9]);
    }
}
