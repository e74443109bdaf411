//! The default method for types 1 and 2, which can be asked for its best board at any time.
//!
//! 1. Start: Gallagher's tree ([`super::gallagher`]); unless that leaves nothing to do, or there is no
//!    time, also the best of the linear programs ([`super::yu`]), which errs in different ways. A large
//!    board has one start: segments that grew along likely matches, side by side.
//! 2. Search: [`crate::search`] moves pieces, segments and regions, and rebuilds parts of the board,
//!    until its energy, the matcher's, falls no more.

use super::gallagher::Gallagher;
use super::yu::YuSettings;
use crate::boards::{BoardHypothesis, grow};
use crate::locations::pack::pack;
use crate::locations::segment::Limit;
use crate::locations::{LocationError, LocationProblem, LocationSolver};
use crate::observer::{Observer, Stage, Termination};
use crate::puzzle::{Assembly, SideId, TurnSet};
use crate::search::costs::SeamCosts;
use crate::search::{Found, SearchBudget, SearchError, improve, is_done, is_large};
use serde::{Deserialize, Serialize};

/// How long to look for a better board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Not long.
    Fast,
    /// As long as it mostly pays.
    #[default]
    Normal,
    /// As long as it pays at all.
    High,
}

impl Effort {
    /// All of them, from the least.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Normal, Self::High];

    /// The lower-case name used on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Normal => "normal",
            Self::High => "high",
        }
    }

    /// How much to search.
    pub(crate) const fn work(self) -> SearchBudget {
        match self {
            Self::Fast => SearchBudget { num_walks: 2, max_epochs: 2, patience: 1, rounds: 2 },
            Self::Normal => SearchBudget { num_walks: 9, max_epochs: 12, patience: 4, rounds: 4 },
            Self::High => SearchBudget { num_walks: 16, max_epochs: 40, patience: 10, rounds: 6 },
        }
    }
}

/// Settings of the method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FretsawSettings {
    /// How long to look for a better board. Default: [`Effort::Normal`].
    pub effort: Effort,
}

/// A board, and whether all was done for it.
#[derive(Clone, Debug, PartialEq)]
pub struct FretsawBoard {
    /// The best board found.
    pub assembly: Assembly,
    /// Its energy.
    pub energy: f64,
    /// Whether the observer asked for it before the work was done.
    pub termination: Termination,
}

/// Puts the pieces together. An observer that [stops](Observer::is_stopped) gets the best board so
/// far, at the earliest the first one.
///
/// # Errors
/// If the pieces cannot be placed, or the observer cancels.
pub fn assemble(
    problem: &LocationProblem<'_>,
    settings: &FretsawSettings,
    observer: &dyn Observer,
) -> Result<FretsawBoard, LocationError> {
    let LocationProblem { frame, turns, seed, .. } = *problem;
    let work = settings.effort.work();
    if is_large(frame.num_cells()) {
        let costs = SeamCosts::new(problem.model);
        let start = packed_segments(problem, &costs, observer)?;
        return Ok(improve(costs, &frame.into(), turns, &[start], &work, seed, observer)?.into());
    }
    let tree = Gallagher.locate(problem, observer)?;
    let costs = SeamCosts::new(problem.model);
    let has_time = settings.effort != Effort::Fast && !is_done(&costs, &frame.into(), &tree);
    let mut starts = vec![tree];
    if has_time && !observer.is_stopped() {
        starts.push(YuSettings::default().locate(problem, observer)?);
    }
    Ok(improve(costs, &frame.into(), turns, &starts, &work, seed, observer)?.into())
}

/// Puts the pieces on boards that are not all there is to know: several, or with room for more or fewer
/// pieces than there are.
///
/// # Errors
/// If the observer cancels.
pub fn assemble_on(
    laid: &BoardHypothesis,
    costs: SeamCosts<'_>,
    turns: TurnSet,
    seed: u64,
    settings: &FretsawSettings,
    observer: &dyn Observer,
) -> Result<FretsawBoard, LocationError> {
    let (boards, starts) = (&laid.boards, std::slice::from_ref(&laid.start));
    let work = settings.effort.work();
    let found = improve(costs, boards, turns, starts, &work, seed, observer)?;
    let Found { assembly, energy, termination } = found;
    Ok(FretsawBoard { assembly: laid.finished(assembly)?, energy, termination })
}

/// By how much lower the energy of another board must be than that of one that all pieces fill, which is
/// likely beforehand: so much, and so much for each piece.
const LIKELIER_IF_FILLED: (f64, f64) = (20.0, 0.5);
/// The same if the other is filled to the last cell, too, and there are pieces left.
const LIKELIER_WITHOUT_REST: (f64, f64) = (3.0, 0.05);

/// Of boards that were found the one on which a short search comes to the least energy; where pieces do not
/// fill the boards, only if it is much less. Large ones are not searched, and the first is taken.
///
/// # Errors
/// If there are none, or the observer cancels.
pub fn choose_boards<'a>(
    mut found: Vec<BoardHypothesis>,
    costs: impl Fn() -> SeamCosts<'a>,
    turns: TurnSet,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Option<BoardHypothesis>, LocationError> {
    let is_too_large = |laid: &BoardHypothesis| is_large(laid.boards.num_cells());
    if found.len() < 2 || found.iter().any(is_too_large) {
        found.truncate(1);
        return Ok(found.pop());
    }
    let mut best: Option<(f64, BoardHypothesis)> = None;
    for laid in found {
        let (work, starts) = (Effort::Fast.work(), std::slice::from_ref(&laid.start));
        let result = improve(costs(), &laid.boards, turns, starts, &work, seed, observer)?;
        let frames = laid.boards.frames.iter();
        let num_cells: usize = frames.map(|frame| frame.num_cells()).sum();
        let num_pieces = laid.start.num_pieces();
        let (once, per_piece) = if num_cells == num_pieces {
            (0.0, 0.0)
        } else if result.assembly.num_placed() == num_cells {
            LIKELIER_WITHOUT_REST
        } else {
            LIKELIER_IF_FILLED
        };
        let energy = result.energy + once + per_piece * num_pieces as f64;
        if best.as_ref().is_none_or(|&(least, _)| energy < least) {
            best = Some((energy, laid));
        }
    }
    Ok(best.map(|(_, laid)| laid))
}

/// What a match costs at most that says where a segment lies: if it is likelier than not.
const MAX_PACKED: f32 = std::f32::consts::LN_2;

/// Segments that grow as long as that lowers the energy, side by side; the search puts what is left over
/// into the holes.
fn packed_segments(
    problem: &LocationProblem<'_>,
    costs: &SeamCosts<'_>,
    observer: &dyn Observer,
) -> Result<Assembly, LocationError> {
    let LocationProblem { frame, turns, seed, .. } = *problem;
    observer.stage_started(Stage::Assemble, 1);
    let segments = grow(costs, problem.num_pieces(), Limit::Frame { frame, turns }, seed);
    let matches: Vec<(SideId, SideId)> =
        costs.matches().iter().filter(|x| x.cost < MAX_PACKED).map(|x| (x.a, x.b)).collect();
    let packed = pack(&segments, &matches, frame, turns, seed);
    observer.stage_finished(Stage::Assemble);
    Ok(Assembly::new(problem.num_pieces(), vec![frame], packed)?)
}

impl LocationSolver for FretsawSettings {
    fn name(&self) -> &'static str {
        "fretsaw"
    }

    fn locate(
        &self,
        problem: &LocationProblem<'_>,
        observer: &dyn Observer,
    ) -> Result<Assembly, LocationError> {
        Ok(assemble(problem, self, observer)?.assembly)
    }
}

impl From<Found> for FretsawBoard {
    fn from(Found { assembly, energy, termination }: Found) -> Self {
        Self { assembly, energy, termination }
    }
}

impl From<SearchError> for LocationError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            SearchError::Contradiction(error) => Self::Contradiction(error),
        }
    }
}
