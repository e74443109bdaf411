//! Times of single stages of the solver on drawn puzzles and synthetic problems, one file each.

pub(crate) mod layout;
pub(crate) mod matching;
pub(crate) mod measure;
pub(crate) mod rotations;
pub(crate) mod search;
