//! The size and the arrangement of the pieces on a sheet, found from its seams.
//!
//! Where two pieces of a scrambled sheet meet, neighbouring pixels differ more than those on either
//! side of the seam, along the whole sheet and at every multiple of the pieces' size. [`lines`] computes by
//! how much each line between two columns of pixels stands out. [`axis`] then rates a size by all lines that
//! it predicts: the square of their mean excess times their number. If every predicted line is a
//! seam, the double size has half as many, and half the size predicts as many lines again that are none; both
//! rate half as high. The same is done for rows, and the evidence of both is added.
//!
//! Gaps and borders are lines of one colour, the same all over the sheet. They are searched for first, and
//! only those found are tried.

mod axis;
mod lines;

use super::Picture;
use super::cut_sheet::plain_share;
use crate::puzzle::PieceShape;
use axis::{Axis, AxisFit, AxisHints};

/// What is added to the evidence for square pieces: most are square.
const SQUARE_EVIDENCE: f64 = 6.0;

/// The evidence for one piece over the whole length, if the lines of the other direction have this evidence and cut so
/// many pieces that these are strips of this form. Many sizes are tried in the direction without seams, and the best
/// of them has some evidence by chance.
const STRIPS_EVIDENCE: f64 = 20.0;
const CLEAR_EVIDENCE_OF_STRIPS: f64 = 200.0;
const MIN_COUNT_OF_STRIPS: usize = 10;
const MIN_FORM_OF_STRIPS: usize = 8;

/// A layout stands out with this evidence, and this mean excess of its lines in one direction at least. Pictures that
/// were never cut have less, unless they are of regular blocks.
const MIN_EVIDENCE: f64 = 40.0;
const MIN_MEAN_EXCESS: f64 = 0.05;

/// The least width and height of a piece and the fewest pixels, unless its size is known.
const MIN_PIECE_PX: u32 = 4;
const MIN_PIECE_PIXELS: usize = 64;

/// A layout is refused if more than this share of its pieces have one colour, unless the size is known: the squares of a
/// pixelated picture, or of a QR code, look like pieces. At most so many pieces are looked at.
const MAX_PLAIN_SHARE: f64 = 0.9;
const MAX_LOOKED_AT: usize = 1000;

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
    /// Whether it stands out, or the hints give it. Sheets of shuffled pieces mostly have such a layout, other pictures
    /// mostly have none.
    pub stands_out: bool,
}

/// The layouts that a sheet may have, the likeliest first; at most ten. Empty if the picture shows no
/// seams, or if no layout agrees with the hints.
pub fn find_layouts(sheet: &Picture, hints: &SheetHints) -> Vec<LayoutCandidate> {
    let mut candidates = likely_layouts(sheet, hints);
    candidates.retain(|candidate| candidate.stands_out);
    candidates
}

/// The same with those that do not stand out: the layouts to offer if none does.
pub fn likely_layouts(sheet: &Picture, hints: &SheetHints) -> Vec<LayoutCandidate> {
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
    let is_open = hints.piece.is_none() && hints.columns.is_none() && hints.rows.is_none();
    let mut candidates: Vec<LayoutCandidate> = Vec::new();
    for x in &fits_across {
        for y in &fits_down {
            // White margins of strips belong to them, unless there is a border on the other sides, too.
            if x.found_border != y.found_border {
                continue;
            }
            let Some(layout) = layout_of(x, y) else { continue };
            let square = if layout.shape.is_square() { SQUARE_EVIDENCE } else { 0.0 };
            let evidence = x.evidence_beside(y) + y.evidence_beside(x) + square;
            let mean_excess = x.mean_excess.max(y.mean_excess);
            let stands_out =
                !is_open || (evidence >= MIN_EVIDENCE && mean_excess >= MIN_MEAN_EXCESS);
            let score = evidence.max(0.0).sqrt();
            candidates.push(LayoutCandidate { layout, score, stands_out });
        }
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    if is_open {
        return without_squares(sheet, candidates);
    }
    candidates.truncate(MAX_CANDIDATES);
    candidates
}

/// Removes layouts whose pieces are very small, or have one colour. Those of one colour have the size of squares that
/// the picture is made of, so a less likely layout of pieces as wide or as high is removed, too, and pieces of whole
/// squares do not stand out.
fn without_squares(sheet: &Picture, sorted: Vec<LayoutCandidate>) -> Vec<LayoutCandidate> {
    let mut squares: Vec<PieceShape> = Vec::new();
    let mut kept = Vec::new();
    for mut candidate in sorted {
        let shape = candidate.layout.shape;
        let (width, height) = (shape.width_px(), shape.height_px());
        if squares.iter().any(|one| one.width_px() == width || one.height_px() == height) {
            continue;
        }
        if plain_share(sheet, &candidate.layout, MAX_LOOKED_AT) > MAX_PLAIN_SHARE {
            squares.push(shape);
            continue;
        }
        let is_of_squares = |one: &PieceShape| {
            width.is_multiple_of(one.width_px()) && height.is_multiple_of(one.height_px())
        };
        candidate.stands_out &= !squares.iter().any(is_of_squares);
        if width.min(height) < MIN_PIECE_PX || shape.num_pixels() < MIN_PIECE_PIXELS {
            continue;
        }
        kept.push(candidate);
        if kept.len() == MAX_CANDIDATES {
            break;
        }
    }
    kept
}

impl AxisFit {
    /// The evidence, which is more for strips.
    fn evidence_beside(&self, other: &Self) -> f64 {
        let is_of_strips = self.count == 1
            && other.count >= MIN_COUNT_OF_STRIPS
            && self.size >= MIN_FORM_OF_STRIPS * other.size
            && other.evidence >= CLEAR_EVIDENCE_OF_STRIPS;
        if is_of_strips { self.evidence.max(STRIPS_EVIDENCE) } else { self.evidence }
    }
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
