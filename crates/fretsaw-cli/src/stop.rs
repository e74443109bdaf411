//! Stops a solve early, after a time limit or when the user interrupts, with its best board so far.

use crate::stdout::tell;
use crate::verbosity::Verbosity;
use fretsaw_io::{StopReason, StopWhen};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The conventional exit code after an interrupt.
const INTERRUPTED_EXIT_CODE: i32 = 130;

/// Whether the user interrupted. Global, because signals are sent to the whole process.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// When to stop early. By default never.
#[derive(Debug, Default)]
pub struct Stop {
    when: StopWhen,
    catches_interrupts: bool,
}

impl Stop {
    /// Stops when the user interrupts, or `limit` after `start`.
    pub fn after(start: Instant, limit: Option<Duration>) -> Self {
        Self { when: StopWhen::at(limit.map(|limit| start + limit)), catches_interrupts: true }
    }

    /// The reason to stop, if there is one by now.
    pub fn reason(&self) -> Option<StopReason> {
        self.when.reason(self.catches_interrupts && INTERRUPTED.load(Ordering::Relaxed))
    }
}

/// From now on the first Ctrl-C (or termination signal) is recorded for [`Stop`], and the second ends the
/// process.
///
/// If the process was started with such signals ignored, as by `nohup`, they stay ignored.
pub fn catch_interrupts(verbosity: Verbosity) {
    let handler = move || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            fretsaw_io::remove_temporary_files();
            std::process::exit(INTERRUPTED_EXIT_CODE);
        }
        if !verbosity.quiet {
            tell("stopping with the best board so far; press Ctrl-C again to give up");
        }
    };
    // Without the handler an interrupt ends the process at once.
    if let Err(error) = ctrlc::try_set_handler(handler) {
        verbosity.detail(format!("Ctrl-C cannot stop with the best board so far: {error}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_limit_that_is_reached_stays_the_reason() {
        let start = Instant::now();
        assert_eq!(Stop::default().reason(), None);
        let limit = |seconds| Stop::after(start, Some(Duration::from_secs_f64(seconds)));
        assert_eq!(limit(3600.0).reason(), None);
        let over = limit(1e-9);
        assert_eq!(over.reason(), Some(StopReason::TimeLimit));
        assert_eq!(over.reason(), Some(StopReason::TimeLimit));
    }
}
