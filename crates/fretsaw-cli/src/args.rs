//! The flags, as clap reads them.

pub(crate) mod hints;
pub(crate) mod input;
pub(crate) mod outputs;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use fretsaw::Method;
use fretsaw::picture::CutSize;
use fretsaw::puzzle::{PuzzleType, TurnSet};
use fretsaw::unstable::dissimilarity::Measure;
use fretsaw::unstable::locations::quadratic_assignment::QapForm;
use fretsaw::unstable::matching::Matcher;
use fretsaw::unstable::methods::fretsaw::Effort;
use fretsaw::unstable::methods::rotation_choice::RotationChoice;
use fretsaw::unstable::methods::yu::Variant;
use fretsaw_cli::by_name::{by_name, puzzle_type};
use fretsaw_cli::input_args::InputArgs;
use fretsaw_cli::method_args::{GclArgs, YuArgs, qap_form};
use fretsaw_cli::parse::{parse_cut_size, parse_grid, parse_time_limit};
use outputs::{ApplyArgs, CompletionsArgs, ManArgs, ShowArgs, SuggestArgs};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

/// fretsaw puts square jigsaw puzzles back together: pictures cut into equal pieces that were
/// shuffled, turned, or both.
#[derive(Debug, Parser)]
#[command(name = "fretsaw", version, propagate_version = true, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Say nothing but errors and what was asked for
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Say more: settings, sizes, times of each stage
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "Examples:
  fretsaw demo
  fretsaw scramble photo.jpg --piece 28 --type 2 --seed 7 --out puzzle
  fretsaw solve puzzle --out solved.png --solution solution.json
  fretsaw eval --truth puzzle/truth.json solution.json";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a built-in picture, scramble it, solve it, and show what happened
    Demo(DemoArgs),
    /// Cut one or several pictures into pieces and scramble them
    Scramble(ScrambleArgs),
    /// Put pieces back together
    Solve(SolveArgs),
    /// Paint the boards of a solution, without solving
    Apply(ApplyArgs),
    /// List the least certain places of a solution, and what else might lie there
    Suggest(SuggestArgs),
    /// Score a solution against the truth
    Eval(EvalArgs),
    /// Say what an input is: its pieces, or how large the pieces of a sheet may be
    Inspect(input::InspectArgs),
    /// Print a script that lets a shell complete commands and flags
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for every command
    Man(ManArgs),
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw demo --out my-demo --seed 3")]
pub(crate) struct DemoArgs {
    /// The folder to write to; must be new or empty. Default: fretsaw-demo, or fretsaw-demo-2 and so
    /// on if that is taken
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Draws another picture and scrambles it another way
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads to use; all cores by default
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

Several pictures make one large puzzle, or with --mix a heap of several puzzles. Tallest first they are
laid side by side, the last one cropped at the right, until the board's columns are filled; that shelf is
as high as the lowest of them, and the next lies below it. A last shelf that cannot be filled is left out.")]
pub(crate) struct ScrambleArgs {
    /// The picture, or several of the same kind to be laid side by side
    #[arg(required = true, value_name = "IMAGE")]
    pub(crate) images: Vec<PathBuf>,
    /// Columns and rows of the puzzle in pieces; pictures are cropped to fit. Default: a picture as it is;
    /// of several as much as possible, on a board at most twice as long one way as the other
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = parse_grid)]
    pub(crate) grid: Option<(NonZeroU32, NonZeroU32)>,
    /// Size of the pieces in pixels: 28, or 40x25 for width x height; of one picture also strips, 8xfull
    /// of its full height or fullx8 of its full width
    #[arg(long, default_value = "28", value_name = "SIZE", value_parser = parse_cut_size)]
    pub(crate) piece: CutSize,
    /// What to hide: 1 positions, 2 positions and turns, 3 turns
    #[arg(long = "type", value_name = "TYPE", default_value = "2", value_parser = puzzle_type())]
    pub(crate) puzzle_type: PuzzleType,
    /// The same seed gives the same scramble
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// The folder to write to; must be new or empty
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// One file a piece, or all pieces in one picture
    #[arg(long = "as", value_name = "LAYOUT", default_value = "folder")]
    pub(crate) layout: LayoutArg,
    /// Replace each side's outermost pixels by random ones with this probability, as in the paper
    #[arg(long, value_name = "RATE", default_value_t = 0.0)]
    pub(crate) corrupt: f64,
    /// Leave out this many pieces; with --mix, of each picture
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub(crate) drop: usize,
    /// Shuffle the pieces of several pictures together, each a puzzle of its own
    #[arg(long, conflicts_with = "grid")]
    pub(crate) mix: bool,
    /// Do not say how many rows and columns the picture has
    #[arg(long)]
    pub(crate) hide_size: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw solve puzzle --out solved.png
  fretsaw solve pieces-folder --type 1 --grid 16x12 --out solved.png
  fretsaw solve pieces/*.png --grid 16x12 --out solved.png
  fretsaw solve pieces.zip --grid 16x12 --out solved.png
  fretsaw solve turned-in-place --type 3 --rows 18 --cols 24 --out solved.png
  fretsaw solve sheet.png --piece 32 --grid 20x10 --out solved.png --solution solution.json
  fretsaw solve puzzle --out solved.png --report report.html --animation assembly.gif --preview
  fretsaw solve pieces-folder --turns half --out solved.png
  fretsaw solve pieces-folder --reference small.jpg --out solved.png
  fretsaw solve puzzle --effort high --time-limit 60 --out solved.png
  fretsaw solve puzzle --checkpoint saved.fretsaw --out solved.png
  fretsaw solve puzzle --resume saved.fretsaw --out solved.png
  fretsaw solve puzzle --out solved.png --dry-run

INPUT is a folder made by 'fretsaw scramble', a folder of piece images, several piece images, one picture
of pieces side by side (a sheet), or a zip archive of any of these. A truth.json that lies there is never
opened. The size of a sheet's pieces is found by their seams; 'fretsaw inspect' lists what else it may be.

While the method 'fretsaw' is at work, Ctrl-C asks it to end with the best board so far, which is written
as usual; a second Ctrl-C gives up, with exit code 130.

With --checkpoint it saves how far it got, at intervals and whenever sides are measured and judged. Should
it be killed, the same command with --resume in place of --checkpoint goes on from there, and comes to the
same answer. The file is still there when the puzzle is solved, and may be deleted then.")]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// The solved picture; its format is told by the ending of the name
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Where every piece went, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) solution: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    /// What is unknown: 1 positions, 2 positions and turns, 3 turns. Default: as puzzle.json says; without
    /// one, positions and what --turns says
    #[arg(long = "type", value_name = "TYPE", value_parser = puzzle_type())]
    pub(crate) puzzle_type: Option<PuzzleType>,
    /// Turns that pieces may need [default: as --type or puzzle.json says, or auto]
    #[arg(long, value_name = "TURNS")]
    pub(crate) turns: Option<TurnsArg>,
    /// Columns and rows of the solved picture in pieces, if known
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = parse_grid, conflicts_with_all = ["rows", "cols"])]
    pub(crate) grid: Option<(NonZeroU32, NonZeroU32)>,
    /// Rows of the solved picture, if known
    #[arg(long)]
    pub(crate) rows: Option<u64>,
    /// Columns of the solved picture, if known
    #[arg(long)]
    pub(crate) cols: Option<u64>,
    #[command(flatten)]
    pub(crate) hints: hints::HintArgs,
    /// A picture of the same content, of another size or quality: pieces are placed by their likeness to
    /// it, whatever the method, and those that look like nothing in it are left out
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pin", "join", "forbid", "start", "puzzles"])]
    pub(crate) reference: Option<PathBuf>,
    /// How to find positions, for types 1 and 2
    #[arg(long, default_value = "fretsaw", value_parser = by_name(Method::ALL, Method::name))]
    pub(crate) method: Method,
    /// How long the method 'fretsaw' looks for a better board [default: normal]
    #[arg(long, value_parser = by_name(Effort::ALL, Effort::name))]
    pub(crate) effort: Option<Effort>,
    /// End with the best board so far when this much time has passed, though not before there is one;
    /// for the method 'fretsaw'
    #[arg(long, value_name = "SECONDS", value_parser = parse_time_limit)]
    pub(crate) time_limit: Option<Duration>,
    /// Save to this file, at intervals, how far the method 'fretsaw' got; a checkpoint of that name is
    /// replaced
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// How long to wait between two checkpoints [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = parse_time_limit)]
    pub(crate) checkpoint_interval: Option<Duration>,
    /// Go on from this checkpoint, made for the same puzzle with the same settings; saves to it, too,
    /// unless --checkpoint names another file
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Of the method 'yu', the only variant to run [default: all, of which the ranking picks one]
    #[arg(long, value_parser = by_name(Variant::ALL, Variant::name))]
    pub(crate) variant: Option<Variant>,
    #[command(flatten)]
    pub(crate) yu: YuArgs,
    #[command(flatten)]
    pub(crate) gcl: GclArgs,
    /// What the method 'assignment' knows of neighbours
    #[arg(long, value_name = "FORM", default_value = "directed", value_parser = qap_form())]
    pub(crate) assignment_form: QapForm,
    /// How to find turns, for the method 'gcl' and for type 3 [default: spectral for 'gcl'; for type 3
    /// mrf, or anchored for oblong pieces]
    #[arg(long, value_parser = by_name(RotationChoice::ALL, RotationChoice::name))]
    pub(crate) rotations: Option<RotationChoice>,
    /// How to tell whether two sides fit [default: seam; for type 3 mgc]
    #[arg(long, value_parser = by_name(Measure::ALL, Measure::name))]
    pub(crate) measure: Option<Measure>,
    /// Who says how likely two sides belong together, for types 1 and 2 [default: learned with the
    /// measure seam, ratio with others]
    #[arg(long, value_parser = by_name(Matcher::ALL, Matcher::name))]
    pub(crate) matcher: Option<Matcher>,
    /// Breaks ties; the same seed gives the same answer
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Threads to use; all cores by default. The answer does not depend on it
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Solve nothing: print how much memory it would take, stage by stage
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Begin even if the machine seems to have too little memory
    #[arg(long)]
    pub(crate) ignore_memory: bool,
    /// Print the solution's summary as JSON; with --dry-run, the memory
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw eval --truth puzzle/truth.json solution.json

direct     pieces at their true cell and turn / all pieces, best of the global turns that fit
neighbor   true adjacencies present in the solution / all true adjacencies
largest    largest connected group of correct adjacencies, in pieces / all pieces
perfect    1 if direct is 1
*_px       the same, forgiving the exchange of pieces that are the same pixel for pixel")]
pub(crate) struct EvalArgs {
    /// The truth, as written by 'fretsaw scramble'
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: PathBuf,
    /// The solution, as written by 'fretsaw solve --solution'
    pub(crate) solution: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TurnsArg {
    /// As few as explain how sides fit; for unknown positions
    Auto,
    /// None: pieces lie upright
    None,
    /// Half turns
    Half,
    /// Quarter turns, of square pieces
    Quarter,
}

impl TurnsArg {
    /// The turns; `None` if they are to be found.
    pub(crate) const fn set(self) -> Option<TurnSet> {
        match self {
            Self::Auto => None,
            Self::None => Some(TurnSet::None),
            Self::Half => Some(TurnSet::Half),
            Self::Quarter => Some(TurnSet::Quarter),
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LayoutArg {
    /// One file a piece
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
