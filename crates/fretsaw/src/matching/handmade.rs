//! The hand-made matcher: ratios turned to probabilities, then weighed by the loops they close.
//!
//! 1. `ln p(u -> v)` is `-SHARPNESS ln N` for Gallagher's ratio N of the pair, and 0 for having no
//!    neighbour among the candidates, up to a common summand.
//! 2. With `S(u, v)` from these, it becomes `-S / 2 - LOOP_SHARE (sum over both flanks of the cheapest
//!    loop)`, and `-NONE` for having no neighbour.
//!
//! It works on any measure and knows nothing but the candidates' dissimilarities. Its probabilities are
//! not calibrated, and a side that has no neighbour counts as border and as unlisted alike.

use super::features::{single, slots_back};
use super::loops::PairCosts;
use super::match_model::MatchModel;
use super::verdicts::LogVerdicts;
use crate::dissimilarity::{Dissimilarity, NearestSides};
use crate::observer::{Cancelled, Observer, Stage, check_cancelled};
use crate::puzzle::SideId;
use rayon::prelude::*;
use std::borrow::Cow;

/// How sharply ratios tell candidates apart.
const SHARPNESS: f64 = 6.0;
/// What the loops of both flanks count for, against half the pair's own cost.
const LOOP_SHARE: f32 = 0.25;
/// What it costs to have no neighbour among the candidates.
const NONE: f32 = 8.0;
/// Logarithms of ratios are cut off here.
const FARTHEST: f64 = 5.0;

pub(super) fn judge_by_loops<'a>(
    dissimilarity: &'a Dissimilarity,
    nearest: &'a NearestSides,
    observer: &dyn Observer,
) -> Result<MatchModel<'a>, Cancelled> {
    observer.stage_started(Stage::Match, 2);
    let by_ratio = judge_sides(nearest, 0.0, observer, |u| {
        let ratios = nearest
            .of(u)
            .iter()
            .map(|candidate| nearest.ratio(u, candidate.side, candidate.dissimilarity));
        ratios.map(|ratio| single(-SHARPNESS * ratio.ln().clamp(-FARTHEST, FARTHEST))).collect()
    })?;
    observer.stage_advanced(Stage::Match, 1);
    let slots_back = slots_back(nearest);
    let costs = PairCosts::new(nearest, &slots_back, &by_ratio);
    let by_loops = judge_sides(nearest, -NONE, observer, |u| {
        let candidates = nearest.of(u).iter().map(|candidate| candidate.side);
        let slots = nearest.slots(u).zip(costs.loops(u, candidates));
        let cheapest = slots.map(|(slot, (one, other))| (slot, one.least + other.least));
        cheapest.map(|(slot, loops)| -0.5 * costs.cost(slot) - LOOP_SHARE * loops).collect()
    })?;
    observer.stage_advanced(Stage::Match, 1);
    observer.stage_finished(Stage::Match);
    Ok(by_loops.into_judgement(dissimilarity, Cow::Borrowed(nearest)))
}

/// The verdicts on all sides, from the logits of their candidates and of having no neighbour.
fn judge_sides(
    nearest: &NearestSides,
    none: f32,
    observer: &dyn Observer,
    logits: impl Fn(SideId) -> Vec<f32> + Sync,
) -> Result<LogVerdicts, Cancelled> {
    let judged = (0..nearest.num_sides()).into_par_iter().map(SideId::from_index).map(|side| {
        check_cancelled(observer)?;
        let mut verdict = LogVerdicts::default();
        verdict.push(logits(side), none - HALF, none - HALF);
        Ok(verdict)
    });
    Ok(LogVerdicts::concat(judged.collect::<Result<_, _>>()?))
}

/// ln 2: what is left of the probability of having no neighbour for either reason.
const HALF: f32 = std::f32::consts::LN_2;
