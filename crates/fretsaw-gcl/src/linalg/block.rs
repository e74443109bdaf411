//! Blocks of a few vectors, stored row by row so that one pass over a sparse matrix serves all.

use super::{Complex, DenseHermitian, HermitianMatrix, dense_eigenpairs};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Gram eigenvalues below this share of the largest belong to directions that the columns do not
/// span; in double precision nothing below is meaningful.
const RANK_TOLERANCE: f64 = 1e-13;

/// The entries of `B` vectors in one row. Parts apart, so that the compiler can vectorise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<const B: usize> {
    re: [f64; B],
    im: [f64; B],
}

/// `B` vectors.
pub(super) struct Block<const B: usize> {
    rows: Vec<Row<B>>,
}

impl<const B: usize> Row<B> {
    const ZERO: Self = Self { re: [0.0; B], im: [0.0; B] };

    fn times(&self, factor: &[[Complex; B]; B]) -> Self {
        let mut product = Self::ZERO;
        for (k, row) in factor.iter().enumerate() {
            for (l, z) in row.iter().enumerate() {
                product.re[l] += self.re[k] * z.re - self.im[k] * z.im;
                product.im[l] += self.re[k] * z.im + self.im[k] * z.re;
            }
        }
        product
    }
}

impl<const B: usize> Block<B> {
    pub(super) fn zero(order: usize) -> Self {
        Self { rows: vec![Row::ZERO; order] }
    }

    pub(super) fn set_column(&mut self, k: usize, vector: &[Complex]) {
        for (row, z) in self.rows.iter_mut().zip(vector) {
            (row.re[k], row.im[k]) = (z.re, z.im);
        }
    }

    pub(super) fn column(&self, k: usize) -> Vec<Complex> {
        self.rows.iter().map(|row| Complex::new(row.re[k], row.im[k])).collect()
    }

    pub(super) fn randomize_column(&mut self, k: usize, rng: &mut ChaCha8Rng) {
        for row in &mut self.rows {
            row.re[k] = rng.random_range(-1.0..1.0);
            row.im[k] = rng.random_range(-1.0..1.0);
        }
    }

    /// `previous <- factor (matrix - shift) self - keep previous`: one step of a three-term
    /// recurrence, in one pass over the matrix.
    pub(super) fn recurrence_step(
        &self,
        matrix: &HermitianMatrix,
        (factor, shift, keep): (f64, f64, f64),
        previous: &mut Self,
    ) {
        for (r, target) in previous.rows.iter_mut().enumerate() {
            let mut sum = Row::<B>::ZERO;
            let (cols, values) = matrix.row(r);
            for (&col, &value) in cols.iter().zip(values) {
                let x = &self.rows[col as usize];
                for k in 0..B {
                    sum.re[k] += value.re * x.re[k] - value.im * x.im[k];
                    sum.im[k] += value.re * x.im[k] + value.im * x.re[k];
                }
            }
            let x = &self.rows[r];
            for k in 0..B {
                target.re[k] = factor * (sum.re[k] - shift * x.re[k]) - keep * target.re[k];
                target.im[k] = factor * (sum.im[k] - shift * x.im[k]) - keep * target.im[k];
            }
        }
    }

    /// `self^* other`.
    pub(super) fn gram(&self, other: &Self) -> [[Complex; B]; B] {
        let mut re = [[0.0; B]; B];
        let mut im = [[0.0; B]; B];
        for (x, y) in self.rows.iter().zip(&other.rows) {
            for k in 0..B {
                for l in 0..B {
                    re[k][l] += x.re[k] * y.re[l] + x.im[k] * y.im[l];
                    im[k][l] += x.re[k] * y.im[l] - x.im[k] * y.re[l];
                }
            }
        }
        std::array::from_fn(|k| std::array::from_fn(|l| Complex::new(re[k][l], im[k][l])))
    }

    /// `self <- self factor`.
    pub(super) fn multiply(&mut self, factor: &[[Complex; B]; B]) {
        for row in &mut self.rows {
            *row = row.times(factor);
        }
    }

    /// For the first `count` columns, the norm of `image_k - value_k self_k`.
    pub(super) fn residuals(&self, image: &Self, values: &[f64], count: usize) -> Vec<f64> {
        let mut sums = vec![0.0; count];
        for (x, y) in self.rows.iter().zip(&image.rows) {
            for (k, sum) in sums.iter_mut().enumerate() {
                let (re, im) = (y.re[k] - values[k] * x.re[k], y.im[k] - values[k] * x.im[k]);
                *sum += re * re + im * im;
            }
        }
        sums.into_iter().map(f64::sqrt).collect()
    }

    /// Makes the columns orthonormal with the same span, in order of how much of the block's
    /// content they carry. Directions that the columns lack are filled up at random.
    ///
    /// Twice by the eigenvectors of the Gram matrix: the first pass leaves an error of rounding
    /// times the squared condition, the second of rounding alone.
    pub(super) fn orthonormalize(&mut self, rng: &mut ChaCha8Rng) {
        for _ in 0..2 {
            let gram = self.gram(self);
            let mut scaled = DenseHermitian::zero(B);
            let scales: [f64; B] = std::array::from_fn(|k| {
                let norm = gram[k][k].re.sqrt();
                if norm > 0.0 { 1.0 / norm } else { 0.0 }
            });
            for k in 0..B {
                for l in 0..=k {
                    scaled.set(k, l, gram[k][l] * (scales[k] * scales[l]));
                }
            }
            let pairs = dense_eigenpairs(&scaled);
            let floor = RANK_TOLERANCE * pairs.values[0];
            let mut factor = [[Complex::ZERO; B]; B];
            let mut lacking = Vec::new();
            for (l, (&value, vector)) in pairs.values.iter().zip(&pairs.vectors).enumerate() {
                if value > floor {
                    for k in 0..B {
                        factor[k][l] = vector[k] * (scales[k] / value.sqrt());
                    }
                } else {
                    lacking.push(l);
                }
            }
            self.multiply(&factor);
            for l in lacking {
                self.randomize_column(l, rng);
            }
        }
    }
}
