//! Blank beside blank says nothing: it must cost the same, whether a list names the pair or not.
//!
//! On a page hundreds of sides are blank, and each fits all others. Which sixteen of them a list names is almost
//! chance, but the networks of loops take listed pairs for evidence: where two rows of pieces meet without ink, pairs
//! that happen to be listed confirm each other, and whole rows are joined at the wrong place. So pairs of blank
//! sides are taken out of the lists at the end, and their probability is shared among all blank sides as that of other
//! unlisted sides is (`pixel_network/unlisted_shares.rs`).

use super::features::{all_sides, log_of_sum};
use super::log_probabilities::LogProbabilities;
use crate::dissimilarity::{Candidate, NearestSides};
use crate::puzzle::SideId;

/// The lists without pairs of blank sides, and the probabilities with theirs added to that of an unlisted neighbour.
pub(super) fn unlisted(
    lists: &NearestSides,
    logs: &LogProbabilities,
    is_blank: impl Fn(SideId) -> bool,
) -> (NearestSides, LogProbabilities) {
    let mut kept_logs = LogProbabilities::default();
    let kept = all_sides(lists).map(|side| {
        let listed = || lists.of(side).iter().zip(&logs.candidates[lists.slots(side)]);
        let is_out = |(other, _): &(&Candidate, &f32)| is_blank(side) && is_blank(other.side);
        let out = listed().filter(is_out);
        let unlisted = out.clone().map(|(_, log)| *log).chain([logs.unlisted[side.index()]]);
        let next_best = out.map(|(other, _)| other.cost).fold(lists.next_best(side), f64::min);
        let kept: Vec<(&Candidate, &f32)> = listed().filter(|it| !is_out(it)).collect();
        let candidates = kept.iter().map(|(_, log)| **log);
        kept_logs.push_logs(candidates, logs.border[side.index()], log_of_sum(unlisted));
        (side, kept.iter().map(|(other, _)| **other).collect(), next_best)
    });
    let kept = kept.collect();
    (NearestSides::of_some(lists.num_sides(), kept), kept_logs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probability_of_blank_pairs_goes_to_unlisted_sides() {
        let side = SideId::from_index;
        let listed = |others: &[usize]| -> Vec<Candidate> {
            others
                .iter()
                .map(|&other| Candidate { side: side(other), cost: other as f64 })
                .collect()
        };
        // Sides 0 and 6 are blank, 9 is not.
        let all = vec![(side(0), listed(&[6, 9]), 20.0), (side(9), listed(&[6]), 20.0)];
        let lists = NearestSides::of_some(12, all);
        let mut logs = LogProbabilities::default();
        for number in 0..12 {
            let candidates = lists.of(side(number)).iter().map(|_| -1.0_f32);
            logs.push_logs(candidates, -2.0, -3.0);
        }
        let (kept, kept_logs) = unlisted(&lists, &logs, |side| [0, 6].contains(&side.index()));
        assert_eq!(kept.of(side(0)), listed(&[9]));
        assert_eq!(kept.of(side(9)), listed(&[6]));
        assert_eq!((kept.next_best(side(0)), kept.next_best(side(9))), (6.0, 20.0));
        assert_eq!(kept_logs.candidates, [-1.0, -1.0]);
        assert_eq!(kept_logs.border, logs.border);
        let expected = ((-1.0_f32).exp() + (-3.0_f32).exp()).ln();
        assert!((kept_logs.unlisted[0] - expected).abs() < 1e-6);
        assert_eq!(kept_logs.unlisted[1..], logs.unlisted[1..]);
    }
}
