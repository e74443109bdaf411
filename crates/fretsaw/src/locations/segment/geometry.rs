//! Positions, rectangles and rigid motions of the plane of cells.

use crate::puzzle::{Cell, Grid, QuarterTurn, Side};
use serde::{Deserialize, Serialize};
use std::ops::{Add, Sub};

/// A cell of an unbounded plane, or the difference of two cells.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Position {
    /// Counted downward.
    pub row: i32,
    /// Counted rightward.
    pub col: i32,
}

impl Position {
    /// The adjacent position in a direction.
    #[must_use]
    pub const fn next_to(self, direction: Side) -> Self {
        let (down, right) = direction.step();
        Self { row: self.row + down, col: self.col + right }
    }

    /// The cell of a board at this position, if there is one.
    pub fn cell_of(self, board: Grid) -> Option<Cell> {
        let cell = Cell { row: self.row.try_into().ok()?, col: self.col.try_into().ok()? };
        board.contains(cell).then_some(cell)
    }

    /// The position after turning the plane clockwise around the origin.
    #[must_use]
    pub const fn turned(self, turn: QuarterTurn) -> Self {
        let Self { row, col } = self;
        match turn.clockwise() {
            0 => self,
            1 => Self { row: col, col: -row },
            2 => Self { row: -row, col: -col },
            _ => Self { row: -col, col: row },
        }
    }
}

impl From<Cell> for Position {
    fn from(Cell { row, col }: Cell) -> Self {
        Self { row: row.cast_signed(), col: col.cast_signed() }
    }
}

impl Add for Position {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { row: self.row + other.row, col: self.col + other.col }
    }
}

impl Sub for Position {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { row: self.row - other.row, col: self.col - other.col }
    }
}

/// Where a piece lies in its segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaceInSegment {
    /// Its cell, in the coordinates of the segment.
    pub position: Position,
    /// Clockwise turns of the piece, counted from its orientation in the input.
    pub turn: QuarterTurn,
}

/// An upright rectangle of cells; both corners belong to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rectangle {
    /// The smallest row and column.
    pub top_left: Position,
    /// The largest row and column.
    pub bottom_right: Position,
}

impl Rectangle {
    /// The whole plane.
    pub(crate) const EVERYTHING: Self = Self {
        top_left: Position { row: i32::MIN, col: i32::MIN },
        bottom_right: Position { row: i32::MAX, col: i32::MAX },
    };

    /// A single cell.
    pub const fn of(position: Position) -> Self {
        Self { top_left: position, bottom_right: position }
    }

    /// Whether a cell lies in it.
    pub const fn contains(&self, Position { row, col }: Position) -> bool {
        self.top_left.row <= row
            && row <= self.bottom_right.row
            && self.top_left.col <= col
            && col <= self.bottom_right.col
    }

    /// Whether it has at most this many rows and columns.
    pub fn fits(self, rows: u32, cols: u32) -> bool {
        let Position { row, col } = self.bottom_right - self.top_left;
        i64::from(row) < i64::from(rows) && i64::from(col) < i64::from(cols)
    }

    /// The smallest rectangle that contains this one and another.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let (a, b) = (self, other);
        Self {
            top_left: Position {
                row: a.top_left.row.min(b.top_left.row),
                col: a.top_left.col.min(b.top_left.col),
            },
            bottom_right: Position {
                row: a.bottom_right.row.max(b.bottom_right.row),
                col: a.bottom_right.col.max(b.bottom_right.col),
            },
        }
    }

    pub(super) fn moved(self, motion: Motion) -> Self {
        let corner = |position: Position| Self::of(motion.apply(position));
        corner(self.top_left).with(corner(self.bottom_right))
    }
}

/// A rigid motion: a turn around the origin, then a shift.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion {
    pub(crate) turn: QuarterTurn,
    shift: Position,
}

impl Motion {
    /// The motion with this turn that takes one position to another.
    pub(crate) fn new(from: Position, to: Position, turn: QuarterTurn) -> Self {
        Self { turn, shift: to - from.turned(turn) }
    }

    pub(crate) fn apply(self, position: Position) -> Position {
        position.turned(self.turn) + self.shift
    }

    pub(crate) fn apply_to_place(self, place: PlaceInSegment) -> PlaceInSegment {
        PlaceInSegment { position: self.apply(place.position), turn: place.turn + self.turn }
    }

    pub(crate) fn inverse(self) -> Self {
        Self::new(self.shift, Position::default(), -self.turn)
    }
}
