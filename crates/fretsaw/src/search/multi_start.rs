//! Multi-start search: several chains search a whole board, or a region of one, and exchange their best boards.

use super::SearchSpace;
use super::acceptance::{TemperatureSchedule, max_accepted_increase};
use super::annealer::{Annealer, ENERGY_STEP};
use super::board_state::ScoredBoard;
use super::budget::MultiStartBudget;
use super::cells::Cells;
use crate::locations::segment::{Position, Rectangle};
use crate::observer::{Cancelled, Observer, Stage, Termination, check_cancelled};
use crate::random::Stream;
use rayon::prelude::*;

/// The first annealing run of a chain, which gains the most.
const FIRST_RUN: AnnealingRun = AnnealingRun {
    moves_per_open_side: 50,
    max_moves: 100_000,
    schedule: TemperatureSchedule { from: 2.0, to: 0.3 },
};
/// The annealing run after each destroy-and-repair step.
const RUN_AFTER_REPAIR: AnnealingRun = AnnealingRun {
    moves_per_open_side: 25,
    max_moves: 5_000,
    schedule: TemperatureSchedule { from: 0.7, to: 0.3 },
};

/// The temperature at which a chain accepts the result of a round.
const ROUND_TEMPERATURE: f32 = 10.0;

/// Half the height and width of windows; each is equally likely.
const HALF_WINDOWS: [i32; 4] = [3, 6, 12, 24];

/// Every 200 cells add a round per epoch. Cells beyond 1000 do not, as a round also takes longer on larger boards.
const CELLS_PER_ROUND: usize = 200;
const MAX_CELLS_FOR_ROUNDS: usize = 1000;

struct AnnealingRun {
    moves_per_open_side: usize,
    max_moves: usize,
    schedule: TemperatureSchedule,
}

impl AnnealingRun {
    fn run(&self, annealer: &mut Annealer<'_>) {
        let num_moves = (self.moves_per_open_side * annealer.num_open()).min(self.max_moves);
        annealer.anneal(num_moves, self.schedule);
    }
}

fn rounds_per_epoch(cells: &Cells, budget: &MultiStartBudget) -> usize {
    budget.rounds_per_epoch + cells.len().min(MAX_CELLS_FOR_ROUNDS) / CELLS_PER_ROUND
}

/// The most rounds that [`search`] reports as progress, the first run of each chain included.
pub(super) fn num_rounds(cells: &Cells, budget: &MultiStartBudget) -> u64 {
    let per_chain = 1 + budget.max_epochs * rounds_per_epoch(cells, budget);
    (budget.num_chains * per_chain) as u64
}

/// The board of least energy that chains from these starts reach.
pub(super) fn search(
    space: SearchSpace<'_>,
    starts: &[ScoredBoard],
    budget: &MultiStartBudget,
    seed: u64,
    observer: &dyn Observer,
) -> Result<(ScoredBoard, Termination), Cancelled> {
    let rounds = rounds_per_epoch(space.cells, budget);
    let begin = |number: usize| {
        let start = starts[number % starts.len()].clone();
        let mut annealer = Annealer::new(space, start, Stream::new(seed, number as u64));
        annealer.place_all_pieces();
        Chain::new(annealer)
    };
    // Without time to search, one chain for each start completes its board.
    let num_chains = if observer.is_stopped() { 0 } else { budget.num_chains };
    let mut chains: Vec<Chain<'_>> =
        (0..num_chains.max(starts.len())).into_par_iter().map(begin).collect();
    let mut termination = Termination::Finished;
    let mut best = best_of(&chains).clone();
    best.show(space, observer);
    let mut num_unchanged = 0;
    for epoch in 0..=budget.max_epochs {
        if chains.iter().any(Chain::is_done) {
            break;
        }
        chains.par_iter_mut().try_for_each(|chain| {
            if epoch == 0 { chain.run_first(observer) } else { chain.run(rounds, observer) }
        })?;
        chains.sort_by(|x, y| x.best.energy().total_cmp(&y.best.energy()));
        let found = best_of(&chains);
        if found.energy() < best.energy() - ENERGY_STEP {
            best = found.clone();
            num_unchanged = 0;
        } else if epoch > 0 {
            num_unchanged += 1;
        }
        best.show(space, observer);
        if observer.is_stopped() {
            termination = Termination::Stopped;
            break;
        }
        if num_unchanged >= budget.patience {
            break;
        }
        // Exchange: the worse half continues from the boards of the better half.
        let (better, worse) = chains.split_at_mut(num_chains.div_ceil(2));
        for (chain, example) in worse.iter_mut().zip(better) {
            chain.continue_from(&example.best);
        }
    }
    // A board without open seams wins, whatever the energy of the others.
    let done = chains.into_iter().find(Chain::is_done);
    Ok((done.map_or(best, |done| done.best), termination))
}

fn best_of<'c>(chains: &'c [Chain<'_>]) -> &'c ScoredBoard {
    let best = chains.iter().min_by(|x, y| x.best.energy().total_cmp(&y.best.energy()));
    &best.unwrap_or(&chains[0]).best
}

/// An annealer with the board it continues from and the best board it reached.
struct Chain<'a> {
    annealer: Annealer<'a>,
    current: ScoredBoard,
    best: ScoredBoard,
}

impl<'a> Chain<'a> {
    fn new(annealer: Annealer<'a>) -> Self {
        let current = annealer.current().clone();
        Self { annealer, best: current.clone(), current }
    }

    fn is_done(&self) -> bool {
        self.best.has_no_open_seam(self.annealer.space)
    }

    fn continue_from(&mut self, other: &ScoredBoard) {
        self.current.clone_from(other);
        self.best.clone_from(other);
    }

    /// Continues from the best board of the annealer.
    fn accept(&mut self) {
        self.annealer.return_to_best();
        self.current.clone_from(self.annealer.current());
        if self.current.energy() < self.best.energy() {
            self.best.clone_from(&self.current);
        }
    }

    /// The first annealing run, on the whole board.
    fn run_first(&mut self, observer: &dyn Observer) -> Result<(), Cancelled> {
        check_cancelled(observer)?;
        if !observer.is_stopped() {
            FIRST_RUN.run(&mut self.annealer);
            self.accept();
            observer.stage_advanced(Stage::Search, 1);
        }
        Ok(())
    }

    /// Rounds of large-neighbourhood search: destroy and repair a window, anneal it, then accept or reject.
    fn run(&mut self, rounds: usize, observer: &dyn Observer) -> Result<(), Cancelled> {
        for _ in 0..rounds {
            check_cancelled(observer)?;
            if observer.is_stopped() {
                break;
            }
            let annealer = &mut self.annealer;
            annealer.jump_to(&self.current);
            let Some(window) = draw_window(annealer) else { break };
            annealer.restrict_to(window);
            annealer.destroy_and_repair();
            RUN_AFTER_REPAIR.run(annealer);
            let increase = max_accepted_increase(&mut annealer.random, ROUND_TEMPERATURE);
            if annealer.best_energy() <= self.current.energy() + f64::from(increase) {
                self.accept();
            }
            observer.stage_advanced(Stage::Search, 1);
        }
        Ok(())
    }
}

/// A window around a random open side, if there is one.
fn draw_window(annealer: &mut Annealer<'_>) -> Option<Rectangle> {
    let (cell, _) = annealer.random_open()?;
    let center = annealer.space.cells.position(cell);
    let half = HALF_WINDOWS[annealer.random.below(HALF_WINDOWS.len())];
    let half = Position { row: half, col: half };
    Some(Rectangle { top_left: center - half, bottom_right: center + half })
}
