//! Gallagher's constrained tree: Kruskal's algorithm in which no two pieces may share a cell.
//!
//! \[Gal12\], section "Tree-based reassembly": takes the matches from best to worst and joins the two segments they
//! connect, unless two pieces would share a cell. Cost: one collision check per match, linear in the smaller segment.

use super::matches::Match;
use super::segment::{Limit, Segments};

/// Joins segments along matches, in the order given, within the limit.
pub fn grow_segments<'a>(
    segments: &mut Segments,
    matches: impl IntoIterator<Item = &'a Match>,
    limit: Limit,
) {
    for &Match { a, b, .. } in matches {
        segments.try_join(a, b, limit);
    }
}
