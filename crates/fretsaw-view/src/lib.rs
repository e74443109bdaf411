//! Views of a solution for people.
//!
//! * [`report`]: one HTML page with the pieces before solving, the solved picture, a map of confidence, and
//!   the least certain seams;
//! * [`animation`]: the pieces moving to their places;
//! * [`terminal`]: the solved picture in characters and colours.
//!
//! All are made in memory from an [`Answer`]; nothing is written. Pieces are shrunk one by one, so that
//! the pixels of a puzzle are not in memory twice. [`fretsaw::picture::render`] makes the solved picture
//! in full size.

pub mod animation;
mod paint;
pub mod report;
pub mod terminal;

use fretsaw::puzzle::{Assembly, PieceId, PieceSet};
use fretsaw::solution::SeamConfidence;
use fretsaw::solution::Suggestion;

/// The pieces of a puzzle, their places, and details such as confidences.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    pieces: &'a PieceSet,
    assembly: &'a Assembly,
    details: Details<'a>,
}

/// Details of an assembly. Each list may be empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Details<'a> {
    /// The confidence in the place of each piece, 0 to 1; `None` if unknown.
    pub confidences: &'a [Option<f64>],
    /// The confidence in seams of the assembly.
    pub seams: &'a [SeamConfidence],
    /// The least certain places, and which other pieces may lie there.
    pub suggestions: &'a [Suggestion],
    /// The names of the pieces.
    pub names: &'a [String],
}

/// The assembly belongs to another puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the solution is of {expected} pieces, but there are {found}")]
pub struct OtherPuzzle {
    /// Pieces of the assembly.
    pub expected: usize,
    /// Pieces given.
    pub found: usize,
}

impl<'a> Answer<'a> {
    /// An assembly of these pieces.
    pub fn new(
        pieces: &'a PieceSet,
        assembly: &'a Assembly,
        details: Details<'a>,
    ) -> Result<Self, OtherPuzzle> {
        let (expected, found) = (assembly.num_pieces(), pieces.num_pieces());
        if expected != found {
            return Err(OtherPuzzle { expected, found });
        }
        Ok(Self { pieces, assembly, details })
    }

    fn confidence(&self, piece: PieceId) -> Option<f64> {
        self.details.confidences.get(piece.index()).copied().flatten()
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

/// Compiles and runs the program of the guide as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guides/rust-programmer.md")]
struct Guide;
