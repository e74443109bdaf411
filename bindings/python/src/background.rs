//! Work on a thread of its own, while the caller's thread waits without the GIL, handles signals and reports
//! progress.

use crate::failure::Failure;
use fretsaw::Assembly;
use fretsaw::observer::{Checkpoints, Observer, Stage};
use fretsaw_io::{StageClock, StopReason, StopWhen};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long the caller's thread waits before it looks for signals: Ctrl-C takes at most so long.
const POLL: Duration = Duration::from_millis(50);
/// The time between two reports of the same stage, and between two boards.
const REPORT_AFTER: Duration = Duration::from_millis(100);
const BOARD_AFTER: Duration = Duration::from_millis(500);

/// The largest number of threads. Systems fail in unclear ways at some tens of thousands.
const MAX_THREADS: usize = 1024;

/// Ends solves from another thread: call it, and each solve that it was given to returns its best board so far.
#[pyclass(frozen, module = "fretsaw")]
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop {
    flags: Arc<Flags>,
}

#[derive(Debug, Default)]
struct Flags {
    is_stopped: AtomicBool,
    is_cancelled: AtomicBool,
}

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Asks the solves to return their best board so far.
    fn __call__(&self) {
        self.flags.is_stopped.store(true, Relaxed);
    }

    /// Whether it was called.
    #[getter]
    fn is_set(&self) -> bool {
        self.flags.is_stopped.load(Relaxed)
    }

    /// Gives the solves up; their answers are lost.
    fn cancel(&self) {
        self.flags.is_cancelled.store(true, Relaxed);
    }
}

/// Watches work: measures its stages, stops it, and keeps what the caller wants to know of it.
#[derive(Debug, Default)]
pub(crate) struct Watcher {
    pub(crate) clock: StageClock,
    stop: Stop,
    /// This work alone is given up.
    is_cancelled: AtomicBool,
    when: StopWhen,
    /// Where to announce stages, if anyone wants to know.
    signals: Option<Sender<Signal>>,
    current: Mutex<Option<Running>>,
    wants_board: AtomicBool,
    board: Mutex<Option<Assembly>>,
    measured: Option<Measured>,
}

/// The finished state of the stage measure, which was found in parts.
#[derive(Debug)]
struct Measured(Vec<u8>);

impl Checkpoints for Measured {
    fn is_due(&self) -> bool {
        false
    }

    fn save(&self, _stage: Stage, _state: Vec<u8>) {}

    fn load(&self, stage: Stage) -> Option<Vec<u8>> {
        (stage == Stage::Measure).then(|| self.0.clone())
    }
}

#[derive(Clone, Copy, Debug)]
struct Running {
    stage: Stage,
    total: u64,
    done: u64,
}

/// What the worker says to the waiting thread.
#[derive(Clone, Copy, Debug)]
enum Signal {
    Started(Stage),
    Done,
}

/// How work may be ended early, and what of it is done already.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ends {
    pub(crate) stop: Stop,
    pub(crate) deadline: Option<Instant>,
    pub(crate) measured: Option<Vec<u8>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watcher {
    /// Why the work was asked to stop, if it was.
    pub(crate) fn reason(&self) -> Option<StopReason> {
        self.when.reason(self.stop.is_set())
    }
}

impl Observer for Watcher {
    fn stage_started(&self, stage: Stage, total: u64) {
        self.clock.stage_started(stage, total);
        if let Some(signals) = &self.signals {
            *lock(&self.current) = Some(Running { stage, total, done: 0 });
            // The caller may have gone.
            let _ = signals.send(Signal::Started(stage));
        }
    }

    fn stage_advanced(&self, _stage: Stage, units: u64) {
        if self.signals.is_some()
            && let Some(running) = &mut *lock(&self.current)
        {
            running.done += units;
        }
    }

    fn stage_finished(&self, stage: Stage) {
        self.clock.stage_finished(stage);
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Relaxed) || self.stop.flags.is_cancelled.load(Relaxed)
    }

    fn is_stopped(&self) -> bool {
        self.reason().is_some()
    }

    fn wants_board(&self) -> bool {
        self.wants_board.load(Relaxed)
    }

    fn board_so_far(&self, board: &Assembly) {
        self.wants_board.store(false, Relaxed);
        *lock(&self.board) = Some(board.clone());
    }

    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        self.measured.as_ref().map(|measured| measured as &dyn Checkpoints)
    }
}

/// Says that the worker is done, also if it panics.
struct SaysDone(Sender<Signal>);

impl Drop for SaysDone {
    fn drop(&mut self) {
        let _ = self.0.send(Signal::Done);
    }
}

/// Reports progress to the caller: stage, share of the stage, and a new board if there is one.
pub(crate) type Report<'a> = &'a dyn Fn(&str, f64, Option<Assembly>) -> PyResult<()>;

/// Does the work on another thread with a pool of `threads` threads; on all cores if `None`.
///
/// # Errors
/// Those of the work; those of the report; and what a signal raises, such as `KeyboardInterrupt`. The last two give the
/// work up, which ends on its own soon after.
pub(crate) fn in_background<T: Send + 'static>(
    py: Python<'_>,
    threads: Option<usize>,
    limits: Ends,
    report: Option<Report<'_>>,
    work: impl FnOnce(&Watcher) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    if threads.is_some_and(|threads| !(1..=MAX_THREADS).contains(&threads)) {
        return Err(Failure::settings(format!("threads must be 1 to {MAX_THREADS}")).into());
    }
    let (sender, mut receiver) = channel();
    let Ends { stop, deadline, measured } = limits;
    let measured = measured.map(Measured);
    let signals = report.is_some().then(|| sender.clone());
    let watcher = Arc::new(Watcher {
        stop,
        when: StopWhen::at(deadline),
        signals,
        measured,
        ..Watcher::default()
    });
    let worker = {
        let watcher = Arc::clone(&watcher);
        std::thread::Builder::new().name("fretsaw".into()).spawn(move || {
            let _says_done = SaysDone(sender);
            with_threads(threads, || work(&watcher))
        })
    };
    let worker =
        worker.map_err(|error| Failure::solve(format!("cannot start a thread: {error}")))?;
    let mut last_report = Instant::now();
    let mut last_board = Instant::now();
    loop {
        let (returned, signal) = py.detach(move || wait(receiver));
        receiver = returned;
        if matches!(signal, Ok(Signal::Done)) {
            break;
        }
        let told = py.check_signals().and_then(|()| {
            let Some(report) = report else { return Ok(()) };
            let now = Instant::now();
            if now - last_board >= BOARD_AFTER {
                watcher.wants_board.store(true, Relaxed);
                last_board = now;
            }
            if let Ok(Signal::Started(stage)) = signal {
                return report(stage.name(), 0.0, None);
            }
            if now - last_report < REPORT_AFTER {
                return Ok(());
            }
            last_report = now;
            let Some(Running { stage, total, done }) = *lock(&watcher.current) else {
                return Ok(());
            };
            let share = if total == 0 { 0.0 } else { done.min(total) as f64 / total as f64 };
            let board = lock(&watcher.board).take();
            report(stage.name(), share, board)
        });
        if let Err(error) = told {
            watcher.is_cancelled.store(true, Relaxed);
            return Err(error);
        }
    }
    let found = py.detach(|| worker.join());
    Ok(found.map_err(|_| Failure::internal("a thread panicked"))??)
}

fn wait(receiver: Receiver<Signal>) -> (Receiver<Signal>, Result<Signal, RecvTimeoutError>) {
    let signal = receiver.recv_timeout(POLL);
    (receiver, signal)
}

fn with_threads<T: Send>(
    threads: Option<usize>,
    run: impl FnOnce() -> Result<T, Failure> + Send,
) -> Result<T, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build();
    let pool = pool.map_err(|error| Failure::solve(format!("cannot start threads: {error}")))?;
    pool.install(run)
}
