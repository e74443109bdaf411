//! Spanning forests of largest weight.

use fretsaw::unstable::graph::UnionFind;

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
    fn the_lightest_edge_of_a_cycle_is_left_out() {
        let edges = [(0, 1, 1.0), (1, 2, 0.5), (2, 0, 2.0), (3, 4, 0.1)];
        assert_eq!(maximum_spanning_forest(5, &edges), [2, 0, 3]);
    }
}
