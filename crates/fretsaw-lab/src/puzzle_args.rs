//! The flags that choose puzzles: which pictures of which sets, and how they are cut and scrambled.

use crate::puzzles::PuzzleSet;
use clap::Args as ClapArgs;
use fretsaw::SolveError;
use fretsaw::settings::{Matcher, Measure};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::threads::{MAX_THREADS, with_threads};
use std::path::PathBuf;

/// Which puzzles to make, and how many at a time.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Puzzles")]
pub(crate) struct PuzzleArgs {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    #[command(flatten)]
    pub(crate) set: PuzzleSet,
    /// Puzzles at a time; they share the threads, which makes each slower
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: usize,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

impl PuzzleArgs {
    /// The puzzles, with this many seeds if no number is given; values out of range are refused.
    pub(crate) fn puzzle_set(&self, default_seeds: u64) -> Result<PuzzleSet, Failure> {
        check_jobs(self.jobs)?;
        let num_seeds = self.set.num_seeds.unwrap_or(default_seeds);
        check_positive("--seeds", num_seeds)?;
        if !self.set.corrupt_rates.iter().all(|rate| (0.0..=1.0).contains(rate)) {
            return Err(Failure::Usage("--corrupt must be between 0 and 1".into()));
        }
        Ok(PuzzleSet { num_seeds: Some(num_seeds), ..self.set.clone() })
    }

    /// Runs something on the threads asked for.
    pub(crate) fn on_threads<T: Send>(
        &self,
        run: impl FnOnce() -> anyhow::Result<T> + Send,
    ) -> Result<T, Failure> {
        Ok(with_threads(self.threads, run)??)
    }

    /// Refuses puzzles whose positions are known.
    pub(crate) fn check_positions_unknown(&self) -> Result<(), Failure> {
        if self.set.types().iter().any(|puzzle_type| puzzle_type.positions_known()) {
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

pub(crate) fn check_positive<T: Default + PartialOrd>(
    flag: &str,
    number: T,
) -> Result<(), Failure> {
    if number > T::default() {
        return Ok(());
    }
    Err(Failure::Usage(format!("{flag} must be at least 1")))
}
