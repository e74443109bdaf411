//! The one call: a puzzle and settings in, a solution out.
//!
//! [`solve`] runs the stages in order; each stage has a folder of its own.
//!
//! | stage | function | folder |
//! |---|---|---|
//! | measure | [`Measured::new`] | `dissimilarity`, `turn_choice` |
//! | match | [`Measured::matched`] | `matching` |
//! | boards | [`find_boards`] | `boards` |
//! | assemble and search | [`assemble`] | `methods`, `locations`, `search` |
//! | confidence | `Solution::new` | `confidence`, `suggestions` |

mod boards;
mod error;
mod estimate_wear;
mod fewer_turns;
mod in_parts;
mod mirrored;
mod piece_order;
mod puzzle;
mod settings;
mod stand_upright;
mod unknowns;

pub use crate::boards::sizes_that_fit;
pub use boards::find_boards;
pub use error::SolveError;
pub use in_parts::{measure_part, merge_parts};
pub use puzzle::Puzzle;
pub use settings::{Method, Settings, default_matcher};
pub use unknowns::{TurnsHint, UnknownsError};

use crate::boards::BoardHypothesis;
use crate::confidence;
use crate::dissimilarity::{
    CANDIDATES_AFTER_STOP, Dissimilarity, Material, NearestSides, find_nearest,
};
use crate::locations::{LocationProblem, LocationSolver};
use crate::matching::{InsideStatistics, MatchModel, Matcher, combined};
use crate::methods::fretsaw;
use crate::methods::gallagher::Gallagher;
use crate::methods::reference::{self, PlacedByReference, Placing, ReferenceProblem, SeamAnswer};
use crate::methods::turn_in_place::{seam_confidences, turn_in_place};
use crate::observer::{
    Asking, Cancelled, Muted, Observer, OtherBoards, Stage, StopCancels, Termination,
};
use crate::picture::Picture;
use crate::puzzle::{Assembly, Grid, PieceSet, Side, TurnSet, is_quick};
use crate::search::costs::SeamCosts;
use crate::solution::{Solution, wear_of_seams};
use crate::turn_choice::TurnEvidence;
use crate::wear::WearEstimate;
use piece_order::PieceOrder;
use std::borrow::Cow;
use std::sync::Arc;

/// Solves a puzzle.
///
/// Uses the current rayon thread pool; the answer does not depend on its size. [The crate](crate) has an example.
///
/// # Errors
/// If the puzzle or the settings do not allow a solution, or the observer cancels.
pub fn solve(
    puzzle: &Puzzle,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    check(puzzle, settings)?;
    if puzzle.positions_known {
        return solve_in_place(puzzle, settings, observer);
    }
    let order = PieceOrder::by_pixels(puzzle);
    let observer = &OtherBoards { observer, convert: |board: &_| Some(order.assembly(board)) };
    let in_order = order.puzzle(puzzle)?;
    let solution = order.solution(solve_in_order(&in_order, settings, observer)?);
    puzzle.constraints.verify(&solution.assembly)?;
    Ok(solution)
}

/// Solves a puzzle whose pieces are in the order of their pixels.
fn solve_in_order(
    puzzle: &Puzzle,
    asked: &Settings,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    let measured = Measured::new(puzzle, asked, observer)?;
    let matched = measured.matched_in_time(asked, observer)?;
    let fewer_turns = measured.with_fewer_turns(puzzle, &matched.0, asked, observer)?;
    let (measured, (model, settings)) = match &fewer_turns {
        Some(fewer) => (fewer, fewer.matched_in_time(asked, &Muted(observer))?),
        None => (&measured, matched),
    };
    let turns = measured.turns;
    let settings = &*settings;
    let model = with_pictures_alike(puzzle, model, turns, settings, observer)?;
    if let Some(share) = confidence::telling_share(&model) {
        observer.matched(share);
    }
    let mut likeness = None;
    let (mut found, method) = match &puzzle.reference {
        Some(picture) => {
            let placed = place_by_reference(puzzle, picture, &model, turns, settings, observer)?;
            likeness = Some(placed.likeness);
            ((placed.assembly, placed.termination), "reference")
        }
        None => {
            let boards = find_boards(puzzle, &model, turns, settings, observer)?;
            let found = assemble(puzzle, &boards, &model, turns, settings, observer)?;
            (found, settings.method.name())
        }
    };
    if settings.matcher() != asked.matcher() {
        found.1 = Termination::Stopped;
    }
    let seams = confidence::of_seams(&found.0, &model);
    let solution = Solution::new(&puzzle.pieces, turns, method, found, seams, Some(&model));
    let wear = wear_of(puzzle, measured, &solution);
    Ok(Solution { wear, likeness, ..solution })
}

/// The wear of worn pieces by the seams of their answer, with the gap that is known.
fn wear_of(puzzle: &Puzzle, measured: &Measured, solution: &Solution) -> Option<WearEstimate> {
    if measured.dissimilarity.material() != Material::Worn {
        return None;
    }
    let wear = wear_of_seams(&puzzle.pieces, &solution.seams)?;
    Some(WearEstimate { gap_px: puzzle.gap_px.unwrap_or(wear.gap_px), ..wear })
}

/// The result of measuring the sides: dissimilarities on demand, the allowed turns, and the candidates of every
/// side with these turns.
#[derive(Debug)]
pub struct Measured {
    /// The dissimilarity of any two sides.
    pub dissimilarity: Dissimilarity,
    /// The turns that pieces are allowed.
    pub turns: TurnSet,
    /// The measured candidates of every side.
    pub nearest: NearestSides,
}

impl Measured {
    /// Measures all sides.
    ///
    /// If the turns are unknown, candidates are found with all possible turns first, and the turns of the
    /// best matches show which are needed.
    ///
    /// # Errors
    /// If the pieces cannot be measured, or the observer cancels.
    pub fn new(
        puzzle: &Puzzle,
        settings: &Settings,
        observer: &dyn Observer,
    ) -> Result<Self, SolveError> {
        let mut dissimilarity = dissimilarity_of(puzzle, settings, observer)?;
        let candidates = settings.candidates();
        let widest = puzzle.possible_turns();
        let mut turns = widest;
        let mut nearest = find_nearest(&dissimilarity, widest, &candidates, observer)?;
        if puzzle.turns.is_none() && widest != TurnSet::None {
            let pages = dissimilarity.pixels().filter(|_| settings.matcher() == Matcher::Learned);
            let inside = pages.and_then(|it| InsideStatistics::new(it, &dissimilarity, widest));
            let evidence = match inside {
                Some(inside) => TurnEvidence::of_matches(inside.mutual_matches(), widest),
                None => TurnEvidence::new(&nearest, widest),
            };
            turns = evidence.choice(widest);
            if turns != widest {
                // A fraction of the work, which is not saved: the checkpoint keeps the first measurement.
                nearest = find_nearest(&dissimilarity, turns, &candidates, &Muted(observer))?;
            }
        }
        if settings.matcher() == Matcher::Learned {
            let pieces = puzzle.compared_pieces();
            dissimilarity = match puzzle.gap_px {
                None if puzzle.colours_bleed => {
                    dissimilarity.looked_into_if_possible(Material::Bled, &puzzle.pieces)
                }
                None => dissimilarity.worn_if(&pieces, &nearest),
                Some(gap_px) if gap_px > 0.0 => {
                    dissimilarity.looked_into_if_possible(Material::Worn, &pieces)
                }
                Some(_) => dissimilarity,
            };
        }
        Ok(Self { dissimilarity, turns, nearest })
    }

    /// The match model, and the settings that it was made with: if the observer stops before it is complete, another
    /// matcher, which takes no time. A quick puzzle is matched all the same.
    fn matched_in_time<'a>(
        &self,
        settings: &'a Settings,
        observer: &dyn Observer,
    ) -> Result<(MatchModel<'_>, Cow<'a, Settings>), Cancelled> {
        if is_quick(self.nearest.num_sides() / Side::ALL.len()) {
            return Ok((self.matched(settings, observer)?, Cow::Borrowed(settings)));
        }
        if !observer.is_stopped() {
            match self.matched(settings, &StopCancels(observer)) {
                Err(Cancelled) if !observer.is_cancelled() => {}
                outcome => return Ok((outcome?, Cow::Borrowed(settings))),
            }
        }
        let (dissimilarity, nearest) = (&self.dissimilarity, &self.nearest);
        let model = MatchModel::by_ratio_of_best(dissimilarity, nearest, CANDIDATES_AFTER_STOP);
        Ok((model, Cow::Owned(Settings { matcher: Some(Matcher::Ratio), ..settings.clone() })))
    }

    /// The match model: how likely any two sides belong together.
    pub fn matched(
        &self,
        settings: &Settings,
        observer: &dyn Observer,
    ) -> Result<MatchModel<'_>, Cancelled> {
        let matcher = settings.matcher();
        matcher.match_sides(&self.dissimilarity, &self.nearest, self.turns, observer)
    }
}

/// The model with the evidence of other pictures that were scrambled alike; without it if the observer stops before all of
/// them are matched.
fn with_pictures_alike<'a>(
    puzzle: &Puzzle,
    model: MatchModel<'a>,
    turns: TurnSet,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<MatchModel<'a>, SolveError> {
    // Without probabilities, as after an early stop, there is nothing to combine.
    if puzzle.scrambled_alike.is_empty() || settings.matcher() == Matcher::Ratio {
        return Ok(model);
    }
    // The checkpoint keeps the states of the first picture.
    let muted = &Muted(observer);
    let in_time = &StopCancels(muted);
    let measured = |pieces: &Arc<PieceSet>| {
        let other = Puzzle { pieces: Arc::clone(pieces), turns: Some(turns), ..puzzle.clone() };
        Measured::new(&other, settings, in_time)
    };
    let with_others = || -> Result<MatchModel<'a>, SolveError> {
        let others: Vec<Measured> =
            puzzle.scrambled_alike.iter().map(measured).collect::<Result<_, _>>()?;
        let others = others.iter().map(|other| other.matched(settings, in_time));
        Ok(combined(&model, &others.collect::<Result<Vec<_>, _>>()?))
    };
    match with_others() {
        Err(SolveError::Cancelled(_)) if !observer.is_cancelled() => Ok(model),
        outcome => outcome,
    }
}

/// Reads the strips along all sides.
fn dissimilarity_of(
    puzzle: &Puzzle,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Dissimilarity, SolveError> {
    observer.stage_started(Stage::Prepare, 1);
    let measure = settings.measure(puzzle.positions_known);
    // A quick puzzle is matched although the observer stops.
    let (is_quick, asking) = (is_quick(puzzle.pieces.num_pieces()), Asking::new(observer));
    let goes_on = &|| is_quick || asking.goes_on();
    let dissimilarity = Dissimilarity::profiled_while(&puzzle.compared_pieces(), measure, goes_on)?;
    observer.stage_finished(Stage::Prepare);
    Ok(dissimilarity)
}

/// Puts the pieces on the boards.
pub fn assemble(
    puzzle: &Puzzle,
    boards: &BoardHypothesis,
    model: &MatchModel<'_>,
    turns: TurnSet,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<(Assembly, Termination), SolveError> {
    let problem = LocationProblem {
        model,
        frame: boards.boards.frames[0],
        turns,
        seed: settings.seed,
        pieces: &puzzle.compared_pieces(),
        matcher: settings.matcher(),
        candidates: settings.candidates(),
    };
    Ok(match &settings.method {
        Method::Fretsaw(effort) => {
            fretsaw::assemble(&problem, boards, &puzzle.constraints, *effort, observer)?
        }
        Method::Yu(yu) => (yu.locate(&problem, observer)?, Termination::Finished),
        Method::Gallagher => (Gallagher.locate(&problem, observer)?, Termination::Finished),
        Method::Other(solver) => (solver.locate(&problem, observer)?, Termination::Finished),
    })
}

/// Places pieces by their likeness to a picture. Where the seams leave doubts, an answer by seams alone helps.
fn place_by_reference(
    puzzle: &Puzzle,
    picture: &Picture,
    model: &MatchModel<'_>,
    turns: TurnSet,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<PlacedByReference, SolveError> {
    let pieces = &*puzzle.pieces;
    let grid = puzzle.boards.grid();
    let grid = grid.or_else(|| reference::likely_grid(pieces, picture, puzzle.possible_turns()));
    let grid = grid.ok_or(SolveError::GridNeeded { what: "a reference of this form" })?;
    let costs = &SeamCosts::new(model);
    let problem = ReferenceProblem { pieces, reference: picture, grid, turns, costs };
    let mut placing = Placing::new(problem, observer)?;
    if !placing.is_sure() && !observer.is_stopped() {
        let muted = &Muted(observer);
        let on_board = puzzle.clone().board(grid);
        let by_seams = find_boards(&on_board, model, turns, settings, muted)
            .and_then(|boards| assemble(&on_board, &boards, model, turns, settings, muted));
        match by_seams {
            Ok((assembly, _)) => {
                let seams = &confidence::of_seams(&assembly, model);
                placing.improve(SeamAnswer { assembly: &assembly, seams }, muted)?;
            }
            Err(SolveError::Cancelled(cancelled)) => return Err(cancelled.into()),
            // Boards that the seams cannot fill say nothing about the reference.
            Err(_) => {}
        }
    }
    Ok(placing.finish()?)
}

/// Turns pieces whose positions are known.
fn solve_in_place(
    puzzle: &Puzzle,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Solution, SolveError> {
    let frame = known_frame(puzzle)?;
    let dissimilarity = dissimilarity_of(puzzle, settings, observer)?;
    let turns = puzzle.possible_turns();
    let assembly = turn_in_place(&dissimilarity, frame, turns, observer)?;
    let seams = seam_confidences(&dissimilarity, frame, turns, &assembly);
    let found = (assembly, Termination::Finished);
    Ok(Solution::new(&puzzle.pieces, turns, "mrf", found, seams, None))
}

/// The board of pieces that lie in place, which must fill it.
fn known_frame(puzzle: &Puzzle) -> Result<Grid, SolveError> {
    let what = "a puzzle of type 3, whose pieces lie where they belong,";
    let grid = puzzle.boards.grid().ok_or(SolveError::GridNeeded { what })?;
    let num_pieces = puzzle.pieces.num_pieces();
    if grid.num_cells() != num_pieces {
        return Err(SolveError::GridNotFilled { num_pieces, grid });
    }
    Ok(grid)
}

/// Refuses a puzzle and settings that contradict each other.
fn check(puzzle: &Puzzle, settings: &Settings) -> Result<(), SolveError> {
    let num_pieces = puzzle.pieces.num_pieces();
    if num_pieces < 2 {
        return Err(SolveError::TooFewPieces(num_pieces));
    }
    puzzle.boards.checked_grid()?;
    let form = |pieces: &PieceSet| (pieces.num_pieces(), pieces.shape());
    if puzzle.scrambled_alike.iter().any(|other| form(other) != form(&puzzle.pieces)) {
        return Err(SolveError::OtherForm);
    }
    let has_probabilities = !puzzle.positions_known && settings.matcher() != Matcher::Ratio;
    if !puzzle.scrambled_alike.is_empty() && !has_probabilities {
        return Err(SolveError::OnePictureOnly);
    }
    if let Some(too_few) = settings.num_candidates.filter(|&candidates| candidates < 2) {
        return Err(SolveError::TooFewCandidates(too_few));
    }
    let is_constrained = !puzzle.constraints.is_empty() || puzzle.start.is_some();
    if is_constrained && (puzzle.positions_known || !settings.method.is_fretsaw()) {
        return Err(SolveError::ConstraintsNotSupported);
    }
    if puzzle.positions_known {
        let not_needed = puzzle.reference.as_ref().map(|_| Err(SolveError::ReferenceNotNeeded));
        return not_needed.unwrap_or_else(|| known_frame(puzzle).map(|_| ()));
    }
    let (measure, matcher) = (settings.measure(false), settings.matcher());
    if !matcher.knows(measure) {
        return Err(SolveError::UnknownMeasure { matcher, measure });
    }
    let start = puzzle.start.as_ref();
    if let Some(start) = start.filter(|start| start.num_pieces() != num_pieces) {
        return Err(SolveError::WrongStart { num_pieces, of_start: start.num_pieces() });
    }
    let grid = start.and_then(|start| start.boards().first().copied()).or(puzzle.boards.grid());
    Ok(puzzle.constraints.check(num_pieces, puzzle.possible_turns(), grid)?)
}
