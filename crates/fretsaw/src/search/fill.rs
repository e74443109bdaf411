//! Single pieces for holes.
//!
//! The hole with most neighbours comes first, and its best piece goes there. Where few pieces are
//! loose all of them are tried; where many are, those that the neighbours propose, and for holes
//! for which nothing is left of these, some drawn at random: there is nothing to tell them apart, and
//! the search will exchange them. So the cost is about linear in the number of holes.

use super::arrangement::Held;
use super::cells::{CellIndex, OUTSIDE};
use super::walk::{Holes, Walk};
use crate::puzzle::{PieceId, QuarterTurn, Side};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// So many loose pieces are many.
const MANY: usize = 1000;

/// Pieces drawn for a hole to which no neighbour proposes one.
const NUM_DRAWN: usize = 50;

impl Walk<'_> {
    /// Lists the empty cells and the pieces that lie nowhere.
    pub(super) fn list_holes(&mut self) {
        let (mut holes, mut loose) = Default::default();
        std::mem::swap(&mut holes, &mut self.buffers.holes);
        std::mem::swap(&mut loose, &mut self.buffers.loose);
        holes.clear();
        holes.extend(self.cells.all().filter(|&cell| self.board().at(cell).is_none()));
        loose.clear();
        let pieces = (0..self.board().num_pieces()).map(PieceId::new);
        loose.extend(pieces.filter(|&piece| self.board().cell_of(piece) == OUTSIDE));
        self.buffers.holes = holes;
        self.buffers.loose = loose;
    }

    /// Puts the loose pieces into the holes.
    pub(super) fn fill(&mut self) {
        if self.buffers.loose.len() > MANY {
            self.fill_as_proposed();
            self.list_holes();
        }
        if self.buffers.loose.len() > MANY {
            self.fill_as_drawn();
        } else {
            self.fill_trying_all();
        }
    }

    fn fill_trying_all(&mut self) {
        while !self.buffers.holes.is_empty() && !self.buffers.loose.is_empty() {
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
            let mut best = (f32::INFINITY, QuarterTurn::ZERO, 0);
            for (index, &piece) in self.buffers.loose.iter().enumerate() {
                if let Some((cost, turn)) = self.best_turn(cell, piece, Holes::WillBeFilled, best.0)
                {
                    best = (cost, turn, index);
                }
            }
            let piece = self.buffers.loose.swap_remove(best.2);
            self.board_mut().put(cell, Some(Held { piece, turn: best.1 }));
        }
    }

    /// Fills holes with pieces that lie nowhere and that a neighbour proposes.
    fn fill_as_proposed(&mut self) {
        let offers = self.buffers.holes.iter().filter_map(|&cell| self.offer(cell));
        let mut offers: BinaryHeap<Offer> = offers.collect();
        while let Some(offer) = offers.pop() {
            let Offer { cell, held, .. } = offer;
            if self.board().at(cell).is_some() || offer.num_neighbors < self.num_neighbors(cell) {
                // Filled, or on the heap with more neighbours.
                continue;
            }
            if self.board().cell_of(held.piece) != OUTSIDE {
                offers.extend(self.offer(cell));
                continue;
            }
            self.board_mut().put(cell, Some(held));
            for next in self.cells.around(cell) {
                if next != OUTSIDE && self.board().at(next).is_none() {
                    offers.extend(self.offer(next));
                }
            }
        }
    }

    fn num_neighbors(&self, cell: CellIndex) -> usize {
        let around = self.cells.around(cell).into_iter();
        around.filter(|&next| self.board().get(next).is_some()).count()
    }

    /// The best of the loose pieces that the neighbours of a hole propose.
    fn offer(&self, cell: CellIndex) -> Option<Offer> {
        let (mut least, mut best) = (f32::INFINITY, None);
        for direction in Side::ALL {
            let Some(other) = self.board().get(self.cells.next(cell, direction)) else { continue };
            for proposal in self.costs.proposals(other.facing(direction.opposite())) {
                let piece = proposal.side.piece();
                if self.board().cell_of(piece) != OUTSIDE {
                    continue;
                }
                let held = Held { piece, turn: direction - proposal.side.side() };
                let cost = self.cost_at(cell, held, Holes::WillBeFilled, least);
                if self.turns.contains(held.turn) && cost < least {
                    (least, best) = (cost, Some(held));
                }
            }
        }
        let num_neighbors = self.num_neighbors(cell);
        best.map(|held| Offer { num_neighbors, cost: least, cell, held })
    }

    /// Fills holes with what fits best of some pieces.
    fn fill_as_drawn(&mut self) {
        while let Some(cell) = self.buffers.holes.pop() {
            let mut best = (f32::INFINITY, QuarterTurn::ZERO, 0);
            for _ in 0..NUM_DRAWN {
                let num_loose = self.buffers.loose.len();
                if num_loose == 0 {
                    return;
                }
                let index = self.random.below(num_loose);
                let piece = self.buffers.loose[index];
                if let Some((cost, turn)) = self.best_turn(cell, piece, Holes::WillBeFilled, best.0)
                {
                    best = (cost, turn, index);
                }
            }
            let piece = self.buffers.loose.swap_remove(best.2);
            self.board_mut().put(cell, Some(Held { piece, turn: best.1 }));
        }
    }
}

/// A piece for a hole.
#[derive(Debug)]
struct Offer {
    num_neighbors: usize,
    cost: f32,
    cell: CellIndex,
    held: Held,
}

/// More neighbours are greater, then lower cost; the rest is the same for the same board.
impl Ord for Offer {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_neighbors = self.num_neighbors.cmp(&other.num_neighbors);
        let by_cost = || other.cost.total_cmp(&self.cost);
        by_neighbors.then_with(by_cost).then_with(|| self.cell.cmp(&other.cell))
    }
}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Offer {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Offer {}
