//! Asking a solve for its best board so far: after a time, or when the user interrupts.

use crate::verbosity::Verbosity;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What shells take for "termination by an interrupt".
const INTERRUPTED_EXIT_CODE: i32 = 130;

/// Whether the user interrupted. Signals are the process's, and so is this.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Why a method was asked for its best board so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The time given was over.
    TimeLimit,
    /// The user interrupted.
    Interrupted,
}

impl StopReason {
    /// The status of a solution that came about so.
    #[must_use]
    pub const fn status(self) -> &'static str {
        match self {
            Self::TimeLimit => "stopped early: time limit",
            Self::Interrupted => "stopped early: interrupted",
        }
    }
}

/// When to ask for the best board so far. By default never.
#[derive(Debug, Default)]
pub struct Stop {
    /// When the time is over.
    deadline: Option<Instant>,
    heeds_interrupts: bool,
    /// What came first.
    reason: OnceLock<StopReason>,
}

impl Stop {
    /// When the user interrupts, or so long after the start, if there is a limit.
    #[must_use]
    pub fn after(start: Instant, limit: Option<Duration>) -> Self {
        Self {
            deadline: limit.map(|limit| start + limit),
            heeds_interrupts: true,
            reason: OnceLock::new(),
        }
    }

    /// Why to stop, if that is to be.
    #[must_use]
    pub fn reason(&self) -> Option<StopReason> {
        if let Some(&reason) = self.reason.get() {
            return Some(reason);
        }
        let reason = if self.heeds_interrupts && INTERRUPTED.load(Ordering::Relaxed) {
            StopReason::Interrupted
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            StopReason::TimeLimit
        } else {
            return None;
        };
        Some(*self.reason.get_or_init(|| reason))
    }
}

/// From now on the first Ctrl-C (or request to terminate) is noted for [`Stop`], and the second ends
/// the process.
///
/// Whoever started the process may have told it to ignore such signals, as `nohup` does: then all of
/// them are left as they are.
pub fn heed_interrupts(verbosity: Verbosity) {
    let handler = move || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            fretsaw_io::remove_temporary_files();
            std::process::exit(INTERRUPTED_EXIT_CODE);
        }
        if !verbosity.quiet {
            // The terminal may be gone, and the board is wanted all the same.
            let _ = writeln!(
                std::io::stderr(),
                "ending with the best board so far; Ctrl-C again to give up"
            );
        }
    };
    // Without it an interrupt ends the process at once, as it does elsewhere.
    if let Err(error) = ctrlc::try_set_handler(handler) {
        verbosity.detail(format!("an interrupt will not end with the best board so far: {error}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_out_once() {
        let start = Instant::now();
        assert_eq!(Stop::default().reason(), None);
        let limit = |seconds| Stop::after(start, Some(Duration::from_secs_f64(seconds)));
        assert_eq!(limit(3600.0).reason(), None);
        let over = limit(1e-9);
        assert_eq!(over.reason(), Some(StopReason::TimeLimit));
        assert_eq!(over.reason(), Some(StopReason::TimeLimit));
    }
}
