//! Generic graph algorithms on vertices 0 to n - 1; nothing here knows of puzzles.
//!
//! All of them are deterministic, and linear in vertices plus edges but for a sort; but for
//! [`l1_layout`], which says what it takes.

mod adjacency;
mod components;
pub mod l1_layout;
mod spanning_tree;
mod union_find;

pub use adjacency::{Adjacency, Neighbor};
pub use components::Components;
pub use spanning_tree::maximum_spanning_forest;
pub use union_find::UnionFind;
