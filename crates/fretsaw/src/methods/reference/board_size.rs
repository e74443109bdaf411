//! The size of a board that a reference fills.

use super::adapt::{Comparison, Subject};
use super::blocks::{PieceBlocks, SummedAreas};
use super::{check_size, likeness_cost, median};
use crate::picture::Picture;
use crate::puzzle::{Grid, PieceSet, PieceShape, TurnSet};

/// Pieces that are compared to find the size of the board.
const SAMPLED: usize = 256;

/// The most sizes of boards to try.
const MAX_GRIDS: usize = 40;

/// The largest [`form_difference`] of boards to try, in either direction: about 12 %.
const FORM_TOLERANCE: f64 = 0.12;

/// The logarithm of a board's aspect ratio divided by the reference's; 0 if they are equal.
fn form_difference(reference: &Picture, shape: PieceShape, grid: Grid) -> f64 {
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
