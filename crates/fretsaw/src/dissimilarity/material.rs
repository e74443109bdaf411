//! What the pieces are of, which decides how they are matched; and their pixels, for matchers that look deep into them.
//!
//! Graphics (pages of text, screens, drawings) differ from photographs in that many neighbouring pixels are exactly
//! equal. There the outermost pixels of a side are often blank, and what lies deeper decides: strokes, lines of text,
//! the pitch of rows. Photographs whose pieces lost their edges are told by their matches (`wear.rs`).

use crate::linalg::single;
use crate::puzzle::{PieceId, PieceSet, PieceShape, is_large};
use std::cmp::Reverse;
use std::collections::HashMap;

/// A puzzle is of graphics if at least this share of its pixels equals the next one in the row. Photographs with
/// saturated areas, or with flat JPEG blocks, have up to 0.58.
const MIN_EQUAL_SHARE: f64 = 0.7;
/// This share suffices if the mean step between pixels that differ is at least so many 8-bit levels, as at strokes.
/// Photographs with as many equal pixels have steps of at most 14.
const MIN_EQUAL_SHARE_WITH_STROKES: f64 = 0.4;
const MIN_STEP: f64 = 20.0;
/// Halftone has smaller steps, because its dots are smoothed, but nearly all of it has few colours. Photographs with as many
/// equal pixels as strokes have, and half of their pixels in 16 colours, have steps of at most 7.
const MIN_STEP_OF_HALFTONE: f64 = 12.0;
const FEW_COLOURS: usize = 16;
const MIN_SHARE_OF_FEW_COLOURS: f64 = 0.5;

/// The least width and height of a piece: the networks learned from pieces of 14 px and more.
const MIN_PIECE_PX: u32 = 12;
/// Strips may be narrower, because their long sides tell enough.
const MIN_STRIP_PX: u32 = 8;
/// The least length of a side that tells enough by itself, in pixels.
pub(crate) const LONG_SIDE_PX: u32 = 160;

/// What the pieces of a puzzle are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// A photograph that was cut cleanly: neighbouring pixels touch.
    Photograph,
    /// A page of text, a screen, a drawing.
    Graphics,
    /// A photograph whose pieces are worn: edges were lost, or light or compression changed each piece on its own.
    Worn,
    /// A photograph whose scrambled sheet was compressed: pieces took on colours of those beside them on the sheet.
    Bled,
}

crate::named_enum!(Material {
    Photograph: "photograph",
    Graphics: "graphics",
    Worn: "worn",
    Bled: "bled",
});

/// Grey and two differences of colours.
pub(crate) const OPPONENT_CHANNELS: usize = 3;

/// The pixels of all pieces in opponent colours, less the mean over the puzzle.
#[derive(Clone, Debug)]
pub(crate) struct OpponentPixels {
    pub(crate) shape: PieceShape,
    /// Piece by piece, row by row, [`OPPONENT_CHANNELS`] values per pixel, about -2 to 2.
    values: Vec<f32>,
}

/// Whether the pieces are neither too small nor too many for matchers that look deep into them.
pub(super) fn can_look_deep(pieces: &PieceSet) -> bool {
    let shape = pieces.shape();
    let (width, height) = (shape.width_px(), shape.height_px());
    let is_strip = width.max(height) >= LONG_SIDE_PX;
    let is_small = width.min(height) < if is_strip { MIN_STRIP_PX } else { MIN_PIECE_PX };
    !is_small && !is_large(pieces.num_pieces())
}

impl OpponentPixels {
    /// `None` if the pieces are of a photograph, too small, or too many.
    pub(super) fn of_graphics(pieces: &PieceSet) -> Option<Self> {
        let is_graphic = can_look_deep(pieces) && {
            let (equal_share, step) = steps(pieces);
            let may_be_halftone = || {
                step >= MIN_STEP_OF_HALFTONE
                    && share_of_few_colours(pieces) >= MIN_SHARE_OF_FEW_COLOURS
            };
            equal_share >= MIN_EQUAL_SHARE
                || (equal_share >= MIN_EQUAL_SHARE_WITH_STROKES
                    && (step >= MIN_STEP || may_be_halftone()))
        };
        is_graphic.then(|| Self::of(pieces))
    }

    /// Of pieces of any material.
    pub(crate) fn of(pieces: &PieceSet) -> Self {
        let white = f64::from(pieces.samples().white());
        let channels = pieces.channels();
        let num_pixels = pieces.samples().len() / channels;
        let mut values = Vec::with_capacity(num_pixels * OPPONENT_CHANNELS);
        let mut sums = [0.0_f64; OPPONENT_CHANNELS];
        for pixel in 0..num_pixels {
            let at = |channel: usize| f64::from(pieces.samples().get(pixel * channels + channel));
            let mean = (0..channels).map(at).sum::<f64>() / channels as f64;
            let colours = match channels {
                3 => [(at(0) - at(1)) / 2.0, (at(2) - f64::midpoint(at(0), at(1))) / 2.0],
                _ => [0.0; 2],
            };
            let pixel = [mean, colours[0], colours[1]].map(|value| 2.0 * value / white);
            for (sum, value) in sums.iter_mut().zip(pixel) {
                *sum += value;
            }
            values.extend(pixel.map(single));
        }
        // The order of summation may not matter: the mean is rounded to a coarse step.
        let means = sums.map(|sum| single((sum / num_pixels as f64 * 1024.0).round() / 1024.0));
        for pixel in values.as_chunks_mut::<OPPONENT_CHANNELS>().0 {
            for (value, mean) in pixel.iter_mut().zip(means) {
                *value -= mean;
            }
        }
        Self { shape: pieces.shape(), values }
    }

    pub(crate) fn num_pieces(&self) -> usize {
        self.values.len() / (self.shape.num_pixels() * OPPONENT_CHANNELS)
    }

    /// The opponent colours of a pixel.
    pub(crate) fn pixel(&self, piece: PieceId, row: usize, col: usize) -> [f32; OPPONENT_CHANNELS] {
        let width = self.shape.width_px() as usize;
        let at = piece.index() * self.shape.num_pixels() + row * width + col;
        self.values.as_chunks().0[at]
    }
}

/// The share of pixels in the most frequent [`FEW_COLOURS`].
fn share_of_few_colours(pieces: &PieceSet) -> f64 {
    let channels = pieces.channels();
    let num_pixels = pieces.samples().len() / channels;
    let colour = |pixel: usize| {
        let level = |channel| u64::from(pieces.samples().get(pixel * channels + channel));
        (0..channels).fold(0, |colour, channel| colour << 16 | level(channel))
    };
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for pixel in 0..num_pixels {
        *counts.entry(colour(pixel)).or_default() += 1;
    }
    let mut counts: Vec<usize> = counts.into_values().collect();
    counts.sort_unstable_by_key(|&count| Reverse(count));
    counts.iter().take(FEW_COLOURS).sum::<usize>() as f64 / num_pixels as f64
}

/// The share of pixels that equal the next one in their row exactly, and the mean step between the others.
fn steps(pieces: &PieceSet) -> (f64, f64) {
    let (channels, width) = (pieces.channels(), pieces.shape().width_px() as usize);
    let num_pairs = pieces.samples().len() / (channels * width) * (width - 1);
    let (mut num_equal, mut sum) = (0_usize, 0_u64);
    for pair in 0..num_pairs {
        let first = (pair / (width - 1) * width + pair % (width - 1)) * channels;
        let at = |index: usize| pieces.samples().get(index);
        let step = |channel: usize| {
            u64::from(at(first + channel).abs_diff(at(first + channels + channel)))
        };
        let step: u64 = (0..channels).map(step).sum();
        num_equal += usize::from(step == 0);
        sum += step;
    }
    let level = f64::from(pieces.samples().white()) / 255.0;
    let num_steps = ((num_pairs - num_equal) * channels).max(1);
    (num_equal as f64 / num_pairs as f64, sum as f64 / (num_steps as f64 * level))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::synthetic::demo_picture;
    use crate::picture::{Picture, cut};
    use crate::puzzle::Samples;

    fn pieces_of(picture: &Picture) -> PieceSet {
        cut(picture, PieceShape::new(20, 20).unwrap()).unwrap().pieces
    }

    /// A white page with dark strokes, in 8 or 16 bits.
    fn page(is_deep: bool) -> Picture {
        let is_ink = |at: usize| (at / 100 % 20 < 8) && (at * 7 + at / 100).is_multiple_of(5);
        let values = (0..100 * 100).map(|at| if is_ink(at) { 30_u8 } else { 255 });
        let samples = if is_deep {
            Samples::U16(values.map(|value| u16::from(value) * 257).collect())
        } else {
            Samples::U8(values.collect())
        };
        Picture::new(100, 100, 1, samples).unwrap()
    }

    #[test]
    fn pages_are_graphics_and_landscapes_are_not() {
        assert!(OpponentPixels::of_graphics(&pieces_of(&page(false))).is_some());
        assert!(OpponentPixels::of_graphics(&pieces_of(&page(true))).is_some());
        assert!(OpponentPixels::of_graphics(&pieces_of(&demo_picture(200, 200, 1))).is_none());
    }

    #[test]
    fn small_pieces_are_looked_into_if_they_are_long() {
        let ink = |at: usize| if at.is_multiple_of(7) { 30 } else { 255 };
        let looked_into = |width: u32, height: u32| {
            let count = (width * height * 4) as usize;
            let samples = Samples::U8((0..count).map(ink).collect());
            let pieces = PieceSet::new(PieceShape::new(width, height).unwrap(), 1, samples);
            OpponentPixels::of_graphics(&pieces.unwrap()).is_some()
        };
        assert!(looked_into(12, 12) && looked_into(8, 160) && looked_into(160, 8));
        assert!(!looked_into(11, 40) && !looked_into(8, 159) && !looked_into(7, 160));
    }

    /// Smoothed dots of a printer's screen on plain paper, or on paper of many tones.
    fn halftone(paper: impl Fn(usize) -> u8) -> Picture {
        let ink = |at: usize| {
            let squared = |x: usize| (x % 7).abs_diff(3).pow(2);
            match squared(at / 100) + squared(at % 100) {
                0..=4 => 40,
                5 => 30,
                8 => 6,
                _ => 0,
            }
        };
        let values = (0..100 * 100).map(|at| paper(at) - ink(at)).collect();
        Picture::new(100, 100, 1, Samples::U8(values)).unwrap()
    }

    #[test]
    fn halftone_is_told_by_its_few_colours() {
        let plain = pieces_of(&halftone(|_| 255));
        let toned = pieces_of(&halftone(|at| 255 - u8::try_from(at / 100).unwrap()));
        for pieces in [&plain, &toned] {
            let (equal_share, step) = steps(pieces);
            assert!((MIN_EQUAL_SHARE_WITH_STROKES..MIN_EQUAL_SHARE).contains(&equal_share));
            assert!((MIN_STEP_OF_HALFTONE..MIN_STEP).contains(&step), "{step}");
        }
        assert!(OpponentPixels::of_graphics(&plain).is_some());
        assert!(OpponentPixels::of_graphics(&toned).is_none());
    }

    #[test]
    fn depth_and_order_of_pieces_do_not_change_opponent_colours() {
        let (shallow, deep) = (
            OpponentPixels::of(&pieces_of(&page(false))),
            OpponentPixels::of(&pieces_of(&page(true))),
        );
        assert_eq!(shallow.num_pieces(), 25);
        for piece in (0..25).map(PieceId::new) {
            for (row, col) in [(0, 0), (3, 7), (19, 19)] {
                assert_eq!(shallow.pixel(piece, row, col), deep.pixel(piece, row, col));
            }
        }
    }
}
