//! Turns by the semidefinite relaxation, in low rank.
//!
//! \[HLW20\] supplement, eq. sync_3: maximise `tr(H S)` over positive semidefinite H with ones on the
//! diagonal. We write H = Y Y^* with a unit row y_i of a few complex numbers per vertex (Burer and
//! Monteiro) and go over the rows: with all others fixed, the best y_i points along
//! `g_i = sum_j S(i, j) y_j`. We go past it (over-relaxation), which never lowers the objective
//! and carries news across a grid in about as many sweeps as it is wide. A sweep costs
//! O(edges x rank).
//!
//! Unlike an eigenvector, whose entries fade where edges contradict each other, every row has norm
//! 1: no region is left to rounding errors.
//!
//! The answer is checked: with `m_i = Re <g_i, y_i>`, the optimum of the relaxation exceeds ours by
//! at most n times the largest eigenvalue of `S - diag(m)`, by weak duality. That eigenvalue comes
//! from the same solver as everything else and is certain from one side only, see
//! [`crate::linalg::top_eigenpairs`].

use crate::linalg::{
    Complex, DenseHermitian, EigenSettings, HermitianMatrix, dense_eigenpairs, top_eigenpairs,
};
use crate::rotations::component::Component;
use crate::rotations::{ComponentInfo, RotationSettings};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How far to go towards the best row: 1 stops at it, 2 would mirror the row at it and gain
/// nothing.
const OVER_RELAXATION: f64 = 1.9;
/// The random part of the first rows, which start near the spanning tree's answer.
const START_NOISE: f64 = 0.1;
/// Share of the objective by which the optimum may exceed ours for the answer to count as found.
const GAP_TOLERANCE: f64 = 1e-5;
/// Stationarity (root mean square angle between rows and their best, weighted) before the first
/// check of the gap, and the factor by which it must fall before the next.
const FIRST_CHECK: f64 = 1e-3;
const NEXT_CHECK: f64 = 0.3;

/// Rows of the low-rank factor: `rank` complex numbers per vertex.
struct Factor {
    rank: usize,
    rows: Vec<Complex>,
}

/// The measurements of a sweep.
struct Sweep {
    /// Root mean square sine of the angle between each row and its best, weighted by `|g_i|^2`.
    stationarity: f64,
    /// `Re <g_i, y_i>` before the row was changed.
    multipliers: Vec<f64>,
}

/// Solves the relaxation on one component, at the given rank.
pub(crate) fn solve(
    component: &Component,
    rank: usize,
    settings: &RotationSettings,
) -> (Vec<Complex>, ComponentInfo) {
    let order = component.num_vertices();
    let matrix = component.adjacency_matrix(&vec![0.0; order]);
    let mut factor = Factor::near(&component.spanning_tree_vector(), rank, settings.seed);
    let (mut num_sweeps, mut check_below) = (0, FIRST_CHECK);
    let gap = loop {
        let sweep = factor.sweep(&matrix);
        num_sweeps += 1;
        let is_last = num_sweeps >= settings.max_products;
        if sweep.stationarity <= check_below || is_last {
            let gap = relative_gap(component, &sweep.multipliers, settings.seed);
            if gap <= GAP_TOLERANCE || is_last {
                break gap;
            }
            check_below = NEXT_CHECK * check_below.min(sweep.stationarity);
        }
    };
    let (vector, shares) = factor.top_vector();
    let info = ComponentInfo {
        vertices: component.vertices.clone(),
        eigenvalues: shares[..1].to_vec(),
        residuals: vec![gap],
        next_eigenvalue: shares.get(1).copied(),
        num_iterations: num_sweeps,
        num_products: num_sweeps,
        converged: gap <= GAP_TOLERANCE,
        ..ComponentInfo::default()
    };
    (vector, info)
}

/// A bound on how far the optimum lies above the objective, relative to the objective.
fn relative_gap(component: &Component, multipliers: &[f64], seed: u64) -> f64 {
    let objective: f64 = multipliers.iter().sum();
    let diagonal: Vec<f64> = multipliers.iter().map(|m| -m).collect();
    let matrix = component.adjacency_matrix(&diagonal);
    let bounds = matrix.eigenvalue_bounds();
    let scale = bounds.0.abs().max(bounds.1.abs()).max(f64::MIN_POSITIVE);
    let order = component.num_vertices() as f64;
    // An eigenvalue that makes a tenth of the tolerated gap must be seen.
    let tolerance = 0.1 * GAP_TOLERANCE * objective.abs() / order / scale;
    let settings =
        EigenSettings { tolerance: tolerance.clamp(1e-12, 1e-2), seed, ..Default::default() };
    let top = top_eigenpairs(&matrix, bounds, &[], &settings);
    let (value, residual) = (top.values[0], top.residuals[0]);
    if objective <= 0.0 || !top.converged {
        return f64::INFINITY;
    }
    order * (value + residual).max(0.0) / objective
}

impl Factor {
    /// Rows near a vector of unit numbers.
    fn near(start: &[Complex], rank: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut rows = Vec::with_capacity(start.len() * rank);
        for &unit in start {
            let mut row: Vec<Complex> = (0..rank)
                .map(|_| {
                    Complex::new(rng.random_range(-1.0..1.0), rng.random_range(-1.0..1.0))
                        * START_NOISE
                })
                .collect();
            row[0] += unit;
            normalize(&mut row);
            rows.extend(row);
        }
        Self { rank, rows }
    }

    /// Moves every row in turn.
    fn sweep(&mut self, matrix: &HermitianMatrix) -> Sweep {
        let rank = self.rank;
        let mut multipliers = vec![0.0; matrix.order()];
        let mut best = vec![Complex::ZERO; rank];
        let (mut off, mut all) = (0.0, 0.0);
        for (vertex, multiplier) in multipliers.iter_mut().enumerate() {
            best.fill(Complex::ZERO);
            let (cols, values) = matrix.row(vertex);
            for (&col, &value) in cols.iter().zip(values) {
                let other = &self.rows[col as usize * rank..(col as usize + 1) * rank];
                for (sum, &y) in best.iter_mut().zip(other) {
                    *sum += value * y;
                }
            }
            let norm = normalize(&mut best);
            let row = &mut self.rows[vertex * rank..(vertex + 1) * rank];
            let along: f64 = row.iter().zip(&best).map(|(y, &g)| (y.conj() * g).re).sum();
            *multiplier = norm * along;
            off += norm * norm * (1.0 - along * along).max(0.0);
            all += norm * norm;
            if norm > 0.0 {
                for (y, &g) in row.iter_mut().zip(&best) {
                    *y += (g - *y) * OVER_RELAXATION;
                }
                normalize(row);
            }
        }
        Sweep { stationarity: if all > 0.0 { (off / all).sqrt() } else { 0.0 }, multipliers }
    }

    /// The top eigenvector of Y Y^* (Y times that of the small matrix Y^* Y), and the eigenvalues
    /// as shares of their sum, which is the number of vertices.
    fn top_vector(&self) -> (Vec<Complex>, Vec<f64>) {
        let mut gram = DenseHermitian::zero(self.rank);
        for k in 0..self.rank {
            for l in 0..=k {
                let mut sum = Complex::ZERO;
                for row in self.rows.chunks_exact(self.rank) {
                    sum += row[k].conj() * row[l];
                }
                gram.set(k, l, sum);
            }
        }
        let pairs = dense_eigenpairs(&gram);
        let vector = self
            .rows
            .chunks_exact(self.rank)
            .map(|row| {
                let mut sum = Complex::ZERO;
                for (&y, &x) in row.iter().zip(&pairs.vectors[0]) {
                    sum += y * x;
                }
                sum
            })
            .collect();
        let total: f64 = pairs.values.iter().sum();
        (vector, pairs.values.iter().map(|value| value / total).collect())
    }
}

/// Scales to norm 1 unless zero; returns the norm before.
fn normalize(row: &mut [Complex]) -> f64 {
    let norm = row.iter().map(|z| z.norm_sqr()).sum::<f64>().sqrt();
    if norm > 0.0 {
        for z in row {
            *z *= 1.0 / norm;
        }
    }
    norm
}

#[cfg(test)]
mod tests {
    use crate::rotations::{RotationMethod, RotationSettings, estimate_rotations};
    use crate::synchronization::{SynchronizationSettings, synchronization_problem};
    use fretsaw::puzzle::Grid;

    #[test]
    fn every_rank_above_the_solutions_finds_the_same_optimum() {
        // The optimum is unique here, and of low rank: its top eigenvector does not depend on ours.
        let problem = synchronization_problem(&SynchronizationSettings {
            wrong_share: 0.05,
            ..SynchronizationSettings::clean(Grid::new(12, 15).unwrap())
        })
        .unwrap();
        let solve = |rank| {
            let method = RotationMethod::Relaxation { rank };
            let settings = RotationSettings { method, ..Default::default() };
            let (rotations, info) = estimate_rotations(&problem.graph, &settings).unwrap();
            assert!(info.converged(), "rank {rank}: {info:?}");
            (rotations, info.components[0].eigenvalues[0])
        };
        let (turns, share) = solve(6);
        for rank in [8, 12] {
            let (other_turns, other_share) = solve(rank);
            assert!((share - other_share).abs() < 1e-2);
            let gauge = other_turns[0] - turns[0];
            let same = turns.iter().zip(&other_turns);
            assert!(same.filter(|&(&a, &b)| b == a + gauge).count() > 170);
        }
    }
}
