//! Small dense Hermitian matrices: all eigenpairs by Jacobi's method.

use super::Complex;

/// Sweeps over all off-diagonal entries. Convergence is quadratic; ten suffice in practice.
const MAX_SWEEPS: usize = 60;

/// A dense Hermitian matrix. The caller sets both triangles, which must be conjugate.
#[derive(Clone, Debug)]
pub struct DenseHermitian {
    order: usize,
    /// Row by row.
    entries: Vec<Complex>,
}

impl DenseHermitian {
    /// The zero matrix of this order.
    pub fn zero(order: usize) -> Self {
        Self { order, entries: vec![Complex::ZERO; order * order] }
    }

    /// Rows, which are as many as columns.
    pub const fn order(&self) -> usize {
        self.order
    }

    /// One entry.
    pub fn get(&self, row: usize, col: usize) -> Complex {
        self.entries[row * self.order + col]
    }

    /// Sets `(row, col)`, and `(col, row)` to the conjugate.
    pub fn set(&mut self, row: usize, col: usize, value: Complex) {
        self.entries[col * self.order + row] = value.conj();
        self.entries[row * self.order + col] = value;
    }
}

/// All eigenpairs of a dense Hermitian matrix.
#[derive(Clone, Debug)]
pub struct DenseEigenpairs {
    /// Eigenvalues, largest first.
    pub values: Vec<f64>,
    /// `vectors[k]` belongs to `values[k]`; orthonormal.
    pub vectors: Vec<Vec<Complex>>,
}

/// All eigenpairs by cyclic Jacobi rotations: O(order^3) a sweep.
///
/// Every rotation is unitary, so the vectors of any matrix are orthonormal to rounding, and the
/// values are accurate to rounding times the matrix's norm.
pub fn dense_eigenpairs(matrix: &DenseHermitian) -> DenseEigenpairs {
    let order = matrix.order;
    let mut a = matrix.entries.clone();
    // Column k of `v` gathers the rotations: at the end the k-th eigenvector.
    let mut v = vec![Complex::ZERO; order * order];
    for k in 0..order {
        v[k * order + k] = Complex::ONE;
    }
    let scale: f64 = a.iter().map(|z| z.norm_sqr()).sum::<f64>().sqrt();
    for _ in 0..MAX_SWEEPS {
        let mut largest = 0.0f64;
        for p in 0..order {
            for q in p + 1..order {
                let apq = a[p * order + q];
                let modulus = apq.norm();
                largest = largest.max(modulus);
                if modulus <= f64::MIN_POSITIVE {
                    continue;
                }
                // Turn the phase of a_pq away, then the real symmetric rotation.
                let phase = apq.conj() * (1.0 / modulus);
                let tau = (a[q * order + q].re - a[p * order + p].re) / (2.0 * modulus);
                let t = 1.0f64.copysign(tau) / (tau.abs() + tau.hypot(1.0));
                let cos = 1.0 / t.hypot(1.0);
                let sin = t * cos;
                for row in 0..order {
                    for array in [&mut a, &mut v] {
                        let (zp, zq) = (array[row * order + p], array[row * order + q] * phase);
                        array[row * order + p] = zp * cos - zq * sin;
                        array[row * order + q] = zp * sin + zq * cos;
                    }
                }
                let conj = phase.conj();
                for col in 0..order {
                    let (zp, zq) = (a[p * order + col], a[q * order + col] * conj);
                    a[p * order + col] = zp * cos - zq * sin;
                    a[q * order + col] = zp * sin + zq * cos;
                }
                a[p * order + q] = Complex::ZERO;
                a[q * order + p] = Complex::ZERO;
            }
        }
        if largest <= f64::EPSILON * scale {
            break;
        }
    }
    let mut by_value: Vec<usize> = (0..order).collect();
    by_value.sort_by(|&i, &j| a[j * order + j].re.total_cmp(&a[i * order + i].re));
    DenseEigenpairs {
        values: by_value.iter().map(|&k| a[k * order + k].re).collect(),
        vectors: by_value
            .iter()
            .map(|&k| (0..order).map(|row| v[row * order + k]).collect())
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    fn check(matrix: &DenseHermitian, expected: &[f64]) {
        let pairs = dense_eigenpairs(matrix);
        for (value, expected) in pairs.values.iter().zip(expected) {
            assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
        }
        let order = matrix.order();
        for (k, vector) in pairs.vectors.iter().enumerate() {
            for row in 0..order {
                let mut image = Complex::ZERO;
                for (col, &entry) in vector.iter().enumerate() {
                    image += matrix.get(row, col) * entry;
                }
                assert!((image - vector[row] * pairs.values[k]).norm() < 1e-12);
            }
            for (l, other) in pairs.vectors.iter().enumerate() {
                let mut dot = Complex::ZERO;
                for (&a, &b) in vector.iter().zip(other) {
                    dot += a.conj() * b;
                }
                let expected = if k == l { 1.0 } else { 0.0 };
                assert!((dot - Complex::new(expected, 0.0)).norm() < 1e-12);
            }
        }
    }

    #[test]
    fn a_path_has_the_cosine_spectrum() {
        let order: u32 = 12;
        let mut path = DenseHermitian::zero(order as usize);
        for k in 1..order as usize {
            path.set(k, k - 1, Complex::ONE);
        }
        let expected: Vec<f64> =
            (1..=order).map(|k| 2.0 * (PI * f64::from(k) / f64::from(order + 1)).cos()).collect();
        check(&path, &expected);
    }

    #[test]
    fn a_cycle_with_a_flux_has_the_shifted_cosine_spectrum() {
        // Entries exp(i angle) around a cycle of 5: eigenvalues 2 cos(2 pi k / 5 + angle).
        let order: u32 = 5;
        let angle = 0.3;
        let mut cycle = DenseHermitian::zero(order as usize);
        for k in 0..order as usize {
            cycle.set(k, (k + 1) % order as usize, Complex::cis(angle));
        }
        let mut expected: Vec<f64> = (0..order)
            .map(|k| 2.0 * (2.0 * PI * f64::from(k) / f64::from(order) + angle).cos())
            .collect();
        expected.sort_by(|a, b| b.total_cmp(a));
        check(&cycle, &expected);
    }

    #[test]
    fn repeated_eigenvalues_and_tiny_orders_are_solved() {
        check(&DenseHermitian::zero(3), &[0.0; 3]);
        check(&DenseHermitian::zero(0), &[]);
        let mut pauli_y = DenseHermitian::zero(2);
        pauli_y.set(0, 1, Complex::new(0.0, -1.0));
        check(&pauli_y, &[1.0, -1.0]);
    }
}
