//! Z4 synchronization problems: grids of unknown turns with some relative turns wrong.
//!
//! The underlying problem of recovering turns, without pictures (\[HLW20\], section "Estimation of
//! Orientations Using the Connection Graph"). Linear in edges.

use crate::connection_graph::{ConnectionEdge, ConnectionGraph, ConnectionGraphError};
use crate::setting_error::{SettingError, check_settings};
use fretsaw::puzzle::{Grid, PieceId, QuarterTurn, Side};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How edges are weighted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// All 1.
    Uniform,
    /// Uniform in (0, 1], whether the edge is right or wrong.
    Random,
}

/// Settings of a random problem.
#[derive(Clone, Debug, PartialEq)]
pub struct SynchronizationSettings {
    /// Vertices are its cells, row by row; edges join neighbouring cells.
    pub grid: Grid,
    /// Probability that an edge's relative turn is wrong: any of the three others. 0 to 1.
    pub wrong_share: f64,
    /// Probability that an edge of the grid is missing. 0 to 1.
    pub missing_share: f64,
    /// Edges between random cells with random relative turns, as a share of the grid's edges. At
    /// least 0; fewer are made where they would repeat.
    pub extra_share: f64,
    /// Weights of all edges.
    pub weights: Weights,
    /// Seed of everything random.
    pub seed: u64,
}

impl SynchronizationSettings {
    /// A whole grid with every relative turn right and all weights 1.
    pub const fn clean(grid: Grid) -> Self {
        Self {
            grid,
            wrong_share: 0.0,
            missing_share: 0.0,
            extra_share: 0.0,
            weights: Weights::Uniform,
            seed: 0,
        }
    }
}

/// A problem and its answer.
#[derive(Clone, Debug)]
pub struct SynchronizationProblem {
    /// The graph, the input of a solver.
    pub graph: ConnectionGraph,
    /// The true turns, up to one turn added to all of a component's.
    pub turns: Vec<QuarterTurn>,
    /// The pairs of neighbouring cells: the paper's E_true.
    pub true_edges: Vec<(PieceId, PieceId)>,
}

/// Why there is no problem with these settings.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SynchronizationError {
    /// A share outside its range.
    #[error(transparent)]
    Share(#[from] SettingError),
    /// The graph was refused.
    #[error(transparent)]
    Graph(#[from] ConnectionGraphError),
}

/// Draws a problem. The same settings give the same problem.
pub fn synchronization_problem(
    settings: &SynchronizationSettings,
) -> Result<SynchronizationProblem, SynchronizationError> {
    let SynchronizationSettings { grid, wrong_share, missing_share, extra_share, weights, seed } =
        *settings;
    let is_within = |value: f64, most: f64| (0.0..=most).contains(&value);
    check_settings(&[
        ("wrong_share", wrong_share, is_within(wrong_share, 1.0), "between 0 and 1"),
        ("missing_share", missing_share, is_within(missing_share, 1.0), "between 0 and 1"),
        ("extra_share", extra_share, is_within(extra_share, 100.0), "between 0 and 100"),
    ])?;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let num_cells = grid.num_cells();
    let turns: Vec<QuarterTurn> =
        (0..num_cells).map(|_| QuarterTurn::ALL[rng.random_range(0..4)]).collect();
    let weight = |rng: &mut ChaCha8Rng| match weights {
        Weights::Uniform => 1.0,
        Weights::Random => 1.0 - rng.random_range(0.0..1.0),
    };
    let mut true_edges = Vec::new();
    let mut edges = Vec::new();
    for cell in grid.cells() {
        for side in [Side::Right, Side::Bottom] {
            let Some(next) = grid.neighbor(cell, side) else { continue };
            let (i, j) = (grid.index_of(cell), grid.index_of(next));
            true_edges.push((PieceId::new(i), PieceId::new(j)));
            if rng.random_bool(missing_share) {
                continue;
            }
            let mut turn_j_from_i = turns[j] - turns[i];
            if rng.random_bool(wrong_share) {
                turn_j_from_i += QuarterTurn::ALL[rng.random_range(1..4)];
            }
            edges.push(ConnectionEdge::new(
                PieceId::new(i),
                PieceId::new(j),
                weight(&mut rng),
                turn_j_from_i,
            ));
        }
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "at most 100 times the number of edges, and not negative"
    )]
    let num_extra = (extra_share * true_edges.len() as f64).round() as usize;
    let mut extra = Vec::new();
    for _ in 0..num_extra {
        let (i, j) = (rng.random_range(0..num_cells), rng.random_range(0..num_cells));
        let (i, j) = (PieceId::new(i.min(j)), PieceId::new(i.max(j)));
        let turn = QuarterTurn::ALL[rng.random_range(0..4)];
        extra.push(ConnectionEdge::new(i, j, weight(&mut rng), turn));
    }
    extra.retain(|edge| edge.i != edge.j && true_edges.binary_search(&(edge.i, edge.j)).is_err());
    extra.sort_by_key(|edge| (edge.i, edge.j));
    extra.dedup_by_key(|edge| (edge.i, edge.j));
    edges.extend(extra);
    Ok(SynchronizationProblem { graph: ConnectionGraph::new(num_cells, edges)?, turns, true_edges })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> SynchronizationSettings {
        SynchronizationSettings::clean(Grid::new(20, 30).unwrap())
    }

    fn is_right(problem: &SynchronizationProblem, edge: &ConnectionEdge) -> bool {
        edge.turn_j_from_i.turn()
            == Some(problem.turns[edge.j.index()] - problem.turns[edge.i.index()])
    }

    #[test]
    fn a_clean_problem_is_the_whole_grid_with_right_turns() {
        let problem = synchronization_problem(&settings()).unwrap();
        assert_eq!(problem.graph.edges().len(), 19 * 30 + 20 * 29);
        assert_eq!(problem.graph.edges().len(), problem.true_edges.len());
        assert!(problem.graph.edges().iter().all(|edge| is_right(&problem, edge)));
    }

    #[test]
    fn every_setting_has_its_effect() {
        let wrong =
            synchronization_problem(&SynchronizationSettings { wrong_share: 1.0, ..settings() })
                .unwrap();
        assert!(!wrong.graph.edges().iter().any(|edge| is_right(&wrong, edge)));
        let missing = synchronization_problem(&SynchronizationSettings {
            missing_share: 1.0,
            extra_share: 0.5,
            weights: Weights::Random,
            ..settings()
        })
        .unwrap();
        assert!((550..=575).contains(&missing.graph.edges().len()));
        for edge in missing.graph.edges() {
            assert!(missing.true_edges.binary_search(&(edge.i, edge.j)).is_err());
            assert!(edge.weight > 0.0 && edge.weight <= 1.0);
        }
        let refused =
            synchronization_problem(&SynchronizationSettings { wrong_share: 1.5, ..settings() });
        let error = refused.unwrap_err().to_string();
        assert_eq!(error, "wrong_share is 1.5; it must be between 0 and 1");
    }

    #[test]
    fn the_problem_depends_on_the_seed() {
        let draw = |seed| {
            synchronization_problem(&SynchronizationSettings { seed, ..settings() }).unwrap().graph
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }
}
