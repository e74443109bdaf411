//! The result of the learned matcher as bytes, from which a later run continues.

use super::features::all_sides;
use super::log_probabilities::LogProbabilities;
use crate::dissimilarity::{Candidate, Dissimilarity, NearestSides};
use crate::puzzle::{SideId, SidePair, TurnSet};
use serde::{Deserialize, Serialize};

/// The largest logarithm of a probability: 0, with room for rounding.
const MAX_LOG: f32 = 1e-3;

/// The probabilities, and the candidates they belong to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedState {
    /// The lists that differ from the measured ones, in order of their sides.
    lists: Vec<SavedList>,
    logs: LogProbabilities,
}

/// The candidates of a side. Their dissimilarities are measured again.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedList {
    side: u32,
    candidates: Vec<u32>,
    beyond: f64,
}

impl SavedState {
    /// The state of probabilities of the candidates `listed`, which at most sides are those of `nearest`.
    pub(super) fn new(
        nearest: &NearestSides,
        listed: &NearestSides,
        logs: &LogProbabilities,
    ) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "sides have numbers of 32 bits")]
        let number = |side: SideId| side.index() as u32;
        let list = |side: SideId| SavedList {
            side: number(side),
            candidates: listed.of(side).iter().map(|candidate| number(candidate.side)).collect(),
            beyond: listed.next_best(side),
        };
        let differs = |&side: &SideId| {
            listed.of(side) != nearest.of(side) || listed.next_best(side) != nearest.next_best(side)
        };
        let sides = all_sides(listed);
        Self { lists: sides.filter(differs).map(list).collect(), logs: logs.clone() }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        // Writing numbers to memory does not fail.
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// The candidates and their probabilities; `None` if the bytes do not fit this puzzle.
    pub(super) fn read(
        bytes: &[u8],
        dissimilarity: &Dissimilarity,
        nearest: &NearestSides,
        turns: TurnSet,
    ) -> Option<(NearestSides, LogProbabilities)> {
        let (Self { lists, logs }, rest) = postcard::take_from_bytes::<Self>(bytes).ok()?;
        let num_sides = nearest.num_sides();
        let is_ordered = lists.is_sorted_by(|x, y| x.side < y.side);
        if !rest.is_empty() || !is_ordered {
            return None;
        }
        let side_of = |number: u32| {
            ((number as usize) < num_sides).then(|| SideId::from_index(number as usize))
        };
        let measured = |SavedList { side, candidates: numbers, beyond }: &SavedList| {
            let side = side_of(*side)?;
            let mut candidates: Vec<Candidate> = Vec::with_capacity(numbers.len());
            for &number in numbers {
                let other = side_of(number)?;
                let is_possible =
                    other.piece() != side.piece() && turns.allows(SidePair::of(side, other));
                if !is_possible || candidates.iter().any(|candidate| candidate.side == other) {
                    return None;
                }
                let dissimilarity = dissimilarity.value(side, other);
                candidates.push(Candidate { side: other, cost: dissimilarity });
            }
            (!beyond.is_nan()).then_some((side, candidates, *beyond))
        };
        let lists: Vec<_> = lists.iter().map(measured).collect::<Option<_>>()?;
        let sides: Vec<SideId> = lists.iter().map(|&(side, ..)| side).collect();
        let listed = nearest.with_lists_of(&sides, &NearestSides::of_some(num_sides, lists));
        let LogProbabilities { candidates, border, unlisted } = &logs;
        // NaN fails this comparison.
        let are_logs = |logs: &Vec<f32>| logs.iter().all(|&log| log <= MAX_LOG);
        let fits = candidates.len() == listed.num_candidates()
            && border.len() == num_sides
            && unlisted.len() == num_sides
            && [candidates, border, unlisted].into_iter().all(are_logs);
        fits.then_some((listed, logs))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MatchModel, Matcher};
    use super::*;
    use crate::dissimilarity::{Measure, NearestSettings, find_nearest};
    use crate::observer::{Keeper, Silent};
    use crate::picture::synthetic;
    use crate::puzzle::PuzzleType;

    fn assert_same(one: &MatchModel<'_>, other: &MatchModel<'_>) {
        assert_eq!(one.measured(), other.measured());
        assert_eq!(one.candidates(), other.candidates());
        for side in all_sides(one.measured()) {
            assert_eq!(one.of_side(side), other.of_side(side));
        }
    }

    #[test]
    fn a_saved_result_is_the_same_and_bad_bytes_are_ignored() {
        for (puzzle_type, turns) in
            [(PuzzleType::Type1, TurnSet::None), (PuzzleType::Type2, TurnSet::Quarter)]
        {
            // Hard enough that the matcher adds candidates.
            let (pieces, ..) = synthetic::puzzle(8, 9, 5, puzzle_type, 2);
            let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
            let settings = Matcher::Learned.candidates();
            let nearest = find_nearest(&dissimilarity, turns, &settings, &Silent).unwrap();
            let matched = |given: Option<Vec<u8>>| {
                let keeper = Keeper::continuing_from(given);
                let model =
                    Matcher::Learned.match_sides(&dissimilarity, &nearest, turns, &keeper).unwrap();
                (model, keeper.into_states().pop())
            };
            let expected =
                Matcher::Learned.match_sides(&dissimilarity, &nearest, turns, &Silent).unwrap();
            assert!(expected.measured().num_candidates() > nearest.num_candidates());
            let (model, saved) = matched(None);
            assert_same(&model, &expected);
            let saved = saved.unwrap();
            let (model, again) = matched(Some(saved.clone()));
            assert_same(&model, &expected);
            assert_eq!(again, None, "it is computed again");

            let read = |bytes: &[u8]| SavedState::read(bytes, &dissimilarity, &nearest, turns);
            assert!((0..saved.len()).all(|length| read(&saved[..length]).is_none()));
            assert!(read(&[&saved[..], &[0]].concat()).is_none());
            assert!(read(&vec![0xff; saved.len()]).is_none());
            let whole: SavedState = postcard::from_bytes(&saved).unwrap();
            let number = |index: usize| u32::try_from(index).unwrap();
            let changes: [&dyn Fn(&mut SavedState); 9] = [
                &|saved| saved.lists[0].side = u32::MAX,
                &|saved| saved.lists.swap(0, 1),
                &|saved| saved.lists[0].candidates[0] = u32::MAX,
                &|saved| saved.lists[0].candidates[0] = number(nearest.num_sides()),
                // A side of its own piece, and a side that it already lists.
                &|saved| saved.lists[0].candidates[0] = saved.lists[0].side,
                &|saved| saved.lists[0].candidates[0] = saved.lists[0].candidates[1],
                &|saved| saved.lists[0].beyond = f64::NAN,
                &|saved| saved.logs.candidates.truncate(9),
                &|saved| saved.logs.border[3] = f32::NAN,
            ];
            for (number, change) in changes.iter().enumerate() {
                let mut bad = whole.clone();
                change(&mut bad);
                assert!(read(&bad.bytes()).is_none(), "{number}");
            }
            let (model, again) = matched(Some(saved[..saved.len() / 2].to_vec()));
            assert_same(&model, &expected);
            assert_eq!(again, Some(saved));
        }
    }

    #[test]
    fn replaced_lists_are_restored_with_their_next_best_dissimilarity() {
        let (pieces, ..) = synthetic::puzzle(5, 6, 6, PuzzleType::Type2, 4);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let turns = TurnSet::Quarter;
        let measured = |k| {
            let settings = NearestSettings { num_candidates: k, max_candidates: k };
            find_nearest(&dissimilarity, turns, &settings, &Silent).unwrap()
        };
        let (nearest, other) = (measured(5), measured(3));
        let sides = [0, 7, 8, 119].map(SideId::from_index);
        let listed = nearest.with_lists_of(&sides, &other);
        let mut logs = LogProbabilities::default();
        for side in all_sides(&listed) {
            logs.push(vec![-1.0; listed.of(side).len()], 0.0, 1.0);
        }
        let saved = SavedState::new(&nearest, &listed, &logs);
        assert_eq!(saved.lists.len(), sides.len());
        let (read_lists, read_logs) =
            SavedState::read(&saved.bytes(), &dissimilarity, &nearest, turns).unwrap();
        assert_eq!(read_lists, listed);
        assert_eq!(read_logs.candidates, logs.candidates);
    }
}
