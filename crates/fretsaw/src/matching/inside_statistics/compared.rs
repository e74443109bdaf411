//! How the patterns of ink along two sides are compared.

use super::ink_pixels::NUM_PATTERNS;

/// The number of a pair of patterns.
pub(super) const fn pair_of(there: u16, back: u16) -> usize {
    there as usize * NUM_PATTERNS + back as usize
}

/// How two sides are compared.
#[derive(Clone, Copy)]
pub(super) struct Compared<'a> {
    /// The score of each pair of patterns.
    pub(super) table: &'a [f32],
    /// Every so many-th pixel counts.
    pub(super) step: usize,
}

impl Compared<'_> {
    /// The score of two sides.
    pub(super) fn score(&self, there: &[u16], back: &[u16]) -> f32 {
        let pairs = there.iter().zip(back).step_by(self.step);
        pairs.map(|(x, y)| self.table[pair_of(*x, *y)]).sum()
    }
}

/// The logarithm of the sum of `exp(strength * score)`.
pub(super) fn log_of_sum(scores: &[f32], strength: f32) -> f32 {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = scores.iter().map(|score| (strength * (score - most)).exp()).sum();
    strength * most + sum.ln()
}
