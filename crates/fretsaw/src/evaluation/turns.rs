//! The share of right turns, where only turns were estimated.

use crate::puzzle::{GroundTruth, Placement, QuarterTurn};
use serde::Serialize;

/// Shares of pieces with the right turn, up to one common turn of all. Higher is better.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TurnScore {
    /// Pieces turned as in the truth / all pieces.
    pub right: f64,
    /// Pieces with the pixels of the truth / all pieces, if the truth has pixel classes: a uniform piece
    /// is the same after any turn.
    pub right_px: Option<f64>,
}

/// The share of right turns, for the best common turn; each share for its own best.
///
/// # Panics
/// If there are fewer turns than the truth has pieces.
pub fn score_turns(truth: &GroundTruth, turns: &[QuarterTurn]) -> TurnScore {
    let best_share = |is_right: &dyn Fn(Placement, QuarterTurn) -> bool| {
        let count = |common: QuarterTurn| {
            truth
                .assembly()
                .placements()
                .filter(|&placement| is_right(placement, turns[placement.piece.index()] + common))
                .count()
        };
        let most = QuarterTurn::ALL.map(count).into_iter().max().unwrap_or(0);
        most as f64 / truth.assembly().num_pieces().max(1) as f64
    };
    TurnScore {
        right: best_share(&|placement, turn| placement.place.turn == turn),
        right_px: truth.pixel_classes().map(|classes| {
            best_share(&|placement, turn| {
                let classes = classes[placement.piece.index()];
                classes[placement.place.turn.index()] == classes[turn.index()]
            })
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::synthetic;
    use crate::puzzle::PuzzleType;

    #[test]
    fn a_common_turn_changes_nothing_and_a_single_one_counts_as_wrong() {
        let (_, _, truth) = synthetic::puzzle(3, 4, 6, PuzzleType::Type2, 2);
        for common in QuarterTurn::ALL {
            let mut turns: Vec<QuarterTurn> =
                truth.assembly().placements().map(|p| p.place.turn + common).collect();
            let score = score_turns(&truth, &turns);
            assert_eq!((score.right, score.right_px), (1.0, Some(1.0)));
            turns[5] += QuarterTurn::HALF;
            assert_eq!(score_turns(&truth, &turns).right, 11.0 / 12.0);
        }
    }
}
