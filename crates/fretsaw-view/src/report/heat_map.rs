//! The heat map of confidence: a pale board whose cells are tinted by the confidence in their pieces, with
//! dark lines at seams that are probably wrong.

use super::data_uri::GROUND;
use crate::Answer;
use crate::paint::{BoardView, Painted, mixed};
use fretsaw::puzzle::{Cell, Side};
use fretsaw::solution::SeamConfidence;
use image::{Rgba, RgbaImage};
use std::collections::BTreeMap;

/// Colours by confidence, from 0 to 1 in equal steps. They become steadily paler, so that their order is
/// visible in greyscale and to colour-blind people.
const SCALE: [[u8; 3]; 5] = [
    [0x6b, 0x00, 0x0d],
    [0xd0, 0x2b, 0x1f],
    [0xf7, 0x84, 0x4f],
    [0xfd, 0xcb, 0x93],
    [0xee, 0xf1, 0xf4],
];

/// The share of the picture's brightness in the colour.
const PICTURE_SHARE: f64 = 0.35;
/// The smallest cell that gets lines at its seams.
const MIN_CELL_PX: u32 = 8;
/// The colour of seams that are more likely wrong than right.
const WRONG_SEAM: Rgba<u8> = Rgba([0x1b, 0x1d, 0x22, 0xff]);

fn color(confidence: f64) -> [u8; 3] {
    let steps = SCALE.len() - 1;
    let position = confidence.clamp(0.0, 1.0) * steps as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 4")]
    let below = (position.floor() as usize).min(steps - 1);
    let share = position - below as f64;
    std::array::from_fn(|channel| mixed(SCALE[below + 1][channel], SCALE[below][channel], share))
}

pub(super) fn css(confidence: f64) -> String {
    let [red, green, blue] = color(confidence);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The scale of colours in CSS, from 0 at the left to 1 at the right.
pub(super) fn gradient() -> String {
    let stops = SCALE.map(|[red, green, blue]| format!("#{red:02x}{green:02x}{blue:02x}"));
    format!("linear-gradient(to right,{})", stops.join(","))
}

pub(super) fn heat_map(answer: &Answer<'_>, view: &BoardView<'_>, max_px: (u32, u32)) -> RgbaImage {
    let Painted { mut image, cell_width_px, cell_height_px } = view.painted(max_px, GROUND);
    let cell_of = |x: u32, y: u32| Cell { row: y / cell_height_px, col: x / cell_width_px };
    let tints: BTreeMap<Cell, [u8; 3]> = view
        .grid
        .cells()
        .filter_map(|cell| {
            let (piece, _) = view.place_at(cell)?;
            Some((cell, color(answer.confidence(piece)?)))
        })
        .collect();
    for (x, y, Rgba(values)) in image.enumerate_pixels_mut() {
        let Some(tint) = tints.get(&cell_of(x, y)) else { continue };
        let [red, green, blue, _] = values.map(u32::from);
        let grey = u8::try_from((299 * red + 587 * green + 114 * blue) / 1000).unwrap_or(u8::MAX);
        for (value, tint) in values.iter_mut().zip(tint) {
            *value = mixed(grey, *tint, PICTURE_SHARE);
        }
    }
    if cell_width_px >= MIN_CELL_PX && cell_height_px >= MIN_CELL_PX {
        let half = (cell_width_px.min(cell_height_px) / 20).max(1);
        let seams = answer.details.seams.iter();
        for SeamConfidence { join, .. } in seams.filter(|seam| seam.confidence < 0.5) {
            let places = [join.first, join.second].map(|side| view.assembly.place_of(side.piece()));
            let [Some(one), Some(other)] = places else { continue };
            if one.board != view.board {
                continue;
            }
            let cell = one.cell.min(other.cell);
            let (left, top) = (cell.col * cell_width_px, cell.row * cell_height_px);
            let is_below = view.grid.neighbor(cell, Side::Bottom) == Some(one.cell.max(other.cell));
            let (cols, rows) = if is_below {
                let seam = top + cell_height_px;
                (left..left + cell_width_px, seam - half..seam + half)
            } else {
                let seam = left + cell_width_px;
                (seam - half..seam + half, top..top + cell_height_px)
            };
            for y in rows {
                for x in cols.clone() {
                    image.put_pixel(x, y, WRONG_SEAM);
                }
            }
        }
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::tests::{Example, plain_pieces};

    fn brightness([red, green, blue]: [u8; 3]) -> u32 {
        299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue)
    }

    #[test]
    fn higher_confidence_is_paler() {
        let shades: Vec<u32> =
            (0..=20).map(|step| brightness(color(f64::from(step) / 20.0))).collect();
        assert!(shades.is_sorted_by(|a, b| a < b), "{shades:?}");
        assert_eq!(css(0.0), "#6b000d");
        assert_eq!(css(1.0), "#eef1f4");
    }

    #[test]
    fn cells_have_the_color_of_their_piece_and_holes_none() {
        let (pieces, example) = (plain_pieces(), Example::new());
        let view = BoardView::all(&pieces, &example.assembly).next().unwrap();
        let map = heat_map(&example.answer(&pieces), &view, (100, 100));
        let expected = |confidence: f64, grey: u8| {
            let [red, green, blue] = color(confidence).map(|tint| mixed(grey, tint, PICTURE_SHARE));
            Rgba([red, green, blue, 255])
        };
        assert_eq!(*map.get_pixel(1, 1), expected(0.9, 40));
        assert_eq!(*map.get_pixel(9, 2), expected(0.2, 0));
        assert_eq!(*map.get_pixel(5, 2), GROUND);
    }
}
