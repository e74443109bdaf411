//! Exchanges pieces that look alike, so that their seams fit where the reference is flat.
//!
//! The energy of a board is the sum of the likeness costs of its pieces and the costs of its seams. Colour
//! the cells like a chessboard: cells of one colour do not touch, so the best exchange of their pieces is a
//! linear assignment. The two colours alternate, window by window, until nothing improves.

use super::likeness::Likeness;
use super::likeness_cost;
use crate::graph::AssignmentSolver;
use crate::observer::{Cancelled, Observer, Stage, Termination, check_cancelled};
use crate::puzzle::{Cell, Grid, PieceId, QuarterTurn, Side, SideId};
use crate::search::costs::{MAX_COST, SeamCosts};
use rayon::prelude::*;

/// Cells along a side of a window.
const WINDOW: u32 = 32;

/// The most rounds; few boards need as many.
const MAX_ROUNDS: u32 = 12;

/// The cost of a side that faces an empty cell: more than a good seam, less than a bad one.
const COST_AT_HOLE: f32 = 1.4;

/// Smaller gains count as rounding errors.
const LEAST_GAIN: f64 = 1e-3;

/// A piece stays if by likeness its cell is better than every other by more than four seams can cost.
const SURE: f64 = 4.0 * MAX_COST as f64;

/// A piece and its turn.
pub(super) type TurnedPiece = (PieceId, QuarterTurn);

/// A board to improve.
pub(super) struct Refinement<'a> {
    pub(super) likeness: &'a Likeness,
    pub(super) costs: &'a SeamCosts<'a>,
    pub(super) grid: Grid,
    /// By cell.
    pub(super) board: Vec<Option<TurnedPiece>>,
}

impl Refinement<'_> {
    /// Exchanges pieces until nothing improves.
    pub(super) fn run(&mut self, observer: &dyn Observer) -> Result<Termination, Cancelled> {
        observer.stage_started(Stage::Search, MAX_ROUNDS.into());
        let is_loose = self.loose_cells();
        let mut termination = Termination::Finished;
        for round in 0..MAX_ROUNDS {
            if observer.is_stopped() {
                termination = Termination::Stopped;
                break;
            }
            if !self.round(&is_loose, round, observer)? {
                break;
            }
            observer.stage_advanced(Stage::Search, 1);
        }
        observer.stage_finished(Stage::Search);
        Ok(termination)
    }

    /// The energy of the board.
    pub(super) fn energy(&self) -> f64 {
        let laid = self.board.iter().enumerate().filter_map(|(cell, laid)| Some((cell, (*laid)?)));
        laid.map(|(cell, (piece, turn))| {
            let difference = self.likeness.differences(piece, cell).nth(self.turn_place(turn));
            // Every seam belongs to two pieces.
            likeness_cost(difference.unwrap_or(f32::INFINITY)) + 0.5 * self.seams(piece, turn, cell)
        })
        .sum()
    }

    /// The number of sides of the piece in a cell that fit their neighbours.
    pub(super) fn good_seams(&self, cell: usize) -> usize {
        self.seams_between(cell).filter(|&cost| cost < COST_AT_HOLE).count()
    }

    /// The numbers of bad seams and of all, each counted from both sides.
    pub(super) fn bad_seams(&self) -> (usize, usize) {
        let costs = (0..self.board.len()).flat_map(|cell| self.seams_between(cell));
        costs.fold((0, 0), |(bad, all), cost| (bad + usize::from(cost > COST_AT_HOLE), all + 1))
    }

    /// The costs of the seams between the piece in a cell and its neighbours.
    fn seams_between(&self, cell: usize) -> impl Iterator<Item = f32> {
        let place = self.grid.cell_at(cell);
        Side::ALL.into_iter().filter_map(move |direction| {
            let (piece, turn) = self.board[cell]?;
            let next = self.grid.neighbor(place, direction)?;
            let (other, other_turn) = self.board[self.grid.index_of(next)]?;
            let there = SideId::new(other, direction.opposite() - other_turn);
            Some(self.costs.of(SideId::new(piece, direction - turn), there))
        })
    }

    /// The empty cells, and those whose pieces may move.
    fn loose_cells(&self) -> Vec<bool> {
        let mut is_loose = vec![true; self.grid.num_cells()];
        let laid: Vec<(usize, PieceId)> = self
            .board
            .iter()
            .enumerate()
            .filter_map(|(cell, laid)| laid.map(|(piece, _)| (cell, piece)))
            .collect();
        let pieces: Vec<PieceId> = laid.iter().map(|&(_, piece)| piece).collect();
        let cells: Vec<usize> = laid.iter().map(|&(cell, _)| cell).collect();
        let mut cell_of = vec![0; self.likeness.num_pieces()];
        pieces.iter().zip(&cells).for_each(|(piece, &cell)| cell_of[piece.index()] = cell);
        let sure = self.likeness.map_rows(&pieces, |piece, row| {
            let here = cell_of[piece.index()];
            let others = (0..row.differences.len()).filter(|&cell| cell != here);
            let next = others.map(|cell| row.differences[cell]).fold(f32::INFINITY, f32::min);
            likeness_cost(next) - likeness_cost(row.differences[here]) > SURE
        });
        cells.iter().zip(sure).for_each(|(&cell, is_sure)| is_loose[cell] = !is_sure);
        is_loose
    }

    /// Exchanges pieces in every window and both colours; returns whether the energy fell.
    fn round(
        &mut self,
        is_loose: &[bool],
        round: u32,
        observer: &dyn Observer,
    ) -> Result<bool, Cancelled> {
        // Cells at the edge of a window are inside one in the next round.
        let shift = if round.is_multiple_of(2) { 0 } else { WINDOW / 2 };
        let window_of = |cell: Cell| ((cell.row + shift) / WINDOW, (cell.col + shift) / WINDOW);
        let mut has_gained = false;
        for color in 0..2 {
            let mut groups: std::collections::BTreeMap<(u32, u32), Vec<usize>> =
                std::collections::BTreeMap::new();
            for cell in self.grid.cells().filter(|cell| (cell.row + cell.col) % 2 == color) {
                let index = self.grid.index_of(cell);
                if is_loose[index] {
                    groups.entry(window_of(cell)).or_default().push(index);
                }
            }
            for cells in groups.into_values() {
                check_cancelled(observer)?;
                has_gained |= self.exchange(&cells);
            }
        }
        Ok(has_gained)
    }

    /// Assigns the pieces of these cells, no two of which touch, to the best of these cells; returns whether
    /// the energy fell.
    fn exchange(&mut self, cells: &[usize]) -> bool {
        let pieces: Vec<PieceId> =
            cells.iter().filter_map(|&cell| self.board[cell].map(|(piece, _)| piece)).collect();
        if pieces.is_empty() {
            return false;
        }
        let before: f64 = cells
            .iter()
            .filter_map(|&cell| Some((cell, self.board[cell]?)))
            .map(|(cell, (piece, turn))| {
                let at = self.turn_place(turn);
                let difference = self.likeness.differences(piece, cell).nth(at);
                likeness_cost(difference.unwrap_or(f32::INFINITY)) + self.seams(piece, turn, cell)
            })
            .sum();
        let now = &*self;
        let offers: Vec<(f64, QuarterTurn)> =
            pieces.par_iter().flat_map_iter(|&piece| now.offers(piece, cells)).collect();
        let costs: Vec<f64> = offers.iter().map(|&(cost, _)| cost).collect();
        let mut solver = AssignmentSolver::default();
        let Ok(found) = solver.solve(&costs, pieces.len(), cells.len()) else { return false };
        if found.total > before - LEAST_GAIN {
            return false;
        }
        cells.iter().for_each(|&cell| self.board[cell] = None);
        for (row, &column) in found.column_of_row.iter().enumerate() {
            let (_, turn) = offers[row * cells.len() + column];
            self.board[cells[column]] = Some((pieces[row], turn));
        }
        true
    }

    /// The index of a turn among the allowed turns.
    fn turn_place(&self, turn: QuarterTurn) -> usize {
        self.likeness.turns().turns().iter().position(|&other| other == turn).unwrap_or(0)
    }

    /// The least cost of a piece in each of these cells, and the turn.
    ///
    /// If the likeness cost alone exceeds the total cost of the best cell with any seams, the seams count the
    /// maximum: computing them would take most of the time and change nothing.
    fn offers(&self, piece: PieceId, cells: &[usize]) -> Vec<(f64, QuarterTurn)> {
        let turns = self.likeness.turns().turns();
        let by_likeness: Vec<f64> = cells
            .iter()
            .flat_map(|&cell| self.likeness.differences(piece, cell).map(likeness_cost))
            .collect();
        let limit = by_likeness.iter().copied().fold(f64::INFINITY, f64::min) + SURE;
        let of_cell = |(&cell, costs): (&usize, &[f64])| {
            let costs = costs.iter().zip(turns).map(|(&cost, &turn)| {
                let seams = if cost < limit { self.seams(piece, turn, cell) } else { SURE };
                (cost + seams, turn)
            });
            costs.reduce(|x, y| if y.0 < x.0 { y } else { x }).unwrap_or((0.0, QuarterTurn::ZERO))
        };
        cells.iter().zip(by_likeness.chunks_exact(turns.len())).map(of_cell).collect()
    }

    /// The cost of the seams of a piece in a cell.
    fn seams(&self, piece: PieceId, turn: QuarterTurn, cell: usize) -> f64 {
        let place = self.grid.cell_at(cell);
        Side::ALL
            .into_iter()
            .map(|direction| {
                let here = SideId::new(piece, direction - turn);
                let Some(next) = self.grid.neighbor(place, direction) else {
                    return self.costs.of_border(here);
                };
                match self.board[self.grid.index_of(next)] {
                    None => COST_AT_HOLE,
                    Some((other, turn)) => {
                        self.costs.of(here, SideId::new(other, direction.opposite() - turn))
                    }
                }
            })
            .map(f64::from)
            .sum()
    }
}
