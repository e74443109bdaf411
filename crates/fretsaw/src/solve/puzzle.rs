//! The question: pieces, and what is known of the answer.

use crate::boards::KnownBoards;
use crate::constraints::Constraints;
use crate::picture::Picture;
use crate::puzzle::{Assembly, Grid, PieceSet, PuzzleType, TurnSet};
use std::sync::Arc;

/// A puzzle to solve: pieces, and what is known of the answer. It never holds the truth.
///
/// [`Puzzle::new`] takes nothing but pieces: positions and turns are unknown, and so are the number and
/// sizes of the boards. Each method below adds something that is known.
///
/// ```
/// use fretsaw::puzzle::{Grid, PuzzleType, TurnSet};
/// use fretsaw::Puzzle;
///
/// let (pieces, grid, _) = fretsaw::synthetic::puzzle(3, 4, 28, PuzzleType::Type1, 1);
/// let puzzle = Puzzle::new(pieces).turns(TurnSet::None).board(grid);
/// assert_eq!(puzzle.boards.grid(), Some(grid));
/// ```
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The pieces, in the order handed in.
    pub pieces: Arc<PieceSet>,
    /// Whether the order of the pieces says where they belong, row by row, so that only their turns are
    /// unknown (type 3).
    pub positions_known: bool,
    /// The turns that pieces may need. `None`: the solver finds out from the pieces.
    pub turns: Option<TurnSet>,
    /// What is known of the boards.
    pub boards: KnownBoards,
    /// What the answer has to agree with.
    pub constraints: Constraints,
    /// An answer to begin with, whose boards are kept.
    pub start: Option<Assembly>,
    /// A picture of the same content, of another size or quality. Pieces are then placed by their
    /// likeness to it, and there may be more pieces than cells.
    pub reference: Option<Arc<Picture>>,
}

impl Puzzle {
    /// Pieces of which nothing is known.
    #[must_use]
    pub fn new(pieces: impl Into<Arc<PieceSet>>) -> Self {
        Self {
            pieces: pieces.into(),
            positions_known: false,
            turns: None,
            boards: KnownBoards::default(),
            constraints: Constraints::default(),
            start: None,
            reference: None,
        }
    }

    /// A puzzle of one of Gallagher's types, which say whether positions and turns are unknown.
    #[must_use]
    pub fn of_type(self, puzzle_type: PuzzleType) -> Self {
        let turns = puzzle_type.turns(self.pieces.shape());
        Self { positions_known: puzzle_type.positions_known(), turns: Some(turns), ..self }
    }

    /// Pieces need these turns at most.
    #[must_use]
    pub fn turns(self, turns: TurnSet) -> Self {
        Self { turns: Some(turns), ..self }
    }

    /// There is one board, of this size.
    #[must_use]
    pub fn board(self, grid: Grid) -> Self {
        self.boards(KnownBoards::one(grid))
    }

    /// What is known of the boards.
    #[must_use]
    pub fn boards(self, boards: KnownBoards) -> Self {
        Self { boards, ..self }
    }

    /// The answer has to agree with these constraints.
    #[must_use]
    pub fn constraints(self, constraints: Constraints) -> Self {
        Self { constraints, ..self }
    }

    /// The solver begins with this answer.
    #[must_use]
    pub fn start(self, start: Assembly) -> Self {
        Self { start: Some(start), ..self }
    }

    /// Pieces are placed by their likeness to this picture.
    #[must_use]
    pub fn reference(self, reference: impl Into<Arc<Picture>>) -> Self {
        Self { reference: Some(reference.into()), ..self }
    }

    /// The turns that pieces may need, or if that is unknown all that their shape allows.
    #[must_use]
    pub fn possible_turns(&self) -> TurnSet {
        self.turns.unwrap_or_else(|| PuzzleType::Type2.turns(self.pieces.shape()))
    }
}
