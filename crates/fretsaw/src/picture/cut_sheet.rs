//! Pieces cut out of a sheet, a picture of pieces side by side.

use super::{
    LayoutCandidate, OutOfMemory, Picture, SheetHints, SheetLayout, drop_constant_alpha, gather,
    likely_layouts,
};
use crate::puzzle::{PieceSet, PieceSetError};

/// A layout with the rows and columns of the board is preferred to others if its score is at least
/// this share of theirs: of one with as many pieces, or of one with another number of pieces, which would contradict
/// the board.
const BOARD_LAYOUT_SHARE: f64 = 0.7;
const BOARD_LAYOUT_SHARE_OF_OTHERS: f64 = 0.3;

/// The largest mean absolute deviation from the mean colour that a cell without a piece may have, in
/// grey levels of 256. JPEG may have blurred its edge.
const MAX_PLAIN_DEVIATION: f64 = 1.0;
/// The same of a cell whose middle is flat: JPEG mixes pixels up to this far from its edge with those of the pieces beside
/// it.
const MAX_BLURRED_DEVIATION: f64 = 4.0;
const MAX_BLURRED_PX: usize = 16;
/// The largest deviation in a flat middle.
const MAX_FLAT_DEVIATION: f64 = 0.25;

/// The pieces of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetPieces {
    /// The pieces, row by row. They have an alpha channel only if it varies.
    pub pieces: PieceSet,
    /// The alpha of every pixel if it is the same in all pieces and not opaque.
    pub constant_alpha: Option<u16>,
}

/// Why a sheet cannot be cut.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SheetError {
    /// The layout has fewer cells than this number of pieces, or reaches beyond the sheet.
    #[error("the layout does not place {0} pieces within the sheet")]
    LayoutDoesNotFit(usize),
    /// There is no memory for the pieces.
    #[error("there is not enough memory for the pieces")]
    OutOfMemory,
    /// The pieces do not form a set.
    #[error(transparent)]
    Pieces(#[from] PieceSetError),
}

/// The layouts that a sheet may have, the likeliest first; also those that do not stand out.
///
/// Unlike [`likely_layouts`], `hints.columns` and `hints.rows` are those of the board, which the sheet
/// often has too but need not have. They are ignored if the piece size is given.
pub fn find_layouts_for_board(sheet: &Picture, hints: &SheetHints) -> Vec<LayoutCandidate> {
    let any_grid = likely_layouts(sheet, &SheetHints { columns: None, rows: None, ..*hints });
    let (Some(columns), Some(rows)) = (hints.columns, hints.rows) else {
        let is_any = hints.columns.is_none() && hints.rows.is_none();
        return if is_any || hints.piece.is_some() {
            any_grid
        } else {
            likely_layouts(sheet, hints)
        };
    };
    if hints.piece.is_some() {
        return any_grid;
    }
    let board_grid = likely_layouts(sheet, hints);
    let (Some(of_board), Some(other)) = (board_grid.first(), any_grid.first()) else {
        return if board_grid.is_empty() { any_grid } else { board_grid };
    };
    let num_cells = u64::from(columns) * u64::from(rows);
    let share = if other.layout.num_pieces() == num_cells {
        BOARD_LAYOUT_SHARE
    } else {
        BOARD_LAYOUT_SHARE_OF_OTHERS
    };
    let is_board = !other.stands_out || of_board.score >= share * other.score;
    if is_board { board_grid } else { any_grid }
}

/// The number of cells at the end of the last row that hold no piece: cells of one and the same
/// colour, which no other cell of the sheet consists of.
///
/// The last row keeps at least one piece, and the sheet two.
pub fn num_empty_cells(sheet: &Picture, layout: &SheetLayout) -> u32 {
    let columns = layout.columns;
    let last_row = (layout.rows as usize - 1) * columns as usize;
    let cell = |number: usize| plain_colour(sheet, layout, number);
    let last = last_row + columns as usize - 1;
    let colour = cell(last).or_else(|| middle_of_blurred(sheet, layout, last));
    let Some(colour) = colour else { return 0 };
    let is_alike = |other: &Vec<f64>| {
        other.iter().zip(&colour).all(|(a, b)| (a - b).abs() <= MAX_PLAIN_DEVIATION)
    };
    let is_empty = |number: usize| cell(number).as_ref().is_some_and(is_alike);
    let is_blurred = |number: usize| {
        let middle = middle_of_blurred(sheet, layout, number);
        middle.as_ref().is_some_and(is_alike)
    };
    let num_empty = (1..columns)
        .map(|back| last_row + (columns - back) as usize)
        .take_while(|&number| is_empty(number) || is_blurred(number))
        .count();
    let first_empty = last_row + columns as usize - num_empty;
    if first_empty < 2 || (0..first_empty).any(is_empty) {
        return 0;
    }
    u32::try_from(num_empty).unwrap_or_default()
}

/// The share of the cells that have one colour; of at most `max_looked_at` of them, spread evenly.
pub(super) fn plain_share(sheet: &Picture, layout: &SheetLayout, max_looked_at: usize) -> f64 {
    let num_cells = usize::try_from(layout.num_pieces()).unwrap_or(usize::MAX);
    let num_looked_at = num_cells.min(max_looked_at);
    let is_plain = |&at: &usize| {
        let cell = at * (num_cells / num_looked_at);
        plain_colour(sheet, layout, cell).is_some()
    };
    (0..num_looked_at).filter(is_plain).count() as f64 / num_looked_at.max(1) as f64
}

/// The mean colour of a cell in grey levels of 256, or `None` if its pixels differ.
fn plain_colour(sheet: &Picture, layout: &SheetLayout, number: usize) -> Option<Vec<f64>> {
    let size = [layout.shape.width_px(), layout.shape.height_px()].map(|px| px as usize);
    colour_of(sheet, layout.corner_of(number), size, MAX_PLAIN_DEVIATION)
}

/// The mean colour of the middle of a cell that has one colour but for a blurred edge.
fn middle_of_blurred(sheet: &Picture, layout: &SheetLayout, number: usize) -> Option<Vec<f64>> {
    let (left, top) = layout.corner_of(number);
    let size = [layout.shape.width_px(), layout.shape.height_px()].map(|px| px as usize);
    colour_of(sheet, (left, top), size, MAX_BLURRED_DEVIATION)?;
    let [x, y] = size.map(|px| MAX_BLURRED_PX.min(px / 4));
    let [width, height] = size;
    colour_of(sheet, (left + x, top + y), [width - 2 * x, height - 2 * y], MAX_FLAT_DEVIATION)
}

/// The mean colour of a part of a sheet in grey levels of 256, or `None` if its pixels deviate by more than this.
fn colour_of(
    sheet: &Picture,
    (left, top): (usize, usize),
    [width, height]: [usize; 2],
    max_deviation: f64,
) -> Option<Vec<f64>> {
    let channels = sheet.channels();
    let levels = f64::from(sheet.samples().white()) / 255.0;
    let num_pixels = (width * height) as f64;
    let mut colour = Vec::with_capacity(channels);
    for channel in 0..channels {
        let value = |place: usize| {
            let offset = sheet.offset_of(top + place / width, left + place % width);
            f64::from(sheet.samples().get(offset + channel)) / levels
        };
        let places = || 0..width * height;
        let mean = places().map(value).sum::<f64>() / num_pixels;
        let deviation = places().map(|place| (value(place) - mean).abs()).sum::<f64>() / num_pixels;
        if deviation > max_deviation {
            return None;
        }
        colour.push(mean);
    }
    Some(colour)
}

/// Cuts the first `num_pieces` pieces out of a sheet, row by row, and drops an alpha channel that is
/// the same in all of them.
pub fn cut_sheet(
    sheet: &Picture,
    layout: &SheetLayout,
    num_pieces: usize,
) -> Result<SheetPieces, SheetError> {
    let shape = layout.shape;
    let (width_px, height_px) = (shape.width_px() as usize, shape.height_px() as usize);
    if !layout.places_within(sheet, num_pieces) {
        return Err(SheetError::LayoutDoesNotFit(num_pieces));
    }
    // One run is one row of pixels of one piece.
    let starts = (0..num_pieces).flat_map(|piece| {
        let (left, top) = layout.corner_of(piece);
        (top..top + height_px).map(move |row| Some(sheet.offset_of(row, left)))
    });
    let run_len = width_px * sheet.channels();
    let mut samples = gather(sheet.samples(), run_len, num_pieces * height_px, starts)
        .map_err(|OutOfMemory| SheetError::OutOfMemory)?;
    let (channels, constant_alpha) = drop_constant_alpha(&mut samples, sheet.channels());
    Ok(SheetPieces { pieces: PieceSet::new(shape, channels, samples)?, constant_alpha })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{PieceShape, Samples};

    fn layout(columns: u32, rows: u32) -> SheetLayout {
        SheetLayout {
            shape: PieceShape::new(1, 2).unwrap(),
            columns,
            rows,
            gap_x_px: 1,
            gap_y_px: 0,
            left_px: 0,
            top_px: 0,
            right_px: 0,
            bottom_px: 0,
        }
    }

    #[test]
    fn pieces_are_cut_out_between_gaps_and_lose_a_constant_alpha() {
        // Two columns and rows of pieces of 2 x 1 px; the gap has another alpha than the pieces.
        let row = |v: u8| [v, 9, v + 1, 9, 0, 0, v + 2, 9, v + 3, 9];
        let values = [row(10), row(20)].concat();
        let sheet = Picture::new(2, 5, 2, Samples::U8(values)).unwrap();
        let SheetPieces { pieces, constant_alpha } = cut_sheet(&sheet, &layout(2, 2), 3).unwrap();
        assert_eq!(*pieces.samples(), Samples::U8(vec![10, 11, 12, 13, 20, 21]));
        assert_eq!((pieces.channels(), constant_alpha), (1, Some(9)));
        for (layout, num_pieces) in [(layout(2, 2), 5), (layout(3, 2), 6), (layout(2, 3), 6)] {
            assert!(cut_sheet(&sheet, &layout, num_pieces).is_err());
        }
    }

    #[test]
    fn empty_cells_are_found_if_compression_blurred_their_edges() {
        let shape = PieceShape::new(32, 32).unwrap();
        let layout = SheetLayout { shape, gap_x_px: 0, ..layout(3, 2) };
        let sheet = |depth: usize, level: u8| {
            let value = |at: usize| {
                let (row, col) = (at / 96, at % 96);
                let is_piece = row < 32 || col < 32;
                let pattern = u8::try_from((row * 37 + col * 11) % 200).unwrap();
                match row {
                    _ if is_piece => pattern,
                    32.. if row - 32 < depth => level * u8::from(col % 2 == 0),
                    _ => 0,
                }
            };
            Picture::new(64, 96, 1, Samples::U8((0..64 * 96).map(value).collect())).unwrap()
        };
        assert_eq!(num_empty_cells(&sheet(0, 0), &layout), 2);
        // A deviation of 1.9, three lines deep.
        assert_eq!(num_empty_cells(&sheet(3, 40), &layout), 2);
        // These have content.
        assert_eq!(num_empty_cells(&sheet(3, 255), &layout), 0);
        assert_eq!(num_empty_cells(&sheet(20, 10), &layout), 0);
    }
}
