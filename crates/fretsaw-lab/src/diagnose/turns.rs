//! How often the turns that pieces need are found.

use super::print_tables;
use crate::groups::group_by;
use crate::pools::share_threads;
use crate::puzzle_args::PuzzleArgs;
use crate::puzzles::PuzzleKey;
use anyhow::Context;
use clap::Args as ClapArgs;
use fretsaw::observer::Silent;
use fretsaw::picture::scramble;
use fretsaw::puzzle::{PieceSet, PuzzleType, QuarterTurn, TurnSet};
use fretsaw::unstable::Measured;
use fretsaw::unstable::turn_choice::TurnEvidence;
use fretsaw::{Puzzle, Settings};
use fretsaw_cli::by_name::{turn_set, turn_set_name};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::table::Table;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::Path;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab diagnose turns --data sets --sets mit-432,mcgill-540
  fretsaw-lab diagnose turns --data sets --sets mcgill-540 --piece 40x25 --turns none,half --seeds 3
  fretsaw-lab diagnose turns --data sets --sets mit-432 --cells 4x3

Shuffles the pieces of every picture, turns them at random as --turns says, and finds the turns as 'solve \
--turns auto' does. Prints how often which turns were found, and lists the wrong answers with the number \
of matches that can be believed, and the logarithm of their likelihood for each set of turns.")]
pub(crate) struct TurnsArgs {
    #[command(flatten)]
    puzzles: PuzzleArgs,
    /// Turns to give; quarter turns are for square pieces
    #[arg(long, value_delimiter = ',', default_values = ["none", "half", "quarter"],
          value_parser = turn_set())]
    turns: Vec<TurnSet>,
}

pub(crate) fn diagnose(args: &TurnsArgs) -> Result<(), Failure> {
    let puzzles = &args.puzzles;
    let keys = puzzles.puzzle_set(1)?.keys(&puzzles.data)?;
    let records = puzzles.on_threads(|| run(&puzzles.data, &keys, &args.turns, puzzles.jobs))?;
    print_tables([counts(&records), wrong(&records)])
}

/// A puzzle and what was chosen for it.
#[derive(Clone, Debug)]
pub(crate) struct TurnsRecord {
    /// The puzzle; its type is not used.
    pub(crate) key: PuzzleKey,
    /// The turns that its pieces were given.
    pub(crate) given: TurnSet,
    pub(crate) evidence: TurnEvidence,
    pub(crate) choice: TurnSet,
}

/// Turns the pieces of every puzzle at random by each of these sets of turns, and finds the turns, so
/// many puzzles at a time.
pub(crate) fn run(
    data: &Path,
    keys: &[PuzzleKey],
    turns: &[TurnSet],
    jobs: usize,
) -> anyhow::Result<Vec<TurnsRecord>> {
    let all = keys.iter().flat_map(|key| turns.iter().map(move |&given| (key, given)));
    share_threads(jobs, &all.collect::<Vec<_>>(), |&(key, given)| {
        let found = choose(data, key, given);
        let (evidence, choice) = found.with_context(|| key.path(data).display().to_string())?;
        Ok(TurnsRecord { key: key.clone(), given, evidence, choice })
    })
}

fn choose(data: &Path, key: &PuzzleKey, given: TurnSet) -> anyhow::Result<(TurnEvidence, TurnSet)> {
    let upright = PuzzleKey { puzzle_type: PuzzleType::Type1, ..key.clone() };
    let cut = upright.cut(&upright.read(data)?)?;
    let upright = scramble(&cut, &upright.scrambling())?.pieces;
    let pieces = turned(&upright, given, key.seed).context(
        "quarter turns change the shape of pieces that are not square: give --turns none or half",
    )?;
    let widest = PuzzleType::Type2.turns(pieces.shape());
    let puzzle = Puzzle::new(pieces).turns(widest);
    let measured = Measured::new(&puzzle, &Settings::default(), &Silent)?;
    let evidence = TurnEvidence::new(&measured.nearest, widest);
    Ok((evidence, evidence.choice(widest)))
}

/// The pieces, each turned by one of these turns at random.
fn turned(pieces: &PieceSet, given: TurnSet, seed: u64) -> Option<PieceSet> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let allowed = given.turns();
    let turns: Vec<QuarterTurn> =
        pieces.ids().map(|_| allowed[rng.random_range(0..allowed.len())]).collect();
    pieces.turned(|piece| turns[piece.index()])
}

/// How often each set of turns was found, by set and turns given.
pub(crate) fn counts(records: &[TurnsRecord]) -> Table {
    let mut table = Table::new(&["set", "turns", "puzzles", "none", "half", "quarter", "wrong"]);
    for ((set, given), found) in group_by(records, |it| (it.key.set.clone(), it.given)) {
        let count = |choice| found.iter().filter(|it| it.choice == choice).count();
        let mut row = vec![set, turn_set_name(given).into(), found.len().to_string()];
        let all = [TurnSet::None, TurnSet::Half, TurnSet::Quarter];
        row.extend(all.map(|choice| count(choice).to_string()));
        row.push((found.len() - count(given)).to_string());
        table.push(row);
    }
    table
}

/// The puzzles for which other turns were found than given, with their evidence.
pub(crate) fn wrong(records: &[TurnsRecord]) -> Table {
    let mut table = Table::with_columns(
        "set | turns | image | seed | \
         choice | believed | ln none | ln half | ln quarter",
    );
    for record in records.iter().filter(|record| record.choice != record.given) {
        let PuzzleKey { set, image, seed, .. } = &record.key;
        let TurnEvidence { num_believed, none, half, quarter } = record.evidence;
        let mut row = row! {
            set, turn_set_name(record.given), image, seed, turn_set_name(record.choice),
        };
        row.extend([num_believed, none, half, quarter].map(|number| format!("{number:.1}")));
        table.push(row);
    }
    table
}
