//! Domain decomposition: a large board is searched region by region.
//!
//! First, annealing on the whole board, so hot that all pieces come loose except the certain ones, brings pieces
//! to where they belong. This is nearly all of the gain. Then come several passes. Each divides the board into
//! square regions, along other lines than before, and searches the regions with open seams like small puzzles
//! (`region.rs`). Regions lie one cell apart, so that they do not touch and are searched in parallel. A
//! short annealing run on the whole board ends the pass. Regions that were searched without success are
//! skipped until something changes in them. The search ends when no region is left, or after the last pass.
//!
//! The search proceeds in steps: a part of an annealing run, or a few regions. Its state between two steps can be
//! saved (`checkpoint.rs`); a search that continues from it gives the same result.
//!
//! Cost: linear in the number of open sides, plus a few copies of the board for each step. Only the annealing of
//! the whole board is limited to one thread.

use super::acceptance::TemperatureSchedule;
use super::annealer::Annealer;
use super::board_state::ScoredBoard;
use super::budget::DecompositionBudget;
use super::region::{divide, optimize_region};
use super::{SearchSpace, checkpoint};
use crate::locations::segment::Rectangle;
use crate::observer::{Cancelled, Observer, Stage, Termination, check_cancelled};
use crate::random::Stream;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Rows and columns of the regions, which alternate from pass to pass. A large region, with the pieces around it, is
/// just small enough to be searched as a whole; the sides of a small one are few enough for
/// [`super::costs::SeamCosts`] to store all pairs.
const SIZES: [i32; 2] = [62, 30];

/// The first annealing run starts hotter than the cost of any seam, so that whole segments come loose, and ends while
/// pieces still settle; later runs are colder. Colder starts end at much higher energies
/// (`docs/decisions/0010-large-boards.md`).
const FIRST_SCHEDULE: TemperatureSchedule = TemperatureSchedule { from: 16.0, to: 2.0 };

/// The annealing runs after each pass.
const SCHEDULE: TemperatureSchedule = TemperatureSchedule { from: 0.7, to: 0.3 };
const MOVES_PER_OPEN_SIDE: usize = 25;

/// Steps of the first annealing run and of later ones, for every [`CELLS_PER_STEPS`] cells, and regions per step. A step
/// takes some seconds at most.
const FIRST_RUN_STEPS: usize = 64;
const RUN_STEPS: usize = 1;
const CELLS_PER_STEPS: usize = 30_000;
const REGIONS_PER_STEP: usize = 16;

/// Progress is reported in thousandths; the first annealing run counts for this many.
const UNITS: u64 = 1000;
const FIRST_RUN_UNITS: u64 = 700;

/// The next step of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Step {
    Anneal { part: usize },
    Regions { regions: Vec<Rectangle>, num_done: usize },
}

/// A search in progress.
pub(super) struct Search<'a> {
    pub(super) annealer: Annealer<'a>,
    /// The board before the current annealing run, which may end at a higher energy.
    pub(super) before: ScoredBoard,
    /// By cell, how often its region was searched without success since it last changed.
    pub(super) num_failures: Vec<u8>,
    /// Pass 0 is the first annealing run.
    pub(super) pass: usize,
    pub(super) step: Step,
    budget: DecompositionBudget,
    seed: u64,
}

/// The board of least energy that was found from a start, or from the saved state of a search.
pub(super) fn search(
    space: SearchSpace<'_>,
    start: ScoredBoard,
    budget: &DecompositionBudget,
    seed: u64,
    observer: &dyn Observer,
) -> Result<(ScoredBoard, Termination), Cancelled> {
    observer.stage_started(Stage::Search, UNITS);
    let annealer = Annealer::new(space, start, Stream::new(seed, 0));
    let mut search = Search::new(annealer, budget, seed);
    let checkpoints = observer.checkpoints();
    if let Some(saved) = checkpoints.and_then(|checkpoints| checkpoints.load(Stage::Search)) {
        checkpoint::restore(&mut search, &saved);
    }
    let mut reported = 0;
    loop {
        let done = search.progress();
        observer.stage_advanced(Stage::Search, done - reported);
        reported = done;
        search.better_known().show(space, observer);
        check_cancelled(observer)?;
        if observer.is_stopped() {
            return Ok((search.into_best(), Termination::Stopped));
        }
        if let Some(checkpoints) = checkpoints.filter(|checkpoints| checkpoints.is_due()) {
            checkpoints.save(Stage::Search, checkpoint::save(&search));
        }
        if !search.take_step(observer)? {
            return Ok((search.into_best(), Termination::Finished));
        }
    }
}

impl<'a> Search<'a> {
    fn new(mut annealer: Annealer<'a>, budget: &DecompositionBudget, seed: u64) -> Self {
        annealer.place_all_pieces();
        Self {
            before: annealer.current().clone(),
            num_failures: vec![0; annealer.space.cells.len()],
            annealer,
            pass: 0,
            step: Step::Anneal { part: 0 },
            budget: *budget,
            seed,
        }
    }

    /// The better of the current board and the one before the current annealing run.
    fn better_known(&self) -> &ScoredBoard {
        let current = self.annealer.current();
        if current.energy() <= self.before.energy() { current } else { &self.before }
    }

    fn into_best(mut self) -> ScoredBoard {
        self.annealer.return_to_best();
        if self.annealer.current().energy() <= self.before.energy() {
            self.annealer.into_current()
        } else {
            self.before
        }
    }

    /// How much of the work is done, in [`UNITS`], if all passes are needed.
    fn progress(&self) -> u64 {
        let share = |done: usize, of: usize, units: u64| units * done as u64 / of.max(1) as u64;
        let per_pass = (UNITS - FIRST_RUN_UNITS) / self.budget.max_passes.max(1) as u64;
        let Some(passes_before) = self.pass.checked_sub(1) else {
            let Step::Anneal { part } = self.step else { return 0 };
            return share(part, self.num_parts(), FIRST_RUN_UNITS);
        };
        let this_pass = match &self.step {
            Step::Regions { regions, num_done } => share(*num_done, regions.len(), per_pass / 2),
            Step::Anneal { part } => per_pass / 2 + share(*part, self.num_parts(), per_pass / 2),
        };
        FIRST_RUN_UNITS + passes_before as u64 * per_pass + this_pass.min(per_pass)
    }

    /// Takes one step; returns false if there is nothing left to do.
    fn take_step(&mut self, observer: &dyn Observer) -> Result<bool, Cancelled> {
        let num_parts = self.num_parts();
        match &mut self.step {
            Step::Regions { regions, num_done } if *num_done < regions.len() => {
                let first = *num_done;
                *num_done = (first + REGIONS_PER_STEP).min(regions.len());
                let regions = regions[first..*num_done].to_vec();
                self.optimize_regions(first, &regions, observer)?;
            }
            Step::Regions { .. } => {
                self.before.clone_from(self.annealer.current());
                self.step = Step::Anneal { part: 0 };
            }
            Step::Anneal { part } if *part < num_parts => {
                let this_part = *part;
                *part += 1;
                self.anneal_part(this_part);
            }
            Step::Anneal { .. } => return Ok(self.begin_pass()),
        }
        Ok(true)
    }

    /// The number of steps of an annealing run.
    fn num_parts(&self) -> usize {
        let steps = if self.pass == 0 { FIRST_RUN_STEPS } else { RUN_STEPS };
        steps * self.annealer.space.cells.len().div_ceil(CELLS_PER_STEPS)
    }

    /// A part of the annealing run on the whole board. It depends only on the board and on the number of the part.
    fn anneal_part(&mut self, part: usize) {
        let num_parts = self.num_parts();
        let (schedule, moves_per_open_side) = if self.pass == 0 {
            (FIRST_SCHEDULE, self.budget.moves_per_open_side)
        } else {
            (SCHEDULE, MOVES_PER_OPEN_SIDE)
        };
        self.annealer.restart(self.stream(part));
        let num_moves = (moves_per_open_side * self.annealer.num_open()).div_ceil(num_parts);
        self.annealer.anneal(num_moves, schedule.part(part, num_parts));
        if part + 1 < num_parts {
            return;
        }
        self.annealer.return_to_best();
        // Summed up from scratch: a sum of differences would not be the same after saving and restoring.
        self.annealer.rescore();
        if self.annealer.current().energy() > self.before.energy() {
            self.annealer.jump_to(&self.before);
        }
        for cell in self.annealer.space.cells.all() {
            if self.annealer.board().at(cell) != self.before.board.at(cell) {
                self.num_failures[cell as usize] = 0;
            }
        }
    }

    /// The random numbers of a part of a pass.
    fn stream(&self, part: usize) -> Stream {
        Stream::new(self.seed, 1 + ((self.pass as u64) << 32 | part as u64))
    }

    /// Divides the board into regions for the next pass; returns false if there is nothing left to search.
    fn begin_pass(&mut self) -> bool {
        self.pass += 1;
        if self.pass > self.budget.max_passes {
            return false;
        }
        let cells = self.annealer.space.cells;
        let size = SIZES[(self.pass - 1) % SIZES.len()];
        let mut random = self.stream(u32::MAX as usize);
        let mut first =
            || 1 + i32::try_from(random.below(size.unsigned_abs() as usize)).unwrap_or(0);
        let mut regions = divide(cells.plane, size, first(), first());
        regions.retain(|&region| {
            cells.within(region).any(|cell| {
                usize::from(self.num_failures[cell as usize]) < self.budget.max_failures
                    && self.annealer.has_open_seam(cell)
            })
        });
        let has_work = !regions.is_empty();
        self.step = Step::Regions { regions, num_done: 0 };
        has_work
    }

    /// Searches regions; `first` is the number of the first of them in this pass.
    fn optimize_regions(
        &mut self,
        first: usize,
        regions: &[Rectangle],
        observer: &dyn Observer,
    ) -> Result<(), Cancelled> {
        let optimize = |(index, &region): (usize, &Rectangle)| {
            let seed = self.stream(first + index).next();
            optimize_region(&self.annealer, region, &self.budget.region, seed, observer)
        };
        let changes_by_region =
            regions.par_iter().enumerate().map(optimize).collect::<Result<Vec<_>, _>>()?;
        for (&region, changes) in regions.iter().zip(&changes_by_region) {
            for cell in self.annealer.space.cells.within(region) {
                let failures = &mut self.num_failures[cell as usize];
                *failures = if changes.is_empty() { failures.saturating_add(1) } else { 0 };
            }
        }
        self.annealer.replace_cells(changes_by_region.into_iter().flatten());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::board_state::BoardState;
    use super::super::budget::MultiStartBudget;
    use super::super::cells::Cells;
    use super::super::costs::SeamCosts;
    use super::super::tests::{Measured, REGION_BUDGET};
    use super::*;
    use crate::matching::Matcher;
    use crate::observer::Keeper;
    use crate::puzzle::PuzzleType;

    const BUDGET: DecompositionBudget = DecompositionBudget {
        moves_per_open_side: 200,
        max_passes: 3,
        max_failures: 1,
        region: MultiStartBudget { num_chains: 1, max_epochs: 3, ..REGION_BUDGET },
    };

    #[test]
    fn a_search_that_continues_from_any_state_gives_the_same_result() {
        let puzzle = Measured::new(9, 11, 6, PuzzleType::Type2, 4);
        let model = puzzle.matched(Matcher::Learned);
        let costs = SeamCosts::new(&model);
        let cells = Cells::new(&puzzle.frame.into());
        let space = SearchSpace { cells: &cells, costs: &costs, turns: puzzle.turns };
        let start = BoardState::new(space, &puzzle.in_input_order(puzzle.frame));
        let start = ScoredBoard::new(space, start);
        let run = |from: Option<Vec<u8>>| {
            let keeper = Keeper::continuing_from(from);
            let (found, _) = search(space, start.clone(), &BUDGET, 7, &keeper).unwrap();
            let board = checkpoint::save_board(&cells, &found.board);
            (board, found.energy().to_bits(), keeper.into_states())
        };
        let (board, energy, states) = run(None);
        assert!(states.len() > 4, "{}", states.len());
        assert!(f64::from_bits(energy) < 0.5 * start.energy());
        for index in [1, states.len() / 2, states.len() - 1] {
            let (again, energy_again, rest) = run(Some(states[index].clone()));
            assert_eq!((&again, energy_again), (&board, energy), "from state {index}");
            assert_eq!(rest, states[index..]);
        }
        // Bytes that are not a state of this search change nothing.
        let truncated = states[1][..states[1].len() / 2].to_vec();
        assert_eq!(run(Some(truncated)), (board, energy, states));
    }
}
