//! Which boards the pieces are laid on: those that are known, or those that the pieces suggest.

use super::{Puzzle, Settings, SolveError};
use crate::boards::{BoardHypothesis, propose_boards};
use crate::locations::LocationError;
use crate::matching::MatchModel;
use crate::methods::fretsaw::choose_boards;
use crate::observer::Observer;
use crate::puzzle::TurnSet;
use crate::search::costs::SeamCosts;
use crate::search::is_large;

/// Finds the boards.
///
/// A board of known size that all pieces fill is taken as it is, and so are the boards of a start. Otherwise
/// segments of likely matches suggest boards that agree with what is known, and a short search chooses one.
///
/// # Errors
/// If no board agrees with what is known, or the observer cancels.
pub fn find_boards(
    puzzle: &Puzzle,
    model: &MatchModel<'_>,
    turns: TurnSet,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<BoardHypothesis, SolveError> {
    let num_pieces = puzzle.pieces.num_pieces();
    let (constraints, method) = (&puzzle.constraints, &settings.method);
    if let Some(start) = &puzzle.start {
        return Ok(BoardHypothesis::of(start.clone()).with_pins(constraints, turns));
    }
    let mut known = puzzle.boards.or_of_strips(puzzle.pieces.shape());
    if let Some(grid) = known.grid() {
        if grid.num_cells() == num_pieces && constraints.is_empty() {
            return Ok(BoardHypothesis::of_known_size(grid));
        }
        let num_cells = grid.num_cells() * *known.count.get_or_insert(1);
        // The method 'fretsaw' leaves out pieces that do not belong. If it had to leave out more than one in
        // four, the size must be wrong.
        let is_too_small = if method.is_fretsaw() {
            4 * num_cells < 3 * num_pieces
        } else {
            num_cells < num_pieces
        };
        if is_too_small {
            return Err(SolveError::GridTooSmall { num_pieces, grid });
        }
    }
    let costs = || SeamCosts::new(model).with_constraints(constraints);
    let proposed = propose_boards(&costs(), num_pieces, turns, &known, settings.seed)
        .map_err(LocationError::from)?;
    let chosen = choose_boards(proposed, costs, turns, settings.seed, observer)?;
    let chosen = chosen.ok_or(SolveError::NoSuchBoard { num_pieces })?;
    if !constraints.is_empty() {
        return Ok(chosen.with_pins(constraints, turns));
    }
    match chosen.filled_frame(num_pieces) {
        // Small boards have better starts than what was grown.
        Some(frame) if !is_large(num_pieces) => Ok(BoardHypothesis::of_known_size(frame)),
        Some(_) => Ok(chosen),
        None if method.is_fretsaw() => Ok(chosen),
        None => match known.grid() {
            // The other methods leave cells empty, but no pieces out.
            Some(grid) if grid.num_cells() > num_pieces => Ok(BoardHypothesis::of_known_size(grid)),
            _ => {
                let (method, grids) = (method.name(), chosen.boards.frames);
                Err(SolveError::NotOneBoard { method, grids, num_pieces })
            }
        },
    }
}
