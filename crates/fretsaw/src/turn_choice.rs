//! Which turns the pieces of a puzzle need, from how their sides fit.
//!
//! In: candidates found with every turn that the shape of the pieces allows. Two sides that are each other's best
//! candidate mostly belong together, and determine the relative turn of their pieces. If no piece was turned, nearly
//! all such matches have the relative turn zero; if pieces were turned at random, all relative turns are equally
//! frequent; wrong matches have any turn. The choice is the hypothesis that makes all matches together most likely. In
//! doubt more turns are allowed: that costs some time and little accuracy, whereas a missing turn costs pieces.
//!
//! `fretsaw-lab diagnose turns` counts how often the choice is right.

use crate::dissimilarity::NearestSides;
use crate::puzzle::{QuarterTurn, SideId, SidePair, TurnSet};

/// Fewer turns are chosen if they make the matches more likely by this log ratio.
const MARGIN: f64 = 3.0;
/// The same if the matches depend on each other.
const MARGIN_OF_DEPENDENT: f64 = 10.0;

/// The least probability that a match is wrong, however clearly it wins.
const LEAST_WRONG: f64 = 0.1;

/// Log likelihoods of the mutual best matches for each set of turns. Only their differences matter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurnEvidence {
    /// The number of mutual best matches, each weighted by the probability that it is right.
    pub num_believed: f64,
    /// If no piece was turned.
    pub none: f64,
    /// If pieces were turned by half a turn or not at all.
    pub half: f64,
    /// If pieces were turned any way.
    pub quarter: f64,
}

impl TurnEvidence {
    /// The evidence of candidates that were found with these turns.
    ///
    /// A match is the more probable, the more clearly it wins against the best alternative.
    pub fn new(nearest: &NearestSides, turns: TurnSet) -> Self {
        let mut evidence = Self::default();
        for a in (0..nearest.num_sides()).map(SideId::from_index) {
            let Some(best) = nearest.of(a).first() else { continue };
            let b = best.side;
            let is_mutual = nearest.of(b).first().is_some_and(|back| back.side == a);
            if !is_mutual || b < a {
                continue;
            }
            let believed = (1.0 - nearest.ratio(a, b, best.cost)).min(1.0 - LEAST_WRONG);
            if believed > 0.0 {
                evidence.add(SidePair::of(a, b).turn_j_from_i(), believed, turns);
            }
        }
        evidence
    }

    /// The evidence of pairs of sides, each with the probability that they touch.
    pub(crate) fn of_matches(
        matches: impl IntoIterator<Item = (SideId, SideId, f64)>,
        turns: TurnSet,
    ) -> Self {
        let mut evidence = Self::default();
        for (a, b, probability) in matches {
            let believed = probability.min(1.0 - LEAST_WRONG);
            evidence.add(SidePair::of(a, b).turn_j_from_i(), believed, turns);
        }
        evidence
    }

    /// Adds a match with this relative turn, which is right with the probability `believed`.
    fn add(&mut self, turn: QuarterTurn, believed: f64, turns: TurnSet) {
        let by_chance = 1.0 / turns.turns().len() as f64;
        let likelihood = |given: TurnSet| {
            let if_right =
                if given.contains(turn) { 1.0 / given.turns().len() as f64 } else { 0.0 };
            (believed * if_right + (1.0 - believed) * by_chance).ln()
        };
        self.num_believed += believed;
        self.none += likelihood(TurnSet::None);
        self.half += likelihood(TurnSet::Half);
        self.quarter += likelihood(TurnSet::Quarter);
    }

    fn of(&self, turns: TurnSet) -> f64 {
        match turns {
            TurnSet::None => self.none,
            TurnSet::Half => self.half,
            TurnSet::Quarter => self.quarter,
        }
    }

    /// The smallest set of turns, up to `widest`, that explains the matches clearly better than all larger sets.
    pub fn choice(&self, widest: TurnSet) -> TurnSet {
        self.choice_by(MARGIN, widest)
    }

    /// The same for matches that a matcher found together, so that a wrong one brings others with it.
    pub(crate) fn choice_of_dependent(&self, widest: TurnSet) -> TurnSet {
        self.choice_by(MARGIN_OF_DEPENDENT, widest)
    }

    fn choice_by(&self, margin: f64, widest: TurnSet) -> TurnSet {
        let sets: &[TurnSet] = match widest {
            TurnSet::None => &[TurnSet::None],
            TurnSet::Half => &[TurnSet::None, TurnSet::Half],
            TurnSet::Quarter => &[TurnSet::None, TurnSet::Half, TurnSet::Quarter],
        };
        let is_clear = |at: &usize| {
            let mut wider = sets[at + 1..].iter();
            wider.all(|&other| self.of(sets[*at]) >= self.of(other) + margin)
        };
        (0..sets.len()).find(is_clear).map_or(widest, |at| sets[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
    use crate::observer::Silent;
    use crate::picture::synthetic;
    use crate::picture::{ScrambleSettings, cut, scramble};
    use crate::puzzle::{PieceShape, PuzzleType};
    use crate::random::Stream;

    /// The choice for a landscape cut into pieces of this size, which are turned by the given turns.
    fn choice(rows: usize, cols: usize, (width, height): (u32, u32), given: TurnSet) -> TurnSet {
        let shape = PieceShape::new(height, width).unwrap();
        let picture = synthetic::demo_picture(rows * height as usize, cols * width as usize, 5);
        let settings = ScrambleSettings::new(PuzzleType::Type1, 3);
        let upright = scramble(&cut(&picture, shape).unwrap(), &settings).unwrap().pieces;
        let mut random = Stream::new(7, 0);
        let turns: Vec<QuarterTurn> =
            upright.ids().map(|_| given.turns()[random.below(given.turns().len())]).collect();
        let pieces = upright.turned(|piece| turns[piece.index()]).unwrap();
        let widest = PuzzleType::Type2.turns(shape);
        let measured = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let settings = NearestSettings::default();
        let nearest = find_nearest(&measured, widest, &settings, &Silent).unwrap();
        TurnEvidence::new(&nearest, widest).choice(widest)
    }

    #[test]
    fn turns_are_found_from_the_pieces() {
        use TurnSet::{Half, None, Quarter};
        let square = [None, Half, Quarter].map(|given| ((28, 28), given));
        let oblong = [None, Half].map(|given| ((40, 25), given));
        for (size, given) in square.into_iter().chain(oblong) {
            assert_eq!(choice(8, 10, size, given), given, "{size:?}");
            // A dozen pieces may leave doubt, but no needed turn may be left out.
            let of_few = choice(3, 4, size, given);
            assert!(given.turns().iter().all(|&turn| of_few.contains(turn)), "{size:?} {given:?}");
        }
    }

    #[test]
    fn in_doubt_all_turns_are_allowed() {
        for widest in [TurnSet::None, TurnSet::Half, TurnSet::Quarter] {
            assert_eq!(TurnEvidence::default().choice(widest), widest);
        }
        let mut few = TurnEvidence::default();
        few.add(QuarterTurn::ZERO, 0.9, TurnSet::Quarter);
        assert_eq!(few.choice(TurnSet::Quarter), TurnSet::Quarter);
        // Thirty matches outvote two that contradict them.
        (0..30).for_each(|_| few.add(QuarterTurn::ZERO, 0.9, TurnSet::Quarter));
        (0..2).for_each(|_| few.add(QuarterTurn::HALF, 0.9, TurnSet::Quarter));
        assert_eq!(few.choice(TurnSet::Quarter), TurnSet::None);
    }
}
