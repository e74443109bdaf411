//! How good an answer probably is, in words.

use crate::boards::KnownBoards;
use crate::methods::fretsaw::Effort;
use crate::puzzle::TurnSet;
use crate::solution::Solution;
use crate::solve::{Method, Puzzle, Settings};
use std::fmt;

/// Above this share of likely seams there is nothing to improve.
const GOOD: f64 = 0.95;
/// Below it, pieces may be of another kind than was said.
const DOUBTFUL: f64 = 0.8;
/// Below it, the board is mostly a guess.
const POOR: f64 = 0.5;
/// Below it, the board is no better than any other. The calibration of confidences leaves up to an eighth to seams of noise.
const BY_CHANCE: f64 = 0.15;

/// How many seams of an answer are probably right, and what may help if they are few.
///
/// Its text is one sentence.
///
/// ```
/// use fretsaw::verdict::Verdict;
/// use fretsaw::{Puzzle, PuzzleType, Settings, Silent, solve};
///
/// let (pieces, grid, _) = fretsaw::picture::synthetic::puzzle(6, 8, 28, PuzzleType::Type1, 1);
/// let (puzzle, settings) = (Puzzle::new(pieces).board(grid), Settings::default());
/// let solution = solve(&puzzle, &settings, &Silent)?;
/// let verdict = Verdict::new(&puzzle, &settings, &solution).ok_or("no probabilities")?;
/// assert!(verdict.share() > 0.9 && verdict.helps.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Seams of the answer.
    pub num_seams: usize,
    /// How many of them are right, in expectation.
    pub likely_right: f64,
    /// What may give a better answer. Empty if nearly all seams are probably right.
    pub helps: Vec<Help>,
}

/// What may help a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Help {
    /// To say that pieces may be mirrored. Only [`Puzzle::seems_mirrored`] can tell.
    Mirror,
    /// To say how many columns and rows the picture has.
    Size,
    /// To say that no piece is turned, if it is so.
    Turns,
    /// To search longer.
    Effort,
}

impl Verdict {
    /// The verdict on an answer; `None` if it has no seams, or its confidences are not calibrated.
    pub fn new(puzzle: &Puzzle, settings: &Settings, solution: &Solution) -> Option<Self> {
        if solution.seams.is_empty() || !solution.are_calibrated {
            return None;
        }
        let likely_right = solution.seams.iter().map(|seam| seam.confidence).sum();
        let mut verdict = Self { num_seams: solution.seams.len(), likely_right, helps: Vec::new() };
        if verdict.share() < GOOD {
            let may_search_more = matches!(settings.method, Method::Fretsaw(effort) if effort != Effort::High)
                && !verdict.is_by_chance();
            let helps = [
                (Help::Size, puzzle.boards == KnownBoards::default()),
                (Help::Turns, puzzle.turns.is_none() && solution.turns != TurnSet::None),
                (Help::Effort, may_search_more),
            ];
            verdict.helps = helps.into_iter().filter(|help| help.1).map(|help| help.0).collect();
        }
        Some(verdict)
    }

    /// Whether so few seams are right that the pieces may be of another kind than was said, such as mirrored ones.
    pub fn is_doubtful(&self) -> bool {
        self.share() < DOUBTFUL
    }

    /// Whether the answer is no better than any other would be.
    pub fn is_by_chance(&self) -> bool {
        self.share() < BY_CHANCE
    }

    /// The share of the seams that are right, in expectation.
    pub fn share(&self) -> f64 {
        self.likely_right / self.num_seams as f64
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (num_seams, percent) = (self.num_seams, 100.0 * self.share());
        if percent >= 99.5 {
            write!(f, "nearly all of its {num_seams} seams are probably right")
        } else {
            write!(f, "about {percent:.0} % of its {num_seams} seams are probably right")?;
            if self.is_by_chance() {
                write!(
                    f,
                    ": no better than chance, as the pieces do not show which belong together"
                )
            } else if self.share() < POOR {
                write!(f, ": most of the picture is a guess")
            } else {
                Ok(())
            }
        }
    }
}
