//! What happens to photographs before they become puzzles: shrinking, recompression, noise, tones.
//!
//! Pure functions on pictures of 8 bits with one or three channels; all but [`cropped`] refuse anything
//! else, see [`in_8_bits`]. Colours are taken to be red, green and blue.

use anyhow::{Context, ensure};
use fretsaw::picture::Picture;
use fretsaw::puzzle::Samples;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, GrayImage, ImageFormat, RgbImage};
use rand::Rng;
use std::f64::consts::TAU;

/// Of red, green and blue, as JPEG and Rec. 601 have them.
const LUMA_WEIGHTS: [f64; 3] = [0.299, 0.587, 0.114];

/// The side of JPEG's blocks of pixels.
pub(crate) const JPEG_BLOCK_PX: u8 = 8;

/// The picture with 8 bits per value.
pub(crate) fn in_8_bits(picture: &Picture) -> Picture {
    let Samples::U16(values) = picture.samples() else { return picture.clone() };
    // 65535 = 255 * 257, so that white stays white.
    let values = values.iter().map(|&value| to_level(f64::from(value) / 257.0)).collect();
    with_values(picture, picture.channels(), values)
}

/// The picture, [`resized`] by a factor of at most 1.
///
/// The filter widens as the picture shrinks, which avoids aliasing. It is cubic: a triangle filter gives
/// softer pictures than cameras do.
pub(crate) fn shrunk(picture: &Picture, factor: f64) -> anyhow::Result<Picture> {
    ensure!(factor > 0.0 && factor <= 1.0, "a factor of {factor} is not above 0 and at most 1");
    resized(picture, factor, FilterType::CatmullRom)
}

/// The picture at `factor` times its height and width, each rounded, at least one pixel.
pub(crate) fn resized(
    picture: &Picture,
    factor: f64,
    filter: FilterType,
) -> anyhow::Result<Picture> {
    #[expect(clippy::cast_possible_truncation, reason = "as large as the factor asks")]
    let [height_px, width_px] = [picture.height_px(), picture.width_px()]
        .map(|side_px| ((side_px as f64 * factor).round() as u32).max(1));
    resized_to(picture, height_px, width_px, filter)
}

/// The picture stretched to this size.
pub(crate) fn resized_to(
    picture: &Picture,
    height_px: u32,
    width_px: u32,
    filter: FilterType,
) -> anyhow::Result<Picture> {
    let resized = image_of(picture)?.resize_exact(width_px, height_px, filter);
    picture_of(resized, picture.channels())
}

/// The picture after a Gaussian blur of standard deviation `sigma` above 0, in pixels.
pub(crate) fn blurred(picture: &Picture, sigma: f64) -> anyhow::Result<Picture> {
    ensure!(sigma > 0.0 && sigma.is_finite(), "a blur of {sigma} is not positive and finite");
    #[expect(clippy::cast_possible_truncation, reason = "digits that do not matter")]
    let sigma = sigma as f32;
    picture_of(image_of(picture)?.blur(sigma), picture.channels())
}

/// The picture in the form of the crate `image`.
fn image_of(picture: &Picture) -> anyhow::Result<DynamicImage> {
    let values = values_of(picture)?.to_vec();
    let (height_px, width_px) =
        (u32::try_from(picture.height_px())?, u32::try_from(picture.width_px())?);
    let image = match picture.channels() {
        1 => GrayImage::from_raw(width_px, height_px, values).map(DynamicImage::from),
        _ => RgbImage::from_raw(width_px, height_px, values).map(DynamicImage::from),
    };
    image.context("a picture has as many values as its size says")
}

pub(crate) fn picture_of(image: DynamicImage, channels: usize) -> anyhow::Result<Picture> {
    let (height_px, width_px) = (image.height() as usize, image.width() as usize);
    let values = match channels {
        1 => image.into_luma8().into_raw(),
        _ => image.into_rgb8().into_raw(),
    };
    Ok(Picture::new(height_px, width_px, channels, Samples::U8(values))?)
}

/// The luma of the picture, one channel. A picture of one channel stays as it is.
pub(crate) fn grey(picture: &Picture) -> anyhow::Result<Picture> {
    let values = values_of(picture)?;
    if picture.channels() == 1 {
        return Ok(picture.clone());
    }
    let lumas = values.chunks_exact(3).map(|pixel| to_level(luma(pixel))).collect();
    Ok(with_values(picture, 1, lumas))
}

/// The picture after it was saved as a JPEG of a quality from 1 to 100, colours at full resolution,
/// and read again.
///
/// `phase` says how many rows and columns, 0 to 7 each, of JPEG's first blocks lie outside the
/// picture, above and to the left. They repeat the edge of the picture.
pub(crate) fn recompressed(
    picture: &Picture,
    quality: u8,
    phase: (u8, u8),
) -> anyhow::Result<Picture> {
    ensure!((1..=100).contains(&quality), "a JPEG quality of {quality} is not between 1 and 100");
    ensure!(
        phase.0 < JPEG_BLOCK_PX && phase.1 < JPEG_BLOCK_PX,
        "a phase of {phase:?} lies beyond JPEG's blocks of {JPEG_BLOCK_PX} pixels"
    );
    let (above_px, left_px) = (usize::from(phase.0), usize::from(phase.1));
    let padded = padded(picture, above_px, left_px)?;
    let mut saved = Vec::new();
    JpegEncoder::new_with_quality(&mut saved, quality).encode_image(&image_of(&padded)?)?;
    let read = image::load_from_memory_with_format(&saved, ImageFormat::Jpeg)?;
    let read = picture_of(read, picture.channels())?;
    cropped(&read, above_px, left_px, picture.height_px(), picture.width_px())
}

/// The picture with its first row and column repeated above and to the left of it.
fn padded(picture: &Picture, above_px: usize, left_px: usize) -> anyhow::Result<Picture> {
    let values = values_of(picture)?;
    let (height_px, width_px) = (picture.height_px() + above_px, picture.width_px() + left_px);
    let channels = picture.channels();
    let mut padded = Vec::with_capacity(height_px * width_px * channels);
    for row in 0..height_px {
        let start = picture.offset_of(row.saturating_sub(above_px), 0);
        for _ in 0..left_px {
            padded.extend_from_slice(&values[start..start + channels]);
        }
        padded.extend_from_slice(&values[start..start + picture.width_px() * channels]);
    }
    Ok(Picture::new(height_px, width_px, channels, Samples::U8(padded))?)
}

/// The picture with Gaussian noise of standard deviation `sigma`, in levels of 255, added to every
/// value on its own.
pub(crate) fn with_noise(
    picture: &Picture,
    sigma: f64,
    rng: &mut impl Rng,
) -> anyhow::Result<Picture> {
    ensure!(sigma >= 0.0 && sigma.is_finite(), "a standard deviation cannot be {sigma}");
    let mut noisy = values_of(picture)?.to_vec();
    // Box and Muller's transform makes two independent numbers at a time.
    for pair in noisy.chunks_mut(2) {
        // Above 0, where the logarithm is finite.
        let uniform = 1.0 - rng.random::<f64>();
        let radius = sigma * (-2.0 * uniform.ln()).sqrt();
        let (sin, cos) = (TAU * rng.random::<f64>()).sin_cos();
        for (value, deviation) in pair.iter_mut().zip([radius * cos, radius * sin]) {
            *value = to_level(f64::from(*value) + deviation);
        }
    }
    Ok(with_values(picture, picture.channels(), noisy))
}

/// The picture with every level x, 0 to 1, made `gain` x^`gamma` and clipped.
pub(crate) fn with_tone(picture: &Picture, gamma: f64, gain: f64) -> anyhow::Result<Picture> {
    ensure!(gamma > 0.0 && gamma.is_finite(), "a gamma of {gamma} is not positive and finite");
    ensure!(gain >= 0.0 && gain.is_finite(), "a gain of {gain} is not finite and 0 or more");
    let values = values_of(picture)?;
    let curve: Vec<u8> = (0..=255_u8)
        .map(|level| to_level(255.0 * gain * (f64::from(level) / 255.0).powf(gamma)))
        .collect();
    let toned = values.iter().map(|&value| curve[usize::from(value)]).collect();
    Ok(with_values(picture, picture.channels(), toned))
}

/// The picture with every pixel's distance from its luma multiplied by `factor` and clipped: 0
/// takes all colour away, 1 changes nothing. A picture of one channel stays as it is.
pub(crate) fn with_saturation(picture: &Picture, factor: f64) -> anyhow::Result<Picture> {
    ensure!(
        factor >= 0.0 && factor.is_finite(),
        "a saturation of {factor} is not finite and 0 or more"
    );
    let values = values_of(picture)?;
    if picture.channels() == 1 {
        return Ok(picture.clone());
    }
    let mixed = values
        .chunks_exact(3)
        .flat_map(|pixel| {
            let luma = luma(pixel);
            pixel.iter().map(move |&value| to_level(luma + factor * (f64::from(value) - luma)))
        })
        .collect();
    Ok(with_values(picture, 3, mixed))
}

/// The picture with left and right exchanged.
pub(crate) fn flipped(picture: &Picture) -> anyhow::Result<Picture> {
    picture_of(image_of(picture)?.fliph(), picture.channels())
}

/// `height_px` rows and `width_px` columns of the picture, from row `top_px` and column `left_px`. Any
/// picture can be cropped.
pub(crate) fn cropped(
    picture: &Picture,
    top_px: usize,
    left_px: usize,
    height_px: usize,
    width_px: usize,
) -> anyhow::Result<Picture> {
    let lies_within = |start: usize, len: usize, all: usize| {
        len > 0 && start.checked_add(len).is_some_and(|end| end <= all)
    };
    ensure!(
        lies_within(top_px, height_px, picture.height_px())
            && lies_within(left_px, width_px, picture.width_px()),
        "{height_px} rows from {top_px} and {width_px} columns from {left_px} do not lie within a \
         picture of {} rows and {} columns",
        picture.height_px(),
        picture.width_px()
    );
    let row_len = width_px * picture.channels();
    let starts = (top_px..top_px + height_px).map(|row| picture.offset_of(row, left_px));
    let samples = match picture.samples() {
        Samples::U8(values) => Samples::U8(runs_of(values, starts, row_len)),
        Samples::U16(values) => Samples::U16(runs_of(values, starts, row_len)),
    };
    Ok(Picture::new(height_px, width_px, picture.channels(), samples)?)
}

/// Runs of `len` values, one after the other.
fn runs_of<T: Copy>(values: &[T], starts: impl Iterator<Item = usize>, len: usize) -> Vec<T> {
    starts.flat_map(|start| &values[start..start + len]).copied().collect()
}

/// The values of a picture that can be changed here.
pub(crate) fn values_of(picture: &Picture) -> anyhow::Result<&[u8]> {
    ensure!(
        matches!(picture.channels(), 1 | 3),
        "a picture of {} channels is neither grey nor red, green and blue",
        picture.channels()
    );
    match picture.samples() {
        Samples::U8(values) => Ok(values),
        Samples::U16(_) => anyhow::bail!("a picture of 16 bits must be brought to 8 bits first"),
    }
}

/// A picture of the size of another.
pub(crate) fn with_values(of_this_size: &Picture, channels: usize, values: Vec<u8>) -> Picture {
    let (height_px, width_px) = (of_this_size.height_px(), of_this_size.width_px());
    Picture::new(height_px, width_px, channels, Samples::U8(values))
        .expect("a change of levels keeps the number of pixels")
}

fn luma(pixel: &[u8]) -> f64 {
    pixel.iter().zip(LUMA_WEIGHTS).map(|(&value, weight)| f64::from(value) * weight).sum()
}

/// Rounded and clipped.
pub(crate) fn to_level(exact: f64) -> u8 {
    #[expect(clippy::cast_possible_truncation, reason = "clamped to 0..=255")]
    let level = exact.round().clamp(0.0, 255.0) as u8;
    level
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use fretsaw::picture::synthetic::demo_picture;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    fn picture(height_px: usize, width_px: usize, channels: usize, values: Vec<u8>) -> Picture {
        Picture::new(height_px, width_px, channels, Samples::U8(values)).unwrap()
    }

    fn values(picture: &Picture) -> &[u8] {
        values_of(picture).unwrap()
    }

    fn size(picture: &Picture) -> (usize, usize, usize) {
        (picture.height_px(), picture.width_px(), picture.channels())
    }

    fn rng() -> ChaCha8Rng {
        ChaCha8Rng::seed_from_u64(3)
    }

    pub(crate) fn mean_difference(a: &Picture, b: &Picture) -> f64 {
        assert_eq!(size(a), size(b));
        let sum: u64 =
            values(a).iter().zip(values(b)).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        sum as f64 / values(a).len() as f64
    }

    /// Mean differences of grey neighbours, by the place of the later one modulo 8.
    fn steps_by_phase(picture: &Picture, along_row: bool) -> [f64; 8] {
        let mut sums = [(0.0, 0.0); 8];
        for row in 1..picture.height_px() {
            for col in 1..picture.width_px() {
                let (before, place) =
                    if along_row { ((row, col - 1), col) } else { ((row - 1, col), row) };
                let here = values(picture)[picture.offset_of(row, col)];
                let there = values(picture)[picture.offset_of(before.0, before.1)];
                sums[place % 8].0 += f64::from(here.abs_diff(there));
                sums[place % 8].1 += 1.0;
            }
        }
        sums.map(|(sum, count)| sum / count)
    }

    fn place_of_largest(means: [f64; 8]) -> usize {
        (0..8).max_by(|&a, &b| means[a].total_cmp(&means[b])).unwrap()
    }

    #[test]
    fn what_is_not_8_bits_and_grey_or_rgb_is_refused() {
        let deep = Picture::new(1, 2, 1, Samples::U16(vec![0, 65535])).unwrap();
        let with_alpha = picture(1, 1, 4, vec![0; 4]);
        for bad in [deep, with_alpha] {
            assert!(shrunk(&bad, 0.5).is_err());
            assert!(grey(&bad).is_err());
            assert!(recompressed(&bad, 80, (0, 0)).is_err());
            assert!(with_noise(&bad, 1.0, &mut rng()).is_err());
            assert!(with_tone(&bad, 1.0, 1.0).is_err());
            assert!(with_saturation(&bad, 1.0).is_err());
            assert!(flipped(&bad).is_err());
        }
    }

    #[test]
    fn sixteen_bits_become_the_nearest_eight() {
        let deep = Picture::new(1, 5, 1, Samples::U16(vec![0, 128, 129, 257, 65535])).unwrap();
        assert_eq!(in_8_bits(&deep), picture(1, 5, 1, vec![0, 0, 1, 1, 255]));
        let shallow = demo_picture(5, 6, 1);
        assert_eq!(in_8_bits(&shallow), shallow);
    }

    #[test]
    fn shrinking_keeps_size_ratio_channels_and_flat_colour() {
        let flat = picture(31, 50, 3, [10, 100, 255].repeat(31 * 50));
        let small = shrunk(&flat, 0.5).unwrap();
        assert_eq!(size(&small), (16, 25, 3));
        assert_eq!(values(&small), [10, 100, 255].repeat(16 * 25));
        assert_eq!(size(&shrunk(&flat, 0.001).unwrap()), (1, 1, 3));
        let whole = demo_picture(40, 30, 2);
        assert_eq!(shrunk(&whole, 1.0).unwrap(), whole);
    }

    #[test]
    fn shrinking_averages_detail_that_is_too_fine_instead_of_choosing_from_it() {
        let board = (0..64 * 64).map(|i| if (i / 64 + i % 64) % 2 == 0 { 0 } else { 200 });
        let small = shrunk(&picture(64, 64, 1, board.collect()), 0.37).unwrap();
        for row in 2..small.height_px() - 2 {
            for col in 2..small.width_px() - 2 {
                let level = values(&small)[small.offset_of(row, col)];
                assert!((80..=120).contains(&level), "{level} at {row}, {col}");
            }
        }
    }

    #[test]
    fn shrinking_keeps_everything_in_its_place() {
        // Left black, right white, and a red lower half.
        let values_at = |row: usize, col: usize| {
            let level = if col < 30 { 0 } else { 255 };
            if row < 20 { [level; 3] } else { [255, 0, 0] }
        };
        let all = (0..40).flat_map(|row| (0..60).flat_map(move |col| values_at(row, col)));
        let small = shrunk(&picture(40, 60, 3, all.collect()), 0.5).unwrap();
        let pixel = |row, col| &values(&small)[small.offset_of(row, col)..][..3];
        assert_eq!(pixel(4, 5), [0, 0, 0]);
        assert_eq!(pixel(4, 25), [255, 255, 255]);
        assert_eq!(pixel(16, 25), [255, 0, 0]);
    }

    #[test]
    fn factors_that_do_not_shrink_are_refused() {
        for factor in [0.0, -0.5, 1.01, f64::NAN, f64::INFINITY] {
            assert!(shrunk(&demo_picture(8, 8, 1), factor).is_err(), "{factor}");
        }
    }

    #[test]
    fn grey_is_the_luma() {
        let colours = picture(1, 4, 3, vec![255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]);
        let expected = picture(1, 4, 1, vec![76, 150, 29, 255]);
        assert_eq!(grey(&colours).unwrap(), expected);
        assert_eq!(grey(&expected).unwrap(), expected);
    }

    #[test]
    fn recompression_puts_the_blocks_where_the_phase_says() {
        // Only a ramp and noise: nothing but the blocks can prefer a place.
        let ramp = (0..120 * 136).map(|i| u8::try_from(60 + i / 136 / 2 + i % 136 / 2).unwrap());
        let ramp = picture(120, 136, 1, ramp.collect());
        let noisy = with_noise(&ramp, 6.0, &mut rng()).unwrap();
        for phase in [(0, 0), (3, 6), (7, 1)] {
            let again = recompressed(&noisy, 10, phase).unwrap();
            let expected = [phase.0, phase.1].map(|px| (8 - usize::from(px)) % 8);
            assert_eq!(place_of_largest(steps_by_phase(&again, false)), expected[0], "{phase:?}");
            assert_eq!(place_of_largest(steps_by_phase(&again, true)), expected[1], "{phase:?}");
        }
    }

    #[test]
    fn recompression_keeps_the_size_and_the_more_the_higher_the_quality() {
        let colour = demo_picture(61, 83, 1);
        for original in [grey(&colour).unwrap(), colour] {
            let [poor, good] =
                [10, 95].map(|quality| recompressed(&original, quality, (5, 2)).unwrap());
            let (far, near) =
                (mean_difference(&original, &poor), mean_difference(&original, &good));
            assert!(near > 0.0 && near < 3.0, "{near}");
            assert!(far > 1.5 * near, "{near} and {far}");
        }
    }

    #[test]
    fn recompression_refuses_what_jpeg_has_not() {
        let original = demo_picture(16, 16, 1);
        assert!(recompressed(&original, 0, (0, 0)).is_err());
        assert!(recompressed(&original, 101, (0, 0)).is_err());
        assert!(recompressed(&original, 80, (8, 0)).is_err());
        assert!(recompressed(&original, 80, (0, 8)).is_err());
        let long = picture(1, 65_535, 1, vec![0; 65_535]);
        assert!(recompressed(&long, 80, (0, 1)).is_err());
    }

    #[test]
    fn noise_has_the_mean_and_deviation_asked_for() {
        // An odd number of values: the last one has no partner.
        let flat = picture(101, 201, 1, vec![128; 101 * 201]);
        let noisy = with_noise(&flat, 5.0, &mut rng()).unwrap();
        let deviations: Vec<f64> = values(&noisy).iter().map(|&v| f64::from(v) - 128.0).collect();
        let len = deviations.len() as f64;
        let mean = deviations.iter().sum::<f64>() / len;
        let square = deviations.iter().map(|d| d * d).sum::<f64>() / len;
        // Rounding adds 1/12 to the variance.
        assert!(mean.abs() < 0.15, "{mean}");
        assert!((square.sqrt() - 5.0).abs() < 0.15, "{square}");
        // Gaussian: 4.6 % beyond two deviations, not the 0 % of a box or the 2.5 % of two boxes.
        let beyond = deviations.iter().filter(|d| d.abs() > 10.0).count() as f64 / len;
        assert!((0.03..0.055).contains(&beyond), "{beyond}");
        let products: f64 = deviations.windows(2).map(|pair| pair[0] * pair[1]).sum();
        assert!((products / len / square).abs() < 0.03, "neighbours are correlated");
        assert_eq!(noisy, with_noise(&flat, 5.0, &mut rng()).unwrap());
    }

    #[test]
    fn noise_does_not_wrap_around() {
        let ends = picture(1, 2000, 1, [0, 255].repeat(1000));
        let noisy = with_noise(&ends, 3.0, &mut rng()).unwrap();
        for (before, after) in values(&ends).iter().zip(values(&noisy)) {
            assert!(before.abs_diff(*after) < 20);
        }
        assert_eq!(with_noise(&ends, 0.0, &mut rng()).unwrap(), ends);
        for sigma in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(with_noise(&ends, sigma, &mut rng()).is_err());
        }
    }

    #[test]
    fn tones_follow_the_curve_and_are_clipped() {
        let levels = picture(1, 5, 1, vec![0, 64, 128, 200, 255]);
        let toned = |gamma, gain| with_tone(&levels, gamma, gain).unwrap();
        assert_eq!(toned(1.0, 1.0), levels);
        assert_eq!(values(&toned(2.0, 1.0)), [0, 16, 64, 157, 255]);
        assert_eq!(values(&toned(1.0, 1.5)), [0, 96, 192, 255, 255]);
        assert_eq!(values(&toned(0.5, 0.5)), [0, 64, 90, 113, 128]);
        for (gamma, gain) in
            [(0.0, 1.0), (-1.0, 1.0), (f64::NAN, 1.0), (1.0, -0.1), (1.0, f64::NAN)]
        {
            assert!(with_tone(&levels, gamma, gain).is_err());
        }
    }

    #[test]
    fn saturation_moves_colours_from_and_to_their_luma() {
        let colours = picture(1, 3, 3, vec![255, 0, 0, 120, 100, 80, 50, 50, 50]);
        let mixed = |factor| with_saturation(&colours, factor).unwrap();
        assert_eq!(values(&mixed(0.0)), [76, 76, 76, 104, 104, 104, 50, 50, 50]);
        assert_eq!(mixed(1.0), colours);
        assert_eq!(values(&mixed(1.5)), [255, 0, 0, 128, 98, 68, 50, 50, 50]);
        let one = grey(&colours).unwrap();
        assert_eq!(with_saturation(&one, 0.3).unwrap(), one);
        for factor in [-0.1, f64::NAN] {
            assert!(with_saturation(&colours, factor).is_err());
        }
    }

    #[test]
    fn flipping_reverses_rows_but_not_channels() {
        let original = picture(2, 2, 3, vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
        let mirrored = picture(2, 2, 3, vec![4, 5, 6, 1, 2, 3, 10, 11, 12, 7, 8, 9]);
        assert_eq!(flipped(&original).unwrap(), mirrored);
        assert_eq!(flipped(&mirrored).unwrap(), original);
    }

    #[test]
    fn a_crop_is_the_part_asked_for() {
        let original = picture(3, 4, 1, (0..12).collect());
        assert_eq!(cropped(&original, 1, 2, 2, 2).unwrap(), picture(2, 2, 1, vec![6, 7, 10, 11]));
        assert_eq!(cropped(&original, 0, 0, 3, 4).unwrap(), original);
        let beyond =
            [(2, 0, 2, 1), (0, 3, 1, 2), (0, 0, 0, 1), (0, 0, 1, 0), (usize::MAX, 0, 1, 1)];
        for (top, left, height, width) in beyond {
            assert!(cropped(&original, top, left, height, width).is_err());
        }
    }
}
