//! `fretsaw apply`: paints a solution without solving.

use crate::args::outputs::ApplyArgs;
use crate::output_names::{FileNames, files_of};
use crate::outputs::{ToShow, Written, board_paths, check_boards, check_shown};
use crate::same_pieces::check_same_pieces;
use fretsaw::puzzle::PieceId;
use fretsaw_cli::failure::{Failure, Failures};
use fretsaw_cli::input_args::tell_input;
use fretsaw_cli::progress::with_spinner;
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::{
    InputOptions, PictureFormat, Prepare, PuzzleInput, SolutionFile, input_name, read_inputs,
    read_solution,
};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) fn run(args: &ApplyArgs, verbosity: Verbosity) -> Result<(), Failure> {
    PictureFormat::from_path(&args.out)?;
    check_shown(&args.show)?;
    let limits = args.input.limits.limits();
    let mut solution = read_solution(&args.solution, &limits)?;
    let name = input_name(&args.input.paths);
    let options = InputOptions {
        prepare: Prepare::Again(solution.preparation.clone()),
        ..args.input.options(None, None)
    };
    let input = with_spinner(verbosity, "reading", || read_inputs(&args.input.paths, &options))?;
    args.input.check_used(&input)?;
    tell_input(verbosity, &name, &args.input, &input);
    let (expected, found) = (solution.assembly.num_pieces(), input.pieces.num_pieces());
    if expected != found {
        return Err(Failure::Usage(format!(
            "{}: holds {found} pieces, but {} is a solution of {expected}; name the input that it was \
             made of{}",
            name.display(),
            args.solution.display(),
            if args.input.piece.is_some() { ", or correct --piece" } else { "" }
        )));
    }
    check_same_pieces(
        (&args.solution, solution.info.fingerprint),
        (&name, Some(input.fingerprint)),
        args.force,
    )?;
    check_names(args, &solution, &input)?;
    if !input.names.is_empty() {
        solution.names = input.names;
    }
    let mirrored: BTreeSet<PieceId> = solution.mirrored.iter().copied().collect();
    let pieces = match mirrored.is_empty() {
        true => Arc::clone(&input.pieces),
        false => Arc::new(input.pieces.mirrored(|piece| mirrored.contains(&piece))),
    };
    let to_show = ToShow {
        pieces: &pieces,
        constant_alpha: input.constant_alpha,
        solution: &solution,
        input: &name,
        warnings: input.warnings.iter().map(ToString::to_string).collect(),
        limits: &limits,
    };
    check_boards(&to_show, &args.out)?;
    let mut failures = Failures::default();
    let written = Written::new(&to_show, &args.out, &args.show, &mut failures, verbosity);
    failures.note(written.print_preview());
    if written.has_boards() {
        verbosity.say(format!(
            "{}: {} of {found} pieces placed",
            written.board_names(),
            solution.assembly.num_placed()
        ));
    }
    failures.outcome()
}

/// Refuses outputs that are an input or each other, before anything is painted.
fn check_names(
    args: &ApplyArgs,
    solution: &SolutionFile,
    input: &PuzzleInput,
) -> Result<(), Failure> {
    let mut inputs = files_of(&args.input, input);
    inputs.push(("SOLUTION", args.solution.clone()));
    let boards = board_paths(&args.out, solution.assembly.boards().len());
    let mut outputs: Vec<_> = boards.into_iter().map(|path| ("--out", path)).collect();
    outputs.extend(args.show.report.iter().map(|path| ("--report", path.clone())));
    outputs.extend(args.show.animation.iter().map(|path| ("--animation", path.clone())));
    FileNames { inputs, outputs, ..FileNames::default() }.check()
}
