//! Boards and pieces painted in a size for the screen.

use fretsaw::puzzle::{Assembly, Cell, Grid, PieceId, PieceSet, PieceShape, Place, QuarterTurn};
use image::imageops::{replace, rotate90, rotate180, rotate270, thumbnail};
use image::{Rgba, RgbaImage};

/// The pieces of a puzzle, shrunk to the same size, as 8 bit RGBA.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Miniatures<'a> {
    pieces: &'a PieceSet,
    /// The size of a piece before turning.
    width_px: u32,
    height_px: u32,
}

impl<'a> Miniatures<'a> {
    /// Shrinks the pieces by the factor that shrinks `width_px` x `height_px` to at most `max_width_px` x
    /// `max_height_px`. Pieces are never enlarged, and have at least one pixel.
    pub(crate) fn fitting(
        pieces: &'a PieceSet,
        (width_px, height_px): (u64, u64),
        (max_width_px, max_height_px): (u32, u32),
    ) -> Self {
        let shrink = |side_px: u32| {
            let by = |max_px: u32, total_px: u64| {
                u64::from(side_px) * u64::from(max_px) / total_px.max(1)
            };
            let shrunk = by(max_width_px, width_px).min(by(max_height_px, height_px));
            u32::try_from(shrunk).unwrap_or(u32::MAX).clamp(1, side_px)
        };
        let shape = pieces.shape();
        Self { pieces, width_px: shrink(shape.width_px()), height_px: shrink(shape.height_px()) }
    }

    /// Shrinks the pieces so that no side is longer than this.
    pub(crate) fn of_size(pieces: &'a PieceSet, max_px: u32) -> Self {
        let shape = pieces.shape();
        let size_px = (shape.width_px().into(), shape.height_px().into());
        Self::fitting(pieces, size_px, (max_px, max_px))
    }

    /// The size of a piece after a turn.
    pub(crate) const fn size_turned(&self, turn: QuarterTurn) -> (u32, u32) {
        if turn.swaps_axes() {
            (self.height_px, self.width_px)
        } else {
            (self.width_px, self.height_px)
        }
    }

    /// A piece before turning.
    pub(crate) fn piece(&self, piece: PieceId) -> RgbaImage {
        let shape = self.pieces.shape();
        let full = RgbaImage::from_fn(shape.width_px(), shape.height_px(), |col, row| {
            self.color(piece, row as usize, col as usize)
        });
        if full.dimensions() == (self.width_px, self.height_px) {
            return full;
        }
        thumbnail(&full, self.width_px, self.height_px)
    }

    /// A piece after a turn.
    pub(crate) fn piece_turned(&self, piece: PieceId, turn: QuarterTurn) -> RgbaImage {
        let upright = self.piece(piece);
        match turn.clockwise() {
            0 => upright,
            1 => rotate90(&upright),
            2 => rotate180(&upright),
            _ => rotate270(&upright),
        }
    }

    /// Reads 1 channel as grey, 2 as grey and alpha, 3 or more as RGB, and exactly 4 as RGBA.
    fn color(&self, piece: PieceId, row: usize, col: usize) -> Rgba<u8> {
        let white = self.pieces.samples().white();
        let value = |channel: usize| {
            let value = u32::from(self.pieces.sample(piece, row, col, channel));
            u8::try_from(value * 255 / u32::from(white)).unwrap_or(u8::MAX)
        };
        match self.pieces.channels() {
            1 => Rgba([value(0), value(0), value(0), u8::MAX]),
            2 => Rgba([value(0), value(0), value(0), value(1)]),
            4 => Rgba([value(0), value(1), value(2), value(3)]),
            _ => Rgba([value(0), value(1), value(2), u8::MAX]),
        }
    }
}

/// A board of a solution, and the size of its cells in pixels of the pieces.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardView<'a> {
    pub(crate) pieces: &'a PieceSet,
    pub(crate) assembly: &'a Assembly,
    pub(crate) board: usize,
    pub(crate) grid: Grid,
    /// A turn of pieces on this board; it determines the shape of the cells if the pieces are oblong.
    pub(crate) turn: QuarterTurn,
}

impl<'a> BoardView<'a> {
    pub(crate) fn all(
        pieces: &'a PieceSet,
        assembly: &'a Assembly,
    ) -> impl Iterator<Item = BoardView<'a>> {
        let mut turns = vec![None; assembly.boards().len()];
        for placement in assembly.placements() {
            turns[placement.place.board].get_or_insert(placement.place.turn);
        }
        assembly.boards().iter().zip(turns).enumerate().map(move |(board, (&grid, turn))| {
            BoardView { pieces, assembly, board, grid, turn: turn.unwrap_or_default() }
        })
    }

    pub(crate) fn size_px(&self) -> (u64, u64) {
        let shape = self.pieces.shape().turned(self.turn);
        (
            u64::from(self.grid.cols()) * u64::from(shape.width_px()),
            u64::from(self.grid.rows()) * u64::from(shape.height_px()),
        )
    }

    /// The board, shrunk to at most this width and height; empty cells have the colour `empty`.
    pub(crate) fn painted(&self, max_px: (u32, u32), empty: Rgba<u8>) -> Painted {
        let miniatures = Miniatures::fitting(self.pieces, self.size_px(), max_px);
        let cells = (0..self.grid.rows(), 0..self.grid.cols());
        self.painted_part(&miniatures, cells, empty)
    }

    /// Some rows and columns of the board; cells outside the board are empty.
    pub(crate) fn painted_part(
        &self,
        miniatures: &Miniatures<'_>,
        (rows, cols): (std::ops::Range<u32>, std::ops::Range<u32>),
        empty: Rgba<u8>,
    ) -> Painted {
        let (cell_width_px, cell_height_px) = miniatures.size_turned(self.turn);
        let num = |range: &std::ops::Range<u32>| range.end.saturating_sub(range.start);
        let mut image =
            RgbaImage::from_pixel(num(&cols) * cell_width_px, num(&rows) * cell_height_px, empty);
        for row in rows.clone() {
            for col in cols.clone() {
                let found = self.place_at(Cell { row, col });
                let Some((piece, place)) = found else { continue };
                let painted = miniatures.piece_turned(piece, place.turn);
                let left = i64::from((col - cols.start) * cell_width_px);
                let top = i64::from((row - rows.start) * cell_height_px);
                replace(&mut image, &painted, left, top);
            }
        }
        Painted { image, cell_width_px, cell_height_px }
    }

    /// The piece in a cell, and its place.
    pub(crate) fn place_at(&self, cell: Cell) -> Option<(PieceId, Place)> {
        let piece = self.assembly.piece_at(self.board, cell)?;
        Some((piece, self.assembly.place_of(piece)?))
    }
}

/// A painted board, or a part of it.
#[derive(Clone, Debug)]
pub(crate) struct Painted {
    pub(crate) image: RgbaImage,
    pub(crate) cell_width_px: u32,
    pub(crate) cell_height_px: u32,
}

/// The columns of a sheet of these pieces that is about square, rather wider than high.
pub(crate) fn sheet_columns(num_pieces: usize, shape: PieceShape) -> u32 {
    const WIDTH_TO_HEIGHT: f64 = 4.0 / 3.0;
    let pieces_across = num_pieces as f64 * f64::from(shape.height_px()) * WIDTH_TO_HEIGHT
        / f64::from(shape.width_px());
    let columns = pieces_across.sqrt().round().clamp(1.0, num_pieces.max(1) as f64);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most a million"
    )]
    let columns = columns as u32;
    columns
}

/// The pieces in the order of the input, row by row, shrunk to at most this width and height.
pub(crate) fn painted_sheet(
    pieces: &PieceSet,
    columns: u32,
    max_px: (u32, u32),
    empty: Rgba<u8>,
) -> RgbaImage {
    let num_pieces = u32::try_from(pieces.num_pieces()).unwrap_or(u32::MAX);
    let rows = num_pieces.div_ceil(columns);
    let shape = pieces.shape();
    let size_px = (
        u64::from(columns) * u64::from(shape.width_px()),
        u64::from(rows) * u64::from(shape.height_px()),
    );
    let miniatures = Miniatures::fitting(pieces, size_px, max_px);
    let (width_px, height_px) = miniatures.size_turned(QuarterTurn::ZERO);
    let mut image = RgbaImage::from_pixel(columns * width_px, rows * height_px, empty);
    for piece in pieces.ids() {
        let (row, col) = (piece.number() / columns, piece.number() % columns);
        let (left, top) = (i64::from(col * width_px), i64::from(row * height_px));
        replace(&mut image, &miniatures.piece(piece), left, top);
    }
    image
}

/// Paints the picture onto an opaque background.
pub(crate) fn on_ground(image: &mut RgbaImage, ground: [u8; 3]) {
    for Rgba([red, green, blue, alpha]) in image.pixels_mut() {
        let share = f64::from(*alpha) / 255.0;
        for (value, under) in [red, green, blue].into_iter().zip(ground) {
            *value = mixed(*value, under, share);
        }
        *alpha = u8::MAX;
    }
}

/// The weighted mean of two values.
pub(crate) fn mixed(one: u8, other: u8, share_of_one: f64) -> u8 {
    let value = f64::from(one) * share_of_one + f64::from(other) * (1.0 - share_of_one);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255")]
    let value = value.round().clamp(0.0, 255.0) as u8;
    value
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{Answer, Details};
    use fretsaw::puzzle::{Placement, Samples};

    /// Six grey pieces of 4 x 4 px, piece p all 40 p.
    pub(crate) fn plain_pieces() -> PieceSet {
        let values = (0..6_u8).flat_map(|piece| [40 * piece; 16]).collect();
        PieceSet::new(PieceShape::new(4, 4).unwrap(), 1, Samples::U8(values)).unwrap()
    }

    /// Pieces 0 to 3 on boards of 1 x 3 and 2 x 1 cells with a hole; pieces 4 and 5 have no place.
    pub(crate) struct Example {
        pub(crate) assembly: Assembly,
        pub(crate) confidences: [Option<f64>; 6],
    }

    impl Example {
        pub(crate) fn new() -> Self {
            let placement = |(piece, board, row, col, turns)| Placement {
                piece: PieceId::new(piece),
                place: Place {
                    board,
                    cell: Cell { row, col },
                    turn: QuarterTurn::from_clockwise(turns),
                },
            };
            let places = [(0, 0, 0, 2, 0), (1, 0, 0, 0, 1), (2, 1, 0, 0, 2), (3, 1, 1, 0, 3)];
            let boards = vec![Grid::new(1, 3).unwrap(), Grid::new(2, 1).unwrap()];
            Self {
                assembly: Assembly::new(6, boards, places.map(placement)).unwrap(),
                confidences: [Some(0.2), Some(0.9), Some(0.5), Some(0.95), None, None],
            }
        }

        pub(crate) fn answer<'a>(&'a self, pieces: &'a PieceSet) -> Answer<'a> {
            let details = Details { confidences: &self.confidences, ..Details::default() };
            Answer::new(pieces, &self.assembly, details).unwrap()
        }
    }

    #[test]
    fn boards_are_painted_cell_by_cell_and_shrunk_to_fit() {
        let (pieces, example) = (plain_pieces(), Example::new());
        let empty = Rgba([1, 2, 3, 0]);
        let views: Vec<_> = BoardView::all(&pieces, &example.assembly).collect();
        let full = views[0].painted((100, 100), empty);
        assert_eq!(full.image.dimensions(), (12, 4));
        assert_eq!(*full.image.get_pixel(11, 3), Rgba([0, 0, 0, 255]));
        assert_eq!(*full.image.get_pixel(0, 0), Rgba([40, 40, 40, 255]));
        assert_eq!(*full.image.get_pixel(5, 1), empty);
        let half = views[0].painted((6, 100), empty);
        assert_eq!(half.image.dimensions(), (6, 2));
        assert_eq!(views[1].painted((100, 1), empty).image.dimensions(), (1, 2));
        let sheet = painted_sheet(&pieces, 4, (100, 100), empty);
        assert_eq!(sheet.dimensions(), (16, 8));
        assert_eq!(*sheet.get_pixel(7, 7), Rgba([200, 200, 200, 255]));
        assert_eq!(*sheet.get_pixel(8, 4), empty);
    }

    #[test]
    fn sheets_are_rather_wider_than_high() {
        let columns =
            |num, height, width| sheet_columns(num, PieceShape::new(height, width).unwrap());
        assert_eq!(columns(432, 28, 28), 24);
        assert_eq!(columns(2, 28, 28), 2);
        assert!(columns(80, 800, 8) == 80, "strips lie side by side");
    }

    #[test]
    fn a_background_shows_through_transparent_pixels() {
        let mut image = RgbaImage::from_pixel(1, 1, Rgba([200, 0, 100, 0]));
        on_ground(&mut image, [9, 8, 7]);
        assert_eq!(*image.get_pixel(0, 0), Rgba([9, 8, 7, 255]));
        let mut image = RgbaImage::from_pixel(1, 1, Rgba([200, 0, 100, 255]));
        on_ground(&mut image, [9, 8, 7]);
        assert_eq!(*image.get_pixel(0, 0), Rgba([200, 0, 100, 255]));
    }
}
