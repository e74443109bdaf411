//! Protocols: how experiments of others, or of a restorer, cut their pictures.

use crate::picture_changes::{in_8_bits, resized_to};
use fretsaw::picture::{CutSize, Picture};
use fretsaw::puzzle::PuzzleType;
use image::imageops::FilterType;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;

/// A way to cut pictures of any size into boards of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// Of the benchmark ImageNet-LSEJ.
    Lsej,
    /// A wall of tiles.
    Panel,
}

fretsaw::named_enum!(Protocol { Lsej: "lsej", Panel: "panel" });

/// How a picture is scaled to the size of its board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Fit {
    /// Height and width each to the board's.
    Stretch,
    /// Until it covers the board; the middle is taken.
    Cover,
}

impl Protocol {
    /// The size of pieces before wear.
    pub(crate) fn piece(self) -> CutSize {
        let px = NonZeroU32::new(match self {
            Self::Lsej => 50,
            Self::Panel => 100,
        });
        CutSize { height_px: px, width_px: px }
    }

    /// Rows and columns, if nothing else is said.
    pub(crate) const fn cells(self) -> (u32, u32) {
        match self {
            Self::Lsej => (10, 10),
            Self::Panel => (9, 12),
        }
    }

    /// The puzzle type, if nothing else is said.
    pub(crate) const fn puzzle_type(self) -> PuzzleType {
        match self {
            Self::Lsej => PuzzleType::Type1,
            Self::Panel => PuzzleType::Type2,
        }
    }

    pub(crate) const fn fit(self) -> Fit {
        match self {
            Self::Lsej => Fit::Stretch,
            Self::Panel => Fit::Cover,
        }
    }

    /// Whether eroded pieces are scaled back to the size before.
    pub(crate) const fn scales_back(self) -> bool {
        matches!(self, Self::Lsej)
    }
}

impl Fit {
    /// The picture, scaled to a board of this height and width in pixels; where it covers the board, it may be
    /// larger. The filter is cubic.
    pub(crate) fn of(
        self,
        picture: &Picture,
        height_px: u32,
        width_px: u32,
    ) -> anyhow::Result<Picture> {
        let picture = in_8_bits(picture);
        let (height_px, width_px) = match self {
            Self::Stretch => (height_px, width_px),
            Self::Cover => {
                let factor = f64::max(
                    f64::from(height_px) / picture.height_px() as f64,
                    f64::from(width_px) / picture.width_px() as f64,
                );
                #[expect(clippy::cast_possible_truncation, reason = "about as large as the board")]
                let scaled = |side_px: usize| (side_px as f64 * factor).round() as u32;
                // One of them is the board's but for rounding.
                (
                    scaled(picture.height_px()).max(height_px),
                    scaled(picture.width_px()).max(width_px),
                )
            }
        };
        resized_to(&picture, height_px, width_px, FilterType::CatmullRom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::picture::synthetic::demo_picture;

    #[test]
    fn pictures_are_stretched_to_a_board_or_cover_it() {
        for (size, stretched, covering) in [
            ((56, 76), (90, 120), (90, 122)),
            ((30, 50), (90, 120), (90, 150)),
            ((50, 30), (90, 120), (200, 120)),
            ((180, 240), (90, 120), (90, 120)),
        ] {
            let picture = demo_picture(size.0, size.1, 1);
            let fitted = |fit: Fit| {
                let fitted = fit.of(&picture, 90, 120).unwrap();
                (fitted.height_px(), fitted.width_px())
            };
            assert_eq!(fitted(Fit::Stretch), stretched);
            assert_eq!(fitted(Fit::Cover), covering);
        }
    }
}
