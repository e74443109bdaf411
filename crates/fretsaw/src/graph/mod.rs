//! Generic graph algorithms on vertices 0 to n - 1, independent of puzzles.
//!
//! All are deterministic. Their cost is linear in vertices plus edges, apart from a sort; [`l1_layout`] states its own
//! cost, and assignments are cubic in the worst case.

mod adjacency;
pub mod l1_layout;
mod linear_assignment;
mod union_find;

pub use adjacency::{Adjacency, Neighbor};
pub use linear_assignment::{Assignment, AssignmentError, AssignmentSolver, solve_assignment};
pub use union_find::UnionFind;
