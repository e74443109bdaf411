//! A partial board whose frame still floats.
//!
//! Until the pieces span all rows and columns of the frame, their cells in it are not known. So positions are
//! relative, as in a segment. A position is on the board if the frame can cover it and all pieces so far.

use super::LocationProblem;
use super::segment::{PlaceInSegment, Position, Rectangle, Segments};
use super::trim::trim_to_frame;
use crate::puzzle::{Cell, Grid, PieceId, Place, Placement, QuarterTurn, Side, SideId};

/// Pieces at positions relative to each other, and pieces that have none yet.
#[derive(Clone, Debug)]
pub struct Board {
    frame: Grid,
    /// By row and column modulo the size of the frame: no two positions on the board are congruent.
    slots: Vec<Option<(PieceId, PlaceInSegment)>>,
    is_loose: Vec<bool>,
    extent: Option<Rectangle>,
}

impl Board {
    /// An empty board.
    pub fn new(frame: Grid, num_pieces: usize) -> Self {
        Self {
            frame,
            slots: vec![None; frame.num_cells()],
            is_loose: vec![true; num_pieces],
            extent: None,
        }
    }

    /// A board with the largest segment, trimmed to the frame in its best position. If pieces may have quarter turns,
    /// the segment is turned by 90 degrees if the frame then covers more of it.
    pub fn of_largest(problem: &LocationProblem<'_>, segments: &Segments) -> Self {
        let mut board = Self::new(problem.frame, problem.num_pieces());
        let Some(&largest) = segments.by_size().first() else { return board };
        let mut most: Vec<Placement> = Vec::new();
        for &turn in problem.turns.of_frame(problem.frame) {
            let covered = trim_to_frame(segments, largest, problem.frame, turn);
            if covered.len() > most.len() {
                most = covered;
            }
        }
        for Placement { piece, place: Place { cell, turn, .. } } in most {
            board.place(piece, cell.into(), turn);
        }
        board
    }

    /// The pieces without a position.
    pub fn loose(&self) -> impl Iterator<Item = PieceId> {
        (0..self.is_loose.len()).map(PieceId::new).filter(|piece| self.is_loose[piece.index()])
    }

    /// Number of pieces on the board.
    pub fn num_placed(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    /// The positions of the pieces on the board.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        self.slots.iter().flatten().map(|(_, place)| place.position)
    }

    fn slot(&self, position: Position) -> usize {
        let wrapped = |value: i32, size: u32| i64::from(value).rem_euclid(size.into());
        let (row, col) =
            (wrapped(position.row, self.frame.rows()), wrapped(position.col, self.frame.cols()));
        #[expect(clippy::cast_possible_truncation, reason = "smaller than the frame")]
        let cell = Cell { row: row as u32, col: col as u32 };
        self.frame.index_of(cell)
    }

    fn at(&self, position: Position) -> Option<(PieceId, PlaceInSegment)> {
        self.slots[self.slot(position)].filter(|(_, place)| place.position == position)
    }

    /// Whether a piece could be placed there: the position is empty, and the frame can cover it.
    pub fn is_hole(&self, position: Position) -> bool {
        self.slots[self.slot(position)].is_none()
            && self.extent_with(position).fits(self.frame.rows(), self.frame.cols())
    }

    fn extent_with(&self, position: Position) -> Rectangle {
        let alone = Rectangle::of(position);
        self.extent.map_or(alone, |extent| extent.with(alone))
    }

    /// The sides that a piece at a position would touch, with their directions.
    pub fn sides_around(&self, position: Position) -> impl Iterator<Item = (Side, SideId)> {
        Side::ALL.into_iter().filter_map(move |direction| {
            let (piece, place) = self.at(position.next_to(direction))?;
            Some((direction, SideId::new(piece, direction.opposite() - place.turn)))
        })
    }

    /// Puts a loose piece into a hole.
    pub fn place(&mut self, piece: PieceId, position: Position, turn: QuarterTurn) {
        let slot = self.slot(position);
        self.slots[slot] = Some((piece, PlaceInSegment { position, turn }));
        self.is_loose[piece.index()] = false;
        self.extent = Some(self.extent_with(position));
    }

    /// The pieces in the frame, shifted to its top left corner.
    pub fn placements(&self) -> impl Iterator<Item = Placement> {
        let origin = self.extent.map_or(Position::default(), |extent| extent.top_left);
        self.slots.iter().flatten().map(move |&(piece, PlaceInSegment { position, turn })| {
            let Position { row, col } = position - origin;
            let cell = Cell { row: row.cast_unsigned(), col: col.cast_unsigned() };
            Placement { piece, place: Place { board: 0, cell, turn } }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(row: i32, col: i32) -> Position {
        Position { row, col }
    }

    #[test]
    fn the_frame_floats_until_the_pieces_span_it() {
        let mut board = Board::new(Grid::new(2, 3).unwrap(), 6);
        board.place(PieceId::new(4), at(0, 0), QuarterTurn::ZERO);
        for position in [at(1, 0), at(-1, 0), at(0, 2), at(0, -2)] {
            assert!(board.is_hole(position), "{position:?}");
        }
        assert!(!board.is_hole(at(0, 0)) && !board.is_hole(at(2, 0)) && !board.is_hole(at(0, -3)));
        board.place(PieceId::new(2), at(-1, -1), QuarterTurn::HALF);
        assert!(!board.is_hole(at(1, 0)), "three rows");
        assert!(board.is_hole(at(0, 1)) && board.is_hole(at(0, -2)));
        assert!(!board.is_hole(at(0, 2)), "four columns");
        let placed: Vec<(PieceId, Cell)> =
            board.placements().map(|p| (p.piece, p.place.cell)).collect();
        assert!(placed.contains(&(PieceId::new(2), Cell { row: 0, col: 0 })));
        assert!(placed.contains(&(PieceId::new(4), Cell { row: 1, col: 1 })));
        assert_eq!((placed.len(), board.num_placed(), board.loose().count()), (2, 2, 4));
    }

    #[test]
    fn sides_around_a_hole_face_it() {
        let mut board = Board::new(Grid::new(2, 2).unwrap(), 4);
        board.place(PieceId::new(1), at(0, 0), QuarterTurn::from_clockwise(1));
        let around: Vec<(Side, SideId)> = board.sides_around(at(0, 1)).collect();
        // The top side faces right after one clockwise turn.
        assert_eq!(around, [(Side::Left, SideId::new(PieceId::new(1), Side::Top))]);
        assert_eq!(board.sides_around(at(1, 1)).count(), 0);
    }
}
