//! Checks of the flags and outputs before the solve begins.

use super::is_stoppable;
use crate::args::solve::SolveArgs;
use crate::outputs::{check_distinct, check_shown};
use fretsaw::{Grid, Puzzle, Settings, SolveError};
use fretsaw_cli::failure::Failure;
use fretsaw_io::{Limits, check_file_target, check_picture_target};
use std::path::{Path, PathBuf};

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

/// Refuses outputs that cannot be written.
pub(super) fn check_outputs(
    args: &SolveArgs,
    out: &Path,
    puzzle: &Puzzle,
    constant_alpha: Option<u16>,
) -> Result<(), Failure> {
    let pieces = &puzzle.pieces;
    let num_cells = puzzle.boards.grid().map_or(0, Grid::num_cells);
    let max_pixels = Limits::default().max_pixels;
    let num_pixels = (num_cells as u64).saturating_mul(pieces.shape().num_pixels() as u64);
    if num_pixels > max_pixels {
        return Err(Failure::Usage(format!(
            "{}: a board of {num_cells} pieces of {} x {} px has more than the limit of {max_pixels} \
             pixels; correct --grid",
            out.display(),
            pieces.shape().width_px(),
            pieces.shape().height_px(),
        )));
    }
    // Holes are painted transparent, which adds an alpha channel to grey and RGB pictures.
    let has_holes = num_cells > pieces.num_pieces();
    let channels = match pieces.channels() {
        channels @ (1 | 3) if has_holes => channels + 1,
        channels => channels,
    };
    check_picture_target(out, channels, pieces.samples().bits(), constant_alpha)?;
    if let Some(solution) = &args.output.solution {
        check_file_target(solution)?;
    }
    check_shown(&args.output.show)?;
    if args.output.json && args.output.show.preview {
        return Err(Failure::Usage(
            "--preview and --json both print to standard output; leave one of them out".into(),
        ));
    }
    let out = out.to_path_buf();
    let given: Vec<_> = std::iter::once(("--out", Some(&out))).chain(other_outputs(args)).collect();
    // A solve may save to the file that it continues from.
    check_distinct(&given, ("--checkpoint", "--resume"))
}

/// The output files besides the solved picture, with their flags.
pub(super) fn other_outputs(args: &SolveArgs) -> [(&'static str, Option<&PathBuf>); 5] {
    [
        ("--solution", args.output.solution.as_ref()),
        ("--report", args.output.show.report.as_ref()),
        ("--animation", args.output.show.animation.as_ref()),
        ("--checkpoint", args.limits.checkpoint.as_ref()),
        ("--resume", args.limits.resume.as_ref()),
    ]
}
