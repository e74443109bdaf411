//! Where pieces lie: from candidate matches to a board.
//!
//! In: matches between sides, best first, and the frame. Out: an
//! [`Assembly`](crate::puzzle::Assembly). The parts are those of Gallagher's tree-based assembly
//! \[Gal12\], each of its own use: [`tree`] merges pieces into rigid segments, [`trim`] finds where the
//! frame covers most of a segment, [`fill`] puts single pieces into what is left empty. A research
//! option, [`quadratic_assignment`], assigns all pieces of a small puzzle at once.

pub mod fill;
pub mod quadratic_assignment;
pub mod segment;
pub mod tree;
pub mod trim;
