//! fretsaw puts square jigsaw puzzles back together.

pub mod connection_graph;
pub mod dissimilarity;
pub mod evaluation;
pub mod graph;
pub mod linalg;
pub mod locations;
pub mod methods;
pub mod observer;
pub mod picture;
pub mod puzzle;
mod random;
pub mod rotations;
pub mod solve;
pub mod synthetic;
