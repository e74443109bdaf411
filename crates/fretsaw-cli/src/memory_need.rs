//! Compares the memory that a solve needs with the available memory.

use fretsaw::unstable::{MemoryEstimate, estimate_memory};
use fretsaw::{Grid, Puzzle, Settings};
use fretsaw_cli::available_memory::{ADDRESS_SPACE, AvailableMemory, available_memory};
use serde::Serialize;
use std::fmt;

/// The memory that a solve needs, and the available memory: the output of `--dry-run --json`.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct MemoryNeed {
    #[serde(rename = "pieces")]
    num_pieces: usize,
    #[serde(rename = "threads")]
    num_threads: usize,
    #[serde(rename = "memory")]
    estimate: Whole,
    /// Available bytes, if the system reports them.
    #[serde(flatten)]
    available: Option<AvailableMemory>,
    /// The limit of `--max-memory`.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_memory: Option<u64>,
}

/// About how much memory the program takes at its worst moment.
#[derive(Clone, Copy, Debug, Serialize)]
struct Whole {
    #[serde(flatten)]
    solve: MemoryEstimate,
    /// Painting and encoding the boards, or the frames of an animation if they are more.
    outputs: u64,
    /// The program, the pieces, and whatever is more of solving and the outputs, with what the allocator keeps of solving.
    peak: u64,
}

/// The program itself and the stacks of its threads.
const PROGRAM_BYTES: u64 = 12_000_000;
/// The allocator keeps up to so much of the small tables of a solve when they are freed.
const KEPT_BYTES: u64 = 32 << 20;
/// The allocator reserves as much address space for each thread, and uses a part of it. Whether it did so already cannot be
/// told.
const RESERVED_PER_THREAD: u64 = 64 << 20;
/// The size of a PNG file relative to its pixels, of pictures that were measured.
const PNG_SHARE: f64 = 0.6;
/// Frames of an animation and its longer side; all frames are in memory, four bytes a pixel.
const ANIMATION_FRAMES: u64 = 73;
const ANIMATION_PX: f64 = 640.0;

struct OutputsBytes {
    boards: u64,
    animation: u64,
}

/// The memory that painting takes besides the pieces. Boards of unknown size are taken as full.
fn outputs_bytes(puzzle: &Puzzle, is_animated: bool) -> OutputsBytes {
    let pieces = &puzzle.pieces;
    let num_pieces = pieces.num_pieces();
    let num_cells = puzzle.boards.grid().map_or(num_pieces, Grid::num_cells);
    let deep = u64::from(pieces.samples().bits() / 8);
    let channels = pieces.channels() as u64;
    let bytes = |cells: usize, channels: u64| {
        cells as u64 * pieces.shape().num_pixels() as u64 * channels * deep
    };
    let canvas = bytes(num_cells, channels);
    // Holes are painted on a second canvas that has alpha. Values of 16 bit are copied as bytes, and again in the order of bytes
    // of PNG.
    let holed = if num_cells > num_pieces { bytes(num_cells, channels + 1) } else { 0 };
    let copied = if deep > 1 { 2 * canvas.max(holed) } else { 0 };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive, and far below the limit"
    )]
    let encoded = (PNG_SHARE * bytes(num_cells.min(num_pieces), channels) as f64) as u64;
    // The picture's form, or a square if it is unknown.
    let form = puzzle.boards.grid().map_or(1.0, |grid| {
        let shape = pieces.shape();
        let width = f64::from(grid.cols()) * f64::from(shape.width_px());
        let height = f64::from(grid.rows()) * f64::from(shape.height_px());
        width.min(height) / width.max(height)
    });
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a frame")]
    let frame = (4.0 * ANIMATION_PX * ANIMATION_PX * form) as u64;
    OutputsBytes {
        boards: canvas + holed + copied + encoded,
        animation: if is_animated { ANIMATION_FRAMES * frame } else { 0 },
    }
}

impl MemoryNeed {
    /// The need of a puzzle whose pieces are already in memory.
    pub(crate) fn of(
        puzzle: &Puzzle,
        settings: &Settings,
        num_threads: usize,
        max_memory: Option<u64>,
        is_animated: bool,
    ) -> Self {
        let estimate = estimate_memory(puzzle, settings, num_threads);
        let OutputsBytes { boards, animation } = outputs_bytes(puzzle, is_animated);
        // Boards are painted after the solve, and an animation after them: what came before is freed.
        let outputs = boards.max(animation);
        let tables = estimate.sides + estimate.candidates + estimate.search;
        let painting = estimate.pixels + outputs + tables.min(KEPT_BYTES);
        Self {
            num_pieces: puzzle.pieces.num_pieces(),
            num_threads,
            estimate: Whole {
                peak: PROGRAM_BYTES + estimate.peak.max(painting),
                outputs,
                solve: estimate,
            },
            available: available_memory(),
            max_memory,
        }
    }

    /// The bytes needed besides the pieces, which are already in memory.
    const fn still_needed(&self) -> u64 {
        self.estimate.peak - self.estimate.solve.pixels - PROGRAM_BYTES
    }

    /// An error that says what to do, if there is too little memory.
    pub(crate) fn check(&self) -> Result<(), String> {
        const REMEDY: &str = "cut the picture into larger pieces, or use --method gallagher --matcher ratio, which \
                              needs less; --dry-run lists what needs how much, and --ignore-memory solves anyway";
        let (peak, mut still_needed) = (self.estimate.peak, self.still_needed());
        if self.available.is_some_and(|available| available.limited_by == ADDRESS_SPACE) {
            still_needed += (self.num_threads as u64 + 1) * RESERVED_PER_THREAD;
        }
        if let Some(limit) = self.max_memory.filter(|&limit| limit < peak) {
            return Err(format!(
                "solving {} pieces needs about {}, but --max-memory (or FRETSAW_MAX_MEMORY) allows {}; raise it, \
                 {REMEDY}",
                self.num_pieces,
                megabytes(peak),
                megabytes(limit)
            ));
        }
        match self.available {
            Some(AvailableMemory { bytes, limited_by }) if bytes < still_needed => Err(format!(
                "solving {} pieces needs about {} more memory, but only {} are available ({limited_by}); {REMEDY}",
                self.num_pieces,
                megabytes(still_needed),
                megabytes(bytes)
            )),
            _ => self.estimate.solve.try_take().map_err(|_| {
                format!(
                    "solving {} pieces needs about {} more memory, which the system refuses; {REMEDY}",
                    self.num_pieces,
                    megabytes(still_needed)
                )
            }),
        }
    }
}

impl fmt::Display for MemoryNeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} pieces, {} threads", self.num_pieces, self.num_threads)?;
        let Whole { solve, outputs, peak } = self.estimate;
        let MemoryEstimate { pixels, ordered, sides, candidates, search, .. } = solve;
        for (name, bytes, what) in [
            ("program", PROGRAM_BYTES, "the program itself"),
            ("pixels", pixels, "the pieces"),
            ("ordered", ordered, "the pieces in the order in which they are solved"),
            ("sides", sides, "pixels along all sides, and values computed from them"),
            ("candidates", candidates, "candidates of all sides with their probabilities"),
            ("search", search, "tables of pair costs"),
            ("outputs", outputs, "painting or an animation, when most of the solve is freed"),
        ] {
            writeln!(f, "{name:10} {:>12}  {what}", megabytes(bytes))?;
        }
        write!(f, "{:10} {:>12}  at the worst moment", "peak", megabytes(peak))?;
        if let Some(AvailableMemory { bytes, limited_by }) = self.available {
            let bytes = megabytes(bytes);
            write!(f, "\n{:10} {bytes:>12}  besides the pieces ({limited_by})", "available")?;
        }
        if let Some(limit) = self.max_memory {
            write!(f, "\n{:10} {:>12}  --max-memory", "limit", megabytes(limit))?;
        }
        Ok(())
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::picture::synthetic;
    use fretsaw::puzzle::PuzzleType;

    fn need(available: Option<u64>, max_memory: Option<u64>) -> MemoryNeed {
        let (pieces, grid, _) = synthetic::puzzle(4, 5, 28, PuzzleType::Type2, 1);
        let puzzle = Puzzle::new(pieces.clone()).of_type(PuzzleType::Type2).board(grid);
        let available = available.map(|bytes| AvailableMemory { bytes, limited_by: "the machine" });
        MemoryNeed {
            available,
            ..MemoryNeed::of(&puzzle, &Settings::default(), 2, max_memory, false)
        }
    }

    #[test]
    fn a_solve_is_refused_if_it_needs_more_than_is_available() {
        let still_needed = need(None, None).still_needed();
        assert_eq!(need(None, None).check(), Ok(()));
        assert_eq!(need(Some(still_needed), None).check(), Ok(()));
        let reason = need(Some(still_needed - 1), None).check().unwrap_err();
        for word in ["20 pieces", &megabytes(still_needed), "--ignore-memory", "larger pieces"] {
            assert!(reason.contains(word), "{word}: {reason}");
        }
    }

    #[test]
    fn what_threads_reserve_counts_against_a_limit_on_address_space() {
        let free = need(None, None);
        let (bytes, limited_by) = (free.still_needed() + 1, ADDRESS_SPACE);
        let limited = MemoryNeed { available: Some(AvailableMemory { bytes, limited_by }), ..free };
        let reason = limited.check().unwrap_err();
        assert!(reason.contains("ulimit -v"), "{reason}");
    }

    #[test]
    fn a_solve_is_refused_if_it_needs_more_than_it_may_take() {
        let peak = need(None, None).estimate.peak;
        assert_eq!(need(None, Some(peak)).check(), Ok(()));
        let reason = need(None, Some(peak - 1)).check().unwrap_err();
        assert!(reason.contains("--max-memory") && reason.contains("raise it"), "{reason}");
    }
}
