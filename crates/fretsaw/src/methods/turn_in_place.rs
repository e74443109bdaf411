//! Type 3: the pieces lie where they belong, and only their turns are unknown.
//!
//! 1. Join grid neighbours; the best of their 16 side pairs gives their relative turn.
//! 2. Find turns from the relative turns (or by the random field, from all 16 costs).
//! 3. Of the four common turns of all pieces, take the one whose seams fit best: positions being
//!    known, "right of" is absolute, which the relative turns do not use.

use super::rotation_choice::RotationChoice;
use crate::confidence::SeamConfidence;
use crate::connection_graph::ConnectionGraphError;
use crate::connection_graph::known_positions::{
    GridNeighbors, anchored_graph, graph_of_known_positions, grid_neighbors,
};
use crate::dissimilarity::Dissimilarity;
use crate::observer::{Cancelled, Observer, Stage, check_cancelled};
use crate::puzzle::{
    Assembly, AssemblyError, Grid, Join, PieceId, Place, Placement, QuarterTurn, TurnSet,
};
use crate::rotations::markov::{MarkovEdge, MarkovError, MarkovSettings, estimate_labels};
use crate::rotations::{RotationError, RotationSettings, estimate_rotations};

/// The most that one seam can cost, in units of the second best of its 16 costs.
const COST_LIMIT: f64 = 1.5;

/// What can go wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TurnInPlaceError {
    /// The observer asked to give up.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The method makes no sense here.
    #[error(
        "the rotation method 'diffusion' matchers matches, and is not for puzzles of type 3, whose \
             neighbours are known"
    )]
    NeighborsKnown,
    /// The random field allows all four turns only.
    #[error(
        "the rotation method 'mrf' is for square pieces: these fit only upright or after half a turn"
    )]
    HalfTurnsOnly,
    /// The turns were not estimated.
    #[error(transparent)]
    Rotation(#[from] RotationError),
    /// The random field was not solved.
    #[error(transparent)]
    Markov(#[from] MarkovError),
    /// A defect of this crate.
    #[error("the graph contradicted itself: {0}")]
    Graph(#[from] ConnectionGraphError),
    /// A defect of this crate.
    #[error("the assembly contradicted itself: {0}")]
    Assembly(#[from] AssemblyError),
}

/// Turn the pieces of a full board, which lie in order row by row.
///
/// # Errors
/// If the choice does not fit the puzzle, or the observer cancels.
pub fn turn_in_place(
    dissimilarity: &Dissimilarity,
    grid: Grid,
    turns: TurnSet,
    choice: RotationChoice,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Assembly, TurnInPlaceError> {
    observer.stage_started(Stage::Rotate, 1);
    let relative = match (choice, choice.graph_method()) {
        (RotationChoice::Diffusion, _) => return Err(TurnInPlaceError::NeighborsKnown),
        (_, Some(method)) => {
            let graph = match choice {
                RotationChoice::Anchored => anchored_graph(dissimilarity, grid, turns)?,
                _ => graph_of_known_positions(dissimilarity, grid, turns)?,
            };
            check_cancelled(observer)?;
            let settings = RotationSettings { method, seed, ..RotationSettings::default() };
            let (rotations, _) = estimate_rotations(&graph, &settings)?;
            rotations.turns().to_vec()
        }
        (_, None) if turns != TurnSet::Quarter => return Err(TurnInPlaceError::HalfTurnsOnly),
        (_, None) => {
            let edges: Vec<MarkovEdge> =
                grid_neighbors(grid).map(|neighbors| costs(dissimilarity, neighbors)).collect();
            check_cancelled(observer)?;
            estimate_labels(grid.num_cells(), &edges, &[], &MarkovSettings::default())?.0
        }
    };
    // Any common turn will do so far; pieces that allow half turns only must come out so.
    let relative = turns.relative(&relative);
    let common = best_common_turn(dissimilarity, grid, turns, &relative);
    let placements = grid.cells().zip(&relative).map(|(cell, &turn)| Placement {
        piece: PieceId::new(grid.index_of(cell)),
        place: Place { board: 0, cell, turn: turn + common },
    });
    let assembly = Assembly::new(grid.num_cells(), vec![grid], placements)?;
    observer.stage_finished(Stage::Rotate);
    Ok(assembly)
}

/// The costs of the 16 pairs of turns: how badly the sides then touching fit, in units of the second
/// best of the 16, and at most [`COST_LIMIT`].
///
/// Plain dissimilarities would let the few seams that fit badly whatever their pieces' turns, because
/// a side is damaged or the picture has an edge there, outvote all others.
fn costs(dissimilarity: &Dissimilarity, neighbors: GridNeighbors) -> MarkovEdge {
    let costs = QuarterTurn::ALL.map(|turn_i| {
        QuarterTurn::ALL.map(|turn_j| {
            let (a, b) = neighbors.touching(turn_i, turn_j);
            dissimilarity.value(a, b)
        })
    });
    let mut sorted = costs.concat();
    sorted.sort_by(f64::total_cmp);
    let second = sorted[1];
    let relative = |cost: f64| {
        if second > 0.0 { (cost / second).min(COST_LIMIT) } else { f64::from(u8::from(cost > 0.0)) }
    };
    MarkovEdge { i: neighbors.i, j: neighbors.j, costs: costs.map(|row| row.map(relative)) }
}

/// The turn of all pieces alike that makes the seams fit best; the smallest of equally good ones.
fn best_common_turn(
    dissimilarity: &Dissimilarity,
    grid: Grid,
    turns: TurnSet,
    relative: &[QuarterTurn],
) -> QuarterTurn {
    let total = |common: QuarterTurn| -> f64 {
        grid_neighbors(grid)
            .map(|neighbors| {
                let turn = |piece: PieceId| relative[piece.index()] + common;
                let (a, b) = neighbors.touching(turn(neighbors.i), turn(neighbors.j));
                dissimilarity.value(a, b)
            })
            .sum()
    };
    let candidates = turns.turns().iter().copied();
    candidates.min_by(|&x, &y| total(x).total_cmp(&total(y))).unwrap_or_default()
}

/// The confidence in every seam, in the order of [`Assembly::joins`]: 1 less the cost of the seam over
/// the best cost that other turns of the two pieces would give it, cut off at 0. It is no calibrated
/// probability.
#[must_use]
pub fn seam_confidences(
    dissimilarity: &Dissimilarity,
    grid: Grid,
    turns: TurnSet,
    assembly: &Assembly,
) -> Vec<SeamConfidence> {
    let turn_of =
        |piece: PieceId| assembly.place_of(piece).map(|place| place.turn).unwrap_or_default();
    let of_seam = |neighbors: GridNeighbors| {
        let chosen = (turn_of(neighbors.i), turn_of(neighbors.j));
        let cost = |(turn_i, turn_j): (QuarterTurn, QuarterTurn)| {
            let (a, b) = neighbors.touching(turn_i, turn_j);
            dissimilarity.value(a, b)
        };
        let best_other = turns
            .turns()
            .iter()
            .flat_map(|&turn_i| turns.turns().iter().map(move |&turn_j| (turn_i, turn_j)))
            .filter(|&pair| pair != chosen)
            .map(cost)
            .fold(f64::INFINITY, f64::min);
        let confidence =
            if cost(chosen) < best_other { 1.0 - cost(chosen) / best_other } else { 0.0 };
        let (a, b) = neighbors.touching(chosen.0, chosen.1);
        SeamConfidence { join: Join::new(a, b), confidence }
    };
    grid_neighbors(grid).map(of_seam).collect()
}
