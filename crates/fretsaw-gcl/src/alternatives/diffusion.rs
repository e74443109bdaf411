//! Vector diffusion distances: how far apart two pieces seem to be in the picture.
//!
//! In: a connection graph. Out: a distance between any two vertices, and for each vertex which
//! others are among the farthest. A measure may then be raised for pairs that are far apart.
//!
//! \[HLW20\] supplement, "Updating the Metric between Puzzle Pieces by Vector Diffusion Distances",
//! eq. vdd_calc, after \[SW12\]. In the complex form the paper's map has, for each pair (l, r) of
//! eigenvectors, `(mu_l mu_r)^t conj(v_l(i)) v_r(i)`, and each of its squared differences counts twice (the two
//! real eigenvectors of each complex one). With `a_i = (mu_l^t v_l(i))_l` the distance is
//!
//! `d(i, j)^2 = 2 (|a_i|^4 + |a_j|^4 - 2 |<a_i, a_j>|^2)`.
//!
//! How we differ: the eigenvectors to the few largest eigenvalues only (the others fade with t);
//! each component has its own, so pieces of different components have `<a_i, a_j> = 0`, and an
//! isolated piece is at 0; the quantile is taken over a sample of the others where there are many.
//! The paper names no t.
//!
//! Cost: one eigenproblem, then O(eigenvectors) a distance.

use crate::connection_graph::ConnectionGraph;
use crate::linalg::{Complex, EigenSettings, top_eigenpairs};
use crate::rotations::component::split;
use fretsaw::puzzle::PieceId;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Eigenvectors of C to keep, in each component.
const NUM_EIGENVECTORS: usize = 12;
/// t, the time of the diffusion.
const TIME: f64 = 1.0;
/// Share of the others that counts as far, as in the paper.
const FAR_QUANTILE: f64 = 0.1;
/// Others to look at for the quantile, drawn with repetition where there are more.
const MAX_SAMPLED: usize = 1000;
/// Residual at which the eigenvectors count as found: distances need no more.
const TOLERANCE: f64 = 1e-6;
/// Seed of the eigensolver and of the sample.
const SEED: u64 = 0;

/// Where the diffusion places every vertex.
#[derive(Clone, Debug)]
pub struct DiffusionMap {
    /// Per vertex: its component, or `None` if isolated.
    component_of: Vec<Option<usize>>,
    /// Per vertex: a_i.
    places: Vec<Vec<Complex>>,
    /// Per vertex: the distance beyond which another is among the farthest.
    far_from: Vec<f64>,
    converged: bool,
}

impl DiffusionMap {
    /// Maps the vertices of a graph.
    pub fn new(graph: &ConnectionGraph) -> Self {
        Self::with_sample(graph, MAX_SAMPLED)
    }

    fn with_sample(graph: &ConnectionGraph, max_sampled: usize) -> Self {
        let num_vertices = graph.num_vertices();
        let mut map = Self {
            component_of: vec![None; num_vertices],
            places: vec![Vec::new(); num_vertices],
            far_from: Vec::new(),
            converged: true,
        };
        let eigen = EigenSettings {
            num_pairs: NUM_EIGENVECTORS,
            tolerance: TOLERANCE,
            seed: SEED,
            ..EigenSettings::default()
        };
        for (number, component) in split(graph).0.iter().enumerate() {
            let matrix = component.normalized_matrix();
            let start = component.spanning_tree_vector();
            let start = start.iter().zip(&component.degrees).map(|(&u, d)| u * d.sqrt());
            let top = top_eigenpairs(&matrix, (-1.0, 1.0), &[start.collect()], &eigen);
            map.converged &= top.converged;
            for (local, &vertex) in component.vertices.iter().enumerate() {
                map.component_of[vertex] = Some(number);
                // C's eigenvectors are D^-1/2 times the symmetric matrix's. The sign of an
                // eigenvalue's power cancels in every distance.
                let scale = 1.0 / component.degrees[local].sqrt();
                map.places[vertex] = top
                    .values
                    .iter()
                    .zip(&top.vectors)
                    .map(|(mu, vector)| vector[local] * (scale * mu.abs().powf(TIME)))
                    .collect();
            }
        }
        map.far_from = (0..num_vertices).map(|vertex| map.threshold(vertex, max_sampled)).collect();
        map
    }

    /// The distance that all but the farthest share of the others keep within.
    fn threshold(&self, vertex: usize, max_sampled: usize) -> f64 {
        let num_vertices = self.places.len();
        let mut distances: Vec<f64> = if num_vertices <= max_sampled + 1 {
            let others = (0..num_vertices).filter(|&other| other != vertex);
            others.map(|other| self.distance_between(vertex, other)).collect()
        } else {
            // The same sample for every vertex would tie thresholds together; one each.
            let mut rng = ChaCha8Rng::seed_from_u64(SEED);
            rng.set_stream(vertex as u64);
            (0..max_sampled)
                .map(|_| {
                    let other = rng.random_range(0..num_vertices - 1);
                    self.distance_between(vertex, other + usize::from(other >= vertex))
                })
                .collect()
        };
        #[expect(clippy::cast_possible_truncation, reason = "a share of a count")]
        let num_far = (FAR_QUANTILE * distances.len() as f64).round() as usize;
        let Some(rank) = distances.len().checked_sub(num_far + 1) else { return f64::INFINITY };
        *distances.select_nth_unstable_by(rank, f64::total_cmp).1
    }

    fn distance_between(&self, i: usize, j: usize) -> f64 {
        let square = |place: &[Complex]| place.iter().map(|z| z.norm_sqr()).sum::<f64>();
        let (of_i, of_j) = (square(&self.places[i]), square(&self.places[j]));
        let mut dot = Complex::ZERO;
        if self.component_of[i] == self.component_of[j] {
            for (&a, &b) in self.places[i].iter().zip(&self.places[j]) {
                dot += a.conj() * b;
            }
        }
        (2.0 * (of_i * of_i + of_j * of_j - 2.0 * dot.norm_sqr())).max(0.0).sqrt()
    }

    /// The vector diffusion distance of two vertices. Only its order means anything.
    pub fn distance(&self, i: PieceId, j: PieceId) -> f64 {
        self.distance_between(i.index(), j.index())
    }

    /// Whether `other` is among those farthest from `piece`. Not symmetric.
    pub fn is_far(&self, piece: PieceId, other: PieceId) -> bool {
        self.distance(piece, other) > self.far_from[piece.index()]
    }

    /// Whether the eigenvectors of every component were found to the tolerance.
    pub const fn converged(&self) -> bool {
        self.converged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::dense_eigenpairs;
    use crate::synchronization::{SynchronizationSettings, synchronization_problem};
    use fretsaw::puzzle::{Cell, Grid};

    fn clean(rows: u64, cols: u64) -> ConnectionGraph {
        let grid = Grid::new(rows, cols).unwrap();
        synchronization_problem(&SynchronizationSettings::clean(grid)).unwrap().graph
    }

    #[test]
    fn with_all_eigenvectors_the_distance_is_the_papers() {
        let graph = clean(2, 3);
        let map = DiffusionMap::new(&graph);
        let component = &split(&graph).0[0];
        // The real form, term by term: each complex eigenvector v gives (Re v, Im v) and (Re iv,
        // Im iv) as real eigenvectors.
        let pairs = dense_eigenpairs(&component.normalized_matrix().to_dense());
        let mut real: Vec<(f64, Vec<[f64; 2]>)> = Vec::new();
        for (mu, vector) in pairs.values.iter().zip(&pairs.vectors) {
            for phase in [Complex::ONE, Complex::new(0.0, 1.0)] {
                let blocks = vector.iter().zip(&component.degrees).map(|(&z, d)| {
                    let z = z * phase * (1.0 / d.sqrt());
                    [z.re, z.im]
                });
                real.push((*mu, blocks.collect()));
            }
        }
        let image = |i: usize| -> Vec<f64> {
            let terms = real.iter().flat_map(|(mu_l, l)| {
                real.iter()
                    .map(move |(mu_r, r)| mu_l * mu_r * (l[i][0] * r[i][0] + l[i][1] * r[i][1]))
            });
            terms.collect()
        };
        for (i, j) in [(0, 1), (0, 5), (2, 4)] {
            let square: f64 = image(i).iter().zip(image(j)).map(|(a, b)| (a - b).powi(2)).sum();
            let ours = map.distance(PieceId::new(i), PieceId::new(j));
            assert!((ours - square.sqrt()).abs() < 1e-12, "{ours} is not {}", square.sqrt());
        }
    }

    #[test]
    fn far_pieces_are_farther_on_the_grid_on_average_and_of_the_set_number() {
        let grid = Grid::new(9, 30).unwrap();
        let map = DiffusionMap::new(&clean(9, 30));
        assert!(map.converged());
        let corner = PieceId::new(0);
        let far: Vec<Cell> = (1..270)
            .filter(|&other| map.is_far(corner, PieceId::new(other)))
            .map(|other| grid.cell_at(other))
            .collect();
        assert!((20..=30).contains(&far.len()), "{}", far.len());
        // Only on average, because corners are far from all pieces.
        let mean = |cells: &[Cell]| {
            let sum: f64 = cells.iter().map(|cell| f64::from(cell.row + cell.col)).sum();
            sum / cells.len() as f64
        };
        let all: Vec<Cell> = grid.cells().collect();
        assert!(mean(&far) > 1.2 * mean(&all), "{} of {}", mean(&far), mean(&all));
        // A sample gives nearly the same threshold.
        let sampled = DiffusionMap::with_sample(&clean(9, 30), 200);
        let same = (1..270).filter(|&other| {
            let other = PieceId::new(other);
            map.is_far(corner, other) == sampled.is_far(corner, other)
        });
        assert!(same.count() > 240);
    }

    /// The paper's fig. vdd_example.
    #[test]
    fn neighbours_without_their_edge_seem_farther_than_diagonal_ones() {
        let whole = clean(7, 7);
        let (i, j, k) = (PieceId::new(24), PieceId::new(25), PieceId::new(32));
        let edges = whole.edges().iter().copied().filter(|edge| (edge.i, edge.j) != (i, j));
        let graph = ConnectionGraph::new(49, edges).unwrap();
        let map = DiffusionMap::new(&graph);
        assert!(map.distance(i, k) < map.distance(i, j));
    }

    #[test]
    fn graphs_without_edges_are_mapped() {
        for num_vertices in [0, 1, 2] {
            let graph = ConnectionGraph::new(num_vertices, []).unwrap();
            assert!(DiffusionMap::new(&graph).converged());
        }
    }
}
