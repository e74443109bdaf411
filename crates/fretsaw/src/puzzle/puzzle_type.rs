//! Gallagher's three types of puzzle, and the turns each allows.

use super::{Grid, PieceShape, QuarterTurn, SidePair};
use serde::{Deserialize, Serialize};

/// What is unknown about the pieces. The numbering is Gallagher's \[Gal12\], which the paper uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum PuzzleType {
    /// Positions unknown, turns known: pieces are shuffled.
    #[serde(rename = "1")]
    Type1,
    /// Positions and turns unknown: pieces are shuffled and turned.
    #[serde(rename = "2")]
    Type2,
    /// Positions known, turns unknown: pieces are turned in place.
    #[serde(rename = "3")]
    Type3,
}

impl PuzzleType {
    /// All types, by number.
    pub const ALL: [Self; 3] = [Self::Type1, Self::Type2, Self::Type3];

    /// The number: 1, 2 or 3.
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The turns that pieces of this shape may have undergone.
    ///
    /// A piece that is not square fits its cell only upright or after half a turn.
    pub const fn turns(self, shape: PieceShape) -> TurnSet {
        match self {
            Self::Type1 => TurnSet::None,
            Self::Type2 | Self::Type3 => {
                if shape.is_square() {
                    TurnSet::Quarter
                } else {
                    TurnSet::Half
                }
            }
        }
    }

    /// Whether the order of the pieces gives their positions.
    pub const fn positions_known(self) -> bool {
        matches!(self, Self::Type3)
    }
}

/// A subgroup of the quarter turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TurnSet {
    /// Only the zero turn.
    None,
    /// Zero and half turns.
    Half,
    /// All four.
    Quarter,
}

impl TurnSet {
    /// The turns in the set, in increasing order.
    pub const fn turns(self) -> &'static [QuarterTurn] {
        match self {
            Self::None => &[QuarterTurn::ZERO],
            Self::Half => &[QuarterTurn::ZERO, QuarterTurn::HALF],
            Self::Quarter => &QuarterTurn::ALL,
        }
    }

    /// Whether the turn is in the set.
    pub fn contains(self, turn: QuarterTurn) -> bool {
        self.turns().contains(&turn)
    }

    /// The turns in which a frame must be tried: upright, and by a quarter if pieces may be turned so and
    /// the frame is not square.
    pub fn of_frame(self, frame: Grid) -> &'static [QuarterTurn] {
        let lies_across = self == Self::Quarter && frame.rows() != frame.cols();
        &QuarterTurn::ALL[..if lies_across { 2 } else { 1 }]
    }

    /// Turns in the gauge where the first piece's turn is zero. Turns that are then outside the set become
    /// zero.
    pub fn relative(self, found: &[QuarterTurn]) -> Vec<QuarterTurn> {
        let gauge = found.first().copied().unwrap_or_default();
        let relative = found.iter().map(|&turn| turn - gauge);
        relative.map(|turn| if self.contains(turn) { turn } else { QuarterTurn::ZERO }).collect()
    }

    /// Whether two pieces may touch this way: whether their relative turn is in the set.
    pub fn allows(self, pair: SidePair) -> bool {
        self.contains(pair.turn_j_from_i())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Side;

    #[test]
    fn allowed_pairs_join_sides_of_equal_length() {
        let oblong = PieceShape::new(10, 20).unwrap();
        let turns = PuzzleType::Type2.turns(oblong);
        assert_eq!(turns, TurnSet::Half);
        for pair in SidePair::all() {
            if turns.allows(pair) {
                assert_eq!(oblong.side_length_px(pair.of_i), oblong.side_length_px(pair.of_j));
            }
        }
        assert_eq!(SidePair::all().filter(|&pair| turns.allows(pair)).count(), 8);
    }

    #[test]
    fn without_turns_only_opposite_sides_touch() {
        for pair in SidePair::all() {
            assert_eq!(TurnSet::None.allows(pair), pair.of_i == Side::opposite(pair.of_j));
            assert!(TurnSet::Quarter.allows(pair));
        }
    }
}
