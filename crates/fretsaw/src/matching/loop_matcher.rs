//! The hand-made matcher: probabilities from ratios and from the loops that pairs close.
//!
//! 1. `ln p(u -> v)` is `-SHARPNESS ln N` for Gallagher's ratio N of the pair, and 0 for no neighbour among the
//!    candidates, up to a common summand.
//! 2. With the cost `S(u, v)` of these, it becomes `-S / 2 - LOOP_SHARE (sum over both flanks of the cheapest loop)`,
//!    and `-NONE` for no neighbour.
//!
//! It works with any measure, from the dissimilarities of the candidates alone. Its probabilities are not calibrated:
//! border and unlisted share the probability of no neighbour equally.

use super::features::{single, slots_back};
use super::log_probabilities::LogProbabilities;
use super::loops::{LoopCostTable, LoopCosts};
use super::match_model::MatchModel;
use crate::dissimilarity::{Dissimilarity, NearestSides};
use crate::observer::{Cancelled, Observer, Stage, check_cancelled};
use crate::puzzle::SideId;
use rayon::prelude::*;
use std::borrow::Cow;

/// The power of the ratio.
const SHARPNESS: f64 = 6.0;
/// The weight of the loops of both flanks.
const LOOP_SHARE: f32 = 0.25;
/// The cost of no neighbour among the candidates.
const NONE: f32 = 8.0;
/// The largest absolute logarithm of a ratio.
const MAX_LOG_RATIO: f64 = 5.0;

pub(super) fn match_by_loops<'a>(
    dissimilarity: &'a Dissimilarity,
    nearest: &'a NearestSides,
    observer: &dyn Observer,
) -> Result<MatchModel<'a>, Cancelled> {
    observer.stage_started(Stage::Match, 2);
    let by_ratio = softmax_of(nearest, 0.0, observer, |u| {
        let ratios =
            nearest.of(u).iter().map(|candidate| nearest.ratio(u, candidate.side, candidate.cost));
        ratios
            .map(|ratio| single(-SHARPNESS * ratio.ln().clamp(-MAX_LOG_RATIO, MAX_LOG_RATIO)))
            .collect()
    })?;
    observer.stage_advanced(Stage::Match, 1);
    let slots_back = &slots_back(nearest);
    let table = &LoopCostTable::new(nearest, slots_back, &by_ratio);
    let costs = LoopCosts { nearest, slots_back, logs: &by_ratio, table };
    let by_loops = softmax_of(nearest, -NONE, observer, |u| {
        let candidates = nearest.of(u).iter().map(|candidate| candidate.side);
        let slots = nearest.slots(u).zip(costs.loops(u, candidates));
        let cheapest = slots.map(|(slot, (one, other))| (slot, one.least + other.least));
        cheapest.map(|(slot, loops)| -0.5 * table.cost(slot) - LOOP_SHARE * loops).collect()
    })?;
    observer.stage_advanced(Stage::Match, 1);
    observer.stage_finished(Stage::Match);
    Ok(by_loops.into_model(dissimilarity, Cow::Borrowed(nearest)))
}

/// The probabilities of all sides, from the logits of their candidates and of no neighbour.
fn softmax_of(
    nearest: &NearestSides,
    none: f32,
    observer: &dyn Observer,
    logits: impl Fn(SideId) -> Vec<f32> + Sync,
) -> Result<LogProbabilities, Cancelled> {
    let found = (0..nearest.num_sides()).into_par_iter().map(SideId::from_index).map(|side| {
        check_cancelled(observer)?;
        let mut logs = LogProbabilities::default();
        logs.push(logits(side), none - HALF, none - HALF);
        Ok(logs)
    });
    Ok(LogProbabilities::concat(found.collect::<Result<_, _>>()?))
}

/// ln 2: border and unlisted each get half of the probability of no neighbour.
const HALF: f32 = std::f32::consts::LN_2;
