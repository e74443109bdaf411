//! From a good board to a better one: a search over boards that lowers their energy.
//!
//! The [energy](costs) is the matcher's, blind to the truth. Walks (`walk.rs`) from board to board lower it in two
//! ways: thousands of small steps while cooling down, which move a segment (`segment_move.rs`) so that a
//! likely match comes true, or exchange many pieces (`assignment_move.rs`) at once; and rebuilding
//! (`rebuild.rs`) a part of the board, where what becomes of it decides whether the walk goes on from
//! there. On a small board several walks start from several boards and now and then compare notes
//! (`together.rs`). A large one has one walk, and regions that are searched like small boards
//! (`regions.rs`).
//!
//! There may be several boards, cells that stay empty, and a shelf for pieces that belong on no board
//! (`cells.rs`): a side that touches nothing costs what a border costs. What someone said of the answer is heeded: pinned
//! pieces are never moved, and seams that contradict cost more than anything gains.
//!
//! Effort is counted in rounds and moves, never in time: the same seed gives the same board on any
//! number of threads. A small board without open seams is done at once.
//!
//! Cost: a move of a segment is a few microseconds, whatever the size of the board, most of it for
//! looking up some dozen pairs in tables larger than the cache; a round of rebuilding is linear in the
//! board or region, for all its pieces are taken up and laid down, mostly in hash tables.

mod arrangement;
mod assignment_move;
mod cells;
pub mod costs;
mod fill;
mod rebuild;
mod regions;
mod segment_move;
mod together;
mod walk;

use crate::observer::{Cancelled, Observer, Stage, Termination};
use crate::puzzle::{Assembly, AssemblyError, TurnSet};
use arrangement::Arrangement;
pub use cells::Boards;
use cells::Cells;
use costs::SeamCosts;
use walk::Snapshot;

/// How much to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchBudget {
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
    pub termination: Termination,
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

/// The energy of an assembly on these boards.
#[must_use]
pub fn energy_of(costs: &SeamCosts<'_>, boards: &Boards, assembly: &Assembly) -> f64 {
    Arrangement::new(&Cells::new(boards), costs, assembly).energy
}

/// Whether an assembly on these boards leaves nothing to do: no seam of it is open.
#[must_use]
pub fn is_done(costs: &SeamCosts<'_>, boards: &Boards, assembly: &Assembly) -> bool {
    let cells = Cells::new(boards);
    Snapshot::new(&cells, costs, Arrangement::new(&cells, costs, assembly)).is_done(&cells)
}

/// More cells are searched region by region.
const MAX_TOGETHER: usize = 4096;

/// Whether there are so many cells that they are searched region by region, from one start.
#[must_use]
pub const fn is_large(num_cells: usize) -> bool {
    num_cells > MAX_TOGETHER
}

/// The memory of pair costs while so many pieces are searched, in bytes: a square table of all pairs if the puzzle
/// is small, otherwise a cache of fixed size, and if it is large a square table for each thread that searches
/// its regions.
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

/// Looks for the assembly of least energy on these boards, beginning with those given, of which there is
/// at least one. On large boards it begins with the first of them. What a start leaves out is put where
/// there is room.
///
/// # Errors
/// If the observer cancels.
pub fn improve(
    mut costs: SeamCosts<'_>,
    boards: &Boards,
    turns: TurnSet,
    starts: &[Assembly],
    work: &SearchBudget,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Found, SearchError> {
    let cells = Cells::new(boards);
    let mut starts: Vec<Snapshot> = starts
        .iter()
        .map(|start| Snapshot::new(&cells, &costs, Arrangement::new(&cells, &costs, start)))
        .collect();
    let (best, termination) = if !is_large(cells.len()) {
        observer.stage_started(Stage::Search, together::num_rounds(&cells, work));
        if !starts.iter().any(|start| start.is_done(&cells)) {
            costs.remember_pairs();
        }
        together::search(&cells, &costs, turns, &starts, work, seed, observer)?
    } else {
        let start = starts.swap_remove(0);
        regions::search(&cells, &costs, turns, start, work, seed, observer)?
    };
    observer.stage_finished(Stage::Search);
    Ok(Found { assembly: best.board.to_assembly(&cells)?, energy: best.energy(), termination })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::{Dissimilarity, Measure, NearestSides, find_nearest};
    use crate::evaluation::score;
    use crate::matching::{MatchModel, Matcher};
    use crate::observer::Silent;
    use crate::puzzle::{Grid, GroundTruth, PieceId, PieceSet, Place, Placement, PuzzleType};
    use crate::puzzle::{QuarterTurn, Side};
    use crate::random::Stream;
    use crate::synthetic;
    use walk::{Cooling, Walk};

    /// A puzzle measured, so that judgements can borrow from it.
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

        pub(super) fn judged(&self, matcher: Matcher) -> MatchModel<'_> {
            matcher.match_sides(&self.dissimilarity, &self.nearest, self.turns, &Silent).unwrap()
        }

        /// The pieces in the order handed in, unturned: as wrong as can be.
        pub(super) fn as_handed_in(&self, frame: Grid) -> Assembly {
            let num_pieces = self.truth.assembly().num_pieces();
            let place =
                |index| Place { board: 0, cell: frame.cell_at(index), turn: QuarterTurn::ZERO };
            let placement = |index| Placement { piece: PieceId::new(index), place: place(index) };
            Assembly::new(num_pieces, vec![frame], (0..num_pieces).map(placement)).unwrap()
        }
    }

    const WORK: SearchBudget = SearchBudget { num_walks: 3, max_epochs: 4, patience: 2, rounds: 3 };

    #[test]
    fn energies_are_kept_up_to_date_and_pieces_are_neither_lost_nor_doubled() {
        for (puzzle_type, matcher) in [
            (PuzzleType::Type1, Matcher::Learned),
            (PuzzleType::Type2, Matcher::Learned),
            (PuzzleType::Type2, Matcher::Ratio),
        ] {
            let puzzle = Measured::new(7, 9, 8, puzzle_type, 3);
            let model = puzzle.judged(matcher);
            let mut costs = SeamCosts::new(&model);
            costs.remember_pairs();
            // Room for more pieces than there are, too.
            for frame in [puzzle.frame, Grid::new(8, 9).unwrap()] {
                let cells = Cells::new(&frame.into());
                let start = Arrangement::new(&cells, &costs, &puzzle.as_handed_in(frame));
                let start = Snapshot::new(&cells, &costs, start);
                let mut walk = Walk::new(&cells, &costs, puzzle.turns, start, Stream::new(1, 2));
                for round in 0..6 {
                    if round > 0 {
                        walk.rebuild();
                    }
                    walk.wander(2_000, Cooling { from: 3.0, to: 0.3 });
                    let best_energy = walk.best_energy();
                    for goes_back in [false, true] {
                        if goes_back {
                            walk.return_to_best();
                            assert_eq!(walk.now().energy(), best_energy);
                        }
                        let board = walk.board();
                        let total = board.total(&cells, &costs);
                        assert!((board.energy - total).abs() < 0.05, "{} {total}", board.energy);
                        let assembly = board.to_assembly(&cells).unwrap();
                        assert_eq!(assembly.num_placed(), 63);
                        let allowed = |p: Placement| puzzle.turns.contains(p.place.turn);
                        assert!(assembly.placements().all(allowed));
                        for cell in cells.all() {
                            for direction in Side::ALL {
                                let cost = board.seam(&cells, &costs, cell, direction);
                                assert_eq!(walk.seam_now(cell, direction), cost);
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_scrambled_board_is_put_right() {
        let puzzle = Measured::new(8, 10, 20, PuzzleType::Type2, 5);
        let model = puzzle.judged(Matcher::Learned);
        let costs = SeamCosts::new(&model);
        let start = puzzle.as_handed_in(puzzle.frame);
        let truth = energy_of(&costs, &puzzle.frame.into(), puzzle.truth.assembly());
        let before = energy_of(&costs, &puzzle.frame.into(), &start);
        let found = improve(costs, &puzzle.frame.into(), puzzle.turns, &[start], &WORK, 1, &Silent)
            .unwrap();
        assert!(truth < 0.1 * before, "{truth} {before}");
        assert!(found.energy <= truth + 0.01, "{} {truth} {before}", found.energy);
        assert!(score(&puzzle.truth, &found.assembly).unwrap().neighbor > 0.98);
        assert_eq!(found.termination, Termination::Finished);
    }

    #[test]
    fn the_same_seed_finds_the_same_board_on_any_number_of_threads() {
        let puzzle = Measured::new(7, 9, 7, PuzzleType::Type2, 9);
        let model = puzzle.judged(Matcher::Learned);
        let starts = [puzzle.as_handed_in(puzzle.frame)];
        let found = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let costs = SeamCosts::new(&model);
            pool.install(|| {
                improve(costs, &puzzle.frame.into(), puzzle.turns, &starts, &WORK, 4, &Silent)
                    .unwrap()
            })
        };
        let alone = found(1);
        assert_eq!(alone, found(3));
        assert!(alone.energy > 0.0);
    }

    #[test]
    fn small_and_large_puzzles_pay_the_same_for_a_seam() {
        let puzzle = Measured::new(5, 6, 8, PuzzleType::Type2, 2);
        let model = puzzle.judged(Matcher::Learned);
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
        let model = puzzle.judged(Matcher::Learned);
        let start = puzzle.as_handed_in(puzzle.frame);
        let starts = std::slice::from_ref(&start);
        let found = |to_stop| {
            let costs = SeamCosts::new(&model);
            improve(costs, &puzzle.frame.into(), puzzle.turns, starts, &WORK, 1, &Asks { to_stop })
        };
        let stopped = found(true).unwrap();
        assert_eq!((stopped.assembly, stopped.termination), (start.clone(), Termination::Stopped));
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
            let model = puzzle.judged(Matcher::Learned);
            let truth = puzzle.truth.assembly();
            let costs = SeamCosts::new(&model);
            let cells = Cells::new(&puzzle.frame.into());
            let start = Arrangement::new(&cells, &costs, truth);
            if Snapshot::new(&cells, &costs, start).is_done(&cells) {
                let starts = std::slice::from_ref(truth);
                let found =
                    improve(costs, &puzzle.frame.into(), puzzle.turns, starts, &WORK, 1, &NoWork)
                        .unwrap();
                assert_eq!(&found.assembly, truth);
                num_done += 1;
            }
        }
        assert!(num_done > 0, "{num_done}");
    }
}
