//! The flags, as clap reads them.

pub(crate) mod answers;
pub(crate) mod hints;
pub(crate) mod input;
pub(crate) mod judge;
pub(crate) mod outputs;
pub(crate) mod reference;
pub(crate) mod scaling;
pub(crate) mod sheets;
pub(crate) mod turns;

use crate::failure::Failure;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use fretsaw::dissimilarity::Measure;
use fretsaw::locations::fill::Filling;
use fretsaw::locations::filter::MatchFilter;
use fretsaw::locations::ranking::Ranking;
use fretsaw::matching::Matcher;
use fretsaw::methods::fretsaw::Effort;
use fretsaw::methods::yu::{Variant, YuSettings};
use fretsaw::picture::CutSize;
use fretsaw::puzzle::{PieceShape, PuzzleType, TurnSet};
use fretsaw::solve::Method;
use fretsaw_gcl::alternatives::quadratic_assignment::QapForm;
use fretsaw_gcl::construction::{ConstructionSettings, ConstructionStep};
use fretsaw_gcl::rotation_choice::RotationChoice;
use fretsaw_gcl::type_two::{GclSettings, Keep, LocationChoice, Reading};
use fretsaw_gcl::update::UpdateSettings;
use fretsaw_lab::images::Images;
use fretsaw_lab::paper::{Experiment, published};
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

const BENCH_EXAMPLES: &str = "Examples:
  fretsaw bench stage measure
  fretsaw bench run --data sets --sets mine --seeds 3 --out results.jsonl
  fretsaw bench report results.jsonl
  fretsaw bench compare before.jsonl results.jsonl
  fretsaw bench paper --data sets --out paper.jsonl";

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
    /// Construct the connection graph of a type 2 puzzle, step by step
    Graph(GraphArgs),
    /// Measure speed and accuracy
    #[command(subcommand, after_help = BENCH_EXAMPLES)]
    Bench(BenchCommand),
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
    #[arg(long = "type", value_name = "TYPE", default_value = "2")]
    pub(crate) puzzle_type: TypeArg,
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
    pub(crate) input: input::InputArgs,
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
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) puzzle_type: Option<TypeArg>,
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
    #[arg(long, default_value = "fretsaw")]
    pub(crate) method: MethodArg,
    /// How long the method 'fretsaw' looks for a better board [default: normal]
    #[arg(long)]
    pub(crate) effort: Option<EffortArg>,
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
    #[arg(long)]
    pub(crate) variant: Option<VariantArg>,
    #[command(flatten)]
    pub(crate) yu: YuArgs,
    #[command(flatten)]
    pub(crate) gcl: GclArgs,
    /// What the method 'assignment' knows of neighbours
    #[arg(long, value_name = "FORM", default_value = "directed")]
    pub(crate) assignment_form: FormArg,
    /// How to find turns, for the method 'gcl' and for type 3 [default: spectral for 'gcl'; for type 3
    /// mrf, or anchored for oblong pieces]
    #[arg(long)]
    pub(crate) rotations: Option<RotationArg>,
    /// How to tell whether two sides fit [default: seam; for type 3 mgc]
    #[arg(long)]
    pub(crate) measure: Option<MeasureArg>,
    /// Who says how likely two sides belong together, for types 1 and 2 [default: learned with the
    /// measure seam, ratio with others]
    #[arg(long)]
    pub(crate) matcher: Option<MatcherArg>,
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

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw graph puzzle --out graph.json
  fretsaw graph puzzle --truth puzzle/truth.json --svg graph.svg --step jaccard
  fretsaw graph puzzle --truth puzzle/truth.json --theory

Prints a table with a line for each step of the paper's Algorithm 2. With the truth it says how many
edges are right; in the drawing right edges are green, edges between true neighbours with a wrong turn
orange, all others red.")]
pub(crate) struct GraphArgs {
    #[command(flatten)]
    pub(crate) input: input::InputArgs,
    /// The graph after every step up to --step, as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// A drawing of the last graph over the true layout; needs --truth
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// The truth, to matcher the graph by; the construction does not see it
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: Option<PathBuf>,
    /// Stop after this step
    #[arg(long, default_value = "loops")]
    pub(crate) step: StepArg,
    /// Print the quantities of the paper's theorem for the last graph; needs --truth
    #[arg(long)]
    pub(crate) theory: bool,
    /// How to tell whether two sides fit
    #[arg(long, default_value = "mgc")]
    pub(crate) measure: MeasureArg,
    /// Who says how likely two sides belong together
    #[arg(long, default_value = "ratio")]
    pub(crate) matcher: MatcherArg,
    /// Chooses among equally good connections
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) graph: ConstructionArgs,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum StepArg {
    /// Every side's best matches
    Nearest,
    /// At most one match a side
    Pruned,
    /// Blended with the Jaccard test
    Jaccard,
    /// Connected
    Connected,
    /// Reweighted by 4-loops, with diagonal edges
    Loops,
}

impl From<StepArg> for ConstructionStep {
    fn from(arg: StepArg) -> Self {
        match arg {
            StepArg::Nearest => Self::Nearest,
            StepArg::Pruned => Self::Pruned,
            StepArg::Jaccard => Self::Jaccard,
            StepArg::Connected => Self::Connected,
            StepArg::Loops => Self::Loops,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// Time a stage against its floor
    #[command(
        subcommand,
        after_help = "Example:
  fretsaw bench stage measure"
    )]
    Stage(StageCommand),
    /// Solve every picture of some sets, several times, and average the scores
    Run(BenchRunArgs),
    /// Tables, plots and a page of a file of results
    Report(BenchReportArgs),
    /// What changed between two files of results
    Compare(BenchCompareArgs),
    /// The share of right turns of every way to find turns
    Rotations(BenchRotationsArgs),
    /// How often 'solve --turns auto' tells the turns that pieces need
    Turns(turns::BenchTurnsArgs),
    /// How good matchers of candidates are, before anything is assembled
    Matcher(judge::BenchJudgeArgs),
    /// How well puzzles are solved of which neither size nor number of boards is known
    Boards(answers::BenchBoardsArgs),
    /// Why boards are wrong: the energy prefers them, or the search did not find the truth
    Energy(answers::BenchEnergyArgs),
    /// Whether answers know how sure they may be of their seams and pieces
    Confidence(answers::BenchConfidenceArgs),
    /// How well pieces are placed by the same picture in another size and quality
    Reference(reference::BenchReferenceArgs),
    /// The paper's experiments, and a document with our figures beside its own
    Paper(BenchPaperArgs),
    /// How time and memory grow with the number of pieces
    Scaling(scaling::BenchScalingArgs),
    /// How often the size of a sheet's pieces is found
    Sheets(sheets::BenchSheetsArgs),
    /// Features of random puzzles with the right answers, to train the matcher on
    Features(BenchFeaturesArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum StageCommand {
    /// The k best candidates per side, against a bare matrix product and a plain loop
    Measure(StageMeasureArgs),
    /// Turns from synthetic connection graphs, clean and with wrong edges
    Rotations(StageRotationsArgs),
    /// Positions from synthetic matches, clean and with wrong ones, proven optimal
    Layout(StageLayoutArgs),
    /// Judges of candidates, against the measure stage before them
    Matcher(judge::StageJudgeArgs),
    /// The method 'fretsaw' after the matcher, on an easy puzzle and on a hard one
    Search(answers::StageSearchArgs),
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw bench stage layout --boards 66x50 --wrong 0,0.05,0.15 --weights random

Times are for rows and columns together, on one thread: without positions to start from, from an
optimum, and from the optimum of the same problem without a tenth of its edges. 'right' is the share
of pieces at their true positions, up to a shift; where wrong edges pull the board together, few are.")]
pub(crate) struct StageLayoutArgs {
    /// Boards to measure, as columns x rows
    #[arg(long, value_delimiter = ',', default_values = ["24x18", "66x50", "233x98"], value_parser = parse_size)]
    pub(crate) boards: Vec<(u32, u32)>,
    /// Shares of edges with a wrong end
    #[arg(long, value_delimiter = ',', default_values = ["0", "0.15"])]
    pub(crate) wrong: Vec<f64>,
    /// Weights of the edges
    #[arg(long, value_delimiter = ',', default_values = ["random", "equal"])]
    pub(crate) weights: Vec<LayoutWeightsArg>,
    /// Each time is the best of this many
    #[arg(long, default_value_t = 3)]
    pub(crate) repeats: usize,
    /// Seed of the problems
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LayoutWeightsArg {
    /// 1 to 1000
    Random,
    /// All 1
    Equal,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw bench stage rotations --boards 185x123 --wrong 0,0.15")]
pub(crate) struct StageRotationsArgs {
    /// Boards to measure, as columns x rows
    #[arg(long, value_delimiter = ',', default_values = ["66x50", "185x123"], value_parser = parse_size)]
    pub(crate) boards: Vec<(u32, u32)>,
    /// Shares of edges with a wrong turn
    #[arg(long, value_delimiter = ',', default_values = ["0", "0.05", "0.15"])]
    pub(crate) wrong: Vec<f64>,
    /// Ways to find turns
    #[arg(long, value_delimiter = ',', default_values = ["spectral", "adjacency"])]
    pub(crate) rotations: Vec<RotationArg>,
    /// Seed of the problems
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw bench stage measure --boards 24x18,35x23 --measures mgc --threads 1,2")]
pub(crate) struct StageMeasureArgs {
    /// Boards to measure, as columns x rows
    #[arg(long, value_delimiter = ',', default_values = ["24x18", "35x23", "66x50"], value_parser = parse_size)]
    pub(crate) boards: Vec<(u32, u32)>,
    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_values = ["1", "2"])]
    pub(crate) threads: Vec<usize>,
    /// Measures
    #[arg(long, value_delimiter = ',', default_values = ["mgc", "seam"])]
    pub(crate) measures: Vec<MeasureArg>,
    /// Candidates per side
    #[arg(long, default_value_t = 10)]
    pub(crate) candidates: usize,
    /// Each time is the best of this many
    #[arg(long, default_value_t = 3)]
    pub(crate) repeats: usize,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw bench run --data sets --sets mit-432,mcgill-540 --measures mgc,seam --seeds 3 --out results.jsonl
  fretsaw bench run --data sets --sets mit-432 --images odd --efforts fast,normal,high --out results.jsonl
  fretsaw bench run --data sets --sets pomeranz-3300 --cells 18x24 --out results.jsonl

Each set is a folder of pictures below --data. Runs that --out already holds are not repeated.")]
pub(crate) struct BenchRunArgs {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Names of the sets
    #[arg(long, value_delimiter = ',', required = true)]
    pub(crate) sets: Vec<String>,
    /// Which pictures of the sets, by number
    #[arg(long, value_name = "WHICH", default_value = "all")]
    pub(crate) images: ImagesArg,
    /// Methods
    #[arg(long, value_delimiter = ',', default_values = ["fretsaw"])]
    pub(crate) methods: Vec<MethodArg>,
    /// Of the method 'fretsaw', efforts to run one by one; not for type 3 [default: normal]
    #[arg(long, value_delimiter = ',')]
    pub(crate) efforts: Vec<EffortArg>,
    /// Of the method 'yu', variants to run one by one [default: all, of which the ranking picks one]
    #[arg(long, value_delimiter = ',')]
    pub(crate) variants: Vec<VariantArg>,
    #[command(flatten)]
    pub(crate) yu: YuArgs,
    #[command(flatten)]
    pub(crate) gcl: GclArgs,
    /// How the method 'gcl' finds turns [default: spectral]
    #[arg(long)]
    pub(crate) rotations: Option<RotationArg>,
    /// What the method 'assignment' knows of neighbours
    #[arg(long, value_name = "FORM", default_value = "directed")]
    pub(crate) assignment_form: FormArg,
    /// Measures, each with every method [default: mgc; for the method 'fretsaw' seam, and mgc for type 3]
    #[arg(long, value_delimiter = ',')]
    pub(crate) measures: Vec<MeasureArg>,
    /// Judges, for types 1 and 2 [default: learned with the measure seam, ratio with others]
    #[arg(long, value_delimiter = ',')]
    pub(crate) matchers: Vec<MatcherArg>,
    /// Puzzle types
    #[arg(long, value_delimiter = ',', default_values = ["2"])]
    pub(crate) types: Vec<TypeArg>,
    /// Size of the pieces in pixels: 28, or 40x25 for width x height; 8xfull and fullx8 are strips of the
    /// picture's full height and width
    #[arg(long, default_value = "28", value_name = "SIZE", value_parser = parse_cut_size)]
    pub(crate) piece: CutSize,
    /// Take only the middle of every picture, so many rows and columns of pieces: 18x24. Results, in
    /// which such runs are runs of their own, name the set 'mine (middle 18x24)'
    #[arg(long, value_name = "ROWSxCOLS", value_parser = parse_cells)]
    pub(crate) cells: Option<(u32, u32)>,
    /// Seeds 1 to N
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub(crate) seeds: u64,
    /// Rates of corrupted sides
    #[arg(long, value_delimiter = ',', default_values = ["0"])]
    pub(crate) corrupt: Vec<f64>,
    /// The results, one JSON line per run
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Sum up pictures of odd and of even number apart
    #[arg(long)]
    pub(crate) halves: bool,
    /// Puzzles to solve at a time. They share the threads, and so their times are longer
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) jobs: usize,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw bench report results.jsonl --out report

Writes report.html, one page that needs no other file; the same as report.md with plots in SVG; and
report.csv, a line per set, type, corruption, method, measure and matcher, and runs.csv, a line per run.")]
pub(crate) struct BenchReportArgs {
    /// The results, as 'fretsaw bench run --out' writes them
    #[arg(value_name = "RESULTS")]
    pub(crate) results: PathBuf,
    /// The folder to write to; must be new or empty. Default: beside RESULTS, results-report for
    /// results.jsonl
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print mean scores of pictures of odd and of even number apart, too
    #[arg(long)]
    pub(crate) halves: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw bench compare before.jsonl after.jsonl
  fretsaw bench compare results.jsonl results.jsonl --method-a gallagher --method-b yu

Pairs runs of the same set, image, seed, type, piece and corruption. If each file has one method, the
two are compared; if one has several, only runs of the same method are paired. The same goes for
measures and matchers. Differences are B less A.")]
pub(crate) struct BenchCompareArgs {
    /// Results to compare with
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,
    /// Results to compare
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,
    /// The method to take from A, as reports print it: 'yu', or 'yu rounds 3' in quotes
    #[arg(long, value_name = "METHOD")]
    pub(crate) method_a: Option<String>,
    /// The method to take from B
    #[arg(long, value_name = "METHOD")]
    pub(crate) method_b: Option<String>,
    /// The measure to take from A
    #[arg(long, value_name = "MEASURE")]
    pub(crate) measure_a: Option<MeasureArg>,
    /// The measure to take from B
    #[arg(long, value_name = "MEASURE")]
    pub(crate) measure_b: Option<MeasureArg>,
    /// The matcher to take from A
    #[arg(long, value_name = "JUDGE")]
    pub(crate) judge_a: Option<MatcherArg>,
    /// The matcher to take from B
    #[arg(long, value_name = "JUDGE")]
    pub(crate) judge_b: Option<MatcherArg>,
    /// Print JSON; shares 0 to 1 instead of percent
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw bench paper --data sets --out results.jsonl --jobs 2
  fretsaw bench paper --data sets --out results.jsonl --only comparison,times --sets mit-432
  fretsaw bench paper --out results.jsonl --report-only

Runs that RESULTS already holds are not repeated, and runs that several experiments share are done
once. Runs of 'times' are done one at a time, whatever --jobs says, and are repeated if they were
not. Sets of the paper take part in an experiment where they do in the paper, other sets always. The
document shows the experiments and sets that are chosen.")]
pub(crate) struct BenchPaperArgs {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR", required_unless_present = "report_only")]
    pub(crate) data: Option<PathBuf>,
    /// The results, one JSON line per run
    #[arg(long, value_name = "RESULTS")]
    pub(crate) out: PathBuf,
    /// Experiments [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) only: Vec<ExperimentArg>,
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
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ExperimentArg {
    /// Seconds of every method, one puzzle at a time
    Times,
    /// Scores of every method with MGC
    Comparison,
    /// Images by neighbor accuracy, from the runs of 'comparison'
    Histograms,
    /// Scores of every method with the measure 'seam'
    Seam,
    /// Neighbor against the rate of corrupted sides
    Corruption,
    /// Neighbor of 'gcl' after 1 to 5 iterations
    Iterations,
    /// How much neighbor varies from run to run
    Spread,
}

impl From<ExperimentArg> for Experiment {
    fn from(arg: ExperimentArg) -> Self {
        match arg {
            ExperimentArg::Times => Self::Times,
            ExperimentArg::Comparison => Self::Comparison,
            ExperimentArg::Histograms => Self::Histograms,
            ExperimentArg::Seam => Self::Seam,
            ExperimentArg::Corruption => Self::Corruption,
            ExperimentArg::Iterations => Self::Iterations,
            ExperimentArg::Spread => Self::Spread,
        }
    }
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw bench features --puzzles 100 --out features a.jpg b.jpg

training/README.md tells how the matcher is trained with these.")]
pub(crate) struct BenchFeaturesArgs {
    /// Pictures to cut puzzles from
    #[arg(required = true, value_name = "PICTURE")]
    pub(crate) pictures: Vec<PathBuf>,
    /// The folder to write to
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// How many puzzles
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(crate) puzzles: u64,
    /// The seed of the first puzzle; the others follow
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    pub(crate) first_seed: u64,
    /// Networks trained so far: features are those of the next one
    #[arg(long, value_name = "FILE")]
    pub(crate) networks: Option<PathBuf>,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw bench rotations --data sets --sets mit-432 --type 2 --measures mgc,seam --seeds 3

Each entry is the share of right turns by piece / by pixels, up to a common turn, in percent.")]
pub(crate) struct BenchRotationsArgs {
    /// The folder with one folder of pictures per set
    #[arg(long, value_name = "DIR")]
    pub(crate) data: PathBuf,
    /// Names of the sets
    #[arg(long, value_delimiter = ',', required = true)]
    pub(crate) sets: Vec<String>,
    /// The puzzle type, 2 or 3
    #[arg(long = "type", value_name = "TYPE", default_value = "2")]
    pub(crate) puzzle_type: TypeArg,
    /// Ways to find turns; all that fit the type by default
    #[arg(long, value_delimiter = ',')]
    pub(crate) rotations: Vec<RotationArg>,
    /// Measures
    #[arg(long, value_delimiter = ',', default_values = ["mgc", "seam"])]
    pub(crate) measures: Vec<MeasureArg>,
    /// Who says how likely two sides belong together, for type 2
    #[arg(long, default_value = "ratio")]
    pub(crate) matcher: MatcherArg,
    /// Size of the pieces in pixels
    #[arg(long, default_value = "28", value_name = "SIZE", value_parser = parse_piece)]
    pub(crate) piece: PieceShape,
    /// Seeds 1 to N
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub(crate) seeds: u64,
    /// Rates of corrupted sides
    #[arg(long, value_delimiter = ',', default_values = ["0"])]
    pub(crate) corrupt: Vec<f64>,
    #[command(flatten)]
    pub(crate) graph: ConstructionArgs,
    /// Threads to use; all cores by default
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

/// How connection graphs are constructed; the defaults are the paper's.
#[derive(Debug, ClapArgs)]
#[command(next_help_heading = "Connection graph")]
pub(crate) struct ConstructionArgs {
    /// Weight of a match that only one of its sides chose
    #[arg(long, value_name = "W", default_value_t = ConstructionSettings::default().one_sided_weight)]
    pub(crate) one_sided_weight: f64,
    /// Share of the initial weight that survives failing the Jaccard test
    #[arg(long, value_name = "SHARE", default_value_t = ConstructionSettings::default().initial_share)]
    pub(crate) initial_share: f64,
    /// The Jaccard index that a match must exceed
    #[arg(long, value_name = "N", default_value_t = ConstructionSettings::default().jaccard_above)]
    pub(crate) jaccard_above: usize,
    /// Matches that pass the Jaccard test get its full weight, as in Algorithm 2's box
    #[arg(long)]
    pub(crate) jaccard_restores: bool,
    /// Weight of a match that connects two components
    #[arg(long, value_name = "W", default_value_t = ConstructionSettings::default().connecting_weight)]
    pub(crate) connecting_weight: f64,
    /// Factor for matches whose 4-loops contradict themselves
    #[arg(long, value_name = "F", default_value_t = ConstructionSettings::default().contradicted_factor)]
    pub(crate) contradicted_factor: f64,
    /// Factor for matches in no 4-loop
    #[arg(long, value_name = "F", default_value_t = ConstructionSettings::default().unlooped_factor)]
    pub(crate) unlooped_factor: f64,
    /// Weight of an edge between diagonal neighbours
    #[arg(long, value_name = "W", default_value_t = ConstructionSettings::default().diagonal_weight)]
    pub(crate) diagonal_weight: f64,
}

impl ConstructionArgs {
    /// The settings, if all are within their ranges: to be asked before any work is done.
    pub(crate) fn settings(&self, seed: u64) -> Result<ConstructionSettings, Failure> {
        let settings = ConstructionSettings {
            one_sided_weight: self.one_sided_weight,
            initial_share: self.initial_share,
            jaccard_above: self.jaccard_above,
            jaccard_restores: self.jaccard_restores,
            connecting_weight: self.connecting_weight,
            contradicted_factor: self.contradicted_factor,
            unlooped_factor: self.unlooped_factor,
            diagonal_weight: self.diagonal_weight,
            seed,
        };
        settings.validate().map_err(|error| Failure::constructing(&error))?;
        Ok(settings)
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum RotationArg {
    /// Top eigenvector of C = D^-1 S, the paper's
    Spectral,
    /// Top eigenvector of S
    Adjacency,
    /// Second eigenvector of C, the paper's 3rd and 4th
    Second,
    /// Semidefinite relaxation
    Relaxation,
    /// Spectral, after penalising far matches by the vector diffusion distance; type 2
    Diffusion,
    /// Spectral, with the board as a vertex and edges weighted by how clearly they win; type 3
    Anchored,
    /// Gallagher's Markov random field; type 3
    Mrf,
}

impl From<RotationArg> for RotationChoice {
    fn from(arg: RotationArg) -> Self {
        match arg {
            RotationArg::Spectral => Self::Spectral,
            RotationArg::Adjacency => Self::Adjacency,
            RotationArg::Second => Self::Second,
            RotationArg::Relaxation => Self::Relaxation,
            RotationArg::Diffusion => Self::Diffusion,
            RotationArg::Anchored => Self::Anchored,
            RotationArg::Mrf => Self::Markov,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum TypeArg {
    /// Positions unknown
    #[value(name = "1")]
    One,
    /// Positions and turns unknown
    #[value(name = "2")]
    Two,
    /// Turns unknown
    #[value(name = "3")]
    Three,
}

impl From<TypeArg> for PuzzleType {
    fn from(arg: TypeArg) -> Self {
        match arg {
            TypeArg::One => Self::Type1,
            TypeArg::Two => Self::Type2,
            TypeArg::Three => Self::Type3,
        }
    }
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
pub(crate) enum ImagesArg {
    /// 1, 3 and so on
    Odd,
    /// 2, 4 and so on
    Even,
    /// All
    All,
}

impl From<ImagesArg> for Images {
    fn from(arg: ImagesArg) -> Self {
        match arg {
            ImagesArg::Odd => Self::Odd,
            ImagesArg::Even => Self::Even,
            ImagesArg::All => Self::All,
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

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MeasureArg {
    /// Mahalanobis gradient compatibility, the paper's
    Mgc,
    /// Half-pixel extrapolation from both sides, and derivatives along the seam
    Seam,
    /// Sum of squared differences
    Ssd,
    /// Pomeranz's prediction (L_p)^q; slow
    Lpq,
}

impl From<MeasureArg> for Measure {
    fn from(arg: MeasureArg) -> Self {
        match arg {
            MeasureArg::Mgc => Self::Mgc,
            MeasureArg::Seam => Self::Seam,
            MeasureArg::Ssd => Self::Ssd,
            MeasureArg::Lpq => Self::Lpq,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MatcherArg {
    /// Gallagher's ratio to the best alternative
    Ratio,
    /// The ratio, and the 2 x 2 loops that a pair closes
    Loops,
    /// A small network, trained on photographs; for the measure 'seam'
    Learned,
}

impl From<MatcherArg> for Matcher {
    fn from(arg: MatcherArg) -> Self {
        match arg {
            MatcherArg::Ratio => Self::Ratio,
            MatcherArg::Loops => Self::Loops,
            MatcherArg::Learned => Self::Learned,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum MethodArg {
    /// Ours, which can end at any time with its best board so far
    Fretsaw,
    /// Gallagher's tree of best matches, trimmed and filled
    Gallagher,
    /// Yu, Russell and Agapito's linear programs, the best of several ways
    Yu,
    /// The paper's: turns by the graph connection Laplacian, then positions; for type 2
    Gcl,
    /// Quadratic assignment, a research option: type 1 only, at most 1024 cells, slow
    Assignment,
}

impl From<MethodArg> for Method {
    fn from(arg: MethodArg) -> Self {
        match arg {
            MethodArg::Fretsaw => Self::Fretsaw,
            MethodArg::Gallagher => Self::Gallagher,
            MethodArg::Yu => Self::Yu,
            MethodArg::Gcl => Self::Gcl,
            MethodArg::Assignment => Self::Assignment,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum EffortArg {
    /// Not long
    Fast,
    /// As long as it mostly pays
    Normal,
    /// As long as it pays at all
    High,
}

impl From<EffortArg> for Effort {
    fn from(arg: EffortArg) -> Self {
        match arg {
            EffortArg::Fast => Self::Fast,
            EffortArg::Normal => Self::Normal,
            EffortArg::High => Self::High,
        }
    }
}

/// Settings of the method 'yu'.
#[derive(Clone, Copy, Debug, ClapArgs)]
#[command(next_help_heading = "Method 'yu'")]
pub(crate) struct YuArgs {
    /// How boards are compared
    #[arg(long, default_value = "count")]
    ranking: RankingArg,
    /// How holes are filled
    #[arg(long, default_value = "clearest-winner")]
    filling: FillingArg,
    /// Linear programs per variant, at most
    #[arg(long, value_name = "N", default_value_t = YuSettings::default().rounds)]
    rounds: usize,
}

impl YuArgs {
    /// With one variant, or all of them.
    pub(crate) fn settings(self, variant: Option<VariantArg>) -> YuSettings {
        YuSettings {
            variant: variant.map(Into::into),
            ranking: self.ranking.into(),
            filling: self.filling.into(),
            rounds: self.rounds,
            ..YuSettings::default()
        }
    }
}

/// Settings of the method 'gcl'.
#[derive(Clone, Copy, Debug, ClapArgs)]
#[command(next_help_heading = "Method 'gcl'")]
pub(crate) struct GclArgs {
    /// Updates of the connection graph by the solution
    #[arg(long, value_name = "N", default_value_t = GclSettings::default().iterations)]
    iterations: usize,
    /// What finds positions for the turned pieces
    #[arg(long, value_name = "SOLVER", default_value = "yu")]
    locations: LocationArg,
    /// Which solution to return
    #[arg(long, value_name = "WHICH", default_value = "smallest-err")]
    keep: KeepArg,
    /// What tells good seams from bad ones in updates
    #[arg(long, value_name = "HOW", default_value = "ratio")]
    reading: ReadingArg,
    /// Start from the second eigenvector as well, and return the better of two solutions
    #[arg(long)]
    second_start: bool,
    /// Share of the solution's adjacencies in updated affinities, 0 to 1; for '--reading text'
    #[arg(long, value_name = "SHARE", default_value_t = GclSettings::default().update.solution_share)]
    solution_share: f64,
    /// Let updated graphs go through the 4-loops again
    #[arg(long)]
    loops_again: bool,
}

impl GclArgs {
    /// With the rotation method given, if one is.
    pub(crate) fn settings(self, rotations: Option<RotationArg>) -> Result<GclSettings, Failure> {
        if !(0.0..=1.0).contains(&self.solution_share) {
            return Err(Failure::Usage(format!(
                "--solution-share is {}; it must be between 0 and 1",
                self.solution_share
            )));
        }
        if self.solution_share > 0.0 && matches!(self.reading, ReadingArg::Ratio) {
            return Err(Failure::Usage(
                "--solution-share is for --reading text; leave it out, or give that reading".into(),
            ));
        }
        let default = GclSettings::default();
        Ok(GclSettings {
            iterations: self.iterations,
            rotations: rotations.map_or(default.rotations, Into::into),
            locations: self.locations.into(),
            keep: self.keep.into(),
            reading: self.reading.into(),
            second_start: self.second_start,
            loops_again: self.loops_again,
            update: UpdateSettings { solution_share: self.solution_share, ..default.update },
            ..default
        })
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum LocationArg {
    /// Yu, Russell and Agapito's linear programs
    Yu,
    /// Gallagher's tree
    Gallagher,
    /// Quadratic assignment; at most 1024 cells, slow
    Assignment,
}

impl From<LocationArg> for LocationChoice {
    fn from(arg: LocationArg) -> Self {
        match arg {
            LocationArg::Yu => Self::Yu,
            LocationArg::Gallagher => Self::Gallagher,
            LocationArg::Assignment => Self::Assignment,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum KeepArg {
    /// The one whose seams fit best
    SmallestErr,
    /// The one after the last update
    Last,
}

impl From<KeepArg> for Keep {
    fn from(arg: KeepArg) -> Self {
        match arg {
            KeepArg::SmallestErr => Self::SmallestErr,
            KeepArg::Last => Self::Last,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ReadingArg {
    /// How clearly they win against what else could lie there
    Ratio,
    /// The mean dissimilarity against the median, as in the paper's text
    Text,
}

impl From<ReadingArg> for Reading {
    fn from(arg: ReadingArg) -> Self {
        match arg {
            ReadingArg::Ratio => Self::Ratio,
            ReadingArg::Text => Self::Text,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FillingArg {
    /// First the hole whose best piece wins most clearly
    ClearestWinner,
    /// First the hole with most neighbours, as Gallagher does
    MostNeighbors,
}

impl From<FillingArg> for Filling {
    fn from(arg: FillingArg) -> Self {
        match arg {
            FillingArg::ClearestWinner => Self::ClearestWinner,
            FillingArg::MostNeighbors => Self::MostNeighbors,
        }
    }
}

/// Whether segments stay rigid between rounds, and which matches enter the linear program.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum VariantArg {
    /// Rigid segments, all proposed matches
    RigidNone,
    /// Rigid segments, matches that both sides propose
    RigidMutual,
    /// Rigid segments, matches in loops of four pieces
    RigidLoops,
    /// Free pieces, all proposed matches
    FreeNone,
    /// Free pieces, matches that both sides propose
    FreeMutual,
    /// Free pieces, matches in loops of four pieces
    FreeLoops,
}

impl From<VariantArg> for Variant {
    fn from(arg: VariantArg) -> Self {
        use MatchFilter::{Loops, Mutual, None};
        let (rigid, filter) = match arg {
            VariantArg::RigidNone => (true, None),
            VariantArg::RigidMutual => (true, Mutual),
            VariantArg::RigidLoops => (true, Loops),
            VariantArg::FreeNone => (false, None),
            VariantArg::FreeMutual => (false, Mutual),
            VariantArg::FreeLoops => (false, Loops),
        };
        Self { rigid, filter }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FormArg {
    /// Which piece lies right of or below which
    Directed,
    /// Which pieces are neighbours, as in the paper
    Undirected,
    /// Which pieces are neighbours or meet at a corner, as in the finished connection graph
    UndirectedDiagonal,
}

impl From<FormArg> for QapForm {
    fn from(arg: FormArg) -> Self {
        match arg {
            FormArg::Directed => Self::Directed,
            FormArg::Undirected => Self::Undirected,
            FormArg::UndirectedDiagonal => Self::UndirectedDiagonal,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum RankingArg {
    /// The number of seams whose ratio is at most 1.3
    Count,
    /// The sum of the inverse ratios of all seams
    Inverse,
}

impl From<RankingArg> for Ranking {
    fn from(arg: RankingArg) -> Self {
        match arg {
            RankingArg::Count => Self::Count,
            RankingArg::Inverse => Self::Inverse,
        }
    }
}

/// "28" or "40x25" (width x height).
fn parse_piece(text: &str) -> Result<PieceShape, String> {
    let (width, height) = if text.contains('x') {
        parse_size(text)?
    } else {
        (parse_number(text)?, parse_number(text)?)
    };
    PieceShape::new(height, width).map_err(|error| error.to_string())
}

/// "28", "40x25" (width x height), or "8xfull" and "fullx8", where the picture says the rest.
fn parse_cut_size(text: &str) -> Result<CutSize, String> {
    const FULL: &str = "full";
    let px = |text: &str| {
        let px = NonZeroU32::new(parse_number(text)?);
        px.map(Some).ok_or_else(|| format!("'{text}' is no size: it must be at least 1"))
    };
    match text.split_once('x') {
        Some((width, FULL)) => Ok(CutSize { height_px: None, width_px: px(width)? }),
        Some((FULL, height)) => Ok(CutSize { height_px: px(height)?, width_px: None }),
        _ => parse_piece(text).map(Into::into),
    }
}

/// "24x18" as (24, 18).
fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let (first, second) =
        text.split_once('x').ok_or_else(|| format!("'{text}' is not a size like 24x18"))?;
    Ok((parse_number(first)?, parse_number(second)?))
}

/// "18x24" (rows x columns) as (18, 24), neither of them 0.
fn parse_grid(text: &str) -> Result<(NonZeroU32, NonZeroU32), String> {
    let (cols, rows) = parse_size(text)?;
    NonZeroU32::new(cols)
        .zip(NonZeroU32::new(rows))
        .ok_or_else(|| format!("'{text}' has no pieces"))
}

fn parse_cells(text: &str) -> Result<(u32, u32), String> {
    match parse_size(text)? {
        (0, _) | (_, 0) => Err(format!("'{text}' has no pieces")),
        cells => Ok(cells),
    }
}

/// The longest limit: a year.
const MAX_TIME_LIMIT_SECS: f64 = 365.0 * 24.0 * 3600.0;

/// Seconds, more than none.
fn parse_time_limit(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.trim().parse().map_err(|_| format!("'{text}' is not a number"))?;
    if !(seconds > 0.0 && seconds <= MAX_TIME_LIMIT_SECS) {
        return Err(format!(
            "it must be above 0 and at most {MAX_TIME_LIMIT_SECS} seconds, a year"
        ));
    }
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn parse_number(text: &str) -> Result<u32, String> {
    text.trim().parse().map_err(|_| format!("'{text}' is not a whole number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_flags_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn time_limits_are_positive_and_end() {
        assert_eq!(parse_time_limit("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_time_limit("1e-6"), Ok(Duration::from_micros(1)));
        for bad in ["", "0", "-0", "-1", "nan", "inf", "1e400", "31536001", "ten", "1 s"] {
            assert!(parse_time_limit(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn strips_are_as_long_as_the_picture() {
        let eight = NonZeroU32::new(8);
        assert_eq!(parse_cut_size("8xfull"), Ok(CutSize { height_px: None, width_px: eight }));
        assert_eq!(parse_cut_size("fullx8"), Ok(CutSize { height_px: eight, width_px: None }));
        assert_eq!(parse_cut_size("40x25"), Ok(parse_piece("40x25").unwrap().into()));
        for bad in ["full", "fullxfull", "0xfull", "fullx0", "xfull", "8xFull", "8xfullx8"] {
            assert!(parse_cut_size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn piece_sizes_are_width_by_height() {
        let oblong = parse_piece("40x25").unwrap();
        assert_eq!((oblong.width_px(), oblong.height_px()), (40, 25));
        assert!(parse_piece("28").unwrap().is_square());
        for bad in ["", "0", "x", "28x", "-3", "1e3", "28x0"] {
            assert!(parse_piece(bad).is_err(), "{bad}");
        }
    }
}
