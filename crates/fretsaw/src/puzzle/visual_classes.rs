//! Visual classes: plain pieces that nobody can tell apart by eye share a class.
//!
//! On a plain ground with noise of a level or two, no two pieces are equal pixel for pixel, and yet an exchange
//! of them cannot be seen. Visual classes are pixel classes, except that plain pieces of the same colour share one:
//!
//! * A *level* is one of the 256 steps of an 8-bit value. The level of a 16-bit value is the value divided by 257,
//!   rounded down.
//! * A piece is *plain* if in each channel all its levels lie within 2 of one level: the largest is at most the
//!   smallest plus 4.
//! * Its *colour* is, channel by channel, the mean of its levels, rounded to the nearest level (half up), and then
//!   the step of four levels in which that lies: 0 to 3, 4 to 7, ..., 252 to 255.
//!
//! Each class is the set of pieces with the same value of a function of their pixels, so that sharing a class is an
//! equivalence relation. Colours on the two sides of a step differ, even if they are only one level apart: whatever
//! the steps are, some neighbouring levels must fall into different ones.

use super::pixel_classes::lies_across;
use super::{PieceClasses, PieceId, PieceSet, QuarterTurn};
use std::collections::HashMap;

/// The most that levels of a plain piece differ by.
const MAX_SPREAD: u16 = 4;
/// Levels in a step of colour.
const LEVELS_PER_STEP: u64 = 4;

/// What the pieces of a class have in common.
#[derive(PartialEq, Eq, Hash)]
enum Look {
    Plain { colour: Vec<u64>, lies_across: bool },
    Pixels(u32),
}

/// The visual classes of every piece after 0, 1, 2 and 3 clockwise turns, from its pixel classes. They are numbered in
/// order of first appearance.
///
/// # Panics
/// If there are fewer pixel classes than pieces.
pub fn visual_classes_of(pieces: &PieceSet, pixel_classes: &[PieceClasses]) -> Vec<PieceClasses> {
    let mut numbers: HashMap<Look, u32> = HashMap::new();
    let mut classes_of = |piece: PieceId| {
        let colour = plain_colour(pieces, piece);
        QuarterTurn::ALL.map(|turn| {
            let look = match &colour {
                Some(colour) => {
                    let lies_across = lies_across(pieces, turn);
                    Look::Plain { colour: colour.clone(), lies_across }
                }
                None => Look::Pixels(pixel_classes[piece.index()][turn.index()]),
            };
            #[expect(clippy::cast_possible_truncation, reason = "four classes a piece fit u32")]
            let next = numbers.len() as u32;
            *numbers.entry(look).or_insert(next)
        })
    };
    pieces.ids().map(&mut classes_of).collect()
}

/// The colour of a plain piece, in steps; `None` if the piece is not plain.
fn plain_colour(pieces: &PieceSet, piece: PieceId) -> Option<Vec<u64>> {
    let (samples, channels) = (pieces.samples(), pieces.channels());
    let unit = samples.white() / 255;
    let start = pieces.offset_of(piece, 0, 0);
    let num_pixels = pieces.shape().num_pixels();
    let colour_of = |channel: usize| {
        let levels =
            (0..num_pixels).map(|pixel| samples.get(start + pixel * channels + channel) / unit);
        let spread = levels.clone().max()? - levels.clone().min()?;
        let sum: u64 = levels.map(u64::from).sum();
        let mean = (sum + num_pixels as u64 / 2) / num_pixels as u64;
        (spread <= MAX_SPREAD).then_some(mean / LEVELS_PER_STEP)
    };
    (0..channels).map(colour_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{PieceShape, Samples, pixel_classes_of};
    use proptest::prelude::*;

    fn classes(height_px: u32, width_px: u32, channels: usize, samples: Samples) -> Vec<[u32; 4]> {
        let shape = PieceShape::new(height_px, width_px).unwrap();
        let pieces = PieceSet::new(shape, channels, samples).unwrap();
        visual_classes_of(&pieces, &pixel_classes_of(&pieces))
    }

    #[test]
    fn plain_pieces_of_one_colour_share_a_class_and_others_do_not() {
        let grey = |values: &[u8]| classes(2, 2, 1, Samples::U8(values.to_vec()));
        let white_with_noise = grey(&[255, 255, 255, 255, 253, 255, 254, 255, 252, 252, 252, 252]);
        assert_eq!(white_with_noise, [[0; 4]; 3]);
        // Too far apart: the levels of one piece, and the colours of two.
        assert_eq!(grey(&[250, 255, 255, 255, 255, 250, 255, 255]), [[0, 1, 2, 3], [1, 2, 3, 0]]);
        assert_eq!(grey(&[251, 251, 251, 251, 252, 252, 252, 252]), [[0; 4], [1; 4]]);
        // An oblong piece lies across after a quarter turn.
        let oblong = classes(1, 2, 1, Samples::U8(vec![9, 9, 10, 9]));
        assert_eq!(oblong, [[0, 1, 0, 1]; 2]);
        // All channels count, and 16-bit values have the same levels.
        let colours = classes(1, 1, 2, Samples::U8(vec![9, 9, 9, 90]));
        assert_eq!(colours, [[0; 4], [1; 4]]);
        let deep = classes(1, 2, 1, Samples::U16(vec![65535, 65535, 65000, 65400]));
        assert_eq!(deep, [[0, 1, 0, 1]; 2]);
    }

    proptest! {
        #[test]
        fn visual_classes_are_coarser_than_pixel_classes_and_turn_alike(
            values in prop::collection::vec(prop_oneof![0_u8..6, 250_u8..=255], 4 * 24),
        ) {
            let shape = PieceShape::new(2, 2).unwrap();
            let of = |values| PieceSet::new(shape, 1, Samples::U8(values)).unwrap();
            let pieces = of(values.clone());
            let exact = pixel_classes_of(&pieces);
            let visual = visual_classes_of(&pieces, &exact);
            let all = || (0..24).flat_map(|piece| (0..4).map(move |turn| (piece, turn)));
            let is_alike = |(i, s): (usize, usize), (j, t): (usize, usize)| {
                visual[i][s] == visual[j][t]
            };
            for x in all() {
                for y in all() {
                    if exact[x.0][x.1] == exact[y.0][y.1] {
                        prop_assert!(is_alike(x, y));
                    }
                    // Turned pieces are alike exactly if the pieces are.
                    let turned = |(piece, turn): (usize, usize)| (piece, (turn + 1) % 4);
                    prop_assert_eq!(is_alike(x, y), is_alike(turned(x), turned(y)));
                }
            }
            // Each pair decides by itself: the class of a piece does not depend on the others.
            for x in 0..24 {
                let y = (x + 7) % 24;
                let pair = of([&values[4 * x..4 * x + 4], &values[4 * y..4 * y + 4]].concat());
                let alone = visual_classes_of(&pair, &pixel_classes_of(&pair));
                prop_assert_eq!(alone[0][0] == alone[1][0], is_alike((x, 0), (y, 0)));
            }
        }
    }
}
