//! Locations: from candidate matches to the cells of all pieces.
//!
//! In: a [`LocationProblem`]. Out: an [`Assembly`]. Every [`LocationSolver`] finds one from the other, so solvers can
//! be exchanged.
//!
//! The building blocks: [`matches`](mod@matches) lists the candidate pairs, [`segment`] has rigid groups of pieces
//! and grows them along matches \[Gal12\], [`layout`] finds positions that agree with most matches \[YRA16\],
//! [`filter`] drops doubtful matches, [`trim`] finds where the frame covers most of a segment, [`fill`] puts single pieces
//! into the holes of a [`board`], and [`ranking`] compares boards. `pack` places several large
//! segments side by side.

pub mod board;
pub mod fill;
pub mod filter;
pub mod layout;
pub mod matches;
pub(crate) mod pack;
pub mod ranking;
pub mod segment;
pub mod trim;

use crate::dissimilarity::NearestSettings;
use crate::graph::l1_layout::LayoutError;
use crate::matching::{MatchModel, Matcher};
use crate::observer::{Cancelled, Observer};
use crate::puzzle::{Assembly, AssemblyError, Grid, PieceSet, SideId, TurnSet};
use std::fmt::Debug;

/// Pieces to be placed on a board.
#[derive(Clone, Copy, Debug)]
pub struct LocationProblem<'a> {
    /// The candidates of every side, and the probability that two sides belong together.
    pub model: &'a MatchModel<'a>,
    /// The size of the board, which has at least as many cells as there are pieces.
    pub frame: Grid,
    /// The turns that pieces may need; [`TurnSet::None`] if they are upright.
    pub turns: TurnSet,
    /// Breaks ties.
    pub seed: u64,
    /// The pieces, for methods that turn them and measure them again.
    pub pieces: &'a PieceSet,
    /// The matcher that made the model.
    pub matcher: Matcher,
    /// How the model's candidates were found.
    pub candidates: NearestSettings,
}

impl LocationProblem<'_> {
    /// Number of pieces.
    pub fn num_pieces(&self) -> usize {
        self.model.num_sides() / 4
    }

    /// The cost of a seam, for sums over the seams of a piece: at least 0, lower is better.
    ///
    /// With a matcher it is `-ln p`, so that one impossible seam outweighs several likely ones. Without a matcher it is
    /// `1 - p`, which is at most 1: small probabilities that follow from the ratio mean
    /// little, as a corrupted side fits its true neighbour no better than others.
    pub fn seam_cost(&self, a: SideId, b: SideId) -> f64 {
        self.cost_of(self.model.pair_probability(a, b))
    }

    /// [`Self::seam_cost`] of two sides that belong together with this probability.
    pub fn cost_of(&self, probability: f64) -> f64 {
        if self.model.has_probabilities() { -probability.ln() } else { 1.0 - probability }
    }
}

/// A method that finds the cells of all pieces.
///
/// ```
/// use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
/// use fretsaw::unstable::matching::{MatchModel, Matcher};
/// use fretsaw::unstable::locations::{LocationProblem, LocationSolver};
/// use fretsaw::unstable::methods::{gallagher::Gallagher, yu::YuSettings};
/// use fretsaw::observer::Silent;
/// use fretsaw::puzzle::{PuzzleType, TurnSet};
///
/// let (pieces, frame, truth) = fretsaw::picture::synthetic::puzzle(7, 9, 28, PuzzleType::Type1, 2);
/// let dissimilarity = Dissimilarity::new(&pieces, Measure::Mgc)?;
/// let (turns, candidates) = (TurnSet::None, NearestSettings::default());
/// let nearest = find_nearest(&dissimilarity, turns, &candidates, &Silent)?;
/// let model = MatchModel::by_ratio(&dissimilarity, &nearest);
/// let (pieces, matcher) = (&pieces, Matcher::Ratio);
/// let problem =
///     LocationProblem { model: &model, frame, turns, seed: 1, pieces, matcher, candidates };
/// let solvers: [&dyn LocationSolver; 2] = [&Gallagher, &YuSettings::default()];
/// for solver in solvers {
///     let board = solver.locate(&problem, &Silent)?;
///     assert!(fretsaw::evaluation::score(&truth, &board)?.neighbor > 0.9);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait LocationSolver: Debug + Send + Sync {
    /// The lower-case name used on the command line and in files.
    fn name(&self) -> &'static str;

    /// Places the pieces on the board.
    ///
    /// # Errors
    /// If the solver does not support the problem, or the observer cancels.
    fn locate(
        &self,
        problem: &LocationProblem<'_>,
        observer: &dyn Observer,
    ) -> Result<Assembly, LocationError>;
}

/// Why no board was found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LocationError {
    /// The observer cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The method cannot take this puzzle; another one can.
    #[error("{0}")]
    Unsuitable(String),
    /// The method failed.
    #[error("{0}")]
    Method(String),
    /// The layout solver failed; this is a bug.
    #[error("the layout solver failed; this is a bug: {0}")]
    Layout(#[from] LayoutError),
    /// The assembler built an invalid board; this is a bug.
    #[error("the assembler built an invalid board; this is a bug: {0}")]
    Contradiction(#[from] AssemblyError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
    use crate::matching::SideDistribution;
    use crate::observer::Silent;
    use crate::picture::synthetic;
    use crate::puzzle::PuzzleType;

    #[test]
    fn a_seam_costs_minus_log_p_and_without_a_matcher_at_most_1() {
        let (pieces, frame, _) = synthetic::puzzle(3, 4, 10, PuzzleType::Type1, 1);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let (turns, settings) = (TurnSet::None, NearestSettings::default());
        let nearest = find_nearest(&dissimilarity, turns, &settings, &Silent).unwrap();
        let pairs: Vec<(SideId, SideId)> = (0..nearest.num_sides())
            .map(SideId::from_index)
            .flat_map(|a| nearest.of(a).iter().map(move |candidate| (a, candidate.side)))
            .collect();

        let by_ratio = MatchModel::by_ratio(&dissimilarity, &nearest);
        let (pieces, matcher, candidates) = (&pieces, Matcher::Ratio, settings);
        let problem = LocationProblem {
            model: &by_ratio,
            frame,
            turns,
            seed: 1,
            pieces,
            matcher,
            candidates,
        };
        for &(a, b) in &pairs {
            let ratio = nearest.ratio(a, b, dissimilarity.value(a, b));
            assert_eq!(problem.seam_cost(a, b).to_bits(), (1.0 - 1.0 / (1.0 + ratio)).to_bits());
        }
        assert_eq!(problem.cost_of(0.25), 0.75);

        let of_candidates = vec![0.07; nearest.num_candidates()];
        let of_sides = vec![SideDistribution { border: 0.2, unlisted: 0.1 }; nearest.num_sides()];
        let judged = MatchModel::by_probabilities(
            &dissimilarity,
            std::borrow::Cow::Borrowed(&nearest),
            of_candidates,
            of_sides,
        );
        let problem = LocationProblem { model: &judged, ..problem };
        for &(a, b) in &pairs {
            assert_eq!(problem.seam_cost(a, b), judged.candidate_cost(a, b));
            let known = judged.odds_of_cost(a, b, judged.candidate_cost(a, b));
            assert!((known / judged.odds_against(a, b) - 1.0).abs() < 1e-9);
        }
        assert_eq!(problem.cost_of(0.25), 4.0_f64.ln());
    }
}
