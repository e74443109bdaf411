//! How much memory things take, as the modules that make them say it; [`memory`](crate::memory) adds it
//! up.
//!
//! Sizes follow from types and counts, before anything is made. Where a count depends on the picture it
//! is the most that is usual, not the most that is possible.

/// What is known of a puzzle's sides before anything is computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SidesSize {
    /// 4n.
    pub(crate) num_sides: usize,
    /// Pixels along the longest side.
    pub(crate) length_px: usize,
    /// Values a pixel.
    pub(crate) channels: usize,
}

/// The memory of a stage, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Footprint {
    /// What later stages use.
    pub(crate) kept: u64,
    /// Large tables at the worst moment, those that are kept included. What is not kept goes back to
    /// the system.
    pub(crate) tables: u64,
    /// Small blocks, one or more for each side, at the worst moment. Those that are not kept are of use
    /// to later stages, but allocators mostly do not give them back to the system.
    pub(crate) blocks: u64,
}

/// What an allocator adds to a block.
const BLOCK_OVERHEAD: usize = 16;

/// So many values in a row.
pub(crate) const fn array<T>(len: usize) -> u64 {
    (len * size_of::<T>()) as u64
}

/// `num` lists of so many values each, in blocks of their own.
pub(crate) const fn lists<T>(num: usize, len: usize) -> u64 {
    (num * (size_of::<Vec<T>>() + len * size_of::<T>() + BLOCK_OVERHEAD)) as u64
}

/// The room that a list has to which so many values were added one by one.
pub(crate) const fn pushed(len: usize) -> usize {
    len.next_power_of_two()
}
