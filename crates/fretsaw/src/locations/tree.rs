//! Gallagher's constrained tree: Kruskal's algorithm in which no two pieces may share a cell.
//!
//! \[Gal12\], section "Tree-based reassembly": take the matches from best to worst and join the two
//! segments they connect, unless the joined segment would have two pieces in one cell. Cost:
//! O(m log m) for m matches, plus the collision checks, each as long as the smaller segment.

use super::segment::Segments;
use crate::puzzle::SideId;

/// Two sides that may belong together; a lower rank is a better match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// One side.
    pub a: SideId,
    /// The other.
    pub b: SideId,
    /// Lower is better.
    pub rank: f64,
}

/// Join pieces along the matches, best first.
///
/// Matches of equal rank are taken in the order of `tie_order(a, b)`, which must not depend on
/// where pieces truly belong.
#[must_use]
pub fn grow_segments(
    num_pieces: usize,
    mut matches: Vec<Match>,
    tie_order: impl Fn(SideId, SideId) -> u64,
) -> Segments {
    let mut segments = Segments::singles(num_pieces);
    matches.sort_by(|x, y| {
        x.rank.total_cmp(&y.rank).then_with(|| tie_order(x.a, x.b).cmp(&tie_order(y.a, y.b)))
    });
    for Match { a, b, .. } in matches {
        segments.try_join(a, b);
    }
    segments
}
