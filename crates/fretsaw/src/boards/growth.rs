//! Grows segments as long as that lowers the energy.
//!
//! As in Gallagher's tree ([`Segments::grow`]), segments join along likely matches, the surest first. But two
//! segments join only if that costs less than leaving them apart, with borders where they would touch. So pieces of
//! different pictures stay apart. The resulting segments are pictures, parts of pictures, and pieces that fit nowhere.

use crate::locations::segment::{Limit, Segments};
use crate::observer::{Observer, is_over};
use crate::puzzle::{PairCost, SideId};
use crate::random::tie_breaker;
use crate::search::costs::SeamCosts;

/// How often all matches are tried: one that was refused at first may fit when the segments have grown.
const MAX_PASSES: usize = 4;

/// The largest cost of a match that joins segments.
const MAX_COST: f32 = 3.0;

/// Matches that are tried between two questions whether to go on. Each may look at every side of two segments.
const MATCHES_BETWEEN_QUESTIONS: usize = 256;

/// Grows segments from single pieces, until the observer stops or cancels.
pub(crate) fn grow(
    costs: &SeamCosts<'_>,
    num_pieces: usize,
    limit: Limit,
    seed: u64,
    observer: &dyn Observer,
) -> Segments {
    let tie_breaker = tie_breaker(seed);
    let tie = |x: &PairCost| tie_breaker(x.a.index() as u64, x.b.index() as u64);
    let mut matches: Vec<PairCost> =
        costs.matches().iter().filter(|found| found.cost < MAX_COST).copied().collect();
    matches.sort_by(|x, y| x.cost.total_cmp(&y.cost).then_with(|| tie(x).cmp(&tie(y))));
    let mut segments = Segments::singles(num_pieces);
    for _ in 0..MAX_PASSES {
        let mut has_grown = false;
        for tried in matches.chunks(MATCHES_BETWEEN_QUESTIONS) {
            if is_over(observer) {
                return segments;
            }
            for &PairCost { a, b, .. } in tried {
                has_grown |=
                    segments.try_join_if(a, b, limit, |contacts| gain(costs, contacts) > 0.0);
            }
        }
        if !has_grown {
            break;
        }
    }
    segments
}

/// How much lower the energy is if these sides touch than if they are borders.
fn gain(costs: &SeamCosts<'_>, contacts: &[(SideId, SideId)]) -> f32 {
    let of_contact =
        |&(a, b): &(SideId, SideId)| costs.of_border(a) + costs.of_border(b) - costs.of(a, b);
    contacts.iter().map(of_contact).sum()
}
