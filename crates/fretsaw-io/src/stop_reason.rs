//! Why a solve ended, in the words of the solution file.

use fretsaw::solution::Termination;

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
