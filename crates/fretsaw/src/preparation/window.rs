//! The part of a raw picture that is a piece.

use super::raw_pieces::RawPieces;
use crate::puzzle::{PieceShape, Samples};

/// A rectangle in a picture, turned about its centre. Its values are pixels; (0, 0) is the upper left corner of the
/// picture, so that the centre of its first pixel is (0.5, 0.5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The left edge before the turn.
    pub left_px: f64,
    /// The upper edge before the turn.
    pub top_px: f64,
    /// The width, above 0.
    pub width_px: f64,
    /// The height, above 0.
    pub height_px: f64,
    /// By how much the rectangle is turned clockwise.
    pub tilt_degrees: f64,
}

impl Window {
    /// Whether its numbers are finite and its sides have a length.
    pub fn is_possible(&self) -> bool {
        let Self { left_px, top_px, width_px, height_px, tilt_degrees } = *self;
        [left_px, top_px, width_px, height_px, tilt_degrees].iter().all(|it| it.is_finite())
            && width_px > 0.0
            && height_px > 0.0
    }

    /// The same without so much at each side, in pixels.
    pub(super) fn shrunk(self, across_px: f64, down_px: f64) -> Self {
        Self {
            left_px: self.left_px + across_px,
            top_px: self.top_px + down_px,
            width_px: self.width_px - 2.0 * across_px,
            height_px: self.height_px - 2.0 * down_px,
            ..self
        }
    }

    /// Its corners in the picture, column and row, clockwise from the upper left.
    pub fn corners(&self) -> [[f64; 2]; 4] {
        [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[across, down]| self.at(across, down))
    }

    /// The column and row in the picture of a point of the window, given by its shares of width and height.
    fn at(&self, across: f64, down: f64) -> [f64; 2] {
        let (sine, cosine) = self.tilt_degrees.to_radians().sin_cos();
        let x = (across - 0.5) * self.width_px;
        let y = (down - 0.5) * self.height_px;
        [
            self.left_px + self.width_px / 2.0 + x * cosine - y * sine,
            self.top_px + self.height_px / 2.0 + x * sine + y * cosine,
        ]
    }

    /// The row and column of its first pixel, if its pixels are those of the picture.
    fn whole_pixels(&self, shape: PieceShape, raw: &RawPieces, piece: usize) -> Option<[usize; 2]> {
        let is_upright = self.tilt_degrees == 0.0
            && self.width_px == f64::from(shape.width_px())
            && self.height_px == f64::from(shape.height_px());
        let is_whole = |px: f64| px >= 0.0 && px.fract() == 0.0;
        if !is_upright || !is_whole(self.left_px) || !is_whole(self.top_px) {
            return None;
        }
        let size = raw.sizes()[piece];
        let is_inside = self.left_px + self.width_px <= size.width_px as f64
            && self.top_px + self.height_px <= size.height_px as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole and inside of the picture"
        )]
        is_inside.then_some([self.top_px as usize, self.left_px as usize])
    }

    /// Appends what is seen of a piece through the window, in this size. Pixels between those of the picture are
    /// interpolated by the cubic of Catmull and Rom; beyond the picture its edge pixels go on.
    pub(super) fn append(
        &self,
        raw: &RawPieces,
        piece: usize,
        shape: PieceShape,
        samples: &mut Samples,
    ) {
        let (height_px, width_px) = (shape.height_px() as usize, shape.width_px() as usize);
        let channels = raw.channels();
        if let Some([top, left]) = self.whole_pixels(shape, raw, piece) {
            for row in top..top + height_px {
                let start = raw.offset_of(piece, row, left);
                let end = start + width_px * channels;
                match (raw.samples(), &mut *samples) {
                    (Samples::U8(from), Samples::U8(to)) => to.extend_from_slice(&from[start..end]),
                    (Samples::U16(from), Samples::U16(to)) => {
                        to.extend_from_slice(&from[start..end]);
                    }
                    _ => {}
                }
            }
            return;
        }
        let size = raw.sizes()[piece];
        let mut pixel = vec![0.0; channels];
        for row in 0..height_px {
            for col in 0..width_px {
                let across = (col as f64 + 0.5) / width_px as f64;
                let down = (row as f64 + 0.5) / height_px as f64;
                let [x, y] = self.at(across, down);
                let (rows, cols) = (taps(y - 0.5, size.height_px), taps(x - 0.5, size.width_px));
                pixel.fill(0.0);
                for (at_row, row_weight) in rows {
                    for (at_col, col_weight) in cols {
                        let offset = raw.offset_of(piece, at_row, at_col);
                        for (channel, value) in pixel.iter_mut().enumerate() {
                            let seen = f64::from(raw.samples().get(offset + channel));
                            *value += row_weight * col_weight * seen;
                        }
                    }
                }
                for &value in &pixel {
                    push(samples, value);
                }
            }
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rounded and limited to the range"
)]
fn push(samples: &mut Samples, value: f64) {
    match samples {
        Samples::U8(values) => values.push(value.round().clamp(0.0, 255.0) as u8),
        Samples::U16(values) => values.push(value.round().clamp(0.0, 65535.0) as u16),
    }
}

/// The four lines around a coordinate and their weights, of the cubic through the two inner ones.
fn taps(at: f64, num_lines: usize) -> [(usize, f64); 4] {
    let floor = at.floor();
    let t = at - floor;
    let weights = [
        0.5 * t * (t * (2.0 - t) - 1.0),
        0.5 * (t * t * (3.0 * t - 5.0) + 2.0),
        0.5 * t * (t * (4.0 - 3.0 * t) + 1.0),
        0.5 * t * t * (t - 1.0),
    ];
    let mut line = floor - 1.0;
    weights.map(|weight| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "limited to the lines of the picture"
        )]
        let at = line.clamp(0.0, (num_lines - 1) as f64) as usize;
        line += 1.0;
        (at, weight)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::PictureSize;

    fn seen(window: Window, shape: PieceShape, deep: bool) -> Vec<u16> {
        let values = (0..10_u16).flat_map(|row| (0..12_u16).map(move |col| 20 * col + row));
        let samples = if deep {
            Samples::U16(values.collect())
        } else {
            Samples::U8(values.map(|value| u8::try_from(value).unwrap()).collect())
        };
        let raw =
            RawPieces::new(vec![PictureSize { height_px: 10, width_px: 12 }], 1, samples).unwrap();
        let mut found = if deep { Samples::U16(vec![]) } else { Samples::U8(vec![]) };
        window.append(&raw, 0, shape, &mut found);
        (0..found.len()).map(|at| found.get(at)).collect()
    }

    #[test]
    fn whole_pixels_are_copied_and_parts_of_pixels_lie_between() {
        let shape = PieceShape::new(2, 3).unwrap();
        let window =
            Window { left_px: 4.0, top_px: 5.0, width_px: 3.0, height_px: 2.0, tilt_degrees: 0.0 };
        for deep in [false, true] {
            assert_eq!(seen(window, shape, deep), [85, 105, 125, 86, 106, 126]);
            let half = Window { left_px: 4.5, ..window };
            assert_eq!(seen(half, shape, deep), [95, 115, 135, 96, 116, 136]);
        }
        // Half a turn reads backwards.
        let turned = Window { tilt_degrees: 180.0, ..window };
        assert_eq!(seen(turned, shape, false), [126, 106, 86, 125, 105, 85]);
    }

    #[test]
    fn corners_turn_clockwise_about_the_centre() {
        let window =
            Window { left_px: 1.0, top_px: 2.0, width_px: 4.0, height_px: 4.0, tilt_degrees: 90.0 };
        let [first, second, ..] = window.corners();
        for (found, expected) in [(first, [5.0, 2.0]), (second, [5.0, 6.0])] {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
        }
        let shrunk = window.shrunk(1.0, 0.5);
        assert_eq!((shrunk.left_px, shrunk.top_px), (2.0, 2.5));
        assert_eq!((shrunk.width_px, shrunk.height_px), (2.0, 3.0));
        assert!(window.is_possible() && !window.shrunk(2.0, 0.0).is_possible());
    }
}
