//! Solving: from an input and what is known to an answer, as `fretsaw solve` does it.

use crate::background::{Ends, Report, Stop, in_background};
use crate::failure::Failure;
use crate::found::{Found, check_same_pieces};
use crate::input::Input;
use crate::pixels::picture;
use fretsaw::puzzle::{Cell, Join, PieceId, Pin, QuarterTurn, Side, SideId};
use fretsaw::puzzle::{MAX_PIECES, TurnSet};
use fretsaw::settings::{Matcher, Measure};
use fretsaw::unstable::TurnsHint;
use fretsaw::unstable::dissimilarity::TellingSides;
use fretsaw::verdict::Verdict;
use fretsaw::{
    Assembly, Constraints, Effort, KnownBoards, Method, Puzzle, PuzzleType, Settings, solve,
};
use fretsaw_gcl::{METHOD_NAMES, method_by_name};
use fretsaw_io::{Known, PuzzleInput, SolutionFile, SolutionInfo, StopReason, Upright};
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The settings of a solve, as `fretsaw._solve` hands them over.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked<'py> {
    columns: Option<u32>,
    rows: Option<u32>,
    turns: String,
    known: KnownAnswer<'py>,
    reference: Option<Bound<'py, PyAny>>,
    method: String,
    effort: String,
    measure: Option<String>,
    matcher: Option<String>,
    time_limit: Option<f64>,
    seed: u64,
    pub(crate) threads: Option<usize>,
    upright: bool,
}

/// What is known of the answer.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct KnownAnswer<'py> {
    puzzle_type: Option<u8>,
    puzzles: Option<usize>,
    gap_between: Option<f64>,
    mirrored: bool,
    pins: Vec<(usize, u32, u32, Option<i64>)>,
    joins: Vec<(usize, usize, usize, usize)>,
    forbidden: Vec<(usize, usize, usize, usize)>,
    start: Option<PyRef<'py, Found>>,
    force: bool,
}

/// The variant with this name.
pub(crate) fn by_name<T: Copy>(
    what: &str,
    all: &[T],
    name_of: impl Fn(T) -> &'static str,
    given: &str,
) -> Result<T, Failure> {
    all.iter().copied().find(|&one| name_of(one) == given).ok_or_else(|| {
        let names: Vec<String> = all.iter().map(|&one| format!("'{}'", name_of(one))).collect();
        Failure::settings(format!("{what}='{given}' is unknown; use {}", names.join(", ")))
    })
}

pub(crate) const fn turns_name(turns: TurnSet) -> &'static str {
    match turns {
        TurnSet::None => "none",
        TurnSet::Half => "half",
        TurnSet::Quarter => "quarter",
    }
}

/// The turns given; `None` for 'auto'.
pub(crate) fn turns_of(given: &str) -> Result<Option<TurnsHint>, Failure> {
    let sets = [TurnSet::None, TurnSet::Half, TurnSet::Quarter];
    let all = [None, Some(sets[0]), Some(sets[1]), Some(sets[2])];
    let name = |turns: Option<TurnSet>| turns.map_or("auto", turns_name);
    Ok(by_name("turns", &all, name, given)?.map(TurnsHint::Only))
}

pub(crate) fn puzzle_type_of(number: u8) -> Result<PuzzleType, Failure> {
    PuzzleType::ALL.into_iter().find(|it| it.number() == number).ok_or_else(|| {
        Failure::settings(format!(
            "a puzzle of type {number} is unknown; use 1 (positions unknown), 2 (positions and turns) or 3 (turns)"
        ))
    })
}

pub(crate) fn measure_of(given: Option<&str>) -> Result<Option<Measure>, Failure> {
    given.map(|name| by_name("measure", &Measure::ALL, Measure::name, name)).transpose()
}

pub(crate) fn matcher_of(given: Option<&str>) -> Result<Option<Matcher>, Failure> {
    given.map(|name| by_name("matcher", &Matcher::ALL, Matcher::name, name)).transpose()
}

pub(crate) fn settings_of(asked: &Asked<'_>) -> Result<Settings, Failure> {
    let effort = by_name("effort", &Effort::ALL, Effort::name, &asked.effort)?;
    let method = by_name("method", &METHOD_NAMES, |name| name, &asked.method)?;
    Ok(Settings {
        method: match method_by_name(method).unwrap_or_default() {
            Method::Fretsaw(_) => Method::Fretsaw(effort),
            other => other,
        },
        measure: measure_of(asked.measure.as_deref())?,
        matcher: matcher_of(asked.matcher.as_deref())?,
        seed: asked.seed,
        ..Settings::default()
    })
}

fn piece_of(number: usize) -> Result<PieceId, Failure> {
    if number >= MAX_PIECES {
        return Err(Failure::settings(format!(
            "{number} is not the number of a piece, counted from 0"
        )));
    }
    Ok(PieceId::new(number))
}

fn joins_of(given: &[(usize, usize, usize, usize)]) -> Result<Vec<Join>, Failure> {
    let join = |&(one, one_side, other, other_side): &(usize, usize, usize, usize)| {
        if one == other {
            return Err(Failure::settings(format!("a join names piece {one} twice")));
        }
        let side =
            |piece, side| Ok::<_, Failure>(SideId::new(piece_of(piece)?, Side::from_index(side)));
        Ok::<_, Failure>(Join::new(side(one, one_side)?, side(other, other_side)?))
    };
    given.iter().map(join).collect()
}

impl KnownAnswer<'_> {
    fn constraints(&self) -> Result<Constraints, Failure> {
        let pin = |&(piece, row, col, turns): &(usize, u32, u32, Option<i64>)| {
            let turn = turns.map(QuarterTurn::from_clockwise);
            Ok::<_, Failure>(Pin { piece: piece_of(piece)?, cell: Cell { row, col }, turn })
        };
        Ok(Constraints {
            pins: self.pins.iter().map(pin).collect::<Result<_, _>>()?,
            joins: joins_of(&self.joins)?,
            forbidden: joins_of(&self.forbidden)?,
        })
    }
}

/// Whether the solve can stop early and return its best board so far.
fn is_stoppable(puzzle: &Puzzle, settings: &Settings) -> bool {
    settings.method.is_fretsaw() && !puzzle.positions_known
}

/// The puzzle of an input and of what is asked.
pub(crate) fn puzzle_of(input: &PuzzleInput, asked: &Asked<'_>) -> PyResult<Puzzle> {
    let known = &asked.known;
    if let Some(start) = &known.start {
        check_same_pieces(start.document.info.fingerprint, input.fingerprint, known.force)?;
    }
    let shape = input.pieces.shape();
    let side_px = f64::from(shape.height_px().min(shape.width_px()));
    if let Some(gap_px) = known.gap_between
        && !(0.0..=side_px).contains(&gap_px)
    {
        return Err(Failure::settings(format!(
            "a gap_between of {gap_px} px is not between 0 and the {side_px} px of the pieces"
        ))
        .into());
    }
    let facts = Known {
        puzzle_type: known.puzzle_type.map(puzzle_type_of).transpose()?,
        turns: turns_of(&asked.turns)?,
        boards: KnownBoards { rows: asked.rows, cols: asked.columns, count: known.puzzles },
        gap_px: known.gap_between,
        reference: asked.reference.as_ref().map(picture).transpose()?,
        start: known.start.as_ref().map(|start| start.document.assembly.clone()),
        constraints: known.constraints()?,
    };
    Ok(input
        .puzzle(facts)
        .map_err(|error| Failure::settings(format!("turns and type: {error}")))?)
}

/// Refuses settings that cannot be combined.
fn check_settings(asked: &Asked<'_>, puzzle: &Puzzle, settings: &Settings) -> Result<(), Failure> {
    let known = &asked.known;
    if known.mirrored && puzzle.positions_known {
        let message = "mirrored=True is only for puzzles of type 1 and 2, whose positions are unknown; leave it out";
        return Err(Failure::settings(message));
    }
    if puzzle.positions_known && puzzle.boards.count.is_some_and(|count| count != 1) {
        let message = "pieces of a puzzle of type 3 lie on one board; leave puzzles out";
        return Err(Failure::settings(message));
    }
    if is_stoppable(puzzle, settings) {
        return Ok(());
    }
    let given = [
        ("effort", asked.effort != Effort::default().name()),
        ("time_limit", asked.time_limit.is_some()),
        ("pins, joins and forbidden", !puzzle.constraints.is_empty()),
        ("start", known.start.is_some()),
    ];
    let Some((name, _)) = given.into_iter().find(|(_, is_given)| *is_given) else { return Ok(()) };
    Err(Failure::settings(if puzzle.positions_known {
        format!(
            "{name}: only for puzzles of type 1 and 2, whose positions are unknown; leave it out"
        )
    } else {
        format!("{name}: only for method='fretsaw'; leave it out, or use that method")
    }))
}

/// What a solve needs of its input and request.
struct Job {
    input: Arc<PuzzleInput>,
    source: String,
    puzzle: Puzzle,
    settings: Settings,
    is_mirrored: bool,
    stands_upright: bool,
}

impl Job {
    fn run(self, watcher: &crate::background::Watcher) -> Result<Found, Failure> {
        let Self { input, source, mut puzzle, settings, is_mirrored, stands_upright } = self;
        let failed = |error: fretsaw::SolveError| Failure::solving(&source, &error);
        let mut warnings: Vec<String> = input.warnings.iter().map(ToString::to_string).collect();
        if !puzzle.positions_known {
            // Pieces that cannot be compared are an error of the solve.
            let telling = TellingSides::of(&puzzle.pieces, puzzle.possible_turns()).ok();
            warnings.extend(telling.filter(TellingSides::are_few).map(|it| it.to_string()));
        }
        let mut mirrored = Vec::new();
        if is_mirrored {
            (puzzle, mirrored) = puzzle.unmirrored(&settings, watcher).map_err(failed)?;
        }
        let mut solution = solve(&puzzle, &settings, watcher).map_err(failed)?;
        let mut guess = None;
        if stands_upright {
            (solution, guess) = solution.stand_upright(&puzzle);
        }
        let status = StopReason::status(solution.termination, watcher.reason());
        let timings = watcher.clock.timings();
        let mut document =
            SolutionFile::of_input(&input, &puzzle, &settings, &solution, timings, status)
                .map_err(Failure::internal)?;
        document.info.upright = guess.map(Upright::from);
        document.mirrored = mirrored;
        warnings.extend(input.suspicion(&puzzle, &solution));
        let verdict = Verdict::new(&puzzle, &settings, &solution).map(|it| it.to_string());
        Ok(Found {
            document,
            pieces: Some(puzzle.pieces),
            constant_alpha: input.constant_alpha,
            source,
            warnings,
            verdict,
        })
    }
}

/// The longest time limit: a year.
const MAX_TIME_LIMIT_SECS: f64 = 365.0 * 24.0 * 3600.0;

fn deadline(start: Instant, time_limit: Option<f64>) -> Result<Option<Instant>, Failure> {
    let Some(seconds) = time_limit else { return Ok(None) };
    if !(seconds > 0.0 && seconds <= MAX_TIME_LIMIT_SECS) {
        return Err(Failure::settings(format!(
            "time_limit={seconds} must be above 0 and at most {MAX_TIME_LIMIT_SECS} seconds, a year"
        )));
    }
    Ok(Some(start + Duration::from_secs_f64(seconds)))
}

/// Solves a puzzle. `report` is called with the stage, its share and a board.
#[pyfunction]
#[pyo3(name = "solve", signature = (input, asked, stop, report, measured))]
pub(crate) fn solve_input(
    py: Python<'_>,
    input: &Input,
    asked: Asked<'_>,
    stop: Option<PyRef<'_, Stop>>,
    report: Option<Bound<'_, PyAny>>,
    measured: Option<Vec<u8>>,
) -> PyResult<Found> {
    let ends = Ends {
        stop: stop.map(|stop| Stop::clone(&stop)).unwrap_or_default(),
        deadline: deadline(Instant::now(), asked.time_limit)?,
        measured,
    };
    let puzzle = puzzle_of(&input.input, &asked)?;
    let settings = settings_of(&asked)?;
    check_settings(&asked, &puzzle, &settings)?;
    input.limits.check_known_boards(&puzzle.boards, &puzzle.pieces).map_err(Failure::from)?;
    let pieces = Arc::clone(&puzzle.pieces);
    let job = Job {
        input: Arc::clone(&input.input),
        source: input.source.clone(),
        puzzle,
        settings,
        is_mirrored: asked.known.mirrored,
        stands_upright: asked.upright,
    };
    let tell = report.map(|report| {
        move |stage: &str, share: f64, board: Option<Assembly>| {
            let info =
                || SolutionInfo { status: Some("searching".into()), ..SolutionInfo::default() };
            let board = board.map(|assembly| Found::bare(input, &pieces, assembly, info()));
            report.call1((stage, share, board)).map(|_| ())
        }
    });
    let tell: Option<Report<'_>> = tell.as_ref().map(|tell| tell as Report<'_>);
    in_background(py, asked.threads, ends, tell, move |watcher| job.run(watcher))
}
