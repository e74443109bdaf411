//! Strips of a page, such as a shredder makes: they form one row or one column.

use super::KnownBoards;
use crate::puzzle::{Grid, PieceShape};

/// Pieces at least this many times as long as wide are strips: the short sides have too few pixels to find out that
/// they lie at the edge of the page.
const CLEAR_STRIPS: u32 = 5;

/// Shorter pieces can be strips, too, if they lie side by side on a sheet, or if side by side they make a page.
const POSSIBLE_STRIPS: f64 = 2.5;

/// The longer side of a page is at most this many times as long as the other.
const MAX_PAGE_RATIO: f64 = 1.8;

impl KnownBoards {
    /// Adds that strips form one row or column of all pieces, if neither rows nor columns are known.
    ///
    /// `sheet` is the grid in which the pieces lay on their sheet, if they come from one. Long pieces in several rows and
    /// columns of a sheet need not be strips.
    #[must_use]
    pub fn or_of_strips(self, shape: PieceShape, num_pieces: usize, sheet: Option<Grid>) -> Self {
        if self.rows.is_some() || self.cols.is_some() || !are_strips(shape, num_pieces, sheet) {
            return self;
        }
        // Strips of several pages need not form rows of equal length.
        let is_one = self.count.is_none_or(|count| count == 1);
        let all = u32::try_from(num_pieces).ok().filter(|_| is_one);
        if shape.height_px() > shape.width_px() {
            Self { rows: Some(1), cols: all, ..self }
        } else {
            Self { rows: all, cols: Some(1), ..self }
        }
    }
}

fn are_strips(shape: PieceShape, num_pieces: usize, sheet: Option<Grid>) -> bool {
    let long = shape.width_px().max(shape.height_px());
    let wide = shape.width_px().min(shape.height_px());
    let is_upright = shape.height_px() > shape.width_px();
    let is_one_row = |grid: Grid| if is_upright { grid.rows() == 1 } else { grid.cols() == 1 };
    if let Some(sheet) = sheet {
        return f64::from(long) >= POSSIBLE_STRIPS * f64::from(wide) && is_one_row(sheet);
    }
    let side_by_side = f64::from(wide) * num_pieces as f64;
    let is_page = side_by_side <= MAX_PAGE_RATIO * f64::from(long)
        && f64::from(long) <= MAX_PAGE_RATIO * side_by_side;
    long >= wide.saturating_mul(CLEAR_STRIPS)
        || (f64::from(long) >= POSSIBLE_STRIPS * f64::from(wide) && is_page)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(
        width: u32,
        height: u32,
        num_pieces: usize,
        sheet: Option<(u64, u64)>,
    ) -> [Option<u32>; 2] {
        let shape = PieceShape::new(height, width).unwrap();
        let sheet = sheet.map(|(cols, rows)| Grid::new(rows, cols).unwrap());
        let KnownBoards { rows, cols, .. } =
            KnownBoards::default().or_of_strips(shape, num_pieces, sheet);
        [cols, rows]
    }

    #[test]
    fn strips_form_one_row_or_column_of_all_pieces() {
        for sheet in [None, Some((82, 1))] {
            assert_eq!(known(20, 1600, 82, sheet), [Some(82), Some(1)]);
        }
        assert_eq!(known(1600, 20, 82, None), [Some(1), Some(82)]);
        // Long, but not as long as clear strips: a page, or a sheet of one row.
        assert_eq!(known(100, 300, 4, None), [Some(4), Some(1)]);
        assert_eq!(known(100, 300, 12, None), [None, None]);
        assert_eq!(known(100, 300, 12, Some((12, 1))), [Some(12), Some(1)]);
        assert_eq!(known(300, 100, 12, Some((1, 12))), [Some(1), Some(12)]);
    }

    #[test]
    fn other_pieces_and_known_boards_are_left_alone() {
        assert_eq!(known(28, 28, 6, Some((6, 1))), [None, None]);
        assert_eq!(known(40, 25, 12, None), [None, None]);
        // Several rows and columns of long pieces.
        assert_eq!(known(16, 96, 40, Some((10, 4))), [None, None]);
        let given = KnownBoards { rows: Some(2), ..KnownBoards::default() };
        let shape = PieceShape::new(500, 20).unwrap();
        assert_eq!(given.or_of_strips(shape, 40, None), given);
        // Two pages.
        let two = KnownBoards { count: Some(2), ..KnownBoards::default() };
        assert_eq!(two.or_of_strips(shape, 40, None), KnownBoards { rows: Some(1), ..two });
    }
}
