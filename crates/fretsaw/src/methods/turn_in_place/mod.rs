//! The solver of type 3 puzzles: every piece is in its true cell, and only its turn is unknown.
//!
//! 1. Every seam of the board gives a table of costs, one for each pair of turns of its two pieces.
//! 2. A Markov random field finds turns of small total cost ([`random_field`], \[Gal12\]).
//! 3. Of the turns common to all pieces, take the one whose seams fit best ([`place_in_order`]).

pub mod random_field;

use crate::confidence::SeamConfidence;
use crate::dissimilarity::Dissimilarity;
use crate::locations::LocationError;
use crate::observer::{Observer, Stage, check_cancelled};
use crate::puzzle::{
    Assembly, AssemblyError, Grid, Join, PieceId, Place, Placement, QuarterTurn, Side, SideId,
    TurnSet,
};
use random_field::{FieldEdge, estimate_labels};

/// The most that one seam can cost, in units of the second smallest cost of its table.
const COST_LIMIT: f64 = 1.5;

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
    /// The sides that touch if the two pieces are turned by these turns.
    pub fn touching(&self, turn_i: QuarterTurn, turn_j: QuarterTurn) -> (SideId, SideId) {
        (
            SideId::new(self.i, self.direction - turn_i),
            SideId::new(self.j, self.direction.opposite() - turn_j),
        )
    }
}

/// All neighbours of a full board whose pieces lie in order, row by row.
pub fn grid_neighbors(grid: Grid) -> impl Iterator<Item = GridNeighbors> {
    grid.cells().flat_map(move |cell| {
        [Side::Right, Side::Bottom].into_iter().filter_map(move |direction| {
            let next = grid.neighbor(cell, direction)?;
            let piece = |cell| PieceId::new(grid.index_of(cell));
            Some(GridNeighbors { i: piece(cell), j: piece(next), direction })
        })
    })
}

/// Turns the pieces of a full board, which lie in order, row by row.
pub fn turn_in_place(
    dissimilarity: &Dissimilarity,
    grid: Grid,
    turns: TurnSet,
    observer: &dyn Observer,
) -> Result<Assembly, LocationError> {
    observer.stage_started(Stage::Rotate, 1);
    let edges: Vec<FieldEdge> =
        grid_neighbors(grid).map(|neighbors| costs(dissimilarity, neighbors, turns)).collect();
    check_cancelled(observer)?;
    let (found, _) = estimate_labels(grid.num_cells(), turns, &edges, &[])
        .map_err(|error| LocationError::Method(error.to_string()))?;
    let assembly = place_in_order(dissimilarity, grid, turns, &found)?;
    observer.stage_finished(Stage::Rotate);
    Ok(assembly)
}

/// The costs of all pairs of turns: how badly the sides then touching fit, in units of the second
/// smallest cost, and at most [`COST_LIMIT`].
///
/// With plain dissimilarities a few seams would outweigh all others: those that fit badly in every turn,
/// because a side is damaged or the picture has an edge there.
fn costs(dissimilarity: &Dissimilarity, neighbors: GridNeighbors, turns: TurnSet) -> FieldEdge {
    let mut costs = [[0.0; 4]; 4];
    let mut sorted = Vec::with_capacity(16);
    for &turn_i in turns.turns() {
        for &turn_j in turns.turns() {
            let (a, b) = neighbors.touching(turn_i, turn_j);
            let cost = dissimilarity.value(a, b);
            costs[turn_i.index()][turn_j.index()] = cost;
            sorted.push(cost);
        }
    }
    sorted.sort_by(f64::total_cmp);
    // With a single pair of turns there is no second cost, and nothing to decide.
    let second = sorted.get(1).copied().unwrap_or_default();
    let relative = |cost: f64| {
        if second > 0.0 { (cost / second).min(COST_LIMIT) } else { f64::from(u8::from(cost > 0.0)) }
    };
    FieldEdge { i: neighbors.i, j: neighbors.j, costs: costs.map(|row| row.map(relative)) }
}

/// The board of pieces that lie in order, row by row, turned as found.
///
/// `found` is determined up to one turn common to all pieces. As the positions are known, the seams determine
/// the common turn: the one with which they fit best.
///
/// # Errors
/// If there are more or fewer turns than cells.
pub fn place_in_order(
    dissimilarity: &Dissimilarity,
    grid: Grid,
    turns: TurnSet,
    found: &[QuarterTurn],
) -> Result<Assembly, AssemblyError> {
    // If only half turns are allowed, the result must have only half turns.
    let relative = turns.relative(found);
    let common = best_common_turn(dissimilarity, grid, turns, &relative);
    let placements = grid.cells().zip(&relative).map(|(cell, &turn)| Placement {
        piece: PieceId::new(grid.index_of(cell)),
        place: Place { board: 0, cell, turn: turn + common },
    });
    Assembly::new(grid.num_cells(), vec![grid], placements)
}

/// The turn of all pieces together that makes the seams fit best; the smallest of equally good ones.
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

/// The confidence in every seam, in the order of [`Assembly::joins`]: 1 minus the cost of the seam
/// divided by the smallest cost that other turns of the two pieces would give it, at least 0. It is not a
/// calibrated probability.
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
