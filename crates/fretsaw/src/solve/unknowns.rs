//! The unknowns of a puzzle, from the type and turns that the user gives and the type in the puzzle file.

use super::Puzzle;
use crate::puzzle::{PuzzleType, TurnSet};

/// The turns that pieces need, as the user gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnsHint {
    /// The solver finds them.
    Auto,
    /// At most these.
    Only(TurnSet),
}

/// A type and turns that contradict each other or the pieces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownsError(String);

impl Puzzle {
    /// Sets the unknowns by the type and turns that the user gives and the type in the puzzle file.
    ///
    /// The user has precedence over the file. Without any of them, the solver finds the turns.
    ///
    /// # Errors
    /// If the type and turns given contradict each other or the shape of the pieces.
    pub fn unknowns(
        self,
        given_type: Option<PuzzleType>,
        given_turns: Option<TurnsHint>,
        declared: Option<PuzzleType>,
    ) -> Result<Self, UnknownsError> {
        use PuzzleType::{Type1, Type2, Type3};
        let known = given_type.or(declared);
        let Some(given) = given_turns else {
            return Ok(match known {
                Some(puzzle_type) => self.of_type(puzzle_type),
                None => self,
            });
        };
        let shape = self.pieces.shape();
        let of_type = known.unwrap_or(Type2);
        let refuse = |why: &str| Err(UnknownsError(why.into()));
        match (given, given_type) {
            // Oblong pieces fit upright or after half a turn.
            (TurnsHint::Only(TurnSet::Quarter), _) if !shape.is_square() => refuse(&format!(
                "quarter turns need square pieces; these have {} x {} px and fit upright or after half a turn: \
                 use half, none or auto",
                shape.width_px(),
                shape.height_px()
            )),
            (TurnsHint::Only(TurnSet::None), Some(Type2 | Type3)) => refuse(
                "turns 'none' contradicts types 2 and 3, whose turns are unknown: leave one out",
            ),
            (TurnsHint::Only(TurnSet::None), _) if of_type == Type3 => refuse(
                "positions are known (type 3), so that without turns nothing is unknown: use type 1, or other turns",
            ),
            (TurnsHint::Only(TurnSet::None), _) => Ok(self.of_type(Type1)),
            (_, Some(Type1)) => refuse(
                "in type 1 no piece is turned, which contradicts the turns given: leave one out",
            ),
            (TurnsHint::Auto, _) if of_type == Type3 => refuse(
                "turns 'auto' needs unknown positions (types 1 and 2): use half or quarter, or leave it out",
            ),
            (TurnsHint::Auto, _) => Ok(self),
            (TurnsHint::Only(turns), _) => {
                let of_type = if of_type == Type3 { Type3 } else { Type2 };
                Ok(self.of_type(of_type).turns(turns))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{PieceSet, PieceShape, Samples};
    use PuzzleType::{Type1, Type2, Type3};

    fn pieces(width_px: u32, height_px: u32) -> PieceSet {
        let shape = PieceShape::new(height_px, width_px).unwrap();
        PieceSet::new(shape, 1, Samples::U8(vec![0; 2 * shape.num_pixels()])).unwrap()
    }

    #[test]
    fn flags_have_precedence_over_files_and_must_not_contradict() {
        let (square, oblong) = (pieces(28, 28), pieces(40, 25));
        let found = |given, turns, declared, pieces: &PieceSet| {
            let puzzle = Puzzle::new(pieces.clone()).unknowns(given, turns, declared).ok()?;
            Some((puzzle.positions_known, puzzle.turns))
        };
        let only = |turns| Some(TurnsHint::Only(turns));
        let (none, half) = (only(TurnSet::None), only(TurnSet::Half));
        let (quarter, auto) = (only(TurnSet::Quarter), Some(TurnsHint::Auto));
        let all = Some(TurnSet::Quarter);
        // Nothing is given; the file or the user gives a type.
        assert_eq!(found(None, None, None, &square), Some((false, None)));
        assert_eq!(found(None, None, Some(Type1), &square), Some((false, Some(TurnSet::None))));
        assert_eq!(found(Some(Type2), None, Some(Type1), &square), Some((false, all)));
        // Turns have precedence over the file.
        assert_eq!(found(None, auto, Some(Type1), &square), Some((false, None)));
        assert_eq!(found(None, none, Some(Type2), &square), Some((false, Some(TurnSet::None))));
        assert_eq!(found(None, half, None, &square), Some((false, Some(TurnSet::Half))));
        assert_eq!(found(Some(Type2), auto, None, &oblong), Some((false, None)));
        assert_eq!(found(None, half, Some(Type3), &square), Some((true, Some(TurnSet::Half))));
        // Contradictions.
        assert_eq!(found(None, quarter, None, &oblong), None);
        for turns in [auto, half, quarter] {
            assert_eq!(found(Some(Type1), turns, None, &square), None);
        }
        for given in [Type2, Type3] {
            assert_eq!(found(Some(given), none, None, &square), None);
        }
        assert_eq!(found(None, none, Some(Type3), &square), None);
        assert_eq!(found(Some(Type3), auto, None, &square), None);
    }
}
