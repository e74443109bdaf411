//! How likely two sides belong together: from measured candidates to probabilities.
//!
//! In: every side's candidates ([`NearestSides`]). Out: a [`MatchModel`], which everything that
//! assembles takes its weights from.
//!
//! A measure sees one pair of sides. Whether the pair is a true join shows better in its context: how
//! the next best does, seen from both ends; how flat the sides are; whether other good pairs close it
//! to a 2 x 2 loop.
//!
//! # Cost
//! `fretsaw bench stage matcher --matchers learned` prints the seconds of the measure stage and of the matcher
//! after it. The learned matcher's floor is the arithmetic of its networks, about 20,000 operations a
//! candidate and network, of which it is several times away. Profiles show no single cause; the likely
//! one is memory. A side's candidates are all over the puzzle, and what is known of them is fetched
//! candidate by candidate, once for the pixels and again for every list, cost and verdict that a feature
//! asks for. That is why `PairFeatureSource` keeps little and fetches it for all candidates of a side at once, and
//! why ways back are found by sorting. And every growth of the learned matcher computes the costs and the
//! ways back of all sides again, though few have changed.

mod completion;
mod exclusion;
mod features;
mod handmade;
mod learned;
mod loop_features;
mod loops;
mod match_model;
mod network;
mod pair_features;
mod saved_verdicts;
mod shortlist;
mod verdicts;

pub use learned::{FeatureTable, LearnedMatcher};
pub use match_model::{MatchModel, SideDistribution};
pub use network::{NETWORK_VERSION, NetworkError};

use crate::dissimilarity::{Dissimilarity, Measure, NearestSettings, NearestSides};
use crate::observer::{Cancelled, Observer};
use crate::puzzle::TurnSet;
use serde::{Deserialize, Serialize};

/// Who matchers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Matcher {
    /// Gallagher's ratio \[Gal12\]: a pair against the best alternative of either side. It knows no
    /// probabilities.
    Ratio,
    /// Ratios turned to probabilities, and raised or lowered by the 2 x 2 loops that they close.
    Loops,
    /// A small network that was trained on photographs.
    #[default]
    Learned,
}

impl Matcher {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ratio, Self::Loops, Self::Learned];

    /// The lower-case name used on the command line and in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ratio => "ratio",
            Self::Loops => "loops",
            Self::Learned => "learned",
        }
    }

    /// Whether the matcher can work with a measure: the learned one knows the measure it was trained
    /// on.
    #[must_use]
    pub const fn knows(self, measure: Measure) -> bool {
        match self {
            Self::Ratio | Self::Loops => true,
            Self::Learned => matches!(measure, Measure::Seam),
        }
    }

    /// How many candidates the matcher wants of every side.
    #[must_use]
    pub const fn candidates(self) -> NearestSettings {
        match self {
            Self::Ratio => NearestSettings { num_candidates: 10, max_candidates: 40 },
            Self::Loops | Self::Learned => {
                NearestSettings { num_candidates: 32, max_candidates: 32 }
            }
        }
    }

    /// Matcher the candidates.
    ///
    /// # Errors
    /// If the observer cancels.
    pub fn match_sides<'a>(
        self,
        dissimilarity: &'a Dissimilarity,
        nearest: &'a NearestSides,
        turns: TurnSet,
        observer: &dyn Observer,
    ) -> Result<MatchModel<'a>, Cancelled> {
        match self {
            Self::Ratio => Ok(MatchModel::by_ratio(dissimilarity, nearest)),
            Self::Loops => handmade::judge_by_loops(dissimilarity, nearest, observer),
            Self::Learned => {
                LearnedMatcher::shipped().match_sides(dissimilarity, nearest, turns, observer)
            }
        }
    }
}
