//! Painted boards with room between the pieces.

use super::{Picture, RenderError};
use crate::allocation::try_reserve_exact;
use crate::linalg::single;
use crate::puzzle::{Grid, Samples};

/// A painted board whose pieces lie so many pixels apart. Pixels between them are interpolated from the edges of the
/// pieces on either side; beside a hole they are a hole.
///
/// `grid` has the cells of the board, all of the same size. The last of two or four channels is opacity.
///
/// # Errors
/// If the picture is too large for memory.
///
/// # Panics
/// If the picture is not a whole number of cells.
pub fn bridged(picture: &Picture, grid: Grid, gap_px: usize) -> Result<Picture, RenderError> {
    let (rows, cols) = (grid.rows() as usize, grid.cols() as usize);
    let (height_px, width_px, channels) =
        (picture.height_px(), picture.width_px(), picture.channels());
    assert!(
        height_px.is_multiple_of(rows) && width_px.is_multiple_of(cols),
        "whole cells in the picture"
    );
    let too_large = RenderError::OutOfMemory { rows, cols };
    let widened = |size_px: usize, cells: usize| {
        gap_px.checked_mul(cells - 1).and_then(|gaps_px| gaps_px.checked_add(size_px))
    };
    let to_px = (widened(height_px, rows), widened(width_px, cols));
    let (Some(to_height_px), Some(to_width_px)) = to_px else { return Err(too_large) };
    let num_values = to_height_px.checked_mul(to_width_px).and_then(|px| px.checked_mul(channels));
    let mut values: Vec<u16> = Vec::new();
    try_reserve_exact(&mut values, num_values.ok_or(too_large)?).map_err(|_| too_large)?;
    let [down, across] =
        [Lines::new(height_px / rows, gap_px), Lines::new(width_px / cols, gap_px)];
    let has_opacity = matches!(channels, 2 | 4);
    let mut corners = vec![0_u16; 4 * channels];
    for row in 0..to_height_px {
        let (rows, part_down) = down.at(row);
        for col in 0..to_width_px {
            let (cols, part_across) = across.at(col);
            for (corner, pixel) in corners.chunks_exact_mut(channels).enumerate() {
                let from = picture.offset_of(rows[corner / 2], cols[corner % 2]);
                for (channel, value) in pixel.iter_mut().enumerate() {
                    *value = picture.samples().get(from + channel);
                }
            }
            let is_hole =
                has_opacity && corners.chunks_exact(channels).any(|pixel| pixel[channels - 1] == 0);
            values.extend((0..channels).map(|channel| {
                let at = |corner: usize| single(f64::from(corners[corner * channels + channel]));
                let mixed = |x: f32, y: f32, part: f32| (y - x).mul_add(part, x);
                let value = mixed(
                    mixed(at(0), at(1), part_across),
                    mixed(at(2), at(3), part_across),
                    part_down,
                );
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a mean of values of 16 bits"
                )]
                let value = value.round() as u16;
                if is_hole { 0 } else { value }
            }));
        }
    }
    let samples = match picture.samples() {
        Samples::U16(_) => Samples::U16(values),
        Samples::U8(_) => {
            let small = values.iter().map(|&value| u8::try_from(value).unwrap_or(u8::MAX));
            Samples::U8(small.collect())
        }
    };
    Ok(Picture::new(to_height_px, to_width_px, channels, samples)
        .expect("as many values as fill the picture"))
}

/// Rows or columns of pixels: those of a cell, then those of a gap, and so on.
struct Lines {
    cell_px: usize,
    gap_px: usize,
}

impl Lines {
    const fn new(cell_px: usize, gap_px: usize) -> Self {
        Self { cell_px, gap_px }
    }

    /// The two lines before the widening between which a line lies, and how far from the first to the second.
    fn at(&self, line: usize) -> ([usize; 2], f32) {
        let period_px = self.cell_px + self.gap_px;
        let (cell, inside) = (line / period_px, line % period_px);
        let first = cell * self.cell_px;
        if inside < self.cell_px {
            return ([first + inside; 2], 0.0);
        }
        let last = first + self.cell_px - 1;
        let steps = (inside - self.cell_px + 1) as f64 / (self.gap_px + 1) as f64;
        ([last, last + 1], single(steps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled_from_both_sides_and_corners_from_four() {
        let picture = Picture::new(2, 2, 1, Samples::U8(vec![0, 30, 60, 90])).unwrap();
        let wide = bridged(&picture, Grid::new(2, 2).unwrap(), 2).unwrap();
        assert_eq!((wide.height_px(), wide.width_px()), (4, 4));
        let expected = vec![0, 10, 20, 30, 20, 30, 40, 50, 40, 50, 60, 70, 60, 70, 80, 90];
        assert_eq!(wide.samples(), &Samples::U8(expected));
        assert_eq!(bridged(&picture, Grid::new(2, 2).unwrap(), 0).unwrap(), picture);
        assert_eq!(bridged(&picture, Grid::new(1, 1).unwrap(), 9).unwrap(), picture);
    }

    #[test]
    fn nothing_is_painted_beside_a_hole() {
        let values = vec![9, 255, 0, 0];
        let picture = Picture::new(1, 2, 2, Samples::U8(values)).unwrap();
        let wide = bridged(&picture, Grid::new(1, 2).unwrap(), 1).unwrap();
        assert_eq!(wide.samples(), &Samples::U8(vec![9, 255, 0, 0, 0, 0]));
        let deep = Picture::new(1, 2, 1, Samples::U16(vec![100, 40000])).unwrap();
        let wide = bridged(&deep, Grid::new(1, 2).unwrap(), 1).unwrap();
        assert_eq!(wide.samples(), &Samples::U16(vec![100, 20050, 40000]));
        let huge = bridged(&deep, Grid::new(1, 2).unwrap(), usize::MAX);
        assert!(matches!(huge, Err(RenderError::OutOfMemory { .. })));
    }
}
