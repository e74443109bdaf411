//! fretsaw puts square jigsaw puzzles back together.

pub mod dissimilarity;
pub mod evaluation;
pub mod linalg;
pub mod locations;
pub mod methods;
pub mod observer;
pub mod picture;
pub mod puzzle;
mod random;
pub mod solve;
pub mod synthetic;
