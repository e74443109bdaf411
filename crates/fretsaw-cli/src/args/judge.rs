//! The flags of what measures matchers.

use super::{ImagesArg, MatcherArg, MeasureArg, TypeArg, parse_piece};
use clap::Args as ClapArgs;
use fretsaw::puzzle::PieceShape;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw bench matcher --data sets --sets mit-432,mcgill-540 --matchers ratio,learned --seeds 3 --plots plots

A side's best candidate is the one with the lowest ratio; of m that tie each counts 1/m. In percent:
first            sides with a neighbour whose best candidate it is, means over runs
first spared     the same where neither side is corrupted, though a corner of theirs may be
first clean      the same where corruption touched no pixel of either side
mutual           true joins whose sides are each other's only best, means over runs
precision        of all pairs that are each other's only best, those that are true joins
listed           true neighbours among the candidates at all, means over runs
ece              expected calibration error of the sides' likeliest answers, in 15 bins
pairs > 0.99     true joins that are mutual and likelier than 0.99, means over runs
border           sides on the border whose likeliest answer is the border, means over runs
Seconds are of one thread; pictures done at the same time share the machine.")]
pub(crate) struct BenchJudgeArgs {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Names of the sets
    #[arg(long, value_delimiter = ',', required = true)]
    pub(crate) sets: Vec<String>,
    /// Judges; all that know the measure by default
    #[arg(long, value_delimiter = ',')]
    pub(crate) matchers: Vec<MatcherArg>,
    /// How to tell whether two sides fit
    #[arg(long, default_value = "seam")]
    pub(crate) measure: MeasureArg,
    /// The puzzle type, 1 or 2
    #[arg(long = "type", value_name = "TYPE", default_value = "2")]
    pub(crate) puzzle_type: TypeArg,
    /// Seeds 1 to N
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub(crate) seeds: u64,
    /// Size of the pieces in pixels
    #[arg(long, default_value = "28", value_name = "SIZE", value_parser = parse_piece)]
    pub(crate) piece: PieceShape,
    /// The rate of corrupted sides
    #[arg(long, value_name = "RATE", default_value_t = 0.0)]
    pub(crate) corrupt: f64,
    /// Take colours away
    #[arg(long)]
    pub(crate) grey: bool,
    /// Shrink pictures to this share of their height and width before they are cut
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    pub(crate) shrink: f64,
    /// Which pictures of the sets, by number
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub(crate) images: ImagesArg,
    /// Let the learned matcher have its first N networks only, to see what the others are good for
    #[arg(long, value_name = "N")]
    pub(crate) networks: Option<usize>,
    /// Measure N candidates of a side instead of as many as the matcher wants
    #[arg(long, value_name = "N")]
    pub(crate) candidates: Option<usize>,
    /// What was counted, one JSON line per set, picture, seed and matcher
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The folder for reliability diagrams, one per set; must be new or empty
    #[arg(long, value_name = "DIR")]
    pub(crate) plots: Option<PathBuf>,
    /// Threads to use, one a picture; all cores by default
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw bench stage matcher --pieces 432,3300 --matchers loops,learned --threads 1,2

The measure stage finds as many candidates as the matcher wants.")]
pub(crate) struct StageJudgeArgs {
    /// Numbers of pieces
    #[arg(long, value_delimiter = ',', default_values = ["432", "805", "3300", "22755"])]
    pub(crate) pieces: Vec<u32>,
    /// Judges; all that know the measure by default
    #[arg(long, value_delimiter = ',')]
    pub(crate) matchers: Vec<MatcherArg>,
    /// How to tell whether two sides fit
    #[arg(long, default_value = "seam")]
    pub(crate) measure: MeasureArg,
    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_values = ["1", "2"])]
    pub(crate) threads: Vec<usize>,
    /// Each time is the best of this many
    #[arg(long, default_value_t = 3)]
    pub(crate) repeats: usize,
}
