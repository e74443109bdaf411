//! Gives every piece a cell of its own by likeness.

use super::likeness::{Likeness, Row};
use super::likeness_cost;
use super::refine::TurnedPiece;
use crate::graph::solve_assignment;
use crate::puzzle::{PieceId, QuarterTurn};

/// Puzzles with more pieces or cells are assigned greedily.
pub(super) const MAX_ASSIGNED: usize = 2048;

/// Candidate cells per piece in greedy assignment.
const CANDIDATES: usize = 24;

/// A board with these pieces, by likeness alone.
pub(super) fn by_likeness(likeness: &Likeness, own: &[PieceId]) -> Vec<Option<TurnedPiece>> {
    let num_cells = likeness.num_cells();
    if own.len().max(num_cells) > MAX_ASSIGNED {
        return most_alike_first(likeness, own);
    }
    let mut board = vec![None; num_cells];
    assign(likeness, own, &mut board);
    board
}

/// Lays pieces in the empty cells of a board, at the least total cost.
pub(super) fn assign(likeness: &Likeness, pieces: &[PieceId], board: &mut [Option<TurnedPiece>]) {
    let cells: Vec<usize> = (0..board.len()).filter(|&cell| board[cell].is_none()).collect();
    if pieces.is_empty() || cells.is_empty() {
        return;
    }
    let rows: Vec<Row> = likeness.map_rows(pieces, |_, row| row);
    // The assignment has at most as many rows as columns.
    let pieces_are_rows = pieces.len() <= cells.len();
    let (num_rows, num_cols) =
        if pieces_are_rows { (pieces.len(), cells.len()) } else { (cells.len(), pieces.len()) };
    let piece_and_cell = |row, col| if pieces_are_rows { (row, col) } else { (col, row) };
    let costs: Vec<f64> = (0..num_rows)
        .flat_map(|row| (0..num_cols).map(move |col| piece_and_cell(row, col)))
        .map(|(piece, cell)| likeness_cost(rows[piece].differences[cells[cell]]))
        .collect();
    if let Ok(found) = solve_assignment(&costs, num_rows, num_cols) {
        for (row, &col) in found.column_of_row.iter().enumerate() {
            let (piece, cell) = piece_and_cell(row, col);
            board[cells[cell]] = Some((pieces[piece], rows[piece].turns[cells[cell]]));
        }
    }
}

/// Greedy assignment among the best cells of every piece, the most alike first. Then every empty cell gets
/// the remaining piece most like it.
pub(super) fn most_alike_first(likeness: &Likeness, own: &[PieceId]) -> Vec<Option<TurnedPiece>> {
    let mut offers: Vec<(f32, PieceId, usize, QuarterTurn)> = likeness
        .map_rows(own, |piece, row| {
            let mut cells: Vec<usize> = (0..row.differences.len()).collect();
            let by_difference =
                |a: &usize, b: &usize| row.differences[*a].total_cmp(&row.differences[*b]);
            if cells.len() > CANDIDATES {
                cells.select_nth_unstable_by(CANDIDATES, by_difference);
                cells.truncate(CANDIDATES);
            }
            let offer = |cell: usize| (row.differences[cell], piece, cell, row.turns[cell]);
            cells.into_iter().map(offer).collect::<Vec<_>>()
        })
        .concat();
    offers.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut board: Vec<Option<TurnedPiece>> = vec![None; likeness.num_cells()];
    let mut is_laid = vec![false; likeness.num_pieces()];
    for (_, piece, cell, turn) in offers {
        if !is_laid[piece.index()] && board[cell].is_none() {
            board[cell] = Some((piece, turn));
            is_laid[piece.index()] = true;
        }
    }
    let left: Vec<PieceId> = own.iter().copied().filter(|piece| !is_laid[piece.index()]).collect();
    let mut empty: Vec<usize> = (0..board.len()).filter(|&cell| board[cell].is_none()).collect();
    for piece in left {
        let turns = likeness.turns().turns();
        let best = empty
            .iter()
            .enumerate()
            .flat_map(|(at, &cell)| {
                let differences = likeness.differences(piece, cell);
                differences.zip(turns).map(move |(difference, &turn)| (difference, at, turn))
            })
            .reduce(|x, y| if y.0 < x.0 { y } else { x });
        let Some((_, at, turn)) = best else { break };
        board[empty.swap_remove(at)] = Some((piece, turn));
    }
    board
}
