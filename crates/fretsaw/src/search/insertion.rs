//! Greedy insertion: unplaced pieces are put one by one into empty cells.
//!
//! The hole with the most neighbours comes first and gets its best piece. Few unplaced pieces are all tried. Of
//! many, a hole tries those that its neighbours propose; if none of these is left, it tries some drawn at random,
//! which the search can exchange later. So the cost is about linear in the number of holes.
//!
//! Unlike [`crate::locations::fill`] this works on boards at fixed positions and with the costs of the search, and
//! trades quality for speed.

use super::annealer::{Annealer, EmptyCells};
use super::board_state::PlacedPiece;
use super::cells::{CellIndex, OUTSIDE};
use crate::puzzle::{PieceId, QuarterTurn, Side};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// More unplaced pieces than this are many.
const MANY: usize = 1000;

/// Pieces drawn for a hole that no neighbour proposes a piece for.
const NUM_DRAWN: usize = 50;

impl Annealer<'_> {
    /// Lists the empty cells and the unplaced pieces.
    pub(super) fn list_holes(&mut self) {
        let mut holes = std::mem::take(&mut self.buffers.holes);
        let mut unplaced = std::mem::take(&mut self.buffers.unplaced);
        holes.clear();
        holes.extend(self.space.cells.all().filter(|&cell| self.board().at(cell).is_none()));
        unplaced.clear();
        let pieces = (0..self.board().num_pieces()).map(PieceId::new);
        unplaced.extend(pieces.filter(|&piece| self.board().cell_of(piece) == OUTSIDE));
        self.buffers.holes = holes;
        self.buffers.unplaced = unplaced;
    }

    /// Puts the listed unplaced pieces into the listed holes.
    pub(super) fn insert_unplaced(&mut self) {
        if self.buffers.unplaced.len() > MANY {
            self.insert_proposed();
            self.list_holes();
        }
        if self.buffers.unplaced.len() > MANY {
            self.insert_drawn();
        } else {
            self.insert_best_of_all();
        }
    }

    fn insert_best_of_all(&mut self) {
        while !self.buffers.holes.is_empty() && !self.buffers.unplaced.is_empty() {
            let mut most = (0, 0);
            for (index, &cell) in self.buffers.holes.iter().enumerate() {
                let count = self.num_neighbors(cell);
                if count > most.0 {
                    most = (count, index);
                    if count == 4 {
                        break;
                    }
                }
            }
            let cell = self.buffers.holes.swap_remove(most.1);
            self.insert_best(cell, 0..self.buffers.unplaced.len());
        }
    }

    /// Puts the best of some unplaced pieces into a hole; `indices` are their places in the list.
    fn insert_best(&mut self, cell: CellIndex, indices: impl IntoIterator<Item = usize>) {
        let mut best = (f32::INFINITY, QuarterTurn::ZERO, 0);
        self.buffers.tries += 1;
        self.buffers.tried.resize(self.space.costs.num_pieces(), 0);
        for index in indices {
            let piece = self.buffers.unplaced[index];
            // A piece that costs as much as one that was tried is no better.
            let tried = &mut self.buffers.tried[self.space.costs.look_alike(piece).index()];
            if std::mem::replace(tried, self.buffers.tries) == self.buffers.tries {
                continue;
            }
            if let Some((cost, turn)) =
                self.best_turn(cell, piece, EmptyCells::WillBeFilled, best.0)
            {
                best = (cost, turn, index);
            }
        }
        let (_, turn, index) = best;
        let piece = self.buffers.unplaced.swap_remove(index);
        self.board_mut().put(cell, Some(PlacedPiece { piece, turn }));
    }

    /// Fills holes with unplaced pieces that a neighbour proposes.
    fn insert_proposed(&mut self) {
        let insertions = self.buffers.holes.iter().filter_map(|&cell| self.best_proposed(cell));
        let mut insertions: BinaryHeap<Insertion> = insertions.collect();
        while let Some(Insertion { num_neighbors, cell, placed, .. }) = insertions.pop() {
            if self.board().at(cell).is_some() || num_neighbors < self.num_neighbors(cell) {
                // The cell is filled, or in the heap again with more neighbours.
                continue;
            }
            if self.board().cell_of(placed.piece) != OUTSIDE {
                insertions.extend(self.best_proposed(cell));
                continue;
            }
            self.board_mut().put(cell, Some(placed));
            for next in self.space.cells.neighbors(cell) {
                if next != OUTSIDE && self.board().at(next).is_none() {
                    insertions.extend(self.best_proposed(next));
                }
            }
        }
    }

    fn num_neighbors(&self, cell: CellIndex) -> usize {
        let around = self.space.cells.neighbors(cell).into_iter();
        around.filter(|&next| self.board().get(next).is_some()).count()
    }

    /// The best of the unplaced pieces that the neighbours of a hole propose.
    fn best_proposed(&self, cell: CellIndex) -> Option<Insertion> {
        let (mut least, mut best) = (f32::INFINITY, None);
        for direction in Side::ALL {
            let Some(other) = self.board().get(self.space.cells.neighbor(cell, direction)) else {
                continue;
            };
            for proposal in self.space.costs.proposals(other.facing(direction.opposite())) {
                let piece = proposal.side.piece();
                if self.board().cell_of(piece) != OUTSIDE {
                    continue;
                }
                let placed = PlacedPiece { piece, turn: direction - proposal.side.side() };
                let cost = self.cost_at(cell, placed, EmptyCells::WillBeFilled, least);
                if self.space.turns.contains(placed.turn) && cost < least {
                    (least, best) = (cost, Some(placed));
                }
            }
        }
        let num_neighbors = self.num_neighbors(cell);
        best.map(|placed| Insertion { num_neighbors, cost: least, cell, placed })
    }

    /// Fills every hole with the best of some pieces that are drawn at random.
    fn insert_drawn(&mut self) {
        while let Some(cell) = self.buffers.holes.pop() {
            let num_unplaced = self.buffers.unplaced.len();
            if num_unplaced == 0 {
                return;
            }
            let drawn = [(); NUM_DRAWN].map(|()| self.random.below(num_unplaced));
            self.insert_best(cell, drawn);
        }
    }
}

/// A piece that could be put into a hole.
#[derive(Debug)]
struct Insertion {
    num_neighbors: usize,
    cost: f32,
    cell: CellIndex,
    placed: PlacedPiece,
}

/// More neighbours come first, then lower cost, then the larger cell number.
impl Ord for Insertion {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_neighbors = self.num_neighbors.cmp(&other.num_neighbors);
        let by_cost = || other.cost.total_cmp(&self.cost);
        by_neighbors.then_with(by_cost).then_with(|| self.cell.cmp(&other.cell))
    }
}

impl PartialOrd for Insertion {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Insertion {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Insertion {}
