//! Sides of a piece, and the 4n sides of a puzzle.

use super::{PieceId, QuarterTurn};
use std::ops::{Add, Sub};

/// One of the four sides of a piece as it was handed in, or one of the four directions of a board.
///
/// Numbered clockwise from the top, so that turning is addition: after `q` clockwise quarter
/// turns side `s` faces `s + q`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Side {
    /// Towards row 0.
    Top = 0,
    /// Towards the last column.
    Right = 1,
    /// Towards the last row.
    Bottom = 2,
    /// Towards column 0.
    Left = 3,
}

crate::named_enum!(Side { Top: "top", Right: "right", Bottom: "bottom", Left: "left" });

impl Side {
    /// The side with this number, modulo four.
    pub const fn from_index(index: usize) -> Self {
        Self::ALL[index % 4]
    }

    /// 0 to 3, clockwise from the top.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side across.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::from_index(self as usize + 2)
    }

    /// One step in this direction on a board, as (rows, columns).
    pub const fn step(self) -> (i32, i32) {
        match self {
            Self::Top => (-1, 0),
            Self::Right => (0, 1),
            Self::Bottom => (1, 0),
            Self::Left => (0, -1),
        }
    }
}

/// `side + turn`: where the side faces after the turn.
impl Add<QuarterTurn> for Side {
    type Output = Self;
    fn add(self, turn: QuarterTurn) -> Self {
        Self::from_index(self.index() + turn.index())
    }
}

/// `facing - turn`: which side of a turned piece faces there.
impl Sub<QuarterTurn> for Side {
    type Output = Self;
    fn sub(self, turn: QuarterTurn) -> Self {
        self + -turn
    }
}

/// `to - from`: the turn that brings `from` to where `to` is.
impl Sub for Side {
    type Output = QuarterTurn;
    fn sub(self, from: Self) -> QuarterTurn {
        QuarterTurn::from_clockwise(self as i64 - from as i64)
    }
}

/// One of the 4n sides of a puzzle: side `s` of piece `i` is number `4 i + s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SideId(u32);

impl SideId {
    /// Side `side` of piece `piece`.
    pub const fn new(piece: PieceId, side: Side) -> Self {
        Self(piece.number() * 4 + side as u32)
    }

    /// The side with this number.
    ///
    /// # Panics
    /// If the number does not fit, that is, if its piece number exceeds
    /// [`MAX_PIECES`](super::MAX_PIECES).
    pub const fn from_index(index: usize) -> Self {
        Self::new(PieceId::new(index / 4), Side::from_index(index % 4))
    }

    /// `4 i + s`.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The piece it belongs to.
    pub const fn piece(self) -> PieceId {
        PieceId::new(self.index() / 4)
    }

    /// Which of its piece's sides it is.
    pub const fn side(self) -> Side {
        Side::from_index(self.index() % 4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turned_side_faces_where_addition_says() {
        let quarter = QuarterTurn::from_clockwise(1);
        assert_eq!(Side::Top + quarter, Side::Right);
        assert_eq!(Side::Left + quarter, Side::Top);
        for side in Side::ALL {
            assert_eq!(side.opposite().opposite(), side);
            for turn in QuarterTurn::ALL {
                assert_eq!((side + turn) - side, turn);
                assert_eq!((side + turn) - turn, side);
            }
        }
    }

    #[test]
    fn side_ids_know_their_piece_and_side() {
        for index in 0..40 {
            let id = SideId::from_index(index);
            assert_eq!(id.index(), index);
            assert_eq!(SideId::new(id.piece(), id.side()), id);
        }
    }
}
