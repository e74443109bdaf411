//! Simulated annealing on one board: the current board, its open sides, and the way back to the best board.
//!
//! Each kind of move has its own file. A move records the cells that it is about to change
//! ([`Annealer::record_changed`]), changes them, and then either commits ([`Annealer::commit`]) or reverts
//! ([`Annealer::revert`]) the change. The costs of the current seams are stored, so that a move looks up the new
//! seams only: its cost depends on how much it changes, not on the size of the board.

use super::SearchSpace;
use super::acceptance::TemperatureSchedule;
use super::board_state::{BoardState, PlacedPiece, ScoredBoard};
use super::cells::{CellIndex, OUTSIDE};
use super::open_sides::{OpenSides, side_key};
use crate::graph::AssignmentSolver;
use crate::locations::segment::Rectangle;
use crate::puzzle::is_large;
use crate::puzzle::{PieceId, QuarterTurn, Side};
use crate::random::Stream;

/// Energies that differ by less are equal up to rounding.
pub(super) const ENERGY_STEP: f64 = 1e-3;

/// Segment moves between two assignment moves, each of which costs as much as hundreds of segment moves. The
/// more cells a board has, the less likely a few of them gain by exchanging their pieces.
const MOVES_PER_ASSIGNMENT: usize = 400;
const MOVES_PER_ASSIGNMENT_IF_LARGE: usize = 4000;

/// Whether empty cells next to a piece count as borders, or as cells that are yet to be filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EmptyCells {
    StayEmpty,
    WillBeFilled,
}

/// Simulated annealing on one board.
#[derive(Debug)]
pub(super) struct Annealer<'a> {
    pub(super) space: SearchSpace<'a>,
    pub(super) random: Stream,
    current: ScoredBoard,
    /// The energy of the best board since [`Self::mark_best`].
    best_energy: f64,
    /// The cells that changed since the best board with their former contents, in order of time.
    since_best: Vec<(CellIndex, Option<PlacedPiece>)>,
    /// Only open sides in this window start a move.
    window: Rectangle,
    open: OpenSides,
    /// The cells that the current move changes, and their contents before it.
    pub(super) changed: Vec<CellIndex>,
    before: Vec<Option<PlacedPiece>>,
    pub(super) buffers: Buffers,
}

/// Memory that moves reuse.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    pub(super) segment: Vec<CellIndex>,
    pub(super) targets: Vec<CellIndex>,
    pub(super) holes: Vec<CellIndex>,
    /// Pieces without a cell.
    pub(super) unplaced: Vec<PieceId>,
    pub(super) marks: Vec<u32>,
    pub(super) last_mark: u32,
    /// By the first of pieces that cost the same, the number of the last try; and the number of tries.
    pub(super) tried: Vec<u64>,
    pub(super) tries: u64,
    pub(super) table: Vec<f64>,
    pub(super) table_turns: Vec<QuarterTurn>,
    pub(super) assignment: AssignmentSolver,
}

impl<'a> Annealer<'a> {
    pub(super) fn new(space: SearchSpace<'a>, start: ScoredBoard, random: Stream) -> Self {
        let num_cells = space.cells.len();
        let mut annealer = Self {
            space,
            random,
            best_energy: start.energy(),
            since_best: Vec::new(),
            current: start,
            window: Rectangle::EVERYTHING,
            open: OpenSides::new(num_cells),
            changed: Vec::new(),
            before: Vec::new(),
            buffers: Buffers { marks: vec![0; num_cells], ..Buffers::default() },
        };
        annealer.restrict_to(Rectangle::EVERYTHING);
        annealer
    }

    #[inline]
    pub(super) const fn board(&self) -> &BoardState {
        &self.current.board
    }

    #[inline]
    pub(super) const fn board_mut(&mut self) -> &mut BoardState {
        &mut self.current.board
    }

    pub(super) const fn current(&self) -> &ScoredBoard {
        &self.current
    }

    pub(super) fn into_current(self) -> ScoredBoard {
        self.current
    }

    /// Makes `num_moves` moves while the temperature falls; stops when no side is open.
    pub(super) fn anneal(&mut self, num_moves: usize, schedule: TemperatureSchedule) {
        let factor = schedule.factor(num_moves);
        let mut temperature = schedule.from;
        let moves_per_assignment = if is_large(self.space.costs.num_pieces()) {
            MOVES_PER_ASSIGNMENT_IF_LARGE
        } else {
            MOVES_PER_ASSIGNMENT
        };
        for index in 0..num_moves {
            if self.open.is_empty() {
                return;
            }
            if index % moves_per_assignment == 0 {
                self.reassign_cells();
            }
            self.move_segment(temperature);
            temperature *= factor;
        }
    }

    /// Whether a cell has an open seam.
    pub(super) fn has_open_seam(&self, cell: CellIndex) -> bool {
        Side::ALL.into_iter().any(|direction| {
            self.board().get(self.space.cells.neighbor(cell, direction)).is_some()
                && self.board().is_open(
                    self.space,
                    cell,
                    direction,
                    self.seam_cost(cell, direction),
                )
        })
    }

    /// Changes cells. The result becomes the best board.
    pub(super) fn replace_cells(
        &mut self,
        changes: impl IntoIterator<Item = (CellIndex, Option<PlacedPiece>)>,
    ) {
        for (cell, placed) in changes {
            self.board_mut().put(cell, placed);
        }
        self.rescore();
    }

    /// Puts pinned pieces in their cells and unplaced pieces into empty cells. The result becomes the best
    /// board.
    pub(super) fn place_all_pieces(&mut self) {
        self.place_pinned_pieces();
        self.list_holes();
        if !self.buffers.unplaced.is_empty() || !self.space.cells.pins().is_empty() {
            self.insert_unplaced();
            self.rescore();
        }
    }

    /// The energy of the best board since the last jump, restart or rescore.
    pub(super) const fn best_energy(&self) -> f64 {
        self.best_energy
    }

    /// Continues from another board, on the whole of it. That board becomes the best one.
    pub(super) fn jump_to(&mut self, board: &ScoredBoard) {
        self.current.clone_from(board);
        self.mark_best();
        self.restrict_to(Rectangle::EVERYTHING);
    }

    /// Continues from the current board as a new annealer would.
    pub(super) fn restart(&mut self, random: Stream) {
        self.random = random;
        self.current.board.energy = self.board().total(self.space);
        self.mark_best();
        self.restrict_to(Rectangle::EVERYTHING);
    }

    /// Returns to the best board.
    pub(super) fn return_to_best(&mut self) {
        let changes = std::mem::take(&mut self.since_best);
        for &(cell, placed) in changes.iter().rev() {
            self.board_mut().put(cell, placed);
        }
        for &(cell, _) in &changes {
            self.refresh_seams_of(cell);
        }
        self.current.board.energy = self.best_energy;
    }

    /// Draws open sides from a window only.
    pub(super) fn restrict_to(&mut self, window: Rectangle) {
        self.window = window;
        self.open.clear();
        for (cell, direction) in self.space.cells.all_sides() {
            self.set_seam(cell, direction, self.seam_cost(cell, direction));
        }
    }

    pub(super) const fn window(&self) -> Rectangle {
        self.window
    }

    /// The number of open sides in the window.
    pub(super) const fn num_open(&self) -> usize {
        self.open.len()
    }

    /// A random open side of the window.
    pub(super) fn random_open(&mut self) -> Option<(CellIndex, Side)> {
        self.open.draw(&mut self.random)
    }

    /// The cost of a seam before the current move.
    #[inline]
    pub(super) fn seam_cost(&self, cell: CellIndex, direction: Side) -> f32 {
        self.current.seams[side_key(cell, direction) as usize]
    }

    fn set_seam(&mut self, cell: CellIndex, direction: Side, cost: f32) {
        let key = side_key(cell, direction);
        self.current.seams[key as usize] = cost;
        let is_open = self.board().at(cell).is_some()
            && self.window.contains(self.space.cells.position(cell))
            && self.board().is_open(self.space, cell, direction, cost);
        self.open.set(key, is_open);
    }

    /// Looks up the seams of a cell again, for the cells on both sides of each.
    fn refresh_seams_of(&mut self, cell: CellIndex) {
        for direction in Side::ALL {
            let cost = self.board().seam(self.space, cell, direction);
            self.set_seam(cell, direction, cost);
            let neighbor = self.space.cells.neighbor(cell, direction);
            if neighbor != OUTSIDE {
                self.set_seam(neighbor, direction.opposite(), cost);
            }
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

    /// Records the contents of the cells in `changed`, which are about to change.
    pub(super) fn record_changed(&mut self) {
        self.before.clear();
        self.before.extend(self.changed.iter().map(|&cell| self.current.board.at(cell)));
    }

    /// The former content of `changed[index]`.
    #[inline]
    pub(super) fn content_before(&self, index: usize) -> Option<PlacedPiece> {
        self.before[index]
    }

    /// Keeps a change that altered the energy by `difference`.
    pub(super) fn commit(&mut self, difference: f32) {
        self.current.board.energy += f64::from(difference);
        for index in 0..self.changed.len() {
            self.refresh_seams_of(self.changed[index]);
        }
        if self.current.energy() < self.best_energy - ENERGY_STEP {
            self.mark_best();
        } else {
            self.since_best.extend(self.changed.iter().copied().zip(self.before.iter().copied()));
        }
    }

    /// Puts back the former contents.
    pub(super) fn revert(&mut self) {
        for (&cell, &placed) in self.changed.iter().zip(&self.before) {
            self.current.board.put(cell, placed);
        }
    }

    fn mark_best(&mut self) {
        self.best_energy = self.current.energy();
        self.since_best.clear();
    }

    /// Computes all seams and the energy after any number of cells changed. The current board becomes the best.
    pub(super) fn rescore(&mut self) {
        for cell in self.space.cells.all() {
            self.refresh_seams_of(cell);
        }
        self.current.board.energy = self.board().total(self.space);
        self.mark_best();
    }

    /// The cost of a piece in a cell, next to its neighbours there. The sum ends once it reaches the limit.
    #[inline]
    pub(super) fn cost_at(
        &self,
        cell: CellIndex,
        placed: PlacedPiece,
        empty_cells: EmptyCells,
        limit: f32,
    ) -> f32 {
        let SearchSpace { cells, costs, .. } = self.space;
        let mut sum = 0.0;
        for direction in Side::ALL {
            let neighbor = cells.neighbor(cell, direction);
            let side = placed.facing(direction);
            match self.board().get(neighbor) {
                Some(other) => sum += costs.of(side, other.facing(direction.opposite())),
                None if neighbor == OUTSIDE || empty_cells == EmptyCells::StayEmpty => {
                    sum += cells.edge_cost(costs, cell, direction, side);
                }
                None => {}
            }
            if sum >= limit {
                break;
            }
        }
        sum
    }

    /// The cheapest turn of a piece in a cell with its cost; none if no turn costs less than the limit.
    #[inline]
    pub(super) fn best_turn(
        &self,
        cell: CellIndex,
        piece: PieceId,
        empty_cells: EmptyCells,
        mut limit: f32,
    ) -> Option<(f32, QuarterTurn)> {
        let mut best = None;
        for &turn in self.space.turns.turns() {
            let cost = self.cost_at(cell, PlacedPiece { piece, turn }, empty_cells, limit);
            if cost < limit {
                limit = cost;
                best = Some((cost, turn));
            }
        }
        best
    }
}
