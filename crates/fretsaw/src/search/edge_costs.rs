//! What it costs to have an edge of the board beside a piece, where whole rows and columns are moved.
//!
//! Blank sides at the edge count for it: pages, screens, logos and codes have margins. The matcher does not know that,
//! since it learned from parts of pictures.

use super::SearchSpace;
use super::board_state::PlacedPiece;
use crate::puzzle::{Side, SideId};

/// How much likelier a blank side lies at the edge than its probability says, in nats.
const BLANK_AT_EDGE: f32 = 1.5;

pub(super) struct EdgeCosts<'a> {
    space: SearchSpace<'a>,
    /// The strips of blank sides.
    blank: Vec<usize>,
}

impl<'a> EdgeCosts<'a> {
    pub(super) fn new(space: SearchSpace<'a>) -> Self {
        Self { space, blank: space.costs.blank_strips() }
    }

    /// The cost of a piece's side that faces this direction at the edge; of no piece 0.
    pub(super) fn of_edge(&self, placed: Option<PlacedPiece>, direction: Side) -> f32 {
        placed.map_or(0.0, |placed| self.of_side(placed.facing(direction)))
    }

    fn of_side(&self, side: SideId) -> f32 {
        let is_blank = self.blank.contains(&self.space.costs.strip_of(side));
        self.space.costs.of_border(side) - if is_blank { BLANK_AT_EDGE } else { 0.0 }
    }

    /// The cost of a seam, where the second piece lies in this direction of the first. Beside an empty cell a side costs as
    /// much as at the border.
    pub(super) fn of_seam(
        &self,
        one: Option<PlacedPiece>,
        next: Option<PlacedPiece>,
        direction: Side,
    ) -> f32 {
        let costs = self.space.costs;
        let one = one.map(|placed| placed.facing(direction));
        let next = next.map(|placed| placed.facing(direction.opposite()));
        match (one, next) {
            (Some(one), Some(next)) => costs.of(one, next),
            (Some(side), None) | (None, Some(side)) => costs.of_border(side),
            (None, None) => 0.0,
        }
    }

    /// What it costs to have an edge of the board between two neighbours, more than to have a seam there.
    pub(super) fn of_cut(
        &self,
        one: Option<PlacedPiece>,
        next: Option<PlacedPiece>,
        direction: Side,
    ) -> f32 {
        // Beside an empty cell a side costs as much as at the edge.
        if one.is_none() || next.is_none() {
            return 0.0;
        }
        self.of_edge(one, direction) + self.of_edge(next, direction.opposite())
            - self.of_seam(one, next, direction)
    }
}

/// The number of the row or column before which a cut costs least; the first if several cost the same.
pub(super) fn best_cut(number: usize, cost_before: impl Fn(usize) -> f32) -> usize {
    let costs = (0..number).map(cost_before).enumerate();
    costs.min_by(|x, y| x.1.total_cmp(&y.1)).map_or(0, |(cut, _)| cut)
}
