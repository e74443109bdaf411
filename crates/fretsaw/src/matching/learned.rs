//! The learned matcher.
//!
//! 1. Network 0 evaluates all candidates by their pixels and their rivals.
//! 2. Network 1 evaluates a shortlist of each side by the 2 x 2 loops that the pairs close.
//! 3. Candidate expansion: open sides get candidates that would close a loop of likely pairs. A side is open if
//!    neither a neighbour nor the border is certain. Networks 0 and 1 evaluate the sides that got candidates.
//! 4. Network 2 evaluates the open sides by the loops that are likely now.
//! 5. Steps 3 and 4 four times, the last time with network 3, whose probabilities are the result. So certainty
//!    spreads from textured areas into flat ones.
//!
//! In a large puzzle the candidates of open sides are mostly sides that certainly belong elsewhere. There the fourth
//! time is not the last: open sides are listed again among themselves ([`super::open_side_relisting`]), and steps 3
//! and 4 follow four more times, the last time with network 4.
//!
//! An observer that keeps states is given the result ([`SavedState`]), and one that has it saves the work.

use super::blank_pairs;
use super::features::all_sides;
use super::inside_statistics::InsideStatistics;
use super::line_pitch::LinePitch;
use super::log_probabilities::LogProbabilities;
use super::loop_features::LOOP_FEATURES;
use super::match_model::MatchModel;
use super::network::Network;
use super::network_file::{NetworkError, read_networks};
use super::own_evidence::OwnEvidence;
use super::pair_features::{PAIR_FEATURES, PIXEL_FEATURES};
use super::pixel_network::{EncodedSides, PixelNetwork, PixelNetworkError, UnlistedShares};
use super::round::{MatchProblem, Round};
use super::saved_state::SavedState;
use crate::dissimilarity::{Dissimilarity, Material, NearestSides, PairFeatureSource};
use crate::networks::{NetworkFile, bytes_of};
use crate::observer::{Cancelled, Observer, Stage, check_cancelled};
use crate::puzzle::{SideId, TurnSet, is_large};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

/// The networks for photographs. `training/README.md` describes how they were trained.
static SHIPPED: LazyLock<LearnedMatcher> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "a test reads the same bytes")]
    LearnedMatcher::from_bytes(&bytes_of(NetworkFile::Photographs))
        .expect("the shipped networks are whole")
});

/// The networks for graphics.
static SHIPPED_FOR_GRAPHICS: LazyLock<LearnedMatcher> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "a test reads the same bytes")]
    LearnedMatcher::from_bytes(&bytes_of(NetworkFile::Graphics))
        .expect("the shipped networks for graphics are whole")
});

/// The networks for worn pieces.
static SHIPPED_FOR_WORN: LazyLock<LearnedMatcher> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "a test reads the same bytes")]
    let matcher = LearnedMatcher::from_bytes(&bytes_of(NetworkFile::Worn))
        .expect("the shipped networks for worn pieces are whole");
    LearnedMatcher { pixel_network: Some(PixelNetwork::for_worn()), ..matcher }
});

/// The networks for pieces whose sheet was compressed; they share the pixel network of worn pieces.
static SHIPPED_FOR_BLED: LazyLock<LearnedMatcher> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "a test reads the same bytes")]
    let matcher = LearnedMatcher::from_bytes(&bytes_of(NetworkFile::Bled))
        .expect("the shipped networks for compressed sheets are whole");
    LearnedMatcher { pixel_network: Some(PixelNetwork::for_worn()), ..matcher }
});

/// Trained networks. The first sees pairs, every later one the loops that its predecessors make likely.
#[derive(Clone, Debug, Default)]
pub struct LearnedMatcher {
    pub(super) networks: Vec<Network>,
    /// The pixel network, whose scores network 0 sees too, if the networks are for graphics or for worn pieces.
    pub(super) pixel_network: Option<Arc<PixelNetwork>>,
    evidence: Evidence,
}

/// What network 0 sees of a pair, where there is a pixel network: for examinations of what each part is good for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// The features of measured steps and rivals. The pixel network proposes no candidates.
    Features,
    /// The scores of the pixel network.
    Pixels,
    /// All of them, as in use.
    #[default]
    Both,
}

crate::named_enum!(Evidence { Features: "features", Pixels: "pixels", Both: "both" });

/// A step of the matcher after network 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Evaluates the shortlists by this network: network 1 of all sides, later networks of open sides.
    Evaluate(usize),
    ExpandCandidates,
    RelistOpenSides,
}

const NUM_EXPANSIONS: usize = 4;
const NUM_EXPANSIONS_OF_LARGE: usize = 8;
/// After this many expansions open sides are listed again, if more expansions follow.
const EXPANSIONS_BEFORE_RELISTING: usize = 4;

/// The network after all expansions but the last, and those after the last.
const MIDDLE: usize = 2;
const LAST: usize = 3;
pub(super) const LAST_OF_LARGE: usize = 4;

/// The steps after network 0 with `num_networks` networks.
pub(super) fn steps(num_networks: usize, is_large: bool) -> Vec<Step> {
    let mut steps = Vec::new();
    if num_networks > 1 {
        steps.push(Step::Evaluate(1));
    }
    let (num_expansions, last) = match num_networks {
        0..=2 => (0, 1),
        _ if is_large && num_networks > LAST_OF_LARGE => (NUM_EXPANSIONS_OF_LARGE, LAST_OF_LARGE),
        _ => (NUM_EXPANSIONS, LAST.min(num_networks - 1)),
    };
    for expansion in 1..=num_expansions {
        let is_last = expansion == num_expansions;
        let network = if is_last { last } else { MIDDLE };
        steps.extend([Step::ExpandCandidates, Step::Evaluate(network)]);
        if expansion == EXPANSIONS_BEFORE_RELISTING && !is_last {
            steps.push(Step::RelistOpenSides);
        }
    }
    steps
}

/// Features of a pair without a pixel network.
fn num_pair_features() -> usize {
    PAIR_FEATURES.iter().copied().flatten().count()
}

impl LearnedMatcher {
    /// The matcher that the program comes with.
    pub fn shipped() -> &'static Self {
        &SHIPPED
    }

    /// The matcher that the program comes with for the material of these pieces.
    pub fn for_pieces_of(dissimilarity: &Dissimilarity) -> &'static Self {
        match dissimilarity.material() {
            Material::Photograph => &SHIPPED,
            Material::Graphics => &SHIPPED_FOR_GRAPHICS,
            Material::Worn => &SHIPPED_FOR_WORN,
            Material::Bled => &SHIPPED_FOR_BLED,
        }
    }

    /// These networks, if they see the scores of a pixel network, or none, with the pixel network of these bytes.
    pub fn with_pixel_network(mut self, bytes: &[u8]) -> Result<Self, PixelNetworkError> {
        self.pixel_network = Some(Arc::new(PixelNetwork::from_bytes(bytes)?));
        Ok(self)
    }

    /// A matcher from the bytes of a network file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let num_pair_features = num_pair_features();
        let with_pixels = num_pair_features + PIXEL_FEATURES.len();
        let networks = read_networks(bytes, |network, found| match network {
            0 if found == with_pixels => with_pixels,
            0 => num_pair_features,
            _ => LOOP_FEATURES.len(),
        })?;
        let sees_pixels = networks.first().is_some_and(|first| first.means.len() == with_pixels);
        let pixel_network = sees_pixels.then(PixelNetwork::for_graphics);
        Ok(Self { networks, pixel_network, evidence: Evidence::Both })
    }

    /// The sides as the pixel network sees them, if there is one and the material calls for it.
    pub(super) fn encoded(
        &self,
        dissimilarity: &Dissimilarity,
        turns: TurnSet,
        observer: &dyn Observer,
    ) -> Result<Option<EncodedSides>, Cancelled> {
        let both = self.pixel_network.as_ref().zip(dissimilarity.pixels());
        both.map(|(network, pieces)| EncodedSides::new(network, pieces, turns, observer))
            .transpose()
    }

    /// The candidates of the measure, with those of the pixel network added.
    pub(super) fn proposed<'a>(
        &self,
        nearest: &'a NearestSides,
        pixels: Option<&EncodedSides>,
        dissimilarity: &Dissimilarity,
        turns: TurnSet,
        observer: &dyn Observer,
    ) -> Result<Cow<'a, NearestSides>, Cancelled> {
        let proposes = self.evidence != Evidence::Features;
        let Some(pixels) = pixels.filter(|_| proposes) else { return Ok(Cow::Borrowed(nearest)) };
        Ok(Cow::Owned(pixels.with_proposals(nearest, dissimilarity, turns, observer)?))
    }

    /// Whether the first network sees the scores of a pixel network.
    pub const fn sees_pixels(&self) -> bool {
        self.pixel_network.is_some()
    }

    /// Number of networks.
    pub const fn num_networks(&self) -> usize {
        self.networks.len()
    }

    /// The same matcher with its first networks only.
    #[must_use]
    pub fn with_first(mut self, num_networks: usize) -> Self {
        self.networks.truncate(num_networks);
        self
    }

    /// The same matcher, whose network 0 sees only this evidence; the rest is replaced by its mean over the training
    /// puzzles. No network is trained again. Without a pixel network nothing changes.
    #[must_use]
    pub fn with_evidence(mut self, evidence: Evidence) -> Self {
        let num_pair_features = num_pair_features();
        if let Some(first) = self.networks.first_mut().filter(|_| self.pixel_network.is_some()) {
            let (features, pixels) = first.scales.split_at_mut(num_pair_features);
            match evidence {
                Evidence::Features => pixels.fill(0.0),
                Evidence::Pixels => features.fill(0.0),
                Evidence::Both => {}
            }
            self.evidence = evidence;
        }
        self
    }

    /// Computes the match model of a puzzle from its candidates.
    pub fn match_sides<'a>(
        &self,
        dissimilarity: &'a Dissimilarity,
        nearest: &'a NearestSides,
        turns: TurnSet,
        observer: &dyn Observer,
    ) -> Result<MatchModel<'a>, Cancelled> {
        let steps = steps(self.networks.len(), is_large(nearest.num_sides() / 4));
        let later = steps.iter().filter(|step| matches!(step, Step::Evaluate(_)));
        observer.stage_started(Stage::Match, 1 + later.count() as u64);
        let checkpoints = observer.checkpoints();
        let saved = checkpoints.and_then(|checkpoints| checkpoints.load(Stage::Match));
        let saved = saved.and_then(|saved| SavedState::read(&saved, dissimilarity, nearest, turns));
        let pixels = self.encoded(dissimilarity, turns, observer)?;
        let pixels = pixels.as_ref();
        let graphics =
            dissimilarity.pixels().filter(|_| dissimilarity.material() == Material::Graphics);
        let inside = graphics.and_then(|it| InsideStatistics::new(it, dissimilarity, turns));
        let model = |lists: Cow<'a, NearestSides>, logs: LogProbabilities, inside: Option<_>| {
            let shares_out = self.evidence != Evidence::Features;
            let Some(pixels) = pixels.filter(|_| shares_out) else {
                return Ok(logs.into_model(dissimilarity, lists));
            };
            // Networks that learned from shorter sides take pairs of blank sides for evidence.
            let (lists, logs) = if inside.is_some() {
                let blank = dissimilarity.blank_strips();
                let is_blank = |side| blank.contains(&dissimilarity.strip_of(side));
                let (lists, logs) = blank_pairs::unlisted(&lists, &logs, is_blank);
                (Cow::Owned(lists), logs)
            } else {
                (lists, logs)
            };
            let with_lines = graphics.filter(|_| turns == TurnSet::None);
            let pitch = with_lines.map(|pieces| LinePitch::new(pieces, &lists, &logs));
            let evidence = OwnEvidence { pitch, inside };
            let shares =
                UnlistedShares::new(pixels, evidence, &lists, dissimilarity, turns, observer)?;
            let (of_pair, of_unlisted) =
                (|u, v| shares.evidence(u, v), |u| shares.evidence_of_unlisted(u));
            let logs = logs.with_evidence(&lists, |u| shares.trust(u), of_pair, of_unlisted);
            Ok(logs.into_model(dissimilarity, lists).with_unlisted_shares(shares))
        };
        if let Some((nearest, logs)) = saved {
            let model = model(Cow::Owned(nearest), logs, inside)?;
            observer.stage_finished(Stage::Match);
            return Ok(model);
        }
        let source = PairFeatureSource::new(dissimilarity);
        check_cancelled(observer)?;
        let proposed = self.proposed(nearest, pixels, dissimilarity, turns, observer)?;
        let proposed = match &inside {
            Some(inside) => Cow::Owned(inside.with_proposals(&proposed, dissimilarity)),
            None => proposed,
        };
        let problem = MatchProblem { dissimilarity, source: &source, turns, pixels, observer };
        let round = self.run(&problem, proposed, &steps)?;
        if let Some(Round { nearest: expanded, logs, .. }) = &round
            && let Some(checkpoints) = checkpoints
        {
            let saved = SavedState::new(nearest, expanded, logs);
            checkpoints.save(Stage::Match, saved.bytes());
        }
        let model = match round {
            None => MatchModel::by_ratio(dissimilarity, nearest),
            Some(Round { nearest, logs, .. }) => model(nearest, logs, inside)?,
        };
        observer.stage_finished(Stage::Match);
        Ok(model)
    }

    /// Runs network 0 and these steps. `None` if there are no networks.
    pub(super) fn run<'a>(
        &self,
        problem: &MatchProblem<'_>,
        nearest: Cow<'a, NearestSides>,
        steps: &[Step],
    ) -> Result<Option<Round<'a>>, Cancelled> {
        let Some(first) = self.networks.first() else { return Ok(None) };
        let all: Vec<SideId> = all_sides(&nearest).collect();
        let mut round = Round::evaluate_pairs(problem, nearest, first, &all, None)?;
        for &step in steps {
            match step {
                Step::Evaluate(number) => {
                    let sides = round.sides_of(number);
                    round.evaluate(problem, &self.networks[number], &sides, None)?;
                }
                Step::ExpandCandidates => {
                    round = round.expand_candidates(problem, first, &self.networks[1])?;
                }
                Step::RelistOpenSides => round = round.relist_open_sides(problem, first)?,
            }
        }
        Ok(Some(round))
    }
}
