//! SSD: the sum of squared differences of the two outermost lines, in 8-bit levels. Lower
//! is better.
//!
//! ```text
//! SSD(u, v) = sum_r |e_v(r') - e_u(r)|^2
//! ```

use super::quadratic::{ReadBackwards, SideTerm, Term};
use super::strips::Strips;

pub(super) fn terms(strips: &Strips) -> Vec<Term> {
    let k = strips.channels;
    vec![Term::new(strips, ReadBackwards::AsIs, |strip| {
        let mut precision = vec![0.0; k * k];
        for channel in 0..k {
            // Half from each side's point of view.
            precision[channel * k + channel] = 0.5 / (strips.unit * strips.unit);
        }
        SideTerm {
            profile: strips.line(strip, 0).iter().map(|e| f32::from(*e)).collect(),
            offset: vec![0.0; k],
            precision,
        }
    })]
}
