//! Doing runs: every one that a file of results does not hold yet, one after the other or several at
//! a time. One JSON line per run is appended to the results as it finishes.

use crate::results::{LineWriter, identity};
use crate::set_run::{RunKey, RunRecord};
use crate::{memory, provenance};
use anyhow::Context;
use fretsaw::evaluation::score;
use fretsaw::solve;
use fretsaw_cli::clock::StageClock;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Instant;

/// Runs to do.
#[derive(Clone, Debug)]
pub(crate) struct RunQueue {
    /// The folder that holds one folder per set.
    pub(crate) data: PathBuf,
    /// The runs. One that occurs twice is done once.
    pub(crate) keys: Vec<RunKey>,
    /// Puzzles to solve at a time, at least 1. They share the threads.
    pub(crate) jobs: usize,
    /// Whether a run that shared the machine with others is to be done again: its times are not
    /// its own. To be asked with one job only.
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

/// What a worker tells.
enum News {
    /// The run of this number begins.
    Begun(usize),
    /// The run of this number is over.
    Done(usize, Box<anyhow::Result<RunRecord>>),
}

impl RunQueue {
    /// Do the runs that `out` does not hold yet, appending to it; `report(done, total, key)` is
    /// called when one begins, with the number of those that are over.
    ///
    /// The threads of the current pool are shared out evenly among the jobs, at least one to each.
    /// A run that fails stops no other.
    pub(crate) fn run(
        &self,
        out: &Path,
        report: impl Fn(usize, usize, &RunKey),
    ) -> anyhow::Result<QueueOutcome> {
        let keys = &self.keys;
        let mut places = BTreeMap::new();
        for (place, key) in keys.iter().enumerate() {
            places.insert(identity(key)?, place);
        }
        let (mut writer, found) = LineWriter::open_results(out)?;
        let mut records: BTreeMap<usize, RunRecord> = BTreeMap::new();
        for record in found.records {
            let is_done = record.jobs == 1 || !self.repeats_disturbed;
            if let Some(&place) = places.get(&identity(&record.key)?).filter(|_| is_done) {
                records.insert(place, record);
            }
        }
        let mut todo: Vec<usize> =
            places.into_values().filter(|place| !records.contains_key(place)).collect();
        todo.sort_unstable();
        let mut failures = BTreeMap::new();
        let num_workers = self.jobs.min(todo.len());
        let threads_each = (rayon::current_num_threads() / self.jobs.max(1)).max(1);
        let pools = (0..num_workers)
            .map(|_| rayon::ThreadPoolBuilder::new().num_threads(threads_each).build())
            .collect::<Result<Vec<_>, _>>()
            .context("cannot start threads")?;
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (sender, news) = channel();
            for pool in pools {
                let (sender, todo, next) = (sender.clone(), &todo, &next);
                scope.spawn(move || pool.install(|| self.work(todo, next, &sender)));
            }
            // The workers hold the other senders: news end when they do.
            drop(sender);
            let mut num_done = 0;
            for news in news {
                match news {
                    News::Begun(place) => report(num_done, todo.len(), &keys[place]),
                    News::Done(place, result) => {
                        num_done += 1;
                        match *result {
                            // Leaving drops the receiver, upon which the workers stop.
                            Ok(record) => {
                                writer.append(&record)?;
                                records.insert(place, record);
                            }
                            Err(error) => {
                                failures.insert(place, error);
                            }
                        }
                    }
                }
            }
            anyhow::Ok(())
        })?;
        Ok(QueueOutcome {
            records: records.into_values().collect(),
            failures: failures
                .into_iter()
                .map(|(place, error)| (keys[place].clone(), error))
                .collect(),
        })
    }

    /// Takes runs until none is left, or nobody listens any more.
    fn work(&self, todo: &[usize], next: &AtomicUsize, sender: &Sender<News>) {
        while let Some(&place) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
            if sender.send(News::Begun(place)).is_err() {
                return;
            }
            let result = self.run_one(&self.keys[place]);
            if sender.send(News::Done(place, Box::new(result))).is_err() {
                return;
            }
        }
    }

    fn run_one(&self, key: &RunKey) -> anyhow::Result<RunRecord> {
        let (puzzle, truth) = key.puzzle.to_solve(key.puzzle.make(&self.data)?);
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
