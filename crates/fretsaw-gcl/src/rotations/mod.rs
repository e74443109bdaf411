//! Algorithm 1: from a connection graph to one turn per piece.
//!
//! In: a [`ConnectionGraph`]. Out: a [`QuarterTurn`] for every piece, the turn to apply to it,
//! defined up to one common turn for each connected component.
//!
//! The idea: write turns as unit complex numbers and relative turns as entries of a Hermitian
//! matrix S with the edges' weights. If no edge contradicts another, the numbers form the
//! eigenvector of C = D^-1 S to the eigenvalue 1, the largest possible; if some do, the top
//! eigenvector averages the contradictions over all paths of the graph, with no greedy step.
//! Each entry is then projected onto the nearest of the four turns.
//!
//! \[HLW20\], section "Estimation of Orientations Using the Connection Graph", Algorithm 1; the
//! supplement's "Another Formulation for Solving Z4 Synchronization" for S in place of C and for
//! the semidefinite relaxation; "Using Other Top Eigenvectors" for the second eigenvector. Both the
//! eigenvector and the relaxation are those of angular synchronization \[Sin11\].
//!
//! How we differ: one complex number per piece instead of a 2 x 2 block (the paper's eigenvalues
//! then come once instead of twice); the symmetric matrix D^-1/2 S D^-1/2, which has the same
//! spectrum; each component on its own; the free phase of the eigenvector is fixed before the
//! projection (see `rounding.rs`), which the paper leaves open.
//!
//! Cost: one sparse eigenproblem, O(edges) a product, a number of products that grows like the
//! diameter of the graph; nothing but the spanning tree where no edge contradicts another.

pub(crate) mod component;
mod rounding;
pub(crate) mod spectral;

use crate::alternatives::relaxation;
use crate::connection_graph::ConnectionGraph;
use crate::setting_error::{SettingError, check_settings};
use component::{Component, split};
use fretsaw::puzzle::QuarterTurn;
use serde::{Deserialize, Serialize};

/// Which eigenvector to round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Eigenvector {
    /// The top one: the paper's first and second real eigenvectors, which share an eigenvalue and
    /// are the real and imaginary parts of this one and of `i` times it.
    #[default]
    First,
    /// The second: the paper's third and fourth real eigenvectors. The paper saw it do better on a
    /// few badly estimated graphs. In a component of two vertices, which has it too, it is wrong.
    Second,
}

/// How turns are estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RotationMethod {
    /// Round an eigenvector: of C = D^-1 S if `normalized` (the paper's Algorithm 1), else of S.
    Spectral {
        /// Divide every vertex's weights by its degree, so that the matrix is that of a random
        /// walk.
        normalized: bool,
        /// Which eigenvector to round.
        eigenvector: Eigenvector,
    },
    /// Round the top eigenvector of the semidefinite relaxation's optimum (supplement, eq.
    /// sync_3), found in low rank.
    Relaxation {
        /// Complex numbers per vertex, 1 to [`RotationMethod::MAX_RANK`]; the optimum may have a
        /// rank up to the root of the number of vertices, but rarely exceeds a handful. Too low a
        /// rank shows as a component that did not converge.
        rank: usize,
    },
}

impl RotationMethod {
    /// The largest rank of the relaxation.
    pub const MAX_RANK: usize = 64;
    /// The relaxation at a rank that sufficed in all our experiments.
    pub const RELAXATION: Self = Self::Relaxation { rank: 8 };
}

impl Default for RotationMethod {
    fn default() -> Self {
        Self::Spectral { normalized: true, eigenvector: Eigenvector::First }
    }
}

/// Settings of [`estimate_rotations`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RotationSettings {
    /// The method. Default: the paper's.
    pub method: RotationMethod,
    /// Residual at which an eigenvector counts as found, relative to the spectrum's bound. In
    /// (0, 1); default 1e-8. The top eigenvector is then sharpened, so that its faint entries can
    /// be rounded too (`docs/decisions/0003-eigensolver.md`). The relaxation does not use it.
    pub tolerance: f64,
    /// Products of the matrix with a block of vectors, or sweeps of the relaxation, after which a
    /// component is given up and its best vector so far rounded. At least 1; default 20,000.
    pub max_products: usize,
    /// Seed of the solver's random vectors and of ties. Default 0.
    pub seed: u64,
}

impl Default for RotationSettings {
    fn default() -> Self {
        Self { method: RotationMethod::default(), tolerance: 1e-8, max_products: 20_000, seed: 0 }
    }
}

impl RotationSettings {
    fn validate(&self) -> Result<(), SettingError> {
        let rank = match self.method {
            RotationMethod::Relaxation { rank } => rank,
            RotationMethod::Spectral { .. } => 1,
        };
        let has_tolerance = self.tolerance > 0.0 && self.tolerance < 1.0;
        let has_rank = (1..=RotationMethod::MAX_RANK).contains(&rank);
        check_settings(&[
            ("tolerance", self.tolerance, has_tolerance, "in (0, 1)"),
            ("max_products", self.max_products as f64, self.max_products > 0, "at least 1"),
            ("rank", rank as f64, has_rank, "1 to 64"),
        ])
    }
}

/// What became of one connected component.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ComponentInfo {
    /// Its vertices, by number, increasing.
    pub vertices: Vec<usize>,
    /// The eigenvalues down to that of the vector that was rounded, largest first. For the
    /// relaxation: the top eigenvalue of its optimum, as a share of their sum; 1 if the relaxation
    /// is tight.
    pub eigenvalues: Vec<f64>,
    /// The residual norm of each unit eigenvector. For the relaxation: how far its optimum may lie
    /// above the value found, relative to that value.
    pub residuals: Vec<f64>,
    /// The solver's estimate of the next eigenvalue, from below; a small distance to the last of
    /// `eigenvalues` means that the vector is easily upset.
    pub next_eigenvalue: Option<f64>,
    /// Rounds of the eigensolver, or sweeps of the relaxation.
    pub num_iterations: usize,
    /// Products of the matrix with a block of vectors.
    pub num_products: usize,
    /// Whether the residuals are within the tolerance: see [`crate::linalg::top_eigenpairs`] for
    /// what that does and does not certify.
    pub converged: bool,
    /// The weight of relative turns that are met, as a share of all weight: 1 if no edge is
    /// contradicted, negative if more are turned around than met.
    pub agreement: f64,
}

/// What [`estimate_rotations`] did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RotationInfo {
    /// Every component with edges, by smallest vertex.
    pub components: Vec<ComponentInfo>,
    /// The vertices without informative edges; they get the zero turn.
    pub isolated: Vec<usize>,
}

impl RotationInfo {
    /// Whether every component converged.
    pub fn converged(&self) -> bool {
        self.components.iter().all(|component| component.converged)
    }
}

/// The turn to apply to each piece, clockwise, and how it was found. Only relative turns within a connected
/// component mean anything.
///
/// Never silently wrong: a component whose eigenvector was not found to the tolerance has
/// [`ComponentInfo::converged`] false, and its residual is there. The answer depends on nothing but
/// the arguments.
pub fn estimate_rotations(
    graph: &ConnectionGraph,
    settings: &RotationSettings,
) -> Result<(Vec<QuarterTurn>, RotationInfo), SettingError> {
    settings.validate()?;
    let (components, isolated) = split(graph);
    let mut turns = vec![QuarterTurn::ZERO; graph.num_vertices()];
    let mut info = RotationInfo { components: Vec::with_capacity(components.len()), isolated };
    for component in &components {
        let (vector, found) = match settings.method {
            RotationMethod::Spectral { normalized, eigenvector } => {
                spectral::eigenvector_of(component, normalized, eigenvector, settings)
            }
            RotationMethod::Relaxation { rank } => relaxation::solve(component, rank, settings),
        };
        let local = rounding::round_to_turns(&vector, settings.seed);
        for (&vertex, &turn) in component.vertices.iter().zip(&local) {
            turns[vertex] = turn;
        }
        info.components.push(ComponentInfo { agreement: agreement(component, &local), ..found });
    }
    Ok((turns, info))
}

fn agreement(component: &Component, turns: &[QuarterTurn]) -> f64 {
    use crate::connection_graph::EdgeTurn;
    let met: f64 = component
        .edges
        .iter()
        .map(|edge| {
            let ours = EdgeTurn::from(turns[edge.j] - turns[edge.i]).value();
            (ours.conj() * edge.entry).re
        })
        .sum();
    // Every edge within the component counts twice among the degrees; those that say nothing and
    // lead elsewhere once, which only lowers the share.
    2.0 * met / component.degrees.iter().sum::<f64>()
}
