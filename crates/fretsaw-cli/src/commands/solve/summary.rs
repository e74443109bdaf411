//! The messages and the JSON summary of `fretsaw solve`.

use crate::args::solve::SolveArgs;
use crate::outputs::Written;
use fretsaw::preparation::{Preparation, Trim};
use fretsaw::puzzle::TurnSet;
use fretsaw::solution::UprightGuess;
use fretsaw::solution::WearEstimate;
use fretsaw::solution::{ReferenceLikeness, Termination};
use fretsaw::unstable::methods::reference::fits_form;
use fretsaw::verdict::{Help, Verdict};
use fretsaw::{Assembly, Grid, Puzzle, Settings, Solution};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_json;
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::{PuzzleInput, SolutionFile, Timing, Upright};
use serde::Serialize;

/// Prints the result and warnings.
pub(super) fn tell_result(
    args: &SolveArgs,
    puzzle: &Puzzle,
    input: &PuzzleInput,
    solution: &Solution,
    document: &SolutionFile,
    written: &Written,
    verbosity: Verbosity,
) {
    let assembly = &solution.assembly;
    warn_of_reference(args, puzzle, assembly, verbosity);
    if let Some(likeness) = solution.likeness {
        tell_likeness(likeness, verbosity);
    }
    if puzzle.turns.is_none() {
        verbosity.say(match solution.turns {
            TurnSet::None => "found that no piece is turned (--turns overrides this)",
            TurnSet::Half => "found that pieces are turned by half turns (--turns overrides this)",
            TurnSet::Quarter => {
                "assumed that pieces may be turned by quarter turns (--turns overrides this)"
            }
        });
    }
    if puzzle.boards.grid().is_none() {
        verbosity.say(found_boards(assembly));
    }
    if let Some(wear) = solution.wear {
        verbosity.say(format!("found worn pieces: {wear} (--gap-between overrides this)"));
    }
    if assembly.unplaced().next().is_some() {
        verbosity.warn(left_out(input, assembly));
    }
    let status = match (solution.termination, &document.info.status) {
        (Termination::Stopped, Some(status)) => format!(", {status}"),
        _ => String::new(),
    };
    let names = written.board_names();
    let names = if names.is_empty() { "no picture was written".into() } else { names };
    verbosity.say(format!(
        "{names}: {} of {} pieces placed in {:.2} s{status}",
        assembly.num_placed(),
        assembly.num_pieces(),
        document.info.timings.iter().map(|timing| timing.seconds).sum::<f64>(),
    ));
}

/// How good the answer probably is, and what may help, in words.
pub(super) fn verdict_in_words(verdict: &Verdict, args: &SolveArgs, input: &PuzzleInput) -> String {
    let of_solve = verdict.helps.iter().map(|help| {
        String::from(match help {
            Help::Mirror => "--mirror, as some pieces seem to be mirrored",
            Help::Size => "--grid if you know the columns and rows of the picture",
            Help::Turns => "--turns none if no piece is turned",
            Help::Effort => "--effort high",
        })
    });
    let of_reading = if verdict.is_doubtful() { helps_of_reading(args, input) } else { Vec::new() };
    let helps: Vec<String> = of_reading.into_iter().chain(of_solve).collect();
    let helps = if helps.is_empty() {
        String::new()
    } else {
        format!("; these may help: {}", helps.join(", "))
    };
    format!("{verdict}{helps}")
}

/// What may help if reading the input found the wrong pieces.
fn helps_of_reading(args: &SolveArgs, input: &PuzzleInput) -> Vec<String> {
    let mut helps = Vec::new();
    let is_guessed = args.input.piece.is_none() && input.declared.is_none();
    if let Some(layout) = input.sheet.filter(|_| is_guessed) {
        let (width, height) = (layout.shape.width_px(), layout.shape.height_px());
        helps.push(format!("--piece if the pieces are not of {width} x {height} px"));
    }
    let is_trimmed = |found: &Preparation| found.done().trimmed_px > 0;
    if args.trim.trim == Trim::Auto && input.preparation.as_ref().is_some_and(is_trimmed) {
        helps.push("--trim 0 if the edges of the pieces are clean".into());
    }
    helps
}

/// Which way up the picture is, in words.
pub(super) fn which_way_up(guess: &UprightGuess) -> String {
    let percent = 100.0 * guess.probability(guess.best());
    match guess.sure().map(|turn| 90 * u32::from(turn.clockwise())) {
        None => "unsure which way up the picture is, so it is left as it is".into(),
        Some(0) => format!("the picture stands upright as it is ({percent:.0} % sure)"),
        Some(180) => format!("turned by 180 degrees to stand upright ({percent:.0} % sure)"),
        Some(degrees) => {
            format!("turned clockwise by {degrees} degrees to stand upright ({percent:.0} % sure)")
        }
    }
}

/// The most pieces that a message names.
const MAX_NAMED: usize = 10;

/// The sizes of the boards in words.
fn found_boards(assembly: &Assembly) -> String {
    let size = |grid: &Grid| format!("{} columns x {} rows", grid.cols(), grid.rows());
    let sizes: Vec<String> = assembly.boards().iter().map(size).collect();
    match &sizes[..] {
        [size] => format!("found a board of {size} (--grid overrides this)"),
        sizes => format!("found {} boards: {}", sizes.len(), sizes.join(", ")),
    }
}

/// The unplaced pieces in words.
fn left_out(input: &PuzzleInput, assembly: &Assembly) -> String {
    let unplaced: Vec<String> = assembly
        .unplaced()
        .map(|piece| {
            let name = input.names.get(piece.index());
            name.cloned().unwrap_or_else(|| piece.index().to_string())
        })
        .collect();
    let more = if unplaced.len() > MAX_NAMED { ", ..." } else { "" };
    let named = unplaced[..unplaced.len().min(MAX_NAMED)].join(", ");
    format!("{} pieces fit nowhere and are left out: {named}{more}", unplaced.len())
}

/// Warns if the reference and the board have different aspect ratios.
fn warn_of_reference(args: &SolveArgs, puzzle: &Puzzle, assembly: &Assembly, verbosity: Verbosity) {
    let (Some(path), Some(picture)) = (&args.known.reference, &puzzle.reference) else { return };
    let grid = assembly.boards()[0];
    if !fits_form(picture, puzzle.pieces.shape(), grid) {
        verbosity.warn(format!(
            "{}: {} x {} pixels have another aspect ratio than {} columns x {} rows of pieces; the reference \
             may show more or less than the puzzle",
            path.display(),
            picture.width_px(),
            picture.height_px(),
            grid.cols(),
            grid.rows(),
        ));
    }
}

/// Says how much the pieces look like the reference, and warns if it is little.
fn tell_likeness(likeness: ReferenceLikeness, verbosity: Verbosity) {
    let recognised = format!("{likeness} of the pieces are recognised in the reference");
    if likeness.is_doubtful() {
        verbosity.warn(format!(
            "only {recognised}: it may be another picture; compare with an answer without --reference"
        ));
    } else {
        verbosity.say(recognised);
    }
}

/// The output of `--json`.
#[derive(Serialize)]
pub(super) struct Summary<'a> {
    out: String,
    pieces: usize,
    placed: usize,
    rows: u32,
    cols: u32,
    boards: Vec<BoardSummary>,
    method: &'a str,
    turns: TurnSet,
    measure: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    matcher: Option<&'a str>,
    seed: u64,
    status: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    upright: Option<Upright>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wear: Option<WearEstimate>,
    /// The share of the seams that are probably right.
    #[serde(skip_serializing_if = "Option::is_none")]
    likely_seams: Option<f64>,
    /// The share of the pieces that are recognised in the reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    likeness: Option<f64>,
    timings: &'a [Timing],
}

/// A board's size.
#[derive(Serialize)]
struct BoardSummary {
    rows: u32,
    cols: u32,
}

impl<'a> Summary<'a> {
    pub(super) fn new(
        puzzle: &Puzzle,
        settings: &Settings,
        solution: &Solution,
        document: &'a SolutionFile,
        written: &Written,
    ) -> Self {
        let assembly = &solution.assembly;
        let size = |grid: &Grid| BoardSummary { rows: grid.rows(), cols: grid.cols() };
        let first = assembly.boards()[0];
        Self {
            out: written.board_names(),
            pieces: assembly.num_pieces(),
            placed: assembly.num_placed(),
            rows: first.rows(),
            cols: first.cols(),
            boards: assembly.boards().iter().map(size).collect(),
            method: solution.method,
            turns: solution.turns,
            measure: settings.measure(puzzle.positions_known).name(),
            matcher: (!puzzle.positions_known).then(|| settings.matcher().name()),
            seed: settings.seed,
            status: document.info.status.as_deref().unwrap_or_default(),
            upright: document.info.upright,
            wear: document.info.wear,
            likely_seams: Verdict::new(puzzle, settings, solution).map(|verdict| verdict.share()),
            likeness: solution.likeness.map(|likeness| likeness.share),
            timings: &document.info.timings,
        }
    }

    pub(super) fn print(&self) -> Result<(), Failure> {
        print_json(self)
    }
}
