//! The flags of `diagnose`.

use super::graph::ConstructionArgs;
use super::puzzles::PuzzleArgs;
use clap::{Args as ClapArgs, Subcommand};
use fretsaw::puzzle::TurnSet;
use fretsaw::unstable::dissimilarity::Measure;
use fretsaw::unstable::matching::Matcher;
use fretsaw::unstable::methods::fretsaw::Effort;
use fretsaw_cli::by_name::{by_name, turn_set};
use fretsaw_gcl::rotation_choice::RotationChoice;
use std::path::PathBuf;

pub(crate) const EXAMPLE: &str = "Example:
  fretsaw-lab diagnose energy --data sets --sets mit-432";

#[derive(Debug, Subcommand)]
pub(crate) enum DiagnoseCommand {
    /// How well matchers rank true neighbours, before anything is assembled
    Matcher(MatcherArgs),
    /// Why boards are wrong: the energy prefers them, or the search missed the truth
    Energy(EnergyArgs),
    /// Calibration of the confidences of seams and pieces
    Confidence(ConfidenceArgs),
    /// Boards of unknown size or number, with missing or foreign pieces
    Boards(BoardsArgs),
    /// How often 'solve --turns auto' finds the turns that pieces need
    Turns(TurnsArgs),
    /// Placing pieces by a smaller, compressed copy of the picture
    Reference(ReferenceArgs),
    /// How often the size of a sheet's pieces is found
    Sheets(SheetsArgs),
    /// The share of right turns of every way to find turns
    Rotations(RotationsArgs),
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab diagnose matcher --data sets --sets mit-432 --matchers ratio,learned --plots plots

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
Each picture runs on one thread, as many at a time as there are threads; --jobs is not used.")]
pub(crate) struct MatcherArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    /// Matchers [default: all that know the measure]
    #[arg(long, value_delimiter = ',', value_parser = by_name(Matcher::ALL, Matcher::name))]
    pub(crate) matchers: Vec<Matcher>,
    /// The measure
    #[arg(long, default_value = "seam", value_parser = by_name(Measure::ALL, Measure::name))]
    pub(crate) measure: Measure,
    /// Convert pictures to grey
    #[arg(long)]
    pub(crate) grey: bool,
    /// Shrink pictures to this share of their height and width before they are cut
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    pub(crate) shrink: f64,
    /// Use only the first N networks of the learned matcher
    #[arg(long, value_name = "N")]
    pub(crate) networks: Option<usize>,
    /// Measure N candidates per side instead of as many as the matcher needs
    #[arg(long, value_name = "N")]
    pub(crate) candidates: Option<usize>,
    /// Counts, one JSON line per set, picture, seed and matcher
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The folder for reliability diagrams, one per set; must be new or empty
    #[arg(long, value_name = "DIR")]
    pub(crate) plots: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab diagnose energy --data sets --sets mit-432,mcgill-540 --images odd --seeds 3 --jobs 2

Solves with the method 'fretsaw' and lists the puzzles that are not perfect, with the energies of the
board that was found and of the truth, and the reason:
identical pieces  pieces that are the same pixel for pixel are exchanged, and nothing else is wrong
matcher           the board's energy is lower than the truth's, by more than 0.01
search            it is not: the truth would have been as good or better, and was not found
Then it counts these by set. Shares are in percent.")]
pub(crate) struct EnergyArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    #[command(flatten)]
    pub(crate) efforts: EffortArgs,
}

/// Efforts of the method 'fretsaw'.
#[derive(Debug, ClapArgs)]
pub(crate) struct EffortArgs {
    /// Efforts, each a run
    #[arg(long, value_delimiter = ',', default_value = "normal",
          value_parser = by_name(Effort::ALL, Effort::name))]
    pub(crate) efforts: Vec<Effort>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab diagnose confidence --data sets --sets mit-432 --seeds 3 --out predictions.csv

Solves with the method 'fretsaw' and compares its confidences with the truth. Seams and pieces are sorted
into bins by confidence; of every bin that is not empty:
number    of seams or pieces
mean      of their confidences
right     share of true joins; of pieces at their true place, after the best turn of the whole
right_px  share of those that look so, pixel for pixel
The expected calibration error is the mean difference of 'mean' and 'right', weighted by number. Sets,
types and efforts have tables of their own; if there are several, 'all' has everything.")]
pub(crate) struct ConfidenceArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    #[command(flatten)]
    pub(crate) efforts: EffortArgs,
    /// One line of CSV per seam and per piece; an existing file is replaced
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab diagnose boards --data sets --sets mit-432,mcgill-540
  fretsaw-lab diagnose boards --data sets --sets mit-432 --tell-size --missing 0.1
  fretsaw-lab diagnose boards --data sets --sets pomeranz-805 --mixes 10

Solves heaps of pieces with the method 'fretsaw', which is told neither the size nor the number of boards
unless asked for.
boards            columns x rows of the true boards, and of those that were found
placed, left out  pieces on boards, and pieces that belong to a picture and were left out
neighbor          true adjacencies of the pieces that are there / all of them, in percent
neighbor_px       the same, forgiving the exchange of pieces that are the same pixel for pixel")]
pub(crate) struct BoardsArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    #[command(flatten)]
    pub(crate) efforts: EffortArgs,
    /// Tell the solver the size of the board
    #[arg(long)]
    pub(crate) tell_size: bool,
    /// Tell the solver the number of boards
    #[arg(long)]
    pub(crate) tell_count: bool,
    /// Leave out this share of the pieces
    #[arg(long, value_name = "RATE", default_value_t = 0.0)]
    pub(crate) missing: f64,
    /// Add so many pieces of another picture to each heap
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub(crate) foreign: usize,
    /// Mix pictures: so many heaps of two to five pictures of a set, drawn at random
    #[arg(long, value_name = "COUNT")]
    pub(crate) mixes: Option<usize>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab diagnose turns --data sets --sets mit-432,mcgill-540
  fretsaw-lab diagnose turns --data sets --sets mcgill-540 --piece 40x25 --turns none,half --seeds 3
  fretsaw-lab diagnose turns --data sets --sets mit-432 --cells 4x3

Shuffles the pieces of every picture, turns them at random as --turns says, and finds the turns as 'solve
--turns auto' does. Prints how often which turns were found, and lists the wrong answers with the number
of matches that can be believed, and the logarithm of their likelihood for each set of turns.")]
pub(crate) struct TurnsArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    /// Turns to give; quarter turns are for square pieces
    #[arg(long, value_delimiter = ',', default_values = ["none", "half", "quarter"],
          value_parser = turn_set())]
    pub(crate) turns: Vec<TurnSet>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab diagnose reference --data sets --sets mit-432,mcgill-540
  fretsaw-lab diagnose reference --data sets --sets mit-432 --scale 0.25 --quality 50 --foreign 5 --hide-size

Every picture, scaled and compressed, is the reference for its own pieces. 'direct', 'neighbor' and
'neighbor_px' are means in percent; the rest but the seconds are counts: of boards that are perfect by
pixels, of boards whose size is right, of foreign pieces and of the pictures' own that were left out.")]
pub(crate) struct ReferenceArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    /// The reference's size against the picture's
    #[arg(long, value_name = "FACTOR", default_value_t = 0.5)]
    pub(crate) scale: f64,
    /// The quality of its JPEG compression
    #[arg(long, value_name = "QUALITY", default_value_t = 75, value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) quality: u8,
    /// Mix in so many pieces of another picture of the set
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) foreign: usize,
    /// Do not tell the solver the size of the board
    #[arg(long)]
    pub(crate) hide_size: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab diagnose sheets --data sets --count 200 --seed 1

Pieces are 16 to 64 pixels wide and high; every other sheet has square ones. Every other two are saved as
JPEG of quality 90; every fourth four have a gap of up to 4 pixels or a border of up to 8. Pictures are
scrambled as type 1 or 2.
right          sheets whose first candidate has the right size
layout right   sheets whose first candidate has the right gaps, borders, rows and columns, too")]
pub(crate) struct SheetsArgs {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Names of the sets [default: all folders of pictures]
    #[arg(long, value_delimiter = ',')]
    pub(crate) sets: Vec<String>,
    /// How many sheets to make
    #[arg(long, default_value_t = 200, value_name = "N")]
    pub(crate) count: usize,
    /// The same seed gives the same sheets
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// What was found, one JSON line per sheet
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Threads to use, one per sheet [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab diagnose rotations --data sets --sets mit-432 --types 2 --measures mgc,seam --seeds 3

Each entry is the share of right turns by piece / by pixels, up to a common turn, in percent.")]
pub(crate) struct RotationsArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzleArgs,
    /// Ways to find turns [default: all that fit the type]
    #[arg(long, value_delimiter = ',', value_parser = by_name(RotationChoice::ALL, RotationChoice::name))]
    pub(crate) rotations: Vec<RotationChoice>,
    /// Measures
    #[arg(long, value_delimiter = ',', default_values = ["mgc", "seam"],
          value_parser = by_name(Measure::ALL, Measure::name))]
    pub(crate) measures: Vec<Measure>,
    /// The matcher, for type 2
    #[arg(long, default_value = "ratio", value_parser = by_name(Matcher::ALL, Matcher::name))]
    pub(crate) matcher: Matcher,
    #[command(flatten)]
    pub(crate) graph: ConstructionArgs,
}
