//! The networks of the learned matcher: reading them, and running them on the product's matrix product.
//!
//! One network matchers all candidates of a side together. Per candidate, features are standardised and
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
pub const NETWORK_VERSION: u32 = 3;

/// Why bytes are not a matcher's networks.
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
    /// Nothing between features and verdict.
    #[error("network {network} has layers without units: the file is damaged")]
    NoUnits {
        /// 0 for the first.
        network: usize,
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
        if hidden == 0 {
            return Err(NetworkError::NoUnits { network });
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
/// Sides that one thread matchers at a time: their candidates' numbers stay in a core's cache.
const BLOCK: usize = 8;
/// Hidden values are summed as multiples of one over this, up to [`LARGEST`].
const FINENESS: f32 = 65_536.0;
/// A hundred million of these make a whole number that is exact.
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

    /// Matcher sides, each by itself: `write(side, out)` writes the features of its candidates.
    pub(super) fn match_sides(
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
        // Loops, not closures, where there is one step a value: closures may be compiled for any machine.
        self.first.weights.multiply(features, packed, product);
        hidden.clear();
        hidden.resize(features.len() / self.means.len() * width, 0.0);
        let products = product.chunks_exact(self.first.weights.stride());
        for (row, product) in hidden.chunks_exact_mut(width).zip(products) {
            for ((x, product), bias) in row.iter_mut().zip(product).zip(&self.first.bias) {
                *x = (product + bias).max(0.0);
            }
        }
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
            // And room for the two that are added.
            let mut logits = Vec::with_capacity(length + none.len());
            for row in rows.by_ref().take(length) {
                logits.push(dot(row, &self.output) + self.output_bias);
            }
            let mut verdict = LogVerdicts::default();
            verdict.push(logits, none[0], none[1]);
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
    let mut sums = vec![0.0_f64; width];
    let start = out.len();
    out.resize(start + 2 * width, 0.0);
    let (means, largest) = out[start..].split_at_mut(width);
    for row in rows.chunks_exact(width) {
        for ((&x, sum), largest) in row.iter().zip(&mut sums).zip(&mut *largest) {
            // Whole numbers, exact in double precision: machines add those faster than integers of
            // which they must make sure that they fit.
            *sum += f64::from((x.min(LARGEST) * FINENESS).trunc());
            // Hidden values are at least 0.
            *largest = largest.max(x);
        }
    }
    let count = (rows.len() / width).max(1);
    for (mean, sum) in means.iter_mut().zip(sums) {
        *mean = single(sum / (f64::from(FINENESS) * count as f64));
    }
}

#[cfg(test)]
mod tests {
    use super::super::learned::LearnedMatcher;
    use super::*;
    use crate::observer::Silent;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A layer as the formula has it: rows of weights, and the bias.
    struct SlowLayer {
        weights: Vec<Vec<f64>>,
        bias: Vec<f64>,
    }

    impl SlowLayer {
        fn apply(&self, x: &[f64]) -> Vec<f64> {
            let product = |row: &Vec<f64>| row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>();
            self.weights.iter().map(product).zip(&self.bias).map(|(y, b)| y + b).collect()
        }
    }

    /// The network of the module's formula, in double precision.
    struct SlowNetwork {
        means: Vec<f64>,
        scales: Vec<f64>,
        first: SlowLayer,
        second: SlowLayer,
        context: SlowLayer,
        third: SlowLayer,
        none: SlowLayer,
        output: SlowLayer,
    }

    fn relu(x: &[f64]) -> Vec<f64> {
        x.iter().map(|x| x.max(0.0)).collect()
    }

    fn sum(x: &[f64], y: &[f64]) -> Vec<f64> {
        x.iter().zip(y).map(|(x, y)| x + y).collect()
    }

    impl SlowNetwork {
        /// Logarithms of the probabilities of all candidates, border and unlisted.
        fn match_sides(&self, candidates: &[Vec<f32>]) -> Vec<f64> {
            let h2: Vec<Vec<f64>> = candidates
                .iter()
                .map(|x| {
                    let z: Vec<f64> = (0..x.len())
                        .map(|i| (f64::from(x[i]) - self.means[i]) * self.scales[i])
                        .map(|z| z.clamp(-6.0, 6.0))
                        .collect();
                    let h1 = relu(&self.first.apply(&z));
                    sum(&h1, &relu(&self.second.apply(&h1)))
                })
                .collect();
            let width = self.first.bias.len();
            let column = |unit: usize| h2.iter().map(move |h| h[unit]);
            let mean = |unit| column(unit).sum::<f64>() / h2.len().max(1) as f64;
            let largest = |unit| column(unit).fold(0.0, f64::max);
            let g: Vec<f64> = (0..width).map(mean).chain((0..width).map(largest)).collect();
            let mut logits: Vec<f64> = h2
                .iter()
                .map(|h2| {
                    let h3 = relu(&sum(h2, &self.context.apply(&g)));
                    let h4 = sum(&h3, &relu(&self.third.apply(&h3)));
                    self.output.apply(&h4)[0]
                })
                .collect();
            logits.extend(self.none.apply(&g));
            let log_sum = logits.iter().map(|logit| logit.exp()).sum::<f64>().ln();
            logits.iter().map(|logit| logit - log_sum).collect()
        }
    }

    /// Draws networks, and writes down the numbers of the file on the way.
    struct Draw {
        random: ChaCha8Rng,
        bytes: Vec<u8>,
    }

    impl Draw {
        /// The beginning of a file of so many networks.
        fn new(seed: u64, num_networks: u32) -> Self {
            let mut bytes = MAGIC.to_vec();
            bytes.extend(NETWORK_VERSION.to_le_bytes());
            bytes.extend(num_networks.to_le_bytes());
            Self { random: ChaCha8Rng::seed_from_u64(seed), bytes }
        }

        fn numbers(&mut self, count: usize, range: std::ops::Range<f32>) -> Vec<f64> {
            let drawn: Vec<f32> =
                (0..count).map(|_| self.random.random_range(range.clone())).collect();
            self.bytes.extend(drawn.iter().flat_map(|x| x.to_le_bytes()));
            drawn.into_iter().map(f64::from).collect()
        }

        fn layer(&mut self, rows: usize, depth: usize) -> SlowLayer {
            let far = 1.5 / (depth as f32).sqrt();
            let weights = (0..rows).map(|_| self.numbers(depth, -far..far)).collect();
            SlowLayer { weights, bias: self.numbers(rows, -0.5..0.5) }
        }

        fn network(&mut self, num_features: usize, hidden: usize) -> SlowNetwork {
            for number in [num_features, hidden] {
                self.bytes.extend(u32::try_from(number).unwrap().to_le_bytes());
            }
            SlowNetwork {
                means: self.numbers(num_features, -3.0..3.0),
                scales: self.numbers(num_features, 0.2..4.0),
                first: self.layer(hidden, num_features),
                second: self.layer(hidden, hidden),
                context: self.layer(hidden, 2 * hidden),
                third: self.layer(hidden, hidden),
                none: self.layer(2, 2 * hidden),
                output: self.layer(1, hidden),
            }
        }
    }

    /// A file of two networks of 3 and 5 features.
    fn file() -> Vec<u8> {
        let mut draw = Draw::new(1, 2);
        draw.network(3, 4);
        draw.network(5, 2);
        draw.bytes
    }

    fn read(bytes: &[u8]) -> Result<usize, NetworkError> {
        read_networks(bytes, |network| [3, 5][network.min(1)]).map(|networks| networks.len())
    }

    /// Where the first network's heading is: behind beginning, version and number of networks.
    const HEADING: usize = 24;

    #[test]
    fn networks_do_what_the_formula_says() {
        for (seed, num_features, hidden) in [(1, 37, 64), (2, 5, 17), (3, 1, 1), (4, 20, 33)] {
            let mut draw = Draw::new(seed, 1);
            let slow = draw.network(num_features, hidden);
            let network = &read_networks(&draw.bytes, |_| num_features).unwrap()[0];
            // More sides than one thread takes at a time; the last ones have no candidates at all.
            let mut lengths = [0, 1, 5, 32, 2, 0, 12].repeat(3);
            lengths.extend([0; 2 * BLOCK]);
            let sides: Vec<Vec<Vec<f32>>> = lengths
                .iter()
                .map(|&length| {
                    let mut row = || {
                        let mut feature = || draw.random.random_range(-6.0..6.0);
                        (0..num_features).map(|_| feature()).collect()
                    };
                    (0..length).map(|_| row()).collect()
                })
                .collect();
            let numbers: Vec<SideId> = (0..sides.len()).map(SideId::from_index).collect();
            let write = |side: SideId, out: &mut Vec<f32>| out.extend(sides[side.index()].concat());
            let found = network.match_sides(&numbers, write, &Silent).unwrap();
            assert_eq!(found.len(), sides.len());
            for (side, (rows, found)) in sides.iter().zip(&found).enumerate() {
                let logs = [&found.candidates[..], &found.border, &found.unlisted].concat();
                let expected = slow.match_sides(rows);
                assert_eq!(logs.len(), expected.len());
                for (log, expected) in logs.iter().zip(expected) {
                    let difference = (f64::from(*log) - expected).abs();
                    assert!(difference < 1e-4, "{hidden} units, side {side}: {log} {expected}");
                }
            }
        }
    }

    #[test]
    fn the_shipped_networks_are_read() {
        let shipped = LearnedMatcher::from_bytes(include_bytes!("judge.bin")).unwrap();
        assert!(shipped.num_networks() > 0);
        assert_eq!(shipped.num_networks(), LearnedMatcher::shipped().num_networks());
    }

    #[test]
    fn networks_cut_short_at_any_length_are_refused() {
        let whole = file();
        assert_eq!(read(&whole), Ok(2));
        for length in 0..whole.len() {
            match read(&whole[..length]) {
                Err(NetworkError::NotNetworks) => assert!(length < MAGIC.len()),
                Err(NetworkError::Length { expected, found }) => {
                    assert_eq!(found, length);
                    assert!(length < expected && expected <= whole.len(), "{expected}");
                }
                other => panic!("{other:?} at {length}"),
            }
        }
        let shipped = include_bytes!("judge.bin");
        for length in (0..shipped.len()).step_by(9973) {
            assert!(LearnedMatcher::from_bytes(&shipped[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn something_behind_the_networks_is_refused() {
        let mut bytes = file();
        let expected = bytes.len();
        bytes.push(0);
        assert_eq!(read(&bytes), Err(NetworkError::Length { expected, found: expected + 1 }));
    }

    #[test]
    fn another_beginning_or_version_is_refused() {
        for at in 0..MAGIC.len() {
            let mut bytes = file();
            bytes[at] ^= 1;
            assert_eq!(read(&bytes), Err(NetworkError::NotNetworks));
        }
        for found in [0, NETWORK_VERSION + 1, u32::MAX] {
            let mut bytes = file();
            bytes[MAGIC.len()..MAGIC.len() + 4].copy_from_slice(&found.to_le_bytes());
            assert_eq!(read(&bytes), Err(NetworkError::Version { found }));
        }
    }

    #[test]
    fn weights_that_are_no_finite_numbers_are_refused_wherever_they_are() {
        let whole = file();
        let second = {
            let mut draw = Draw::new(1, 2);
            draw.network(3, 4);
            draw.bytes.len()
        };
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for at in (HEADING + 8..whole.len()).step_by(4) {
                if (second..second + 8).contains(&at) {
                    continue;
                }
                let mut bytes = whole.clone();
                bytes[at..at + 4].copy_from_slice(&bad.to_le_bytes());
                let network = usize::from(at > second);
                assert_eq!(read(&bytes), Err(NetworkError::Weight { network }), "{bad} at {at}");
            }
        }
    }

    #[test]
    fn networks_for_other_features_are_refused() {
        let bytes = file();
        let read = |first, second| {
            read_networks(&bytes, |network| [first, second][network]).map(|_| ()).unwrap_err()
        };
        assert_eq!(read(4, 5), NetworkError::Features { network: 0, found: 3, expected: 4 });
        assert_eq!(read(3, 3), NetworkError::Features { network: 1, found: 5, expected: 3 });
        assert!(matches!(
            LearnedMatcher::from_bytes(&bytes),
            Err(NetworkError::Features { network: 0, found: 3, .. })
        ));
    }

    #[test]
    fn layers_of_no_units_or_of_too_many_are_refused() {
        let with_hidden = |hidden: u32| {
            let mut bytes = file();
            bytes[HEADING + 4..HEADING + 8].copy_from_slice(&hidden.to_le_bytes());
            read(&bytes)
        };
        assert_eq!(with_hidden(4), Ok(2));
        for hidden in [5, 1 << 16, u32::MAX] {
            assert!(with_hidden(hidden).is_err(), "{hidden}");
        }
        assert_eq!(with_hidden(0), Err(NetworkError::NoUnits { network: 0 }));
        // The same file without what such layers would have no weights for.
        let mut draw = Draw::new(1, 1);
        draw.network(3, 0);
        assert_eq!(read(&draw.bytes), Err(NetworkError::NoUnits { network: 0 }));
    }
}
