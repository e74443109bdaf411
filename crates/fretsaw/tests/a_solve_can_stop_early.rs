//! The method 'fretsaw' returns a full board however early it is stopped.

use fretsaw::observer::{Observer, Silent, Stage, Termination};
use fretsaw::picture::synthetic;
use fretsaw::puzzle::PuzzleType;
use fretsaw::unstable::methods::yu::YuSettings;
use fretsaw::verdict::Verdict;
use fretsaw::{Assembly, Effort, Method, Puzzle, Settings, Solution, score, solve};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Stops when a stage begins, or at once without a stage.
struct StopIn {
    stage: Option<Stage>,
    is_stopped: AtomicBool,
}

impl StopIn {
    fn new(stage: Option<Stage>) -> Self {
        Self { stage, is_stopped: AtomicBool::new(stage.is_none()) }
    }
}

impl Observer for StopIn {
    fn stage_started(&self, stage: Stage, _total: u64) {
        if self.stage == Some(stage) {
            self.is_stopped.store(true, Ordering::SeqCst);
        }
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }
}

fn solve_by(method: Method, kind: PuzzleType, observer: &dyn Observer) -> Solution {
    let (pieces, grid, _) = synthetic::puzzle(6, 8, 14, kind, 1);
    let puzzle = Puzzle::new(pieces.clone()).of_type(kind).board(grid);
    solve(&puzzle, &Settings { method, ..Settings::default() }, observer).unwrap()
}

#[test]
fn a_stop_before_the_first_board_waits_for_it_and_without_a_stop_a_solve_finishes() {
    let stages = [None, Some(Stage::Measure), Some(Stage::Match), Some(Stage::Assemble)];
    let mut num_stopped = 0;
    for effort in Effort::ALL {
        for kind in [PuzzleType::Type1, PuzzleType::Type2] {
            let whole = solve_by(Method::Fretsaw(effort), kind, &Silent);
            assert_eq!(whole.termination, Termination::Finished, "{effort:?} {kind:?}");
            for stage in stages {
                let outcome = solve_by(Method::Fretsaw(effort), kind, &StopIn::new(stage));
                assert_eq!(outcome.assembly.num_placed(), 48, "{effort:?} {kind:?} {stage:?}");
                if outcome.termination == Termination::Stopped {
                    num_stopped += 1;
                } else {
                    // The first board could not be improved.
                    assert_eq!(outcome.assembly, whole.assembly, "{effort:?} {kind:?} {stage:?}");
                }
            }
        }
    }
    assert!(num_stopped > 0);
}

#[test]
fn other_methods_and_type_3_ignore_stops() {
    let stop = StopIn::new(None);
    for (method, kind) in [
        (Method::Gallagher, PuzzleType::Type2),
        (Method::Yu(YuSettings::default()), PuzzleType::Type2),
        (Method::default(), PuzzleType::Type3),
    ] {
        let stopped = solve_by(method.clone(), kind, &stop);
        assert_eq!(stopped.termination, Termination::Finished, "{} {kind:?}", method.name());
        let whole = solve_by(method.clone(), kind, &Silent);
        assert_eq!(stopped.assembly, whole.assembly, "{} {kind:?}", method.name());
    }
}

#[test]
fn an_observer_is_shown_the_best_board_so_far_in_the_numbers_of_the_puzzle() {
    #[derive(Default)]
    struct Watcher(Mutex<Vec<Assembly>>);
    impl Observer for Watcher {
        fn wants_board(&self) -> bool {
            true
        }
        fn board_so_far(&self, board: &Assembly) {
            self.0.lock().unwrap().push(board.clone());
        }
    }
    let (pieces, _, truth) = synthetic::puzzle(6, 8, 14, PuzzleType::Type1, 1);
    for board in [None, Some(truth.assembly().boards()[0])] {
        let mut puzzle = Puzzle::new(pieces.clone()).of_type(PuzzleType::Type1);
        if let Some(grid) = board {
            puzzle = puzzle.board(grid);
        }
        let watcher = Watcher::default();
        let found = solve(&puzzle, &Settings::default(), &watcher).unwrap();
        assert!(score(&truth, &found.assembly).unwrap().neighbor > 0.9);
        let shown = watcher.0.into_inner().unwrap();
        assert_eq!(shown.last(), Some(&found.assembly), "{board:?}");
    }
}

#[test]
fn a_puzzle_that_is_not_quick_takes_short_cuts_after_a_stop_and_is_still_placed() {
    let (pieces, grid, truth) = synthetic::puzzle(30, 36, 14, PuzzleType::Type2, 1);
    let puzzle = Puzzle::new(pieces).board(grid);
    let settings = Settings { method: Method::Fretsaw(Effort::Fast), ..Settings::default() };
    for stage in [None, Some(Stage::Match), Some(Stage::Assemble), Some(Stage::Search)] {
        let found = solve(&puzzle, &settings, &StopIn::new(stage)).unwrap();
        // A first board that is whole needs no search.
        if matches!(stage, None | Some(Stage::Match)) {
            assert_eq!(found.termination, Termination::Stopped, "{stage:?}");
            // Nobody knows how good it is.
            assert!(!found.are_calibrated, "{stage:?}");
            assert_eq!(Verdict::new(&puzzle, &settings, &found), None, "{stage:?}");
            assert_eq!(found.clone().stand_upright(&puzzle), (found.clone(), None), "{stage:?}");
        }
        assert_eq!(found.assembly.num_placed(), 1080, "{stage:?}");
        let neighbor = score(&truth, &found.assembly).unwrap().neighbor;
        assert!(neighbor > 0.1, "{stage:?}: {neighbor}");
    }
}

/// Counts the questions whether to stop after the pieces are matched and before the next stage begins: while boards are
/// found. Stops at the first of them, if it shall.
#[derive(Default)]
struct AsksOfBoards {
    stops: bool,
    is_matched: AtomicBool,
    num_asked: AtomicUsize,
}

impl Observer for AsksOfBoards {
    fn matched(&self, _telling_share: f64) {
        self.is_matched.store(true, Ordering::SeqCst);
    }

    fn stage_started(&self, _stage: Stage, _total: u64) {
        self.is_matched.store(false, Ordering::SeqCst);
    }

    fn is_stopped(&self) -> bool {
        let is_finding = self.is_matched.load(Ordering::SeqCst);
        let num_before = self.num_asked.fetch_add(usize::from(is_finding), Ordering::SeqCst);
        self.stops && (is_finding || num_before > 0)
    }
}

#[test]
fn board_finding_asks_often_whether_to_stop_and_then_still_proposes_a_board() {
    let (pieces, ..) = synthetic::puzzle(12, 16, 14, PuzzleType::Type2, 1);
    let puzzle = Puzzle::new(pieces);
    let settings = Settings { method: Method::Fretsaw(Effort::Fast), ..Settings::default() };
    let patient = AsksOfBoards::default();
    let whole = solve(&puzzle, &settings, &patient).unwrap();
    assert_eq!(whole.assembly.num_placed(), 192);
    let num_asked = patient.num_asked.into_inner();
    assert!(num_asked > 20, "{num_asked}");

    let hasty = AsksOfBoards { stops: true, ..AsksOfBoards::default() };
    let stopped = solve(&puzzle, &settings, &hasty).unwrap();
    assert_eq!(stopped.termination, Termination::Stopped);
    let num_asked_after_stop = hasty.num_asked.into_inner();
    assert!(num_asked_after_stop < num_asked, "{num_asked_after_stop} of {num_asked}");
    assert!(!stopped.assembly.boards().is_empty());
}
