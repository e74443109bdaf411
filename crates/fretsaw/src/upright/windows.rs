//! Square windows of a picture, area averaged to a few cells.
//!
//! All sums are in whole numbers and all positions are symmetric to the middle, so that the windows of a turned
//! picture are the turned windows of the picture, bit for bit.

use crate::picture::Picture;
use crate::puzzle::{QuarterTurn, Samples};
use rayon::prelude::*;

/// Cells along a side of a window.
pub(super) const SIDE: usize = 48;
/// Positions of windows along an axis, an even number.
const PER_AXIS: usize = 6;
/// At most this many windows of each zoom are looked at, if not more have the same contrast.
const MAX_WINDOWS: usize = 12;
/// Keeps the noise of plain windows small.
const LEAST_DEVIATION: f64 = 0.02;
/// The largest value of a cell's channel.
const WHITE: f64 = 65_535.0;

/// Red, green and blue of the cells, row by row, as 16-bit levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Window(Vec<[u16; 3]>);

/// The windows of the highest contrast whose side is the picture's short side over `zoom`.
pub(super) fn windows(picture: &Picture, zoom: usize) -> Vec<Window> {
    let (height, width) = (picture.height_px(), picture.width_px());
    let short = height.min(width);
    let side = (short / zoom).max(SIDE).min(short);
    let columns = positions(width - side);
    let corners: Vec<(usize, usize)> = positions(height - side)
        .into_iter()
        .flat_map(|row| columns.iter().map(move |&col| (row, col)))
        .collect();
    let found: Vec<(u64, Window)> = corners
        .into_par_iter()
        .map(|corner| {
            let window = Window::new(picture, corner, side);
            (window.grey().contrast(), window)
        })
        .collect();
    let mut contrasts: Vec<u64> = found.iter().map(|(contrast, _)| *contrast).collect();
    contrasts.sort_unstable_by_key(|&contrast| std::cmp::Reverse(contrast));
    let least = contrasts[contrasts.len().min(MAX_WINDOWS) - 1];
    found.into_iter().filter(|(contrast, _)| *contrast >= least).map(|(_, window)| window).collect()
}

/// At most [`PER_AXIS`] offsets from 0 to `free`, symmetric to the middle.
fn positions(free: usize) -> Vec<usize> {
    let first = (0..PER_AXIS / 2).map(|k| free * k / (PER_AXIS - 1));
    let mut positions: Vec<usize> = first.flat_map(|offset| [offset, free - offset]).collect();
    positions.sort_unstable();
    positions.dedup();
    positions
}

/// The overlap of a pixel and a cell along an axis.
#[derive(Clone, Copy)]
struct Overlap {
    pixel: usize,
    cell: usize,
    length: u64,
}

/// All overlaps of `side` pixels and [`SIDE`] cells of the same total length, by pixel. A pixel is [`SIDE`] long,
/// a cell `side`.
fn overlaps(side: usize) -> Vec<Overlap> {
    let mut overlaps = Vec::with_capacity(side + SIDE);
    let (mut pixel, mut cell, mut at) = (0, 0, 0);
    while pixel < side {
        let (pixel_end, cell_end) = ((pixel + 1) * SIDE, (cell + 1) * side);
        let end = pixel_end.min(cell_end);
        overlaps.push(Overlap { pixel, cell, length: (end - at) as u64 });
        at = end;
        pixel += usize::from(end == pixel_end);
        cell += usize::from(end == cell_end);
    }
    overlaps
}

impl Window {
    /// The window of `side` pixels whose first pixel is at `corner`, a row and a column.
    fn new(picture: &Picture, corner: (usize, usize), side: usize) -> Self {
        match picture.samples() {
            Samples::U8(values) => Self::of_values(picture, values, 257, corner, side),
            Samples::U16(values) => Self::of_values(picture, values, 1, corner, side),
        }
    }

    /// The same, of values that are 16-bit levels after multiplication by `factor`.
    fn of_values<T: Copy + Into<u64>>(
        picture: &Picture,
        values: &[T],
        factor: u64,
        (top, left): (usize, usize),
        side: usize,
    ) -> Self {
        let overlaps = overlaps(side);
        let channels = picture.channels();
        let mut sums = vec![[0_u64; 3]; SIDE * SIDE];
        let mut row_sums = [[0_u64; 3]; SIDE];
        for of_row in overlaps.chunk_by(|a, b| a.pixel == b.pixel) {
            let start = picture.offset_of(top + of_row[0].pixel, left);
            let row = &values[start..start + side * channels];
            row_sums.fill([0; 3]);
            for &Overlap { pixel, cell, length } in &overlaps {
                let color = color(&row[pixel * channels..(pixel + 1) * channels]);
                for (sum, value) in row_sums[cell].iter_mut().zip(color) {
                    *sum += length * value;
                }
            }
            for &Overlap { cell, length, .. } in of_row {
                let cells = &mut sums[cell * SIDE..(cell + 1) * SIDE];
                for (sum, value) in cells.iter_mut().flatten().zip(row_sums.iter().flatten()) {
                    *sum += length * value;
                }
            }
        }
        let area = (side * side) as u64;
        let level = |sum: u64| u16::try_from((sum * factor + area / 2) / area).unwrap_or(u16::MAX);
        Self(sums.into_iter().map(|sums| sums.map(level)).collect())
    }

    /// The window turned clockwise.
    pub(super) fn turned(&self, turn: QuarterTurn) -> Self {
        let last = SIDE - 1;
        let before = |row: usize, col: usize| match turn.clockwise() {
            0 => (row, col),
            1 => (last - col, row),
            2 => (last - row, last - col),
            _ => (col, last - row),
        };
        let cells = (0..SIDE * SIDE).map(|index| {
            let (row, col) = before(index / SIDE, index % SIDE);
            self.0[row * SIDE + col]
        });
        Self(cells.collect())
    }

    /// What the network sees of each cell: its grey, as deviations from the window's mean, and two differences of
    /// colours.
    pub(super) fn features(&self) -> Vec<f32> {
        let grey = self.grey();
        let mean = grey.mean();
        let scale = 1.0 / (grey.deviation() + LEAST_DEVIATION);
        let features = self.0.iter().flat_map(|cell| {
            let [red, green, blue] = cell.map(|value| f64::from(value) / WHITE);
            [((red + green + blue) / 3.0 - mean) * scale, red - blue, 2.0 * green - red - blue]
        });
        features.map(single).collect()
    }

    fn grey(&self) -> Grey {
        let mut grey = Grey { sum: 0, sum_of_squares: 0 };
        for cell in &self.0 {
            let value: u64 = cell.iter().map(|&value| u64::from(value)).sum();
            grey.sum += value;
            grey.sum_of_squares += value * value;
        }
        grey
    }
}

/// Sums over the cells of a window of red + green + blue and its square. They are far below 2^64.
struct Grey {
    sum: u64,
    sum_of_squares: u64,
}

impl Grey {
    const NUM_CELLS: u64 = (SIDE * SIDE) as u64;

    fn mean(&self) -> f64 {
        self.sum as f64 / (Self::NUM_CELLS as f64 * 3.0 * WHITE)
    }

    /// A whole multiple of the variance.
    fn contrast(&self) -> u64 {
        Self::NUM_CELLS * self.sum_of_squares - self.sum * self.sum
    }

    fn deviation(&self) -> f64 {
        (self.contrast() as f64).sqrt() / (Self::NUM_CELLS as f64 * 3.0 * WHITE)
    }
}

/// Red, green and blue of a pixel. One or two channels are grey, perhaps with opacity; more than four have no common
/// meaning, so their mean is taken.
fn color<T: Copy + Into<u64>>(pixel: &[T]) -> [u64; 3] {
    match *pixel {
        [red, green, blue] | [red, green, blue, _] => [red.into(), green.into(), blue.into()],
        [grey] | [grey, _] => [grey.into(); 3],
        _ => {
            let sum: u64 = pixel.iter().map(|&value| value.into()).sum();
            [sum / (pixel.len() as u64).max(1); 3]
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the network computes in single precision")]
const fn single(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(height: usize, width: usize, channels: usize) -> Picture {
        let mut state = 1_u32;
        let values = (0..height * width * channels).map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        });
        Picture::new(height, width, channels, Samples::U8(values.collect())).unwrap()
    }

    /// Each cell by its definition: the mean over the area, in floating point.
    #[test]
    fn cells_are_means_over_areas() {
        for (side, corner) in [(48, (3, 0)), (96, (0, 2)), (131, (1, 4)), (17, (40, 7))] {
            let picture = noise(140, 150, 3);
            let Samples::U8(values) = picture.samples() else { unreachable!() };
            let window = Window::new(&picture, corner, side);
            let cell_px = side as f64 / SIDE as f64;
            for (row, col) in [(0, 0), (5, 40), (47, 47), (31, 2)] {
                let mut sum = 0.0;
                let overlap = |pixel: usize, cell: usize| {
                    let (start, end) = (cell as f64 * cell_px, (cell + 1) as f64 * cell_px);
                    (end.min(pixel as f64 + 1.0) - start.max(pixel as f64)).max(0.0)
                };
                for y in 0..side {
                    for x in 0..side {
                        let value = values[picture.offset_of(corner.0 + y, corner.1 + x) + 1];
                        sum += overlap(y, row) * overlap(x, col) * f64::from(value);
                    }
                }
                let expected = sum / (cell_px * cell_px) * 257.0;
                let found = f64::from(window.0[row * SIDE + col][1]);
                assert!((found - expected).abs() <= 0.5 + 1e-6, "{found} {expected} {side}");
            }
        }
    }

    #[test]
    fn offsets_are_symmetric_and_reach_both_ends() {
        for free in [0, 1, 2, 3, 4, 5, 6, 7, 100, 1001] {
            let found = positions(free);
            let mut mirrored: Vec<usize> = found.iter().map(|offset| free - offset).collect();
            mirrored.reverse();
            assert_eq!(found, mirrored);
            assert_eq!((found[0], found[found.len() - 1]), (0, free));
            assert!(found.len() <= PER_AXIS);
        }
    }

    #[test]
    fn turning_a_window_four_times_gives_it_back() {
        let window = Window::new(&noise(60, 60, 3), (0, 0), 60);
        let quarter = QuarterTurn::from_clockwise(1);
        let mut turned = window.clone();
        for turn in QuarterTurn::ALL {
            assert_eq!(turned, window.turned(turn));
            turned = turned.turned(quarter);
        }
        assert_eq!(turned, window);
        // The first row becomes the last column.
        assert_eq!(window.turned(quarter).0[SIDE - 1], window.0[0]);
    }

    #[test]
    fn features_do_not_depend_on_brightness_and_bits() {
        let bright = noise(50, 50, 1);
        let Samples::U8(values) = bright.samples() else { unreachable!() };
        let wide = values.iter().map(|&value| u16::from(value) * 257).collect();
        let wide = Picture::new(50, 50, 1, Samples::U16(wide)).unwrap();
        assert_eq!(windows(&wide, 1), windows(&bright, 1));
        let plain = Picture::new(50, 50, 1, Samples::U8(vec![200; 2500])).unwrap();
        let features = windows(&plain, 1)[0].features();
        assert!(features.iter().all(|feature| feature.abs() < 1e-6));
    }

    #[test]
    fn any_number_of_channels_is_seen() {
        let pixel = [10_u8, 20, 30, 40, 50];
        assert_eq!(color(&pixel[..1]), [10, 10, 10]);
        assert_eq!(color(&pixel[..2]), [10, 10, 10]);
        assert_eq!(color(&pixel[..3]), [10, 20, 30]);
        assert_eq!(color(&pixel[..4]), [10, 20, 30]);
        assert_eq!(color(&pixel), [30, 30, 30]);
    }
}
