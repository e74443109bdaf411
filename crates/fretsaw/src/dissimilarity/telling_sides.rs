//! How much the sides of a puzzle can tell, known before anything is solved.

use super::DissimilarityError;
use super::strips::Strips;
use crate::puzzle::{PieceSet, Side, SideId, TurnSet};
use serde::Serialize;
use std::fmt;

/// A side tells its piece apart if at most this many sides have the same pixels, itself included.
const MOST_ALIKE: usize = 8;

/// How many pieces of a puzzle have a side that tells them apart from others.
///
/// No solver can tell where a plain tile belongs among a thousand others. [`Display`](fmt::Display) says so in one
/// sentence.
///
/// ```
/// use fretsaw::unstable::dissimilarity::TellingSides;
/// use fretsaw::puzzle::{Samples, TurnSet};
/// use fretsaw::{PieceSet, PieceShape};
///
/// let white = Samples::U8(vec![255; 100 * 16]);
/// let pieces = PieceSet::new(PieceShape::new(4, 4)?, 1, white)?;
/// let found = TellingSides::of(&pieces, TurnSet::Quarter)?;
/// assert!(found.are_few());
/// assert_eq!(
///     found.to_string(),
///     "100 of 100 pieces have no side that tells them apart; at most about 0 % of the seams can be right"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TellingSides {
    /// Pieces of the puzzle.
    pub pieces: usize,
    /// Pieces without a side that tells them apart: more than 8 sides have the same two lines of pixels as each of
    /// theirs.
    pub alike: usize,
    /// About the largest share of the seams that can be right. A piece can be put in its place with the
    /// probability 1 / c, where c sides have the pixels of its most telling side; a seam needs its pieces in place.
    pub seam_share: f64,
}

impl TellingSides {
    /// Compares all sides that these turns allow to take each other's place.
    ///
    /// # Errors
    /// If the pieces are too thin to compare.
    pub fn of(pieces: &PieceSet, turns: TurnSet) -> Result<Self, DissimilarityError> {
        DissimilarityError::check(pieces.shape())?;
        let strips = Strips::new(pieces);
        let counts = counts_alike(&strips, turns);
        let of_pieces = counts.chunks_exact(Side::ALL.len());
        let most_telling: Vec<usize> =
            of_pieces.map(|sides| sides.iter().copied().min().unwrap_or(1)).collect();
        let alike = most_telling.iter().filter(|&&count| count > MOST_ALIKE).count();
        let in_place: f64 = most_telling.iter().map(|&count| 1.0 / count as f64).sum();
        let num_pieces = pieces.num_pieces();
        Ok(Self { pieces: num_pieces, alike, seam_share: in_place / num_pieces.max(1) as f64 })
    }

    /// Whether so few pieces can be told apart that most of the picture cannot be right.
    pub fn are_few(&self) -> bool {
        2 * self.alike >= self.pieces && self.alike > 0
    }
}

impl fmt::Display for TellingSides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pieces, alike, seam_share } = self;
        write!(
            f,
            "{alike} of {pieces} pieces have no side that tells them apart; at most about {:.0} % of the seams \
             can be right",
            100.0 * seam_share
        )
    }
}

/// The number of distinct strips, and of the sides that share theirs with so few that they can list them.
pub(crate) fn distinct_sides(
    pieces: &PieceSet,
    max_candidates: usize,
) -> Result<(usize, usize), DissimilarityError> {
    DissimilarityError::check(pieces.shape())?;
    let strips = Strips::new(pieces);
    let counts = counts_alike(&strips, TurnSet::Quarter);
    let num_listing = counts.iter().filter(|&&count| count <= max_candidates).count();
    Ok((strips.num_strips(), num_listing))
}

/// By side, how many sides have the same strip and may face the same direction.
fn counts_alike(strips: &Strips, turns: TurnSet) -> Vec<usize> {
    let kind = |side: SideId| match turns {
        TurnSet::None => side.side().index(),
        TurnSet::Half => side.side().index() % 2,
        TurnSet::Quarter => 0,
    };
    let sides = || (0..strips.num_sides()).map(SideId::from_index);
    let mut counts = vec![[0; 4]; strips.num_strips()];
    for side in sides() {
        counts[strips.strip_of(side)][kind(side)] += 1;
    }
    sides().map(|side| counts[strips.strip_of(side)][kind(side)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::synthetic;
    use crate::puzzle::{PieceShape, PuzzleType, Samples};

    #[test]
    fn photographs_can_be_told_apart_and_repeated_tiles_cannot() {
        let (photograph, ..) = synthetic::puzzle(6, 7, 12, PuzzleType::Type2, 1);
        let found = TellingSides::of(&photograph, TurnSet::Quarter).unwrap();
        assert_eq!((found.alike, found.are_few(), found.seam_share), (0, false, 1.0));

        // Twelve tiles, twice each way round: a side has twelve equals in type 1, and with half turns more.
        let tile: Vec<u8> = (0..9).collect();
        let turned: Vec<u8> = (0..9).rev().collect();
        let values: Vec<u8> =
            (0..12).flat_map(|_| [tile.clone(), turned.clone()].concat()).collect();
        let shape = PieceShape::new(3, 3).unwrap();
        let pieces = PieceSet::new(shape, 1, Samples::U8(values)).unwrap();
        for (turns, expected) in [(TurnSet::None, 12.0), (TurnSet::Half, 24.0)] {
            let found = TellingSides::of(&pieces, turns).unwrap();
            assert_eq!((found.alike, found.are_few()), (24, true));
            assert!((found.seam_share - 1.0 / expected).abs() < 1e-12, "{turns:?}: {found:?}");
        }
    }
}
