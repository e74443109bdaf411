//! The default method for types 1 and 2, which can be asked for its best board at any time.
//!
//! So far that board is [Gallagher's](super::gallagher), whatever the [`Effort`]; the search that is to
//! improve it is not there yet.

use super::gallagher::Gallagher;
use crate::locations::{LocationError, LocationProblem, LocationSolver};
use crate::observer::{Ended, Observer};
use crate::puzzle::Assembly;
use serde::{Deserialize, Serialize};

/// How long to look for a better board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// Not long.
    Fast,
    /// As long as it mostly pays.
    #[default]
    Normal,
    /// As long as it pays at all.
    High,
}

impl Effort {
    /// All of them, from the least.
    pub const ALL: [Self; 3] = [Self::Fast, Self::Normal, Self::High];

    /// The lower-case name used on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Normal => "normal",
            Self::High => "high",
        }
    }
}

/// Settings of the method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FretsawSettings {
    /// How long to look for a better board. Default: [`Effort::Normal`].
    pub effort: Effort,
}

/// A board, and whether all was done for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FretsawBoard {
    /// The best board found.
    pub assembly: Assembly,
    /// Whether the observer asked for it before the work was done.
    pub ended: Ended,
}

/// Puts the pieces together. An observer that [stops](Observer::is_stopped) gets the best board so
/// far, at the earliest the first one.
///
/// # Errors
/// If the pieces cannot be placed, or the observer cancels.
pub fn assemble(
    problem: &LocationProblem<'_>,
    _settings: &FretsawSettings,
    observer: &dyn Observer,
) -> Result<FretsawBoard, LocationError> {
    let assembly = Gallagher.locate(problem, observer)?;
    let ended = if observer.is_stopped() { Ended::Stopped } else { Ended::Finished };
    Ok(FretsawBoard { assembly, ended })
}

impl LocationSolver for FretsawSettings {
    fn locate(
        &self,
        problem: &LocationProblem<'_>,
        observer: &dyn Observer,
    ) -> Result<Assembly, LocationError> {
        Ok(assemble(problem, self, observer)?.assembly)
    }
}
