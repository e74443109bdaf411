//! The answer: where the pieces lie, and how certain that is.

pub use crate::confidence::{ReferenceLikeness, SeamConfidence};
pub use crate::observer::Termination;
pub use crate::suggestions::{Alternative, Suggestion};
pub use crate::upright::UprightGuess;
pub use crate::wear::WearEstimate;

use crate::confidence;
use crate::matching::MatchModel;
use crate::picture::EvenLight;
use crate::puzzle::{
    Assembly, Join, PieceId, PieceSet, Placement, QuarterTurn, TurnSet, interchangeable,
};
use crate::suggestions::suggest;
use crate::wear::{self, LikelyJoin};
use std::collections::BTreeMap;

/// What evens out the light of the pieces of an answer whose seams are these.
///
/// # Panics
/// If a seam is of a piece that does not exist.
pub fn even_light(pieces: &PieceSet, seams: &[SeamConfidence]) -> EvenLight {
    wear::even_light(pieces, &likely_seams(seams))
}

/// The wear of pieces by the seams of an answer; `None` if too few are likely right.
///
/// # Panics
/// If a seam is of a piece that does not exist.
pub fn wear_of_seams(pieces: &PieceSet, seams: &[SeamConfidence]) -> Option<WearEstimate> {
    WearEstimate::new(pieces, &likely_seams(seams))
}

/// The seams that are likely right.
fn likely_seams(seams: &[SeamConfidence]) -> Vec<LikelyJoin> {
    let likely = seams.iter().filter(|seam| seam.confidence >= wear::MIN_PROBABILITY);
    likely
        .map(|&SeamConfidence { join, confidence }| LikelyJoin { join, probability: confidence })
        .collect()
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Where the pieces lie.
    pub assembly: Assembly,
    /// By piece, how certain its place is, from 0 to 1; `None` for pieces that lie on no board.
    pub confidences: Vec<Option<f64>>,
    /// Every seam of the assembly, in the order of [`Assembly::joins`], and how certain it is.
    ///
    /// With a matcher that gives probabilities this is the calibrated probability that the two sides belong
    /// together. With [`Matcher::Ratio`](crate::matching::Matcher::Ratio), and where positions are known, it
    /// is a figure from 0 to 1 that is not calibrated.
    pub seams: Vec<SeamConfidence>,
    /// Whether the confidences are calibrated. Not, either, if the observer stopped before all sides were matched.
    pub are_calibrated: bool,
    /// Groups of two and more pieces that are equal pixel for pixel, so that exchanging them changes nothing.
    pub interchangeable: Vec<Vec<PieceId>>,
    /// The least certain places, and alternatives for them. Empty if positions are known.
    pub suggestions: Vec<Suggestion>,
    /// Whether the method finished, or was asked to stop before.
    pub termination: Termination,
    /// What happened to worn pieces; `None` for pieces that were cut cleanly, or if nothing can be told.
    pub wear: Option<WearEstimate>,
    /// The turns that pieces were allowed.
    pub turns: TurnSet,
    /// The name of the method that found it: of a [`Method`](crate::Method), `mrf` for type 3, or `reference`.
    pub method: &'static str,
    /// How much the pieces look like the reference, if there was one.
    pub likeness: Option<ReferenceLikeness>,
}

impl Solution {
    /// An assembly whose seams have these confidences, with suggestions by a match model if there is one.
    pub(crate) fn new(
        pieces: &PieceSet,
        turns: TurnSet,
        method: &'static str,
        (assembly, termination): (Assembly, Termination),
        seams: Vec<SeamConfidence>,
        model: Option<&MatchModel<'_>>,
    ) -> Self {
        let mut confidences = vec![None; assembly.num_pieces()];
        let of_pieces = confidence::of_pieces(&assembly, &seams);
        for Placement { piece, .. } in assembly.placements() {
            confidences[piece.index()] = Some(of_pieces[piece.index()]);
        }
        let suggestions = model.map(|model| suggest(&assembly, &of_pieces, model));
        Self {
            confidences,
            assembly,
            seams,
            are_calibrated: model.is_some_and(MatchModel::has_probabilities),
            interchangeable: interchangeable(pieces, turns),
            suggestions: suggestions.unwrap_or_default(),
            termination,
            wear: None,
            turns,
            method,
            likeness: None,
        }
    }

    /// The same solution with every board turned clockwise.
    #[must_use]
    pub fn turned(mut self, turn: QuarterTurn) -> Self {
        self.assembly = self.assembly.turned(turn);
        let confidences: BTreeMap<Join, f64> =
            self.seams.iter().map(|seam| (seam.join, seam.confidence)).collect();
        let seam =
            |join| confidences.get(&join).map(|&confidence| SeamConfidence { join, confidence });
        self.seams = self.assembly.joins().filter_map(seam).collect();
        for alternative in self.suggestions.iter_mut().flat_map(|it| &mut it.alternatives) {
            alternative.turn += turn;
        }
        self
    }
}
