//! The basic types: pieces, sides, turns, boards and assemblies.
//!
//! No algorithm lives here. Every type states its direction and bounds, and its constructor owns
//! its invariant, so that other code can rely on it. `docs/conventions.md` has
//! the one picture of sides, turns, rows and columns.

mod assembly;
mod grid;
mod ground_truth;
mod piece;
mod pixel_classes;
mod puzzle_type;
mod quarter_turn;
mod side;
mod side_pair;
mod visual_classes;

pub use assembly::{Assembly, AssemblyError, Join, Pin, Place, Placement};
pub use grid::{Cell, Grid, GridError};
pub use ground_truth::{GroundTruth, GroundTruthError};
pub(crate) use piece::is_quick;
pub use piece::{MAX_PIECES, PieceId, PieceSet, PieceSetError, PieceShape, Samples, is_large};
pub use pixel_classes::{PieceClasses, classes_of_join, interchangeable, pixel_classes_of};
pub use puzzle_type::{PuzzleType, TurnSet};
pub use quarter_turn::QuarterTurn;
pub use side::{Side, SideId};
pub use side_pair::{PairCost, SidePair};
pub use visual_classes::visual_classes_of;
