//! Start positions by votes.
//!
//! At first every body is a cluster of its own. In each round, edges between the same two clusters that imply the same
//! distance add up to one vote. Each cluster is joined to another by its heaviest vote and is rigid with it from
//! then on. So a wrong edge is outvoted wherever two clusters share two correct ones. There are at most log2(bodies)
//! rounds, each a sort of the edges between clusters.

use super::contraction::BodyEdge;
use super::{LayoutError, MAX_POSITION};

/// Sets of bodies that move rigidly: union-find with offsets.
struct Clusters {
    parent: Vec<u32>,
    /// `x[body] - x[parent]`.
    offset: Vec<i64>,
    size: Vec<u32>,
}

impl Clusters {
    fn new(num_bodies: usize) -> Self {
        Self {
            parent: (0_u32..).take(num_bodies).collect(),
            offset: vec![0; num_bodies],
            size: vec![1; num_bodies],
        }
    }

    /// The root of the cluster, and the position of the body when the root is at 0.
    fn find(&mut self, body: u32) -> (u32, i64) {
        let (mut root, mut total) = (body, 0);
        while self.parent[root as usize] != root {
            total += self.offset[root as usize];
            root = self.parent[root as usize];
        }
        let (mut at, mut rest) = (body, total);
        while self.parent[at as usize] != root {
            let next = self.parent[at as usize];
            let step = self.offset[at as usize];
            self.parent[at as usize] = root;
            self.offset[at as usize] = rest;
            rest -= step;
            at = next;
        }
        (root, total)
    }

    /// Joins two clusters so that `x[b] - x[a] = difference`, unless they are the same cluster.
    fn join(&mut self, a: u32, b: u32, difference: i64) -> Result<(), LayoutError> {
        let ((root_a, at_a), (root_b, at_b)) = (self.find(a), self.find(b));
        if root_a == root_b {
            return Ok(());
        }
        // x[root_b] - x[root_a]
        let shift = difference + at_a - at_b;
        if shift.abs() > MAX_POSITION {
            return Err(LayoutError::too_large("a sum of differences is"));
        }
        let (root, child, offset) = if self.size[root_a as usize] >= self.size[root_b as usize] {
            (root_a, root_b, shift)
        } else {
            (root_b, root_a, -shift)
        };
        self.parent[child as usize] = root;
        self.offset[child as usize] = offset;
        self.size[root as usize] += self.size[child as usize];
        Ok(())
    }
}

pub(super) fn by_votes(num_bodies: usize, edges: &[BodyEdge]) -> Result<Vec<i64>, LayoutError> {
    let mut clusters = Clusters::new(num_bodies);
    let mut votes: Vec<BodyEdge> = edges.to_vec();
    let mut best: Vec<u32> = vec![u32::MAX; num_bodies];
    while !votes.is_empty() {
        for (number, vote) in (0_u32..).zip(&votes) {
            for end in [vote.a, vote.b] {
                let slot = &mut best[end as usize];
                if votes.get(*slot as usize).is_none_or(|best| best.weight < vote.weight) {
                    *slot = number;
                }
            }
        }
        let mut chosen: Vec<u32> = votes
            .iter()
            .zip(0_u32..)
            .filter(|(vote, number)| {
                best[vote.a as usize] == *number || best[vote.b as usize] == *number
            })
            .map(|(_, number)| number)
            .collect();
        for vote in &votes {
            best[vote.a as usize] = u32::MAX;
            best[vote.b as usize] = u32::MAX;
        }
        chosen.sort_by_key(|&number| std::cmp::Reverse(votes[number as usize].weight));
        for number in chosen {
            let BodyEdge { a, b, difference, .. } = votes[number as usize];
            clusters.join(a, b, difference)?;
        }
        votes = between_clusters(&mut clusters, &votes)?;
    }
    Ok((0_u32..).take(num_bodies).map(|body| clusters.find(body).1).collect())
}

/// The positions times 0, 1/8, ..., 8/8, whichever costs least.
///
/// Wrong edges pull distant bodies together: with more than a few per cent of them, the optimum is much smaller
/// than the correct edges want.
pub(super) fn cheapest_scale(edges: &[BodyEdge], positions: Vec<i64>) -> Vec<i64> {
    let shrunk = |eighths: i64| -> Vec<i64> {
        positions.iter().map(|&position| (position * eighths + 4).div_euclid(8)).collect()
    };
    let cost = |positions: &[i64]| -> i128 {
        edges
            .iter()
            .map(|edge| i128::from(edge.weight) * i128::from(edge.error(positions)).abs())
            .sum()
    };
    let mut cheapest = (cost(&positions), 8);
    for eighths in (0..8).rev() {
        cheapest = cheapest.min((cost(&shrunk(eighths)), eighths));
    }
    if cheapest.1 == 8 { positions } else { shrunk(cheapest.1) }
}

/// The votes between the roots of clusters; votes inside a cluster are dropped, equal ones added up.
fn between_clusters(
    clusters: &mut Clusters,
    votes: &[BodyEdge],
) -> Result<Vec<BodyEdge>, LayoutError> {
    let mut moved = Vec::with_capacity(votes.len());
    for vote in votes {
        let ((root_a, at_a), (root_b, at_b)) = (clusters.find(vote.a), clusters.find(vote.b));
        if root_a == root_b {
            continue;
        }
        let difference = vote.difference + at_a - at_b;
        if difference.abs() > MAX_POSITION {
            return Err(LayoutError::too_large("a sum of differences is"));
        }
        moved.push(if root_a < root_b {
            BodyEdge { a: root_a, b: root_b, difference, ..*vote }
        } else {
            BodyEdge { a: root_b, b: root_a, difference: -difference, ..*vote }
        });
    }
    moved.sort_unstable_by_key(|vote| (vote.a, vote.b, vote.difference));
    moved.dedup_by(|vote, kept| {
        let is_same = (vote.a, vote.b, vote.difference) == (kept.a, kept.b, kept.difference);
        if is_same {
            kept.weight += vote.weight;
        }
        is_same
    });
    Ok(moved)
}
