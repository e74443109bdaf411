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
mod blocks;
mod likeness;
mod refine;
mod tones;

use crate::graph::solve_assignment;
use crate::observer::{Cancelled, Observer, Stage, Termination, check_cancelled};
use crate::picture::Picture;
use crate::puzzle::{
    Assembly, AssemblyError, Grid, PieceId, PieceSet, PieceShape, Place, Placement,
};
use crate::puzzle::{QuarterTurn, TurnSet};
use crate::search::costs::SeamCosts;
use adapt::{Comparison, Subject};
use blocks::{PieceBlocks, SummedAreas};
use likeness::{Likeness, Row};
use refine::{Refinement, TurnedPiece};
use std::fmt;

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
    /// No piece looks like any cell.
    #[error("the pieces do not look like the reference (likeness {likeness}): it may be another picture")]
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

/// How much the pieces of a puzzle look like a reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReferenceLikeness {
    /// From 0 to 1.
    pub share: f64,
}

impl ReferenceLikeness {
    /// Whether the reference may be of another picture.
    pub fn is_doubtful(self) -> bool {
        self.share < DOUBTFUL
    }
}

impl fmt::Display for ReferenceLikeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} %", 100.0 * self.share)
    }
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

/// Below this likeness an answer is doubtful.
const DOUBTFUL: f64 = 0.7;

/// The fewest rows, and columns, of pixels that the reference must have for a piece.
const LEAST_PX: usize = 2;

/// Puzzles with more pieces or cells are assigned greedily.
const MAX_ASSIGNED: usize = 2048;

/// Candidate cells per piece in greedy assignment.
const CANDIDATES: usize = 24;

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

/// Places the pieces, except foreign ones and those for which no cell is left. If the observer
/// [stops](Observer::is_stopped), returns the current board.
///
/// # Errors
/// If the reference is too small or another picture, or the observer cancels.
pub fn place(
    problem: &ReferenceProblem<'_>,
    observer: &dyn Observer,
) -> Result<PlacedByReference, ReferenceError> {
    let ReferenceProblem { pieces, reference, grid, turns, costs } = *problem;
    check_size(reference, grid)?;
    observer.stage_started(Stage::Assemble, 3);
    let blocks = PieceBlocks::new(pieces, turns);
    let sums = SummedAreas::of_picture(reference);
    let subject = Subject { pieces: &blocks, reference: &sums, grid };
    let likeness = subject.likeness(&subject.compared());
    check_cancelled(observer)?;
    observer.stage_advanced(Stage::Assemble, 1);
    let own = own_pieces(&likeness);
    let found = ReferenceLikeness { share: own.len() as f64 / pieces.num_pieces() as f64 };
    if own.is_empty() {
        return Err(ReferenceError::NothingAlike { likeness: found });
    }
    check_cancelled(observer)?;
    observer.stage_advanced(Stage::Assemble, 1);
    let board = if own.len().max(grid.num_cells()) <= MAX_ASSIGNED {
        assigned(&likeness, &own)
    } else {
        most_alike_first(&likeness, &own)
    };
    observer.stage_finished(Stage::Assemble);
    let mut refinement = Refinement { likeness: &likeness, costs, grid, board };
    let termination = refinement.run(observer)?;
    let laid = refinement.board.iter().enumerate();
    let placements = laid.filter_map(|(index, laid)| {
        let (piece, turn) = (*laid)?;
        Some(Placement { piece, place: Place { board: 0, cell: grid.cell_at(index), turn } })
    });
    let assembly = Assembly::new(pieces.num_pieces(), vec![grid], placements)?;
    Ok(PlacedByReference { assembly, termination, likeness: found })
}

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

/// The pieces that are not foreign; none if most look like no cell, because then the reference is another
/// picture.
fn own_pieces(likeness: &Likeness) -> Vec<PieceId> {
    let all = likeness.ids();
    let best = likeness.map_rows(&all, |_, row| {
        let (mut first, mut second) = (f32::INFINITY, f32::INFINITY);
        for &difference in &row.differences {
            if difference < first {
                (first, second) = (difference, first);
            } else {
                second = second.min(difference);
            }
        }
        Best { difference: first, margin: likeness_cost(second) - likeness_cost(first) }
    });
    let costs: Vec<f64> = best.iter().map(|best| likeness_cost(best.difference)).collect();
    let center = median(costs.clone());
    let deviation = median(costs.iter().map(|cost| (cost - center).abs()).collect());
    let is_lost =
        |best: &Best| best.difference > FOREIGN_DIFFERENCE && best.margin < FOREIGN_MARGIN;
    let is_foreign = |(best, &cost): (&Best, &f64)| {
        is_lost(best) && cost > center + FOREIGN_DEVIATIONS * deviation
    };
    if 2 * best.iter().filter(|best| is_lost(best)).count() > best.len() {
        return Vec::new();
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

/// The assignment of pieces to cells of least total cost.
fn assigned(likeness: &Likeness, own: &[PieceId]) -> Vec<Option<TurnedPiece>> {
    let num_cells = likeness.num_cells();
    let rows: Vec<Row> = likeness.map_rows(own, |_, row| row);
    // The assignment has at most as many rows as columns.
    let pieces_are_rows = own.len() <= num_cells;
    let (num_rows, num_cols) =
        if pieces_are_rows { (own.len(), num_cells) } else { (num_cells, own.len()) };
    let piece_and_cell = |row, col| if pieces_are_rows { (row, col) } else { (col, row) };
    let costs: Vec<f64> = (0..num_rows)
        .flat_map(|row| (0..num_cols).map(move |col| piece_and_cell(row, col)))
        .map(|(piece, cell)| likeness_cost(rows[piece].differences[cell]))
        .collect();
    let mut board = vec![None; num_cells];
    if let Ok(found) = solve_assignment(&costs, num_rows, num_cols) {
        for (row, &col) in found.column_of_row.iter().enumerate() {
            let (piece, cell) = piece_and_cell(row, col);
            board[cell] = Some((own[piece], rows[piece].turns[cell]));
        }
    }
    board
}

/// Greedy assignment among the best cells of every piece, the most alike first. Then every empty cell gets
/// the remaining piece most like it.
fn most_alike_first(likeness: &Likeness, own: &[PieceId]) -> Vec<Option<TurnedPiece>> {
    let mut offers: Vec<(f32, PieceId, usize, QuarterTurn)> = likeness
        .map_rows(own, |piece, row| {
            let mut cells: Vec<usize> = (0..row.differences.len()).collect();
            let by_difference =
                |a: &usize, b: &usize| row.differences[*a].total_cmp(&row.differences[*b]);
            if cells.len() > CANDIDATES {
                cells.select_nth_unstable_by(CANDIDATES, by_difference);
                cells.truncate(CANDIDATES);
            }
            let offer = |cell: usize| (row.differences[cell], piece, cell, row.turns[cell]);
            cells.into_iter().map(offer).collect::<Vec<_>>()
        })
        .concat();
    offers.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut board: Vec<Option<TurnedPiece>> = vec![None; likeness.num_cells()];
    let mut is_laid = vec![false; likeness.num_pieces()];
    for (_, piece, cell, turn) in offers {
        if !is_laid[piece.index()] && board[cell].is_none() {
            board[cell] = Some((piece, turn));
            is_laid[piece.index()] = true;
        }
    }
    let left: Vec<PieceId> = own.iter().copied().filter(|piece| !is_laid[piece.index()]).collect();
    let mut empty: Vec<usize> = (0..board.len()).filter(|&cell| board[cell].is_none()).collect();
    for piece in left {
        let turns = likeness.turns().turns();
        let best = empty
            .iter()
            .enumerate()
            .flat_map(|(at, &cell)| {
                let differences = likeness.differences(piece, cell);
                differences.zip(turns).map(move |(difference, &turn)| (difference, at, turn))
            })
            .reduce(|x, y| if y.0 < x.0 { y } else { x });
        let Some((_, at, turn)) = best else { break };
        board[empty.swap_remove(at)] = Some((piece, turn));
    }
    board
}

/// Pieces that are compared to find the size of the board.
const SAMPLED: usize = 256;

/// The most sizes of boards to try.
const MAX_GRIDS: usize = 40;

/// The largest [`form_difference`] of boards to try, in either direction: about 12 %.
const FORM_TOLERANCE: f64 = 0.12;

/// The logarithm of a board's aspect ratio divided by the reference's; 0 if they are equal.
pub fn form_difference(reference: &Picture, shape: PieceShape, grid: Grid) -> f64 {
    let width = f64::from(grid.cols()) * f64::from(shape.width_px());
    let height = f64::from(grid.rows()) * f64::from(shape.height_px());
    let of_reference = reference.width_px() as f64 / reference.height_px() as f64;
    (width / height / of_reference).ln()
}

/// Whether a board has about the aspect ratio of the reference.
pub fn fits_form(reference: &Picture, shape: PieceShape, grid: Grid) -> bool {
    form_difference(reference, shape, grid).abs() < FORM_TOLERANCE
}

/// The board whose cells the pieces look most like, among boards with about the aspect ratio of the reference
/// and about as many cells as pieces; `None` if there is no such board.
pub fn likely_grid(pieces: &PieceSet, reference: &Picture, turns: TurnSet) -> Option<Grid> {
    let num_pieces = pieces.num_pieces();
    let (least, most) = (num_pieces - num_pieces / 5, num_pieces + num_pieces / 4);
    let mut grids: Vec<Grid> = Vec::new();
    for rows in 1..=most as u64 {
        for cols in (least as u64).div_ceil(rows).max(1)..=most as u64 / rows {
            let Ok(grid) = Grid::new(rows, cols) else { continue };
            let fits = fits_form(reference, pieces.shape(), grid);
            if fits && check_size(reference, grid).is_ok() {
                grids.push(grid);
            }
        }
    }
    let sample = PieceBlocks::new(pieces, turns).sampled(SAMPLED);
    let sums = SummedAreas::of_picture(reference);
    // Boards that the pieces fill come first, because the first of equally good boards wins.
    let distance = |grid: &Grid| {
        let cells = (grid.num_cells() as f64 / num_pieces as f64).ln().abs();
        let is_other = f64::from(u8::from(grid.num_cells() != num_pieces));
        is_other + cells + form_difference(reference, pieces.shape(), *grid).abs()
    };
    grids.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    grids.truncate(MAX_GRIDS);
    let cost = |&grid: &Grid| {
        let subject = Subject { pieces: &sample, reference: &sums, grid };
        let of_start = |start: &Comparison| {
            let likeness = subject.likeness(start);
            let best = likeness.map_rows(&likeness.ids(), |_, row| {
                likeness_cost(row.differences.iter().copied().fold(f32::INFINITY, f32::min))
            });
            // The median, because of foreign pieces.
            median(best)
        };
        subject.starts().iter().map(of_start).sum::<f64>()
    };
    let costs = grids.into_iter().map(|grid| (cost(&grid), grid));
    costs.reduce(|x, y| if y.0 < x.0 { y } else { x }).map(|(_, grid)| grid)
}

#[cfg(test)]
mod tests;
