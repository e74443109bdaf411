//! The flags of what looks for the pieces of sheets.

use clap::Args as ClapArgs;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw bench sheets --data sets --count 200 --seed 1

Pieces are 16 to 64 pixels wide and high, every other sheet has square ones; every other two are saved as
JPEG of quality 90; every fourth four have a gap of up to 4 pixels or a border of up to 8. Pictures are
scrambled as type 1 or 2.
right          sheets whose first candidate has the right size
layout right   sheets whose first candidate has the right gaps, borders, rows and columns, too")]
pub(crate) struct BenchSheetsArgs {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Names of the sets; all folders of pictures by default
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
    /// Threads to use, one a sheet; all cores by default
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}
