//! The flags of `stage`.

use crate::stage::layout::weights_name;
use clap::{Args as ClapArgs, Subcommand};
use fretsaw::synthetic::layout::LayoutWeights;
use fretsaw::unstable::dissimilarity::Measure;
use fretsaw::unstable::matching::Matcher;
use fretsaw::unstable::methods::fretsaw::Effort;
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::parse::parse_size;
use fretsaw_gcl::rotation_choice::RotationChoice;

pub(crate) const EXAMPLE: &str = "Example:
  fretsaw-lab stage measure";

#[derive(Debug, Subcommand)]
pub(crate) enum StageCommand {
    /// Finding the best candidates per side, against a bare matrix product
    Measure(MeasureArgs),
    /// Matchers, against the measure stage before them
    Match(MatchArgs),
    /// Turns from synthetic connection graphs, clean and with wrong edges
    Rotations(RotationsArgs),
    /// Positions from synthetic matches, clean and with wrong ones, proven optimal
    Layout(LayoutArgs),
    /// The method 'fretsaw' after the matcher, on an easy puzzle and on a hard one
    Search(SearchArgs),
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab stage measure --boards 24x18,35x23 --measures mgc --threads 1,2")]
pub(crate) struct MeasureArgs {
    /// Boards, as columns x rows
    #[arg(long, value_delimiter = ',', default_values = ["24x18", "35x23", "66x50"], value_parser = parse_size)]
    pub(crate) boards: Vec<(u32, u32)>,
    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_values = ["1", "2"])]
    pub(crate) threads: Vec<usize>,
    /// Measures
    #[arg(long, value_delimiter = ',', default_values = ["mgc", "seam"],
          value_parser = by_name(Measure::ALL, Measure::name))]
    pub(crate) measures: Vec<Measure>,
    /// Candidates per side
    #[arg(long, default_value_t = 10)]
    pub(crate) candidates: usize,
    /// Each time is the best of this many
    #[arg(long, default_value_t = 3)]
    pub(crate) repeats: usize,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab stage match --pieces 432,3300 --matchers loops,learned --threads 1,2

The measure stage finds as many candidates as the matcher needs.")]
pub(crate) struct MatchArgs {
    /// Numbers of pieces
    #[arg(long, value_delimiter = ',', default_values = ["432", "805", "3300", "22755"])]
    pub(crate) pieces: Vec<u32>,
    /// Matchers [default: all that know the measure]
    #[arg(long, value_delimiter = ',', value_parser = by_name(Matcher::ALL, Matcher::name))]
    pub(crate) matchers: Vec<Matcher>,
    /// The measure
    #[arg(long, default_value = "seam", value_parser = by_name(Measure::ALL, Measure::name))]
    pub(crate) measure: Measure,
    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_values = ["1", "2"])]
    pub(crate) threads: Vec<usize>,
    /// Each time is the best of this many
    #[arg(long, default_value_t = 3)]
    pub(crate) repeats: usize,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab stage rotations --boards 185x123 --wrong 0,0.15")]
pub(crate) struct RotationsArgs {
    /// Boards, as columns x rows
    #[arg(long, value_delimiter = ',', default_values = ["66x50", "185x123"], value_parser = parse_size)]
    pub(crate) boards: Vec<(u32, u32)>,
    /// Shares of edges with a wrong turn
    #[arg(long, value_delimiter = ',', default_values = ["0", "0.05", "0.15"])]
    pub(crate) wrong: Vec<f64>,
    /// Ways to find turns
    #[arg(long, value_delimiter = ',', default_values = ["spectral", "adjacency"],
          value_parser = by_name(RotationChoice::ALL, RotationChoice::name))]
    pub(crate) rotations: Vec<RotationChoice>,
    /// The seed of the problems
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab stage layout --boards 66x50 --wrong 0,0.05,0.15 --weights random

Times are for rows and columns together, on one thread: without positions to start from, from an
optimum, and from the optimum of the same problem without a tenth of its edges. 'right' is the share
of pieces at their true positions, up to a shift; where wrong edges pull the board together, few are.")]
pub(crate) struct LayoutArgs {
    /// Boards, as columns x rows
    #[arg(long, value_delimiter = ',', default_values = ["24x18", "66x50", "233x98"], value_parser = parse_size)]
    pub(crate) boards: Vec<(u32, u32)>,
    /// Shares of edges with a wrong end
    #[arg(long, value_delimiter = ',', default_values = ["0", "0.15"])]
    pub(crate) wrong: Vec<f64>,
    /// Weights of the edges: 1 to 1000, or all 1
    #[arg(long, value_delimiter = ',', default_values = ["random", "equal"],
          value_parser = by_name([LayoutWeights::Random, LayoutWeights::Equal], weights_name))]
    pub(crate) weights: Vec<LayoutWeights>,
    /// Each time is the best of this many
    #[arg(long, default_value_t = 3)]
    pub(crate) repeats: usize,
    /// The seed of the problems
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab stage search --pieces 540 --efforts fast,normal --threads 2

Drawn pictures, type 2, with the measure 'seam' and the matcher 'learned'; 'easy' has pieces of 28 pixels,
'hard' of 8. 'costs s' is the time to make the costs of seams from match probabilities, 'assemble s' that
of all that follows the matcher, these costs included. 'neighbor' is in percent.")]
pub(crate) struct SearchArgs {
    /// Numbers of pieces
    #[arg(long, value_delimiter = ',', default_values = ["540", "805"])]
    pub(crate) pieces: Vec<u32>,
    /// Efforts
    #[arg(long, value_delimiter = ',', default_values = ["fast", "normal", "high"],
          value_parser = by_name(Effort::ALL, Effort::name))]
    pub(crate) efforts: Vec<Effort>,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}
