//! Type 3 puzzles, whose positions are known: their connection graph, and their turns by Algorithm 1.
//!
//! \[HLW20\], section "Connection Graph Construction for Type 3 Puzzles": edges join grid neighbours
//! with affinity 1, and of the 16 side pairs the one that fits best gives the relative turn. Where
//! several fit equally well the affinity is 1/2 and the turn their mean ([`graph_of_known_positions`]).
//!
//! The paper uses the relative turns only. But if positions are known, "j is to the right of i" says
//! more: the side of i that touches j faces right, so the best side pair also votes for the turn of
//! each piece by itself. [`anchored_graph`] adds one vertex that stands for the board, joined to every
//! piece by its votes, and weighs every edge by how clearly its turn wins. The board joins any two
//! pieces in two steps, so wrong edges do little harm (D-05).

use crate::connection_graph::{ConnectionEdge, ConnectionGraph, ConnectionGraphError, EdgeTurn};
use crate::rotation_choice::RotationChoice;
use crate::rotations::{RotationSettings, estimate_rotations};
use crate::setting_error::failed;
use fretsaw::observer::{Observer, Stage, check_cancelled};
use fretsaw::puzzle::{Assembly, Grid, MAX_PIECES, PieceId, QuarterTurn, SidePair, TurnSet};
use fretsaw::unstable::dissimilarity::Dissimilarity;
use fretsaw::unstable::locations::LocationError;
use fretsaw::unstable::methods::turn_in_place::{
    self, GridNeighbors, grid_neighbors, place_in_order,
};

/// Affinity of two neighbours whose best side pair is not unique.
const TIED_WEIGHT: f64 = 0.5;

/// Turns the pieces of a full board, which lie in order, row by row, by any choice that fits type 3.
///
/// # Errors
/// If the choice does not fit type 3, or the observer cancels.
pub fn turn_in_place(
    dissimilarity: &Dissimilarity,
    grid: Grid,
    turns: TurnSet,
    choice: RotationChoice,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Assembly, LocationError> {
    let Some(method) = choice.graph_method() else {
        return turn_in_place::turn_in_place(dissimilarity, grid, turns, observer);
    };
    observer.stage_started(Stage::Rotate, 1);
    let graph = match choice {
        RotationChoice::Diffusion => return Err(failed(
                "the rotation method 'diffusion' reweights matches; puzzles of type 3 have none, as their \
                 neighbours are known",
            )),
        RotationChoice::Anchored => anchored_graph(dissimilarity, grid, turns),
        _ => graph_of_known_positions(dissimilarity, grid, turns),
    }
    .map_err(failed)?;
    check_cancelled(observer)?;
    let settings = RotationSettings { method, seed, ..RotationSettings::default() };
    let (rotations, _) = estimate_rotations(&graph, &settings).map_err(failed)?;
    let assembly = place_in_order(dissimilarity, grid, turns, &rotations)?;
    observer.stage_finished(Stage::Rotate);
    Ok(assembly)
}

/// The graph of a board whose pieces lie in order, row by row.
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

/// The graph of known positions with the board as an additional, last vertex.
///
/// An edge to the board gives the turn of a piece: `turn_piece = turn_board + turn`.
///
/// # Errors
/// If there is no room for the additional vertex.
pub fn anchored_graph(
    dissimilarity: &Dissimilarity,
    grid: Grid,
    turns: TurnSet,
) -> Result<ConnectionGraph, ConnectionGraphError> {
    let num_pieces = grid.num_cells();
    if num_pieces >= MAX_PIECES {
        return Err(ConnectionGraphError::too_many_vertices(num_pieces + 1));
    }
    let board = PieceId::new(num_pieces);
    let mut votes = vec![[0.0; 4]; num_pieces];
    let mut edges = Vec::new();
    for neighbors in grid_neighbors(grid) {
        let seam = SeamCosts::new(dissimilarity, neighbors, turns);
        for (piece, best) in [
            (neighbors.i, seam.clearest(turns, |turn_i, _| turn_i)),
            (neighbors.j, seam.clearest(turns, |_, turn_j| turn_j)),
        ] {
            votes[piece.index()][best.0.index()] += best.1;
        }
        let (turn_j_from_i, weight) = seam.clearest(turns, |turn_i, turn_j| turn_j - turn_i);
        edges.push(ConnectionEdge::new(neighbors.i, neighbors.j, weight, turn_j_from_i));
    }
    for (piece, votes) in votes.iter().enumerate() {
        for turn in QuarterTurn::ALL {
            // One edge per piece, for the majority of its votes. Opposite votes cancel.
            let rest = votes[(turn + QuarterTurn::HALF).index()];
            let weight = votes[turn.index()] - rest;
            let is_clear = QuarterTurn::ALL
                .iter()
                .all(|&other| other == turn || votes[other.index()] < votes[turn.index()]);
            if is_clear && weight > 0.0 {
                edges.push(ConnectionEdge::new(board, PieceId::new(piece), weight, turn));
            }
        }
    }
    ConnectionGraph::new(num_pieces + 1, edges)
}

/// How badly two neighbours fit, for every pair of their turns.
struct SeamCosts {
    /// `[turn_i][turn_j]`; infinite for turns that are not allowed.
    costs: [[f64; 4]; 4],
}

impl SeamCosts {
    fn new(dissimilarity: &Dissimilarity, neighbors: GridNeighbors, turns: TurnSet) -> Self {
        let mut costs = [[f64::INFINITY; 4]; 4];
        for &turn_i in turns.turns() {
            for &turn_j in turns.turns() {
                let (a, b) = neighbors.touching(turn_i, turn_j);
                costs[turn_i.index()][turn_j.index()] = dissimilarity.value(a, b);
            }
        }
        Self { costs }
    }

    /// The value of some function of the two turns at the best pair, and how clearly it wins: 1 less
    /// the best cost over the best with another value. 0 for a tie, 1 for a perfect fit.
    fn clearest(
        &self,
        turns: TurnSet,
        of: impl Fn(QuarterTurn, QuarterTurn) -> QuarterTurn,
    ) -> (QuarterTurn, f64) {
        let mut best_of = [f64::INFINITY; 4];
        for &turn_i in turns.turns() {
            for &turn_j in turns.turns() {
                let best = &mut best_of[of(turn_i, turn_j).index()];
                *best = best.min(self.costs[turn_i.index()][turn_j.index()]);
            }
        }
        let mut order = QuarterTurn::ALL;
        order.sort_by(|x, y| best_of[x.index()].total_cmp(&best_of[y.index()]));
        let (best, second) = (best_of[order[0].index()], best_of[order[1].index()]);
        let clarity = if best == second { 0.0 } else { 1.0 - best / second };
        (order[0], clarity)
    }
}
