//! Complex Hermitian eigenproblems, the numerical part of Algorithm 1.
//!
//! [`HermitianMatrix`] is a sparse complex Hermitian matrix, [`top_eigenpairs`] finds its largest
//! eigenvalues with their vectors, and [`dense_eigenpairs`] all those of a small dense matrix.
//! `docs/decisions/0003-eigensolver.md` gives the reasons for this method.

mod block;
mod chebyshev;
mod dense;
mod sparse;

pub use chebyshev::{EigenSettings, TopEigenpairs, top_eigenpairs};
pub use dense::{DenseEigenpairs, DenseHermitian, dense_eigenpairs};
pub use num_complex::Complex64 as Complex;
pub use sparse::HermitianMatrix;
