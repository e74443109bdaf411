//! Destroy and repair, the step of a large-neighbourhood search: a part of the board is taken apart and assembled
//! again.
//!
//! Destroy: seams of the window that are more doubtful than a random threshold break. Repair: the remaining
//! segments lose their places and grow along likely matches as in \[Gal12\], by cost plus a little noise. The largest
//! segment is put into the frame, the others, whole, where they fit best, and the remaining pieces one by one. The new board lacks the worst mistakes of the old one, and has some new ones.

use super::annealer::{Annealer, EmptyCells};
use super::board_state::PlacedPiece;
use super::cells::{CellIndex, OUTSIDE, PinnedCell};
use super::costs::MAX_COST;
use crate::locations::segment::{Limit, Motion, PlaceInSegment, Segment, Segments};
use crate::locations::trim::trim_to_frame;
use crate::puzzle::{PieceId, Placement, Side, SideId};

/// The largest threshold, and the ratio of the smallest to it.
const MAX_THRESHOLD: f32 = 6.0;
const THRESHOLD_RANGE: f32 = 0.05;

/// The most noise that is added to the cost of a match.
const MAX_NOISE: f32 = 1.0;

/// Segments with fewer pieces are not placed as wholes.
const MIN_WHOLE: usize = 3;

/// A contact that costs less than this speaks for the place of a segment, one that costs more against it.
const FITTING_COST: f32 = 0.5 * MAX_COST;

impl Annealer<'_> {
    /// Takes the window apart and assembles it again. The result becomes the best board.
    pub(super) fn destroy_and_repair(&mut self) {
        let threshold = MAX_THRESHOLD * THRESHOLD_RANGE.powf(self.random.unit());
        let pieces = (0..self.board().num_pieces()).map(PieceId::new);
        let mut segments = Segments::alone(pieces.map(|piece| self.current_place(piece)));
        let limit = self.space.cells.limit(self.space.turns);
        self.keep_good_seams(&mut segments, limit, threshold);
        self.join_matches(&mut segments, limit);
        let parts = segments.by_size();
        let Some(&largest) = parts.first() else { return };
        let (first, placements) = if self.space.cells.is_anchored() {
            let first = self.largest_of_boards(&segments, &parts);
            let place = |part: &&Segment| self.in_place(&segments, part);
            let placements = first.iter().flat_map(place).collect();
            (first, placements)
        } else {
            (vec![largest], self.fit_into_frame(&segments, largest))
        };
        self.board_mut().clear();
        for (cell, placed) in placements {
            if self.board().at(cell).is_none() {
                self.board_mut().put(cell, Some(placed));
            }
        }
        self.place_pinned_pieces();
        self.list_holes();
        for part in parts.iter().take_while(|part| part.pieces().len() >= MIN_WHOLE) {
            if !first.iter().any(|placed| std::ptr::eq(*placed, *part)) {
                self.place_whole(&segments, part);
            }
        }
        self.list_holes();
        self.insert_unplaced();
        self.rescore();
    }

    /// Puts pinned pieces into their cells, and removes other pieces from these.
    pub(super) fn place_pinned_pieces(&mut self) {
        for &PinnedCell { cell, piece, turn } in self.space.cells.pins() {
            let current_cell = self.board().cell_of(piece);
            let current = self.board().get(current_cell);
            let has_turn = |placed: PlacedPiece| turn.is_none_or(|turn| turn == placed.turn);
            if current_cell == cell && current.is_some_and(has_turn) {
                continue;
            }
            if current_cell != OUTSIDE {
                self.board_mut().remove(current_cell);
            }
            self.board_mut().remove(cell);
            let best = || self.best_turn(cell, piece, EmptyCells::WillBeFilled, f32::INFINITY);
            let turn = turn.or_else(|| best().map(|(_, turn)| turn)).unwrap_or_default();
            self.board_mut().put(cell, Some(PlacedPiece { piece, turn }));
        }
    }

    /// Joins pieces that touch now, except along doubtful seams of the window.
    fn keep_good_seams(&mut self, segments: &mut Segments, limit: Limit, threshold: f32) {
        let window = self.window();
        for cell in self.space.cells.all() {
            for direction in [Side::Right, Side::Bottom] {
                let next = self.space.cells.neighbor(cell, direction);
                let (Some(here), Some(there)) = (self.board().at(cell), self.board().get(next))
                else {
                    continue;
                };
                let is_inside = window.contains(self.space.cells.position(cell))
                    || window.contains(self.space.cells.position(next));
                let holds = self.seam_cost(cell, direction) < threshold * 2.0 * self.random.unit();
                if holds || !is_inside {
                    let (a, b) = (here.facing(direction), there.facing(direction.opposite()));
                    segments.try_join(a, b, limit);
                }
            }
        }
    }

    /// Grows segments along matches, by increasing cost plus noise.
    fn join_matches(&mut self, segments: &mut Segments, limit: Limit) {
        let is_free = |side: SideId| segments.piece_across(side).is_none();
        let mut matches: Vec<(f32, SideId, SideId)> = Vec::new();
        for found in self.space.costs.matches() {
            if is_free(found.a) && is_free(found.b) {
                let cost = found.cost + MAX_NOISE * self.random.unit();
                matches.push((cost, found.a, found.b));
            }
        }
        matches.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        for (_, a, b) in matches {
            segments.try_join(a, b, limit);
        }
    }

    /// The part of a segment that the frame covers in its best position. Of the two orientations of the frame
    /// the one that covers more is taken, now and then a random one.
    fn fit_into_frame(
        &mut self,
        segments: &Segments,
        largest: &Segment,
    ) -> Vec<(CellIndex, PlacedPiece)> {
        let Some(frame) = self.space.cells.boards().single_frame() else { return Vec::new() };
        let mut ways: Vec<Vec<Placement>> = self
            .space
            .turns
            .of_frame(frame)
            .iter()
            .map(|&turn| trim_to_frame(segments, largest, frame, turn))
            .collect();
        if ways.len() == 2 {
            let (upright, turned) = (ways[0].len(), ways[1].len());
            let is_random = upright == turned || self.random.below(4) == 0;
            let takes_turned = if is_random { self.random.below(2) == 0 } else { turned > upright };
            if takes_turned {
                ways.swap(0, 1);
            }
        }
        let placed = |Placement { piece, place }| {
            (self.space.cells.index_of(0, place.cell), PlacedPiece { piece, turn: place.turn })
        };
        ways.swap_remove(0).into_iter().map(placed).collect()
    }

    /// For each board the largest segment of which most pieces lie there; the largest segment of all if there is
    /// none.
    fn largest_of_boards<'s>(
        &self,
        segments: &Segments,
        parts: &[&'s Segment],
    ) -> Vec<&'s Segment> {
        let mut taken = vec![false; self.space.cells.boards().frames.len()];
        let mut largest = Vec::new();
        for &part in parts {
            if largest.len() == taken.len() || part.pieces().len() < MIN_WHOLE {
                break;
            }
            let mut counts = vec![0; taken.len()];
            for (cell, _) in self.in_place(segments, part) {
                if let Some((board, _)) = self.space.cells.place(cell) {
                    counts[board] += 1;
                }
            }
            let board = (0..counts.len()).max_by_key(|&board| counts[board]).unwrap_or(0);
            if !taken[board] && 2 * counts[board] > part.pieces().len() {
                taken[board] = true;
                largest.push(part);
            }
        }
        if largest.is_empty() { parts.iter().take(1).copied().collect() } else { largest }
    }

    /// The part of a segment that lies in cells, without moving the segment.
    fn in_place(&self, segments: &Segments, segment: &Segment) -> Vec<(CellIndex, PlacedPiece)> {
        let placed = |&piece: &PieceId| {
            let PlaceInSegment { position, turn } = segments.place_of(piece);
            (self.space.cells.at(position), PlacedPiece { piece, turn })
        };
        segment.pieces().iter().map(placed).filter(|&(cell, _)| cell != OUTSIDE).collect()
    }

    /// The place of a piece if positions matter, the origin otherwise.
    fn current_place(&self, piece: PieceId) -> PlaceInSegment {
        let cell = self.board().cell_of(piece);
        match self.board().get(cell) {
            Some(PlacedPiece { turn, .. }) if self.space.cells.is_anchored() => {
                PlaceInSegment { position: self.space.cells.position(cell), turn }
            }
            _ => PlaceInSegment::default(),
        }
    }

    /// Puts a segment into holes where it fits best, if it fits anywhere.
    fn place_whole(&mut self, segments: &Segments, part: &Segment) {
        let Some(&anchor) = part.pieces().first() else { return };
        let anchor = segments.place_of(anchor).position;
        let (mut least, mut best) = (f32::INFINITY, None);
        for &turn in self.space.turns.turns() {
            for &hole in &self.buffers.holes {
                let motion = Motion::new(anchor, self.space.cells.position(hole), turn);
                let score = self.score_of(segments, part, motion);
                if let Some(score) = score.filter(|&score| score < least) {
                    (least, best) = (score, Some(motion));
                }
            }
        }
        let Some(motion) = best else { return };
        for &piece in part.pieces() {
            let (cell, placed) = self.moved(segments, piece, motion);
            self.board_mut().put(cell, Some(placed));
        }
    }

    /// The cell and turn of a piece after a motion of its segment.
    fn moved(
        &self,
        segments: &Segments,
        piece: PieceId,
        motion: Motion,
    ) -> (CellIndex, PlacedPiece) {
        let PlaceInSegment { position, turn } = motion.apply_to_place(segments.place_of(piece));
        (self.space.cells.at(position), PlacedPiece { piece, turn })
    }

    /// How badly a segment would fit after a motion: the sum of the costs of its contacts, each less
    /// [`FITTING_COST`]. `None` unless all its pieces would be in holes.
    fn score_of(&self, segments: &Segments, part: &Segment, motion: Motion) -> Option<f32> {
        let is_hole = |cell: CellIndex| cell != OUTSIDE && self.board().at(cell).is_none();
        let fits = |&piece: &PieceId| is_hole(self.moved(segments, piece, motion).0);
        if !part.pieces().iter().all(fits) {
            return None;
        }
        let mut score = 0.0;
        for &piece in part.pieces() {
            let (cell, placed) = self.moved(segments, piece, motion);
            for direction in Side::ALL {
                let next = self.space.cells.neighbor(cell, direction);
                let side = placed.facing(direction);
                if next == OUTSIDE {
                    let cost = self.space.cells.edge_cost(self.space.costs, cell, direction, side);
                    score += cost - FITTING_COST;
                } else if let Some(other) = self.board().at(next) {
                    score += self.space.costs.of(side, other.facing(direction.opposite()))
                        - FITTING_COST;
                }
            }
        }
        Some(score)
    }
}
