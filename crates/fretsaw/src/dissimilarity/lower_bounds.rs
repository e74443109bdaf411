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
//! The same errors the other way round give an upper bound, so that of most pairs which is nearer is
//! known without computing either. The bound takes off the product's largest error and may be off by
//! it once more, likewise the constants of the mean part; and of the mean part itself, which is no
//! more than the bound and what was taken off, a factor of about 2 tau is missing. So the measure is
//! at most `(bound + w) (1 + 4 tau)`, where w, twice what was taken off, is again an inner product of
//! a few numbers of u with a few of v.

use super::quadratic::{Quadratic, ReadBackwards, Term};
use crate::linalg::packed_product::{PackedProduct, rounding_bound};
use crate::linalg::small_symmetric;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;
use std::ops::Range;

/// Channels up to which the mean part is split off.
const MAX_SPLIT_CHANNELS: usize = 4;
/// tau above: trades the factor against the constant.
const TAU: f64 = 1.0 / 16384.0;
/// Twice what was taken off, and what rounding to single precision may add to that.
const TWICE: f64 = 2.02;
/// Unit roundoff of single precision.
const UNIT: f64 = f32::EPSILON as f64 / 2.0;

/// Lower bounds for the pairs of a list of strips.
pub(super) struct LowerBounds {
    arch: Arch,
    product: PackedProduct,
    means: MeanPart,
    widths: Widths,
}

/// w above: the roles of all strips, one after the other.
struct Widths {
    /// Numbers of a strip in one role.
    len: usize,
    values: Vec<f32>,
}

/// The mean part's data, one list per number, each over all strips: vectors load neighbours.
struct MeanPart {
    /// Channels, or 0 if the means were not split off.
    channels: usize,
    num_strips: usize,
    /// `m_u`, per channel.
    presented: Vec<f32>,
    /// `q_u = m_u + o_u`, per channel.
    expected: Vec<f32>,
    /// Upper triangle of `U`, row by row.
    factor: Vec<f32>,
    /// What each strip adds at the least to a product.
    least: Vec<f32>,
}

/// The vector of a strip in its two roles, and its share of the bound's constant.
struct Roles {
    /// As u in D(u -> v).
    judging: Vec<f32>,
    /// As v in D(u -> v).
    judged: Vec<f32>,
    /// The same for w.
    width_judging: Vec<f32>,
    /// The same for w.
    width_judged: Vec<f32>,
}

impl LowerBounds {
    /// Bounds for the pairs of these strips; positions in `strips` are what tiles refer to.
    pub(super) fn new(measure: &Quadratic, strips: &[usize]) -> Self {
        let terms = measure.terms();
        let depth = 2 * judging_len(terms, strips);
        let gamma = rounding_bound(depth);
        let middles: Vec<_> = terms.iter().map(|term| middle(term, strips)).collect();
        let mut means = MeanPart::new(&terms[0], strips, &middles[0]);
        let slacks = means.slacks();
        #[expect(clippy::cast_possible_truncation, reason = "rounded far below itself")]
        let least = |slack: &f64| (-1.01 * slack) as f32;
        means.least = slacks.iter().map(least).collect();
        let roles: Vec<Roles> = strips
            .par_iter()
            .enumerate()
            .map(|(position, &strip)| {
                let slack = (1.0 + gamma) * slacks[position];
                Roles::new(terms, strip, means.channels > 0, &middles, gamma, slack)
            })
            .collect();
        let write = |row: &mut [f32], first: &[f32], second: &[f32]| {
            row[..first.len()].copy_from_slice(first);
            row[first.len()..].copy_from_slice(second);
        };
        let product = PackedProduct::pack(
            strips.len(),
            strips.len(),
            depth,
            |row, values| write(values, &roles[row].judging, &roles[row].judged),
            |row, values| write(values, &roles[row].judged, &roles[row].judging),
        );
        let width = |roles: Roles| roles.width_judging.into_iter().chain(roles.width_judged);
        let widths = Widths {
            len: width_len(terms.len()),
            values: roles.into_par_iter().flat_map_iter(width).collect(),
        };
        Self { arch: Arch::new(), product, means, widths }
    }

    /// The most that the dissimilarity of a pair of strips of one length can be, given its lower bound.
    pub(super) fn upper_bound(&self, pair: &BoundedPair) -> f32 {
        #[expect(clippy::cast_possible_truncation, reason = "a constant, rounded far below itself")]
        const FACTOR: f32 = (1.0 + 4.0 * TAU) as f32;
        let width = self.widths.of(pair.row, pair.col);
        ((pair.bound + width) * FACTOR).max(0.0)
    }

    /// Whether the mean part alone says anything.
    pub(super) fn has_means(&self) -> bool {
        self.means.channels > 0
    }

    /// The product of a tile of pairs; `tile` is row by row and both ranges are padded to
    /// [`TILE_QUANTUM`](crate::linalg::packed_product::TILE_QUANTUM).
    pub(super) fn multiply_tile(&self, rows: Range<usize>, cols: Range<usize>, tile: &mut [f32]) {
        self.product.multiply_tile(rows, cols, tile);
    }

    /// The pairs of a tile whose lower bound does not exceed the larger of their two thresholds.
    ///
    /// `product` is the tile from [`multiply_tile`](Self::multiply_tile), `stride` values a row; without
    /// it, bounds are those of the mean part alone.
    /// Pairs with `col < row` are passed over if `upper_only`.
    /// They come row by row; once there are more than `enough` there may be no more rows.
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

/// A tile and what its pairs are compared with.
pub(super) struct TileThresholds<'a> {
    /// Real rows, without padding.
    pub(super) rows: Range<usize>,
    /// Real columns, without padding.
    pub(super) cols: Range<usize>,
    /// The product, `stride` values a row, if it was computed.
    pub(super) product: Option<&'a [f32]>,
    /// Padded columns.
    pub(super) stride: usize,
    /// For each real row, the largest bound of interest.
    pub(super) of_rows: &'a [f32],
    /// For each padded column, the same; minus infinity in the padding.
    pub(super) of_cols: &'a [f32],
    /// Whether the tile lies on the diagonal: only pairs with `col >= row` count.
    pub(super) upper_only: bool,
    /// More pairs than this are as good as all.
    pub(super) enough: usize,
}

impl Widths {
    fn of(&self, u: usize, v: usize) -> f32 {
        let roles =
            |strip: usize| self.values[strip * 2 * self.len..][..2 * self.len].split_at(self.len);
        let ((u_judging, u_judged), (v_judging, v_judged)) = (roles(u), roles(v));
        let mut width = 0.0;
        for i in 0..self.len {
            width += u_judging[i] * v_judged[i] + v_judging[i] * u_judged[i];
        }
        width
    }
}

/// Numbers of a strip in one role of w: one constant, and two norms for each term.
const fn width_len(num_terms: usize) -> usize {
    1 + 2 * num_terms
}

fn judging_len(terms: &[Term], strips: &[usize]) -> usize {
    let k = terms[0].channels();
    // One constant, and what each term adds.
    1 + terms
        .iter()
        .map(|term| {
            let longest = strips.iter().map(|&strip| term.length(strip)).max().unwrap_or(0);
            role_len(k, longest)
        })
        .sum::<usize>()
}

/// Numbers of a term for k channels: S or F, the fluctuations, two norms.
const fn role_len(k: usize, length: usize) -> usize {
    k * (k + 1) / 2 + k * length + 2
}

impl Roles {
    fn new(
        terms: &[Term],
        strip: usize,
        split_means: bool,
        middles: &[Vec<f64>],
        gamma: f64,
        slack: f64,
    ) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "rounding is part of the bound")]
        let single = |x: f64| x as f32;
        let k = terms[0].channels();
        let len = 1 + terms.iter().map(|term| role_len(k, term.length(strip))).sum::<usize>();
        let role = |len: usize, first: f32| {
            let mut role = Vec::with_capacity(len);
            role.push(first);
            role
        };
        let (mut judging, mut judged) = (role(len, 0.0), role(len, 1.0));
        let width_len = width_len(terms.len());
        let (mut width_judging, mut width_judged) = (role(width_len, 0.0), role(width_len, 1.0));
        let (mut constant, mut size) = (-slack, 0.0);
        let mut weighted = Vec::new();
        for (index, term) in terms.iter().enumerate() {
            let fluctuation =
                Fluctuation::new(term, strip, split_means && index == 0, &middles[index]);
            let precision = term.precision(strip);
            let (mut precision_squares, mut scatter_squares) = (0.0, 0.0);
            for a in 0..k {
                for b in 0..=a {
                    let times = if a == b { 1.0 } else { 2.0 };
                    let weight = times * precision[a * k + b];
                    let scatter = fluctuation.scatter(&fluctuation.presented, a, b);
                    judging.push(single(weight));
                    judged.push(single(scatter));
                    precision_squares += weight * weight;
                    scatter_squares += scatter * scatter;
                    let own = weight * fluctuation.scatter(&fluctuation.expected, a, b);
                    constant += (1.0 - gamma) * own;
                    size += own;
                }
            }
            let (mut weighted_squares, mut value_squares) = (0.0, 0.0);
            for a in 0..k {
                weighted.clear();
                weighted.resize(fluctuation.length, 0.0);
                for b in 0..k {
                    let expected = fluctuation.channel(&fluctuation.expected, b);
                    for (sum, value) in weighted.iter_mut().zip(expected) {
                        *sum -= 2.0 * precision[a * k + b] * value;
                    }
                }
                let presented = fluctuation.channel(&fluctuation.presented, a);
                weighted_squares += dot(&weighted, &weighted);
                value_squares += dot(presented, presented);
                judging.extend(weighted.iter().map(|x| single(*x)));
                judged.extend(presented.iter().map(|x| single(*x)));
            }
            let errors =
                [precision_squares, weighted_squares].map(|squares| gamma * squares.sqrt());
            let norms = [scatter_squares, value_squares].map(f64::sqrt);
            judging.extend(errors.map(|error| single(-error)));
            judged.extend(norms.map(single));
            width_judging.extend(errors.map(|error| single(TWICE * error)));
            width_judged.extend(norms.map(single));
        }
        judging[0] = single(constant);
        width_judging[0] = single(TWICE * (slack + gamma * size));
        Self { judging, judged, width_judging, width_judged }
    }
}

/// `f_u`, channel by channel.
struct Fluctuation {
    length: usize,
    /// What the other side sees: read backwards.
    presented: Vec<f64>,
    /// What this side expects to see: its own fluctuation, moved by the offset if the means, which
    /// the offset belongs to, are not split off.
    expected: Vec<f64>,
}

impl Fluctuation {
    fn new(term: &Term, strip: usize, split_means: bool, middle: &[f64]) -> Self {
        let len = term.channels() * term.length(strip);
        let (mut presented, mut expected) = (Vec::with_capacity(len), Vec::with_capacity(len));
        for a in 0..term.channels() {
            let profile = term.profile(strip, a);
            let taken_off = if split_means { mean(profile) } else { middle[a] };
            let shift = if split_means { 0.0 } else { term.offset(strip)[a] };
            let sign = match term.backwards() {
                ReadBackwards::AsIs => 1.0,
                ReadBackwards::Negated => -1.0,
            };
            presented.extend(profile.iter().rev().map(|x| sign * (f64::from(*x) - taken_off)));
            expected.extend(profile.iter().map(|x| f64::from(*x) - taken_off + shift));
        }
        Self { length: term.length(strip), presented, expected }
    }

    fn channel<'a>(&self, values: &'a [f64], a: usize) -> &'a [f64] {
        &values[a * self.length..][..self.length]
    }

    /// `sum_r f_a f_b`.
    fn scatter(&self, values: &[f64], a: usize, b: usize) -> f64 {
        dot(self.channel(values, a), self.channel(values, b))
    }
}

/// The inner product, in four sums that do not wait for each other.
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (quads_x, rest_x) = x.as_chunks::<4>();
    let (quads_y, rest_y) = y.as_chunks::<4>();
    for (x, y) in quads_x.iter().zip(quads_y) {
        for lane in 0..4 {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let rest: f64 = rest_x.iter().zip(rest_y).map(|(x, y)| x * y).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

/// What to take off the profiles of all strips alike: small numbers round less.
///
/// Only differences of profiles matter, so this changes nothing, unless reading backwards negates
/// them: then it must be zero.
fn middle(term: &Term, strips: &[usize]) -> Vec<f64> {
    (0..term.channels())
        .map(|a| match term.backwards() {
            ReadBackwards::AsIs => {
                let means = strips.iter().map(|&strip| mean(term.profile(strip, a)));
                means.sum::<f64>() / strips.len() as f64
            }
            ReadBackwards::Negated => 0.0,
        })
        .collect()
}

fn mean(values: &[f32]) -> f64 {
    values.iter().map(|x| f64::from(*x)).sum::<f64>() / values.len() as f64
}

impl MeanPart {
    fn new(term: &Term, strips: &[usize], middle: &[f64]) -> Self {
        let k = term.channels();
        let split = k <= MAX_SPLIT_CHANNELS && term.backwards() == ReadBackwards::AsIs;
        let channels = if split { k } else { 0 };
        let n = strips.len();
        let padded = n.next_multiple_of(crate::linalg::packed_product::TILE_QUANTUM);
        let mut part = Self {
            channels,
            num_strips: padded,
            presented: vec![0.0; channels * padded],
            expected: vec![0.0; channels * padded],
            factor: vec![0.0; channels * (channels + 1) / 2 * padded],
            least: Vec::new(),
        };
        #[expect(clippy::cast_possible_truncation, reason = "rounding is part of the bound")]
        for (position, &strip) in strips.iter().enumerate().take(if split { n } else { 0 }) {
            for a in 0..channels {
                let m = mean(term.profile(strip, a)) - middle[a];
                part.presented[a * padded + position] = m as f32;
                part.expected[a * padded + position] = (m + term.offset(strip)[a]) as f32;
            }
            let l = small_symmetric::cholesky(term.precision(strip), k);
            // Shrunk, so that |y|^2 less tau times itself comes out.
            let scale = (term.length(strip) as f64 * (1.0 - TAU) * (1.0 - 8.0 * UNIT)).sqrt();
            let mut entry = 0;
            for row in 0..k {
                for col in row..k {
                    part.factor[entry * padded + position] = (scale * l[col * k + row]) as f32;
                    entry += 1;
                }
            }
        }
        part
    }

    /// The constant `(1/tau + 1) e^2` of each strip.
    fn slacks(&self) -> Vec<f64> {
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
                // Two rounded inputs and a difference per channel, then k products and sums.
                let error = factor * differences * UNIT * (k + 5.0);
                (1.0 / TAU + 1.0) * error * error
            })
            .collect()
    }
}

struct FilterTile<'a> {
    means: &'a MeanPart,
    tile: &'a TileThresholds<'a>,
    pairs: &'a mut Vec<BoundedPair>,
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

    /// Strips `start` and those after it, one a lane.
    #[inline(always)]
    fn load(simd: S, means: &MeanPart, start: usize) -> Self {
        let n = means.num_strips;
        let mut vectors = Self::zero(simd);
        vectors.least = S::as_simd_f32s(&means.least[start..]).0[0];
        let mut entry = 0;
        for a in 0..K {
            vectors.presented[a] = S::as_simd_f32s(&means.presented[a * n + start..]).0[0];
            vectors.expected[a] = S::as_simd_f32s(&means.expected[a * n + start..]).0[0];
            for b in a..K {
                vectors.factor[a][b] = S::as_simd_f32s(&means.factor[entry * n + start..]).0[0];
                entry += 1;
            }
        }
        vectors
    }

    /// One strip in all lanes.
    #[inline(always)]
    fn splat(simd: S, means: &MeanPart, strip: usize) -> Self {
        let n = means.num_strips;
        let mut vectors = Self::zero(simd);
        vectors.least = simd.splat_f32s(means.least[strip]);
        let mut entry = 0;
        for a in 0..K {
            vectors.presented[a] = simd.splat_f32s(means.presented[a * n + strip]);
            vectors.expected[a] = simd.splat_f32s(means.expected[a * n + strip]);
            for b in a..K {
                vectors.factor[a][b] = simd.splat_f32s(means.factor[entry * n + strip]);
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
                y = simd.mul_add_f32s(self.factor[a][b], difference[b], y);
            }
            bound = simd.mul_add_f32s(y, y, bound);
        }
        bound
    }
}

impl FilterTile<'_> {
    #[inline(always)]
    fn run<S: Simd, const K: usize>(self, simd: S) {
        let Self { means, tile, pairs } = self;
        // Side by side, so that the inner loop runs through one list without looking anything up.
        let of_cols = S::as_simd_f32s(tile.of_cols).0;
        let mut cols = Vec::with_capacity(of_cols.len());
        for (chunk, &threshold) in of_cols.iter().enumerate() {
            let start = tile.cols.start + chunk * S::F32_LANES;
            cols.push((MeanVectors::<S, K>::load(simd, means, start), threshold));
        }
        for (row, &of_row) in tile.of_rows.iter().enumerate() {
            let u = tile.rows.start + row;
            let mine = MeanVectors::<S, K>::splat(simd, means, u);
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
                // Mean parts only add: often the product says it all.
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
            let bounds = LowerBounds::new(&measure, &list);
            let mut product = vec![0.0; TILE_QUANTUM * TILE_QUANTUM];
            bounds.multiply_tile(0..TILE_QUANTUM, 0..TILE_QUANTUM, &mut product);
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
