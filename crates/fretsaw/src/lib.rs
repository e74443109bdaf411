//! fretsaw puts square jigsaw puzzles back together: pictures cut into equal pieces that were
//! shuffled, turned, or both.
//!
//! # A tour, in the order of the data
//!
//! 1. [`puzzle`] is the vocabulary: pieces, sides, quarter turns, boards, assemblies and truths.
//!    Constructors own the invariants; nothing is computed there.
//! 2. [`picture`] cuts a picture into pieces, scrambles them as a puzzle with a known answer, and
//!    paints assemblies. [`synthetic`] draws pictures for tests and for the demo.
//! 3. [`dissimilarity`] says how badly two sides fit, by one of four measures, and finds the best
//!    candidates of every side, exactly. [`linalg`] has the matrix product below it.
//! 4. [`matcher`] says how likely two sides belong together, given the candidates of both: everything
//!    below takes its weights from there.
//! 5. [`locations`] has the parts that find positions: growing segments along good matches, laying
//!    them out by a linear program, trimming to a frame, filling holes. [`methods`] puts such parts
//!    together; each of its files reads like one algorithm. [`graph`] has what is below: layouts and
//!    assignments. [`turn_choice`] tells which turns pieces need at all.
//! 6. [`solve`](mod@solve) is the front door: pieces and settings in, an assembly and its
//!    [`confidence`] out, and [`suggestions`] where it is in doubt. [`solve::solve`] has an example of the whole way.
//!    [`memory`] says beforehand how much memory that takes.
//! 7. [`evaluation`] scores an assembly against the truth.
//!
//! Long computations report to an [`observer`], which can also cancel them. The library reads no
//! files, prints nothing and reads no clock; work is shared among the threads of the current rayon
//! pool, and results do not depend on their number.
//!
//! Sides are numbered clockwise from the top, turns are clockwise quarter turns, and lower
//! dissimilarity is better; `docs/conventions.md` has the picture.

pub mod boards;
pub mod confidence;
pub mod constraints;
pub mod dissimilarity;
pub mod evaluation;
pub mod graph;
pub mod linalg;
pub mod locations;
pub mod matching;
pub mod memory;
pub mod methods;
pub mod observer;
pub mod picture;
pub mod puzzle;
mod random;
pub mod search;
pub mod solve;
pub mod suggestions;
pub mod synthetic;
pub mod turn_choice;

/// The stages of the solver, for `fretsaw-gcl` and `fretsaw-lab`.
///
/// **Unstable**: anything here may change in any release.
pub mod unstable {
    pub use crate::random::tie_breaker;
    pub use crate::{
        boards, confidence, dissimilarity, graph, linalg, locations, matching, methods, search,
        suggestions, turn_choice,
    };
}

/// The README's example is compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
