//! A computation ends soon after its observer cancels it.

use crate::by_ratio;
use fretsaw::observer::{Cancelled, Observer, Stage};
use fretsaw::picture::synthetic;
use fretsaw::puzzle::PuzzleType;
use fretsaw::unstable::dissimilarity::Measure;
use fretsaw::{Method, Puzzle, Settings, SolveError, solve};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Cancels when a stage begins, or after some work in it.
struct CancelIn {
    stage: Stage,
    after: u64,
    is_cancelled: AtomicBool,
    done: AtomicU64,
    /// Work reported after cancelling.
    late: AtomicU64,
}

impl CancelIn {
    fn new(stage: Stage, after: u64) -> Self {
        let (is_cancelled, done, late) = Default::default();
        Self { stage, after, is_cancelled, done, late }
    }

    fn check(&self, stage: Stage) {
        if stage == self.stage && self.done.load(Ordering::SeqCst) >= self.after {
            self.is_cancelled.store(true, Ordering::SeqCst);
        }
    }
}

impl Observer for CancelIn {
    fn stage_started(&self, stage: Stage, _total: u64) {
        self.check(stage);
    }

    fn stage_advanced(&self, stage: Stage, units: u64) {
        if self.is_cancelled() {
            self.late.fetch_add(units, Ordering::SeqCst);
        }
        if stage == self.stage {
            self.done.fetch_add(units, Ordering::SeqCst);
        }
        self.check(stage);
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::SeqCst)
    }
}

fn solve_by(method: Method, observer: &CancelIn, measure: Measure) -> Result<(), SolveError> {
    let (pieces, grid, _) = synthetic::puzzle(12, 16, 14, PuzzleType::Type2, 1);
    let puzzle = Puzzle::new(pieces.clone()).of_type(PuzzleType::Type2).board(grid);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| solve(&puzzle, &by_ratio(method, measure), observer)).map(drop)
}

#[test]
fn measuring_stops_at_the_next_tile() {
    for measure in [Measure::Mgc, Measure::Lpq] {
        for after in [0, 1, 3] {
            let observer = CancelIn::new(Stage::Measure, after);
            let result = solve_by(Method::default(), &observer, measure);
            assert_eq!(result, Err(SolveError::Cancelled(Cancelled)), "{measure:?} {after}");
            // The other thread may be in the middle of a tile.
            assert!(observer.late.load(Ordering::SeqCst) <= 2, "{measure:?} {after}");
        }
    }
}

#[test]
fn assembling_stops_before_and_while_filling() {
    for method in Method::NAMES.map(|name| Method::from_name(name).unwrap()) {
        // Filling first reports the pieces that are already placed.
        for after in [0, 1, 100] {
            let observer = CancelIn::new(Stage::Assemble, after);
            let result = solve_by(method.clone(), &observer, Measure::Mgc);
            assert_eq!(result, Err(SolveError::Cancelled(Cancelled)), "{} {after}", method.name());
        }
    }
}

#[test]
fn turning_stops_before_the_turns_are_estimated() {
    let (pieces, grid, _) = synthetic::puzzle(6, 8, 14, PuzzleType::Type3, 1);
    let puzzle = Puzzle::new(pieces.clone()).of_type(PuzzleType::Type3).board(grid);
    let observer = CancelIn::new(Stage::Rotate, 0);
    let result = solve(&puzzle, &Settings::default(), &observer).map(drop);
    assert_eq!(result, Err(SolveError::Cancelled(Cancelled)));
}

#[test]
fn an_observer_that_never_cancels_gets_an_answer() {
    let observer = CancelIn::new(Stage::Assemble, u64::MAX);
    assert_eq!(solve_by(Method::default(), &observer, Measure::Mgc), Ok(()));
}
