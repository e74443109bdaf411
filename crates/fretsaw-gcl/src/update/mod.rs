//! Algorithm 3: a solution updates the graph it came from.
//!
//! \[HLW20\], section "Updating the Affinity and Connection Functions", eqs. nb_met, nb_met_3,
//! update_nb_aff_final and update_nb_conn_final. There are two readings of "a piece that fits badly":
//!
//! - [`by_dissimilarity`]: the text's. A piece fits badly if the mean dissimilarity of its seams is far
//!   above the median.
//! - `by_ratio`: ours and the default (D-13). A seam is bad if another side would fit better there.

pub mod by_dissimilarity;
pub(crate) mod by_ratio;

use serde::{Deserialize, Serialize};

/// Settings of the update.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct UpdateSettings {
    /// A piece fits badly if its mean dissimilarity exceeds the median by this factor. Default 1.5.
    pub bad_factor: f64,
    /// Affinity of a piece that fits an emptied place better than the median. Default 0.6.
    pub good_weight: f64,
    /// Affinity of one that fits within twice the median. Default 0.3.
    pub fair_weight: f64,
    /// Share of the solution's adjacencies in the affinities. Default 0, as in the text; the published
    /// code has 0.4.
    pub solution_share: f64,
}

impl Default for UpdateSettings {
    fn default() -> Self {
        Self { bad_factor: 1.5, good_weight: 0.6, fair_weight: 0.3, solution_share: 0.0 }
    }
}
