//! A pair of sides with its cost.

use super::SideId;

/// Two sides that may belong together, and what it costs to join them; lower is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairCost<C = f32> {
    /// One side.
    pub a: SideId,
    /// The other side.
    pub b: SideId,
    /// What it costs to join them. Whoever makes the pair says in which unit.
    pub cost: C,
}
