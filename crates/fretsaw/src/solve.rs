//! The front door: pieces and settings in, an assembly out.

use crate::confidence::{self, SeamConfidence};
use crate::dissimilarity::{
    Dissimilarity, DissimilarityError, Measure, NearestSettings, NearestSides, find_nearest,
};
use crate::judge::Judge;
use crate::locations::quadratic_assignment::QapSettings;
use crate::locations::{LocationError, LocationProblem, LocationSolver};
use crate::methods::fretsaw::{self, FretsawSettings};
use crate::methods::gallagher::Gallagher;
use crate::methods::gcl::{self, GclError, GclProblem, GclSettings, LocationChoice};
use crate::methods::reference::{self, ReferenceError, ReferenceProblem};
use crate::methods::rotation_choice::{RotationChoice, TurnsError};
use crate::methods::turn_in_place::{self, TurnInPlaceError, turn_in_place};
use crate::methods::yu::YuSettings;
use crate::observer::{Cancelled, Ended, Observer, Stage, WithoutStates};
use crate::picture::Picture;
use crate::puzzle::{Assembly, Grid, PieceId, PieceSet, PuzzleType, TurnSet, interchangeable};
use crate::search::costs::SeamCosts;
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
    /// The paper's: turns by the graph connection Laplacian, then locations, then updates
    /// \[HLW20\].
    Gcl,
    /// Quadratic assignment, a research option for small puzzles of type 1 (supplement, eq. qap).
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolveSettings {
    /// The method for unknown positions, types 1 and 2. Default: [`Method::Fretsaw`].
    pub method: Method,
    /// Settings of [`Method::Fretsaw`].
    pub fretsaw: FretsawSettings,
    /// Settings of [`Method::Yu`].
    pub yu: YuSettings,
    /// Settings of [`Method::Gcl`].
    pub gcl: GclSettings,
    /// Settings of [`Method::Assignment`].
    pub assignment: QapSettings,
    /// How to find turns where positions are known, type 3. Default: the one that found most turns
    /// on the standard sets, Gallagher's random field; for oblong pieces, which it is not made for,
    /// the anchored eigenvector.
    pub rotations: Option<RotationChoice>,
    /// The measure of how badly sides fit. Default: [`default_measure`].
    pub measure: Option<Measure>,
    /// Who says how likely sides belong together where positions are unknown, types 1 and 2. It must
    /// know the measure: see [`usual_judge`]. Default: [`Judge::Learned`].
    pub judge: Judge,
    /// Candidates per side, at least 2. Default: as many as the judge wants, [`Judge::candidates`].
    pub candidates: Option<usize>,
    /// Breaks ties. The same seed gives the same answer. Default 0.
    pub seed: u64,
}

impl SolveSettings {
    /// The measure for puzzles of a type: as set, or else the default.
    #[must_use]
    pub fn measure_for(&self, puzzle_type: PuzzleType) -> Measure {
        self.measure.unwrap_or(default_measure(puzzle_type))
    }
}

/// The measure to solve puzzles of a type with: [`Measure::Seam`], which the learned judge knows; where
/// positions are known there is no judge, and the measure is the paper's, [`Measure::Mgc`].
#[must_use]
pub const fn default_measure(puzzle_type: PuzzleType) -> Measure {
    if puzzle_type.positions_known() { Measure::Mgc } else { Measure::Seam }
}

/// The judge to go with a measure: the learned one if it knows the measure, else the ratio.
#[must_use]
pub const fn usual_judge(measure: Measure) -> Judge {
    if Judge::Learned.knows(measure) { Judge::Learned } else { Judge::Ratio }
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
    /// Whether to tell from the pieces which of these turns they really need, for types 1 and 2: see
    /// [`TurnEvidence`]. [`Outcome::turns`] then says what was found.
    pub finds_turns: bool,
    /// A picture of the same content, of another size or quality, by which pieces are placed instead of
    /// by a method: see [`reference`](crate::methods::reference). There may be more pieces than cells
    /// then, and the size of the board need not be known.
    pub reference: Option<&'a Picture>,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Where the pieces lie.
    pub assembly: Assembly,
    /// For each piece 0 to 1, 0 if it is not placed or touches nothing: how sure it is that the piece
    /// lies right, see [`confidence::of_pieces`].
    pub confidence: Vec<f64>,
    /// Every seam of the assembly, in the order of [`Assembly::joins`], and how sure it is.
    ///
    /// The probability that the two sides belong together, calibrated; with [`Judge::Ratio`], which
    /// knows none, and for type 3, where positions are known, a figure that is no probability: see [`confidence::of_seams`] and [`turn_in_place::seam_confidences`].
    pub seams: Vec<SeamConfidence>,
    /// Pieces that could be exchanged without anyone seeing it, in groups of two and more: see
    /// [`interchangeable`].
    pub interchangeable: Vec<Vec<PieceId>>,
    /// Whether the method came to its end, or the observer asked for the answer before.
    pub ended: Ended,
    /// The turns that pieces were allowed.
    pub turns: TurnSet,
    /// The name of the method that found it: of a [`Method`], for type 3 of a [`RotationChoice`], or
    /// `reference`.
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
    /// The board cannot hold all pieces.
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
    /// Fewer candidates than the ratio needs.
    #[error("at least 2 candidates per side are needed, {0} asked for")]
    TooFewCandidates(usize),
    /// The judge was not made for the measure.
    #[error(
        "the judge '{}' was trained on the measure '{}' and does not know '{}': choose the judge \
         'ratio' or 'loops', or the measure '{}'",
        judge.name(), Measure::Seam.name(), measure.name(), Measure::Seam.name()
    )]
    UnknownMeasure {
        /// The judge.
        judge: Judge,
        /// The measure that it does not know.
        measure: Measure,
    },
    /// The pieces cannot be measured.
    #[error(transparent)]
    Dissimilarity(#[from] DissimilarityError),
    /// The observer asked to give up.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The paper's method failed.
    #[error(transparent)]
    Gcl(GclError),
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

impl From<GclError> for SolveError {
    fn from(error: GclError) -> Self {
        match error {
            GclError::Cancelled(cancelled)
            | GclError::Location(LocationError::Cancelled(cancelled))
            | GclError::Turns(TurnsError::Cancelled(cancelled)) => Self::Cancelled(cancelled),
            other => Self::Gcl(other),
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
/// use fretsaw::solve::{Puzzle, SolveSettings, solve};
/// use fretsaw::{evaluation, puzzle::PuzzleType, synthetic};
///
/// let (pieces, grid, truth) = synthetic::puzzle(6, 8, 28, PuzzleType::Type2, 1);
/// let outcome = solve(
///     &Puzzle::new(&pieces, PuzzleType::Type2, Some(grid)),
///     &SolveSettings::default(),
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
    settings: &SolveSettings,
    observer: &dyn Observer,
) -> Result<Outcome, SolveError> {
    if let Some(reference) = puzzle.hints.reference {
        return solve_by_reference(puzzle, reference, settings, observer);
    }
    let frame = check(puzzle, settings)?;
    let turns = puzzle.turns();
    observer.stage_started(Stage::Prepare, 1);
    let measure = settings.measure_for(puzzle.puzzle_type);
    let dissimilarity = Dissimilarity::new(puzzle.pieces, measure)?;
    observer.stage_finished(Stage::Prepare);
    if puzzle.puzzle_type.positions_known() {
        let choice = settings.rotations.unwrap_or(default_in_place(turns));
        let assembly =
            turn_in_place(&dissimilarity, frame, turns, choice, settings.seed, observer)?;
        let seams = turn_in_place::seam_confidences(&dissimilarity, frame, turns, &assembly);
        return Ok(Outcome {
            confidence: confidence::of_pieces(assembly.num_pieces(), &seams),
            assembly,
            seams,
            interchangeable: interchangeable(puzzle.pieces, turns),
            ended: Ended::Finished,
            turns,
            method: choice.name(),
        });
    }
    let candidates = settings.candidates.map_or(settings.judge.candidates(), NearestSettings::of);
    let (turns, nearest) = measured(puzzle, &dissimilarity, &candidates, observer)?;
    let judgement = settings.judge.judge(&dissimilarity, &nearest, turns, observer)?;
    let problem = LocationProblem { judgement: &judgement, frame, turns, seed: settings.seed };
    let finished = |assembly| (assembly, Ended::Finished);
    let (assembly, ended) = match settings.method {
        Method::Fretsaw => {
            let board = fretsaw::assemble(&problem, &settings.fretsaw, observer)?;
            (board.assembly, board.ended)
        }
        Method::Gallagher => finished(Gallagher.locate(&problem, observer)?),
        Method::Yu => finished(settings.yu.locate(&problem, observer)?),
        Method::Assignment => finished(settings.assignment.locate(&problem, observer)?),
        Method::Gcl => {
            let problem = GclProblem {
                pieces: puzzle.pieces,
                judgement: &judgement,
                judge: settings.judge,
                candidates: &candidates,
                frame,
                turns,
                locations: match settings.gcl.locations {
                    LocationChoice::Yu => &settings.yu,
                    LocationChoice::Gallagher => &Gallagher,
                    LocationChoice::Assignment => &settings.assignment,
                },
                seed: settings.seed,
            };
            finished(gcl::assemble(&problem, &settings.gcl, observer)?)
        }
    };
    let seams = confidence::of_seams(&assembly, &judgement);
    Ok(Outcome {
        confidence: confidence::of_pieces(assembly.num_pieces(), &seams),
        assembly,
        seams,
        interchangeable: interchangeable(puzzle.pieces, turns),
        ended,
        turns,
        method: settings.method.name(),
    })
}

/// Places pieces by a reference.
fn solve_by_reference(
    puzzle: &Puzzle<'_>,
    reference: &Picture,
    settings: &SolveSettings,
    observer: &dyn Observer,
) -> Result<Outcome, SolveError> {
    check_settings(puzzle, settings)?;
    if puzzle.puzzle_type.positions_known() {
        return Err(SolveError::ReferenceNotNeeded);
    }
    observer.stage_started(Stage::Prepare, 1);
    let pieces = puzzle.pieces;
    let grid = puzzle.grid.or_else(|| reference::likely_grid(pieces, reference, puzzle.turns()));
    let grid = grid.ok_or(SolveError::GridNeeded { what: "a reference of this form" })?;
    let dissimilarity = Dissimilarity::new(pieces, settings.measure_for(puzzle.puzzle_type))?;
    observer.stage_finished(Stage::Prepare);
    let candidates = settings.candidates.map_or(settings.judge.candidates(), NearestSettings::of);
    let (turns, nearest) = measured(puzzle, &dissimilarity, &candidates, observer)?;
    let judgement = settings.judge.judge(&dissimilarity, &nearest, turns, observer)?;
    let costs = SeamCosts::new(&judgement);
    let problem = ReferenceProblem { pieces, reference, grid, turns, costs: &costs };
    let (assembly, ended) = reference::place(&problem, observer)?;
    let seams = confidence::of_seams(&assembly, &judgement);
    Ok(Outcome {
        confidence: confidence::of_pieces(assembly.num_pieces(), &seams),
        assembly,
        seams,
        interchangeable: interchangeable(pieces, turns),
        ended,
        turns,
        method: "reference",
    })
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

/// The random field knows square pieces only.
const fn default_in_place(turns: TurnSet) -> RotationChoice {
    match turns {
        TurnSet::Quarter => RotationChoice::Markov,
        TurnSet::None | TurnSet::Half => RotationChoice::Anchored,
    }
}

/// Whether the puzzle and the settings make sense together, whatever the board.
fn check_settings(puzzle: &Puzzle<'_>, settings: &SolveSettings) -> Result<(), SolveError> {
    let num_pieces = puzzle.pieces.num_pieces();
    if num_pieces < 2 {
        return Err(SolveError::TooFewPieces(num_pieces));
    }
    if let Some(candidates) = settings.candidates.filter(|&candidates| candidates < 2) {
        return Err(SolveError::TooFewCandidates(candidates));
    }
    let positions_known = puzzle.puzzle_type.positions_known();
    let measure = settings.measure_for(puzzle.puzzle_type);
    if !positions_known && !settings.judge.knows(measure) {
        return Err(SolveError::UnknownMeasure { judge: settings.judge, measure });
    }
    Ok(())
}

/// The frame, if the puzzle and the settings make sense together.
fn check(puzzle: &Puzzle<'_>, settings: &SolveSettings) -> Result<Grid, SolveError> {
    check_settings(puzzle, settings)?;
    let num_pieces = puzzle.pieces.num_pieces();
    let positions_known = puzzle.puzzle_type.positions_known();
    let what = if positions_known {
        "a puzzle of type 3, whose pieces lie where they belong,"
    } else {
        match settings.method {
            Method::Fretsaw => "the method 'fretsaw'",
            Method::Gallagher => "the method 'gallagher'",
            Method::Yu => "the method 'yu'",
            Method::Gcl => "the method 'gcl'",
            Method::Assignment => "the method 'assignment'",
        }
    };
    let frame = puzzle.grid.ok_or(SolveError::GridNeeded { what })?;
    let (rows, cols) = (frame.rows(), frame.cols());
    if positions_known && frame.num_cells() != num_pieces {
        return Err(SolveError::GridNotFilled { num_pieces, rows, cols });
    }
    if frame.num_cells() < num_pieces {
        return Err(SolveError::GridTooSmall { num_pieces, rows, cols });
    }
    Ok(frame)
}
