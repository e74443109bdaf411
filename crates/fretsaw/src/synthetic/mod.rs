//! Pictures and puzzles with known answers, drawn by our own code.

mod landscape;
mod noise;

pub use landscape::demo_picture;

use crate::picture::{Cut, ScrambleSettings, Scrambled, cut, scramble};
use crate::puzzle::{Grid, GroundTruth, PieceSet, PieceShape, PuzzleType};

/// A small puzzle with its answer: `rows` x `cols` square pieces of `piece_px` pixels of
/// [`demo_picture`], scrambled.
///
/// ```
/// use fretsaw::puzzle::PuzzleType;
/// let (pieces, grid, truth) = fretsaw::synthetic::puzzle(3, 4, 16, PuzzleType::Type2, 1);
/// assert_eq!(pieces.num_pieces(), grid.num_cells());
/// assert_eq!(truth.assembly().num_placed(), 12);
/// ```
///
/// # Panics
/// If there are no pieces, more than [`MAX_PIECES`](crate::puzzle::MAX_PIECES), or if pieces have
/// no pixels: the sizes are meant to be literals in tests and examples.
#[must_use]
pub fn puzzle(
    rows: u32,
    cols: u32,
    piece_px: u32,
    puzzle_type: PuzzleType,
    seed: u64,
) -> (PieceSet, Grid, GroundTruth) {
    let shape = PieceShape::new(piece_px, piece_px).expect("pieces of at least one pixel");
    let grid = Grid::new(rows.into(), cols.into()).expect("a board of at least one cell");
    let side_px = piece_px as usize;
    let picture =
        demo_picture(grid.rows() as usize * side_px, grid.cols() as usize * side_px, seed);
    let cut: Cut = cut(&picture, shape).expect("a picture of whole pieces");
    let Scrambled { pieces, grid, truth } =
        scramble(&cut, &ScrambleSettings::new(puzzle_type, seed))
            .expect("nothing is corrupted or left out");
    (pieces, grid, truth)
}
