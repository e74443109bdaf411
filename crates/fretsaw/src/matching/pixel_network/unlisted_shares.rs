//! How likely each of the sides is that a side does not list.
//!
//! Across a blank seam of a page a hundred sides fit, more than a list holds. Which of them fit better, because their
//! lines of text go on at the same pitch, decides between whole rows of pieces. The embeddings were trained
//! to give all sides a probability, so their products also compare those that are in no list.

use super::encoder::{EncodedSides, dot, scaled};
use super::proposals::partners;
use crate::dissimilarity::{Dissimilarity, NearestSides};
use crate::linalg::single;
use crate::matching::own_evidence::OwnEvidence;
use crate::observer::{Cancelled, Observer};
use crate::puzzle::{SideId, TurnSet};

/// Shares of the probability that a side's neighbour is unlisted.
#[derive(Debug)]
pub(in super::super) struct UnlistedShares {
    /// Per side, both vectors of its embedding.
    embeddings: Vec<f32>,
    /// Length of each of these vectors.
    length: usize,
    /// What the puzzle teaches about itself.
    evidence: OwnEvidence,
    totals: Vec<Totals>,
}

/// Over all sides that a side may touch and does not list.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    /// The logarithm of the sum of the exponentials of the scores.
    log_sum: f32,
    /// The same without the evidence of the puzzle itself.
    log_sum_without_evidence: f32,
    /// The largest score.
    largest: f32,
}

impl UnlistedShares {
    pub(in super::super) fn new(
        encoded: &EncodedSides,
        evidence: OwnEvidence,
        lists: &NearestSides,
        dissimilarity: &Dissimilarity,
        turns: TurnSet,
        observer: &dyn Observer,
    ) -> Result<Self, Cancelled> {
        let length = encoded.network.embedding();
        let total = |u: SideId, products: &[f32]| {
            let is_unlisted = |v: &SideId| lists.of(u).iter().all(|listed| listed.side != *v);
            let partners = partners(u, products.len(), dissimilarity, turns).filter(is_unlisted);
            let scores: Vec<(f32, f32)> = partners
                .map(|v| (scaled(products[v.index()], length), evidence.log_ratio(u, v)))
                .collect();
            let largest = |score: fn(&(f32, f32)) -> f32| {
                scores.iter().map(score).fold(f32::NEG_INFINITY, f32::max)
            };
            let log_sum = |score: fn(&(f32, f32)) -> f32| {
                let largest = f64::from(largest(score));
                let terms = scores.iter().map(|it| (f64::from(score(it)) - largest).exp());
                single(largest + terms.sum::<f64>().ln())
            };
            if scores.is_empty() {
                return Totals::default();
            }
            Totals {
                log_sum: log_sum(|it| it.0 + it.1),
                log_sum_without_evidence: log_sum(|it| it.0),
                largest: largest(|it| it.0 + it.1),
            }
        };
        let totals = encoded.of_products(total, observer)?;
        let embeddings = encoded.sides.iter().flat_map(|side| side.embedding.iter().flatten());
        Ok(Self { embeddings: embeddings.copied().collect(), length, evidence, totals })
    }

    fn embedding(&self, side: SideId) -> (&[f32], &[f32]) {
        let both = 2 * self.length;
        self.embeddings[side.index() * both..][..both].split_at(self.length)
    }

    /// The logarithm of the share of v among the unlisted sides of u.
    pub(in super::super) fn log_share(&self, u: SideId, v: SideId) -> f32 {
        let (of_u, of_v) = (self.embedding(u), self.embedding(v));
        let product = scaled(dot(of_u.0, of_v.1) + dot(of_u.1, of_v.0), self.length);
        product + self.evidence(u, v) - self.totals[u.index()].log_sum
    }

    /// The evidence of the puzzle itself that v touches u.
    pub(in super::super) fn evidence(&self, u: SideId, v: SideId) -> f32 {
        self.evidence.log_ratio(u, v)
    }

    /// How much the networks are trusted about a side, from 0 to 1.
    pub(in super::super) fn trust(&self, side: SideId) -> f32 {
        self.evidence.trust_in_networks(side)
    }

    /// The same evidence that any unlisted side touches u.
    pub(in super::super) fn evidence_of_unlisted(&self, u: SideId) -> f32 {
        let Totals { log_sum, log_sum_without_evidence, .. } = self.totals[u.index()];
        log_sum - log_sum_without_evidence
    }

    /// The logarithm of the largest share of an unlisted side of u.
    pub(in super::super) fn largest_log_share(&self, u: SideId) -> f32 {
        let Totals { log_sum, largest, .. } = self.totals[u.index()];
        largest - log_sum
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
