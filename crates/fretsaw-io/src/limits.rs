//! How much a file may ask for.

use crate::IoError;
use std::path::Path;

/// How large an input may be. Checked against headers, before memory is taken.
///
/// A small file can claim to be a huge picture; without limits it would take the memory of the
/// machine with it. The defaults let 200,000 pieces of 28 x 28 pixels pass and refuse a picture of
/// 30,000 x 30,000.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most pixels of a picture, or of all pieces together. Default 268,435,456 (2^28): with
    /// three 8 bit channels they take 768 MiB.
    pub max_pixels: u64,
    /// The most pixels along a side of a picture. Default 100,000.
    pub max_side_px: u32,
    /// The most pieces. Default 200,000; never more than [`MAX_PIECES`](fretsaw::puzzle::MAX_PIECES).
    pub max_pieces: usize,
    /// The largest JSON document in bytes. Default 512 MiB.
    pub max_json_bytes: u64,
    /// The largest checkpoint in bytes. Default 4 GiB, several times what as many pieces as may be
    /// take.
    pub max_checkpoint_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_pixels: 1 << 28,
            max_side_px: 100_000,
            max_pieces: 200_000,
            max_json_bytes: 512 << 20,
            max_checkpoint_bytes: 4 << 30,
        }
    }
}

impl Limits {
    pub(crate) fn check_picture(
        &self,
        path: &Path,
        width_px: u64,
        height_px: u64,
    ) -> Result<(), IoError> {
        let max_side = u64::from(self.max_side_px);
        let pixels = width_px.checked_mul(height_px);
        if width_px > max_side
            || height_px > max_side
            || pixels.is_none_or(|pixels| pixels > self.max_pixels)
        {
            return Err(IoError::PictureTooLarge {
                path: path.into(),
                width_px,
                height_px,
                max_pixels: self.max_pixels,
                max_side_px: self.max_side_px,
            });
        }
        Ok(())
    }

    /// Checks the number of pieces and their pixels all together.
    pub(crate) fn check_pieces(
        &self,
        path: &Path,
        pieces: u64,
        pixels_per_piece: u64,
    ) -> Result<(), IoError> {
        let max_pieces = self.max_pieces.min(fretsaw::puzzle::MAX_PIECES);
        if pieces > max_pieces as u64 {
            return Err(IoError::TooManyPieces { path: path.into(), pieces, max_pieces });
        }
        if pieces.checked_mul(pixels_per_piece).is_none_or(|pixels| pixels > self.max_pixels) {
            return Err(IoError::TooManyPixels {
                path: path.into(),
                pieces,
                pixels_per_piece,
                max_pixels: self.max_pixels,
            });
        }
        Ok(())
    }

    /// The most bytes a decoder may take, and the largest image file worth opening: four 16 bit
    /// channels a pixel, and room for the decoder's tables and the file's own overhead.
    pub(crate) const fn max_decoder_bytes(&self) -> u64 {
        self.max_pixels.saturating_mul(8).saturating_add(64 << 20)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_pass_large_puzzles_and_refuse_bombs() {
        let limits = Limits::default();
        let path = Path::new("x.png");
        assert!(limits.check_pieces(path, 200_000, 28 * 28).is_ok());
        // A sheet of 150,000 pieces, about square.
        assert!(limits.check_picture(path, 388 * 28, 387 * 28).is_ok());
        assert!(limits.check_picture(path, 30_000, 30_000).is_err());
        assert!(limits.check_picture(path, u64::MAX, 2).is_err());
        assert!(limits.check_picture(path, 100_001, 1).is_err());
        assert!(limits.check_pieces(path, 200_001, 1).is_err());
        assert!(limits.check_pieces(path, 2, u64::MAX).is_err());
    }
}
