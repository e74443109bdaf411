//! The true answer, by which assemblies are scored. Solvers must not see it.

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
    /// Pixel classes for more or fewer pieces than there are.
    #[error(
        "the truth has pixel classes (\"looks\") for {classes} of {num_pieces} pieces; all or none \
         are needed"
    )]
    ClassCount {
        /// Pieces with pixel classes.
        classes: usize,
        /// Pieces in the puzzle.
        num_pieces: usize,
    },
}

/// The true assembly: every piece has its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundTruth {
    assembly: Assembly,
    pixel_classes: Option<Vec<PieceClasses>>,
}

impl GroundTruth {
    /// The truth, with the pixel classes of every piece if they are known.
    ///
    /// # Errors
    /// If a piece has no place, or pixel classes are given for some pieces only.
    pub fn new(
        assembly: Assembly,
        pixel_classes: Option<Vec<PieceClasses>>,
    ) -> Result<Self, GroundTruthError> {
        if let Some(piece) = assembly.unplaced().next() {
            return Err(GroundTruthError::MissingPiece { piece: piece.index() });
        }
        match &pixel_classes {
            Some(classes) if classes.len() != assembly.num_pieces() => {
                Err(GroundTruthError::ClassCount {
                    classes: classes.len(),
                    num_pieces: assembly.num_pieces(),
                })
            }
            _ => Ok(Self { assembly, pixel_classes }),
        }
    }

    /// Where every piece belongs.
    pub const fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// The pixel classes of each piece, by number, if known.
    pub fn pixel_classes(&self) -> Option<&[PieceClasses]> {
        self.pixel_classes.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truth_places_every_piece_and_has_all_pixel_classes_or_none() {
        let board = vec![crate::puzzle::Grid::new(1, 1).unwrap()];
        let nothing_placed = Assembly::new(1, board, []).unwrap();
        assert_eq!(
            GroundTruth::new(nothing_placed, None),
            Err(GroundTruthError::MissingPiece { piece: 0 })
        );
        let empty = Assembly::new(0, vec![], []).unwrap();
        assert_eq!(
            GroundTruth::new(empty, Some(vec![[0; 4]])),
            Err(GroundTruthError::ClassCount { classes: 1, num_pieces: 0 })
        );
    }
}
