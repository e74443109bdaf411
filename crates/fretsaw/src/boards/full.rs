//! Sizes of boards that all pieces fill.

use super::KnownBoards;
use crate::puzzle::{Grid, PieceShape, QuarterTurn, TurnSet};

/// The most sizes of a full board that are tried if nothing better than leaving out many pieces was found.
const MAX_FULL_SIZES: usize = 3;

/// The boards that this many pieces fill, lying wide, squarest first, at most six.
///
/// ```
/// use fretsaw::unstable::sizes_that_fit;
/// let sizes: Vec<_> = sizes_that_fit(12).iter().map(|grid| (grid.rows(), grid.cols())).collect();
/// assert_eq!(sizes, [(3, 4), (2, 6), (1, 12)]);
/// ```
pub fn sizes_that_fit(num_pieces: usize) -> Vec<Grid> {
    let num_pieces = num_pieces as u64;
    let mut sizes: Vec<Grid> = (1..=num_pieces)
        .take_while(|rows| rows * rows <= num_pieces)
        .filter(|rows| num_pieces.is_multiple_of(*rows))
        .filter_map(|rows| Grid::new(rows, num_pieces / rows).ok())
        .collect();
    sizes.reverse();
    sizes.truncate(6);
    sizes
}

/// The longer side of most pictures is at most this many times as long as the other: pages have 1.4, screens 1.8.
const MAX_USUAL_RATIO: f64 = 1.8;

/// The most that a form is called unusual: a banner may be as long as it likes.
const MOST_UNUSUAL: f64 = 0.7;

/// How unusual the form of a picture on this board is: the logarithm of how much longer than usual it is, 0 for usual
/// forms, and at most 0.7.
pub(crate) fn unusual_form(board: Grid, shape: PieceShape) -> f64 {
    let width = f64::from(board.cols()) * f64::from(shape.width_px());
    let height = f64::from(board.rows()) * f64::from(shape.height_px());
    let ratio = width.max(height) / width.min(height);
    (ratio / MAX_USUAL_RATIO).ln().clamp(0.0, MOST_UNUSUAL)
}

/// Sizes of one board that all pieces fill, the likeliest first: that of the sheet, and with `is_poor` those that are
/// nearest to square.
pub(super) fn full_sizes(
    num_pieces: usize,
    turns: TurnSet,
    known: &KnownBoards,
    sheet: Option<Grid>,
    is_poor: bool,
) -> Vec<Grid> {
    if known.count.is_some_and(|count| count > 1) {
        return Vec::new();
    }
    let across = QuarterTurn::from_clockwise(1);
    // The pieces lie upright on the sheet if none is turned.
    let of_sheet = sheet.filter(|sheet| sheet.num_cells() == num_pieces);
    let turned = of_sheet.filter(|_| turns == TurnSet::Quarter).map(|grid| grid.turned(across));
    let mut sizes: Vec<Grid> = of_sheet.into_iter().chain(turned).collect();
    if is_poor {
        let others = sizes_that_fit(num_pieces).into_iter().take(MAX_FULL_SIZES);
        sizes.extend(others.flat_map(|grid| [grid, grid.turned(across)]));
    }
    let is = |known: Option<u32>, found: u32| known.is_none_or(|known| known == found);
    sizes.retain(|grid| is(known.rows, grid.rows()) && is(known.cols, grid.cols()));
    let mut distinct: Vec<Grid> = Vec::new();
    for size in sizes {
        if !distinct.contains(&size) {
            distinct.push(size);
        }
    }
    distinct
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_boards_are_unusual_in_pixels_not_in_pieces() {
        let form = |cols, rows, width, height| {
            unusual_form(Grid::new(rows, cols).unwrap(), PieceShape::new(height, width).unwrap())
        };
        assert_eq!(form(16, 10, 64, 64), 0.0);
        assert_eq!(form(10, 16, 64, 64), 0.0);
        assert_eq!(form(5, 8, 204, 80), 0.0);
        assert!(form(8, 5, 204, 80) > 0.5);
        assert!(form(20, 8, 64, 64) > 0.3);
        assert_eq!(form(40, 4, 64, 64), form(80, 2, 64, 64));
    }

    #[test]
    fn full_boards_are_those_of_the_sheet_and_if_need_be_others() {
        let grid = |rows, cols| Grid::new(rows, cols).unwrap();
        let any = KnownBoards::default();
        let sheet = Some(grid(4, 6));
        let sizes = |turns, known, sheet, is_poor| full_sizes(24, turns, &known, sheet, is_poor);
        assert_eq!(sizes(TurnSet::None, any, None, false), []);
        assert_eq!(sizes(TurnSet::None, any, sheet, false), [grid(4, 6)]);
        assert_eq!(sizes(TurnSet::Quarter, any, sheet, false), [grid(4, 6), grid(6, 4)]);
        // A sheet that is not full says nothing.
        assert_eq!(sizes(TurnSet::None, any, Some(grid(5, 5)), false), []);
        let all = [grid(3, 8), grid(4, 6), grid(6, 4), grid(8, 3), grid(2, 12), grid(12, 2)];
        assert_eq!(sizes(TurnSet::None, any, Some(grid(3, 8)), true), all);
        let two_rows = KnownBoards { rows: Some(2), ..any };
        assert_eq!(sizes(TurnSet::None, two_rows, sheet, true), [grid(2, 12)]);
        let two_boards = KnownBoards { count: Some(2), ..any };
        assert_eq!(sizes(TurnSet::None, two_boards, sheet, true), []);
    }
}
