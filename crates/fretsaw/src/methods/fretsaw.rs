//! The default method for types 1 and 2. It can be stopped at any time and returns its best board.
//!
//! 1. Start: Gallagher's tree ([`super::gallagher`]); unless that leaves nothing to do, or the effort is low,
//!    also the best board of the linear programs ([`super::yu`]), which errs in other ways. A large board, or one
//!    with many blank sides, has one start: segments that grew along likely matches, side by side. So has a board that is
//!    not quick if the observer stops before the tree is complete.
//! 2. Search: [`crate::search`] lowers the energy of the board until it falls no more.

use super::gallagher::Gallagher;
use super::yu::YuSettings;
use crate::boards::{BoardHypothesis, grow};
use crate::constraints::Constraints;
use crate::locations::pack::pack;
use crate::locations::segment::Limit;
use crate::locations::{LocationError, LocationProblem, LocationSolver};
use crate::observer::{Observer, OtherBoards, Stage, StopCancels, Termination};
use crate::puzzle::{Assembly, SideId, is_large, is_quick};
use crate::search::costs::SeamCosts;
use crate::search::{
    DecompositionBudget, MultiStartBudget, SearchBudget, SearchProblem, has_no_open_seam,
};
use serde::{Deserialize, Serialize};

/// How long to look for a better board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Fastest.
    Fast,
    /// Balanced.
    #[default]
    Normal,
    /// Most accurate.
    High,
}

crate::named_enum!(Effort { Fast: "fast", Normal: "normal", High: "high" });

impl Effort {
    /// How much to search.
    pub(crate) const fn budget(self) -> SearchBudget {
        const fn chains(
            [num_chains, max_epochs, patience, rounds_per_epoch]: [usize; 4],
        ) -> MultiStartBudget {
            MultiStartBudget { num_chains, max_epochs, patience, rounds_per_epoch }
        }
        let (small, moves_per_open_side, max_passes, max_failures, region) = match self {
            Self::Fast => ([2, 2, 1, 2], 900, 1, 1, [1, 1, 1, 2]),
            Self::Normal => ([9, 12, 4, 4], 1800, 4, 1, [5, 4, 1, 4]),
            Self::High => ([16, 40, 10, 6], 2700, 14, 3, [8, 14, 1, 6]),
        };
        let region = chains(region);
        SearchBudget {
            small: chains(small),
            large: DecompositionBudget { moves_per_open_side, max_passes, max_failures, region },
        }
    }
}

/// Places the pieces on the boards. If the observer [stops](Observer::is_stopped), returns the best assembly so
/// far, but not before there is a first one.
pub fn assemble(
    problem: &LocationProblem<'_>,
    hypothesis: &BoardHypothesis,
    constraints: &Constraints,
    effort: Effort,
    observer: &dyn Observer,
) -> Result<(Assembly, Termination), LocationError> {
    let LocationProblem { turns, seed, .. } = *problem;
    let costs = SeamCosts::new(problem.model).with_constraints(constraints);
    let starts = match &hypothesis.start {
        Some(start) => vec![start.clone()],
        None => first_boards(problem, &costs, effort, observer)?,
    };
    let search = SearchProblem { costs, boards: &hypothesis.boards, turns, seed };
    let convert = |board: &Assembly| hypothesis.finished(board.clone()).ok();
    let observer = &OtherBoards { observer, convert };
    let found = search.improve(&starts, &effort.budget(), observer)?;
    Ok((hypothesis.finished(found.assembly)?, found.termination))
}

/// The method on one board that has room for all pieces.
impl LocationSolver for Effort {
    fn name(&self) -> &'static str {
        "fretsaw"
    }

    fn locate(
        &self,
        problem: &LocationProblem<'_>,
        observer: &dyn Observer,
    ) -> Result<Assembly, LocationError> {
        let hypothesis = BoardHypothesis::of_known_size(problem.frame);
        let (assembly, _) =
            assemble(problem, &hypothesis, &Constraints::default(), *self, observer)?;
        Ok(assembly)
    }
}

/// If a larger share of the sides fits too many others to have candidates, the other methods are not asked. They would
/// fill in most pieces one by one, which takes long and knows no better place for blank pieces than the search does.
const MAX_WITHOUT_CANDIDATES: f64 = 1.0 / 3.0;

/// The boards to start from: those of other methods, or segments side by side for a large board or one with many
/// blank sides.
fn first_boards(
    problem: &LocationProblem<'_>,
    costs: &SeamCosts<'_>,
    effort: Effort,
    observer: &dyn Observer,
) -> Result<Vec<Assembly>, LocationError> {
    let frame = problem.frame;
    if is_large(problem.num_pieces()) || costs.share_without_candidates() > MAX_WITHOUT_CANDIDATES {
        return Ok(vec![packed_segments(problem, costs, observer)?]);
    }
    // A quick puzzle has its tree in any case.
    let in_time = StopCancels(observer);
    let tree = if is_quick(problem.num_pieces()) {
        Some(Gallagher.locate(problem, observer)?)
    } else if observer.is_stopped() {
        None
    } else {
        if_in_time(Gallagher.locate(problem, &in_time), observer)?
    };
    let Some(tree) = tree else { return Ok(vec![packed_segments(problem, costs, observer)?]) };
    let is_enough = effort == Effort::Fast || has_no_open_seam(costs, &frame.into(), &tree);
    let mut starts = vec![tree];
    if !is_enough && !observer.is_stopped() {
        starts.extend(if_in_time(YuSettings::default().locate(problem, &in_time), observer)?);
    }
    Ok(starts)
}

/// A board that was found in time; `None` if the observer stopped before.
fn if_in_time(
    found: Result<Assembly, LocationError>,
    observer: &dyn Observer,
) -> Result<Option<Assembly>, LocationError> {
    match found {
        Err(LocationError::Cancelled(_)) if !observer.is_cancelled() => Ok(None),
        found => found.map(Some),
    }
}

/// The largest cost of a match that positions a segment: the match is likelier than not.
const MAX_PACKED: f32 = std::f32::consts::LN_2;

/// Grows segments as long as that lowers the energy, and lays them side by side. The search fills the holes.
fn packed_segments(
    problem: &LocationProblem<'_>,
    costs: &SeamCosts<'_>,
    observer: &dyn Observer,
) -> Result<Assembly, LocationError> {
    let LocationProblem { frame, turns, seed, .. } = *problem;
    observer.stage_started(Stage::Assemble, 1);
    let segments = grow(costs, problem.num_pieces(), Limit::Frame { frame, turns }, seed, observer);
    let matches: Vec<(SideId, SideId)> =
        costs.matches().iter().filter(|x| x.cost < MAX_PACKED).map(|x| (x.a, x.b)).collect();
    let packed = pack(&segments, &matches, frame, turns, seed, observer);
    observer.stage_finished(Stage::Assemble);
    Ok(Assembly::new(problem.num_pieces(), vec![frame], packed)?)
}
