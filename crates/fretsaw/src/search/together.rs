//! Several walks over the whole of a board, or of a part of one, that compare notes.

use super::SearchBudget;
use super::cells::Cells;
use super::costs::SeamCosts;
use super::walk::{Cooling, ENERGY_STEP, Snapshot, Walk, Window};
use crate::locations::segment::Position;
use crate::observer::{Cancelled, Observer, Stage, Termination, check_cancelled};
use crate::puzzle::TurnSet;
use crate::random::Stream;
use rayon::prelude::*;

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

/// Rounds of rebuilding between two comparisons.
fn rounds_per_epoch(cells: &Cells, work: &SearchBudget) -> usize {
    work.rounds + cells.len().min(MAX_PIECES_FOR_ROUNDS) / PIECES_PER_ROUND
}

/// Rounds of all walks at most, each walk's first counted: what [`search`] reports as its progress.
pub(super) fn num_rounds(cells: &Cells, work: &SearchBudget) -> u64 {
    (work.num_walks * (1 + work.max_epochs * rounds_per_epoch(cells, work))) as u64
}

/// The board of least energy that walks from the starts come to.
pub(super) fn search(
    cells: &Cells,
    costs: &SeamCosts<'_>,
    turns: TurnSet,
    starts: &[Snapshot],
    work: &SearchBudget,
    seed: u64,
    observer: &dyn Observer,
) -> Result<(Snapshot, Termination), Cancelled> {
    let rounds = rounds_per_epoch(cells, work);
    let begin = |number: usize| {
        let start = starts[number % starts.len()].clone();
        let mut walk = Walk::new(cells, costs, turns, start, Stream::new(seed, number as u64));
        walk.complete();
        Climber::new(walk)
    };
    let mut climbers: Vec<Climber<'_>> =
        (0..work.num_walks.max(starts.len())).into_par_iter().map(begin).collect();
    let mut termination = Termination::Finished;
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
            termination = Termination::Stopped;
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
    let done = climbers.iter().find(|climber| climber.is_done());
    Ok((done.map_or(best, |done| done.best.clone()), termination))
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
        let current = walk.now().clone();
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
        self.walk.return_to_best();
        self.current.clone_from(self.walk.now());
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
            if self.walk.best_energy() <= self.current.energy() + allowance {
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
