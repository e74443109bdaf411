//! Compares the memory that a solve needs with the available memory.

use fretsaw::unstable::{MemoryEstimate, estimate_memory};
use fretsaw::{Puzzle, Settings};
use fretsaw_cli::failure::Failure;
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
    estimate: MemoryEstimate,
    /// Available bytes, if the system reports them.
    available: Option<u64>,
}

impl MemoryNeed {
    /// The need of a puzzle whose pieces are already in memory.
    pub(crate) fn of(puzzle: &Puzzle, settings: &Settings, num_threads: usize) -> Self {
        Self {
            num_pieces: puzzle.pieces.num_pieces(),
            num_threads,
            estimate: estimate_memory(puzzle, settings, num_threads),
            available: available_bytes(),
        }
    }

    /// The bytes needed besides the pieces, which are already in memory.
    const fn still_needed(&self) -> u64 {
        self.estimate.peak - self.estimate.pixels
    }

    /// An error that says what to do, if there is too little memory.
    pub(crate) fn check(&self) -> Result<(), String> {
        match self.available {
            Some(available) if available < self.still_needed() => Err(format!(
                "solving {} pieces needs about {} more memory, but only {} are available; cut the \
                 picture into larger pieces, or use --method gallagher --matcher ratio, which needs \
                 less; --dry-run lists what needs how much, and --ignore-memory solves anyway",
                self.num_pieces,
                megabytes(self.still_needed()),
                megabytes(available)
            )),
            _ => Ok(()),
        }
    }

    pub(crate) fn json(&self) -> Result<String, Failure> {
        Ok(serde_json::to_string(self).map_err(anyhow::Error::from)?)
    }
}

impl fmt::Display for MemoryNeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} pieces, {} threads", self.num_pieces, self.num_threads)?;
        let MemoryEstimate { pixels, sides, candidates, search, peak } = self.estimate;
        for (name, bytes, what) in [
            ("pixels", pixels, "the pieces"),
            ("sides", sides, "pixels along all sides, and values computed from them"),
            ("candidates", candidates, "candidates of all sides with their probabilities"),
            ("search", search, "tables of pair costs"),
        ] {
            writeln!(f, "{name:10} {:>12}  {what}", megabytes(bytes))?;
        }
        write!(f, "{:10} {:>12}  total", "peak", megabytes(peak))?;
        if let Some(available) = self.available {
            write!(f, "\n{:10} {:>12}  besides the pieces", "available", megabytes(available))?;
        }
        Ok(())
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// Memory available without swapping; `None` if the system has no `/proc`.
fn available_bytes() -> Option<u64> {
    available_in(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

fn available_in(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::puzzle::PuzzleType;
    use fretsaw::synthetic;

    fn need(available: Option<u64>) -> MemoryNeed {
        let (pieces, grid, _) = synthetic::puzzle(4, 5, 28, PuzzleType::Type2, 1);
        let puzzle = Puzzle::new(pieces.clone()).of_type(PuzzleType::Type2).board(grid);
        MemoryNeed { available, ..MemoryNeed::of(&puzzle, &Settings::default(), 2) }
    }

    #[test]
    fn a_solve_is_refused_if_it_needs_more_than_is_available() {
        let still_needed = need(None).still_needed();
        assert_eq!(need(None).check(), Ok(()));
        assert_eq!(need(Some(still_needed)).check(), Ok(()));
        let reason = need(Some(still_needed - 1)).check().unwrap_err();
        for word in ["20 pieces", &megabytes(still_needed), "--ignore-memory", "larger pieces"] {
            assert!(reason.contains(word), "{word}: {reason}");
        }
    }

    #[test]
    fn available_memory_is_read_from_meminfo() {
        let meminfo = "MemTotal:  2000 kB\nMemFree:  10 kB\nMemAvailable:     1000 kB\n";
        assert_eq!(available_in(meminfo), Some(1_024_000));
        assert_eq!(available_in("MemTotal:  2000 kB\n"), None);
    }
}
