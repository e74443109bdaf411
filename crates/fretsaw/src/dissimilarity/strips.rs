//! The lines of pixels along every side: all that a measure sees of a piece.

use crate::puzzle::{PieceSet, PieceShape, Side, SideId};
use std::collections::HashMap;

/// Lines in a strip: the outermost and the next one in.
const DEPTH: usize = 2;

/// The outermost line `e_u` and the next line `i_u` of every side u, turned outward.
///
/// Lines are read clockwise around the piece, so a strip does not depend on how its piece is
/// turned, and a neighbour's strip is read backwards. Sides whose strips are the same share one:
/// every measure treats them alike, and pictures with uniform areas have thousands of them.
#[derive(Clone, Debug)]
pub(crate) struct Strips {
    shape: PieceShape,
    /// Values per colour channel of one pixel: the paper's k.
    pub(super) channels: usize,
    /// The size of one 8-bit grey level in the units of the values: 1, or 257 for 16-bit pieces.
    pub(super) unit: f64,
    strip_of_side: Vec<u32>,
    lengths: Vec<usize>,
    /// Per strip, per line, per channel, the values along the side.
    values: Vec<u16>,
}

impl Strips {
    /// The strips of pieces at least two pixels wide and high.
    pub(crate) fn new(pieces: &PieceSet) -> Self {
        let shape = pieces.shape();
        let channels = pieces.channels();
        let mut strips = Self {
            shape,
            channels,
            unit: f64::from(pieces.samples().white()) / 255.0,
            strip_of_side: Vec::with_capacity(4 * pieces.num_pieces()),
            lengths: Vec::new(),
            values: Vec::new(),
        };
        let mut known: HashMap<(usize, Vec<u16>), u32> = HashMap::new();
        for piece in pieces.ids() {
            for side in Side::ALL {
                let length = shape.side_length_px(side);
                let mut values = vec![0; strips.stride()];
                for line in 0..DEPTH {
                    for along in 0..length {
                        let (row, col) = shape.pixel_at_side(side, line, along);
                        for channel in 0..channels {
                            values[(line * channels + channel) * length + along] =
                                pieces.sample(piece, row, col, channel);
                        }
                    }
                }
                #[expect(clippy::cast_possible_truncation, reason = "four sides a piece fit u32")]
                let next = strips.lengths.len() as u32;
                let strip = *known.entry((length, values)).or_insert_with_key(|(_, values)| {
                    strips.values.extend_from_slice(values);
                    strips.lengths.push(length);
                    next
                });
                strips.strip_of_side.push(strip);
            }
        }
        strips
    }

    fn stride(&self) -> usize {
        self.shape.height_px().max(self.shape.width_px()) as usize * self.channels * DEPTH
    }

    pub(crate) fn num_sides(&self) -> usize {
        self.strip_of_side.len()
    }

    /// Number of distinct strips.
    pub(crate) fn num_strips(&self) -> usize {
        self.lengths.len()
    }

    pub(crate) fn strip_of(&self, side: SideId) -> usize {
        self.strip_of_side[side.index()] as usize
    }

    /// Pixels along the strip: the paper's s.
    pub(crate) fn length(&self, strip: usize) -> usize {
        self.lengths[strip]
    }

    /// Whether no two strips differ in length.
    pub(crate) fn are_of_one_length(&self) -> bool {
        self.shape.height_px() == self.shape.width_px()
    }

    /// One line of a strip, channel by channel; line 0 is the outermost.
    pub(crate) fn line(&self, strip: usize, line: usize) -> &[u16] {
        let size = self.channels * self.lengths[strip];
        &self.values[strip * self.stride() + line * size..][..size]
    }

    /// The sum of the outermost line's values, and the differences of its channels' sums from one to the
    /// next.
    pub(crate) fn colour_axes(&self, strip: usize) -> Vec<i64> {
        let line = self.line(strip, 0).chunks_exact(self.lengths[strip]);
        let sums: Vec<i64> =
            line.map(|channel| channel.iter().map(|value| i64::from(*value)).sum()).collect();
        let differences = sums.windows(2).map(|pair| pair[1] - pair[0]);
        std::iter::once(sums.iter().sum()).chain(differences).collect()
    }

    /// The outward gradient `g_u = e_u - i_u`, channel by channel.
    pub(crate) fn outward_gradient(&self, strip: usize) -> Vec<f64> {
        let (outer, inner) = (self.line(strip, 0), self.line(strip, 1));
        outer.iter().zip(inner).map(|(e, i)| f64::from(*e) - f64::from(*i)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{PieceId, Samples};

    #[test]
    fn lines_are_read_clockwise_and_equal_sides_share_a_strip() {
        // Two pieces of 2 x 3 pixels: 1 2 3 / 4 5 6, and the first one turned by half.
        let shape = PieceShape::new(2, 3).unwrap();
        let values = vec![1, 2, 3, 4, 5, 6, 6, 5, 4, 3, 2, 1];
        let pieces = PieceSet::new(shape, 1, Samples::U8(values)).unwrap();
        let strips = Strips::new(&pieces);
        let strip = |piece, side| strips.strip_of(SideId::new(PieceId::new(piece), side));
        assert_eq!(strips.line(strip(0, Side::Top), 0), [1, 2, 3]);
        assert_eq!(strips.line(strip(0, Side::Top), 1), [4, 5, 6]);
        assert_eq!(strips.line(strip(0, Side::Right), 0), [3, 6]);
        assert_eq!(strips.line(strip(0, Side::Bottom), 0), [6, 5, 4]);
        assert_eq!(strips.line(strip(0, Side::Left), 1), [5, 2]);
        assert_eq!(strips.num_strips(), 4);
        for side in Side::ALL {
            assert_eq!(strip(0, side), strip(1, side.opposite()));
        }
    }
}
