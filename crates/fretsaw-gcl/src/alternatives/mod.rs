//! Alternatives to parts of the main method, from the paper's supplement.
//!
//! - `relaxation`: turns by semidefinite relaxation, eqs. sync_1 to sync_3, in place of Algorithm 1's
//!   eigenvector.
//! - [`diffusion`]: the vector diffusion distance, eq. vdd_calc, which raises the cost of matches between
//!   pieces that a first estimate puts far apart.
//! - [`quadratic_assignment`]: locations by quadratic assignment, eq. qap, in place of a solver of type 1
//!   puzzles.
//!
//! Two more alternatives are settings of the main method: the eigenvector of S in place of C
//! (eq. sync_relaxed) and the third and fourth real eigenvector
//! ([`Eigenvector::Second`](crate::rotations::Eigenvector::Second)).

pub mod diffusion;
pub mod quadratic_assignment;
pub(crate) mod relaxation;
