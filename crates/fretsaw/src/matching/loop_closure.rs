//! Loop closure: candidates that the measure did not find, but that would close a loop.
//!
//! If three seams of a 2 x 2 loop are right, the remaining two sides belong together, however badly they fit. Such
//! pairs become candidates. A side that ties with so many others that it lists none gets candidates in no other way.

use super::features::{clockwise, counter_clockwise};
use super::loops::LoopCosts;
use crate::dissimilarity::{Candidate, Dissimilarity};
use crate::puzzle::SideId;
use rayon::prelude::*;

/// Each step of a loop tries this many candidates, and those that tie with the last.
const TRIED: usize = 3;
/// The three seams must cost less than this together.
const MAX_COST: f32 = 10.0;
/// A side gets this many candidates, and those that tie with the last.
pub(super) const ADDED: usize = 4;
/// If there would be more than this, all that tie with the last are left out.
const MOST_ADDED: usize = 8;

/// For each open side, the open sides that would close a loop with it and are not its candidates yet.
pub(super) fn close_loops(
    dissimilarity: &Dissimilarity,
    costs: &LoopCosts<'_>,
    is_open: &[bool],
) -> Vec<Vec<Candidate>> {
    let nearest = costs.nearest;
    let sides = || (0..nearest.num_sides()).into_par_iter().map(SideId::from_index);
    let propose = |side: SideId| {
        if is_open[side.index()] { proposals(costs, side, is_open) } else { Vec::new() }
    };
    let found: Vec<Vec<(SideId, f32)>> = sides().map(propose).collect();
    // A proposal counts for both of its sides.
    let mut offered = found.clone();
    for (side, proposals) in found.iter().enumerate() {
        for &(other, cost) in proposals {
            let side = SideId::from_index(side);
            if nearest.of(other).iter().all(|candidate| candidate.side != side) {
                offered[other.index()].push((side, cost));
            }
        }
    }
    sides()
        .zip(offered)
        .map(|(side, mut offered)| {
            keep_best(&mut offered);
            let candidate =
                |(other, _)| Candidate { side: other, cost: dissimilarity.value(side, other) };
            offered.into_iter().map(candidate).collect()
        })
        .collect()
}

/// The sides that three likely steps around a loop lead to, on either flank of u, with the cost of the three seams.
fn proposals(costs: &LoopCosts<'_>, u: SideId, is_open: &[bool]) -> Vec<(SideId, f32)> {
    let mut found = Vec::new();
    for next in [clockwise as fn(SideId) -> SideId, counter_clockwise] {
        for (w, first) in tried(costs, next(u)) {
            for (z1, second) in tried(costs, next(w)) {
                if first + second >= MAX_COST || z1.piece() == u.piece() {
                    continue;
                }
                for (v1, third) in tried(costs, next(z1)) {
                    let (v, cost) = (next(v1), first + second + third);
                    let is_loop = v.piece() != u.piece() && v.piece() != w.piece();
                    if cost < MAX_COST && is_loop && is_open[v.index()] {
                        found.push((v, cost));
                    }
                }
            }
        }
    }
    found.retain(|&(v, _)| costs.nearest.of(u).iter().all(|listed| listed.side != v));
    keep_best(&mut found);
    found
}

fn tried(costs: &LoopCosts<'_>, side: SideId) -> impl Iterator<Item = (SideId, f32)> {
    let limit = costs.cost_at(side, TRIED - 1).min(MAX_COST);
    costs.best(side).iter().copied().filter(move |&(_, cost)| cost <= limit)
}

/// Keeps the cheapest proposals, each side once.
fn keep_best(proposals: &mut Vec<(SideId, f32)>) {
    proposals.sort_by(|x, y| x.0.cmp(&y.0).then(x.1.total_cmp(&y.1)));
    proposals.dedup_by_key(|&mut (side, _)| side);
    proposals.sort_by(|x, y| x.1.total_cmp(&y.1).then(x.0.cmp(&y.0)));
    if let Some(&(_, last)) = proposals.get(ADDED - 1) {
        let with_ties = proposals.partition_point(|&(_, cost)| cost <= last);
        let without = proposals.partition_point(|&(_, cost)| cost < last);
        proposals.truncate(if with_ties <= MOST_ADDED { with_ties } else { without });
    }
}
