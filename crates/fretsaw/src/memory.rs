//! The memory model: about how much memory a solve takes, known before it begins.
//!
//! The model has five terms, whose factors were fitted to the peak memory of the default method on puzzles of
//! 432 to 103,000 pieces. `docs/scaling.md` shows the estimate beside the measured peak.

use crate::allocation::try_reserve_exact;
use crate::dissimilarity::distinct_sides;
use crate::puzzle::Samples;
use crate::search;
use crate::solve::{Puzzle, Settings};
use serde::Serialize;
use std::collections::TryReserveError;

/// About how much memory a solve takes at its worst moment, in bytes.
///
/// The program itself and the stacks of its threads, some 20 MB, are not included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MemoryEstimate {
    /// The pixels of the pieces.
    pub pixels: u64,
    /// The pixels again, in the order in which pieces are solved.
    pub ordered: u64,
    /// The strips along all sides, and the values that the measure and the matcher compute from them.
    pub sides: u64,
    /// The candidates of all sides with their costs and probabilities.
    pub candidates: u64,
    /// The tables of pair costs that the search uses.
    pub search: u64,
    /// The sum of the above.
    pub peak: u64,
}

impl MemoryEstimate {
    /// Asks the system for as much memory as the solve takes besides the pieces, and gives it back untouched. So a solve
    /// whose tables do not fit ends before it begins: a table that is refused later ends the program.
    ///
    /// Systems that promise more memory than they have refuse only what is beyond a limit on address space.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn try_take(&self) -> Result<(), TryReserveError> {
        let bytes = usize::try_from(self.peak - self.pixels).unwrap_or(usize::MAX);
        try_reserve_exact(&mut Vec::<u8>::new(), bytes)
    }
}

/// Bytes for each value of a distinct strip along a side: strips, factors of the matrix product, boundary profiles.
const BYTES_PER_STRIP_VALUE: u64 = 51;
/// Bytes for each candidate of a side: lists, probabilities, pair costs.
const BYTES_PER_CANDIDATE: u64 = 130;

/// Estimates the memory of [`solve`](crate::solve::solve) on this many threads.
///
/// ```
/// use fretsaw::unstable::estimate_memory;
/// use fretsaw::{Puzzle, PuzzleType, Settings};
///
/// let (pieces, grid, _) = fretsaw::picture::synthetic::puzzle(18, 24, 28, PuzzleType::Type2, 1);
/// let puzzle = Puzzle::new(pieces).board(grid);
/// let found = estimate_memory(&puzzle, &Settings::default(), 2);
/// assert_eq!(found.pixels, 432 * 28 * 28 * 3);
/// assert!(found.peak > 20_000_000 && found.peak < 40_000_000);
/// ```
pub fn estimate_memory(puzzle: &Puzzle, settings: &Settings, num_threads: usize) -> MemoryEstimate {
    let pieces = &puzzle.pieces;
    let shape = pieces.shape();
    let sample_bytes = match pieces.samples() {
        Samples::U8(_) => 1,
        Samples::U16(_) => 2,
    };
    let num_values = (pieces.num_pieces() * shape.num_pixels() * pieces.channels()) as u64;
    let num_sides = 4 * pieces.num_pieces();
    let strip_values = shape.width_px().max(shape.height_px()) as usize * pieces.channels();
    let pixels = num_values * sample_bytes;
    // Equal sides share their strip. Those that many others equal have no candidates.
    let listing = settings.candidates();
    let most = listing.max_candidates.max(listing.num_candidates);
    let (num_strips, num_listing) = distinct_sides(pieces, most).unwrap_or((num_sides, num_sides));
    let sides = (num_strips * strip_values) as u64 * BYTES_PER_STRIP_VALUE;
    let (mut ordered, mut candidates, mut search) = (0, 0, 0);
    if !puzzle.positions_known {
        ordered = pixels;
        candidates = (num_listing * listing.num_candidates) as u64 * BYTES_PER_CANDIDATE;
        if settings.method.is_fretsaw() {
            search = search::table_bytes(pieces.num_pieces(), num_threads);
        }
    }
    let peak = pixels + ordered + sides + candidates + search;
    MemoryEstimate { pixels, ordered, sides, candidates, search, peak }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::synthetic;
    use crate::puzzle::{PieceSet, PuzzleType};

    fn peak(pieces: &PieceSet, puzzle_type: PuzzleType) -> u64 {
        let puzzle = Puzzle::new(pieces.clone()).of_type(puzzle_type);
        let found = estimate_memory(&puzzle, &Settings::default(), 2);
        let sum = found.pixels + found.ordered + found.sides + found.candidates + found.search;
        assert_eq!(found.peak, sum);
        found.peak
    }

    #[test]
    fn memory_that_no_system_has_is_refused_as_an_error() {
        let estimate = |peak| MemoryEstimate { peak, ..MemoryEstimate::default() };
        assert!(estimate(1 << 20).try_take().is_ok());
        assert!(estimate(1 << 60).try_take().is_err());
        assert!(estimate(u64::MAX).try_take().is_err());
    }

    #[test]
    fn larger_puzzles_and_unknown_positions_take_more() {
        let pieces =
            |rows, cols, piece_px| synthetic::puzzle(rows, cols, piece_px, PuzzleType::Type2, 1).0;
        let usual = peak(&pieces(4, 5, 14), PuzzleType::Type2);
        assert!(peak(&pieces(5, 5, 14), PuzzleType::Type2) > usual, "more pieces");
        assert!(peak(&pieces(4, 5, 16), PuzzleType::Type2) > usual, "larger pieces");
        assert!(peak(&pieces(4, 5, 14), PuzzleType::Type3) < usual, "known positions");
    }
}
