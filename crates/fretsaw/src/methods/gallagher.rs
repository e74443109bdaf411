//! Gallagher's tree-based solver for types 1 and 2 \[Gal12\], a baseline of the paper.
//!
//! 1. Measure all pairs of sides; divide each by the best alternative of its two sides.
//! 2. Tree: join pieces along the matches in order of that ratio, never two in one cell.
//! 3. Trim: keep the part of the largest segment that the frame can cover.
//! 4. Fill: put the other pieces one by one where they fit best.
//!
//! Gallagher takes all pairs of sides into the tree; we take each side's candidates. The frame is
//! tried in both orientations where quarter turns are possible.

use crate::locations::board::Board;
use crate::locations::fill::{Filling, fill_board};
use crate::locations::matches::CandidateMatches;
use crate::locations::segment::{Limit, Segments};
use crate::locations::{LocationError, LocationProblem, LocationSolver};
use crate::observer::{Observer, Stage};
use crate::puzzle::Assembly;

/// Gallagher's solver, which has no settings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gallagher;

impl LocationSolver for Gallagher {
    fn name(&self) -> &'static str {
        "gallagher"
    }

    fn locate(
        &self,
        problem: &LocationProblem<'_>,
        observer: &dyn Observer,
    ) -> Result<Assembly, LocationError> {
        observer.stage_started(Stage::Assemble, problem.num_pieces() as u64);
        let matches = CandidateMatches::new(problem.model, problem.seed);
        let mut segments = Segments::singles(problem.num_pieces());
        segments.grow(matches.all(), Limit::None);
        let board = Board::of_largest(problem, &segments);
        let assembly = fill_board(problem, board, Filling::MostNeighbors, observer)?;
        observer.stage_finished(Stage::Assemble);
        Ok(assembly)
    }
}
