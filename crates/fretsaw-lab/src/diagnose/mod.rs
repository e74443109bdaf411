//! Examinations of single parts of the solver on sets of pictures, one file each.
//!
//! All but [`sheets`] take a list of puzzles, make each of them, and give one record per puzzle, from
//! which they make tables.

pub(crate) mod boards;
pub(crate) mod confidence;
pub(crate) mod energy;
pub(crate) mod matcher;
pub(crate) mod matcher_counts;
pub(crate) mod reference;
pub(crate) mod rotations;
pub(crate) mod sheets;
pub(crate) mod turns;

use crate::pools::share_threads;
use crate::puzzles::{PuzzleKey, PuzzleSet};
use crate::set_run::{MethodKey, RunKey, SetRun};
use anyhow::Context;
use fretsaw::picture::Scrambled;
use fretsaw::unstable::methods::fretsaw::Effort;
use std::path::Path;

/// Runs of the method fretsaw, with the defaults of `solve`, on these puzzles.
pub(crate) fn fretsaw_runs(
    puzzles: &PuzzleSet,
    efforts: &[Effort],
    data: &Path,
) -> anyhow::Result<Vec<RunKey>> {
    let methods = efforts.iter().map(|&effort| MethodKey::Fretsaw { effort: Some(effort) });
    SetRun::new(puzzles.clone(), &methods.collect::<Vec<_>>()).keys(data)
}

/// Makes every puzzle and works on it, so many at a time, which share the threads. Results are in the
/// order of the keys; an error names the picture.
fn with_puzzles<K: AsRef<PuzzleKey> + Sync, T: Send>(
    data: &Path,
    keys: &[K],
    jobs: usize,
    work: impl Fn(&K, Scrambled) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    share_threads(jobs, keys, |key| {
        let puzzle = key.as_ref();
        let scrambled = puzzle.make(data)?;
        work(key, scrambled).with_context(|| puzzle.path(data).display().to_string())
    })
}
