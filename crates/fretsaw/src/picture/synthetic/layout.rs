//! Layout problems: grids of unknown positions with some matches wrong.
//!
//! A puzzle with known turns and matches is a layout problem: its edges say "this piece is to the right of
//! that one", and most of them are true. Time is linear in the number of edges.

use crate::graph::l1_layout::LayoutEdge;
use crate::puzzle::{Grid, Side};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How edges are weighted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutWeights {
    /// All 1.
    Equal,
    /// 1 to 1000, each as likely, whether the edge is right or wrong.
    Random,
}

crate::named_enum!(LayoutWeights { Random: "random", Equal: "equal" });

/// Settings of a layout problem.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutSettings {
    /// Vertices are its cells, in random order.
    pub grid: Grid,
    /// Probability that the far end of an edge is any other vertex instead. 0 to 1.
    pub wrong_share: f64,
    /// Weights of all edges.
    pub weights: LayoutWeights,
    /// Seed of everything random.
    pub seed: u64,
}

/// A problem and its answer.
#[derive(Clone, Debug)]
pub struct SyntheticLayout {
    /// Wanted differences of rows. Every pair of neighbouring cells has two edges, one from each
    /// end.
    pub row_edges: Vec<LayoutEdge>,
    /// Wanted differences of columns: the same ends and weights.
    pub col_edges: Vec<LayoutEdge>,
    /// The true row of every vertex.
    pub rows: Vec<i64>,
    /// The true column of every vertex.
    pub cols: Vec<i64>,
}

/// Settings that are out of range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("the share of wrong edges is {0}, which is not between 0 and 1")]
pub struct WrongShareError(pub f64);

/// Draw a problem. The same settings give the same problem.
pub fn layout_problem(settings: &LayoutSettings) -> Result<SyntheticLayout, WrongShareError> {
    let LayoutSettings { grid, wrong_share, weights, seed } = *settings;
    if !(0.0..=1.0).contains(&wrong_share) {
        return Err(WrongShareError(wrong_share));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let num_vertices = grid.num_cells();
    let mut vertex_at: Vec<usize> = (0..num_vertices).collect();
    vertex_at.shuffle(&mut rng);
    let mut problem = SyntheticLayout {
        row_edges: Vec::new(),
        col_edges: Vec::new(),
        rows: vec![0; num_vertices],
        cols: vec![0; num_vertices],
    };
    for cell in grid.cells() {
        let from = vertex_at[grid.index_of(cell)];
        problem.rows[from] = cell.row.into();
        problem.cols[from] = cell.col.into();
        for side in Side::ALL {
            let Some(neighbor) = grid.neighbor(cell, side) else { continue };
            let mut to = vertex_at[grid.index_of(neighbor)];
            if rng.random_bool(wrong_share) {
                to = (from + rng.random_range(1..num_vertices)) % num_vertices;
            }
            let weight = match weights {
                LayoutWeights::Equal => 1,
                LayoutWeights::Random => rng.random_range(1..=1000),
            };
            let (row_difference, col_difference) = match side {
                Side::Top => (-1, 0),
                Side::Right => (0, 1),
                Side::Bottom => (1, 0),
                Side::Left => (0, -1),
            };
            problem.row_edges.push(LayoutEdge { from, to, difference: row_difference, weight });
            problem.col_edges.push(LayoutEdge { from, to, difference: col_difference, weight });
        }
    }
    Ok(problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(wrong_share: f64, weights: LayoutWeights, seed: u64) -> SyntheticLayout {
        let grid = Grid::new(98, 233).unwrap();
        layout_problem(&LayoutSettings { grid, wrong_share, weights, seed }).unwrap()
    }

    fn num_right(edges: &[LayoutEdge], truth: &[i64]) -> usize {
        let is_right = |edge: &&LayoutEdge| truth[edge.to] - truth[edge.from] == edge.difference;
        edges.iter().filter(is_right).count()
    }

    #[test]
    fn a_clean_problem_has_every_adjacency_twice() {
        let clean = draw(0.0, LayoutWeights::Equal, 1);
        assert_eq!((clean.rows.len(), clean.row_edges.len()), (22_834, 90_674));
        assert_eq!(num_right(&clean.row_edges, &clean.rows), 90_674);
        assert_eq!(num_right(&clean.col_edges, &clean.cols), 90_674);
        assert!(clean.row_edges.iter().all(|edge| edge.weight == 1));
    }

    #[test]
    fn the_share_of_wrong_edges_is_as_set_and_none_is_a_loop() {
        let wrong = draw(0.15, LayoutWeights::Random, 1);
        let share = num_right(&wrong.col_edges, &wrong.cols) as f64 / 90_674.0;
        assert!((0.84..0.87).contains(&share), "{share}");
        assert!(wrong.row_edges.iter().all(|edge| edge.from != edge.to));
        assert!(wrong.row_edges.iter().all(|edge| (1..=1000).contains(&edge.weight)));
        assert_ne!(wrong.rows, draw(0.15, LayoutWeights::Random, 2).rows);
        let grid = Grid::new(1, 1).unwrap();
        let settings =
            LayoutSettings { grid, wrong_share: 1.0, weights: LayoutWeights::Equal, seed: 0 };
        assert!(layout_problem(&settings).unwrap().row_edges.is_empty());
        assert_eq!(
            layout_problem(&LayoutSettings { wrong_share: -0.1, ..settings }).unwrap_err(),
            WrongShareError(-0.1)
        );
    }
}
