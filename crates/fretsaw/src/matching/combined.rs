//! One match model for several pictures that were cut and scrambled alike, such as pages or frames of a video.

use super::features::all_sides;
use super::log_probabilities::LogProbabilities;
use super::match_model::MatchModel;
use crate::dissimilarity::Candidate;
use crate::puzzle::SideId;
use std::borrow::Cow;

/// The model of the evidence of all pictures. Each side lists the candidates that it has in any of them.
///
/// The models must have probabilities. What each of them says of a side is its prior probability times the
/// likelihood of the picture, so that the product of k models has the prior k times, and all but one are taken out.
pub(crate) fn combined<'a>(first: &MatchModel<'a>, others: &[MatchModel<'_>]) -> MatchModel<'a> {
    let lists = first.measured();
    let more: Vec<Vec<Candidate>> = all_sides(lists)
        .map(|side| {
            let listed = |other: &SideId| lists.of(side).iter().any(|it| it.side == *other);
            let mut more: Vec<SideId> = others
                .iter()
                .flat_map(|model| model.measured().of(side).iter().map(|it| it.side))
                .filter(|other| !listed(other))
                .collect();
            more.sort_unstable();
            more.dedup();
            let cost = |other| first.dissimilarity().value(side, other);
            more.into_iter().map(|other| Candidate { side: other, cost: cost(other) }).collect()
        })
        .collect();
    let lists = lists.with_more(&more);
    let models = || std::iter::once(first).chain(others);
    let sum = |log: &dyn Fn(&MatchModel<'_>) -> f32| models().map(log).sum::<f32>();
    let repeated = others.len() as f32;
    // Any side is as likely a neighbour as any other. A square board of n pieces has 4 sqrt(n) of 4n sides on its
    // border.
    let num_sides = lists.num_sides() as f32;
    let (prior_of_pair, prior_of_border) = (-num_sides.ln(), -0.5 * (num_sides / 4.0).ln());
    let mut logs = LogProbabilities::default();
    for side in all_sides(&lists) {
        let of_pair = |other| sum(&|model| -model.cost(side, other)) - repeated * prior_of_pair;
        let of_pairs = lists.of(side).iter().map(|it| of_pair(it.side)).collect();
        let border = sum(&|model| -model.border_cost(side)) - repeated * prior_of_border;
        let unlisted = |model: &MatchModel<'_>| model.of_side(side).map_or(0.0, |it| it.unlisted);
        logs.push(of_pairs, border, sum(&|model| unlisted(model).max(f32::MIN_POSITIVE).ln()));
    }
    logs.into_model(first.dissimilarity(), Cow::Owned(lists))
}
