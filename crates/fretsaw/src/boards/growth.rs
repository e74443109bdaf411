//! Growing segments as long as that lowers the energy.
//!
//! As in Gallagher's tree ([`crate::locations::tree`]) segments join along the likely matches, the surest
//! first. But two of them join only if that costs less than leaving them apart, where all sides in
//! question would be borders: so what belongs to different pictures stays apart, and what is left over
//! when nothing joins any more are pictures, parts of pictures, and pieces that fit nowhere.

use crate::locations::segment::{Limit, Segments};
use crate::puzzle::SideId;
use crate::random::tie_breaker;
use crate::search::costs::SeamCosts;

/// How often all matches are gone through: what was refused at first may fit when more is there.
const MAX_PASSES: usize = 4;

/// What a match costs at most that joins segments.
const MAX_COST: f32 = 3.0;

/// The segments that grow.
pub(crate) fn grow(costs: &SeamCosts<'_>, num_pieces: usize, limit: Limit, seed: u64) -> Segments {
    let tie = tie_breaker(seed);
    let mut matches: Vec<(f32, SideId, SideId)> = costs
        .matches()
        .iter()
        .filter(|found| found.cost < MAX_COST)
        .map(|found| (found.cost, found.a, found.b))
        .collect();
    let tie = |a: SideId, b: SideId| tie(a.index() as u64, b.index() as u64);
    matches.sort_by(|x, y| x.0.total_cmp(&y.0).then_with(|| tie(x.1, x.2).cmp(&tie(y.1, y.2))));
    let mut segments = Segments::singles(num_pieces);
    for _ in 0..MAX_PASSES {
        let mut has_grown = false;
        for &(_, a, b) in &matches {
            has_grown |= segments.try_join_if(a, b, limit, |contacts| gain(costs, contacts) > 0.0);
        }
        if !has_grown {
            break;
        }
    }
    segments
}

/// What is gained if these sides touch, over their being borders.
fn gain(costs: &SeamCosts<'_>, contacts: &[(SideId, SideId)]) -> f32 {
    let of_contact =
        |&(a, b): &(SideId, SideId)| costs.of_border(a) + costs.of_border(b) - costs.of(a, b);
    contacts.iter().map(of_contact).sum()
}
