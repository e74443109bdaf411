//! Answers for people to look at.
//!
//! * [`report`]: one page with the pieces as handed in, the solved picture, a map of how sure it is, and
//!   the least certain seams;
//! * [`animation`]: the pieces on their way from where they were handed in to where they belong;
//! * [`terminal`]: the solved picture in characters and colours.
//!
//! All of it is made in memory from an [`Answer`]; nothing is written. Pictures are made smaller piece by
//! piece, so that a puzzle need not be in memory a second time, and are meant for the eye alone: the solved
//! picture itself is the business of [`fretsaw::picture::render`].

pub mod animation;
mod paint;
pub mod report;
pub mod terminal;

use fretsaw::puzzle::PieceSet;
use fretsaw_io::SolutionFile;

/// The pieces of a puzzle, and where they were put.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    pieces: &'a PieceSet,
    solution: &'a SolutionFile,
}

/// The solution is of another puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the solution is of {expected} pieces, but there are {found}")]
pub struct OtherPuzzle {
    /// Pieces of the solution.
    pub expected: usize,
    /// Pieces given.
    pub found: usize,
}

impl<'a> Answer<'a> {
    /// The solution of a puzzle with these pieces.
    ///
    /// # Errors
    /// If the solution has more pieces or fewer.
    pub fn new(pieces: &'a PieceSet, solution: &'a SolutionFile) -> Result<Self, OtherPuzzle> {
        let (expected, found) = (solution.assembly.num_pieces(), pieces.num_pieces());
        if expected != found {
            return Err(OtherPuzzle { expected, found });
        }
        Ok(Self { pieces, solution })
    }
}

/// A picture that could not be encoded.
#[derive(Debug, thiserror::Error)]
#[error("cannot encode {what}: {cause}")]
pub struct EncodeError {
    what: &'static str,
    cause: String,
}

impl EncodeError {
    fn new(what: &'static str, cause: &dyn std::fmt::Display) -> Self {
        Self { what, cause: cause.to_string() }
    }
}

/// The guide's program is compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guides/rust-programmer.md")]
struct Guide;
