//! Trimming: the position of the frame that covers most of a segment.

use super::segment::{Position, Segment, Segments};
use crate::puzzle::{Grid, Place, Placement, QuarterTurn};

/// Turns a segment as a whole and returns the placements of the pieces that the frame covers in its best position.
///
/// All shifts of the frame are tried. The one that covers most pieces wins; of several, the middle one in row-major
/// order, as nothing is known about the border.
pub fn trim_to_frame(
    segments: &Segments,
    segment: &Segment,
    frame: Grid,
    turn: QuarterTurn,
) -> Vec<Placement> {
    let positions: Vec<Position> = segment
        .pieces()
        .iter()
        .map(|&piece| segments.place_of(piece).position.turned(turn))
        .collect();
    let Some((_, origin)) = best_origin(&positions, frame) else { return Vec::new() };
    segment
        .pieces()
        .iter()
        .filter_map(|&piece| {
            let place = segments.place_of(piece);
            let cell = (place.position.turned(turn) - origin).cell_of(frame)?;
            Some(Placement { piece, place: Place { board: 0, cell, turn: place.turn + turn } })
        })
        .collect()
}

/// The top left corner of the frame that covers most positions, and how many it covers.
fn best_origin(positions: &[Position], frame: Grid) -> Option<(usize, Position)> {
    let (rows, cols) = (i64::from(frame.rows()), i64::from(frame.cols()));
    let range = |coordinate: fn(&Position) -> i32| {
        let values = || positions.iter().map(coordinate).map(i64::from);
        Some((values().min()?, values().max()?))
    };
    let (top, bottom) = range(|position| position.row)?;
    let (left, right) = range(|position| position.col)?;
    let (height, width) = (bottom - top + 1, right - left + 1);
    // sums[r][c]: positions in the first r rows and first c columns of the bounding box.
    let stride = usize::try_from(width + 1).ok()?;
    let mut sums = vec![0_u32; stride * usize::try_from(height + 1).ok()?];
    let index = |row: i64, col: i64| {
        #[expect(clippy::cast_possible_truncation, reason = "within the bounding box")]
        let (row, col) = (row.clamp(0, height) as usize, col.clamp(0, width) as usize);
        row * stride + col
    };
    for position in positions {
        sums[index(i64::from(position.row) - top + 1, i64::from(position.col) - left + 1)] += 1;
    }
    for row in 1..=height {
        for col in 1..=width {
            sums[index(row, col)] += sums[index(row - 1, col)] + sums[index(row, col - 1)]
                - sums[index(row - 1, col - 1)];
        }
    }
    let covered = |row: i64, col: i64| {
        sums[index(row + rows, col + cols)] + sums[index(row, col)]
            - sums[index(row + rows, col)]
            - sums[index(row, col + cols)]
    };
    // A frame larger than the box may lie anywhere around it, a smaller one anywhere inside.
    let span = |size: i64, frame: i64| (size - frame).min(0)..=(size - frame).max(0);
    let mut most = 0;
    let mut winners: Vec<(i64, i64)> = Vec::new();
    for row in span(height, rows) {
        for col in span(width, cols) {
            let count = covered(row, col);
            if count > most {
                most = count;
                winners.clear();
            }
            if count == most {
                winners.push((row, col));
            }
        }
    }
    let (row, col) = *winners.get(winners.len() / 2)?;
    let origin =
        Position { row: i32::try_from(row + top).ok()?, col: i32::try_from(col + left).ok()? };
    Some((most as usize, origin))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(cells: &[(i32, i32)]) -> Vec<Position> {
        cells.iter().map(|&(row, col)| Position { row, col }).collect()
    }

    #[test]
    fn the_frame_covers_as_much_as_any_shift_could() {
        let shape = positions(&[(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 3), (3, 3), (-4, 7)]);
        for (rows, cols) in [(2, 2), (3, 3), (1, 4), (9, 9), (2, 20)] {
            let frame = Grid::new(rows, cols).unwrap();
            let (covered, origin) = best_origin(&shape, frame).unwrap();
            let count = |row: i32, col: i32| {
                let inside = |p: &&Position| {
                    (0..frame.rows().cast_signed()).contains(&(p.row - row))
                        && (0..frame.cols().cast_signed()).contains(&(p.col - col))
                };
                shape.iter().filter(inside).count()
            };
            let most =
                (-30..30).flat_map(|r| (-30..30).map(move |c| (r, c))).map(|(r, c)| count(r, c));
            assert_eq!(covered, most.max().unwrap());
            assert_eq!(covered, count(origin.row, origin.col));
        }
    }
}
