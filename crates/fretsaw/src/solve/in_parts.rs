//! The stage measure in parts, for several machines.
//!
//! It compares all pairs of sides, and takes most of the time and memory of large puzzles besides the search. Each
//! machine has all pieces and compares a part of the pairs.

use super::piece_order::PieceOrder;
use super::{Puzzle, Settings, SolveError, check, dissimilarity_of};
use crate::dissimilarity::{Dissimilarity, PartsError, find_nearest_part, merge_nearest_parts};
use crate::observer::{Observer, Silent};

/// Measures one of `num_parts` parts, numbered from 0, for [`merge_parts`].
///
/// # Errors
/// If the puzzle or the settings do not allow a solution, or the observer cancels.
pub fn measure_part(
    puzzle: &Puzzle,
    settings: &Settings,
    number: usize,
    num_parts: usize,
    observer: &dyn Observer,
) -> Result<Vec<u8>, SolveError> {
    let (puzzle, dissimilarity) = prepared(puzzle, settings, observer)?;
    let (turns, candidates) = (puzzle.possible_turns(), settings.candidates());
    Ok(find_nearest_part(&dissimilarity, turns, &candidates, number, num_parts, observer)?)
}

/// The state of the stage measure from all parts, in any order.
///
/// A [`solve`](super::solve()) of the same puzzle with the same settings whose observer offers it as the state of
/// [`Stage::Measure`](crate::observer::Stage::Measure) measures nothing, and finds the answer of a solve in one piece.
///
/// # Errors
/// If the puzzle cannot be measured; inside, if parts are missing or of another puzzle.
pub fn merge_parts(
    puzzle: &Puzzle,
    settings: &Settings,
    parts: &[Vec<u8>],
) -> Result<Result<Vec<u8>, PartsError>, SolveError> {
    let (puzzle, dissimilarity) = prepared(puzzle, settings, &Silent)?;
    let (turns, candidates) = (puzzle.possible_turns(), settings.candidates());
    Ok(merge_nearest_parts(&dissimilarity, turns, &candidates, parts))
}

/// The puzzle in the order in which it is solved, and its measure.
fn prepared(
    puzzle: &Puzzle,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<(Puzzle, Dissimilarity), SolveError> {
    check(puzzle, settings)?;
    let ordered = PieceOrder::by_pixels(puzzle).puzzle(puzzle)?;
    let dissimilarity = dissimilarity_of(&ordered, settings, observer)?;
    Ok((ordered, dissimilarity))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::{Checkpoints, Stage};
    use crate::picture::synthetic;
    use crate::puzzle::PuzzleType;
    use crate::solve::solve;
    use std::sync::atomic::{AtomicBool, Ordering};

    /// Offers a state, and notes whether anything was measured after it.
    struct Offers(Vec<u8>, AtomicBool);

    impl Observer for Offers {
        fn stage_advanced(&self, stage: Stage, units: u64) {
            // A finished state advances the stage at once by all its tiles.
            if stage == Stage::Measure && units == 1 {
                self.1.store(true, Ordering::Relaxed);
            }
        }

        fn checkpoints(&self) -> Option<&dyn Checkpoints> {
            Some(self)
        }
    }

    impl Checkpoints for Offers {
        fn is_due(&self) -> bool {
            false
        }

        fn save(&self, _: Stage, _: Vec<u8>) {}

        fn load(&self, stage: Stage) -> Option<Vec<u8>> {
            (stage == Stage::Measure).then(|| self.0.clone())
        }
    }

    #[test]
    fn a_puzzle_measured_in_parts_has_the_answer_of_one_piece() {
        let (pieces, ..) = synthetic::puzzle(12, 14, 14, PuzzleType::Type2, 5);
        let (puzzle, settings) = (Puzzle::new(pieces), Settings::default());
        let parts: Vec<Vec<u8>> = [2, 0, 1]
            .map(|number| measure_part(&puzzle, &settings, number, 3, &Silent).unwrap())
            .into();
        let state = merge_parts(&puzzle, &settings, &parts).unwrap().unwrap();
        let offers = Offers(state, AtomicBool::new(false));
        let found = solve(&puzzle, &settings, &offers).unwrap();
        assert_eq!(found, solve(&puzzle, &settings, &Silent).unwrap());
        assert!(!offers.1.into_inner(), "measured again");
    }
}
