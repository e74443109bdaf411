//! The networks of the learned judge: reading them, and running them on the product's matrix product.
//!
//! One network judges all candidates of a side together. Per candidate, features are standardised and
//! go through two layers of [`Network::hidden`] units; their mean and maximum over the side's candidates
//! are the context, which is fed back into every candidate, goes through one more layer and ends in one
//! number, its logit. The logits of "the side is a border" and "its neighbour is not listed" come from
//! the context alone. A softmax over all of them gives probabilities.
//!
//! ```text
//! z = clip((x - m) / s)    h1 = relu(W1 z)    h2 = h1 + relu(W2 h1)      per candidate
//! g = [mean h2, max h2]    border, unlisted = Wn g                      per side
//! h3 = relu(h2 + Wc g)     h4 = h3 + relu(W3 h3)    logit = wo h4        per candidate
//! ```
//!
//! Means and sums over candidates are taken in whole numbers: candidates that tie come in the order of
//! their piece numbers, which must not show, not even in the last digit.

use super::features::single;
use super::verdicts::LogVerdicts;
use crate::linalg::packed_product::PackedFactor;
use crate::observer::{Cancelled, Observer, check_cancelled};
use crate::puzzle::SideId;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// How a network file begins.
const MAGIC: &[u8; 16] = b"fretsaw judge\0\0\0";
/// The version of the file that this program reads: it changes whenever features or layers do.
pub const NETWORK_VERSION: u32 = 1;

/// Why bytes are not a judge's networks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// Not such a file at all.
    #[error("these are not the networks of a judge: the file begins otherwise")]
    NotNetworks,
    /// For another version of the program.
    #[error(
        "these networks are of version {found}, this program reads version {NETWORK_VERSION}: train \
         them again, or use the program they were made for"
    )]
    Version {
        /// As in the file.
        found: u32,
    },
    /// Cut short, or with something behind them.
    #[error("the networks have {found} bytes where {expected} were expected: the file is damaged")]
    Length {
        /// What the heading asks for, at least.
        expected: usize,
        /// As given.
        found: usize,
    },
    /// Made for other features.
    #[error(
        "network {network} takes {found} features, where there are {expected}: train the networks again"
    )]
    Features {
        /// 0 for the first.
        network: usize,
        /// As in the file.
        found: usize,
        /// What this program computes.
        expected: usize,
    },
    /// A weight that is infinite or not a number.
    #[error("network {network} has a weight that is no finite number: the file is damaged")]
    Weight {
        /// 0 for the first.
        network: usize,
    },
}

/// A layer: `relu(W x + b)` without the relu.
#[derive(Clone, Debug)]
struct Layer {
    weights: PackedFactor,
    bias: Vec<f32>,
}

/// One network.
#[derive(Clone, Debug)]
pub(super) struct Network {
    means: Vec<f32>,
    /// One over the standard deviation.
    scales: Vec<f32>,
    first: Layer,
    second: Layer,
    context: Layer,
    third: Layer,
    /// Border and unlisted.
    none: Layer,
    output: Vec<f32>,
    output_bias: f32,
}

/// Reads numbers one after the other.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        let expected = self.at + N;
        let taken = self.bytes.get(self.at..expected).and_then(|bytes| bytes.try_into().ok());
        self.at = expected;
        taken.ok_or(NetworkError::Length { expected, found: self.bytes.len() })
    }

    fn number(&mut self) -> Result<u32, NetworkError> {
        Ok(u32::from_le_bytes(self.take()?))
    }

    fn weights(&mut self, network: usize, count: usize) -> Result<Vec<f32>, NetworkError> {
        // Checked before memory is taken.
        let expected = self.at.saturating_add(count.saturating_mul(4));
        if expected > self.bytes.len() {
            return Err(NetworkError::Length { expected, found: self.bytes.len() });
        }
        let weights: Vec<f32> =
            (0..count).map(|_| Ok(f32::from_le_bytes(self.take()?))).collect::<Result<_, _>>()?;
        if weights.iter().all(|weight| weight.is_finite()) {
            Ok(weights)
        } else {
            Err(NetworkError::Weight { network })
        }
    }

    fn layer(&mut self, network: usize, rows: usize, depth: usize) -> Result<Layer, NetworkError> {
        let weights = self.weights(network, rows.saturating_mul(depth))?;
        let bias = self.weights(network, rows)?;
        let fill = |row: usize, values: &mut [f32]| {
            values.copy_from_slice(&weights[row * depth..(row + 1) * depth]);
        };
        Ok(Layer { weights: PackedFactor::pack(rows, depth, fill), bias })
    }
}

/// Reads the networks of a file; network i must take `num_features(i)` features.
pub(super) fn read_networks(
    bytes: &[u8],
    num_features: impl Fn(usize) -> usize,
) -> Result<Vec<Network>, NetworkError> {
    let mut reader = Reader { bytes, at: 0 };
    if reader.take::<16>().as_ref() != Ok(MAGIC) {
        return Err(NetworkError::NotNetworks);
    }
    let found = reader.number()?;
    if found != NETWORK_VERSION {
        return Err(NetworkError::Version { found });
    }
    let num_networks = reader.number()? as usize;
    let mut networks = Vec::new();
    for network in 0..num_networks {
        let found = reader.number()? as usize;
        let hidden = reader.number()? as usize;
        let expected = num_features(network);
        if found != expected {
            return Err(NetworkError::Features { network, found, expected });
        }
        networks.push(Network {
            means: reader.weights(network, found)?,
            scales: reader.weights(network, found)?,
            first: reader.layer(network, hidden, found)?,
            second: reader.layer(network, hidden, hidden)?,
            context: reader.layer(network, hidden, hidden.saturating_mul(2))?,
            third: reader.layer(network, hidden, hidden)?,
            none: reader.layer(network, 2, hidden.saturating_mul(2))?,
            output: reader.weights(network, hidden)?,
            output_bias: reader.weights(network, 1)?[0],
        });
    }
    if reader.at == bytes.len() {
        Ok(networks)
    } else {
        Err(NetworkError::Length { expected: reader.at, found: bytes.len() })
    }
}

/// Standardised features are cut off here.
const FARTHEST: f32 = 6.0;
/// Sides that one thread judges at a time: their candidates' numbers stay in a core's cache.
const BLOCK: usize = 8;
/// Hidden values are summed as multiples of one over this, up to [`LARGEST`].
const FINENESS: f32 = 65_536.0;
/// 40 of these do not overflow.
const LARGEST: f32 = 800.0;

/// Room to work in.
#[derive(Default)]
struct Room {
    features: Vec<f32>,
    packed: Vec<f32>,
    product: Vec<f32>,
    hidden: Vec<f32>,
    context: Vec<f32>,
}

impl Network {
    /// Units of a layer.
    fn hidden(&self) -> usize {
        self.output.len()
    }

    /// Judge sides, each by itself: `write(side, out)` writes the features of its candidates.
    pub(super) fn judge(
        &self,
        sides: &[SideId],
        write: impl Fn(SideId, &mut Vec<f32>) + Sync,
        observer: &dyn Observer,
    ) -> Result<Vec<LogVerdicts>, Cancelled> {
        let arch = Arch::new();
        let blocks: Vec<Vec<LogVerdicts>> = sides
            .par_chunks(BLOCK)
            .map_init(Room::default, |room, sides| {
                check_cancelled(observer)?;
                room.features.clear();
                let lengths: Vec<usize> = sides
                    .iter()
                    .map(|&side| {
                        let before = room.features.len();
                        write(side, &mut room.features);
                        (room.features.len() - before) / self.means.len()
                    })
                    .collect();
                Ok(arch.dispatch(JudgeBlock { network: self, lengths: &lengths, room }))
            })
            .collect::<Result<_, _>>()?;
        Ok(blocks.concat())
    }

    /// [`JudgeBlock`], to be compiled for the machine's vectors.
    #[inline(always)]
    fn judge_block(&self, lengths: &[usize], room: &mut Room) -> Vec<LogVerdicts> {
        let width = self.hidden();
        let Room { features, packed, product, hidden, context } = room;
        for row in features.chunks_exact_mut(self.means.len()) {
            for ((x, mean), scale) in row.iter_mut().zip(&self.means).zip(&self.scales) {
                *x = ((*x - mean) * scale).clamp(-FARTHEST, FARTHEST);
            }
        }
        hidden.clear();
        self.first.apply(features, packed, product, |row, bias| {
            hidden.extend(row.iter().zip(bias).map(|(x, b)| (x + b).max(0.0)));
        });
        add_layer(&self.second, hidden, packed, product);

        context.clear();
        let mut first = 0;
        for &length in lengths {
            write_context(&hidden[first * width..(first + length) * width], width, context);
            first += length;
        }
        let mut none = Vec::with_capacity(lengths.len());
        self.none.apply(context, packed, product, |row, bias| {
            none.push([row[0] + bias[0], row[1] + bias[1]]);
        });
        let mut side = 0;
        let mut first = 0;
        self.context.apply(context, packed, product, |row, bias| {
            let rows = &mut hidden[first * width..(first + lengths[side]) * width];
            for values in rows.chunks_exact_mut(width) {
                for ((x, c), b) in values.iter_mut().zip(row).zip(bias) {
                    *x = (*x + c + b).max(0.0);
                }
            }
            first += lengths[side];
            side += 1;
        });
        add_layer(&self.third, hidden, packed, product);

        let mut verdicts = Vec::with_capacity(lengths.len());
        let mut rows = hidden.chunks_exact(width);
        for (&length, none) in lengths.iter().zip(none) {
            let logits =
                rows.by_ref().take(length).map(|row| dot(row, &self.output) + self.output_bias);
            let mut verdict = LogVerdicts::default();
            verdict.push(logits.collect(), none[0], none[1]);
            verdicts.push(verdict);
        }
        verdicts
    }
}

/// A few sides to be judged.
struct JudgeBlock<'a> {
    network: &'a Network,
    lengths: &'a [usize],
    room: &'a mut Room,
}

impl WithSimd for JudgeBlock<'_> {
    type Output = Vec<LogVerdicts>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<LogVerdicts> {
        self.network.judge_block(self.lengths, self.room)
    }
}

impl Layer {
    /// Gives every row of the product to `take`, with the bias.
    #[inline(always)]
    fn apply(
        &self,
        left: &[f32],
        packed: &mut Vec<f32>,
        product: &mut Vec<f32>,
        mut take: impl FnMut(&[f32], &[f32]),
    ) {
        self.weights.multiply(left, packed, product);
        let num_rows = left.len() / self.weights.depth();
        for row in product.chunks_exact(self.weights.stride()).take(num_rows) {
            take(&row[..self.bias.len()], &self.bias);
        }
    }
}

/// A scalar product, in so many lanes on every machine that it is the same on all of them.
#[inline(always)]
fn dot(x: &[f32], y: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut lanes = [0.0; LANES];
    let (x, x_rest) = x.as_chunks::<LANES>();
    let (y, y_rest) = y.as_chunks::<LANES>();
    for (x, y) in x.iter().zip(y) {
        for lane in 0..LANES {
            lanes[lane] += x[lane] * y[lane];
        }
    }
    let rest: f32 = x_rest.iter().zip(y_rest).map(|(x, y)| x * y).sum();
    lanes.iter().sum::<f32>() + rest
}

/// `h + relu(W h + b)`, in place.
#[inline(always)]
fn add_layer(layer: &Layer, hidden: &mut [f32], packed: &mut Vec<f32>, product: &mut Vec<f32>) {
    layer.weights.multiply(hidden, packed, product);
    let width = layer.bias.len();
    for (row, added) in
        hidden.chunks_exact_mut(width).zip(product.chunks_exact(layer.weights.stride()))
    {
        for ((x, added), bias) in row.iter_mut().zip(added).zip(&layer.bias) {
            *x += (added + bias).max(0.0);
        }
    }
}

/// Appends the mean and the maximum over rows; zeros if there are none.
#[inline(always)]
fn write_context(rows: &[f32], width: usize, out: &mut Vec<f32>) {
    let mut sums = vec![0_i32; width];
    let start = out.len();
    out.resize(start + 2 * width, 0.0);
    let (means, largest) = out[start..].split_at_mut(width);
    for row in rows.chunks_exact(width) {
        for ((&x, sum), largest) in row.iter().zip(&mut sums).zip(&mut *largest) {
            #[expect(clippy::cast_possible_truncation, reason = "at most 800 * 65536")]
            let fixed = (x.min(LARGEST) * FINENESS) as i32;
            *sum = sum.saturating_add(fixed);
            // Hidden values are at least 0.
            *largest = largest.max(x);
        }
    }
    let count = (rows.len() / width).max(1);
    for (mean, sum) in means.iter_mut().zip(sums) {
        *mean = single(f64::from(sum) / (f64::from(FINENESS) * count as f64));
    }
}
