//! `fretsaw solve`

use crate::args::{SolveArgs, TurnsArg};
use crate::checkpoint::{Checkpointing, Saving};
use crate::memory_need::MemoryNeed;
use crate::outputs::{Shown, ToShow, bits, check_distinct, check_shown};
use fretsaw::observer::Termination;
use fretsaw::picture::Picture;
use fretsaw::puzzle::{Assembly, Grid, MAX_PIECES, PieceShape, PuzzleType, TurnSet};
use fretsaw::unstable::boards::KnownBoards;
use fretsaw::unstable::locations::quadratic_assignment::QapSettings;
use fretsaw::unstable::methods::fretsaw::FretsawSettings;
use fretsaw::unstable::methods::reference::fits_form;
use fretsaw::{
    Hints, Method, Puzzle, Settings, Solution, default_matcher, default_measure, sizes_that_fit,
    solve,
};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::input_args::tell_input;
use fretsaw_cli::method_args::{check_matcher, check_rotations};
use fretsaw_cli::progress::{Progress, with_spinner};
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::stop::{Stop, heed_interrupts};
use fretsaw_cli::threads::{all_threads, with_threads};
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::{
    Fingerprint, Limits, PuzzleInput, SolutionFile, SolutionInfo, StageStates, Timing,
    check_checkpoint_target, check_file_target, check_picture_target, input_name, read_checkpoint,
    read_inputs, read_picture, read_solution, write_solution,
};
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The time between two checkpoints, if none is given.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(60);

pub(super) fn run(args: &SolveArgs, verbosity: Verbosity) -> Result<(), Failure> {
    let start = Instant::now();
    let name = input_name(&args.input.paths);
    let (rows, cols) = args.rows_and_cols();
    let options = args.input.options(cols, rows);
    let input = with_spinner(verbosity, "reading", || read_inputs(&args.input.paths, &options))?;
    tell_input(verbosity, &name, &args.input, &input);
    let PuzzleInput { pieces, constant_alpha, declared, .. } = &input;
    let constraints = args.hints.constraints();
    let first = args.hints.start.as_deref().map(|path| read_solution(path, &options.limits));
    let first = first.transpose()?.map(|solution| solution.assembly);
    let grid = match (rows, cols) {
        (Some(rows), Some(cols)) => Some(
            Grid::new(rows, cols)
                .map_err(|error| Failure::Usage(format!("{error}; correct --rows and --cols")))?,
        ),
        (None, None) => declared.as_ref().and_then(|declared| declared.grid),
        _ => None,
    };
    let declared_type = declared.as_ref().map(|declared| declared.puzzle_type);
    let Unknown { puzzle_type, turns, finds_turns } =
        unknown_of(args.puzzle_type, args.turns, declared_type, pieces.shape())?;
    let reference = match &args.reference {
        Some(path) => Some(read_picture(path, &Limits::default())?.picture),
        None => None,
    };
    let boards = KnownBoards {
        rows: known_length("--rows", rows)?,
        cols: known_length("--cols", cols)?,
        count: args.hints.num_puzzles(),
    };
    let hints = Hints {
        turns,
        finds_turns,
        boards,
        constraints: constraints.as_ref(),
        start: first.as_ref(),
        reference: reference.as_ref(),
    };
    let puzzle = Puzzle {
        hints,
        ..Puzzle::new(pieces.clone())
            .of_type(puzzle_type)
            .boards(grid.map_or(KnownBoards::default(), KnownBoards::one))
    };
    if let Some(rotations) = args.rotations
        && !puzzle.puzzle_type.positions_known()
    {
        check_rotations(rotations, args.method == Method::Gcl)?;
    }
    if args.variant.is_some() && args.method != Method::Yu {
        return Err(Failure::Usage(
            "--variant is for --method yu, which has variants; leave it out, or give that method"
                .into(),
        ));
    }
    let is_stoppable = args.method == Method::Fretsaw && !puzzle.puzzle_type.positions_known();
    if !is_stoppable {
        check_unstoppable(args, &puzzle)?;
    }
    check_outputs(args, &puzzle, *constant_alpha)?;
    if rows.is_some()
        && let Some(grid) = puzzle.grid
        && grid.num_cells() > pieces.num_pieces()
    {
        verbosity.warn(format!(
            "{} pieces leave {} of {} cells empty; they would fill {}",
            pieces.num_pieces(),
            grid.num_cells() - pieces.num_pieces(),
            grid.num_cells(),
            sizes_that_fit(pieces.num_pieces())
                .iter()
                .map(|grid| format!("--rows {} --cols {}", grid.rows(), grid.cols()))
                .collect::<Vec<_>>()
                .join(", or ")
        ));
    }
    let measure = args.measure.unwrap_or_else(|| default_measure(puzzle.puzzle_type));
    let matcher = args.matcher.unwrap_or_else(|| default_matcher(measure));
    let uses_judge = !puzzle.puzzle_type.positions_known();
    if uses_judge {
        check_matcher(matcher, measure)?;
    }
    let settings = Settings {
        method: args.method,
        fretsaw: FretsawSettings { effort: args.effort.unwrap_or_default() },
        yu: args.yu.settings(args.variant),
        gcl: args.gcl.settings(args.rotations)?,
        assignment: QapSettings { form: args.assignment_form, ..QapSettings::default() },
        rotations: args.rotations,
        measure: Some(measure),
        matcher,
        seed: args.seed,
        ..Settings::default()
    };
    let num_threads = args.threads.unwrap_or_else(all_threads);
    let need = MemoryNeed::of(&puzzle, &settings, num_threads);
    if args.dry_run {
        return print_line(if args.json { need.json()? } else { need.to_string() });
    }
    if !args.ignore_memory {
        need.check().map_err(|reason| Failure::Failed(format!("{}: {reason}", name.display())))?;
    }
    let saving = checkpoint(args, &puzzle, &settings)?;
    let stop = if is_stoppable {
        // Until now there was nothing to end with.
        heed_interrupts(verbosity);
        Stop::after(start, args.time_limit)
    } else {
        Stop::default()
    };
    verbosity.detail(format!(
        "{}: {} pieces of {} x {} px, {} channels, type {:?}, {settings:?}",
        name.display(),
        pieces.num_pieces(),
        pieces.shape().width_px(),
        pieces.shape().height_px(),
        pieces.channels(),
        puzzle.puzzle_type,
    ));
    let progress = Progress::new(verbosity.quiet, stop);
    let outcome = if let Some((saving, states)) = saving {
        let observer = Checkpointing::new(&progress, saving, states, verbosity);
        with_threads(args.threads, || solve(&puzzle, &settings, &observer))
    } else {
        with_threads(args.threads, || solve(&puzzle, &settings, &progress))
    };
    let Solution {
        assembly,
        confidence,
        seams,
        interchangeable,
        suggestions,
        termination,
        turns,
        method,
    } = outcome?.map_err(|error| Failure::solving(&name, &error))?;
    if let Some(reference) = &reference {
        tell_of_reference(args, verbosity, reference, &input, &assembly);
    }
    let status = match (termination, progress.stop_reason()) {
        (Termination::Stopped, Some(reason)) => reason.status(),
        _ => "finished",
    };
    let unplaced = assembly.unplaced().count();
    let timings = progress.timings();
    for Timing { stage, seconds } in &timings {
        verbosity.detail(format!("{stage:10} {seconds:.3} s"));
    }
    let solution = SolutionFile {
        confidences: assembly.placements().map(|placement| placement.piece).fold(
            vec![None; pieces.num_pieces()],
            |mut confidences, piece| {
                confidences[piece.index()] = Some(confidence[piece.index()]);
                confidences
            },
        ),
        seams,
        interchangeable,
        suggestions,
        names: input.names.clone(),
        info: SolutionInfo {
            version: Some(env!("CARGO_PKG_VERSION").into()),
            method: Some(method.into()),
            settings: recorded_settings(&settings, turns)?,
            seed: Some(settings.seed),
            timings,
            status: Some(status.into()),
            skipped: input.skipped(),
        },
        assembly,
    };
    let to_show = ToShow {
        pieces,
        constant_alpha: *constant_alpha,
        solution: &solution,
        input: &name,
        warnings: input.warnings.iter().map(ToString::to_string).collect(),
    };
    let shown = Shown::new(&to_show, &args.out, &args.show, &other_outputs(args), verbosity);
    if let Some(path) = &args.solution {
        // Even if it cannot be painted as asked: a long solve should not be lost.
        write_solution(path, &solution)?;
        if shown.is_err() {
            verbosity.say(format!("{}: 'fretsaw apply' can paint it", path.display()));
        }
    }
    let shown = shown?;
    shown.write(verbosity)?;
    if args.json {
        let summary = Summary {
            out: shown.board_names(),
            pieces: pieces.num_pieces(),
            placed: pieces.num_pieces() - unplaced,
            rows: solution.assembly.boards()[0].rows(),
            cols: solution.assembly.boards()[0].cols(),
            boards: solution.assembly.boards().iter().map(BoardSummary::from).collect(),
            method,
            turns,
            measure: measure.name(),
            matcher: uses_judge.then(|| matcher.name()),
            seed: settings.seed,
            status,
            timings: &solution.info.timings,
        };
        return print_line(serde_json::to_string(&summary).map_err(anyhow::Error::from)?);
    }
    if finds_turns {
        verbosity.say(match turns {
            TurnSet::None => "turns: none, as the pieces fit best (--turns says otherwise)",
            TurnSet::Half => "turns: half, as the pieces fit best (--turns says otherwise)",
            TurnSet::Quarter => "turns: quarter, any of them (--turns says otherwise)",
        });
    }
    let how =
        if termination == Termination::Stopped { format!(", {status}") } else { String::new() };
    if puzzle.grid.is_none() {
        verbosity.say(found_boards(&solution.assembly));
    }
    if unplaced > 0 && reference.is_none() {
        verbosity.warn(left_out(&input, &solution.assembly));
    }
    verbosity.say(format!(
        "{}: {} of {} pieces placed in {:.2} s{how}",
        shown.board_names(),
        pieces.num_pieces() - unplaced,
        pieces.num_pieces(),
        solution.info.timings.iter().map(|timing| timing.seconds).sum::<f64>(),
    ));
    Ok(())
}

/// Names of pieces that are told in a message at most.
const MAX_NAMED: usize = 10;

/// The boards in words.
fn found_boards(assembly: &Assembly) -> String {
    let size = |grid: &Grid| format!("{} columns x {} rows", grid.cols(), grid.rows());
    let sizes: Vec<String> = assembly.boards().iter().map(size).collect();
    match &sizes[..] {
        [size] => format!("found a board of {size}"),
        sizes => format!("found {} boards: {}", sizes.len(), sizes.join(", ")),
    }
}

/// The pieces that lie on no board, in words.
fn left_out(input: &PuzzleInput, assembly: &Assembly) -> String {
    let unplaced: Vec<String> = assembly
        .unplaced()
        .map(|piece| {
            let name = input.names.get(piece.index());
            name.cloned().unwrap_or_else(|| piece.index().to_string())
        })
        .collect();
    let more = if unplaced.len() > MAX_NAMED { ", ..." } else { "" };
    let named = unplaced[..unplaced.len().min(MAX_NAMED)].join(", ");
    format!("{} pieces fit nowhere and are left out: {named}{more}", unplaced.len())
}

/// Rows or columns as given.
fn known_length(flag: &str, given: Option<u64>) -> Result<Option<u32>, Failure> {
    let wrong = || Failure::Usage(format!("{flag} must be from 1 to {MAX_PIECES}"));
    let is_possible = |&given: &u64| (1..=MAX_PIECES as u64).contains(&given);
    let read = |given: u64| {
        Some(given)
            .filter(is_possible)
            .and_then(|given| u32::try_from(given).ok())
            .ok_or_else(wrong)
    };
    given.map(read).transpose()
}

/// What is unknown of the pieces.
#[derive(Debug, PartialEq)]
struct Unknown {
    puzzle_type: PuzzleType,
    /// The turns that they may need, if others than those of the type.
    turns: Option<TurnSet>,
    /// Whether to find out which turns they need.
    finds_turns: bool,
}

/// What `--type`, `--turns` and `puzzle.json` say together: the flags have precedence, but may not
/// contradict each other; if nothing says otherwise, turns are to be found.
fn unknown_of(
    given_type: Option<PuzzleType>,
    given_turns: Option<TurnsArg>,
    declared: Option<PuzzleType>,
    shape: PieceShape,
) -> Result<Unknown, Failure> {
    use PuzzleType::{Type1, Type2, Type3};
    let known = given_type.or(declared);
    let Some(given) = given_turns else {
        return Ok(Unknown {
            puzzle_type: known.unwrap_or(Type2),
            turns: None,
            finds_turns: known.is_none(),
        });
    };
    let refused = |reason: &str| Err(Failure::Usage(reason.into()));
    let oblong = !shape.is_square();
    match (given, given_type) {
        (TurnsArg::Quarter, _) if oblong => {
            return Err(Failure::Usage(format!(
                "--turns quarter is for square pieces; these, of {} x {} px, fit upright or after half \
                 a turn: give --turns half, none or auto",
                shape.width_px(),
                shape.height_px()
            )));
        }
        (TurnsArg::None, Some(Type2 | Type3)) => {
            return refused(
                "--turns none contradicts --type 2 and 3, whose turns are unknown; leave one out",
            );
        }
        (TurnsArg::Auto | TurnsArg::Half | TurnsArg::Quarter, Some(Type1)) => {
            return refused(
                "--type 1 says that pieces lie upright, which --turns contradicts; leave one out",
            );
        }
        _ => {}
    }
    if known == Some(Type3) {
        return match given {
            TurnsArg::Half | TurnsArg::Quarter => {
                Ok(Unknown { puzzle_type: Type3, turns: given.set(), finds_turns: false })
            }
            TurnsArg::Auto => refused(
                "--turns auto is for unknown positions, types 1 and 2; give half or quarter, or leave \
                 it out",
            ),
            TurnsArg::None => refused(
                "positions are known (type 3): without turns nothing is unknown; give --type 1, or \
                 other --turns",
            ),
        };
    }
    let puzzle_type = if given == TurnsArg::None { Type1 } else { Type2 };
    Ok(Unknown { puzzle_type, turns: given.set(), finds_turns: given == TurnsArg::Auto })
}

/// Says what is odd about a reference, and which pieces look like nothing in it.
fn tell_of_reference(
    args: &SolveArgs,
    verbosity: Verbosity,
    reference: &Picture,
    input: &PuzzleInput,
    assembly: &Assembly,
) {
    let (grid, shape) = (assembly.boards()[0], input.pieces.shape());
    if !fits_form(reference, shape, grid) {
        verbosity.warn(format!(
            "{}: {} x {} pixels have another form than {} rows x {} columns of pieces; the reference \
             may show more or less than the puzzle",
            args.reference.clone().unwrap_or_default().display(),
            reference.width_px(),
            reference.height_px(),
            grid.rows(),
            grid.cols(),
        ));
    }
    if assembly.unplaced().next().is_some() {
        verbosity.warn(left_out(input, assembly));
    }
}

/// The settings as they are recorded, with the turns that pieces were allowed.
fn recorded_settings(settings: &Settings, turns: TurnSet) -> Result<serde_json::Value, Failure> {
    let mut recorded = serde_json::to_value(settings).map_err(anyhow::Error::from)?;
    recorded["turns"] = serde_json::to_value(turns).map_err(anyhow::Error::from)?;
    Ok(recorded)
}

/// Refuses what only the method 'fretsaw' can heed, where it is not at work.
fn check_unstoppable(args: &SolveArgs, puzzle: &Puzzle) -> Result<(), Failure> {
    let given = [
        ("--effort", args.effort.is_some()),
        ("--time-limit", args.time_limit.is_some()),
        ("--checkpoint", args.checkpoint.is_some()),
        ("--checkpoint-interval", args.checkpoint_interval.is_some()),
        ("--resume", args.resume.is_some()),
        ("--pin", !args.hints.pin.is_empty()),
        ("--join", !args.hints.join.is_empty()),
        ("--forbid", !args.hints.forbid.is_empty()),
        ("--start", args.hints.start.is_some()),
    ];
    let Some((flag, _)) = given.into_iter().find(|(_, is_given)| *is_given) else {
        return Ok(());
    };
    Err(Failure::Usage(if puzzle.puzzle_type.positions_known() {
        format!("{flag} is for puzzles of type 1 and 2, whose positions are unknown; leave it out")
    } else {
        format!("{flag} is for --method fretsaw; leave it out, or give that method")
    }))
}

/// Everything that can be wrong with the outputs should be said before a long computation, and
/// before the first of them is written.
fn check_outputs(
    args: &SolveArgs,
    puzzle: &Puzzle,
    constant_alpha: Option<u16>,
) -> Result<(), Failure> {
    let pieces = puzzle.pieces;
    let num_cells = puzzle.grid.map_or(0, Grid::num_cells);
    let max_pixels = Limits::default().max_pixels;
    let num_pixels = (num_cells as u64).saturating_mul(pieces.shape().num_pixels() as u64);
    if num_pixels > max_pixels {
        return Err(Failure::Usage(format!(
            "{}: a board of {num_cells} pieces of {} x {} px has more than the limit of {max_pixels} \
             pixels; correct --rows and --cols",
            args.out.display(),
            pieces.shape().width_px(),
            pieces.shape().height_px(),
        )));
    }
    // Holes are painted transparent, where the picture has no other fourth channel.
    let has_holes = num_cells > pieces.num_pieces();
    let channels = match pieces.channels() {
        channels @ (1 | 3) if has_holes => channels + 1,
        channels => channels,
    };
    check_picture_target(&args.out, channels, bits(pieces.samples()), constant_alpha)?;
    if let Some(solution) = &args.solution {
        check_file_target(solution)?;
    }
    check_shown(&args.show)?;
    if args.json && args.show.preview {
        return Err(Failure::Usage(
            "--preview and --json both print to standard output; leave one of them out".into(),
        ));
    }
    let given: Vec<_> =
        std::iter::once(("--out", Some(&args.out))).chain(other_outputs(args)).collect();
    // A solve may save to the file that it goes on from.
    check_distinct(&given, ("--checkpoint", "--resume"))
}

/// The files that are written besides the solved picture, by their flags.
fn other_outputs(args: &SolveArgs) -> [(&'static str, Option<&PathBuf>); 5] {
    [
        ("--solution", args.solution.as_ref()),
        ("--report", args.show.report.as_ref()),
        ("--animation", args.show.animation.as_ref()),
        ("--checkpoint", args.checkpoint.as_ref()),
        ("--resume", args.resume.as_ref()),
    ]
}

/// Where to save how far the solve got, and where it goes on from; `None` if it is not to be saved.
fn checkpoint(
    args: &SolveArgs,
    puzzle: &Puzzle,
    settings: &Settings,
) -> Result<Option<(Saving, StageStates)>, Failure> {
    let Some(path) = args.checkpoint.as_ref().or(args.resume.as_ref()) else {
        return match args.checkpoint_interval {
            None => Ok(None),
            Some(_) => Err(Failure::Usage(
                "--checkpoint-interval is for --checkpoint and --resume; give one of them, or leave \
                 it out"
                    .into(),
            )),
        };
    };
    let fingerprint = Fingerprint::new(puzzle, settings);
    // First, for only this says of a file to go on from what is wrong with it.
    let states = match &args.resume {
        Some(resume) => read_checkpoint(resume, fingerprint, &Limits::default())?,
        None => StageStates::new(),
    };
    check_checkpoint_target(path)?;
    let interval = args.checkpoint_interval.unwrap_or(CHECKPOINT_INTERVAL);
    Ok(Some((Saving { path: path.clone(), interval, fingerprint }, states)))
}

/// A board's size.
#[derive(Serialize)]
struct BoardSummary {
    rows: u32,
    cols: u32,
}

impl From<&Grid> for BoardSummary {
    fn from(grid: &Grid) -> Self {
        Self { rows: grid.rows(), cols: grid.cols() }
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct Summary<'a> {
    out: String,
    pieces: usize,
    placed: usize,
    rows: u32,
    cols: u32,
    boards: Vec<BoardSummary>,
    method: &'a str,
    turns: TurnSet,
    measure: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<&'a str>,
    seed: u64,
    status: &'a str,
    timings: &'a [Timing],
}

#[cfg(test)]
mod tests {
    use super::*;
    use PuzzleType::{Type1, Type2, Type3};

    #[test]
    fn flags_and_files_together_say_which_turns_are_unknown() {
        let square = PieceShape::new(28, 28).unwrap();
        let oblong = PieceShape::new(25, 40).unwrap();
        let found = |given, turns, declared, shape| {
            let unknown = unknown_of(given, turns, declared, shape).ok()?;
            Some((unknown.puzzle_type, unknown.turns, unknown.finds_turns))
        };
        let (auto, none) = (Some(TurnsArg::Auto), Some(TurnsArg::None));
        let (half, quarter) = (Some(TurnsArg::Half), Some(TurnsArg::Quarter));
        // Nothing says anything; a file or a type does.
        assert_eq!(found(None, None, None, square), Some((Type2, None, true)));
        assert_eq!(found(None, None, Some(Type1), square), Some((Type1, None, false)));
        assert_eq!(found(Some(Type2), None, Some(Type1), square), Some((Type2, None, false)));
        // Turns have precedence over the file.
        assert_eq!(found(None, auto, Some(Type1), square), Some((Type2, None, true)));
        assert_eq!(
            found(None, none, Some(Type2), square),
            Some((Type1, Some(TurnSet::None), false))
        );
        assert_eq!(found(None, half, None, square), Some((Type2, Some(TurnSet::Half), false)));
        assert_eq!(found(Some(Type2), auto, None, oblong), Some((Type2, None, true)));
        assert_eq!(
            found(None, half, Some(Type3), square),
            Some((Type3, Some(TurnSet::Half), false))
        );
        // Contradictions.
        assert_eq!(found(None, quarter, None, oblong), None);
        for turns in [auto, half, quarter] {
            assert_eq!(found(Some(Type1), turns, None, square), None);
        }
        for given in [Type2, Type3] {
            assert_eq!(found(Some(given), none, None, square), None);
        }
        assert_eq!(found(None, none, Some(Type3), square), None);
        assert_eq!(found(Some(Type3), auto, None, square), None);
    }
}
