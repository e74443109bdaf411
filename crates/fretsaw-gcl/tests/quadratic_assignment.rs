//! Locations by quadratic assignment: small type 1 puzzles, from pixels to a board.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure, NearestSettings, NearestSides, find_nearest};
use fretsaw::evaluation::score;
use fretsaw_gcl::alternatives::quadratic_assignment::{MAX_CELLS, QapError, QapForm, QapSettings};
use fretsaw::unstable::locations::{LocationError, LocationProblem, LocationSolver};
use fretsaw::unstable::matching::MatchModel;
use fretsaw::observer::{Cancelled, Observer, Silent};
use fretsaw::puzzle::{Assembly, Grid, PieceSet, PuzzleType, TurnSet};
use fretsaw::synthetic;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Lets the solver solve the type 1 puzzle of these pieces, or one whose pieces may need these turns.
fn locate(
    settings: &QapSettings,
    (dissimilarity, nearest): &(Dissimilarity, NearestSides),
    frame: Grid,
    turns: TurnSet,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Assembly, LocationError> {
    let model = MatchModel::by_ratio(dissimilarity, nearest);
    settings.locate(&LocationProblem { model: &model, frame, turns, seed }, observer)
}

fn candidates(pieces: &PieceSet) -> (Dissimilarity, NearestSides) {
    let dissimilarity = Dissimilarity::new(pieces, Measure::Mgc).unwrap();
    let nearest =
        find_nearest(&dissimilarity, TurnSet::None, &NearestSettings::default(), &Silent).unwrap();
    (dissimilarity, nearest)
}

#[test]
fn a_small_picture_is_put_together() {
    for seed in 1..4 {
        let (pieces, grid, truth) = synthetic::puzzle(6, 8, 28, PuzzleType::Type1, seed);
        let candidates = candidates(&pieces);
        let settings = QapSettings::default();
        let assembly = locate(&settings, &candidates, grid, TurnSet::None, seed, &Silent).unwrap();
        let score = score(&truth, &assembly).unwrap();
        assert_eq!(score.placed, 48);
        assert!(score.direct >= 0.9, "seed {seed}: {score:?}");
    }
}

#[test]
fn every_form_places_every_piece_the_same_on_any_number_of_threads() {
    let (pieces, grid, _) = synthetic::puzzle(5, 7, 12, PuzzleType::Type1, 2);
    let candidates = candidates(&pieces);
    for form in [QapForm::Directed, QapForm::Undirected, QapForm::UndirectedDiagonal] {
        let settings = QapSettings { form, num_starts: 4, ..Default::default() };
        let answer = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| locate(&settings, &candidates, grid, TurnSet::None, seed, &Silent))
                .unwrap()
        };
        let alone = answer(1, 7);
        assert_eq!(alone.num_placed(), 35);
        for threads in [2, 5] {
            assert_eq!(answer(threads, 7), alone, "{form:?} on {threads}");
        }
    }
}

/// Asks to stop after some questions.
struct Patience(AtomicUsize);

impl Observer for Patience {
    fn is_cancelled(&self) -> bool {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
            .is_err()
    }
}

#[test]
fn it_stops_when_asked() {
    let (pieces, grid, _) = synthetic::puzzle(5, 7, 12, PuzzleType::Type1, 2);
    let candidates = candidates(&pieces);
    // Before the warm-up, within it, and after it.
    for questions in [0, 30, 51] {
        let observer = Patience(AtomicUsize::new(questions));
        let settings = QapSettings { num_starts: 1, ..Default::default() };
        let answer = locate(&settings, &candidates, grid, TurnSet::None, 0, &observer);
        assert_eq!(answer, Err(LocationError::Cancelled(Cancelled)), "after {questions}");
    }
}

#[test]
fn a_large_board_is_refused_before_any_work() {
    let (pieces, _, _) = synthetic::puzzle(3, 4, 10, PuzzleType::Type1, 1);
    let candidates = candidates(&pieces);
    let grid = Grid::new(1, MAX_CELLS as u64 + 1).unwrap();
    let observer = Patience(AtomicUsize::new(0));
    let settings = QapSettings::default();
    let error = locate(&settings, &candidates, grid, TurnSet::None, 0, &observer).unwrap_err();
    let expected = QapError::TooLarge { num_cells: MAX_CELLS + 1 };
    assert_eq!(error, LocationError::Assignment(expected));
    assert!(error.to_string().contains("at most 1024"), "{error}");
}

#[test]
fn pieces_that_may_need_turning_are_refused() {
    let (pieces, grid, _) = synthetic::puzzle(3, 4, 10, PuzzleType::Type1, 1);
    let candidates = candidates(&pieces);
    let settings = QapSettings::default();
    let error = locate(&settings, &candidates, grid, TurnSet::Quarter, 1, &Silent).unwrap_err();
    assert_eq!(error, LocationError::Assignment(QapError::TurnsUnknown));
}
