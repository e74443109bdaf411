//! The connection graph of a type 3 puzzle, whose positions are known.
//!
//! \[HLW20\], section "Connection Graph Construction for Type 3 Puzzles": edges between grid
//! neighbours with affinity 1, and of the 16 side pairs the one that fits best gives the relative
//! turn. Where several fit equally well the affinity is 1/2 and the turn their mean.

use super::{ConnectionEdge, ConnectionGraph, ConnectionGraphError, EdgeTurn};
use crate::dissimilarity::Dissimilarity;
use crate::puzzle::{Grid, PieceId, QuarterTurn, Side, SideId, SidePair, TurnSet};

/// Affinity of two neighbours whose best side pair is not unique.
const TIED_WEIGHT: f64 = 0.5;

/// Two neighbouring cells: piece i, and piece j at its right or below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridNeighbors {
    /// The piece at the left or top.
    pub i: PieceId,
    /// The piece at the right or bottom.
    pub j: PieceId,
    /// Where j lies, seen from i: right or bottom.
    pub direction: Side,
}

impl GridNeighbors {
    /// The sides that touch if the pieces are turned so.
    #[must_use]
    pub fn touching(&self, turn_i: QuarterTurn, turn_j: QuarterTurn) -> (SideId, SideId) {
        (
            SideId::new(self.i, self.direction - turn_i),
            SideId::new(self.j, self.direction.opposite() - turn_j),
        )
    }
}

/// All neighbours of a board whose pieces lie in order, row by row.
pub fn grid_neighbors(grid: Grid) -> impl Iterator<Item = GridNeighbors> {
    grid.cells().flat_map(move |cell| {
        [Side::Right, Side::Bottom].into_iter().filter_map(move |direction| {
            let next = grid.neighbor(cell, direction)?;
            let piece = |cell| PieceId::new(grid.index_of(cell));
            Some(GridNeighbors { i: piece(cell), j: piece(next), direction })
        })
    })
}

/// The graph of a board whose pieces lie in order, row by row.
///
/// # Errors
/// Never, unless this crate contradicts itself.
pub fn graph_of_known_positions(
    dissimilarity: &Dissimilarity,
    grid: Grid,
    turns: TurnSet,
) -> Result<ConnectionGraph, ConnectionGraphError> {
    let edges = grid_neighbors(grid).filter_map(|neighbors| {
        let mut best = f64::INFINITY;
        let mut candidates: Vec<QuarterTurn> = Vec::new();
        for &turn_i in turns.turns() {
            for &turn_j in turns.turns() {
                let (a, b) = neighbors.touching(turn_i, turn_j);
                let value = dissimilarity.value(a, b);
                if value < best {
                    best = value;
                    candidates.clear();
                }
                if value == best {
                    candidates.push(SidePair::of(a, b).turn_j_from_i());
                }
            }
        }
        let weight = if candidates.len() == 1 { 1.0 } else { TIED_WEIGHT };
        Some(ConnectionEdge {
            i: neighbors.i,
            j: neighbors.j,
            weight,
            turn_j_from_i: EdgeTurn::mean(&candidates)?,
        })
    });
    ConnectionGraph::new(grid.num_cells(), edges)
}
