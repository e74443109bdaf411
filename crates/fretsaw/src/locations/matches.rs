//! The candidate pairs of sides, each once, with their ratio.

use crate::matching::MatchModel;
use crate::puzzle::{PairCost, SideId};
use crate::random::tie_breaker;

/// Two sides that may belong together. Their cost is the odds against them ([`MatchModel::odds_against`]), N in the
/// comments: lower is better.
pub type Match = PairCost<f64>;

/// Every candidate pair of a puzzle once.
#[derive(Clone, Debug)]
pub struct CandidateMatches {
    /// By increasing ratio, then by dissimilarity; a seeded order breaks ties.
    matches: Vec<Match>,
    /// The matches of side s are `of_side[starts[s]..starts[s + 1]]`.
    starts: Vec<usize>,
    of_side: Vec<usize>,
}

impl CandidateMatches {
    /// From the candidates of every side.
    ///
    /// The seed breaks ties. The order of the pieces must not, for it may tell something of the truth.
    pub fn new(model: &MatchModel<'_>, seed: u64) -> Self {
        let nearest = model.candidates();
        let tie = tie_breaker(seed);
        let tie = |a: SideId, b: SideId| tie(a.min(b).index() as u64, a.max(b).index() as u64);
        let sides = || (0..nearest.num_sides()).map(SideId::from_index);
        let mut matches = Vec::new();
        for a in sides() {
            for candidate in nearest.of(a) {
                let b = candidate.side;
                let listed_by_b = nearest.of(b).iter().any(|other| other.side == a);
                if a < b || !listed_by_b {
                    let ratio = model.odds_of_cost(a, b, candidate.cost);
                    matches.push((Match { a, b, cost: ratio }, candidate.cost));
                }
            }
        }
        // Ratios are equal where a side has few candidates: in a puzzle of two pieces all are 0.
        matches.sort_by(|(x, x_value), (y, y_value)| {
            let by_ratio = x.cost.total_cmp(&y.cost).then_with(|| x_value.total_cmp(y_value));
            by_ratio.then_with(|| tie(x.a, x.b).cmp(&tie(y.a, y.b)))
        });
        let matches: Vec<Match> = matches.into_iter().map(|(found, _)| found).collect();
        // The matches of each side, sorted as the side lists them.
        let mut listed: Vec<Vec<(f64, u64, usize)>> = vec![Vec::new(); nearest.num_sides()];
        for (index, &Match { a, b, .. }) in matches.iter().enumerate() {
            for (side, other) in [(a, b), (b, a)] {
                let found = nearest.of(side).iter().find(|candidate| candidate.side == other);
                if let Some(candidate) = found {
                    listed[side.index()].push((candidate.cost, tie(a, b), index));
                }
            }
        }
        let mut starts = vec![0];
        let mut of_side = Vec::new();
        for list in &mut listed {
            list.sort_by(|x, y| x.0.total_cmp(&y.0).then_with(|| x.1.cmp(&y.1)));
            of_side.extend(list.iter().map(|&(.., index)| index));
            starts.push(of_side.len());
        }
        Self { matches, starts, of_side }
    }

    /// All matches by increasing ratio.
    pub fn all(&self) -> &[Match] {
        &self.matches
    }

    /// Number of sides.
    pub fn num_sides(&self) -> usize {
        self.starts.len() - 1
    }

    /// The matches that a side lists, best first, by their numbers in [`Self::all`].
    pub fn of(&self, side: SideId) -> &[usize] {
        &self.of_side[self.starts[side.index()]..self.starts[side.index() + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
    use crate::observer::Silent;
    use crate::puzzle::{PieceSet, PieceShape, Samples, TurnSet};

    #[test]
    fn every_candidate_pair_is_there_once_and_every_side_finds_its_own() {
        let noise = tie_breaker(1);
        let values = (0..20 * 16).map(|at| noise(at, 0).to_le_bytes()[0]).collect();
        let shape = PieceShape::new(4, 4).unwrap();
        let pieces = PieceSet::new(shape, 1, Samples::U8(values)).unwrap();
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Ssd).unwrap();
        let settings = NearestSettings { num_candidates: 4, max_candidates: 8 };
        let nearest = find_nearest(&dissimilarity, TurnSet::Quarter, &settings, &Silent).unwrap();
        let matches = CandidateMatches::new(&MatchModel::by_ratio(&dissimilarity, &nearest), 1);
        assert!(matches.all().is_sorted_by(|x, y| x.cost <= y.cost));
        let mut pairs: Vec<_> =
            matches.all().iter().map(|m| (m.a.min(m.b), m.a.max(m.b))).collect();
        pairs.sort();
        assert!(pairs.is_sorted_by(|x, y| x < y), "a pair twice");
        for side in (0..matches.num_sides()).map(SideId::from_index) {
            let expected: Vec<SideId> = nearest.of(side).iter().map(|c| c.side).collect();
            let found: Vec<SideId> = matches
                .of(side)
                .iter()
                .map(|&index| matches.all()[index])
                .map(|m| if m.a == side { m.b } else { m.a })
                .collect();
            assert_eq!(found, expected, "{side:?}");
        }
    }
}
