//! Pieces, and the cells of a board that a reference fills, as mean colours of about 64 blocks each.
//!
//! Block means tolerate another size and lossy compression.

use crate::picture::Picture;
use crate::puzzle::{Grid, PieceSet, PieceShape, QuarterTurn, Samples, TurnSet};
use rayon::prelude::*;

/// The approximate number of blocks of a piece.
const NUM_BLOCKS: f64 = 64.0;

/// The number of channels without alpha.
const fn num_colors(channels: usize) -> usize {
    match channels {
        2 => 1,
        4 => 3,
        other => other,
    }
}

/// Sums of all pixels above and to the left of every corner of pixels, from which the mean of any rectangle
/// follows.
#[derive(Debug)]
pub(super) struct SummedAreas {
    height_px: usize,
    width_px: usize,
    /// Channels without alpha.
    colors: usize,
    /// Row by row of corners, channel by channel. Values are from 0 to 1.
    sums: Vec<f64>,
}

impl SummedAreas {
    /// Sums of pixels with `stored` channels, from the pixel `start` on.
    fn new(
        samples: &Samples,
        stored: usize,
        start: usize,
        height_px: usize,
        width_px: usize,
    ) -> Self {
        let colors = num_colors(stored);
        let white = f64::from(samples.white());
        let stride = (width_px + 1) * colors;
        let mut sums = vec![0.0; (height_px + 1) * stride];
        for row in 0..height_px {
            let mut in_row = vec![0.0; colors];
            for col in 0..width_px {
                let pixel = (start + row * width_px + col) * stored;
                for (channel, sum) in in_row.iter_mut().enumerate() {
                    *sum += f64::from(samples.get(pixel + channel)) / white;
                    let at = (row + 1) * stride + (col + 1) * colors + channel;
                    sums[at] = sums[at - stride] + *sum;
                }
            }
        }
        Self { height_px, width_px, colors, sums }
    }

    pub(super) fn of_picture(picture: &Picture) -> Self {
        let (height_px, width_px) = (picture.height_px(), picture.width_px());
        Self::new(picture.samples(), picture.channels(), 0, height_px, width_px)
    }

    pub(super) const fn colors(&self) -> usize {
        self.colors
    }

    /// The sum of everything above and to the left of a point, which may lie within a pixel.
    fn sum_before(&self, row: f64, col: f64, channel: usize) -> f64 {
        let split = |at: f64, most: usize| {
            #[expect(clippy::cast_possible_truncation, reason = "places in a picture")]
            let whole = (at as usize).min(most.saturating_sub(1));
            (whole, at - whole as f64)
        };
        let ((row, down), (col, right)) = (split(row, self.height_px), split(col, self.width_px));
        let stride = (self.width_px + 1) * self.colors;
        let at = row * stride + col * self.colors + channel;
        let corner = |offset: usize| self.sums[at + offset];
        (1.0 - down) * ((1.0 - right) * corner(0) + right * corner(self.colors))
            + down * ((1.0 - right) * corner(stride) + right * corner(stride + self.colors))
    }

    /// The mean over a rectangle from `from` to `to` (row, column in pixels). Pixels at its edge count by their
    /// covered part. Beyond the picture its edge goes on.
    fn mean(&self, from: (f64, f64), to: (f64, f64), channel: usize) -> f64 {
        let within = |from: f64, to: f64, all_px: usize| {
            let all_px = all_px as f64;
            let least = (0.5_f64).min(all_px);
            let from = from.clamp(0.0, all_px - least);
            (from, to.clamp(0.0, all_px).max(from + (to - from).clamp(1e-6, least)))
        };
        let (top, bottom) = within(from.0, to.0, self.height_px);
        let (left, right) = within(from.1, to.1, self.width_px);
        let sum = |row, col| self.sum_before(row, col, channel);
        let total = sum(bottom, right) - sum(top, right) - sum(bottom, left) + sum(top, left);
        total / ((bottom - top) * (right - left))
    }
}

/// The mean colours of the blocks of pieces, as they were given.
#[derive(Debug)]
pub(super) struct PieceBlocks {
    /// Rows and columns of blocks.
    pub(super) blocks: PieceShape,
    /// Of the pieces, in pixels.
    pub(super) shape: PieceShape,
    pub(super) colors: usize,
    pub(super) turns: TurnSet,
    /// Piece by piece, block by block, channel by channel.
    values: Vec<f64>,
}

impl PieceBlocks {
    pub(super) fn new(pieces: &PieceSet, turns: TurnSet) -> Self {
        let shape = pieces.shape();
        let block_px = (shape.num_pixels() as f64 / NUM_BLOCKS).sqrt();
        #[expect(clippy::cast_possible_truncation, reason = "at most as many blocks as pixels")]
        let along = |px: u32| ((f64::from(px) / block_px).round() as u32).clamp(1, px);
        let blocks =
            PieceShape::new(along(shape.height_px()), along(shape.width_px())).unwrap_or(shape);
        let (height_px, width_px) = (shape.height_px() as usize, shape.width_px() as usize);
        let values = (0..pieces.num_pieces()).into_par_iter().flat_map_iter(|piece| {
            let start = piece * shape.num_pixels();
            let sums =
                SummedAreas::new(pieces.samples(), pieces.channels(), start, height_px, width_px);
            let (rows, cols) = (f64::from(blocks.height_px()), f64::from(blocks.width_px()));
            let (height, width) = (height_px as f64 / rows, width_px as f64 / cols);
            block_means(&sums, blocks, (0.0, 0.0), (height, width))
        });
        let values = values.collect();
        Self { blocks, shape, colors: num_colors(pieces.channels()), turns, values }
    }

    pub(super) fn num_pieces(&self) -> usize {
        self.values.len() / self.len()
    }

    /// Values of a piece.
    const fn len(&self) -> usize {
        self.blocks.num_pixels() * self.colors
    }

    /// The values of a piece, block by block, channel by channel.
    pub(super) fn of(&self, piece: usize) -> &[f64] {
        &self.values[piece * self.len()..(piece + 1) * self.len()]
    }

    /// At most about `most` of the pieces, spread evenly.
    pub(super) fn sampled(&self, most: usize) -> Self {
        let step = self.num_pieces().div_ceil(most).max(1);
        let values = (0..self.num_pieces()).step_by(step).flat_map(|piece| self.of(piece)).copied();
        Self { values: values.collect(), ..*self }
    }

    /// All values, channel by channel in turn.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }
}

/// The values of a piece after a turn.
pub(super) fn turned(
    upright: &[f64],
    blocks: PieceShape,
    channels: usize,
    turn: QuarterTurn,
) -> Vec<f64> {
    let cols = blocks.width_px() as usize;
    let mut values = Vec::with_capacity(upright.len());
    for block in 0..blocks.num_pixels() {
        let (row, col) = blocks.pixel_before_turn(turn, block / cols, block % cols);
        let start = (row * cols + col) * channels;
        values.extend_from_slice(&upright[start..start + channels]);
    }
    values
}

/// The means of blocks of this size, from a point on.
fn block_means(
    sums: &SummedAreas,
    blocks: PieceShape,
    (top, left): (f64, f64),
    (height, width): (f64, f64),
) -> Vec<f64> {
    let cols = blocks.width_px() as usize;
    let mut means = Vec::with_capacity(blocks.num_pixels() * sums.colors);
    for block in 0..blocks.num_pixels() {
        let (row, col) = ((block / cols) as f64, (block % cols) as f64);
        let from = (top + row * height, left + col * width);
        let to = (top + (row + 1.0) * height, left + (col + 1.0) * width);
        means.extend((0..sums.colors).map(|channel| sums.mean(from, to, channel)));
    }
    means
}

/// Where the board lies in the reference, and how much of its cells pieces show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Frame {
    /// How far the board begins and ends beyond the reference: above, below, left, right; in cells. Negative
    /// if the reference shows more than the board.
    pub(super) beyond: [f64; 4],
    /// What pieces lost along every side, as a share of the shorter side of a cell.
    pub(super) lost: f64,
}

impl Frame {
    /// The board fills the reference, and pieces fill their cells.
    pub(super) const FULL: Self = Self { beyond: [0.0; 4], lost: 0.0 };

    /// The block means of a cell.
    pub(super) fn cell(
        &self,
        reference: &SummedAreas,
        pieces: &PieceBlocks,
        grid: Grid,
        index: usize,
    ) -> Vec<f64> {
        let cell = grid.cell_at(index);
        let shorter = pieces.shape.height_px().min(pieces.shape.width_px());
        // The size of a block, and the beginning of the cell's first one, in pixels of the reference.
        let along = |all_px: usize, cells: u32, at: u32, beyond: [f64; 2], px: u32, blocks: u32| {
            let cell_px = all_px as f64 / (f64::from(cells) - beyond[0] - beyond[1]);
            let lost = self.lost * f64::from(shorter) / f64::from(px);
            let start = cell_px * (f64::from(at) - beyond[0] + lost);
            (start, cell_px * (1.0 - 2.0 * lost) / f64::from(blocks))
        };
        let [above, below, left, right] = self.beyond;
        let (shape, blocks) = (pieces.shape, pieces.blocks);
        let (top, height) = along(
            reference.height_px,
            grid.rows(),
            cell.row,
            [above, below],
            shape.height_px(),
            blocks.height_px(),
        );
        let (left, width) = along(
            reference.width_px,
            grid.cols(),
            cell.col,
            [left, right],
            shape.width_px(),
            blocks.width_px(),
        );
        block_means(reference, blocks, (top, left), (height, width))
    }

    /// The block means of all cells, one after the other.
    pub(super) fn cells(
        &self,
        reference: &SummedAreas,
        pieces: &PieceBlocks,
        grid: Grid,
    ) -> Vec<f64> {
        let cells = (0..grid.num_cells()).into_par_iter();
        cells.flat_map_iter(|index| self.cell(reference, pieces, grid, index)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::synthetic::demo_picture;

    #[test]
    fn pixels_at_the_edge_count_by_their_covered_part() {
        let picture = Picture::new(1, 3, 1, Samples::U8(vec![0, 255, 51])).unwrap();
        let sums = SummedAreas::of_picture(&picture);
        let mean = |from, to| sums.mean((0.0, from), (1.0, to), 0);
        for (from, to, expected) in [
            (0.0, 3.0, 1.2 / 3.0),
            (0.5, 2.25, (1.0 + 0.25 * 0.2) / 1.75),
            (1.25, 1.5, 1.0),
            // Beyond the picture its edge goes on.
            (3.0, 4.0, 0.2),
            (-2.0, -1.0, 0.0),
        ] {
            assert!((mean(from, to) - expected).abs() < 1e-9, "{from} {to}: {}", mean(from, to));
        }
    }

    #[test]
    fn cells_of_a_full_frame_are_the_blocks_of_the_pieces() {
        let shape = PieceShape::new(12, 12).unwrap();
        let picture = demo_picture(4 * 12, 5 * 12, 3);
        let cut = crate::picture::cut(&picture, shape).unwrap();
        let pieces = PieceBlocks::new(&cut.pieces, TurnSet::None);
        let sums = SummedAreas::of_picture(&picture);
        let cells = Frame::FULL.cells(&sums, &pieces, cut.grid);
        assert!(cells.iter().zip(pieces.values()).all(|(a, b)| (a - b).abs() < 1e-9));
    }

    #[test]
    fn a_frame_finds_the_cells_of_a_part_and_of_eroded_pieces() {
        let shape = PieceShape::new(16, 16).unwrap();
        let picture = demo_picture(4 * 16, 5 * 16, 3);
        let cut = crate::picture::cut(&picture, shape).unwrap();
        let pieces = PieceBlocks::new(&cut.pieces, TurnSet::None);
        // Four rows and two columns of pixels are missing, a quarter and an eighth of a cell.
        let part: Vec<u8> = (4..64)
            .flat_map(|row| (0..78 * 3).map(move |at| row * 80 * 3 + at))
            .map(|at| u8::try_from(picture.samples().get(at)).unwrap())
            .collect();
        let part = Picture::new(60, 78, 3, Samples::U8(part)).unwrap();
        let frame = Frame { beyond: [0.25, 0.0, 0.0, 0.125], lost: 0.0 };
        let sums = SummedAreas::of_picture(&part);
        let found = frame.cell(&sums, &pieces, cut.grid, 7);
        assert!(found.iter().zip(pieces.of(7)).all(|(a, b)| (a - b).abs() < 1e-9));
        // The middle half of a cell: rows and columns 4 to 11 of the piece.
        let sums = SummedAreas::of_picture(&picture);
        let middle = Frame { lost: 0.25, ..Frame::FULL }.cell(&sums, &pieces, cut.grid, 0);
        let pixel = |row: usize, col: usize| {
            f64::from(picture.samples().get(picture.offset_of(row, col))) / 255.0
        };
        assert!((middle[0] - pixel(4, 4)).abs() < 1e-9);
    }
}
