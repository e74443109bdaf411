//! The learned judge: features, a network, and then, as often as there are networks, loops and another.

use super::features::slots_back;
use super::judgement::Judgement;
use super::loop_features::{LOOP_FEATURES, LoopContext};
use super::loops::PairCosts;
use super::network::{Network, NetworkError, read_networks};
use super::pair_features::{PAIR_FEATURES, PairContext};
use super::shortlist::Shortlist;
use super::verdicts::LogVerdicts;
use crate::dissimilarity::{Dissimilarity, NearestSides};
use crate::observer::{Cancelled, Observer, Stage};
use crate::puzzle::{SideId, TurnSet};
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
        let pairs = PairContext::new(dissimilarity, nearest, turns);
        let slots_back = slots_back(nearest);
        let verdicts = match self.first(&pairs, nearest, observer)? {
            None => return Ok(Judgement::by_ratio(dissimilarity, nearest)),
            Some(first) => self.look_closer(&pairs, nearest, &slots_back, &first, observer)?.1,
        };
        observer.stage_finished(Stage::Judge);
        Ok(verdicts.into_judgement(dissimilarity, nearest))
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
        let pairs = PairContext::new(dissimilarity, nearest, turns);
        let sides = || (0..nearest.num_sides()).map(SideId::from_index);
        let mut values = Vec::new();
        let candidate =
            |side: SideId, slot: usize| nearest.of(side)[slot - nearest.slots(side).start].side;
        let listed = |shortlist: &Shortlist| {
            let of_side =
                |side| shortlist.of(side).iter().map(|&slot| candidate(side, slot)).collect();
            sides().map(of_side).collect()
        };
        let Some(first) = self.first(&pairs, nearest, observer)? else {
            sides().for_each(|side| pairs.write(side, &mut values));
            let names = PAIR_FEATURES.iter().map(|feature| feature.name).collect();
            let candidates = listed(&Shortlist::all(nearest));
            return Ok(FeatureTable { names, values, candidates });
        };
        let slots_back = slots_back(nearest);
        let (shortlist, verdicts) =
            self.look_closer(&pairs, nearest, &slots_back, &first, observer)?;
        let loops = LoopContext::new(&pairs, nearest, &slots_back, &first, &verdicts, &shortlist);
        sides().for_each(|side| loops.write(side, &mut values));
        let names = LOOP_FEATURES.iter().map(|feature| feature.name).collect();
        Ok(FeatureTable { names, values, candidates: listed(&shortlist) })
    }

    /// What the first network says of all candidates, if there is one.
    fn first(
        &self,
        pairs: &PairContext<'_>,
        nearest: &NearestSides,
        observer: &dyn Observer,
    ) -> Result<Option<LogVerdicts>, Cancelled> {
        let Some(network) = self.networks.first() else { return Ok(None) };
        let write = |side, out: &mut Vec<f32>| pairs.write(SideId::from_index(side), out);
        let first = network.judge(&Shortlist::all(nearest).lengths(), write, observer)?;
        observer.stage_advanced(Stage::Judge, 1);
        Ok(Some(first))
    }

    /// What the later networks say of the best candidates, and what the last of them says of all.
    fn look_closer(
        &self,
        pairs: &PairContext<'_>,
        nearest: &NearestSides,
        slots_back: &[u32],
        first: &LogVerdicts,
        observer: &dyn Observer,
    ) -> Result<(Shortlist, LogVerdicts), Cancelled> {
        let shortlist = Shortlist::best(nearest, &PairCosts::new(nearest, slots_back, first));
        let mut verdicts = first.clone();
        for network in self.networks.iter().skip(1) {
            let loops = LoopContext::new(pairs, nearest, slots_back, first, &verdicts, &shortlist);
            let write = |side, out: &mut Vec<f32>| loops.write(SideId::from_index(side), out);
            let judged = network.judge(&shortlist.lengths(), write, observer)?;
            verdicts = shortlist.spread(nearest, first, &judged);
            observer.stage_advanced(Stage::Judge, 1);
        }
        Ok((shortlist, verdicts))
    }
}
