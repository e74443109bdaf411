//! The flags of what looks into the method 'fretsaw' and its answers.

use super::{EffortArg, ImagesArg, TypeArg, parse_cut_size};
use clap::Args as ClapArgs;
use fretsaw::picture::CutSize;
use std::path::PathBuf;

/// Which puzzles to solve.
#[derive(Debug, ClapArgs)]
pub(crate) struct PuzzlesArgs {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Names of the sets
    #[arg(long, value_delimiter = ',', required = true)]
    pub(crate) sets: Vec<String>,
    /// Which pictures of the sets, by number
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub(crate) images: ImagesArg,
    /// Puzzle types, 1 and 2
    #[arg(long, value_delimiter = ',', default_values = ["2"])]
    pub(crate) types: Vec<TypeArg>,
    /// Efforts to run one by one
    #[arg(long, value_delimiter = ',', default_values = ["normal"])]
    pub(crate) efforts: Vec<EffortArg>,
    /// Size of the pieces in pixels: 28, or 40x25 for width x height; 8xfull and fullx8 are strips of the
    /// picture's full height and width
    #[arg(long, default_value = "28", value_name = "SIZE", value_parser = parse_cut_size)]
    pub(crate) piece: CutSize,
    /// Seeds 1 to N
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seeds: u64,
    /// The rate of corrupted sides
    #[arg(long, value_name = "RATE", default_value_t = 0.0)]
    pub(crate) corrupt: f64,
    /// Puzzles to solve at a time. They share the threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: usize,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw bench energy --data sets --sets mit-432,mcgill-540 --images odd --seeds 3 --jobs 2

Solves with the method 'fretsaw' and lists the puzzles that are not perfect, with the energies of the
board that was found and of the truth, and why:
identical pieces  pieces that are the same pixel for pixel are exchanged, and nothing else is wrong
matcher             the board's energy is lower than the truth's, by more than 0.01
search            it is not: the truth would have been as good or better, and was not found
Then counts of these by set. Shares are in percent.")]
pub(crate) struct BenchEnergyArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzlesArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw bench confidence --data sets --sets mit-432,mcgill-540 --seeds 3 --jobs 2 --out predictions.csv

Solves with the method 'fretsaw' and holds what the answers say of themselves against the truth. Seams
and pieces are sorted into bins by confidence; of every bin that is not empty:
number    of seams or pieces
mean      of their confidences
right     share of true joins; of pieces at their true place, after the best turn of the whole
right_px  share of those that look so, pixel for pixel
The expected calibration error is the mean difference of 'mean' and 'right', weighted by number. Sets,
types and efforts have tables of their own; where there are several, 'all' has everything.")]
pub(crate) struct BenchConfidenceArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzlesArgs,
    /// One line of CSV per seam and per piece; a file of that name is replaced
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw bench boards --data sets --sets mit-432,mcgill-540
  fretsaw bench boards --data sets --sets mit-432 --tell-size --missing 0.1
  fretsaw bench boards --data sets --sets pomeranz-805 --mixes 10

Solves with the method 'fretsaw' heaps of pieces of which it knows neither the size of the board nor how
many boards there are, unless it is told.
boards            columns x rows of the boards there are, and of those that were found
placed, left out  pieces on boards, and pieces that belong to a picture and were left out
neighbor          true adjacencies of the pieces that are there / all of them, in percent
neighbor_px       the same, forgiving the exchange of pieces that are the same pixel for pixel")]
pub(crate) struct BenchBoardsArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzlesArgs,
    /// Tell the solver the size of the board
    #[arg(long)]
    pub(crate) tell_size: bool,
    /// Tell the solver how many boards there are
    #[arg(long)]
    pub(crate) tell_count: bool,
    /// Which part of the pieces is missing
    #[arg(long, value_name = "RATE", default_value_t = 0.0)]
    pub(crate) missing: f64,
    /// Pieces of another picture to add to each heap
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub(crate) foreign: usize,
    /// Of each set so many heaps of two to five pictures, drawn at random, in place of each picture by
    /// itself
    #[arg(long, value_name = "COUNT")]
    pub(crate) mixes: Option<usize>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw bench stage search --pieces 540 --efforts fast,normal --threads 2

Drawn pictures, type 2, with the measure 'seam' and the matcher 'learned'; 'easy' has pieces of 28 pixels,
'hard' of 8. 'costs s' is the time to make the costs of seams from the matcher's answers, 'assemble s' that
of all that follows the matcher, these costs included. 'neighbor' is in percent.")]
pub(crate) struct StageSearchArgs {
    /// Numbers of pieces
    #[arg(long, value_delimiter = ',', default_values = ["540", "805"])]
    pub(crate) pieces: Vec<u32>,
    /// Efforts
    #[arg(long, value_delimiter = ',', default_values = ["fast", "normal", "high"])]
    pub(crate) efforts: Vec<EffortArg>,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}
