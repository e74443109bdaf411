//! One file per command.

mod features;
mod figures;
mod graph;
mod paper;
mod results;
mod run;
mod scaling;

use crate::args::{Args, Command};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::verbosity::Verbosity;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let verbosity = Verbosity { quiet: args.quiet, verbose: args.verbose };
    match &args.command {
        Command::Run(args) => run::run(args, verbosity),
        Command::Report(args) => results::report(args, verbosity),
        Command::Compare(args) => results::compare(args, verbosity),
        Command::Diagnose(command) => crate::diagnose::run(command, verbosity),
        Command::Stage(command) => crate::stage::run(command),
        Command::Scaling(args) => scaling::run(args, verbosity),
        Command::Paper(args) => paper::run(args, verbosity),
        Command::Figures(args) => figures::run(args, verbosity),
        Command::Graph(args) => graph::run(args, verbosity),
        Command::Features(args) => features::run(args),
    }
}
