//! The commands and their flags, as clap parses them.

pub(crate) mod constraints;
pub(crate) mod gap;
pub(crate) mod outputs;
pub(crate) mod solve;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use fretsaw::picture::CutSize;
use fretsaw::puzzle::PuzzleType;
use fretsaw_cli::by_name::puzzle_type;
use fretsaw_cli::input_args::{InputArgs, TrimArgs};
use fretsaw_cli::limits_args::LimitsArgs;
use fretsaw_cli::parse::{parse_cut_size, parse_grid};
use fretsaw_cli::verbosity::Verbosity;
use outputs::{ApplyArgs, CompletionsArgs, ManArgs, SuggestArgs};
use solve::SolveArgs;
use std::num::NonZeroU32;
use std::path::PathBuf;

/// fretsaw puts square jigsaw puzzles back together: pictures cut into equal pieces that were
/// shuffled, turned, or both.
#[derive(Debug, Parser)]
#[command(name = "fretsaw", version, propagate_version = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "Examples:
  fretsaw demo
  fretsaw scramble photo.jpg --piece 28 --type 2 --seed 7 --out puzzle
  fretsaw solve puzzle --solution solution.json
  fretsaw eval --truth puzzle/truth.json solution.json

Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 stopped by Ctrl-C with the best board so far written, 130 stopped \
by a second Ctrl-C.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Draw a picture, scramble it, solve it, and print the scores
    Demo(DemoArgs),
    /// Cut one or several pictures into pieces and scramble them
    Scramble(ScrambleArgs),
    /// Put pieces back together
    Solve(Box<SolveArgs>),
    /// Paint a solution without solving
    Apply(ApplyArgs),
    /// List the least certain places of a solution and the next best pieces
    Suggest(SuggestArgs),
    /// Score a solution against the truth
    Eval(EvalArgs),
    /// Describe an input: its pieces, or the piece sizes that a sheet may have
    Inspect(InspectArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for every command
    Man(ManArgs),
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw demo --out my-demo --seed 3")]
pub(crate) struct DemoArgs {
    /// The folder to write to; must be new or empty [default: fretsaw-demo, fretsaw-demo-2, ...]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Another seed draws another picture and another scramble
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw scramble photo.jpg --piece 28 --type 2 --seed 7 --out puzzle
  fretsaw scramble photo.png --piece 40x25 --type 1 --as sheet --out sheet-puzzle
  fretsaw scramble photo.png --corrupt 0.05 --drop 10 --hide-size --out hard-puzzle
  fretsaw scramble a.jpg b.jpg c.jpg --grid 370x270 --as sheet --out large-puzzle
  fretsaw scramble a.jpg b.jpg --mix --out two-puzzles

Positions and turns are drawn uniformly from the seed, which truth.json records.

Several pictures make one large puzzle, or several mixed puzzles with --mix. For one large puzzle, the pictures are laid \
side by side on shelves, tallest first. The last picture of a shelf is cropped at the right, a shelf is as high as its \
shortest picture, and a last shelf that cannot be filled is left out.")]
pub(crate) struct ScrambleArgs {
    /// The picture, or several pictures of the same kind
    #[arg(required = true, value_name = "IMAGE")]
    pub(crate) images: Vec<PathBuf>,
    /// Columns and rows of the puzzle in pieces; pictures are cropped to fit [default: all of a single
    /// picture; of several, the largest board with an aspect ratio of at most 2:1]
    #[arg(long, value_name = "COLSxROWS", value_parser = parse_grid)]
    pub(crate) grid: Option<(NonZeroU32, NonZeroU32)>,
    /// Size of the pieces in pixels: 28, 40x25 (width x height), or strips, 8xfull and fullx8
    #[arg(long, default_value = "28", value_name = "SIZE", value_parser = parse_cut_size)]
    pub(crate) piece: CutSize,
    /// What to hide: 1 positions, 2 positions and turns, 3 turns
    #[arg(long = "type", value_name = "TYPE", default_value = "2", value_parser = puzzle_type())]
    pub(crate) puzzle_type: PuzzleType,
    /// The same seed gives the same scramble
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// The folder to write to; must be new or empty
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// One file per piece, or all pieces in one picture
    #[arg(long = "as", value_name = "LAYOUT", default_value = "folder")]
    pub(crate) layout: LayoutArg,
    /// Probability of replacing a side's outermost pixels by random ones
    #[arg(long, value_name = "RATE", default_value_t = 0.0)]
    pub(crate) corrupt: f64,
    /// Leave out this many pieces; with --mix, of each picture
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub(crate) drop: usize,
    /// Shuffle the pieces of several pictures together; each picture is a separate puzzle
    #[arg(long, conflicts_with = "grid")]
    pub(crate) mix: bool,
    /// Leave rows and columns out of puzzle.json
    #[arg(long)]
    pub(crate) hide_size: bool,
    #[command(flatten)]
    pub(crate) limits: LimitsArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw eval --truth puzzle/truth.json solution.json

direct     pieces at their true cell and turn / all pieces, best of the global turns that fit
neighbor   true adjacencies present in the solution / all true adjacencies
largest    largest connected group of correct adjacencies, in pieces / all pieces
perfect    1 if direct is 1
*_px       the same, but pieces that are equal pixel for pixel may be exchanged")]
pub(crate) struct EvalArgs {
    /// The truth, as written by 'fretsaw scramble'
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: PathBuf,
    /// The solution, as written by 'fretsaw solve --solution'
    pub(crate) solution: PathBuf,
    /// Score a solution of other pieces, too
    #[arg(long)]
    pub(crate) force: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitsArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw inspect sheet.png
  fretsaw inspect pieces.zip --json
  fretsaw inspect photographs --contact-sheet contact.png

For a sheet it lists the possible piece sizes, the likeliest first. The score is the number of standard deviations by \
which the seams of that size stand out. 'fretsaw solve' uses the first size unless --piece is given.")]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) trim: TrimArgs,
    /// A picture of all pieces, with an outline around what is used of each
    #[arg(long, value_name = "FILE")]
    pub(crate) contact_sheet: Option<PathBuf>,
    /// Columns and rows of pieces on the sheet
    #[arg(long, value_name = "COLSxROWS", value_parser = parse_grid)]
    pub(crate) grid: Option<(NonZeroU32, NonZeroU32)>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LayoutArg {
    /// One file per piece
    Folder,
    /// All in one picture
    Sheet,
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
