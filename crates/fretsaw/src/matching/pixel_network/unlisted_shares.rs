//! How likely each of the sides is that a side does not list.
//!
//! Across a blank seam of a page a hundred sides fit, more than a list holds. Which of them fit better, because their
//! lines of text go on at the same pitch, decides between whole rows of pieces. The embeddings were trained
//! to give all sides a probability, so their products also compare those that are in no list.

use super::EMBEDDING;
use super::encoder::{EncodedSides, dot, scaled};
use super::proposals::partners;
use crate::dissimilarity::{Dissimilarity, NearestSides};
use crate::linalg::single;
use crate::observer::{Cancelled, Observer};
use crate::puzzle::{SideId, TurnSet};

/// Shares of the probability that a side's neighbour is unlisted.
#[derive(Debug)]
pub(in super::super) struct UnlistedShares {
    /// Per side, both vectors of its embedding.
    embeddings: Vec<f32>,
    /// Per side, over all sides that it may touch and does not list: the logarithm of the sum of the exponentials of
    /// the products, and the largest product.
    totals: Vec<(f32, f32)>,
}

impl UnlistedShares {
    pub(in super::super) fn new(
        encoded: &EncodedSides,
        lists: &NearestSides,
        dissimilarity: &Dissimilarity,
        turns: TurnSet,
        observer: &dyn Observer,
    ) -> Result<Self, Cancelled> {
        let total = |u: SideId, products: &[f32]| {
            let is_unlisted = |v: &SideId| lists.of(u).iter().all(|listed| listed.side != *v);
            let scores = || {
                let partners = partners(u, products.len(), dissimilarity, turns);
                partners.filter(is_unlisted).map(|v| f64::from(scaled(products[v.index()])))
            };
            let largest = scores().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = scores().map(|score| (score - largest).exp()).sum();
            if sum > 0.0 { (single(largest + sum.ln()), single(largest)) } else { (0.0, 0.0) }
        };
        let totals = encoded.of_products(total, observer)?;
        let embeddings = encoded.sides.iter().flat_map(|side| side.embedding.iter().flatten());
        Ok(Self { embeddings: embeddings.copied().collect(), totals })
    }

    fn embedding(&self, side: SideId) -> (&[f32], &[f32]) {
        self.embeddings[side.index() * 2 * EMBEDDING..][..2 * EMBEDDING].split_at(EMBEDDING)
    }

    /// The logarithm of the share of v among the unlisted sides of u.
    pub(in super::super) fn log_share(&self, u: SideId, v: SideId) -> f32 {
        let (of_u, of_v) = (self.embedding(u), self.embedding(v));
        scaled(dot(of_u.0, of_v.1) + dot(of_u.1, of_v.0)) - self.totals[u.index()].0
    }

    /// The logarithm of the largest share of an unlisted side of u.
    pub(in super::super) fn largest_log_share(&self, u: SideId) -> f32 {
        let (total, largest) = self.totals[u.index()];
        largest - total
    }

    /// The same for sides whose products with all others are the same.
    pub(in super::super) fn class_of(&self, side: SideId) -> u64 {
        let (there, back) = self.embedding(side);
        let bits = there.iter().chain(back).map(|value| u64::from(value.to_bits()));
        bits.fold(0, |hash: u64, bits| {
            (hash.rotate_left(5) ^ bits).wrapping_mul(0x517c_c1b7_2722_0a95)
        })
    }
}
