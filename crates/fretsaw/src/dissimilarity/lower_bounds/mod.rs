//! Certified lower bounds of a quadratic measure for whole tiles of pairs, at the price of one
//! single-precision matrix product.
//!
//! Write each profile as its mean plus a fluctuation, `x_u = m_u + f_u`. The fluctuations add up
//! to zero, so
//!
//! ```text
//! D(u -> v) = L (m_v - m_u - o_u)^T S_u (m_v - m_u - o_u)                       the mean part
//!           + <S_u, F_v> - 2 sum_r (S_u f_u(r))^T f_v(r') + <S_u, F_u>          F = sum_r f f^T
//! ```
//!
//! The second line is an inner product of a vector of u with a vector of v, that is, an element of
//! a matrix product; adding the roles exchanged gives both ways round at once. The split matters:
//! where `S_u` is large (flat sides) fluctuations are small, so the product loses little to
//! cancellation, while the differences of means are taken directly, not expanded. Without the split
//! terms of 10^7 would have to cancel to 10^2.
//!
//! # Why the bound holds
//! An element of the product is off by at most `gamma * sum |a||b|`
//! ([`rounding_bound`]), and by Cauchy-Schwarz `sum |a||b|` is at most
//! `|S_u| |F_v| + 2 |S_u f_u| |f_v| + <S_u, F_u>`: again an inner product. Its terms, times gamma,
//! are appended to the vectors with a minus, so that the product itself delivers the bound. The mean
//! part is `|y|^2` for `y = U (m_v - q_u)`, `U^T U = L S_u`; in single precision y is off by at most
//! some `e`, so `|y|^2` by at most `tau |y|^2 + (1/tau + 1) e^2` for any tau; the first is a factor,
//! the second a constant of u. Tests check the bound on strips made to break it.
//!
//! The mean part is computed for up to four channels; beyond that, means are not split off and the
//! bound is valid but looser.
//!
//! # Without the product
//! The second line is a sum of squares, so the mean part alone, less its constants, is a lower bound as
//! well. It takes a fraction of the product's time, and where two blocks of sides differ in colour it
//! leaves few pairs or none.
//!
//! # How far below the measure it lies
//! The same errors give an upper bound, so that most pairs can be ordered without computing them. The
//! lower bound subtracts the product's largest error, and the product may be off by as much again;
//! likewise the constants of the mean part. The mean part itself, which is at most the bound plus what
//! was subtracted, is too small by a factor of about 2 tau. So the measure is at most
//! `(bound + w) (1 + 4 tau)`, where w, twice what was subtracted, is again an inner product of a few
//! numbers of u with a few of v.

mod mean_part;
mod strip_vectors;

use super::quadratic::Quadratic;
use crate::linalg::packed_product::{PackedProduct, rounding_bound};
use crate::linalg::single;
use mean_part::{FilterTile, MeanPart};
use pulp::Arch;
use rayon::prelude::*;
use std::ops::Range;
use strip_vectors::{Roles, Widths, middle, role_len};

/// tau above: trades the factor against the constant.
const TAU: f64 = 1.0 / 16384.0;

/// Lower bounds for the pairs of a list of strips.
pub(super) struct LowerBounds {
    arch: Arch,
    /// Its tiles are the products' part of the bounds.
    pub(super) product: PackedProduct,
    means: MeanPart,
    widths: Widths,
}

impl LowerBounds {
    /// Bounds for the pairs of these strips; positions in `strips` are what tiles refer to. `None` once `goes_on`, which is
    /// asked often, says no.
    pub(super) fn new(
        measure: &Quadratic,
        strips: &[usize],
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let terms = &measure.terms;
        let depth = 2 * role_len(terms, strips);
        let gamma = rounding_bound(depth);
        let middles: Vec<_> = terms.iter().map(|term| middle(term, strips)).collect();
        let mut means = MeanPart::new(&terms[0], strips, &middles[0]);
        let slacks = means.slacks();
        means.least = slacks.iter().map(|slack| single(-1.01 * slack)).collect();
        let roles: Vec<Roles> = strips
            .par_iter()
            .enumerate()
            .map(|(position, &strip)| {
                let slack = (1.0 + gamma) * slacks[position];
                let roles = || Roles::new(terms, strip, means.channels > 0, &middles, gamma, slack);
                goes_on().then(roles)
            })
            .collect::<Option<_>>()?;
        let write = |row: &mut [f32], first: &[f32], second: &[f32]| {
            row[..first.len()].copy_from_slice(first);
            row[first.len()..].copy_from_slice(second);
        };
        let product = PackedProduct::pack_while(
            strips.len(),
            strips.len(),
            depth,
            |row, values| write(values, &roles[row].judging, &roles[row].judged),
            |row, values| write(values, &roles[row].judged, &roles[row].judging),
            goes_on,
        );
        let widths = Widths::new(roles, terms.len());
        goes_on().then(|| Self { arch: Arch::new(), product, means, widths })
    }

    /// The most that the dissimilarity of a pair of strips of one length can be, given its lower bound.
    pub(super) fn upper_bound(&self, pair: &BoundedPair) -> f32 {
        const FACTOR: f32 = single(1.0 + 4.0 * TAU);
        let width = self.widths.of(pair.row, pair.col);
        ((pair.bound + width) * FACTOR).max(0.0)
    }

    /// Whether the mean part was split off, so that it is a bound by itself.
    pub(super) fn has_means(&self) -> bool {
        self.means.channels > 0
    }

    /// The pairs of a tile whose lower bound does not exceed the larger of their two thresholds.
    ///
    /// Pairs come row by row. Once there are more than [`enough`](TileThresholds::enough), later rows are
    /// left out.
    pub(super) fn pairs_below(&self, tile: &TileThresholds<'_>, pairs: &mut Vec<BoundedPair>) {
        self.arch.dispatch(FilterTile { means: &self.means, tile, pairs });
    }
}

/// A pair and a lower bound of its dissimilarity.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundedPair {
    pub(super) row: usize,
    pub(super) col: usize,
    pub(super) bound: f32,
}

/// A tile, and the thresholds with which the bounds of its pairs are compared.
pub(super) struct TileThresholds<'a> {
    /// Real rows, without padding.
    pub(super) rows: Range<usize>,
    /// Real columns, without padding.
    pub(super) cols: Range<usize>,
    /// The tile of [`LowerBounds::product`], `stride` values a row. Without it, bounds are
    /// those of the mean part alone.
    pub(super) product: Option<&'a [f32]>,
    /// Padded columns.
    pub(super) stride: usize,
    /// For each real row, the largest bound of interest.
    pub(super) of_rows: &'a [f32],
    /// For each padded column, the same; minus infinity in the padding.
    pub(super) of_cols: &'a [f32],
    /// Whether the tile lies on the diagonal: only pairs with `col >= row` count.
    pub(super) upper_only: bool,
    /// The search may stop once it has found more pairs than this.
    pub(super) enough: usize,
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, reason = "small random numbers, rounded thresholds")]
mod tests {
    use super::*;
    use crate::dissimilarity::strips::Strips;
    use crate::dissimilarity::{mgc, seam, ssd};
    use crate::linalg::packed_product::TILE_QUANTUM;
    use crate::puzzle::{PieceSet, PieceShape, Samples};
    use proptest::prelude::*;

    /// Pieces made to break the bound: flat and steep ones, dark and bright ones, side by side.
    fn hostile_pieces(channels: usize, length: u32, bits: u32, seed: u64) -> PieceSet {
        let shape = PieceShape::new(length, length).unwrap();
        let white = if bits == 8 { 255 } else { 65535 };
        let mut state = seed;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        let mut values: Vec<u16> = Vec::new();
        for piece in 0..24 {
            let level = [0, 1, white / 2, white - 1, white][piece % 5];
            let noise = [1, 2, 3, white / 8, white + 1][random(5) as usize];
            for _ in 0..shape.num_pixels() * channels {
                values.push((level + random(noise)).min(white) as u16);
            }
        }
        let samples = if bits == 8 {
            Samples::U8(values.iter().map(|x| *x as u8).collect())
        } else {
            Samples::U16(values)
        };
        PieceSet::new(shape, channels, samples).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn every_pair_lies_between_its_bounds(
            channels in 1_usize..=6,
            length in 2_u32..40,
            bits in prop::sample::select(vec![8_u32, 16]),
            seed: u64,
            measure in 0..3,
        ) {
            let strips = Strips::new(&hostile_pieces(channels, length, bits, seed));
            let measure = Quadratic::new(match measure {
                0 => mgc::terms(&strips),
                1 => seam::terms(&strips),
                _ => ssd::terms(&strips),
            });
            let n = strips.num_strips().min(TILE_QUANTUM);
            let list: Vec<usize> = (0..n).collect();
            let bounds = LowerBounds::new(&measure, &list, &|| true).unwrap();
            let mut product = vec![0.0; TILE_QUANTUM * TILE_QUANTUM];
            bounds.product.multiply_tile(0..TILE_QUANTUM, 0..TILE_QUANTUM, &mut product);
            // With its exact value as threshold every pair must pass; each row at a time.
            for u in 0..n {
                let mut of_cols: Vec<f32> =
                    (0..n).map(|v| (measure.value(u, v) as f32).next_up()).collect();
                of_cols.resize(TILE_QUANTUM, f32::NEG_INFINITY);
                let pairs_below = |product| {
                    let mut pairs = Vec::new();
                    let tile = TileThresholds {
                        rows: u..u + 1,
                        cols: 0..n,
                        product,
                        stride: TILE_QUANTUM,
                        of_rows: &[f32::NEG_INFINITY],
                        of_cols: &of_cols,
                        upper_only: false,
                        enough: usize::MAX,
                    };
                    bounds.pairs_below(&tile, &mut pairs);
                    pairs
                };
                prop_assert_eq!(pairs_below(None).len(), n);
                let pairs = pairs_below(Some(&product[u * TILE_QUANTUM..][..TILE_QUANTUM]));
                prop_assert_eq!(pairs.len(), n);
                for pair in pairs {
                    let value = measure.value(u, pair.col);
                    prop_assert!(f64::from(bounds.upper_bound(&pair)) >= value);
                }
            }
        }
    }
}
