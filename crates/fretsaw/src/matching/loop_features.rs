//! The features of a candidate by the loops that it closes: the input of networks 1 and later.
//!
//! Costs and loops are those of [`super::loops`], by the probabilities so far. u is a side, v its candidate.

use super::features::{
    Feature, NOT_LISTED, clockwise, counter_clockwise, feature, log_count, single, write_features,
};
use super::log_probabilities::LogProbabilities;
use super::loops::{FlankLoops, LoopCosts, NO_LOOP, best_other, floor_of};
use super::pair_features::PairContext;
use super::shortlist::Shortlist;
use crate::dissimilarity::SideTexture;
use crate::puzzle::{SideId, TurnSet};

/// The least logarithm of the probabilities of border and unlisted.
const LEAST_LOG: f32 = -12.0;

/// The values that the features are computed from, for a candidate v of a side u.
pub(super) struct LoopView {
    cost: f32,
    there: f32,
    back: f32,
    first_there: f32,
    first_back: f32,
    rank_in_u: usize,
    rank_in_v: usize,
    best_other_of_u: f32,
    best_other_of_v: f32,
    clockwise: FlankLoops,
    counter_clockwise: FlankLoops,
    /// The least sum over both flanks among the other candidates of u.
    best_other_loops: f32,
    border: Around,
    unlisted_of_u: f32,
    unlisted_of_v: f32,
    fit: f32,
    texture_of_u: SideTexture,
    texture_of_v: SideTexture,
    turns: TurnSet,
}

/// The logarithm of a probability at u, at v, and at the sides next to them on their pieces.
#[derive(Clone, Copy, Default)]
struct Around {
    u: f32,
    v: f32,
    clockwise_of_u: f32,
    counter_clockwise_of_u: f32,
    clockwise_of_v: f32,
    counter_clockwise_of_v: f32,
}

/// The features, in the order in which the networks take them.
pub(super) const LOOP_FEATURES: [Feature<LoopView>; 32] = [
    // S(u, v): 0 to 60.
    feature("cost", |view| view.cost),
    // ln p(u -> v): -30 to 0.
    feature("there", |view| view.there),
    // ln p(v -> u), or that of v's unlisted sides if v does not list u. -30 to 0.
    feature("back", |view| view.back),
    // ln p(u -> v) of network 0, which sees the pixels. -30 to 0.
    feature("first_there", |view| view.first_there),
    // ln p(v -> u) of network 0. -30 to 0.
    feature("first_back", |view| view.first_back),
    // ln(1 + number of u's candidates of strictly lower cost): 0 to ln 65.
    feature("rank_in_u", |view| log_count(view.rank_in_u)),
    // ln(1 + number of v's candidates of strictly lower cost): 0 to ln 65.
    feature("rank_in_v", |view| log_count(view.rank_in_v)),
    feature("gap_in_u", gap_in_u),
    feature("gap_in_v", gap_in_v),
    // The least cost of a loop on the clockwise flank: 0 to 30, where 30 is none.
    feature("least_clockwise", |view| view.clockwise.least),
    // The soft minimum over the loops there: below the least if there are several. About -8 to 30.
    feature("soft_clockwise", |view| view.clockwise.soft),
    // The least cost of a loop on the counter-clockwise flank: 0 to 30.
    feature("least_counter_clockwise", |view| view.counter_clockwise.least),
    // The soft minimum over the loops there. About -8 to 30.
    feature("soft_counter_clockwise", |view| view.counter_clockwise.soft),
    feature("both_flanks", both_flanks),
    // The sum of both flanks less the least such sum among u's other candidates: -60 to 60.
    feature("flanks_gap", |view| both_flanks(view) - view.best_other_loops),
    // The smaller of the two flanks' least costs: a pair next to the border has only one flank. 0 to 30.
    feature("better_flank", |view| view.clockwise.least.min(view.counter_clockwise.least)),
    // The larger of the two flanks' least costs: 0 to 30.
    feature("worse_flank", |view| view.clockwise.least.max(view.counter_clockwise.least)),
    // ln p(u is a border): -12 to 0.
    feature("border_of_u", |view| view.border.u),
    // ln p(v is a border): -12 to 0.
    feature("border_of_v", |view| view.border.v),
    // ln p(the side clockwise of u is a border): that flank then has no loop. -12 to 0.
    feature("border_clockwise_of_u", |view| view.border.clockwise_of_u),
    // ln p(the side counter-clockwise of u is a border). -12 to 0.
    feature("border_counter_clockwise_of_u", |view| view.border.counter_clockwise_of_u),
    // ln p(the side clockwise of v, on u's counter-clockwise flank, is a border). -12 to 0.
    feature("border_clockwise_of_v", |view| view.border.clockwise_of_v),
    // ln p(the side counter-clockwise of v, on u's clockwise flank, is a border). -12 to 0.
    feature("border_counter_clockwise_of_v", |view| view.border.counter_clockwise_of_v),
    // ln p(u's neighbour is not listed): -12 to 0.
    feature("unlisted_of_u", |view| view.unlisted_of_u),
    // ln p(v's neighbour is not listed): -12 to 0.
    feature("unlisted_of_v", |view| view.unlisted_of_v),
    // Fit of the pair, as for network 0.
    feature("fit", |view| view.fit),
    // Gradient energy of u, as for network 0.
    feature("gradient_of_u", |view| view.texture_of_u.gradient),
    // Gradient energy of v, as for network 0.
    feature("gradient_of_v", |view| view.texture_of_v.gradient),
    // Contrast of u, as for network 0.
    feature("grey_contrast_of_u", |view| view.texture_of_u.grey_contrast),
    // Contrast of v, as for network 0.
    feature("grey_contrast_of_v", |view| view.texture_of_v.grey_contrast),
    // 1 if pieces may be turned, else 0.
    feature("may_be_turned", |view| f32::from(u8::from(view.turns != TurnSet::None))),
    // The larger of the two gaps: below 0 only if the pair is best for both. -30 to 30.
    feature("mutual_gap", |view| gap_in_u(view).max(gap_in_v(view))),
];

fn gap(cost: f32, other: f32) -> f32 {
    (cost - other).clamp(-NO_LOOP, NO_LOOP)
}

/// Cost less that of u's best other candidate: -30 to 30.
fn gap_in_u(view: &LoopView) -> f32 {
    gap(view.cost, view.best_other_of_u)
}

/// Cost less that of v's best other candidate: -30 to 30.
fn gap_in_v(view: &LoopView) -> f32 {
    gap(view.cost, view.best_other_of_v)
}

/// The least costs of both flanks together: 0 to 60.
fn both_flanks(view: &LoopView) -> f32 {
    view.clockwise.least + view.counter_clockwise.least
}

/// The inputs of all features.
pub(super) struct LoopContext<'a> {
    pub(super) pairs: &'a PairContext<'a>,
    /// The result of network 0.
    pub(super) first: &'a LogProbabilities,
    /// Costs by the result of the latest network.
    pub(super) costs: LoopCosts<'a>,
    pub(super) shortlist: &'a Shortlist,
}

impl LoopContext<'_> {
    /// Writes the features of a side's shortlisted candidates, row by row.
    pub(super) fn write(&self, u: SideId, out: &mut Vec<f32>) {
        write_features(&[&LOOP_FEATURES], &self.views(u), out);
    }

    fn views(&self, u: SideId) -> Vec<LoopView> {
        let LoopCosts { nearest, logs, slots_back, table } = self.costs;
        let shortlist = self.shortlist.of(u);
        let first_slot = nearest.slots(u).start;
        let candidate = |slot: usize| &nearest.of(u)[slot - first_slot];
        let loops = self.costs.loops(u, shortlist.iter().map(|&slot| candidate(slot).side));
        let sums: Vec<f32> = loops.iter().map(|(x, y)| x.least + y.least).collect();
        let mut sorted_sums = sums.clone();
        sorted_sums.sort_unstable_by(f32::total_cmp);
        let border = |side: SideId| logs.border[side.index()].max(LEAST_LOG);
        let unlisted = |side: SideId| logs.unlisted[side.index()].max(LEAST_LOG);
        let first_floors = |side: SideId| {
            floor_of(&self.first.candidates[nearest.slots(side)], self.first.unlisted[side.index()])
        };
        let views = shortlist.iter().enumerate().map(|(at, &slot)| {
            let candidate = candidate(slot);
            let v = candidate.side;
            let cost = table.cost(slot);
            let slot_back = slots_back[slot];
            LoopView {
                cost,
                there: logs.candidates[slot],
                back: self.costs.log_back(slot, v),
                first_there: self.first.candidates[slot],
                first_back: match slot_back {
                    NOT_LISTED => first_floors(v),
                    slot => self.first.candidates[slot as usize],
                },
                rank_in_u: table.rank(slot),
                rank_in_v: self.costs.rank_back(slot, v),
                #[expect(clippy::cast_possible_truncation, reason = "slots fit, see slots_back")]
                best_other_of_u: self.costs.best_other(u, slot as u32),
                best_other_of_v: self.costs.best_other(v, slot_back),
                clockwise: loops[at].0,
                counter_clockwise: loops[at].1,
                best_other_loops: best_other(&sorted_sums, sums[at]).min(2.0 * NO_LOOP),
                border: Around {
                    u: border(u),
                    v: border(v),
                    clockwise_of_u: border(clockwise(u)),
                    counter_clockwise_of_u: border(counter_clockwise(u)),
                    clockwise_of_v: border(clockwise(v)),
                    counter_clockwise_of_v: border(counter_clockwise(v)),
                },
                unlisted_of_u: unlisted(u),
                unlisted_of_v: unlisted(v),
                fit: single(self.pairs.fit(u, candidate.cost)),
                texture_of_u: self.pairs.source.texture(u),
                texture_of_v: self.pairs.source.texture(v),
                turns: self.pairs.turns,
            }
        });
        views.collect()
    }
}
