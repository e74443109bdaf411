//! Graph algorithms that only the paper's method needs, on vertices 0 to n - 1.

use fretsaw::unstable::graph::UnionFind;

/// The connected components of an undirected graph, numbered by their smallest vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    component_of: Vec<usize>,
    members: Vec<Vec<usize>>,
}

impl Components {
    /// The components of the graph with these edges; all ends must be below `num_vertices`.
    pub fn new(num_vertices: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Self {
        let mut sets = UnionFind::new(num_vertices);
        for (a, b) in edges {
            sets.union(a, b);
        }
        let mut number_of_root = vec![None; num_vertices];
        let mut members: Vec<Vec<usize>> = Vec::new();
        let component_of = (0..num_vertices)
            .map(|vertex| {
                let number = *number_of_root[sets.find(vertex)].get_or_insert_with(|| {
                    members.push(Vec::new());
                    members.len() - 1
                });
                members[number].push(vertex);
                number
            })
            .collect();
        Self { component_of, members }
    }

    /// The component of a vertex.
    pub fn component_of(&self, vertex: usize) -> usize {
        self.component_of[vertex]
    }

    /// The vertices of every component, in increasing order.
    pub fn members(&self) -> &[Vec<usize>] {
        &self.members
    }
}

/// The edges of a spanning forest of largest total weight, by Kruskal's algorithm: their indices in the list, heaviest
/// first, equal weights in the order of the list.
///
/// All ends must be below `num_vertices`. Weights are compared by [`f64::total_cmp`], also NaN.
pub fn maximum_spanning_forest(num_vertices: usize, edges: &[(usize, usize, f64)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by(|&a, &b| edges[b].2.total_cmp(&edges[a].2));
    let mut sets = UnionFind::new(num_vertices);
    order.retain(|&edge| sets.union(edges[edge].0, edges[edge].1));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_numbered_by_their_smallest_vertex() {
        let components = Components::new(6, [(5, 1), (4, 2), (2, 0)]);
        assert_eq!(components.members(), [vec![0, 2, 4], vec![1, 5], vec![3]]);
        assert_eq!(components.component_of(5), 1);
        assert!(Components::new(0, []).members().is_empty());
    }

    #[test]
    fn the_lightest_edge_of_a_cycle_is_left_out() {
        let edges = [(0, 1, 1.0), (1, 2, 0.5), (2, 0, 2.0), (3, 4, 0.1)];
        assert_eq!(maximum_spanning_forest(5, &edges), [2, 0, 3]);
    }
}
