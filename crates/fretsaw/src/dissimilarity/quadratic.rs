//! Measures that are sums of squared Mahalanobis lengths, exactly.
//!
//! Every quadratic measure here is a sum of terms of one form. A term gives each side u a profile
//! `x_u(r)` in R^k, r = 1..L, an offset `o_u` and a symmetric positive definite `S_u`, and says
//! how a profile changes when it is read backwards: not at all, or by a sign (derivatives along
//! the side). With `y_v(r)` the profile of v read backwards,
//!
//! ```text
//! D(u -> v) = sum_r (delta(r) - o_u)^T S_u (delta(r) - o_u),     delta(r) = y_v(r) - x_u(r)
//! ```
//!
//! and the measure is the sum over its terms of `D(u -> v) + D(v -> u)`.
//!
//! Both ways round need only the first and second moments of `delta`. Profiles are whole or half
//! numbers small enough for those moments to be exact in double precision, so the value of a pair
//! does not depend on the order of summation, on the machine's vector width, or on which side is
//! named first; equal strips give equal values, and ties are ties.

use super::strips::Strips;
use pulp::{Arch, Simd, WithSimd};

/// Values of delta that are read at a time. Profiles are padded with zeros to whole steps. A multiple of
/// every machine's vector length.
pub(super) const STEP: usize = 32;

/// How a profile changes when the side is read in the other sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadBackwards {
    /// Values along the side: only their order changes.
    AsIs,
    /// Differences along the side: their sign changes too.
    Negated,
}

impl ReadBackwards {
    /// The factor of the values.
    pub(super) const fn sign(self) -> f32 {
        match self {
            Self::AsIs => 1.0,
            Self::Negated => -1.0,
        }
    }
}

/// The data of one side in a term.
pub(super) struct SideTerm {
    /// `x_u`, channel by channel.
    pub(super) profile: Vec<f32>,
    /// `o_u`.
    pub(super) offset: Vec<f64>,
    /// `S_u`, k x k.
    pub(super) precision: Vec<f64>,
}

/// One term of a measure, for all strips.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub(super) channels: usize,
    pub(super) backwards: ReadBackwards,
    /// Values a channel takes in `profiles`.
    padded: usize,
    lengths: Vec<usize>,
    /// Per strip: `x_u`, then `y_u`, each channel by channel, padded.
    profiles: Vec<f32>,
    offsets: Vec<f64>,
    precisions: Vec<f64>,
}

impl Term {
    pub(super) fn new(
        strips: &Strips,
        backwards: ReadBackwards,
        side_term: impl Fn(usize) -> SideTerm,
    ) -> Self {
        let k = strips.channels;
        let longest = (0..strips.num_strips()).map(|strip| strips.length(strip)).max();
        let padded = padded_length(longest.unwrap_or(0));
        let mut term = Self {
            channels: k,
            backwards,
            padded,
            lengths: Vec::with_capacity(strips.num_strips()),
            profiles: vec![0.0; strips.num_strips() * 2 * k * padded],
            offsets: Vec::with_capacity(strips.num_strips() * k),
            precisions: Vec::with_capacity(strips.num_strips() * k * k),
        };
        for (strip, profiles) in term.profiles.chunks_exact_mut(2 * k * padded).enumerate() {
            let SideTerm { profile, offset, precision } = side_term(strip);
            let length = profile.len() / k;
            let (forward, backward) = profiles.split_at_mut(k * padded);
            for (channel, values) in profile.chunks_exact(length).enumerate() {
                forward[channel * padded..][..length].copy_from_slice(values);
                for (slot, value) in
                    backward[channel * padded..][..length].iter_mut().zip(values.iter().rev())
                {
                    *slot = backwards.sign() * value;
                }
            }
            term.lengths.push(length);
            term.offsets.extend(offset);
            term.precisions.extend(precision);
        }
        term
    }

    /// L.
    pub(super) fn length(&self, strip: usize) -> usize {
        self.lengths[strip]
    }

    /// `x_u` of one channel.
    pub(super) fn profile(&self, strip: usize, channel: usize) -> &[f32] {
        &self.forward(strip)[channel * self.padded..][..self.lengths[strip]]
    }

    /// `o_u`.
    #[inline(always)]
    pub(super) fn offset(&self, strip: usize) -> &[f64] {
        &self.offsets[strip * self.channels..][..self.channels]
    }

    /// `S_u`.
    #[inline(always)]
    pub(super) fn precision(&self, strip: usize) -> &[f64] {
        let size = self.channels * self.channels;
        &self.precisions[strip * size..][..size]
    }

    /// `x_u`, channel by channel, padded.
    #[inline(always)]
    pub(super) fn forward(&self, strip: usize) -> &[f32] {
        let size = self.channels * self.padded;
        &self.profiles[strip * 2 * size..][..size]
    }

    /// `y_u`, channel by channel, padded.
    #[inline(always)]
    pub(super) fn backward(&self, strip: usize) -> &[f32] {
        let size = self.channels * self.padded;
        &self.profiles[strip * 2 * size + size..][..size]
    }

    /// `D(u -> v)` and `D(v -> u)` of this term.
    #[inline(always)]
    fn both_ways<S: Simd>(&self, simd: S, u: usize, v: usize) -> (f64, f64) {
        let metric =
            |strip| Metric { precision: self.precision(strip), offset: Some(self.offset(strip)) };
        let (metric_u, metric_v) = (metric(u), metric(v));
        Delta {
            values: ProfilePair { x: self.forward(u), y: self.backward(v) },
            channels: self.channels,
            length: self.lengths[u],
            backwards: self.backwards,
        }
        .both_ways(simd, metric_u, metric_v)
    }
}

/// Where the values of a delta come from: channel by channel, each padded with zeros to a whole
/// [`padded_length`].
pub(super) trait DeltaValues: Copy {
    /// Number of values of all channels, padding included.
    fn len(self) -> usize;

    /// Write the values `from..from + STEP`.
    fn read_step(self, from: usize, step: &mut [f64; STEP]);
}

/// `delta = y_v - x_u`, computed on reading.
#[derive(Clone, Copy)]
struct ProfilePair<'a> {
    x: &'a [f32],
    y: &'a [f32],
}

impl DeltaValues for ProfilePair<'_> {
    #[inline(always)]
    fn len(self) -> usize {
        self.x.len()
    }

    #[inline(always)]
    fn read_step(self, from: usize, step: &mut [f64; STEP]) {
        let (x, y) = (&self.x[from..from + STEP], &self.y[from..from + STEP]);
        for ((delta, x), y) in step.iter_mut().zip(x).zip(y) {
            *delta = f64::from(y - x);
        }
    }
}

/// A delta that was computed before.
impl DeltaValues for &[f32] {
    #[inline(always)]
    fn len(self) -> usize {
        <[f32]>::len(self)
    }

    #[inline(always)]
    fn read_step(self, from: usize, step: &mut [f64; STEP]) {
        for (delta, value) in step.iter_mut().zip(&self[from..from + STEP]) {
            *delta = f64::from(*value);
        }
    }
}

/// The differences over a seam.
#[derive(Clone, Copy)]
pub(super) struct Delta<V> {
    pub(super) values: V,
    pub(super) channels: usize,
    /// L.
    pub(super) length: usize,
    pub(super) backwards: ReadBackwards,
}

/// The metric in which a side measures a delta.
#[derive(Clone, Copy)]
pub(super) struct Metric<'a> {
    /// `S_u`, k x k.
    pub(super) precision: &'a [f64],
    /// `o_u`; `None` is 0.
    pub(super) offset: Option<&'a [f64]>,
}

/// The length of a channel with the zeros that pad it.
pub(super) fn padded_length(length: usize) -> usize {
    length.next_multiple_of(STEP)
}

impl<V: DeltaValues> Delta<V> {
    /// `D(u -> v)` and `D(v -> u)`.
    #[inline(always)]
    pub(super) fn both_ways<S: Simd>(self, simd: S, u: Metric<'_>, v: Metric<'_>) -> (f64, f64) {
        match self.channels {
            1 => self.both_ways_of_channels::<S, 1>(simd, u, v),
            3 => self.both_ways_of_channels::<S, 3>(simd, u, v),
            4 => self.both_ways_of_channels::<S, 4>(simd, u, v),
            _ => {
                let (first, second) = self.moments_of_any_channels();
                self.both_ways_from(u, v, &first, &second)
            }
        }
    }

    #[inline(always)]
    fn both_ways_of_channels<S: Simd, const K: usize>(
        self,
        simd: S,
        u: Metric<'_>,
        v: Metric<'_>,
    ) -> (f64, f64) {
        let (first, second) = self.moments::<S, K>(simd);
        self.both_ways_from(u, v, &first, second.as_flattened())
    }

    /// From the moments of delta: `sum_r delta_a` by a, and `sum_r delta_a delta_b` by a and b <= a.
    #[inline(always)]
    fn both_ways_from(
        self,
        u: Metric<'_>,
        v: Metric<'_>,
        first: &[f64],
        second: &[f64],
    ) -> (f64, f64) {
        let length = self.length as f64;
        // Seen from v, delta is read backwards: minus delta, or delta itself if backwards negates.
        let seen_from_v = -f64::from(self.backwards.sign());
        (
            quadratic_form(first, second, u, 1.0, length),
            quadratic_form(first, second, v, seen_from_v, length),
        )
    }

    /// The moments of delta for K channels, in one sweep and in registers.
    #[inline(always)]
    fn moments<S: Simd, const K: usize>(self, simd: S) -> ([f64; K], [[f64; K]; K]) {
        let padded = self.values.len() / K;
        let zero = simd.splat_f64s(0.0);
        let mut first = [zero; K];
        let mut second = [[zero; K]; K];
        let mut delta = [[0.0; STEP]; K];
        for start in (0..padded).step_by(STEP) {
            for (a, delta) in delta.iter_mut().enumerate() {
                self.values.read_step(a * padded + start, delta);
            }
            add_moments(simd, &delta, &mut first, &mut second);
        }
        // Loops, not closures: only code that is inlined here uses the machine's vectors.
        let mut sums = ([0.0; K], [[0.0; K]; K]);
        for a in 0..K {
            sums.0[a] = simd.reduce_sum_f64s(first[a]);
            for b in 0..=a {
                sums.1[a][b] = simd.reduce_sum_f64s(second[a][b]);
            }
        }
        sums
    }

    fn moments_of_any_channels(self) -> (Vec<f64>, Vec<f64>) {
        let k = self.channels;
        let mut steps = vec![[0.0; STEP]; self.values.len() / STEP];
        for (number, step) in steps.iter_mut().enumerate() {
            self.values.read_step(number * STEP, step);
        }
        let delta: Vec<&[f64]> = steps.as_flattened().chunks_exact(self.values.len() / k).collect();
        let second = (0..k * k)
            .map(|ab| delta[ab / k].iter().zip(delta[ab % k]).map(|(a, b)| a * b).sum())
            .collect();
        (delta.iter().map(|values| values.iter().sum()).collect(), second)
    }
}

/// Add the moments of a step of delta, lane by lane.
#[inline(always)]
fn add_moments<S: Simd, const K: usize>(
    simd: S,
    delta: &[[f64; STEP]; K],
    first: &mut [S::f64s; K],
    second: &mut [[S::f64s; K]; K],
) {
    for step in 0..STEP / S::F64_LANES {
        let mut lanes = [simd.splat_f64s(0.0); K];
        for a in 0..K {
            lanes[a] = S::as_simd_f64s(&delta[a]).0[step];
        }
        for a in 0..K {
            first[a] = simd.add_f64s(first[a], lanes[a]);
            for b in 0..=a {
                second[a][b] = simd.mul_add_e_f64s(lanes[a], lanes[b], second[a][b]);
            }
        }
    }
}

/// `sum_r (sign * delta - o_u)^T S_u (sign * delta - o_u)`.
#[inline(always)]
fn quadratic_form(
    first: &[f64],
    second: &[f64],
    metric: Metric<'_>,
    sign: f64,
    length: f64,
) -> f64 {
    let k = first.len();
    let mut total = 0.0;
    for a in 0..k {
        for b in 0..=a {
            let mut moment = second[a * k + b];
            if let Some(offset) = metric.offset {
                let cross = first[a] * offset[b] + offset[a] * first[b];
                moment = moment - sign * cross + length * offset[a] * offset[b];
            }
            let times = if a == b { 1.0 } else { 2.0 };
            total += times * metric.precision[a * k + b] * moment;
        }
    }
    // A sum of squares; rounding may leave a trace below zero. A comparison, as in `linalg::relu`.
    if total > 0.0 { total } else { 0.0 }
}

/// A quadratic measure, ready for any pair of strips.
#[derive(Clone, Debug)]
pub(super) struct Quadratic {
    arch: Arch,
    pub(super) terms: Vec<Term>,
}

impl Quadratic {
    pub(super) fn new(terms: Vec<Term>) -> Self {
        Self { arch: Arch::new(), terms }
    }

    /// The measure of one pair of strips; lower is better.
    pub(super) fn value(&self, u: usize, v: usize) -> f64 {
        self.arch.dispatch(PairValue { terms: &self.terms, u, v })
    }
}

struct PairValue<'a> {
    terms: &'a [Term],
    u: usize,
    v: usize,
}

impl WithSimd for PairValue<'_> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let mut sum = 0.0;
        for term in self.terms {
            let (there, back) = term.both_ways(simd, self.u, self.v);
            sum += there + back;
        }
        sum
    }
}
