//! The result of the learned judge as bytes, to be had again without judging.

use super::verdicts::LogVerdicts;
use crate::dissimilarity::{Candidate, Dissimilarity, NearestSides};
use crate::puzzle::{SideId, SidePair, TurnSet};
use serde::{Deserialize, Serialize};

/// Logarithms of probabilities are at most 0, but for rounding.
const MOST: f32 = 1e-3;

/// What the judge said, and the candidates that it added to those that were measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedVerdicts {
    /// By side, as numbers of sides. How badly they fit is measured again.
    added: Vec<Vec<u32>>,
    verdicts: LogVerdicts,
}

impl SavedVerdicts {
    /// Of verdicts on the candidates `grown`, which are those of `nearest` and others.
    pub(super) fn new(
        nearest: &NearestSides,
        grown: &NearestSides,
        verdicts: &LogVerdicts,
    ) -> Self {
        let added = |side: SideId| {
            let is_new = |candidate: &&Candidate| !lists(nearest, side, candidate.side);
            #[expect(clippy::cast_possible_truncation, reason = "sides have numbers of 32 bits")]
            let number = |candidate: &Candidate| candidate.side.index() as u32;
            grown.of(side).iter().filter(is_new).map(number).collect()
        };
        Self {
            added: (0..grown.num_sides()).map(SideId::from_index).map(added).collect(),
            verdicts: verdicts.clone(),
        }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        // Numbers and lists of numbers, in memory: nothing to go wrong.
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// The candidates, measured and added, and the verdicts on them; `None` if the bytes are not of
    /// this puzzle.
    pub(super) fn read(
        bytes: &[u8],
        dissimilarity: &Dissimilarity,
        nearest: &NearestSides,
        turns: TurnSet,
    ) -> Option<(NearestSides, LogVerdicts)> {
        let (Self { added, verdicts }, rest) = postcard::take_from_bytes(bytes).ok()?;
        let num_sides = nearest.num_sides();
        if !rest.is_empty() || added.len() != num_sides {
            return None;
        }
        let candidates = |(side, added): (usize, &Vec<u32>)| {
            let side = SideId::from_index(side);
            let mut candidates: Vec<Candidate> = Vec::with_capacity(added.len());
            for &number in added {
                if number as usize >= num_sides {
                    return None;
                }
                let other = SideId::from_index(number as usize);
                let is_possible =
                    other.piece() != side.piece() && turns.allows(SidePair::of(side, other));
                let is_known = lists(nearest, side, other)
                    || candidates.iter().any(|candidate| candidate.side == other);
                if !is_possible || is_known {
                    return None;
                }
                let dissimilarity = dissimilarity.value(side, other);
                candidates.push(Candidate { side: other, dissimilarity });
            }
            Some(candidates)
        };
        let added: Vec<_> = added.iter().enumerate().map(candidates).collect::<Option<_>>()?;
        let grown = nearest.with_more(&added);
        let LogVerdicts { candidates, border, unlisted } = &verdicts;
        // Not so what is not a number.
        let are_logs = |logs: &Vec<f32>| logs.iter().all(|&log| log <= MOST);
        let fits = candidates.len() == grown.num_candidates()
            && border.len() == num_sides
            && unlisted.len() == num_sides
            && [candidates, border, unlisted].into_iter().all(are_logs);
        fits.then_some((grown, verdicts))
    }
}

fn lists(nearest: &NearestSides, side: SideId, other: SideId) -> bool {
    nearest.of(side).iter().any(|candidate| candidate.side == other)
}

#[cfg(test)]
mod tests {
    use super::super::{Judge, Judgement};
    use super::*;
    use crate::dissimilarity::{Measure, find_nearest};
    use crate::observer::{Observer, Silent, Stage};
    use crate::puzzle::PuzzleType;
    use crate::synthetic;
    use std::sync::Mutex;

    #[derive(Default)]
    struct Keeper {
        given: Option<Vec<u8>>,
        kept: Mutex<Option<Vec<u8>>>,
    }

    impl Observer for Keeper {
        fn keeps_states(&self) -> bool {
            true
        }

        fn save_state(&self, stage: Stage, state: Vec<u8>) {
            assert_eq!(stage, Stage::Judge);
            *self.kept.lock().unwrap() = Some(state);
        }

        fn saved_state(&self, _: Stage) -> Option<Vec<u8>> {
            self.given.clone()
        }
    }

    fn assert_same(one: &Judgement<'_>, other: &Judgement<'_>) {
        assert_eq!(one.measured(), other.measured());
        assert_eq!(one.candidates(), other.candidates());
        for side in (0..one.num_sides()).map(SideId::from_index) {
            assert_eq!(one.of_side(side), other.of_side(side));
        }
    }

    #[test]
    fn a_saved_judgement_is_the_same_and_bad_bytes_are_ignored() {
        for (puzzle_type, turns) in
            [(PuzzleType::Type1, TurnSet::None), (PuzzleType::Type2, TurnSet::Quarter)]
        {
            // Hard enough that the judge adds candidates.
            let (pieces, ..) = synthetic::puzzle(8, 9, 5, puzzle_type, 2);
            let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
            let settings = Judge::Learned.candidates();
            let nearest = find_nearest(&dissimilarity, turns, &settings, &Silent).unwrap();
            let judge = |given: Option<Vec<u8>>| {
                let keeper = Keeper { given, ..Keeper::default() };
                let judged =
                    Judge::Learned.judge(&dissimilarity, &nearest, turns, &keeper).unwrap();
                (judged, keeper.kept.into_inner().unwrap())
            };
            let expected = Judge::Learned.judge(&dissimilarity, &nearest, turns, &Silent).unwrap();
            assert!(expected.measured().num_candidates() > nearest.num_candidates());
            let (judged, saved) = judge(None);
            assert_same(&judged, &expected);
            let saved = saved.unwrap();
            let (judged, again) = judge(Some(saved.clone()));
            assert_same(&judged, &expected);
            assert_eq!(again, None, "it is judged again");

            let read = |bytes: &[u8]| SavedVerdicts::read(bytes, &dissimilarity, &nearest, turns);
            assert!((0..saved.len()).all(|length| read(&saved[..length]).is_none()));
            assert!(read(&[&saved[..], &[0]].concat()).is_none());
            assert!(read(&vec![0xff; saved.len()]).is_none());
            let whole: SavedVerdicts = postcard::from_bytes(&saved).unwrap();
            let number = |index: usize| u32::try_from(index).unwrap();
            let listed = number(nearest.of(SideId::from_index(0))[0].side.index());
            let changes: [&dyn Fn(&mut SavedVerdicts); 7] = [
                &|saved| saved.added[0].push(u32::MAX),
                &|saved| saved.added[0].push(number(nearest.num_sides())),
                // Its own piece, and one that it has.
                &|saved| saved.added[0].push(1),
                &|saved| saved.added[0].push(listed),
                &|saved| saved.verdicts.candidates.truncate(9),
                &|saved| saved.verdicts.border[3] = f32::NAN,
                &|saved| saved.verdicts.unlisted.push(-1.0),
            ];
            for (number, change) in changes.iter().enumerate() {
                let mut bad = whole.clone();
                change(&mut bad);
                assert!(read(&bad.bytes()).is_none(), "{number}");
            }
            let (judged, again) = judge(Some(saved[..saved.len() / 2].to_vec()));
            assert_same(&judged, &expected);
            assert_eq!(again, Some(saved));
        }
    }
}
