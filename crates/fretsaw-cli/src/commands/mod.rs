//! One file per command.

mod apply;
mod demo;
mod eval;
mod inspect;
mod scramble;
mod shell_help;
mod solve;
mod suggest;

use crate::args::{Args, Command};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::verbosity::Verbosity;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let verbosity = args.verbosity;
    match &args.command {
        Command::Demo(args) => demo::run(args, verbosity),
        Command::Scramble(args) => scramble::run(args, verbosity),
        Command::Solve(args) => solve::run(args, verbosity),
        Command::Apply(args) => apply::run(args, verbosity),
        Command::Suggest(args) => suggest::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Inspect(args) => inspect::run(args, verbosity),
        Command::Completions(args) => shell_help::completions(args),
        Command::Man(args) => shell_help::man(args),
    }
}
