//! Gallagher's tree-based solver for types 1 and 2 \[Gal12\], a baseline of the paper.
//!
//! 1. Measure all pairs of sides; divide each by the best alternative of its two sides.
//! 2. Tree: join pieces along the matches in order of that ratio, never two in one cell.
//! 3. Trim: keep of the largest segment what the frame can cover.
//! 4. Fill: put the other pieces one by one where they fit best.
//!
//! Gallagher takes all pairs of sides into the tree; we take each side's candidates. The frame is
//! tried in both orientations where quarter turns are possible.

use crate::dissimilarity::{Dissimilarity, NearestSides};
use crate::locations::fill::fill_holes;
use crate::locations::tree::{Match, grow_segments};
use crate::locations::trim::trim_to_frame;
use crate::observer::{Cancelled, Observer, Stage};
use crate::puzzle::{Assembly, AssemblyError, Grid, PieceId, QuarterTurn, SideId, TurnSet};
use crate::random::tie_breaker;

/// What can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GallagherError {
    /// The observer asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The parts did not fit together; a defect of this crate.
    #[error("the assembler contradicted itself: {0}")]
    Contradiction(#[from] AssemblyError),
}

/// Assemble pieces from their sides' candidates.
///
/// # Errors
/// If the observer cancels.
pub fn assemble(
    dissimilarity: &Dissimilarity,
    nearest: &NearestSides,
    frame: Grid,
    turns: TurnSet,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Assembly, GallagherError> {
    let num_pieces = nearest.num_sides() / 4;
    observer.stage_started(Stage::Assemble, num_pieces as u64);
    let tie = tie_breaker(seed);

    let segments = grow_segments(num_pieces, ratio_matches(nearest), |a, b| {
        tie(a.index() as u64, b.index() as u64)
    });
    let largest = segments.by_size()[0];
    let placed = trim_to_frame(&segments, largest, frame, frame_turns(frame, turns));
    observer.stage_advanced(Stage::Assemble, placed.len() as u64);

    let mut is_loose = vec![true; num_pieces];
    for placement in &placed {
        is_loose[placement.piece.index()] = false;
    }
    let loose: Vec<PieceId> =
        (0..num_pieces).map(PieceId::new).filter(|piece| is_loose[piece.index()]).collect();
    let placed = fill_holes(
        frame,
        placed,
        loose,
        turns.turns(),
        &|a, b| dissimilarity.value(a, b),
        &|piece| tie(piece.index() as u64, u64::MAX),
        observer,
    )?;

    let assembly = Assembly::new(num_pieces, vec![frame], placed)?;
    observer.stage_finished(Stage::Assemble);
    Ok(assembly)
}

/// Every candidate pair once, ranked by Gallagher's ratio.
fn ratio_matches(nearest: &NearestSides) -> Vec<Match> {
    let mut matches = Vec::new();
    for a in (0..nearest.num_sides()).map(SideId::from_index) {
        for candidate in nearest.of(a) {
            let b = candidate.side;
            let listed_by_b = nearest.of(b).iter().any(|other| other.side == a);
            if a < b || !listed_by_b {
                matches.push(Match { a, b, rank: nearest.ratio(a, b, candidate.dissimilarity) });
            }
        }
    }
    matches
}

/// The turns of a whole segment that a frame must be tried with: as it lies, and across if that is
/// possible and makes a difference.
fn frame_turns(frame: Grid, turns: TurnSet) -> &'static [QuarterTurn] {
    if turns == TurnSet::Quarter && frame.rows() != frame.cols() {
        &QuarterTurn::ALL[..2]
    } else {
        &QuarterTurn::ALL[..1]
    }
}
