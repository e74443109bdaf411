//! The flags of `bench scaling`.

use super::{EffortArg, parse_grid, parse_piece, parse_size};
use clap::Args as ClapArgs;
use fretsaw::puzzle::PieceShape;
use std::num::NonZeroU32;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw bench scaling --data sets --out scaling.jsonl --report scaling.md
  fretsaw bench scaling --pictures a.jpg,b.jpg --tiled c.jpg,d.jpg,e.jpg --out scaling.jsonl

Solves one picture each of mit-432, pomeranz-805, pomeranz-2360, pomeranz-3300, sholomon-5015,
sholomon-10375 and sholomon-22755 below --data, or the pictures given, type 2, by the default method, each
in a process of its own. Prints seconds of every stage, peak memory and scores, and the exponents b of
fits of log t = a + b log n. What --out already holds is not done again.")]
pub(crate) struct BenchScalingArgs {
    /// The folder with one folder of pictures per standard set
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Pictures to solve in place of those of the standard sets
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    pub(crate) pictures: Vec<PathBuf>,
    /// Pictures to be laid side by side, for one more puzzle
    #[arg(long, value_name = "FILE", value_delimiter = ',')]
    pub(crate) tiled: Vec<PathBuf>,
    /// Columns and rows of that puzzle in pieces [default: as much as possible]
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = parse_grid, requires = "tiled")]
    pub(crate) grid: Option<(NonZeroU32, NonZeroU32)>,
    /// Size of the pieces in pixels
    #[arg(long, default_value = "28", value_name = "SIZE", value_parser = parse_piece)]
    pub(crate) piece: PieceShape,
    /// How long to look for a better board
    #[arg(long, default_value = "normal")]
    pub(crate) effort: EffortArg,
    /// The seed of scramble and solver
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// The results, one JSON line per puzzle
    #[arg(long, value_name = "FILE", required_unless_present = "one")]
    pub(crate) out: Option<PathBuf>,
    /// The document to write, ending in .md, from all that --out holds; with the measure stage against the
    /// matrix product
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Boards of the measure stage in the document, as columns x rows
    #[arg(long, value_delimiter = ',', default_values = ["66x50", "125x83"], value_parser = parse_size)]
    pub(crate) boards: Vec<(u32, u32)>,
    /// Each time of the measure stage is the best of this many
    #[arg(long, default_value_t = 3)]
    pub(crate) repeats: usize,
    /// Solve the one puzzle given in this process, and print its line
    #[arg(long, hide = true)]
    pub(crate) one: bool,
}
