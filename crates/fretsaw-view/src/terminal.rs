//! The solved picture in a terminal. Each character shows two pixels, one above the other.

use crate::Answer;
use crate::paint::BoardView;
use image::imageops::thumbnail;
use image::{Rgba, RgbaImage};
use std::fmt::Write;

/// The colours that a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colors {
    /// Any red, green and blue of 8 bit.
    True,
    /// The 256 of `xterm`.
    Indexed,
}

/// The largest side of a board before it is shrunk to the terminal.
const MAX_PAINTED_PX: u32 = 2048;

/// The boards of an answer, one below the other, at most `columns` characters wide.
///
/// Pixels that are more than half transparent, such as those of holes, keep the terminal's background.
pub fn preview(answer: Answer<'_>, columns: u32, colors: Colors) -> String {
    let boards = BoardView::all(answer.pieces, answer.assembly);
    let texts = boards.map(|board| {
        let painted = board.painted((MAX_PAINTED_PX, MAX_PAINTED_PX), Rgba([0; 4])).image;
        let width_px = painted.width().min(columns.max(1));
        let height_px =
            u64::from(painted.height()) * u64::from(width_px) / u64::from(painted.width().max(1));
        let height_px = u32::try_from(height_px).unwrap_or(u32::MAX).max(1);
        half_blocks(&thumbnail(&painted, width_px, height_px), colors)
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Each character shows two pixels: the upper half in the foreground colour, the lower half in the
/// background colour.
fn half_blocks(image: &RgbaImage, colors: Colors) -> String {
    let mut text = String::new();
    for top in (0..image.height()).step_by(2) {
        for col in 0..image.width() {
            let pixel = |row| {
                let found = image.get_pixel_checked(col, row);
                found.filter(|Rgba([.., alpha])| *alpha > 127)
            };
            // Writing to a string cannot fail.
            let _ = match (pixel(top), pixel(top + 1)) {
                (Some(upper), Some(lower)) => {
                    let (upper, lower) = (colors.code(upper), colors.code(lower));
                    write!(text, "\u{1b}[38;{upper};48;{lower}m\u{2580}")
                }
                (Some(upper), None) => {
                    write!(text, "\u{1b}[0;38;{}m\u{2580}", colors.code(upper))
                }
                (None, Some(lower)) => {
                    write!(text, "\u{1b}[0;38;{}m\u{2584}", colors.code(lower))
                }
                (None, None) => write!(text, "\u{1b}[0m "),
            };
        }
        text.push_str("\u{1b}[0m\n");
    }
    text
}

/// The levels of red, green and blue in the colour cube, which has 216 of the 256 colours.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];
/// The index of the first colour of the cube.
const CUBE_START: usize = 16;
/// The index of the first grey after the cube. The greys are 8, 18, ... 238.
const GREY_START: usize = 232;
const NUM_GREYS: usize = 24;

impl Colors {
    /// The escape code parameters of a colour.
    fn code(self, &Rgba([red, green, blue, _]): &Rgba<u8>) -> String {
        match self {
            Self::True => format!("2;{red};{green};{blue}"),
            Self::Indexed => format!("5;{}", indexed([red, green, blue])),
        }
    }
}

/// The index of the nearest of the 256 colours.
fn indexed(color: [u8; 3]) -> usize {
    let level = color.map(|value| {
        let distance = |&level: &usize| CUBE[level].abs_diff(value);
        (0..CUBE.len()).min_by_key(distance).unwrap_or_default()
    });
    let mean = color.iter().map(|&value| usize::from(value)).sum::<usize>() / 3;
    let grey = (mean.saturating_sub(3) / 10).min(NUM_GREYS - 1);
    let grey_value = u8::try_from(8 + 10 * grey).unwrap_or(u8::MAX);
    let distance = |found: [u8; 3]| -> u32 {
        let square = |(a, b): (u8, u8)| u32::from(a.abs_diff(b)).pow(2);
        color.into_iter().zip(found).map(square).sum()
    };
    if distance([grey_value; 3]) < distance(level.map(|level| CUBE[level])) {
        GREY_START + grey
    } else {
        CUBE_START + 36 * level[0] + 6 * level[1] + level[2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::tests::{Example, plain_pieces};

    #[test]
    fn two_pixels_make_a_character() {
        let mut image = RgbaImage::from_pixel(2, 3, Rgba([1, 2, 3, 255]));
        image.put_pixel(1, 0, Rgba([0; 4]));
        image.put_pixel(1, 2, Rgba([0; 4]));
        assert_eq!(
            half_blocks(&image, Colors::True),
            "\u{1b}[38;2;1;2;3;48;2;1;2;3m\u{2580}\u{1b}[0;38;2;1;2;3m\u{2584}\u{1b}[0m\n\
             \u{1b}[0;38;2;1;2;3m\u{2580}\u{1b}[0m \u{1b}[0m\n"
        );
    }

    #[test]
    fn the_nearest_of_256_colors_is_taken() {
        assert_eq!(indexed([0, 0, 0]), 16);
        assert_eq!(indexed([255, 255, 255]), 231);
        assert_eq!(indexed([255, 0, 0]), 196);
        assert_eq!(indexed([95, 135, 175]), 16 + 36 + 12 + 3);
        assert_eq!(indexed([128, 128, 128]), 244);
        assert_eq!(indexed([9, 9, 9]), 232);
    }

    #[test]
    fn boards_are_at_most_as_wide_as_the_terminal() {
        let (pieces, example) = (plain_pieces(), Example::new());
        let answer = example.answer(&pieces);
        let text = preview(answer, 6, Colors::Indexed);
        let blocks = |line: &str| line.chars().filter(|c| "\u{2580}\u{2584} ".contains(*c)).count();
        // 12 x 4 px shrink to 6 x 2, 4 x 8 px stay.
        assert_eq!(text.lines().map(blocks).collect::<Vec<_>>(), [6, 0, 4, 4, 4, 4]);
    }
}
