//! The features that a network is trained on, as the matcher will compute them.

use super::features::{all_sides, slots_back};
use super::learned::{LAST_OF_LARGE, LearnedMatcher, Step, steps};
use super::loop_features::LOOP_FEATURES;
use super::loops::LoopCostTable;
use super::pair_features::PairContext;
use super::round::MatchProblem;
use crate::dissimilarity::{Dissimilarity, NearestSides, PairFeatureSource};
use crate::observer::{Cancelled, Observer};
use crate::puzzle::{SideId, TurnSet, is_large};
use std::borrow::Cow;

/// Features of the candidates of a puzzle.
#[derive(Clone, Debug)]
pub struct FeatureTable {
    /// The names of the features.
    pub names: Vec<&'static str>,
    /// Row by row.
    pub values: Vec<f32>,
    /// The sides that the network evaluates, each with those of its candidates that have a row.
    pub sides: Vec<(SideId, Vec<SideId>)>,
}

impl LearnedMatcher {
    /// The features that the next network, which is yet to be trained, would see where it is first used.
    pub fn next_features(
        &self,
        dissimilarity: &Dissimilarity,
        nearest: &NearestSides,
        turns: TurnSet,
        observer: &dyn Observer,
    ) -> Result<FeatureTable, Cancelled> {
        let source = PairFeatureSource::new(dissimilarity);
        let pixels = self.encoded(dissimilarity, turns, observer)?;
        let proposed = self.proposed(nearest, pixels.as_ref(), dissimilarity, turns, observer)?;
        let nearest = &*proposed;
        let pixels = pixels.as_ref();
        let problem = MatchProblem { dissimilarity, source: &source, turns, pixels, observer };
        let next = self.num_networks();
        // The last network of large puzzles is trained on all puzzles, because few of them are large.
        let is_large = is_large(nearest.num_sides() / 4) || next == LAST_OF_LARGE;
        let mut steps = steps(next + 1, is_large);
        let at = steps.iter().position(|&step| step == Step::Evaluate(next));
        steps.truncate(at.unwrap_or(steps.len()));
        let mut values = Vec::new();
        let Some(round) = self.run(&problem, Cow::Borrowed(nearest), &steps)? else {
            let slots_back = slots_back(nearest);
            let pairs = PairContext::new(&problem, nearest, &slots_back);
            let row = |side| {
                pairs.write(side, &mut values);
                (side, nearest.of(side).iter().map(|candidate| candidate.side).collect())
            };
            let sides = all_sides(nearest).map(row).collect();
            let names =
                pairs.features().into_iter().flatten().map(|feature| feature.name).collect();
            return Ok(FeatureTable { names, values, sides });
        };
        let pairs = PairContext::new(&problem, &round.nearest, &round.slots_back);
        let costs = LoopCostTable::new(&round.nearest, &round.slots_back, &round.logs);
        let loops = round.loops(&pairs, &costs);
        let row = |side| {
            loops.write(side, &mut values);
            (side, round.shortlisted(side))
        };
        // No network follows the last one.
        let sides = if at.is_some() { round.sides_of(next) } else { Vec::new() };
        let sides = sides.into_iter().map(row).collect();
        let names = LOOP_FEATURES.iter().map(|feature| feature.name).collect();
        Ok(FeatureTable { names, values, sides })
    }
}
