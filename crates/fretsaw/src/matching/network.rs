//! Inference of the learned matcher's networks.
//!
//! A network evaluates all candidates of a side together. The features of each candidate are standardised and go
//! through two layers of hidden units. Mean and maximum over the side's candidates are the context, which
//! is added to every candidate; one more layer gives one number per candidate, its logit. The logits of "the side is
//! a border" and "its neighbour is not listed" come from the context alone. A softmax over all logits gives
//! probabilities.
//!
//! ```text
//! z = clip((x - m) / s)    h1 = relu(W1 z)    h2 = h1 + relu(W2 h1)      per candidate
//! g = [mean h2, max h2]    border, unlisted = Wn g                      per side
//! h3 = relu(h2 + Wc g)     h4 = h3 + relu(W3 h3)    logit = wo h4        per candidate
//! ```
//!
//! Means and sums over candidates are computed in whole numbers. Candidates that tie come in the order of their piece
//! numbers, on which not even the last digit may depend.

use super::features::single;
use super::log_probabilities::LogProbabilities;
use crate::linalg::packed_product::PackedFactor;
use crate::linalg::{larger, relu, smaller};
use crate::observer::{Cancelled, Observer, check_cancelled};
use crate::puzzle::SideId;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// A layer, `W x + b`.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub(super) weights: PackedFactor,
    pub(super) bias: Vec<f32>,
}

/// One network.
#[derive(Clone, Debug)]
pub(super) struct Network {
    pub(super) means: Vec<f32>,
    /// One over the standard deviation.
    pub(super) scales: Vec<f32>,
    pub(super) first: Layer,
    pub(super) second: Layer,
    pub(super) context: Layer,
    pub(super) third: Layer,
    /// Border and unlisted.
    pub(super) none: Layer,
    /// As many as a layer has hidden units.
    pub(super) output: Vec<f32>,
    pub(super) output_bias: f32,
}

/// The largest absolute value of a standardised feature.
const MAX_FEATURE: f32 = 6.0;
/// A thread evaluates this many sides at a time: their numbers stay in the core's cache.
const BLOCK: usize = 8;
/// Hidden values, up to [`LARGEST`], are summed as multiples of one over this.
const FINENESS: f32 = 65_536.0;
/// A sum of a hundred million of these is exact.
const LARGEST: f32 = 800.0;

/// Buffers of a thread.
#[derive(Default)]
struct Buffers {
    features: Vec<f32>,
    packed: Vec<f32>,
    product: Vec<f32>,
    hidden: Vec<f32>,
    context: Vec<f32>,
}

impl Network {
    /// The log probabilities of each of these sides. `write(side, out)` writes the features of its candidates.
    pub(super) fn evaluate(
        &self,
        sides: &[SideId],
        write: impl Fn(SideId, &mut Vec<f32>) + Sync,
        observer: &dyn Observer,
    ) -> Result<Vec<LogProbabilities>, Cancelled> {
        let arch = Arch::new();
        let blocks: Vec<Vec<LogProbabilities>> = sides
            .par_chunks(BLOCK)
            .map_init(Buffers::default, |buffers, sides| {
                check_cancelled(observer)?;
                buffers.features.clear();
                let lengths: Vec<usize> = sides
                    .iter()
                    .map(|&side| {
                        let before = buffers.features.len();
                        write(side, &mut buffers.features);
                        (buffers.features.len() - before) / self.means.len()
                    })
                    .collect();
                Ok(arch.dispatch(EvaluateBlock { network: self, lengths: &lengths, buffers }))
            })
            .collect::<Result<_, _>>()?;
        Ok(blocks.concat())
    }
}

/// The evaluation of a few sides, compiled for the vector registers of the machine.
struct EvaluateBlock<'a> {
    network: &'a Network,
    lengths: &'a [usize],
    buffers: &'a mut Buffers,
}

impl WithSimd for EvaluateBlock<'_> {
    type Output = Vec<LogProbabilities>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Vec<LogProbabilities> {
        let Self { network, lengths, buffers } = self;
        let width = network.output.len();
        let Buffers { features, packed, product, hidden, context } = buffers;
        for row in features.chunks_exact_mut(network.means.len()) {
            for ((x, mean), scale) in row.iter_mut().zip(&network.means).zip(&network.scales) {
                *x = ((*x - mean) * scale).clamp(-MAX_FEATURE, MAX_FEATURE);
            }
        }
        // Loops instead of closures: closures may be compiled without the vector instructions.
        network.first.weights.multiply(features, packed, product);
        hidden.clear();
        hidden.resize(features.len() / network.means.len() * width, 0.0);
        let products = product.chunks_exact(network.first.weights.stride());
        for (row, product) in hidden.chunks_exact_mut(width).zip(products) {
            for ((x, product), bias) in row.iter_mut().zip(product).zip(&network.first.bias) {
                *x = relu(product + bias);
            }
        }
        add_layer(&network.second, hidden, packed, product);

        context.clear();
        let mut first = 0;
        for &length in lengths {
            write_context(&hidden[first * width..(first + length) * width], width, context);
            first += length;
        }
        let mut none = Vec::with_capacity(lengths.len());
        network.none.apply(context, packed, product, |row, bias| {
            none.push([row[0] + bias[0], row[1] + bias[1]]);
        });
        let mut side = 0;
        let mut first = 0;
        network.context.apply(context, packed, product, |row, bias| {
            let rows = &mut hidden[first * width..(first + lengths[side]) * width];
            for values in rows.chunks_exact_mut(width) {
                for ((x, c), b) in values.iter_mut().zip(row).zip(bias) {
                    *x = relu(*x + c + b);
                }
            }
            first += lengths[side];
            side += 1;
        });
        add_layer(&network.third, hidden, packed, product);

        let mut evaluated = Vec::with_capacity(lengths.len());
        let mut rows = hidden.chunks_exact(width);
        for (&length, none) in lengths.iter().zip(none) {
            // With room for border and unlisted.
            let mut logits = Vec::with_capacity(length + none.len());
            for row in rows.by_ref().take(length) {
                logits.push(dot(row, &network.output) + network.output_bias);
            }
            let mut logs = LogProbabilities::default();
            logs.push(logits, none[0], none[1]);
            evaluated.push(logs);
        }
        evaluated
    }
}

impl Layer {
    /// Calls `take` with every row of the product and with the bias.
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

/// A scalar product in a fixed number of lanes, so that it is the same on all machines.
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
            *x += relu(added + bias);
        }
    }
}

/// Appends the mean and the maximum over rows; zeros if there are no rows.
#[inline(always)]
fn write_context(rows: &[f32], width: usize, out: &mut Vec<f32>) {
    let mut sums = vec![0.0_f64; width];
    let start = out.len();
    out.resize(start + 2 * width, 0.0);
    let (means, largest) = out[start..].split_at_mut(width);
    for row in rows.chunks_exact(width) {
        for ((&x, sum), largest) in row.iter().zip(&mut sums).zip(&mut *largest) {
            // Whole numbers, exact in double precision, are faster to add than integers with overflow checks.
            *sum += f64::from((smaller(x, LARGEST) * FINENESS).trunc());
            // Hidden values are at least 0.
            *largest = larger(*largest, x);
        }
    }
    let count = (rows.len() / width).max(1);
    for (mean, sum) in means.iter_mut().zip(sums) {
        *mean = single(sum / (f64::from(FINENESS) * count as f64));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::network_file::{MAGIC, NETWORK_VERSION, read_networks};
    use super::*;
    use crate::observer::Silent;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A layer by the formula: rows of weights, and the bias.
    pub(crate) struct SlowLayer {
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
    pub(crate) struct SlowNetwork {
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
        fn evaluate(&self, candidates: &[Vec<f32>]) -> Vec<f64> {
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

    /// Draws random networks, and writes the bytes of their file.
    pub(crate) struct Draw {
        random: ChaCha8Rng,
        pub(crate) bytes: Vec<u8>,
    }

    impl Draw {
        /// The header of a file of `num_networks` networks.
        pub(crate) fn new(seed: u64, num_networks: u32) -> Self {
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

        pub(crate) fn network(&mut self, num_features: usize, hidden: usize) -> SlowNetwork {
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

    #[test]
    fn networks_compute_the_formula() {
        for (seed, num_features, hidden) in [(1, 37, 64), (2, 5, 17), (3, 1, 1), (4, 20, 33)] {
            let mut draw = Draw::new(seed, 1);
            let slow = draw.network(num_features, hidden);
            let network = &read_networks(&draw.bytes, |_, _| num_features).unwrap()[0];
            // More sides than one thread takes at a time; the last ones have no candidates.
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
            let found = network.evaluate(&numbers, write, &Silent).unwrap();
            assert_eq!(found.len(), sides.len());
            for (side, (rows, found)) in sides.iter().zip(&found).enumerate() {
                let logs = [&found.candidates[..], &found.border, &found.unlisted].concat();
                let expected = slow.evaluate(rows);
                assert_eq!(logs.len(), expected.len());
                for (log, expected) in logs.iter().zip(expected) {
                    let difference = (f64::from(*log) - expected).abs();
                    assert!(difference < 1e-4, "{hidden} units, side {side}: {log} {expected}");
                }
            }
        }
    }
}
