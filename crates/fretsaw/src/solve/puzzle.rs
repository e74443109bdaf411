//! The puzzle to solve: pieces and known properties of the answer.

use crate::boards::KnownBoards;
use crate::constraints::Constraints;
use crate::picture::{Picture, luma_of};
use crate::puzzle::{Assembly, Grid, PieceSet, PuzzleType, TurnSet};
use std::borrow::Cow;
use std::sync::Arc;

/// A puzzle to solve: pieces and known properties of the answer. It never contains the truth.
///
/// [`Puzzle::new`] takes only pieces: positions, turns, and the number and sizes of the boards are unknown. Each
/// method below adds a known property.
///
/// ```
/// use fretsaw::puzzle::{Grid, PuzzleType, TurnSet};
/// use fretsaw::Puzzle;
///
/// let (pieces, grid, _) = fretsaw::picture::synthetic::puzzle(3, 4, 28, PuzzleType::Type1, 1);
/// let puzzle = Puzzle::new(pieces).turns(TurnSet::None).board(grid);
/// assert_eq!(puzzle.boards.grid(), Some(grid));
/// ```
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// The pieces, in the order handed in.
    pub pieces: Arc<PieceSet>,
    /// Whether the order of the pieces gives their positions, row by row, so that only their turns are
    /// unknown (type 3).
    pub positions_known: bool,
    /// The turns that pieces may need. `None`: the solver finds out from the pieces.
    pub turns: Option<TurnSet>,
    /// The known properties of the boards.
    pub boards: KnownBoards,
    /// The grid in which the pieces lay on their sheet, if they come from one and fill it. The picture often has the
    /// same grid, but need not.
    pub sheet: Option<Grid>,
    /// The constraints on the answer.
    pub constraints: Constraints,
    /// An answer to start from, whose boards are kept.
    pub start: Option<Assembly>,
    /// A picture of the same content, of another size or quality. Pieces are then placed by their
    /// likeness to it, and there may be more pieces than cells.
    pub reference: Option<Arc<Picture>>,
    /// Whether the colours of pieces ran into each other while they lay side by side in another order, as
    /// [`ColourBleeding`](crate::picture::ColourBleeding) finds out. Sides are then compared by luma alone.
    pub colours_bleed: bool,
    /// How many pixels are missing between two pieces: 0 for a clean cut. `None`: the solver finds out whether the pieces
    /// are worn.
    pub gap_px: Option<f64>,
    /// The pieces of other pictures that were cut and scrambled in the same way, such as frames of a video. They are
    /// more evidence of the one answer.
    pub scrambled_alike: Vec<Arc<PieceSet>>,
}

impl Puzzle {
    /// A puzzle without known properties.
    pub fn new(pieces: impl Into<Arc<PieceSet>>) -> Self {
        Self {
            pieces: pieces.into(),
            positions_known: false,
            turns: None,
            boards: KnownBoards::default(),
            sheet: None,
            constraints: Constraints::default(),
            start: None,
            reference: None,
            colours_bleed: false,
            gap_px: None,
            scrambled_alike: Vec::new(),
        }
    }

    /// Sets one of Gallagher's types, which determine whether positions and turns are unknown.
    #[must_use]
    pub fn of_type(self, puzzle_type: PuzzleType) -> Self {
        let turns = puzzle_type.turns(self.pieces.shape());
        Self { positions_known: puzzle_type.positions_known(), turns: Some(turns), ..self }
    }

    /// Sets the turns that pieces may need.
    #[must_use]
    pub fn turns(self, turns: TurnSet) -> Self {
        Self { turns: Some(turns), ..self }
    }

    /// Sets the size of the only board.
    #[must_use]
    pub fn board(self, grid: Grid) -> Self {
        self.boards(KnownBoards::one(grid))
    }

    /// Sets the known properties of the boards.
    #[must_use]
    pub fn boards(self, boards: KnownBoards) -> Self {
        Self { boards, ..self }
    }

    /// Sets the grid in which the pieces lay on their sheet.
    #[must_use]
    pub fn sheet(self, sheet: Option<Grid>) -> Self {
        Self { sheet, ..self }
    }

    /// Sets the constraints on the answer.
    #[must_use]
    pub fn constraints(self, constraints: Constraints) -> Self {
        Self { constraints, ..self }
    }

    /// Sets the answer to start from.
    #[must_use]
    pub fn start(self, start: Assembly) -> Self {
        Self { start: Some(start), ..self }
    }

    /// Sets the picture by which pieces are placed.
    #[must_use]
    pub fn reference(self, reference: impl Into<Arc<Picture>>) -> Self {
        Self { reference: Some(reference.into()), ..self }
    }

    /// Sets whether the colours of pieces ran into each other.
    #[must_use]
    pub fn colours_bleed(self, colours_bleed: bool) -> Self {
        Self { colours_bleed, ..self }
    }

    /// Sets how many pixels are missing between two pieces.
    #[must_use]
    pub fn gap_px(self, gap_px: Option<f64>) -> Self {
        Self { gap_px, ..self }
    }

    /// Adds pictures that were cut and scrambled in the same way: piece for piece, the same place and turn.
    #[must_use]
    pub fn scrambled_alike(self, scrambled_alike: Vec<Arc<PieceSet>>) -> Self {
        Self { scrambled_alike, ..self }
    }

    /// The pieces with the channels by which sides are compared.
    pub fn compared_pieces(&self) -> Cow<'_, PieceSet> {
        if self.colours_bleed { luma_of(&self.pieces) } else { Cow::Borrowed(&*self.pieces) }
    }

    /// The turns of a whole answer that contradict nothing known, if pieces may be turned by `turns`.
    pub fn free_turns(&self, turns: TurnSet) -> TurnSet {
        let is_fixed = self.positions_known
            || self.reference.is_some()
            || self.start.is_some()
            || !self.constraints.pins.is_empty();
        let KnownBoards { rows, cols, .. } = self.boards;
        match turns {
            _ if is_fixed => TurnSet::None,
            // A quarter turn exchanges rows and columns.
            TurnSet::Quarter if rows != cols => TurnSet::Half,
            turns => turns,
        }
    }

    /// The turns that pieces may need, or if that is unknown all that their shape allows.
    pub fn possible_turns(&self) -> TurnSet {
        self.turns.unwrap_or_else(|| PuzzleType::Type2.turns(self.pieces.shape()))
    }
}
