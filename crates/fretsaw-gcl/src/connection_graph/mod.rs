//! Graphs whose edges are relative turns between pieces.
//!
//! In: candidate matches between pieces. Out: a [`ConnectionGraph`], the paper's
//! G = (V, E, W, R) (\[HLW20\], section "Estimation of Orientations Using the Connection Graph"):
//! vertices are pieces, each edge has an affinity (higher is better) and a relative turn.
//!
//! Which way round: an edge's turn is `turn_j_from_i`, so that `turn_j = turn_i + turn_j_from_i`
//! where `turn_i` is the clockwise turn to apply to piece i as handed in. The paper's R\[i, j\] is
//! the rotation that makes piece j look like piece i as handed in, which is the same element of
//! Z4; its R_i, with R\[i, j\] = R_i R_j^T, is the turn the piece has undergone: minus ours.
//!
//! The paper stores 2 x 2 rotation blocks; we store the complex number `i^q` for q clockwise
//! quarters: half the size, the same algebra. Size: linear in edges.

mod edge_turn;

pub use edge_turn::EdgeTurn;

use fretsaw::puzzle::{MAX_PIECES, PieceId, QuarterTurn};

/// An edge: how strongly two pieces are believed to belong together, and how they are turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConnectionEdge {
    /// One end; inside a [`ConnectionGraph`] the smaller number.
    pub i: PieceId,
    /// The other end.
    pub j: PieceId,
    /// Affinity, the paper's W(i, j): at least 0, higher is better. The paper's theorem wants at
    /// most 1.
    pub weight: f64,
    /// `turn_j = turn_i + turn_j_from_i`.
    pub turn_j_from_i: EdgeTurn,
}

impl ConnectionEdge {
    /// The edge with one certain relative turn.
    pub fn new(i: PieceId, j: PieceId, weight: f64, turn_j_from_i: QuarterTurn) -> Self {
        Self { i, j, weight, turn_j_from_i: EdgeTurn::from(turn_j_from_i) }
    }

    /// The same edge seen from the other end.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self {
            i: self.j,
            j: self.i,
            weight: self.weight,
            turn_j_from_i: self.turn_j_from_i.inverse(),
        }
    }
}

/// Why edges do not form a connection graph.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConnectionGraphError(String);

impl ConnectionGraphError {
    pub(crate) fn too_many_vertices(num_vertices: usize) -> Self {
        Self(format!(
            "{num_vertices} vertices are more than the {MAX_PIECES} pieces a puzzle may have"
        ))
    }
}

/// A graph of pieces with affinities and relative turns.
///
/// Edges run between different vertices of the graph, at most one between any two, with finite
/// weights of at least 0. They are kept with `i < j`, in increasing order of (i, j), so that two
/// graphs with the same edges are equal in whatever order the edges were given.
#[derive(Clone, Debug, PartialEq)]
pub struct ConnectionGraph {
    num_vertices: usize,
    edges: Vec<ConnectionEdge>,
}

impl ConnectionGraph {
    /// The graph on vertices 0 to `num_vertices - 1` with these edges, in any order and either way
    /// round.
    ///
    /// # Errors
    /// At the first edge that breaks an invariant.
    pub fn new(
        num_vertices: usize,
        edges: impl IntoIterator<Item = ConnectionEdge>,
    ) -> Result<Self, ConnectionGraphError> {
        if num_vertices > MAX_PIECES {
            return Err(ConnectionGraphError::too_many_vertices(num_vertices));
        }
        let refuse = |what: String| Err(ConnectionGraphError(what));
        let mut kept = Vec::new();
        for edge in edges {
            let edge = if edge.i > edge.j { edge.swapped() } else { edge };
            let (i, j, weight) = (edge.i.index(), edge.j.index(), edge.weight);
            if j >= num_vertices {
                return refuse(format!(
                    "edge {i} - {j} leaves the graph, which has {num_vertices} vertices"
                ));
            }
            if i == j {
                return refuse(format!("vertex {i} has an edge to itself"));
            }
            if !(weight.is_finite() && weight >= 0.0) {
                return refuse(format!(
                    "edge {i} - {j} has weight {weight}; a weight is a finite number of at least 0"
                ));
            }
            kept.push(edge);
        }
        kept.sort_unstable_by_key(|edge| (edge.i, edge.j));
        let ends = |edge: &ConnectionEdge| (edge.i, edge.j);
        if let Some(pair) = kept.windows(2).find(|pair| ends(&pair[0]) == ends(&pair[1])) {
            let (i, j) = (pair[0].i.index(), pair[0].j.index());
            return refuse(format!("there are two edges between {i} and {j}"));
        }
        Ok(Self { num_vertices, edges: kept })
    }

    /// Number of vertices: pieces of the puzzle.
    pub const fn num_vertices(&self) -> usize {
        self.num_vertices
    }

    /// The edges, with `i < j`, in increasing order of (i, j).
    pub fn edges(&self) -> &[ConnectionEdge] {
        &self.edges
    }

    /// The edge between two vertices as seen from `i`, if there is one.
    pub fn edge_between(&self, i: PieceId, j: PieceId) -> Option<ConnectionEdge> {
        let key = (i.min(j), i.max(j));
        let found = self.edges.binary_search_by_key(&key, |edge| (edge.i, edge.j)).ok()?;
        let edge = self.edges[found];
        Some(if edge.i == i { edge } else { edge.swapped() })
    }

    /// The sum of weights at every vertex: the paper's d(i), eq. vdmD.
    pub fn degrees(&self) -> Vec<f64> {
        let mut degrees = vec![0.0; self.num_vertices];
        for edge in &self.edges {
            degrees[edge.i.index()] += edge.weight;
            degrees[edge.j.index()] += edge.weight;
        }
        degrees
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(i: usize, j: usize, weight: f64, turns: i64) -> ConnectionEdge {
        let turn = QuarterTurn::from_clockwise(turns);
        ConnectionEdge::new(PieceId::new(i), PieceId::new(j), weight, turn)
    }

    #[test]
    fn edges_that_break_an_invariant_are_refused() {
        for (edges, expected) in [
            (&[edge(0, 3, 1.0, 0)][..], "edge 0 - 3 leaves the graph"),
            (&[edge(1, 1, 1.0, 0)], "vertex 1 has an edge to itself"),
            (&[edge(0, 1, -0.1, 0)], "edge 0 - 1 has weight -0.1"),
            (&[edge(0, 1, f64::NAN, 0)], "edge 0 - 1 has weight NaN"),
            (&[edge(0, 1, f64::INFINITY, 0)], "edge 0 - 1 has weight inf"),
            (&[edge(0, 1, 1.0, 0), edge(1, 0, 1.0, 0)], "there are two edges between 0 and 1"),
        ] {
            let error = ConnectionGraph::new(3, edges.iter().copied()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        assert!(ConnectionGraph::new(MAX_PIECES + 1, []).is_err());
    }

    #[test]
    fn order_and_direction_of_the_edges_do_not_matter() {
        let one = ConnectionGraph::new(3, [edge(0, 1, 0.5, 1), edge(2, 1, 1.0, 3)]).unwrap();
        let two = ConnectionGraph::new(3, [edge(1, 2, 1.0, 1), edge(1, 0, 0.5, 3)]).unwrap();
        assert_eq!(one, two);
        assert_eq!(one.degrees(), [0.5, 1.5, 1.0]);
        let seen = one.edge_between(PieceId::new(1), PieceId::new(0)).unwrap();
        assert_eq!(seen.turn_j_from_i.turn(), Some(QuarterTurn::from_clockwise(3)));
        assert_eq!(one.edge_between(PieceId::new(0), PieceId::new(2)), None);
    }
}
