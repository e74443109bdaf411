//! How a caller watches and stops a long computation.
//!
//! The library reads no clock and prints nothing: it tells an [`Observer`] which stage it is in
//! and how far it got, and asks it now and then whether to go on.

/// A part of the work that takes time of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Reading the pixels along all sides.
    Prepare,
    /// How badly sides fit: the k best candidates of each side.
    Measure,
    /// How likely sides belong together, given their candidates.
    Judge,
    /// Finding the pieces' turns.
    Rotate,
    /// Putting pieces together.
    Assemble,
    /// Going back over a solution, before another turn of rotating and assembling.
    Update,
}

impl Stage {
    /// A short lower-case name, as used in reports and result files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Prepare => "prepare",
            Self::Measure => "measure",
            Self::Judge => "judge",
            Self::Rotate => "rotate",
            Self::Assemble => "assemble",
            Self::Update => "update",
        }
    }
}

/// Watches a computation. All methods may be called from several threads.
pub trait Observer: Sync {
    /// A stage begins; `total` is its work in units of its own.
    fn stage_started(&self, stage: Stage, total: u64) {
        let _ = (stage, total);
    }

    /// Another `units` of the stage's work are done.
    fn stage_advanced(&self, stage: Stage, units: u64) {
        let _ = (stage, units);
    }

    /// The stage is over.
    fn stage_finished(&self, stage: Stage) {
        let _ = stage;
    }

    /// Whether to stop as soon as possible.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Watches nothing and never cancels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// The observer asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// `Err(Cancelled)` if the observer asked to stop, for use with `?` inside loops.
///
/// # Errors
/// If the observer asked to stop.
pub fn check_cancelled(observer: &dyn Observer) -> Result<(), Cancelled> {
    if observer.is_cancelled() { Err(Cancelled) } else { Ok(()) }
}
