//! The default method for types 1 and 2, which can be asked for its best board at any time.
//!
//! 1. Start: Gallagher's tree ([`super::gallagher`]), and, unless in a hurry, the best of the linear
//!    programs ([`super::yu`]): boards that err in different ways.
//! 2. Search: [`crate::search`] moves pieces, segments and regions, and rebuilds parts of the board,
//!    until its energy, the judge's, falls no more.

use super::gallagher::Gallagher;
use super::yu::YuSettings;
use crate::locations::{LocationError, LocationProblem, LocationSolver};
use crate::observer::{Ended, Observer};
use crate::puzzle::Assembly;
use crate::search::costs::SeamCosts;
use crate::search::{SearchError, SearchWork, improve};
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

    const fn work(self) -> SearchWork {
        match self {
            Self::Fast => SearchWork { num_walks: 2, max_epochs: 2, patience: 1, rounds: 2 },
            Self::Normal => SearchWork { num_walks: 6, max_epochs: 12, patience: 4, rounds: 4 },
            Self::High => SearchWork { num_walks: 16, max_epochs: 40, patience: 10, rounds: 6 },
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
#[derive(Clone, Debug, PartialEq)]
pub struct FretsawBoard {
    /// The best board found.
    pub assembly: Assembly,
    /// Its energy.
    pub energy: f64,
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
    settings: &FretsawSettings,
    observer: &dyn Observer,
) -> Result<FretsawBoard, LocationError> {
    let tree = Gallagher.locate(problem, observer)?;
    let costs = SeamCosts::new(problem.judgement);
    let mut starts = vec![tree];
    if !observer.is_stopped() && settings.effort != Effort::Fast {
        starts.push(YuSettings::default().locate(problem, observer)?);
    }
    let work = settings.effort.work();
    let LocationProblem { frame, turns, seed, .. } = *problem;
    let found = improve(costs, frame, turns, &starts, &work, seed, observer)?;
    Ok(FretsawBoard { assembly: found.assembly, energy: found.energy, ended: found.ended })
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

impl From<SearchError> for LocationError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            SearchError::Contradiction(error) => Self::Contradiction(error),
        }
    }
}
