//! What a candidate looks like among the loops that it closes: the input of the later networks.
//!
//! The cost of a pair is `S(u, v) = -(ln p(u -> v) + ln p(v -> u))` by what was judged before. Two pieces
//! i and j, joined at u and v, are closed to a 2 x 2 loop on one flank by pieces k and l: k next to i, l
//! next to j, and k and l next to each other. Walking round such a loop, from every side one turns to the
//! next of its piece and crosses to a candidate of that one: four times, and one is back,
//!
//! ```text
//!      i  u|v  j            clockwise flank, the lower one here:
//!      u1     v1              u1 = u + 1,  w a candidate of u1,  w1 = w + 1,
//!      --     --              z1 a candidate of w1,  z = z1 + 1 a candidate of v1,  v = v1 + 1
//!      w      z             and the same with - 1 on the other flank
//!      k w1|z1 l
//! ```
//!
//! so loops are found from the candidates alone: what two steps from u reach, and one step from v, is
//! compared. Cost: about `BEST^2` steps a side and flank, and `BEST` look-ups a candidate.

use super::features::{
    Feature, NOT_LISTED, OrderlessSum, clockwise, counter_clockwise, single, write_features,
};
use super::pair_features::{PairContext, gradient, grey_contrast};
use crate::dissimilarity::{NearestSides, SideTexture};
use crate::puzzle::{PieceId, SideId, TurnSet};

/// How many of a side's best candidates loops may run through; all that tie with the last, too.
const BEST: usize = 8;
/// Loops of a greater cost are as good as none.
const NO_LOOP: f32 = 30.0;
/// Costs of pairs are cut off here.
const WORST_PAIR: f32 = 60.0;
/// Logarithms of the probabilities of border and unlisted are cut off here.
const LEAST_LOG: f32 = -12.0;

/// What was judged before: logarithms of probabilities.
#[derive(Clone, Debug, Default)]
pub(super) struct LogVerdicts {
    /// By candidate slot: ln p(u -> v).
    pub(super) candidates: Vec<f32>,
    /// By side.
    pub(super) border: Vec<f32>,
    /// By side.
    pub(super) unlisted: Vec<f32>,
}

/// A candidate v of a side u as the features see it.
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
    /// Of the other candidates of u: the least sum over both flanks.
    best_other_loops: f32,
    border: Around,
    unlisted_of_u: f32,
    unlisted_of_v: f32,
    fit: f32,
    texture_of_u: SideTexture,
    texture_of_v: SideTexture,
    turns: TurnSet,
}

/// Loops on one flank.
#[derive(Clone, Copy, Default)]
struct FlankLoops {
    /// The least cost of the other three pairs.
    least: f32,
    /// `-2 ln sum exp(-cost / 2)` over all loops.
    soft: f32,
}

/// A probability's logarithm at u, at v, and at the sides beside them.
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
    Feature { name: "cost", of: cost },
    Feature { name: "there", of: there },
    Feature { name: "back", of: back },
    Feature { name: "first_there", of: first_there },
    Feature { name: "first_back", of: first_back },
    Feature { name: "rank_in_u", of: rank_in_u },
    Feature { name: "rank_in_v", of: rank_in_v },
    Feature { name: "gap_in_u", of: gap_in_u },
    Feature { name: "gap_in_v", of: gap_in_v },
    Feature { name: "least_clockwise", of: least_clockwise },
    Feature { name: "soft_clockwise", of: soft_clockwise },
    Feature { name: "least_counter_clockwise", of: least_counter_clockwise },
    Feature { name: "soft_counter_clockwise", of: soft_counter_clockwise },
    Feature { name: "both_flanks", of: both_flanks },
    Feature { name: "flanks_gap", of: flanks_gap },
    Feature { name: "better_flank", of: better_flank },
    Feature { name: "worse_flank", of: worse_flank },
    Feature { name: "border_of_u", of: border_of_u },
    Feature { name: "border_of_v", of: border_of_v },
    Feature { name: "border_clockwise_of_u", of: border_clockwise_of_u },
    Feature { name: "border_counter_clockwise_of_u", of: border_counter_clockwise_of_u },
    Feature { name: "border_clockwise_of_v", of: border_clockwise_of_v },
    Feature { name: "border_counter_clockwise_of_v", of: border_counter_clockwise_of_v },
    Feature { name: "unlisted_of_u", of: unlisted_of_u },
    Feature { name: "unlisted_of_v", of: unlisted_of_v },
    Feature { name: "fit", of: fit },
    Feature { name: "gradient_of_u", of: gradient_of_u },
    Feature { name: "gradient_of_v", of: gradient_of_v },
    Feature { name: "grey_contrast_of_u", of: grey_contrast_of_u },
    Feature { name: "grey_contrast_of_v", of: grey_contrast_of_v },
    Feature { name: "may_be_turned", of: may_be_turned },
    Feature { name: "mutual_gap", of: mutual_gap },
];

/// S(u, v): 0 to 60.
fn cost(view: &LoopView) -> f32 {
    view.cost
}

/// ln p(u -> v): -30 to 0.
fn there(view: &LoopView) -> f32 {
    view.there
}

/// ln p(v -> u), or what v's unlisted sides get. -30 to 0.
fn back(view: &LoopView) -> f32 {
    view.back
}

/// ln p(u -> v) of the first network, which saw the pixels. -30 to 0.
fn first_there(view: &LoopView) -> f32 {
    view.first_there
}

/// ln p(v -> u) of the first network. -30 to 0.
fn first_back(view: &LoopView) -> f32 {
    view.first_back
}

/// ln(1 + number of u's candidates of strictly lower cost): 0 to ln 33.
fn rank_in_u(view: &LoopView) -> f32 {
    single((view.rank_in_u as f64).ln_1p())
}

/// ln(1 + number of v's candidates of strictly lower cost): 0 to ln 33.
fn rank_in_v(view: &LoopView) -> f32 {
    single((view.rank_in_v as f64).ln_1p())
}

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

/// The larger of the two gaps: below 0 only if the pair is best for both. -30 to 30.
fn mutual_gap(view: &LoopView) -> f32 {
    gap_in_u(view).max(gap_in_v(view))
}

/// The least cost of a loop on the clockwise flank: 0 to 30, where 30 is none.
fn least_clockwise(view: &LoopView) -> f32 {
    view.clockwise.least
}

/// The soft minimum over the loops there: below the least if there are several. About -8 to 30.
fn soft_clockwise(view: &LoopView) -> f32 {
    view.clockwise.soft
}

/// The least cost of a loop on the counter-clockwise flank: 0 to 30.
fn least_counter_clockwise(view: &LoopView) -> f32 {
    view.counter_clockwise.least
}

/// The soft minimum over the loops there. About -8 to 30.
fn soft_counter_clockwise(view: &LoopView) -> f32 {
    view.counter_clockwise.soft
}

/// The least costs of both flanks together: 0 to 60.
fn both_flanks(view: &LoopView) -> f32 {
    view.clockwise.least + view.counter_clockwise.least
}

/// The same less its least among u's other candidates: -60 to 60.
fn flanks_gap(view: &LoopView) -> f32 {
    both_flanks(view) - view.best_other_loops
}

/// The smaller of the two flanks' least costs: a pair beside the border has one flank only. 0 to 30.
fn better_flank(view: &LoopView) -> f32 {
    view.clockwise.least.min(view.counter_clockwise.least)
}

/// The larger of the two flanks' least costs: 0 to 30.
fn worse_flank(view: &LoopView) -> f32 {
    view.clockwise.least.max(view.counter_clockwise.least)
}

/// ln p(u is a border): -12 to 0.
fn border_of_u(view: &LoopView) -> f32 {
    view.border.u
}

/// ln p(v is a border): -12 to 0.
fn border_of_v(view: &LoopView) -> f32 {
    view.border.v
}

/// The same of the side clockwise of u: on the border, that flank has no loop. -12 to 0.
fn border_clockwise_of_u(view: &LoopView) -> f32 {
    view.border.clockwise_of_u
}

/// The same of the side counter-clockwise of u. -12 to 0.
fn border_counter_clockwise_of_u(view: &LoopView) -> f32 {
    view.border.counter_clockwise_of_u
}

/// The same of the side clockwise of v, on u's counter-clockwise flank. -12 to 0.
fn border_clockwise_of_v(view: &LoopView) -> f32 {
    view.border.clockwise_of_v
}

/// The same of the side counter-clockwise of v, on u's clockwise flank. -12 to 0.
fn border_counter_clockwise_of_v(view: &LoopView) -> f32 {
    view.border.counter_clockwise_of_v
}

/// ln p(u's neighbour is not listed): -12 to 0.
fn unlisted_of_u(view: &LoopView) -> f32 {
    view.unlisted_of_u
}

/// ln p(v's neighbour is not listed): -12 to 0.
fn unlisted_of_v(view: &LoopView) -> f32 {
    view.unlisted_of_v
}

/// Fit of the pair, as for the first network.
fn fit(view: &LoopView) -> f32 {
    view.fit
}

/// Gradient energy of u, as for the first network.
fn gradient_of_u(view: &LoopView) -> f32 {
    gradient(view.texture_of_u)
}

/// Gradient energy of v, as for the first network.
fn gradient_of_v(view: &LoopView) -> f32 {
    gradient(view.texture_of_v)
}

/// Contrast of u, as for the first network.
fn grey_contrast_of_u(view: &LoopView) -> f32 {
    grey_contrast(view.texture_of_u)
}

/// Contrast of v, as for the first network.
fn grey_contrast_of_v(view: &LoopView) -> f32 {
    grey_contrast(view.texture_of_v)
}

/// 1 if pieces may be turned, else 0.
fn may_be_turned(view: &LoopView) -> f32 {
    f32::from(u8::from(view.turns != TurnSet::None))
}

/// Costs of all pairs by what was judged before, and the loops among them.
pub(super) struct LoopContext<'a> {
    pairs: &'a PairContext<'a>,
    nearest: &'a NearestSides,
    /// By candidate slot: the slot of the same pair seen from the other side.
    slots_back: &'a [u32],
    first: &'a LogVerdicts,
    verdicts: &'a LogVerdicts,
    /// By candidate slot: S.
    costs: Vec<f32>,
    /// By side: ln p of what is not listed.
    floors: Vec<f32>,
    /// The best candidates of side s are `best[starts[s]..starts[s + 1]]`.
    best_starts: Vec<u32>,
    best: Vec<(SideId, f32)>,
}

/// Where two steps from a side lead.
struct TwoSteps {
    to: SideId,
    through: PieceId,
    cost: f32,
}

impl<'a> LoopContext<'a> {
    pub(super) fn new(
        pairs: &'a PairContext<'a>,
        nearest: &'a NearestSides,
        slots_back: &'a [u32],
        first: &'a LogVerdicts,
        verdicts: &'a LogVerdicts,
    ) -> Self {
        let sides = || (0..nearest.num_sides()).map(SideId::from_index);
        let floors = floors(nearest, verdicts);
        let mut costs = Vec::with_capacity(nearest.num_candidates());
        for u in sides() {
            for (slot, candidate) in nearest.slots(u).zip(nearest.of(u)) {
                let back = log_back(verdicts, &floors, slots_back[slot], candidate.side);
                costs.push((-(verdicts.candidates[slot] + back)).min(WORST_PAIR));
            }
        }
        let mut best_starts = vec![0];
        let mut best = Vec::new();
        let mut row: Vec<(SideId, f32)> = Vec::new();
        for u in sides() {
            row.clear();
            row.extend(
                nearest.of(u).iter().map(|c| c.side).zip(costs[nearest.slots(u)].iter().copied()),
            );
            row.sort_unstable_by(|x, y| x.1.total_cmp(&y.1));
            let last = row.get(BEST - 1).map_or(f32::INFINITY, |&(_, cost)| cost);
            best.extend(row.iter().take_while(|&&(_, cost)| cost <= last));
            #[expect(clippy::cast_possible_truncation, reason = "no more than candidates")]
            best_starts.push(best.len() as u32);
        }
        Self { pairs, nearest, slots_back, first, verdicts, costs, floors, best_starts, best }
    }

    fn best(&self, side: SideId) -> &[(SideId, f32)] {
        let (start, end) = (self.best_starts[side.index()], self.best_starts[side.index() + 1]);
        &self.best[start as usize..end as usize]
    }

    /// Writes the features of a side's candidates, row by row.
    pub(super) fn write(&self, u: SideId, out: &mut Vec<f32>) {
        write_features(&LOOP_FEATURES, &self.views(u), out);
    }

    /// For each candidate of a side, the loops that the pair closes clockwise and counter-clockwise.
    fn loops(&self, u: SideId) -> Vec<(FlankLoops, FlankLoops)> {
        let there = self.two_steps(u, clockwise);
        let back = self.two_steps(u, counter_clockwise);
        let candidates = self.nearest.of(u).iter().map(|candidate| candidate.side);
        candidates
            .map(|v| (self.close(v, &there, counter_clockwise), self.close(v, &back, clockwise)))
            .collect()
    }

    /// Where one gets from u by two steps round a loop, by increasing side.
    fn two_steps(&self, u: SideId, next: impl Fn(SideId) -> SideId) -> Vec<TwoSteps> {
        let mut reached = Vec::with_capacity(BEST * BEST);
        for &(w, first) in self.best(next(u)) {
            for &(to, second) in self.best(next(w)) {
                if to.piece() != u.piece() {
                    reached.push(TwoSteps { to, through: w.piece(), cost: first + second });
                }
            }
        }
        reached.sort_unstable_by_key(|step| step.to);
        reached
    }

    /// The loops of a pair that has v at its other end; `previous` goes round v's piece against the
    /// sense of the two steps.
    fn close(
        &self,
        v: SideId,
        two_steps: &[TwoSteps],
        previous: impl Fn(SideId) -> SideId,
    ) -> FlankLoops {
        let mut least = NO_LOOP;
        let mut sum = OrderlessSum::default();
        for &(z, last) in self.best(previous(v)) {
            let to = previous(z);
            let first = two_steps.partition_point(|step| step.to < to);
            for step in two_steps[first..].iter().take_while(|step| step.to == to) {
                let cost = step.cost + last;
                if step.through != v.piece() && cost < NO_LOOP {
                    least = least.min(cost);
                    sum.add(f64::from(-cost / 2.0).exp());
                }
            }
        }
        let soft = if least < NO_LOOP { single(-2.0 * sum.value().ln()) } else { NO_LOOP };
        FlankLoops { least, soft: soft.min(NO_LOOP) }
    }

    fn views(&self, u: SideId) -> Vec<LoopView> {
        let Self { nearest, verdicts, .. } = *self;
        let loops = self.loops(u);
        let sums: Vec<f32> = loops.iter().map(|(x, y)| x.least + y.least).collect();
        let border = |side: SideId| verdicts.border[side.index()].max(LEAST_LOG);
        let unlisted = |side: SideId| verdicts.unlisted[side.index()].max(LEAST_LOG);
        let first_floors = |side: SideId| {
            floor_of(&self.first.candidates[nearest.slots(side)], self.first.unlisted[side.index()])
        };
        let slots = nearest.slots(u);
        let views = nearest.of(u).iter().zip(slots.clone()).map(|(candidate, slot)| {
            let v = candidate.side;
            let at = slot - slots.start;
            let cost = self.costs[slot];
            let slot_back = self.slots_back[slot];
            LoopView {
                cost,
                there: verdicts.candidates[slot],
                back: log_back(verdicts, &self.floors, slot_back, v),
                first_there: self.first.candidates[slot],
                first_back: match slot_back {
                    NOT_LISTED => first_floors(v),
                    slot => self.first.candidates[slot as usize],
                },
                rank_in_u: self.rank(u, cost),
                rank_in_v: self.rank(v, cost),
                best_other_of_u: best_other(&self.costs[slots.clone()], Some(at)),
                best_other_of_v: best_other(
                    &self.costs[nearest.slots(v)],
                    (slot_back != NOT_LISTED).then(|| slot_back as usize - nearest.slots(v).start),
                ),
                clockwise: loops[at].0,
                counter_clockwise: loops[at].1,
                best_other_loops: best_other(&sums, Some(at)).min(2.0 * NO_LOOP),
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
                fit: single(self.pairs.fit(u, candidate.dissimilarity)),
                texture_of_u: self.pairs.texture(u),
                texture_of_v: self.pairs.texture(v),
                turns: self.pairs.turns(),
            }
        });
        views.collect()
    }

    fn rank(&self, side: SideId, cost: f32) -> usize {
        self.costs[self.nearest.slots(side)].iter().filter(|&&other| other < cost).count()
    }
}

/// ln p of what a side does not list: less than anything listed.
fn floor_of(listed: &[f32], unlisted: f32) -> f32 {
    (listed.iter().copied().fold(unlisted, f32::min) - 1.0).max(-NO_LOOP)
}

fn floors(nearest: &NearestSides, verdicts: &LogVerdicts) -> Vec<f32> {
    (0..nearest.num_sides())
        .map(SideId::from_index)
        .map(|side| {
            floor_of(&verdicts.candidates[nearest.slots(side)], verdicts.unlisted[side.index()])
        })
        .collect()
}

/// ln p(v -> u), from the slot of that pair.
fn log_back(verdicts: &LogVerdicts, floors: &[f32], slot_back: u32, v: SideId) -> f32 {
    match slot_back {
        NOT_LISTED => floors[v.index()],
        slot => verdicts.candidates[slot as usize],
    }
}

/// The least value but the one left out.
fn best_other(values: &[f32], left_out: Option<usize>) -> f32 {
    let others = values.iter().enumerate().filter(|&(at, _)| Some(at) != left_out);
    others.map(|(_, &value)| value).fold(WORST_PAIR, f32::min)
}
