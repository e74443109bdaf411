//! `fretsaw-lab stage`

use crate::args::stage::{
    LayoutArgs, MatchArgs, MeasureArgs, RotationsArgs, SearchArgs, StageCommand,
};
use crate::stage::layout::{self as stage_layout, LayoutBench};
use crate::stage::matching::{self as stage_matching, MatchBench};
use crate::stage::measure::{self as stage_measure, MeasureBench};
use crate::stage::rotations::{self as stage_rotations, RotationBench};
use crate::stage::search::{self as stage_search, SearchBench};
use fretsaw::puzzle::MAX_PIECES;
use fretsaw::unstable::dissimilarity::Measure;
use fretsaw::unstable::matching::Matcher;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::threads::{MAX_THREADS, with_threads};
use fretsaw_gcl::rotation_choice::RotationChoice;

/// The most pieces of a drawn picture: drawing more takes longer than anyone waits for.
const MAX_BOARD_PIECES: u64 = 100_000;

pub(super) fn run(command: &StageCommand) -> Result<(), Failure> {
    match command {
        StageCommand::Measure(args) => measure(args),
        StageCommand::Match(args) => matchers(args),
        StageCommand::Rotations(args) => rotations(args),
        StageCommand::Layout(args) => layout(args),
        StageCommand::Search(args) => search(args),
    }
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

fn measure(args: &MeasureArgs) -> Result<(), Failure> {
    check_boards(&args.boards)?;
    if args.candidates == 0 || args.repeats == 0 || args.threads.contains(&0) {
        return Err(Failure::Usage(
            "--candidates, --repeats and --threads must be at least 1".into(),
        ));
    }
    let bench = MeasureBench {
        boards: args.boards.iter().map(|&(cols, rows)| (rows, cols)).collect(),
        threads: args.threads.clone(),
        measures: args.measures.clone(),
        num_candidates: args.candidates,
        repeats: args.repeats,
        ..MeasureBench::default()
    };
    print_line(stage_measure::run(&bench)?)
}

fn rotations(args: &RotationsArgs) -> Result<(), Failure> {
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
        methods: args.rotations.iter().map(|&choice| method(choice)).collect::<Result<_, _>>()?,
        seed: args.seed,
    };
    print_line(stage_rotations::run(&bench)?)
}

fn layout(args: &LayoutArgs) -> Result<(), Failure> {
    check_synthetic(&args.boards, &args.wrong)?;
    if args.repeats == 0 {
        return Err(Failure::Usage("--repeats must be at least 1".into()));
    }
    let bench = LayoutBench {
        boards: args.boards.iter().map(|&(cols, rows)| (rows, cols)).collect(),
        wrong_shares: args.wrong.clone(),
        weights: args.weights.clone(),
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

fn matchers(args: &MatchArgs) -> Result<(), Failure> {
    let measure = args.measure;
    let matchers = matchers_for(measure, &args.matchers)?;
    if !args.pieces.iter().all(|&pieces| (2..=MAX_BOARD_PIECES).contains(&pieces.into())) {
        return Err(Failure::Usage(format!("--pieces must be 2 to {MAX_BOARD_PIECES} each")));
    }
    if !args.threads.iter().all(|threads| (1..=MAX_THREADS).contains(threads)) {
        return Err(Failure::Usage(format!("--threads must be 1 to {MAX_THREADS} each")));
    }
    if args.repeats == 0 {
        return Err(Failure::Usage("--repeats must be at least 1".into()));
    }
    let bench = MatchBench {
        pieces: args.pieces.clone(),
        piece_px: 28,
        measure,
        matchers,
        threads: args.threads.clone(),
        repeats: args.repeats,
    };
    print_line(stage_matching::run(&bench)?)
}

fn search(args: &SearchArgs) -> Result<(), Failure> {
    if !args.pieces.iter().all(|&pieces| (2..=MAX_BOARD_PIECES).contains(&pieces.into())) {
        return Err(Failure::Usage(format!("--pieces must be 2 to {MAX_BOARD_PIECES} each")));
    }
    let bench = SearchBench { pieces: args.pieces.clone(), efforts: args.efforts.clone() };
    print_line(with_threads(args.threads, || stage_search::run(&bench))??)
}

/// The matchers that were asked for, or all that know the measure.
pub(super) fn matchers_for(
    measure: Measure,
    asked_for: &[Matcher],
) -> Result<Vec<Matcher>, Failure> {
    if asked_for.is_empty() {
        return Ok(Matcher::ALL.into_iter().filter(|matcher| matcher.knows(measure)).collect());
    }
    match asked_for.iter().find(|matcher| !matcher.knows(measure)) {
        None => Ok(asked_for.to_vec()),
        Some(matcher) => Err(Failure::Usage(format!(
            "the matcher '{}' does not know the measure '{}'; give another --measure, or other --matchers",
            matcher.name(),
            measure.name()
        ))),
    }
}
