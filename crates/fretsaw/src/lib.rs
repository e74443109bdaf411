//! fretsaw puts square jigsaw puzzles back together.

pub mod evaluation;
pub mod observer;
pub mod picture;
pub mod puzzle;
pub mod synthetic;
