//! Candidates by the products of embeddings.

use super::EMBEDDING;
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
        let num_sides = self.sides.len();
        let row = |first: usize| {
            move |side: usize, values: &mut [f32]| {
                let embedding = &self.sides[side].embedding;
                values[..EMBEDDING].copy_from_slice(&embedding[first]);
                values[EMBEDDING..].copy_from_slice(&embedding[1 - first]);
            }
        };
        let product = PackedProduct::pack(num_sides, num_sides, 2 * EMBEDDING, row(0), row(1));
        let width = num_sides.next_multiple_of(TILE_QUANTUM);
        let added = (0..width / TILE_QUANTUM)
            .into_par_iter()
            .map_init(Vec::new, |tile, block| {
                check_cancelled(observer)?;
                let rows = block * TILE_QUANTUM..(block + 1) * TILE_QUANTUM;
                tile.resize(TILE_QUANTUM * width, 0.0);
                product.multiply_tile(rows.clone(), 0..width, tile);
                let of_row = |(u, products): (usize, &[f32])| {
                    let u = SideId::from_index(u);
                    let proposed = best(u, &products[..num_sides], dissimilarity, turns);
                    let is_new = |v: &SideId| nearest.of(u).iter().all(|listed| listed.side != *v);
                    let candidate = |v| Candidate { side: v, cost: dissimilarity.value(u, v) };
                    proposed.into_iter().filter(is_new).map(candidate).collect()
                };
                let rows = rows.zip(tile.chunks_exact(width)).take_while(|(u, _)| *u < num_sides);
                Ok(rows.map(of_row).collect())
            })
            .collect::<Result<Vec<Vec<Vec<Candidate>>>, Cancelled>>()?;
        Ok(nearest.with_more(&added.concat()))
    }
}

/// The sides of the largest products that u may touch.
fn best(u: SideId, products: &[f32], dissimilarity: &Dissimilarity, turns: TurnSet) -> Vec<SideId> {
    let sides = (0..products.len()).map(SideId::from_index);
    let may_touch = |v: &SideId| {
        v.piece() != u.piece()
            && turns.allows(SidePair::of(u, *v))
            && dissimilarity.may_touch(u, *v)
    };
    let mut ranked: Vec<(f32, SideId)> =
        sides.filter(may_touch).map(|v| (products[v.index()], v)).collect();
    if ranked.len() > PROPOSED {
        let (better, &mut (next, _), _) =
            ranked.select_nth_unstable_by(PROPOSED, |x, y| y.0.total_cmp(&x.0));
        let kept = better.iter().filter(|(product, _)| *product > next).count();
        ranked.sort_unstable_by(|x, y| y.0.total_cmp(&x.0));
        ranked.truncate(kept);
    }
    ranked.into_iter().map(|(_, side)| side).collect()
}
