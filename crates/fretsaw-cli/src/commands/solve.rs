//! `fretsaw solve`

use super::{Talk, all_threads, check_judge, check_rotations, with_threads};
use crate::args::{MethodArg, SolveArgs};
use crate::checkpoint::{Checkpointing, Saving};
use crate::failure::Failure;
use crate::memory_need::MemoryNeed;
use crate::outputs::{Shown, ToShow, bits, check_distinct, check_shown};
use crate::progress::{Progress, with_spinner};
use crate::stdout::print_line;
use crate::stop::{Stop, heed_interrupts};
use fretsaw::boards::KnownBoards;
use fretsaw::locations::quadratic_assignment::QapSettings;
use fretsaw::methods::fretsaw::FretsawSettings;
use fretsaw::observer::Ended;
use fretsaw::puzzle::{Grid, MAX_PIECES, PuzzleType};
use fretsaw::solve::{
    Hints, Outcome, Puzzle, SolveSettings, default_measure, sizes_that_fit, solve, usual_judge,
};
use fretsaw_io::{
    Fingerprint, InputOptions, Limits, PuzzleInput, SolutionFile, SolutionInfo, StageStates,
    Timing, check_checkpoint_target, check_file_target, check_picture_target, read_checkpoint,
    read_input, read_solution, write_solution,
};
use serde::Serialize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The time between two checkpoints, if none is given.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(60);

pub(super) fn run(args: &SolveArgs, talk: Talk) -> Result<(), Failure> {
    let start = Instant::now();
    let options = InputOptions { piece: args.piece, limits: Limits::default() };
    let input = with_spinner(talk, "reading", || read_input(&args.input, &options))?;
    for warning in &input.warnings {
        talk.warn(warning);
    }
    let PuzzleInput { pieces, constant_alpha, declared, .. } = &input;
    let constraints = args.hints.constraints();
    let first = args.hints.start.as_deref().map(|path| read_solution(path, &options.limits));
    let first = first.transpose()?.map(|solution| solution.assembly);
    let grid = match (args.rows, args.cols) {
        (Some(rows), Some(cols)) => Some(
            Grid::new(rows, cols)
                .map_err(|error| Failure::Usage(format!("{error}; correct --rows and --cols")))?,
        ),
        (None, None) => declared.as_ref().and_then(|declared| declared.grid),
        _ => None,
    };
    let puzzle_type = args
        .puzzle_type
        .map(PuzzleType::from)
        .or(declared.as_ref().map(|declared| declared.puzzle_type))
        .unwrap_or(PuzzleType::Type2);
    let boards = KnownBoards {
        rows: known_length("--rows", args.rows)?,
        cols: known_length("--cols", args.cols)?,
        count: args.hints.num_puzzles(),
    };
    let hints = Hints {
        boards,
        constraints: constraints.as_ref(),
        start: first.as_ref(),
        ..Hints::default()
    };
    let puzzle = Puzzle { hints, ..Puzzle::new(pieces, puzzle_type, grid) };
    if let Some(rotations) = args.rotations
        && !puzzle.puzzle_type.positions_known()
    {
        check_rotations(rotations.into(), matches!(args.method, MethodArg::Gcl))?;
    }
    if args.variant.is_some() && !matches!(args.method, MethodArg::Yu) {
        return Err(Failure::Usage(
            "--variant is for --method yu, which has variants; leave it out, or give that method"
                .into(),
        ));
    }
    let is_stoppable =
        matches!(args.method, MethodArg::Fretsaw) && !puzzle.puzzle_type.positions_known();
    if !is_stoppable {
        check_unstoppable(args, &puzzle)?;
    }
    check_outputs(args, &puzzle, *constant_alpha)?;
    if args.rows.is_some()
        && let Some(grid) = puzzle.grid
        && grid.num_cells() > pieces.num_pieces()
    {
        talk.warn(format!(
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
    let measure = args.measure.map_or(default_measure(puzzle.puzzle_type), Into::into);
    let judge = args.judge.map_or(usual_judge(measure), Into::into);
    let uses_judge = !puzzle.puzzle_type.positions_known();
    if uses_judge {
        check_judge(judge, measure)?;
    }
    let settings = SolveSettings {
        method: args.method.into(),
        fretsaw: FretsawSettings { effort: args.effort.map(Into::into).unwrap_or_default() },
        yu: args.yu.settings(args.variant),
        gcl: args.gcl.settings(args.rotations)?,
        assignment: QapSettings { form: args.assignment_form.into(), ..QapSettings::default() },
        rotations: args.rotations.map(Into::into),
        measure: Some(measure),
        judge,
        seed: args.seed,
        ..SolveSettings::default()
    };
    let num_threads = args.threads.unwrap_or_else(all_threads);
    let need = MemoryNeed::of(&puzzle, &settings, num_threads);
    if args.dry_run {
        return print_line(if args.json { need.json()? } else { need.to_string() });
    }
    if !args.ignore_memory {
        need.check()
            .map_err(|reason| Failure::Failed(format!("{}: {reason}", args.input.display())))?;
    }
    let saving = checkpoint(args, &puzzle, &settings)?;
    let stop = if is_stoppable {
        // Until now there was nothing to end with.
        heed_interrupts(talk);
        Stop::after(start, args.time_limit)
    } else {
        Stop::default()
    };
    talk.detail(format!(
        "{}: {} pieces of {} x {} px, {} channels, type {:?}, {settings:?}",
        args.input.display(),
        pieces.num_pieces(),
        pieces.shape().width_px(),
        pieces.shape().height_px(),
        pieces.channels(),
        puzzle.puzzle_type,
    ));
    let progress = Progress::new(talk.quiet, stop);
    let outcome = if let Some((saving, states)) = saving {
        let observer = Checkpointing::new(&progress, saving, states, talk);
        with_threads(args.threads, || solve(&puzzle, &settings, &observer))
    } else {
        with_threads(args.threads, || solve(&puzzle, &settings, &progress))
    };
    let Outcome { assembly, confidence, seams, interchangeable, suggestions, ended, method } =
        outcome?.map_err(|error| Failure::solving(&args.input, &error))?;
    let status = match (ended, progress.stop_reason()) {
        (Ended::Stopped, Some(reason)) => reason.status(),
        _ => "finished",
    };
    let unplaced = assembly.unplaced().count();
    let timings = progress.timings();
    for Timing { stage, seconds } in &timings {
        talk.detail(format!("{stage:10} {seconds:.3} s"));
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
            settings: serde_json::to_value(settings).map_err(anyhow::Error::from)?,
            seed: Some(settings.seed),
            timings,
            status: Some(status.into()),
        },
        assembly,
    };
    let to_show = ToShow {
        pieces,
        constant_alpha: *constant_alpha,
        solution: &solution,
        input: &args.input,
        warnings: input.warnings.iter().map(ToString::to_string).collect(),
    };
    let shown = Shown::new(&to_show, &args.out, &args.show, &other_outputs(args), talk);
    if let Some(path) = &args.solution {
        // Even if it cannot be painted as asked: a long solve should not be lost.
        write_solution(path, &solution)?;
        if shown.is_err() {
            talk.say(format!("{}: 'fretsaw apply' can paint it", path.display()));
        }
    }
    let shown = shown?;
    shown.write(talk)?;
    if args.json {
        let summary = Summary {
            out: shown.board_names(),
            pieces: pieces.num_pieces(),
            placed: pieces.num_pieces() - unplaced,
            rows: solution.assembly.boards()[0].rows(),
            cols: solution.assembly.boards()[0].cols(),
            method,
            measure: measure.name(),
            judge: uses_judge.then(|| judge.name()),
            seed: settings.seed,
            status,
            timings: &solution.info.timings,
        };
        return print_line(serde_json::to_string(&summary).map_err(anyhow::Error::from)?);
    }
    let how = if ended == Ended::Stopped { format!(", {status}") } else { String::new() };
    talk.say(format!(
        "{}: {} of {} pieces placed in {:.2} s{how}",
        shown.board_names(),
        pieces.num_pieces() - unplaced,
        pieces.num_pieces(),
        solution.info.timings.iter().map(|timing| timing.seconds).sum::<f64>(),
    ));
    Ok(())
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

/// Refuses what only the method 'fretsaw' can heed, where it is not at work.
fn check_unstoppable(args: &SolveArgs, puzzle: &Puzzle<'_>) -> Result<(), Failure> {
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
    puzzle: &Puzzle<'_>,
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
    puzzle: &Puzzle<'_>,
    settings: &SolveSettings,
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

/// What `--json` prints.
#[derive(Serialize)]
struct Summary<'a> {
    out: String,
    pieces: usize,
    placed: usize,
    rows: u32,
    cols: u32,
    method: &'a str,
    measure: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    judge: Option<&'a str>,
    seed: u64,
    status: &'a str,
    timings: &'a [Timing],
}
