//! Why boards of the method fretsaw are wrong: because the energy prefers them to the truth, or because
//! the search did not find the truth.

use crate::groups::{Scene, Way};
use crate::pools::share_threads;
use crate::set_puzzle::{picture_of, puzzle_of, settings_of};
use crate::set_run::RunKey;
use anyhow::Context;
use fretsaw::dissimilarity::{Dissimilarity, find_nearest};
use fretsaw::evaluation::{Score, score};
use fretsaw::locations::LocationProblem;
use fretsaw::methods::fretsaw::assemble;
use fretsaw::observer::Silent;
use fretsaw::picture::Scrambled;
use fretsaw::search::costs::SeamCosts;
use fretsaw::search::energy_of;
use fretsaw_cli::table::Table;
use std::path::Path;

/// Energies that differ by less are the same but for rounding.
const ROUNDING: f64 = 0.01;

/// Why a board is not the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// It looks like the truth: only pieces that are the same pixel for pixel are exchanged.
    IdenticalPieces,
    /// Its energy is lower than the truth's.
    Matcher,
    /// Its energy is not lower than the truth's, which was not found.
    Search,
}

impl Reason {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::IdenticalPieces, Self::Matcher, Self::Search];

    /// In words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::IdenticalPieces => "identical pieces",
            Self::Matcher => "matcher",
            Self::Search => "search",
        }
    }
}

/// A board and its energy, beside the truth's.
#[derive(Clone, Debug, PartialEq)]
pub struct EnergyRecord {
    /// Which run.
    pub key: RunKey,
    /// Its scores.
    pub score: Score,
    /// The energy of the board.
    pub board_energy: f64,
    /// The energy of the truth.
    pub truth_energy: f64,
}

impl EnergyRecord {
    /// Why the board is not the truth; `None` if it is.
    #[must_use]
    pub fn reason(&self) -> Option<Reason> {
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

/// Solves these puzzles with the method fretsaw, whatever method their keys name, so many at a time;
/// none may be of type 3. Records are in the order of the keys.
///
/// # Errors
/// If a picture cannot be read, cut or solved.
pub fn run(data: &Path, keys: &[RunKey], jobs: usize) -> anyhow::Result<Vec<EnergyRecord>> {
    share_threads(jobs, keys, |key| {
        let scrambled = puzzle_of(data, key)?;
        energies(key, &scrambled).with_context(|| picture_of(data, key).display().to_string())
    })
}

/// What `solve` does, with the energy at hand.
fn energies(key: &RunKey, scrambled: &Scrambled) -> anyhow::Result<EnergyRecord> {
    let Scrambled { pieces, grid: frame, truth } = scrambled;
    let turns = key.puzzle_type.turns(pieces.shape());
    let dissimilarity = Dissimilarity::new(pieces, key.measure)?;
    let nearest = find_nearest(&dissimilarity, turns, &key.matcher.candidates(), &Silent)?;
    let model = key.matcher.match_sides(&dissimilarity, &nearest, turns, &Silent)?;
    let settings = settings_of(key);
    let problem = LocationProblem { model: &model, frame: *frame, turns, seed: settings.seed };
    let board = assemble(&problem, &settings.fretsaw, &Silent)?;
    let costs = SeamCosts::new(&model);
    Ok(EnergyRecord {
        key: key.clone(),
        score: score(truth, &board.assembly)?,
        board_energy: energy_of(&costs, &(*frame).into(), &board.assembly),
        truth_energy: energy_of(&costs, &(*frame).into(), truth.assembly()),
    })
}

/// The boards that are not the truth, in the order of the records; shares are in percent.
#[must_use]
pub fn wrong_boards(records: &[EnergyRecord]) -> Table {
    let mut table = Table::new(&[
        "set",
        "type",
        "method",
        "image",
        "seed",
        "neighbor",
        "neighbor_px",
        "direct",
        "board",
        "truth",
        "why",
    ]);
    let percent = |share: f64| format!("{:.2}", 100.0 * share);
    for record in records {
        let Some(reason) = record.reason() else { continue };
        let EnergyRecord { key, score, board_energy, truth_energy } = record;
        table.push(vec![
            Scene::of(key).pictures(),
            Scene::of(key).type_number.to_string(),
            Way::of(key).method,
            key.image.clone(),
            key.seed.to_string(),
            percent(score.neighbor),
            score.neighbor_px.map_or_else(|| "-".into(), percent),
            percent(score.direct),
            format!("{board_energy:.2}"),
            format!("{truth_energy:.2}"),
            reason.name().into(),
        ]);
    }
    table
}

/// How many boards are the truth, and how many are not for which reason: by set, type and method, in
/// the order in which they come first.
#[must_use]
pub fn reasons(records: &[EnergyRecord]) -> Table {
    let mut groups: Vec<([String; 3], Vec<Option<Reason>>)> = Vec::new();
    for record in records {
        let scene = Scene::of(&record.key);
        let group = [scene.pictures(), scene.type_number.to_string(), Way::of(&record.key).method];
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, found)) => found.push(record.reason()),
            None => groups.push((group, vec![record.reason()])),
        }
    }
    let mut heading = vec!["set", "type", "method", "puzzles", "perfect"];
    heading.extend(Reason::ALL.map(Reason::name));
    let mut table = Table::new(&heading);
    for (group, found) in groups {
        let count = |reason| found.iter().filter(|&&of| of == reason).count().to_string();
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
    use crate::test_records::record;
    use fretsaw::dissimilarity::Measure;
    use fretsaw::matching::Matcher;
    use fretsaw::methods::fretsaw::Effort;
    use fretsaw::puzzle::PuzzleType;
    use fretsaw::solve::{Method, Puzzle, solve};
    use fretsaw::synthetic::demo_picture;
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
            let key = RunKey {
                method: Method::Fretsaw,
                effort: Some(Effort::Fast),
                measure: Measure::Seam,
                matcher: Matcher::Learned,
                puzzle_type,
                piece: (piece_px, piece_px),
                ..record("1.png", 3, 0.5).key
            };
            let keys = [key.clone(), key.clone()];
            let found = run(dir.path(), &keys, 2).unwrap();
            assert_eq!(found[0], found[1]);
            let EnergyRecord { score: found_score, board_energy, truth_energy, .. } = found[0];
            let Scrambled { pieces, grid, truth } = puzzle_of(dir.path(), &key).unwrap();
            let puzzle = Puzzle::new(&pieces, puzzle_type, Some(grid));
            let solved = solve(&puzzle, &settings_of(&key), &Silent).unwrap();
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
