//! Doing runs: every one that a file of results does not hold yet, one after the other or several at
//! a time. One JSON line per run is appended to the results as it finishes.

use crate::pools::in_pools;
use crate::results::{LineWriter, identity, results_of};
use crate::set_run::{RunKey, RunRecord};
use crate::{memory, provenance};
use anyhow::Context;
use fretsaw::evaluation::score;
use fretsaw::solve;
use fretsaw_io::StageClock;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

#[derive(Clone, Debug)]
pub(crate) struct RunQueue {
    /// The folder that holds one folder per set.
    pub(crate) data: PathBuf,
    /// The runs. One that occurs twice is done once.
    pub(crate) keys: Vec<RunKey>,
    /// Puzzles to solve at a time, at least 1. They share the threads.
    pub(crate) jobs: usize,
    /// Whether to repeat runs that shared the machine with others, whose times are too long. Only for one
    /// job.
    pub(crate) repeats_disturbed: bool,
}

/// What came of the runs.
#[derive(Debug)]
pub(crate) struct QueueOutcome {
    /// The runs that were asked for, old and new, in the order of the keys.
    pub(crate) records: Vec<RunRecord>,
    /// The runs that failed, and why, in the same order.
    pub(crate) failures: Vec<(RunKey, anyhow::Error)>,
}

/// What came of the runs so far, by their places in the list of keys.
struct Progress {
    writer: LineWriter,
    num_done: usize,
    records: BTreeMap<usize, RunRecord>,
    failures: BTreeMap<usize, anyhow::Error>,
}

impl RunQueue {
    /// Does the runs that `out` does not hold yet, and appends them to it. Calls `report(done, total, key)`
    /// when a run begins.
    ///
    /// Jobs share the threads of the current pool evenly, with at least one each. A failed run does not stop
    /// the others.
    pub(crate) fn run(
        &self,
        out: &Path,
        report: impl Fn(usize, usize, &RunKey) + Sync,
    ) -> anyhow::Result<QueueOutcome> {
        let keys = &self.keys;
        let mut places = BTreeMap::new();
        for (place, key) in keys.iter().enumerate() {
            places.insert(identity(key)?, place);
        }
        let (writer, lines) = LineWriter::open(out)?;
        let mut records = BTreeMap::new();
        for record in results_of(lines.records)?.records {
            let is_done = record.jobs == 1 || !self.repeats_disturbed;
            if let Some(&place) = places.get(&identity(&record.key)?).filter(|_| is_done) {
                records.insert(place, record);
            }
        }
        let mut todo: Vec<usize> =
            places.into_values().filter(|place| !records.contains_key(place)).collect();
        todo.sort_unstable();
        let threads_each = (rayon::current_num_threads() / self.jobs.max(1)).max(1);
        let progress = Progress { writer, num_done: 0, records, failures: BTreeMap::new() };
        let progress = Mutex::new(progress);
        in_pools(self.jobs.min(todo.len()), threads_each, &todo, |&place| {
            let key = &keys[place];
            report(lock(&progress).num_done, todo.len(), key);
            let result = self.run_one(key);
            let mut progress = lock(&progress);
            progress.num_done += 1;
            match result {
                // An error of the writer stops all runs.
                Ok(record) => {
                    progress.writer.append(&record)?;
                    progress.records.insert(place, record);
                }
                Err(error) => {
                    progress.failures.insert(place, error);
                }
            }
            Ok(())
        })?;
        let Progress { records, failures, .. } =
            progress.into_inner().unwrap_or_else(PoisonError::into_inner);
        let failed = |(place, error): (usize, _)| (keys[place].clone(), error);
        Ok(QueueOutcome {
            records: records.into_values().collect(),
            failures: failures.into_iter().map(failed).collect(),
        })
    }

    fn run_one(&self, key: &RunKey) -> anyhow::Result<RunRecord> {
        let (puzzle, truth) = key.puzzle.to_solve(key.puzzle.make(&self.data)?)?;
        let settings = key.settings();
        let is_alone = self.jobs == 1;
        if is_alone {
            memory::reset_peak();
        }
        let clock = StageClock::default();
        let start = Instant::now();
        let outcome = solve(&puzzle, &settings, &clock)
            .with_context(|| key.puzzle.path(&self.data).display().to_string())?;
        let seconds = start.elapsed().as_secs_f64();
        // A stage may run several times.
        let mut stages = BTreeMap::new();
        for (stage, seconds) in clock.times() {
            *stages.entry(stage.name().to_owned()).or_insert(0.0) += seconds;
        }
        Ok(RunRecord {
            key: key.clone(),
            score: score(&truth, &outcome.assembly)?,
            seconds,
            stages,
            peak_bytes: if is_alone { memory::peak_bytes() } else { None },
            jobs: self.jobs,
            settings: serde_json::to_value(settings)?,
            version: env!("CARGO_PKG_VERSION").into(),
            commit: provenance::commit().map(Into::into),
            machine: Some(provenance::machine()),
            threads: Some(rayon::current_num_threads()),
        })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
