//! Pieces and their pixels.

use super::{QuarterTurn, Side};
use crate::allocation::try_reserve_exact;
use std::collections::TryReserveError;

/// The most pieces one puzzle may have.
///
/// Piece and side numbers are 32 bit and every stage's memory is planned for this many.
pub const MAX_PIECES: usize = 1_000_000;

/// Puzzles of more pieces are large.
const MAX_SMALL: usize = 4096;

/// Whether a puzzle with this many pieces, or cells, is large.
///
/// In a large puzzle so many sides look alike that the true neighbour of a side is often not among its
/// candidates, and the whole board cannot be searched at once. The matcher then lists open sides again, and the
/// search divides the board into regions.
pub const fn is_large(num_pieces: usize) -> bool {
    num_pieces > MAX_SMALL
}

/// Puzzles of at most so many pieces are quick.
const MAX_QUICK: usize = 1000;

/// Whether a puzzle with this many pieces has its first board in less than a second. Others take short cuts after a stop.
pub(crate) const fn is_quick(num_pieces: usize) -> bool {
    num_pieces <= MAX_QUICK
}

/// A piece, by its place in the order in which the pieces were handed in.
///
/// The order carries no meaning except in type 3 puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PieceId(u32);

impl PieceId {
    /// The piece with this number.
    ///
    /// # Panics
    /// If the number is not below [`MAX_PIECES`].
    pub const fn new(index: usize) -> Self {
        assert!(index < MAX_PIECES, "piece number beyond MAX_PIECES");
        #[expect(clippy::cast_possible_truncation, reason = "MAX_PIECES fits u32")]
        Self(index as u32)
    }

    /// Its number, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its number, from 0.
    pub const fn number(self) -> u32 {
        self.0
    }
}

/// The size of every piece of a puzzle, in pixels, as handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PieceShape {
    height_px: u32,
    width_px: u32,
}

impl PieceShape {
    /// A shape of at least 1 x 1 pixel.
    pub const fn new(height_px: u32, width_px: u32) -> Result<Self, PieceSetError> {
        if height_px == 0 || width_px == 0 {
            return Err(PieceSetError::EmptyPiece { height_px, width_px });
        }
        Ok(Self { height_px, width_px })
    }

    /// Rows of pixels.
    pub const fn height_px(self) -> u32 {
        self.height_px
    }

    /// Columns of pixels.
    pub const fn width_px(self) -> u32 {
        self.width_px
    }

    /// Height times width.
    pub const fn num_pixels(self) -> usize {
        self.height_px as usize * self.width_px as usize
    }

    /// Whether all four sides are equally long.
    pub const fn is_square(self) -> bool {
        self.height_px == self.width_px
    }

    /// Pixels along a side: the paper's s.
    pub const fn side_length_px(self, side: Side) -> usize {
        match side {
            Side::Top | Side::Bottom => self.width_px as usize,
            Side::Right | Side::Left => self.height_px as usize,
        }
    }

    /// The shape after a turn.
    #[must_use]
    pub const fn turned(self, turn: QuarterTurn) -> Self {
        if turn.swaps_axes() {
            Self { height_px: self.width_px, width_px: self.height_px }
        } else {
            self
        }
    }

    /// The (row, column) of the `along`-th pixel of the `inward`-th line seen from a side.
    ///
    /// Sides are read clockwise around the piece: the top from left to right, the right from top
    /// to bottom, the bottom from right to left, the left from bottom to top. Turning a piece
    /// therefore changes which side a line belongs to, but not the order of its pixels.
    pub const fn pixel_at_side(self, side: Side, inward: usize, along: usize) -> (usize, usize) {
        let (last_row, last_col) = (self.height_px as usize - 1, self.width_px as usize - 1);
        match side {
            Side::Top => (inward, along),
            Side::Right => (along, last_col - inward),
            Side::Bottom => (last_row - inward, last_col - along),
            Side::Left => (last_row - along, inward),
        }
    }

    /// The (row, column) in the piece as handed in of a pixel of the turned piece.
    pub const fn pixel_before_turn(
        self,
        turn: QuarterTurn,
        row: usize,
        col: usize,
    ) -> (usize, usize) {
        let (last_row, last_col) = (self.height_px as usize - 1, self.width_px as usize - 1);
        match turn.clockwise() {
            0 => (row, col),
            1 => (last_row - col, row),
            2 => (last_row - row, last_col - col),
            _ => (col, last_col - row),
        }
    }
}

/// The pixel values of all pieces, 8 or 16 bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Samples {
    /// 0 to 255.
    U8(Vec<u8>),
    /// 0 to 65535.
    U16(Vec<u16>),
}

impl Samples {
    /// How many values.
    pub const fn len(&self) -> usize {
        match self {
            Self::U8(values) => values.len(),
            Self::U16(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values at these offsets.
    fn at(&self, offsets: impl Iterator<Item = usize>) -> Self {
        match self {
            Self::U8(values) => Self::U8(offsets.map(|offset| values[offset]).collect()),
            Self::U16(values) => Self::U16(offsets.map(|offset| values[offset]).collect()),
        }
    }

    /// The value at an offset, unscaled.
    pub fn get(&self, index: usize) -> u16 {
        match self {
            Self::U8(values) => u16::from(values[index]),
            Self::U16(values) => values[index],
        }
    }

    /// The largest value this depth can hold: 255 or 65535.
    pub const fn white(&self) -> u16 {
        match self {
            Self::U8(_) => 255,
            Self::U16(_) => 65535,
        }
    }

    /// Bits of a value, 8 or 16.
    pub const fn bits(&self) -> u8 {
        match self {
            Self::U8(_) => 8,
            Self::U16(_) => 16,
        }
    }
}

/// Why a set of pieces cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PieceSetError {
    /// A piece without pixels.
    #[error("a piece of {height_px} x {width_px} pixels is empty")]
    EmptyPiece {
        /// Rows of pixels.
        height_px: u32,
        /// Columns of pixels.
        width_px: u32,
    },
    /// No channel.
    #[error("pieces need at least one channel")]
    NoChannels,
    /// Not a whole number of pieces.
    #[error("{samples} values are not a whole number of pieces of {per_piece} values each")]
    PartialPiece {
        /// Values given.
        samples: usize,
        /// Values a piece has.
        per_piece: usize,
    },
    /// No piece or too many.
    #[error("{pieces} pieces given; 1 to {MAX_PIECES} are possible")]
    Count {
        /// Pieces given.
        pieces: usize,
    },
}

/// The pieces of a puzzle: equal rectangles with the same channels.
///
/// Values are stored piece by piece, row by row, pixel by pixel, channel by channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceSet {
    shape: PieceShape,
    channels: usize,
    num_pieces: usize,
    samples: Samples,
}

impl PieceSet {
    /// Pieces of the given shape with `channels` values a pixel.
    ///
    /// # Errors
    /// If there are no channels, or the values are not a whole number of pieces between 1 and
    /// [`MAX_PIECES`].
    pub fn new(
        shape: PieceShape,
        channels: usize,
        samples: Samples,
    ) -> Result<Self, PieceSetError> {
        if channels == 0 {
            return Err(PieceSetError::NoChannels);
        }
        let per_piece = shape.num_pixels() * channels;
        if !samples.len().is_multiple_of(per_piece) {
            return Err(PieceSetError::PartialPiece { samples: samples.len(), per_piece });
        }
        let pieces = samples.len() / per_piece;
        if pieces == 0 || pieces > MAX_PIECES {
            return Err(PieceSetError::Count { pieces });
        }
        Ok(Self { shape, channels, num_pieces: pieces, samples })
    }

    /// The size of every piece.
    pub const fn shape(&self) -> PieceShape {
        self.shape
    }

    /// Values a pixel: the paper's k.
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// The paper's n.
    pub const fn num_pieces(&self) -> usize {
        self.num_pieces
    }

    /// All pieces, in the order handed in.
    pub fn ids(&self) -> impl Iterator<Item = PieceId> + use<> {
        (0..self.num_pieces).map(PieceId::new)
    }

    /// All values: piece by piece, row by row, pixel by pixel, channel by channel.
    pub const fn samples(&self) -> &Samples {
        &self.samples
    }

    /// All values, without a copy.
    pub fn into_samples(self) -> Samples {
        self.samples
    }

    /// Values in one piece.
    pub const fn samples_per_piece(&self) -> usize {
        self.shape.num_pixels() * self.channels
    }

    /// The offset in [`samples`](Self::samples) of a pixel's first channel.
    pub const fn offset_of(&self, piece: PieceId, row: usize, col: usize) -> usize {
        let pixel = row * self.shape.width_px as usize + col;
        (piece.index() * self.shape.num_pixels() + pixel) * self.channels
    }

    /// The same pieces, each turned; `None` if a turn would change the shape of an oblong piece.
    pub fn turned(&self, turn_of: impl Fn(PieceId) -> QuarterTurn) -> Option<Self> {
        let shape = self.shape;
        if !self.ids().all(|piece| shape.turned(turn_of(piece)) == shape) {
            return None;
        }
        let offsets = self.ids().flat_map(|piece| {
            let turn = turn_of(piece);
            let pixels = (0..shape.height_px as usize)
                .flat_map(move |row| (0..shape.width_px as usize).map(move |col| (row, col)));
            pixels.flat_map(move |(row, col)| {
                let (row, col) = shape.pixel_before_turn(turn, row, col);
                let offset = self.offset_of(piece, row, col);
                offset..offset + self.channels
            })
        });
        Some(Self { samples: self.samples.at(offsets), ..*self })
    }

    /// The same pieces, some of them flipped left to right.
    #[must_use]
    pub fn mirrored(&self, is_mirrored: impl Fn(PieceId) -> bool) -> Self {
        let width = self.shape.width_px as usize;
        let offsets = self.ids().flat_map(|piece| {
            let flips = is_mirrored(piece);
            let pixels = (0..self.shape.height_px as usize)
                .flat_map(move |row| (0..width).map(move |col| (row, col)));
            pixels.flat_map(move |(row, col)| {
                let col = if flips { width - 1 - col } else { col };
                let offset = self.offset_of(piece, row, col);
                offset..offset + self.channels
            })
        });
        Self { samples: self.samples.at(offsets), ..*self }
    }

    /// Some of the pieces, in this order; an error if there is no memory for their copies.
    ///
    /// # Panics
    /// If one does not exist.
    pub(crate) fn chosen(&self, pieces: &[PieceId]) -> Result<Self, TryReserveError> {
        let length = self.samples_per_piece();
        fn copied<T: Copy>(
            values: &[T],
            pieces: &[PieceId],
            length: usize,
        ) -> Result<Vec<T>, TryReserveError> {
            let mut chosen = Vec::new();
            try_reserve_exact(&mut chosen, pieces.len() * length)?;
            for piece in pieces {
                chosen.extend_from_slice(&values[piece.index() * length..][..length]);
            }
            Ok(chosen)
        }
        let samples = match &self.samples {
            Samples::U8(values) => Samples::U8(copied(values, pieces, length)?),
            Samples::U16(values) => Samples::U16(copied(values, pieces, length)?),
        };
        Ok(Self { num_pieces: pieces.len(), samples, ..*self })
    }

    /// The pieces, and after them their mirror images; `None` if these are too many.
    pub(crate) fn with_mirror_images(&self) -> Option<Self> {
        let num_pieces = 2 * self.num_pieces;
        let samples = match (&self.samples, self.mirrored(|_| true).samples) {
            (Samples::U8(values), Samples::U8(images)) => {
                Samples::U8([&values[..], &images].concat())
            }
            (Samples::U16(values), Samples::U16(images)) => {
                Samples::U16([&values[..], &images].concat())
            }
            _ => return None,
        };
        (num_pieces <= MAX_PIECES).then_some(Self { num_pieces, samples, ..*self })
    }

    /// One value, unscaled.
    ///
    /// # Panics
    /// If piece, pixel or channel do not exist.
    pub fn sample(&self, piece: PieceId, row: usize, col: usize, channel: usize) -> u16 {
        self.samples.get(self.offset_of(piece, row, col) + channel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_read_clockwise_around_the_piece() {
        let shape = PieceShape::new(2, 3).unwrap();
        let outline = |side, length| {
            (0..length).map(|along| shape.pixel_at_side(side, 0, along)).collect::<Vec<_>>()
        };
        assert_eq!(outline(Side::Top, 3), [(0, 0), (0, 1), (0, 2)]);
        assert_eq!(outline(Side::Right, 2), [(0, 2), (1, 2)]);
        assert_eq!(outline(Side::Bottom, 3), [(1, 2), (1, 1), (1, 0)]);
        assert_eq!(outline(Side::Left, 2), [(1, 0), (0, 0)]);
    }

    #[test]
    fn a_turn_moves_lines_from_side_to_side_without_reordering_them() {
        let shape = PieceShape::new(4, 3).unwrap();
        for turn in QuarterTurn::ALL {
            let after = shape.turned(turn);
            for side in Side::ALL {
                assert_eq!(shape.side_length_px(side), after.side_length_px(side + turn));
                for along in 0..shape.side_length_px(side) {
                    let depth_px = shape.side_length_px(side + QuarterTurn::from_clockwise(1));
                    for inward in 0..depth_px {
                        let (row, col) = after.pixel_at_side(side + turn, inward, along);
                        assert_eq!(
                            shape.pixel_before_turn(turn, row, col),
                            shape.pixel_at_side(side, inward, along)
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_clockwise_turn_brings_the_left_column_to_the_top() {
        let shape = PieceShape::new(2, 2).unwrap();
        let quarter = QuarterTurn::from_clockwise(1);
        // The bottom left pixel moves to the top left.
        assert_eq!(shape.pixel_before_turn(quarter, 0, 0), (1, 0));
    }

    #[test]
    fn turned_pieces_have_their_sides_elsewhere() {
        let shape = PieceShape::new(2, 2).unwrap();
        let pieces = PieceSet::new(shape, 1, Samples::U8((0..8).collect())).unwrap();
        let turn_of = |piece: PieceId| QuarterTurn::from_clockwise(piece.index() as i64);
        let turned = pieces.turned(turn_of).unwrap();
        assert_eq!(turned.samples(), &Samples::U8(vec![0, 1, 2, 3, 6, 4, 7, 5]));
        let back = turned.turned(|piece| -turn_of(piece)).unwrap();
        assert_eq!(back, pieces);
        let oblong = PieceShape::new(1, 4).unwrap();
        let pieces = PieceSet::new(oblong, 1, Samples::U8((0..8).collect())).unwrap();
        assert_eq!(pieces.turned(turn_of), None);
        assert!(pieces.turned(|_| QuarterTurn::HALF).is_some());
    }

    #[test]
    fn impossible_sets_are_refused() {
        assert!(matches!(PieceShape::new(0, 4), Err(PieceSetError::EmptyPiece { .. })));
        let shape = PieceShape::new(2, 2).unwrap();
        let build = |channels, len| PieceSet::new(shape, channels, Samples::U8(vec![0; len]));
        assert_eq!(build(0, 4), Err(PieceSetError::NoChannels));
        assert!(matches!(build(1, 6), Err(PieceSetError::PartialPiece { .. })));
        assert!(matches!(build(1, 0), Err(PieceSetError::Count { pieces: 0 })));
        assert_eq!(build(3, 24).unwrap().num_pieces(), 2);
    }
}
