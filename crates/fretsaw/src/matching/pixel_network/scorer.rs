//! The score of a pair of encoded sides.

use super::encoder::EncodedSides;
use super::{Buffers, add_relu, relu};
use crate::linalg::{self, larger};
use crate::puzzle::SideId;

/// How well a pair of sides fits by its pixels: higher is better.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct PixelScore {
    /// The logit of the scorer.
    pub(in super::super) logit: f32,
    /// The product of the embeddings.
    pub(in super::super) product: f32,
}

impl PixelScore {
    /// The larger of each.
    pub(in super::super) const fn best(self, other: Self) -> Self {
        Self { logit: self.logit.max(other.logit), product: self.product.max(other.product) }
    }
}

impl EncodedSides {
    /// The scores of a side with others of the same length.
    pub(in super::super) fn scores(&self, u: SideId, others: &[SideId]) -> Vec<PixelScore> {
        let network = &*self.network;
        let features = network.features();
        let of_u = &self.sides[u.index()];
        let length = of_u.there.len() / features;
        let mut x = Vec::with_capacity(others.len() * of_u.there.len());
        for other in others {
            let back = &self.sides[other.index()].back;
            x.extend(of_u.there.iter().zip(back).map(|(there, back)| linalg::relu(there + back)));
        }
        let (mut buffers, mut y) = (Buffers::default(), Vec::new());
        for layer in &network.score_more {
            layer.of_windows(&x, (length, features), (1, 1), &mut buffers, &mut y);
            add_relu(&mut x, &y);
        }
        network.score_mix.of_rows(&x, &mut buffers, &mut y);
        add_relu(&mut x, &y);

        let mut joint = Vec::with_capacity(others.len() * network.score_join.weights.depth());
        let products: Vec<f32> = others.iter().map(|&other| self.product(u, other)).collect();
        for ((rows, other), product) in x.chunks_exact(length * features).zip(others).zip(&products)
        {
            let start = joint.len();
            joint.resize(start + 2 * features, 0.0);
            let (means, largest) = joint[start..].split_at_mut(features);
            for row in rows.chunks_exact(features) {
                for ((value, mean), largest) in row.iter().zip(&mut *means).zip(&mut *largest) {
                    *mean += value;
                    // Values are at least 0.
                    *largest = larger(*largest, *value);
                }
            }
            means.iter_mut().for_each(|mean| *mean /= length as f32);
            let other = &self.sides[other.index()];
            joint.push(*product);
            joint.extend_from_slice(&of_u.summary);
            joint.extend_from_slice(&other.summary);
            joint.extend(of_u.rhythm.phases(&other.rhythm));
        }
        let mut logits = Vec::new();
        network.score_join.of_rows(&joint, &mut buffers, &mut y);
        relu(&mut y);
        network.score_last.of_rows(&y, &mut buffers, &mut logits);
        let both = logits.into_iter().zip(products);
        both.map(|(logit, product)| PixelScore { logit, product }).collect()
    }
}
