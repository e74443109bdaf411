//! The segment move: a group of pieces moves so that one likely pair of sides touches.
//!
//! An open side draws one of its likely partners. Either the partner moves next to it, or the other way round. The
//! moving piece takes neighbours along, over seams that cost less than a random threshold, which differs a
//! little from seam to seam: so single pieces and whole regions move, with other outlines each time. The
//! pieces that lay at the goal are put into the cells that became empty: one by one if they are few,
//! otherwise along the reverse motion, so that two regions change places.

use super::acceptance::max_accepted_increase;
use super::annealer::Annealer;
use super::board_state::PlacedPiece;
use super::cells::{CellIndex, OUTSIDE};
use crate::locations::segment::Motion;
use crate::puzzle::{QuarterTurn, Side};

/// The most pieces that may be displaced.
const MAX_DISPLACED: usize = 60;

/// The most pieces that move together. The cost of a move grows with the segment, and a larger one rarely ends at
/// an open seam.
const MAX_SEGMENT: usize = 400;

/// Up to this many holes are filled piece by piece, more by the reverse motion.
const MAX_SINGLY: usize = 12;

/// Thresholds are log-uniform between this and [`THRESHOLD_RANGE`] times as much.
const LEAST_THRESHOLD: f32 = 0.02;
const THRESHOLD_RANGE: f32 = 500.0;

/// The motion of one piece that makes a likely pair of sides touch.
struct Target {
    /// The cell of the piece that stays; the goal is next to it.
    stays: CellIndex,
    /// The cell of the piece that moves.
    moves: CellIndex,
    goal: CellIndex,
    turn: QuarterTurn,
}

impl Annealer<'_> {
    /// Tries one move, and keeps it if the acceptance rule allows.
    pub(super) fn move_segment(&mut self, temperature: f32) {
        let Some(target) = self.draw_target() else { return };
        let mark = self.gather_segment(&target);
        let position = |cell: CellIndex| self.space.cells.position(cell);
        let motion = Motion::new(position(target.moves), position(target.goal), target.turn);
        self.find_targets(motion, target.stays);
        let num_moved = self.buffers.segment.len();
        let to_change = self.list_changed(mark);
        if self.changed.len() - num_moved > MAX_DISPLACED {
            return;
        }
        let before = self.cost_of_changed(mark, to_change, num_moved);
        let limit = before + max_accepted_increase(&mut self.random, temperature);
        self.record_changed();
        self.carry_segment(motion.turn);
        let Some(after) = self.cost_of_segment(mark, motion.turn, limit) else {
            return self.revert();
        };
        let hole_mark = self.find_holes();
        if self.buffers.holes.len() <= MAX_SINGLY {
            self.insert_unplaced();
        } else {
            self.send_back(num_moved, motion.inverse());
        }
        let Some(after) = self.cost_of_holes(hole_mark, after, limit) else { return self.revert() };
        self.commit(after - before);
    }

    /// Draws an open side and a likely partner of it, and which of the two moves.
    fn draw_target(&mut self) -> Option<Target> {
        let (cell, direction) = self.random_open()?;
        let side = self.board().at(cell)?.facing(direction);
        let proposals = self.space.costs.proposals(side);
        let drawn = self.random.unit();
        let other = proposals.iter().find(|proposal| drawn < proposal.up_to).or(proposals.last())?;
        let other = other.side;
        let other_cell = self.board().cell_of(other.piece());
        let other_direction = other.side() + self.board().get(other_cell)?.turn;
        // The cell that stays, the direction of the goal from there, the side that moves, and its cell.
        let mut roles =
            [(cell, direction, other, other_cell), (other_cell, other_direction, side, cell)];
        if self.random.below(2) == 0 {
            roles.reverse();
        }
        let cells = self.space.cells;
        roles.into_iter().find_map(|(stays, direction, moved_side, moves)| {
            let goal = cells.neighbor(stays, direction);
            let new_turn = direction.opposite() - moved_side.side();
            let turn = self.board().at(moves)?.turn;
            let is_there = goal == moves && new_turn == turn;
            let may_move = !cells.is_pinned(moves) && !cells.is_pinned(goal);
            let is_possible = goal != OUTSIDE && !is_there && may_move;
            is_possible.then_some(Target { stays, moves, goal, turn: new_turn - turn })
        })
    }

    /// Gathers the segment around the moving piece, without the piece that stays. Returns the mark of its
    /// cells.
    fn gather_segment(&mut self, target: &Target) -> u32 {
        let threshold = LEAST_THRESHOLD * THRESHOLD_RANGE.powf(self.random.unit());
        let max_len = match self.random.below(4) {
            0 => 1,
            1 => 8,
            2 => 40,
            _ => (self.space.cells.len() / 2).min(MAX_SEGMENT),
        };
        let mark = self.new_mark();
        let mut segment = std::mem::take(&mut self.buffers.segment);
        segment.clear();
        segment.push(target.moves);
        self.mark(target.moves, mark);
        let mut index = 0;
        while index < segment.len() && segment.len() < max_len {
            let cell = segment[index];
            index += 1;
            for direction in Side::ALL {
                let next = self.space.cells.neighbor(cell, direction);
                if next == OUTSIDE
                    || next == target.stays
                    || self.is_marked(next, mark)
                    || self.board().at(next).is_none()
                    || self.space.cells.is_pinned(next)
                {
                    continue;
                }
                let holds = self.seam_cost(cell, direction) < threshold * 2.0 * self.random.unit();
                if holds && segment.len() < max_len {
                    self.mark(next, mark);
                    segment.push(next);
                }
            }
        }
        self.buffers.segment = segment;
        mark
    }

    /// Finds the new cell of each piece of the segment. Pieces that would leave the board, or reach the piece that
    /// stays or a pinned one, are left behind.
    fn find_targets(&mut self, motion: Motion, stays: CellIndex) {
        let mut segment = std::mem::take(&mut self.buffers.segment);
        let mut targets = std::mem::take(&mut self.buffers.targets);
        targets.clear();
        segment.retain(|&cell| {
            let target = self.space.cells.at(motion.apply(self.space.cells.position(cell)));
            let moves = target != OUTSIDE && target != stays && !self.space.cells.is_pinned(target);
            if moves {
                targets.push(target);
            } else {
                self.buffers.marks[cell as usize] = 0;
            }
            moves
        });
        self.buffers.segment = segment;
        self.buffers.targets = targets;
    }

    /// Lists the changed cells, those of the segment first. These keep their mark; the others get a new one, which
    /// is returned.
    fn list_changed(&mut self, mark: u32) -> u32 {
        let to_change = self.new_mark();
        self.changed.clear();
        self.changed.extend_from_slice(&self.buffers.segment);
        for index in 0..self.buffers.targets.len() {
            let target = self.buffers.targets[index];
            if !self.is_marked(target, mark) {
                self.mark(target, to_change);
                self.changed.push(target);
            }
        }
        to_change
    }

    /// The cost of the seams of the changed cells, except those inside the segment, which do not change.
    fn cost_of_changed(&self, in_segment: u32, to_change: u32, num_moved: usize) -> f32 {
        let mut sum = 0.0;
        for (index, &cell) in self.changed.iter().enumerate() {
            for direction in Side::ALL {
                let next = self.space.cells.neighbor(cell, direction);
                let cost = self.seam_cost(cell, direction);
                let next_moves = self.is_marked(next, in_segment);
                if next_moves && index < num_moved {
                    continue;
                }
                // The seam between two changed cells is counted from both of them.
                let is_counted_twice = next_moves || self.is_marked(next, to_change);
                sum += if is_counted_twice { 0.5 * cost } else { cost };
            }
        }
        sum
    }

    fn carry_segment(&mut self, turn: QuarterTurn) {
        for index in 0..self.buffers.segment.len() {
            let cell = self.buffers.segment[index];
            self.board_mut().put(cell, None);
        }
        for index in 0..self.buffers.targets.len() {
            let (target, placed) = (self.buffers.targets[index], self.content_before(index));
            let placed = placed.map(|placed| PlacedPiece { turn: placed.turn + turn, ..placed });
            self.board_mut().put(target, placed);
        }
    }

    /// The cost of the segment in its new place, without seams to holes; none if it exceeds the limit.
    fn cost_of_segment(&self, in_segment: u32, turn: QuarterTurn, limit: f32) -> Option<f32> {
        let mut sum = 0.0;
        for (&from, &to) in self.buffers.segment.iter().zip(&self.buffers.targets) {
            for direction in Side::ALL {
                if self.is_marked(self.space.cells.neighbor(from, direction), in_segment) {
                    continue;
                }
                let direction = direction + turn;
                let next = self.space.cells.neighbor(to, direction);
                let is_hole = self.is_marked(next, in_segment) && self.board().at(next).is_none();
                if is_hole {
                    continue;
                }
                sum += self.board().seam(self.space, to, direction);
            }
            if sum > limit {
                return None;
            }
        }
        Some(sum)
    }

    /// Lists the cells that the segment left empty, and the pieces that it displaced. Returns the mark of the
    /// holes.
    fn find_holes(&mut self) -> u32 {
        let mark = self.new_mark();
        let num_moved = self.buffers.segment.len();
        self.buffers.holes.clear();
        for index in 0..num_moved {
            let cell = self.buffers.segment[index];
            if self.board().at(cell).is_none() {
                self.mark(cell, mark);
                self.buffers.holes.push(cell);
            }
        }
        self.buffers.unplaced.clear();
        for index in num_moved..self.changed.len() {
            self.buffers.unplaced.extend(self.content_before(index).map(|placed| placed.piece));
        }
        mark
    }

    /// Moves each displaced piece by the reverse motion, again and again until it reaches a hole.
    fn send_back(&mut self, num_moved: usize, back: Motion) {
        for index in num_moved..self.changed.len() {
            let Some(mut placed) = self.content_before(index) else { continue };
            let mut cell = self.changed[index];
            // The cell of a displaced piece is a target of the segment, so the reverse motion leads into the
            // segment and on through it, until it reaches a cell that is not a target: a hole.
            while self.board().at(cell).is_some() {
                cell = self.space.cells.at(back.apply(self.space.cells.position(cell)));
                placed = PlacedPiece { turn: placed.turn + back.turn, ..placed };
            }
            self.board_mut().put(cell, Some(placed));
        }
    }

    /// The cost of the former holes plus that of the others; none if it exceeds the limit.
    fn cost_of_holes(&self, hole_mark: u32, others: f32, limit: f32) -> Option<f32> {
        let mut sum = others;
        for &cell in &self.buffers.segment {
            if !self.is_marked(cell, hole_mark) {
                continue;
            }
            for direction in Side::ALL {
                let next = self.space.cells.neighbor(cell, direction);
                if !(self.is_marked(next, hole_mark) && next < cell) {
                    sum += self.board().seam(self.space, cell, direction);
                }
            }
            if sum > limit {
                return None;
            }
        }
        (sum <= limit).then_some(sum)
    }
}
