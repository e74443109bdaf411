//! `fretsaw-lab diagnose`

use crate::args::diagnose::{
    BoardsArgs, ConfidenceArgs, DiagnoseCommand, EnergyArgs, MatcherArgs, ReferenceArgs,
    RotationsArgs, SheetsArgs, TurnsArgs,
};
use crate::args::puzzles::{PuzzleArgs, check_matcher};
use crate::diagnose::boards::{self, BoardsSettings, Heap};
use crate::diagnose::matcher::{self, Condition, MatcherSettings, Reduction};
use crate::diagnose::reference::{self, ReferenceKind};
use crate::diagnose::rotations::{self, RotationSettings};
use crate::diagnose::sheets::{self, SheetRun};
use crate::diagnose::{confidence, energy, fretsaw_runs, turns};
use crate::results::write_lines;
use crate::set_run::RunKey;
use crate::stage::matching::matchers_for;
use fretsaw::puzzle::PuzzleType;
use fretsaw::unstable::matching::LearnedMatcher;
use fretsaw::unstable::methods::fretsaw::Effort;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::threads::with_threads;
use fretsaw_cli::verbosity::Verbosity;
use fretsaw_gcl::rotation_choice::RotationChoice;
use fretsaw_io::{check_file_target, check_output_folder};

pub(super) fn run(command: &DiagnoseCommand, verbosity: Verbosity) -> Result<(), Failure> {
    match command {
        DiagnoseCommand::Matcher(args) => diagnose_matcher(args, verbosity),
        DiagnoseCommand::Energy(args) => diagnose_energy(args),
        DiagnoseCommand::Confidence(args) => diagnose_confidence(args),
        DiagnoseCommand::Boards(args) => diagnose_boards(args),
        DiagnoseCommand::Turns(args) => diagnose_turns(args),
        DiagnoseCommand::Reference(args) => diagnose_reference(args),
        DiagnoseCommand::Sheets(args) => diagnose_sheets(args),
        DiagnoseCommand::Rotations(args) => diagnose_rotations(args),
    }
}

/// The most candidates per side: more were never of use.
const MOST_CANDIDATES: usize = 100;

fn diagnose_matcher(args: &MatcherArgs, verbosity: Verbosity) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    puzzles.check_positions_unknown()?;
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
    let settings = MatcherSettings {
        matchers: matchers_for(args.measure, &args.matchers)?,
        measure: args.measure,
        condition: Condition { grey: args.grey, shrink: args.shrink },
        reduction: Reduction { networks: args.networks, candidates: args.candidates },
    };
    if let Some(out) = &args.out {
        check_file_target(out)?;
    }
    if let Some(dir) = &args.plots {
        check_output_folder(dir)?;
    }
    let keys = puzzles.puzzle_set(3)?.keys(&puzzles.data)?;
    let run = || matcher::run(&puzzles.data, &keys, &settings);
    let records = with_threads(puzzles.threads, run)??;
    if let Some(out) = &args.out {
        write_lines(out, &records)?;
    }
    if let Some(dir) = &args.plots {
        let plots = matcher::plots(&records);
        if plots.is_empty() {
            verbosity.warn("none of the matchers has probabilities: there is nothing to plot");
        } else {
            matcher::write_plots(dir, &plots)?;
        }
    }
    print_line(matcher::summary(&records))
}

/// The runs of the method fretsaw that are asked for.
fn runs(args: &PuzzleArgs, efforts: &[Effort]) -> Result<Vec<RunKey>, Failure> {
    args.check_positions_unknown()?;
    Ok(fretsaw_runs(&args.puzzle_set(1)?, efforts, &args.data)?)
}

fn diagnose_energy(args: &EnergyArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let keys = runs(puzzles, &args.efforts.efforts)?;
    let run = || energy::run(&puzzles.data, &keys, puzzles.jobs);
    let records = with_threads(puzzles.threads, run)??;
    let wrong = energy::wrong_boards(&records);
    if !wrong.is_empty() {
        print_line(wrong)?;
    }
    print_line(energy::reasons(&records))
}

fn diagnose_confidence(args: &ConfidenceArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let keys = runs(puzzles, &args.efforts.efforts)?;
    if let Some(out) = &args.out {
        check_file_target(out)?;
    }
    let run = || confidence::run(&puzzles.data, &keys, puzzles.jobs);
    let records = with_threads(puzzles.threads, run)??;
    if let Some(out) = &args.out {
        confidence::write_predictions(out, &records)?;
    }
    print_line(confidence::reliability(&records))
}

fn diagnose_boards(args: &BoardsArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let keys = runs(puzzles, &args.efforts.efforts)?;
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
        Some(count) => boards::mixes(&keys, count),
    };
    let run = || boards::run(&puzzles.data, &heaps, settings, puzzles.jobs);
    print_line(boards::table(&with_threads(puzzles.threads, run)??))
}

fn diagnose_turns(args: &TurnsArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let keys = puzzles.puzzle_set(1)?.keys(&puzzles.data)?;
    let run = || turns::run(&puzzles.data, &keys, &args.turns, puzzles.jobs);
    let records = with_threads(puzzles.threads, run)??;
    print_line(turns::counts(&records))?;
    let wrong = turns::wrong(&records);
    if wrong.is_empty() { Ok(()) } else { print_line(wrong) }
}

/// The largest scale of references: larger ones tell nothing more.
const MAX_SCALE: f64 = 4.0;

fn diagnose_reference(args: &ReferenceArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let keys = runs(puzzles, &[Effort::default()])?;
    if !(args.scale > 0.0 && args.scale <= MAX_SCALE) {
        return Err(Failure::Usage(format!("--scale must be above 0 and at most {MAX_SCALE}")));
    }
    let kind = ReferenceKind {
        scale: args.scale,
        quality: args.quality,
        num_foreign: args.foreign,
        hides_size: args.hide_size,
    };
    let run = || reference::run(&puzzles.data, &keys, kind, puzzles.jobs);
    print_line(reference::summary(&with_threads(puzzles.threads, run)??))
}

fn diagnose_sheets(args: &SheetsArgs) -> Result<(), Failure> {
    if args.count == 0 {
        return Err(Failure::Usage("--count must be at least 1".into()));
    }
    if let Some(out) = &args.out {
        check_file_target(out)?;
    }
    let sets = if args.sets.is_empty() { sheets::sets_in(&args.data)? } else { args.sets.clone() };
    let run = SheetRun { data: args.data.clone(), sets, count: args.count, seed: args.seed };
    let records = with_threads(args.threads, || run.run())??;
    if let Some(out) = &args.out {
        write_lines(out, &records)?;
    }
    let wrong = sheets::failures(&records);
    if !wrong.is_empty() {
        print_line(wrong)?;
    }
    print_line(sheets::summary(&records))
}

fn diagnose_rotations(args: &RotationsArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let fits = |choice: &RotationChoice| puzzles.types.iter().all(|&kind| choice.fits(kind));
    if puzzles.types.contains(&PuzzleType::Type1) {
        return Err(Failure::Usage(
            "pieces of type 1 puzzles have no turns: use --types 2 or 3".into(),
        ));
    }
    let choices: Vec<RotationChoice> = if args.rotations.is_empty() {
        RotationChoice::ALL.into_iter().filter(fits).collect()
    } else {
        args.rotations.clone()
    };
    if let Some(choice) = choices.iter().find(|choice| !fits(choice)) {
        return Err(Failure::Usage(format!(
            "the rotation method '{}' does not fit this type of puzzle; give another --rotations or \
             --types",
            choice.name()
        )));
    }
    if puzzles.types.contains(&PuzzleType::Type2) {
        args.measures.iter().try_for_each(|&measure| check_matcher(args.matcher, measure))?;
    }
    let settings = RotationSettings {
        measures: args.measures.clone(),
        matcher: args.matcher,
        choices,
        construction: args.graph.settings(0)?,
    };
    let keys = puzzles.puzzle_set(3)?.keys(&puzzles.data)?;
    let run = || rotations::run(&puzzles.data, &keys, &settings, puzzles.jobs);
    let records = with_threads(puzzles.threads, run)??;
    print_line(rotations::table(&records, &settings.choices))
}
