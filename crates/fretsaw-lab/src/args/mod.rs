//! The flags, as clap reads them.

pub(crate) mod documents;
pub(crate) mod graph;
pub(crate) mod puzzles;
pub(crate) mod run;

use clap::{Args as ClapArgs, Parser, Subcommand};
use std::path::PathBuf;

/// fretsaw-lab measures how accurate and how fast fretsaw is, on folders of pictures.
#[derive(Debug, Parser)]
#[command(name = "fretsaw-lab", version, propagate_version = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Print only errors and requested output
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Print details, too
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
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
    Report(run::ReportArgs),
    /// Compare two files of results, run by run
    Compare(run::CompareArgs),
    /// Examine one part of the solver on sets of pictures
    #[command(subcommand, after_help = crate::diagnose::EXAMPLE)]
    Diagnose(crate::diagnose::DiagnoseCommand),
    /// Time one stage of the solver on drawn puzzles
    #[command(subcommand, after_help = crate::stage::EXAMPLE)]
    Stage(crate::stage::StageCommand),
    /// Measure how time and memory grow with the number of pieces
    Scaling(documents::ScalingArgs),
    /// Repeat the paper's experiments and write a document with both figures
    Paper(documents::PaperArgs),
    /// Measure everything that documents quote, and write it into them
    Figures(documents::FiguresArgs),
    /// Construct the connection graph of a type 2 puzzle, step by step
    Graph(graph::GraphArgs),
    /// Write features of random puzzles with the right answers, to train the matcher on
    Features(FeaturesArgs),
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab features --puzzles 100 --out features a.jpg b.jpg

training/README.md says how the matcher is trained with these.")]
pub(crate) struct FeaturesArgs {
    /// Pictures to cut puzzles from
    #[arg(required = true, value_name = "PICTURE")]
    pub(crate) pictures: Vec<PathBuf>,
    /// The folder to write to
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// How many puzzles
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(crate) puzzles: u64,
    /// The seed of the first puzzle; the others follow
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    pub(crate) first_seed: u64,
    /// Networks trained so far: features are those of the next one
    #[arg(long, value_name = "FILE")]
    pub(crate) networks: Option<PathBuf>,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_flags_are_consistent() {
        Args::command().debug_assert();
    }
}
