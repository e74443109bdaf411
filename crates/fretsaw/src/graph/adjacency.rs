//! Adjacency lists in compressed rows.

/// One end of an edge as seen from the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbor {
    /// The vertex at the other end.
    pub vertex: usize,
    /// The index of the edge in the list that the adjacency was built from.
    pub edge: usize,
}

/// The neighbours of every vertex of an undirected graph, in one array.
#[derive(Clone, Debug)]
pub struct Adjacency {
    /// Row `v` is `neighbors[starts[v]..starts[v + 1]]`.
    starts: Vec<usize>,
    neighbors: Vec<Neighbor>,
}

impl Adjacency {
    /// Builds the rows; all ends must be below `num_vertices`. Each edge enters the rows of both of its ends, in the order
    /// of the list.
    pub fn new(num_vertices: usize, edges: &[(usize, usize)]) -> Self {
        let mut starts = vec![0; num_vertices + 1];
        for &(a, b) in edges {
            starts[a + 1] += 1;
            starts[b + 1] += 1;
        }
        for vertex in 0..num_vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut neighbors = vec![Neighbor { vertex: 0, edge: 0 }; 2 * edges.len()];
        for (edge, &(a, b)) in edges.iter().enumerate() {
            for (from, to) in [(a, b), (b, a)] {
                neighbors[next[from]] = Neighbor { vertex: to, edge };
                next[from] += 1;
            }
        }
        Self { starts, neighbors }
    }

    /// Number of vertices.
    pub fn num_vertices(&self) -> usize {
        self.starts.len() - 1
    }

    /// The neighbours of a vertex.
    pub fn neighbors(&self, vertex: usize) -> &[Neighbor] {
        &self.neighbors[self.starts[vertex]..self.starts[vertex + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edge_is_seen_from_both_ends() {
        let adjacency = Adjacency::new(4, &[(0, 2), (2, 1)]);
        assert_eq!(adjacency.num_vertices(), 4);
        assert_eq!(
            adjacency.neighbors(2),
            [Neighbor { vertex: 0, edge: 0 }, Neighbor { vertex: 1, edge: 1 }]
        );
        assert_eq!(adjacency.neighbors(0), [Neighbor { vertex: 2, edge: 0 }]);
        assert!(adjacency.neighbors(3).is_empty());
    }
}
