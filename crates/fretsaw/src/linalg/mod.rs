//! Numerical building blocks that know nothing of puzzles.
//!
//! [`HermitianMatrix`] is a sparse complex Hermitian matrix, [`top_eigenpairs`] finds its largest
//! eigenvalues with their vectors, [`dense_eigenpairs`] all those of a small dense one.
//! `docs/decisions/0003-eigensolver.md` says why this method.

mod block;
mod chebyshev;
mod complex;
mod dense;
pub mod packed_product;
pub(crate) mod small_symmetric;
mod sparse;

pub use chebyshev::{EigenSettings, TopEigenpairs, top_eigenpairs};
pub use complex::Complex;
pub use dense::{DenseEigenpairs, DenseHermitian, dense_eigenpairs};
pub use sparse::HermitianMatrix;

/// The nearest number of single precision, in which large tables are kept.
#[expect(clippy::cast_possible_truncation, reason = "rounding is what is wanted")]
pub(crate) const fn single(x: f64) -> f32 {
    x as f32
}

/// The middle of the values; the lower of two; infinite if there are none.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    let middle = values.len().saturating_sub(1) / 2;
    if middle >= values.len() {
        return f64::INFINITY;
    }
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The mean of the values, if there are any.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}
