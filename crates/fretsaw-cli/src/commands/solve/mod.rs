//! `fretsaw solve`

mod checks;
mod frames;
mod summary;

use crate::args::solve::{SolveArgs, UprightWhen};
use crate::checkpoint::{Checkpointing, Saving};
use crate::memory_need::MemoryNeed;
use crate::outputs::{ToShow, Written, free_output, rescue};
use crate::same_pieces::check_same_pieces;
use checks::{check_board, check_outputs, check_settings};
use frames::Frames;
use fretsaw::observer::StopCancels;
use fretsaw::preparation::Trim;
use fretsaw::solution::Termination;
use fretsaw::unstable::dissimilarity::TellingSides;
use fretsaw::unstable::sizes_that_fit;
use fretsaw::verdict::{Help, Verdict};
use fretsaw::{Method, Puzzle, Settings, Solution, solve};
use fretsaw_cli::failure::{Failure, Failures};
use fretsaw_cli::input_args::{TrimArgs, tell_input};
use fretsaw_cli::progress::{Progress, with_spinner};
use fretsaw_cli::stdout::{print_json, print_line, tell};
use fretsaw_cli::stop::{Stop, catch_interrupts};
use fretsaw_cli::threads::{all_threads, with_threads};
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_gcl::method_by_name;
use fretsaw_io::{
    Fingerprint, Known, PuzzleInput, SolutionFile, StageStates, StopReason, Timing, Upright,
    check_checkpoint_target, input_name, read_checkpoint, read_inputs, read_picture, read_solution,
    write_solution,
};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use summary::{Summary, tell_result, verdict_in_words, which_way_up};

/// Doubtful answers of at most so many pieces are compared with mirror images, which takes a few seconds.
const MAX_COMPARED_WITH_IMAGES: usize = 3000;

/// The default time between two checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(60);

pub(super) fn run(args: &SolveArgs, verbosity: Verbosity) -> Result<(), Failure> {
    let start = Instant::now();
    let paths = match &args.input.paths[..] {
        [first, ..] if args.known.same_scramble => std::slice::from_ref(first),
        paths => paths,
    };
    let name = input_name(paths);
    let known = args.known.boards();
    let options = trimming(args).on(args.input.options(known.cols, known.rows));
    let input = with_spinner(verbosity, "reading", || read_inputs(paths, &options))?;
    args.input.check_used(&input)?;
    tell_input(verbosity, &name, &args.input, &input);
    let frames = args.known.same_scramble.then(|| Frames::new(args, &input)).transpose()?;
    let mut puzzle = puzzle_of(args, &input)?;
    if let Some(frames) = &frames {
        puzzle.scrambled_alike = with_spinner(verbosity, "reading", || frames.compared())?;
        puzzle.boards.count = Some(1);
    }
    let settings = settings_of(args);
    check_settings(args, &puzzle, &settings)?;
    check_board(args, &puzzle)?;
    let outs = match (&frames, &args.output.out) {
        (Some(_), _) => frames::outputs(args)?,
        (None, Some(out)) => vec![out.clone()],
        (None, None) => vec![free_output(&name)?],
    };
    let out = &outs[0];
    check_outputs(args, &outs, &puzzle, &input)?;
    warn_of_empty_cells(args, &puzzle, verbosity);
    let num_threads = args.research.threads.unwrap_or_else(all_threads);
    let need = MemoryNeed::of(
        &puzzle,
        &settings,
        num_threads,
        args.limits.max_memory,
        args.output.show.animation.is_some(),
    );
    if args.limits.dry_run {
        return if args.output.json { print_json(&need) } else { print_line(need) };
    }
    if !args.limits.ignore_memory {
        need.check().map_err(|reason| Failure::Failed(format!("{}: {reason}", name.display())))?;
    }
    warn_of_alike_pieces(&puzzle, verbosity);

    let progress = Progress::new(verbosity, stop_of(args, &puzzle, &settings, start, verbosity));
    let mirrored = if args.known.mirror {
        let found =
            with_threads(args.research.threads, || puzzle.unmirrored(&settings, &progress))?;
        let (unmirrored, mirrored) = found.map_err(|error| Failure::solving(&name, &error))?;
        puzzle = unmirrored;
        verbosity.say(format!("found {} mirrored pieces", mirrored.len()));
        mirrored
    } else {
        Vec::new()
    };
    let solution = solved(args, &name, &puzzle, &settings, &progress, verbosity)?;
    let (solution, guess) = match args.output.upright {
        UprightWhen::Auto => {
            with_threads(args.research.threads, || solution.stand_upright(&puzzle))?
        }
        UprightWhen::Off => (solution, None),
    };
    let status = StopReason::status(solution.termination, progress.stop_reason());
    let timings = progress.timings();
    let mut document =
        SolutionFile::of_input(&input, &puzzle, &settings, &solution, timings, status)
            .map_err(anyhow::Error::from)?;
    document.info.upright = guess.map(Upright::from);
    document.mirrored = mirrored;
    let suspicion = input.suspicion(&puzzle, &solution);
    let to_show = ToShow {
        pieces: &puzzle.pieces,
        constant_alpha: input.constant_alpha,
        solution: &document,
        input: &name,
        warnings: input.warnings.iter().map(ToString::to_string).chain(suspicion.clone()).collect(),
        limits: &options.limits,
    };
    // All outputs are written before anything is said about them, the most precious first.
    let mut failures = Failures::default();
    let saved = args
        .output
        .solution
        .as_ref()
        .map(|path| failures.note(write_solution(path, &document)).map(|()| path.clone()));
    let written = Written::new(&to_show, out, &args.output.show, &mut failures, verbosity);
    if let Some(frames) = &frames {
        with_spinner(verbosity, "writing", || {
            frames.write(&solution.assembly, &outs[1..], &mut failures);
        });
    }
    let mut saved = saved.flatten();
    if !written.has_boards() && saved.is_none() {
        saved = rescue(out, &document);
    }
    for Timing { stage, seconds } in &document.info.timings {
        verbosity.detail(format!("{stage:10} {seconds:.3} s"));
    }
    if let Some(suspicion) = &suspicion {
        verbosity.warn(suspicion);
    }
    if let Some(path) = saved.filter(|_| !written.has_boards()) {
        tell(format!("{}: the solution, which 'fretsaw apply' can paint", path.display()));
    }
    if args.output.json {
        let summary = Summary::new(&puzzle, &settings, &solution, &document, &written);
        failures.note(summary.print());
    } else {
        failures.note(written.print_preview());
        tell_result(args, &puzzle, &input, &solution, &document, &written, verbosity);
        if let Some(verdict) = verdict_on(args, &puzzle, &settings, &solution, &progress) {
            verbosity.say(verdict_in_words(&verdict, args, &input));
        } else if solution.termination == Termination::Stopped && !solution.are_calibrated {
            verbosity.say(
                "stopped before all sides were compared and matched, so that nothing tells how much of it is right",
            );
        }
        if let Some(guess) = guess {
            verbosity.say(which_way_up(&guess));
        }
    }
    failures.outcome()?;
    match (solution.termination, progress.stop_reason()) {
        (Termination::Stopped, Some(StopReason::Interrupted)) => Err(Failure::Interrupted(
            "stopped by an interrupt; the best board so far was written".into(),
        )),
        _ => Ok(()),
    }
}

/// The verdict on an answer. If it is doubtful and there is time, pieces are compared with mirror images, too.
fn verdict_on(
    args: &SolveArgs,
    puzzle: &Puzzle,
    settings: &Settings,
    solution: &Solution,
    progress: &Progress,
) -> Option<Verdict> {
    let mut verdict = Verdict::new(puzzle, settings, solution)?;
    let may_be_mirrored = verdict.is_doubtful()
        && !args.known.mirror
        && !args.known.same_scramble
        && solution.termination == Termination::Finished
        && puzzle.pieces.num_pieces() <= MAX_COMPARED_WITH_IMAGES;
    if may_be_mirrored {
        let seems = || puzzle.seems_mirrored(settings, &StopCancels(progress));
        // A hint that cannot be given is no failure.
        if matches!(with_threads(args.research.threads, seems), Ok(Ok(true))) {
            verdict.helps.insert(0, Help::Mirror);
        }
    }
    Some(verdict)
}

/// What to cut off the pieces. Pictures that were scrambled alike are cut alike, so nothing is found in each of them.
const fn trimming(args: &SolveArgs) -> TrimArgs {
    match args.trim.trim {
        Trim::Auto if args.known.same_scramble => TrimArgs { trim: Trim::Px(0) },
        _ => args.trim,
    }
}

/// The puzzle that the input and the flags describe.
fn puzzle_of(args: &SolveArgs, input: &PuzzleInput) -> Result<Puzzle, Failure> {
    let limits = args.input.limits.limits();
    let reference = args.known.reference.as_deref();
    let reference = reference.map(|path| read_picture(path, &limits)).transpose()?;
    let start = args.known.start.as_deref();
    let start = start.map(|path| read_solution(path, &limits)).transpose()?;
    if let (Some(path), Some(start)) = (&args.known.start, &start) {
        let found = Some(input.fingerprint);
        let input = input_name(&args.input.paths);
        check_same_pieces((path, start.info.fingerprint), (&input, found), args.known.force)?;
    }
    let known = Known {
        puzzle_type: args.known.puzzle_type,
        turns: args.known.turns,
        boards: args.known.boards(),
        gap_px: args.known.gap_between.px(input.pieces.shape()).map_err(Failure::Usage)?,
        reference: reference.map(|read| read.picture),
        start: start.map(|solution| solution.assembly),
        constraints: args.known.constraints(),
    };
    input.puzzle(known).map_err(|error| Failure::Usage(format!("--turns and --type: {error}")))
}

fn settings_of(args: &SolveArgs) -> Settings {
    let effort = args.limits.effort;
    // The flag's parser accepts only known names.
    let method = method_by_name(&args.research.method).unwrap_or_default();
    Settings {
        method: match method {
            Method::Fretsaw(_) => Method::Fretsaw(effort.unwrap_or_default()),
            other => other,
        },
        measure: args.research.measure,
        matcher: args.research.matcher,
        seed: args.research.seed,
        ..Settings::default()
    }
}

/// Whether the solve can stop early and return its best board so far.
fn is_stoppable(puzzle: &Puzzle, settings: &Settings) -> bool {
    settings.method.is_fretsaw() && !puzzle.positions_known
}

fn stop_of(
    args: &SolveArgs,
    puzzle: &Puzzle,
    settings: &Settings,
    start: Instant,
    verbosity: Verbosity,
) -> Stop {
    if !is_stoppable(puzzle, settings) {
        return Stop::default();
    }
    // Not earlier: before a solve, Ctrl-C should end the program at once.
    catch_interrupts(verbosity);
    Stop::after(start, args.limits.time_limit)
}

/// Solves, with checkpoints if a flag asks for them.
fn solved(
    args: &SolveArgs,
    name: &Path,
    puzzle: &Puzzle,
    settings: &Settings,
    progress: &Progress,
    verbosity: Verbosity,
) -> Result<Solution, Failure> {
    let shape = puzzle.pieces.shape();
    verbosity.detail(format!(
        "{}: {} pieces of {} x {} px, {} channels; method {}, measure {}, matcher {}, seed {}",
        name.display(),
        puzzle.pieces.num_pieces(),
        shape.width_px(),
        shape.height_px(),
        puzzle.pieces.channels(),
        settings.method.name(),
        settings.measure(puzzle.positions_known).name(),
        settings.matcher().name(),
        settings.seed,
    ));
    let threads = args.research.threads;
    let found = match checkpoint(args, puzzle, settings)? {
        Some((saving, states)) => {
            let observer = Checkpointing::new(progress, saving, states, verbosity);
            with_threads(threads, || solve(puzzle, settings, &observer))?
        }
        None => with_threads(threads, || solve(puzzle, settings, progress))?,
    };
    found.map_err(|error| Failure::solving(name, &error))
}

/// Where to save progress, and the states to continue from; `None` if nothing is to be saved.
fn checkpoint(
    args: &SolveArgs,
    puzzle: &Puzzle,
    settings: &Settings,
) -> Result<Option<(Saving, StageStates)>, Failure> {
    let limits = &args.limits;
    let Some(path) = limits.checkpoint.as_ref().or(limits.resume.as_ref()) else {
        return match limits.checkpoint_interval {
            None => Ok(None),
            Some(_) => Err(Failure::Usage(
                "--checkpoint-interval needs --checkpoint or --resume; give one of them, or leave it out"
                    .into(),
            )),
        };
    };
    let fingerprint = Fingerprint::new(puzzle, settings);
    // Read first, because the errors of reading are more specific than those of the check below.
    let states = match &limits.resume {
        Some(resume) => read_checkpoint(resume, fingerprint, &args.input.limits.limits())?,
        None => StageStates::new(),
    };
    check_checkpoint_target(path)?;
    let interval = limits.checkpoint_interval.unwrap_or(CHECKPOINT_INTERVAL);
    Ok(Some((Saving { path: PathBuf::clone(path), interval, fingerprint }, states)))
}

/// Warns if few pieces have a side that tells them apart.
fn warn_of_alike_pieces(puzzle: &Puzzle, verbosity: Verbosity) {
    // Pieces that cannot be compared are an error of the solve.
    let found = TellingSides::of(&puzzle.pieces, puzzle.possible_turns()).ok();
    if let Some(found) = found.filter(|found| !puzzle.positions_known && found.are_few()) {
        verbosity.warn(found);
    }
}

/// Warns if the given board has more cells than there are pieces.
fn warn_of_empty_cells(args: &SolveArgs, puzzle: &Puzzle, verbosity: Verbosity) {
    let num_pieces = puzzle.pieces.num_pieces();
    if let Some(grid) = args.known.boards().grid()
        && grid.num_cells() > num_pieces
    {
        let sizes = sizes_that_fit(num_pieces);
        let sizes: Vec<String> =
            sizes.iter().map(|grid| format!("--grid {}x{}", grid.cols(), grid.rows())).collect();
        verbosity.warn(format!(
            "{num_pieces} pieces leave {} of {} cells empty; they would fill {}",
            grid.num_cells() - num_pieces,
            grid.num_cells(),
            sizes.join(", or ")
        ));
    }
}
