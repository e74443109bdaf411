//! Locations by quadratic assignment: small type 1 puzzles, from pixels to a board.

use fretsaw::evaluation::score;
use fretsaw::observer::{Cancelled, Observer, Silent};
use fretsaw::picture::synthetic;
use fretsaw::puzzle::{Assembly, Grid, PieceSet, PieceShape, PuzzleType, Samples, TurnSet};
use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
use fretsaw::unstable::locations::{LocationError, LocationProblem, LocationSolver};
use fretsaw::unstable::matching::{MatchModel, Matcher};
use fretsaw_gcl::alternatives::quadratic_assignment::{MAX_CELLS, QapForm, QapSettings};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Solves the puzzle of these upright pieces, which may need these turns.
fn locate(
    settings: &QapSettings,
    pieces: &PieceSet,
    frame: Grid,
    turns: TurnSet,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Assembly, LocationError> {
    let (matcher, candidates) = (Matcher::Ratio, NearestSettings::default());
    let dissimilarity = Dissimilarity::new(pieces, Measure::Mgc).unwrap();
    let nearest = find_nearest(&dissimilarity, TurnSet::None, &candidates, &Silent).unwrap();
    let model = MatchModel::by_ratio(&dissimilarity, &nearest);
    let problem =
        LocationProblem { model: &model, frame, turns, seed, pieces, matcher, candidates };
    settings.locate(&problem, observer)
}

#[test]
fn a_small_picture_is_solved() {
    for seed in 1..4 {
        let (pieces, grid, truth) = synthetic::puzzle(6, 8, 28, PuzzleType::Type1, seed);
        let settings = QapSettings::default();
        let assembly = locate(&settings, &pieces, grid, TurnSet::None, seed, &Silent).unwrap();
        let score = score(&truth, &assembly).unwrap();
        assert_eq!(score.placed, 48);
        assert!(score.direct >= 0.9, "seed {seed}: {score:?}");
    }
}

#[test]
fn every_form_places_every_piece_the_same_on_any_number_of_threads() {
    let (pieces, grid, _) = synthetic::puzzle(5, 7, 12, PuzzleType::Type1, 2);
    for form in [QapForm::Directed, QapForm::Undirected, QapForm::UndirectedDiagonal] {
        let settings = QapSettings { form, num_starts: 4, ..Default::default() };
        let answer = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| locate(&settings, &pieces, grid, TurnSet::None, seed, &Silent)).unwrap()
        };
        let alone = answer(1, 7);
        assert_eq!(alone.num_placed(), 35);
        for threads in [2, 5] {
            assert_eq!(answer(threads, 7), alone, "{form:?} on {threads}");
        }
    }
}

/// Cancels after this many checks.
struct Patience(AtomicUsize);

impl Observer for Patience {
    fn is_cancelled(&self) -> bool {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
            .is_err()
    }
}

#[test]
fn it_can_be_cancelled() {
    let (pieces, grid, _) = synthetic::puzzle(5, 7, 12, PuzzleType::Type1, 2);
    // Before the warm-up, within it, and after it.
    for questions in [0, 30, 51] {
        let observer = Patience(AtomicUsize::new(questions));
        let settings = QapSettings { num_starts: 1, ..Default::default() };
        let answer = locate(&settings, &pieces, grid, TurnSet::None, 0, &observer);
        assert_eq!(answer, Err(LocationError::Cancelled(Cancelled)), "after {questions}");
    }
}

#[test]
fn a_large_board_is_refused_before_any_work() {
    let (pieces, _, _) = synthetic::puzzle(3, 4, 10, PuzzleType::Type1, 1);
    let grid = Grid::new(1, MAX_CELLS as u64 + 1).unwrap();
    let observer = Patience(AtomicUsize::new(0));
    let settings = QapSettings::default();
    let error = locate(&settings, &pieces, grid, TurnSet::None, 0, &observer).unwrap_err();
    assert!(matches!(error, LocationError::Unsuitable(_)));
    assert!(error.to_string().contains("at most 1024"), "{error}");
}

#[test]
fn pieces_that_may_need_turning_are_refused() {
    let (pieces, grid, _) = synthetic::puzzle(3, 4, 10, PuzzleType::Type1, 1);
    let settings = QapSettings::default();
    let error = locate(&settings, &pieces, grid, TurnSet::Quarter, 1, &Silent).unwrap_err();
    assert!(matches!(error, LocationError::Unsuitable(_)));
    assert!(error.to_string().contains("type 1"), "{error}");
}

#[test]
fn pieces_that_are_all_the_same_fill_the_board() {
    let shape = PieceShape::new(6, 6).unwrap();
    let pieces = PieceSet::new(shape, 1, Samples::U8(vec![90; 36 * 80])).unwrap();
    let grid = Grid::new(8, 10).unwrap();
    let settings = QapSettings::default();
    let board = locate(&settings, &pieces, grid, TurnSet::None, 1, &Silent).unwrap();
    assert_eq!(board.num_placed(), 80);
}
