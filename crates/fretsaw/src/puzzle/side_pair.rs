//! Which side of one piece touches which side of another, and what that costs.

use super::{QuarterTurn, Side, SideId};

/// "Side `of_i` of piece i touches side `of_j` of piece j."
///
/// The only way to say that two sides touch. There are 16, four for each relative turn: the 16
/// relative positions of two pieces of the paper's section on type 3 puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SidePair {
    /// The touching side of piece i, as handed in.
    pub of_i: Side,
    /// The touching side of piece j, as handed in.
    pub of_j: Side,
}

impl SidePair {
    /// The pair of two of a puzzle's sides.
    pub const fn of(i: SideId, j: SideId) -> Self {
        Self { of_i: i.side(), of_j: j.side() }
    }

    /// All 16 pairs.
    pub fn all() -> impl Iterator<Item = Self> {
        Side::ALL.into_iter().flat_map(|of_i| Side::ALL.map(|of_j| Self { of_i, of_j }))
    }

    /// The turn of j when that of i is zero: `turn_j = turn_i + turn_j_from_i`.
    ///
    /// The two sides face each other, `of_j + turn_j = of_i + turn_i + 2`. This is the paper's
    /// R\[i, j\] read as an element of Z4.
    ///
    /// ```
    /// use fretsaw::puzzle::{QuarterTurn, Side, SidePair};
    /// let straight = SidePair { of_i: Side::Right, of_j: Side::Left };
    /// assert_eq!(straight.turn_j_from_i(), QuarterTurn::ZERO);
    /// ```
    pub fn turn_j_from_i(self) -> QuarterTurn {
        self.of_i.opposite() - self.of_j
    }

    /// The same contact seen from j.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self { of_i: self.of_j, of_j: self.of_i }
    }
}

/// Two sides that may belong together, and the cost of joining them; lower is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairCost<C = f32> {
    /// One side.
    pub a: SideId,
    /// The other side.
    pub b: SideId,
    /// The cost of joining them, in a unit that the function returning the pair documents.
    pub cost: C,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_sides_face_each_other_after_the_turn() {
        for pair in SidePair::all() {
            for turn_i in QuarterTurn::ALL {
                let turn_j = turn_i + pair.turn_j_from_i();
                assert_eq!((pair.of_i + turn_i).opposite(), pair.of_j + turn_j);
            }
        }
    }

    #[test]
    fn sixteen_pairs_four_per_turn_and_swapping_inverts() {
        let mut per_turn = [0; 4];
        for pair in SidePair::all() {
            per_turn[pair.turn_j_from_i().index()] += 1;
            assert_eq!(pair.swapped().turn_j_from_i(), -pair.turn_j_from_i());
        }
        assert_eq!(per_turn, [4; 4]);
    }
}
