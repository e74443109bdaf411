//! Measures the times of stages, and shows progress bars on a terminal.

use crate::stop::Stop;
use crate::verbosity::Verbosity;
use fretsaw::observer::{Observer, Stage};
use fretsaw_io::{StageClock, StopReason, Timing};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A bar appears after this time.
const BAR_AFTER: Duration = Duration::from_millis(500);

/// A search can only guess if a smaller share of the sides show what they touch.
const HOPELESS: f64 = 0.2;
/// That is said after this time and this share of the search, which show how long it may take.
const OUTLOOK_AFTER: Duration = Duration::from_secs(2);
const OUTLOOK_AFTER_SHARE: f64 = 0.05;

/// Runs a task of unknown length, and shows a spinner on a terminal if it takes long.
pub fn with_spinner<T>(verbosity: Verbosity, message: &'static str, run: impl FnOnce() -> T) -> T {
    if verbosity.quiet || !std::io::stderr().is_terminal() {
        return run();
    }
    std::thread::scope(|scope| {
        let (finished, wait) = std::sync::mpsc::channel::<()>();
        scope.spawn(move || {
            // The sender is dropped when the task returns or panics.
            if wait.recv_timeout(BAR_AFTER) == Err(RecvTimeoutError::Timeout) {
                let spinner = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
                spinner.set_message(message);
                spinner.enable_steady_tick(Duration::from_millis(100));
                let _ = wait.recv();
                spinner.finish_and_clear();
            }
        });
        let result = run();
        drop(finished);
        result
    })
}

/// An observer that measures the times of stages, and shows bars for slow ones on a terminal. It warns of long searches
/// that can only guess.
pub struct Progress {
    clock: StageClock,
    verbosity: Verbosity,
    shows_bars: bool,
    stop: Stop,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    current: Option<StageProgress>,
    /// The share of the sides that show what they touch, until it was warned of.
    telling_share: Option<f64>,
}

struct StageProgress {
    stage: Stage,
    started: Instant,
    total: u64,
    done: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// `stop` decides when to stop early.
    pub fn new(verbosity: Verbosity, stop: Stop) -> Self {
        Self {
            clock: StageClock::default(),
            verbosity,
            shows_bars: !verbosity.quiet && std::io::stderr().is_terminal(),
            stop,
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Only for display: as good after a panic of another thread as before.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why the solve was stopped early, if it was.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.stop.reason()
    }

    /// The stages' times, in the form of the solution file.
    pub fn timings(&self) -> Vec<Timing> {
        self.clock.timings()
    }
}

impl StageProgress {
    fn advance(&mut self, units: u64, shows_bars: bool) {
        self.done += units;
        if !shows_bars {
            return;
        }
        if self.bar.is_none() && self.started.elapsed() >= BAR_AFTER {
            let bar = ProgressBar::with_draw_target(Some(self.total), ProgressDrawTarget::stderr());
            if let Ok(style) =
                ProgressStyle::with_template("{msg:10} {wide_bar} {percent:>3} % {eta} left")
            {
                bar.set_style(style);
            }
            bar.set_message(self.stage.name());
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done.min(self.total));
        }
    }

    /// The longest that the stage may take, from now on, by what it took until now; `None` before that can be told.
    fn time_left(&self) -> Option<Duration> {
        let elapsed = self.started.elapsed();
        let share = self.done as f64 / self.total.max(1) as f64;
        let can_tell = share >= OUTLOOK_AFTER_SHARE && elapsed >= OUTLOOK_AFTER;
        can_tell.then(|| elapsed.mul_f64((1.0 / share - 1.0).max(0.0)))
    }
}

/// What to say of a search that can only guess.
fn outlook(telling_share: f64, time_left: Duration) -> String {
    format!(
        "only about {:.0} % of the sides show what they touch, so most of the picture will be a guess; the search may \
         take up to {:.0} s more, and Ctrl-C or --time-limit return the best board so far",
        100.0 * telling_share,
        time_left.as_secs_f64().max(1.0)
    )
}

impl Observer for Progress {
    fn stage_started(&self, stage: Stage, total: u64) {
        self.clock.stage_started(stage, total);
        let started = Instant::now();
        self.state().current = Some(StageProgress { stage, started, total, done: 0, bar: None });
    }

    fn stage_advanced(&self, _stage: Stage, units: u64) {
        let state = &mut *self.state();
        let Some(current) = &mut state.current else { return };
        current.advance(units, self.shows_bars);
        if current.stage == Stage::Search
            && let Some(telling_share) = state.telling_share
            && let Some(time_left) = current.time_left()
        {
            state.telling_share = None;
            let warn = || self.verbosity.warn(outlook(telling_share, time_left));
            match &current.bar {
                Some(bar) => bar.suspend(warn),
                None => warn(),
            }
        }
    }

    fn stage_finished(&self, stage: Stage) {
        self.clock.stage_finished(stage);
        if let Some(StageProgress { bar: Some(bar), .. }) = self.state().current.take() {
            bar.finish_and_clear();
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.reason().is_some()
    }

    fn matched(&self, telling_share: f64) {
        let percent = 100.0 * telling_share;
        self.verbosity.detail(format!("{percent:.1} % of the sides show what they touch"));
        self.state().telling_share = (telling_share < HOPELESS).then_some(telling_share);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_search_follows_from_what_it_took_until_now() {
        let stage = |seconds, done| StageProgress {
            stage: Stage::Search,
            started: Instant::now() - Duration::from_secs(seconds),
            total: 100,
            done,
            bar: None,
        };
        assert_eq!(stage(1, 50).time_left(), None);
        assert_eq!(stage(10, 4).time_left(), None);
        let left = stage(10, 20).time_left().unwrap().as_secs_f64();
        assert!((left - 40.0).abs() < 1.0, "{left}");
        assert_eq!(stage(10, 200).time_left(), Some(Duration::ZERO));
        let said = outlook(0.034, Duration::from_secs(353));
        assert!(said.contains("3 %") && said.contains("353 s"), "{said}");
    }
}
