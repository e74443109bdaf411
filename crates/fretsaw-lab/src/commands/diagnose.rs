//! `fretsaw-lab diagnose`

use super::stage::matchers_for;
use crate::args::diagnose::{
    BoardsArgs, ConfidenceArgs, DiagnoseCommand, EnergyArgs, MatcherArgs, ReferenceArgs,
    RotationsArgs, SheetsArgs, TurnsArgs,
};
use crate::args::puzzles::PuzzleArgs;
use fretsaw::locations::quadratic_assignment::QapSettings;
use fretsaw::matching::LearnedMatcher;
use fretsaw::methods::fretsaw::Effort;
use fretsaw::methods::rotation_choice::RotationChoice;
use fretsaw::puzzle::PuzzleType;
use fretsaw::solve::Method;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::method_args::check_matcher;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::threads::with_threads;
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_io::{check_file_target, check_output_folder, write_text};
use fretsaw_lab::boards_run::{BoardsSettings, Heap};
use fretsaw_lab::judge_run::{
    Condition, JudgeRun, Reduction, plots, summary, write_plots, write_records,
};
use fretsaw_lab::reference_run::ReferenceKind;
use fretsaw_lab::rotation_run::RotationRun;
use fretsaw_lab::set_run::{RunKey, SetRun};
use fretsaw_lab::sheet_run::SheetRun;
use fretsaw_lab::turn_choice_run::TurnChoiceRun;
use fretsaw_lab::{boards_run, confidence_run, energy_run, reference_run, sheet_run};

pub(super) fn run(command: &DiagnoseCommand, verbosity: Verbosity) -> Result<(), Failure> {
    match command {
        DiagnoseCommand::Matcher(args) => matcher(args, verbosity),
        DiagnoseCommand::Energy(args) => energy(args),
        DiagnoseCommand::Confidence(args) => confidence(args),
        DiagnoseCommand::Boards(args) => boards(args),
        DiagnoseCommand::Turns(args) => turns(args),
        DiagnoseCommand::Reference(args) => reference(args),
        DiagnoseCommand::Sheets(args) => sheets(args),
        DiagnoseCommand::Rotations(args) => rotations(args),
    }
}

/// The most candidates per side: more were never of use.
const MOST_CANDIDATES: usize = 100;

fn matcher(args: &MatcherArgs, verbosity: Verbosity) -> Result<(), Failure> {
    let measure = args.measure;
    let matchers = matchers_for(measure, &args.matchers)?;
    let puzzles = &args.puzzles;
    puzzles.check()?;
    puzzles.check_positions_unknown()?;
    let (&[puzzle_type], &[corrupt]) = (&puzzles.types[..], &puzzles.corrupt[..]) else {
        return Err(Failure::Usage("give one of --types and one rate of --corrupt".into()));
    };
    if !(args.shrink > 0.0 && args.shrink <= 1.0) {
        return Err(Failure::Usage("--shrink must be above 0 and at most 1".into()));
    }
    let num_networks = LearnedMatcher::shipped().num_networks();
    if args.networks.is_some_and(|networks| !(1..=num_networks).contains(&networks)) {
        return Err(Failure::Usage(format!("--networks must be 1 to {num_networks}")));
    }
    if args.candidates.is_some_and(|candidates| !(2..=MOST_CANDIDATES).contains(&candidates)) {
        return Err(Failure::Usage(format!("--candidates must be 2 to {MOST_CANDIDATES}")));
    }
    if let Some(out) = &args.out {
        check_file_target(out)?;
    }
    if let Some(dir) = &args.plots {
        check_output_folder(dir)?;
    }
    let run = JudgeRun {
        data: puzzles.data.clone(),
        sets: puzzles.sets.clone(),
        images: puzzles.images,
        matchers,
        measure,
        puzzle_type,
        size: puzzles.piece,
        num_seeds: puzzles.seeds_or(3),
        condition: Condition { corrupt, grey: args.grey, shrink: args.shrink },
        reduction: Reduction { networks: args.networks, candidates: args.candidates },
    };
    let records = with_threads(puzzles.threads, || run.run())??;
    if let Some(out) = &args.out {
        write_records(out, &records)?;
    }
    if let Some(dir) = &args.plots {
        let plots = plots(&records);
        if plots.is_empty() {
            verbosity.warn("none of the matchers has probabilities: there is nothing to plot");
        } else {
            write_plots(dir, &plots)?;
        }
    }
    print_line(summary(&records))
}

fn energy(args: &EnergyArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let keys = keys(puzzles, &args.efforts.efforts)?;
    let records =
        with_threads(puzzles.threads, || energy_run::run(&puzzles.data, &keys, puzzles.jobs))??;
    let wrong = energy_run::wrong_boards(&records);
    if !wrong.is_empty() {
        print_line(wrong)?;
    }
    print_line(energy_run::reasons(&records))
}

fn boards(args: &BoardsArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let mut keys = keys(puzzles, &args.efforts.efforts)?;
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

fn confidence(args: &ConfidenceArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let keys = keys(puzzles, &args.efforts.efforts)?;
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

fn reference(args: &ReferenceArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let keys = keys(puzzles, &[Effort::default()])?;
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

/// The runs that are asked for, with the defaults of `solve`.
fn keys(args: &PuzzleArgs, efforts: &[Effort]) -> Result<Vec<RunKey>, Failure> {
    args.check()?;
    args.check_positions_unknown()?;
    let run = SetRun {
        sets: args.sets.clone(),
        methods: vec![Method::Fretsaw],
        efforts: efforts.to_vec(),
        yu: vec![],
        gcl: vec![],
        assignment: QapSettings::default(),
        measures: vec![],
        matchers: vec![],
        types: args.types.clone(),
        size: args.piece,
        cells: args.cells(),
        num_seeds: args.seeds_or(1),
        corrupt_rates: args.corrupt.clone(),
    };
    Ok(run.keys(&args.data, args.images)?)
}

fn turns(args: &TurnsArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    puzzles.check()?;
    let run = TurnChoiceRun {
        data: puzzles.data.clone(),
        sets: puzzles.sets.clone(),
        images: puzzles.images,
        turns: args.turns.clone(),
        size: puzzles.piece,
        cells: puzzles.cells(),
        num_seeds: puzzles.seeds_or(1),
        jobs: puzzles.jobs,
    };
    let (counts, wrong) = with_threads(puzzles.threads, || run.run())??;
    print_line(counts)?;
    if wrong.is_empty() { Ok(()) } else { print_line(wrong) }
}

fn sheets(args: &SheetsArgs) -> Result<(), Failure> {
    if args.count == 0 {
        return Err(Failure::Usage("--count must be at least 1".into()));
    }
    if let Some(out) = &args.out {
        check_file_target(out)?;
    }
    let sets =
        if args.sets.is_empty() { sheet_run::sets_in(&args.data)? } else { args.sets.clone() };
    let run = SheetRun { data: args.data.clone(), sets, count: args.count, seed: args.seed };
    let records = with_threads(args.threads, || run.run())??;
    if let Some(out) = &args.out {
        let lines = records.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
        write_text(out, &(lines.map_err(anyhow::Error::from)?.join("\n") + "\n"))?;
    }
    let wrong = sheet_run::failures(&records);
    if !wrong.is_empty() {
        print_line(wrong)?;
    }
    print_line(sheet_run::summary(&records))
}

fn rotations(args: &RotationsArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    puzzles.check()?;
    let &[puzzle_type] = &puzzles.types[..] else {
        return Err(Failure::Usage("give one of --types".into()));
    };
    if puzzle_type == PuzzleType::Type1 {
        return Err(Failure::Usage(
            "pieces of type 1 puzzles have no turns: use --types 2 or 3".into(),
        ));
    }
    let choices: Vec<RotationChoice> = if args.rotations.is_empty() {
        RotationChoice::ALL.into_iter().filter(|choice| choice.fits(puzzle_type)).collect()
    } else {
        args.rotations.clone()
    };
    if let Some(choice) = choices.iter().find(|choice| !choice.fits(puzzle_type)) {
        return Err(Failure::Usage(format!(
            "the rotation method '{}' does not fit this type of puzzle; give another --rotations or \
             --types",
            choice.name()
        )));
    }
    if !puzzle_type.positions_known() {
        args.measures.iter().try_for_each(|&measure| check_matcher(args.matcher, measure))?;
    }
    let run = RotationRun {
        data: puzzles.data.clone(),
        sets: puzzles.sets.clone(),
        images: puzzles.images,
        measures: args.measures.clone(),
        matcher: args.matcher,
        puzzle_type,
        choices,
        size: puzzles.piece,
        num_seeds: puzzles.seeds_or(3),
        corrupt_rates: puzzles.corrupt.clone(),
        construction: args.graph.settings(0)?,
    };
    let table = with_threads(puzzles.threads, || run.run())??;
    print_line(table)
}
