//! `fretsaw bench boards`, `energy`, `confidence`, `reference` and `stage search`

use super::bench::{MAX_BOARD_PIECES, check_jobs_and_seeds};
use super::with_threads;
use crate::args::answers::{
    BenchBoardsArgs, BenchConfidenceArgs, BenchEnergyArgs, PuzzlesArgs, StageSearchArgs,
};
use crate::args::reference::BenchReferenceArgs;
use crate::failure::Failure;
use crate::stdout::print_line;
use fretsaw::puzzle::PuzzleType;
use fretsaw::solve::Method;
use fretsaw_gcl::alternatives::quadratic_assignment::QapSettings;
use fretsaw_io::check_file_target;
use fretsaw_lab::boards_run::{BoardsSettings, Heap};
use fretsaw_lab::reference_run::ReferenceKind;
use fretsaw_lab::set_run::{RunKey, SetRun};
use fretsaw_lab::stage_search::{self, SearchBench};
use fretsaw_lab::{boards_run, confidence_run, energy_run, reference_run};

pub(super) fn energy(args: &BenchEnergyArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let keys = keys(puzzles)?;
    let records =
        with_threads(puzzles.threads, || energy_run::run(&puzzles.data, &keys, puzzles.jobs))??;
    let wrong = energy_run::wrong_boards(&records);
    if !wrong.is_empty() {
        print_line(wrong)?;
    }
    print_line(energy_run::reasons(&records))
}

pub(super) fn boards(args: &BenchBoardsArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let mut keys = keys(puzzles)?;
    if !(0.0..1.0).contains(&args.missing) {
        return Err(Failure::Usage("--missing must be from 0 to below 1".into()));
    }
    let settings = BoardsSettings {
        tells_size: args.tell_size,
        tells_count: args.tell_count,
        missing: args.missing,
        foreign: args.foreign,
    };
    let heaps: Vec<Heap> = match args.mixes {
        None => keys.into_iter().map(|key| vec![key]).collect(),
        Some(count) => {
            // Pictures that differ in nothing else can be mixed.
            let rest = |key: &RunKey| RunKey { image: String::new(), ..key.clone() };
            let mut heaps = Vec::new();
            while let Some(first) = keys.first().map(rest) {
                let (alike, others): (Heap, Heap) =
                    keys.into_iter().partition(|key| rest(key) == first);
                heaps.extend(boards_run::draw_mixes(&alike, count, first.seed));
                keys = others;
            }
            heaps
        }
    };
    let run = || boards_run::run(&puzzles.data, &heaps, settings, puzzles.jobs);
    print_line(boards_run::table(&with_threads(puzzles.threads, run)??))
}

pub(super) fn confidence(args: &BenchConfidenceArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let keys = keys(puzzles)?;
    if let Some(out) = &args.out {
        check_file_target(out)?;
    }
    let run = || confidence_run::run(&puzzles.data, &keys, puzzles.jobs);
    let records = with_threads(puzzles.threads, run)??;
    if let Some(out) = &args.out {
        confidence_run::write_predictions(out, &records)?;
    }
    print_line(confidence_run::reliability(&records))
}

pub(super) fn reference(args: &BenchReferenceArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let keys = keys(puzzles)?;
    if !(args.scale > 0.0 && args.scale <= MAX_SCALE) {
        return Err(Failure::Usage(format!("--scale must be above 0 and at most {MAX_SCALE}")));
    }
    let kind = ReferenceKind {
        scale: args.scale,
        quality: args.quality,
        num_foreign: args.foreign,
        hides_size: args.hide_size,
    };
    let run = || reference_run::run(&puzzles.data, &keys, kind, puzzles.jobs);
    let records = with_threads(puzzles.threads, run)??;
    print_line(reference_run::summary(&records))
}

/// Larger references tell nothing more.
const MAX_SCALE: f64 = 4.0;

pub(super) fn stage(args: &StageSearchArgs) -> Result<(), Failure> {
    if !args.pieces.iter().all(|&pieces| (2..=MAX_BOARD_PIECES).contains(&pieces.into())) {
        return Err(Failure::Usage(format!("--pieces must be 2 to {MAX_BOARD_PIECES} each")));
    }
    let bench = SearchBench {
        pieces: args.pieces.clone(),
        efforts: args.efforts.iter().map(|&effort| effort.into()).collect(),
    };
    print_line(with_threads(args.threads, || stage_search::run(&bench))??)
}

/// The runs that are asked for, with the defaults of `solve`.
fn keys(args: &PuzzlesArgs) -> Result<Vec<RunKey>, Failure> {
    check_jobs_and_seeds(args.jobs, args.seeds)?;
    if !(0.0..=1.0).contains(&args.corrupt) {
        return Err(Failure::Usage("--corrupt must be between 0 and 1".into()));
    }
    let types: Vec<PuzzleType> = args.types.iter().map(|&number| number.into()).collect();
    if types.iter().any(|puzzle_type| puzzle_type.positions_known()) {
        return Err(Failure::Usage(
            "positions of type 3 puzzles are known, and nothing is searched for: use --types 1 or 2"
                .into(),
        ));
    }
    let run = SetRun {
        sets: args.sets.clone(),
        methods: vec![Method::Fretsaw],
        efforts: args.efforts.iter().map(|&effort| effort.into()).collect(),
        yu: vec![],
        gcl: vec![],
        assignment: QapSettings::default(),
        measures: vec![],
        matchers: vec![],
        types,
        size: args.piece,
        cells: None,
        num_seeds: args.seeds,
        corrupt_rates: vec![args.corrupt],
    };
    Ok(run.keys(&args.data, args.images.into())?)
}
