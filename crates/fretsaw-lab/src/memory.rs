//! Peak memory of this process, if the system reports it.

/// The largest resident size of this process since the last [`reset_peak`], in bytes.
///
/// `None` if the system has no `/proc`.
pub(crate) fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

/// Resets the peak to the present size, if the system can.
pub(crate) fn reset_peak() {
    // Failing to reset leaves an older, larger peak: an overestimate, never an underestimate.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
