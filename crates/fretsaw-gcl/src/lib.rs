//! "Solving Jigsaw Puzzles by the Graph Connection Laplacian" \[HLW20\]: the paper, whole and in its own
//! order.
//!
//! 1. [`connection_graph`]: G = (V, E, W, R), pieces joined by affinities and relative turns.
//! 2. [`rotations`]: Algorithm 1, turns from a connection graph. [`theory`]: the theorem on how many
//!    errors of the graph it withstands.
//! 3. [`known_positions`]: the connection graph of a type 3 puzzle, and its turns.
//! 4. [`construction`]: Algorithm 2, the connection graph of a type 2 puzzle. [`rotation_choice`]: every
//!    way to find turns, by name.
//! 5. [`update`]: Algorithm 3, a solution updates the graph it came from.
//! 6. [`type_two`]: Algorithms 4 and 5, the solver of type 2 puzzles.
//! 7. [`alternatives`]: the supplement's alternatives to parts of these.
//!
//! Below lie [`linalg`], the eigenproblems, and [`graph`]. [`synchronization`] draws graphs with known
//! turns. The crate's README maps every algorithm, equation and table of the paper to a file and a
//! command; `docs/deviations.md` lists where we differ and why.
//!
//! The solvers plug into [`fretsaw::solve()`] as [`Method::Other`]: [`method_by_name`] returns them.

pub mod alternatives;
pub mod connection_graph;
pub mod construction;
pub mod graph;
pub mod known_positions;
pub mod linalg;
pub mod rotation_choice;
pub mod rotations;
mod setting_error;
pub mod synchronization;
pub mod theory;
pub mod type_two;
pub mod update;

pub use setting_error::SettingError;

use alternatives::quadratic_assignment::QapSettings;
use fretsaw::Method;
use std::sync::Arc;
use type_two::GclSettings;

/// The names of all methods: those of the core, and those of this crate.
pub const METHOD_NAMES: [&str; 5] = ["fretsaw", "yu", "gallagher", "gcl", "assignment"];

/// The method of this name with its default settings, of the core or of this crate.
///
/// ```
/// for name in fretsaw_gcl::METHOD_NAMES {
///     assert_eq!(fretsaw_gcl::method_by_name(name).unwrap().name(), name);
/// }
/// ```
pub fn method_by_name(name: &str) -> Option<Method> {
    match name {
        "gcl" => Some(Method::Other(Arc::new(GclSettings::default()))),
        "assignment" => Some(Method::Other(Arc::new(QapSettings::default()))),
        _ => Method::from_name(name),
    }
}
