//! Exchanging the pieces of many cells at once.
//!
//! Of cells of which no two touch, each sees only what stays: which of their pieces lies where, and how
//! it is turned, is a linear assignment, solved exactly. It finds its way in smooth skies, where
//! exchanging two pieces never pays. Where cells are empty some of them take part, with nothing to lay
//! elsewhere: so pieces come to holes, and those that belong nowhere to the shelf.

use super::arrangement::Held;
use super::cells::{CellIndex, OUTSIDE};
use super::walk::{ENERGY_STEP, Holes, Walk};
use crate::puzzle::{QuarterTurn, Side};

/// Cells that exchange their pieces at most.
const MAX_CELLS: usize = 40;

/// Of so many cells one is any cell of the window rather than one with an open side.
const ANY_CELL: usize = 8;

/// Draws for empty cells, and how many of them take part at most.
const EMPTY_DRAWS: usize = 60;
const MAX_EMPTY: usize = 12;

impl Walk<'_> {
    /// Exchanges pieces as well as possible.
    pub(super) fn move_many_cells(&mut self) {
        self.choose_cells();
        let len = self.changed.len();
        if len < 2 {
            return;
        }
        self.remember();
        let mut table = std::mem::take(&mut self.buffers.table);
        let mut turns = std::mem::take(&mut self.buffers.table_turns);
        table.clear();
        turns.clear();
        let mut before = 0.0;
        for row in 0..len {
            for direction in Side::ALL {
                before += self.seam_now(self.changed[row], direction);
            }
            for &cell in &self.changed {
                let (cost, turn) = match self.lay_before(row) {
                    Some(held) => self
                        .best_turn(cell, held.piece, Holes::Stay, f32::INFINITY)
                        .unwrap_or((0.0, QuarterTurn::ZERO)),
                    None => (self.cost_of_empty(cell), QuarterTurn::ZERO),
                };
                table.push(f64::from(cost));
                turns.push(turn);
            }
        }
        let mut assignment = std::mem::take(&mut self.buffers.assignment);
        // Costs are finite, so that there is an assignment.
        if let Ok(found) = assignment.solve(&table, len, len) {
            #[expect(clippy::cast_possible_truncation, reason = "an energy")]
            let difference = found.total as f32 - before;
            if f64::from(difference) < -ENERGY_STEP {
                for (row, &column) in found.column_of_row.iter().enumerate() {
                    let turn = turns[row * len + column];
                    let held = self.lay_before(row).map(|held| Held { turn, ..held });
                    let cell = self.changed[column];
                    self.board_mut().put(cell, held);
                }
                self.keep(difference);
            }
        }
        self.buffers.table = table;
        self.buffers.table_turns = turns;
        self.buffers.assignment = assignment;
    }

    /// What the sides around a cell cost if it is empty.
    fn cost_of_empty(&self, cell: CellIndex) -> f32 {
        let of_border = |direction: Side| {
            let other = self.board().get(self.cells.next(cell, direction))?;
            Some(self.costs.of_border(other.facing(direction.opposite())))
        };
        let beyond = |direction| Some(self.costs.of_border(self.cells.beyond(cell, direction)?));
        let cost = |direction| of_border(direction).or_else(|| beyond(direction));
        Side::ALL.into_iter().filter_map(cost).sum()
    }

    /// Chooses cells of which no two touch: some empty ones if there are any, and others with pieces, most
    /// of them with open sides.
    fn choose_cells(&mut self) {
        let mark = self.new_mark();
        self.changed.clear();
        if self.cells.len() > self.board().num_pieces() {
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

    /// Chooses a cell, unless it is chosen already or touches one that is, or its piece stays.
    fn choose(&mut self, cell: CellIndex, mark: u32) {
        let touches = |next: &CellIndex| self.is_marked(*next, mark);
        let is_free = !self.is_marked(cell, mark) && !self.cells.is_pinned(cell);
        if is_free && !self.cells.around(cell).iter().any(touches) {
            self.mark(cell, mark);
            self.changed.push(cell);
        }
    }

    /// A random cell, [`OUTSIDE`] if it is not in the window.
    fn any_cell(&mut self) -> CellIndex {
        #[expect(clippy::cast_possible_truncation, reason = "a frame has fewer cells")]
        let cell = self.random.below(self.cells.len()) as CellIndex;
        if self.window().contains(self.cells.position(cell)) { cell } else { OUTSIDE }
    }
}
