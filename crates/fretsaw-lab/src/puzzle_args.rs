//! The flags that choose puzzles: which pictures of which sets, and how they are cut and scrambled.

use crate::images::Images;
use crate::puzzles::PuzzleSet;
use clap::Args as ClapArgs;
use fretsaw::picture::CutSize;
use fretsaw::puzzle::PuzzleType;
use fretsaw::{Matcher, Measure, SolveError};
use fretsaw_cli::by_name::{by_name, puzzle_type};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::parse::{parse_cut_size, parse_grid};
use fretsaw_cli::threads::{MAX_THREADS, with_threads};
use std::num::NonZeroU32;
use std::path::PathBuf;

/// Which puzzles to make, and how many at a time.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Puzzles")]
pub(crate) struct PuzzleArgs {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Names of the sets
    #[arg(long, value_name = "SETS", value_delimiter = ',', required = true)]
    sets: Vec<String>,
    /// Pictures of the sets, by number
    #[arg(long, value_name = "WHICH", default_value = "all",
          value_parser = by_name(Images::ALL, Images::name))]
    images: Images,
    /// Puzzle types: 1 positions unknown, 2 positions and turns, 3 turns
    #[arg(long, value_name = "TYPES", value_delimiter = ',', default_value = "2",
          value_parser = puzzle_type())]
    pub(crate) types: Vec<PuzzleType>,
    /// Pixels of a piece: 28, 40x25 (width x height), or strips: 8xfull, fullx8
    #[arg(long, value_name = "SIZE", default_value = "28", value_parser = parse_cut_size)]
    piece: CutSize,
    /// Take only the middle of every picture: so many columns and rows of pieces
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = parse_grid)]
    cells: Option<(NonZeroU32, NonZeroU32)>,
    /// Use seeds 1 to N [default: 3 for 'run', 'matcher' and 'rotations', 1 for others]
    #[arg(long, value_name = "N")]
    seeds: Option<u64>,
    /// Rates of corrupted sides
    #[arg(long, value_name = "RATES", value_delimiter = ',', default_value = "0")]
    corrupt: Vec<f64>,
    /// Puzzles at a time; they share the threads, which makes each slower
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: usize,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

impl PuzzleArgs {
    /// The puzzles, with this many seeds if no number is given.
    pub(crate) fn puzzle_set(&self, default_seeds: u64) -> Result<PuzzleSet, Failure> {
        self.check()?;
        Ok(PuzzleSet {
            sets: self.sets.clone(),
            images: self.images,
            types: self.types.clone(),
            size: self.piece,
            cells: self.cells.map(|(cols, rows)| (rows.get(), cols.get())),
            num_seeds: self.seeds.unwrap_or(default_seeds),
            corrupt_rates: self.corrupt.clone(),
        })
    }

    /// Runs something on the threads asked for.
    pub(crate) fn on_threads<T: Send>(
        &self,
        run: impl FnOnce() -> anyhow::Result<T> + Send,
    ) -> Result<T, Failure> {
        Ok(with_threads(self.threads, run)??)
    }

    /// Refuses values that are out of range.
    fn check(&self) -> Result<(), Failure> {
        check_jobs(self.jobs)?;
        if self.seeds == Some(0) {
            return Err(Failure::Usage("--seeds must be at least 1".into()));
        }
        if !self.corrupt.iter().all(|rate| (0.0..=1.0).contains(rate)) {
            return Err(Failure::Usage("--corrupt must be between 0 and 1".into()));
        }
        Ok(())
    }

    /// Refuses puzzles whose positions are known.
    pub(crate) fn check_positions_unknown(&self) -> Result<(), Failure> {
        if self.types.iter().any(|puzzle_type| puzzle_type.positions_known()) {
            return Err(Failure::Usage(
                "positions of type 3 puzzles are known, and nothing is searched for: use --types 1 or 2"
                    .into(),
            ));
        }
        Ok(())
    }
}

/// Refuses a matcher that does not know a measure, before any work is done.
pub(crate) fn check_matcher(matcher: Matcher, measure: Measure) -> Result<(), Failure> {
    if matcher.knows(measure) {
        return Ok(());
    }
    Err(Failure::Usage(SolveError::UnknownMeasure { matcher, measure }.to_string()))
}

/// Refuses a number of jobs that is out of range.
pub(crate) fn check_jobs(jobs: usize) -> Result<(), Failure> {
    if !(1..=MAX_THREADS).contains(&jobs) {
        return Err(Failure::Usage(format!("--jobs must be 1 to {MAX_THREADS}")));
    }
    Ok(())
}
