//! The number of threads.

use crate::failure::Failure;

/// The largest number of threads. Systems fail in unclear ways at some tens of thousands.
pub const MAX_THREADS: usize = 1024;

/// How the environment says how many threads Rayon is to start by default.
const VARIABLE: &str = "RAYON_NUM_THREADS";

/// The default number of threads: as many as the environment says, or else those of the machine.
pub fn all_threads() -> usize {
    let said = std::env::var(VARIABLE).ok().and_then(|text| text.parse().ok());
    said.filter(|threads| (1..=MAX_THREADS).contains(threads))
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Refuses to have Rayon start more threads than [`MAX_THREADS`] because the environment says so: a hundred thousand of them
/// hold up the whole machine.
///
/// # Errors
/// If the environment says so.
pub fn check_environment() -> Result<(), Failure> {
    let said = std::env::var(VARIABLE).ok().and_then(|text| text.parse::<usize>().ok());
    if said.is_some_and(|threads| threads > MAX_THREADS) {
        return Err(Failure::Usage(format!(
            "the environment variable {VARIABLE} must be at most {MAX_THREADS}; correct it, or remove it"
        )));
    }
    Ok(())
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
        .num_threads(threads.unwrap_or_else(all_threads))
        .build()
        .map_err(|error| Failure::Failed(format!("cannot start threads: {error}")))?;
    Ok(pool.install(run))
}
