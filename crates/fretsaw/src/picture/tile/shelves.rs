//! Shelf packing: pictures side by side in rows of equal height.

use super::Tile;
use crate::picture::PictureSize;
use crate::puzzle::{MAX_PIECES, PieceShape};
use std::cmp::Reverse;

/// The whole pieces of a picture.
#[derive(Clone, Copy)]
pub(super) struct Whole {
    pub(super) picture: usize,
    pub(super) rows: usize,
    pub(super) cols: usize,
}

impl Whole {
    pub(super) fn new(picture: usize, size: PictureSize, shape: PieceShape) -> Self {
        Self {
            picture,
            rows: size.height_px / shape.height_px() as usize,
            cols: size.width_px / shape.width_px() as usize,
        }
    }

    /// Saturates, because sizes may be any numbers.
    pub(super) const fn num_pieces(&self) -> usize {
        self.rows.saturating_mul(self.cols)
    }
}

pub(super) fn saturating_sum(numbers: impl Iterator<Item = usize>) -> usize {
    numbers.fold(0, usize::saturating_add)
}

/// Filled shelves, one below the other.
pub(super) struct Shelves {
    pub(super) rows: usize,
    pub(super) tiles: Vec<Tile>,
}

pub(super) fn lay_shelves(tallest_first: &[Whole], cols: usize) -> Shelves {
    let mut tiles = Vec::new();
    let (mut top, mut left, mut start_of_shelf) = (0, 0, 0);
    for whole in tallest_first {
        let tile_cols = whole.cols.min(cols - left);
        tiles.push(Tile { picture: whole.picture, top, left, rows: whole.rows, cols: tile_cols });
        left += tile_cols;
        if left == cols {
            // The tallest come first, so the last of a shelf is its shortest.
            for tile in &mut tiles[start_of_shelf..] {
                tile.rows = whole.rows;
            }
            top = top.saturating_add(whole.rows);
            left = 0;
            start_of_shelf = tiles.len();
        }
    }
    tiles.truncate(start_of_shelf);
    Shelves { rows: top, tiles }
}

/// The number of columns that leaves out the fewest pieces, if any gives a good shape.
pub(super) fn best_cols(
    tallest_first: &[Whole],
    shape: PieceShape,
    max_rows: usize,
) -> Option<usize> {
    let num_pieces = saturating_sum(tallest_first.iter().map(Whole::num_pieces));
    let (height_px, width_px) = (shape.height_px() as usize, shape.width_px() as usize);
    // A board of more columns would be too wide even if nothing were left out.
    let is_possible = |cols: &usize| {
        (cols.saturating_mul(*cols)).saturating_mul(width_px)
            <= num_pieces.saturating_mul(2).saturating_mul(height_px)
    };
    (1..=MAX_PIECES)
        .take_while(is_possible)
        .filter_map(|cols| {
            let rows = lay_shelves(tallest_first, cols).rows.min(max_rows);
            let board_height_px = rows.saturating_mul(height_px);
            let board_width_px = cols.saturating_mul(width_px);
            let is_good = board_height_px <= board_width_px.saturating_mul(2)
                && board_width_px <= board_height_px.saturating_mul(2);
            is_good.then_some((rows.saturating_mul(cols), cols))
        })
        .max_by_key(|&(num_used, cols)| (num_used, Reverse(cols)))
        .map(|(_, cols)| cols)
}
