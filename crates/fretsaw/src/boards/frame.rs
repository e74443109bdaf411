//! Finds the size of a segment's board.
//!
//! A segment that grew freely contains most of a picture, and some wrong pieces that stick out. Its board is
//! the frame of least cost. The cost of a frame is the sum of the border costs of the sides at its edges, a
//! constant for each piece outside, and a constant for each empty cell inside. If the pieces fill the frame
//! exactly, every open side inside will get a neighbour; it then costs more the more it looks like a border.

use crate::locations::segment::{Position, Rectangle, Segment, Segments};
use crate::observer::{Observer, is_over};
use crate::puzzle::{Grid, Side, SideId};
use crate::search::costs::SeamCosts;
use std::collections::BTreeMap;

/// The cost of a piece outside the frame, which needs another place.
const OUTSIDE_COST: f64 = 4.0;

/// The cost of an empty cell: a row belongs to the frame if one cell in six is filled.
const EMPTY_COST: f64 = 0.7;
/// The same if the pieces fill the frame exactly.
const TO_BE_FILLED_COST: f64 = 0.1;

/// Rows and columns by which a frame may exceed the segment, which may lack all pieces of a smooth sky.
const BEYOND: i32 = 3;

/// The largest share of the pieces outside the frame at one edge.
const MAX_STICKING_OUT: f64 = 0.5;

/// The most rows or columns outside the frame at one edge.
const MAX_ROWS_OUT: usize = 40;

/// A frame around a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Framed {
    /// The top left corner in the coordinates of the segment.
    pub(super) origin: Position,
    pub(super) frame: Grid,
    pub(super) cost: f64,
}

/// The required properties of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) rows: Option<u32>,
    pub(super) cols: Option<u32>,
    pub(super) num_cells: Option<usize>,
}

impl Wanted {
    fn allows(self, rows: i64, cols: i64) -> bool {
        let is =
            |wanted: Option<u32>, found: i64| wanted.is_none_or(|rows| i64::from(rows) == found);
        is(self.rows, rows)
            && is(self.cols, cols)
            && self.num_cells.is_none_or(|num_cells| num_cells as i64 == rows * cols)
    }
}

/// Prefix sums of a table: each entry is the sum over the part above and left of it.
struct Sums {
    stride: usize,
    sums: Vec<f64>,
}

impl Sums {
    fn new(rows: usize, cols: usize, value: impl Fn(usize, usize) -> f64) -> Self {
        let stride = cols + 1;
        let mut sums = vec![0.0; stride * (rows + 1)];
        for row in 0..rows {
            for col in 0..cols {
                sums[(row + 1) * stride + col + 1] =
                    value(row, col) + sums[row * stride + col + 1] + sums[(row + 1) * stride + col]
                        - sums[row * stride + col];
            }
        }
        Self { stride, sums }
    }

    /// The sum over half-open ranges of rows and columns. Cells outside the table count as 0.
    fn over(&self, rows: (i32, i32), cols: (i32, i32)) -> f64 {
        let num_rows = self.sums.len() / self.stride - 1;
        let clamp = |value: i32, most: usize| (value.max(0).cast_unsigned() as usize).min(most);
        let at = |row: i32, col: i32| {
            self.sums[clamp(row, num_rows) * self.stride + clamp(col, self.stride - 1)]
        };
        at(rows.1, cols.1) + at(rows.0, cols.0) - at(rows.0, cols.1) - at(rows.1, cols.0)
    }
}

/// A segment as a table.
pub(super) struct SegmentTable {
    top_left: Position,
    rows: i32,
    cols: i32,
    num_pieces: usize,
    filled: Sums,
    /// By direction, the costs of the sides facing it as borders.
    borders: [Sums; 4],
    /// By direction, the costs of the open sides facing it if they get a neighbour.
    bare: [Sums; 4],
}

/// The largest cost of a side that looks like a border but gets a neighbour.
const MAX_BARE_COST: f64 = 5.0;

impl SegmentTable {
    pub(super) fn new(segments: &Segments, segment: &Segment, costs: &SeamCosts<'_>) -> Self {
        let Rectangle { top_left, bottom_right } = segment.extent();
        let Position { row, col } = bottom_right - top_left;
        let (rows, cols) = (row + 1, col + 1);
        let [num_rows, num_cols] = [rows, cols].map(|len| len.cast_unsigned() as usize);
        let mut filled = vec![0.0; num_rows * num_cols];
        let mut borders = [(); 4].map(|()| filled.clone());
        let mut bare = borders.clone();
        for &piece in segment.pieces() {
            let place = segments.place_of(piece);
            let Position { row, col } = place.position - top_left;
            let index = row.cast_unsigned() as usize * num_cols + col.cast_unsigned() as usize;
            filled[index] = 1.0;
            for direction in Side::ALL {
                let side = SideId::new(piece, direction - place.turn);
                let cost = f64::from(costs.of_border(side));
                borders[direction.index()][index] = cost;
                if segment.piece_at(place.position.next_to(direction)).is_none() {
                    // -ln(1 - p), p being exp(-cost).
                    let with_neighbor = -(-(-cost).exp_m1()).ln();
                    bare[direction.index()][index] = with_neighbor.min(MAX_BARE_COST);
                }
            }
        }
        let sums = |values: &[f64]| Sums::new(num_rows, num_cols, |r, c| values[r * num_cols + c]);
        Self {
            top_left,
            rows,
            cols,
            num_pieces: segment.pieces().len(),
            filled: sums(&filled),
            borders: borders.each_ref().map(|values| sums(values)),
            bare: bare.each_ref().map(|values| sums(values)),
        }
    }

    /// The cost of a frame between these rows and columns; `is_filled` if the pieces fill it exactly.
    fn cost(&self, (top, bottom): (i32, i32), (left, right): (i32, i32), is_filled: bool) -> f64 {
        let (rows, cols) = ((top, bottom + 1), (left, right + 1));
        let filled = self.filled.over(rows, cols);
        let num_cells = f64::from(bottom + 1 - top) * f64::from(right + 1 - left);
        let at_edge = |sums: &[Sums; 4], side: Side| {
            let (rows, cols) = match side {
                Side::Top => ((top, top + 1), cols),
                Side::Bottom => ((bottom, bottom + 1), cols),
                Side::Left => (rows, (left, left + 1)),
                Side::Right => (rows, (right, right + 1)),
            };
            sums[side.index()].over(rows, cols)
        };
        let inside =
            |side: Side| self.bare[side.index()].over(rows, cols) - at_edge(&self.bare, side);
        let mut cost = OUTSIDE_COST * (self.num_pieces as f64 - filled);
        let empty_cost = if is_filled { TO_BE_FILLED_COST } else { EMPTY_COST };
        cost += empty_cost * (num_cells - filled);
        for side in Side::ALL {
            cost += at_edge(&self.borders, side);
            if is_filled {
                cost += inside(side);
            }
        }
        cost
    }

    /// The best frame of each wanted size, the cheapest first. If the observer stops or cancels, of those that were tried
    /// until the first was found.
    pub(super) fn frames(&self, wanted: Wanted, observer: &dyn Observer) -> Vec<Framed> {
        let beyond = match wanted.num_cells {
            None => BEYOND,
            // The segment may lack whole rows or columns.
            Some(num_cells) => {
                let num_loose = num_cells.saturating_sub(self.num_pieces);
                let rows = num_loose / self.rows.min(self.cols).max(1).cast_unsigned() as usize;
                BEYOND + i32::try_from(rows.min(MAX_ROWS_OUT)).unwrap_or(0)
            }
        };
        let in_rows = |from: i32, to: i32| self.filled.over((from, to), (0, self.cols));
        let in_cols = |from: i32, to: i32| self.filled.over((0, self.rows), (from, to));
        // Far enough beyond the segment for the known rows and columns.
        let at_least = |wanted: Option<u32>, len: i32| {
            beyond.max(wanted.map_or(0, |wanted| wanted.cast_signed().saturating_sub(len)))
        };
        let (tops, bottoms) = self.ends(self.rows, at_least(wanted.rows, self.rows), in_rows);
        let (lefts, rights) = self.ends(self.cols, at_least(wanted.cols, self.cols), in_cols);
        let mut best: BTreeMap<Grid, Framed> = BTreeMap::new();
        for &top in &tops {
            for &bottom in &bottoms {
                if !best.is_empty() && is_over(observer) {
                    break;
                }
                for &left in &lefts {
                    for &right in &rights {
                        let rows = i64::from(bottom) - i64::from(top) + 1;
                        let cols = i64::from(right) - i64::from(left) + 1;
                        if rows < 1 || cols < 1 || !wanted.allows(rows, cols) {
                            continue;
                        }
                        let frame = Grid::new(rows.unsigned_abs(), cols.unsigned_abs());
                        let Ok(frame) = frame else { continue };
                        let is_filled = wanted.num_cells.is_some();
                        let cost = self.cost((top, bottom), (left, right), is_filled);
                        let origin = self.top_left + Position { row: top, col: left };
                        let found = Framed { origin, frame, cost };
                        let best = best.entry(frame).or_insert(found);
                        if cost < best.cost {
                            *best = found;
                        }
                    }
                }
            }
        }
        let mut found: Vec<Framed> = best.into_values().collect();
        found.sort_by(|x, y| x.cost.total_cmp(&y.cost));
        found
    }

    /// The rows (or columns) at which frames may begin and end; `filled` counts the pieces in a range.
    fn ends(
        &self,
        len: i32,
        beyond: i32,
        filled: impl Fn(i32, i32) -> f64,
    ) -> (Vec<i32>, Vec<i32>) {
        let most = MAX_STICKING_OUT * self.num_pieces as f64;
        let first = (-beyond..len).take_while(|&at| at <= 0 || filled(0, at) <= most);
        let last = (0..len + beyond).rev();
        let last = last.take_while(|&at| at + 1 >= len || filled(at + 1, len) <= most);
        let most = MAX_ROWS_OUT + beyond.cast_unsigned() as usize;
        (first.take(most).collect(), last.take(most).collect())
    }

    /// The mean border cost of the sides at the edges of the segment's extent.
    pub(super) fn mean_edge_cost(&self) -> f64 {
        let edges = [
            (Side::Top, (0, 1), (0, self.cols)),
            (Side::Bottom, (self.rows - 1, self.rows), (0, self.cols)),
            (Side::Left, (0, self.rows), (0, 1)),
            (Side::Right, (0, self.rows), (self.cols - 1, self.cols)),
        ];
        let (mut cost, mut count) = (0.0, 0.0);
        for (side, rows, cols) in edges {
            cost += self.borders[side.index()].over(rows, cols);
            count += self.filled.over(rows, cols);
        }
        cost / f64::max(count, 1.0)
    }

    /// The share of its bounding rectangle that the segment fills.
    pub(super) fn fill(&self) -> f64 {
        self.num_pieces as f64 / (f64::from(self.rows) * f64::from(self.cols))
    }
}
