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
    /// By so many pixels the sides may be shifted along each other.
    pub(super) max_shift: usize,
}

impl Compared<'_> {
    /// The score at the best shift, and that shift; the smallest of several that are as good.
    pub(super) fn best(&self, there: &[u16], back: &[u16]) -> (f32, isize) {
        let mut best = (self.score(there, back), 0);
        for (shift, by) in (1..=self.max_shift).zip(1..) {
            let forward = self.score(&there[shift..], &back[..back.len() - shift]);
            let backward = self.score(&there[..there.len() - shift], &back[shift..]);
            for (score, by) in [(forward, by), (backward, -by)] {
                if score > best.0 {
                    best = (score, by);
                }
            }
        }
        best
    }

    fn score(&self, there: &[u16], back: &[u16]) -> f32 {
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
