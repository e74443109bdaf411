//! `fretsaw apply`: paints a solution without solving.

use crate::args::outputs::ApplyArgs;
use crate::outputs::{Shown, ToShow, check_distinct, check_shown};
use fretsaw::puzzle::PieceId;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::input_args::tell_input;
use fretsaw_cli::progress::with_spinner;
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::{
    InputOptions, Limits, PictureFormat, Prepare, input_name, read_inputs, read_solution,
};
use std::collections::BTreeSet;
use std::sync::Arc;

pub(super) fn run(args: &ApplyArgs, verbosity: Verbosity) -> Result<(), Failure> {
    PictureFormat::from_path(&args.out)?;
    check_shown(&args.show)?;
    let outputs =
        [("--report", args.show.report.as_ref()), ("--animation", args.show.animation.as_ref())];
    let given: Vec<_> = [("SOLUTION", Some(&args.solution)), ("--out", Some(&args.out))]
        .into_iter()
        .chain(outputs)
        .collect();
    check_distinct(&given, ("", ""))?;
    let mut solution = read_solution(&args.solution, &Limits::default())?;
    let name = input_name(&args.input.paths);
    let options = InputOptions {
        prepare: Prepare::Again(solution.preparation.clone()),
        ..args.input.options(None, None)
    };
    let input = with_spinner(verbosity, "reading", || read_inputs(&args.input.paths, &options))?;
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
    };
    let shown = Shown::new(&to_show, &args.out, &args.show, &outputs, verbosity)?;
    shown.write(verbosity)?;
    verbosity.say(format!(
        "{}: {} of {found} pieces placed",
        shown.board_names(),
        solution.assembly.num_placed()
    ));
    Ok(())
}
