//! The last step of a solve whose turn as a whole is unknown.

use super::Puzzle;
use crate::picture::render;
use crate::puzzle::TurnSet;
use crate::solution::{Solution, Termination};
use crate::upright::UprightGuess;

/// The solution, turned as a whole so that its picture stands upright, and the guess of the turn. An unsure guess
/// turns nothing.
///
/// There is no guess if what is known leaves only one turn, if there are several boards, whose turns are
/// independent, or if the board cannot be painted. Nor after a stop so early that the pieces were not matched: such a board is
/// no picture yet, and a stop should not wait for the guess.
pub fn stand_upright(puzzle: &Puzzle, solution: Solution) -> (Solution, Option<UprightGuess>) {
    if solution.termination == Termination::Stopped && !solution.are_calibrated {
        return (solution, None);
    }
    let free = puzzle.free_turns(solution.turns);
    if free == TurnSet::None || solution.assembly.boards().len() != 1 {
        return (solution, None);
    }
    let Ok(picture) = render(&puzzle.pieces, &solution.assembly, 0) else {
        return (solution, None);
    };
    let guess = UprightGuess::of(&picture, free);
    let turn = guess.sure().unwrap_or_default();
    (solution.turned(turn), Some(guess))
}
