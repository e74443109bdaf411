//! How wide the gap between pieces is, and how far pieces are off along a seam.
//!
//! Within a piece, lines of pixels that lie further apart differ more. The distance at which lines within pieces
//! differ as much as the two lines at a seam is the distance across the seam; one pixel is the distance of a clean
//! cut. Lines are compared at the shift along the seam that suits them best, so that pieces that are off by a pixel do
//! not look further apart than they are. How much the best shifts spread, beyond what the slanted lines of the picture
//! make at that distance within pieces, tells how far the pieces are off.

use super::LikelyJoin;
use crate::linalg::{mean, median};
use crate::picture::num_colours;
use crate::puzzle::{PieceSet, SideId};

/// The deepest line that is compared, at most a third of the piece.
const MAX_DISTANCE_PX: usize = 20;
/// The largest shift along a seam, at most an eighth of the side.
const MAX_SHIFT_PX: usize = 4;
/// No more joins than this are looked at.
const MAX_JOINS: usize = 600;
/// Lines whose mean step along the side is smaller, in shares of white, have no best shift.
const MIN_STEP: f64 = 0.01;

/// The room between two pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Gap {
    pub(super) width_px: f64,
    /// The standard deviation of how far two neighbours are off along their seam.
    pub(super) misfit_px: f64,
}

/// How two lines differ at their best shift.
#[derive(Clone, Copy, Debug)]
struct Difference {
    mean: f64,
    /// `None` for flat lines.
    shift_px: Option<f64>,
}

/// The gap at joins that are likely right, of pieces in even light.
pub(super) fn gap(pieces: &PieceSet, joins: &[LikelyJoin]) -> Gap {
    let shape = pieces.shape();
    let size_px = shape.height_px().min(shape.width_px()) as usize;
    let max_distance = MAX_DISTANCE_PX.min(size_px / 3);
    let step = joins.len().div_ceil(MAX_JOINS).max(1);
    let mut across = Vec::new();
    let mut within = vec![Vec::new(); max_distance];
    for LikelyJoin { join, .. } in joins.iter().step_by(step) {
        let (a, b) = (join.first, join.second);
        let mut facing = line(pieces, b, 0);
        facing.reverse();
        across.push(difference(&line(pieces, a, 0), &facing));
        for side in [a, b] {
            let outermost = line(pieces, side, 0);
            for (distance, found) in within.iter_mut().enumerate() {
                found.push(difference(&outermost, &line(pieces, side, distance + 1)));
            }
        }
    }
    let size = |found: &[Difference]| mean(found.iter().map(|it| it.mean)).unwrap_or(0.0);
    let steps: Vec<f64> = within.iter().map(|found| size(found)).collect();
    let distance = distance_of(size(&across), &steps);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 1 to the deepest line"
    )]
    let nearest = distance.round().max(1.0) as usize;
    let of_picture = within.get(nearest - 1).map_or(0.0, |found| spread(found));
    let misfit = spread(&across).powi(2) - of_picture.powi(2);
    Gap { width_px: (distance - 1.0).max(0.0), misfit_px: misfit.max(0.0).sqrt() }
}

/// The distance at which lines differ by this much: `steps` has the differences at 1, 2, ... pixels.
fn distance_of(across: f64, steps: &[f64]) -> f64 {
    let mut before = 0.0;
    for (at, &step) in steps.iter().enumerate() {
        if step >= across && step > before {
            return at as f64 + (across - before).max(0.0) / (step - before);
        }
        before = step.max(before);
    }
    steps.len() as f64
}

/// The standard deviation of the best shifts, if most are small and a few are anything.
fn spread(found: &[Difference]) -> f64 {
    let shifts: Vec<f64> = found.iter().filter_map(|it| it.shift_px.map(f64::abs)).collect();
    if shifts.is_empty() { 0.0 } else { 1.5 * median(shifts) }
}

/// A line of a side, clockwise, as shares of white: the mean of the channels of colour.
fn line(pieces: &PieceSet, side: SideId, inward: usize) -> Vec<f64> {
    let (shape, colours) = (pieces.shape(), num_colours(pieces.channels()));
    let white = f64::from(pieces.samples().white()) * colours as f64;
    let levels = (0..shape.side_length_px(side.side())).map(|along| {
        let (row, col) = shape.pixel_at_side(side.side(), inward, along);
        let value = |channel| f64::from(pieces.sample(side.piece(), row, col, channel));
        (0..colours).map(value).sum::<f64>() / white
    });
    levels.collect()
}

/// The mean difference of two lines at the shift at which it is least.
fn difference(a: &[f64], b: &[f64]) -> Difference {
    let max_shift = MAX_SHIFT_PX.min(a.len() / 8);
    let inner = &a[max_shift..a.len() - max_shift];
    let at_shift = |shift: usize| {
        let steps = inner.iter().zip(&b[shift..]).map(|(a, b)| (a - b).abs());
        mean(steps).unwrap_or(0.0)
    };
    let found: Vec<f64> = (0..=2 * max_shift).map(at_shift).collect();
    // From the middle outward, so that no shift is preferred without need.
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&shift| shift.abs_diff(max_shift));
    let best = order.into_iter().min_by(|&x, &y| found[x].total_cmp(&found[y])).unwrap_or(0);
    let along = mean(inner.windows(2).map(|pair| (pair[1] - pair[0]).abs())).unwrap_or(0.0);
    let is_inside = best > 0 && best + 1 < found.len();
    let shift_px = (is_inside && along >= MIN_STEP).then(|| {
        // The vertex of two straight lines: absolute differences rise linearly from their least value.
        let (left, right) = (found[best - 1] - found[best], found[best + 1] - found[best]);
        let part = if left.max(right) > 0.0 { 0.5 * (left - right) / left.max(right) } else { 0.0 };
        best as f64 + part - max_shift as f64
    });
    Difference { mean: found[best], shift_px }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_lies_where_lines_within_pieces_differ_as_much() {
        let steps = [2.0, 4.0, 5.0, 5.0];
        for (across, distance) in [(0.0, 0.0), (1.0, 0.5), (2.0, 1.0), (4.5, 2.5), (9.0, 4.0)] {
            assert!((distance_of(across, &steps) - distance).abs() < 1e-12, "{across}");
        }
    }

    #[test]
    fn a_line_that_was_moved_is_found_at_its_shift() {
        let wave = |at: usize| 0.5 + 0.3 * (at as f64 * 0.45).sin();
        let (a, b): (Vec<f64>, Vec<f64>) = (10..50).map(|at| (wave(at), wave(at + 2))).unzip();
        let found = difference(&a, &b);
        assert!((found.shift_px.unwrap() + 2.0).abs() < 0.2, "{found:?}");
        assert!(found.mean < 1e-9, "{found:?}");
        let same = difference(&a, &a);
        assert!(same.shift_px.unwrap().abs() < 0.2, "{same:?}");
        assert_eq!(difference(&[0.5; 40], &[0.6; 40]).shift_px, None);
    }
}
