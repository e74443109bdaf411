//! `fretsaw-lab run`

use crate::args::run::RunArgs;
use fretsaw::locations::quadratic_assignment::QapSettings;
use fretsaw::methods::fretsaw::Effort;
use fretsaw::solve::Method;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::method_args::{check_matcher, check_rotations};
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::threads::with_threads;
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_lab::method_name::method_name;
use fretsaw_lab::run_queue::{QueueOutcome, RunQueue};
use fretsaw_lab::set_run::{RunKey, SetRun, summary, summary_of_halves};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::path::Path;

pub(super) fn run(args: &RunArgs, verbosity: Verbosity) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    puzzles.check()?;
    if let Some(rotations) = args.rotations {
        let uses_gcl = args.methods.contains(&Method::Gcl);
        check_rotations(rotations, uses_gcl)?;
    }
    let searches = args.methods.contains(&Method::Fretsaw)
        && puzzles.types.iter().any(|puzzle_type| !puzzle_type.positions_known());
    if !args.efforts.is_empty() && !searches {
        return Err(Failure::Usage(
            "--efforts is for the method 'fretsaw' and types 1 and 2; leave it out, or give such \
             --methods and --types"
                .into(),
        ));
    }
    let run = SetRun {
        sets: puzzles.sets.clone(),
        methods: args.methods.clone(),
        efforts: if args.efforts.is_empty() {
            vec![Effort::default()]
        } else {
            args.efforts.clone()
        },
        yu: if args.variants.is_empty() {
            vec![args.yu.settings(None)]
        } else {
            args.variants.iter().map(|&variant| args.yu.settings(Some(variant))).collect()
        },
        gcl: vec![args.gcl.settings(args.rotations)?],
        assignment: QapSettings { form: args.assignment_form, ..QapSettings::default() },
        measures: args.measures.clone(),
        matchers: args.matchers.clone(),
        types: puzzles.types.clone(),
        size: puzzles.piece,
        cells: puzzles.cells(),
        num_seeds: puzzles.seeds_or(3),
        corrupt_rates: puzzles.corrupt.clone(),
    };
    for &puzzle_type in run.types.iter().filter(|puzzle_type| !puzzle_type.positions_known()) {
        for measure in run.methods.iter().flat_map(|&method| run.measures_of(method, puzzle_type)) {
            run.matchers.iter().try_for_each(|&matcher| check_matcher(matcher, measure))?;
        }
    }
    let queue = RunQueue {
        data: puzzles.data.clone(),
        keys: run.keys(&puzzles.data, puzzles.images)?,
        jobs: puzzles.jobs,
        repeats_disturbed: false,
    };
    let outcome = with_threads(puzzles.threads, || do_runs(&queue, &args.out, verbosity))??;
    if !outcome.records.is_empty() {
        let summary_of = if args.halves { summary_of_halves } else { summary };
        print_line(summary_of(&outcome.records))?;
    }
    failed_runs(&outcome.failures, &args.out)
}

/// Does runs, and shows on a terminal which of them is on its turn and how long the rest will take.
pub(super) fn do_runs(
    queue: &RunQueue,
    out: &Path,
    verbosity: Verbosity,
) -> anyhow::Result<QueueOutcome> {
    let show = !verbosity.quiet && std::io::stderr().is_terminal();
    let target = if show { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta} left") {
        bar.set_style(style);
    }
    let report = |done: usize, total: usize, key: &RunKey| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        bar.set_message(format!("{} {} seed {}", key.set, key.image, key.seed));
        verbosity.detail(format!("{done}/{total} {key:?}"));
    };
    let outcome = queue.run(out, report);
    bar.finish_and_clear();
    outcome
}

/// Fails if runs did, and names the first few.
pub(super) fn failed_runs(failures: &[(RunKey, anyhow::Error)], out: &Path) -> Result<(), Failure> {
    const NAMED: usize = 5;
    if failures.is_empty() {
        return Ok(());
    }
    let mut message = format!(
        "{} runs failed; all others are in {}, and the same command tries the failed ones again:",
        failures.len(),
        out.display()
    );
    for (key, error) in failures.iter().take(NAMED) {
        let RunKey { set, image, seed, .. } = key;
        message += &format!("\n  {set} {image} seed {seed} {}: {error:#}", method_name(key));
    }
    if failures.len() > NAMED {
        message += "\n  ...";
    }
    Err(Failure::Failed(message))
}
