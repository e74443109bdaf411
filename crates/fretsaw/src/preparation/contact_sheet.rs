//! All pieces side by side, with what is used of each.

use super::{Preparation, RawPieces, Window};
use crate::picture::{Picture, PictureError};
use crate::puzzle::Samples;

/// The longest side of a picture on the sheet; larger ones are shown smaller.
const MOST_PX: usize = 160;
/// Pixels between the pictures.
const GAP_PX: usize = 6;
/// The colour of the outline.
const OUTLINE: [u8; 3] = [255, 0, 96];
/// The colour between the pictures.
const GROUND: [u8; 3] = [40, 40, 40];
/// Colours and depth of the sheet.
const CHANNELS: usize = 3;

/// A picture of all pieces as they were handed in, in order, about as wide as high. With a preparation, the part of
/// each that is its piece has an outline. It is RGB of 8 bits; an alpha channel is not shown.
pub fn contact_sheet(
    raw: &RawPieces,
    preparation: Option<&Preparation>,
) -> Result<Picture, PictureError> {
    let longest = raw.sizes().iter().map(|size| size.height_px.max(size.width_px)).max();
    let shrink = longest.unwrap_or(1).div_ceil(MOST_PX).max(1);
    let cell_px = longest.unwrap_or(1).div_ceil(shrink) + GAP_PX;
    let columns = (1..).find(|columns| columns * columns >= raw.num_pieces()).unwrap_or(1);
    let rows = raw.num_pieces().div_ceil(columns);
    let mut sheet = Sheet::new(rows * cell_px + GAP_PX, columns * cell_px + GAP_PX);
    for piece in 0..raw.num_pieces() {
        let top = GAP_PX + piece / columns * cell_px;
        let left = GAP_PX + piece % columns * cell_px;
        sheet.show(raw, piece, [top, left], shrink);
        if let Some(window) = preparation.and_then(|found| found.windows().get(piece)) {
            sheet.outline(window, [top, left], shrink);
        }
    }
    Picture::new(sheet.height_px, sheet.width_px, CHANNELS, Samples::U8(sheet.values))
}

struct Sheet {
    height_px: usize,
    width_px: usize,
    values: Vec<u8>,
}

impl Sheet {
    fn new(height_px: usize, width_px: usize) -> Self {
        Self { height_px, width_px, values: GROUND.repeat(height_px * width_px) }
    }

    fn paint(&mut self, row: usize, col: usize, colour: [u8; 3]) {
        if row < self.height_px && col < self.width_px {
            let at = (row * self.width_px + col) * CHANNELS;
            self.values[at..at + CHANNELS].copy_from_slice(&colour);
        }
    }

    /// Shows every `shrink`-th pixel of a piece.
    fn show(&mut self, raw: &RawPieces, piece: usize, [top, left]: [usize; 2], shrink: usize) {
        let size = raw.sizes()[piece];
        let num_colours = if raw.channels() < 3 { 1 } else { 3 };
        for row in 0..size.height_px / shrink {
            for col in 0..size.width_px / shrink {
                let offset = raw.offset_of(piece, row * shrink, col * shrink);
                let mut channel = 0;
                let colour = [(); 3].map(|()| {
                    let value = raw.samples().get(offset + channel % num_colours);
                    channel += 1;
                    let level = if raw.samples().bits() == 16 { value >> 8 } else { value };
                    u8::try_from(level).unwrap_or(u8::MAX)
                });
                self.paint(top + row, left + col, colour);
            }
        }
    }

    /// Draws the edges of a window.
    fn outline(&mut self, window: &Window, [top, left]: [usize; 2], shrink: usize) {
        let corners = window.corners();
        for (corner, next) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            let length = (corner[0] - next[0]).hypot(corner[1] - next[1]);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "points of the sheet; those outside are not painted"
            )]
            let num_points = length.ceil() as usize + 1;
            for point in 0..=num_points {
                let share = point as f64 / num_points as f64;
                let along = |axis: usize| corner[axis] + share * (next[axis] - corner[axis]);
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "points of the sheet; those outside are not painted"
                )]
                let [col, row] = [0, 1].map(|axis| (along(axis) / shrink as f64) as usize);
                self.paint(top + row, left + col, OUTLINE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preparation::{Trim, find_preparation};
    use crate::puzzle::{PieceSet, PieceShape};

    #[test]
    fn pieces_are_shown_with_the_edges_of_what_is_used() {
        let shape = PieceShape::new(20, 20).unwrap();
        let pieces = PieceSet::new(shape, 1, Samples::U8(vec![7; 5 * 400])).unwrap();
        let raw = RawPieces::from(pieces);
        let trimmed = find_preparation(&raw, Trim::Px(3)).unwrap();
        let sheet = contact_sheet(&raw, trimmed.as_ref()).unwrap();
        assert_eq!((sheet.height_px(), sheet.width_px()), (2 * 26 + 6, 3 * 26 + 6));
        let colour = |row, col| {
            let at = sheet.offset_of(row, col);
            [0, 1, 2].map(|channel| u8::try_from(sheet.samples().get(at + channel)).unwrap())
        };
        assert_eq!(colour(0, 0), GROUND);
        assert_eq!(colour(6, 6), [7; 3]);
        assert_eq!(colour(6 + 3, 6 + 10), OUTLINE);
        assert_eq!(colour(6 + 10, 6 + 10), [7; 3]);
        // The last cell is empty.
        assert_eq!(colour(26 + 16, 2 * 26 + 16), GROUND);
    }
}
