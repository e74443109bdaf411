//! The regularised covariance of the gradients along a side.

use crate::linalg::small_symmetric;

/// The inverse of the regularised covariance of k-channel vectors: the paper's Sigma^-1.
///
/// `rows` holds the vectors channel by channel, `length` of them. Gallagher's nine dummy
/// gradients for three channels are the zero vector, plus and minus the all-ones vector, and plus
/// and minus each unit vector. For k channels that makes 2k + 3 dummies; for k = 1 the all-ones
/// and the unit vector coincide, and both are kept. The covariance divides by the number of rows,
/// dummies included, less one. `unit` is the size of one 8-bit level in the values' units.
pub(super) fn regularised_precision(rows: &[f64], length: usize, unit: f64) -> Vec<f64> {
    let k = rows.len() / length;
    let num_dummies = 2 * k + 3;
    let num_rows = (length + num_dummies) as f64;
    // Dummies add up to zero, so the mean over all rows is the sum over the real ones.
    let means: Vec<f64> =
        rows.chunks_exact(length).map(|channel| channel.iter().sum::<f64>() / num_rows).collect();
    let mut covariance = vec![0.0; k * k];
    for a in 0..k {
        for b in 0..=a {
            let products: f64 = rows[a * length..][..length]
                .iter()
                .zip(&rows[b * length..][..length])
                .map(|(x, y)| x * y)
                .sum();
            // Sum over the dummies of x_a x_b: 2 from the all-ones pair, 2 more on the diagonal.
            let dummies = unit * unit * if a == b { 4.0 } else { 2.0 };
            let value = (products + dummies - num_rows * means[a] * means[b]) / (num_rows - 1.0);
            covariance[a * k + b] = value;
            covariance[b * k + a] = value;
        }
    }
    small_symmetric::inverse(&covariance, k)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_side_has_a_finite_precision_for_any_number_of_channels() {
        for k in [1, 2, 3, 4, 8, 31] {
            for (length, unit) in [(2, 1.0), (28, 257.0)] {
                let precision = regularised_precision(&vec![0.0; k * length], length, unit);
                assert!(precision.iter().all(|x| x.is_finite()));
                assert!((0..k).all(|i| precision[i * k + i] > 0.0));
            }
        }
    }
}
