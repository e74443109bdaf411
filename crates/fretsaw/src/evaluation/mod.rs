//! Scores of assemblies against the truth.
//!
//! Depends on [`puzzle`](crate::puzzle) and on no part of a solver, so that any solver can be scored. All scores are shares
//! between 0 and 1; higher is better.
//!
//! The truth's board and the assembly's may be turned against each other as a whole: that is the
//! gauge, and the best of the four turns counts. Cost: O(n log n).

mod score;
mod turns;

pub use score::{Correctness, Score, ScoreError, best_turn, correct_joins, correct_pieces, score};
pub use turns::{TurnScore, score_turns};
