//! The flags of the commands that write whole documents: `scaling`, `paper` and `figures`.

use crate::paper::{Experiment, published};
use clap::Args as ClapArgs;
use fretsaw::Effort;
use fretsaw::puzzle::PieceShape;
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::parse::{parse_grid, parse_piece, parse_size};
use std::num::NonZeroU32;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab scaling --data sets --out scaling.jsonl --report scaling.md
  fretsaw-lab scaling --pictures a.jpg,b.jpg --tiled c.jpg,d.jpg,e.jpg --out scaling.jsonl

Solves one picture each of mit-432, pomeranz-805, pomeranz-2360, pomeranz-3300, sholomon-5015,
sholomon-10375 and sholomon-22755 below --data, or the pictures given, type 2, by the default method, each
in a process of its own. Prints seconds of every stage, peak memory and scores, and the exponents b of
fits of log t = a + b log n. What --out already holds is not done again.")]
pub(crate) struct ScalingArgs {
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
    /// The effort
    #[arg(long, default_value = "normal", value_parser = by_name(Effort::ALL, Effort::name))]
    pub(crate) effort: Effort,
    /// The seed of scramble and solver
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads to use [default: all cores]
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

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab paper --data sets --out results.jsonl --jobs 2
  fretsaw-lab paper --data sets --out results.jsonl --only comparison,times --sets mit-432
  fretsaw-lab paper --out results.jsonl --report-only

Runs that RESULTS already holds are not repeated, and runs that several experiments share are done
once. Runs of 'times' are done one at a time, whatever --jobs says, and are repeated if they were
not. Sets of the paper take part in an experiment where they do in the paper, other sets always. The
document shows the experiments and sets that are chosen.")]
pub(crate) struct PaperArgs {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR", required_unless_present = "report_only")]
    pub(crate) data: Option<PathBuf>,
    /// The results, one JSON line per run
    #[arg(long, value_name = "RESULTS")]
    pub(crate) out: PathBuf,
    /// Experiments [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',',
          value_parser = by_name(Experiment::ALL, Experiment::name))]
    pub(crate) only: Vec<Experiment>,
    /// Names of the sets; any folder of pictures will do [default: the paper's four]
    #[arg(long, value_delimiter = ',', default_values = published::SETS, hide_default_value = true)]
    pub(crate) sets: Vec<String>,
    /// Seeds 1 to N, for 'comparison', 'histograms', 'seam' and 'iterations'; the paper has 20. The
    /// others have their own: 'times' 1, 'corruption' 5, 'spread' 20
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub(crate) seeds: u64,
    /// The document to write, ending in .md; plots go to a folder of its name without that ending.
    /// Default: beside RESULTS, results-reproduction.md for results.jsonl
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Run nothing: write the document from what RESULTS holds
    #[arg(long)]
    pub(crate) report_only: bool,
    /// Puzzles to solve at a time, but for 'times'
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: usize,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab figures --list
  fretsaw-lab figures --data sets --only matcher,energy
  fretsaw-lab figures --refresh

Each step writes docs/figures/NAME.md, or a whole document. Then every block of docs/*.md and README.md
between '<!-- figures: NAME -->' and '<!-- end figures -->' is replaced by that file. Results are kept below
--work, by commit and version of the networks: a step that was stopped continues, one that was done is
skipped.")]
pub(crate) struct FiguresArgs {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR", required_unless_present_any = ["list", "refresh"])]
    pub(crate) data: Option<PathBuf>,
    /// The folder that keeps results
    #[arg(long, value_name = "DIR", default_value = "target/figures")]
    pub(crate) work: PathBuf,
    /// The folder of documents
    #[arg(long, value_name = "DIR", default_value = "docs")]
    pub(crate) docs: PathBuf,
    /// Steps [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) only: Vec<String>,
    /// List the steps, and about how many minutes each takes on two cores
    #[arg(long)]
    pub(crate) list: bool,
    /// Measure nothing: only write docs/figures/*.md into the documents
    #[arg(long)]
    pub(crate) refresh: bool,
    /// Puzzles at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: usize,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}
