//! Pieces as they were handed in.

use crate::picture::PictureSize;
use crate::puzzle::{MAX_PIECES, PieceSet, PieceSetError, PieceShape, Samples, Side};

/// Pictures of pieces with the same channels and depth, perhaps of different sizes.
///
/// Values are stored piece by piece, row by row, pixel by pixel, channel by channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawPieces {
    sizes: Vec<PictureSize>,
    /// Where the values of each piece begin.
    starts: Vec<usize>,
    channels: usize,
    samples: Samples,
}

/// Why values are not pictures of pieces.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RawPiecesError {
    /// A picture without pixels, no channels, no pieces or too many.
    #[error(transparent)]
    Pieces(#[from] PieceSetError),
    /// Sizes and values do not agree.
    #[error("{found} values do not fill pictures that need {expected}")]
    Count {
        /// Values given.
        found: usize,
        /// Values that pictures of these sizes have.
        expected: usize,
    },
}

impl RawPieces {
    /// Pictures of these sizes with `channels` values a pixel.
    ///
    /// # Errors
    /// If a picture is empty, there are no channels, no pieces or more than [`MAX_PIECES`], or the number of values is
    /// another than the sizes say.
    pub fn new(
        sizes: Vec<PictureSize>,
        channels: usize,
        samples: Samples,
    ) -> Result<Self, RawPiecesError> {
        if channels == 0 {
            return Err(PieceSetError::NoChannels.into());
        }
        if sizes.is_empty() || sizes.len() > MAX_PIECES {
            return Err(PieceSetError::Count { pieces: sizes.len() }.into());
        }
        let mut starts = Vec::with_capacity(sizes.len());
        let mut expected = 0_usize;
        for &PictureSize { height_px, width_px } in &sizes {
            let narrow = |px: usize| u32::try_from(px).unwrap_or(u32::MAX);
            PieceShape::new(narrow(height_px), narrow(width_px))?;
            starts.push(expected);
            let len =
                height_px.checked_mul(width_px).and_then(|pixels| pixels.checked_mul(channels));
            expected = len.and_then(|len| expected.checked_add(len)).unwrap_or(usize::MAX);
        }
        if samples.len() != expected {
            return Err(RawPiecesError::Count { found: samples.len(), expected });
        }
        Ok(Self { sizes, starts, channels, samples })
    }

    /// The number of pieces.
    pub const fn num_pieces(&self) -> usize {
        self.sizes.len()
    }

    /// Values a pixel.
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// All values.
    pub const fn samples(&self) -> &Samples {
        &self.samples
    }

    /// The sizes of the pictures, in order.
    pub fn sizes(&self) -> &[PictureSize] {
        &self.sizes
    }

    /// The size of all pieces, if it is the same.
    pub fn shape(&self) -> Option<PieceShape> {
        let first = self.sizes[0];
        let shape = PieceShape::new(
            u32::try_from(first.height_px).ok()?,
            u32::try_from(first.width_px).ok()?,
        );
        shape.ok().filter(|_| self.sizes.iter().all(|size| *size == first))
    }

    /// The pieces as they are, if all have the same size.
    pub fn into_pieces(self) -> Option<PieceSet> {
        PieceSet::new(self.shape()?, self.channels, self.samples).ok()
    }

    /// The offset in [`samples`](Self::samples) of a pixel's first channel.
    pub(super) fn offset_of(&self, piece: usize, row: usize, col: usize) -> usize {
        self.starts[piece] + (row * self.sizes[piece].width_px + col) * self.channels
    }

    /// The first channel's offset of the `along`-th pixel of the `inward`-th line seen from a side, as
    /// [`PieceShape::pixel_at_side`] has it.
    pub(super) fn offset_at_side(
        &self,
        piece: usize,
        side: Side,
        inward: usize,
        along: usize,
    ) -> usize {
        let PictureSize { height_px, width_px } = self.sizes[piece];
        let (row, col) = match side {
            Side::Top => (inward, along),
            Side::Right => (along, width_px - 1 - inward),
            Side::Bottom => (height_px - 1 - inward, width_px - 1 - along),
            Side::Left => (height_px - 1 - along, inward),
        };
        self.offset_of(piece, row, col)
    }

    /// Pixels along a side.
    pub(super) fn length_of(&self, piece: usize, side: Side) -> usize {
        let PictureSize { height_px, width_px } = self.sizes[piece];
        match side {
            Side::Top | Side::Bottom => width_px,
            Side::Right | Side::Left => height_px,
        }
    }

    /// The mean of the channels of the pixel that begins at this offset, in 8-bit levels.
    pub(super) fn brightness(&self, offset: usize) -> usize {
        let channels = offset..offset + self.channels;
        let sum: usize = channels.map(|at| usize::from(self.samples.get(at))).sum();
        sum * 255 / (self.channels * usize::from(self.samples.white()))
    }

    /// How many 8-bit levels a unit of the values is.
    pub(super) fn levels_per_unit(&self) -> f64 {
        255.0 / f64::from(self.samples.white())
    }
}

impl From<PieceSet> for RawPieces {
    fn from(pieces: PieceSet) -> Self {
        let shape = pieces.shape();
        let size = PictureSize {
            height_px: shape.height_px() as usize,
            width_px: shape.width_px() as usize,
        };
        let (num_pieces, channels) = (pieces.num_pieces(), pieces.channels());
        let starts = (0..num_pieces).map(|piece| piece * pieces.samples_per_piece()).collect();
        Self { sizes: vec![size; num_pieces], starts, channels, samples: pieces.into_samples() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_one_size_are_given_back_and_others_are_not() {
        let size = |height_px, width_px| PictureSize { height_px, width_px };
        let values = || Samples::U8((0..12).collect());
        let equal = RawPieces::new(vec![size(2, 3); 2], 1, values()).unwrap();
        let pieces = equal.clone().into_pieces().unwrap();
        assert_eq!(pieces.samples(), &values());
        assert_eq!(RawPieces::from(pieces), equal);
        let other = RawPieces::new(vec![size(2, 3), size(3, 2)], 1, values()).unwrap();
        assert_eq!((other.shape(), other.offset_of(1, 2, 1)), (None, 11));
        assert_eq!(other.offset_at_side(1, Side::Right, 0, 2), 11);
        assert_eq!(other.offset_at_side(0, Side::Bottom, 0, 0), 5);
        assert_eq!(other.into_pieces(), None);
        assert!(RawPieces::new(vec![size(2, 3)], 1, values()).is_err());
        assert!(RawPieces::new(vec![size(0, 3)], 1, values()).is_err());
        assert!(RawPieces::new(vec![], 1, Samples::U8(vec![])).is_err());
    }
}
