//! The 2 x 2 loops that candidates close.
//!
//! The cost of a pair is `S(u, v) = -(ln p(u -> v) + ln p(v -> u))` by the probabilities so far. Two pieces i and j
//! that are joined at u and v close a 2 x 2 loop on one flank with pieces k and l: k next to i, l next to j, and k and
//! l next to each other. Around the loop, each step turns from a side to the next side of its piece and crosses to a
//! candidate of that side. Four steps lead back:
//!
//! ```text
//!      i  u|v  j            clockwise flank, the lower one here:
//!      u1     v1              u1 = u + 1,  w a candidate of u1,  w1 = w + 1,
//!      --     --              z1 a candidate of w1,  z = z1 + 1 a candidate of v1,  v = v1 + 1
//!      w      z             and the same with - 1 on the other flank
//!      k w1|z1 l
//! ```
//!
//! Loops are found from both ends: two steps from u and one step from v must meet. Cost: at most [`BEST`]^2 steps
//! per side and flank and [`BEST`] look-ups per candidate; far fewer where most candidates are unlikely.

use super::features::{NOT_LISTED, OrderlessSum, all_sides, clockwise, counter_clockwise, single};
use super::log_probabilities::LogProbabilities;
use crate::dissimilarity::{Candidate, NearestSides};
use crate::linalg::smaller;
use crate::puzzle::{PieceId, SideId};
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Loops run through this many of a side's best candidates, and those that tie with the last.
const BEST: usize = 8;
/// Loops that cost more do not count.
pub(super) const NO_LOOP: f32 = 30.0;
/// The largest cost of a pair.
pub(super) const WORST_PAIR: f32 = 60.0;

/// The loops of a pair on one flank.
#[derive(Clone, Copy, Default)]
pub(super) struct FlankLoops {
    /// The least cost of the other three pairs of a loop; [`NO_LOOP`] if there is none.
    pub(super) least: f32,
    /// `-2 ln sum exp(-cost / 2)` over all loops.
    pub(super) soft: f32,
}

/// Costs of all candidate pairs by the probabilities so far, and the loops among them.
#[derive(Clone, Copy)]
pub(super) struct LoopCosts<'a> {
    pub(super) nearest: &'a NearestSides,
    /// By candidate slot: the slot of the same pair seen from the other side.
    pub(super) slots_back: &'a [u32],
    pub(super) logs: &'a LogProbabilities,
    /// The costs of these candidates by these probabilities.
    pub(super) table: &'a LoopCostTable,
}

/// The costs of all candidate pairs.
#[derive(Clone, Debug, Default)]
pub(super) struct LoopCostTable {
    /// By candidate slot: S.
    costs: Vec<f32>,
    /// By candidate slot: how many candidates of the same side cost strictly less, at most 255.
    ranks: Vec<u8>,
    /// By side: the two least costs.
    least: Vec<[f32; 2]>,
    /// By side: ln p of an unlisted side.
    floors: Vec<f32>,
    /// The candidates that loops may run through: those of side s are `best[starts[s]..starts[s + 1]]`.
    best: Vec<(SideId, f32)>,
    best_starts: Vec<u32>,
}

impl LoopCostTable {
    /// Adds the next side.
    fn push(&mut self, arch: Arch, costs: impl Iterator<Item = f32>, candidates: &[Candidate]) {
        let start = self.costs.len();
        self.costs.extend(costs);
        let costs = &self.costs[start..];
        arch.dispatch(CountCheaper { costs, ranks: &mut self.ranks });
        let ranks = &self.ranks[start..];
        let mut least = [WORST_PAIR; 2];
        for ((&cost, &rank), candidate) in costs.iter().zip(ranks).zip(candidates) {
            if cost < least[0] {
                least = [cost, least[0]];
            } else if cost < least[1] {
                least[1] = cost;
            }
            // A pair that costs more closes no loop that counts.
            if usize::from(rank) < BEST && cost < NO_LOOP {
                self.best.push((candidate.side, cost));
            }
        }
        self.least.push(least);
        #[expect(clippy::cast_possible_truncation, reason = "no more than candidates")]
        self.best_starts.push(self.best.len() as u32);
    }
}

/// Appends the rank of every cost. Lists are short, so that comparing all with all in vector registers is faster
/// than sorting.
struct CountCheaper<'a> {
    costs: &'a [f32],
    ranks: &'a mut Vec<u8>,
}

impl WithSimd for CountCheaper<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for &cost in self.costs {
            let rank = count_below(self.costs, cost);
            self.ranks.push(u8::try_from(rank).unwrap_or(u8::MAX));
        }
    }
}

#[inline(always)]
fn count_below(costs: &[f32], cost: f32) -> u32 {
    let mut count = 0;
    for &other in costs {
        count += u32::from(other < cost);
    }
    count
}

/// Sides whose costs one thread computes at a time.
const BLOCK: usize = 256;

/// Where two steps from a side lead.
struct TwoSteps {
    to: SideId,
    through: PieceId,
    cost: f32,
}

impl LoopCostTable {
    pub(super) fn new(nearest: &NearestSides, slots_back: &[u32], logs: &LogProbabilities) -> Self {
        let arch = Arch::new();
        let floors = floors(nearest, logs);
        let num_sides = nearest.num_sides();
        let blocks: Vec<Self> = (0..num_sides.div_ceil(BLOCK))
            .into_par_iter()
            .map(|block| {
                let sides = block * BLOCK..((block + 1) * BLOCK).min(num_sides);
                let mut block = Self::default();
                for u in sides.map(SideId::from_index) {
                    let cost = |(slot, candidate): (usize, &Candidate)| {
                        let back = log_back(logs, &floors, slots_back[slot], candidate.side);
                        (-(logs.candidates[slot] + back)).clamp(0.0, WORST_PAIR)
                    };
                    let costs = nearest.slots(u).zip(nearest.of(u)).map(cost);
                    block.push(arch, costs, nearest.of(u));
                }
                block
            })
            .collect();
        let mut all = Self { floors, best_starts: vec![0], ..Self::default() };
        all.costs.reserve(nearest.num_candidates());
        all.ranks.reserve(nearest.num_candidates());
        for block in blocks {
            #[expect(clippy::cast_possible_truncation, reason = "no more than candidates")]
            let before = all.best.len() as u32;
            all.best_starts.extend(block.best_starts.iter().map(|start| before + start));
            all.costs.extend(block.costs);
            all.ranks.extend(block.ranks);
            all.least.extend(block.least);
            all.best.extend(block.best);
        }
        all
    }

    /// S of the pair in a slot.
    pub(super) fn cost(&self, slot: usize) -> f32 {
        self.costs[slot]
    }

    /// How many candidates of the same side cost strictly less, at most 255.
    pub(super) fn rank(&self, slot: usize) -> usize {
        usize::from(self.ranks[slot])
    }
}

impl LoopCosts<'_> {
    /// The candidates of a side that loops may run through, with their costs.
    pub(super) fn best(&self, side: SideId) -> &[(SideId, f32)] {
        let starts = &self.table.best_starts;
        &self.table.best[starts[side.index()] as usize..starts[side.index() + 1] as usize]
    }

    /// For some candidates of a side, the loops of the pair on the clockwise and the counter-clockwise flank.
    pub(super) fn loops(
        &self,
        u: SideId,
        candidates: impl Iterator<Item = SideId>,
    ) -> Vec<(FlankLoops, FlankLoops)> {
        let there = self.two_steps(u, clockwise);
        let back = self.two_steps(u, counter_clockwise);
        candidates
            .map(|v| (self.close(v, &there, counter_clockwise), self.close(v, &back, clockwise)))
            .collect()
    }

    /// The largest cost of a side's candidates up to this rank; [`WORST_PAIR`] if it has fewer candidates.
    pub(super) fn cost_at(&self, side: SideId, rank: usize) -> f32 {
        let slots = self.nearest.slots(side);
        if slots.len() <= rank {
            return WORST_PAIR;
        }
        let is_within = |slot: &usize| usize::from(self.table.ranks[*slot]) <= rank;
        slots.filter(is_within).map(|slot| self.table.costs[slot]).fold(0.0, f32::max)
    }

    /// The sides that two steps around a loop lead to from u, by increasing side.
    fn two_steps(&self, u: SideId, next: impl Fn(SideId) -> SideId) -> Vec<TwoSteps> {
        let mut reached = Vec::with_capacity(BEST * BEST);
        for &(w, first) in self.best(next(u)) {
            for &(to, second) in self.best(next(w)) {
                if to.piece() != u.piece() && first + second < NO_LOOP {
                    reached.push(TwoSteps { to, through: w.piece(), cost: first + second });
                }
            }
        }
        reached.sort_unstable_by_key(|step| step.to);
        reached
    }

    /// The loops of the pair whose second side is v; `previous` turns around v's piece against the direction of the
    /// two steps.
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
                    least = smaller(least, cost);
                    sum.add(f64::from(-cost / 2.0).exp());
                }
            }
        }
        let soft = if least < NO_LOOP { single(-2.0 * sum.value().ln()) } else { NO_LOOP };
        FlankLoops { least, soft: soft.min(NO_LOOP) }
    }

    /// ln p(v -> u) of the pair (u, v) in a slot.
    pub(super) fn log_back(&self, slot: usize, v: SideId) -> f32 {
        log_back(self.logs, &self.table.floors, self.slots_back[slot], v)
    }

    /// How many candidates of v cost strictly less than the pair (u, v) in a slot of u.
    pub(super) fn rank_back(&self, slot: usize, v: SideId) -> usize {
        match self.slots_back[slot] {
            NOT_LISTED => {
                count_below(&self.table.costs[self.nearest.slots(v)], self.table.costs[slot])
                    as usize
            }
            // The pair costs the same from both its sides.
            slot => self.table.rank(slot as usize),
        }
    }

    /// The least cost of a side's candidates without the one in this slot; of all if the slot is
    /// [`NOT_LISTED`].
    pub(super) fn best_other(&self, side: SideId, slot: u32) -> f32 {
        let left_out = if slot == NOT_LISTED { f32::NAN } else { self.table.costs[slot as usize] };
        best_other(&self.table.least[side.index()], left_out)
    }
}

/// ln p of a side that is not listed: less than that of all listed ones.
pub(super) fn floor_of(listed: &[f32], unlisted: f32) -> f32 {
    (listed.iter().copied().fold(unlisted, f32::min) - 1.0).max(-NO_LOOP)
}

fn floors(nearest: &NearestSides, logs: &LogProbabilities) -> Vec<f32> {
    all_sides(nearest)
        .map(|side| floor_of(&logs.candidates[nearest.slots(side)], logs.unlisted[side.index()]))
        .collect()
}

/// ln p(v -> u), from the slot of that pair.
fn log_back(logs: &LogProbabilities, floors: &[f32], slot_back: u32, v: SideId) -> f32 {
    match slot_back {
        NOT_LISTED => floors[v.index()],
        slot => logs.candidates[slot as usize],
    }
}

/// The least of sorted values after one of this value is left out.
pub(super) fn best_other(sorted: &[f32], left_out: f32) -> f32 {
    let is_first = sorted.first() == Some(&left_out);
    sorted.get(usize::from(is_first)).copied().unwrap_or(WORST_PAIR)
}

#[cfg(test)]
mod tests {
    use super::super::features::slots_back;
    use super::*;
    use crate::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
    use crate::observer::Silent;
    use crate::puzzle::{PieceSet, PieceShape, Samples, TurnSet};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Candidates of pieces of random pixels.
    fn candidates(num: usize, k: usize, turns: TurnSet, random: &mut ChaCha8Rng) -> NearestSides {
        let values = (0..num * 9).map(|_| random.random_range(0..=255)).collect();
        let shape = PieceShape::new(3, 3).unwrap();
        let pieces = PieceSet::new(shape, 1, Samples::U8(values)).unwrap();
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Ssd).unwrap();
        let settings = NearestSettings { num_candidates: k, max_candidates: 4 * k };
        find_nearest(&dissimilarity, turns, &settings, &Silent).unwrap()
    }

    /// Random probabilities of few different values, so that many tie, some of them too small to count.
    fn random_logs(nearest: &NearestSides, random: &mut ChaCha8Rng) -> LogProbabilities {
        let mut logs = |count: usize| -> Vec<f32> {
            let levels = [0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -5.0, -8.0, -14.0, -22.0, -40.0];
            (0..count).map(|_| levels[random.random_range(0..levels.len())]).collect()
        };
        LogProbabilities {
            candidates: logs(nearest.num_candidates()),
            border: logs(nearest.num_sides()),
            unlisted: logs(nearest.num_sides()),
        }
    }

    /// S(u, v) of the pairs that loops may run through, by u and v.
    fn passable(nearest: &NearestSides, logs: &LogProbabilities) -> Vec<Vec<Option<f32>>> {
        let num_sides = nearest.num_sides();
        let sides = || (0..num_sides).map(SideId::from_index);
        let log = |u: SideId, v: SideId| {
            let slot = nearest.slots(u).zip(nearest.of(u)).find(|(_, c)| c.side == v)?.0;
            Some(logs.candidates[slot])
        };
        let floor = |v: SideId| {
            let least = nearest.slots(v).map(|slot| logs.candidates[slot]);
            (least.fold(logs.unlisted[v.index()], f32::min) - 1.0).max(-30.0)
        };
        sides()
            .map(|u| {
                let cost = |v: SideId| {
                    let back = log(v, u).unwrap_or_else(|| floor(v));
                    log(u, v).map(|there| (-(there + back)).clamp(0.0, 60.0))
                };
                let costs: Vec<Option<f32>> = sides().map(cost).collect();
                let num_cheaper =
                    |cost: f32| costs.iter().flatten().filter(|&&other| other < cost).count();
                let may_pass = |cost: f32| num_cheaper(cost) < BEST && cost < NO_LOOP;
                costs.iter().map(|cost| cost.filter(|&cost| may_pass(cost))).collect()
            })
            .collect()
    }

    #[test]
    fn loops_are_those_that_an_exhaustive_search_finds() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut num_found = 0;
        let mut num_of_several = 0;
        let cases = [
            (5, 3, TurnSet::Quarter),
            (8, 12, TurnSet::Quarter),
            (12, 10, TurnSet::None),
            (10, 6, TurnSet::Half),
            (2, 4, TurnSet::Quarter),
        ];
        for (num, k, turns) in cases.repeat(2) {
            let nearest = &candidates(num, k, turns, &mut random);
            let logs = &random_logs(nearest, &mut random);
            let slots_back = slots_back(nearest);
            let table = &LoopCostTable::new(nearest, &slots_back, logs);
            let costs = LoopCosts { nearest, slots_back: &slots_back, logs, table };
            let cost = passable(nearest, logs);
            let cost = |a: SideId, b: SideId| cost[a.index()][b.index()];
            let sides = || all_sides(nearest);
            // One flank: as drawn above if `next` is clockwise.
            let search = |u: SideId, v: SideId, next: fn(SideId) -> SideId| {
                let mut found = Vec::new();
                let v1 = sides().find(|&v1| next(v1) == v).unwrap();
                for w in sides() {
                    let Some(first) = cost(next(u), w) else { continue };
                    for z1 in sides() {
                        let (second, third) = (cost(next(w), z1), cost(v1, next(z1)));
                        let (i, j, k, l) = (u.piece(), v.piece(), w.piece(), z1.piece());
                        let are_four = i != k && i != l && j != k && j != l && k != l;
                        if let (Some(second), Some(third), true) = (second, third, are_four) {
                            found.push(f64::from(first) + f64::from(second) + f64::from(third));
                        }
                    }
                }
                found.retain(|&cost| cost < f64::from(NO_LOOP));
                found
            };
            for u in sides() {
                let list = nearest.of(u).iter().map(|candidate| candidate.side);
                for (v, (there, back)) in list.clone().zip(costs.loops(u, list)) {
                    for (flank, next) in
                        [(there, clockwise as fn(SideId) -> SideId), (back, counter_clockwise)]
                    {
                        let loops = search(u, v, next);
                        let none = f64::from(NO_LOOP);
                        let least = loops.iter().copied().fold(none, f64::min);
                        let sum: f64 = loops.iter().map(|cost| (-cost / 2.0).exp()).sum();
                        let soft = (-2.0 * sum.ln()).min(none);
                        assert!((f64::from(flank.least) - least).abs() < 1e-4, "{u:?} {v:?}");
                        assert!((f64::from(flank.soft) - soft).abs() < 1e-3, "{u:?} {v:?}");
                        num_found += usize::from(!loops.is_empty());
                        num_of_several += usize::from(loops.len() > 1);
                    }
                }
            }
        }
        // Otherwise nothing was compared.
        assert!(num_found > 100 && num_of_several > 50, "{num_found} {num_of_several}");
    }

    #[test]
    fn ranks_and_best_others_are_those_of_a_simple_count() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let nearest = &candidates(8, 6, TurnSet::Quarter, &mut random);
        let logs = &random_logs(nearest, &mut random);
        let slots_back = slots_back(nearest);
        let table = &LoopCostTable::new(nearest, &slots_back, logs);
        let costs = LoopCosts { nearest, slots_back: &slots_back, logs, table };
        for side in all_sides(nearest) {
            let slots = || nearest.slots(side);
            for slot in slots() {
                let cost = table.cost(slot);
                let num_cheaper = slots().filter(|&other| table.cost(other) < cost).count();
                assert_eq!(table.rank(slot), num_cheaper);
                let v = nearest.of(side)[slot - slots().start].side;
                let cheaper_of_v = nearest.slots(v).filter(|&other| table.cost(other) < cost);
                assert_eq!(costs.rank_back(slot, v), cheaper_of_v.count());
                let others = slots().filter(|&other| other != slot).map(|other| table.cost(other));
                let slot = u32::try_from(slot).unwrap();
                assert_eq!(costs.best_other(side, slot), others.fold(WORST_PAIR, f32::min));
            }
            let all = slots().map(|slot| table.cost(slot));
            assert_eq!(costs.best_other(side, NOT_LISTED), all.fold(WORST_PAIR, f32::min));
        }
    }
}
