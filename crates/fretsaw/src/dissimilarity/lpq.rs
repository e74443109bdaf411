//! (L_p)^q: Pomeranz et al.'s prediction-based measure \[Pom11\]. Lower is better.
//!
//! Each side predicts the neighbour's outermost line by linear extrapolation, `2 e - i`:
//!
//! ```text
//! (sum_r,c |2 e_u(r) - i_u(r) - e_v(r')|^p + |2 e_v(r') - i_v(r') - e_u(r)|^p)^(q/p)
//! ```
//!
//! with p = 3/10 and q = 1/16, in 8-bit levels of the channels as given (Pomeranz et al. convert
//! to LAB first; we do not know what the channels are). A fractional power cannot be written as a
//! matrix product, so this measure is computed pair by pair, with a table of |x|^p over all possible differences.
//! One pair of 28 px RGB sides costs 168 table look-ups, some forty times the matrix product's
//! price.

use super::strips::Strips;

const P: f64 = 0.3;
const Q: f64 = 1.0 / 16.0;

#[derive(Clone, Debug)]
pub(super) struct Lpq {
    /// |x|^p in 8-bit levels, by |x| in the values' own units.
    powers: Vec<f64>,
    /// Per strip: where it starts in the two lists below.
    starts: Vec<usize>,
    /// `2 e - i`, channel by channel.
    predicted: Vec<i32>,
    /// `e`, channel by channel, each channel backwards.
    backwards: Vec<i32>,
}

impl Lpq {
    pub(super) fn new(strips: &Strips) -> Self {
        let (mut starts, mut predicted, mut backwards) = (Vec::new(), Vec::new(), Vec::new());
        for strip in 0..strips.num_strips() {
            starts.push(predicted.len());
            let (outer, inner) = (strips.line(strip, 0), strips.line(strip, 1));
            predicted
                .extend(outer.iter().zip(inner).map(|(e, i)| 2 * i32::from(*e) - i32::from(*i)));
            for channel in outer.chunks_exact(strips.length(strip)) {
                backwards.extend(channel.iter().rev().map(|e| i32::from(*e)));
            }
        }
        starts.push(predicted.len());
        // 2 e - i - e' lies within twice the full range either way.
        #[expect(clippy::cast_possible_truncation, reason = "unit is 1 or 257")]
        let largest = (2.0 * 255.0 * strips.unit) as usize;
        let powers = (0..=largest).map(|x| (x as f64 / strips.unit).powf(P)).collect();
        Self { powers, starts, predicted, backwards }
    }

    pub(super) fn value(&self, u: usize, v: usize) -> f64 {
        let sum = self.one_way(u, v) + self.one_way(v, u);
        sum.powf(Q / P)
    }

    /// How badly u predicts v.
    fn one_way(&self, u: usize, v: usize) -> f64 {
        let predicted = &self.predicted[self.starts[u]..self.starts[u + 1]];
        let actual = &self.backwards[self.starts[v]..self.starts[v + 1]];
        predicted.iter().zip(actual).map(|(p, e)| self.powers[p.abs_diff(*e) as usize]).sum()
    }
}
