//! Candidates by the products of embeddings.

use super::encoder::EncodedSides;
use crate::dissimilarity::{Candidate, Dissimilarity, NearestSides};
use crate::linalg::packed_product::{PackedProduct, TILE_QUANTUM};
use crate::observer::{Cancelled, Observer, check_cancelled};
use crate::puzzle::{SideId, SidePair, TurnSet};
use rayon::prelude::*;

/// Candidates per side. Those that tie with the next one are left out, because nothing distinguishes them.
const PROPOSED: usize = 16;

impl EncodedSides {
    /// The lists with the best sides by the embeddings added to them.
    pub(in super::super) fn with_proposals(
        &self,
        nearest: &NearestSides,
        dissimilarity: &Dissimilarity,
        turns: TurnSet,
        observer: &dyn Observer,
    ) -> Result<NearestSides, Cancelled> {
        let added = |u: SideId, products: &[f32]| {
            let is_new = |v: &SideId| nearest.of(u).iter().all(|listed| listed.side != *v);
            let candidate = |v| Candidate { side: v, cost: dissimilarity.value(u, v) };
            let proposed = best(partners(u, self.sides.len(), dissimilarity, turns), products);
            proposed.into_iter().filter(is_new).map(candidate).collect()
        };
        let added: Vec<Vec<Candidate>> = self.of_products(added, observer)?;
        Ok(nearest.with_more(&added))
    }

    /// What `of_row` makes of each side and the products of its embedding with those of all sides.
    pub(super) fn of_products<T: Send>(
        &self,
        of_row: impl Fn(SideId, &[f32]) -> T + Sync,
        observer: &dyn Observer,
    ) -> Result<Vec<T>, Cancelled> {
        let (num_sides, length) = (self.sides.len(), self.network.embedding());
        let row = |first: usize| {
            move |side: usize, values: &mut [f32]| {
                let embedding = &self.sides[side].embedding;
                values[..length].copy_from_slice(&embedding[first]);
                values[length..].copy_from_slice(&embedding[1 - first]);
            }
        };
        let product = PackedProduct::pack(num_sides, num_sides, 2 * length, row(0), row(1));
        let width = num_sides.next_multiple_of(TILE_QUANTUM);
        let blocks = (0..width / TILE_QUANTUM)
            .into_par_iter()
            .map_init(Vec::new, |tile, block| {
                check_cancelled(observer)?;
                let rows = block * TILE_QUANTUM..(block + 1) * TILE_QUANTUM;
                tile.resize(TILE_QUANTUM * width, 0.0);
                product.multiply_tile(rows.clone(), 0..width, tile);
                let rows = rows.zip(tile.chunks_exact(width)).take_while(|(u, _)| *u < num_sides);
                let of_row = |(u, products): (usize, &[f32])| {
                    of_row(SideId::from_index(u), &products[..num_sides])
                };
                Ok(rows.map(of_row).collect())
            })
            .collect::<Result<Vec<Vec<T>>, Cancelled>>()?;
        Ok(blocks.into_iter().flatten().collect())
    }
}

/// The sides that u may touch.
pub(super) fn partners(
    u: SideId,
    num_sides: usize,
    dissimilarity: &Dissimilarity,
    turns: TurnSet,
) -> impl Iterator<Item = SideId> {
    (0..num_sides).map(SideId::from_index).filter(move |&v| {
        v.piece() != u.piece() && turns.allows(SidePair::of(u, v)) && dissimilarity.may_touch(u, v)
    })
}

/// The sides of the largest products.
fn best(partners: impl Iterator<Item = SideId>, products: &[f32]) -> Vec<SideId> {
    let mut ranked: Vec<(f32, SideId)> = partners.map(|v| (products[v.index()], v)).collect();
    if ranked.len() > PROPOSED {
        let (better, &mut (next, _), _) =
            ranked.select_nth_unstable_by(PROPOSED, |x, y| y.0.total_cmp(&x.0));
        let kept = better.iter().filter(|(product, _)| *product > next).count();
        ranked.sort_unstable_by(|x, y| y.0.total_cmp(&x.0));
        ranked.truncate(kept);
    }
    ranked.into_iter().map(|(_, side)| side).collect()
}
