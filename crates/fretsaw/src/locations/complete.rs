//! From segments to a full board: place the largest segment, fill the rest.

use super::board::Board;
use super::fill::{Filling, fill_holes};
use super::segment::Segments;
use super::trim::trim_to_frame;
use super::{LocationError, LocationProblem};
use crate::observer::{Observer, Stage};
use crate::puzzle::{Assembly, Place, Placement};

/// A board with the largest segment, trimmed to the frame in its best position. If pieces may have quarter turns, the segment is turned by 90 degrees if the frame then covers more of it.
pub fn board_of_largest(problem: &LocationProblem<'_>, segments: &Segments) -> Board {
    let mut board = Board::new(problem.frame, problem.num_pieces());
    let Some(&largest) = segments.by_size().first() else { return board };
    let mut most: Vec<Placement> = Vec::new();
    for &turn in problem.turns.of_frame(problem.frame) {
        let covered = trim_to_frame(segments, largest, problem.frame, turn);
        if covered.len() > most.len() {
            most = covered;
        }
    }
    for Placement { piece, place: Place { cell, turn, .. } } in most {
        board.place(piece, cell.into(), turn);
    }
    board
}

/// Places the loose pieces one by one where they fit best.
pub fn fill_board(
    problem: &LocationProblem<'_>,
    mut board: Board,
    filling: Filling,
    observer: &dyn Observer,
) -> Result<Assembly, LocationError> {
    observer.stage_advanced(Stage::Assemble, board.num_placed() as u64);
    fill_holes(problem, &mut board, filling, observer)?;
    Ok(Assembly::new(problem.num_pieces(), vec![problem.frame], board.placements())?)
}
