//! From a good board to a better one: a search over full boards that lowers their energy.
//!
//! The [energy](costs) is the judge's, blind to the truth. Several walks (`walk.rs`) start from several
//! boards. A walk alternates between two ways to a lower energy: thousands of small steps while cooling
//! down, which move a segment (`segment_move.rs`) so that a likely match comes true, or
//! exchange many pieces (`assignment_move.rs`) at once; and rebuilding (`rebuild.rs`) a part of the board. What
//! became of a rebuilt board decides whether the walk goes on from it. After some rounds the walks
//! compare notes: the worse half goes on from the boards of the better half.
//!
//! Effort is counted in rounds and moves, never in time: the same seed gives the same board on any
//! number of threads. A board without open seams is done at once.
//!
//! Cost: a move of a segment is a few microseconds, whatever the size of the board, most of it for
//! looking up some dozen pairs in tables larger than the cache; a round of rebuilding is linear in the
//! board, for all pieces are taken up and laid down, mostly in hash tables.

mod arrangement;
mod assignment_move;
pub mod costs;
mod rebuild;
mod segment_move;
mod walk;

use crate::locations::segment::Position;
use crate::observer::{Cancelled, Ended, Observer, Stage, check_cancelled};
use crate::puzzle::{Assembly, AssemblyError, Grid, TurnSet};
use crate::random::Stream;
use arrangement::{Arrangement, Cells};
use costs::SeamCosts;
use rayon::prelude::*;
use walk::{Cooling, ENERGY_STEP, Snapshot, Walk, Window};

/// How much to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchWork {
    /// Walks at a time, at least 1.
    pub num_walks: usize,
    /// How often they compare notes at most.
    pub max_epochs: usize,
    /// The search ends if the best board stayed the same for so many epochs.
    pub patience: usize,
    /// Rounds of rebuilding between two comparisons, for a small board; larger ones have more.
    pub rounds: usize,
}

/// What the search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The best board.
    pub assembly: Assembly,
    /// Its energy.
    pub energy: f64,
    /// Whether the observer asked for it before the work was done.
    pub ended: Ended,
}

/// Why the search failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The observer asked to give up.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A board was not one; a defect of this crate.
    #[error("the search contradicted itself: {0}")]
    Contradiction(#[from] AssemblyError),
}

/// The energy of a board that has the frame's size.
#[must_use]
pub fn energy_of(costs: &SeamCosts<'_>, frame: Grid, assembly: &Assembly) -> f64 {
    Arrangement::new(&Cells::new(frame), costs, assembly).energy
}

/// Whether a board that has the frame's size leaves nothing to do: no seam of it is open.
#[must_use]
pub fn is_done(costs: &SeamCosts<'_>, frame: Grid, assembly: &Assembly) -> bool {
    let cells = Cells::new(frame);
    Snapshot::new(&cells, costs, Arrangement::new(&cells, costs, assembly)).is_done(&cells)
}

/// The first moves of a walk; they find most of what is to be found.
const FIRST_MOVES: Moves =
    Moves { per_open: 50, max: 100_000, cooling: Cooling { from: 2.0, to: 0.3 } };
/// The moves after rebuilding.
const MOVES: Moves = Moves { per_open: 25, max: 5_000, cooling: Cooling { from: 0.7, to: 0.3 } };

/// How hot it is between rounds: a rebuilt board that costs so much more is gone on from with
/// probability 1 / e.
const ROUND_TEMPERATURE: f32 = 10.0;

/// Half the height and width of windows, each as often as the others.
const HALF_WINDOWS: [i32; 4] = [3, 6, 12, 24];

/// Pieces of a board for one more round between two comparisons, and pieces beyond which there are no
/// more: a round takes longer on a large board, too.
const PIECES_PER_ROUND: usize = 200;
const MAX_PIECES_FOR_ROUNDS: usize = 1000;

struct Moves {
    per_open: usize,
    max: usize,
    cooling: Cooling,
}

impl Moves {
    fn of(&self, walk: &mut Walk<'_>) {
        walk.wander((self.per_open * walk.num_open()).min(self.max), self.cooling);
    }
}

/// Looks for the board of least energy, beginning with the boards given, of which there is at least
/// one and which have the frame's size.
///
/// # Errors
/// If the observer cancels.
pub fn improve(
    mut costs: SeamCosts<'_>,
    frame: Grid,
    turns: TurnSet,
    starts: &[Assembly],
    work: &SearchWork,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Found, SearchError> {
    let cells = Cells::new(frame);
    let rounds = work.rounds + cells.len().min(MAX_PIECES_FOR_ROUNDS) / PIECES_PER_ROUND;
    let total = (work.num_walks * (1 + work.max_epochs * rounds)) as u64;
    observer.stage_started(Stage::Search, total);
    let starts: Vec<Snapshot> = starts
        .iter()
        .map(|start| Snapshot::new(&cells, &costs, Arrangement::new(&cells, &costs, start)))
        .collect();
    if !starts.iter().any(|start| start.is_done(&cells)) {
        costs.remember_pairs();
    }
    let begin = |number: usize| {
        let start = starts[number % starts.len()].clone();
        Climber::new(Walk::new(&cells, &costs, turns, start, Stream::new(seed, number as u64)))
    };
    let mut climbers: Vec<Climber<'_>> =
        (0..work.num_walks.max(starts.len())).into_par_iter().map(begin).collect();
    let mut ended = Ended::Finished;
    let mut best = best_of(&climbers).clone();
    let mut unchanged = 0;
    for epoch in 0..=work.max_epochs {
        if climbers.iter().any(Climber::is_done) {
            break;
        }
        climbers.par_iter_mut().try_for_each(|climber| {
            if epoch == 0 { climber.start(observer) } else { climber.climb(rounds, observer) }
        })?;
        climbers.sort_by(|x, y| x.best.energy().total_cmp(&y.best.energy()));
        let found = best_of(&climbers);
        if found.energy() < best.energy() - ENERGY_STEP {
            best = found.clone();
            unchanged = 0;
        } else if epoch > 0 {
            unchanged += 1;
        }
        if observer.is_stopped() {
            ended = Ended::Stopped;
            break;
        }
        if unchanged >= work.patience {
            break;
        }
        let (better, worse) = climbers.split_at_mut(work.num_walks.div_ceil(2));
        for (climber, example) in worse.iter_mut().zip(better) {
            climber.go_on_from(&example.best);
        }
    }
    // One that is done has no open seams, whatever the others cost.
    let best = climbers.iter().find(|climber| climber.is_done()).map_or(&best, |done| &done.best);
    observer.stage_finished(Stage::Search);
    Ok(Found { assembly: best.board.to_assembly(&cells)?, energy: best.energy(), ended })
}

fn best_of<'c>(climbers: &'c [Climber<'_>]) -> &'c Snapshot {
    let best = climbers.iter().min_by(|x, y| x.best.energy().total_cmp(&y.best.energy()));
    &best.unwrap_or(&climbers[0]).best
}

/// A walk with what it has reached.
struct Climber<'a> {
    walk: Walk<'a>,
    current: Snapshot,
    best: Snapshot,
}

impl<'a> Climber<'a> {
    fn new(walk: Walk<'a>) -> Self {
        let current = walk.best().clone();
        Self { walk, best: current.clone(), current }
    }

    /// Whether the best board has nothing to mend.
    fn is_done(&self) -> bool {
        self.best.is_done(self.walk.cells)
    }

    fn go_on_from(&mut self, other: &Snapshot) {
        self.current.clone_from(other);
        self.best.clone_from(other);
    }

    fn take(&mut self) {
        self.current.clone_from(self.walk.best());
        if self.current.energy() < self.best.energy() {
            self.best.clone_from(&self.current);
        }
    }

    /// The first walk, over all of the board.
    fn start(&mut self, observer: &dyn Observer) -> Result<(), Cancelled> {
        check_cancelled(observer)?;
        if !observer.is_stopped() {
            FIRST_MOVES.of(&mut self.walk);
            self.take();
            observer.stage_advanced(Stage::Search, 1);
        }
        Ok(())
    }

    /// Rounds of rebuilding.
    fn climb(&mut self, rounds: usize, observer: &dyn Observer) -> Result<(), Cancelled> {
        for _ in 0..rounds {
            check_cancelled(observer)?;
            if observer.is_stopped() {
                break;
            }
            self.walk.set_on(&self.current);
            let Some(window) = self.window() else { break };
            self.walk.look_at(window);
            self.walk.rebuild();
            MOVES.of(&mut self.walk);
            let allowance = f64::from(self.walk.allowance(ROUND_TEMPERATURE));
            if self.walk.best().energy() <= self.current.energy() + allowance {
                self.take();
            }
            observer.stage_advanced(Stage::Search, 1);
        }
        Ok(())
    }

    /// A window around an open side, if there is one.
    fn window(&mut self) -> Option<Window> {
        let (cell, _) = self.walk.random_open()?;
        let Position { row, col } = self.walk.cells.position(cell);
        let half = HALF_WINDOWS[self.walk.random.below(HALF_WINDOWS.len())];
        Some(Window {
            top_left: Position { row: row - half, col: col - half },
            bottom_right: Position { row: row + half, col: col + half },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::{Dissimilarity, Measure, NearestSides, find_nearest};
    use crate::evaluation::score;
    use crate::judge::{Judge, Judgement};
    use crate::observer::Silent;
    use crate::puzzle::{GroundTruth, PieceId, PieceSet, Place, Placement, PuzzleType};
    use crate::puzzle::{QuarterTurn, Side};
    use crate::synthetic;

    /// A puzzle measured, so that judgements can borrow from it.
    struct Measured {
        frame: Grid,
        turns: TurnSet,
        truth: GroundTruth,
        dissimilarity: Dissimilarity,
        nearest: NearestSides,
    }

    impl Measured {
        fn new(rows: u32, cols: u32, piece_px: u32, puzzle_type: PuzzleType, seed: u64) -> Self {
            let (pieces, frame, truth): (PieceSet, Grid, GroundTruth) =
                synthetic::puzzle(rows, cols, piece_px, puzzle_type, seed);
            let turns = puzzle_type.turns(pieces.shape());
            let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
            let settings = Judge::Learned.candidates();
            let nearest = find_nearest(&dissimilarity, turns, &settings, &Silent).unwrap();
            Self { frame, turns, truth, dissimilarity, nearest }
        }

        fn judged(&self, judge: Judge) -> Judgement<'_> {
            judge.judge(&self.dissimilarity, &self.nearest, self.turns, &Silent).unwrap()
        }

        /// The pieces in the order handed in, unturned: as wrong as can be.
        fn as_handed_in(&self, frame: Grid) -> Assembly {
            let num_pieces = self.truth.assembly().num_pieces();
            let place =
                |index| Place { board: 0, cell: frame.cell_at(index), turn: QuarterTurn::ZERO };
            let placement = |index| Placement { piece: PieceId::new(index), place: place(index) };
            Assembly::new(num_pieces, vec![frame], (0..num_pieces).map(placement)).unwrap()
        }
    }

    const WORK: SearchWork = SearchWork { num_walks: 3, max_epochs: 4, patience: 2, rounds: 3 };

    #[test]
    fn energies_are_kept_up_to_date_and_pieces_are_neither_lost_nor_doubled() {
        for (puzzle_type, judge) in [
            (PuzzleType::Type1, Judge::Learned),
            (PuzzleType::Type2, Judge::Learned),
            (PuzzleType::Type2, Judge::Ratio),
        ] {
            let puzzle = Measured::new(7, 9, 8, puzzle_type, 3);
            let judgement = puzzle.judged(judge);
            let mut costs = SeamCosts::new(&judgement);
            costs.remember_pairs();
            // Room for more pieces than there are, too.
            for frame in [puzzle.frame, Grid::new(8, 9).unwrap()] {
                let cells = Cells::new(frame);
                let start = Arrangement::new(&cells, &costs, &puzzle.as_handed_in(frame));
                let start = Snapshot::new(&cells, &costs, start);
                let mut walk = Walk::new(&cells, &costs, puzzle.turns, start, Stream::new(1, 2));
                for round in 0..6 {
                    if round > 0 {
                        walk.rebuild();
                    }
                    walk.wander(2_000, Cooling { from: 3.0, to: 0.3 });
                    for board in [walk.board(), &walk.best().board] {
                        let total = board.total(&cells, &costs);
                        assert!((board.energy - total).abs() < 0.05, "{} {total}", board.energy);
                        let assembly = board.to_assembly(&cells).unwrap();
                        assert_eq!(assembly.num_placed(), 63);
                        let allowed = |p: Placement| puzzle.turns.contains(p.place.turn);
                        assert!(assembly.placements().all(allowed));
                    }
                    for cell in cells.all() {
                        for direction in Side::ALL {
                            let cost = walk.board().seam(&cells, &costs, cell, direction);
                            assert_eq!(walk.seam_now(cell, direction), cost);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_scrambled_board_is_put_right() {
        let puzzle = Measured::new(8, 10, 20, PuzzleType::Type2, 5);
        let judgement = puzzle.judged(Judge::Learned);
        let costs = SeamCosts::new(&judgement);
        let start = puzzle.as_handed_in(puzzle.frame);
        let truth = energy_of(&costs, puzzle.frame, puzzle.truth.assembly());
        let before = energy_of(&costs, puzzle.frame, &start);
        let found =
            improve(costs, puzzle.frame, puzzle.turns, &[start], &WORK, 1, &Silent).unwrap();
        assert!(truth < 0.1 * before, "{truth} {before}");
        assert!(found.energy <= truth + 0.01, "{} {truth} {before}", found.energy);
        assert!(score(&puzzle.truth, &found.assembly).unwrap().neighbor > 0.98);
        assert_eq!(found.ended, Ended::Finished);
    }

    #[test]
    fn the_same_seed_finds_the_same_board_on_any_number_of_threads() {
        let puzzle = Measured::new(7, 9, 7, PuzzleType::Type2, 9);
        let judgement = puzzle.judged(Judge::Learned);
        let starts = [puzzle.as_handed_in(puzzle.frame)];
        let found = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let costs = SeamCosts::new(&judgement);
            pool.install(|| {
                improve(costs, puzzle.frame, puzzle.turns, &starts, &WORK, 4, &Silent).unwrap()
            })
        };
        let alone = found(1);
        assert_eq!(alone, found(3));
        assert!(alone.energy > 0.0);
    }

    #[test]
    fn small_and_large_puzzles_pay_the_same_for_a_seam() {
        let puzzle = Measured::new(5, 6, 8, PuzzleType::Type2, 2);
        let judgement = puzzle.judged(Judge::Learned);
        let large = SeamCosts::new(&judgement);
        let mut small = SeamCosts::new(&judgement);
        small.remember_pairs();
        let sides = || (0..judgement.num_sides()).map(crate::puzzle::SideId::from_index);
        for a in sides() {
            for b in sides().filter(|b| b.piece() != a.piece()) {
                let cost = large.of(a, b);
                assert_eq!((small.of(a, b), small.of(a, b), small.of(b, a)), (cost, cost, cost));
                assert!((0.0..=costs::MAX_COST).contains(&cost));
            }
        }
    }

    #[test]
    fn a_stop_returns_the_start_and_a_cancellation_nothing() {
        struct Asks {
            to_stop: bool,
        }
        impl Observer for Asks {
            fn is_stopped(&self) -> bool {
                self.to_stop
            }
            fn is_cancelled(&self) -> bool {
                !self.to_stop
            }
        }
        let puzzle = Measured::new(5, 6, 8, PuzzleType::Type2, 2);
        let judgement = puzzle.judged(Judge::Learned);
        let start = puzzle.as_handed_in(puzzle.frame);
        let starts = std::slice::from_ref(&start);
        let found = |to_stop| {
            let costs = SeamCosts::new(&judgement);
            improve(costs, puzzle.frame, puzzle.turns, starts, &WORK, 1, &Asks { to_stop })
        };
        let stopped = found(true).unwrap();
        assert_eq!((stopped.assembly, stopped.ended), (start.clone(), Ended::Stopped));
        assert_eq!(found(false), Err(SearchError::Cancelled(Cancelled)));
    }

    #[test]
    fn a_board_without_open_seams_is_done_at_once() {
        struct NoWork;
        impl Observer for NoWork {
            fn stage_advanced(&self, stage: Stage, _: u64) {
                assert_ne!(stage, Stage::Search, "nothing to do");
            }
        }
        let mut num_done = 0;
        for seed in 1..=4 {
            let puzzle = Measured::new(8, 10, 28, PuzzleType::Type2, seed);
            let judgement = puzzle.judged(Judge::Learned);
            let truth = puzzle.truth.assembly();
            let costs = SeamCosts::new(&judgement);
            let cells = Cells::new(puzzle.frame);
            let start = Arrangement::new(&cells, &costs, truth);
            if Snapshot::new(&cells, &costs, start).is_done(&cells) {
                let starts = std::slice::from_ref(truth);
                let found =
                    improve(costs, puzzle.frame, puzzle.turns, starts, &WORK, 1, &NoWork).unwrap();
                assert_eq!(&found.assembly, truth);
                num_done += 1;
            }
        }
        assert!(num_done > 0, "{num_done}");
    }
}
