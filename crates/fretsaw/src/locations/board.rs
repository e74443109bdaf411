//! A board on its way to being full.
//!
//! Until pieces span all its rows and columns nobody knows where in the frame they lie. So positions
//! are relative, as in a segment; a position is on the board if the frame can cover it together with
//! all pieces so far.

use super::segment::{Extent, Position};
use crate::puzzle::{Cell, Grid, PieceId, Place, Placement, QuarterTurn, Side, SideId};

/// Pieces at positions relative to each other, and pieces that have none yet.
#[derive(Clone, Debug)]
pub struct Board {
    frame: Grid,
    /// By row and column modulo those of the frame: no two positions on the board are congruent.
    held: Vec<Option<Held>>,
    is_loose: Vec<bool>,
    extent: Option<Extent>,
}

/// A piece on the board.
#[derive(Clone, Copy, Debug)]
struct Held {
    piece: PieceId,
    position: Position,
    turn: QuarterTurn,
}

impl Board {
    /// An empty board.
    #[must_use]
    pub fn new(frame: Grid, num_pieces: usize) -> Self {
        Self {
            frame,
            held: vec![None; frame.num_cells()],
            is_loose: vec![true; num_pieces],
            extent: None,
        }
    }

    /// The pieces without a position.
    pub fn loose(&self) -> impl Iterator<Item = PieceId> {
        (0..self.is_loose.len()).map(PieceId::new).filter(|piece| self.is_loose[piece.index()])
    }

    /// Where pieces lie.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        self.held.iter().flatten().map(|held| held.position)
    }

    fn slot(&self, position: Position) -> usize {
        let wrapped = |value: i32, size: u32| i64::from(value).rem_euclid(size.into());
        let (row, col) =
            (wrapped(position.row, self.frame.rows()), wrapped(position.col, self.frame.cols()));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "smaller than the frame"
        )]
        let cell = Cell { row: row as u32, col: col as u32 };
        self.frame.index_of(cell)
    }

    fn at(&self, position: Position) -> Option<Held> {
        self.held[self.slot(position)].filter(|held| held.position == position)
    }

    /// Whether a piece could be put there: the position is empty, and the frame can cover it.
    #[must_use]
    pub fn is_hole(&self, position: Position) -> bool {
        self.held[self.slot(position)].is_none()
            && self.extent_with(position).fits(self.frame.rows(), self.frame.cols())
    }

    fn extent_with(&self, position: Position) -> Extent {
        let alone = Extent::of(position);
        self.extent.map_or(alone, |extent| extent.with(alone))
    }

    /// The sides that a piece at a position would touch, with their directions.
    pub fn sides_around(&self, position: Position) -> impl Iterator<Item = (Side, SideId)> {
        Side::ALL.into_iter().filter_map(move |direction| {
            let held = self.at(position.next_to(direction))?;
            Some((direction, SideId::new(held.piece, direction.opposite() - held.turn)))
        })
    }

    /// Put a loose piece into a hole.
    pub fn place(&mut self, piece: PieceId, position: Position, turn: QuarterTurn) {
        let slot = self.slot(position);
        self.held[slot] = Some(Held { piece, position, turn });
        self.is_loose[piece.index()] = false;
        self.extent = Some(self.extent_with(position));
    }

    /// Where pieces lie in the frame.
    pub fn placements(&self) -> impl Iterator<Item = Placement> {
        let origin = self.extent.map_or(Position::default(), |extent| extent.top_left);
        self.held.iter().flatten().map(move |&Held { piece, position, turn }| {
            let Position { row, col } = position - origin;
            let cell = Cell { row: row.cast_unsigned(), col: col.cast_unsigned() };
            Placement { piece, place: Place { board: 0, cell, turn } }
        })
    }
}
