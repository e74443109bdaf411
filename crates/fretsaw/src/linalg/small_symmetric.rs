//! Small symmetric positive definite matrices (k x k for k colour channels), row by row.

/// The lower triangular `l` with `l lᵀ = matrix`, both k x k.
///
/// # Panics
/// If the matrix is not positive definite to working precision; callers regularise theirs.
pub(crate) fn cholesky(matrix: &[f64], k: usize) -> Vec<f64> {
    let mut l = vec![0.0; k * k];
    for i in 0..k {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|m| l[i * k + m] * l[j * k + m]).sum();
            let rest = matrix[i * k + j] - dot;
            l[i * k + j] = if i == j {
                assert!(rest > 0.0, "matrix is not positive definite");
                rest.sqrt()
            } else {
                rest / l[j * k + j]
            };
        }
    }
    l
}

/// The inverse of a symmetric positive definite matrix, exactly symmetric.
///
/// # Panics
/// As [`cholesky`].
pub(crate) fn inverse(matrix: &[f64], k: usize) -> Vec<f64> {
    let l = cholesky(matrix, k);
    // Rows of l^-1, by forward substitution on the unit vectors.
    let mut l_inverse = vec![0.0; k * k];
    for col in 0..k {
        for row in col..k {
            let unit = if row == col { 1.0 } else { 0.0 };
            let dot: f64 = (col..row).map(|m| l[row * k + m] * l_inverse[m * k + col]).sum();
            l_inverse[row * k + col] = (unit - dot) / l[row * k + row];
        }
    }
    let mut inverse = vec![0.0; k * k];
    for i in 0..k {
        for j in 0..=i {
            let dot = (i..k).map(|m| l_inverse[m * k + i] * l_inverse[m * k + j]).sum();
            inverse[i * k + j] = dot;
            inverse[j * k + i] = dot;
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_the_identity() {
        for k in 1..7 {
            // Gram matrix of k + 2 fixed vectors plus a ridge.
            let vector = |m: usize, i: usize| ((m * 7 + i * 13) % 11) as f64 - 5.0;
            let mut matrix = vec![0.0; k * k];
            for i in 0..k {
                for j in 0..k {
                    matrix[i * k + j] =
                        (0..k + 2).map(|m| vector(m, i) * vector(m, j)).sum::<f64>()
                            + if i == j { 1.0 } else { 0.0 };
                }
            }
            let inverse = inverse(&matrix, k);
            for i in 0..k {
                for j in 0..k {
                    let dot: f64 = (0..k).map(|m| matrix[i * k + m] * inverse[m * k + j]).sum();
                    let expected = if i == j { 1.0 } else { 0.0 };
                    assert!((dot - expected).abs() < 1e-9, "{k} {i} {j} {dot}");
                }
            }
        }
    }
}
