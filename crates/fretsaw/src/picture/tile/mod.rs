//! Several pictures laid side by side, as one large picture.

mod paint;
mod shelves;

use super::PictureSize;
use crate::puzzle::{Grid, GridError, MAX_PIECES, PieceShape};
use shelves::{Shelves, Whole, best_cols, lay_shelves, saturating_sum};
use std::cmp::Reverse;
use std::num::NonZeroU32;

/// Where the top left part of a picture lies on a board. All counts are in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Which picture, counted from 0.
    pub picture: usize,
    /// The tile's first row on the board.
    pub top: usize,
    /// The tile's first column on the board.
    pub left: usize,
    /// Rows of the picture that are used, from its top.
    pub rows: usize,
    /// Columns of the picture that are used, from its left.
    pub cols: usize,
}

/// How much of a picture is used, in pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileUse {
    /// Whole pieces that lie on the board.
    pub num_used: usize,
    /// Whole pieces that the picture has; 0 if it is smaller than one.
    pub num_pieces: usize,
}

impl TileUse {
    /// Whole pieces that are left out.
    pub const fn num_left_out(self) -> usize {
        self.num_pieces - self.num_used
    }
}

/// Which part of which picture lies where on a large board.
///
/// Every cell of the board is covered by exactly one tile, and no part of a picture is used twice,
/// as that would make identical pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiling {
    shape: PieceShape,
    sizes: Vec<PictureSize>,
    grid: Grid,
    tiles: Vec<Tile>,
}

/// Why pictures cannot be laid side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TileError {
    /// Nothing to lay.
    #[error("there are no pictures")]
    NoPictures,
    /// The pictures side by side are not as wide as the board.
    #[error("the pictures side by side fill {filled} of {cols} columns of pieces")]
    NotFilled {
        /// Columns of pieces of all pictures together.
        filled: usize,
        /// Columns of the board.
        cols: usize,
    },
    /// No number of columns gives a board with an aspect ratio of at most 2:1.
    #[error("the pictures fill no board with an aspect ratio of at most 2:1")]
    NoGoodShape,
    /// More pieces than a puzzle may have.
    #[error("{rows} rows x {cols} columns are more than {MAX_PIECES} pieces")]
    TooManyPieces {
        /// Rows of the board.
        rows: u64,
        /// Columns of the board.
        cols: u64,
    },
    /// Pictures of different kinds.
    #[error(
        "picture {picture} has {channels} channels of {bits} bit, but picture {first} has \
         {first_channels} of {first_bits} bit"
    )]
    DifferentKinds {
        /// The picture that differs, counted from 0.
        picture: usize,
        /// Its values a pixel.
        channels: usize,
        /// Bits of its values.
        bits: u8,
        /// The first picture that is used.
        first: usize,
        /// Its values a pixel.
        first_channels: usize,
        /// Bits of its values.
        first_bits: u8,
    },
    /// A picture that is not as large as it was when the tiles were laid.
    #[error("picture {picture} is {} x {} pixels; its size has changed", .size.width_px, .size.height_px)]
    OtherSize {
        /// Which, counted from 0.
        picture: usize,
        /// Its size now.
        size: PictureSize,
    },
    /// No memory for the large picture.
    #[error("there is not enough memory for the picture")]
    OutOfMemory,
}

impl Tiling {
    /// Arrange pictures of these sizes on shelves.
    ///
    /// Only whole pieces of a picture count. Pictures are placed, tallest first and otherwise in the
    /// order given, side by side on a shelf of `cols` columns of pieces; the one that fills the shelf is
    /// cropped at the right. A shelf is as high as its shortest picture, and the others are cropped at the
    /// bottom. Shelves lie one below the other; a last one that is not filled is left out, as are rows
    /// beyond `max_rows`.
    ///
    /// Without `cols`, the number that leaves out the fewest pieces is chosen, the smallest of several,
    /// among boards with an aspect ratio of at most 2:1 in pixels.
    ///
    /// # Errors
    /// If there are no pictures, not enough to fill one shelf, or more than [`MAX_PIECES`] pieces on
    /// the board; or, without `cols`, if no board has a good shape.
    pub fn new(
        sizes: &[PictureSize],
        shape: PieceShape,
        cols: Option<NonZeroU32>,
        max_rows: Option<NonZeroU32>,
    ) -> Result<Self, TileError> {
        if sizes.is_empty() {
            return Err(TileError::NoPictures);
        }
        let mut tallest_first: Vec<Whole> = sizes
            .iter()
            .enumerate()
            .map(|(picture, &size)| Whole::new(picture, size, shape))
            .filter(|whole| whole.num_pieces() > 0)
            .collect();
        tallest_first.sort_by_key(|whole| Reverse(whole.rows));
        let max_rows = max_rows.map_or(usize::MAX, |rows| rows.get() as usize);
        let cols = match cols {
            Some(cols) => cols.get() as usize,
            None => best_cols(&tallest_first, shape, max_rows).ok_or(TileError::NoGoodShape)?,
        };
        let Shelves { rows, mut tiles } = lay_shelves(&tallest_first, cols);
        let rows = rows.min(max_rows);
        tiles.retain(|tile| tile.top < rows);
        for tile in &mut tiles {
            tile.rows = tile.rows.min(rows - tile.top);
        }
        tiles.sort_by_key(|tile| tile.picture);
        let grid = Grid::new(rows as u64, cols as u64).map_err(|error| match error {
            GridError::Empty { .. } => {
                let filled = saturating_sum(tallest_first.iter().map(|whole| whole.cols));
                TileError::NotFilled { filled, cols }
            }
            GridError::TooLarge { rows, cols } => TileError::TooManyPieces { rows, cols },
        })?;
        Ok(Self { shape, sizes: sizes.to_vec(), grid, tiles })
    }

    /// The size of the board in pieces.
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// The tiles, in the order of their pictures; a picture that is not used has none.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles
    }

    /// How much of each picture is used, in the order of the pictures.
    pub fn uses(&self) -> Vec<TileUse> {
        let mut uses: Vec<TileUse> = self
            .sizes
            .iter()
            .enumerate()
            .map(|(picture, &size)| Whole::new(picture, size, self.shape).num_pieces())
            .map(|num_pieces| TileUse { num_used: 0, num_pieces })
            .collect();
        for tile in &self.tiles {
            uses[tile.picture].num_used = tile.rows * tile.cols;
        }
        uses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Picture;
    use crate::puzzle::Samples;
    use proptest::prelude::*;

    /// A picture whose every pixel holds the number of the picture, its row and its column.
    pub(super) fn telling(picture: u16, height_px: usize, width_px: usize) -> Picture {
        let values = (0..height_px).flat_map(|row| {
            (0..width_px).flat_map(move |col| {
                [picture, u16::try_from(row).unwrap(), u16::try_from(col).unwrap()]
            })
        });
        Picture::new(height_px, width_px, 3, Samples::U16(values.collect())).unwrap()
    }

    /// The tiling of pictures, and the board painted with them.
    pub(super) fn tile(
        pictures: &[Picture],
        shape: PieceShape,
        cols: Option<NonZeroU32>,
        max_rows: Option<NonZeroU32>,
    ) -> Result<(Tiling, Picture), TileError> {
        let sizes: Vec<PictureSize> = pictures.iter().map(Picture::size).collect();
        let tiling = Tiling::new(&sizes, shape, cols, max_rows)?;
        let board = tiling.paint(|picture| Ok::<_, TileError>(&pictures[picture]))?;
        Ok((tiling, board))
    }

    pub(super) fn size(height_px: usize, width_px: usize) -> PictureSize {
        PictureSize { height_px, width_px }
    }

    pub(super) fn some(number: u32) -> Option<NonZeroU32> {
        NonZeroU32::new(number)
    }

    pub(super) fn one_px() -> PieceShape {
        PieceShape::new(1, 1).unwrap()
    }

    #[test]
    fn the_tallest_come_first_and_the_shortest_sets_the_height_of_a_shelf() {
        let sizes = [size(2, 3), size(4, 3), size(3, 4), size(2, 4), size(9, 1), size(1, 4)];
        let tiling = Tiling::new(&sizes, one_px(), some(6), None).unwrap();
        let tile = |picture, top, left, rows, cols| Tile { picture, top, left, rows, cols };
        // 9 x 1, 4 x 3 and half of 3 x 4; then 2 x 3 and a part of 2 x 4; 1 x 4 fills no shelf.
        assert_eq!(
            tiling.tiles(),
            [
                tile(0, 3, 0, 2, 3),
                tile(1, 0, 1, 3, 3),
                tile(2, 0, 4, 3, 2),
                tile(3, 3, 3, 2, 3),
                tile(4, 0, 0, 3, 1),
            ]
        );
        assert_eq!((tiling.grid().rows(), tiling.grid().cols()), (5, 6));
        let left_out: Vec<usize> = tiling.uses().iter().map(|used| used.num_left_out()).collect();
        assert_eq!(left_out, [0, 3, 6, 2, 6, 4]);
    }

    #[test]
    fn rows_beyond_the_most_are_left_out() {
        let sizes = [size(5, 4), size(3, 4)];
        let tiling = |max_rows| Tiling::new(&sizes, one_px(), some(4), some(max_rows)).unwrap();
        assert_eq!(tiling(9).grid().rows(), 8);
        let six = tiling(6);
        assert_eq!(six.grid().rows(), 6);
        assert_eq!(six.uses()[1], TileUse { num_used: 4, num_pieces: 12 });
        let five = tiling(5);
        assert_eq!((five.grid().rows(), five.tiles().len()), (5, 1));
        assert_eq!(five.uses()[1].num_used, 0);
        assert_eq!(tiling(2).uses()[0].num_left_out(), 12);
    }

    #[test]
    fn the_columns_that_leave_out_the_least_are_chosen() {
        let cols_of = |sizes: &[PictureSize], shape| {
            Tiling::new(sizes, shape, None, None).map(|tiling| tiling.grid().cols())
        };
        // Two above each other fill 4 x 6 without rest, side by side they would be 8 x 3.
        assert_eq!(cols_of(&[size(3, 4), size(3, 4)], one_px()), Ok(4));
        // Above each other these would be 1:3; side by side they are 2:3.
        assert_eq!(cols_of(&[size(3, 1), size(3, 1)], one_px()), Ok(2));
        // It is pixels that count: 12 x 2 pieces of 3 x 1 px are 12 x 6 px.
        let flat = PieceShape::new(3, 1).unwrap();
        assert_eq!(cols_of(&[size(6, 12)], flat), Ok(12));
        assert_eq!(cols_of(&[size(9, 1)], one_px()), Err(TileError::NoGoodShape));
        let endless = [size(usize::MAX, 2), size(usize::MAX, usize::MAX)];
        let result = Tiling::new(&endless, one_px(), some(2), None);
        assert!(matches!(result, Err(TileError::TooManyPieces { .. })), "{result:?}");
    }

    #[test]
    fn pictures_that_do_not_fill_a_shelf_are_refused() {
        let new = |sizes: &[PictureSize], cols| Tiling::new(sizes, one_px(), some(cols), None);
        assert_eq!(new(&[], 3), Err(TileError::NoPictures));
        let filled = TileError::NotFilled { filled: 7, cols: 8 };
        assert_eq!(new(&[size(5, 3), size(5, 4)], 8), Err(filled));
        assert_eq!(
            new(&[size(1001, 1000)], 1000),
            Err(TileError::TooManyPieces { rows: 1001, cols: 1000 })
        );
        // Smaller than a piece: there is nothing to lay.
        let shape = PieceShape::new(4, 4).unwrap();
        let small = [size(3, 40), size(40, 3)];
        let result = Tiling::new(&small, shape, some(1), None);
        assert_eq!(result, Err(TileError::NotFilled { filled: 0, cols: 1 }));
        assert_eq!(Tiling::new(&small, shape, None, None), Err(TileError::NoGoodShape));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_pixel_comes_from_where_the_tiles_say_and_none_twice(
            sizes in prop::collection::vec((1..14_usize, 1..14_usize), 1..7),
            piece in (1..4_u32, 1..4_u32),
            cols in prop::option::of(1..9_u32),
            max_rows in prop::option::of(1..9_u32),
        ) {
            let pictures: Vec<Picture> = sizes
                .iter()
                .zip(0..)
                .map(|(&(height_px, width_px), picture)| telling(picture, height_px, width_px))
                .collect();
            let shape = PieceShape::new(piece.0, piece.1).unwrap();
            let tiled =
                tile(&pictures, shape, cols.and_then(some), max_rows.and_then(some));
            let Ok((tiling, board)) = tiled else {
                let error = tiled.unwrap_err();
                let is_expected =
                    matches!(error, TileError::NotFilled { .. } | TileError::NoGoodShape);
                prop_assert!(is_expected, "{}", error);
                return Ok(());
            };
            let (height_px, width_px) = (piece.0 as usize, piece.1 as usize);
            prop_assert_eq!(board.height_px(), tiling.grid().rows() as usize * height_px);
            prop_assert_eq!(board.width_px(), tiling.grid().cols() as usize * width_px);
            prop_assert!(max_rows.is_none_or(|max_rows| tiling.grid().rows() <= max_rows));
            prop_assert!(cols.is_none_or(|cols| tiling.grid().cols() == cols));
            let mut seen = std::collections::BTreeSet::new();
            for row in 0..board.height_px() {
                for col in 0..board.width_px() {
                    let at = board.offset_of(row, col);
                    let pixel = [0, 1, 2].map(|c| usize::from(board.samples().get(at + c)));
                    prop_assert!(seen.insert(pixel), "pixel {:?} appears twice", pixel);
                    let [picture, from_row, from_col] = pixel;
                    let tile = tiling.tiles().iter().find(|tile| tile.picture == picture).unwrap();
                    prop_assert_eq!(row, tile.top * height_px + from_row);
                    prop_assert_eq!(col, tile.left * width_px + from_col);
                }
            }
            let uses = tiling.uses();
            let num_used: usize = uses.iter().map(|used| used.num_used).sum();
            prop_assert_eq!(num_used, tiling.grid().num_cells());
            for (used, &(rows, cols)) in uses.iter().zip(&sizes) {
                prop_assert_eq!(used.num_pieces, (rows / height_px) * (cols / width_px));
                prop_assert!(used.num_used <= used.num_pieces);
            }
        }
    }
}
