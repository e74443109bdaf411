//! Pixel networks: compare two sides by all pixels of their pieces. There is one for graphics and one for worn pieces.
//!
//! An encoder turns each side into a sequence of vectors along the side (`encoder.rs`), from its lines of pixels,
//! bands of lines that get wider with their depth, and the profile of its piece by depth (`description.rs`). From that
//! sequence follow an embedding, two vectors whose products with those of all other sides propose candidates
//! (`proposals.rs`) and share out the probability of unlisted sides (`unlisted_shares.rs`), and the score of a pair (`scorer.rs`), which also sees whether lines of text go on at the same
//! pitch across the seam (`rhythm.rs`). `training/pixel_network.py` trains it.
//!
//! Cost, for graphics and for worn pieces: encoding takes about a hundred and two hundred thousand operations per pixel
//! of a side, the product 400 per pair of sides, a score 8,000 and 65,000 per pixel of a side.

mod description;
mod encoder;
mod file;
mod proposals;
mod rhythm;
mod scorer;
mod unlisted_shares;

pub(super) use encoder::EncodedSides;
pub use file::PixelNetworkError;
pub(super) use scorer::PixelScore;
pub(super) use unlisted_shares::UnlistedShares;

use super::network::Layer;
use crate::linalg;
use crate::networks::{NetworkFile, bytes_of};
use std::sync::{Arc, LazyLock};

static FOR_GRAPHICS: LazyLock<Arc<PixelNetwork>> =
    LazyLock::new(|| shipped(NetworkFile::GraphicPixels));
static FOR_WORN: LazyLock<Arc<PixelNetwork>> = LazyLock::new(|| shipped(NetworkFile::WornPixels));

#[expect(clippy::expect_used, reason = "a test reads the same bytes")]
fn shipped(file: NetworkFile) -> Arc<PixelNetwork> {
    Arc::new(PixelNetwork::from_bytes(&bytes_of(file)).expect("the shipped pixel network is whole"))
}

/// Length of the summary of a side.
const SUMMARY: usize = 64;
/// Bins along a side whose means the embedding sees.
const BINS: usize = 8;

/// All layers. A convolution is a layer whose input is a window of consecutive vectors.
#[derive(Clone, Debug)]
pub(super) struct PixelNetwork {
    summary: [Layer; 2],
    encode_first: Layer,
    encode_halve: Layer,
    encode_more: Vec<Layer>,
    encode_last: Layer,
    embed: Layer,
    score_there: Layer,
    score_back: Layer,
    score_more: Vec<Layer>,
    score_mix: Layer,
    score_join: Layer,
    score_last: Layer,
}

impl PixelNetwork {
    /// The network for graphics that the program comes with.
    pub(super) fn for_graphics() -> Arc<Self> {
        Arc::clone(&FOR_GRAPHICS)
    }

    /// The network for worn pieces that the program comes with.
    pub(super) fn for_worn() -> Arc<Self> {
        Arc::clone(&FOR_WORN)
    }

    /// Length of the vectors along a side.
    fn features(&self) -> usize {
        self.encode_last.bias.len()
    }

    /// Length of each of the two vectors of an embedding.
    fn embedding(&self) -> usize {
        self.embed.bias.len() / 2
    }
}

/// Buffers of a thread for products.
#[derive(Default)]
struct Buffers {
    windows: Vec<f32>,
    packed: Vec<f32>,
    product: Vec<f32>,
}

impl Layer {
    /// `W x + b` of each row of `rows`, into `out`.
    fn of_rows(&self, rows: &[f32], buffers: &mut Buffers, out: &mut Vec<f32>) {
        self.weights.multiply(rows, &mut buffers.packed, &mut buffers.product);
        out.clear();
        let num_rows = rows.len() / self.weights.depth();
        for row in buffers.product.chunks_exact(self.weights.stride()).take(num_rows) {
            out.extend(row.iter().zip(&self.bias).map(|(value, bias)| value + bias));
        }
    }

    /// A convolution over sequences of `length` vectors of `width` values each, padded with zeros: window p starts
    /// `before` vectors before vector `p * stride`.
    fn of_windows(
        &self,
        sequences: &[f32],
        (length, width): (usize, usize),
        (stride, before): (usize, usize),
        buffers: &mut Buffers,
        out: &mut Vec<f32>,
    ) {
        let taps = self.weights.depth() / width;
        let mut windows = std::mem::take(&mut buffers.windows);
        windows.clear();
        for sequence in sequences.chunks_exact(length * width) {
            for position in 0..length / stride {
                for tap in 0..taps {
                    let at = (position * stride + tap).checked_sub(before);
                    match at.filter(|&at| at < length) {
                        Some(at) => windows.extend_from_slice(&sequence[at * width..][..width]),
                        None => windows.resize(windows.len() + width, 0.0),
                    }
                }
            }
        }
        self.of_rows(&windows, buffers, out);
        buffers.windows = windows;
    }
}

fn relu(values: &mut [f32]) {
    values.iter_mut().for_each(|value| *value = linalg::relu(*value));
}

/// `x + relu(y)`, into x.
fn add_relu(x: &mut [f32], y: &[f32]) {
    x.iter_mut().zip(y).for_each(|(x, y)| *x += linalg::relu(*y));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::OpponentPixels;
    use crate::observer::Silent;
    use crate::puzzle::{PieceSet, PieceShape, Samples, SideId, TurnSet};

    /// Pieces of a texture that a formula gives, which the training program knows too.
    fn textured(size: u32, count: usize) -> OpponentPixels {
        let shape = PieceShape::new(size, size).unwrap();
        let size = size as usize;
        let value = |at: usize| {
            let (channel, pixel) = (at % 3, at / 3);
            let (c, r, p) = (pixel % size, pixel / size % size, pixel / (size * size));
            u8::try_from((p * 37 + r * r * 5 + c * 11 + channel * 29 + r * c * 3) % 256).unwrap()
        };
        let values = (0..count * size * size * 3).map(value).collect();
        OpponentPixels::of(&PieceSet::new(shape, 3, Samples::U8(values)).unwrap())
    }

    #[test]
    fn scores_are_those_of_the_training_program() {
        // Piece size, number of pieces, whether they may be turned, two sides, logit, product of embeddings.
        let vectors = [
            (16, 5, false, 0, 6, -3.02967, -1.65590),
            (16, 5, false, 1, 7, -3.04299, 0.61056),
            (16, 5, false, 5, 11, -2.48087, 1.52615),
            (16, 5, false, 9, 3, -1.24556, -1.97253),
            (16, 5, true, 0, 5, -1.54418, -0.19485),
            (16, 5, true, 2, 7, -2.53494, 1.60259),
            (16, 5, true, 8, 1, -0.51942, -1.16366),
            (16, 5, true, 4, 10, -0.69124, -0.95459),
            (37, 4, false, 0, 6, -0.55294, -2.98902),
            (37, 4, false, 1, 7, -3.23039, -0.91173),
            (37, 4, false, 5, 11, -3.66181, 1.92365),
            (37, 4, false, 9, 3, -3.64493, -1.96823),
            (37, 4, true, 0, 5, -1.85957, -0.34360),
            (37, 4, true, 2, 7, -2.17472, -0.47458),
            (37, 4, true, 8, 1, -3.35827, 0.93958),
            (37, 4, true, 4, 10, -2.37742, 1.18631),
            (150, 3, false, 0, 6, -6.03198, -5.69083),
            (150, 3, false, 1, 7, -5.68104, 0.82225),
            (150, 3, false, 5, 11, -3.97314, 0.94580),
            (150, 3, false, 9, 3, -4.85105, -0.21063),
            (150, 3, true, 0, 5, -4.86204, -2.71045),
            (150, 3, true, 2, 7, -6.06380, -0.41538),
            (150, 3, true, 8, 1, -5.57702, -2.83803),
            (150, 3, true, 4, 10, -6.45384, -5.80185),
        ];
        for (size, count, is_turned, u, v, logit, product) in vectors {
            let turns = if is_turned { TurnSet::Quarter } else { TurnSet::None };
            let pieces = textured(size, count);
            let encoded =
                EncodedSides::new(&PixelNetwork::for_graphics(), &pieces, turns, &Silent).unwrap();
            let score = encoded.scores(SideId::from_index(u), &[SideId::from_index(v)])[0];
            let close = |x: f32, y: f32| (x - y).abs() < 2e-3 * (1.0 + y.abs());
            assert!(close(score.logit, logit), "{size} {u} {v}: {} {logit}", score.logit);
            assert!(close(score.product, product), "{size} {u} {v}: {} {product}", score.product);
        }
    }
}
