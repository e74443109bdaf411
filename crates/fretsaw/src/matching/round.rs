//! The state of the learned matcher for one set of candidates, and the stages that lead to the next set.

use super::Matcher;
use super::features::{NOT_LISTED, all_sides, slots_back};
use super::log_probabilities::LogProbabilities;
use super::loop_closure::close_loops;
use super::loop_features::LoopContext;
use super::loops::{LoopCostTable, LoopCosts};
use super::network::Network;
use super::open_side_relisting::carry_over;
use super::pair_features::PairContext;
use super::pixel_network::EncodedSides;
use super::shortlist::Shortlist;
use crate::dissimilarity::{Dissimilarity, NearestSides, PairFeatureSource, find_nearest_among};
use crate::observer::{Cancelled, Observer, Stage, check_cancelled};
use crate::puzzle::{SideId, TurnSet};
use std::borrow::Cow;

/// A side is certain if its likeliest answer has at least this log probability: ln 0.999.
const CERTAIN: f32 = -0.001;

/// The inputs of matching, the same in all rounds.
pub(super) struct MatchProblem<'a> {
    pub(super) dissimilarity: &'a Dissimilarity,
    pub(super) source: &'a PairFeatureSource<'a>,
    pub(super) turns: TurnSet,
    /// The sides as the pixel network sees them, for networks that use it.
    pub(super) pixels: Option<&'a EncodedSides>,
    pub(super) observer: &'a dyn Observer,
}

/// The state of the matcher for one set of candidates.
pub(super) struct Round<'a> {
    pub(super) nearest: Cow<'a, NearestSides>,
    pub(super) slots_back: Vec<u32>,
    /// The result of network 0.
    first: LogProbabilities,
    /// The result of the latest network.
    pub(super) logs: LogProbabilities,
    /// The candidates that later networks evaluate.
    shortlist: Shortlist,
    /// Costs by `logs`, if they are computed.
    costs: Option<LoopCostTable>,
}

/// The candidates of an earlier round and their probabilities.
type Before<'a> = Option<(&'a NearestSides, &'a LogProbabilities)>;

impl<'a> Round<'a> {
    /// Evaluates the candidates of some sides by network 0. The other sides have the candidates of an earlier round
    /// and keep their probabilities.
    pub(super) fn evaluate_pairs(
        problem: &MatchProblem<'_>,
        nearest: Cow<'a, NearestSides>,
        network: &Network,
        sides: &[SideId],
        before: Before<'_>,
    ) -> Result<Self, Cancelled> {
        let slots_back = slots_back(&nearest);
        check_cancelled(problem.observer)?;
        let pairs = PairContext::new(problem, &nearest, &slots_back);
        let found =
            network.evaluate(sides, |side, out| pairs.write(side, out), problem.observer)?;
        problem.observer.stage_advanced(Stage::Match, u64::from(before.is_none()));
        let first = merge(&nearest, sides, before, |at, all| {
            let LogProbabilities { candidates, border, unlisted } = &found[at];
            all.push_logs(candidates.iter().copied(), border[0], unlisted[0]);
        });
        check_cancelled(problem.observer)?;
        let costs = LoopCostTable::new(&nearest, &slots_back, &first);
        check_cancelled(problem.observer)?;
        let shortlist = Shortlist::best(&nearest, &costs);
        let logs = first.clone();
        Ok(Self { nearest, slots_back, logs, first, shortlist, costs: Some(costs) })
    }

    /// Evaluates the shortlists of some sides by a later network. The other sides keep their probabilities: those of
    /// an earlier round, if one is given, or those they have.
    pub(super) fn evaluate(
        &mut self,
        problem: &MatchProblem<'_>,
        network: &Network,
        sides: &[SideId],
        before: Before<'_>,
    ) -> Result<(), Cancelled> {
        let costs = self.costs.take();
        let costs = costs
            .unwrap_or_else(|| LoopCostTable::new(&self.nearest, &self.slots_back, &self.logs));
        check_cancelled(problem.observer)?;
        let pairs = PairContext::new(problem, &self.nearest, &self.slots_back);
        let loops = self.loops(&pairs, &costs);
        let found =
            network.evaluate(sides, |side, out| loops.write(side, out), problem.observer)?;
        problem.observer.stage_advanced(Stage::Match, u64::from(before.is_none()));
        let before = before.or(Some((&self.nearest, &self.logs)));
        self.logs = merge(&self.nearest, sides, before, |at, all| {
            self.shortlist.spread(&self.nearest, &self.first, sides[at], &found[at], all);
        });
        Ok(())
    }

    /// Candidate expansion: open sides get candidates that would close a loop. Sides that got some are evaluated by
    /// the first two networks.
    pub(super) fn expand_candidates(
        self,
        problem: &MatchProblem<'_>,
        first: &Network,
        second: &Network,
    ) -> Result<Self, Cancelled> {
        let mut is_open = vec![false; self.nearest.num_sides()];
        self.open_sides().iter().for_each(|side| is_open[side.index()] = true);
        let table = LoopCostTable::new(&self.nearest, &self.slots_back, &self.logs);
        check_cancelled(problem.observer)?;
        let added = close_loops(problem.dissimilarity, &self.loop_costs(&table), &is_open);
        check_cancelled(problem.observer)?;
        let has_more = |side: &SideId| !added[side.index()].is_empty();
        let sides: Vec<SideId> = all_sides(&self.nearest).filter(has_more).collect();
        let more = Cow::Owned(self.nearest.with_more(&added));
        let before = |logs| Some((&*self.nearest, logs));
        let mut round = Self::evaluate_pairs(problem, more, first, &sides, before(&self.first))?;
        round.evaluate(problem, second, &sides, before(&self.logs))?;
        Ok(round)
    }

    /// Open-side relisting: open sides get their candidates from among open sides. Candidates that stay keep their
    /// probabilities.
    pub(super) fn relist_open_sides(
        self,
        problem: &MatchProblem<'_>,
        first: &Network,
    ) -> Result<Self, Cancelled> {
        let MatchProblem { dissimilarity, turns, observer, .. } = *problem;
        let open = self.open_sides();
        let settings = Matcher::Learned.candidates();
        let found = find_nearest_among(dissimilarity, turns, &settings, &open, observer)?;
        // If fewer sides are open than a list holds, the old lists were long enough.
        let is_full = |side: &SideId| found.next_best(*side).is_finite();
        let full: Vec<SideId> = open.iter().copied().filter(is_full).collect();
        let relisted = Cow::Owned(self.nearest.with_lists_of(&full, &found));
        let before = |logs| Some((&*self.nearest, logs));
        let mut round = Self::evaluate_pairs(problem, relisted, first, &open, before(&self.first))?;
        round.logs = merge(&round.nearest, &open, before(&self.logs), |at, all| {
            let (old, new) = ((&*self.nearest, &self.logs), (&*round.nearest, &round.first));
            carry_over(open[at], old, new, all);
        });
        round.costs = None;
        Ok(round)
    }

    /// The sides that a later network evaluates: network 1 all of them, others the open ones.
    pub(super) fn sides_of(&self, network: usize) -> Vec<SideId> {
        if network == 1 { all_sides(&self.nearest).collect() } else { self.open_sides() }
    }

    /// The sides of which neither a neighbour nor the border is certain.
    fn open_sides(&self) -> Vec<SideId> {
        let LogProbabilities { candidates, border, .. } = &self.logs;
        let is_certain = |side: &SideId| {
            let has_neighbor = self.nearest.slots(*side).any(|slot| {
                let back = self.slots_back[slot];
                candidates[slot] > CERTAIN
                    && back != NOT_LISTED
                    && candidates[back as usize] > CERTAIN
            });
            has_neighbor || border[side.index()] > CERTAIN
        };
        all_sides(&self.nearest).filter(|side| !is_certain(side)).collect()
    }

    fn loop_costs<'b>(&'b self, table: &'b LoopCostTable) -> LoopCosts<'b> {
        LoopCosts { nearest: &self.nearest, slots_back: &self.slots_back, logs: &self.logs, table }
    }

    pub(super) fn loops<'b>(
        &'b self,
        pairs: &'b PairContext<'b>,
        table: &'b LoopCostTable,
    ) -> LoopContext<'b> {
        let costs = self.loop_costs(table);
        LoopContext { pairs, first: &self.first, costs, shortlist: &self.shortlist }
    }

    pub(super) fn shortlisted(&self, side: SideId) -> Vec<SideId> {
        let start = self.nearest.slots(side).start;
        let listed = self.nearest.of(side);
        self.shortlist.of(side).iter().map(|slot| listed[slot - start].side).collect()
    }
}

/// Puts together the probabilities of all sides: for those in `sides`, which are in increasing order, what `push`
/// adds for their index there; for the others those of `before`.
fn merge(
    nearest: &NearestSides,
    sides: &[SideId],
    before: Before<'_>,
    push: impl Fn(usize, &mut LogProbabilities),
) -> LogProbabilities {
    let mut all = LogProbabilities::default();
    let mut evaluated = sides.iter().enumerate().peekable();
    for side in all_sides(nearest) {
        if let Some((at, _)) = evaluated.next_if(|&(_, &next)| next == side) {
            push(at, &mut all);
        } else if let Some((nearest, logs)) = before {
            let candidates = &logs.candidates[nearest.slots(side)];
            let (border, unlisted) = (logs.border[side.index()], logs.unlisted[side.index()]);
            all.push_logs(candidates.iter().copied(), border, unlisted);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::learned::{LearnedMatcher, steps};
    use super::*;
    use crate::dissimilarity::{Measure, find_nearest};
    use crate::observer::Silent;
    use crate::picture::synthetic;
    use crate::puzzle::PuzzleType;

    #[test]
    fn open_sides_are_listed_among_themselves_and_the_others_stay_as_they_are() {
        // Hard enough that more sides stay open than a list holds.
        let (pieces, ..) = synthetic::puzzle(12, 14, 4, PuzzleType::Type2, 2);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let settings = Matcher::Learned.candidates();
        let turns = TurnSet::Quarter;
        let nearest = find_nearest(&dissimilarity, turns, &settings, &Silent).unwrap();
        let source = PairFeatureSource::new(&dissimilarity);
        let observer = &Silent;
        let problem = MatchProblem {
            dissimilarity: &dissimilarity,
            source: &source,
            turns,
            pixels: None,
            observer,
        };
        let matcher = LearnedMatcher::shipped();
        let before =
            matcher.run(&problem, Cow::Borrowed(&nearest), &steps(4, false)).unwrap().unwrap();
        let open = before.open_sides();
        let (lists, old) = (before.nearest.clone(), before.logs.clone());
        assert!(open.len() > 2 * settings.num_candidates && open.len() < nearest.num_sides());
        let round = before.relist_open_sides(&problem, &matcher.networks[0]).unwrap();
        for side in all_sides(&nearest) {
            let (border, unlisted) =
                (round.logs.border[side.index()], round.logs.unlisted[side.index()]);
            let logs = &round.logs.candidates[round.nearest.slots(side)];
            if open.binary_search(&side).is_err() {
                assert_eq!(round.nearest.of(side), lists.of(side));
                assert_eq!(logs, &old.candidates[lists.slots(side)]);
                assert_eq!(border, old.border[side.index()]);
                continue;
            }
            let listed = round.nearest.of(side);
            assert_eq!(listed.len(), settings.num_candidates);
            let is_open = |candidate: &SideId| open.binary_search(candidate).is_ok();
            assert!(listed.iter().all(|candidate| is_open(&candidate.side)));
            let all = logs.iter().copied().chain([border, unlisted]);
            let sum: f64 = all.map(|log| f64::from(log).exp()).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        }
    }
}
