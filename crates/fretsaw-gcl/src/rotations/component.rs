//! One connected component of a connection graph, with vertices renumbered from 0.

use crate::connection_graph::ConnectionGraph;
use crate::graph::{Components, maximum_spanning_forest};
use crate::linalg::{Complex, HermitianMatrix};
use fretsaw::unstable::graph::Adjacency;

/// An informative edge: its entry in the connection adjacency matrix is not zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LocalEdge {
    pub(crate) i: usize,
    pub(crate) j: usize,
    /// The entry S(i, j) = W(i, j) R(i, j), \[HLW20\] eq. vdmS; S(j, i) is its conjugate.
    pub(crate) entry: Complex,
}

/// A component that has edges.
///
/// The legend of the eigenproblem: `S u = mu D u` (normalized) or `S u = mu u`, with S(i, j) the
/// weight times `i^turn_j_from_i`. On a graph without contradictions `u_i = i^(-turn_i)`: the
/// paper's R_i, the turn that piece i has undergone.
#[derive(Clone, Debug)]
pub(crate) struct Component {
    /// The graph's number of each vertex, increasing.
    pub(crate) vertices: Vec<usize>,
    /// d(i), \[HLW20\] eq. vdmD, over all edges, including uninformative ones.
    pub(crate) degrees: Vec<f64>,
    pub(crate) edges: Vec<LocalEdge>,
}

/// Splits a graph into its components, and the vertices without informative edges.
///
/// An edge is uninformative if its weight is 0 or its candidates cancel: it does not relate the turns of its
/// ends.
pub(crate) fn split(graph: &ConnectionGraph) -> (Vec<Component>, Vec<usize>) {
    let entries: Vec<LocalEdge> = graph
        .edges()
        .iter()
        .map(|edge| LocalEdge {
            i: edge.i.index(),
            j: edge.j.index(),
            entry: edge.turn_j_from_i.value() * edge.weight,
        })
        .filter(|edge| edge.entry.norm_sqr() > 0.0)
        .collect();
    let pieces = Components::new(graph.num_vertices(), entries.iter().map(|edge| (edge.i, edge.j)));
    let all_degrees = graph.degrees();
    let mut local_of = vec![0; graph.num_vertices()];
    let mut number_of = vec![None; pieces.members().len()];
    let mut isolated = Vec::new();
    let mut components: Vec<Component> = Vec::new();
    for (number, members) in pieces.members().iter().enumerate() {
        if let [vertex] = members[..] {
            isolated.push(vertex);
            continue;
        }
        number_of[number] = Some(components.len());
        for (local, &vertex) in members.iter().enumerate() {
            local_of[vertex] = local;
        }
        components.push(Component {
            vertices: members.clone(),
            degrees: members.iter().map(|&vertex| all_degrees[vertex]).collect(),
            edges: Vec::new(),
        });
    }
    for edge in entries {
        if let Some(number) = number_of[pieces.component_of(edge.i)] {
            components[number].edges.push(LocalEdge {
                i: local_of[edge.i],
                j: local_of[edge.j],
                entry: edge.entry,
            });
        }
    }
    (components, isolated)
}

impl Component {
    pub(crate) fn num_vertices(&self) -> usize {
        self.vertices.len()
    }

    /// S plus a diagonal.
    pub(crate) fn adjacency_matrix(&self, diagonal: &[f64]) -> HermitianMatrix {
        let entries: Vec<_> = self.edges.iter().map(|edge| (edge.i, edge.j, edge.entry)).collect();
        HermitianMatrix::new(diagonal, &entries)
    }

    /// D^-1/2 S D^-1/2: Hermitian, with the spectrum of the paper's C = D^-1 S, which lies in
    /// [-1, 1]. Its eigenvectors are D^1/2 times those of C.
    pub(crate) fn normalized_matrix(&self) -> HermitianMatrix {
        let entries: Vec<_> = self
            .edges
            .iter()
            .map(|edge| {
                let scale = 1.0 / (self.degrees[edge.i] * self.degrees[edge.j]).sqrt();
                (edge.i, edge.j, edge.entry * scale)
            })
            .collect();
        HermitianMatrix::new(&vec![0.0; self.num_vertices()], &entries)
    }

    /// A vector of unit numbers that fits every edge of the heaviest spanning tree: the exact
    /// answer where no edge contradicts another.
    pub(crate) fn spanning_tree_vector(&self) -> Vec<Complex> {
        let weighted: Vec<_> =
            self.edges.iter().map(|edge| (edge.i, edge.j, edge.entry.norm())).collect();
        let tree = maximum_spanning_forest(self.num_vertices(), &weighted);
        let ends: Vec<_> =
            tree.iter().map(|&edge| (self.edges[edge].i, self.edges[edge].j)).collect();
        let adjacency = Adjacency::new(self.num_vertices(), &ends);
        let mut vector = vec![Complex::ZERO; self.num_vertices()];
        let mut stack = vec![0];
        vector[0] = Complex::ONE;
        while let Some(here) = stack.pop() {
            for next in adjacency.neighbors(here) {
                if vector[next.vertex] != Complex::ZERO {
                    continue;
                }
                // u_i = R(i, j) u_j on every edge that is met.
                let edge = self.edges[tree[next.edge]];
                let unit = edge.entry * (1.0 / edge.entry.norm());
                let unit = if edge.j == here { unit } else { unit.conj() };
                vector[next.vertex] = unit * vector[here];
                stack.push(next.vertex);
            }
        }
        vector
    }
}
