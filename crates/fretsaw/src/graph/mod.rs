//! Generic graph algorithms on vertices 0 to n - 1; nothing here knows of puzzles.
//!
//! All of them are deterministic. They are linear in vertices plus edges but for a sort, except for
//! [`l1_layout`], which says what it takes, and assignments, which are cubic at worst.

mod adjacency;
pub mod l1_layout;
mod linear_assignment;
mod union_find;

pub use adjacency::{Adjacency, Neighbor};
pub use linear_assignment::{Assignment, AssignmentError, AssignmentSolver, solve_assignment};
pub use union_find::UnionFind;
