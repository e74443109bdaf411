//! Fewer turns than the measured candidates suggest, by what the matcher says of them.

use super::{Measured, Puzzle, Settings, SolveError};
use crate::dissimilarity::find_nearest;
use crate::matching::{MatchModel, Matcher};
use crate::observer::{Muted, Observer};
use crate::puzzle::TurnSet;
use crate::turn_choice::TurnEvidence;

impl Measured {
    /// The same with fewer turns, if those of the likely matches are clear although those of the measured candidates are
    /// not: of two blank or ruled sides the measure alone cannot say which way round they touch.
    pub(super) fn with_fewer_turns(
        &self,
        puzzle: &Puzzle,
        model: &MatchModel<'_>,
        settings: &Settings,
        observer: &dyn Observer,
    ) -> Result<Option<Self>, SolveError> {
        let is_doubtful = puzzle.turns.is_none()
            && self.turns != TurnSet::None
            && settings.matcher() == Matcher::Learned
            && !observer.is_stopped();
        if !is_doubtful {
            return Ok(None);
        }
        let matches = model.side_table().matches().iter();
        let evidence = TurnEvidence::of_matches(
            matches.map(|found| (found.a, found.b, f64::from(-found.cost).exp())),
            self.turns,
        );
        let turns = evidence.choice_of_dependent(self.turns);
        if turns == self.turns {
            return Ok(None);
        }
        let (dissimilarity, candidates) = (self.dissimilarity.clone(), settings.candidates());
        let nearest = find_nearest(&dissimilarity, turns, &candidates, &Muted(observer))?;
        Ok(Some(Self { dissimilarity, turns, nearest }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::Silent;
    use crate::picture::synthetic;
    use crate::puzzle::PuzzleType;

    #[test]
    fn turns_that_no_likely_match_needs_are_given_up_and_others_are_kept() {
        let settings = Settings::default();
        for (given, found) in [(PuzzleType::Type1, Some(TurnSet::None)), (PuzzleType::Type2, None)]
        {
            let (pieces, grid, _) = synthetic::puzzle(5, 6, 28, given, 1);
            // As if the candidates had left doubts.
            let all = Puzzle::new(pieces).board(grid).turns(TurnSet::Quarter);
            let measured = Measured::new(&all, &settings, &Silent).unwrap();
            let model = measured.matched(&settings, &Silent).unwrap();
            let fewer = |puzzle: &Puzzle| {
                let fewer = measured.with_fewer_turns(puzzle, &model, &settings, &Silent).unwrap();
                fewer.map(|fewer| fewer.turns)
            };
            assert_eq!(fewer(&Puzzle { turns: None, ..all.clone() }), found);
            // Turns that are given are not doubted.
            assert_eq!(fewer(&all), None);
        }
    }
}
