//! The search: lowers the energy of a board by moving pieces, without knowing the truth.
//!
//! In: a [`SearchProblem`] (costs of seams, boards, turns, seed), one or more boards to start from, and a
//! [`SearchBudget`]. Out: the board of least energy that was found. The energy is the sum of the costs of all seams
//! and borders ([`costs`]).
//!
//! The idea is simulated annealing combined with a large-neighbourhood search:
//!
//! 1. Annealing (`annealer.rs`) makes thousands of small moves while the temperature falls. A move carries a segment of
//!    pieces to where a likely pair of sides touches (`segment_move.rs`), or exchanges the pieces of many cells optimally
//!    (`assignment_move.rs`). The acceptance rule of Metropolis and the temperatures are in `acceptance.rs`.
//! 2. Destroy and repair (`destroy_and_repair.rs`) breaks doubtful seams of a window and assembles it again;
//!    annealing follows, and the same rule accepts or rejects the result. `insertion.rs` puts single pieces into holes.
//!
//! On a small board several chains do this and exchange their best boards (`multi_start.rs`); a board whose edges lie in
//! the middle of the picture is shifted as a whole (`wrap_around.rs`), and whole rows and columns are put into their best
//! order (`band_order.rs`). A large board is annealed as a whole, and then divided into regions, each of which is searched like a small board
//! (`domain_decomposition.rs`, `region.rs`, `checkpoint.rs`).
//!
//! The state of a search is in `board_state.rs` (pieces in cells, costs of seams), `open_sides.rs` (the seams worth
//! improving) and `cells.rs`: several boards, cells that stay empty, pinned pieces, and slots for pieces that stay
//! unplaced. A side that touches nothing costs as much as a border. Pinned pieces never move, and seams that violate a
//! constraint cost more than any move can gain.
//!
//! The budget counts rounds and moves, never time: the same seed gives the same board on any number of threads. A
//! small board without open seams is returned at once.
//!
//! Cost: a segment move takes a few microseconds, whatever the size of the board; most of that is looking up
//! some dozens of pairs in tables larger than the cache. A destroy-and-repair round is linear in the board or region.

mod acceptance;
mod annealer;
mod assignment_move;
mod band_order;
mod board_state;
mod budget;
mod cells;
mod checkpoint;
pub mod costs;
mod destroy_and_repair;
mod domain_decomposition;
mod edge_costs;
mod insertion;
mod multi_start;
mod open_sides;
mod region;
mod segment_move;
mod wrap_around;

use crate::locations::LocationError;
use crate::observer::{Observer, Stage, Termination};
use crate::puzzle::{Assembly, TurnSet, is_large};
use board_state::{BoardState, ScoredBoard};
pub use budget::{DecompositionBudget, MultiStartBudget, SearchBudget};
pub use cells::Boards;
use cells::Cells;
use costs::SeamCosts;

/// A search problem: the energy, and the boards that it is defined on.
#[derive(Debug)]
pub struct SearchProblem<'a> {
    /// The costs of seams and borders.
    pub costs: SeamCosts<'a>,
    /// The boards.
    pub boards: &'a Boards,
    /// The turns that pieces may have.
    pub turns: TurnSet,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The best board.
    pub assembly: Assembly,
    /// Its energy.
    pub energy: f64,
    /// Whether the search finished or the observer stopped it.
    pub termination: Termination,
}

/// Where pieces may lie, and what that costs.
#[derive(Clone, Copy, Debug)]
struct SearchSpace<'a> {
    cells: &'a Cells,
    costs: &'a SeamCosts<'a>,
    turns: TurnSet,
}

/// The memory of pair costs during a search of this many pieces, in bytes: a square table of all pairs for a small
/// puzzle, otherwise a cache of fixed size; for a large board also a square table for each thread, which searches
/// a region.
pub(crate) fn table_bytes(num_pieces: usize, num_threads: usize) -> u64 {
    const CACHE: u64 = 32 << 20;
    let num_sides = 4 * num_pieces;
    let all_pairs = |num_sides: usize| 4 * (num_sides as u64).pow(2);
    if num_sides <= costs::MAX_SIDES_OF_ALL_PAIRS {
        all_pairs(num_sides)
    } else if is_large(num_pieces) {
        CACHE + num_threads as u64 * all_pairs(costs::MAX_SIDES_OF_ALL_PAIRS)
    } else {
        CACHE
    }
}

/// The energy of an assembly on these boards.
pub fn energy_of(costs: &SeamCosts<'_>, boards: &Boards, assembly: &Assembly) -> f64 {
    // The energy does not depend on the allowed turns.
    let space = SearchSpace { cells: &Cells::new(boards), costs, turns: TurnSet::None };
    BoardState::new(space, assembly).energy
}

/// Whether an assembly on these boards has no open seam, so that there is nothing to improve.
pub fn has_no_open_seam(costs: &SeamCosts<'_>, boards: &Boards, assembly: &Assembly) -> bool {
    let cells = Cells::new(boards);
    let space = SearchSpace { cells: &cells, costs, turns: TurnSet::None };
    ScoredBoard::new(space, BoardState::new(space, assembly)).has_no_open_seam(space)
}

impl SearchProblem<'_> {
    /// Looks for the assembly of least energy, from at least one start; on large boards from the first start only.
    /// Pieces that a start leaves out are put into empty cells.
    pub fn improve(
        mut self,
        starts: &[Assembly],
        budget: &SearchBudget,
        observer: &dyn Observer,
    ) -> Result<SearchResult, LocationError> {
        let cells = Cells::new(self.boards);
        let space = SearchSpace { cells: &cells, costs: &self.costs, turns: self.turns };
        let score = |start| ScoredBoard::new(space, BoardState::new(space, start));
        let (best, termination) = if is_large(self.costs.num_pieces()) {
            let start = score(&starts[0]);
            domain_decomposition::search(space, start, &budget.large, self.seed, observer)?
        } else {
            let starts: Vec<ScoredBoard> = starts.iter().map(score).collect();
            observer.stage_started(Stage::Search, multi_start::num_rounds(&cells, &budget.small));
            if !starts.iter().any(|start| start.has_no_open_seam(space)) {
                self.costs.remember_pairs();
            }
            let space = SearchSpace { cells: &cells, costs: &self.costs, turns: self.turns };
            let (best, termination) =
                multi_start::search(space, &starts, &budget.small, self.seed, observer)?;
            // A stopped search returns what it found.
            let is_finished = termination == Termination::Finished;
            let shifted = is_finished.then(|| wrap_around::improve(space, &best)).flatten();
            let best = shifted.unwrap_or(best);
            let ordered = is_finished.then(|| band_order::improve(space, &best)).flatten();
            (ordered.unwrap_or(best), termination)
        };
        observer.stage_finished(Stage::Search);
        let assembly = best.board.to_assembly(&cells)?;
        Ok(SearchResult { assembly, energy: best.energy(), termination })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::{Dissimilarity, Measure, NearestSides, find_nearest};
    use crate::evaluation::score;
    use crate::matching::{MatchModel, Matcher};
    use crate::observer::{Cancelled, Silent};
    use crate::picture::synthetic;
    use crate::puzzle::QuarterTurn;
    use crate::puzzle::{Grid, GroundTruth, PieceId, PieceSet, Place, Placement, PuzzleType};
    use crate::random::Stream;
    use acceptance::TemperatureSchedule;
    use annealer::Annealer;

    /// A puzzle with its candidates, which match models borrow.
    pub(super) struct Measured {
        pub(super) frame: Grid,
        pub(super) turns: TurnSet,
        truth: GroundTruth,
        dissimilarity: Dissimilarity,
        nearest: NearestSides,
    }

    impl Measured {
        pub(super) fn new(
            rows: u32,
            cols: u32,
            piece_px: u32,
            puzzle_type: PuzzleType,
            seed: u64,
        ) -> Self {
            let (pieces, frame, truth): (PieceSet, Grid, GroundTruth) =
                synthetic::puzzle(rows, cols, piece_px, puzzle_type, seed);
            let turns = puzzle_type.turns(pieces.shape());
            let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
            let settings = Matcher::Learned.candidates();
            let nearest = find_nearest(&dissimilarity, turns, &settings, &Silent).unwrap();
            Self { frame, turns, truth, dissimilarity, nearest }
        }

        pub(super) fn matched(&self, matcher: Matcher) -> MatchModel<'_> {
            matcher.match_sides(&self.dissimilarity, &self.nearest, self.turns, &Silent).unwrap()
        }

        pub(super) fn truth_assembly(&self) -> &Assembly {
            self.truth.assembly()
        }

        /// The pieces in the order of the input, unturned: a bad start.
        pub(super) fn in_input_order(&self, frame: Grid) -> Assembly {
            let num_pieces = self.truth.assembly().num_pieces();
            let place =
                |index| Place { board: 0, cell: frame.cell_at(index), turn: QuarterTurn::ZERO };
            let placement = |index| Placement { piece: PieceId::new(index), place: place(index) };
            Assembly::new(num_pieces, vec![frame], (0..num_pieces).map(placement)).unwrap()
        }
    }

    pub(super) const REGION_BUDGET: MultiStartBudget =
        MultiStartBudget { num_chains: 2, max_epochs: 9, patience: 1, rounds_per_epoch: 1 };

    const BUDGET: SearchBudget = SearchBudget {
        small: MultiStartBudget { num_chains: 3, max_epochs: 4, patience: 2, rounds_per_epoch: 3 },
        large: DecompositionBudget {
            moves_per_open_side: 450,
            max_passes: 1,
            max_failures: 1,
            region: REGION_BUDGET,
        },
    };

    /// The problem of a puzzle on its own frame.
    fn improve(
        puzzle: &Measured,
        costs: SeamCosts<'_>,
        starts: &[Assembly],
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<SearchResult, LocationError> {
        let boards = &puzzle.frame.into();
        let problem = SearchProblem { costs, boards, turns: puzzle.turns, seed };
        problem.improve(starts, &BUDGET, observer)
    }

    #[test]
    fn energies_stay_up_to_date_and_no_piece_is_lost_or_duplicated() {
        for (puzzle_type, matcher) in [
            (PuzzleType::Type1, Matcher::Learned),
            (PuzzleType::Type2, Matcher::Learned),
            (PuzzleType::Type2, Matcher::Ratio),
        ] {
            let puzzle = Measured::new(7, 9, 8, puzzle_type, 3);
            let model = puzzle.matched(matcher);
            let mut costs = SeamCosts::new(&model);
            costs.remember_pairs();
            // The second frame has more cells than pieces.
            for frame in [puzzle.frame, Grid::new(8, 9).unwrap()] {
                let cells = Cells::new(&frame.into());
                let space = SearchSpace { cells: &cells, costs: &costs, turns: puzzle.turns };
                let start = BoardState::new(space, &puzzle.in_input_order(frame));
                let start = ScoredBoard::new(space, start);
                let mut annealer = Annealer::new(space, start, Stream::new(1, 2));
                for round in 0..6 {
                    if round > 0 {
                        annealer.destroy_and_repair();
                    }
                    annealer.anneal(2_000, TemperatureSchedule { from: 3.0, to: 0.3 });
                    let best_energy = annealer.best_energy();
                    for goes_back in [false, true] {
                        if goes_back {
                            annealer.return_to_best();
                            assert_eq!(annealer.current().energy(), best_energy);
                        }
                        let board = annealer.board();
                        let total = board.total(space);
                        assert!((board.energy - total).abs() < 0.05, "{} {total}", board.energy);
                        let assembly = board.to_assembly(&cells).unwrap();
                        assert_eq!(assembly.num_placed(), 63);
                        let allowed = |p: Placement| puzzle.turns.contains(p.place.turn);
                        assert!(assembly.placements().all(allowed));
                        for (cell, direction) in cells.all_sides() {
                            let cost = board.seam(space, cell, direction);
                            assert_eq!(annealer.seam_cost(cell, direction), cost);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_shuffled_board_is_solved() {
        let puzzle = Measured::new(8, 10, 20, PuzzleType::Type2, 5);
        let model = puzzle.matched(Matcher::Learned);
        let costs = SeamCosts::new(&model);
        let start = puzzle.in_input_order(puzzle.frame);
        let truth = energy_of(&costs, &puzzle.frame.into(), puzzle.truth.assembly());
        let before = energy_of(&costs, &puzzle.frame.into(), &start);
        let found = improve(&puzzle, costs, &[start], 1, &Silent).unwrap();
        assert!(truth < 0.1 * before, "{truth} {before}");
        assert!(found.energy <= truth + 0.01, "{} {truth} {before}", found.energy);
        assert!(score(&puzzle.truth, &found.assembly).unwrap().neighbor > 0.98);
        assert_eq!(found.termination, Termination::Finished);
    }

    #[test]
    fn the_same_seed_finds_the_same_board_on_any_number_of_threads() {
        let puzzle = Measured::new(7, 9, 7, PuzzleType::Type2, 9);
        let model = puzzle.matched(Matcher::Learned);
        let starts = [puzzle.in_input_order(puzzle.frame)];
        let found = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let costs = SeamCosts::new(&model);
            pool.install(|| improve(&puzzle, costs, &starts, 4, &Silent).unwrap())
        };
        let alone = found(1);
        assert_eq!(alone, found(3));
        assert!(alone.energy > 0.0);
    }

    #[test]
    fn a_seam_costs_the_same_in_small_and_large_puzzles() {
        let puzzle = Measured::new(5, 6, 8, PuzzleType::Type2, 2);
        let model = puzzle.matched(Matcher::Learned);
        let large = SeamCosts::new(&model);
        let mut small = SeamCosts::new(&model);
        small.remember_pairs();
        let sides = || (0..model.num_sides()).map(crate::puzzle::SideId::from_index);
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
        let model = puzzle.matched(Matcher::Learned);
        let start = puzzle.in_input_order(puzzle.frame);
        let starts = std::slice::from_ref(&start);
        let found = |to_stop| {
            let costs = SeamCosts::new(&model);
            improve(&puzzle, costs, starts, 1, &Asks { to_stop })
        };
        let stopped = found(true).unwrap();
        assert_eq!((stopped.assembly, stopped.termination), (start.clone(), Termination::Stopped));
        assert_eq!(found(false), Err(LocationError::Cancelled(Cancelled)));
    }

    #[test]
    fn a_board_without_open_seams_is_returned_at_once() {
        struct NoWork;
        impl Observer for NoWork {
            fn stage_advanced(&self, stage: Stage, _: u64) {
                assert_ne!(stage, Stage::Search, "nothing to do");
            }
        }
        let mut num_done = 0;
        for seed in 1..=4 {
            let puzzle = Measured::new(8, 10, 28, PuzzleType::Type2, seed);
            let model = puzzle.matched(Matcher::Learned);
            let truth = puzzle.truth.assembly();
            let costs = SeamCosts::new(&model);
            let boards = &puzzle.frame.into();
            if has_no_open_seam(&costs, boards, truth) {
                let problem = SearchProblem { costs, boards, turns: puzzle.turns, seed: 1 };
                let starts = std::slice::from_ref(truth);
                let found = problem.improve(starts, &BUDGET, &NoWork).unwrap();
                assert_eq!(&found.assembly, truth);
                num_done += 1;
            }
        }
        assert!(num_done > 0, "{num_done}");
    }
}
