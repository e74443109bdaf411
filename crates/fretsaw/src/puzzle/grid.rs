//! Boards and their cells.

use super::{MAX_PIECES, QuarterTurn, Side};

/// A cell of a board: row 0 is the top, column 0 the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// Counted downward from 0.
    pub row: u32,
    /// Counted rightward from 0.
    pub col: u32,
}

/// The size of a board in cells: at least 1 x 1, at most [`MAX_PIECES`] cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid {
    rows: u32,
    cols: u32,
}

/// Why a board cannot have this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// No rows or no columns.
    #[error("a board of {rows} rows x {cols} columns has no cells")]
    Empty {
        /// As given.
        rows: u64,
        /// As given.
        cols: u64,
    },
    /// More cells than a puzzle may have pieces.
    #[error("a board of {rows} rows x {cols} columns has more than {MAX_PIECES} cells")]
    TooLarge {
        /// As given.
        rows: u64,
        /// As given.
        cols: u64,
    },
}

impl Grid {
    /// A board of `rows` x `cols` cells.
    ///
    /// # Errors
    /// If it has no cells, or more than [`MAX_PIECES`].
    pub fn new(rows: u64, cols: u64) -> Result<Self, GridError> {
        if rows == 0 || cols == 0 {
            return Err(GridError::Empty { rows, cols });
        }
        let too_large = GridError::TooLarge { rows, cols };
        match rows.checked_mul(cols) {
            Some(cells) if cells <= MAX_PIECES as u64 => Ok(Self {
                rows: u32::try_from(rows).map_err(|_| too_large)?,
                cols: u32::try_from(cols).map_err(|_| too_large)?,
            }),
            _ => Err(too_large),
        }
    }

    /// Number of rows, at least 1.
    pub const fn rows(self) -> u32 {
        self.rows
    }

    /// Number of columns, at least 1.
    pub const fn cols(self) -> u32 {
        self.cols
    }

    /// Rows times columns.
    pub const fn num_cells(self) -> usize {
        self.rows as usize * self.cols as usize
    }

    /// Whether the cell lies on the board.
    pub const fn contains(self, cell: Cell) -> bool {
        cell.row < self.rows && cell.col < self.cols
    }

    /// The number of a cell, row by row.
    pub const fn index_of(self, cell: Cell) -> usize {
        cell.row as usize * self.cols as usize + cell.col as usize
    }

    /// The cell with this number, row by row.
    pub fn cell_at(self, index: usize) -> Cell {
        let cols = self.cols as usize;
        #[expect(clippy::cast_possible_truncation, reason = "a cell's index is below MAX_PIECES")]
        Cell { row: (index / cols) as u32, col: (index % cols) as u32 }
    }

    /// All cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        (0..self.num_cells()).map(move |index| self.cell_at(index))
    }

    /// The cell next to `cell` in that direction, if it is on the board.
    pub fn neighbor(self, cell: Cell, direction: Side) -> Option<Cell> {
        let (down, right) = direction.step();
        let next = Cell {
            row: cell.row.checked_add_signed(down)?,
            col: cell.col.checked_add_signed(right)?,
        };
        self.contains(next).then_some(next)
    }

    /// The board after turning it clockwise.
    #[must_use]
    pub const fn turned(self, turn: QuarterTurn) -> Self {
        if turn.swaps_axes() { Self { rows: self.cols, cols: self.rows } } else { self }
    }

    /// Where a cell of this board lies after turning the whole board clockwise.
    pub const fn cell_turned(self, cell: Cell, turn: QuarterTurn) -> Cell {
        let (last_row, last_col) = (self.rows - 1, self.cols - 1);
        match turn.clockwise() {
            0 => cell,
            1 => Cell { row: cell.col, col: last_row - cell.row },
            2 => Cell { row: last_row - cell.row, col: last_col - cell.col },
            _ => Cell { row: last_col - cell.col, col: cell.row },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_without_cells_or_beyond_the_limit_are_refused() {
        assert!(matches!(Grid::new(0, 3), Err(GridError::Empty { .. })));
        assert!(matches!(Grid::new(u64::MAX, 2), Err(GridError::TooLarge { .. })));
        assert!(matches!(Grid::new(MAX_PIECES as u64 + 1, 1), Err(GridError::TooLarge { .. })));
        assert!(Grid::new(MAX_PIECES as u64, 1).is_ok());
    }

    #[test]
    fn turning_cells_composes_and_keeps_neighbours() {
        let grid = Grid::new(3, 5).unwrap();
        for cell in grid.cells() {
            assert_eq!(grid.cell_at(grid.index_of(cell)), cell);
            for a in QuarterTurn::ALL {
                let there = grid.cell_turned(cell, a);
                assert!(grid.turned(a).contains(there));
                for b in QuarterTurn::ALL {
                    assert_eq!(grid.turned(a).cell_turned(there, b), grid.cell_turned(cell, a + b));
                }
                for direction in Side::ALL {
                    assert_eq!(
                        grid.neighbor(cell, direction).map(|next| grid.cell_turned(next, a)),
                        grid.turned(a).neighbor(there, direction + a)
                    );
                }
            }
        }
    }
}
