//! Quarter turns: the group Z4 of the paper.

use std::ops::{Add, AddAssign, Neg, Sub};

/// A number of *clockwise* quarter turns, modulo four.
///
/// The paper's Z4 (section "Setting and Notation"). After `q` turns, what faced side `s` faces
/// side `s + q`. Turns compose by addition and commute.
///
/// ```
/// use fretsaw::puzzle::QuarterTurn;
/// let three = QuarterTurn::from_clockwise(3);
/// assert_eq!(three + three, QuarterTurn::from_clockwise(2));
/// assert_eq!(-three, QuarterTurn::from_clockwise(1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuarterTurn(u8);

impl QuarterTurn {
    /// No turn.
    pub const ZERO: Self = Self(0);
    /// Half a turn, 180 degrees.
    pub const HALF: Self = Self(2);
    /// All four turns, in increasing order.
    pub const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// The turn by `turns` clockwise quarters; any whole number, taken modulo four.
    pub const fn from_clockwise(turns: i64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "rem_euclid(4) lies in 0..4")]
        Self(turns.rem_euclid(4) as u8)
    }

    /// The number of clockwise quarters, 0 to 3.
    pub const fn clockwise(self) -> u8 {
        self.0
    }

    /// The same as an index, 0 to 3.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether rows become columns: true for one and three quarters.
    pub const fn swaps_axes(self) -> bool {
        self.0 % 2 == 1
    }
}

impl Add for QuarterTurn {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self((self.0 + other.0) % 4)
    }
}

impl AddAssign for QuarterTurn {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Neg for QuarterTurn {
    type Output = Self;
    fn neg(self) -> Self {
        Self((4 - self.0) % 4)
    }
}

impl Sub for QuarterTurn {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_form_the_cyclic_group_of_four() {
        for a in QuarterTurn::ALL {
            assert_eq!(a + QuarterTurn::ZERO, a);
            assert_eq!(a + -a, QuarterTurn::ZERO);
            assert_eq!(a + a + a + a, QuarterTurn::ZERO);
            for b in QuarterTurn::ALL {
                assert_eq!(a + b, b + a);
                assert_eq!(a - b + b, a);
                for c in QuarterTurn::ALL {
                    assert_eq!((a + b) + c, a + (b + c));
                }
            }
        }
    }

    #[test]
    fn negative_and_large_counts_wrap() {
        assert_eq!(QuarterTurn::from_clockwise(-1).clockwise(), 3);
        assert_eq!(QuarterTurn::from_clockwise(7).clockwise(), 3);
        assert_eq!(QuarterTurn::from_clockwise(i64::MIN).clockwise(), 0);
    }
}
