//! The assignment move: the pieces of many cells change places at once, optimally.
//!
//! No two of the chosen cells touch, so the cost of a piece in a cell depends only on pieces that stay. The best
//! exchange is then a linear assignment, which is solved exactly. It helps in smooth areas, where exchanging
//! just two pieces never pays. Some empty cells take part too, so that pieces can move into holes or into
//! unplaced slots.

use super::SearchSpace;
use super::annealer::{Annealer, ENERGY_STEP, EmptyCells};
use super::board_state::PlacedPiece;
use super::cells::{CellIndex, OUTSIDE};
use crate::puzzle::{QuarterTurn, Side};

/// The most cells that take part.
const MAX_CELLS: usize = 40;

/// One cell in this many is any cell of the window; the others have an open side.
const ANY_CELL: usize = 8;

/// How often an empty cell is drawn, and the most empty cells that take part.
const EMPTY_DRAWS: usize = 60;
const MAX_EMPTY: usize = 12;

impl Annealer<'_> {
    /// Exchanges the pieces of some random cells so that the energy falls most.
    pub(super) fn reassign_cells(&mut self) {
        self.choose_cells();
        let len = self.changed.len();
        if len < 2 {
            return;
        }
        self.record_changed();
        let mut table = std::mem::take(&mut self.buffers.table);
        let mut turns = std::mem::take(&mut self.buffers.table_turns);
        table.clear();
        turns.clear();
        let mut before = 0.0;
        for row in 0..len {
            for direction in Side::ALL {
                before += self.seam_cost(self.changed[row], direction);
            }
            for &cell in &self.changed {
                let (cost, turn) = match self.content_before(row) {
                    Some(placed) => self
                        .best_turn(cell, placed.piece, EmptyCells::StayEmpty, f32::INFINITY)
                        .unwrap_or((0.0, QuarterTurn::ZERO)),
                    None => (self.cost_of_empty(cell), QuarterTurn::ZERO),
                };
                table.push(f64::from(cost));
                turns.push(turn);
            }
        }
        let mut assignment = std::mem::take(&mut self.buffers.assignment);
        // There is always an assignment, for costs are finite.
        if let Ok(found) = assignment.solve(&table, len, len) {
            #[expect(clippy::cast_possible_truncation, reason = "an energy")]
            let difference = found.total as f32 - before;
            if f64::from(difference) < -ENERGY_STEP {
                for (row, &column) in found.column_of_row.iter().enumerate() {
                    let turn = turns[row * len + column];
                    let placed =
                        self.content_before(row).map(|placed| PlacedPiece { turn, ..placed });
                    let cell = self.changed[column];
                    self.board_mut().put(cell, placed);
                }
                self.commit(difference);
            }
        }
        self.buffers.table = table;
        self.buffers.table_turns = turns;
        self.buffers.assignment = assignment;
    }

    /// The cost of the sides around a cell if it is empty.
    fn cost_of_empty(&self, cell: CellIndex) -> f32 {
        let SearchSpace { cells, costs, .. } = self.space;
        let cost = |direction: Side| {
            let placed = self.board().get(cells.neighbor(cell, direction));
            let side = placed.map(|placed| placed.facing(direction.opposite()));
            Some(costs.of_border(side.or_else(|| cells.fixed_neighbor(cell, direction))?))
        };
        Side::ALL.into_iter().filter_map(cost).sum()
    }

    /// Chooses cells of which no two touch: some empty ones, if there are any, and cells with pieces, most of
    /// them with open sides.
    fn choose_cells(&mut self) {
        let mark = self.new_mark();
        self.changed.clear();
        if self.space.cells.len() > self.board().num_pieces() {
            for _ in 0..EMPTY_DRAWS {
                let cell = self.any_cell();
                let is_empty = cell != OUTSIDE && self.board().at(cell).is_none();
                if is_empty && self.changed.len() < MAX_EMPTY {
                    self.choose(cell, mark);
                }
            }
        }
        for _ in 0..3 * MAX_CELLS {
            if self.changed.len() == MAX_CELLS {
                return;
            }
            let cell = if self.random.below(ANY_CELL) == 0 {
                self.any_cell()
            } else {
                self.random_open().map_or(OUTSIDE, |(cell, _)| cell)
            };
            if self.board().get(cell).is_some() {
                self.choose(cell, mark);
            }
        }
    }

    /// Chooses a cell unless it is pinned, already chosen, or next to a chosen one.
    fn choose(&mut self, cell: CellIndex, mark: u32) {
        let touches = |next: &CellIndex| self.is_marked(*next, mark);
        let is_free = !self.is_marked(cell, mark) && !self.space.cells.is_pinned(cell);
        if is_free && !self.space.cells.neighbors(cell).iter().any(touches) {
            self.mark(cell, mark);
            self.changed.push(cell);
        }
    }

    /// A random cell; [`OUTSIDE`] if it is not in the window.
    fn any_cell(&mut self) -> CellIndex {
        #[expect(clippy::cast_possible_truncation, reason = "a frame has fewer cells")]
        let cell = self.random.below(self.space.cells.len()) as CellIndex;
        if self.window().contains(self.space.cells.position(cell)) { cell } else { OUTSIDE }
    }
}
