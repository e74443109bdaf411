//! M, the seam measure: both sides extrapolate half a pixel outward and must meet at the seam. Lower is
//! better.
//!
//! With `h_u = e_u + g_u / 2` and `d_u(r) = e_u(r + 1) - e_u(r)`, the derivative along the side:
//!
//! ```text
//! D1(u -> v) = sum_r (h_v(r') - h_u(r))^T S_u (h_v(r') - h_u(r))      S_u from g_u as in MGC
//! D2(u -> v) = the same with d in place of h and the covariance of d_u, dummies included
//! M(u, v)    = D1 + D2, both ways round
//! ```
//!
//! Using both gradients and a term along the side is Son et al.'s idea \[Son16\]. Reading the
//! neighbour backwards changes the sign of its derivative along the side: `d_v` enters with a minus.

use super::covariance::regularised_precision;
use super::quadratic::{ReadBackwards, SideTerm, Term};
use super::strips::Strips;
use crate::linalg::single;

pub(super) fn terms(strips: &Strips) -> Vec<Term> {
    vec![meeting_at_the_seam(strips), derivative_along_the_side(strips)]
}

fn meeting_at_the_seam(strips: &Strips) -> Term {
    Term::new(strips, ReadBackwards::AsIs, |strip| {
        let (outer, inner) = (strips.line(strip, 0), strips.line(strip, 1));
        let gradient = strips.outward_gradient(strip);
        SideTerm {
            // Multiples of one half below 2^17: exact in single precision.
            profile: outer
                .iter()
                .zip(inner)
                .map(|(e, i)| 1.5 * f32::from(*e) - 0.5 * f32::from(*i))
                .collect(),
            offset: vec![0.0; strips.channels],
            precision: regularised_precision(&gradient, strips.length(strip), strips.unit),
        }
    })
}

fn derivative_along_the_side(strips: &Strips) -> Term {
    Term::new(strips, ReadBackwards::Negated, |strip| {
        let length = strips.length(strip);
        let derivative: Vec<f64> = strips
            .line(strip, 0)
            .chunks_exact(length)
            .flat_map(|channel| channel.windows(2).map(|w| f64::from(w[1]) - f64::from(w[0])))
            .collect();
        SideTerm {
            // Integers below 2^16: exact.
            profile: derivative.iter().copied().map(single).collect(),
            offset: vec![0.0; strips.channels],
            precision: regularised_precision(&derivative, length - 1, strips.unit),
        }
    })
}
