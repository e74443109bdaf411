//! What can be done to a picture before it becomes a puzzle: shrinking, taking away colours.
//!
//! For pictures of 8 bits with one or three channels; anything else is refused.

use anyhow::{bail, ensure};
use fretsaw::picture::Picture;
use fretsaw::puzzle::Samples;

/// Of red, green and blue, as JPEG and Rec. 601 have them.
const LUMA_WEIGHTS: [f64; 3] = [0.299, 0.587, 0.114];

/// The same picture with 8 bits a value.
#[must_use]
pub fn in_8_bits(picture: &Picture) -> Picture {
    let Samples::U16(values) = picture.samples() else { return picture.clone() };
    // 65535 = 255 * 257, so that white stays white.
    let values = values.iter().map(|&value| to_level(f64::from(value) / 257.0)).collect();
    let (height_px, width_px) = (picture.height_px(), picture.width_px());
    Picture::new(height_px, width_px, picture.channels(), Samples::U8(values))
        .expect("a change of depth keeps the number of values")
}

/// The picture at `factor` times its height and width, each rounded, at least one pixel. Every pixel
/// is the mean of the area that it covers.
///
/// # Errors
/// If the factor is not above 0 and at most 1, or the picture is not of 8 bits and one or three
/// channels.
pub fn shrunk(picture: &Picture, factor: f64) -> anyhow::Result<Picture> {
    ensure!(factor > 0.0 && factor <= 1.0, "a factor of {factor} is not above 0 and at most 1");
    let values = values_of(picture)?;
    let channels = picture.channels();
    let rows = covers(picture.height_px(), factor);
    let cols = covers(picture.width_px(), factor);
    let mut small = Vec::with_capacity(rows.len() * cols.len() * channels);
    for row in &rows {
        for col in &cols {
            for channel in 0..channels {
                let (mut sum, mut area) = (0.0, 0.0);
                for &(y, height) in row {
                    for &(x, width) in col {
                        sum +=
                            height * width * f64::from(values[picture.offset_of(y, x) + channel]);
                        area += height * width;
                    }
                }
                small.push(to_level(sum / area));
            }
        }
    }
    Ok(Picture::new(rows.len(), cols.len(), channels, Samples::U8(small))?)
}

/// The luma of the picture, one channel. A picture of one channel stays as it is.
///
/// # Errors
/// If the picture is not of 8 bits and one or three channels.
pub fn grey(picture: &Picture) -> anyhow::Result<Picture> {
    let values = values_of(picture)?;
    if picture.channels() == 1 {
        return Ok(picture.clone());
    }
    let luma = |pixel: &[u8]| -> f64 {
        pixel.iter().zip(LUMA_WEIGHTS).map(|(&value, weight)| f64::from(value) * weight).sum()
    };
    let lumas = values.chunks_exact(3).map(|pixel| to_level(luma(pixel))).collect();
    Ok(Picture::new(picture.height_px(), picture.width_px(), 1, Samples::U8(lumas))?)
}

/// For each pixel along a shrunk side, the pixels that it covers, and how much of each.
fn covers(length_px: usize, factor: f64) -> Vec<Vec<(usize, f64)>> {
    #[expect(clippy::cast_possible_truncation, reason = "not above the length as it was")]
    let shrunk_px = ((length_px as f64 * factor).round() as usize).max(1);
    let step = length_px as f64 / shrunk_px as f64;
    (0..shrunk_px)
        .map(|place| {
            let (start, end) = (place as f64 * step, (place + 1) as f64 * step);
            #[expect(clippy::cast_possible_truncation, reason = "not above the length")]
            let (first, last) = (start.floor() as usize, (end.ceil() as usize).min(length_px));
            (first..last)
                .map(|px| (px, end.min((px + 1) as f64) - start.max(px as f64)))
                .filter(|&(_, share)| share > 0.0)
                .collect()
        })
        .collect()
}

/// The values of a picture that can be changed here.
fn values_of(picture: &Picture) -> anyhow::Result<&[u8]> {
    ensure!(
        matches!(picture.channels(), 1 | 3),
        "a picture of {} channels is neither grey nor red, green and blue",
        picture.channels()
    );
    match picture.samples() {
        Samples::U8(values) => Ok(values),
        Samples::U16(_) => bail!("a picture of 16 bits must be brought to 8 bits first"),
    }
}

/// Rounded and clipped.
fn to_level(exact: f64) -> u8 {
    #[expect(clippy::cast_possible_truncation, reason = "clamped to 0..=255")]
    let level = exact.round().clamp(0.0, 255.0) as u8;
    level
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shrinking_averages_areas() {
        let picture = Picture::new(1, 3, 1, Samples::U8(vec![0, 90, 240])).unwrap();
        // Two pixels of one and a half each.
        let small = shrunk(&picture, 0.7).unwrap();
        assert_eq!((small.height_px(), small.width_px()), (1, 2));
        assert_eq!(small.samples(), &Samples::U8(vec![30, 190]));
        assert_eq!(shrunk(&picture, 1.0).unwrap(), picture);
        for factor in [0.0, 1.5, f64::NAN] {
            assert!(shrunk(&picture, factor).is_err());
        }
    }

    #[test]
    fn sixteen_bits_become_the_nearest_eight() {
        let deep = Picture::new(1, 4, 1, Samples::U16(vec![0, 128, 257, 65535])).unwrap();
        assert_eq!(in_8_bits(&deep).samples(), &Samples::U8(vec![0, 0, 1, 255]));
        assert!(grey(&deep).is_err() && shrunk(&deep, 0.5).is_err());
    }

    #[test]
    fn grey_is_the_luma() {
        let picture = Picture::new(1, 2, 3, Samples::U8(vec![255, 0, 0, 9, 9, 9])).unwrap();
        let grey = grey(&picture).unwrap();
        assert_eq!((grey.channels(), grey.samples()), (1, &Samples::U8(vec![76, 9])));
    }
}
