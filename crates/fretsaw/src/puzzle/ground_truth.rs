//! The true answer, by which assemblies are scored. Solvers must not see it.

use super::{Assembly, PieceClasses, PieceSet, pixel_classes_of, visual_classes_of};

/// Why an assembly cannot serve as the truth.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the truth {0}")]
pub struct GroundTruthError(String);

/// The true assembly: every piece has its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundTruth {
    assembly: Assembly,
    pixel_classes: Option<Vec<PieceClasses>>,
    visual_classes: Option<Vec<PieceClasses>>,
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
        check_complete(&assembly, pixel_classes.as_deref(), "pixel classes (\"looks\")")?;
        Ok(Self { assembly, pixel_classes, visual_classes: None })
    }

    /// The truth of these pieces, with all their classes.
    ///
    /// # Errors
    /// If a piece has no place, or there are more or fewer pieces than in the assembly.
    pub fn of_pieces(assembly: Assembly, pieces: &PieceSet) -> Result<Self, GroundTruthError> {
        let pixel_classes = pixel_classes_of(pieces);
        let visual_classes = visual_classes_of(pieces, &pixel_classes);
        Self::new(assembly, Some(pixel_classes))?.with_visual_classes(Some(visual_classes))
    }

    /// The same truth with the visual classes of every piece if they are known.
    ///
    /// # Errors
    /// If visual classes are given for some pieces only.
    pub fn with_visual_classes(
        self,
        visual_classes: Option<Vec<PieceClasses>>,
    ) -> Result<Self, GroundTruthError> {
        check_complete(&self.assembly, visual_classes.as_deref(), "visual classes (\"visual\")")?;
        Ok(Self { visual_classes, ..self })
    }

    /// Where every piece belongs.
    pub const fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// The pixel classes of each piece, by number, if known.
    pub fn pixel_classes(&self) -> Option<&[PieceClasses]> {
        self.pixel_classes.as_deref()
    }

    /// The visual classes of each piece, by number, if known.
    pub fn visual_classes(&self) -> Option<&[PieceClasses]> {
        self.visual_classes.as_deref()
    }
}

fn check_complete(
    assembly: &Assembly,
    classes: Option<&[PieceClasses]>,
    what: &str,
) -> Result<(), GroundTruthError> {
    let num_pieces = assembly.num_pieces();
    match classes {
        Some(classes) if classes.len() != num_pieces => Err(GroundTruthError(format!(
            "has {what} for {} of {num_pieces} pieces; all or none are needed",
            classes.len()
        ))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truth_places_every_piece_and_has_all_classes_or_none() {
        let board = vec![crate::puzzle::Grid::new(1, 1).unwrap()];
        let nothing_placed = Assembly::new(1, board, []).unwrap();
        let refused =
            |assembly, classes| GroundTruth::new(assembly, classes).unwrap_err().to_string();
        assert_eq!(refused(nothing_placed, None), "the truth gives no place for piece 0");
        let empty = Assembly::new(0, vec![], []).unwrap();
        let error = refused(empty.clone(), Some(vec![[0; 4]]));
        assert!(error.contains("\"looks\") for 1 of 0 pieces"), "{error}");
        let truth = GroundTruth::new(empty, None).unwrap();
        let error = truth.with_visual_classes(Some(vec![[0; 4]])).unwrap_err().to_string();
        assert!(error.contains("\"visual\") for 1 of 0 pieces"), "{error}");
    }
}
