//! The flags, and one file per command.

mod figures;
pub(crate) mod graph;
mod kill;
mod paper;
mod results;
mod run;
mod scaling;
mod stops;

use clap::{Parser, Subcommand};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::check_file_target;
use std::path::Path;

/// fretsaw-lab measures how accurate and how fast fretsaw is, on folders of pictures.
#[derive(Debug, Parser)]
#[command(name = "fretsaw-lab", version, propagate_version = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "Examples:
  fretsaw-lab run --data sets --sets mine --out results.jsonl
  fretsaw-lab report results.jsonl
  fretsaw-lab compare before.jsonl results.jsonl
  fretsaw-lab diagnose energy --data sets --sets mine
  fretsaw-lab stage measure
  fretsaw-lab paper --data sets --out paper.jsonl";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Solve every picture of some sets, several times, and average the scores
    Run(run::RunArgs),
    /// Write tables, plots and a page from a file of results
    Report(results::ReportArgs),
    /// Compare two files of results, run by run
    Compare(results::CompareArgs),
    /// Examine one part of the solver on sets of pictures
    #[command(subcommand, after_help = crate::diagnose::EXAMPLE)]
    Diagnose(crate::diagnose::DiagnoseCommand),
    /// Time one stage of the solver on drawn puzzles
    #[command(subcommand, after_help = crate::stage::EXAMPLE)]
    Stage(crate::stage::StageCommand),
    /// Measure how time and memory grow with the number of pieces
    Scaling(scaling::ScalingArgs),
    /// Repeat the paper's experiments and write a document with both figures
    Paper(paper::PaperArgs),
    /// Measure everything that documents quote, and write it into them
    Figures(figures::FiguresArgs),
    /// Construct the connection graph of a type 2 puzzle, step by step
    Graph(graph::GraphArgs),
    /// Kill solves at random moments, and check the files that are left
    Kill(kill::KillArgs),
    /// Stop solves at moments spread over the whole time, and measure how soon they heed it
    Stops(stops::StopsArgs),
    /// Write features of random puzzles with the right answers, to train the matcher on
    Features(crate::feature_export::FeaturesArgs),
}

/// Refuses a document that cannot be written, or whose name does not end in `.md`.
fn check_report(path: &Path) -> Result<(), Failure> {
    if path.extension().is_none_or(|ending| ending != "md") {
        let name = path.display();
        return Err(Failure::Usage(format!("--report is {name}; its name must end in .md")));
    }
    Ok(check_file_target(path)?)
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let verbosity = args.verbosity;
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
        Command::Kill(args) => kill::run(args, verbosity),
        Command::Stops(args) => stops::run(args),
        Command::Features(args) => crate::feature_export::run(args),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_flags_are_consistent() {
        Args::command().debug_assert();
    }

    /// A line that clap may wrap: not an example, a heading or an entry of a list, whose columns are apart.
    fn is_prose(line: &str) -> bool {
        !line.is_empty() && !line.contains("  ") && !line.starts_with("Example")
    }

    #[test]
    fn paragraphs_of_help_are_lines_for_clap_to_wrap() {
        let mut commands = vec![Args::command()];
        while let Some(command) = commands.pop() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let lines: Vec<&str> = help.lines().collect();
            for pair in lines.windows(2) {
                let is_wrapped = pair.iter().all(|line| is_prose(line));
                assert!(!is_wrapped, "{}: {pair:?}", command.get_name());
            }
            commands.extend(command.get_subcommands().cloned());
        }
    }
}
