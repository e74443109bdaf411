//! From a good board to a better one: a search over full boards that lowers their energy.
//!
//! The [energy](costs) is the judge's, blind to the truth. Several [walks](walk) start from several
//! boards. A walk alternates between two ways to a lower energy: thousands of small steps while cooling
//! down, which [move a segment](segment_move) so that a likely match comes true, or
//! [exchange many pieces](assignment_move) at once; and [rebuilding](rebuild) a part of the board. What
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

/// Pieces of a board for one more round between two comparisons.
const PIECES_PER_ROUND: usize = 200;

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
    let rounds = work.rounds + cells.len() / PIECES_PER_ROUND;
    let total = (work.num_walks * (1 + work.max_epochs * rounds)) as u64;
    observer.stage_started(Stage::Search, total);
    let starts: Vec<Snapshot> = starts
        .iter()
        .map(|start| Snapshot::new(&cells, &costs, Arrangement::new(&cells, &costs, start)))
        .collect();
    if starts.iter().all(|start| start.num_open(&cells) > 0) {
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
        self.best.num_open(self.walk.cells) == 0
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
            self.walk.look_at(Window::EVERYTHING);
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
