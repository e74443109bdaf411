//! `fretsaw bench`

use super::{
    MAX_THREADS, Talk, bench_answers, bench_judge, bench_paper, bench_scaling, bench_sheets,
    bench_turns, check_judge, check_rotations, with_threads,
};
use crate::args::{
    BenchCommand, BenchCompareArgs, BenchFeaturesArgs, BenchReportArgs, BenchRotationsArgs,
    BenchRunArgs, LayoutWeightsArg, MatcherArg, MeasureArg, MethodArg, StageCommand,
    StageLayoutArgs, StageMeasureArgs, StageRotationsArgs,
};
use crate::failure::Failure;
use crate::stdout::print_line;
use anyhow::Context;
use fretsaw::dissimilarity::Measure;
use fretsaw::matching::{LearnedMatcher, Matcher};
use fretsaw::methods::fretsaw::Effort;
use fretsaw::puzzle::{MAX_PIECES, PuzzleType};
use fretsaw::solve::Method;
use fretsaw::synthetic::layout::LayoutWeights;
use fretsaw_gcl::alternatives::quadratic_assignment::QapSettings;
use fretsaw_gcl::rotation_choice::RotationChoice;
use fretsaw_io::check_output_folder;
use fretsaw_lab::compare::{Selection, compare};
use fretsaw_lab::feature_export::FeatureExport;
use fretsaw_lab::method_name::method_name;
use fretsaw_lab::report::write_report;
use fretsaw_lab::results::read_results;
use fretsaw_lab::rotation_run::RotationRun;
use fretsaw_lab::run_queue::{QueueOutcome, RunQueue};
use fretsaw_lab::set_run::{RunKey, RunRecord, SetRun, summary, summary_of_halves};
use fretsaw_lab::stage_layout::{self, LayoutBench};
use fretsaw_lab::stage_measure::{self, MeasureBench};
use fretsaw_lab::stage_rotations::{self, RotationBench};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::path::Path;

/// Drawing a picture of more pieces would take longer than anyone waits for.
pub(super) const MAX_BOARD_PIECES: u64 = 100_000;

pub(super) fn run(command: &BenchCommand, talk: Talk) -> Result<(), Failure> {
    match command {
        BenchCommand::Stage(StageCommand::Measure(args)) => measure(args),
        BenchCommand::Stage(StageCommand::Rotations(args)) => stage_rotations(args),
        BenchCommand::Stage(StageCommand::Layout(args)) => stage_layout(args),
        BenchCommand::Stage(StageCommand::Matcher(args)) => bench_judge::stage(args),
        BenchCommand::Stage(StageCommand::Search(args)) => bench_answers::stage(args),
        BenchCommand::Run(args) => sets(args, talk),
        BenchCommand::Report(args) => report_results(args, talk),
        BenchCommand::Compare(args) => compare_results(args, talk),
        BenchCommand::Rotations(args) => rotations(args),
        BenchCommand::Turns(args) => bench_turns::run(args),
        BenchCommand::Matcher(args) => bench_judge::run(args, talk),
        BenchCommand::Boards(args) => bench_answers::boards(args),
        BenchCommand::Energy(args) => bench_answers::energy(args),
        BenchCommand::Confidence(args) => bench_answers::confidence(args),
        BenchCommand::Reference(args) => bench_answers::reference(args),
        BenchCommand::Paper(args) => bench_paper::run(args, talk),
        BenchCommand::Scaling(args) => bench_scaling::run(args, talk),
        BenchCommand::Sheets(args) => bench_sheets::run(args),
        BenchCommand::Features(args) => features(args),
    }
}

fn features(args: &BenchFeaturesArgs) -> Result<(), Failure> {
    let matcher = match &args.networks {
        None => LearnedMatcher::default(),
        Some(path) => read_networks(path)?,
    };
    let export = FeatureExport {
        pictures: args.pictures.clone(),
        first_seed: args.first_seed,
        num_puzzles: args.puzzles,
        matcher,
    };
    with_threads(args.threads, || export.write(&args.out))??;
    Ok(())
}

/// The networks in a file.
fn read_networks(path: &Path) -> Result<LearnedMatcher, Failure> {
    let bytes = std::fs::read(path)
        .with_context(|| format!("cannot read the networks {}", path.display()))?;
    let matcher = LearnedMatcher::from_bytes(&bytes).with_context(|| path.display().to_string())?;
    Ok(matcher)
}

/// Refuses boards that nobody would wait for.
pub(super) fn check_boards(boards: &[(u32, u32)]) -> Result<(), Failure> {
    let is_board = |&(cols, rows): &(u32, u32)| {
        let num_pieces = u64::from(cols) * u64::from(rows);
        (2..=MAX_BOARD_PIECES).contains(&num_pieces)
    };
    if !boards.iter().all(is_board) {
        return Err(Failure::Usage(format!(
            "--boards must have 2 to {MAX_BOARD_PIECES} pieces each, for example 24x18"
        )));
    }
    Ok(())
}

fn measure(args: &StageMeasureArgs) -> Result<(), Failure> {
    check_boards(&args.boards)?;
    if args.candidates == 0 || args.repeats == 0 || args.threads.contains(&0) {
        return Err(Failure::Usage(
            "--candidates, --repeats and --threads must be at least 1".into(),
        ));
    }
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

pub(super) fn check_jobs_and_seeds(jobs: usize, seeds: u64) -> Result<(), Failure> {
    if !(1..=MAX_THREADS).contains(&jobs) {
        return Err(Failure::Usage(format!("--jobs must be 1 to {MAX_THREADS}")));
    }
    if seeds == 0 {
        return Err(Failure::Usage("--seeds must be at least 1".into()));
    }
    Ok(())
}

fn sets(args: &BenchRunArgs, talk: Talk) -> Result<(), Failure> {
    check_jobs_and_seeds(args.jobs, args.seeds)?;
    if !args.corrupt.iter().all(|rate| (0.0..=1.0).contains(rate)) {
        return Err(Failure::Usage("--corrupt must be between 0 and 1".into()));
    }
    if let Some(rotations) = args.rotations {
        let uses_gcl = args.methods.iter().any(|method| matches!(method, MethodArg::Gcl));
        check_rotations(rotations.into(), uses_gcl)?;
    }
    let measures: Vec<Measure> = args.measures.iter().map(|&measure| measure.into()).collect();
    let matchers: Vec<Matcher> = args.matchers.iter().map(|&matcher| matcher.into()).collect();
    let types: Vec<PuzzleType> = args.types.iter().map(|&number| number.into()).collect();
    let methods: Vec<Method> = args.methods.iter().map(|&method| method.into()).collect();
    let searches = methods.contains(&Method::Fretsaw)
        && types.iter().any(|puzzle_type| !puzzle_type.positions_known());
    if !args.efforts.is_empty() && !searches {
        return Err(Failure::Usage(
            "--efforts is for the method 'fretsaw' and types 1 and 2; leave it out, or give such \
             --methods and --types"
                .into(),
        ));
    }
    let run = SetRun {
        sets: args.sets.clone(),
        methods,
        efforts: if args.efforts.is_empty() {
            vec![Effort::default()]
        } else {
            args.efforts.iter().map(|&effort| effort.into()).collect()
        },
        yu: if args.variants.is_empty() {
            vec![args.yu.settings(None)]
        } else {
            args.variants.iter().map(|&variant| args.yu.settings(Some(variant))).collect()
        },
        gcl: vec![args.gcl.settings(args.rotations)?],
        assignment: QapSettings { form: args.assignment_form.into(), ..QapSettings::default() },
        measures,
        matchers,
        types,
        size: args.piece,
        cells: args.cells,
        num_seeds: args.seeds,
        corrupt_rates: args.corrupt.clone(),
    };
    for &puzzle_type in run.types.iter().filter(|puzzle_type| !puzzle_type.positions_known()) {
        for measure in run.methods.iter().flat_map(|&method| run.measures_of(method, puzzle_type)) {
            run.matchers.iter().try_for_each(|&matcher| check_judge(matcher, measure))?;
        }
    }
    let queue = RunQueue {
        data: args.data.clone(),
        keys: run.keys(&args.data, args.images.into())?,
        jobs: args.jobs,
        repeats_disturbed: false,
    };
    let outcome = with_threads(args.threads, || do_runs(&queue, &args.out, talk))??;
    if !outcome.records.is_empty() {
        let summary_of = if args.halves { summary_of_halves } else { summary };
        print_line(summary_of(&outcome.records))?;
    }
    failed_runs(&outcome.failures, &args.out)
}

/// Does runs, and shows on a terminal which of them is on its turn and how long the rest will take.
pub(super) fn do_runs(queue: &RunQueue, out: &Path, talk: Talk) -> anyhow::Result<QueueOutcome> {
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

fn report_results(args: &BenchReportArgs, talk: Talk) -> Result<(), Failure> {
    let out = args.out.clone().unwrap_or_else(|| {
        let mut name = args.results.file_stem().unwrap_or_default().to_owned();
        name.push("-report");
        args.results.with_file_name(name)
    });
    check_output_folder(&out)?;
    let runs = read_runs(&args.results, talk)?;
    write_report(&out, &runs)?;
    if args.halves {
        print_line(summary_of_halves(&runs))?;
    }
    talk.say(format!("{} runs: {}", runs.len(), out.join("report.html").display()));
    Ok(())
}

fn compare_results(args: &BenchCompareArgs, talk: Talk) -> Result<(), Failure> {
    let (a, b) = (read_runs(&args.a, talk)?, read_runs(&args.b, talk)?);
    let select = |method: &Option<String>,
                  measure: Option<MeasureArg>,
                  matcher: Option<MatcherArg>| Selection {
        method: method.clone(),
        measure: measure.map(|measure| Measure::from(measure).name().into()),
        matcher: matcher.map(|matcher| Matcher::from(matcher).name().into()),
    };
    let comparison = compare(
        &a,
        &select(&args.method_a, args.measure_a, args.judge_a),
        &b,
        &select(&args.method_b, args.measure_b, args.judge_b),
    )
    .map_err(|error| {
        Failure::Usage(format!(
            "{error}; choose with --method-a, --method-b, --measure-a, --measure-b, --matcher-a and \
             --matcher-b"
        ))
    })?;
    if args.json {
        print_line(serde_json::to_string(&comparison).map_err(anyhow::Error::from)?)
    } else {
        print_line(comparison)
    }
}

/// The runs of a file of results, at least one.
pub(super) fn read_runs(path: &Path, talk: Talk) -> Result<Vec<RunRecord>, Failure> {
    let results = read_results(path)?;
    let name = path.display();
    if results.is_cut_off {
        talk.warn(format!(
            "{name}: the last line is cut off and is passed over; 'bench run' with this --out would \
             do its run again"
        ));
    }
    if results.num_replaced > 0 {
        talk.warn(format!(
            "{name}: {} lines are of runs that a later line holds too; the later one counts",
            results.num_replaced
        ));
    }
    if results.records.is_empty() {
        return Err(Failure::Failed(format!(
            "{name}: holds no runs; fill it with 'fretsaw bench run --out {name}'"
        )));
    }
    Ok(results.records)
}

fn rotations(args: &BenchRotationsArgs) -> Result<(), Failure> {
    let puzzle_type = PuzzleType::from(args.puzzle_type);
    if puzzle_type == PuzzleType::Type1 {
        return Err(Failure::Usage(
            "pieces of type 1 puzzles have no turns: use --type 2 or 3".into(),
        ));
    }
    let choices: Vec<RotationChoice> = if args.rotations.is_empty() {
        RotationChoice::ALL.into_iter().filter(|choice| choice.fits(puzzle_type)).collect()
    } else {
        args.rotations.iter().map(|&choice| choice.into()).collect()
    };
    if let Some(choice) = choices.iter().find(|choice| !choice.fits(puzzle_type)) {
        return Err(Failure::Usage(format!(
            "the rotation method '{}' does not fit this type of puzzle; give another --rotations or \
             --type",
            choice.name()
        )));
    }
    if args.seeds == 0 {
        return Err(Failure::Usage("--seeds must be at least 1".into()));
    }
    let measures: Vec<Measure> = args.measures.iter().map(|&measure| measure.into()).collect();
    let matcher = Matcher::from(args.matcher);
    if !puzzle_type.positions_known() {
        measures.iter().try_for_each(|&measure| check_judge(matcher, measure))?;
    }
    let run = RotationRun {
        data: args.data.clone(),
        sets: args.sets.clone(),
        measures,
        matcher,
        puzzle_type,
        choices,
        shape: args.piece,
        num_seeds: args.seeds,
        corrupt_rates: args.corrupt.clone(),
        construction: args.graph.settings(0)?,
    };
    let table = with_threads(args.threads, || run.run())??;
    print_line(table)
}

fn stage_rotations(args: &StageRotationsArgs) -> Result<(), Failure> {
    // Two choices build another graph than they are given, or change it: what they do to a graph
    // alone is what 'spectral' does.
    let needs_picture =
        |choice| matches!(choice, RotationChoice::Diffusion | RotationChoice::Anchored);
    let method = |choice: RotationChoice| {
        choice
            .graph_method()
            .filter(|_| !needs_picture(choice))
            .map(|method| (choice.name(), method))
            .ok_or_else(|| {
                Failure::Usage(format!(
                    "'{}' needs a picture: it finds no turns in a graph; give another --rotations",
                    choice.name()
                ))
            })
    };
    check_synthetic(&args.boards, &args.wrong)?;
    let bench = RotationBench {
        boards: args.boards.iter().map(|&(cols, rows)| (rows, cols)).collect(),
        wrong_shares: args.wrong.clone(),
        methods: args
            .rotations
            .iter()
            .map(|&choice| method(choice.into()))
            .collect::<Result<_, _>>()?,
        seed: args.seed,
    };
    print_line(stage_rotations::run(&bench)?)
}

fn stage_layout(args: &StageLayoutArgs) -> Result<(), Failure> {
    check_synthetic(&args.boards, &args.wrong)?;
    if args.repeats == 0 {
        return Err(Failure::Usage("--repeats must be at least 1".into()));
    }
    let weights = |arg: &LayoutWeightsArg| match arg {
        LayoutWeightsArg::Random => ("random", LayoutWeights::Random),
        LayoutWeightsArg::Equal => ("equal", LayoutWeights::Equal),
    };
    let bench = LayoutBench {
        boards: args.boards.iter().map(|&(cols, rows)| (rows, cols)).collect(),
        wrong_shares: args.wrong.clone(),
        weights: args.weights.iter().map(weights).collect(),
        repeats: args.repeats,
        seed: args.seed,
    };
    print_line(stage_layout::run(&bench)?)
}

/// Refuses boards and shares of wrong edges that no synthetic problem can have.
fn check_synthetic(boards: &[(u32, u32)], wrong: &[f64]) -> Result<(), Failure> {
    let is_board = |&(cols, rows): &(u32, u32)| {
        let num_pieces = u64::from(cols) * u64::from(rows);
        (2..=MAX_PIECES as u64).contains(&num_pieces)
    };
    if !boards.iter().all(is_board) {
        return Err(Failure::Usage(format!(
            "--boards must have 2 to {MAX_PIECES} pieces each, for example 66x50"
        )));
    }
    if !wrong.iter().all(|share| (0.0..=1.0).contains(share)) {
        return Err(Failure::Usage("--wrong must be between 0 and 1".into()));
    }
    Ok(())
}
