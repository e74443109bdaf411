//! `fretsaw bench`

use super::{Talk, with_threads};
use crate::args::{BenchCommand, BenchRunArgs, StageCommand, StageMeasureArgs};
use crate::failure::Failure;
use crate::stdout::print_line;
use fretsaw_bench::set_run::{RunKey, SetRun, summary};
use fretsaw_bench::stage_measure::{self, MeasureBench};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

pub(super) fn run(command: &BenchCommand, talk: Talk) -> Result<(), Failure> {
    match command {
        BenchCommand::Stage(StageCommand::Measure(args)) => measure(args),
        BenchCommand::Run(args) => sets(args, talk),
    }
}

fn measure(args: &StageMeasureArgs) -> Result<(), Failure> {
    let bench = MeasureBench {
        boards: args.boards.iter().map(|&(cols, rows)| (rows, cols)).collect(),
        threads: args.threads.clone(),
        measures: args.measures.iter().map(|&measure| measure.into()).collect(),
        num_candidates: args.candidates,
        repeats: args.repeats,
        ..MeasureBench::default()
    };
    print_line(stage_measure::run(&bench)?)
}

fn sets(args: &BenchRunArgs, talk: Talk) -> Result<(), Failure> {
    let run = SetRun {
        data: args.data.clone(),
        sets: args.sets.clone(),
        methods: args.methods.iter().map(|&method| method.into()).collect(),
        measures: args.measures.iter().map(|&measure| measure.into()).collect(),
        types: args.types.iter().map(|&puzzle_type| puzzle_type.into()).collect(),
        shape: args.piece,
        num_seeds: args.seeds,
        corrupt_rates: args.corrupt.clone(),
    };
    let show = !talk.quiet && std::io::stderr().is_terminal();
    let target = if show { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta} left") {
        bar.set_style(style);
    }
    let report = |done: usize, total: usize, key: &RunKey| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        bar.set_message(format!("{} {} seed {}", key.set, key.image, key.seed));
        talk.detail(format!("{done}/{total} {key:?}"));
    };
    let records = with_threads(args.threads, || run.run(&args.out, report))??;
    bar.finish_and_clear();
    print_line(summary(&records))
}
