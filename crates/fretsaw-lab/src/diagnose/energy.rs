//! Why boards of the method fretsaw are wrong: because the energy prefers them to the truth, or because
//! the search did not find the truth.

use super::{FretsawArgs, print_tables, with_puzzles};
use crate::groups::{Scene, Way, group_by};
use crate::set_run::RunKey;
use clap::Args as ClapArgs;
use fretsaw::evaluation::{Score, score};
use fretsaw::observer::Silent;
use fretsaw::unstable::search::costs::SeamCosts;
use fretsaw::unstable::search::energy_of;
use fretsaw::unstable::{Measured, assemble, find_boards};
use fretsaw_cli::failure::Failure;
use fretsaw_cli::table::{Table, percent, percent_or_dash};
use std::path::Path;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab diagnose energy --data sets --sets mit-432,mcgill-540 --images odd --seeds 3 --jobs 2

Solves with the method 'fretsaw' and lists the puzzles that are not perfect, with the energies of the \
board that was found and of the truth, and the reason:
identical pieces  pieces that are the same pixel for pixel are exchanged, and nothing else is wrong
matcher           the board's energy is lower than the truth's, by more than 0.01
search            it is not: the truth would have been as good or better, and was not found
Then it counts these by set. Shares are in percent.")]
pub(crate) struct EnergyArgs {
    #[command(flatten)]
    runs: FretsawArgs,
}

pub(crate) fn diagnose(args: &EnergyArgs) -> Result<(), Failure> {
    let (keys, puzzles) = (args.runs.keys()?, &args.runs.puzzles);
    let records = puzzles.on_threads(|| run(&puzzles.data, &keys, puzzles.jobs))?;
    print_tables([wrong_boards(&records), reasons(&records)])
}

/// Energies that differ by less are the same but for rounding.
const ROUNDING: f64 = 0.01;

/// Why a board is not the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    /// It looks like the truth: only pieces that are the same pixel for pixel are exchanged.
    IdenticalPieces,
    /// Its energy is lower than the truth's.
    Matcher,
    /// Its energy is not lower than the truth's, which was not found.
    Search,
}

fretsaw::named_enum!(Reason {
    IdenticalPieces: "identical pieces",
    Matcher: "matcher",
    Search: "search",
});

/// A board and its energy, beside the truth's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EnergyRecord {
    pub(crate) key: RunKey,
    pub(crate) score: Score,
    pub(crate) board_energy: f64,
    pub(crate) truth_energy: f64,
}

impl EnergyRecord {
    /// Why the board is not the truth; `None` if it is.
    pub(crate) fn reason(&self) -> Option<Reason> {
        if self.score.perfect {
            None
        } else if self.score.perfect_px == Some(true) {
            Some(Reason::IdenticalPieces)
        } else if self.board_energy < self.truth_energy - ROUNDING {
            Some(Reason::Matcher)
        } else {
            Some(Reason::Search)
        }
    }
}

/// Solves these puzzles, so many at a time; none may be of type 3. Records are in the order of the keys.
pub(crate) fn run(data: &Path, keys: &[RunKey], jobs: usize) -> anyhow::Result<Vec<EnergyRecord>> {
    with_puzzles(data, keys, jobs, |key, scrambled| {
        let (puzzle, truth) = key.puzzle.to_solve(scrambled)?;
        let settings = key.settings();
        let measured = Measured::new(&puzzle, &settings, &Silent)?;
        let (model, turns) = (measured.matched(&settings, &Silent)?, measured.turns);
        let boards = find_boards(&puzzle, &model, turns, &settings, &Silent)?;
        let (found, _) = assemble(&puzzle, &boards, &model, turns, &settings, &Silent)?;
        let costs = SeamCosts::new(&model);
        Ok(EnergyRecord {
            key: key.clone(),
            score: score(&truth, &found)?,
            board_energy: energy_of(&costs, &boards.boards, &found),
            truth_energy: energy_of(&costs, &boards.boards, truth.assembly()),
        })
    })
}

/// The boards that are not the truth, in the order of the records; shares are in percent.
pub(crate) fn wrong_boards(records: &[EnergyRecord]) -> Table {
    let mut table = Table::with_columns(
        "set | type | method | image | seed | \
         neighbor | neighbor_px | direct | board | truth | why",
    );
    for record in records {
        let Some(reason) = record.reason() else { continue };
        let EnergyRecord { key, score, board_energy, truth_energy } = record;
        table.push(row! {
            Scene::of(&key.puzzle).pictures(), Scene::of(&key.puzzle).type_number,
            Way::of(key).method, key.puzzle.image, key.puzzle.seed, percent(score.neighbor),
            percent_or_dash(score.neighbor_px), percent(score.direct), format!("{board_energy:.2}"),
            format!("{truth_energy:.2}"), reason.name(),
        });
    }
    table
}

/// How many boards are the truth, and how many are not for which reason: by set, type and method, in
/// the order in which they come first.
pub(crate) fn reasons(records: &[EnergyRecord]) -> Table {
    let groups = group_by(records, |record: &EnergyRecord| {
        let scene = Scene::of(&record.key.puzzle);
        [scene.pictures(), scene.type_number.to_string(), Way::of(&record.key).method]
    });
    let mut heading = vec!["set", "type", "method", "puzzles", "perfect"];
    heading.extend(Reason::ALL.map(Reason::name));
    let mut table = Table::new(&heading);
    for (group, found) in groups {
        let count =
            |reason| found.iter().filter(|record| record.reason() == reason).count().to_string();
        let mut row: Vec<String> = group.into();
        row.extend([found.len().to_string(), count(None)]);
        row.extend(Reason::ALL.map(|reason| count(Some(reason))));
        table.push(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::PuzzleKey;
    use crate::set_run::MethodKey;
    use crate::test_records::record;
    use fretsaw::picture::synthetic::demo_picture;
    use fretsaw::puzzle::PuzzleType;
    use fretsaw::settings::{Matcher, Measure};
    use fretsaw::{Effort, solve};
    use fretsaw_io::write_picture;

    fn energy_record(neighbor: f64, perfect_px: bool, board_energy: f64) -> EnergyRecord {
        let run = record("1.png", 1, neighbor);
        let score = Score { perfect_px: Some(perfect_px), ..run.score };
        EnergyRecord { key: run.key, score, board_energy, truth_energy: 100.0 }
    }

    #[test]
    fn every_wrong_board_has_its_reason() {
        let records = [
            energy_record(1.0, true, 100.0),
            energy_record(0.9, true, 90.0),
            energy_record(0.9, false, 99.9),
            energy_record(0.9, false, 99.995),
            energy_record(0.5, false, 130.0),
        ];
        let found: Vec<Option<Reason>> = records.iter().map(EnergyRecord::reason).collect();
        let [same, matcher, search] = Reason::ALL.map(Some);
        assert_eq!(found, [None, same, matcher, search, search]);
        let counts = reasons(&records).csv();
        assert_eq!(
            counts,
            "set,type,method,puzzles,perfect,identical pieces,matcher,search\n\
             mine,2,gallagher,5,1,1,1,2\n"
        );
        let wrong = wrong_boards(&records).csv();
        assert_eq!(wrong.lines().count(), 1 + 4);
        assert!(
            wrong.ends_with("mine,2,gallagher,1.png,1,50.00,50.00,50.00,130.00,100.00,search\n"),
            "{wrong}"
        );
    }

    #[test]
    fn boards_are_those_of_solve_and_a_right_one_costs_what_the_truth_does() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("mine")).unwrap();
        write_picture(&dir.path().join("mine/1.png"), &demo_picture(112, 140, 1), None).unwrap();
        for (puzzle_type, piece_px) in
            [(PuzzleType::Type1, 28), (PuzzleType::Type2, 28), (PuzzleType::Type2, 7)]
        {
            let known = record("1.png", 3, 0.5).key;
            let key = RunKey {
                puzzle: PuzzleKey { puzzle_type, piece: (piece_px, piece_px), ..known.puzzle },
                method: MethodKey::Fretsaw { effort: Some(Effort::Fast) },
                measure: Measure::Seam,
                matcher: Matcher::Learned,
            };
            let keys = [key.clone(), key.clone()];
            let found = run(dir.path(), &keys, 2).unwrap();
            assert_eq!(found[0], found[1]);
            let EnergyRecord { score: found_score, board_energy, truth_energy, .. } = found[0];
            let (puzzle, truth) =
                key.puzzle.to_solve(key.puzzle.make(dir.path()).unwrap()).unwrap();
            let solved = solve(&puzzle, &key.settings(), &Silent).unwrap();
            assert_eq!(found_score, score(&truth, &solved.assembly).unwrap());
            assert!(board_energy > 0.0 && truth_energy > 0.0);
            if found_score.perfect {
                assert!((board_energy - truth_energy).abs() < 1e-3 * truth_energy);
            }
            // Large pieces of a drawn picture are easy.
            assert_eq!(found_score.perfect, piece_px == 28, "{found_score:?}");
        }
    }
}
