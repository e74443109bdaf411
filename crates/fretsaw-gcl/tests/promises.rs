//! Promises to users, one file each. They are one program, because linking many takes longer than running them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod connection_graph;
mod quadratic_assignment;
mod rotations;
mod the_papers_method;
mod turns_of_type_two;
mod type_three;
#[path = "../../fretsaw/tests/type_three_puzzles.rs"]
mod type_three_puzzles;
