//! Problems with known answers and dials.

pub mod synchronization;
