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
    let found: Vec<Vec<Proposal>> = sides().map(propose).collect();
    // A proposal counts for both of its sides.
    let mut offered = found.clone();
    for (side, proposals) in found.iter().enumerate() {
        for proposal in proposals {
            let side = SideId::from_index(side);
            if nearest.of(proposal.side).iter().all(|candidate| candidate.side != side) {
                offered[proposal.side.index()].push(Proposal { side, cost: proposal.cost });
            }
        }
    }
    sides()
        .zip(offered)
        .map(|(side, mut offered)| {
            keep_best(&mut offered);
            let candidate = |proposal: Proposal| Candidate {
                side: proposal.side,
                cost: dissimilarity.value(side, proposal.side),
            };
            offered.into_iter().map(candidate).collect()
        })
        .collect()
}

/// A side that would close a loop, and the cost of the loop's other three seams.
#[derive(Clone, Copy, Debug)]
struct Proposal {
    side: SideId,
    cost: f32,
}

/// The sides that three likely steps around a loop lead to, on either flank of u.
fn proposals(costs: &LoopCosts<'_>, u: SideId, is_open: &[bool]) -> Vec<Proposal> {
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
                        found.push(Proposal { side: v, cost });
                    }
                }
            }
        }
    }
    found.retain(|proposal| costs.nearest.of(u).iter().all(|listed| listed.side != proposal.side));
    keep_best(&mut found);
    found
}

fn tried(costs: &LoopCosts<'_>, side: SideId) -> impl Iterator<Item = (SideId, f32)> {
    let limit = costs.cost_at(side, TRIED - 1).min(MAX_COST);
    costs.best(side).iter().copied().filter(move |&(_, cost)| cost <= limit)
}

/// Keeps the cheapest proposals, each side once.
fn keep_best(proposals: &mut Vec<Proposal>) {
    proposals.sort_by(|x, y| x.side.cmp(&y.side).then(x.cost.total_cmp(&y.cost)));
    proposals.dedup_by_key(|proposal| proposal.side);
    proposals.sort_by(|x, y| x.cost.total_cmp(&y.cost).then(x.side.cmp(&y.side)));
    if let Some(&Proposal { cost: last, .. }) = proposals.get(ADDED - 1) {
        let with_ties = proposals.partition_point(|proposal| proposal.cost <= last);
        let without = proposals.partition_point(|proposal| proposal.cost < last);
        proposals.truncate(if with_ties <= MOST_ADDED { with_ties } else { without });
    }
}
