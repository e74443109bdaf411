//! Advice on a board that a person changes: how certain its places are, and which other pieces may lie there.

use crate::failure::Failure;
use crate::host::Watcher;
use crate::messages::Suggested;
use crate::session::{Rated, of_placed};
use fretsaw::puzzle::{Place, TurnSet};
use fretsaw::solution::Suggestion;
use fretsaw::unstable::Measured;
use fretsaw::unstable::confidence::{of_pieces, of_seams};
use fretsaw::unstable::matching::MatchModel;
use fretsaw::unstable::suggestions::{alternatives_at, suggest};
use fretsaw::{Assembly, Puzzle, Settings};

/// How likely any two sides of a puzzle belong together.
pub(crate) struct Advice {
    model: MatchModel<'static>,
    turns: TurnSet,
}

impl Advice {
    /// Compares all sides of the puzzle, which takes about a third of the time of a solve.
    pub(crate) fn new(puzzle: &Puzzle) -> Result<Self, Failure> {
        if puzzle.positions_known {
            return Err(Failure::other(
                "the positions of these pieces are known, so there is nothing to suggest",
            ));
        }
        let (settings, watcher) = (Settings::default(), Watcher::new(false));
        let measured = Measured::new(puzzle, &settings, &watcher).map_err(Failure::other)?;
        // Never freed: the model borrows it and lives as long as the worker, which has one puzzle.
        let measured: &'static Measured = Box::leak(Box::new(measured));
        let model = measured.matched(&settings, &watcher).map_err(Failure::other)?;
        Ok(Self { model, turns: measured.turns })
    }

    pub(crate) const fn turns(&self) -> TurnSet {
        self.turns
    }

    /// The confidence in every piece and seam of a board.
    pub(crate) fn rated(&self, assembly: &Assembly) -> Rated {
        let seams = of_seams(assembly, &self.model);
        (of_placed(assembly, &of_pieces(assembly, &seams)), seams)
    }

    /// What may lie in a place.
    pub(crate) fn suggested(&self, assembly: &Assembly, place: Place) -> Suggested {
        let confidence = of_pieces(assembly, &of_seams(assembly, &self.model));
        let (here, alternatives) = alternatives_at(assembly, place, &confidence, &self.model);
        Suggested { here, alternatives: alternatives.into_iter().map(Into::into).collect() }
    }

    /// The suggestions of a document.
    pub(crate) fn suggestions(
        &self,
        assembly: &Assembly,
        confidences: &[Option<f64>],
    ) -> Vec<Suggestion> {
        let known: Vec<f64> = confidences.iter().map(|known| known.unwrap_or_default()).collect();
        suggest(assembly, &known, &self.model)
    }
}
