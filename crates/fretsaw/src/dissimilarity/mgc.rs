//! MGC, Mahalanobis gradient compatibility: \[HLW20\] section "Gallagher's MGC Metric". Lower is better.
//!
//! The gradient across the seam should resemble the gradients inside each piece near its side. The paper
//! writes it for a left piece i and a right piece j; here side u takes the place of the right side of i, and
//! side v that of the left side of j. `e` is the outermost line of pixels, `r'` is r read backwards:
//!
//! | paper | here | computed by |
//! |---|---|---|
//! | `G_iL(r, c)` | `g_u = e_u - i_u` | [`Strips::outward_gradient`] |
//! | `mu_iL = 1/s sum_r G_iL(r)` | `mu_u` | [`mean_gradient`] |
//! | `Sigma_iL^-1`, dummies included | `Sigma_u^-1` | [`regularised_precision`] |
//! | `G_ijLR(r) = P_j(r, 1) - P_i(r, s)` | `e_v(r') - e_u(r)` | the delta of [`super::quadratic`] |
//! | `D_LR(P_i, P_j)` | `D(u -> v)` | `quadratic_form` in [`super::quadratic`] |
//! | `MGC_lr`, eq. mgc_val_def | `MGC(u, v)` | `PairValue` in [`super::quadratic`] |
//!
//! ```text
//! D(u -> v) = sum_r (e_v(r') - e_u(r) - mu_u)^T Sigma_u^-1 (e_v(r') - e_u(r) - mu_u)
//! MGC(u, v) = D(u -> v) + D(v -> u)
//! ```

use super::covariance::regularised_precision;
use super::quadratic::{ReadBackwards, SideTerm, Term};
use super::strips::Strips;

/// MGC is one quadratic term.
pub(super) fn terms(strips: &Strips) -> Vec<Term> {
    vec![Term::new(strips, ReadBackwards::AsIs, |strip| {
        let length = strips.length(strip);
        let gradient = strips.outward_gradient(strip);
        SideTerm {
            // e_u
            profile: strips.line(strip, 0).iter().map(|e| f32::from(*e)).collect(),
            // mu_u
            offset: mean_gradient(&gradient, length),
            // Sigma_u^-1
            precision: regularised_precision(&gradient, length, strips.unit),
        }
    })]
}

/// `mu_u`: the mean of the outward gradient, which is given channel by channel; without dummies.
pub(super) fn mean_gradient(gradient: &[f64], length: usize) -> Vec<f64> {
    let mean = |channel: &[f64]| channel.iter().sum::<f64>() / length as f64;
    gradient.chunks_exact(length).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use crate::dissimilarity::{Dissimilarity, Measure};
    use crate::linalg::small_symmetric;
    use crate::puzzle::{PieceId, PieceSet, PieceShape, Samples, Side, SideId};

    /// `D_LR` as the paper writes it: P_i at the left, P_j at the right, upright, k = 3.
    fn d_lr(pieces: &PieceSet, i: usize, j: usize, mirrored: bool) -> f64 {
        let s = pieces.shape().height_px() as usize;
        // The right-to-left measure is the left-to-right one of the mirrored pieces, exchanged.
        let pixel = |piece: usize, r: usize, col: usize, c: usize| {
            let col = if mirrored { s - 1 - col } else { col };
            f64::from(pieces.sample(PieceId::new(piece), r, col, c))
        };
        let g: Vec<[f64; 3]> = (0..s)
            .map(|r| [0, 1, 2].map(|c| pixel(i, r, s - 1, c) - pixel(i, r, s - 2, c)))
            .collect();
        let mu = [0, 1, 2].map(|c| g.iter().map(|row| row[c]).sum::<f64>() / s as f64);
        let mut extended = g;
        extended.extend([[0.0; 3], [1.0; 3], [-1.0; 3]]);
        for c in 0..3 {
            for sign in [1.0, -1.0] {
                let mut dummy = [0.0; 3];
                dummy[c] = sign;
                extended.push(dummy);
            }
        }
        let mean =
            [0, 1, 2].map(|c| extended.iter().map(|row| row[c]).sum::<f64>() / (s as f64 + 9.0));
        let mut sigma = vec![0.0; 9];
        for a in 0..3 {
            for b in 0..3 {
                sigma[a * 3 + b] =
                    extended.iter().map(|row| (row[a] - mean[a]) * (row[b] - mean[b])).sum::<f64>()
                        / (s as f64 + 8.0);
            }
        }
        let inverse = small_symmetric::inverse(&sigma, 3);
        (0..s)
            .map(|r| {
                let d = [0, 1, 2].map(|c| pixel(j, r, 0, c) - pixel(i, r, s - 1, c) - mu[c]);
                (0..9).map(|ab| d[ab / 3] * inverse[ab] * d[ab % 3]).sum::<f64>()
            })
            .sum()
    }

    #[test]
    fn mgc_is_the_papers_formula() {
        let shape = PieceShape::new(7, 7).unwrap();
        let values = (0..7 * 7 * 3 * 5).map(|x: u32| (x * x * 31 % 251) as u8).collect();
        let pieces = PieceSet::new(shape, 3, Samples::U8(values)).unwrap();
        let mgc = Dissimilarity::new(&pieces, Measure::Mgc).unwrap();
        for i in 0..5 {
            for j in 0..5 {
                let paper = d_lr(&pieces, i, j, false) + d_lr(&pieces, j, i, true);
                let ours = mgc.value(
                    SideId::new(PieceId::new(i), Side::Right),
                    SideId::new(PieceId::new(j), Side::Left),
                );
                assert!((ours - paper).abs() <= 1e-10 * paper, "{i} {j}: {ours} {paper}");
            }
        }
    }
}
