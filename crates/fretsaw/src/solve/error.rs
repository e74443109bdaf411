//! Why a puzzle cannot be solved.

use crate::boards::sizes_that_fit;
use crate::constraints::ConstraintError;
use crate::dissimilarity::{DissimilarityError, Measure};
use crate::locations::LocationError;
use crate::matching::Matcher;
use crate::methods::reference::ReferenceError;
use crate::observer::Cancelled;
use crate::puzzle::{Grid, GridError};

/// Why a puzzle was not solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// Fewer than two pieces.
    #[error("a puzzle needs at least two pieces; this one has {0}")]
    TooFewPieces(usize),
    /// The size of the board must be known.
    #[error("{what} needs the size of the board: give its columns and rows")]
    GridNeeded {
        /// What needs it.
        what: &'static str,
    },
    /// Positions are known by the order of the pieces, which must fill the board.
    #[error(
        "{num_pieces} pieces do not fill a board of {}, as those of a type 3 puzzle must; \
         they fill {}", size(*grid), sizes_for(*num_pieces)
    )]
    GridNotFilled {
        /// Pieces in the puzzle.
        num_pieces: usize,
        /// The board given.
        grid: Grid,
    },
    /// The board cannot hold all pieces and the method leaves none out, or it cannot even hold most of them.
    #[error("{num_pieces} pieces do not fit on a board of {}; they fill {}", size(*grid), sizes_for(*num_pieces))]
    GridTooSmall {
        /// Pieces in the puzzle.
        num_pieces: usize,
        /// The board given.
        grid: Grid,
    },
    /// The given size is not a valid size of a board.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// Constraints or a start for a method that cannot use them.
    #[error(
        "pins, joins, forbidden seams and a start work with the method 'fretsaw' and puzzles of type 1 and 2 only"
    )]
    ConstraintsNotSupported,
    /// The answer to start from is of another puzzle.
    #[error("the answer to start from has {of_start} pieces, but the puzzle has {num_pieces}")]
    WrongStart {
        /// Pieces in the puzzle.
        num_pieces: usize,
        /// Pieces of the start.
        of_start: usize,
    },
    /// Pictures that cannot have been scrambled alike.
    #[error("pictures that were scrambled alike have the same number of pieces of the same size")]
    OtherForm,
    /// Several pictures, but a matcher or a type of puzzle for one.
    #[error(
        "several pictures that were scrambled alike work with the matchers 'learned' and 'loops' and puzzles of \
         type 1 and 2 only"
    )]
    OnePictureOnly,
    /// Mirror images would make too many pieces.
    #[error("there are too many pieces to compare with their mirror images")]
    TooManyToMirror,
    /// Constraints that cannot be met.
    #[error(transparent)]
    Constraint(#[from] ConstraintError),
    /// No board has the rows or columns given.
    #[error(
        "no board with the given rows or columns fits {num_pieces} pieces; they fill {}", sizes_for(*num_pieces)
    )]
    NoSuchBoard {
        /// Pieces in the puzzle.
        num_pieces: usize,
    },
    /// The pieces do not fill one board, which every method but 'fretsaw' needs.
    #[error(
        "the method '{method}' fills one board, but the {num_pieces} pieces seem to belong to {}; use the method \
         'fretsaw', or give the columns and rows of a board that has room for all of them",
        grids.iter().copied().map(size).collect::<Vec<_>>().join(" and ")
    )]
    NotOneBoard {
        /// The name of the method.
        method: &'static str,
        /// The boards that were found.
        grids: Vec<Grid>,
        /// Pieces in the puzzle.
        num_pieces: usize,
    },
    /// Fewer candidates than the ratio needs.
    #[error("at least 2 candidates per side are needed; the setting is {0}")]
    TooFewCandidates(usize),
    /// The matcher was not trained on the measure.
    #[error(
        "the matcher '{}' was trained on the measure '{}' and cannot use '{}': choose the matcher 'ratio' or \
         'loops', or the measure '{}'",
        matcher.name(), Measure::Seam.name(), measure.name(), Measure::Seam.name()
    )]
    UnknownMeasure {
        /// The matcher.
        matcher: Matcher,
        /// The measure that it does not know.
        measure: Measure,
    },
    /// The pieces cannot be measured.
    #[error(transparent)]
    Dissimilarity(#[from] DissimilarityError),
    /// There is no memory for a table.
    #[error(
        "there is not enough memory: {bytes} more bytes were refused; close other programs, or use fewer or smaller \
         pieces"
    )]
    OutOfMemory {
        /// The bytes that were asked for.
        bytes: u64,
    },
    /// The observer cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The pieces were not placed.
    #[error(transparent)]
    Location(LocationError),
    /// The pieces were not placed by the reference.
    #[error(transparent)]
    Reference(ReferenceError),
    /// Positions are known without a reference.
    #[error("a type 3 puzzle has known positions and needs no reference")]
    ReferenceNotNeeded,
}

impl SolveError {
    /// Whether other settings may help: a grid, a reference, a method. If not, it takes other pieces, or more time or memory.
    pub const fn other_settings_may_help(&self) -> bool {
        match self {
            Self::TooFewPieces(_)
            | Self::Dissimilarity(_)
            | Self::Constraint(ConstraintError::NotMet(_))
            | Self::Cancelled(_)
            | Self::OutOfMemory { .. } => false,
            Self::Location(error) => matches!(error, LocationError::Unsuitable(_)),
            Self::Reference(error) => matches!(
                error,
                ReferenceError::TooSmall { .. } | ReferenceError::NothingAlike { .. }
            ),
            Self::GridNeeded { .. }
            | Self::Grid(_)
            | Self::GridTooSmall { .. }
            | Self::GridNotFilled { .. }
            | Self::ReferenceNotNeeded
            | Self::NotOneBoard { .. }
            | Self::NoSuchBoard { .. }
            | Self::ConstraintsNotSupported
            | Self::WrongStart { .. }
            | Self::OtherForm
            | Self::TooManyToMirror
            | Self::OnePictureOnly
            | Self::Constraint(_)
            | Self::TooFewCandidates(_)
            | Self::UnknownMeasure { .. } => true,
        }
    }
}

/// An error of a stage; a cancellation stays one.
macro_rules! from_stage_error {
    ($error:ident, $variant:ident) => {
        impl From<$error> for SolveError {
            fn from(error: $error) -> Self {
                match error {
                    $error::Cancelled(cancelled) => Self::Cancelled(cancelled),
                    other => Self::$variant(other),
                }
            }
        }
    };
}
from_stage_error!(LocationError, Location);
from_stage_error!(ReferenceError, Reference);

fn size(grid: Grid) -> String {
    format!("{} columns x {} rows", grid.cols(), grid.rows())
}

/// The boards that this many pieces fill, in words.
fn sizes_for(num_pieces: usize) -> String {
    sizes_that_fit(num_pieces)
        .iter()
        .map(|grid| format!("{}x{}", grid.cols(), grid.rows()))
        .collect::<Vec<_>>()
        .join(", ")
}
