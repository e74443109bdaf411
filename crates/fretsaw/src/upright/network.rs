//! The network that scores windows, and its file.
//!
//! ```text
//! x: SIDE x SIDE cells of 3 features
//! x = relu(conv 5x5, stride 2)    x = relu(conv 3x3, stride 2)  twice    x = relu(conv 3x3)
//! score, photograph = linear(x)
//! ```
//!
//! Convolutions are padded with zeros. `training/upright.py` trains the network and writes the file: magic bytes, a
//! version, the weights of the [terms](super::TermWeights), then the weights and biases of each layer.

use super::windows::SIDE;
use super::{NUM_TERMS, TermWeights};
use crate::linalg::packed_product::PackedFactor;
use crate::linalg::relu;

const MAGIC: &[u8; 16] = b"fretsaw upright\n";
const VERSION: u32 = 1;
/// Features of a cell.
const NUM_FEATURES: usize = 3;
/// The convolutions: outputs, side of the kernel, stride.
const SHAPES: [(usize, usize, usize); 4] = [(24, 5, 2), (32, 3, 2), (48, 3, 2), (48, 3, 1)];
/// The outputs of the last layer.
const NUM_OUTPUTS: usize = 2;

/// The network's answer for a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WindowScore {
    /// How upright the window looks. Only the differences between its four turns mean something.
    pub(super) upright: f64,
    /// The logit of "the window is of a photograph".
    pub(super) photograph: f64,
}

/// A convolution. Values of a cell lie side by side, also in the kernel.
#[derive(Clone, Debug)]
struct Convolution {
    num_inputs: usize,
    kernel: usize,
    stride: usize,
    weights: PackedFactor,
    bias: Vec<f32>,
}

/// The network.
#[derive(Clone, Debug)]
pub(super) struct Network {
    convolutions: Vec<Convolution>,
    /// A row for each output, in the order of the last convolution's values.
    output: Vec<Vec<f32>>,
    output_bias: Vec<f32>,
}

/// Why bytes are not a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NetworkError {
    #[error("these are not the bytes of a network of this version")]
    Heading,
    #[error("there are too few or too many weights")]
    Length,
    #[error("a weight is not a finite number")]
    Weight,
}

/// Reads the weights of the terms and the network.
pub(super) fn read_network(bytes: &[u8]) -> Result<(TermWeights, Network), NetworkError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(NetworkError::Heading)?;
    let rest = rest.strip_prefix(&VERSION.to_le_bytes()).ok_or(NetworkError::Heading)?;
    let (numbers, []) = rest.as_chunks() else { return Err(NetworkError::Length) };
    let numbers: Vec<f32> = numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    if !numbers.iter().all(|number| number.is_finite()) {
        return Err(NetworkError::Weight);
    }
    let mut rest = &numbers[..];
    let mut take = |count: usize| rest.split_off(..count).ok_or(NetworkError::Length);

    let mut of_terms = || -> Result<[f64; NUM_TERMS], NetworkError> {
        let weights = take(NUM_TERMS)?;
        Ok(std::array::from_fn(|term| f64::from(weights[term])))
    };
    let terms = TermWeights { page: of_terms()?, photograph: of_terms()? };
    let (mut num_inputs, mut side) = (NUM_FEATURES, SIDE);
    let mut convolutions = Vec::new();
    for (num_outputs, kernel, stride) in SHAPES {
        let depth = num_inputs * kernel * kernel;
        let weights = take(num_outputs * depth)?;
        let bias = take(num_outputs)?.to_vec();
        // In the file, each input has a kernel of its own.
        let fill = |output: usize, values: &mut [f32]| {
            for (index, value) in values.iter_mut().enumerate() {
                let (place, input) = (index / num_inputs, index % num_inputs);
                *value = weights[output * depth + input * kernel * kernel + place];
            }
        };
        let weights = PackedFactor::pack(num_outputs, depth, fill);
        convolutions.push(Convolution { num_inputs, kernel, stride, weights, bias });
        num_inputs = num_outputs;
        side = side.div_ceil(stride);
    }
    let (num_cells, mut output) = (side * side, Vec::new());
    for _ in 0..NUM_OUTPUTS {
        let weights = take(num_inputs * num_cells)?;
        let of_value = |index| weights[index % num_inputs * num_cells + index / num_inputs];
        output.push((0..weights.len()).map(of_value).collect());
    }
    let output_bias = take(NUM_OUTPUTS)?.to_vec();
    if rest.is_empty() {
        Ok((terms, Network { convolutions, output, output_bias }))
    } else {
        Err(NetworkError::Length)
    }
}

/// Buffers to use again.
#[derive(Default)]
pub(super) struct Buffers {
    columns: Vec<f32>,
    packed: Vec<f32>,
    product: Vec<f32>,
}

impl Network {
    /// The scores of a window with these features.
    pub(super) fn score(&self, features: Vec<f32>, buffers: &mut Buffers) -> WindowScore {
        let (mut values, mut side) = (features, SIDE);
        for convolution in &self.convolutions {
            (values, side) = convolution.apply(&values, side, buffers);
        }
        let output = |index: usize| {
            let products =
                self.output[index].iter().zip(&values).map(|(weight, value)| weight * value);
            f64::from(self.output_bias[index] + products.sum::<f32>())
        };
        WindowScore { upright: output(0), photograph: output(1) }
    }
}

impl Convolution {
    /// The values after this layer of `side` x `side` cells, and the new side.
    fn apply(&self, values: &[f32], side: usize, buffers: &mut Buffers) -> (Vec<f32>, usize) {
        let Buffers { columns, packed, product } = buffers;
        let &Self { num_inputs, kernel, stride, .. } = self;
        let new_side = side.div_ceil(stride);
        columns.clear();
        // Source cells of a kernel's line; `None` in the padding.
        let source = |at: usize, in_kernel: usize| {
            (at * stride + in_kernel).checked_sub(kernel / 2).filter(|&source| source < side)
        };
        for cell in 0..new_side * new_side {
            let (row, col) = (cell / new_side, cell % new_side);
            for (down, right) in (0..kernel * kernel).map(|place| (place / kernel, place % kernel))
            {
                match (source(row, down), source(col, right)) {
                    (Some(row), Some(col)) => {
                        let start = (row * side + col) * num_inputs;
                        columns.extend_from_slice(&values[start..start + num_inputs]);
                    }
                    _ => columns.resize(columns.len() + num_inputs, 0.0),
                }
            }
        }
        self.weights.multiply(columns, packed, product);
        let rows = product.chunks_exact(self.weights.stride()).take(new_side * new_side);
        let activated =
            rows.flat_map(|row| row.iter().zip(&self.bias).map(|(value, bias)| relu(value + bias)));
        (activated.collect(), new_side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: &[u8] = include_bytes!("network.bin");

    /// The formula, one number after the other, in double precision, from the bytes of the file.
    fn slow_score(features: &[f32]) -> [f64; NUM_OUTPUTS] {
        let mut numbers = SHIPPED[MAGIC.len() + 4 + 8 * NUM_TERMS..]
            .chunks_exact(4)
            .map(|bytes| f64::from(f32::from_le_bytes(bytes.try_into().unwrap())));
        let (mut inputs, mut side) = (NUM_FEATURES, SIDE);
        // By channel, row and column.
        let mut x: Vec<f64> = (0..inputs * side * side)
            .map(|index| {
                f64::from(features[index % (side * side) * inputs + index / (side * side)])
            })
            .collect();
        for (outputs, kernel, stride) in SHAPES {
            let weights: Vec<f64> =
                numbers.by_ref().take(outputs * inputs * kernel * kernel).collect();
            let bias: Vec<f64> = numbers.by_ref().take(outputs).collect();
            let new_side = side / stride;
            let mut y = vec![0.0; outputs * new_side * new_side];
            for (index, value) in y.iter_mut().enumerate() {
                let (output, row, col) =
                    (index / (new_side * new_side), index / new_side % new_side, index % new_side);
                *value = bias[output];
                for input in 0..inputs {
                    for down in 0..kernel {
                        for right in 0..kernel {
                            let (r, c) = (row * stride + down, col * stride + right);
                            let (r, c) = (r.wrapping_sub(kernel / 2), c.wrapping_sub(kernel / 2));
                            if r < side && c < side {
                                let weight =
                                    ((output * inputs + input) * kernel + down) * kernel + right;
                                *value += weights[weight] * x[(input * side + r) * side + c];
                            }
                        }
                    }
                }
                *value = value.max(0.0);
            }
            (x, inputs, side) = (y, outputs, new_side);
        }
        let weights: Vec<f64> = numbers.by_ref().take(NUM_OUTPUTS * x.len()).collect();
        let bias: Vec<f64> = numbers.collect();
        assert_eq!(bias.len(), NUM_OUTPUTS);
        std::array::from_fn(|output| {
            let row = &weights[output * x.len()..(output + 1) * x.len()];
            bias[output] + row.iter().zip(&x).map(|(weight, value)| weight * value).sum::<f64>()
        })
    }

    #[test]
    fn scores_are_those_of_the_formula() {
        let (_, network) = read_network(SHIPPED).unwrap();
        let mut buffers = Buffers::default();
        for seed in 0..3_u32 {
            let feature =
                |index: usize| ((index as f32 * 0.37 + seed as f32).sin() * 1.5).clamp(-1.0, 1.2);
            let features: Vec<f32> = (0..SIDE * SIDE * NUM_FEATURES).map(feature).collect();
            let [upright, photograph] = slow_score(&features);
            let found = network.score(features, &mut buffers);
            assert!((found.upright - upright).abs() < 1e-3, "{found:?} {upright}");
            assert!((found.photograph - photograph).abs() < 1e-3, "{found:?} {photograph}");
        }
    }

    #[test]
    fn damaged_bytes_are_refused() {
        assert!(read_network(SHIPPED).is_ok());
        assert_eq!(read_network(&SHIPPED[..10]).err(), Some(NetworkError::Heading));
        for length in [20, 21, 60, SHIPPED.len() - 4] {
            assert_eq!(read_network(&SHIPPED[..length]).err(), Some(NetworkError::Length));
        }
        assert_eq!(read_network(&[SHIPPED, &[0; 4]].concat()).err(), Some(NetworkError::Length));
        let mut damaged = SHIPPED.to_vec();
        damaged[MAGIC.len()] += 1;
        assert_eq!(read_network(&damaged).err(), Some(NetworkError::Heading));
        let mut damaged = SHIPPED.to_vec();
        damaged[1000..1004].copy_from_slice(&f32::NAN.to_le_bytes());
        assert_eq!(read_network(&damaged).err(), Some(NetworkError::Weight));
    }
}
