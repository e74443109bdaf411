//! Times of single stages of the solver on drawn puzzles and synthetic problems, one file each.

pub mod layout;
pub mod matching;
pub mod measure;
pub mod rotations;
pub mod search;
