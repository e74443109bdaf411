//! fretsaw puts square jigsaw puzzles back together.

pub mod observer;
pub mod picture;
pub mod puzzle;
