//! Places pieces by a reference: a picture of the same content, of another size or quality.
//!
//! 1. Compare every piece, in every turn, with every cell (`likeness.rs`).
//! 2. Leave out foreign pieces, which look like no cell.
//! 3. Give every other piece its own cell: by linear assignment, or for large puzzles greedily, the most
//!    alike first.
//! 4. In flat parts of the picture many cells look like a piece; there the seams decide (`refine.rs`).
//!
//! If the size of the board is unknown, boards with about as many cells as pieces and about the aspect ratio
//! of the reference are compared, and the one that the pieces look most like is taken ([`likely_grid`]).
//!
//! `fretsaw-lab diagnose reference` compares answers with the truth.

mod adapt;
mod assign;
mod blocks;
mod board_size;
mod likeness;
mod refine;
mod segments;
mod tones;

pub use board_size::{fits_form, likely_grid};
pub use segments::SeamAnswer;

use crate::confidence::ReferenceLikeness;
use crate::observer::{Cancelled, Observer, Stage, Termination, check_cancelled};
use crate::picture::Picture;
use crate::puzzle::TurnSet;
use crate::puzzle::{Assembly, AssemblyError, Grid, PieceId, PieceSet, Place, Placement};
use crate::search::costs::SeamCosts;
use adapt::{Comparison, Subject};
use assign::{MAX_ASSIGNED, assign, by_likeness};
use blocks::{PieceBlocks, SummedAreas};
use likeness::{Likeness, Row};
use refine::{Refinement, TurnedPiece};
use segments::board_of_segments;
use tones::Pair;

/// Pieces to place by a reference.
#[derive(Clone, Copy, Debug)]
pub struct ReferenceProblem<'a> {
    /// The pieces.
    pub pieces: &'a PieceSet,
    /// The reference picture.
    pub reference: &'a Picture,
    /// The board that the reference fills.
    pub grid: Grid,
    /// The turns that pieces may need.
    pub turns: TurnSet,
    /// The costs of seams.
    pub costs: &'a SeamCosts<'a>,
}

/// Why pieces were not placed by a reference.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReferenceError {
    /// The reference has too few pixels per cell.
    #[error("a reference of {0}: it needs at least {LEAST_PX} x {LEAST_PX} pixels per piece")]
    TooSmall(String),
    /// Few pieces look like any cell.
    #[error(
        "only {likeness} of the pieces are recognised in the reference: it may be another picture"
    )]
    NothingAlike {
        /// How much they look like it.
        likeness: ReferenceLikeness,
    },
    /// The observer cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// An invalid assembly; a defect of this crate.
    #[error("placing by the reference built an invalid board; this is a bug: {0}")]
    Contradiction(#[from] AssemblyError),
}

/// An answer by a reference.
#[derive(Clone, Debug)]
pub struct PlacedByReference {
    /// Where the pieces lie.
    pub assembly: Assembly,
    /// Whether the search finished.
    pub termination: Termination,
    /// How much the pieces look like the reference.
    pub likeness: ReferenceLikeness,
}

/// The fewest rows, and columns, of pixels that the reference must have for a piece.
const LEAST_PX: usize = 2;

/// A negligible difference: the mean square of half an 8-bit level.
const NO_DIFFERENCE: f64 = 0.25 / (255.0 * 255.0);

/// Half the number of independent values of a description. It is less than their number because the errors
/// of neighbouring blocks are correlated.
const WEIGHT: f64 = 16.0;

/// The cost of a mean squared difference in the unit of seam costs: the negative log-likelihood of normally
/// distributed differences of unknown variance.
fn likeness_cost(difference: f32) -> f64 {
    WEIGHT * ((f64::from(difference) + NO_DIFFERENCE) / NO_DIFFERENCE).ln()
}

/// The best cost of a foreign piece exceeds the median of all pieces' by this many median deviations.
const FOREIGN_DEVIATIONS: f64 = 2.5;
/// Also, the best cell of a foreign piece is hardly better than its second best.
const FOREIGN_MARGIN: f64 = WEIGHT * 0.5;
/// Also, a foreign piece differs visibly: by a mean square of 5 of 255 levels.
const FOREIGN_DIFFERENCE: f32 = 25.0 / (255.0 * 255.0);

/// Pieces that are being placed: the best board so far.
#[derive(Debug)]
pub struct Placing<'a> {
    problem: ReferenceProblem<'a>,
    blocks: PieceBlocks,
    reference: SummedAreas,
    comparison: Comparison,
    likeness: Likeness,
    own: Vec<PieceId>,
    /// By cell.
    board: Vec<Option<TurnedPiece>>,
    energy: f64,
    termination: Termination,
}

/// A board is sure if no more of its seams than this share are bad.
const BAD_SEAMS: f64 = 0.01;

/// How often an answer by seams is compared with the reference, each time with better tones.
const ROUNDS: usize = 2;

impl<'a> Placing<'a> {
    /// Places pieces by likeness, and by seams where many cells are alike. If the observer
    /// [stops](Observer::is_stopped), the current board is kept.
    ///
    /// # Errors
    /// If the reference is too small, or the observer cancels.
    pub fn new(
        problem: ReferenceProblem<'a>,
        observer: &dyn Observer,
    ) -> Result<Self, ReferenceError> {
        let ReferenceProblem { pieces, reference, grid, turns, .. } = problem;
        check_size(reference, grid)?;
        observer.stage_started(Stage::Assemble, 3);
        let blocks = PieceBlocks::new(pieces, turns);
        let reference = SummedAreas::of_picture(reference);
        let subject = Subject { pieces: &blocks, reference: &reference, grid };
        let comparison = subject.compared();
        check_cancelled(observer)?;
        observer.stage_advanced(Stage::Assemble, 1);
        let likeness = subject.likeness(&comparison);
        let own = own_pieces(&likeness);
        check_cancelled(observer)?;
        observer.stage_advanced(Stage::Assemble, 1);
        let board = by_likeness(&likeness, &own);
        observer.stage_finished(Stage::Assemble);
        let (energy, termination) = (f64::INFINITY, Termination::Finished);
        let mut placing = Self {
            problem,
            blocks,
            reference,
            comparison,
            likeness,
            own,
            board: Vec::new(),
            energy,
            termination,
        };
        placing.consider(board, observer)?;
        Ok(placing)
    }

    /// Refines a board, and keeps it if it is better than the best so far.
    fn consider(
        &mut self,
        board: Vec<Option<TurnedPiece>>,
        observer: &dyn Observer,
    ) -> Result<(), Cancelled> {
        let (likeness, costs, grid) = (&self.likeness, self.problem.costs, self.problem.grid);
        let mut refinement = Refinement { likeness, costs, grid, board };
        self.termination = refinement.run(observer)?;
        let energy = refinement.energy();
        let board = refinement.board;
        if energy < self.energy {
            (self.board, self.energy) = (board, energy);
        }
        Ok(())
    }

    /// Whether the seams leave no doubt, or the puzzle is so large that nothing more is tried.
    pub fn is_sure(&self) -> bool {
        let Self { problem: ReferenceProblem { grid, costs, .. }, likeness, board, .. } = self;
        if likeness.num_pieces().max(grid.num_cells()) > MAX_ASSIGNED {
            return true;
        }
        if board.contains(&None) && self.unplaced().next().is_some() {
            return false;
        }
        let board = board.clone();
        let refinement = Refinement { likeness, costs, grid: *grid, board };
        let (bad, all) = refinement.bad_seams();
        bad as f64 <= BAD_SEAMS * all as f64
    }

    /// Improves the board with the help of an answer by seams alone.
    ///
    /// # Errors
    /// If the observer cancels.
    pub fn improve(
        &mut self,
        by_seams: SeamAnswer<'_>,
        observer: &dyn Observer,
    ) -> Result<(), ReferenceError> {
        let grid = self.problem.grid;
        for round in 0..ROUNDS {
            check_cancelled(observer)?;
            let board = board_of_segments(&self.likeness, &self.own, grid, by_seams);
            self.consider(board, observer)?;
            if observer.is_stopped() || round + 1 == ROUNDS {
                break;
            }
            let subject = Subject { pieces: &self.blocks, reference: &self.reference, grid };
            let Some(comparison) = subject.adapted_to(&self.comparison, &self.fitting_pairs())
            else {
                break;
            };
            self.likeness = subject.likeness(&comparison);
            self.comparison = comparison;
            self.own = own_pieces(&self.likeness);
            let mut is_own = vec![false; self.likeness.num_pieces()];
            self.own.iter().for_each(|piece| is_own[piece.index()] = true);
            self.board.iter_mut().for_each(|laid| *laid = laid.filter(|it| is_own[it.0.index()]));
            let left: Vec<PieceId> = self.unplaced().filter(|it| is_own[it.index()]).collect();
            let mut board = std::mem::take(&mut self.board);
            assign(&self.likeness, &left, &mut board);
            self.energy = f64::INFINITY;
            self.consider(board, observer)?;
        }
        self.fill_holes(observer)?;
        Ok(())
    }

    /// Lays pieces that look foreign in empty cells where they fit at least two neighbours.
    fn fill_holes(&mut self, observer: &dyn Observer) -> Result<(), Cancelled> {
        let left: Vec<PieceId> = self.unplaced().collect();
        if left.is_empty() || !self.board.contains(&None) {
            return Ok(());
        }
        let mut board = self.board.clone();
        assign(&self.likeness, &left, &mut board);
        let (likeness, costs, grid) = (&self.likeness, self.problem.costs, self.problem.grid);
        let mut refinement = Refinement { likeness, costs, grid, board };
        refinement.run(observer)?;
        let fits = |cell: usize| refinement.good_seams(cell) >= 2;
        let is_left = |laid: &TurnedPiece| left.contains(&laid.0);
        let laid = refinement.board.iter().enumerate();
        let board = laid.map(|(cell, laid)| laid.filter(|laid| !is_left(laid) || fits(cell)));
        self.board = board.collect();
        Ok(())
    }

    fn unplaced(&self) -> impl Iterator<Item = PieceId> {
        let mut is_laid = vec![false; self.likeness.num_pieces()];
        self.board.iter().flatten().for_each(|laid| is_laid[laid.0.index()] = true);
        self.likeness.ids().into_iter().filter(move |piece| !is_laid[piece.index()])
    }

    /// The pieces that fit at least two of their neighbours.
    fn fitting_pairs(&self) -> Vec<Pair> {
        let Self { problem: ReferenceProblem { grid, costs, .. }, likeness, board, .. } = self;
        let refinement = Refinement { likeness, costs, grid: *grid, board: board.clone() };
        let laid = board.iter().enumerate().filter_map(|(cell, laid)| Some((cell, (*laid)?)));
        laid.filter(|&(cell, _)| refinement.good_seams(cell) >= 2)
            .map(|(cell, (piece, turn))| Pair { piece: piece.index(), turn, cell })
            .collect()
    }

    /// The answer.
    ///
    /// # Errors
    /// If the pieces do not look like the reference.
    pub fn finish(self) -> Result<PlacedByReference, ReferenceError> {
        let likeness = self.found_likeness();
        if likeness.share < REFUSED {
            return Err(ReferenceError::NothingAlike { likeness });
        }
        let grid = self.problem.grid;
        let placements = self.board.iter().enumerate().filter_map(|(index, laid)| {
            let (piece, turn) = (*laid)?;
            Some(Placement { piece, place: Place { board: 0, cell: grid.cell_at(index), turn } })
        });
        let num_pieces = self.problem.pieces.num_pieces();
        let assembly = Assembly::new(num_pieces, vec![grid], placements)?;
        Ok(PlacedByReference { assembly, termination: self.termination, likeness })
    }

    /// The share of the pieces that are recognised in the reference: their best cell stands out, or the cell
    /// where they fit their neighbours is one of their best.
    fn found_likeness(&self) -> ReferenceLikeness {
        let Self { problem: ReferenceProblem { grid, costs, .. }, likeness, board, .. } = self;
        let refinement = Refinement { likeness, costs, grid: *grid, board: board.clone() };
        let mut cell_of = vec![None; likeness.num_pieces()];
        for (cell, laid) in board.iter().enumerate() {
            if let Some((piece, _)) = laid {
                cell_of[piece.index()] = Some(cell);
            }
        }
        let recognised = likeness.map_rows(&likeness.ids(), |piece, row| {
            let stands_out = Best::of(&row).margin >= CLEAR_MARGIN;
            stands_out
                || cell_of[piece.index()].is_some_and(|cell| {
                    let here = row.differences[cell];
                    let better = row.differences.iter().filter(|&&other| other < here).count();
                    better as f64 <= FEW_BETTER * row.differences.len() as f64
                        && refinement.good_seams(cell) >= 2
                })
        });
        let count = recognised.iter().filter(|&&is_recognised| is_recognised).count();
        ReferenceLikeness { share: count as f64 / recognised.len() as f64 }
    }
}

/// The best cell of a piece stands out if every other differs by more than e times as much.
const CLEAR_MARGIN: f64 = WEIGHT;

/// A cell is one of a piece's best if no more than this share of all cells are more like it.
const FEW_BETTER: f64 = 0.05;

/// A reference of less likeness is refused.
const REFUSED: f64 = 0.3;

fn check_size(reference: &Picture, grid: Grid) -> Result<(), ReferenceError> {
    let (height_px, width_px) = (reference.height_px(), reference.width_px());
    let (rows, cols) = (grid.rows(), grid.cols());
    if height_px < LEAST_PX * rows as usize || width_px < LEAST_PX * cols as usize {
        return Err(ReferenceError::TooSmall(format!(
            "{width_px} x {height_px} pixels is too small for {rows} rows x {cols} columns"
        )));
    }
    Ok(())
}

/// The best cell of a piece by likeness.
#[derive(Clone, Copy)]
struct Best {
    difference: f32,
    /// The additional cost of the second best cell.
    margin: f64,
}

impl Best {
    fn of(row: &Row) -> Self {
        let (mut first, mut second) = (f32::INFINITY, f32::INFINITY);
        for &difference in &row.differences {
            if difference < first {
                (first, second) = (difference, first);
            } else {
                second = second.min(difference);
            }
        }
        Self { difference: first, margin: likeness_cost(second) - likeness_cost(first) }
    }
}

/// The pieces that are not foreign; all if most look like no cell, because then nothing can be said.
fn own_pieces(likeness: &Likeness) -> Vec<PieceId> {
    let all = likeness.ids();
    let best = likeness.map_rows(&all, |_, row| Best::of(&row));
    let costs: Vec<f64> = best.iter().map(|best| likeness_cost(best.difference)).collect();
    let center = median(costs.clone());
    let deviation = median(costs.iter().map(|cost| (cost - center).abs()).collect());
    // If there are no more pieces than cells, a foreign piece would leave a hole.
    let is_filled = likeness.num_pieces() <= likeness.num_cells();
    let deviations = if is_filled { 2.0 * FOREIGN_DEVIATIONS } else { FOREIGN_DEVIATIONS };
    let is_lost =
        |best: &Best| best.difference > FOREIGN_DIFFERENCE && best.margin < FOREIGN_MARGIN;
    let is_foreign =
        |(best, &cost): (&Best, &f64)| is_lost(best) && cost > center + deviations * deviation;
    if 2 * best.iter().filter(|best| is_lost(best)).count() > best.len() {
        return all;
    }
    let foreign = best.iter().zip(&costs).map(is_foreign);
    all.iter().copied().zip(foreign).filter(|(_, is_foreign)| !is_foreign).map(|x| x.0).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let middle = values.len() / 2;
    *values.select_nth_unstable_by(middle, f64::total_cmp).1
}

#[cfg(test)]
mod tests;
