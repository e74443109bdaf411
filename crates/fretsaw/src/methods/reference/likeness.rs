//! Compares pieces with the cells of a board that a reference picture fills.
//!
//! A piece or cell is described by the mean colours of about 64 blocks. The descriptions of cells are scaled
//! to the mean and standard deviation of those of pieces. They are therefore robust against another size,
//! lossy compression, brightness and contrast. The difference of a piece and a cell is the mean squared
//! difference of their descriptions; all pairs are one matrix product.

use crate::linalg::packed_product::PackedFactor;
use crate::picture::Picture;
use crate::puzzle::{Grid, PieceId, PieceSet, PieceShape, QuarterTurn, Samples, TurnSet};
use rayon::prelude::*;

/// The approximate number of blocks of a piece.
const NUM_BLOCKS: f64 = 64.0;

/// Descriptions of the pieces, the same for every board.
#[derive(Debug)]
pub(super) struct PieceDescriptions {
    /// Rows and columns of blocks.
    blocks: PieceShape,
    channels: usize,
    turns: TurnSet,
    /// For each piece, for each turn, block by block, channel by channel.
    values: Vec<f32>,
    num_pieces: usize,
}

/// Values of pixels from 0 to 1, interleaved by channel.
struct Pixels<'a> {
    samples: &'a Samples,
    /// Channels as stored.
    stored: usize,
    /// Channels to compare: all colours, or 1 for their mean.
    compared: usize,
}

/// The number of channels without alpha.
const fn num_colors(channels: usize) -> usize {
    match channels {
        2 => 1,
        4 => 3,
        other => other,
    }
}

impl Pixels<'_> {
    fn value(&self, pixel: usize, channel: usize) -> f64 {
        let start = pixel * self.stored;
        let white = f64::from(self.samples.white());
        let of = |channel: usize| f64::from(self.samples.get(start + channel)) / white;
        let colors = num_colors(self.stored);
        if self.compared == colors {
            of(channel)
        } else {
            (0..colors).map(of).sum::<f64>() / colors as f64
        }
    }

    /// The mean over a rectangle of a picture that begins at pixel `start` and is `width_px` wide. The
    /// rectangle reaches from `from` to `to` (row, column); pixels at its edge count by their covered part.
    fn mean(
        &self,
        start: usize,
        width_px: usize,
        from: (f64, f64),
        to: (f64, f64),
        channel: usize,
    ) -> f64 {
        let (mut sum, mut area) = (0.0, 0.0);
        for (row, row_share) in covered(from.0, to.0) {
            for (col, col_share) in covered(from.1, to.1) {
                let share = row_share * col_share;
                sum += share * self.value(start + row * width_px + col, channel);
                area += share;
            }
        }
        sum / area
    }
}

/// The indices of the pixels between two coordinates, each with its covered part.
fn covered(from: f64, to: f64) -> impl Iterator<Item = (usize, f64)> {
    #[expect(clippy::cast_possible_truncation, reason = "places in a picture")]
    let (first, end) = (from as usize, (to - 1e-9).ceil() as usize);
    (first..end.max(first + 1)).map(move |pixel| {
        let share = to.min(pixel as f64 + 1.0) - from.max(pixel as f64);
        (pixel, share.max(1e-9))
    })
}

impl PieceDescriptions {
    /// Describes the pieces in every turn, for comparison with a reference of this many channels.
    pub(super) fn new(pieces: &PieceSet, turns: TurnSet, reference_channels: usize) -> Self {
        let shape = pieces.shape();
        let block_px = (shape.num_pixels() as f64 / NUM_BLOCKS).sqrt();
        #[expect(clippy::cast_possible_truncation, reason = "at most as many blocks as pixels")]
        let along = |px: u32| ((f64::from(px) / block_px).round() as u32).clamp(1, px);
        let blocks =
            PieceShape::new(along(shape.height_px()), along(shape.width_px())).unwrap_or(shape);
        let channels = compared_channels(pieces.channels(), reference_channels);
        let pixels =
            Pixels { samples: pieces.samples(), stored: pieces.channels(), compared: channels };
        let width_px = shape.width_px() as usize;
        let (rows, cols) = (blocks.height_px() as usize, blocks.width_px() as usize);
        let (height, width) =
            (f64::from(shape.height_px()) / rows as f64, f64::from(shape.width_px()) / cols as f64);
        let values = (0..pieces.num_pieces()).into_par_iter().flat_map_iter(|piece| {
            let start = piece * shape.num_pixels();
            let mut upright = Vec::with_capacity(rows * cols * channels);
            for block in 0..rows * cols {
                let (row, col) = ((block / cols) as f64, (block % cols) as f64);
                let from = (row * height, col * width);
                let to = ((row + 1.0) * height, (col + 1.0) * width);
                for channel in 0..channels {
                    upright.push(pixels.mean(start, width_px, from, to, channel));
                }
            }
            turns.turns().iter().flat_map(move |&turn| turned(&upright, blocks, channels, turn))
        });
        let values = values.collect();
        Self { blocks, channels, turns, values, num_pieces: pieces.num_pieces() }
    }

    pub(super) const fn num_pieces(&self) -> usize {
        self.num_pieces
    }

    pub(super) const fn turns(&self) -> TurnSet {
        self.turns
    }

    /// The length of a description.
    const fn depth(&self) -> usize {
        self.blocks.num_pixels() * self.channels
    }

    /// The descriptions of a piece, turn by turn.
    fn of(&self, piece: usize) -> &[f32] {
        let len = self.turns.turns().len() * self.depth();
        &self.values[piece * len..(piece + 1) * len]
    }
}

const fn compared_channels(pieces: usize, reference: usize) -> usize {
    if num_colors(pieces) == num_colors(reference) { num_colors(pieces) } else { 1 }
}

/// The description of a piece after a turn.
fn turned(upright: &[f64], blocks: PieceShape, channels: usize, turn: QuarterTurn) -> Vec<f32> {
    let cols = blocks.width_px() as usize;
    let mut values = Vec::with_capacity(upright.len());
    for block in 0..blocks.num_pixels() {
        let (row, col) = blocks.pixel_before_turn(turn, block / cols, block % cols);
        let start = (row * cols + col) * channels;
        #[expect(clippy::cast_possible_truncation, reason = "0 to 1")]
        values.extend(upright[start..start + channels].iter().map(|&value| value as f32));
    }
    values
}

/// The descriptions of the pieces and of the cells of a board.
#[derive(Debug)]
pub(super) struct Likeness<'a> {
    descriptions: &'a PieceDescriptions,
    num_cells: usize,
    /// Cell by cell.
    cells: Vec<f32>,
    packed: PackedFactor,
}

/// The comparison of a piece with every cell: by cell, the smallest mean squared difference over all turns,
/// and the turn that gives it.
pub(super) struct Row {
    pub(super) differences: Vec<f32>,
    pub(super) turns: Vec<QuarterTurn>,
}

impl<'a> Likeness<'a> {
    /// Describes the cells of a board that the reference fills.
    pub(super) fn new(
        descriptions: &'a PieceDescriptions,
        reference: &Picture,
        grid: Grid,
    ) -> Self {
        let (depth, channels) = (descriptions.depth(), descriptions.channels);
        let pixels = Pixels {
            samples: reference.samples(),
            stored: reference.channels(),
            compared: channels,
        };
        let (rows, cols) =
            (descriptions.blocks.height_px() as usize, descriptions.blocks.width_px() as usize);
        // The size of a block in pixels of the reference.
        let height = reference.height_px() as f64 / (grid.rows() as usize * rows) as f64;
        let width = reference.width_px() as f64 / (grid.cols() as usize * cols) as f64;
        let cells: Vec<f32> = (0..grid.num_cells())
            .into_par_iter()
            .flat_map_iter(|index| {
                let cell = grid.cell_at(index);
                let (top, left) = (cell.row as usize * rows, cell.col as usize * cols);
                let pixels = &pixels;
                (0..rows * cols).flat_map(move |block| {
                    let row = (top + block / cols) as f64;
                    let col = (left + block % cols) as f64;
                    let from = (row * height, col * width);
                    let to = (
                        ((row + 1.0) * height).min(reference.height_px() as f64),
                        ((col + 1.0) * width).min(reference.width_px() as f64),
                    );
                    #[expect(clippy::cast_possible_truncation, reason = "0 to 1")]
                    (0..channels).map(move |channel| {
                        pixels.mean(0, reference.width_px(), from, to, channel) as f32
                    })
                })
            })
            .collect();
        let upright =
            (0..descriptions.num_pieces).flat_map(|piece| &descriptions.of(piece)[..depth]);
        let cells = scaled(&cells, upright.copied(), channels);
        Self::of_cells(descriptions, grid.num_cells(), cells)
    }

    fn of_cells(descriptions: &'a PieceDescriptions, num_cells: usize, cells: Vec<f32>) -> Self {
        let depth = descriptions.depth();
        let packed = PackedFactor::pack(num_cells, depth, |cell, values| {
            values.copy_from_slice(&cells[cell * depth..(cell + 1) * depth]);
        });
        Self { descriptions, num_cells, cells, packed }
    }

    pub(super) const fn num_cells(&self) -> usize {
        self.num_cells
    }

    pub(super) const fn num_pieces(&self) -> usize {
        self.descriptions.num_pieces()
    }

    pub(super) const fn turns(&self) -> TurnSet {
        self.descriptions.turns()
    }

    /// Applies `of` to each of these pieces and its row.
    pub(super) fn map_rows<T: Send>(
        &self,
        pieces: &[PieceId],
        of: impl Fn(PieceId, Row) -> T + Sync,
    ) -> Vec<T> {
        let depth = self.descriptions.depth();
        let squares = |values: &[f32]| values.iter().map(|value| value * value).sum::<f32>();
        let of_cells: Vec<f32> = self.cells.chunks_exact(depth).map(squares).collect();
        let buffers = || (Vec::new(), Vec::new());
        pieces
            .par_iter()
            .map_init(buffers, |(packed, product), &piece| {
                let left = self.descriptions.of(piece.index());
                self.packed.multiply(left, packed, product);
                let of_piece = squares(&left[..depth]);
                let mut row = Row {
                    differences: vec![f32::INFINITY; self.num_cells],
                    turns: vec![QuarterTurn::ZERO; self.num_cells],
                };
                let stride = self.packed.stride();
                for (at, &turn) in self.descriptions.turns().turns().iter().enumerate() {
                    let products = &product[at * stride..at * stride + self.num_cells];
                    for (cell, (&product, &of_cell)) in products.iter().zip(&of_cells).enumerate() {
                        let difference =
                            (of_piece + of_cell - 2.0 * product).max(0.0) / depth as f32;
                        if difference < row.differences[cell] {
                            row.differences[cell] = difference;
                            row.turns[cell] = turn;
                        }
                    }
                }
                of(piece, row)
            })
            .collect()
    }

    /// The differences of a piece and a cell, turn by turn.
    pub(super) fn differences(&self, piece: PieceId, cell: usize) -> impl Iterator<Item = f32> {
        let depth = self.descriptions.depth();
        let there = &self.cells[cell * depth..(cell + 1) * depth];
        self.descriptions.of(piece.index()).chunks_exact(depth).map(move |here| {
            let squares = here.iter().zip(there).map(|(a, b)| (a - b) * (a - b));
            squares.sum::<f32>() / depth as f32
        })
    }
}

/// Scales values to the mean and standard deviation of others, channel by channel.
fn scaled(values: &[f32], like: impl Iterator<Item = f32>, channels: usize) -> Vec<f32> {
    let (from, to) = (moments(values.iter().copied(), channels), moments(like, channels));
    let gains: Vec<f64> = from
        .iter()
        .zip(&to)
        .map(|(from, to)| if from.1 > 0.0 && to.1 > 0.0 { to.1 / from.1 } else { 1.0 })
        .collect();
    values
        .iter()
        .enumerate()
        .map(|(index, &value)| {
            let channel = index % channels;
            let offset = f64::from(value) - from[channel].0;
            #[expect(clippy::cast_possible_truncation, reason = "about 0 to 1")]
            let value = (to[channel].0 + gains[channel] * offset) as f32;
            value
        })
        .collect()
}

/// The mean and the standard deviation of every channel.
fn moments(values: impl Iterator<Item = f32>, channels: usize) -> Vec<(f64, f64)> {
    let mut sums = vec![(0.0, 0.0, 0.0); channels];
    for (index, value) in values.enumerate() {
        let (count, sum, squares) = &mut sums[index % channels];
        let value = f64::from(value);
        *count += 1.0;
        *sum += value;
        *squares += value * value;
    }
    sums.into_iter()
        .map(|(count, sum, squares): (f64, f64, f64)| {
            let mean = sum / count;
            (mean, (squares / count - mean * mean).max(0.0).sqrt())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::cut;
    use crate::synthetic::demo_picture;

    #[test]
    fn pixels_at_the_edge_count_by_their_covered_part() {
        let found: Vec<(usize, f64)> = covered(0.5, 2.25).collect();
        assert_eq!(found, [(0, 0.5), (1, 1.0), (2, 0.25)]);
        assert_eq!(covered(2.0, 4.0).map(|(pixel, _)| pixel).collect::<Vec<_>>(), [2, 3]);
        let within: Vec<(usize, f64)> = covered(1.25, 1.5).collect();
        assert_eq!(within, [(1, 0.25)]);
    }

    #[test]
    fn a_piece_is_most_like_its_own_cell_in_every_turn() {
        let shape = PieceShape::new(12, 12).unwrap();
        let picture = demo_picture(4 * 12, 5 * 12, 3);
        let cut = cut(&picture, shape).unwrap();
        let pieces = cut.pieces.turned(|piece| QuarterTurn::ALL[piece.index() % 4]).unwrap();
        let descriptions = PieceDescriptions::new(&pieces, TurnSet::Quarter, 3);
        let likeness = Likeness::new(&descriptions, &picture, cut.grid);
        let ids: Vec<PieceId> = pieces.ids().collect();
        let best = likeness.map_rows(&ids, |piece, row| {
            let best = (0..row.differences.len())
                .min_by(|&a, &b| row.differences[a].total_cmp(&row.differences[b]))
                .unwrap();
            assert_eq!(best, piece.index());
            assert_eq!(row.turns[best], -QuarterTurn::ALL[piece.index() % 4]);
            let by_turn: Vec<f32> = likeness.differences(piece, best).collect();
            let at = row.turns[best].index();
            assert!((by_turn[at] - row.differences[best]).abs() < 1e-4);
            row.differences[best]
        });
        assert!(best.iter().all(|&difference| difference < 1e-4), "{best:?}");
    }
}
