//! Moving a segment so that one likely match comes true.
//!
//! An open side asks for one of its candidates. Either the candidate comes, or the piece that asks
//! goes there, with as much of its surroundings as hangs together: from the piece outwards over seams
//! below a threshold, which is drawn afresh each time, and a little for each seam, so that single
//! pieces and whole regions move, along other lines every time. What lay at the goal is put into the
//! cells that became empty: piece by piece where it is little, otherwise all of it back along the way
//! that the segment came, so that two regions change places.

use super::arrangement::Held;
use super::cells::{CellIndex, OUTSIDE};
use super::walk::Walk;
use crate::locations::segment::Position;
use crate::puzzle::{QuarterTurn, Side, SideId};

/// Pieces that may be driven out at most.
const MAX_DRIVEN_OUT: usize = 60;

/// Pieces that move together at most: of larger segments the way to the next open seam is far, and a
/// move costs as much as it takes up.
const MAX_SEGMENT: usize = 400;

/// So many are put back piece by piece; more, all together.
const MAX_SINGLY: usize = 12;

/// Thresholds lie between this and [`THRESHOLD_RANGE`] times as much, each order of magnitude as often.
const LEAST_THRESHOLD: f32 = 0.02;
const THRESHOLD_RANGE: f32 = 500.0;

/// A rigid motion that takes a cell to another.
#[derive(Clone, Copy)]
struct Motion {
    from: Position,
    to: Position,
    turn: QuarterTurn,
}

impl Motion {
    fn apply(self, position: Position) -> Position {
        (position - self.from).turned(self.turn) + self.to
    }

    fn back(self) -> Self {
        Self { from: self.to, to: self.from, turn: -self.turn }
    }
}

/// Which cell's piece comes to lie where.
struct Wish {
    /// It stays, and the goal is next to it.
    stays: CellIndex,
    goes: CellIndex,
    goal: CellIndex,
    turn: QuarterTurn,
}

impl Walk<'_> {
    /// Tries one move, and keeps it unless it costs more than the temperature allows.
    pub(super) fn move_segment(&mut self, temperature: f32) {
        let Some(wish) = self.wish() else { return };
        let mark = self.gather_segment(&wish);
        let motion = Motion {
            from: self.cells.position(wish.goes),
            to: self.cells.position(wish.goal),
            turn: wish.turn,
        };
        self.aim(motion, wish.stays);
        let num_moved = self.buffers.segment.len();
        let to_change = self.note_changed(mark);
        if self.changed.len() - num_moved > MAX_DRIVEN_OUT {
            return;
        }
        let before = self.cost_of_changed(mark, to_change, num_moved);
        let limit = before + self.allowance(temperature);
        self.remember();
        self.carry_segment(motion.turn);
        let Some(after) = self.cost_of_segment(mark, motion.turn, limit) else {
            return self.undo();
        };
        let hole_mark = self.find_holes();
        if self.buffers.holes.len() <= MAX_SINGLY {
            self.fill();
        } else {
            self.send_back(num_moved, motion.back());
        }
        let Some(after) = self.cost_of_holes(hole_mark, after, limit) else { return self.undo() };
        self.keep(after - before);
    }

    /// A match that an open side would like to come true, and who is to move for it.
    fn wish(&mut self) -> Option<Wish> {
        let (cell, direction) = self.random_open()?;
        let side = self.board().at(cell)?.facing(direction);
        let proposals = self.costs.proposals(side);
        let drawn = self.random.unit();
        let other = proposals.iter().find(|proposal| drawn < proposal.up_to).or(proposals.last())?;
        let other = other.side;
        let other_cell = self.board().cell_of(other.piece());
        let other_direction = other.side() + self.board().get(other_cell)?.turn;
        let asks = (cell, direction, side);
        let asked = (other_cell, other_direction, other);
        let mut roles = [(asks, asked.2, other_cell), (asked, asks.2, cell)];
        if self.random.below(2) == 0 {
            roles.reverse();
        }
        // Beyond the border nothing can go.
        roles.into_iter().find_map(|((stays, direction, _), moved, goes): (_, SideId, _)| {
            let goal = self.cells.next(stays, direction);
            let turn = direction.opposite() - moved.side();
            let turn_now = self.board().at(goes)?.turn;
            let is_there = goal == goes && turn == turn_now;
            let may_go = !self.cells.is_pinned(goes) && !self.cells.is_pinned(goal);
            (goal != OUTSIDE && !is_there && may_go).then_some(Wish {
                stays,
                goes,
                goal,
                turn: turn - turn_now,
            })
        })
    }

    /// What hangs together around the piece that goes, without the one that stays. Returns the mark of
    /// its cells.
    fn gather_segment(&mut self, wish: &Wish) -> u32 {
        let threshold = LEAST_THRESHOLD * THRESHOLD_RANGE.powf(self.random.unit());
        let max_len = match self.random.below(4) {
            0 => 1,
            1 => 8,
            2 => 40,
            _ => (self.cells.len() / 2).min(MAX_SEGMENT),
        };
        let mark = self.new_mark();
        let mut segment = std::mem::take(&mut self.buffers.segment);
        segment.clear();
        segment.push(wish.goes);
        self.mark(wish.goes, mark);
        let mut index = 0;
        while index < segment.len() && segment.len() < max_len {
            let cell = segment[index];
            index += 1;
            for direction in Side::ALL {
                let next = self.cells.next(cell, direction);
                if next == OUTSIDE
                    || next == wish.stays
                    || self.is_marked(next, mark)
                    || self.board().at(next).is_none()
                    || self.cells.is_pinned(next)
                {
                    continue;
                }
                let holds = self.seam_now(cell, direction) < threshold * 2.0 * self.random.unit();
                if holds && segment.len() < max_len {
                    self.mark(next, mark);
                    segment.push(next);
                }
            }
        }
        self.buffers.segment = segment;
        mark
    }

    /// Where the cells of the segment go. Those that would leave the board, or go where the staying
    /// piece or a pinned one lies, are left behind.
    fn aim(&mut self, motion: Motion, stays: CellIndex) {
        let mut segment = std::mem::take(&mut self.buffers.segment);
        let mut targets = std::mem::take(&mut self.buffers.targets);
        targets.clear();
        segment.retain(|&cell| {
            let target = self.cells.at(motion.apply(self.cells.position(cell)));
            let goes = target != OUTSIDE && target != stays && !self.cells.is_pinned(target);
            if goes {
                targets.push(target);
            } else {
                self.buffers.marks[cell as usize] = 0;
            }
            goes
        });
        self.buffers.segment = segment;
        self.buffers.targets = targets;
    }

    /// Lists the changed cells, those of the segment first. These keep their mark; the others get a
    /// new one, which is returned.
    fn note_changed(&mut self, mark: u32) -> u32 {
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

    /// What the seams of the changed cells cost, but for those inside the segment, which stay.
    fn cost_of_changed(&self, in_segment: u32, to_change: u32, num_moved: usize) -> f32 {
        let mut sum = 0.0;
        for (index, &cell) in self.changed.iter().enumerate() {
            for direction in Side::ALL {
                let next = self.cells.next(cell, direction);
                let cost = self.seam_now(cell, direction);
                let next_moves = self.is_marked(next, in_segment);
                if next_moves && index < num_moved {
                    continue;
                }
                // Between two changed cells every seam is met twice.
                let is_met_twice = next_moves || self.is_marked(next, to_change);
                sum += if is_met_twice { 0.5 * cost } else { cost };
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
            let (target, held) = (self.buffers.targets[index], self.lay_before(index));
            let held = held.map(|held| Held { turn: held.turn + turn, ..held });
            self.board_mut().put(target, held);
        }
    }

    /// What the segment costs in its new place, against all but holes; nothing if more than the limit.
    fn cost_of_segment(&self, in_segment: u32, turn: QuarterTurn, limit: f32) -> Option<f32> {
        let mut sum = 0.0;
        for (&from, &to) in self.buffers.segment.iter().zip(&self.buffers.targets) {
            for direction in Side::ALL {
                if self.is_marked(self.cells.next(from, direction), in_segment) {
                    continue;
                }
                let direction = direction + turn;
                let next = self.cells.next(to, direction);
                let is_hole = self.is_marked(next, in_segment) && self.board().at(next).is_none();
                if is_hole {
                    continue;
                }
                sum += self.board().seam(self.cells, self.costs, to, direction);
            }
            if sum > limit {
                return None;
            }
        }
        Some(sum)
    }

    /// Which cells the segment left empty, and which pieces it drove out. Returns the mark of the
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
        self.buffers.loose.clear();
        for index in num_moved..self.changed.len() {
            self.buffers.loose.extend(self.lay_before(index).map(|held| held.piece));
        }
        mark
    }

    /// Sends the pieces that were driven out back along the motion, until they come to a hole.
    fn send_back(&mut self, num_moved: usize, back: Motion) {
        for index in num_moved..self.changed.len() {
            let Some(mut held) = self.lay_before(index) else { continue };
            let mut cell = self.changed[index];
            // A driven-out cell is a goal of the segment, so that the way back leads into the segment,
            // and on through it, to a cell that is nobody's goal: a hole.
            while self.board().at(cell).is_some() {
                cell = self.cells.at(back.apply(self.cells.position(cell)));
                held = Held { turn: held.turn + back.turn, ..held };
            }
            self.board_mut().put(cell, Some(held));
        }
    }

    /// What the former holes cost, added to what the rest does; nothing if more than the limit.
    fn cost_of_holes(&self, hole_mark: u32, others: f32, limit: f32) -> Option<f32> {
        let mut sum = others;
        for &cell in &self.buffers.segment {
            if !self.is_marked(cell, hole_mark) {
                continue;
            }
            for direction in Side::ALL {
                let next = self.cells.next(cell, direction);
                if !(self.is_marked(next, hole_mark) && next < cell) {
                    sum += self.board().seam(self.cells, self.costs, cell, direction);
                }
            }
            if sum > limit {
                return None;
            }
        }
        (sum <= limit).then_some(sum)
    }
}
