//! Open-side relisting: open sides get their candidates from among open sides.
//!
//! A side whose neighbour is certain cannot be the neighbour of another. In a sky of ten thousand sides that look
//! alike, the k best candidates of a side are mostly such sides, and its true neighbour is not among them. Among open
//! sides alone it often is.

use super::features::log_of_sum;
use super::log_probabilities::LogProbabilities;
use super::shortlist::LEAST_LOG;
use crate::dissimilarity::{Candidate, NearestSides};
use crate::puzzle::SideId;

/// Adds the probabilities of a side's new list, from those of its old list and those of network 0 for the new one.
///
/// New candidates were unlisted before: they and the remaining unlisted sides share the old probability of an unlisted
/// neighbour, in proportion to the probabilities of network 0. Then all are scaled to add up to 1, which distributes
/// the probability of candidates that are gone.
pub(super) fn carry_over(
    side: SideId,
    (old_lists, old): (&NearestSides, &LogProbabilities),
    (new_lists, first): (&NearestSides, &LogProbabilities),
    carried: &mut LogProbabilities,
) {
    let old_unlisted = old.unlisted[side.index()];
    let old_log = |other: SideId| {
        let at = old_lists.of(side).iter().position(|candidate| candidate.side == other)?;
        Some(old.candidates[old_lists.slots(side).start + at])
    };
    let first_unlisted = first.unlisted[side.index()];
    let listed = new_lists.of(side).iter().zip(new_lists.slots(side));
    let both = |(listed, slot): (&Candidate, usize)| (old_log(listed.side), first.candidates[slot]);
    let listed: Vec<(Option<f32>, f32)> = listed.map(both).collect();
    let is_new = |&&(old, _): &&(Option<f32>, f32)| old.is_none();
    let new = listed.iter().filter(is_new).map(|&(_, first)| first);
    let share = old_unlisted - log_of_sum(new.chain([first_unlisted]));
    let unlisted = first_unlisted + share;
    let border = old.border[side.index()];
    let logs = listed.iter().map(|&(old, first)| old.unwrap_or(first + share));
    let all = log_of_sum(logs.clone().chain([border, unlisted]));
    let of_all = |log: f32| (log - all).max(LEAST_LOG);
    carried.push_logs(logs.map(of_all), of_all(border), of_all(unlisted));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lists of two pieces, of which side 0 has these candidates and the others none.
    fn listing(candidates: &[usize]) -> NearestSides {
        let candidate =
            |&index: &usize| Candidate { side: SideId::from_index(index), cost: index as f64 };
        let list = candidates.iter().map(candidate).collect();
        NearestSides::of_some(8, vec![(SideId::from_index(0), list, 9.0)])
    }

    fn logs_of(candidates: &[f32], border: f32, unlisted: f32) -> LogProbabilities {
        let mut logs = LogProbabilities::default();
        logs.push_logs(candidates.iter().map(|p| p.ln()), border.ln(), unlisted.ln());
        logs
    }

    /// Probabilities of the new candidates, of border and of unlisted.
    fn carried(
        before: (&[usize], &[f32], f32, f32),
        first: (&[usize], &[f32], f32, f32),
    ) -> Vec<f32> {
        let mut found = LogProbabilities::default();
        let old = (&listing(before.0), &logs_of(before.1, before.2, before.3));
        let new = (&listing(first.0), &logs_of(first.1, first.2, first.3));
        carry_over(SideId::from_index(0), old, new, &mut found);
        let LogProbabilities { candidates, border, unlisted } = found;
        [candidates, border, unlisted].concat().into_iter().map(f32::exp).collect()
    }

    fn assert_close(found: &[f32], expected: &[f32]) {
        assert_eq!(found.len(), expected.len());
        for (x, y) in found.iter().zip(expected) {
            assert!((x - y).abs() < 1e-5, "{found:?}, not {expected:?}");
        }
    }

    #[test]
    fn probabilities_stay_if_the_list_stays() {
        let before: (&[usize], &[f32], f32, f32) = (&[4, 5, 6], &[0.5, 0.2, 0.1], 0.05, 0.15);
        let found = carried(before, (&[4, 5, 6], &[0.1, 0.1, 0.7], 0.09, 0.01));
        assert_close(&found, &[0.5, 0.2, 0.1, 0.05, 0.15]);
    }

    #[test]
    fn the_probability_of_a_removed_candidate_goes_to_all_others() {
        let before: (&[usize], &[f32], f32, f32) = (&[4, 5, 6], &[0.5, 0.2, 0.1], 0.05, 0.15);
        let found = carried(before, (&[5, 6], &[0.3, 0.3], 0.3, 0.1));
        assert_close(&found, &[0.4, 0.2, 0.1, 0.3]);
    }

    #[test]
    fn new_candidates_share_the_unlisted_probability_in_proportion_to_network_0() {
        let before: (&[usize], &[f32], f32, f32) = (&[4, 5], &[0.5, 0.1], 0.1, 0.3);
        let found = carried(before, (&[4, 6, 7], &[0.6, 0.2, 0.1], 0.0, 0.1));
        // Side 5 is gone, which leaves 0.9.
        assert_close(&found, &[0.5 / 0.9, 0.15 / 0.9, 0.075 / 0.9, 0.1 / 0.9, 0.075 / 0.9]);
    }
}
