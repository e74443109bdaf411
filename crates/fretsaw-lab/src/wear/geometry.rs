//! Pieces that were moved, tilted and eroded.

use crate::picture_changes::{cropped, resized_to, to_level, values_of, with_values};
use anyhow::ensure;
use fretsaw::picture::Picture;
use image::imageops::FilterType;
use rand::Rng;

/// How the window through which a piece is seen lies on the piece.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Window {
    /// Pixels down and to the right.
    pub(super) shift_px: [f64; 2],
    /// Clockwise, about the centre of the piece.
    pub(super) tilt_degrees: f64,
}

/// The piece seen through a window of its own size, interpolated by cubic convolution (Catmull and Rom). Beyond
/// the piece its edge pixels go on.
pub(super) fn seen_through(piece: &Picture, window: Window) -> anyhow::Result<Picture> {
    if window == Window::default() {
        return Ok(piece.clone());
    }
    let values = values_of(piece)?;
    let (height_px, width_px, channels) = (piece.height_px(), piece.width_px(), piece.channels());
    let centre = [height_px, width_px].map(|size_px| (size_px - 1) as f64 / 2.0);
    let (sin, cos) = window.tilt_degrees.to_radians().sin_cos();
    let mut seen = Vec::with_capacity(values.len());
    for row in 0..height_px {
        for col in 0..width_px {
            let (down, right) = (row as f64 - centre[0], col as f64 - centre[1]);
            let rows =
                Taps::at(centre[0] + cos * down + sin * right + window.shift_px[0], height_px);
            let cols =
                Taps::at(centre[1] - sin * down + cos * right + window.shift_px[1], width_px);
            for channel in 0..channels {
                let along_row = |row: usize| -> f64 {
                    let of_col =
                        |col: usize| f64::from(values[piece.offset_of(row, col) + channel]);
                    cols.0.iter().map(|&(col, weight)| weight * of_col(col)).sum()
                };
                let exact = rows.0.iter().map(|&(row, weight)| weight * along_row(row)).sum();
                seen.push(to_level(exact));
            }
        }
    }
    Ok(with_values(piece, channels, seen))
}

/// Four lines of pixels and their weights.
struct Taps([(usize, f64); 4]);

impl Taps {
    /// Those around a place, of `size_px` lines; the first and the last go on beyond the piece.
    fn at(place: f64, size_px: usize) -> Self {
        let floor = place.floor();
        let t = place - floor;
        let weights = [
            ((-0.5 * t + 1.0) * t - 0.5) * t,
            (1.5 * t - 2.5) * t * t + 1.0,
            ((-1.5 * t + 2.0) * t + 0.5) * t,
            (0.5 * t - 0.5) * t * t,
        ];
        let last = (size_px - 1) as f64;
        let mut offset = -1.0;
        Self(weights.map(|weight| {
            #[expect(clippy::cast_possible_truncation, reason = "a line of the piece")]
            let line = (floor + offset).clamp(0.0, last) as usize;
            offset += 1.0;
            (line, weight)
        }))
    }
}

/// The piece without so many lines at every side; scaled back to its size, or smaller.
pub(super) fn eroded(piece: &Picture, lines: usize, scale_back: bool) -> anyhow::Result<Picture> {
    if lines == 0 {
        return Ok(piece.clone());
    }
    let (height_px, width_px) = (piece.height_px(), piece.width_px());
    let lost_px = lines.saturating_mul(2);
    ensure!(
        lost_px < height_px.min(width_px),
        "nothing is left of a piece of {width_px} x {height_px} pixels that loses {lines} lines at every side: \
         give a smaller --erode"
    );
    let kept = cropped(piece, lines, lines, height_px - lost_px, width_px - lost_px)?;
    if !scale_back {
        return Ok(kept);
    }
    resized_to(&kept, u32::try_from(height_px)?, u32::try_from(width_px)?, FilterType::CatmullRom)
}

/// The piece without up to this share of its width and of its height, more or less of it at either side.
pub(super) fn cropped_by_hand(
    piece: &Picture,
    share: f64,
    rng: &mut impl Rng,
) -> anyhow::Result<Picture> {
    let mut kept = |px: usize| {
        #[expect(clippy::cast_possible_truncation, reason = "a small share of a side")]
        let most = (share * px as f64).round() as usize;
        let lost = rng.random_range(0..=most);
        (rng.random_range(0..=lost), px - lost)
    };
    let (top, height_px) = kept(piece.height_px());
    let (left, width_px) = kept(piece.width_px());
    cropped(piece, top, left, height_px, width_px)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture_changes::tests::mean_difference;
    use fretsaw::picture::synthetic::demo_picture;
    use fretsaw::puzzle::Samples;

    #[test]
    fn a_piece_moved_by_whole_pixels_is_its_own_pixels_elsewhere() {
        let piece = demo_picture(20, 30, 1);
        let moved = seen_through(&piece, Window { shift_px: [2.0, -3.0], tilt_degrees: 0.0 });
        let moved = moved.unwrap();
        assert_eq!(cropped(&moved, 0, 3, 18, 27).unwrap(), cropped(&piece, 2, 0, 18, 27).unwrap());
        // Its last row goes on.
        assert_eq!(cropped(&moved, 18, 3, 1, 27).unwrap(), cropped(&piece, 19, 0, 1, 27).unwrap());
        assert_eq!(cropped(&moved, 0, 0, 18, 1).unwrap(), cropped(&piece, 2, 0, 18, 1).unwrap());
    }

    #[test]
    fn half_a_pixel_lies_between_its_neighbours() {
        let values = (0..10).flat_map(|_| (0..10).map(|col| 20 * col)).collect();
        let ramp = Picture::new(10, 10, 1, Samples::U8(values)).unwrap();
        let moved =
            seen_through(&ramp, Window { shift_px: [0.3, 0.5], tilt_degrees: 0.0 }).unwrap();
        for col in 1..8_u16 {
            assert_eq!(moved.samples().get(moved.offset_of(4, col.into())), 20 * col + 10);
        }
    }

    #[test]
    fn a_quarter_of_a_turn_is_a_quarter_of_a_turn() {
        let piece = demo_picture(21, 21, 1);
        let turned =
            seen_through(&piece, Window { shift_px: [0.0; 2], tilt_degrees: 90.0 }).unwrap();
        for row in 0..21 {
            for col in 0..21 {
                let value = |of: &Picture, row, col| of.samples().get(of.offset_of(row, col));
                assert_eq!(value(&turned, row, col), value(&piece, col, 20 - row));
            }
        }
        let tilted = seen_through(&piece, Window { shift_px: [0.0; 2], tilt_degrees: 1.0 });
        let back =
            seen_through(&tilted.unwrap(), Window { shift_px: [0.0; 2], tilt_degrees: -1.0 });
        let inner = |of: &Picture| cropped(of, 2, 2, 17, 17).unwrap();
        assert!(mean_difference(&inner(&back.unwrap()), &inner(&piece)) < 3.0);
    }

    #[test]
    fn erosion_leaves_the_inner_pixels() {
        let piece = demo_picture(20, 30, 1);
        let inner = cropped(&piece, 2, 2, 16, 26).unwrap();
        assert_eq!(eroded(&piece, 2, false).unwrap(), inner);
        assert_eq!(
            eroded(&piece, 2, true).unwrap(),
            resized_to(&inner, 20, 30, FilterType::CatmullRom).unwrap()
        );
        assert_eq!(eroded(&piece, 0, true).unwrap(), piece);
        for lines in [10, usize::MAX] {
            let error = eroded(&piece, lines, false).unwrap_err().to_string();
            assert!(error.contains("--erode"), "{error}");
        }
    }
}
