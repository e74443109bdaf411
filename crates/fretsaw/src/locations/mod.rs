//! Where pieces lie: from candidate matches to a board.
//!
//! In: a [`LocationProblem`]. Out: an [`Assembly`]. Whatever finds one from the other is a
//! [`LocationSolver`], and any can be plugged in where another is used.
//!
//! The parts, each of its own use: [`matches`](mod@matches) lists the pairs that may belong together,
//! [`segment`] holds rigid groups of pieces, [`tree`] grows them along matches \[Gal12\], [`layout`]
//! finds positions that agree with most matches \[YRA16\], [`filter`] drops doubtful matches, [`trim`]
//! finds where the frame covers most of a segment, [`fill`] puts single pieces into what is left empty,
//! [`complete`] does both on a [`board`], and [`ranking`] compares boards. A research option,
//! [`quadratic_assignment`], assigns all pieces of a small puzzle at once.

pub mod board;
pub mod complete;
pub mod fill;
pub mod filter;
pub mod layout;
pub mod matches;
pub mod quadratic_assignment;
pub mod ranking;
pub mod segment;
pub mod tree;
pub mod trim;

use crate::dissimilarity::{Dissimilarity, NearestSides};
use crate::graph::l1_layout::LayoutError;
use crate::observer::{Cancelled, Observer};
use crate::puzzle::{Assembly, AssemblyError, Grid, SideId, TurnSet};
use quadratic_assignment::QapError;

/// Pieces to be placed on a board.
#[derive(Clone, Copy, Debug)]
pub struct LocationProblem<'a> {
    /// How badly any two sides fit.
    pub dissimilarity: &'a Dissimilarity,
    /// Every side's candidates.
    pub nearest: &'a NearestSides,
    /// The board, at least as many cells as pieces.
    pub frame: Grid,
    /// The turns that pieces may need. [`TurnSet::None`] if they are already turned.
    pub turns: TurnSet,
    /// Breaks ties.
    pub seed: u64,
}

impl LocationProblem<'_> {
    /// Number of pieces.
    #[must_use]
    pub fn num_pieces(&self) -> usize {
        self.nearest.num_sides() / 4
    }

    /// Gallagher's ratio N of two sides: from 0, perfect; above 1, something else fits better.
    #[must_use]
    pub fn ratio(&self, a: SideId, b: SideId) -> f64 {
        self.nearest.ratio(a, b, self.dissimilarity.value(a, b))
    }

    /// N / (1 + N) for the ratio N of two sides: from 0, perfect, to 1, impossible.
    ///
    /// Half where a side's best alternative fits as well.
    #[must_use]
    pub fn saturating_ratio(&self, a: SideId, b: SideId) -> f64 {
        // Not N / (1 + N), which would not survive an infinite N.
        1.0 - 1.0 / (1.0 + self.ratio(a, b))
    }
}

/// A way to find where pieces lie.
///
/// ```
/// use fretsaw::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
/// use fretsaw::locations::{LocationProblem, LocationSolver};
/// use fretsaw::methods::{gallagher::Gallagher, yu::YuSettings};
/// use fretsaw::observer::Silent;
/// use fretsaw::puzzle::{PuzzleType, TurnSet};
///
/// let (pieces, frame, truth) = fretsaw::synthetic::puzzle(7, 9, 28, PuzzleType::Type1, 2);
/// let dissimilarity = Dissimilarity::new(&pieces, Measure::Mgc)?;
/// let (turns, settings) = (TurnSet::None, NearestSettings::default());
/// let nearest = find_nearest(&dissimilarity, turns, &settings, &Silent)?;
/// let problem =
///     LocationProblem { dissimilarity: &dissimilarity, nearest: &nearest, frame, turns, seed: 1 };
/// let solvers: [&dyn LocationSolver; 2] = [&Gallagher, &YuSettings::default()];
/// for solver in solvers {
///     let board = solver.locate(&problem, &Silent)?;
///     assert!(fretsaw::evaluation::score(&truth, &board)?.neighbor > 0.9);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait LocationSolver: Sync {
    /// Find a board that holds the pieces.
    ///
    /// # Errors
    /// If the solver is not made for the problem, or the observer cancels.
    fn locate(
        &self,
        problem: &LocationProblem<'_>,
        observer: &dyn Observer,
    ) -> Result<Assembly, LocationError>;
}

/// Why no board was found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LocationError {
    /// The observer asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Quadratic assignment gave up.
    #[error(transparent)]
    Assignment(QapError),
    /// The layout was not found; a defect of this crate.
    #[error("the layout contradicted itself: {0}")]
    Layout(#[from] LayoutError),
    /// The parts did not fit together; a defect of this crate.
    #[error("the assembler contradicted itself: {0}")]
    Contradiction(#[from] AssemblyError),
}

impl From<QapError> for LocationError {
    fn from(error: QapError) -> Self {
        match error {
            QapError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Assignment(other),
        }
    }
}
