//! The number of threads.

use crate::failure::Failure;

/// The largest number of threads. Systems fail in unclear ways at some tens of thousands.
pub const MAX_THREADS: usize = 1024;

/// The default number of threads.
pub fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs a task on a pool of `threads` threads; on all cores if `None`.
///
/// # Errors
/// If the number is out of range, or the system cannot start the threads.
pub fn with_threads<T: Send>(
    threads: Option<usize>,
    run: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    if threads.is_some_and(|threads| !(1..=MAX_THREADS).contains(&threads)) {
        return Err(Failure::Usage(format!("--threads must be 1 to {MAX_THREADS}")));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
        .map_err(|error| Failure::Failed(format!("cannot start threads: {error}")))?;
    Ok(pool.install(run))
}
