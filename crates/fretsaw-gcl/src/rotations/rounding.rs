//! Algorithm 1, last step: from an eigenvector to quarter turns.

use crate::linalg::Complex;
use fretsaw::puzzle::QuarterTurn;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::FRAC_PI_2;

/// An angle this close to half way between two turns, in quarter turns, is a tie.
const TIE_QUARTERS: f64 = 1e-9;

/// Projects every entry onto Z4, \[HLW20\] Algorithm 1, last step, and returns the turn that brings
/// the piece upright: minus the nearest element, since `u_i = i^(-turn_i)`.
///
/// An eigenvector is defined up to a phase. The paper is silent on it (its two real eigenvectors
/// are any orthonormal basis of a plane); near 45 degrees off, the projection of every entry would
/// be a matter of rounding. We turn the vector by the phase at which its entries are nearest to
/// Z4, see [`gauge_phase`].
///
/// Entries that are zero or half way between two turns are decided at random among the nearest
/// turns: any fixed rule could favour the truth, for instance if no piece was turned.
pub(super) fn round_to_turns(vector: &[Complex], seed: u64) -> Vec<QuarterTurn> {
    let gauge = Complex::cis(-gauge_phase(vector));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    vector
        .iter()
        .map(|&entry| {
            // One draw per entry, tie or not, so that one entry's tie does not change another's.
            let chance = rng.random_range(0..4i64);
            if entry == Complex::ZERO {
                return QuarterTurn::from_clockwise(chance);
            }
            let quarters = (entry * gauge).arg() / FRAC_PI_2;
            let below = quarters.floor();
            #[expect(clippy::cast_possible_truncation, reason = "from -2 to 2")]
            let below_turns = below as i64;
            let offset = quarters - below - 0.5;
            let nearest = if offset.abs() <= TIE_QUARTERS {
                below_turns + chance % 2
            } else {
                below_turns + i64::from(offset > 0.0)
            };
            QuarterTurn::from_clockwise(-nearest)
        })
        .collect()
}

/// The phase, up to a quarter turn, at which the entries are nearest to Z4: a quarter of the angle
/// of the mean of their fourth powers, which do not see quarter turns.
///
/// Every entry counts the same, however small: eigenvectors of graphs with wrong edges live in a
/// few places and fade elsewhere, but the phase has to serve all. (Counting by the modulus lost up
/// to five points of turns on large grids with 5 % wrong edges.)
fn gauge_phase(vector: &[Complex]) -> f64 {
    let mut sum = Complex::ZERO;
    for &entry in vector {
        let modulus = entry.norm();
        if modulus > 0.0 {
            let unit = entry * (1.0 / modulus);
            let square = unit * unit;
            sum += square * square;
        }
    }
    sum.arg() / 4.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_phase_of_the_vector_gives_the_same_relative_turns() {
        let turns: Vec<QuarterTurn> = (0..9).map(|k| QuarterTurn::from_clockwise(k * k)).collect();
        for phase in [0.0, 0.4, 0.785, 1.3, 2.9, -2.0] {
            let vector: Vec<Complex> = turns
                .iter()
                .map(|turn| Complex::cis(phase - FRAC_PI_2 * f64::from(turn.clockwise())) * 0.3)
                .collect();
            let rounded = round_to_turns(&vector, 0);
            let gauge = rounded[0] - turns[0];
            assert!(rounded.iter().zip(&turns).all(|(&r, &t)| r == t + gauge));
        }
    }

    #[test]
    fn ties_are_rounded_to_all_turns_equally_often() {
        let mut vector = vec![Complex::ONE; 4000];
        vector.extend(vec![Complex::ZERO; 4000]);
        let rounded = round_to_turns(&vector, 7);
        assert!(rounded[..4000].iter().all(|&turn| turn == QuarterTurn::ZERO));
        for turn in QuarterTurn::ALL {
            let count = rounded[4000..].iter().filter(|&&t| t == turn).count();
            assert!((900..1100).contains(&count), "{count}");
        }
    }
}
