//! The learned judge.
//!
//! 1. Network 0 judges every candidate by what its pixels and its rivals look like.
//! 2. Network 1 judges a shortlist again, by the loops that the pairs close.
//! 3. Pairs that would close a loop of likely ones are added to the candidates, and sides that got new
//!    ones judged again by both networks.
//! 4. Network 2 and later ones judge by the loops that are likely now.

use super::completion::complete_loops;
use super::features::slots_back;
use super::judgement::Judgement;
use super::loop_features::{LOOP_FEATURES, LoopContext};
use super::loops::PairCosts;
use super::network::{Network, NetworkError, read_networks};
use super::pair_features::{PAIR_FEATURES, PairContext};
use super::shortlist::Shortlist;
use super::verdicts::LogVerdicts;
use crate::dissimilarity::{Dissimilarity, Evidence, NearestSides};
use crate::observer::{Cancelled, Observer, Stage};
use crate::puzzle::{SideId, TurnSet};
use std::borrow::Cow;
use std::sync::LazyLock;

/// The networks that the program comes with; how they were made is told in `training/README.md`.
static SHIPPED: LazyLock<LearnedJudge> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "a test reads the same bytes")]
    LearnedJudge::from_bytes(include_bytes!("judge.bin")).expect("the shipped networks are whole")
});

/// Trained networks: the first looks at pairs, every later one at the loops that the one before it
/// makes likely.
#[derive(Clone, Debug, Default)]
pub struct LearnedJudge {
    networks: Vec<Network>,
}

/// Features of all candidates of a puzzle.
#[derive(Clone, Debug)]
pub struct FeatureTable {
    /// The features' names.
    pub names: Vec<&'static str>,
    /// Row by row.
    pub values: Vec<f32>,
    /// For each side, which of its candidates have a row.
    pub candidates: Vec<Vec<SideId>>,
}

impl LearnedJudge {
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

    /// How many networks judge one after the other.
    #[must_use]
    pub const fn num_networks(&self) -> usize {
        self.networks.len()
    }

    /// The same judge with its first networks only: an earlier state of its opinion.
    #[must_use]
    pub fn with_first(mut self, num_networks: usize) -> Self {
        self.networks.truncate(num_networks);
        self
    }

    /// Judge the candidates.
    ///
    /// # Errors
    /// If the observer cancels.
    pub fn judge<'a>(
        &self,
        dissimilarity: &'a Dissimilarity,
        nearest: &'a NearestSides,
        turns: TurnSet,
        observer: &dyn Observer,
    ) -> Result<Judgement<'a>, Cancelled> {
        observer.stage_started(Stage::Judge, self.networks.len() as u64);
        let evidence = Evidence::new(dissimilarity);
        let puzzle = Puzzle { dissimilarity, evidence: &evidence, turns, observer };
        let mut more = None;
        let judged = self.run(&puzzle, nearest, &mut more, false)?.map(|round| round.verdicts);
        observer.stage_finished(Stage::Judge);
        Ok(match judged {
            None => Judgement::by_ratio(dissimilarity, nearest),
            Some(verdicts) => {
                let nearest = more.map_or(Cow::Borrowed(nearest), Cow::Owned);
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
        let evidence = Evidence::new(dissimilarity);
        let puzzle = Puzzle { dissimilarity, evidence: &evidence, turns, observer };
        let mut more = None;
        let round = self.run(&puzzle, nearest, &mut more, true)?;
        let mut values = Vec::new();
        let sides = || all_sides(nearest).into_iter();
        let Some(round) = round else {
            let pairs = PairContext::new(&evidence, nearest, turns);
            sides().for_each(|side| pairs.write(side, &mut values));
            let names = PAIR_FEATURES.iter().map(|feature| feature.name).collect();
            let listed = |side| nearest.of(side).iter().map(|candidate| candidate.side).collect();
            return Ok(FeatureTable { names, values, candidates: sides().map(listed).collect() });
        };
        let loops = round.loops(&round.verdicts);
        sides().for_each(|side| loops.write(side, &mut values));
        let names = LOOP_FEATURES.iter().map(|feature| feature.name).collect();
        let candidates = sides().map(|side| round.shortlisted(side)).collect();
        Ok(FeatureTable { names, values, candidates })
    }

    /// All networks one after the other; before the third, candidates that would close a loop are
    /// added, for which `more` has room. `None` if there are no networks.
    ///
    /// `for_next` says that it is done for yet another network.
    fn run<'a>(
        &self,
        puzzle: &Puzzle<'a>,
        nearest: &'a NearestSides,
        more: &'a mut Option<NearestSides>,
        for_next: bool,
    ) -> Result<Option<Round<'a>>, Cancelled> {
        let Some((first, closer)) = self.networks.split_first() else { return Ok(None) };
        let all = all_sides(nearest);
        let mut round = Round::open(puzzle, nearest, first, &all, None)?;
        let Some((second, later)) = closer.split_first() else { return Ok(Some(round)) };
        round.look_closer(puzzle, second, &all, None)?;
        if later.is_empty() && !for_next {
            return Ok(Some(round));
        }
        let costs = PairCosts::new(nearest, &round.slots_back, &round.verdicts);
        let added = complete_loops(puzzle.dissimilarity, nearest, &costs);
        let more = &*more.insert(nearest.with_more(&added));
        let grown: Vec<SideId> =
            all.iter().copied().filter(|side| !added[side.index()].is_empty()).collect();
        let before = round;
        let mut round = Round::open(puzzle, more, first, &grown, Some(&before))?;
        round.look_closer(puzzle, second, &grown, Some(&before))?;
        for network in later {
            round.look_closer(puzzle, network, &all, None)?;
        }
        Ok(Some(round))
    }
}

fn all_sides(nearest: &NearestSides) -> Vec<SideId> {
    (0..nearest.num_sides()).map(SideId::from_index).collect()
}

/// What stays the same while a puzzle is judged.
struct Puzzle<'a> {
    dissimilarity: &'a Dissimilarity,
    evidence: &'a Evidence<'a>,
    turns: TurnSet,
    observer: &'a dyn Observer,
}

/// What is known of one set of candidates.
struct Round<'a> {
    pairs: PairContext<'a>,
    nearest: &'a NearestSides,
    slots_back: Vec<u32>,
    /// What the first network said.
    first: LogVerdicts,
    /// What the last one said.
    verdicts: LogVerdicts,
    /// What later ones look at.
    shortlist: Shortlist,
}

impl<'a> Round<'a> {
    /// Judge sides by the first network; the others, whose candidates are the same as in a round
    /// before, as they were judged there.
    fn open(
        puzzle: &Puzzle<'a>,
        nearest: &'a NearestSides,
        network: &Network,
        sides: &[SideId],
        before: Option<&Round<'_>>,
    ) -> Result<Self, Cancelled> {
        let pairs = PairContext::new(puzzle.evidence, nearest, puzzle.turns);
        let judged = network.judge(sides, |side, out| pairs.write(side, out), puzzle.observer)?;
        puzzle.observer.stage_advanced(Stage::Judge, u64::from(before.is_none()));
        let first =
            merge(nearest, sides, before.map(|round| (round.nearest, &round.first)), |at, all| {
                let LogVerdicts { candidates, border, unlisted } = &judged[at];
                all.push_logs(candidates.iter().copied(), border[0], unlisted[0]);
            });
        let slots_back = slots_back(nearest);
        let shortlist = Shortlist::best(nearest, &PairCosts::new(nearest, &slots_back, &first));
        Ok(Self { pairs, nearest, slots_back, verdicts: first.clone(), first, shortlist })
    }

    /// Judge the shortlisted candidates of sides by another network, the other sides as before.
    fn look_closer(
        &mut self,
        puzzle: &Puzzle<'_>,
        network: &Network,
        sides: &[SideId],
        before: Option<&Round<'_>>,
    ) -> Result<(), Cancelled> {
        let loops = self.loops(&self.verdicts);
        let judged = network.judge(sides, |side, out| loops.write(side, out), puzzle.observer)?;
        puzzle.observer.stage_advanced(Stage::Judge, u64::from(before.is_none()));
        let before = before.map(|round| (round.nearest, &round.verdicts));
        self.verdicts = merge(self.nearest, sides, before, |at, all| {
            self.shortlist.spread(self.nearest, &self.first, sides[at], &judged[at], all);
        });
        Ok(())
    }

    fn loops<'b>(&'b self, verdicts: &'b LogVerdicts) -> LoopContext<'b> {
        let Self { pairs, nearest, slots_back, first, shortlist, .. } = self;
        LoopContext::new(pairs, nearest, slots_back, first, verdicts, shortlist)
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
    before: Option<(&NearestSides, &LogVerdicts)>,
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
