//! The mean part of the bound, and the filter that adds it to a tile of products.

use super::strip_vectors::mean;
use super::{BoundedPair, TAU, TileThresholds};
use crate::dissimilarity::quadratic::{ReadBackwards, Term};
use crate::linalg::packed_product::TILE_QUANTUM;
use crate::linalg::{single, small_symmetric};
use pulp::{Simd, WithSimd};

/// The mean part is split off for at most this many channels.
const MAX_SPLIT_CHANNELS: usize = 4;
/// Unit roundoff of single precision.
const UNIT: f64 = f32::EPSILON as f64 / 2.0;

/// The mean part's data: one list per number, each over all strips, so that a vector loads neighbours.
pub(super) struct MeanPart {
    /// Number of channels; 0 if the means were not split off.
    pub(super) channels: usize,
    num_strips: usize,
    /// `m_u`, per channel.
    presented: Vec<f32>,
    /// `q_u = m_u + o_u`, per channel.
    expected: Vec<f32>,
    /// Upper triangle of `U`, row by row.
    factor: Vec<f32>,
    /// By strip, a lower bound of its share in a product.
    pub(super) least: Vec<f32>,
}

impl MeanPart {
    pub(super) fn new(term: &Term, strips: &[usize], middle: &[f64]) -> Self {
        let k = term.channels;
        let split = k <= MAX_SPLIT_CHANNELS && term.backwards == ReadBackwards::AsIs;
        let channels = if split { k } else { 0 };
        let n = strips.len();
        let padded = n.next_multiple_of(TILE_QUANTUM);
        let mut part = Self {
            channels,
            num_strips: padded,
            presented: vec![0.0; channels * padded],
            expected: vec![0.0; channels * padded],
            factor: vec![0.0; channels * (channels + 1) / 2 * padded],
            least: Vec::new(),
        };
        for (position, &strip) in strips.iter().enumerate().take(if split { n } else { 0 }) {
            for a in 0..channels {
                let m = mean(term.profile(strip, a)) - middle[a];
                part.presented[a * padded + position] = single(m);
                part.expected[a * padded + position] = single(m + term.offset(strip)[a]);
            }
            let l = small_symmetric::cholesky(term.precision(strip), k);
            // Scaled down, so that |y|^2 (1 - tau) comes out.
            let scale = (term.length(strip) as f64 * (1.0 - TAU) * (1.0 - 8.0 * UNIT)).sqrt();
            let mut entry = 0;
            for row in 0..k {
                for col in row..k {
                    part.factor[entry * padded + position] = single(scale * l[col * k + row]);
                    entry += 1;
                }
            }
        }
        part
    }

    /// The constant `(1/tau + 1) e^2` of each strip.
    pub(super) fn slacks(&self) -> Vec<f64> {
        let k = self.channels as f64;
        let largest = |values: &[f32]| {
            values.iter().fold(0.0_f64, |largest, x| largest.max(f64::from(x.abs())))
        };
        let differences = k.sqrt() * 2.0 * largest(&self.presented).max(largest(&self.expected));
        let entries = self.channels * (self.channels + 1) / 2;
        (0..self.num_strips)
            .map(|position| {
                let factor = (0..entries)
                    .map(|entry| f64::from(self.factor[entry * self.num_strips + position]).powi(2))
                    .sum::<f64>()
                    .sqrt();
                // Two rounded inputs and a difference per channel, then k products and sums, fused or not.
                let error = factor * differences * UNIT * (k + 5.0);
                (1.0 / TAU + 1.0) * error * error
            })
            .collect()
    }
}

/// Finds the pairs of a tile whose bounds do not exceed their thresholds.
pub(super) struct FilterTile<'a> {
    pub(super) means: &'a MeanPart,
    pub(super) tile: &'a TileThresholds<'a>,
    pub(super) pairs: &'a mut Vec<BoundedPair>,
}

impl WithSimd for FilterTile<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.means.channels {
            0 => self.run::<S, 0>(simd),
            1 => self.run::<S, 1>(simd),
            2 => self.run::<S, 2>(simd),
            3 => self.run::<S, 3>(simd),
            _ => self.run::<S, 4>(simd),
        }
    }
}

/// The mean part's numbers of as many strips as a vector has lanes, or of one strip in all lanes.
#[derive(Clone, Copy)]
struct MeanVectors<S: Simd, const K: usize> {
    presented: [S::f32s; K],
    expected: [S::f32s; K],
    /// Upper triangle.
    factor: [[S::f32s; K]; K],
    least: S::f32s,
}

impl<S: Simd, const K: usize> MeanVectors<S, K> {
    #[inline(always)]
    fn zero(simd: S) -> Self {
        let zero = simd.splat_f32s(0.0);
        Self { presented: [zero; K], expected: [zero; K], factor: [[zero; K]; K], least: zero }
    }

    /// The strips from `start`, one a lane; if `SPLAT`, strip `start` in all lanes.
    #[inline(always)]
    fn load<const SPLAT: bool>(simd: S, means: &MeanPart, start: usize) -> Self {
        let n = means.num_strips;
        let mut vectors = Self::zero(simd);
        vectors.least = load::<S, SPLAT>(simd, &means.least[start..]);
        let mut entry = 0;
        for a in 0..K {
            vectors.presented[a] = load::<S, SPLAT>(simd, &means.presented[a * n + start..]);
            vectors.expected[a] = load::<S, SPLAT>(simd, &means.expected[a * n + start..]);
            for b in a..K {
                vectors.factor[a][b] = load::<S, SPLAT>(simd, &means.factor[entry * n + start..]);
                entry += 1;
            }
        }
        vectors
    }

    /// `bound` plus this strip's mean part of D(this -> other).
    #[inline(always)]
    fn add_mean_part(&self, simd: S, other: &Self, mut bound: S::f32s) -> S::f32s {
        let mut difference = [simd.splat_f32s(0.0); K];
        for a in 0..K {
            difference[a] = simd.sub_f32s(other.presented[a], self.expected[a]);
        }
        for a in 0..K {
            let mut y = simd.mul_f32s(self.factor[a][a], difference[a]);
            for b in a + 1..K {
                y = simd.mul_add_e_f32s(self.factor[a][b], difference[b], y);
            }
            bound = simd.mul_add_e_f32s(y, y, bound);
        }
        bound
    }
}

impl FilterTile<'_> {
    #[inline(always)]
    fn run<S: Simd, const K: usize>(self, simd: S) {
        let Self { means, tile, pairs } = self;
        // Gathered once, so that the inner loop runs through one list.
        let of_cols = S::as_simd_f32s(tile.of_cols).0;
        let mut cols = Vec::with_capacity(of_cols.len());
        for (chunk, &threshold) in of_cols.iter().enumerate() {
            let start = tile.cols.start + chunk * S::F32_LANES;
            cols.push((MeanVectors::<S, K>::load::<false>(simd, means, start), threshold));
        }
        for (row, &of_row) in tile.of_rows.iter().enumerate() {
            let u = tile.rows.start + row;
            let mine = MeanVectors::<S, K>::load::<true>(simd, means, u);
            let threshold = simd.splat_f32s(of_row);
            let products = tile
                .product
                .map(|product| S::as_simd_f32s(&product[row * tile.stride..][..tile.stride]).0);
            let first = if tile.upper_only { row / S::F32_LANES } else { 0 };
            for (chunk, (theirs, of_col)) in cols.iter().enumerate().skip(first) {
                let product = match products {
                    Some(products) => products[chunk],
                    None => simd.add_f32s(mine.least, theirs.least),
                };
                let limit = simd.max_f32s(threshold, *of_col);
                // Mean parts are not negative: often the product alone rules the pair out.
                let below = simd.less_than_or_equal_f32s(product, limit);
                if simd.first_true_m32s(below) == S::F32_LANES {
                    continue;
                }
                let bound = mine.add_mean_part(simd, theirs, product);
                let bound = theirs.add_mean_part(simd, &mine, bound);
                let below = simd.less_than_or_equal_f32s(bound, limit);
                if simd.first_true_m32s(below) == S::F32_LANES {
                    continue;
                }
                let bounds =
                    pulp::bytemuck::cast_slice::<S::f32s, f32>(std::slice::from_ref(&bound));
                let mut lanes = lanes_where(simd, below);
                while lanes != 0 {
                    let lane = lanes.trailing_zeros() as usize;
                    lanes &= lanes - 1;
                    let col = chunk * S::F32_LANES + lane;
                    if col < tile.cols.len() && !(tile.upper_only && col < row) {
                        let (col, bound) = (tile.cols.start + col, bounds[lane]);
                        pairs.push(BoundedPair { row: u, col, bound });
                    }
                }
            }
            if pairs.len() > tile.enough {
                return;
            }
        }
    }
}

/// The first values, one a lane; if `SPLAT`, the first value in all lanes.
#[inline(always)]
fn load<S: Simd, const SPLAT: bool>(simd: S, values: &[f32]) -> S::f32s {
    if SPLAT { simd.splat_f32s(values[0]) } else { S::as_simd_f32s(values).0[0] }
}

/// The lanes that are true, one bit each.
#[inline(always)]
fn lanes_where<S: Simd>(simd: S, mask: S::m32s) -> u32 {
    const BITS: [f32; 16] = {
        let mut bits = [1.0; 16];
        let mut lane = 1;
        while lane < bits.len() {
            bits[lane] = 2.0 * bits[lane - 1];
            lane += 1;
        }
        bits
    };
    const { assert!(S::F32_LANES <= BITS.len()) };
    let bits = S::as_simd_f32s(&BITS).0[0];
    let sum = simd.reduce_sum_f32s(simd.select_f32s(mask, bits, simd.splat_f32s(0.0)));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number")]
    let lanes = sum as u32;
    lanes
}
