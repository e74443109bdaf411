//! The file format of the pixel network: a heading, then for each tensor its shape and its values in single precision,
//! in the order of `training/pixel_network.py`.

use super::description::{ALONG, CONSTANTS, PROFILE};
use super::rhythm::PHASES;
use super::{EMBEDDING, FEATURES, PixelNetwork, SUMMARY};
use crate::linalg::packed_product::PackedFactor;
use crate::matching::network::Layer;

const MAGIC: &[u8; 16] = b"fretsaw pixels\0\0";
/// It changes with the inputs and the layers.
const VERSION: u32 = 2;
const NUM_TENSORS: u32 = 27;

/// Why bytes are not a pixel network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PixelNetworkError {
    /// Another kind of file, or another version.
    #[error(
        "this is not a file of a pixel network of version {VERSION}: it begins with other bytes"
    )]
    Heading,
    /// Too few or too many bytes.
    #[error("the file of the pixel network ends early, or has bytes to spare: it is damaged")]
    Length,
    /// The number of a tensor, and the rows and columns that it should have.
    #[error("tensor {0} of the pixel network does not have {1} x {2} finite values")]
    Tensor(u32, usize, usize),
}

struct Reader<'a> {
    bytes: &'a [u8],
    num_tensors: u32,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], PixelNetworkError> {
        let (taken, rest) = self.bytes.split_first_chunk().ok_or(PixelNetworkError::Length)?;
        self.bytes = rest;
        Ok(*taken)
    }

    fn number(&mut self) -> Result<u32, PixelNetworkError> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    /// The next tensor, which must have `rows` rows of `depth` values, and the sizes of its dimensions.
    fn tensor(
        &mut self,
        rows: usize,
        depth: usize,
    ) -> Result<(Vec<f32>, Vec<usize>), PixelNetworkError> {
        let wrong = PixelNetworkError::Tensor(self.num_tensors, rows, depth);
        self.num_tensors += 1;
        let num_dimensions = self.number()?;
        if num_dimensions > 3 {
            return Err(wrong);
        }
        let shape: Vec<usize> =
            (0..num_dimensions).map(|_| Ok(self.number()? as usize)).collect::<Result<_, _>>()?;
        let num_values = shape.iter().try_fold(1_usize, |count, &size| count.checked_mul(size));
        if num_values != Some(rows * depth) || shape.first() != Some(&rows) {
            return Err(wrong);
        }
        let values: Vec<f32> = (0..rows * depth)
            .map(|_| Ok(f32::from_le_bytes(self.take()?)))
            .collect::<Result<_, PixelNetworkError>>()?;
        if values.iter().all(|value| value.is_finite()) { Ok((values, shape)) } else { Err(wrong) }
    }

    /// The weights of a layer of `rows` units that see `taps` vectors of `width` values; and its bias.
    fn layer(
        &mut self,
        rows: usize,
        width: usize,
        taps: usize,
        has_bias: bool,
    ) -> Result<Layer, PixelNetworkError> {
        let (weights, _) = self.tensor(rows, width * taps)?;
        let bias = if has_bias { self.tensor(rows, 1)?.0 } else { vec![0.0; rows] };
        // The file has the taps of a value side by side, a window the values of a tap.
        let fill = |row: usize, values: &mut [f32]| {
            for (at, value) in values.iter_mut().enumerate() {
                *value = weights[(row * width + at % width) * taps + at / width];
            }
        };
        Ok(Layer { weights: PackedFactor::pack(rows, width * taps, fill), bias })
    }
}

impl PixelNetwork {
    /// Reads the network of a file.
    pub(in super::super) fn from_bytes(bytes: &[u8]) -> Result<Self, PixelNetworkError> {
        const HIDDEN: usize = 96;
        let mut reader = Reader { bytes, num_tensors: 0 };
        let is_known = reader.take::<16>()? == *MAGIC
            && reader.number()? == VERSION
            && reader.number()? == NUM_TENSORS;
        if !is_known {
            return Err(PixelNetworkError::Heading);
        }
        let network = Self {
            summary: [
                reader.layer(128, 2 * PROFILE + CONSTANTS, 1, true)?,
                reader.layer(SUMMARY, 128, 1, true)?,
            ],
            encode: [
                reader.layer(HIDDEN, ALONG + CONSTANTS + SUMMARY, 5, true)?,
                reader.layer(HIDDEN, HIDDEN, 4, true)?,
                reader.layer(HIDDEN, HIDDEN, 3, true)?,
                reader.layer(HIDDEN, HIDDEN, 3, true)?,
                reader.layer(FEATURES, HIDDEN, 1, true)?,
            ],
            embed: reader.layer(2 * EMBEDDING, FEATURES * 8 + SUMMARY, 1, true)?,
            score_there: reader.layer(FEATURES, FEATURES, 1, true)?,
            score_back: reader.layer(FEATURES, FEATURES, 1, false)?,
            score: [
                reader.layer(FEATURES, FEATURES, 3, true)?,
                reader.layer(FEATURES, FEATURES, 1, true)?,
                reader.layer(64, 2 * FEATURES + 1 + 2 * SUMMARY + PHASES, 1, true)?,
                reader.layer(1, 64, 1, true)?,
            ],
        };
        if reader.bytes.is_empty() { Ok(network) } else { Err(PixelNetworkError::Length) }
    }
}
