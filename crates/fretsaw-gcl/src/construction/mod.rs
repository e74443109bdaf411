//! Algorithm 2: the connection graph of a puzzle whose positions are unknown.
//!
//! \[HLW20\], section "Connection Graph Construction for Type 2 Puzzles". Each step is a function of
//! its own; [`construct`] orders them and can stop after any.
//!
//! Candidates are in the order of the [`MatchModel`], the best first. Without
//! probabilities that is the order of dissimilarities, as in the paper; with probabilities, these are the
//! initial weights W_init of the matches, in place of 1 and 0.01.

pub mod candidates;
pub mod connectivity;
pub mod four_loops;
pub mod jaccard;
mod matches;

pub use matches::SideMatch;

use crate::connection_graph::{ConnectionEdge, ConnectionGraph, ConnectionGraphError};
use crate::setting_error::{SettingError, check_settings};
use candidates::{nearest_matches, prune_matches};
use connectivity::connect_components;
use four_loops::apply_four_loops;
use fretsaw::puzzle::TurnSet;
use fretsaw::unstable::dissimilarity::NearestSides;
use fretsaw::unstable::matching::MatchModel;
use fretsaw::unstable::tie_breaker;
use jaccard::jaccard_indices;
use matches::one_per_pair_of_pieces;
use serde::{Deserialize, Serialize};

/// The steps of the construction, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConstructionStep {
    /// Every side's best matches, made undirected: W_init before pruning.
    Nearest,
    /// At most one match a side: W_init.
    Pruned,
    /// Blended with the Jaccard test: W_nb.
    Jaccard,
    /// Connected.
    Connected,
    /// Reweighted by 4-loops, diagonals added: W = W_nb + W_diag.
    #[default]
    Loops,
}

fretsaw::named_enum!(ConstructionStep {
    Nearest: "nearest",
    Pruned: "pruned",
    Jaccard: "jaccard",
    Connected: "connected",
    Loops: "loops"
});

/// Settings of the construction. The defaults are the paper's text; `docs/deviations.md` lists where
/// the authors' published code uses other values, and their effect.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConstructionSettings {
    /// W_init of a match that only one of its sides chose (eq. w_init_def), where the matcher has no
    /// probabilities. 0 to 1, default 0.01.
    pub one_sided_weight: f64,
    /// Share of W_init in W_nb, the rest being W_Jaccard's (eq. w_nb). 0 to 1, default 0.2.
    pub initial_share: f64,
    /// The Jaccard index that a match must exceed (eq. w_jaccard). Default 0.
    pub jaccard_above: usize,
    /// Whether W_Jaccard of a match that passes is 1, as in Algorithm 2's box, instead of W_init, as
    /// in eq. w_jaccard. Default false.
    pub jaccard_restores: bool,
    /// Weight of a match that connects two components (eq. w_nb_005). 0 to 1, default 0.005.
    pub connecting_weight: f64,
    /// Factor for matches whose 4-loops contradict themselves (eq. diag_nb_dir_nb_update). 0 to 1,
    /// default 1/3.
    pub contradicted_factor: f64,
    /// Factor for matches in no 4-loop (the same equation). 0 to 1, default 2/3.
    pub unlooped_factor: f64,
    /// Weight of a diagonal edge (eq. diag_nb_update). 0 to 1, default 1.
    pub diagonal_weight: f64,
    /// Chooses among equally good connections. Default 0.
    pub seed: u64,
}

impl Default for ConstructionSettings {
    fn default() -> Self {
        Self {
            one_sided_weight: 0.01,
            initial_share: 0.2,
            jaccard_above: 0,
            jaccard_restores: false,
            connecting_weight: 0.005,
            contradicted_factor: 1.0 / 3.0,
            unlooped_factor: 2.0 / 3.0,
            diagonal_weight: 1.0,
            seed: 0,
        }
    }
}

/// Why a graph was not constructed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConstructionError {
    /// A setting outside its range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The edges contradict each other; a defect of this crate.
    #[error("the construction built an invalid graph; this is a bug: {0}")]
    Graph(#[from] ConnectionGraphError),
}

impl ConstructionSettings {
    /// Checks that every setting is within its range; [`construct`] does so, too.
    pub fn validate(&self) -> Result<(), SettingError> {
        let weights = [
            ("one_sided_weight", self.one_sided_weight),
            ("initial_share", self.initial_share),
            ("connecting_weight", self.connecting_weight),
            ("contradicted_factor", self.contradicted_factor),
            ("unlooped_factor", self.unlooped_factor),
            ("diagonal_weight", self.diagonal_weight),
        ];
        check_settings(
            &weights.map(|(name, value)| {
                (name, value, (0.0..=1.0).contains(&value), "between 0 and 1")
            }),
        )
    }
}

/// A graph with the matches it was made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Construction {
    /// The matches between sides; diagonal edges are not among them.
    pub matches: Vec<SideMatch>,
    /// The graph.
    pub graph: ConnectionGraph,
}

impl Construction {
    /// The graph of matches, at most one between any two pieces, and of diagonal edges between
    /// others.
    pub fn new(
        num_pieces: usize,
        matches: Vec<SideMatch>,
        diagonals: Vec<ConnectionEdge>,
    ) -> Result<Self, ConstructionError> {
        let edges = matches.iter().map(edge_of).chain(diagonals);
        let graph = ConnectionGraph::new(num_pieces, edges)?;
        Ok(Self { matches, graph })
    }
}

/// Algorithm 2, up to and including a step.
pub fn construct(
    model: &MatchModel<'_>,
    turns: TurnSet,
    settings: &ConstructionSettings,
    stop_after: ConstructionStep,
) -> Result<Construction, ConstructionError> {
    construct_from(model, model.candidates(), turns, settings, stop_after)
}

/// [`construct`] with other values of the candidates than the model's.
pub(crate) fn construct_from(
    model: &MatchModel<'_>,
    nearest: &NearestSides,
    turns: TurnSet,
    settings: &ConstructionSettings,
    stop_after: ConstructionStep,
) -> Result<Construction, ConstructionError> {
    settings.validate()?;
    let num_pieces = nearest.num_sides() / 4;
    let finish = |matches, diagonals| Construction::new(num_pieces, matches, diagonals);

    let one_sided = (!model.has_probabilities()).then_some(settings.one_sided_weight);
    let all = nearest_matches(nearest, one_sided);
    if stop_after == ConstructionStep::Nearest {
        return finish(one_per_pair_of_pieces(all), vec![]);
    }
    let initial = prune_matches(nearest, all);
    if stop_after == ConstructionStep::Pruned {
        return finish(initial, vec![]);
    }
    let indices = jaccard_indices(num_pieces, &initial);
    let blended = blend(&initial, &indices, settings);
    if stop_after == ConstructionStep::Jaccard {
        return finish(blended, vec![]);
    }
    let tie = tie_breaker(settings.seed);
    let connected =
        connect_components(model, nearest, turns, blended, settings.connecting_weight, |a, b| {
            tie(a.index() as u64, b.index() as u64)
        });
    if stop_after == ConstructionStep::Connected {
        return finish(connected, vec![]);
    }
    with_loops(num_pieces, &connected, settings)
}

/// The last step of Algorithm 2: the matches reweighted by 4-loops, with diagonal edges.
pub fn with_loops(
    num_pieces: usize,
    matches: &[SideMatch],
    settings: &ConstructionSettings,
) -> Result<Construction, ConstructionError> {
    let (matches, diagonals) = apply_four_loops(num_pieces, matches, settings);
    Construction::new(num_pieces, matches, diagonals)
}

/// W_nb = share x W_init + (1 - share) x W_Jaccard (eqs. w_jaccard, w_nb).
fn blend(
    initial: &[SideMatch],
    indices: &[usize],
    settings: &ConstructionSettings,
) -> Vec<SideMatch> {
    let share = settings.initial_share;
    initial
        .iter()
        .zip(indices)
        .map(|(side_match, &index)| {
            let passed = if settings.jaccard_restores { 1.0 } else { side_match.weight };
            let jaccard = if index > settings.jaccard_above { passed } else { 0.0 };
            SideMatch { weight: share * side_match.weight + (1.0 - share) * jaccard, ..*side_match }
        })
        .collect()
}

fn edge_of(side_match: &SideMatch) -> ConnectionEdge {
    let (i, j) = side_match.pieces();
    ConnectionEdge::new(i, j, side_match.weight, side_match.pair().turn_j_from_i())
}
