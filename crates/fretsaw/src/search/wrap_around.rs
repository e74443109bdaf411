//! Shifts a whole board: rows that leave it at one end come back at the other, and so do columns.
//!
//! On a picture with blank margins, pieces may be put together rightly but with the cut between the last column and the
//! first in the middle of the picture. All seams but the blank ones hold, so no move of a segment helps. Here the
//! cut is moved to where it costs least. Blank sides at the edge count for it (`edge_costs.rs`).
//!
//! Cost: every seam and border is looked up once.

use super::SearchSpace;
use super::board_state::{BoardState, ScoredBoard};
use super::edge_costs::{EdgeCosts, best_cut};
use crate::puzzle::Side;

/// The board with its cuts where they cost least, if that is better. Only for one board without pins.
pub(super) fn improve(space: SearchSpace<'_>, board: &ScoredBoard) -> Option<ScoredBoard> {
    let grid = space.cells.boards().single_frame().filter(|_| space.cells.pins().is_empty())?;
    let (rows, cols) = (grid.rows() as usize, grid.cols() as usize);
    if rows * cols != space.cells.len() {
        return None;
    }
    let cell_of = |row: usize, col: usize| space.cells.index_of(0, grid.cell_at(row * cols + col));
    let at = |row: usize, col: usize| board.board.at(cell_of(row % rows, col % cols));
    let costs = EdgeCosts::new(space);
    let top = best_cut(rows, |row| {
        (0..cols).map(|col| costs.of_cut(at(row + rows - 1, col), at(row, col), Side::Bottom)).sum()
    });
    let left = best_cut(cols, |col| {
        (0..rows).map(|row| costs.of_cut(at(row, col + cols - 1), at(row, col), Side::Right)).sum()
    });
    if (top, left) == (0, 0) {
        return None;
    }
    let all = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
    let placed = all.filter_map(|(row, col)| Some((cell_of(row, col), at(row + top, col + left)?)));
    let found = BoardState::of(space, board.board.num_pieces(), placed);
    Some(ScoredBoard::new(space, found))
}

#[cfg(test)]
mod tests {
    use super::super::tests::Measured;
    use super::super::{Boards, Cells, SearchSpace};
    use super::*;
    use crate::matching::Matcher;
    use crate::puzzle::{Assembly, Cell, Place, Placement, PuzzleType, TurnSet};
    use crate::search::costs::SeamCosts;

    #[test]
    fn a_shifted_board_is_shifted_back() {
        let measured = Measured::new(5, 7, 28, PuzzleType::Type1, 3);
        let model = measured.matched(Matcher::Learned);
        let costs = SeamCosts::new(&model);
        let boards = Boards::from(measured.frame);
        let cells = Cells::new(&boards);
        let space = SearchSpace { cells: &cells, costs: &costs, turns: TurnSet::None };
        let truth = measured.truth_assembly();
        let scored =
            |assembly: &Assembly| ScoredBoard::new(space, BoardState::new(space, assembly));
        let shifted = truth.placements().map(|Placement { piece, place }| {
            let cell = Cell { row: (place.cell.row + 2) % 5, col: (place.cell.col + 3) % 7 };
            Placement { piece, place: Place { cell, ..place } }
        });
        let shifted = Assembly::new(35, vec![measured.frame], shifted).unwrap();
        let found = improve(space, &scored(&shifted)).unwrap();
        assert_eq!(found.board.to_assembly(&cells).unwrap(), *truth);
        assert!(improve(space, &scored(truth)).is_none());
    }
}
