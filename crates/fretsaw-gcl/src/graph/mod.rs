//! Graph algorithms that only the paper's method needs, on vertices 0 to n - 1.

mod components;
mod spanning_tree;

pub use components::Components;
pub use spanning_tree::maximum_spanning_forest;
