//! Numerical building blocks that know nothing of puzzles.

pub mod packed_product;
pub(crate) mod small_symmetric;
