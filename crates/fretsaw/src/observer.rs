//! How a caller watches, stops and saves a long computation.
//!
//! The library reads no clock and prints nothing. It reports its stage and progress to an [`Observer`], and regularly
//! checks whether to continue. There are two ways to end early: to [cancel](Observer::is_cancelled), which
//! gives up without an answer, and to [stop](Observer::is_stopped), which returns the best answer so far. Who wants to
//! watch the board grow is [shown the best one so far](Observer::board_so_far).
//!
//! Saving is apart from observing: an observer may offer [`Checkpoints`], to which expensive stages save their
//! progress and from which they continue.

use crate::puzzle::Assembly;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A part of the work that takes time of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Reading the strips along all sides.
    Prepare,
    /// Finding the k best candidates of every side.
    Measure,
    /// Turning candidates into match probabilities.
    Match,
    /// Finding the pieces' turns.
    Rotate,
    /// Putting pieces together.
    Assemble,
    /// Improving a whole board.
    Search,
    /// Updating the connection graph by a solution, before turns and positions are found again.
    Update,
}

crate::named_enum!(Stage {
    Prepare: "prepare",
    Measure: "measure",
    Match: "match",
    Rotate: "rotate",
    Assemble: "assemble",
    Search: "search",
    Update: "update",
});

/// Watches a computation. All methods may be called from several threads.
pub trait Observer: Sync {
    /// A stage begins; `_total` is its work in units of its own.
    fn stage_started(&self, _stage: Stage, _total: u64) {}

    /// Another `_units` of the stage's work are done.
    fn stage_advanced(&self, _stage: Stage, _units: u64) {}

    /// The stage is over.
    fn stage_finished(&self, _stage: Stage) {}

    /// Whether to give up as soon as possible, without an answer.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Whether to return the best answer so far.
    ///
    /// Only [`Method::Fretsaw`](crate::Method::Fretsaw) stops early; all other methods finish. If there is no board yet,
    /// the work continues until there is one. Once it returns true, it must not return false again.
    fn is_stopped(&self) -> bool {
        false
    }

    /// All sides are matched: about this share of them, from 0 to 1, show what they touch, by the probabilities of the
    /// matcher. If it is small, the search that follows can only guess. Matchers without probabilities say nothing.
    fn matched(&self, _telling_share: f64) {}

    /// Whether to call [`Self::board_so_far`] now. It is asked between the rounds of a search; an observer that has
    /// just drawn a board may decline.
    fn wants_board(&self) -> bool {
        false
    }

    /// The best board so far, with the pieces as they are numbered in the puzzle. Pieces may be unplaced. Only
    /// [`Method::Fretsaw`](crate::Method::Fretsaw) shows boards.
    fn board_so_far(&self, _board: &Assembly) {}

    /// Where to save progress, if anywhere.
    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        None
    }
}

/// Keeps the states of stages, so that another solve of the same puzzle with the same settings can continue from them
/// and find the same answer.
pub trait Checkpoints: Sync {
    /// Whether a stage should save its state now. Expensive stages also save their result on completion.
    fn is_due(&self) -> bool;

    /// Saves the state of a stage. It replaces the one saved before.
    fn save(&self, stage: Stage, state: Vec<u8>);

    /// The saved state of a stage. A state that does not fit is ignored by the stage.
    fn load(&self, stage: Stage) -> Option<Vec<u8>>;
}

/// Whether a method finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// It finished.
    Finished,
    /// The observer stopped it, and the answer is the best so far: see [`Observer::is_stopped`].
    Stopped,
}

/// Watches nothing, never cancels and never stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {}

/// An observer of work inside a stage: it passes on cancelling and stopping, but reports no progress and saves nothing.
#[derive(Clone, Copy)]
pub struct Muted<'a>(pub &'a dyn Observer);

impl Observer for Muted<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }
}

/// An observer of work that can be replaced by quicker work: it cancels this work if it is asked to stop.
#[derive(Clone, Copy)]
pub struct StopCancels<'a>(pub &'a dyn Observer);

impl Observer for StopCancels<'_> {
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
        is_over(self.0)
    }

    fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }

    fn matched(&self, telling_share: f64) {
        self.0.matched(telling_share);
    }

    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        self.0.checkpoints()
    }
}

/// An observer of work on a board in another form: it passes on everything, boards in the caller's form.
pub(crate) struct OtherBoards<'a, F> {
    pub(crate) observer: &'a dyn Observer,
    /// The caller's form of a board, if it has one.
    pub(crate) convert: F,
}

impl<F: Fn(&Assembly) -> Option<Assembly> + Sync> Observer for OtherBoards<'_, F> {
    fn stage_started(&self, stage: Stage, total: u64) {
        self.observer.stage_started(stage, total);
    }

    fn stage_advanced(&self, stage: Stage, units: u64) {
        self.observer.stage_advanced(stage, units);
    }

    fn stage_finished(&self, stage: Stage) {
        self.observer.stage_finished(stage);
    }

    fn is_cancelled(&self) -> bool {
        self.observer.is_cancelled()
    }

    fn is_stopped(&self) -> bool {
        self.observer.is_stopped()
    }

    fn matched(&self, telling_share: f64) {
        self.observer.matched(telling_share);
    }

    fn wants_board(&self) -> bool {
        self.observer.wants_board()
    }

    fn board_so_far(&self, board: &Assembly) {
        if let Some(converted) = (self.convert)(board) {
            self.observer.board_so_far(&converted);
        }
    }

    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        self.observer.checkpoints()
    }
}

/// The observer cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// `Err(Cancelled)` if the observer cancels, for use with `?` inside loops.
pub fn check_cancelled(observer: &dyn Observer) -> Result<(), Cancelled> {
    if observer.is_cancelled() { Err(Cancelled) } else { Ok(()) }
}

/// Whether the observer stops or cancels, so that work in progress should end with what it has.
pub(crate) fn is_over(observer: &dyn Observer) -> bool {
    observer.is_stopped() || observer.is_cancelled()
}

/// Asks an observer whether it is stopped or cancelled, for work in so small steps that to ask each time would take long.
pub(crate) struct Asking<'a> {
    observer: &'a dyn Observer,
    steps: AtomicUsize,
    is_over: AtomicBool,
}

impl<'a> Asking<'a> {
    /// Steps between two questions: some milliseconds.
    const STEPS: usize = 128;

    pub(crate) const fn new(observer: &'a dyn Observer) -> Self {
        Self { observer, steps: AtomicUsize::new(0), is_over: AtomicBool::new(false) }
    }

    /// Whether to go on with the next step. Once it says no, it always does.
    pub(crate) fn goes_on(&self) -> bool {
        let step = self.steps.fetch_add(1, Ordering::Relaxed);
        if step.is_multiple_of(Self::STEPS) && is_over(self.observer) {
            self.is_over.store(true, Ordering::Relaxed);
        }
        !self.is_over.load(Ordering::Relaxed)
    }
}

/// An observer for tests that keeps every saved state of one stage, and may provide one to continue from.
#[cfg(test)]
#[derive(Default)]
pub(crate) struct Keeper {
    pub(crate) given: Option<Vec<u8>>,
    kept: std::sync::Mutex<Vec<Vec<u8>>>,
}

#[cfg(test)]
impl Keeper {
    pub(crate) fn continuing_from(given: Option<Vec<u8>>) -> Self {
        Self { given, ..Self::default() }
    }

    /// All states in the order in which they were saved.
    pub(crate) fn into_states(self) -> Vec<Vec<u8>> {
        self.kept.into_inner().unwrap()
    }
}

#[cfg(test)]
impl Observer for Keeper {
    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        Some(self)
    }
}

#[cfg(test)]
impl Checkpoints for Keeper {
    fn is_due(&self) -> bool {
        true
    }

    fn save(&self, _: Stage, state: Vec<u8>) {
        self.kept.lock().unwrap().push(state);
    }

    fn load(&self, _: Stage) -> Option<Vec<u8>> {
        self.given.clone()
    }
}
