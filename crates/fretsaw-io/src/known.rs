//! From an input and what a person knows of the answer to the puzzle to solve, and from its solution to the document.
//!
//! The command line, the Python package and the page in the browser all go this way.

use crate::{PiecesFingerprint, PuzzleInput, SolutionFile, SolutionInfo, Timing, Upright};
use fretsaw::picture::{Picture, SheetOrder};
use fretsaw::puzzle::PieceSet;
use fretsaw::solution::UprightGuess;
use fretsaw::unstable::{TurnsHint, UnknownsError};
use fretsaw::{Assembly, Constraints, KnownBoards, Puzzle, PuzzleType, Settings, Solution};
use std::sync::Arc;

/// What a person knows of the answer. By default nothing.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The type of the puzzle. It has precedence over the one in `puzzle.json`.
    pub puzzle_type: Option<PuzzleType>,
    /// The turns that pieces may need.
    pub turns: Option<TurnsHint>,
    /// The boards. Rows and columns have precedence over those in `puzzle.json`.
    pub boards: KnownBoards,
    /// How many pixels are missing between two pieces: 0 for a clean cut.
    pub gap_px: Option<f64>,
    /// A picture of the same content.
    pub reference: Option<Picture>,
    /// An answer to start from.
    pub start: Option<Assembly>,
    /// Constraints on the answer.
    pub constraints: Constraints,
}

impl PuzzleInput {
    /// The input of pieces in memory, which come from no file and are used as they are.
    pub fn from_pieces(pieces: impl Into<Arc<PieceSet>>, names: Vec<String>) -> Self {
        let pieces = pieces.into();
        let fingerprint = PiecesFingerprint::of(&pieces);
        Self { names, ..Self::of(pieces, fingerprint) }
    }

    /// The puzzle that the input and a person's knowledge describe.
    ///
    /// # Errors
    /// If the type and the turns contradict each other or the shape of the pieces.
    pub fn puzzle(&self, known: Known) -> Result<Puzzle, UnknownsError> {
        let declared = self.declared.as_ref();
        let mut boards = known.boards;
        if boards.rows.is_none() && boards.cols.is_none() {
            let grid = declared.and_then(|declared| declared.grid);
            let declared = grid.map(KnownBoards::one).unwrap_or_default();
            boards = KnownBoards { count: boards.count.or(declared.count), ..declared };
        }
        let declared_type = declared.map(|declared| declared.puzzle_type);
        let puzzle = Puzzle::new(Arc::clone(&self.pieces))
            .unknowns(known.puzzle_type, known.turns, declared_type)?
            .boards(boards)
            .colours_bleed(self.colour_bleeding.is_any())
            .gap_px(known.gap_px)
            .sheet(self.sheet_grid())
            .constraints(known.constraints);
        Ok(Puzzle { reference: known.reference.map(Arc::new), start: known.start, ..puzzle })
    }

    /// A warning if the answer repeats the order in which the pieces lay on their sheet.
    pub fn suspicion(&self, puzzle: &Puzzle, solution: &Solution) -> Option<String> {
        let sheet = self.sheet.filter(|_| !puzzle.positions_known)?;
        let order = SheetOrder::new(&solution.assembly, sheet.columns);
        order.is_suspect().then(|| order.to_string())
    }
}

impl From<UprightGuess> for Upright {
    /// The turn that [`fretsaw::Solution::stand_upright`] followed.
    fn from(guess: UprightGuess) -> Self {
        let turn = guess.sure().unwrap_or_default();
        Self { turns: turn.clockwise(), probability: guess.probability(turn) }
    }
}

impl SolutionFile {
    /// The document of a solution of an input. `status` says how the solve ended.
    ///
    /// # Errors
    /// If the settings cannot be written as JSON.
    pub fn of_input(
        input: &PuzzleInput,
        puzzle: &Puzzle,
        settings: &Settings,
        solution: &Solution,
        timings: Vec<Timing>,
        status: &str,
    ) -> Result<Self, serde_json::Error> {
        let mut recorded = serde_json::to_value(settings)?;
        recorded["measure"] = settings.measure(puzzle.positions_known).name().into();
        recorded["turns"] = serde_json::to_value(solution.turns)?;
        let info = SolutionInfo {
            version: Some(env!("CARGO_PKG_VERSION").into()),
            method: Some(solution.method.into()),
            settings: recorded,
            seed: Some(settings.seed),
            timings,
            status: Some(status.into()),
            skipped: input.skipped(),
            upright: None,
            fingerprint: Some(input.fingerprint),
            wear: solution.wear,
        };
        let document = Self::new(solution.clone(), input.names.clone(), info);
        Ok(Self { preparation: input.preparation.clone(), ..document })
    }
}
