//! Why a solve ended, in the words of the solution file.

use fretsaw::solution::Termination;
use std::sync::OnceLock;
use std::time::Instant;

/// Why a solve was stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The time limit was reached.
    TimeLimit,
    /// The user interrupted.
    Interrupted,
}

impl StopReason {
    /// The status that the solution file records, of a solve that ended so and was asked to stop for `reason`.
    pub const fn status(termination: Termination, reason: Option<Self>) -> &'static str {
        match (termination, reason) {
            (Termination::Stopped, Some(Self::TimeLimit)) => "stopped early: time limit",
            (Termination::Stopped, Some(Self::Interrupted)) => "stopped early: interrupted",
            (Termination::Stopped, None) | (Termination::Finished, _) => "finished",
        }
    }
}

/// When a solve is to stop, and the first reason for which it was. By default never.
#[derive(Debug, Default)]
pub struct StopWhen {
    deadline: Option<Instant>,
    first: OnceLock<StopReason>,
}

impl StopWhen {
    /// Stops at this time, if there is one.
    pub const fn at(deadline: Option<Instant>) -> Self {
        Self { deadline, first: OnceLock::new() }
    }

    /// The reason to stop, if there is one by now. It stays the reason.
    pub fn reason(&self, is_interrupted: bool) -> Option<StopReason> {
        if let Some(&reason) = self.first.get() {
            return Some(reason);
        }
        let reason = if is_interrupted {
            StopReason::Interrupted
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            StopReason::TimeLimit
        } else {
            return None;
        };
        Some(*self.first.get_or_init(|| reason))
    }
}
