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

    #[test]
    fn probabilities_are_carried_over_without_loss() {
        let three: (&[usize], &[f32], f32, f32) = (&[4, 5, 6], &[0.5, 0.2, 0.1], 0.05, 0.15);
        let stays = carried(three, (&[4, 5, 6], &[0.1, 0.1, 0.7], 0.09, 0.01));
        // The probability of a removed candidate goes to all others.
        let removed = carried(three, (&[5, 6], &[0.3, 0.3], 0.3, 0.1));
        // New candidates share the unlisted probability in proportion to network 0. Side 5 is gone, which leaves 0.9.
        let old: (&[usize], &[f32], f32, f32) = (&[4, 5], &[0.5, 0.1], 0.1, 0.3);
        let shared = carried(old, (&[4, 6, 7], &[0.6, 0.2, 0.1], 0.0, 0.1));
        let expected_shares = [0.5, 0.15, 0.075, 0.1, 0.075].map(|share| share / 0.9);
        let cases: [(Vec<f32>, &[f32]); 3] = [
            (stays, &[0.5, 0.2, 0.1, 0.05, 0.15]),
            (removed, &[0.4, 0.2, 0.1, 0.3]),
            (shared, &expected_shares),
        ];
        for (found, expected) in cases {
            assert_eq!(found.len(), expected.len());
            let is_close = found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-5);
            assert!(is_close, "{found:?}, not {expected:?}");
        }
    }
}
