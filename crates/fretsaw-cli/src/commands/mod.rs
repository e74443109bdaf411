//! One file per command, and one for each part of `bench` that is long.

mod apply;
mod bench;
mod bench_answers;
mod bench_judge;
mod bench_paper;
mod bench_scaling;
mod bench_sheets;
mod bench_turns;
mod demo;
mod eval;
mod graph;
mod inspect;
mod scramble;
mod shell_help;
mod solve;
mod suggest;

use crate::args::input::InputArgs;
use crate::args::{Args, Command};
use crate::failure::Failure;
use fretsaw::dissimilarity::Measure;
use fretsaw::matching::Matcher;
use fretsaw::picture::SheetLayout;
use fretsaw::puzzle::PuzzleType;
use fretsaw::solve::SolveError;
use fretsaw_gcl::rotation_choice::RotationChoice;
use fretsaw_io::PuzzleInput;
use std::path::Path;

/// How much to say on standard error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Talk {
    pub(crate) quiet: bool,
    pub(crate) verbose: bool,
}

impl Talk {
    /// What users should know although it is no error.
    pub(crate) fn warn(self, message: impl std::fmt::Display) {
        if !self.quiet {
            eprintln!("warning: {message}");
        }
    }

    /// What happened.
    pub(crate) fn say(self, message: impl std::fmt::Display) {
        if !self.quiet {
            eprintln!("{message}");
        }
    }

    /// Details.
    pub(crate) fn detail(self, message: impl std::fmt::Display) {
        if self.verbose && !self.quiet {
            eprintln!("{message}");
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let talk = Talk { quiet: args.quiet, verbose: args.verbose };
    match &args.command {
        Command::Demo(args) => demo::run(args, talk),
        Command::Scramble(args) => scramble::run(args, talk),
        Command::Solve(args) => solve::run(args, talk),
        Command::Apply(args) => apply::run(args, talk),
        Command::Suggest(args) => suggest::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Inspect(args) => inspect::run(args, talk),
        Command::Graph(args) => graph::run(args, talk),
        Command::Bench(command) => bench::run(command, talk),
        Command::Completions(args) => shell_help::completions(args),
        Command::Man(args) => shell_help::man(args),
    }
}

/// Tells what was odd about an input, and what was found of a sheet.
fn tell_input(talk: Talk, name: &Path, args: &InputArgs, input: &PuzzleInput) {
    for warning in &input.warnings {
        talk.warn(warning);
    }
    if let (None, Some(layout)) = (args.piece, &input.sheet) {
        talk.say(format!(
            "{}: took pieces of {}; if that is wrong, give --piece ('fretsaw inspect' lists other sizes)",
            name.display(),
            describe_layout(layout)
        ));
    }
}

/// A layout in words: size, number, gap and border.
fn describe_layout(layout: &SheetLayout) -> String {
    let SheetLayout { shape, columns, rows, gap_x_px, gap_y_px, left_px, top_px, .. } = layout;
    let mut text = format!(
        "{} x {} px, {columns} columns and {rows} rows",
        shape.width_px(),
        shape.height_px()
    );
    if gap_x_px + gap_y_px > 0 {
        text += &format!(", {} px apart", gap_x_px.max(gap_y_px));
    }
    if left_px + top_px > 0 {
        text += &format!(", in a border of {} px", left_px.max(top_px));
    }
    text
}

/// Refuses a rotation method where positions are unknown, unless 'gcl' can use it.
fn check_rotations(choice: RotationChoice, uses_gcl: bool) -> Result<(), Failure> {
    if uses_gcl && choice.fits(PuzzleType::Type2) {
        return Ok(());
    }
    let name = choice.name();
    Err(Failure::Usage(if uses_gcl {
        format!("--rotations {name} is for --type 3, whose positions are known; give another")
    } else {
        format!(
            "--rotations {name} is for --method gcl and for --type 3; leave it out, or give one"
        )
    }))
}

/// Refuses a matcher that does not know a measure, before any work is done.
fn check_judge(matcher: Matcher, measure: Measure) -> Result<(), Failure> {
    if matcher.knows(measure) {
        return Ok(());
    }
    Err(Failure::Usage(SolveError::UnknownMeasure { matcher, measure }.to_string()))
}

/// More than any machine has use for; systems refuse some tens of thousands in unfriendly ways.
const MAX_THREADS: usize = 1024;

/// The threads of a pool whose size is left open.
fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Run something on a pool of so many threads; on all cores if `None`.
fn with_threads<T: Send>(
    threads: Option<usize>,
    run: impl FnOnce() -> T + Send,
) -> Result<T, Failure> {
    if threads.is_some_and(|threads| !(1..=MAX_THREADS).contains(&threads)) {
        return Err(Failure::Usage(format!("--threads must be 1 to {MAX_THREADS}")));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .build()
        .map_err(|error| Failure::Failed(format!("cannot start threads: {error}")))?;
    Ok(pool.install(run))
}
