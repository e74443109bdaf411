//! The flags of `fretsaw bench turns`.

use super::{ImagesArg, TurnsArg, parse_cells, parse_cut_size};
use clap::Args as ClapArgs;
use fretsaw::picture::CutSize;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw bench turns --data sets --sets mit-432,mcgill-540
  fretsaw bench turns --data sets --sets mcgill-540 --piece 40x25 --turns none,half --seeds 3
  fretsaw bench turns --data sets --sets mit-432 --cells 3x4

Pieces of every picture are shuffled, and turned at random by the turns given; then the turns are told
from the pieces, as 'solve --turns auto' does. Prints how often which turns were told, and lists the
puzzles for which others were given: with the number of matches that can be believed, and the logarithm
of how likely the matches are for each set of turns.")]
pub(crate) struct BenchTurnsArgs {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Names of the sets
    #[arg(long, value_delimiter = ',', required = true)]
    pub(crate) sets: Vec<String>,
    /// Which pictures of the sets, by number
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub(crate) images: ImagesArg,
    /// Turns to give; quarter turns are for square pieces
    #[arg(long, value_delimiter = ',', default_values = ["none", "half", "quarter"])]
    pub(crate) turns: Vec<TurnsArg>,
    /// Size of the pieces in pixels: 28, or 40x25 for width x height; 8xfull and fullx8 are strips of the
    /// picture's full height and width
    #[arg(long, default_value = "28", value_name = "SIZE", value_parser = parse_cut_size)]
    pub(crate) piece: CutSize,
    /// Take only the middle of every picture, so many rows and columns of pieces: 3x4
    #[arg(long, value_name = "ROWSxCOLS", value_parser = parse_cells)]
    pub(crate) cells: Option<(u32, u32)>,
    /// Seeds 1 to N
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) seeds: u64,
    /// Puzzles at a time. They share the threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: usize,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}
