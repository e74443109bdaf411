//! What happens to pictures that become references: they fade, turn brown, were taken in another light or with
//! another camera, and show a little less than the puzzle.

use crate::picture_changes::{
    blurred, cropped, recompressed, to_level, values_of, with_noise, with_tone, with_values,
};
use fretsaw::picture::Picture;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A change of a reference, or several at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReferenceChange {
    /// As it is.
    None,
    /// Brown tones instead of colours.
    Sepia,
    /// Half the contrast, and black is grey.
    Faded,
    /// Too little light: dark tones are darker.
    Dark,
    /// Too much light: bright tones are white.
    Bright,
    /// The light falls from one corner to the opposite one, and from the middle to the corners.
    Uneven,
    /// Red is stronger and blue is weaker.
    Cast,
    /// Out of focus.
    Blur,
    /// Compressed a second time, badly.
    Jpeg,
    /// Up to 3 % are missing along every edge, which also changes the scale.
    Crop,
    /// A scan of an old photograph: sepia, faded, uneven, out of focus, cropped and with grain.
    Old,
}

fretsaw::named_enum!(ReferenceChange {
    None: "none",
    Sepia: "sepia",
    Faded: "faded",
    Dark: "dark",
    Bright: "bright",
    Uneven: "uneven",
    Cast: "cast",
    Blur: "blur",
    Jpeg: "jpeg",
    Crop: "crop",
    Old: "old",
});

/// Red, green and blue of a sepia picture by those of the picture; the usual numbers of image editors.
const SEPIA: [[f64; 3]; 3] = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]];

/// The largest share of a side that [`ReferenceChange::Crop`] takes from each of its ends.
const MOST_CROPPED: f64 = 0.03;

impl ReferenceChange {
    /// The picture, of three channels with 8 bits, after the change. The seed draws what is random.
    pub(crate) fn of(self, picture: &Picture, seed: u64) -> anyhow::Result<Picture> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        match self {
            Self::None => Ok(picture.clone()),
            Self::Sepia => by_pixel(picture, |_, _, pixel| {
                SEPIA.map(|row| row.iter().zip(pixel).map(|(weight, value)| weight * value).sum())
            }),
            Self::Faded => by_pixel(picture, |_, _, pixel| pixel.map(|value| 0.4 + 0.5 * value)),
            Self::Dark => with_tone(picture, 1.8, 0.9),
            Self::Bright => with_tone(picture, 0.7, 1.2),
            Self::Uneven => by_pixel(picture, |down, across, pixel| {
                let (y, x) = (down - 0.5, across - 0.5);
                let light = 0.85 + 0.3 * (x + y) / 2.0 - 0.6 * (x * x + y * y);
                pixel.map(|value| light * value)
            }),
            Self::Cast => by_pixel(picture, |_, _, pixel| {
                [0.06 + 1.05 * pixel[0], 0.95 * pixel[1], 0.6 * pixel[2]]
            }),
            Self::Blur => blurred(picture, 2.0),
            Self::Jpeg => recompressed(picture, 15, (3, 5)),
            Self::Crop => {
                let mut ends = |side_px: usize| {
                    let mut lost = || {
                        let share = MOST_CROPPED * rng.random::<f64>();
                        #[expect(clippy::cast_possible_truncation, reason = "less than the side")]
                        let px = (share * side_px as f64).round() as usize;
                        px
                    };
                    let (before, after) = (lost(), lost());
                    (before, side_px - before - after)
                };
                let (rows, cols) = (ends(picture.height_px()), ends(picture.width_px()));
                cropped(picture, rows.0, cols.0, rows.1, cols.1)
            }
            Self::Old => {
                let mut changed = picture.clone();
                for change in [Self::Crop, Self::Sepia, Self::Uneven, Self::Faded] {
                    changed = change.of(&changed, seed)?;
                }
                with_noise(&blurred(&changed, 1.0)?, 4.0, &mut rng)
            }
        }
    }
}

/// The picture with every pixel changed by a function of its place and its colour: the share of the height above
/// it and of the width to its left, and red, green and blue from 0 to 1.
fn by_pixel(
    picture: &Picture,
    of: impl Fn(f64, f64, [f64; 3]) -> [f64; 3],
) -> anyhow::Result<Picture> {
    anyhow::ensure!(picture.channels() == 3, "references are made of pictures in colour");
    let width_px = picture.width_px();
    let changed = values_of(picture)?.chunks_exact(3).enumerate().flat_map(|(index, pixel)| {
        let down = (index / width_px) as f64 / picture.height_px() as f64;
        let across = (index % width_px) as f64 / width_px as f64;
        let color = [pixel[0], pixel[1], pixel[2]].map(|value| f64::from(value) / 255.0);
        of(down, across, color).map(|value| to_level(255.0 * value))
    });
    Ok(with_values(picture, 3, changed.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::picture::synthetic::demo_picture;

    #[test]
    fn every_change_changes_the_picture_and_repeats_itself() {
        let picture = demo_picture(100, 140, 2);
        for change in ReferenceChange::ALL {
            let changed = change.of(&picture, 7).unwrap();
            assert_eq!(changed, change.of(&picture, 7).unwrap(), "{change:?}");
            assert_eq!(changed == picture, change == ReferenceChange::None, "{change:?}");
        }
    }

    #[test]
    fn sepia_has_one_colour_and_faded_has_no_black() {
        let picture = demo_picture(60, 80, 2);
        let sepia = ReferenceChange::Sepia.of(&picture, 1).unwrap();
        assert!(values_of(&sepia).unwrap().chunks_exact(3).all(|pixel| pixel[0] >= pixel[2]));
        let faded = ReferenceChange::Faded.of(&picture, 1).unwrap();
        assert!(values_of(&faded).unwrap().iter().all(|&value| value >= 102));
    }

    #[test]
    fn a_crop_is_small_and_drawn_by_the_seed() {
        let picture = demo_picture(100, 140, 2);
        let crops = [1, 2].map(|seed| ReferenceChange::Crop.of(&picture, seed).unwrap());
        assert_ne!(crops[0], crops[1]);
        for crop in crops {
            assert!(crop.height_px() >= 94 && crop.width_px() >= 132);
        }
    }

    #[test]
    fn uneven_light_darkens_one_corner_more_than_the_opposite() {
        let picture = Picture::new(40, 40, 3, fretsaw::puzzle::Samples::U8(vec![200; 4800]));
        let uneven = ReferenceChange::Uneven.of(&picture.unwrap(), 1).unwrap();
        let values = values_of(&uneven).unwrap();
        assert!(values[0] + 20 < values[4799], "{} {}", values[0], values[4799]);
        let middle = values[uneven.offset_of(20, 20)];
        assert!(middle > values[4799]);
    }
}
