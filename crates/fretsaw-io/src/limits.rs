//! Limits on the size of inputs.

use crate::{IoError, Problem, faults};
use fretsaw::KnownBoards;
use fretsaw::puzzle::{Grid, PieceSet, PieceShape};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// How large an input may be. Headers are checked against these limits before memory is allocated.
///
/// A small file can claim to be a huge picture and exhaust the machine's memory. The defaults accept
/// 200,000 pieces of 28 x 28 pixels and refuse a picture of 30,000 x 30,000.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most pixels of a picture, or of all pieces together. Default 268,435,456 (2^28), which
    /// take 768 MiB with three 8 bit channels.
    pub max_pixels: u64,
    /// The most pixels along a side of a picture. Default 100,000.
    pub max_side_px: u32,
    /// The most pieces. Default 200,000; never more than [`MAX_PIECES`](fretsaw::puzzle::MAX_PIECES).
    pub max_pieces: usize,
    /// The largest JSON document in bytes. Default 512 MiB.
    pub max_json_bytes: u64,
    /// The largest checkpoint in bytes. Default 4 GiB, several times the need of the largest puzzle.
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
    pub(crate) fn check_picture(&self, width_px: u64, height_px: u64) -> Result<(), Problem> {
        let max_side = u64::from(self.max_side_px);
        let pixels = width_px.checked_mul(height_px);
        if width_px > max_side
            || height_px > max_side
            || pixels.is_none_or(|pixels| pixels > self.max_pixels)
        {
            let Self { max_pixels, max_side_px, .. } = self;
            return Err(Problem::too_large(format!(
                "a picture of {width_px} x {height_px} pixels exceeds the limit of {max_pixels} \
                 pixels in all and {max_side_px} along a side; use a smaller picture, or raise the \
                 limit"
            )));
        }
        Ok(())
    }

    /// The most files of an input, and the most pieces.
    pub(crate) fn max_files(&self) -> usize {
        self.max_pieces.min(fretsaw::puzzle::MAX_PIECES)
    }

    /// Checks the number of pieces and of all their pixels together.
    pub(crate) fn check_pieces(&self, pieces: u64, pixels_per_piece: u64) -> Result<(), Problem> {
        let max_pieces = self.max_files();
        if pieces > max_pieces as u64 {
            return Err(Problem::too_large(format!(
                "{pieces} pieces are more than the limit of {max_pieces}; use larger pieces or a \
                 smaller picture, or raise the limit"
            )));
        }
        if pieces.checked_mul(pixels_per_piece).is_none_or(|pixels| pixels > self.max_pixels) {
            return Err(Problem::too_large(format!(
                "{pieces} pieces of {pixels_per_piece} pixels each are more than the limit of {} \
                 pixels; use fewer or smaller pieces, or raise the limit",
                self.max_pixels
            )));
        }
        Ok(())
    }

    /// The most cells of all boards together: as many as there may be pieces, and twice the number of pieces if that is
    /// more.
    pub fn max_cells(&self, num_pieces: usize) -> u64 {
        self.max_files().max(2 * num_pieces) as u64
    }

    /// Checks the number of boards and their cells, all together.
    pub(crate) fn check_cells(
        &self,
        num_boards: usize,
        num_cells: u64,
        num_pieces: usize,
    ) -> Result<(), Problem> {
        if num_boards > num_pieces {
            return Err(Problem::content(format!(
                "{num_boards} boards are more than the {num_pieces} pieces; leave out boards without pieces"
            )));
        }
        let max_cells = self.max_cells(num_pieces);
        if num_cells > max_cells {
            return Err(Problem::too_large(format!(
                "boards of {num_cells} cells for {num_pieces} pieces are beyond the limit of {max_cells} cells; \
                 correct rows and columns, or raise the limit on pieces"
            )));
        }
        Ok(())
    }

    /// Checks that the picture of a board is within the limits.
    ///
    /// # Errors
    /// If it has too many pixels.
    pub fn check_board(&self, board: Grid, shape: PieceShape) -> Result<(), Problem> {
        let num_pixels = (board.num_cells() as u64).saturating_mul(shape.num_pixels() as u64);
        if num_pixels > self.max_pixels {
            return Err(Problem::too_large(format!(
                "a board of {} x {} pieces of {} x {} px has more than the limit of {} pixels; give a smaller \
                 board, or raise the limit",
                board.cols(),
                board.rows(),
                shape.width_px(),
                shape.height_px(),
                self.max_pixels
            )));
        }
        Ok(())
    }

    /// Checks boards that are known before a solve, so that no memory is taken for impossible ones.
    ///
    /// # Errors
    /// If they have too many cells or pixels for these pieces, or are more than the pieces.
    pub fn check_known_boards(
        &self,
        known: &KnownBoards,
        pieces: &PieceSet,
    ) -> Result<(), Problem> {
        let &KnownBoards { rows, cols, count } = known;
        let num_pieces = pieces.num_pieces();
        let num_cells = u64::from(rows.unwrap_or(1)) * u64::from(cols.unwrap_or(1));
        let max_cells = self.max_cells(num_pieces);
        if num_cells > max_cells {
            return Err(Problem::too_large(format!(
                "a board of at least {num_cells} cells for {num_pieces} pieces is beyond the limit of {max_cells} \
                 cells; correct rows and columns, or raise the limit on pieces"
            )));
        }
        if let Some(grid) = known.grid() {
            self.check_board(grid, pieces.shape())?;
        }
        match count.filter(|&count| count > num_pieces) {
            Some(count) => Err(Problem::content(format!(
                "{num_pieces} pieces cannot belong to {count} pictures; correct the number of pictures"
            ))),
            None => Ok(()),
        }
    }

    /// The most bytes that a decoder may allocate, and the largest picture file that is opened: four
    /// 16 bit channels a pixel, and 64 MiB for the decoder's tables and the file's own overhead.
    pub(crate) const fn max_decoder_bytes(&self) -> u64 {
        self.max_pixels.saturating_mul(8).saturating_add(64 << 20)
    }
}

/// The content of a file of at most `max_bytes`.
pub(crate) fn read_bytes(path: &Path, max_bytes: u64) -> Result<Vec<u8>, IoError> {
    let refused = |cause| IoError::read(path, cause);
    let found = faults::step().and_then(|()| fs::metadata(path)).map_err(refused)?;
    if found.is_dir() {
        return Err(Problem::wrong_kind("a folder", "a file").at(path));
    }
    let check = |bytes: u64| {
        if bytes <= max_bytes {
            return Ok(());
        }
        Err(Problem::file_too_large(bytes, max_bytes).at(path))
    };
    check(found.len())?;
    // Checked again after reading, because a pipe has no length and a file may grow.
    let mut bytes = Vec::new();
    faults::step()
        .and_then(|()| File::open(path))
        .and_then(|file| file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes))
        .map_err(refused)?;
    check(bytes.len() as u64)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_pass_large_puzzles_and_refuse_bombs() {
        let limits = Limits::default();
        assert!(limits.check_pieces(200_000, 28 * 28).is_ok());
        // A sheet of 150,000 pieces, about square.
        assert!(limits.check_picture(388 * 28, 387 * 28).is_ok());
        assert!(limits.check_picture(30_000, 30_000).is_err());
        assert!(limits.check_picture(u64::MAX, 2).is_err());
        assert!(limits.check_picture(100_001, 1).is_err());
        assert!(limits.check_pieces(200_001, 1).is_err());
        assert!(limits.check_pieces(2, u64::MAX).is_err());
    }
}
