//! Faults on purpose: in tests, the nth operation on a file fails.
//!
//! [`step`] stands before every operation that the system could refuse: creating, writing, syncing, renaming, reading.
//! Outside of this crate's own tests it does nothing.

use std::io;

/// An operation is about to begin.
#[cfg(not(test))]
#[expect(clippy::unnecessary_wraps, reason = "it fails in tests")]
pub(crate) const fn step() -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
pub(crate) use counted::{step, with_fault_at};

#[cfg(test)]
mod counted {
    use super::io;
    use std::cell::Cell;

    thread_local! {
        /// The operations left before the fault; `None` if none is to fail.
        static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
    }

    /// Fails if the countdown of this thread has reached its end.
    pub(crate) fn step() -> io::Result<()> {
        match LEFT.get() {
            None => Ok(()),
            // One fault only: cleaning up after it works.
            Some(0) => {
                LEFT.set(None);
                Err(io::Error::other("a fault on purpose"))
            }
            Some(left) => {
                LEFT.set(Some(left - 1));
                Ok(())
            }
        }
    }

    /// Runs a task whose operation of this number fails, and says whether there was such an operation.
    pub(crate) fn with_fault_at<T>(number: u32, run: impl FnOnce() -> T) -> (T, bool) {
        LEFT.set(Some(number));
        let result = run();
        (result, LEFT.take().is_none())
    }
}
