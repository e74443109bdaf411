//! Encodes every side once; pairs are then compared by what this keeps.

use super::description::{ALONG, CONSTANTS, Description, PROFILE};
use super::rhythm::Rhythm;
use super::{BINS, Buffers, PixelNetwork, SUMMARY, add_relu, relu};
use crate::dissimilarity::OpponentPixels;
use crate::observer::{Cancelled, Observer, check_cancelled};
use crate::puzzle::{SideId, TurnSet};
use rayon::prelude::*;
use std::sync::Arc;

/// One side, encoded.
#[derive(Clone, Debug)]
pub(super) struct EncodedSide {
    /// The scorer's part of this side in a pair (this, other): a vector for every second pixel.
    pub(super) there: Vec<f32>,
    /// Its part in a pair (other, this), read backwards.
    pub(super) back: Vec<f32>,
    pub(super) summary: Vec<f32>,
    /// The product of these with the other way round of another side is the score of the pair.
    pub(super) embedding: [Vec<f32>; 2],
    pub(super) rhythm: Rhythm,
}

/// All sides of a puzzle, encoded.
#[derive(Clone, Debug)]
pub(in super::super) struct EncodedSides {
    pub(super) network: Arc<PixelNetwork>,
    pub(super) sides: Vec<EncodedSide>,
}

impl EncodedSides {
    pub(in super::super) fn new(
        network: &Arc<PixelNetwork>,
        pieces: &OpponentPixels,
        turns: TurnSet,
        observer: &dyn Observer,
    ) -> Result<Self, Cancelled> {
        let sides = (0..4 * pieces.num_pieces())
            .into_par_iter()
            .map_init(Buffers::default, |buffers, side| {
                check_cancelled(observer)?;
                let description = Description::new(pieces, SideId::from_index(side), turns);
                Ok(network.encode(&description, buffers))
            })
            .collect::<Result<_, Cancelled>>()?;
        Ok(Self { network: Arc::clone(network), sides })
    }

    /// The score of a pair by the embeddings alone, higher is better.
    pub(super) fn product(&self, u: SideId, v: SideId) -> f32 {
        let (u, v) = (&self.sides[u.index()].embedding, &self.sides[v.index()].embedding);
        scaled(dot(&u[0], &v[1]) + dot(&u[1], &v[0]), u[0].len())
    }
}

/// The score of a pair by the product of its embeddings, whose vectors have so many values.
pub(super) fn scaled(product: f32, length: usize) -> f32 {
    product / (length as f32).sqrt()
}

/// The sum of products, in eight parts for the sake of speed.
pub(super) fn dot(x: &[f32], y: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    for (x, y) in x.chunks_exact(8).zip(y.chunks_exact(8)) {
        for ((sum, x), y) in sums.iter_mut().zip(x).zip(y) {
            *sum += x * y;
        }
    }
    sums.iter().sum()
}

impl PixelNetwork {
    fn encode(&self, description: &Description, buffers: &mut Buffers) -> EncodedSide {
        let Description { along, constants, levels, contrasts } = description;
        let mut summary_inputs = vec![0.0; 2 * PROFILE];
        summary_inputs[..levels.len()].copy_from_slice(levels);
        summary_inputs[PROFILE..PROFILE + contrasts.len()].copy_from_slice(contrasts);
        summary_inputs.extend(constants);
        let (mut hidden, mut summary) = (Vec::new(), Vec::new());
        self.summary[0].of_rows(&summary_inputs, buffers, &mut hidden);
        relu(&mut hidden);
        self.summary[1].of_rows(&hidden, buffers, &mut summary);
        relu(&mut summary);

        let length = along.len() / ALONG;
        let width = ALONG + CONSTANTS + SUMMARY;
        let mut inputs = Vec::with_capacity(length * width);
        for pixel in along.chunks_exact(ALONG) {
            inputs.extend(pixel.iter().chain(constants).chain(&summary));
        }
        let (mut x, mut y) = (Vec::new(), Vec::new());
        self.encode_first.of_windows(&inputs, (length, width), (1, 2), buffers, &mut y);
        relu(&mut y);
        let hidden = self.encode_first.bias.len();
        self.encode_halve.of_windows(&y, (length, hidden), (2, 1), buffers, &mut x);
        relu(&mut x);
        let half = length / 2;
        for layer in &self.encode_more {
            layer.of_windows(&x, (half, hidden), (1, 1), buffers, &mut y);
            add_relu(&mut x, &y);
        }
        let mut features = Vec::new();
        self.encode_last.of_rows(&x, buffers, &mut features);

        let num_features = self.features();
        let mut pooled = pooled(&features, num_features);
        pooled.extend_from_slice(&summary);
        let mut embedding = Vec::new();
        self.embed.of_rows(&pooled, buffers, &mut embedding);
        let other = embedding.split_off(self.embedding());
        let (mut there, mut forwards) = (Vec::new(), Vec::new());
        self.score_there.of_rows(&features, buffers, &mut there);
        self.score_back.of_rows(&features, buffers, &mut forwards);
        let back = forwards.chunks_exact(num_features).rev().flatten().copied().collect();
        let rhythm = Rhythm::new(levels);
        EncodedSide { there, back, summary, embedding: [embedding, other], rhythm }
    }
}

/// Means over [`BINS`] bins along the side, of which neighbours may share a vector; by feature, then by bin.
fn pooled(features: &[f32], num_features: usize) -> Vec<f32> {
    let length = features.len() / num_features;
    let mut pooled = Vec::with_capacity(num_features * BINS + SUMMARY);
    for feature in 0..num_features {
        for bin in 0..BINS {
            let bin = bin * length / BINS..((bin + 1) * length).div_ceil(BINS);
            let count = bin.len() as f32;
            let sum: f32 = bin.map(|at| features[at * num_features + feature]).sum();
            pooled.push(sum / count);
        }
    }
    pooled
}
