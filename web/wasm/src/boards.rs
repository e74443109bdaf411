//! Boards as the page knows them: a list of whole numbers.
//!
//! The number of boards, rows and columns of each, then board, row, column and turns of every piece. A piece without a
//! place has board -1.

use crate::failure::Failure;
use fretsaw::Assembly;
use fretsaw::puzzle::{Cell, Grid, PieceId, Place, Placement, QuarterTurn};

/// The list of an assembly.
pub(crate) fn encoded(assembly: &Assembly) -> Vec<i32> {
    let boards = assembly.boards();
    let mut numbers = Vec::with_capacity(1 + 2 * boards.len() + 4 * assembly.num_pieces());
    numbers.push(number(boards.len()));
    for grid in boards {
        numbers.extend([number(grid.rows() as usize), number(grid.cols() as usize)]);
    }
    for piece in 0..assembly.num_pieces() {
        numbers.extend(match assembly.place_of(PieceId::new(piece)) {
            None => [-1, 0, 0, 0],
            Some(Place { board, cell: Cell { row, col }, turn }) => {
                [number(board), number(row as usize), number(col as usize), turn.clockwise().into()]
            }
        });
    }
    numbers
}

/// A count below the limit on pieces.
fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// The assembly of a list for so many pieces.
pub(crate) fn decoded(numbers: &[i32], num_pieces: usize) -> Result<Assembly, Failure> {
    let wrong = || Failure::other("the board is damaged; load the puzzle again");
    let count = |&number: &i32| usize::try_from(number).ok();
    let (first, rest) = numbers.split_first().ok_or_else(wrong)?;
    let (boards, places) = count(first)
        .and_then(|boards| rest.split_at_checked(2 * boards))
        .filter(|(_, places)| places.len() == 4 * num_pieces)
        .ok_or_else(wrong)?;
    let grid = |sides: &[i32]| {
        let [rows, cols] = [sides[0], sides[1]].map(|side| u64::try_from(side).unwrap_or(0));
        Grid::new(rows, cols).map_err(Failure::other)
    };
    let grids = boards.chunks_exact(2).map(grid).collect::<Result<Vec<_>, _>>()?;
    let mut placements = Vec::new();
    for (piece, place) in places.chunks_exact(4).enumerate() {
        let Some(board) = count(&place[0]) else { continue };
        let cell = u32::try_from(place[1]).ok().zip(u32::try_from(place[2]).ok());
        let cell = cell.map(|(row, col)| Cell { row, col });
        let grid = grids.get(board).ok_or_else(wrong)?;
        let cell = cell.filter(|&cell| grid.contains(cell)).ok_or_else(wrong)?;
        let turn = QuarterTurn::from_clockwise(place[3].into());
        placements
            .push(Placement { piece: PieceId::new(piece), place: Place { board, cell, turn } });
    }
    Assembly::new(num_pieces, grids, placements).map_err(Failure::other)
}
