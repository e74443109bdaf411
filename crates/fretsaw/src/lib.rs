//! fretsaw puts square jigsaw puzzles back together: pictures cut into equal pieces that were shuffled, turned,
//! or both.
//!
//! ```
//! use fretsaw::{Puzzle, PuzzleType, Settings, Silent, score, solve};
//!
//! let (pieces, grid, truth) = fretsaw::picture::synthetic::puzzle(6, 8, 28, PuzzleType::Type2, 1);
//! let puzzle = Puzzle::new(pieces).board(grid);
//! let solution = solve(&puzzle, &Settings::default(), &Silent)?;
//! assert!(score(&truth, &solution.assembly)?.neighbor > 0.9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`puzzle`] is the vocabulary: pieces, sides, quarter turns, boards, assemblies, truths.
//! * [`picture`] cuts pictures, scrambles pieces, paints assemblies and draws pictures.
//! * [`preparation`] makes equal, clean pieces of pictures of tiles as people have them.
//! * [`Puzzle`] is the question, [`Settings`] say how to solve it, [`solve()`] is the one call, and [`Solution`] is the
//!   answer. [`evaluation`] scores it against the truth.
//! * [`Solution::stand_upright`] turns an answer as a whole so that its picture stands upright, by a learned guess.
//! * An [`Observer`] watches a solve, cancels it, or stops it with the best answer so far.
//!
//! The library reads no files, prints nothing and reads no clock. It uses the threads of the current rayon pool, and
//! answers do not depend on their number. Sides are numbered clockwise from the top, turns are clockwise quarter
//! turns, and a lower dissimilarity is better; `docs/conventions.md` shows this in one picture.

#![allow(
    rustdoc::private_intra_doc_links,
    reason = "modules are private, and documented where `unstable` shows them"
)]

mod allocation;
mod boards;
mod confidence;
mod constraints;
mod dissimilarity;
pub mod evaluation;
mod graph;
mod linalg;
mod locations;
mod matching;
mod memory;
mod methods;
mod named;
mod networks;
pub mod observer;
pub mod picture;
pub mod preparation;
pub mod puzzle;
mod random;
mod search;
pub mod solution;
mod solve;
mod suggestions;
mod turn_choice;
mod upright;
pub mod verdict;
mod wear;

pub use boards::KnownBoards;
pub use constraints::Constraints;
pub use evaluation::score;
pub use methods::fretsaw::Effort;
pub use observer::{Observer, Silent};
pub use picture::{Picture, cut, render, scramble};
pub use puzzle::{Assembly, Grid, PieceSet, PieceShape, PuzzleType};
pub use solution::Solution;
pub use solve::{Method, Puzzle, Settings, SolveError, solve};

/// What [`Settings`] choose from besides the method.
pub mod settings {
    pub use crate::dissimilarity::Measure;
    pub use crate::matching::Matcher;
    pub use crate::solve::default_matcher;
}

/// The stages of the solver, for `fretsaw-gcl`, `fretsaw-lab` and programs that need more than one call.
///
/// **Unstable**: anything here may change in any release.
pub mod unstable {
    pub use crate::memory::{MemoryEstimate, estimate_memory};
    pub use crate::random::tie_breaker;
    pub use crate::solve::{
        Measured, TurnsHint, UnknownsError, assemble, find_boards, measure_part, merge_parts,
        sizes_that_fit,
    };

    macro_rules! stages {
        ($($stage:ident)*) => {
            $(
                #[doc = concat!("The module `", stringify!($stage), "` of the solver.")]
                pub mod $stage {
                    pub use crate::$stage::*;
                }
            )*
        };
    }
    stages! {
        allocation boards confidence constraints dissimilarity graph linalg locations matching methods networks
        search suggestions turn_choice
    }
}

/// The README's example is compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
