//! The last step of a solve whose turn as a whole is unknown.

use super::Puzzle;
use crate::picture::render;
use crate::puzzle::TurnSet;
use crate::solution::{Solution, Termination};
use crate::upright::UprightGuess;

impl Solution {
    /// This solution of `puzzle`, turned as a whole so that its picture stands upright, and the guess of the turn. An
    /// unsure guess turns nothing.
    ///
    /// There is no guess if what is known leaves only one turn, if there are several boards, whose turns are
    /// independent, or if the board cannot be painted. Nor after a stop so early that the pieces were not matched: such a
    /// board is no picture yet, and a stop should not wait for the guess.
    pub fn stand_upright(self, puzzle: &Puzzle) -> (Solution, Option<UprightGuess>) {
        if self.termination == Termination::Stopped && !self.are_calibrated {
            return (self, None);
        }
        let free = puzzle.free_turns(self.turns);
        if free == TurnSet::None || self.assembly.boards().len() != 1 {
            return (self, None);
        }
        let Ok(picture) = render(&puzzle.pieces, &self.assembly, 0) else {
            return (self, None);
        };
        let guess = UprightGuess::of(&picture, free);
        let turn = guess.sure().unwrap_or_default();
        (self.turned(turn), Some(guess))
    }
}
