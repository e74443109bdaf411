//! Taking a part of the board to pieces and putting it together again.
//!
//! Seams of the window break if they are doubtful, more of them the smaller a threshold, which is
//! drawn afresh each time. The segments that are left, freed from their places, grow along the likely
//! matches as in \[Gal12\], in an order that is a little disturbed; the largest is laid into the frame,
//! the others whole where they fit best between what lies there, and what is left piece by piece. So
//! the board is put together again without its worst mistakes, and with some new ones. (The idea of
//! rebuilding from what is good is a large-neighbourhood search's.)

use super::arrangement::Held;
use super::cells::{CellIndex, OUTSIDE, PinnedCell};
use super::costs::MAX_COST;
use super::walk::{Holes, Walk};
use crate::locations::segment::{Limit, PlaceInSegment, Position, Segment, Segments};
use crate::locations::trim::trim_to_frame;
use crate::puzzle::{PieceId, Placement, QuarterTurn, Side, SideId};

/// The largest threshold, and which part of it the smallest is.
const MAX_THRESHOLD: f32 = 6.0;
const THRESHOLD_RANGE: f32 = 0.05;

/// By how much at most the cost of a match is disturbed.
const DISTURBANCE: f32 = 1.0;

/// Smaller segments are not laid whole.
const MIN_WHOLE: usize = 3;

/// What a contact of a segment that is laid whole must cost for it to speak for that place.
const FITTING_COST: f32 = 0.5 * MAX_COST;

impl Walk<'_> {
    /// Rebuilds the window.
    pub(super) fn rebuild(&mut self) {
        let threshold = MAX_THRESHOLD * THRESHOLD_RANGE.powf(self.random.unit());
        let mut segments = Segments::alone(
            (0..self.board().num_pieces()).map(|index| self.place_now(PieceId::new(index))),
        );
        self.keep_good_seams(&mut segments, threshold);
        self.join_matches(&mut segments);
        let parts = segments.by_size();
        let Some(&largest) = parts.first() else { return };
        let (first, placements): (Vec<&Segment>, Vec<(CellIndex, Held)>) =
            if self.cells.has_places() {
                let first = self.largest_of_boards(&segments, &parts);
                let laid =
                    first.iter().flat_map(|part| self.lay_as_it_is(&segments, part)).collect();
                (first, laid)
            } else {
                (vec![largest], self.lay_into_frame(&segments, largest))
            };
        self.board_mut().clear();
        for (cell, held) in placements {
            if self.board().at(cell).is_none() {
                self.board_mut().put(cell, Some(held));
            }
        }
        self.lay_pins();
        self.list_holes();
        for part in parts.iter().take_while(|part| part.pieces().len() >= MIN_WHOLE) {
            if !first.iter().any(|laid| std::ptr::eq(*laid, *part)) {
                self.lay_whole(&segments, part);
            }
        }
        self.list_holes();
        self.fill();
        self.begin_anew();
    }

    /// Puts pinned pieces where they belong, and takes away what lies there.
    pub(super) fn lay_pins(&mut self) {
        for &PinnedCell { cell, piece, turn } in self.cells.pins() {
            let lies_at = self.board().cell_of(piece);
            let held = self.board().get(lies_at);
            if lies_at == cell && held.is_some_and(|held| turn.is_none_or(|turn| turn == held.turn))
            {
                continue;
            }
            if lies_at != OUTSIDE {
                self.board_mut().lift(lies_at);
            }
            self.board_mut().lift(cell);
            let best = || self.best_turn(cell, piece, Holes::WillBeFilled, f32::INFINITY);
            let turn = turn.or_else(|| best().map(|(_, turn)| turn)).unwrap_or_default();
            self.board_mut().put(cell, Some(Held { piece, turn }));
        }
    }

    fn limit(&self) -> Limit {
        self.cells.limit(self.turns)
    }

    /// Joins what touches now, but for the doubtful seams of the window.
    fn keep_good_seams(&mut self, segments: &mut Segments, threshold: f32) {
        let window = self.window();
        for cell in self.cells.all() {
            for direction in [Side::Right, Side::Bottom] {
                let next = self.cells.next(cell, direction);
                let (Some(here), Some(there)) = (self.board().at(cell), self.board().get(next))
                else {
                    continue;
                };
                let is_inside = window.contains(self.cells.position(cell))
                    || window.contains(self.cells.position(next));
                let holds = self.seam_now(cell, direction) < threshold * 2.0 * self.random.unit();
                if holds || !is_inside {
                    let (a, b) = (here.facing(direction), there.facing(direction.opposite()));
                    segments.try_join(a, b, self.limit());
                }
            }
        }
    }

    /// Grows segments along matches by increasing cost, a little disturbed.
    fn join_matches(&mut self, segments: &mut Segments) {
        let is_free = |side: SideId| segments.piece_across(side).is_none();
        let mut matches: Vec<(f32, SideId, SideId)> = Vec::new();
        for found in self.costs.matches() {
            if is_free(found.a) && is_free(found.b) {
                let cost = found.cost + DISTURBANCE * self.random.unit();
                matches.push((cost, found.a, found.b));
            }
        }
        matches.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        for (_, a, b) in matches {
            segments.try_join(a, b, self.limit());
        }
    }

    /// The placements of what the frame covers of a segment: as it lies or across, whichever covers
    /// more, but now and then either.
    fn lay_into_frame(&mut self, segments: &Segments, largest: &Segment) -> Vec<(CellIndex, Held)> {
        let Some(frame) = self.cells.boards().only() else { return Vec::new() };
        let mut ways: Vec<Vec<Placement>> = self
            .turns
            .of_frame(frame)
            .iter()
            .map(|&turn| trim_to_frame(segments, largest, frame, turn))
            .collect();
        if ways.len() == 2 {
            let (upright, across) = (ways[0].len(), ways[1].len());
            let is_open = upright == across || self.random.below(4) == 0;
            let takes_across = if is_open { self.random.below(2) == 0 } else { across > upright };
            if takes_across {
                ways.swap(0, 1);
            }
        }
        let held = |Placement { piece, place }| {
            (self.cells.of_place(0, place.cell), Held { piece, turn: place.turn })
        };
        ways.swap_remove(0).into_iter().map(held).collect()
    }

    /// Of each board the largest segment that lies there for the most part; of a part of a board the
    /// largest.
    fn largest_of_boards<'s>(
        &self,
        segments: &Segments,
        parts: &[&'s Segment],
    ) -> Vec<&'s Segment> {
        let mut taken = vec![false; self.cells.boards().frames.len()];
        let mut largest = Vec::new();
        for &part in parts {
            if largest.len() == taken.len() || part.pieces().len() < MIN_WHOLE {
                break;
            }
            let mut counts = vec![0; taken.len()];
            for (cell, _) in self.lay_as_it_is(segments, part) {
                if let Some((board, _)) = self.cells.place(cell) {
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

    /// What the cells cover of a segment that stays where it is.
    fn lay_as_it_is(&self, segments: &Segments, largest: &Segment) -> Vec<(CellIndex, Held)> {
        let held = |&piece: &PieceId| {
            let PlaceInSegment { position, turn } = segments.place_of(piece);
            (self.cells.at(position), Held { piece, turn })
        };
        largest.pieces().iter().map(held).filter(|&(cell, _)| cell != OUTSIDE).collect()
    }

    /// Where a piece lies, if on the board.
    fn place_now(&self, piece: PieceId) -> PlaceInSegment {
        let cell = self.board().cell_of(piece);
        match self.board().get(cell) {
            Some(Held { turn, .. }) if self.cells.has_places() => {
                PlaceInSegment { position: self.cells.position(cell), turn }
            }
            _ => PlaceInSegment::default(),
        }
    }

    /// Lays a segment into holes where it fits best, if it fits anywhere.
    fn lay_whole(&mut self, segments: &Segments, part: &Segment) {
        let Some(&anchor) = part.pieces().first() else { return };
        let anchor = segments.place_of(anchor).position;
        let mut best = (f32::INFINITY, OUTSIDE, QuarterTurn::ZERO);
        for &turn in self.turns.turns() {
            for index in 0..self.buffers.holes.len() {
                let hole = self.buffers.holes[index];
                let score =
                    self.score_of(segments, part, |place| self.moved(place, anchor, hole, turn));
                if let Some(score) = score.filter(|&score| score < best.0) {
                    best = (score, hole, turn);
                }
            }
        }
        let (_, hole, turn) = best;
        if hole == OUTSIDE {
            return;
        }
        for &piece in part.pieces() {
            let (cell, turn) = self.moved(segments.place_of(piece), anchor, hole, turn);
            self.board_mut().put(cell, Some(Held { piece, turn }));
        }
    }

    /// Where a place of a segment comes to lie whose anchor goes to a hole.
    fn moved(
        &self,
        place: PlaceInSegment,
        anchor: Position,
        hole: CellIndex,
        turn: QuarterTurn,
    ) -> (CellIndex, QuarterTurn) {
        let position = (place.position - anchor).turned(turn) + self.cells.position(hole);
        (self.cells.at(position), place.turn + turn)
    }

    /// How badly a segment would fit: over its contacts what they cost above what speaks for it;
    /// nothing if it does not lie in holes throughout.
    fn score_of(
        &self,
        segments: &Segments,
        part: &Segment,
        moved: impl Fn(PlaceInSegment) -> (CellIndex, QuarterTurn),
    ) -> Option<f32> {
        let is_hole = |cell: CellIndex| cell != OUTSIDE && self.board().at(cell).is_none();
        let fits = |&piece: &PieceId| is_hole(moved(segments.place_of(piece)).0);
        if !part.pieces().iter().all(fits) {
            return None;
        }
        let mut score = 0.0;
        for &piece in part.pieces() {
            let (cell, turn) = moved(segments.place_of(piece));
            let held = Held { piece, turn };
            for direction in Side::ALL {
                let next = self.cells.next(cell, direction);
                let side = held.facing(direction);
                if next == OUTSIDE {
                    let cost = self.cells.edge_cost(self.costs, cell, direction, side);
                    score += cost - FITTING_COST;
                } else if let Some(other) = self.board().at(next) {
                    score += self.costs.of(side, other.facing(direction.opposite())) - FITTING_COST;
                }
            }
        }
        Some(score)
    }
}
