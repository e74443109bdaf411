//! `fretsaw eval`

use crate::args::EvalArgs;
use crate::same_pieces::check_same_pieces;
use fretsaw::evaluation::score;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::{print_json, print_line};
use fretsaw_io::{read_solution, read_truth};

pub(super) fn run(args: &EvalArgs) -> Result<(), Failure> {
    let limits = args.limits.limits();
    let truth = read_truth(&args.truth, &limits)?;
    let solution = read_solution(&args.solution, &limits)?;
    check_same_pieces(
        (&args.solution, solution.info.fingerprint),
        (&args.truth, truth.info.fingerprint),
        args.force,
    )?;
    let score = score(&truth.truth, &solution.assembly)
        .map_err(|error| Failure::scoring(&args.truth, &args.solution, error))?;
    if args.json { print_json(&score) } else { print_line(score) }
}
