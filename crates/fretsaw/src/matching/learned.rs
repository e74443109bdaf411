//! The learned matcher.
//!
//! 1. Network 0 matchers every candidate by what its pixels and its rivals look like.
//! 2. Network 1 matchers a shortlist again, by the loops that the pairs close.
//! 3. Sides that are still open, which means that neither a neighbour nor the border is certain, get
//!    new candidates: pairs that would close a loop of likely ones. Network 2 matchers the open sides again,
//!    by the loops that are likely now. So certainty grows from textured areas into flat ones.
//! 4. The same a few times, the last time by network 3, whose probabilities are the result.
//!
//! In a large puzzle sides that are certain by then crowd out the neighbours of those that are not. Open
//! sides get candidates from among themselves ([`super::exclusion`]), and as many growths follow, the last
//! by network 4.
//!
//! An observer that keeps states is given the result ([`SavedVerdicts`]), and one that has it spares the
//! work.

use super::Matcher;
use super::completion::complete_loops;
use super::exclusion::carry_over;
use super::features::{NOT_LISTED, slots_back};
use super::loop_features::{LOOP_FEATURES, LoopContext};
use super::loops::{CostTable, PairCosts};
use super::match_model::MatchModel;
use super::network::{Network, NetworkError, read_networks};
use super::pair_features::{PAIR_FEATURES, PairContext};
use super::saved_verdicts::SavedVerdicts;
use super::shortlist::Shortlist;
use super::verdicts::LogVerdicts;
use crate::dissimilarity::{Dissimilarity, NearestSides, PairFeatureSource, find_nearest_among};
use crate::observer::{Cancelled, Observer, Stage};
use crate::puzzle::{SideId, TurnSet};
use std::borrow::Cow;
use std::sync::LazyLock;

/// The networks that the program comes with; how they were made is told in `training/README.md`.
static SHIPPED: LazyLock<LearnedMatcher> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "a test reads the same bytes")]
    LearnedMatcher::from_bytes(include_bytes!("judge.bin")).expect("the shipped networks are whole")
});

/// Trained networks: the first looks at pairs, every later one at the loops that the one before it
/// makes likely.
#[derive(Clone, Debug, Default)]
pub struct LearnedMatcher {
    networks: Vec<Network>,
}

/// Features of all candidates of a puzzle.
#[derive(Clone, Debug)]
pub struct FeatureTable {
    /// The features' names.
    pub names: Vec<&'static str>,
    /// Row by row.
    pub values: Vec<f32>,
    /// The sides that the network matchers, each with those of its candidates that have a row.
    pub sides: Vec<(SideId, Vec<SideId>)>,
}

/// How often open sides get new candidates and are judged again.
const GROWTHS: usize = 4;

/// Sides of a large puzzle: so many look alike that those which are certain crowd out the others.
const MANY_SIDES: usize = 16_384;
/// The same of a large puzzle, whose open sides are listed anew halfway, without those that are certain by
/// then.
const GROWTHS_OF_LARGE: usize = 8;
const GROWTHS_BEFORE_EXCLUSION: usize = 4;

/// The network of all growths but the last, and those of the last.
const GROWING: usize = 2;
const LAST: usize = 3;
const LAST_OF_LARGE: usize = 4;

/// A side is certain if its likeliest answer is at least so likely: ln 0.999.
const CERTAIN: f32 = -0.001;

impl LearnedMatcher {
    /// The one that the program comes with.
    #[must_use]
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// One that was trained elsewhere.
    ///
    /// # Errors
    /// If the bytes are not networks for this version of the program.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let num_features =
            |network| if network == 0 { PAIR_FEATURES.len() } else { LOOP_FEATURES.len() };
        Ok(Self { networks: read_networks(bytes, num_features)? })
    }

    /// How many networks matcher one after the other.
    #[must_use]
    pub const fn num_networks(&self) -> usize {
        self.networks.len()
    }

    /// The same matcher with its first networks only: an earlier state of its opinion.
    #[must_use]
    pub fn with_first(mut self, num_networks: usize) -> Self {
        self.networks.truncate(num_networks);
        self
    }

    /// Matcher the candidates.
    ///
    /// # Errors
    /// If the observer cancels.
    pub fn match_sides<'a>(
        &self,
        dissimilarity: &'a Dissimilarity,
        nearest: &'a NearestSides,
        turns: TurnSet,
        observer: &dyn Observer,
    ) -> Result<MatchModel<'a>, Cancelled> {
        let growths = if nearest.num_sides() > MANY_SIDES { GROWTHS_OF_LARGE } else { GROWTHS };
        observer.stage_started(Stage::Match, (2 + growths) as u64);
        let saved = observer.saved_state(Stage::Match);
        let saved =
            saved.and_then(|saved| SavedVerdicts::read(&saved, dissimilarity, nearest, turns));
        if let Some((nearest, verdicts)) = saved {
            observer.stage_finished(Stage::Match);
            return Ok(verdicts.into_judgement(dissimilarity, Cow::Owned(nearest)));
        }
        let evidence = PairFeatureSource::new(dissimilarity);
        let puzzle = Puzzle { dissimilarity, evidence: &evidence, turns, observer };
        let judged = self.run(&puzzle, nearest, self.networks.len())?;
        if let Some((Round { nearest: grown, verdicts, .. }, _)) = &judged
            && observer.keeps_states()
        {
            let saved = SavedVerdicts::new(nearest, grown, verdicts);
            observer.save_state(Stage::Match, saved.bytes());
        }
        observer.stage_finished(Stage::Match);
        Ok(match judged {
            None => MatchModel::by_ratio(dissimilarity, nearest),
            Some((Round { nearest, verdicts, .. }, _)) => {
                verdicts.into_judgement(dissimilarity, nearest)
            }
        })
    }

    /// The features that the next network, which is yet to be trained, would see.
    ///
    /// # Errors
    /// If the observer cancels.
    pub fn next_features(
        &self,
        dissimilarity: &Dissimilarity,
        nearest: &NearestSides,
        turns: TurnSet,
        observer: &dyn Observer,
    ) -> Result<FeatureTable, Cancelled> {
        let evidence = PairFeatureSource::new(dissimilarity);
        let puzzle = Puzzle { dissimilarity, evidence: &evidence, turns, observer };
        let mut values = Vec::new();
        let Some((round, judged)) = self.run(&puzzle, nearest, self.networks.len() + 1)? else {
            let slots_back = slots_back(nearest);
            let pairs = puzzle.pairs(nearest, &slots_back);
            let row = |side| {
                pairs.write(side, &mut values);
                (side, nearest.of(side).iter().map(|candidate| candidate.side).collect())
            };
            let sides = all_sides(nearest).into_iter().map(row).collect();
            let names = PAIR_FEATURES.iter().map(|feature| feature.name).collect();
            return Ok(FeatureTable { names, values, sides });
        };
        let pairs = puzzle.pairs(&round.nearest, &round.slots_back);
        let costs = CostTable::new(&round.nearest, &round.slots_back, &round.verdicts);
        let loops = round.loops(&pairs, &costs);
        let row = |side| {
            loops.write(side, &mut values);
            (side, round.shortlisted(side))
        };
        let sides = judged.into_iter().map(row).collect();
        let names = LOOP_FEATURES.iter().map(|feature| feature.name).collect();
        Ok(FeatureTable { names, values, sides })
    }

    /// All networks in turn. `None` if there are none.
    ///
    /// `of_networks` is how many there will be: it stops where the next one would set in, and says which
    /// sides that one would matcher.
    fn run<'a>(
        &self,
        puzzle: &Puzzle<'_>,
        nearest: &'a NearestSides,
        of_networks: usize,
    ) -> Result<Option<(Round<'a>, Vec<SideId>)>, Cancelled> {
        let Some(first) = self.networks.first() else { return Ok(None) };
        let all = all_sides(nearest);
        let mut round = Round::open(puzzle, Cow::Borrowed(nearest), first, &all, None)?;
        let Some(second) = self.networks.get(1) else { return Ok(Some((round, all))) };
        round.look_closer(puzzle, second, &all, None)?;
        if of_networks == 2 {
            return Ok(Some((round, Vec::new())));
        }
        // What is trained for large puzzles is trained on all: few of them are large.
        let is_large = nearest.num_sides() > MANY_SIDES || self.networks.len() == LAST_OF_LARGE;
        let (growths, last) = if of_networks > LAST_OF_LARGE && is_large {
            (GROWTHS_OF_LARGE, LAST_OF_LARGE)
        } else {
            (GROWTHS, LAST.min(of_networks - 1))
        };
        for growth in 1..=growths {
            round = round.grown(puzzle, first, second)?;
            let open = round.open_sides();
            let number = if growth == growths { last } else { GROWING };
            let Some(network) = self.networks.get(number) else { return Ok(Some((round, open))) };
            round.look_closer(puzzle, network, &open, None)?;
            if growth == GROWTHS_BEFORE_EXCLUSION && growth < growths {
                round = round.listed_anew(puzzle, first)?;
            }
        }
        Ok(Some((round, Vec::new())))
    }
}

fn all_sides(nearest: &NearestSides) -> Vec<SideId> {
    (0..nearest.num_sides()).map(SideId::from_index).collect()
}

/// What stays the same while a puzzle is judged.
struct Puzzle<'a> {
    dissimilarity: &'a Dissimilarity,
    evidence: &'a PairFeatureSource<'a>,
    turns: TurnSet,
    observer: &'a dyn Observer,
}

impl Puzzle<'_> {
    fn pairs<'b>(&'b self, nearest: &'b NearestSides, slots_back: &'b [u32]) -> PairContext<'b> {
        PairContext::new(self.evidence, nearest, slots_back, self.turns)
    }

    fn nearest_among(&self, sides: &[SideId]) -> Result<NearestSides, Cancelled> {
        let Self { dissimilarity, turns, observer, .. } = *self;
        let settings = Matcher::Learned.candidates();
        find_nearest_among(dissimilarity, turns, &settings, sides, observer)
    }
}

/// What is known of one set of candidates.
struct Round<'a> {
    nearest: Cow<'a, NearestSides>,
    slots_back: Vec<u32>,
    /// What the first network said.
    first: LogVerdicts,
    /// What the last one said.
    verdicts: LogVerdicts,
    /// What later ones look at.
    shortlist: Shortlist,
    /// Costs by `verdicts`, if they are at hand.
    costs: Option<CostTable>,
}

/// Verdicts of an earlier round, and its candidates.
type Before<'a> = Option<(&'a NearestSides, &'a LogVerdicts)>;

impl<'a> Round<'a> {
    /// Matcher sides by the first network; the others, whose candidates are those of an earlier round,
    /// as they were judged there.
    fn open(
        puzzle: &Puzzle<'_>,
        nearest: Cow<'a, NearestSides>,
        network: &Network,
        sides: &[SideId],
        before: Before<'_>,
    ) -> Result<Self, Cancelled> {
        let slots_back = slots_back(&nearest);
        let pairs = puzzle.pairs(&nearest, &slots_back);
        let judged =
            network.match_sides(sides, |side, out| pairs.write(side, out), puzzle.observer)?;
        puzzle.observer.stage_advanced(Stage::Match, u64::from(before.is_none()));
        let first = merge(&nearest, sides, before, |at, all| {
            let LogVerdicts { candidates, border, unlisted } = &judged[at];
            all.push_logs(candidates.iter().copied(), border[0], unlisted[0]);
        });
        let costs = CostTable::new(&nearest, &slots_back, &first);
        let by_first = PairCosts::from_table(&nearest, &slots_back, &first, &costs);
        let shortlist = Shortlist::best(&nearest, &by_first);
        Ok(Self {
            nearest,
            slots_back,
            verdicts: first.clone(),
            first,
            shortlist,
            costs: Some(costs),
        })
    }

    /// Matcher the shortlisted candidates of sides by another network; the other sides as they were
    /// judged in an earlier round, or if there is none stay as they are.
    fn look_closer(
        &mut self,
        puzzle: &Puzzle<'_>,
        network: &Network,
        sides: &[SideId],
        before: Before<'_>,
    ) -> Result<(), Cancelled> {
        let costs = self.take_costs();
        let pairs = puzzle.pairs(&self.nearest, &self.slots_back);
        let loops = self.loops(&pairs, &costs);
        let judged =
            network.match_sides(sides, |side, out| loops.write(side, out), puzzle.observer)?;
        puzzle.observer.stage_advanced(Stage::Match, u64::from(before.is_none()));
        let before = before.or(Some((&self.nearest, &self.verdicts)));
        self.verdicts = merge(&self.nearest, sides, before, |at, all| {
            self.shortlist.spread(&self.nearest, &self.first, sides[at], &judged[at], all);
        });
        Ok(())
    }

    /// The next round: with more candidates for open sides. Sides that got some are judged again by
    /// the first networks.
    fn grown(
        self,
        puzzle: &Puzzle<'_>,
        first: &Network,
        second: &Network,
    ) -> Result<Self, Cancelled> {
        let mut is_open = vec![false; self.nearest.num_sides()];
        self.open_sides().iter().for_each(|side| is_open[side.index()] = true);
        let costs = CostTable::new(&self.nearest, &self.slots_back, &self.verdicts);
        let costs = PairCosts::from_table(&self.nearest, &self.slots_back, &self.verdicts, &costs);
        let added = complete_loops(puzzle.dissimilarity, &self.nearest, &costs, &is_open);
        let has_more = |side: &SideId| !added[side.index()].is_empty();
        let grown: Vec<SideId> = all_sides(&self.nearest).into_iter().filter(has_more).collect();
        let more = Cow::Owned(self.nearest.with_more(&added));
        let before = |verdicts| Some((&*self.nearest, verdicts));
        let mut round = Self::open(puzzle, more, first, &grown, before(&self.first))?;
        round.look_closer(puzzle, second, &grown, before(&self.verdicts))?;
        Ok(round)
    }

    /// The next round: open sides have their candidates from among themselves. What is known of those that
    /// stay is kept.
    fn listed_anew(self, puzzle: &Puzzle<'_>, first: &Network) -> Result<Self, Cancelled> {
        let open = self.open_sides();
        let found = puzzle.nearest_among(&open)?;
        // Where fewer are open than a list holds, it was long enough before.
        let is_full = |side: &SideId| found.next_best(*side).is_finite();
        let full: Vec<SideId> = open.iter().copied().filter(is_full).collect();
        let anew = Cow::Owned(self.nearest.with_lists_of(&full, &found));
        let before = |verdicts| Some((&*self.nearest, verdicts));
        let mut round = Self::open(puzzle, anew, first, &open, before(&self.first))?;
        round.verdicts = merge(&round.nearest, &open, before(&self.verdicts), |at, all| {
            let (before, anew) =
                ((&*self.nearest, &self.verdicts), (&*round.nearest, &round.first));
            carry_over(open[at], before, anew, all);
        });
        round.costs = None;
        Ok(round)
    }

    /// The sides of which neither a neighbour nor the border is certain.
    fn open_sides(&self) -> Vec<SideId> {
        let LogVerdicts { candidates, border, .. } = &self.verdicts;
        let is_certain = |side: &SideId| {
            let has_neighbor = self.nearest.slots(*side).any(|slot| {
                let back = self.slots_back[slot];
                candidates[slot] > CERTAIN
                    && back != NOT_LISTED
                    && candidates[back as usize] > CERTAIN
            });
            has_neighbor || border[side.index()] > CERTAIN
        };
        all_sides(&self.nearest).into_iter().filter(|side| !is_certain(side)).collect()
    }

    /// Costs by the verdicts, which are about to change.
    fn take_costs(&mut self) -> CostTable {
        let Self { nearest, slots_back, verdicts, costs, .. } = self;
        costs.take().unwrap_or_else(|| CostTable::new(nearest, slots_back, verdicts))
    }

    fn loops<'b>(&'b self, pairs: &'b PairContext<'b>, costs: &'b CostTable) -> LoopContext<'b> {
        let Self { nearest, slots_back, first, verdicts, shortlist, .. } = self;
        let costs = PairCosts::from_table(nearest, slots_back, verdicts, costs);
        LoopContext::new(pairs, nearest, slots_back, first, verdicts, costs, shortlist)
    }

    /// The shortlisted candidates of a side.
    fn shortlisted(&self, side: SideId) -> Vec<SideId> {
        let start = self.nearest.slots(side).start;
        let listed = self.nearest.of(side);
        self.shortlist.of(side).iter().map(|slot| listed[slot - start].side).collect()
    }
}

/// Verdicts on all sides: on those in `sides`, in increasing order, what `push` adds for their place
/// there; on the others what was said before.
fn merge(
    nearest: &NearestSides,
    sides: &[SideId],
    before: Before<'_>,
    push: impl Fn(usize, &mut LogVerdicts),
) -> LogVerdicts {
    let mut all = LogVerdicts::default();
    let mut judged = sides.iter().enumerate().peekable();
    for side in all_sides(nearest) {
        if let Some((at, _)) = judged.next_if(|&(_, &next)| next == side) {
            push(at, &mut all);
        } else if let Some((nearest, verdicts)) = before {
            let (border, unlisted) =
                (verdicts.border[side.index()], verdicts.unlisted[side.index()]);
            let candidates = &verdicts.candidates[nearest.slots(side)];
            all.push_logs(candidates.iter().copied(), border, unlisted);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::{Measure, find_nearest};
    use crate::observer::Silent;
    use crate::puzzle::PuzzleType;
    use crate::synthetic;

    #[test]
    fn open_sides_are_listed_among_themselves_and_the_others_stay_as_they_are() {
        // Hard enough that more sides stay open than a list holds.
        let (pieces, ..) = synthetic::puzzle(12, 14, 4, PuzzleType::Type2, 2);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let settings = Matcher::Learned.candidates();
        let turns = TurnSet::Quarter;
        let nearest = find_nearest(&dissimilarity, turns, &settings, &Silent).unwrap();
        let evidence = PairFeatureSource::new(&dissimilarity);
        let puzzle =
            Puzzle { dissimilarity: &dissimilarity, evidence: &evidence, turns, observer: &Silent };
        let matcher = LearnedMatcher::shipped();
        let (before, _) = matcher.run(&puzzle, &nearest, LAST + 1).unwrap().unwrap();
        let open = before.open_sides();
        let (lists, verdicts) = (before.nearest.clone(), before.verdicts.clone());
        assert!(open.len() > 2 * settings.num_candidates && open.len() < nearest.num_sides());
        let round = before.listed_anew(&puzzle, &matcher.networks[0]).unwrap();
        for side in all_sides(&nearest) {
            let (border, unlisted) =
                (round.verdicts.border[side.index()], round.verdicts.unlisted[side.index()]);
            let logs = &round.verdicts.candidates[round.nearest.slots(side)];
            if open.binary_search(&side).is_err() {
                assert_eq!(round.nearest.of(side), lists.of(side));
                assert_eq!(logs, &verdicts.candidates[lists.slots(side)]);
                assert_eq!(border, verdicts.border[side.index()]);
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
