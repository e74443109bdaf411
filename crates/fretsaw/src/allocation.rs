//! Memory that the system may refuse. Every request that has an answer to a refusal is made here.
//!
//! An allocator cannot see whether the one who asks can bear a refusal. A program whose allocator ends it with a message
//! asks [`may_be_refused`] first. Clippy refuses `Vec::try_reserve` elsewhere (`clippy.toml`).

use std::cell::Cell;
use std::collections::TryReserveError;

thread_local! {
    static MAY_BE_REFUSED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is asking for memory in [`try_reserve`] or [`try_reserve_exact`]. Takes no memory itself.
pub fn may_be_refused() -> bool {
    MAY_BE_REFUSED.get()
}

/// `Vec::try_reserve`.
///
/// # Errors
/// If the system refuses the memory.
#[allow(clippy::disallowed_methods, reason = "the one place for it")]
pub fn try_reserve<T>(values: &mut Vec<T>, additional: usize) -> Result<(), TryReserveError> {
    refusable(|| values.try_reserve(additional))
}

/// `Vec::try_reserve_exact`.
///
/// # Errors
/// If the system refuses the memory.
#[allow(clippy::disallowed_methods, reason = "the one place for it")]
pub fn try_reserve_exact<T>(values: &mut Vec<T>, additional: usize) -> Result<(), TryReserveError> {
    refusable(|| values.try_reserve_exact(additional))
}

/// Requests of memory do not panic, so that the mark is always taken back.
fn refusable<T>(ask: impl FnOnce() -> T) -> T {
    MAY_BE_REFUSED.set(true);
    let answer = ask();
    MAY_BE_REFUSED.set(false);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_an_error_and_requests_are_marked_only_while_they_are_made() {
        let mut values: Vec<u64> = vec![1];
        assert!(try_reserve(&mut values, usize::MAX / 16).is_err());
        assert!(try_reserve_exact(&mut values, usize::MAX / 16).is_err());
        try_reserve_exact(&mut values, 9).unwrap();
        assert!(values.capacity() >= 10 && !may_be_refused());
        assert!(refusable(may_be_refused));
    }
}
