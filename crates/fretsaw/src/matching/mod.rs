//! Matching: from measured candidates to the probability that two sides belong together.
//!
//! In: every side's candidates ([`NearestSides`]). Out: a [`MatchModel`], the source of costs for
//! all assembling.
//!
//! A measure compares one pair of sides. The context of the pair gives more evidence: the alternatives of both
//! sides, how flat the sides are, and whether other good pairs close a 2 x 2 loop with it.
//!
//! # Cost
//! `fretsaw-lab stage match --matchers learned` prints the seconds of the measure stage and of the matcher. The
//! arithmetic of the networks, about 20,000 operations per candidate and network, takes only a part of the matcher's
//! time. Profiles show no single cause for the rest; the likely one is memory access. The candidates of a side are
//! spread over the whole puzzle, and their pixels, lists, costs and probabilities are fetched candidate by candidate.
//! That is why `PairFeatureSource` is compact and fetches all candidates of a side at once, and why the slots of reversed pairs
//! are found by sorting. Every candidate expansion computes the costs and reversed pairs of all sides again, though few
//! have changed.

mod blank_pairs;
mod combined;
mod feature_export;
mod features;
mod inside_statistics;
mod learned;
mod line_pitch;
mod log_probabilities;
mod look_alikes;
mod loop_closure;
mod loop_features;
mod loop_matcher;
mod loops;
mod match_model;
mod network;
mod network_file;
mod open_side_relisting;
mod own_evidence;
mod pair_features;
mod pair_stores;
mod pixel_network;
mod round;
mod saved_state;
mod seam_costs;
mod shortlist;

pub(crate) use combined::combined;
pub use feature_export::FeatureTable;
pub(crate) use inside_statistics::InsideStatistics;
pub use learned::{Evidence, LearnedMatcher};
pub use match_model::{MatchModel, SideDistribution};
pub use network_file::{NETWORK_VERSION, NetworkError};
pub(crate) use pair_stores::{AllPairs, MAX_SIDES_OF_ALL_PAIRS, pair_key};
pub use pixel_network::PixelNetworkError;
pub use seam_costs::MAX_COST;
pub(crate) use seam_costs::{Proposal, SideTable};

use crate::dissimilarity::{Dissimilarity, Measure, NearestSettings, NearestSides};
use crate::observer::{Cancelled, Observer};
use crate::puzzle::TurnSet;
use serde::{Deserialize, Serialize};

/// A way to compute a match model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Matcher {
    /// Gallagher's ratio \[Gal12\] of a pair to the best alternative of either side. It gives no probabilities.
    Ratio,
    /// Probabilities from ratios and from the 2 x 2 loops that pairs close.
    Loops,
    /// Small networks that were trained on photographs.
    #[default]
    Learned,
}

crate::named_enum!(Matcher { Ratio: "ratio", Loops: "loops", Learned: "learned" });

impl Matcher {
    /// Whether the matcher works with a measure. The learned one needs the measure that it was trained on.
    pub const fn knows(self, measure: Measure) -> bool {
        match self {
            Self::Ratio | Self::Loops => true,
            Self::Learned => matches!(measure, Measure::Seam),
        }
    }

    /// The number of candidates per side that the matcher works with.
    pub const fn candidates(self) -> NearestSettings {
        match self {
            Self::Ratio => NearestSettings { num_candidates: 10, max_candidates: 40 },
            Self::Loops | Self::Learned => {
                NearestSettings { num_candidates: 32, max_candidates: 32 }
            }
        }
    }

    /// Computes the match model of a puzzle from its candidates.
    pub fn match_sides<'a>(
        self,
        dissimilarity: &'a Dissimilarity,
        nearest: &'a NearestSides,
        turns: TurnSet,
        observer: &dyn Observer,
    ) -> Result<MatchModel<'a>, Cancelled> {
        match self {
            Self::Ratio => Ok(MatchModel::by_ratio(dissimilarity, nearest)),
            Self::Loops => loop_matcher::match_by_loops(dissimilarity, nearest, observer),
            Self::Learned => LearnedMatcher::for_pieces_of(dissimilarity).match_sides(
                dissimilarity,
                nearest,
                turns,
                observer,
            ),
        }
    }
}
