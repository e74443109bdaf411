//! `fretsaw eval`

use crate::args::EvalArgs;
use fretsaw::evaluation::score;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;
use fretsaw_io::{Limits, read_solution, read_truth};

pub(super) fn run(args: &EvalArgs) -> Result<(), Failure> {
    let limits = Limits::default();
    let truth = read_truth(&args.truth, &limits)?;
    let solution = read_solution(&args.solution, &limits)?;
    let score = score(&truth.truth, &solution.assembly)
        .map_err(|error| Failure::scoring(&args.truth, &args.solution, error))?;
    if args.json {
        let json = serde_json::to_string(&score).map_err(anyhow::Error::from)?;
        print_line(json)
    } else {
        print_line(score)
    }
}
