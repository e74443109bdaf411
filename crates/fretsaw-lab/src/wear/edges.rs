//! What lies on the edges of pieces: lines of background, and plaster on ragged edges.

use crate::picture_changes::{to_level, values_of, with_values};
use fretsaw::picture::Picture;
use rand::Rng;
use std::f64::consts::PI;

/// Pixels between the finer bumps of a ragged edge.
const FINE_PX: f64 = 2.5;
/// Coarse bumps of a ragged edge along a side.
const COARSE_BUMPS: f64 = 6.0;
/// How much of the depth is due to the coarse bumps.
const COARSE_SHARE: f64 = 0.65;
/// The half range of the noise of plaster, in levels.
const PLASTER_NOISE: f64 = 6.0;

/// A colour; grey pieces have its mean.
pub(super) type Colour = [f64; 3];

/// Near white or near black, with a slight tint.
pub(super) fn background_colour(rng: &mut impl Rng) -> Colour {
    let base = if rng.random_bool(0.5) {
        rng.random_range(232.0..255.0)
    } else {
        rng.random_range(0.0..24.0)
    };
    [(); 3].map(|()| f64::clamp(base + rng.random_range(-4.0..4.0), 0.0, 255.0))
}

/// A light grey, often a little yellow.
pub(super) fn plaster_colour(rng: &mut impl Rng) -> Colour {
    let base: f64 = rng.random_range(150.0..235.0);
    let yellow = rng.random_range(0.0..25.0);
    [base, base - 0.3 * yellow, base - yellow]
}

/// Depths in pixels along the top, the right, the bottom and the left side, from the left and from the top.
pub(super) type Depths = [Vec<f64>; 4];

fn lengths(piece: &Picture) -> [usize; 4] {
    let (height_px, width_px) = (piece.height_px(), piece.width_px());
    [width_px, height_px, width_px, height_px]
}

/// A line along each side, as wide as drawn from 0 to `most_px`; half of the widths are rounded to whole pixels.
pub(super) fn line_depths(piece: &Picture, most_px: f64, rng: &mut impl Rng) -> Depths {
    lengths(piece).map(|length| {
        let width_px: f64 = rng.random_range(0.0..=most_px);
        let width_px = if rng.random_bool(0.5) { width_px.round() } else { width_px };
        vec![width_px; length]
    })
}

/// A smooth random depth along each side, between 0 and `most_px`.
pub(super) fn ragged_depths(piece: &Picture, most_px: f64, rng: &mut impl Rng) -> Depths {
    lengths(piece).map(|length| {
        let coarse_px = (length as f64 / COARSE_BUMPS).max(FINE_PX);
        let coarse = smooth(length, coarse_px, rng);
        let fine = smooth(length, FINE_PX, rng);
        let mixed = coarse.iter().zip(fine);
        mixed.map(|(a, b)| most_px * (COARSE_SHARE * a + (1.0 - COARSE_SHARE) * b)).collect()
    })
}

/// Random numbers between 0 and 1, with smooth steps from one to the next over `step_px` places.
fn smooth(length: usize, step_px: f64, rng: &mut impl Rng) -> Vec<f64> {
    let (mut left, mut right): (f64, f64) = (rng.random(), rng.random());
    // Bumps do not begin at corners.
    let mut at = rng.random::<f64>();
    let mut numbers = Vec::with_capacity(length);
    for _ in 0..length {
        let share = (1.0 - (PI * at).cos()) / 2.0;
        numbers.push(left + share * (right - left));
        at += 1.0 / step_px;
        if at >= 1.0 {
            at -= 1.0;
            (left, right) = (right, rng.random());
        }
    }
    numbers
}

/// The piece with its sides covered by a colour to these depths. Pixels that are covered in part are mixed.
/// With `noise` the colour of every covered pixel differs by some levels, as plaster does.
pub(super) fn covered(
    piece: &Picture,
    depths: &Depths,
    colour: Colour,
    noise: Option<&mut impl Rng>,
) -> anyhow::Result<Picture> {
    let values = values_of(piece)?;
    let channels = piece.channels();
    let colour = if channels == 1 { [colour.iter().sum::<f64>() / 3.0; 3] } else { colour };
    let (height_px, width_px) = (piece.height_px(), piece.width_px());
    let mut covered = values.to_vec();
    let mut noise = noise;
    for row in 0..height_px {
        for col in 0..width_px {
            let [top, right, bottom, left] = depths;
            let excess = [
                top[col] - row as f64,
                right[row] - (width_px - 1 - col) as f64,
                bottom[col] - (height_px - 1 - row) as f64,
                left[row] - col as f64,
            ];
            let share = excess.into_iter().fold(0.0, f64::max).min(1.0);
            if share == 0.0 {
                continue;
            }
            let deviation =
                noise.as_mut().map_or(0.0, |rng| rng.random_range(-PLASTER_NOISE..=PLASTER_NOISE));
            for channel in 0..channels {
                let value = &mut covered[piece.offset_of(row, col) + channel];
                let cover = colour[channel] + deviation;
                *value = to_level((1.0 - share) * f64::from(*value) + share * cover);
            }
        }
    }
    Ok(with_values(piece, channels, covered))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture_changes::cropped;
    use fretsaw::picture::synthetic::demo_picture;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    const NO_NOISE: Option<&mut ChaCha8Rng> = None;

    #[test]
    fn lines_cover_the_sides_to_their_width_and_nothing_else() {
        let piece = demo_picture(12, 15, 1);
        let depths = [vec![1.0; 15], vec![0.0; 12], vec![2.5; 15], vec![0.0; 12]];
        let lined = covered(&piece, &depths, [10.0, 20.0, 30.0], NO_NOISE).unwrap();
        let value = |of: &Picture, row, col, channel| {
            f64::from(of.samples().get(of.offset_of(row, col) + channel))
        };
        for channel in 0..3 {
            let colour = 10.0 * (channel + 1) as f64;
            assert_eq!(value(&lined, 0, 7, channel), colour);
            assert_eq!(value(&lined, 11, 7, channel), colour);
            assert_eq!(value(&lined, 10, 7, channel), colour);
            let half = f64::midpoint(value(&piece, 9, 7, channel), colour).round();
            assert_eq!(value(&lined, 9, 7, channel), half);
        }
        assert_eq!(cropped(&lined, 1, 0, 8, 15).unwrap(), cropped(&piece, 1, 0, 8, 15).unwrap());
    }

    #[test]
    fn ragged_edges_are_smooth_and_between_nothing_and_the_depth() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let piece = demo_picture(100, 100, 1);
        let depths = ragged_depths(&piece, 4.0, &mut rng);
        for depths in &depths {
            assert!(depths.iter().all(|depth| (0.0..=4.0).contains(depth)));
            let steps = depths.windows(2).map(|pair| (pair[0] - pair[1]).abs());
            assert!(steps.fold(0.0, f64::max) < 2.0);
        }
        let all = || depths.iter().flatten().copied();
        assert!(all().fold(0.0, f64::max) > 3.0 && all().fold(4.0, f64::min) < 1.0);
        let ragged = covered(&piece, &depths, plaster_colour(&mut rng), Some(&mut rng)).unwrap();
        assert_ne!(ragged, piece);
        let inner = |of: &Picture| cropped(of, 4, 4, 92, 92).unwrap();
        assert_eq!(inner(&ragged), inner(&piece));
    }

    #[test]
    fn widths_of_lines_are_whole_or_not() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let piece = demo_picture(5, 5, 1);
        let widths: Vec<f64> = (0..200)
            .flat_map(|_| line_depths(&piece, 1.0, &mut rng).map(|depths| depths[0]))
            .collect();
        assert!(widths.iter().all(|width| (0.0..=1.0).contains(width)));
        let num_whole = widths.iter().filter(|width| width.fract() == 0.0).count();
        assert!((300..500).contains(&num_whole), "{num_whole} of 800");
    }
}
