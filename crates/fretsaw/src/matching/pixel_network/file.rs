//! The file format of pixel networks: a heading with the sizes of the network, then the values of all tensors in half
//! precision, in the order of `training/pixel_network.py`.

use super::description::{ALONG, CONSTANTS, PROFILE};
use super::rhythm::PHASES;
use super::{BINS, PixelNetwork, SUMMARY};
use crate::linalg::packed_product::PackedFactor;
use crate::matching::network::Layer;

const MAGIC: &[u8; 16] = b"fretsaw pixels\0\0";
/// It changes with the inputs and the layers.
const VERSION: u32 = 3;
/// Above what any size of a network may be.
const MAX_SIZE: u32 = 1024;

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
    /// A size of the network, from 0.
    #[error("size {0} of the pixel network is 0 or above {MAX_SIZE}")]
    Size(u32),
    /// The number of a tensor.
    #[error("tensor {0} of the pixel network has a value that is not finite")]
    Value(u32),
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

    /// The next tensor, of so many values.
    fn tensor(&mut self, num_values: usize) -> Result<Vec<f32>, PixelNetworkError> {
        let values: Vec<f32> = (0..num_values)
            .map(|_| Ok(from_half(u16::from_le_bytes(self.take()?))))
            .collect::<Result<_, PixelNetworkError>>()?;
        let number = self.num_tensors;
        self.num_tensors += 1;
        let is_finite = values.iter().all(|value| value.is_finite());
        if is_finite { Ok(values) } else { Err(PixelNetworkError::Value(number)) }
    }

    /// The weights of a layer of `rows` units that see `taps` vectors of `width` values; and its bias.
    fn layer(
        &mut self,
        rows: usize,
        width: usize,
        taps: usize,
        has_bias: bool,
    ) -> Result<Layer, PixelNetworkError> {
        let weights = self.tensor(rows * width * taps)?;
        let bias = if has_bias { self.tensor(rows)? } else { vec![0.0; rows] };
        // The file has the taps of a value side by side, a window the values of a tap.
        let fill = |row: usize, values: &mut [f32]| {
            for (at, value) in values.iter_mut().enumerate() {
                *value = weights[(row * width + at % width) * taps + at / width];
            }
        };
        Ok(Layer { weights: PackedFactor::pack(rows, width * taps, fill), bias })
    }
}

/// The value of a number in half precision (IEEE 754 binary16).
fn from_half(bits: u16) -> f32 {
    let fraction = f32::from(bits & 0x3ff) / 1024.0;
    let value = match bits >> 10 & 0x1f {
        0 => fraction * (-14.0_f32).exp2(),
        0x1f => f32::NAN,
        exponent => (1.0 + fraction) * (f32::from(exponent) - 15.0).exp2(),
    };
    if bits >> 15 == 0 { value } else { -value }
}

impl PixelNetwork {
    /// Reads the network of a file.
    pub(in super::super) fn from_bytes(bytes: &[u8]) -> Result<Self, PixelNetworkError> {
        let mut reader = Reader { bytes, num_tensors: 0 };
        if reader.take::<16>()? != *MAGIC || reader.number()? != VERSION {
            return Err(PixelNetworkError::Heading);
        }
        let mut sizes = [0; 5];
        for (number, size) in (0..).zip(&mut sizes) {
            let read = reader.number()?;
            if !(1..=MAX_SIZE).contains(&read) {
                return Err(PixelNetworkError::Size(number));
            }
            *size = read as usize;
        }
        let [width, features, embedding, encoder_layers, scorer_layers] = sizes;
        let network = Self {
            summary: [
                reader.layer(128, 2 * PROFILE + CONSTANTS, 1, true)?,
                reader.layer(SUMMARY, 128, 1, true)?,
            ],
            encode_first: reader.layer(width, ALONG + CONSTANTS + SUMMARY, 5, true)?,
            encode_halve: reader.layer(width, width, 4, true)?,
            encode_more: (0..encoder_layers)
                .map(|_| reader.layer(width, width, 3, true))
                .collect::<Result<_, _>>()?,
            encode_last: reader.layer(features, width, 1, true)?,
            embed: reader.layer(2 * embedding, features * BINS + SUMMARY, 1, true)?,
            score_there: reader.layer(features, features, 1, true)?,
            score_back: reader.layer(features, features, 1, false)?,
            score_more: (0..scorer_layers)
                .map(|_| reader.layer(features, features, 3, true))
                .collect::<Result<_, _>>()?,
            score_mix: reader.layer(features, features, 1, true)?,
            score_join: reader.layer(64, 2 * features + 1 + 2 * SUMMARY + PHASES, 1, true)?,
            score_last: reader.layer(1, 64, 1, true)?,
        };
        if reader.bytes.is_empty() { Ok(network) } else { Err(PixelNetworkError::Length) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_precision_is_read() {
        let known = [(0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.333_251_95), (0, 0.0)];
        for (bits, value) in known {
            assert_eq!(from_half(bits), value);
        }
        assert_eq!(from_half(1), 2.0_f32.powi(-24));
        assert!(from_half(0x7c00).is_nan());
    }

    #[test]
    fn damaged_files_are_refused() {
        let shipped = include_bytes!("../pixel_network.bin");
        let read = |bytes: &[u8]| PixelNetwork::from_bytes(bytes).unwrap_err();
        assert_eq!(read(&shipped[..shipped.len() - 1]), PixelNetworkError::Length);
        assert_eq!(read(&[shipped, [0].as_slice()].concat()), PixelNetworkError::Length);
        assert_eq!(read(&shipped[1..]), PixelNetworkError::Heading);
        let mut changed = shipped.to_vec();
        changed[20..24].copy_from_slice(&2000_u32.to_le_bytes());
        assert_eq!(read(&changed), PixelNetworkError::Size(0));
        changed = shipped.to_vec();
        changed[40..42].copy_from_slice(&0x7c00_u16.to_le_bytes());
        assert_eq!(read(&changed), PixelNetworkError::Value(0));
    }
}
