//! Wall-clock times of stages.

use crate::Timing;
use fretsaw::observer::{Observer, Stage};
use std::sync::{LazyLock, Mutex};
use std::time::Instant;

/// An observer that records the duration of each stage.
#[derive(Debug)]
pub struct StageClock {
    /// Seconds since some moment.
    now: fn() -> f64,
    running: Mutex<Vec<(Stage, f64)>>,
    finished: Mutex<Vec<(Stage, f64)>>,
}

impl Default for StageClock {
    fn default() -> Self {
        static START: LazyLock<Instant> = LazyLock::new(Instant::now);
        Self::new(|| START.elapsed().as_secs_f64())
    }
}

impl StageClock {
    /// Reads this clock, which returns the seconds since any fixed moment. In the browser the standard library has none.
    pub const fn new(now: fn() -> f64) -> Self {
        Self { now, running: Mutex::new(Vec::new()), finished: Mutex::new(Vec::new()) }
    }

    /// The finished stages and their seconds, in the order in which they finished.
    pub fn times(&self) -> Vec<(Stage, f64)> {
        lock(&self.finished).clone()
    }

    /// The same in the form of the solution file.
    pub fn timings(&self) -> Vec<Timing> {
        let timing =
            |(stage, seconds): (Stage, f64)| Timing { stage: stage.name().into(), seconds };
        self.times().into_iter().map(timing).collect()
    }

    /// Seconds of one stage, zero if it did not run.
    pub fn seconds(&self, stage: Stage) -> f64 {
        lock(&self.finished).iter().filter(|(s, _)| *s == stage).map(|(_, secs)| secs).sum()
    }
}

/// Ignores poisoning: the times are valid even if another thread panicked.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Observer for StageClock {
    fn stage_started(&self, stage: Stage, _total: u64) {
        lock(&self.running).push((stage, (self.now)()));
    }

    fn stage_finished(&self, stage: Stage) {
        let mut running = lock(&self.running);
        if let Some(index) = running.iter().rposition(|(s, _)| *s == stage) {
            let (_, start) = running.remove(index);
            lock(&self.finished).push((stage, (self.now)() - start));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn stages_are_timed_by_the_clock_that_is_given() {
        static TICKS: AtomicU32 = AtomicU32::new(0);
        let clock = StageClock::new(|| f64::from(TICKS.fetch_add(2, Ordering::Relaxed)));
        clock.stage_started(Stage::Search, 1);
        clock.stage_started(Stage::Assemble, 1);
        clock.stage_finished(Stage::Assemble);
        clock.stage_finished(Stage::Search);
        assert_eq!(clock.times(), [(Stage::Assemble, 2.0), (Stage::Search, 6.0)]);
    }
}
