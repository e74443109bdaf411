//! The flags of `fretsaw solve`, in the groups that its help shows.

use super::constraints::{PuzzleCount, parse_join, parse_pin, parse_puzzles};
use super::gap::{GapBetween, parse_gap};
use super::outputs::ShowArgs;
use clap::Args as ClapArgs;
use fretsaw::puzzle::{Join, Pin, PuzzleType, TurnSet};
use fretsaw::settings::{Matcher, Measure};
use fretsaw::unstable::TurnsHint;
use fretsaw::{Constraints, Effort, KnownBoards};
use fretsaw_cli::by_name::{by_name, puzzle_type, turn_set_name};
use fretsaw_cli::input_args::{InputArgs, TrimArgs};
use fretsaw_cli::parse::{parse_bytes, parse_partial_grid, parse_time_limit};
use fretsaw_gcl::METHOD_NAMES;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, ClapArgs)]
#[command(
    after_help = "Examples:
  fretsaw solve tiles
  fretsaw solve sheet.png -o solved.png --report report.html
  fretsaw solve tiles.zip --grid 16x12 --turns none
'fretsaw solve --help' explains inputs, early stops and checkpoints.",
    after_long_help = "Examples:
  fretsaw solve tiles
  fretsaw solve sheet.png -o solved.png --report report.html
  fretsaw solve tiles.zip --grid 16x12 --turns none
  fretsaw solve tiles --reference small.jpg
  fretsaw solve frame1.png frame2.png frame3.png --same-scramble
  fretsaw solve turned-in-place --type 3 --grid 24x18
  fretsaw solve puzzle --effort high --time-limit 60 --checkpoint saved.fretsaw
  fretsaw solve puzzle --effort high --resume saved.fretsaw

INPUT is a folder made by 'fretsaw scramble', a folder of piece images, several piece images, one picture of pieces \
side by side (a sheet), or a zip archive of any of these. A truth.json in it is never opened. 'fretsaw inspect' lists \
the piece sizes that a sheet may have.

Before pieces are compared, a plain background around them is cut away and small tilts are straightened, sizes within 6 % \
of each other are brought to one, and lines of background, shadow or plaster are cut off the edges: each only if nearly \
all pieces show it. 'fretsaw inspect --contact-sheet' draws what is used of each piece. --trim PIXELS cuts off so \
many lines instead, and --trim 0 none.

Ctrl-C stops the method 'fretsaw', which then returns its best board so far, with exit code 3. A second Ctrl-C \
gives up, with exit code 130.

--checkpoint saves progress at intervals and after each expensive stage. If the solve is killed, the same command \
with --resume in place of --checkpoint continues to the same answer. The file may be deleted once the puzzle is \
solved."
)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) trim: TrimArgs,
    #[command(flatten)]
    pub(crate) known: KnownArgs,
    #[command(flatten)]
    pub(crate) output: SolveOutputArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) research: ResearchArgs,
}

/// Known properties of the answer.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "What is known")]
pub(crate) struct KnownArgs {
    /// Columns and rows of the solved picture; 16x or x12 gives one of them
    #[arg(long, value_name = "COLSxROWS", value_parser = parse_partial_grid)]
    grid: Option<(Option<u32>, Option<u32>)>,
    /// Turns that pieces may need: auto, none, half or quarter
    #[arg(long, value_name = "TURNS", value_parser = turns_hint(), hide_possible_values = true)]
    pub(crate) turns: Option<TurnsHint>,
    /// What is unknown: 1 positions, 2 positions and turns, 3 turns
    #[arg(long = "type", value_name = "TYPE", value_parser = puzzle_type(), hide_possible_values = true)]
    pub(crate) puzzle_type: Option<PuzzleType>,
    /// How many pictures the pieces belong to, or auto
    #[arg(long, value_name = "N", default_value = "auto", hide_default_value = true, value_parser = parse_puzzles)]
    puzzles: PuzzleCount,
    /// The inputs are pictures that were cut and scrambled alike
    #[arg(long, conflicts_with_all = ["puzzles", "reference"])]
    pub(crate) same_scramble: bool,
    /// Pieces may be mirrored
    #[arg(long, conflicts_with_all = ["same_scramble", "reference", "pin", "join", "forbid", "start"])]
    pub(crate) mirror: bool,
    /// A copy of the picture, smaller or of lower quality, to place pieces by
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pin", "join", "forbid", "start", "puzzles"])]
    pub(crate) reference: Option<PathBuf>,
    /// What is missing between two pieces: pixels, a percentage such as 3%, 0 for a clean cut, or auto
    #[arg(long, value_name = "WIDTH", default_value = "auto", hide_default_value = true, hide_short_help = true,
          value_parser = parse_gap)]
    pub(crate) gap_between: GapBetween,
    /// A solution of the same pieces to start from
    #[arg(long, value_name = "FILE")]
    pub(crate) start: Option<PathBuf>,
    /// Start from a solution of other pieces, too
    #[arg(long, requires = "start", hide_short_help = true)]
    pub(crate) force: bool,
    /// A piece that lies in this cell: PIECE=ROW,COL[,TURNS], from 0
    #[arg(long, value_name = "PLACE", value_parser = parse_pin)]
    pin: Vec<Pin>,
    /// Two sides that touch, such as 17:right=5:left
    #[arg(long, value_name = "SIDES", value_parser = parse_join)]
    join: Vec<Join>,
    /// Two sides that do not touch
    #[arg(long, value_name = "SIDES", value_parser = parse_join)]
    forbid: Vec<Join>,
}

fn turns_hint() -> impl clap::builder::TypedValueParser<Value = TurnsHint> {
    let [none, half, quarter] =
        [TurnSet::None, TurnSet::Half, TurnSet::Quarter].map(TurnsHint::Only);
    by_name([TurnsHint::Auto, none, half, quarter], |hint| match hint {
        TurnsHint::Auto => "auto",
        TurnsHint::Only(turns) => turn_set_name(turns),
    })
}

impl KnownArgs {
    /// The known properties of the boards.
    pub(crate) fn boards(&self) -> KnownBoards {
        let (cols, rows) = self.grid.unwrap_or_default();
        KnownBoards { rows, cols, count: self.puzzles.0 }
    }

    /// The constraints on the answer.
    pub(crate) fn constraints(&self) -> Constraints {
        Constraints {
            pins: self.pin.clone(),
            joins: self.join.clone(),
            forbidden: self.forbid.clone(),
        }
    }
}

/// The outputs.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Output")]
pub(crate) struct SolveOutputArgs {
    /// The solved picture [default: a new file beside the input]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// auto: turn the picture upright if that is unknown, by a guess; off: never
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_default_value = true,
          value_parser = by_name(UprightWhen::ALL, UprightWhen::name), hide_possible_values = true)]
    pub(crate) upright: UprightWhen,
    /// Where every piece lies and how certain that is, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) solution: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    /// Print a summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Whether to turn the solved picture upright.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UprightWhen {
    /// If its turn as a whole is unknown and the guess is sure.
    Auto,
    Off,
}

fretsaw::named_enum!(UprightWhen { Auto: "auto", Off: "off" });

/// How much time and memory a solve may take.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// fast: fastest, normal: balanced, high: most accurate
    #[arg(long, value_parser = by_name(Effort::ALL, Effort::name), hide_possible_values = true)]
    pub(crate) effort: Option<Effort>,
    /// Return the best board so far after this time
    #[arg(long, value_name = "SECONDS", value_parser = parse_time_limit)]
    pub(crate) time_limit: Option<Duration>,
    /// Save progress to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Time between two saves [default: 60]
    #[arg(long, value_name = "SECONDS", value_parser = parse_time_limit, hide_short_help = true)]
    pub(crate) checkpoint_interval: Option<Duration>,
    /// Continue from this checkpoint, and save to it
    #[arg(long, value_name = "FILE")]
    pub(crate) resume: Option<PathBuf>,
    /// Only print how much memory the solve would take
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The most memory to take, such as 4G; also FRETSAW_MAX_MEMORY [default: what is available]
    #[arg(long, value_name = "BYTES", env = "FRETSAW_MAX_MEMORY", value_parser = parse_bytes, hide_short_help = true)]
    pub(crate) max_memory: Option<u64>,
    /// Solve even if there seems to be too little memory
    #[arg(long, hide_short_help = true)]
    pub(crate) ignore_memory: bool,
}

/// Settings for research.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Research")]
pub(crate) struct ResearchArgs {
    /// fretsaw, yu, gallagher, gcl or assignment
    #[arg(long, default_value = "fretsaw", hide_default_value = true,
          value_parser = clap::builder::PossibleValuesParser::new(METHOD_NAMES), hide_possible_values = true)]
    pub(crate) method: String,
    /// How badly two sides fit: seam, mgc, ssd or lpq
    #[arg(long, value_parser = by_name(Measure::ALL, Measure::name), hide_possible_values = true)]
    pub(crate) measure: Option<Measure>,
    /// How likely two sides match: learned, loops or ratio
    #[arg(long, visible_alias = "judge", value_parser = by_name(Matcher::ALL, Matcher::name),
          hide_possible_values = true)]
    pub(crate) matcher: Option<Matcher>,
    /// Breaks ties; the same seed gives the same answer
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    pub(crate) seed: u64,
    /// Threads to use [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}
