//! Algorithm 2, initial step: nearest neighbours, made undirected, at most one a side.
//!
//! \[HLW20\], section "Initial Step": every side points to the sides that fit it best (eq.
//! split_4_P_R), all of them where several tie. Two sides that point to each other get weight 1, a
//! one-sided choice 0.01 (eq. w_init_def). Then every side keeps only the neighbour that fits best;
//! where that is not unique it loses all (eq. best_match).
//!
//! If the matcher gives probabilities, the weight of a match is its probability, and the best match is the
//! likeliest.
//!
//! Which of two edges is pruned first matters: an edge may be the best at a side only after a better
//! one was pruned at its other end. We take edges in order of increasing cost, so that the
//! result does not depend on the order of the pieces (D-02).

use super::matches::{SideMatch, one_per_pair_of_pieces};
use fretsaw::puzzle::SideId;
use fretsaw::unstable::dissimilarity::NearestSides;
use std::collections::BTreeSet;

/// W_init: every side's best matches, ties included.
///
/// `one_sided` is the weight of a match that only one of its sides chose. If there is none, costs are `-ln` of
/// probabilities, and the weight of a match is its probability.
///
/// A side that ties with more sides than its list holds has no match: pruning would remove all of
/// them.
pub fn nearest_matches(nearest: &NearestSides, one_sided: Option<f64>) -> Vec<SideMatch> {
    let best_of = |side: SideId| {
        let list = nearest.of(side);
        let len = list.partition_point(|c| c.cost <= list[0].cost);
        &list[..len]
    };
    let mut matches = Vec::new();
    let mut seen = BTreeSet::new();
    for side in (0..nearest.num_sides()).map(SideId::from_index) {
        for candidate in best_of(side) {
            let other = candidate.side;
            let is_mutual = best_of(other).iter().any(|back| back.side == side);
            let weight = match one_sided {
                None => (-candidate.cost).exp(),
                Some(_) if is_mutual => 1.0,
                Some(weight) => weight,
            };
            let side_match = SideMatch::new(side, other, candidate.cost, weight);
            if seen.insert((side_match.a, side_match.b)) {
                matches.push(side_match);
            }
        }
    }
    matches.sort_by_key(|side_match| (side_match.a, side_match.b));
    matches
}

/// Prune to at most one match a side, and one for any two pieces.
pub fn prune_matches(nearest: &NearestSides, mut matches: Vec<SideMatch>) -> Vec<SideMatch> {
    matches.sort_by(|x, y| x.cost.total_cmp(&y.cost).then_with(|| (x.a, x.b).cmp(&(y.a, y.b))));
    // A side that has its neighbour, or lost all to a tie. A side with more ties than its list holds
    // has lost from the start: nothing fits it better than those.
    let mut is_settled: Vec<bool> = (0..nearest.num_sides())
        .map(SideId::from_index)
        .map(|side| nearest.of(side).is_empty())
        .collect();
    let mut contenders = vec![0_usize; nearest.num_sides()];
    let mut kept = Vec::new();
    for equal in matches.chunk_by(|x, y| x.cost == y.cost) {
        let open: Vec<&SideMatch> =
            equal.iter().filter(|m| !is_settled[m.a.index()] && !is_settled[m.b.index()]).collect();
        for side in open.iter().flat_map(|m| [m.a, m.b]) {
            contenders[side.index()] += 1;
        }
        for side_match in &open {
            let ends = [side_match.a.index(), side_match.b.index()];
            if ends.iter().all(|&side| contenders[side] == 1) {
                kept.push(**side_match);
            }
        }
        for side in open.iter().flat_map(|m| [m.a, m.b]) {
            contenders[side.index()] = 0;
            is_settled[side.index()] = true;
        }
    }
    one_per_pair_of_pieces(kept)
}
