//! The right answer, for judging. No solver may see it.

use super::{Assembly, PieceClasses};

/// Why an assembly cannot serve as the truth.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundTruthError {
    /// A piece without a true place.
    #[error("the truth gives no place for piece {piece}")]
    MissingPiece {
        /// The first such piece.
        piece: usize,
    },
    /// Looks for more or fewer pieces than there are.
    #[error("the truth has looks for {looks} of {num_pieces} pieces; all or none are needed")]
    LooksCount {
        /// Pieces with looks.
        looks: usize,
        /// Pieces in the puzzle.
        num_pieces: usize,
    },
}

/// The true assembly: every piece has its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundTruth {
    assembly: Assembly,
    looks: Option<Vec<PieceClasses>>,
}

impl GroundTruth {
    /// The truth, with the looks of every piece if they are known.
    ///
    /// # Errors
    /// If a piece has no place, or looks are given for some pieces only.
    pub fn new(
        assembly: Assembly,
        looks: Option<Vec<PieceClasses>>,
    ) -> Result<Self, GroundTruthError> {
        if let Some(piece) = assembly.unplaced().next() {
            return Err(GroundTruthError::MissingPiece { piece: piece.index() });
        }
        match &looks {
            Some(looks) if looks.len() != assembly.num_pieces() => {
                Err(GroundTruthError::LooksCount {
                    looks: looks.len(),
                    num_pieces: assembly.num_pieces(),
                })
            }
            _ => Ok(Self { assembly, looks }),
        }
    }

    /// Where every piece belongs.
    #[must_use]
    pub const fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// The looks of each piece, by number, if known.
    #[must_use]
    pub fn looks(&self) -> Option<&[PieceClasses]> {
        self.looks.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truth_places_every_piece_and_knows_all_looks_or_none() {
        let board = vec![crate::puzzle::Grid::new(1, 1).unwrap()];
        let nothing_placed = Assembly::new(1, board, []).unwrap();
        assert_eq!(
            GroundTruth::new(nothing_placed, None),
            Err(GroundTruthError::MissingPiece { piece: 0 })
        );
        let empty = Assembly::new(0, vec![], []).unwrap();
        assert_eq!(
            GroundTruth::new(empty, Some(vec![[0; 4]])),
            Err(GroundTruthError::LooksCount { looks: 1, num_pieces: 0 })
        );
    }
}
