//! What happened to the pieces of a puzzle, without solving it.

use super::{Measured, Puzzle, Settings, SolveError};
use crate::dissimilarity::Material;
use crate::observer::Observer;
use crate::wear::{WearEstimate, likely_joins};

impl Puzzle {
    /// Estimates the wear of the pieces from their likely matches. `None` if they were cut cleanly, or if nothing can be
    /// told.
    ///
    /// # Errors
    /// If the pieces cannot be measured, or the observer cancels.
    pub fn estimate_wear(
        &self,
        observer: &dyn Observer,
    ) -> Result<Option<WearEstimate>, SolveError> {
        let settings = Settings::default();
        let measured = Measured::new(self, &settings, observer)?;
        if measured.dissimilarity.material() != Material::Worn {
            return Ok(None);
        }
        let model = measured.matched(&settings, observer)?;
        Ok(WearEstimate::new(&self.pieces, &likely_joins(&model)))
    }
}
