//! The share of right turns of every way to find turns, over sets of pictures.

use super::with_puzzles;
use crate::commands::graph::ConstructionArgs;
use crate::groups::{Rate, group_by};
use crate::puzzle_args::{PuzzleArgs, check_matcher};
use crate::puzzles::PuzzleKey;
use clap::Args as ClapArgs;
use fretsaw::evaluation::{TurnScore, score_turns};
use fretsaw::observer::Silent;
use fretsaw::picture::Scrambled;
use fretsaw::puzzle::{PuzzleType, QuarterTurn};
use fretsaw::settings::Matcher;
use fretsaw::unstable::Measured;
use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure};
use fretsaw::{Puzzle, Settings};
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::table::Table;
use fretsaw_gcl::construction::ConstructionSettings;
use fretsaw_gcl::known_positions::turn_in_place;
use fretsaw_gcl::rotation_choice::{RotationChoice, find_turns};
use std::path::Path;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab diagnose rotations --data sets --sets mit-432 --types 2 --measures mgc,seam --seeds 3

Each entry is the share of right turns by piece / by pixels, up to a common turn, in percent.")]
pub(crate) struct RotationsArgs {
    #[command(flatten)]
    puzzles: PuzzleArgs,
    #[command(flatten)]
    settings: RotationSettings,
    #[command(flatten)]
    graph: ConstructionArgs,
}

pub(crate) fn diagnose(args: &RotationsArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let fits = |choice: &RotationChoice| puzzles.set.types().iter().all(|&kind| choice.fits(kind));
    if puzzles.set.types().contains(&PuzzleType::Type1) {
        return Err(Failure::Usage(
            "pieces of type 1 puzzles have no turns: use --types 2 or 3".into(),
        ));
    }
    let mut settings = args.settings.clone();
    settings.construction = args.graph.settings(0)?;
    if settings.rotations.is_empty() {
        settings.rotations = RotationChoice::ALL.into_iter().filter(fits).collect();
    }
    if let Some(choice) = settings.rotations.iter().find(|choice| !fits(choice)) {
        return Err(Failure::Usage(format!(
            "the rotation method '{}' does not fit this type of puzzle; give another --rotations or \
             --types",
            choice.name()
        )));
    }
    if puzzles.set.types().contains(&PuzzleType::Type2) {
        let check = |&measure| check_matcher(settings.matcher, measure);
        settings.measures.iter().try_for_each(check)?;
    }
    let keys = puzzles.puzzle_set(3)?.keys(&puzzles.data)?;
    let run = || run(&puzzles.data, &keys, &settings, puzzles.jobs);
    let records = puzzles.on_threads(run)?;
    print_line(table(&records, &settings.rotations))
}

#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct RotationSettings {
    /// Ways to find turns [default: all that fit the type]
    #[arg(long, value_delimiter = ',', value_parser = by_name(RotationChoice::ALL, RotationChoice::name))]
    pub(crate) rotations: Vec<RotationChoice>,
    /// Measures
    #[arg(long, value_delimiter = ',', default_values = ["mgc", "seam"],
          value_parser = by_name(Measure::ALL, Measure::name))]
    pub(crate) measures: Vec<Measure>,
    /// The matcher, for type 2
    #[arg(long, default_value = "ratio", value_parser = by_name(Matcher::ALL, Matcher::name))]
    pub(crate) matcher: Matcher,
    #[arg(skip)]
    pub(crate) construction: ConstructionSettings,
}

/// The shares of right turns in a puzzle, one for each choice.
#[derive(Clone, Debug)]
pub(crate) struct RotationRecord {
    pub(crate) key: PuzzleKey,
    pub(crate) measure: Measure,
    /// One for each of [`RotationSettings::rotations`].
    pub(crate) scores: Vec<TurnScore>,
}

/// Finds the turns of every puzzle, so many at a time.
pub(crate) fn run(
    data: &Path,
    keys: &[PuzzleKey],
    settings: &RotationSettings,
    jobs: usize,
) -> anyhow::Result<Vec<RotationRecord>> {
    let records = with_puzzles(data, keys, jobs, |key, scrambled| {
        let record = |&measure: &Measure| {
            let scores = scores(key, &scrambled, measure, settings)?;
            Ok(RotationRecord { key: key.clone(), measure, scores })
        };
        settings.measures.iter().map(record).collect::<anyhow::Result<Vec<_>>>()
    })?;
    Ok(records.into_iter().flatten().collect())
}

fn scores(
    key: &PuzzleKey,
    Scrambled { pieces, grid, truth }: &Scrambled,
    measure: Measure,
    settings: &RotationSettings,
) -> anyhow::Result<Vec<TurnScore>> {
    let turns = key.puzzle_type.turns(pieces.shape());
    let RotationSettings { matcher, rotations, construction, .. } = settings;
    let choices = rotations.iter();
    let found: Vec<Vec<QuarterTurn>> = if key.puzzle_type.positions_known() {
        let dissimilarity = Dissimilarity::new(pieces, measure)?;
        let turned = |&choice: &RotationChoice| {
            let assembly = turn_in_place(&dissimilarity, *grid, turns, choice, key.seed, &Silent)?;
            Ok(assembly.placements().map(|placement| placement.place.turn).collect())
        };
        choices.map(turned).collect::<anyhow::Result<_>>()?
    } else {
        let puzzle = Puzzle::new(pieces.clone()).turns(turns);
        let settings =
            Settings { measure: Some(measure), matcher: Some(*matcher), ..Settings::default() };
        let measured = Measured::new(&puzzle, &settings, &Silent)?;
        let model = measured.matched(&settings, &Silent)?;
        let construction = ConstructionSettings { seed: key.seed, ..*construction };
        let turned = |&choice: &RotationChoice| {
            Ok(find_turns(&model, turns, choice, &construction, &Silent)?.1)
        };
        choices.map(turned).collect::<anyhow::Result<_>>()?
    };
    Ok(found.iter().map(|turns| score_turns(truth, turns)).collect())
}

/// Per set, corruption and measure, for each choice the mean share of right turns by piece and by
/// pixels, in percent.
pub(crate) fn table(records: &[RotationRecord], choices: &[RotationChoice]) -> Table {
    let mut heading = vec!["set", "corrupt", "measure"];
    heading.extend(choices.iter().map(|choice| choice.name()));
    let mut table = Table::new(&heading);
    let kind = |it: &RotationRecord| (it.key.set.clone(), Rate(it.key.corrupt), it.measure);
    for ((set, corrupt, measure), runs) in group_by(records, kind) {
        let mut row = vec![set, corrupt.to_string(), measure.name().into()];
        row.extend((0..choices.len()).map(|choice| {
            let mean = |of: &dyn Fn(&TurnScore) -> f64| {
                let sum: f64 = runs.iter().map(|run| of(&run.scores[choice])).sum();
                100.0 * sum / runs.len() as f64
            };
            format!(
                "{:.2} / {:.2}",
                mean(&|score| score.right),
                mean(&|score| score.right_px.unwrap_or(score.right))
            )
        }));
        table.push(row);
    }
    table
}
