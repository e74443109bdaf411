//! The relative turn of an edge, certain or a mean of candidates.

use crate::linalg::Complex;
use fretsaw::puzzle::QuarterTurn;

/// A relative turn as a complex number: `i^q` for q clockwise quarters, and the mean of such
/// numbers where several turns fit equally well (\[HLW20\], section "Connection Graph Construction
/// for Type 3 Puzzles").
///
/// The modulus is at most 1, and 1 for a single turn only. Candidates that cancel, such as a turn
/// and the half turn from it, leave 0: the edge then gives no information about the turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeTurn {
    value: Complex,
}

impl EdgeTurn {
    /// The mean of the candidates, each counted as often as it is named; `None` without any.
    pub fn mean(candidates: &[QuarterTurn]) -> Option<Self> {
        let mut sum = Complex::ZERO;
        for &turn in candidates {
            sum += Self::from(turn).value;
        }
        let count = candidates.len() as f64;
        (count > 0.0).then(|| Self { value: Complex::new(sum.re / count, sum.im / count) })
    }

    /// The complex number: the block of the paper's R\[i, j\].
    pub const fn value(self) -> Complex {
        self.value
    }

    /// The turn, if it is a single one.
    pub fn turn(self) -> Option<QuarterTurn> {
        QuarterTurn::ALL.into_iter().find(|&turn| Self::from(turn) == self)
    }

    /// The same relation seen from the other end.
    #[must_use]
    pub const fn inverse(self) -> Self {
        // `0.0 - im` rather than `-im`: a real number stays equal to itself, sign of zero included.
        Self { value: Complex::new(self.value.re, 0.0 - self.value.im) }
    }
}

impl From<QuarterTurn> for EdgeTurn {
    fn from(turn: QuarterTurn) -> Self {
        let (re, im) = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][turn.index()];
        Self { value: Complex::new(re, im) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_add_as_complex_numbers_multiply() {
        for a in QuarterTurn::ALL {
            assert_eq!(EdgeTurn::from(a).turn(), Some(a));
            assert_eq!(EdgeTurn::from(a).inverse(), EdgeTurn::from(-a));
            for b in QuarterTurn::ALL {
                let product = EdgeTurn::from(a).value() * EdgeTurn::from(b).value();
                assert_eq!(product, EdgeTurn::from(a + b).value());
            }
        }
    }

    #[test]
    fn the_mean_of_opposite_turns_is_zero() {
        let [zero, one, half, _] = QuarterTurn::ALL;
        assert_eq!(EdgeTurn::mean(&[zero, half]).unwrap().value(), Complex::ZERO);
        assert_eq!(EdgeTurn::mean(&[zero, one]).unwrap().value(), Complex::new(0.5, 0.5));
        assert_eq!(EdgeTurn::mean(&[one]).unwrap().turn(), Some(one));
        assert_eq!(EdgeTurn::mean(&[zero, one]).unwrap().turn(), None);
        assert_eq!(EdgeTurn::mean(&[]), None);
    }
}
