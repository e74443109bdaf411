//! A pair of sides with its cost.

use super::SideId;

/// Two sides that may belong together, and the cost of joining them; lower is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairCost<C = f32> {
    /// One side.
    pub a: SideId,
    /// The other side.
    pub b: SideId,
    /// The cost of joining them, in a unit that the function returning the pair documents.
    pub cost: C,
}
