//! The front door: pieces and settings in, an assembly out.

use crate::boards::{self, BoardHypothesis, KnownBoards};
use crate::confidence::{self, SeamConfidence};
use crate::constraints::{ConstraintError, Constraints};
use crate::dissimilarity::{
    Dissimilarity, DissimilarityError, Measure, NearestSettings, NearestSides, find_nearest,
};
use crate::locations::{LocationError, LocationProblem, LocationSolver};
use crate::matching::{MatchModel, Matcher};
use crate::methods::fretsaw::{self, FretsawSettings};
use crate::methods::gallagher::Gallagher;
use crate::methods::reference::{self, ReferenceError, ReferenceProblem};
use crate::methods::turn_in_place::{self, TurnInPlaceError, turn_in_place};
use crate::methods::yu::YuSettings;
use crate::observer::{Cancelled, Observer, Stage, Termination, WithoutStates};
use crate::picture::Picture;
use crate::puzzle::{Assembly, Grid, PieceId, PieceSet, PuzzleType, TurnSet, interchangeable};
use crate::search::costs::SeamCosts;
use crate::suggestions::{Suggestion, suggest};
use crate::turn_choice::TurnEvidence;
use serde::{Deserialize, Serialize};

/// Which method assembles the pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Ours, which ends with its best board so far when asked to.
    #[default]
    Fretsaw,
    /// Gallagher's tree of best matches, trimmed to the frame and filled \[Gal12\].
    Gallagher,
    /// Yu, Russell and Agapito's linear programs, the best of several \[YRA16\].
    Yu,
    /// The paper's \[HLW20\], of the crate `fretsaw-gcl`: hand it in as [`Settings::other`].
    Gcl,
    /// Quadratic assignment, of the crate `fretsaw-gcl`: hand it in as [`Settings::other`].
    Assignment,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Fretsaw, Self::Gallagher, Self::Yu, Self::Gcl, Self::Assignment];

    /// The lower-case name used on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fretsaw => "fretsaw",
            Self::Gallagher => "gallagher",
            Self::Yu => "yu",
            Self::Gcl => "gcl",
            Self::Assignment => "assignment",
        }
    }
}

/// How to solve.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Settings {
    /// The method for unknown positions, types 1 and 2. Default: [`Method::Fretsaw`].
    pub method: Method,
    /// Settings of [`Method::Fretsaw`].
    pub fretsaw: FretsawSettings,
    /// Settings of [`Method::Yu`].
    pub yu: YuSettings,
    /// The method if it is one of another crate: [`Method::Gcl`] or [`Method::Assignment`].
    #[serde(skip)]
    pub other: Option<&'static dyn LocationSolver>,
    /// The measure of how badly sides fit. Default: [`default_measure`].
    pub measure: Option<Measure>,
    /// Who says how likely sides belong together where positions are unknown, types 1 and 2. It must
    /// know the measure: see [`default_matcher`]. Default: [`Matcher::Learned`].
    pub matcher: Matcher,
    /// Candidates per side, at least 2. Default: as many as the matcher wants, [`Matcher::candidates`].
    pub candidates: Option<usize>,
    /// Breaks ties. The same seed gives the same answer. Default 0.
    pub seed: u64,
}

impl Settings {
    /// How many candidates each side gets: as set, or as many as the matcher wants.
    pub(crate) fn candidates(&self) -> NearestSettings {
        self.candidates.map_or(self.matcher.candidates(), NearestSettings::of)
    }

    /// The measure for puzzles of a type: as set, or else the default.
    #[must_use]
    pub fn measure_for(&self, puzzle_type: PuzzleType) -> Measure {
        self.measure.unwrap_or(default_measure(puzzle_type))
    }
}

/// The measure to solve puzzles of a type with: [`Measure::Seam`], which the learned matcher knows; where
/// positions are known there is no matcher, and the measure is the paper's, [`Measure::Mgc`].
#[must_use]
pub const fn default_measure(puzzle_type: PuzzleType) -> Measure {
    if puzzle_type.positions_known() { Measure::Mgc } else { Measure::Seam }
}

/// The matcher to go with a measure: the learned one if it knows the measure, else the ratio.
#[must_use]
pub const fn default_matcher(measure: Measure) -> Matcher {
    if Matcher::Learned.knows(measure) { Matcher::Learned } else { Matcher::Ratio }
}

/// A puzzle to solve. It holds nothing of the answer.
#[derive(Clone, Copy, Debug)]
pub struct Puzzle<'a> {
    /// The pieces, in the order handed in.
    pub pieces: &'a PieceSet,
    /// What is unknown about them.
    pub puzzle_type: PuzzleType,
    /// The size of the board, if known.
    pub grid: Option<Grid>,
    /// What else is known.
    pub hints: Hints<'a>,
}

impl<'a> Puzzle<'a> {
    /// A puzzle of which nothing else is known.
    #[must_use]
    pub fn new(pieces: &'a PieceSet, puzzle_type: PuzzleType, grid: Option<Grid>) -> Self {
        Self { pieces, puzzle_type, grid, hints: Hints::default() }
    }

    /// The turns that pieces may need; of these, [`Hints::finds_turns`] may leave some out.
    #[must_use]
    pub fn turns(&self) -> TurnSet {
        self.hints.turns.unwrap_or_else(|| self.puzzle_type.turns(self.pieces.shape()))
    }
}

/// What may be known of an answer beforehand. Default: nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'a> {
    /// The turns that pieces may need, if others than those of the puzzle's type.
    pub turns: Option<TurnSet>,
    /// What is known of the boards where their size is not: [`Puzzle::grid`] tells it if there is one.
    pub boards: KnownBoards,
    /// What the answer has to agree with. For [`Method::Fretsaw`], types 1 and 2.
    pub constraints: Option<&'a Constraints>,
    /// An answer of these pieces to begin with, whose boards are taken as they are. For
    /// [`Method::Fretsaw`], types 1 and 2.
    pub start: Option<&'a Assembly>,
    /// Whether to tell from the pieces which of these turns they really need, for types 1 and 2: see
    /// [`TurnEvidence`]. [`Solution::turns`] then says what was found.
    pub finds_turns: bool,
    /// A picture of the same content, of another size or quality, by which pieces are placed instead of
    /// by a method: see [`reference`](mod@crate::methods::reference). There may be more pieces than cells
    /// then, and the size of the board need not be known.
    pub reference: Option<&'a Picture>,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Where the pieces lie.
    pub assembly: Assembly,
    /// For each piece 0 to 1, 0 if it is not placed or touches nothing: how sure it is that the piece
    /// lies right, see [`confidence::of_pieces`].
    pub confidence: Vec<f64>,
    /// Every seam of the assembly, in the order of [`Assembly::joins`], and how sure it is.
    ///
    /// The probability that the two sides belong together, calibrated; with [`Matcher::Ratio`], which
    /// knows none, and for type 3, where positions are known, a figure that is no probability: see [`confidence::of_seams`] and [`turn_in_place::seam_confidences`].
    pub seams: Vec<SeamConfidence>,
    /// Pieces that could be exchanged without anyone seeing it, in groups of two and more: see
    /// [`interchangeable`].
    pub interchangeable: Vec<Vec<PieceId>>,
    /// Where it is least certain, and what else might lie there: see [`suggest`]. Empty for type 3, whose
    /// positions are known.
    pub suggestions: Vec<Suggestion>,
    /// Whether the method came to its end, or the observer asked for the answer before.
    pub termination: Termination,
    /// The turns that pieces were allowed.
    pub turns: TurnSet,
    /// The name of the method that found it: of a [`Method`], `mrf` for type 3, or `reference`.
    pub method: &'static str,
}

/// Why a puzzle was not solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolveError {
    /// Nothing to put together.
    #[error("a puzzle needs at least two pieces; there is only {0}")]
    TooFewPieces(usize),
    /// The size of the board must be known.
    #[error("{what} needs the size of the board: give its rows and columns")]
    GridNeeded {
        /// What needs it.
        what: &'static str,
    },
    /// Positions are known by the order of the pieces, which must then fill the board.
    #[error(
        "{num_pieces} pieces do not fill a board of {rows} rows x {cols} columns, as those of a type 3 \
         puzzle must; sizes that would fit exactly: {}", sizes_for(*.num_pieces)
    )]
    GridNotFilled {
        /// Pieces in the puzzle.
        num_pieces: usize,
        /// Rows given.
        rows: u32,
        /// Columns given.
        cols: u32,
    },
    /// The board cannot hold all pieces, and the method leaves none out; or not even most of them.
    #[error(
        "{num_pieces} pieces do not fit a board of {rows} rows x {cols} columns; sizes that would \
         fit exactly: {}", sizes_for(*.num_pieces)
    )]
    GridTooSmall {
        /// Pieces in the puzzle.
        num_pieces: usize,
        /// Rows given.
        rows: u32,
        /// Columns given.
        cols: u32,
    },
    /// Constraints or a start, for who does not heed them.
    #[error(
        "pins, joins, forbidden seams and a start are for the method 'fretsaw' and puzzles of type 1 and 2"
    )]
    NoHints,
    /// A start of another puzzle.
    #[error("the answer to start from has {of_start} pieces, but the puzzle has {num_pieces}")]
    StartOfOthers {
        /// Pieces in the puzzle.
        num_pieces: usize,
        /// Pieces of the start.
        of_start: usize,
    },
    /// Constraints that cannot be met.
    #[error(transparent)]
    Constraint(#[from] ConstraintError),
    /// No board of the rows or columns given.
    #[error(
        "no board with the rows or columns given would do for {num_pieces} pieces; sizes that they would \
         fill: {}", sizes_for(*.num_pieces)
    )]
    NoSuchBoard {
        /// Pieces in the puzzle.
        num_pieces: usize,
    },
    /// Pieces that do not fill one board, which only [`Method::Fretsaw`] can do with.
    #[error(
        "the method '{method}' fills one board, but the {num_pieces} pieces seem to make {}; use the \
         method 'fretsaw', or give rows and columns of a board that has room for all of them",
        in_words(.frames)
    )]
    NotOneBoard {
        /// The name of the method.
        method: &'static str,
        /// Rows and columns of the boards that were found.
        frames: Vec<(u32, u32)>,
        /// Pieces in the puzzle.
        num_pieces: usize,
    },
    /// Fewer candidates than the ratio needs.
    #[error("at least 2 candidates per side are needed, {0} asked for")]
    TooFewCandidates(usize),
    /// The matcher was not made for the measure.
    #[error(
        "the matcher '{}' was trained on the measure '{}' and does not know '{}': choose the matcher \
         'ratio' or 'loops', or the measure '{}'",
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
    /// The observer asked to give up.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A method of another crate was not handed in.
    #[error("the method '{0}' belongs to another crate, and was not handed in")]
    NoSuchMethod(&'static str),
    /// The pieces were not placed.
    #[error(transparent)]
    Location(LocationError),
    /// The pieces were not placed by the reference.
    #[error(transparent)]
    Reference(ReferenceError),
    /// Positions are known without a reference.
    #[error("pieces of a type 3 puzzle lie where they belong, and no reference is needed")]
    ReferenceNotNeeded,
    /// The turns of a type 3 puzzle were not found.
    #[error(transparent)]
    TurnInPlace(TurnInPlaceError),
}

impl From<TurnInPlaceError> for SolveError {
    fn from(error: TurnInPlaceError) -> Self {
        match error {
            TurnInPlaceError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::TurnInPlace(other),
        }
    }
}

impl From<ReferenceError> for SolveError {
    fn from(error: ReferenceError) -> Self {
        match error {
            ReferenceError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Reference(other),
        }
    }
}

impl From<LocationError> for SolveError {
    fn from(error: LocationError) -> Self {
        match error {
            LocationError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            other => Self::Location(other),
        }
    }
}

/// The boards that so many pieces fill, lying wide, squarest first, at most six.
///
/// ```
/// use fretsaw::solve::sizes_that_fit;
/// let sizes: Vec<_> = sizes_that_fit(12).iter().map(|grid| (grid.rows(), grid.cols())).collect();
/// assert_eq!(sizes, [(3, 4), (2, 6), (1, 12)]);
/// ```
#[must_use]
pub fn sizes_that_fit(num_pieces: usize) -> Vec<Grid> {
    let num_pieces = num_pieces as u64;
    let mut sizes: Vec<Grid> = (1..=num_pieces)
        .take_while(|rows| rows * rows <= num_pieces)
        .filter(|rows| num_pieces.is_multiple_of(*rows))
        .filter_map(|rows| Grid::new(rows, num_pieces / rows).ok())
        .collect();
    sizes.reverse();
    sizes.truncate(6);
    sizes
}

/// Boards by their rows and columns.
fn in_words(frames: &[(u32, u32)]) -> String {
    let shown = |(rows, cols): &(u32, u32)| format!("a board of {rows} x {cols}");
    frames.iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// The same in words.
fn sizes_for(num_pieces: usize) -> String {
    let shown = |grid: &Grid| format!("{} x {}", grid.rows(), grid.cols());
    sizes_that_fit(num_pieces).iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// Solve a puzzle.
///
/// Uses the current rayon thread pool; the answer does not depend on its size.
///
/// ```
/// use fretsaw::observer::Silent;
/// use fretsaw::solve::{Puzzle, Settings, solve};
/// use fretsaw::{evaluation, puzzle::PuzzleType, synthetic};
///
/// let (pieces, grid, truth) = synthetic::puzzle(6, 8, 28, PuzzleType::Type2, 1);
/// let outcome = solve(
///     &Puzzle::new(&pieces, PuzzleType::Type2, Some(grid)),
///     &Settings::default(),
///     &Silent,
/// )?;
/// let score = evaluation::score(&truth, &outcome.assembly)?;
/// assert!(score.neighbor > 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the puzzle or the settings do not allow a solution, or the observer cancels.
pub fn solve(
    puzzle: &Puzzle<'_>,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    if let Some(reference) = puzzle.hints.reference {
        return solve_by_reference(puzzle, reference, settings, observer);
    }
    check(puzzle, settings)?;
    let turns = puzzle.turns();
    observer.stage_started(Stage::Prepare, 1);
    let measure = settings.measure_for(puzzle.puzzle_type);
    let dissimilarity = Dissimilarity::new(puzzle.pieces, measure)?;
    observer.stage_finished(Stage::Prepare);
    if puzzle.puzzle_type.positions_known()
        && let Some(frame) = puzzle.grid
    {
        let assembly = turn_in_place(&dissimilarity, frame, turns, observer)?;
        let seams = turn_in_place::seam_confidences(&dissimilarity, frame, turns, &assembly);
        return Ok(Solution {
            confidence: confidence::of_pieces(&assembly, &seams),
            assembly,
            seams,
            interchangeable: interchangeable(puzzle.pieces, turns),
            suggestions: Vec::new(),
            termination: Termination::Finished,
            turns,
            method: "mrf",
        });
    }
    let candidates = settings.candidates();
    let (turns, nearest) = measured(puzzle, &dissimilarity, &candidates, observer)?;
    let puzzle = &Puzzle { hints: Hints { turns: Some(turns), ..puzzle.hints }, ..*puzzle };
    let model = settings.matcher.match_sides(&dissimilarity, &nearest, turns, observer)?;
    let (assembly, termination) = match lay_out(puzzle, &model, settings, observer)? {
        Layout::Frame(frame) => assemble_in(frame, puzzle, &model, settings, observer)?,
        Layout::Boards(laid, costs) => {
            let (seed, settings) = (settings.seed, &settings.fretsaw);
            let board = fretsaw::assemble_on(&laid, *costs, turns, seed, settings, observer)?;
            (board.assembly, board.termination)
        }
    };
    if let Some(constraints) = puzzle.hints.constraints {
        constraints.verify(&assembly)?;
    }
    Ok(judged(puzzle.pieces, turns, &model, (assembly, termination), settings.method.name()))
}

/// An answer with what the matcher says of it.
fn judged(
    pieces: &PieceSet,
    turns: TurnSet,
    model: &MatchModel<'_>,
    (assembly, termination): (Assembly, Termination),
    method: &'static str,
) -> Solution {
    let seams = confidence::of_seams(&assembly, model);
    let confidence = confidence::of_pieces(&assembly, &seams);
    Solution {
        suggestions: suggest(&assembly, &confidence, model),
        confidence,
        assembly,
        seams,
        interchangeable: interchangeable(pieces, turns),
        termination,
        turns,
        method,
    }
}

/// What the pieces are laid on.
enum Layout<'a> {
    /// One board that has room for all of them.
    Frame(Grid),
    /// Whatever there is.
    Boards(BoardHypothesis, Box<SeamCosts<'a>>),
}

/// The board if its size is known and all pieces fill it, or else what the pieces themselves tell.
fn lay_out<'a>(
    puzzle: &Puzzle<'_>,
    model: &'a MatchModel<'a>,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Layout<'a>, SolveError> {
    let num_pieces = puzzle.pieces.num_pieces();
    let (turns, seed) = (puzzle.turns(), settings.seed);
    let no_constraints = Constraints::default();
    let constraints = puzzle.hints.constraints.unwrap_or(&no_constraints);
    let costs = || SeamCosts::new(model).with_constraints(constraints);
    if let Some(start) = puzzle.hints.start {
        let laid = BoardHypothesis::of(start.clone()).with_pins(constraints, turns);
        return Ok(Layout::Boards(laid, Box::new(costs())));
    }
    let known = match puzzle.grid {
        Some(frame) if frame.num_cells() == num_pieces && constraints.is_empty() => {
            return Ok(Layout::Frame(frame));
        }
        Some(frame) if is_too_small(frame, num_pieces, settings.method) => {
            let (rows, cols) = (frame.rows(), frame.cols());
            return Err(SolveError::GridTooSmall { num_pieces, rows, cols });
        }
        Some(frame) => KnownBoards {
            rows: Some(frame.rows()),
            cols: Some(frame.cols()),
            count: puzzle.hints.boards.count.or(Some(1)),
        },
        None => puzzle.hints.boards.or_of_strips(puzzle.pieces.shape()),
    };
    let found = boards::propose_boards(&costs(), num_pieces, turns, &known, seed)
        .map_err(LocationError::from)?;
    let laid = fretsaw::choose_boards(found, costs, turns, seed, observer)?;
    let laid = laid.ok_or(SolveError::NoSuchBoard { num_pieces })?;
    if !constraints.is_empty() {
        return Ok(Layout::Boards(laid.with_pins(constraints, turns), Box::new(costs())));
    }
    match (laid.filled_frame(), settings.method, puzzle.grid) {
        (Some(frame), ..) => Ok(Layout::Frame(frame)),
        (None, Method::Fretsaw, _) => Ok(Layout::Boards(laid, Box::new(costs()))),
        // The other methods leave cells empty, but no pieces out.
        (None, _, Some(frame)) if frame.num_cells() > num_pieces => Ok(Layout::Frame(frame)),
        (None, method, _) => Err(SolveError::NotOneBoard {
            method: method.name(),
            frames: laid.boards.frames.iter().map(|grid| (grid.rows(), grid.cols())).collect(),
            num_pieces,
        }),
    }
}

/// Whether a board has no room for all pieces, or for the method 'fretsaw', which leaves out what does not
/// belong, not even for three in four: then its size must be wrong.
fn is_too_small(frame: Grid, num_pieces: usize, method: Method) -> bool {
    if method == Method::Fretsaw {
        4 * frame.num_cells() < 3 * num_pieces
    } else {
        frame.num_cells() < num_pieces
    }
}

/// Puts the pieces on one board that has room for all of them.
fn assemble_in(
    frame: Grid,
    puzzle: &Puzzle<'_>,
    model: &MatchModel<'_>,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<(Assembly, Termination), SolveError> {
    let turns = puzzle.turns();
    let problem = LocationProblem {
        model,
        frame,
        turns,
        seed: settings.seed,
        pieces: puzzle.pieces,
        matcher: settings.matcher,
        candidates: settings.candidates(),
    };
    let assembly = match settings.method {
        Method::Fretsaw => {
            let board = fretsaw::assemble(&problem, &settings.fretsaw, observer)?;
            return Ok((board.assembly, board.termination));
        }
        Method::Gallagher => Gallagher.locate(&problem, observer)?,
        Method::Yu => settings.yu.locate(&problem, observer)?,
        method @ (Method::Gcl | Method::Assignment) => {
            let other = settings.other.ok_or(SolveError::NoSuchMethod(method.name()))?;
            other.locate(&problem, observer)?
        }
    };
    Ok((assembly, Termination::Finished))
}

/// Places pieces by a reference.
fn solve_by_reference(
    puzzle: &Puzzle<'_>,
    reference: &Picture,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    if puzzle.puzzle_type.positions_known() {
        return Err(SolveError::ReferenceNotNeeded);
    }
    check(puzzle, settings)?;
    observer.stage_started(Stage::Prepare, 1);
    let pieces = puzzle.pieces;
    let grid = puzzle.grid.or_else(|| reference::likely_grid(pieces, reference, puzzle.turns()));
    let grid = grid.ok_or(SolveError::GridNeeded { what: "a reference of this form" })?;
    let dissimilarity = Dissimilarity::new(pieces, settings.measure_for(puzzle.puzzle_type))?;
    observer.stage_finished(Stage::Prepare);
    let (turns, nearest) = measured(puzzle, &dissimilarity, &settings.candidates(), observer)?;
    let model = settings.matcher.match_sides(&dissimilarity, &nearest, turns, observer)?;
    let costs = SeamCosts::new(&model);
    let problem = ReferenceProblem { pieces, reference, grid, turns, costs: &costs };
    let found = reference::place(&problem, observer)?;
    Ok(judged(pieces, turns, &model, found, "reference"))
}

/// The turns to allow, and the candidates of every side with these.
fn measured(
    puzzle: &Puzzle<'_>,
    dissimilarity: &Dissimilarity,
    candidates: &NearestSettings,
    observer: &dyn Observer,
) -> Result<(TurnSet, NearestSides), Cancelled> {
    let mut turns = puzzle.turns();
    if puzzle.hints.finds_turns && turns != TurnSet::None {
        let widest = turns;
        let found = find_nearest(dissimilarity, widest, candidates, &WithoutStates(observer))?;
        turns = TurnEvidence::new(&found, widest).choice(widest);
        if turns == widest && !observer.keeps_states() {
            return Ok((turns, found));
        }
    }
    Ok((turns, find_nearest(dissimilarity, turns, candidates, observer)?))
}

/// Refuses a puzzle and settings that make no sense together.
fn check(puzzle: &Puzzle<'_>, settings: &Settings) -> Result<(), SolveError> {
    let num_pieces = puzzle.pieces.num_pieces();
    if num_pieces < 2 {
        return Err(SolveError::TooFewPieces(num_pieces));
    }
    if let Some(candidates) = settings.candidates.filter(|&candidates| candidates < 2) {
        return Err(SolveError::TooFewCandidates(candidates));
    }
    let takes_hints = settings.method == Method::Fretsaw && !puzzle.puzzle_type.positions_known();
    if !takes_hints && (puzzle.hints.constraints.is_some() || puzzle.hints.start.is_some()) {
        return Err(SolveError::NoHints);
    }
    if puzzle.puzzle_type.positions_known() {
        let what = "a puzzle of type 3, whose pieces lie where they belong,";
        let frame = puzzle.grid.ok_or(SolveError::GridNeeded { what })?;
        if frame.num_cells() != num_pieces {
            let (rows, cols) = (frame.rows(), frame.cols());
            return Err(SolveError::GridNotFilled { num_pieces, rows, cols });
        }
        return Ok(());
    }
    let measure = settings.measure_for(puzzle.puzzle_type);
    if !settings.matcher.knows(measure) {
        return Err(SolveError::UnknownMeasure { matcher: settings.matcher, measure });
    }
    let Hints { constraints, start, .. } = puzzle.hints;
    if let Some(start) = start.filter(|start| start.num_pieces() != num_pieces) {
        let of_start = start.num_pieces();
        return Err(SolveError::StartOfOthers { num_pieces, of_start });
    }
    let grid = start.and_then(|start| start.boards().first().copied()).or(puzzle.grid);
    match constraints {
        Some(constraints) => Ok(constraints.check(num_pieces, puzzle.turns(), grid)?),
        None => Ok(()),
    }
}
