//! A second round of matching: worn pieces in even light.
//!
//! Light that differs from piece to piece is estimated from the likely joins of the first model ([`crate::wear`]) and
//! evened out; then all sides are measured and matched again. The second model counts only if it is surer of its
//! matches than the first.
//!
//! One round only, by joins that the model finds without a board: with a gain and an offset for every piece, plain
//! pieces can be made to fit wherever they lie, so that the light of an answer that is wrong confirms it.

use super::{Measured, Puzzle, Settings, SolveError};
use crate::dissimilarity::Material;
use crate::linalg::mean;
use crate::matching::{MatchModel, Matcher};
use crate::observer::{Cancelled, Muted, Observer};
use crate::puzzle::SideId;
use crate::wear::{likely_joins, uneven_light};
use std::sync::Arc;

/// A puzzle in even light, and what was measured of it.
pub(super) struct Evened {
    pub(super) puzzle: Puzzle,
    pub(super) measured: Measured,
}

/// The least spread of light at middle grey that is worth evening out, as a share of white.
const MIN_SPREAD: f64 = 0.02;

/// The puzzle in even light, if the pieces are worn and their likely joins show that the light differs.
pub(super) fn evened(
    puzzle: &Puzzle,
    measured: &Measured,
    model: &MatchModel<'_>,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Option<Evened>, SolveError> {
    let is_worn = measured.dissimilarity.material() == Material::Worn;
    if !is_worn || settings.matcher() != Matcher::Learned {
        return Ok(None);
    }
    let light = uneven_light(&puzzle.pieces, &likely_joins(model));
    let [gains, offsets] = light.spread;
    if (0.5 * gains).hypot(offsets) < MIN_SPREAD {
        return Ok(None);
    }
    let Some(pieces) = light.correction.on(&puzzle.pieces) else { return Ok(None) };
    let turns = Some(measured.turns);
    let puzzle = Puzzle { pieces: Arc::new(pieces), turns, ..puzzle.clone() };
    // The checkpoint keeps the states of the pieces as they are.
    let measured = Measured::new(&puzzle, settings, &Muted(observer))?;
    Ok(Some(Evened { puzzle, measured }))
}

/// The first model with its puzzle, or those in even light if they are surer.
pub(super) fn surer_model<'a>(
    (first, puzzle): (MatchModel<'a>, &'a Puzzle),
    evened: Option<&'a Evened>,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<(MatchModel<'a>, &'a Puzzle), Cancelled> {
    let Some(evened) = evened else { return Ok((first, puzzle)) };
    let second = evened.measured.matched(settings, &Muted(observer))?;
    let is_surer = sureness(&second) > sureness(&first);
    Ok(if is_surer { (second, &evened.puzzle) } else { (first, puzzle) })
}

/// How sure a model is of its matches: the mean probability of the likeliest match of each side.
fn sureness(model: &MatchModel<'_>) -> f64 {
    let candidates = model.candidates();
    let sides = (0..candidates.num_sides()).map(SideId::from_index);
    let best = sides.map(|side| candidates.of(side).first().map_or(0.0, |best| (-best.cost).exp()));
    mean(best).unwrap_or(0.0)
}
