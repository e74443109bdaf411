//! Every way to find turns, each with a name; and Algorithms 2 and 1 in a row.

use crate::alternatives::diffusion::DiffusionMap;
use crate::construction::{Construction, ConstructionSettings, ConstructionStep, construct_from};
use crate::rotations::{
    Eigenvector, RotationInfo, RotationMethod, RotationSettings, estimate_rotations,
};
use crate::setting_error::failed;
use fretsaw::observer::{Observer, Stage, check_cancelled};
use fretsaw::puzzle::{PuzzleType, QuarterTurn, TurnSet};
use fretsaw::unstable::dissimilarity::NearestSides;
use fretsaw::unstable::locations::LocationError;
use fretsaw::unstable::matching::MatchModel;
use serde::{Deserialize, Serialize};

/// How to find the pieces' turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RotationChoice {
    /// The top eigenvector of C = D^-1 S: the paper's Algorithm 1.
    #[default]
    Spectral,
    /// The top eigenvector of S (supplement, eq. sync_relaxed).
    Adjacency,
    /// The second eigenvector of C: the paper's third and fourth.
    Second,
    /// The semidefinite relaxation (supplement, eq. sync_3).
    Relaxation,
    /// As `Spectral`, after penalising matches between pieces that a first estimate's vector
    /// diffusion distance puts far apart (supplement). Not for type 3.
    Diffusion,
    /// As `Spectral`, with the board as a vertex of its own and edges weighted by how clearly they
    /// win. Type 3 only.
    Anchored,
    /// Gallagher's Markov random field. Type 3 only.
    Markov,
}

fretsaw::named_enum!(RotationChoice {
    Spectral: "spectral",
    Adjacency: "adjacency",
    Second: "second",
    Relaxation: "relaxation",
    Diffusion: "diffusion",
    Anchored: "anchored",
    Markov: "mrf"
});

impl RotationChoice {
    /// Whether it can find turns in puzzles of this type.
    pub const fn fits(self, puzzle_type: PuzzleType) -> bool {
        match puzzle_type {
            PuzzleType::Type1 => false,
            PuzzleType::Type2 => !matches!(self, Self::Anchored | Self::Markov),
            PuzzleType::Type3 => !matches!(self, Self::Diffusion),
        }
    }

    /// How turns are estimated from a graph; `None` for the random field, which has no graph.
    pub const fn graph_method(self) -> Option<RotationMethod> {
        match self {
            Self::Spectral | Self::Diffusion | Self::Anchored => {
                spectral_method(true, Eigenvector::First)
            }
            Self::Adjacency => spectral_method(false, Eigenvector::First),
            Self::Second => spectral_method(true, Eigenvector::Second),
            Self::Relaxation => Some(RotationMethod::RELAXATION),
            Self::Markov => None,
        }
    }
}

const fn spectral_method(normalized: bool, eigenvector: Eigenvector) -> Option<RotationMethod> {
    Some(RotationMethod::Spectral { normalized, eigenvector })
}

/// The factor on the dissimilarity of matches that the vector diffusion distance calls far, the paper's
/// alpha. Where the matcher gives probabilities it squares them.
const FAR_FACTOR: f64 = 2.0;

/// The turns of a puzzle whose positions are unknown: Algorithm 2, then Algorithm 1.
///
/// # Errors
/// If a setting is out of range, the choice needs known positions, or the observer cancels.
pub fn find_turns(
    model: &MatchModel<'_>,
    turns: TurnSet,
    choice: RotationChoice,
    construction: &ConstructionSettings,
    observer: &dyn Observer,
) -> Result<(Construction, Vec<QuarterTurn>, RotationInfo), LocationError> {
    let method = choice.graph_method().filter(|_| choice.fits(PuzzleType::Type2)).ok_or_else(|| {
        let name = choice.name();
        failed(format!("the rotation method '{name}' needs known positions: it is for puzzles of type 3 only"))
    })?;
    let settings = RotationSettings { method, seed: construction.seed, ..Default::default() };
    observer.stage_started(Stage::Rotate, 2);
    let build = |nearest: &NearestSides| {
        construct_from(model, nearest, turns, construction, ConstructionStep::Loops).map_err(failed)
    };
    let mut built = build(model.candidates())?;
    observer.stage_advanced(Stage::Rotate, 1);
    if choice == RotationChoice::Diffusion {
        let map = DiffusionMap::new(&built.graph);
        check_cancelled(observer)?;
        built = build(&model.candidates().reweighted(|a, b, value| {
            let (i, j) = (a.piece(), b.piece());
            if map.is_far(i, j) || map.is_far(j, i) { FAR_FACTOR * value } else { value }
        }))?;
    }
    check_cancelled(observer)?;
    let (rotations, info) = estimate_rotations(&built.graph, &settings).map_err(failed)?;
    observer.stage_finished(Stage::Rotate);
    Ok((built, rotations, info))
}
