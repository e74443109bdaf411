//! The size and the arrangement of the pieces on a sheet, found from its seams.
//!
//! Where two pieces of a scrambled sheet meet, neighbouring pixels differ more than those on either
//! side of the seam, along the whole sheet and at every multiple of the pieces' size. [`lines`] computes by
//! how much each line between two columns of pixels stands out. [`axis`] then rates a size by all lines that
//! it predicts: the sum of their excesses over the square root of their number. If every predicted line is a
//! seam, the double size has half as many, and half the size predicts as many lines again that are none; both
//! rate lower by the square root of two. The same is done for rows.
//!
//! Gaps and borders are lines of one colour, the same all over the sheet. They are searched for first, and
//! only those found are tried.

mod axis;
mod lines;

use super::Picture;
use crate::puzzle::PieceShape;
use axis::{Axis, AxisFit, AxisHints};

/// The factor of the evidence for square pieces: most are square.
const SQUARE_FACTOR: f64 = 1.3;

/// The most candidates that are returned.
const MAX_CANDIDATES: usize = 10;

/// Where the pieces of a sheet lie: row by row, all of one size, perhaps with a gap between them and
/// a border around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetLayout {
    /// The size of a piece.
    pub shape: PieceShape,
    /// Pieces in a row.
    pub columns: u32,
    /// Pieces in a column.
    pub rows: u32,
    /// Columns of pixels between two pieces of a row.
    pub gap_x_px: u32,
    /// Rows of pixels between two pieces of a column.
    pub gap_y_px: u32,
    /// Columns of pixels left of the first piece of a row.
    pub left_px: u32,
    /// Rows of pixels above the first piece of a column.
    pub top_px: u32,
    /// Columns of pixels right of the last piece of a row.
    pub right_px: u32,
    /// Rows of pixels below the last piece of a column.
    pub bottom_px: u32,
}

impl SheetLayout {
    /// Pieces in all.
    pub const fn num_pieces(&self) -> u64 {
        self.columns as u64 * self.rows as u64
    }

    /// The pixel column and row of a piece's top left corner, of pieces counted row by row.
    pub const fn corner_of(&self, piece: usize) -> (usize, usize) {
        let (row, col) = (piece / self.columns as usize, piece % self.columns as usize);
        let left = self.left_px as usize + col * (self.shape.width_px() + self.gap_x_px) as usize;
        let top = self.top_px as usize + row * (self.shape.height_px() + self.gap_y_px) as usize;
        (left, top)
    }

    /// Whether it has so many pieces, and these lie within the sheet.
    pub(super) fn places_within(&self, sheet: &Picture, num_pieces: usize) -> bool {
        (1..=self.num_pieces()).contains(&(num_pieces as u64)) && {
            let (right, _) = self.corner_of(num_pieces.min(self.columns as usize) - 1);
            let (_, bottom) = self.corner_of(num_pieces - 1);
            right + self.shape.width_px() as usize <= sheet.width_px()
                && bottom + self.shape.height_px() as usize <= sheet.height_px()
        }
    }
}

/// The known values of a sheet's layout. Values that are `None` are searched for.
///
/// If pieces of the given size, or the given number of pieces, fill the sheet exactly, plain pieces at its
/// edge are not taken for a border.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SheetHints {
    /// The size of a piece.
    pub piece: Option<PieceShape>,
    /// Pieces in a row.
    pub columns: Option<u32>,
    /// Pieces in a column.
    pub rows: Option<u32>,
    /// Pixels between two pieces.
    pub gap_px: Option<u32>,
    /// Pixels around all pieces together.
    pub border_px: Option<u32>,
}

/// A layout that a sheet may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayoutCandidate {
    /// The layout.
    pub layout: SheetLayout,
    /// By how many standard deviations its lines together stand out: higher is better. Raised for square
    /// pieces, lowered where the sheet is not a whole number of pieces. Scores of different sheets are
    /// comparable.
    pub score: f64,
}

/// The layouts that a sheet may have, the likeliest first; at most ten. Empty if the picture shows no
/// seams, or if no layout agrees with the hints.
pub fn find_layouts(sheet: &Picture, hints: &SheetHints) -> Vec<LayoutCandidate> {
    let number = |number: Option<u32>| number.map(|number| number as usize);
    let axis_hints = |size: Option<u32>, count: Option<u32>| AxisHints {
        size: number(size),
        count: number(count),
        gap: number(hints.gap_px),
        border: number(hints.border_px),
    };
    let (width_px, height_px) =
        (hints.piece.map(PieceShape::width_px), hints.piece.map(PieceShape::height_px));
    let fits_across = Axis::of_columns(sheet).fits(&axis_hints(width_px, hints.columns));
    let fits_down = Axis::of_rows(sheet).fits(&axis_hints(height_px, hints.rows));
    let best = |fits: &[AxisFit]| fits.first().map_or(0.0, |fit| fit.evidence);
    let (best_across, best_down) = (best(&fits_across), best(&fits_down));
    let share = |evidence: f64, best: f64| if best > 0.0 { evidence / best } else { 1.0 };
    let mut candidates: Vec<LayoutCandidate> = Vec::new();
    for x in &fits_across {
        for y in &fits_down {
            let Some(layout) = layout_of(x, y) else { continue };
            let square = if layout.shape.is_square() { SQUARE_FACTOR } else { 1.0 };
            let factor = share(x.evidence, best_across) * share(y.evidence, best_down) * square;
            let score = ((best_across + best_down) * factor).sqrt();
            candidates.push(LayoutCandidate { layout, score });
        }
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    candidates.truncate(MAX_CANDIDATES);
    candidates
}

/// Both directions together, if that makes at least two pieces.
fn layout_of(x: &AxisFit, y: &AxisFit) -> Option<SheetLayout> {
    let number = |value: usize| u32::try_from(value).ok();
    let shape = PieceShape::new(number(y.size)?, number(x.size)?).ok()?;
    (x.count * y.count >= 2).then_some(SheetLayout {
        shape,
        columns: number(x.count)?,
        rows: number(y.count)?,
        gap_x_px: number(x.gap)?,
        gap_y_px: number(y.gap)?,
        left_px: number(x.before)?,
        top_px: number(y.before)?,
        right_px: number(x.after)?,
        bottom_px: number(y.after)?,
    })
}
