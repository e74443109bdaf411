//! fretsaw puts square jigsaw puzzles back together.

pub mod dissimilarity;
pub mod linalg;
pub mod observer;
pub mod picture;
pub mod puzzle;
