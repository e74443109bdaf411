//! Pictures and puzzles with known answers, drawn by our own code.

mod landscape;
pub mod layout;
mod noise;

pub use landscape::demo_picture;

use crate::picture::{Cut, ScrambleSettings, Scrambled, cut, scramble};
use crate::puzzle::{Grid, GroundTruth, PieceSet, PieceShape, PuzzleType};

/// A small puzzle with its answer: `rows` x `cols` square pieces of `piece_px` pixels of
/// [`demo_picture`], scrambled.
///
/// ```
/// use fretsaw::puzzle::PuzzleType;
/// let (pieces, grid, truth) = fretsaw::picture::synthetic::puzzle(3, 4, 16, PuzzleType::Type2, 1);
/// assert_eq!(pieces.num_pieces(), grid.num_cells());
/// assert_eq!(truth.assembly().num_placed(), 12);
/// ```
///
/// # Panics
/// If there are no pieces, more than [`MAX_PIECES`](crate::puzzle::MAX_PIECES), or if pieces have
/// no pixels: the sizes are meant to be literals in tests and examples.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::pixel_classes_of;

    #[test]
    fn the_picture_depends_only_on_the_seed() {
        let picture = demo_picture(60, 90, 4);
        assert_eq!(picture, demo_picture(60, 90, 4));
        assert_ne!(picture, demo_picture(60, 90, 5));
        assert_eq!(demo_picture(0, 0, 1).height_px(), 1);
    }

    #[test]
    fn no_two_pieces_of_the_demo_are_equal() {
        let (pieces, grid, _) = puzzle(18, 24, 28, PuzzleType::Type2, 1);
        assert_eq!(grid.num_cells(), 432);
        let mut classes: Vec<u32> = pixel_classes_of(&pieces).into_iter().flatten().collect();
        classes.sort_unstable();
        classes.dedup();
        assert_eq!(classes.len(), 4 * 432);
    }

    #[test]
    fn the_picture_spans_dark_and_bright_in_every_channel() {
        let picture = demo_picture(300, 400, 1);
        for channel in 0..3 {
            let values: Vec<u16> =
                (channel..300 * 400 * 3).step_by(3).map(|at| picture.samples().get(at)).collect();
            assert!(values.iter().min().is_some_and(|&darkest| darkest < 40));
            assert!(values.iter().max().is_some_and(|&brightest| brightest > 220));
        }
    }
}
