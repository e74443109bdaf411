//! Compares pieces with the cells of a board that a reference picture fills.
//!
//! The difference of a piece and a cell is the mean squared difference of the values that describe them
//! (`tones.rs`); all pairs are one matrix product.

use super::blocks::PieceBlocks;
use super::tones::Tones;
use crate::linalg::packed_product::PackedFactor;
use crate::puzzle::{Grid, PieceId, QuarterTurn, TurnSet};
use rayon::prelude::*;

/// Rows of a matrix product that are computed together: a multiple of those of a panel.
const ROWS_AT_A_TIME: usize = 12;

/// The descriptions of pieces and of the cells of a board.
#[derive(Debug)]
pub(super) struct Likeness {
    turns: TurnSet,
    /// The length of a description.
    depth: usize,
    /// Piece by piece, turn by turn.
    pieces: Vec<f32>,
    /// Cell by cell.
    cells: Vec<f32>,
    packed: PackedFactor,
}

/// The comparison of a piece with every cell: by cell, the smallest mean squared difference over all turns,
/// and the turn that gives it.
pub(super) struct Row {
    pub(super) differences: Vec<f32>,
    pub(super) turns: Vec<QuarterTurn>,
}

#[expect(clippy::cast_possible_truncation, reason = "about 0 to 1")]
fn in_single_precision(values: Vec<f64>) -> impl Iterator<Item = f32> {
    values.into_iter().map(|value| value as f32)
}

impl Likeness {
    /// Describes pieces and cells; `cells` has the block means of all cells, one after the other.
    pub(super) fn new(
        tones: &Tones,
        pieces: &PieceBlocks,
        cells: &[f64],
        colors: usize,
        grid: Grid,
    ) -> Self {
        let turns = pieces.turns;
        let len = cells.len() / grid.num_cells();
        let described = cells.par_chunks_exact(len).enumerate().flat_map_iter(|(cell, raw)| {
            in_single_precision(tones.of_cell(raw, colors, grid, cell))
        });
        let cells: Vec<f32> = described.collect();
        let of_piece = |piece: usize| {
            let of_turn = move |&turn: &QuarterTurn| tones.of_piece(pieces, piece, turn);
            turns.turns().iter().map(of_turn).flat_map(in_single_precision)
        };
        let pieces = (0..pieces.num_pieces()).into_par_iter().flat_map_iter(of_piece).collect();
        let depth = cells.len() / grid.num_cells();
        let packed = PackedFactor::pack(grid.num_cells(), depth, |cell, values| {
            values.copy_from_slice(&cells[cell * depth..(cell + 1) * depth]);
        });
        Self { turns, depth, pieces, cells, packed }
    }

    pub(super) const fn num_cells(&self) -> usize {
        self.cells.len() / self.depth
    }

    pub(super) fn num_pieces(&self) -> usize {
        self.pieces.len() / (self.depth * self.turns.turns().len())
    }

    pub(super) fn ids(&self) -> Vec<PieceId> {
        (0..self.num_pieces()).map(PieceId::new).collect()
    }

    pub(super) const fn turns(&self) -> TurnSet {
        self.turns
    }

    /// The descriptions of a piece, turn by turn.
    fn of(&self, piece: PieceId) -> &[f32] {
        let len = self.turns.turns().len() * self.depth;
        &self.pieces[piece.index() * len..(piece.index() + 1) * len]
    }

    /// Applies `of` to each of these pieces and its row.
    pub(super) fn map_rows<T: Send>(
        &self,
        pieces: &[PieceId],
        of: impl Fn(PieceId, Row) -> T + Sync,
    ) -> Vec<T> {
        let num_cells = self.num_cells();
        self.map_differences(pieces, |piece, by_turn| {
            let mut row = Row {
                differences: vec![f32::INFINITY; num_cells],
                turns: vec![QuarterTurn::ZERO; num_cells],
            };
            for (differences, &turn) in by_turn.chunks_exact(num_cells).zip(self.turns.turns()) {
                for (cell, &difference) in differences.iter().enumerate() {
                    if difference < row.differences[cell] {
                        row.differences[cell] = difference;
                        row.turns[cell] = turn;
                    }
                }
            }
            of(piece, row)
        })
    }

    /// Applies `of` to each of these pieces and its differences from all cells, turn by turn.
    pub(super) fn map_differences<T: Send>(
        &self,
        pieces: &[PieceId],
        of: impl Fn(PieceId, &[f32]) -> T + Sync,
    ) -> Vec<T> {
        let (depth, num_cells) = (self.depth, self.num_cells());
        let squares = |values: &[f32]| values.iter().map(|value| value * value).sum::<f32>();
        let of_cells: Vec<f32> = self.cells.chunks_exact(depth).map(squares).collect();
        let num_turns = self.turns.turns().len();
        let of_some = |some: &[PieceId]| {
            let left: Vec<f32> = some.iter().flat_map(|&piece| self.of(piece)).copied().collect();
            let (mut packed, mut product) = (Vec::new(), Vec::new());
            self.packed.multiply(&left, &mut packed, &mut product);
            let rows = left.chunks_exact(depth).zip(product.chunks_exact(self.packed.stride()));
            let mut differences = Vec::with_capacity(some.len() * num_turns * num_cells);
            for (here, products) in rows {
                let of_piece = squares(here);
                let pairs = products[..num_cells].iter().zip(&of_cells);
                differences.extend(pairs.map(|(&product, &of_cell)| {
                    (of_piece + of_cell - 2.0 * product).max(0.0) / depth as f32
                }));
            }
            let by_piece = some.iter().zip(differences.chunks_exact(num_turns * num_cells));
            by_piece.map(|(&piece, differences)| of(piece, differences)).collect::<Vec<T>>()
        };
        // A product has whole panels of rows, whether they are used or not.
        pieces.par_chunks(ROWS_AT_A_TIME / num_turns).flat_map_iter(of_some).collect()
    }

    /// The differences of a piece and a cell, turn by turn.
    pub(super) fn differences(&self, piece: PieceId, cell: usize) -> impl Iterator<Item = f32> {
        let depth = self.depth;
        let there = &self.cells[cell * depth..(cell + 1) * depth];
        self.of(piece).chunks_exact(depth).map(move |here| {
            let squares = here.iter().zip(there).map(|(a, b)| (a - b) * (a - b));
            squares.sum::<f32>() / depth as f32
        })
    }
}
