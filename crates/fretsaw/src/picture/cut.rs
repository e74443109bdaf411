//! A picture cut into equal pieces.

use super::{OutOfMemory, Picture, PictureSize, gather};
use crate::puzzle::{Grid, GridError, MAX_PIECES, PieceSet, PieceShape};
use std::num::NonZeroU32;

/// The size of the pieces that a picture is to be cut into, where strips may be as long as the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CutSize {
    /// Rows of pixels; as many as the picture has if `None`.
    pub height_px: Option<NonZeroU32>,
    /// Columns of pixels; as many as the picture has if `None`.
    pub width_px: Option<NonZeroU32>,
}

impl CutSize {
    /// The shape of the pieces of a picture. Sizes above the largest piece give the largest piece, for
    /// which the picture is then too small.
    pub fn shape_in(self, picture: PictureSize) -> PieceShape {
        let px = |given: Option<NonZeroU32>, full: usize| {
            given.map_or(u32::try_from(full.max(1)).unwrap_or(u32::MAX), NonZeroU32::get)
        };
        let height_px = px(self.height_px, picture.height_px);
        let width_px = px(self.width_px, picture.width_px);
        PieceShape::new(height_px, width_px).expect("neither is zero")
    }
}

impl From<PieceShape> for CutSize {
    fn from(shape: PieceShape) -> Self {
        Self {
            height_px: NonZeroU32::new(shape.height_px()),
            width_px: NonZeroU32::new(shape.width_px()),
        }
    }
}

/// Pixels cut off because the picture is not a whole number of pieces wide or high.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crop {
    /// Columns cut off at the right.
    pub right_px: usize,
    /// Rows cut off at the bottom.
    pub bottom_px: usize,
}

impl Crop {
    /// Whether nothing was cut off.
    pub const fn is_none(self) -> bool {
        self.right_px == 0 && self.bottom_px == 0
    }
}

/// A picture cut into pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The pieces in their true order: row by row, upright.
    pub pieces: PieceSet,
    /// How many rows and columns of pieces.
    pub grid: Grid,
    /// The pixels at the right and bottom that were left out.
    pub crop: Crop,
}

/// Why a picture cannot be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CutError {
    /// Not even one piece of this shape fits a picture of this size.
    #[error(
        "a picture of {} x {} pixels is smaller than one piece of {} x {}",
        .0.width_px, .0.height_px, .1.width_px(), .1.height_px()
    )]
    PictureTooSmall(PictureSize, PieceShape),
    /// More pieces than a puzzle may have.
    #[error("{rows} rows x {cols} columns are more than {MAX_PIECES} pieces; choose larger pieces")]
    TooManyPieces {
        /// Rows of pieces.
        rows: u64,
        /// Columns of pieces.
        cols: u64,
    },
    /// No memory for a second copy of the values.
    #[error("there is not enough memory for the pieces")]
    OutOfMemory,
}

/// Cut a picture into pieces of one shape, from the top left.
///
/// A picture that does not divide evenly is cropped at the right and at the bottom;
/// [`Cut::crop`] holds how much.
///
/// # Errors
/// If the picture is smaller than a piece, or gives more than [`MAX_PIECES`] pieces.
pub fn cut(picture: &Picture, shape: PieceShape) -> Result<Cut, CutError> {
    let (height_px, width_px) = (shape.height_px() as usize, shape.width_px() as usize);
    let (rows, cols) = (picture.height_px() / height_px, picture.width_px() / width_px);
    let grid = Grid::new(rows as u64, cols as u64).map_err(|error| match error {
        GridError::Empty { .. } => CutError::PictureTooSmall(picture.size(), shape),
        GridError::TooLarge { rows, cols } => CutError::TooManyPieces { rows, cols },
    })?;
    // One run is one row of pixels of one piece.
    let starts = grid.cells().flat_map(|cell| {
        let (top, left) = (cell.row as usize * height_px, cell.col as usize * width_px);
        (0..height_px).map(move |row| Some(picture.offset_of(top + row, left)))
    });
    let samples = gather(
        picture.samples(),
        width_px * picture.channels(),
        grid.num_cells() * height_px,
        starts,
    )
    .map_err(|OutOfMemory| CutError::OutOfMemory)?;
    let pieces = PieceSet::new(shape, picture.channels(), samples)
        .expect("one piece for each cell of a grid");
    let crop = Crop {
        right_px: picture.width_px() - cols * width_px,
        bottom_px: picture.height_px() - rows * height_px,
    };
    Ok(Cut { pieces, grid, crop })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{PieceId, Samples};

    fn counting(height_px: usize, width_px: usize) -> Picture {
        let values = (0..height_px * width_px).map(|value| u16::try_from(value).unwrap());
        Picture::new(height_px, width_px, 1, Samples::U16(values.collect())).unwrap()
    }

    #[test]
    fn pieces_come_row_by_row_and_the_rest_is_cropped_at_right_and_bottom() {
        let cut = cut(&counting(7, 11), PieceShape::new(3, 5).unwrap()).unwrap();
        assert_eq!((cut.grid.rows(), cut.grid.cols()), (2, 2));
        assert_eq!(cut.crop, Crop { right_px: 1, bottom_px: 1 });
        assert!(!cut.crop.is_none());
        let value = |piece, row, col| cut.pieces.sample(PieceId::new(piece), row, col, 0);
        assert_eq!(value(0, 0, 0), 0);
        assert_eq!(value(1, 0, 0), 5);
        assert_eq!(value(2, 0, 0), 3 * 11);
        assert_eq!(value(3, 2, 4), 5 * 11 + 9);
    }

    #[test]
    fn strips_are_as_long_as_the_picture() {
        let picture = counting(7, 11);
        let shape = |height: u32, width: u32| {
            let size =
                CutSize { height_px: NonZeroU32::new(height), width_px: NonZeroU32::new(width) };
            let shape = size.shape_in(picture.size());
            (shape.height_px(), shape.width_px())
        };
        assert_eq!([shape(0, 2), shape(3, 0), shape(2, 5)], [(7, 2), (3, 11), (2, 5)]);
        let square = PieceShape::new(4, 4).unwrap();
        assert_eq!(CutSize::from(square).shape_in(picture.size()), square);
    }

    #[test]
    fn a_picture_smaller_than_a_piece_is_refused() {
        let shape = PieceShape::new(4, 8).unwrap();
        assert!(matches!(cut(&counting(3, 9), shape), Err(CutError::PictureTooSmall { .. })));
        assert!(matches!(cut(&counting(9, 7), shape), Err(CutError::PictureTooSmall { .. })));
        assert!(cut(&counting(4, 8), shape).unwrap().crop.is_none());
    }

    #[test]
    fn more_pieces_than_a_puzzle_may_have_are_refused() {
        let picture = Picture::new(1001, 1000, 1, Samples::U8(vec![0; 1_001_000])).unwrap();
        let result = cut(&picture, PieceShape::new(1, 1).unwrap());
        assert_eq!(result, Err(CutError::TooManyPieces { rows: 1001, cols: 1000 }));
    }
}
