//! Checks of the flags and outputs before the solve begins.

use super::is_stoppable;
use crate::args::solve::SolveArgs;
use crate::output_names::{FileNames, files_of};
use crate::outputs::{board_paths, check_shown};
use fretsaw::{Grid, KnownBoards, Puzzle, Settings, SolveError};
use fretsaw_cli::failure::Failure;
use fretsaw_io::{ProblemKind, PuzzleInput, check_file_target, check_picture_target};
use std::path::PathBuf;

/// Refuses flags that cannot be combined.
pub(super) fn check_settings(
    args: &SolveArgs,
    puzzle: &Puzzle,
    settings: &Settings,
) -> Result<(), Failure> {
    let (measure, matcher) = (settings.measure(puzzle.positions_known), settings.matcher());
    if !puzzle.positions_known && !matcher.knows(measure) {
        let error = SolveError::UnknownMeasure { matcher, measure };
        return Err(Failure::Usage(error.to_string()));
    }
    if args.known.mirror && puzzle.positions_known {
        return Err(Failure::Usage(
            "--mirror: only for puzzles of type 1 and 2, whose positions are unknown; leave it out"
                .into(),
        ));
    }
    check_start(args, puzzle)?;
    if puzzle.positions_known && puzzle.boards.count.is_some_and(|count| count != 1) {
        return Err(Failure::Usage(
            "--puzzles: pieces of a puzzle of type 3 lie on one board; leave it out, or give --puzzles 1".into(),
        ));
    }
    let show = &args.output.show;
    if args.known.same_scramble && (show.even_light || show.bridge) {
        return Err(Failure::Usage(
            "--even-light and --bridge: only for one picture; leave them out, or leave out --same-scramble".into(),
        ));
    }
    if is_stoppable(puzzle, settings) {
        return Ok(());
    }
    let given = [
        ("--effort", args.limits.effort.is_some()),
        ("--time-limit", args.limits.time_limit.is_some()),
        ("--checkpoint", args.limits.checkpoint.is_some()),
        ("--checkpoint-interval", args.limits.checkpoint_interval.is_some()),
        ("--resume", args.limits.resume.is_some()),
        ("--pin, --join or --forbid", !puzzle.constraints.is_empty()),
        ("--start", args.known.start.is_some()),
    ];
    let Some((flag, _)) = given.into_iter().find(|(_, is_given)| *is_given) else {
        return Ok(());
    };
    Err(Failure::Usage(if puzzle.positions_known {
        format!(
            "{flag}: only for puzzles of type 1 and 2, whose positions are unknown; leave it out"
        )
    } else {
        format!("{flag}: only for --method fretsaw; leave it out, or give that method")
    }))
}

/// Refuses a start whose boards are not those that flags ask for: a start keeps its boards.
fn check_start(args: &SolveArgs, puzzle: &Puzzle) -> Result<(), Failure> {
    let Some(start) = &puzzle.start else { return Ok(()) };
    let KnownBoards { rows, cols, count } = args.known.boards();
    let has_size = |grid: &Grid| {
        rows.is_none_or(|rows| rows == grid.rows()) && cols.is_none_or(|cols| cols == grid.cols())
    };
    let boards = start.boards();
    let flag = if !boards.iter().all(has_size) {
        "--grid"
    } else if count.is_some_and(|count| count != boards.len()) {
        "--puzzles"
    } else {
        return Ok(());
    };
    let sizes: Vec<String> =
        boards.iter().map(|grid| format!("{}x{}", grid.cols(), grid.rows())).collect();
    Err(Failure::Usage(format!(
        "{flag} contradicts --start, whose boards are kept: {}; leave one of them out",
        sizes.join(", ")
    )))
}

/// Refuses a board that is beyond the limits, before memory is taken for it.
pub(super) fn check_board(args: &SolveArgs, puzzle: &Puzzle) -> Result<(), Failure> {
    let limits = args.input.limits.limits();
    limits.check_known_boards(&puzzle.boards, &puzzle.pieces).map_err(|problem| {
        let flag = match puzzle.boards.count {
            Some(count) if count > puzzle.pieces.num_pieces() => "--puzzles",
            _ => "--grid",
        };
        let limits = match problem.kind {
            ProblemKind::TooLarge => " (--max-pixels and --max-pieces set the limits)",
            _ => "",
        };
        Failure::Usage(format!("{flag}: {problem}{limits}"))
    })
}

/// Refuses outputs that cannot be written, and those that would overwrite an input.
pub(super) fn check_outputs(
    args: &SolveArgs,
    outs: &[PathBuf],
    puzzle: &Puzzle,
    input: &PuzzleInput,
) -> Result<(), Failure> {
    let pieces = &puzzle.pieces;
    let num_cells = puzzle.boards.grid().map_or(0, Grid::num_cells);
    // Holes are painted transparent, which adds an alpha channel to grey and RGB pictures.
    let has_holes = num_cells > pieces.num_pieces();
    let channels = match pieces.channels() {
        channels @ (1 | 3) if has_holes => channels + 1,
        channels => channels,
    };
    let has_several = puzzle.boards.count != Some(1);
    // As long as the names of several boards get, if their number is unknown.
    let longest = outs.iter().filter(|_| has_several).filter_map(|out| board_paths(out, 10).pop());
    for out in outs.iter().cloned().chain(longest) {
        check_picture_target(&out, channels, pieces.samples().bits(), input.constant_alpha)?;
    }
    if let Some(solution) = &args.output.solution {
        check_file_target(solution)?;
    }
    check_shown(&args.output.show)?;
    if args.output.json && args.output.show.preview {
        return Err(Failure::Usage(
            "--preview and --json both print to standard output; leave one of them out".into(),
        ));
    }
    let given = |files: &[(&'static str, Option<&PathBuf>)]| -> Vec<(&'static str, PathBuf)> {
        files.iter().filter_map(|&(flag, path)| Some((flag, path?.clone()))).collect()
    };
    let mut outputs: Vec<_> = outs.iter().map(|out| ("--out", out.clone())).collect();
    outputs.extend(given(&[
        ("--solution", args.output.solution.as_ref()),
        ("--report", args.output.show.report.as_ref()),
        ("--animation", args.output.show.animation.as_ref()),
        ("--checkpoint", args.limits.checkpoint.as_ref()),
        ("--resume", args.limits.resume.as_ref()),
    ]));
    let mut inputs = files_of(&args.input, input);
    inputs.extend(given(&[
        ("--reference", args.known.reference.as_ref()),
        ("--start", args.known.start.as_ref()),
    ]));
    let numbered = outs.first().filter(|_| has_several).cloned();
    // A solve may save to the file that it continues from.
    let may_be_same = Some(("--checkpoint", "--resume"));
    FileNames { inputs, outputs, numbered, may_be_same }.check()
}
