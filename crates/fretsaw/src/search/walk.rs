//! A walk from board to board: the current board, what its seams cost, and which are open.
//!
//! Moves are in files of their own. Each writes down the cells it is about to change
//! ([`Walk::remember`]), changes them, and then either keeps ([`Walk::keep`]) or undoes
//! ([`Walk::undo`]) that. Seams of the current board are at hand, so that a move looks up what
//! would be new, and nothing else: a move costs as much as it changes, not as the board is large.

use super::arrangement::{Arrangement, Held};
use super::cells::{CellIndex, Cells, OUTSIDE};
use super::costs::SeamCosts;
use super::is_large;
use crate::graph::AssignmentSolver;
use crate::locations::segment::Position;
use crate::puzzle::{PieceId, QuarterTurn, Side, TurnSet};
use crate::random::Stream;
use serde::{Deserialize, Serialize};

/// A seam is open, something to be mended, if it costs more than this: if something else is about as
/// likely.
const OPEN_COST: f32 = 0.5;

/// Energies that differ by less are the same but for rounding.
pub(super) const ENERGY_STEP: f64 = 1e-3;

/// Moves between two assignments of many cells at once, which cost as much as hundreds of others.
const MOVES_PER_ASSIGNMENT: usize = 400;
const MOVES_PER_ASSIGNMENT_IF_LARGE: usize = 4000;

/// From how hot to how cold a walk cools down; a move that costs the temperature is taken with
/// probability 1 / e.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cooling {
    pub(super) from: f32,
    pub(super) to: f32,
}

/// A part of the board, both corners included.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Window {
    pub(super) top_left: Position,
    pub(super) bottom_right: Position,
}

impl Window {
    /// All there is.
    pub(super) const EVERYTHING: Self = Self {
        top_left: Position { row: i32::MIN, col: i32::MIN },
        bottom_right: Position { row: i32::MAX, col: i32::MAX },
    };

    pub(super) const fn contains(&self, position: Position) -> bool {
        let Position { row, col } = position;
        self.top_left.row <= row
            && row <= self.bottom_right.row
            && self.top_left.col <= col
            && col <= self.bottom_right.col
    }

    /// The cells of a window that has two ends.
    pub(super) fn cells(self, cells: &Cells) -> impl Iterator<Item = CellIndex> {
        let Self { top_left, bottom_right } = self;
        let at = (top_left.row..=bottom_right.row).flat_map(move |row| {
            (top_left.col..=bottom_right.col).map(move |col| cells.at(Position { row, col }))
        });
        at.filter(|&cell| cell != OUTSIDE)
    }
}

/// A board with the costs of its seams.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) board: Arrangement,
    /// By cell and direction.
    seams: Vec<f32>,
}

impl Snapshot {
    pub(super) fn new(cells: &Cells, costs: &SeamCosts<'_>, board: Arrangement) -> Self {
        let sides = cells.all().flat_map(|cell| Side::ALL.map(|direction| (cell, direction)));
        let seams =
            sides.map(|(cell, direction)| board.seam(cells, costs, cell, direction)).collect();
        Self { board, seams }
    }

    pub(super) const fn energy(&self) -> f64 {
        self.board.energy
    }

    /// Whether there is nothing to mend: no seam is open. A side that the matcher would not have
    /// expected at the border does not count, for where all seams hold nothing can be moved.
    pub(super) fn is_done(&self, cells: &Cells) -> bool {
        let mut sides = cells.all().flat_map(|cell| Side::ALL.map(|direction| (cell, direction)));
        sides.all(|(cell, direction)| {
            let is_touched = self.board.get(cells.next(cell, direction)).is_some()
                || cells.beyond(cell, direction).is_some();
            let is_seam = self.board.at(cell).is_some() && is_touched;
            !is_seam || self.seams[side_key(cell, direction) as usize] <= OPEN_COST
        })
    }

    fn copy_from(&mut self, other: &Self) {
        self.board.clone_from(&other.board);
        self.seams.clone_from(&other.seams);
    }
}

/// What becomes of empty cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holes {
    Stay,
    WillBeFilled,
}

/// A walk.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    pub(super) cells: &'a Cells,
    pub(super) costs: &'a SeamCosts<'a>,
    pub(super) turns: TurnSet,
    pub(super) random: Stream,
    now: Snapshot,
    /// The energy of the best board since the walk was last set on one.
    best_energy: f64,
    /// What lay in the cells that changed since the best board, the latest change last.
    since_best: Vec<(CellIndex, Option<Held>)>,
    window: Window,
    /// The open sides of the window, in no particular order: four times the cell, plus the direction.
    open: Vec<u32>,
    /// Where each side is among the open ones, or [`NOT_OPEN`].
    place_in_open: Vec<u32>,
    /// Cells that the current move changes, and what lay there.
    pub(super) changed: Vec<CellIndex>,
    before: Vec<Option<Held>>,
    pub(super) buffers: Buffers,
}

/// Memory that moves use again and again.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    pub(super) segment: Vec<CellIndex>,
    pub(super) targets: Vec<CellIndex>,
    pub(super) holes: Vec<CellIndex>,
    pub(super) loose: Vec<PieceId>,
    pub(super) marks: Vec<u32>,
    pub(super) last_mark: u32,
    pub(super) table: Vec<f64>,
    pub(super) table_turns: Vec<QuarterTurn>,
    pub(super) assignment: AssignmentSolver,
}

const NOT_OPEN: u32 = u32::MAX;

const fn side_key(cell: CellIndex, direction: Side) -> u32 {
    4 * cell + direction as u32
}

impl<'a> Walk<'a> {
    /// A walk that begins on a board.
    pub(super) fn new(
        cells: &'a Cells,
        costs: &'a SeamCosts<'a>,
        turns: TurnSet,
        start: Snapshot,
        random: Stream,
    ) -> Self {
        let mut walk = Self {
            cells,
            costs,
            turns,
            random,
            best_energy: start.energy(),
            since_best: Vec::new(),
            now: start,
            window: Window::EVERYTHING,
            open: Vec::new(),
            place_in_open: vec![NOT_OPEN; 4 * cells.len()],
            changed: Vec::new(),
            before: Vec::new(),
            buffers: Buffers { marks: vec![0; cells.len()], ..Buffers::default() },
        };
        walk.look_at(Window::EVERYTHING);
        walk
    }

    /// The current board.
    #[inline]
    pub(super) const fn board(&self) -> &Arrangement {
        &self.now.board
    }

    #[inline]
    pub(super) const fn board_mut(&mut self) -> &mut Arrangement {
        &mut self.now.board
    }

    /// Where the walk is.
    pub(super) const fn now(&self) -> &Snapshot {
        &self.now
    }

    /// Where the walk came to.
    pub(super) fn into_now(self) -> Snapshot {
        self.now
    }

    /// Whether a seam of a cell is open.
    pub(super) fn has_open_seam(&self, cell: CellIndex) -> bool {
        Side::ALL.into_iter().any(|direction| {
            self.board().get(self.cells.next(cell, direction)).is_some()
                && self.seam_now(cell, direction) > OPEN_COST
        })
    }

    /// Changes cells; that is now the best board.
    pub(super) fn lay(&mut self, changes: impl IntoIterator<Item = (CellIndex, Option<Held>)>) {
        for (cell, held) in changes {
            self.now.board.put(cell, held);
        }
        self.begin_anew();
    }

    /// Puts pinned pieces in their places, and pieces that lie nowhere into holes; that is now the best
    /// board.
    pub(super) fn complete(&mut self) {
        self.lay_pins();
        self.list_holes();
        if !self.buffers.loose.is_empty() || !self.cells.pins().is_empty() {
            self.fill();
            self.begin_anew();
        }
    }

    /// The energy of the best board since the walk was set on one.
    pub(super) const fn best_energy(&self) -> f64 {
        self.best_energy
    }

    /// Goes to another board, all of it; what was best before is forgotten.
    pub(super) fn set_on(&mut self, snapshot: &Snapshot) {
        self.now.copy_from(snapshot);
        self.be_best();
        self.look_at(Window::EVERYTHING);
    }

    /// Begins anew from the current board, as if nothing had been before.
    pub(super) fn set_out(&mut self, random: Stream) {
        self.random = random;
        self.now.board.energy = self.now.board.total(self.cells, self.costs);
        self.be_best();
        self.look_at(Window::EVERYTHING);
    }

    /// Goes back to the best board since the walk was set on one.
    pub(super) fn return_to_best(&mut self) {
        let changes = std::mem::take(&mut self.since_best);
        for &(cell, held) in changes.iter().rev() {
            self.now.board.put(cell, held);
        }
        for &(cell, _) in &changes {
            for direction in Side::ALL {
                self.refresh(cell, direction);
            }
        }
        self.now.board.energy = self.best_energy;
    }

    /// Works on a part of the board.
    pub(super) fn look_at(&mut self, window: Window) {
        self.window = window;
        self.open.clear();
        self.place_in_open.fill(NOT_OPEN);
        for cell in self.cells.all() {
            for direction in Side::ALL {
                self.set_seam(cell, direction, self.seam_now(cell, direction));
            }
        }
    }

    pub(super) const fn window(&self) -> Window {
        self.window
    }

    /// Number of open sides in the window.
    pub(super) const fn num_open(&self) -> usize {
        self.open.len()
    }

    /// A random open side of the window.
    pub(super) fn random_open(&mut self) -> Option<(CellIndex, Side)> {
        if self.open.is_empty() {
            return None;
        }
        let key = self.open[self.random.below(self.open.len())];
        Some((key / 4, Side::from_index(key as usize % 4)))
    }

    /// What a seam of the current board costs, as it was before the current move.
    #[inline]
    pub(super) fn seam_now(&self, cell: CellIndex, direction: Side) -> f32 {
        self.now.seams[side_key(cell, direction) as usize]
    }

    fn set_seam(&mut self, cell: CellIndex, direction: Side, cost: f32) {
        let key = side_key(cell, direction);
        self.now.seams[key as usize] = cost;
        let is_open = cost > OPEN_COST
            && self.board().at(cell).is_some()
            && self.window.contains(self.cells.position(cell));
        let place = self.place_in_open[key as usize];
        if is_open && place == NOT_OPEN {
            #[expect(clippy::cast_possible_truncation, reason = "no more than sides")]
            let last = self.open.len() as u32;
            self.place_in_open[key as usize] = last;
            self.open.push(key);
        } else if !is_open && place != NOT_OPEN {
            self.open.swap_remove(place as usize);
            if let Some(&moved) = self.open.get(place as usize) {
                self.place_in_open[moved as usize] = place;
            }
            self.place_in_open[key as usize] = NOT_OPEN;
        }
    }

    /// Looks a seam up again, for the cells on both sides of it.
    fn refresh(&mut self, cell: CellIndex, direction: Side) {
        let cost = self.board().seam(self.cells, self.costs, cell, direction);
        self.set_seam(cell, direction, cost);
        let next = self.cells.next(cell, direction);
        if next != OUTSIDE {
            self.set_seam(next, direction.opposite(), cost);
        }
    }

    /// A number that no cell is marked with.
    pub(super) fn new_mark(&mut self) -> u32 {
        if self.buffers.last_mark == u32::MAX {
            self.buffers.marks.fill(0);
            self.buffers.last_mark = 0;
        }
        self.buffers.last_mark += 1;
        self.buffers.last_mark
    }

    #[inline]
    pub(super) fn mark(&mut self, cell: CellIndex, mark: u32) {
        self.buffers.marks[cell as usize] = mark;
    }

    #[inline]
    pub(super) fn is_marked(&self, cell: CellIndex, mark: u32) -> bool {
        self.buffers.marks.get(cell as usize) == Some(&mark)
    }

    /// Writes down what lies in the cells that are about to change.
    pub(super) fn remember(&mut self) {
        self.before.clear();
        self.before.extend(self.changed.iter().map(|&cell| self.now.board.at(cell)));
    }

    /// What lay in the changed cell of this number.
    #[inline]
    pub(super) fn lay_before(&self, index: usize) -> Option<Held> {
        self.before[index]
    }

    /// Keeps what was changed, which made the energy differ by so much.
    pub(super) fn keep(&mut self, difference: f32) {
        self.now.board.energy += f64::from(difference);
        for index in 0..self.changed.len() {
            for direction in Side::ALL {
                self.refresh(self.changed[index], direction);
            }
        }
        if self.now.energy() < self.best_energy - ENERGY_STEP {
            self.be_best();
        } else {
            self.since_best.extend(self.changed.iter().copied().zip(self.before.iter().copied()));
        }
    }

    /// Puts back what was changed.
    pub(super) fn undo(&mut self) {
        for (&cell, &held) in self.changed.iter().zip(&self.before) {
            self.now.board.put(cell, held);
        }
    }

    fn be_best(&mut self) {
        self.best_energy = self.now.energy();
        self.since_best.clear();
    }

    /// After the whole board changed: what it costs now. The best board is this one.
    pub(super) fn begin_anew(&mut self) {
        for cell in self.cells.all() {
            for direction in Side::ALL {
                self.refresh(cell, direction);
            }
        }
        self.now.board.energy = self.now.board.total(self.cells, self.costs);
        self.be_best();
    }

    /// What may be lost in a move at a temperature: more than x with probability exp(-x / t).
    pub(super) fn allowance(&mut self, temperature: f32) -> f32 {
        -temperature * (self.random.unit() + f32::MIN_POSITIVE).ln()
    }

    /// What a piece would cost in a cell, next to what lies around it; more than the limit as soon as
    /// it is above. Holes around it cost nothing if they are still to be filled.
    #[inline]
    pub(super) fn cost_at(&self, cell: CellIndex, held: Held, holes: Holes, limit: f32) -> f32 {
        let mut sum = 0.0;
        for direction in Side::ALL {
            let next = self.cells.next(cell, direction);
            let side = held.facing(direction);
            match self.board().get(next) {
                Some(other) => sum += self.costs.of(side, other.facing(direction.opposite())),
                None if next == OUTSIDE || holes == Holes::Stay => {
                    sum += self.cells.edge_cost(self.costs, cell, direction, side);
                }
                None => {}
            }
            if sum >= limit {
                break;
            }
        }
        sum
    }

    /// The turn with which a piece costs least in a cell, and what it costs then; nothing if it does
    /// not come below the limit.
    #[inline]
    pub(super) fn best_turn(
        &self,
        cell: CellIndex,
        piece: PieceId,
        holes: Holes,
        limit: f32,
    ) -> Option<(f32, QuarterTurn)> {
        let (mut limit, mut best) = (limit, None);
        for &turn in self.turns.turns() {
            let cost = self.cost_at(cell, Held { piece, turn }, holes, limit);
            if cost < limit {
                limit = cost;
                best = Some((cost, turn));
            }
        }
        best
    }

    /// So many moves while cooling down.
    pub(super) fn wander(&mut self, num_moves: usize, cooling: Cooling) {
        let step = (cooling.to / cooling.from).powf(1.0 / num_moves.max(1) as f32);
        let mut temperature = cooling.from;
        // The more cells there are, the less likely some of them are to gain by exchanging their pieces.
        let moves_per_assignment = if is_large(self.cells.len()) {
            MOVES_PER_ASSIGNMENT_IF_LARGE
        } else {
            MOVES_PER_ASSIGNMENT
        };
        for index in 0..num_moves {
            if self.open.is_empty() {
                return;
            }
            if index % moves_per_assignment == 0 {
                self.move_many_cells();
            }
            self.move_segment(temperature);
            temperature *= step;
        }
    }
}
