//! How a caller watches and stops a long computation.
//!
//! The library reads no clock and prints nothing: it tells an [`Observer`] which stage it is in
//! and how far it got, and asks it now and then whether to go on. There are two ways not to: to
//! [cancel](Observer::is_cancelled), which gives up without an answer, and to
//! [stop](Observer::is_stopped), which asks for the best answer so far.

/// A part of the work that takes time of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Reading the pixels along all sides.
    Prepare,
    /// How badly sides fit: the k best candidates of each side.
    Measure,
    /// How likely sides belong together, given their candidates.
    Match,
    /// Finding the pieces' turns.
    Rotate,
    /// Putting pieces together.
    Assemble,
    /// Changing a whole board for the better, for as long as that is worth it.
    Search,
    /// Going back over a solution, before another turn of rotating and assembling.
    Update,
}

crate::named_enum!(Stage {
    Prepare: "prepare",
    Measure: "measure",
    Match: "match",
    Rotate: "rotate",
    Assemble: "assemble",
    Search: "search",
    Update: "update"
});

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

    /// Whether to give up as soon as possible, without an answer.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Whether to end with the best answer so far.
    ///
    /// Only the method [`fretsaw`](crate::methods::fretsaw) heeds it; all others go on to their end.
    /// If there is no board yet, the work goes on until there is one: whoever wants nothing at all
    /// cancels. Once it says yes it must not say no again.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Whether to be given states at all, so as to go on from there another time. A stage whose result
    /// is dear then [gives](Self::save_state) it at its end, wanted at that moment or not.
    fn keeps_states(&self) -> bool {
        false
    }

    /// Whether to be given the state of the work now. An observer that [keeps](Self::keeps_states) none
    /// says no.
    fn wants_state(&self) -> bool {
        false
    }

    /// The state of a stage, of use to the same stage of the same puzzle with the same settings only.
    /// It replaces the one given before.
    fn save_state(&self, stage: Stage, state: Vec<u8>) {
        let _ = (stage, state);
    }

    /// The state of a stage that was saved another time: the stage goes on from there, and comes to
    /// the same end as if it had never stopped.
    fn saved_state(&self, stage: Stage) -> Option<Vec<u8>> {
        let _ = stage;
        None
    }
}

/// Whether a method came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// It did all it had to do.
    Finished,
    /// The observer asked for the answer before that: see [`Observer::is_stopped`].
    Stopped,
}

/// Watches nothing, never cancels and never stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// Passes everything on to another observer but the states of stages, which are neither given nor
/// asked for: for work that is not to be mistaken for the same stage done for good.
#[derive(Clone, Copy)]
pub(crate) struct WithoutStates<'a>(pub(crate) &'a dyn Observer);

impl Observer for WithoutStates<'_> {
    fn stage_started(&self, stage: Stage, total: u64) {
        self.0.stage_started(stage, total);
    }

    fn stage_advanced(&self, stage: Stage, units: u64) {
        self.0.stage_advanced(stage, units);
    }

    fn stage_finished(&self, stage: Stage) {
        self.0.stage_finished(stage);
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }
}

/// Passes on what an observer asks for, and tells it nothing.
#[derive(Clone, Copy)]
pub(crate) struct Muted<'a>(pub(crate) &'a dyn Observer);

impl Observer for Muted<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }
}

/// The observer asked to give up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// `Err(Cancelled)` if the observer asked to give up, for use with `?` inside loops.
///
/// # Errors
/// If the observer asked to give up.
pub fn check_cancelled(observer: &dyn Observer) -> Result<(), Cancelled> {
    if observer.is_cancelled() { Err(Cancelled) } else { Ok(()) }
}
