//! Scores that compare boards of one puzzle without knowing the truth.

use super::LocationProblem;
use crate::puzzle::{Assembly, Join};
use serde::{Deserialize, Serialize};

/// The term that is summed over all pairs of touching sides to rank a board. Higher is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ranking {
    /// 1 if the ratio N is at most 1.3, otherwise 0.
    #[default]
    Count,
    /// 1 / N.
    Inverse,
}

crate::named_enum!(Ranking { Count: "count", Inverse: "inverse" });

/// Two sides fit well if their ratio is at most this.
const GOOD_RATIO: f64 = 1.3;

/// Smaller ratios count as this one, so that 1 / N stays finite.
const LEAST_RATIO: f64 = 1e-3;

impl Ranking {
    /// The score of a board.
    pub fn score(self, problem: &LocationProblem<'_>, assembly: &Assembly) -> f64 {
        let ratio = |Join { first, second }| problem.model.odds_against(first, second);
        match self {
            Self::Count => {
                assembly.joins().filter(|&join| ratio(join) <= GOOD_RATIO).count() as f64
            }
            Self::Inverse => assembly.joins().map(|join| 1.0 / ratio(join).max(LEAST_RATIO)).sum(),
        }
    }
}
