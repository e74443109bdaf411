//! fretsaw puts square jigsaw puzzles back together.

pub mod connection_graph;
pub mod graph;
pub mod linalg;
pub mod observer;
pub mod picture;
pub mod puzzle;
pub mod rotations;
pub mod synthetic;
