//! Measures the times of stages, and shows progress bars on a terminal.

use crate::stop::Stop;
use crate::verbosity::Verbosity;
use fretsaw::observer::{Observer, Stage};
use fretsaw_io::{StageClock, StopReason, Timing};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// A bar appears after this time.
const BAR_AFTER: Duration = Duration::from_millis(500);

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

/// An observer that measures the times of stages, and shows bars for slow ones on a terminal.
pub struct Progress {
    clock: StageClock,
    show: bool,
    stop: Stop,
    current: Mutex<Option<StageProgress>>,
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
    pub fn new(quiet: bool, stop: Stop) -> Self {
        Self {
            clock: StageClock::default(),
            show: !quiet && std::io::stderr().is_terminal(),
            stop,
            current: Mutex::new(None),
        }
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
    fn advance(&mut self, units: u64) {
        self.done += units;
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
}

impl Observer for Progress {
    fn stage_started(&self, stage: Stage, total: u64) {
        self.clock.stage_started(stage, total);
        if self.show
            && let Ok(mut current) = self.current.lock()
        {
            *current =
                Some(StageProgress { stage, started: Instant::now(), total, done: 0, bar: None });
        }
    }

    fn stage_advanced(&self, _stage: Stage, units: u64) {
        if self.show
            && let Ok(mut current) = self.current.lock()
            && let Some(progress) = &mut *current
        {
            progress.advance(units);
        }
    }

    fn stage_finished(&self, stage: Stage) {
        self.clock.stage_finished(stage);
        if let Ok(mut current) = self.current.lock()
            && let Some(StageProgress { bar: Some(bar), .. }) = current.take()
        {
            bar.finish_and_clear();
        }
    }
    fn is_stopped(&self) -> bool {
        self.stop.reason().is_some()
    }
}
