//! Sparse complex Hermitian matrices in compressed rows.

use super::{Complex, DenseHermitian};

/// A sparse Hermitian matrix with both triangles stored, in compressed rows.
#[derive(Clone, Debug)]
pub struct HermitianMatrix {
    /// Row `r` is the range `starts[r]..starts[r + 1]` of the two arrays below.
    starts: Vec<usize>,
    cols: Vec<u32>,
    values: Vec<Complex>,
}

impl HermitianMatrix {
    /// The matrix with these entries above or below the diagonal and this diagonal, whose length
    /// is the order: `(row, col, value)` also sets `(col, row)` to the conjugate. Entries given
    /// twice add up.
    ///
    /// `row != col`, and both must be below the order.
    pub fn new(diagonal: &[f64], entries: &[(usize, usize, Complex)]) -> Self {
        let order = diagonal.len();
        debug_assert!(entries.iter().all(|&(row, col, _)| row != col));
        let mut starts = vec![0; order + 1];
        for &(row, col, _) in entries {
            starts[row + 1] += 1;
            starts[col + 1] += 1;
        }
        let has_diagonal = diagonal.iter().any(|&value| value != 0.0);
        for row in 0..order {
            starts[row + 1] += starts[row] + usize::from(has_diagonal);
        }
        let mut next = starts.clone();
        let mut cols = vec![0; starts[order]];
        let mut values = vec![Complex::ZERO; starts[order]];
        let mut put = |row: usize, col: usize, value: Complex| {
            #[expect(clippy::cast_possible_truncation, reason = "orders are far below 2^32")]
            let col = col as u32;
            cols[next[row]] = col;
            values[next[row]] = value;
            next[row] += 1;
        };
        for &(row, col, value) in entries {
            put(row, col, value);
            put(col, row, value.conj());
        }
        if has_diagonal {
            for (row, &value) in diagonal.iter().enumerate() {
                put(row, row, Complex::new(value, 0.0));
            }
        }
        Self { starts, cols, values }
    }

    /// Rows, which are as many as columns.
    pub fn order(&self) -> usize {
        self.starts.len() - 1
    }

    /// Column numbers and values of a row.
    pub fn row(&self, row: usize) -> (&[u32], &[Complex]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.cols[range.clone()], &self.values[range])
    }

    /// The matrix times a vector.
    pub fn times(&self, vector: &[Complex]) -> Vec<Complex> {
        (0..self.order())
            .map(|row| {
                let (cols, values) = self.row(row);
                let mut sum = Complex::ZERO;
                for (&col, &value) in cols.iter().zip(values) {
                    sum += value * vector[col as usize];
                }
                sum
            })
            .collect()
    }

    /// An interval that holds all eigenvalues, by Gershgorin's circles.
    pub fn eigenvalue_bounds(&self) -> (f64, f64) {
        let mut bounds = (0.0f64, 0.0f64);
        for row in 0..self.order() {
            let (cols, values) = self.row(row);
            let (mut center, mut radius) = (0.0, 0.0);
            for (&col, &value) in cols.iter().zip(values) {
                if col as usize == row {
                    center += value.re;
                } else {
                    radius += value.norm();
                }
            }
            bounds = (bounds.0.min(center - radius), bounds.1.max(center + radius));
        }
        bounds
    }

    /// The same matrix, dense.
    pub fn to_dense(&self) -> DenseHermitian {
        let mut dense = DenseHermitian::zero(self.order());
        for row in 0..self.order() {
            let (cols, values) = self.row(row);
            for (&col, &value) in cols.iter().zip(values) {
                let col = col as usize;
                if col >= row {
                    dense.set(row, col, dense.get(row, col) + value);
                }
            }
        }
        dense
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_triangles_and_the_diagonal_are_multiplied() {
        let i = Complex::new(0.0, 1.0);
        let matrix = HermitianMatrix::new(&[2.0, 0.0, 0.0], &[(0, 1, i), (1, 2, Complex::ONE)]);
        let product = matrix.times(&[Complex::ONE, i, Complex::ONE]);
        assert_eq!(product, [Complex::new(1.0, 0.0), Complex::new(1.0, -1.0), i]);
        let (low, high) = matrix.eigenvalue_bounds();
        assert_eq!((low, high), (-2.0, 3.0));
        assert_eq!(matrix.to_dense().get(1, 0), i.conj());
    }
}
