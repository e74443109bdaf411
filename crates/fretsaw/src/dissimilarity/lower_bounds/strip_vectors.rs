//! The vectors of a strip: inner products of those of u and v are the product's part of the lower bound and
//! the width w between the bounds.

use crate::dissimilarity::quadratic::{ReadBackwards, Term};
use crate::linalg::single;
use rayon::prelude::*;

/// Twice the subtracted error, plus the error of rounding to single precision.
const TWICE: f64 = 2.02;

/// The vectors of a strip in its two roles: as u, and as v, in D(u -> v).
pub(super) struct Roles {
    /// As u, for the bound; the first number is u's share of the bound's constant.
    pub(super) judging: Vec<f32>,
    /// As v, for the bound.
    pub(super) judged: Vec<f32>,
    /// As u, for w.
    width_judging: Vec<f32>,
    /// As v, for w.
    width_judged: Vec<f32>,
}

/// The vectors for w of all strips, one after the other.
pub(super) struct Widths {
    /// Numbers of a strip in one role.
    len: usize,
    values: Vec<f32>,
}

impl Widths {
    pub(super) fn new(roles: Vec<Roles>, num_terms: usize) -> Self {
        let both = |roles: Roles| roles.width_judging.into_iter().chain(roles.width_judged);
        Self {
            len: width_len(num_terms),
            values: roles.into_par_iter().flat_map_iter(both).collect(),
        }
    }

    /// w of a pair of strips.
    pub(super) fn of(&self, u: usize, v: usize) -> f32 {
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

/// Numbers of a strip in one role of the bound: one constant, and for each term S or F, the
/// fluctuations, and two norms.
pub(super) fn role_len(terms: &[Term], strips: &[usize]) -> usize {
    let k = terms[0].channels;
    let of_term = |term: &Term| {
        let longest = strips.iter().map(|&strip| term.length(strip)).max().unwrap_or(0);
        k * (k + 1) / 2 + k * longest + 2
    };
    1 + terms.iter().map(of_term).sum::<usize>()
}

impl Roles {
    pub(super) fn new(
        terms: &[Term],
        strip: usize,
        split_means: bool,
        middles: &[Vec<f64>],
        gamma: f64,
        slack: f64,
    ) -> Self {
        let k = terms[0].channels;
        let len = role_len(terms, &[strip]);
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

/// The fluctuation `f_u`, channel by channel.
struct Fluctuation {
    length: usize,
    /// The profile that the other side meets: read backwards.
    presented: Vec<f64>,
    /// The profile that this side expects to meet: its own fluctuation, plus the offset unless the means are split
    /// off and the offset with them.
    expected: Vec<f64>,
}

impl Fluctuation {
    fn new(term: &Term, strip: usize, split_means: bool, middle: &[f64]) -> Self {
        let len = term.channels * term.length(strip);
        let (mut presented, mut expected) = (Vec::with_capacity(len), Vec::with_capacity(len));
        for a in 0..term.channels {
            let profile = term.profile(strip, a);
            let taken_off = if split_means { mean(profile) } else { middle[a] };
            let shift = if split_means { 0.0 } else { term.offset(strip)[a] };
            let sign = f64::from(term.backwards.sign());
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

/// The inner product, in four independent sums.
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

/// A constant to subtract from the profiles of all strips, because small numbers round less.
///
/// Only differences of profiles matter, so the constant cancels, unless reading backwards negates them:
/// then it must be zero.
pub(super) fn middle(term: &Term, strips: &[usize]) -> Vec<f64> {
    (0..term.channels)
        .map(|a| match term.backwards {
            ReadBackwards::AsIs => {
                let means = strips.iter().map(|&strip| mean(term.profile(strip, a)));
                means.sum::<f64>() / strips.len() as f64
            }
            ReadBackwards::Negated => 0.0,
        })
        .collect()
}

pub(super) fn mean(values: &[f32]) -> f64 {
    values.iter().map(|x| f64::from(*x)).sum::<f64>() / values.len() as f64
}
