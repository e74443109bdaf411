//! The flags of `graph`.

use clap::Args as ClapArgs;
use fretsaw::{Matcher, Measure};
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::input_args::InputArgs;
use fretsaw_gcl::construction::{ConstructionError, ConstructionSettings, ConstructionStep};
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab graph puzzle --out graph.json
  fretsaw-lab graph puzzle --truth puzzle/truth.json --svg graph.svg --step jaccard
  fretsaw-lab graph puzzle --truth puzzle/truth.json --theory

Prints a table with a line for each step of the paper's Algorithm 2. With the truth it says how many
edges are right; in the drawing right edges are green, edges between true neighbours with a wrong turn
orange, all others red.")]
pub(crate) struct GraphArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// The graph after every step up to --step, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// A drawing of the last graph over the true layout; needs --truth
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// The truth, to compare the graph with; the construction does not see it
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: Option<PathBuf>,
    /// Stop after this step
    #[arg(long, default_value = "loops",
          value_parser = by_name(ConstructionStep::ALL, ConstructionStep::name))]
    pub(crate) step: ConstructionStep,
    /// Print the quantities of the paper's theorem for the last graph; needs --truth
    #[arg(long)]
    pub(crate) theory: bool,
    /// The measure of how well two sides fit
    #[arg(long, default_value = "mgc", value_parser = by_name(Measure::ALL, Measure::name))]
    pub(crate) measure: Measure,
    /// The matcher
    #[arg(long, default_value = "ratio", value_parser = by_name(Matcher::ALL, Matcher::name))]
    pub(crate) matcher: Matcher,
    /// Chooses among equally good connections
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) graph: ConstructionArgs,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

/// How connection graphs are constructed; the defaults are the paper's.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Connection graph")]
pub(crate) struct ConstructionArgs {
    /// Weight of a match that only one of its sides chose
    #[arg(long, value_name = "W", default_value_t = ConstructionSettings::default().one_sided_weight)]
    pub(crate) one_sided_weight: f64,
    /// Share of the initial weight that survives failing the Jaccard test
    #[arg(long, value_name = "SHARE", default_value_t = ConstructionSettings::default().initial_share)]
    pub(crate) initial_share: f64,
    /// The Jaccard index that a match must exceed
    #[arg(long, value_name = "N", default_value_t = ConstructionSettings::default().jaccard_above)]
    pub(crate) jaccard_above: usize,
    /// Matches that pass the Jaccard test get its full weight, as in Algorithm 2's box
    #[arg(long)]
    pub(crate) jaccard_restores: bool,
    /// Weight of a match that connects two components
    #[arg(long, value_name = "W", default_value_t = ConstructionSettings::default().connecting_weight)]
    pub(crate) connecting_weight: f64,
    /// Factor for matches whose 4-loops contradict themselves
    #[arg(long, value_name = "F", default_value_t = ConstructionSettings::default().contradicted_factor)]
    pub(crate) contradicted_factor: f64,
    /// Factor for matches in no 4-loop
    #[arg(long, value_name = "F", default_value_t = ConstructionSettings::default().unlooped_factor)]
    pub(crate) unlooped_factor: f64,
    /// Weight of an edge between diagonal neighbours
    #[arg(long, value_name = "W", default_value_t = ConstructionSettings::default().diagonal_weight)]
    pub(crate) diagonal_weight: f64,
}

impl ConstructionArgs {
    /// The settings, if all are within their ranges: to be asked before any work is done.
    pub(crate) fn settings(&self, seed: u64) -> Result<ConstructionSettings, Failure> {
        let settings = ConstructionSettings {
            one_sided_weight: self.one_sided_weight,
            initial_share: self.initial_share,
            jaccard_above: self.jaccard_above,
            jaccard_restores: self.jaccard_restores,
            connecting_weight: self.connecting_weight,
            contradicted_factor: self.contradicted_factor,
            unlooped_factor: self.unlooped_factor,
            diagonal_weight: self.diagonal_weight,
            seed,
        };
        settings.validate().map_err(|error| match &error {
            ConstructionError::Setting { name, value } => Failure::Usage(format!(
                "--{} is {value}; it must be between 0 and 1",
                name.replace('_', "-")
            )),
            ConstructionError::Graph(_) => Failure::Failed(error.to_string()),
        })?;
        Ok(settings)
    }
}
