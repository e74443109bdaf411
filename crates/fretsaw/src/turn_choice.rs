//! Which turns pieces need at all, told from how their sides fit.
//!
//! In: candidates found with every turn that the pieces' shape allows. Two sides that are each other's
//! best candidate mostly belong together, and say how their pieces are turned against each other. Of
//! pieces that nobody turned nearly all such matches say "not at all"; of pieces that were turned at
//! random as many say one turn as another; wrong matches say anything. Which of these it is, is told
//! by how likely all matches are, taken together, if it were so. In doubt more turns are allowed: that
//! costs some time and little accuracy, while a turn that is missing costs pieces.
//!
//! `fretsaw bench turns` counts how often the choice is right.

use crate::dissimilarity::NearestSides;
use crate::puzzle::{QuarterTurn, SideId, SidePair, TurnSet};

/// How many times as likely, as a logarithm, matches must be if fewer turns are allowed.
const MARGIN: f64 = 3.0;

/// The share of matches that are wrong however clearly they win.
const LEAST_WRONG: f64 = 0.1;

/// The logarithm of how likely the mutual best matches are, by the turns that pieces were given; only
/// differences matter.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TurnEvidence {
    /// Mutual best matches, each counted as much as it can be believed.
    pub num_believed: f64,
    /// If no piece was turned.
    pub none: f64,
    /// If pieces were turned by half a turn or not at all.
    pub half: f64,
    /// If pieces were turned any way.
    pub quarter: f64,
}

impl TurnEvidence {
    /// Of candidates that were found with these turns.
    ///
    /// A match is believed the more, the more clearly it wins against the best alternative.
    #[must_use]
    pub fn new(nearest: &NearestSides, turns: TurnSet) -> Self {
        let mut evidence = Self::default();
        for a in (0..nearest.num_sides()).map(SideId::from_index) {
            let Some(best) = nearest.of(a).first() else { continue };
            let b = best.side;
            let is_mutual = nearest.of(b).first().is_some_and(|back| back.side == a);
            if !is_mutual || b < a {
                continue;
            }
            let believed = (1.0 - nearest.ratio(a, b, best.dissimilarity)).min(1.0 - LEAST_WRONG);
            if believed > 0.0 {
                evidence.add(SidePair::of(a, b).turn_j_from_i(), believed, turns);
            }
        }
        evidence
    }

    /// Another match, with the turn between its pieces and the probability that it is right.
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

    /// The fewest of these turns that explain the matches clearly better than any more would.
    #[must_use]
    pub fn choice(&self, widest: TurnSet) -> TurnSet {
        let sets: &[TurnSet] = match widest {
            TurnSet::None => &[TurnSet::None],
            TurnSet::Half => &[TurnSet::None, TurnSet::Half],
            TurnSet::Quarter => &[TurnSet::None, TurnSet::Half, TurnSet::Quarter],
        };
        let is_clear = |at: &usize| {
            let mut wider = sets[at + 1..].iter();
            wider.all(|&other| self.of(sets[*at]) >= self.of(other) + MARGIN)
        };
        (0..sets.len()).find(is_clear).map_or(widest, |at| sets[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
    use crate::observer::Silent;
    use crate::picture::{ScrambleSettings, cut, scramble};
    use crate::puzzle::{PieceShape, PuzzleType};
    use crate::random::Stream;
    use crate::synthetic;

    /// The choice for a landscape that was cut into pieces of this size, turned by such turns.
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
    fn turns_are_told_from_the_pieces() {
        use TurnSet::{Half, None, Quarter};
        let square = [None, Half, Quarter].map(|given| ((28, 28), given));
        let oblong = [None, Half].map(|given| ((40, 25), given));
        for (size, given) in square.into_iter().chain(oblong) {
            assert_eq!(choice(8, 10, size, given), given, "{size:?}");
            // A dozen pieces may leave doubt, but no turn that is needed is left out.
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
        // Two matches that contradict are outvoted by thirty that do not.
        (0..30).for_each(|_| few.add(QuarterTurn::ZERO, 0.9, TurnSet::Quarter));
        (0..2).for_each(|_| few.add(QuarterTurn::HALF, 0.9, TurnSet::Quarter));
        assert_eq!(few.choice(TurnSet::Quarter), TurnSet::None);
    }
}
