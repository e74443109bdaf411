//! The true answer, by which assemblies are scored. Solvers must not see it.

use super::{Assembly, PieceClasses};

/// Why an assembly cannot serve as the truth.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the truth {0}")]
pub struct GroundTruthError(String);

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
            return Err(GroundTruthError(format!("gives no place for piece {}", piece.index())));
        }
        let num_pieces = assembly.num_pieces();
        match &pixel_classes {
            Some(classes) if classes.len() != num_pieces => Err(GroundTruthError(format!(
                "has pixel classes (\"looks\") for {} of {num_pieces} pieces; all or none are needed",
                classes.len()
            ))),
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
        let refused =
            |assembly, classes| GroundTruth::new(assembly, classes).unwrap_err().to_string();
        assert_eq!(refused(nothing_placed, None), "the truth gives no place for piece 0");
        let empty = Assembly::new(0, vec![], []).unwrap();
        let error = refused(empty, Some(vec![[0; 4]]));
        assert!(error.contains("for 1 of 0 pieces"), "{error}");
    }
}
