//! Gallagher's constrained tree: Kruskal's algorithm in which no two pieces may share a cell.
//!
//! \[Gal12\], section "Tree-based reassembly": take the matches from best to worst and join the two
//! segments they connect, unless the joined segment would have two pieces in one cell. Cost: the
//! collision checks, each as long as the smaller segment.

use super::matches::Match;
use super::segment::{Limit, Segments};

/// Join segments along matches, in the order given, within the limit.
pub fn grow_segments<'a>(
    segments: &mut Segments,
    matches: impl IntoIterator<Item = &'a Match>,
    limit: Limit,
) {
    for &Match { a, b, .. } in matches {
        segments.try_join(a, b, limit);
    }
}
