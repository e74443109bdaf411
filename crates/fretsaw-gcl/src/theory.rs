//! The paper's perturbation theorem, computed: its conditions and its bound for a given graph.
//!
//! In: an estimated connection graph, the true adjacencies and the true turns. Out: every quantity
//! of \[HLW20\], theorem "perturbation", and whether its conditions hold.
//!
//! E' is the set of all true edges that the graph has, with positive weight and the right turn:
//! the largest possible choice, which makes gamma largest; another choice could have a smaller
//! epsilon (leaving out a right edge of small weight) at the price of gamma and phi. For each
//! vertex the best scale c_i has a closed form: with t = 1 / c_i, the sum under the root of eq.
//! cond_lemma is `k - 2 t A + t^2 B` with k the degree in E', A the sum of estimated weights over
//! E' and B that of all squared, least at t = A / B.
//!
//! The theorem's inequalities are strict in epsilon and gamma; we report the limits, so the bound
//! is the limit of those it proves.
//!
//! Reading the proof: it applies a theorem on symmetric matrices to C = D^-1 S, which is not; it
//! takes c_i = 1 without loss of generality, though dividing rows by c_i changes d_max; and it
//! counts at most d_max edges at a vertex, which needs weights of 1. The bound is therefore the
//! theorem's as stated, to be compared with what happens, not a certificate of ours. We have not
//! seen it violated: on small grids the distance stays below an eighth of it, also with all
//! weights scaled down to 1e-4.
//!
//! Cost: two eigenproblems, that of [`estimate_rotations`](crate::rotations::estimate_rotations) and
//! a similar one for phi.

use crate::connection_graph::{ConnectionEdge, ConnectionGraph, ConnectionGraphError, EdgeTurn};
use crate::linalg::{Complex, EigenSettings, top_eigenpairs};
use crate::rotations::component::split;
use crate::rotations::spectral::eigenvector_of;
use crate::rotations::{Eigenvector, RotationSettings};
use fretsaw::puzzle::{PieceId, QuarterTurn};
use serde::Serialize;

/// The theorem's quantities for one graph and its truth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TheoremReport {
    /// d_max: the largest degree of the estimated graph, as a sum of weights.
    pub max_degree: f64,
    /// Edges in E'.
    pub num_right_edges: usize,
    /// Whether E' connects all vertices: the first condition.
    pub right_edges_connected: bool,
    /// Whether all weights are at most 1, as the paper's affinities are.
    pub weights_at_most_one: bool,
    /// The limit of the epsilons of eq. cond_lemma.
    pub epsilon: f64,
    /// c_i, the scale of each vertex's weights that makes epsilon least. Infinite where a vertex
    /// has no edge in E'.
    pub scales: Vec<f64>,
    /// The limit of the gammas of eq. cond_lemma_2.
    pub gamma: f64,
    /// phi of E': the second smallest eigenvalue of its normalized Laplacian. 0 if E' is not
    /// connected.
    pub phi: f64,
    /// Whether all conditions hold: E' connected, weights at most 1, gamma above epsilon.
    pub conditions_hold: bool,
    /// The right-hand side of eq. final_est, if the conditions hold. Beyond the root of 2 it says
    /// nothing, since no two planes are further apart.
    pub bound: Option<f64>,
    /// The left-hand side: the Frobenius norm of the sines of the two principal angles between the
    /// top eigenvectors of C and the true turns. `None` if the graph is not connected, where the
    /// top eigenvectors are not those of one plane.
    pub sin_theta: Option<f64>,
    /// Whether both eigenproblems were solved to the tolerance.
    pub converged: bool,
}

/// Why a graph cannot be held against a truth.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TheoryError(String);

impl From<ConnectionGraphError> for TheoryError {
    fn from(error: ConnectionGraphError) -> Self {
        Self(format!("the true edges: {error}"))
    }
}

/// Computes everything the theorem speaks of.
///
/// `true_edges` are the pairs of neighbours (the paper's E_true), `true_turns` the turns to apply.
/// Of the settings, the method is not used.
pub fn examine(
    graph: &ConnectionGraph,
    true_edges: &[(PieceId, PieceId)],
    true_turns: &[QuarterTurn],
    settings: &RotationSettings,
) -> Result<TheoremReport, TheoryError> {
    let num_vertices = graph.num_vertices();
    if true_turns.len() != num_vertices {
        let given = true_turns.len();
        return Err(TheoryError(format!(
            "the truth has {given} turns, the graph {num_vertices} vertices"
        )));
    }
    // W_true and R_true, eqs. aff_func and con_func.
    let truth = ConnectionGraph::new(
        num_vertices,
        true_edges.iter().map(|&(i, j)| {
            let turn = match (true_turns.get(i.index()), true_turns.get(j.index())) {
                (Some(&turn_i), Some(&turn_j)) => turn_j - turn_i,
                // Beyond the last vertex: the constructor refuses the edge.
                _ => QuarterTurn::ZERO,
            };
            ConnectionEdge::new(i, j, 1.0, turn)
        }),
    )?;
    let is_right = |edge: &ConnectionEdge| {
        edge.weight > 0.0
            && truth
                .edge_between(edge.i, edge.j)
                .is_some_and(|right| right.turn_j_from_i == edge.turn_j_from_i)
    };

    let max_degree = graph.degrees().into_iter().fold(0.0, f64::max);
    // k, A and B of the module's comment.
    let mut sums = vec![(0.0f64, 0.0f64, 0.0f64); num_vertices];
    let mut right_edges = Vec::new();
    for edge in graph.edges() {
        let right = is_right(edge);
        for end in [edge.i, edge.j] {
            let (k, a, b) = &mut sums[end.index()];
            *b += edge.weight * edge.weight;
            if right {
                *k += 1.0;
                *a += edge.weight;
            }
        }
        if right {
            let (i, j) = (edge.i, edge.j);
            right_edges.push(ConnectionEdge::new(i, j, 1.0, QuarterTurn::ZERO));
        }
    }
    let num_right_edges = right_edges.len();
    let scales = sums.iter().map(|&(_, a, b)| if a > 0.0 { b / a } else { f64::INFINITY });
    let scales: Vec<f64> = scales.collect();
    let largest_square = sums
        .iter()
        .map(|&(k, a, b)| if a > 0.0 { (k - a * a / b).max(0.0) } else { 0.0 })
        .fold(0.0, f64::max);
    let least_degree = sums.iter().map(|sum| sum.0).fold(f64::INFINITY, f64::min);
    let (epsilon, gamma) = if max_degree > 0.0 {
        ((largest_square / max_degree).sqrt(), least_degree / max_degree)
    } else {
        (0.0, 0.0)
    };

    let (phi, phi_converged) = spectral_gap(num_vertices, right_edges, settings)?;
    let right_edges_connected = phi.is_some();
    let phi = phi.unwrap_or(0.0);
    let (sin_theta, theta_converged) = sin_theta(graph, true_turns, settings);
    let weights_at_most_one = graph.edges().iter().all(|edge| edge.weight <= 1.0);
    let conditions_hold = right_edges_connected && weights_at_most_one && gamma > epsilon;
    // Eq. final_est.
    let bound = conditions_hold.then(|| {
        2.0 / phi
            * (2.0 * num_vertices as f64 / max_degree).sqrt()
            * (epsilon / gamma)
            * (1.0 + 1.0 / (gamma - epsilon))
    });
    Ok(TheoremReport {
        max_degree,
        num_right_edges,
        right_edges_connected,
        weights_at_most_one,
        epsilon,
        scales,
        gamma,
        phi,
        conditions_hold,
        bound,
        sin_theta,
        converged: phi_converged && theta_converged,
    })
}

/// The second smallest eigenvalue of the normalized Laplacian of a graph with unit weights, or
/// `None` if the graph is not connected; and whether it was found to the tolerance.
fn spectral_gap(
    num_vertices: usize,
    edges: Vec<ConnectionEdge>,
    settings: &RotationSettings,
) -> Result<(Option<f64>, bool), TheoryError> {
    let (components, isolated) = split(&ConnectionGraph::new(num_vertices, edges)?);
    let ([component], []) = (&components[..], &isolated[..]) else { return Ok((None, true)) };
    let start: Vec<Complex> =
        component.degrees.iter().map(|degree| Complex::new(degree.sqrt(), 0.0)).collect();
    let eigen = EigenSettings {
        num_pairs: 2,
        tolerance: settings.tolerance,
        max_products: settings.max_products,
        seed: settings.seed,
        sharpening: 1.0,
    };
    let top = top_eigenpairs(&component.normalized_matrix(), (-1.0, 1.0), &[start], &eigen);
    // A connected component has at least two vertices, so there is a second value.
    Ok((top.values.get(1).map(|value| 1.0 - value), top.converged))
}

/// The sines between the plane of the paper's two top eigenvectors of C and that of the true turns.
///
/// Both planes are one complex line each, so both angles are that between the lines. C's
/// eigenvector is D^-1/2 times the symmetric matrix's; the spectral method rounds it.
fn sin_theta(
    graph: &ConnectionGraph,
    true_turns: &[QuarterTurn],
    settings: &RotationSettings,
) -> (Option<f64>, bool) {
    let (components, isolated) = split(graph);
    let ([component], []) = (&components[..], &isolated[..]) else { return (None, true) };
    let (vector, found) = eigenvector_of(component, true, Eigenvector::First, settings);
    // The paper's R_i is minus our turn, see `connection_graph`.
    let truth = true_turns.iter().map(|&turn| EdgeTurn::from(-turn).value());
    let (mut dot, mut norm_sqr) = (Complex::ZERO, 0.0);
    for (&entry, right) in vector.iter().zip(truth.clone()) {
        dot += right.conj() * entry;
        norm_sqr += entry.norm_sqr();
    }
    // From the remainder instead of the cosine, which is inaccurate for small angles.
    let along = dot * (1.0 / true_turns.len() as f64);
    let left: f64 =
        vector.iter().zip(truth).map(|(&entry, r)| (entry - r * along).norm_sqr()).sum();
    (Some((2.0 * left / norm_sqr).sqrt()), found.converged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synchronization::{
        SynchronizationProblem, SynchronizationSettings, Weights, synchronization_problem,
    };
    use fretsaw::puzzle::Grid;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn report(graph: &ConnectionGraph, problem: &SynchronizationProblem) -> TheoremReport {
        let settings = RotationSettings::default();
        let report = examine(graph, &problem.true_edges, &problem.turns, &settings).unwrap();
        assert!(report.converged);
        report
    }

    fn problem(rows: u64, cols: u64, extra_share: f64, seed: u64) -> SynchronizationProblem {
        synchronization_problem(&SynchronizationSettings {
            extra_share,
            seed,
            ..SynchronizationSettings::clean(Grid::new(rows, cols).unwrap())
        })
        .unwrap()
    }

    /// The graph with right edges of weight 1 - up to `loss`, and wrong ones of weight up to
    /// `loss`.
    fn reweighted(problem: &SynchronizationProblem, loss: f64, seed: u64) -> ConnectionGraph {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let edges = problem.graph.edges().iter().map(|edge| {
            let right = problem.true_edges.binary_search(&(edge.i, edge.j)).is_ok();
            let chance = loss * rng.random_range(0.0..1.0);
            ConnectionEdge { weight: if right { 1.0 - chance } else { chance }, ..*edge }
        });
        ConnectionGraph::new(problem.graph.num_vertices(), edges).unwrap()
    }

    #[test]
    fn a_perfect_graph_has_no_distance_and_a_negligible_bound() {
        let problem = problem(4, 5, 0.0, 0);
        let report = report(&problem.graph, &problem);
        assert!(report.conditions_hold);
        assert!(report.epsilon < 1e-7 && report.bound.unwrap() < 1e-4);
        assert!(report.sin_theta.unwrap() < 1e-10);
        assert_eq!(report.max_degree, 4.0);
        assert_eq!(report.gamma, 0.5);
        assert!(report.scales.iter().all(|scale| (scale - 1.0).abs() < 1e-12));
    }

    #[test]
    fn phi_of_a_path_is_the_known_one() {
        // The normalized Laplacian of a path of n vertices has eigenvalues 1 - cos(pi k / (n - 1)).
        let problem = problem(1, 60, 0.0, 0);
        let expected = 1.0 - (std::f64::consts::PI / 59.0).cos();
        assert!((report(&problem.graph, &problem).phi - expected).abs() < 1e-10);
    }

    #[test]
    fn epsilon_is_least_at_the_reported_scales() {
        let problem = problem(5, 5, 0.3, 2);
        let graph = reweighted(&problem, 0.5, 3);
        let report = report(&graph, &problem);
        // Eq. cond_lemma, written out.
        let epsilon_at = |scales: &[f64]| {
            let mut sums = vec![0.0; 25];
            for edge in graph.edges() {
                let right = problem.true_edges.binary_search(&(edge.i, edge.j)).is_ok();
                for end in [edge.i.index(), edge.j.index()] {
                    let target = if right { 1.0 } else { 0.0 };
                    sums[end] += (target - edge.weight / scales[end]).powi(2);
                }
            }
            (sums.into_iter().fold(0.0, f64::max) / report.max_degree).sqrt()
        };
        assert!((epsilon_at(&report.scales) - report.epsilon).abs() < 1e-12);
        for factor in [0.9, 0.99, 1.01, 1.1] {
            let moved: Vec<f64> = report.scales.iter().map(|scale| scale * factor).collect();
            assert!(epsilon_at(&moved) > report.epsilon);
        }
    }

    #[test]
    fn the_bound_is_never_violated_where_its_conditions_hold() {
        let (mut num_holding, mut num_telling) = (0, 0);
        for seed in 0..60 {
            let rows = 2 + seed % 5;
            let problem = problem(rows, 3 + seed % 7, 0.2, seed);
            for loss in [1e-4, 1e-3, 1e-2, 0.1, 0.5] {
                let report = report(&reweighted(&problem, loss, seed), &problem);
                let (Some(bound), Some(sin_theta)) = (report.bound, report.sin_theta) else {
                    continue;
                };
                assert!(sin_theta <= bound, "{sin_theta} exceeds {bound}");
                num_holding += 1;
                // No two planes are further apart than the root of 2.
                num_telling += u32::from(bound < std::f64::consts::SQRT_2);
            }
        }
        assert!(num_holding > 150, "{num_holding}");
        assert!(num_telling > 50, "{num_telling}");
    }

    #[test]
    fn the_conditions_fail_where_they_should() {
        let clean = problem(4, 4, 0.0, 1);
        let heavy = ConnectionGraph::new(
            16,
            clean.graph.edges().iter().map(|edge| ConnectionEdge { weight: 2.0, ..*edge }),
        )
        .unwrap();
        assert!(!report(&heavy, &clean).weights_at_most_one);
        let holed = synchronization_problem(&SynchronizationSettings {
            missing_share: 0.9,
            weights: Weights::Random,
            ..SynchronizationSettings::clean(Grid::new(4, 4).unwrap())
        })
        .unwrap();
        let holed_report = report(&holed.graph, &holed);
        assert!(!holed_report.right_edges_connected && !holed_report.conditions_hold);
        assert_eq!((holed_report.bound, holed_report.sin_theta), (None, None));
        let settings = RotationSettings::default();
        let beyond = [(PieceId::new(0), PieceId::new(99))];
        for (edges, turns, expected) in [
            (&clean.true_edges[..], &clean.turns[1..], "the truth has 15 turns, the graph 16"),
            (&beyond, &clean.turns, "the true edges: edge 0 - 99 leaves the graph"),
        ] {
            let error = examine(&clean.graph, edges, turns, &settings).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        let empty = ConnectionGraph::new(0, []).unwrap();
        assert!(!examine(&empty, &[], &[], &settings).unwrap().conditions_hold);
    }
}
