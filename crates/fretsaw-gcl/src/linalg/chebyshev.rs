//! The largest eigenvalues of a sparse Hermitian matrix: subspace iteration with a Chebyshev
//! filter.
//!
//! A block of vectors is multiplied by a polynomial of the matrix that is at most 1 on the unwanted
//! part of the spectrum, `[lower bound, smallest value in the block]`, and grows as fast as a
//! polynomial can above it; then the block is made orthonormal and its best combinations are taken
//! (Rayleigh and Ritz). A gap of `g` below the wanted values costs O(1 / sqrt(g)) products with
//! the matrix, and a product is all the filter does: no inner products, no factorisation, no fill
//! from far-reaching edges.
//!
//! Certain: each returned vector has the reported residual, so an eigenvalue lies that close to the
//! reported value. Not certain: that no larger eigenvalue was missed. The block holds random vectors
//! besides the caller's, and no pair is accepted before the first pair that is *not* wanted has settled
//! too, which makes a miss very unlikely. It is impossible for the first pair only if its value reaches
//! the upper bound of the spectrum.

use super::block::Block;
use super::{Complex, HermitianMatrix, dense_eigenpairs};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Up to this order all eigenpairs are computed densely: exact, and faster.
const DENSE_ORDER: usize = 48;
/// Vectors in the block beyond the wanted ones.
const MIN_GUARD_VECTORS: usize = 3;
/// The filter raises the top of the spectrum over the unwanted part by this factor a round. More
/// would cost digits when the block is made orthonormal, less would make that step dominate.
const AMPLIFICATION: f64 = 1e5;
/// Sharpening may take this degree even if convergence took less.
const MIN_SHARPENING_DEGREE: usize = 300;
/// Least and most degree of a round's polynomial.
const DEGREES: (u32, u32) = (8, 2000);
/// The first pair that is not wanted must have settled to this share of its distance to the wanted
/// ones before these are accepted.
const GUARD_SHARE: f64 = 0.1;
/// A value this close to the upper bound of the spectrum, relative to the bounds, is on it.
const AT_BOUND: f64 = 1e-12;

/// How to look for the top eigenpairs.
#[derive(Clone, Debug, PartialEq)]
pub struct EigenSettings {
    /// How many pairs, at least 1 and at most [`EigenSettings::MAX_PAIRS`].
    pub num_pairs: usize,
    /// Residual norm below which a unit vector counts as converged, relative to the larger bound
    /// of the spectrum in absolute value.
    pub tolerance: f64,
    /// Products of the matrix with a block of vectors after which to give up.
    pub max_products: usize,
    /// Seed of the random vectors in the block.
    pub seed: u64,
    /// The factor by which to reduce, after convergence, the components of the first vector along all
    /// others; 1 for not at all. Filtering a vector by itself brings its small entries nearly to
    /// full *relative* accuracy, which a small residual does not: the vectors of a block are
    /// combined with each other, and rounding leaves about 1e-15 of each in all. Costs at most as
    /// many products as convergence did, or a few hundred, each with one vector only. Matrices
    /// small enough to be solved densely are not sharpened.
    pub sharpening: f64,
}

impl EigenSettings {
    /// The largest number of pairs.
    pub const MAX_PAIRS: usize = 29;
}

impl Default for EigenSettings {
    fn default() -> Self {
        Self { num_pairs: 1, tolerance: 1e-10, max_products: 20_000, seed: 0, sharpening: 1.0 }
    }
}

/// The top eigenpairs, or as far as the solver got.
#[derive(Clone, Debug)]
pub struct TopEigenpairs {
    /// Values, largest first: `num_pairs`, or the matrix's order if that is less.
    pub values: Vec<f64>,
    /// Vectors of norm 1.
    pub vectors: Vec<Vec<Complex>>,
    /// `|A v - value v|` for each pair.
    pub residuals: Vec<f64>,
    /// The best estimate of the next value, from below.
    pub next_value: Option<f64>,
    /// Rounds of filtering.
    pub num_rounds: usize,
    /// Products of the matrix with the block.
    pub num_products: usize,
    /// Whether all residuals are within the tolerance and the next pair has settled.
    pub converged: bool,
}

/// The top eigenpairs of a Hermitian matrix whose eigenvalues all lie within `bounds`, which the
/// caller vouches for (see [`HermitianMatrix::eigenvalue_bounds`]).
///
/// `starts` are guesses for the vectors, best first; they make the search shorter, not narrower.
/// At most half of the block is taken from them. The answer depends on nothing but the arguments.
pub fn top_eigenpairs(
    matrix: &HermitianMatrix,
    bounds: (f64, f64),
    starts: &[Vec<Complex>],
    settings: &EigenSettings,
) -> TopEigenpairs {
    let num_pairs = settings.num_pairs.clamp(1, EigenSettings::MAX_PAIRS);
    if matrix.order() <= DENSE_ORDER {
        return densely(matrix, num_pairs);
    }
    let settings = &EigenSettings { num_pairs, ..settings.clone() };
    match num_pairs + MIN_GUARD_VECTORS {
        ..=4 => iterate::<4>(matrix, bounds, starts, settings),
        5..=8 => iterate::<8>(matrix, bounds, starts, settings),
        9..=16 => iterate::<16>(matrix, bounds, starts, settings),
        _ => iterate::<32>(matrix, bounds, starts, settings),
    }
}

fn densely(matrix: &HermitianMatrix, num_pairs: usize) -> TopEigenpairs {
    let mut pairs = dense_eigenpairs(&matrix.to_dense());
    let next_value = pairs.values.get(num_pairs).copied();
    pairs.values.truncate(num_pairs);
    pairs.vectors.truncate(num_pairs);
    let residuals = pairs
        .values
        .iter()
        .zip(&pairs.vectors)
        .map(|(&value, vector)| residual_norm(matrix, value, vector))
        .collect();
    TopEigenpairs {
        values: pairs.values,
        vectors: pairs.vectors,
        residuals,
        next_value,
        num_rounds: 0,
        num_products: 0,
        converged: true,
    }
}

fn iterate<const B: usize>(
    matrix: &HermitianMatrix,
    (low, high): (f64, f64),
    starts: &[Vec<Complex>],
    settings: &EigenSettings,
) -> TopEigenpairs {
    let wanted = settings.num_pairs;
    let scale = low.abs().max(high.abs()).max(f64::MIN_POSITIVE);
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut x = Block::<B>::zero(matrix.order());
    let mut other = Block::<B>::zero(matrix.order());
    for k in 0..B {
        match starts.get(k) {
            Some(start) if k < B / 2 && start.iter().any(|z| z.norm_sqr() > 0.0) => {
                x.set_column(k, start);
            }
            _ => x.randomize_column(k, &mut rng),
        }
    }
    let (mut num_rounds, mut num_products) = (0, 0);
    loop {
        x.orthonormalize(&mut rng);
        // Rayleigh-Ritz: x becomes the best approximations of eigenvectors in its span.
        x.recurrence_step(matrix, (1.0, 0.0, 0.0), &mut other);
        num_products += 1;
        let (values, rotation) = ritz(&x.gram(&other));
        x.multiply(&rotation);
        other.multiply(&rotation);
        let residuals = x.residuals(&other, &values, wanted + 1);

        let tolerance = settings.tolerance * scale;
        let small = residuals[..wanted].iter().all(|&r| r <= tolerance);
        let guard_distance = values[wanted - 1] - values[wanted];
        let settled = residuals[wanted] <= tolerance.max(GUARD_SHARE * guard_distance);
        // Nothing lies above the bound, so a first pair that reaches it needs no guard.
        let at_bound = wanted == 1 && values[0] >= high - AT_BOUND * scale;
        let converged = small && (settled || at_bound);
        if converged || num_products >= settings.max_products {
            let mut top = TopEigenpairs {
                values: values[..wanted].to_vec(),
                vectors: (0..wanted).map(|k| x.column(k)).collect(),
                residuals: residuals[..wanted].to_vec(),
                next_value: Some(values[wanted]),
                num_rounds,
                num_products,
                converged,
            };
            if settings.sharpening > 1.0 && converged && !at_bound {
                sharpen(matrix, low, values[1], settings.sharpening, &mut top);
            }
            return top;
        }

        // If the values in the block are all but equal, the cut moves down to where the polynomial
        // of largest degree still separates them from the rest.
        let steepest = (AMPLIFICATION.acosh() / f64::from(DEGREES.1)).cosh() - 1.0;
        let window = steepest * (values[0] - low) / 2.0;
        let cut = values[B - 1].min(values[0] - window).max(low + 1e-3 * (high - low));
        let center = (low + cut) / 2.0;
        let half_width = ((cut - low) / 2.0).max(f64::MIN_POSITIVE);
        let degree = degree_for((values[0] - center) / half_width, AMPLIFICATION);
        x = filtered(matrix, (center, half_width), degree, x);
        num_products += degree;
        num_rounds += 1;
    }
}

/// Filters the first vector by itself, with the cut at the second value.
fn sharpen(
    matrix: &HermitianMatrix,
    low: f64,
    second_value: f64,
    factor: f64,
    top: &mut TopEigenpairs,
) {
    let center = (low + second_value) / 2.0;
    let half_width = (second_value - low) / 2.0;
    if half_width <= 0.0 {
        return;
    }
    let mut x = Block::<1>::zero(matrix.order());
    x.set_column(0, &top.vectors[0]);
    let degree = degree_for((top.values[0] - center) / half_width, factor)
        .min(top.num_products.max(MIN_SHARPENING_DEGREE));
    let vector = filtered(matrix, (center, half_width), degree, x).column(0);
    let norm = vector.iter().map(|z| z.norm_sqr()).sum::<f64>().sqrt();
    if !(norm.is_finite() && norm > 0.0) {
        return;
    }
    let vector: Vec<Complex> = vector.into_iter().map(|z| z * (1.0 / norm)).collect();
    let residual = residual_norm(matrix, top.values[0], &vector);
    (top.vectors[0], top.residuals[0]) = (vector, residual);
}

/// The Chebyshev polynomial of this degree for the interval `center - half_width` to `center +
/// half_width`, of the matrix, times a block.
fn filtered<const B: usize>(
    matrix: &HermitianMatrix,
    (center, half_width): (f64, f64),
    degree: usize,
    mut x: Block<B>,
) -> Block<B> {
    let mut next = Block::zero(matrix.order());
    x.recurrence_step(matrix, (1.0 / half_width, center, 0.0), &mut next);
    for _ in 1..degree {
        next.recurrence_step(matrix, (2.0 / half_width, center, 1.0), &mut x);
        std::mem::swap(&mut x, &mut next);
    }
    next
}

/// `|A v - value v|`.
fn residual_norm(matrix: &HermitianMatrix, value: f64, vector: &[Complex]) -> f64 {
    let image = matrix.times(vector);
    image.iter().zip(vector).map(|(&y, &x)| (y - x * value).norm_sqr()).sum::<f64>().sqrt()
}

/// The degree at which the Chebyshev polynomial reaches `amplification` at `x >= 1`.
fn degree_for(x: f64, amplification: f64) -> usize {
    let (least, most) = (f64::from(DEGREES.0), f64::from(DEGREES.1));
    // The largest degree where x is 1, and the quotient infinite.
    let degree = (amplification.acosh() / x.max(1.0).acosh()).min(most).max(least);
    #[expect(clippy::cast_possible_truncation, reason = "between the least and the most degree")]
    let degree = degree.ceil() as usize;
    degree
}

/// Ritz values, largest first, and the rotation to their vectors.
fn ritz<const B: usize>(h: &[[Complex; B]; B]) -> ([f64; B], [[Complex; B]; B]) {
    let mut dense = super::DenseHermitian::zero(B);
    for (k, row) in h.iter().enumerate() {
        for (l, &entry) in row[..=k].iter().enumerate() {
            // The two triangles differ by rounding.
            dense.set(k, l, (entry + h[l][k].conj()) * 0.5);
        }
    }
    let pairs = dense_eigenpairs(&dense);
    (
        std::array::from_fn(|k| pairs.values[k]),
        std::array::from_fn(|k| std::array::from_fn(|l| pairs.vectors[l][k])),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// A path's adjacency matrix: eigenvalues `2 cos(pi k / (order + 1))`.
    fn path(order: usize) -> HermitianMatrix {
        let entries: Vec<_> = (1..order).map(|k| (k - 1, k, Complex::ONE)).collect();
        HermitianMatrix::new(&vec![0.0; order], &entries)
    }

    fn path_value(order: u32, k: u32) -> f64 {
        2.0 * (PI * f64::from(k) / f64::from(order + 1)).cos()
    }

    #[test]
    fn the_spectrum_of_a_long_path_is_found_to_rounding() {
        let matrix = path(1000);
        for num_pairs in [1, 2, 4, 10] {
            let settings = EigenSettings { num_pairs, tolerance: 1e-10, ..Default::default() };
            let top = top_eigenpairs(&matrix, (-2.0, 2.0), &[], &settings);
            assert!(top.converged, "{} pairs: {:?}", num_pairs, top.residuals);
            for (k, value) in (1..).zip(&top.values) {
                assert!((value - path_value(1000, k)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn dense_and_filtered_answers_agree() {
        for order in [1, 2, DENSE_ORDER, DENSE_ORDER + 1] {
            let matrix = path(order);
            let top = top_eigenpairs(&matrix, (-2.0, 2.0), &[], &EigenSettings::default());
            let expected = path_value(u32::try_from(order).unwrap(), 1);
            assert!(top.converged && (top.values[0] - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn the_top_is_found_from_a_start_at_a_lower_eigenvector() {
        let order = 400;
        let lower: Vec<Complex> = (1..=order)
            .map(|k| Complex::new((3.0 * PI * f64::from(k) / f64::from(order + 1)).sin(), 0.0))
            .collect();
        let top = top_eigenpairs(
            &path(order as usize),
            (-2.0, 2.0),
            &[lower.clone(), lower],
            &EigenSettings::default(),
        );
        assert!(top.converged);
        assert!((top.values[0] - path_value(order, 1)).abs() < 1e-12);
    }

    #[test]
    fn sharpening_brings_faint_entries_to_relative_accuracy() {
        // A path with 4 on the diagonal at one end: the top eigenvector falls by a factor r with
        // every step, `4 + r = value = r + 1 / r`, so r = 1 / 4, to 4^-59 at the far end.
        let order = 60;
        let entries: Vec<_> = (1..order).map(|k| (k - 1, k, Complex::ONE)).collect();
        let mut diagonal = vec![0.0; order];
        diagonal[0] = 4.0;
        let matrix = HermitianMatrix::new(&diagonal, &entries);
        let bounds = matrix.eigenvalue_bounds();
        let worst = |sharpening| {
            let settings = EigenSettings { sharpening, ..Default::default() };
            let top = top_eigenpairs(&matrix, bounds, &[], &settings);
            assert!(top.converged && top.residuals[0] < 1e-10);
            let vector = &top.vectors[0];
            // The last few entries feel the end of the path.
            (1..order - 5)
                .map(|k| (vector[k].norm() / vector[k - 1].norm() - 0.25).abs())
                .fold(0.0, f64::max)
        };
        assert!(worst(1.0) > 1e-2);
        assert!(worst(1e30) < 1e-3, "{}", worst(1e30));
    }

    #[test]
    fn reaching_the_limit_on_the_work_is_reported() {
        let settings = EigenSettings { max_products: 20, ..Default::default() };
        let top = top_eigenpairs(&path(2000), (-2.0, 2.0), &[], &settings);
        assert!(!top.converged);
        assert!(top.residuals[0] > 1e-10);
    }

    #[test]
    fn a_matrix_with_one_eigenvalue_many_times_over_converges() {
        // Fifty pairs of vertices: 1 and -1, fifty times each.
        let entries: Vec<_> = (0..50).map(|k| (2 * k, 2 * k + 1, Complex::ONE)).collect();
        let matrix = HermitianMatrix::new(&[0.0; 100], &entries);
        let settings = EigenSettings { num_pairs: 2, ..Default::default() };
        let top = top_eigenpairs(&matrix, (-1.0, 1.0), &[], &settings);
        assert!(top.converged);
        assert!(top.values.iter().all(|value| (value - 1.0).abs() < 1e-12));
        let zero = HermitianMatrix::new(&[0.0; 100], &[]);
        assert!(top_eigenpairs(&zero, (0.0, 0.0), &[], &settings).converged);
    }
}
