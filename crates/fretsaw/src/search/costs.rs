//! What seams cost: the energy that the search lowers.
//!
//! The energy of a board is the sum of `-ln p` over its seams, p the matcher's probability that the two
//! sides belong together, and of `-ln border` over the sides that touch nothing. It knows nothing of
//! the truth.
//!
//! The search asks for the same pairs over and over. Of small puzzles every pair that was asked for
//! once is remembered, in a table with a row for each side: a search for the best piece next to a side
//! stays within its row, and the cache. Of large ones listed pairs lie in a hash table. Of the others
//! most cost as much as a pair can, which two numbers tell; what is left is measured when asked for, and
//! remembered as long as nothing else needs its place. Two threads may both measure a pair, which
//! changes no answer.

use crate::constraints::Constraints;
use crate::matching::MatchModel;
use crate::puzzle::{PieceId, Side, SideId};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The most that a seam costs, in nats.
///
/// A seam is never so wrong that it should outweigh a dozen others: the matcher's smallest probabilities
/// are its least tested.
pub const MAX_COST: f32 = 12.0;

/// What a matcher that knows no probabilities is taken to say of the border, and of what is not listed.
const UNKNOWN: f32 = 0.25;

/// Puzzles of more sides measure few of their unlisted pairs: the matcher spreads what is not listed over so
/// many sides that each of them costs nearly the most there is, and measuring them takes much of the time
/// of a search.
const MANY_SIDES: usize = 16_384;
const LIMIT_OF_MANY_SIDES: f32 = 9.0;

/// How much likelier the true neighbour is than any other side among those that a side does not list,
/// if it fits as well as the best of these: [`likelihood_ratio`].
const RATIO_AT_BEST: f32 = 12.0;
/// The power of the dissimilarity with which that falls.
const RATIO_DECAY: f32 = 2.2;
/// What it does not fall below.
const LEAST_RATIO: f32 = 0.02;

/// How much likelier than any other unlisted side the true neighbour is to fit `times` as badly as the
/// best unlisted one.
///
/// Fitted by eye to the true neighbours that sides do not list, on the odd pictures of three standard
/// sets and on parts of the pictures that the matcher learned from.
fn likelihood_ratio(times: f32) -> f32 {
    (RATIO_AT_BEST * times.max(1.0).powf(-RATIO_DECAY)).max(LEAST_RATIO)
}

/// A side that may belong next to another, and how often to try it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proposal {
    /// The side.
    pub(super) side: SideId,
    /// The share of tries that go to this or an earlier proposal.
    pub(super) up_to: f32,
}

/// Two sides that may belong together, and what that costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LikelyMatch {
    pub(crate) a: SideId,
    pub(crate) b: SideId,
    pub(crate) cost: f32,
}

/// What a seam costs that someone said is not one, or a side that touches something else than what it
/// was said to touch: more than any number of seams around a piece could gain.
const VIOLATION: f32 = 100.0;

/// What was said of sides.
#[derive(Debug, Default)]
struct Rules {
    /// Both ways.
    partners: FxHashMap<SideId, SideId>,
    forbidden: FxHashSet<u64>,
}

impl Rules {
    fn new(constraints: &Constraints) -> Self {
        let joins = constraints.joins.iter();
        Self {
            partners: joins.flat_map(|x| [(x.first, x.second), (x.second, x.first)]).collect(),
            forbidden: constraints.forbidden.iter().map(|x| pair_key(x.first, x.second)).collect(),
        }
    }

    /// What two sides cost by these rules; nothing if they say nothing.
    fn cost(&self, a: SideId, b: SideId) -> Option<f32> {
        match (self.partners.get(&a), self.partners.get(&b)) {
            (Some(&of_a), _) if of_a == b => Some(0.0),
            (None, None) => self.forbidden.contains(&pair_key(a, b)).then_some(VIOLATION),
            _ => Some(VIOLATION),
        }
    }
}

/// What every seam costs, from 0 to [`MAX_COST`] unless someone said otherwise.
#[derive(Debug)]
pub struct SeamCosts<'a> {
    origin: Origin<'a>,
    rules: Option<Rules>,
    known: Option<AllPairs>,
    border: Vec<f32>,
    lists: Lists,
}

/// Which neighbours to try at each side.
#[derive(Debug, Default)]
struct Lists {
    proposals: Vec<Proposal>,
    /// The proposals of side s end before `proposals[proposals_end[s]]`.
    proposals_end: Vec<usize>,
    /// By their first side.
    matches: Vec<LikelyMatch>,
    /// The matches of which side s is the first end before `matches[matches_end[s]]`.
    matches_end: Vec<usize>,
}

impl Lists {
    /// Lists of the next side: of its matches those that no earlier one has listed, and which
    /// neighbours to try how often.
    fn push(
        &mut self,
        matches: impl IntoIterator<Item = LikelyMatch>,
        proposals: impl IntoIterator<Item = (SideId, f32)>,
    ) {
        self.matches.extend(matches);
        self.matches_end.push(self.matches.len());
        let start = self.proposals.len();
        let mut sum = 0.0;
        for (side, weight) in proposals {
            sum += weight;
            self.proposals.push(Proposal { side, up_to: sum });
        }
        for proposal in &mut self.proposals[start..] {
            proposal.up_to /= sum;
        }
        self.proposals_end.push(self.proposals.len());
    }
}

/// What belongs to a side in a list of which the ends of all sides' parts are known.
fn range_of(ends: &[usize], side: SideId) -> std::ops::Range<usize> {
    let start = side.index().checked_sub(1).map_or(0, |before| ends[before]);
    start..ends[side.index()]
}

/// Where costs come from.
#[derive(Debug)]
enum Origin<'a> {
    Matcher(JudgedPairs<'a>),
    /// Some pieces of a puzzle, numbered anew.
    Part {
        whole: &'a SeamCosts<'a>,
        pieces: Vec<PieceId>,
    },
}

/// What the matcher says of pairs.
#[derive(Debug)]
struct JudgedPairs<'a> {
    model: &'a MatchModel<'a>,
    listed: PairTable,
    measured: PairCache,
    /// Per side, its half of the least that an unlisted pair costs.
    unlisted: Vec<f32>,
    /// Unlisted pairs that cost at least so much are not measured, and cost the most.
    unlisted_limit: f32,
}

/// Proposals per side at most.
const MAX_PROPOSALS: usize = 12;
/// Nothing that costs more is proposed.
const MAX_PROPOSED: f32 = 9.0;
/// Matches that cost more do not join segments.
const MAX_MATCHED: f32 = 5.0;

impl<'a> SeamCosts<'a> {
    /// The costs that a matcher's verdict makes.
    #[must_use]
    pub fn new(model: &'a MatchModel<'a>) -> Self {
        let candidates = model.candidates();
        let sides = || (0..model.num_sides()).into_par_iter().map(SideId::from_index);
        let num_sides = model.num_sides() as f32;
        let verdict = |side: SideId| {
            model
                .of_side(side)
                .map_or((UNKNOWN, UNKNOWN), |verdict| (verdict.border, verdict.unlisted))
        };
        let mut pairs = JudgedPairs {
            model,
            listed: PairTable::new(model.num_sides(), candidates.num_candidates()),
            measured: PairCache::new(model.num_sides()),
            unlisted: sides()
                .map(|side| 0.5 * cost_of(verdict(side).1 * RATIO_AT_BEST / num_sides))
                .collect(),
            unlisted_limit: if model.num_sides() > MANY_SIDES {
                LIMIT_OF_MANY_SIDES
            } else {
                MAX_COST
            },
        };
        let of_candidates: Vec<Vec<LikelyMatch>> = sides()
            .map(|a| {
                let cost = |b: SideId, value: f64| {
                    let is_mutual = candidates.of(b).iter().any(|back| back.side == a);
                    #[expect(clippy::cast_possible_truncation, reason = "a cost")]
                    let cost = if is_mutual || !model.has_probabilities() {
                        model.ratio_of_value(a, b, value).ln_1p() as f32
                    } else {
                        let measured = model.dissimilarity().value(a, b);
                        0.5 * cost_of(model.probability(a, b) as f32)
                            + pairs.half_of_unlisted(b, measured)
                    };
                    cost.min(MAX_COST)
                };
                let matched = |b, value| LikelyMatch { a, b, cost: cost(b, value) };
                candidates.of(a).iter().map(|b| matched(b.side, b.dissimilarity)).collect()
            })
            .collect();
        let mut lists = Lists::default();
        for found in &of_candidates {
            // Where both list each other the pair is seen twice, with the same cost.
            let new = found.iter().filter(|x| pairs.listed.insert(x.a, x.b, x.cost));
            let new = new.filter(|x| x.cost < MAX_MATCHED).copied().collect::<Vec<_>>();
            // Each as often as the root of its probability says.
            let likely = found.iter().filter(|x| x.cost < MAX_PROPOSED).take(MAX_PROPOSALS);
            lists.push(new, likely.map(|x| (x.b, (-0.5 * x.cost).exp())));
        }
        let border = sides().map(|side| cost_of(verdict(side).0).min(MAX_COST)).collect();
        Self { origin: Origin::Matcher(pairs), rules: None, known: None, border, lists }
    }

    /// The same where someone said which sides touch, and which do not.
    #[must_use]
    pub fn with_constraints(mut self, constraints: &Constraints) -> Self {
        let rules = Rules::new(constraints);
        if rules.partners.is_empty() && rules.forbidden.is_empty() {
            return self;
        }
        let mut lists = Lists::default();
        for side in (0..self.border.len()).map(SideId::from_index) {
            let partner = rules.partners.get(&side).copied();
            let of_rule = partner.filter(|&other| side < other);
            // Before all others, however these are disturbed.
            let of_rule = of_rule.map(|b| LikelyMatch { a: side, b, cost: -1.0 });
            let is_allowed = |a: SideId, b: SideId| rules.cost(a, b).is_none();
            let matches = self.matches_of(side).iter().copied().filter(|x| is_allowed(x.a, x.b));
            let mut before = 0.0;
            let proposals = self.proposals(side).iter().filter_map(|proposal| {
                let weight = proposal.up_to - std::mem::replace(&mut before, proposal.up_to);
                is_allowed(side, proposal.side).then_some((proposal.side, weight))
            });
            let proposals = proposals.chain(partner.map(|other| (other, 1.0)));
            lists.push(matches.chain(of_rule), proposals);
            if partner.is_some() {
                self.border[side.index()] = VIOLATION;
            }
        }
        Self { rules: Some(rules), lists, ..self }
    }

    /// The same costs for some pieces, which get new numbers in the order given. Only the first
    /// `num_loose` of them are to be moved: the others neither propose nor are proposed.
    pub(super) fn part(&self, pieces: Vec<PieceId>, num_loose: usize) -> SeamCosts<'_> {
        let sides = |piece: PieceId| Side::ALL.map(|side| SideId::new(piece, side));
        let numbers: FxHashMap<PieceId, PieceId> =
            pieces[..num_loose].iter().copied().zip((0..).map(PieceId::new)).collect();
        let renumbered =
            |side: SideId| Some(SideId::new(*numbers.get(&side.piece())?, side.side()));
        let mut lists = Lists::default();
        for side in pieces[..num_loose].iter().copied().flat_map(sides) {
            let matches = self.matches_of(side).iter().filter_map(|found| {
                let (a, b) = (renumbered(found.a)?, renumbered(found.b)?);
                Some(LikelyMatch { a, b, ..*found })
            });
            let mut before = 0.0;
            let proposals = self.proposals(side).iter().filter_map(|&Proposal { side, up_to }| {
                let weight = up_to - std::mem::replace(&mut before, up_to);
                Some((renumbered(side)?, weight))
            });
            lists.push(matches, proposals);
        }
        let border = pieces.iter().copied().flat_map(sides).map(|side| self.of_border(side));
        let border = border.collect();
        SeamCosts {
            origin: Origin::Part { whole: self, pieces },
            rules: None,
            known: None,
            border,
            lists,
        }
    }

    /// The neighbours to try at a side.
    pub(super) fn proposals(&self, side: SideId) -> &[Proposal] {
        &self.lists.proposals[range_of(&self.lists.proposals_end, side)]
    }

    /// The pairs that may join segments and are listed at this side; each pair is at one of its sides.
    fn matches_of(&self, side: SideId) -> &[LikelyMatch] {
        &self.lists.matches[range_of(&self.lists.matches_end, side)]
    }

    /// The pairs that may join segments, each once.
    pub(crate) fn matches(&self) -> &[LikelyMatch] {
        &self.lists.matches
    }

    /// Makes room to remember every pair, if that is reasonable: pays if many are asked for again.
    pub(super) fn remember_pairs(&mut self) {
        if self.border.len() <= MAX_SIDES_OF_ALL_PAIRS {
            self.known = Some(AllPairs::new(self.border.len()));
        }
    }

    /// What two sides cost that touch.
    ///
    /// Where one of them stays the same for many questions, it should be the second.
    #[inline]
    #[must_use]
    pub fn of(&self, a: SideId, b: SideId) -> f32 {
        match &self.known {
            Some(known) => known.get_or(a, b, || self.found(a, b)),
            None => self.found(a, b),
        }
    }

    fn found(&self, a: SideId, b: SideId) -> f32 {
        if let Some(cost) = self.rules.as_ref().and_then(|rules| rules.cost(a, b)) {
            return cost;
        }
        match &self.origin {
            Origin::Matcher(pairs) => pairs.cost(a, b),
            Origin::Part { whole, pieces } => {
                let of_whole =
                    |side: SideId| SideId::new(pieces[side.piece().index()], side.side());
                whole.of(of_whole(a), of_whole(b))
            }
        }
    }

    /// What a side costs that touches nothing: that it lies on the border of the picture.
    #[inline]
    #[must_use]
    pub fn of_border(&self, side: SideId) -> f32 {
        self.border[side.index()]
    }
}

impl JudgedPairs<'_> {
    fn cost(&self, a: SideId, b: SideId) -> f32 {
        if let Some(cost) = self.listed.get(a, b) {
            cost
        } else if self.unlisted[a.index()] + self.unlisted[b.index()] >= self.unlisted_limit {
            MAX_COST
        } else {
            self.of_unlisted(a, b)
        }
    }

    fn of_unlisted(&self, a: SideId, b: SideId) -> f32 {
        self.measured.get_or(a, b, || {
            if !self.model.has_probabilities() {
                #[expect(clippy::cast_possible_truncation, reason = "a cost")]
                return (self.model.ratio(a, b).ln_1p() as f32).min(MAX_COST);
            }
            let value = self.model.dissimilarity().value(a, b);
            (self.half_of_unlisted(a, value) + self.half_of_unlisted(b, value)).min(MAX_COST)
        })
    }

    /// The half of a side that does not list the other, with their dissimilarity: of all 4n sides the
    /// neighbour is a certain one with the probability that it is none of the listed, over 4n, times
    /// the likelihood ratio of how well it fits.
    fn half_of_unlisted(&self, side: SideId, dissimilarity: f64) -> f32 {
        let best = self.model.measured().next_best(side);
        #[expect(clippy::cast_possible_truncation, reason = "a ratio")]
        let times = ((dissimilarity + 1.0) / (best + 1.0)) as f32;
        let ratio = likelihood_ratio(times) / RATIO_AT_BEST;
        self.unlisted[side.index()] + 0.5 * cost_of(ratio)
    }
}

/// `-ln p`, for probabilities of 0, too.
fn cost_of(probability: f32) -> f32 {
    -probability.clamp(1e-12, 1.0).ln()
}

/// Two sides as one number, the same whichever is named first.
const fn pair_key(a: SideId, b: SideId) -> u64 {
    let (a, b) = (a.index() as u64, b.index() as u64);
    if a < b { (a << 32) | b } else { (b << 32) | a }
}

/// Puzzles with more sides do not remember all pairs: 64 MiB.
pub(super) const MAX_SIDES_OF_ALL_PAIRS: usize = 4096;

/// Costs of all pairs that were asked for, a row for each second side.
#[derive(Debug)]
struct AllPairs {
    num_sides: usize,
    /// The bits of a cost, or [`UNASKED`].
    costs: Vec<AtomicU32>,
}

/// No cost has these bits.
const UNASKED: u32 = u32::MAX;

impl AllPairs {
    fn new(num_sides: usize) -> Self {
        let costs = (0..num_sides * num_sides).map(|_| AtomicU32::new(UNASKED)).collect();
        Self { num_sides, costs }
    }

    #[inline]
    fn get_or(&self, a: SideId, b: SideId, find: impl FnOnce() -> f32) -> f32 {
        let place = &self.costs[b.index() * self.num_sides + a.index()];
        match place.load(Ordering::Relaxed) {
            UNASKED => {
                let cost = find();
                place.store(cost.to_bits(), Ordering::Relaxed);
                cost
            }
            bits => f32::from_bits(bits),
        }
    }
}

/// Costs of pairs, by open addressing, at most half full.
///
/// Nearly all pairs that are asked for are not there. Each side has 256 bits, of which its partners set
/// one each: few pairs that are not there pass this test, whose bits stay in the cache where the table
/// does not.
#[derive(Debug)]
struct PairTable {
    slots: Vec<(u64, f32)>,
    shift: u32,
    partners: Vec<[u64; 4]>,
}

/// Where a side sets its bit for its partners: a word and a bit of it.
#[inline]
const fn bit_of(side: SideId) -> (usize, u64) {
    let hash = (side.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
    ((hash >> 6) as usize, 1 << (hash & 63))
}

/// No pair has this key.
const EMPTY: u64 = u64::MAX;

impl PairTable {
    /// At most half of them are full.
    const fn num_slots(num_pairs: usize) -> usize {
        let num_slots = (2 * num_pairs).next_power_of_two();
        if num_slots < 2 { 2 } else { num_slots }
    }

    fn new(num_sides: usize, num_pairs: usize) -> Self {
        let num_slots = Self::num_slots(num_pairs);
        Self {
            slots: vec![(EMPTY, 0.0); num_slots],
            shift: u64::BITS - num_slots.trailing_zeros(),
            partners: vec![[0; 4]; num_sides],
        }
    }

    #[inline]
    fn may_have(&self, a: SideId, b: SideId) -> bool {
        let (word, bit) = bit_of(b);
        let (word_back, bit_back) = bit_of(a);
        self.partners[a.index()][word] & bit != 0
            && self.partners[b.index()][word_back] & bit_back != 0
    }

    /// Where a key is, or would be put.
    #[inline]
    fn slot_of(&self, key: u64) -> usize {
        #[expect(clippy::cast_possible_truncation, reason = "smaller than the table")]
        let mut slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        while self.slots[slot].0 != key && self.slots[slot].0 != EMPTY {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    /// Whether the pair was not there.
    fn insert(&mut self, a: SideId, b: SideId, cost: f32) -> bool {
        let key = pair_key(a, b);
        let slot = self.slot_of(key);
        let is_new = self.slots[slot].0 == EMPTY;
        for (side, other) in [(a, b), (b, a)] {
            let (word, bit) = bit_of(other);
            self.partners[side.index()][word] |= bit;
        }
        self.slots[slot] = (key, cost);
        is_new
    }

    #[inline]
    fn get(&self, a: SideId, b: SideId) -> Option<f32> {
        if !self.may_have(a, b) {
            return None;
        }
        let (key, cost) = self.slots[self.slot_of(pair_key(a, b))];
        (key != EMPTY).then_some(cost)
    }
}

/// Costs that were measured lately; a pair may lie in one place only, shared with others.
#[derive(Debug)]
struct PairCache {
    /// The upper half tells which pair, the lower half is its cost.
    places: Vec<AtomicU64>,
    place_bits: u32,
    /// Bits of a side's number.
    side_bits: u32,
}

/// Bits of a place in the cache of a large puzzle, 32 MiB, and of a small one, which remembers its
/// pairs elsewhere.
const PLACE_BITS: u32 = 22;
const FEW_PLACE_BITS: u32 = 12;

impl PairCache {
    const fn place_bits(num_sides: usize) -> u32 {
        if num_sides > MAX_SIDES_OF_ALL_PAIRS { PLACE_BITS } else { FEW_PLACE_BITS }
    }

    fn new(num_sides: usize) -> Self {
        let place_bits = Self::place_bits(num_sides);
        let places = (0..1_usize << place_bits).map(|_| AtomicU64::new(EMPTY)).collect();
        Self { places, place_bits, side_bits: usize::BITS - num_sides.leading_zeros() }
    }

    #[inline]
    fn get_or(&self, a: SideId, b: SideId, measure: impl FnOnce() -> f32) -> f32 {
        let bits = (2 * self.side_bits).max(self.place_bits);
        if bits > self.place_bits + 32 {
            // Half a word does not tell so many pairs apart.
            return measure();
        }
        let (key, mask) = (pair_key(a, b), (1_u64 << bits) - 1);
        let packed = ((key >> 32) << self.side_bits) | (key & 0xffff_ffff);
        // A bijection of pairs, so that two never look the same: odd factors, and shifted bits.
        let mixed = packed.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        let mixed = (mixed ^ (mixed >> (bits / 2))).wrapping_mul(0xbf58_476d_1ce4_e5b9) & mask;
        let tag_bits = bits - self.place_bits;
        #[expect(clippy::cast_possible_truncation, reason = "a place, and the lower half")]
        let (place, tag) = ((mixed >> tag_bits) as usize, mixed & ((1 << tag_bits) - 1));
        let found = self.places[place].load(Ordering::Relaxed);
        #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
        if found != EMPTY && found >> 32 == tag {
            return f32::from_bits(found as u32);
        }
        let cost = measure();
        self.places[place].store((tag << 32) | u64::from(cost.to_bits()), Ordering::Relaxed);
        cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(index: usize) -> SideId {
        SideId::from_index(index)
    }

    #[test]
    fn tables_give_back_what_was_put_in_whichever_side_is_named_first() {
        let mut table = PairTable::new(7_000, 500);
        let pairs = || (0..500_usize).map(|i| (side(7 * i), side(13 * i + 1)));
        for (index, (a, b)) in pairs().enumerate() {
            assert!(table.insert(a, b, index as f32));
        }
        for (index, (a, b)) in pairs().enumerate() {
            assert_eq!(
                (table.get(a, b), table.get(b, a)),
                (Some(index as f32), Some(index as f32))
            );
            assert!(!table.insert(b, a, index as f32));
        }
        assert_eq!(table.get(side(1), side(2)), None);
    }

    #[test]
    fn a_cache_never_takes_one_pair_for_another() {
        let cost = |a: usize, b: usize| (a.min(b) * 4096 + a.max(b)) as f32;
        // Room for all pairs, and for a part of them.
        for num_sides in [1500, 100_000] {
            let cache = PairCache::new(num_sides);
            for round in 0..2 {
                for a in 0..1500 {
                    for b in 0..1500 {
                        let found = cache.get_or(side(a), side(b), || cost(a, b));
                        assert_eq!(found, cost(a, b), "{round}");
                    }
                }
            }
        }
        let cache = PairCache::new(100);
        assert_eq!(cache.get_or(side(3), side(4), || 1.0), 1.0);
        assert_eq!(cache.get_or(side(4), side(3), || 2.0), 1.0, "remembered");
        // Too many sides to be told apart: never remembered.
        let cache = PairCache::new(1 << 28);
        assert_eq!(cache.get_or(side(3), side(4), || 1.0), 1.0);
        assert_eq!(cache.get_or(side(3), side(4), || 2.0), 2.0);
    }

    #[test]
    fn the_likelihood_ratio_falls_from_its_best_to_its_least() {
        assert_eq!(likelihood_ratio(0.5), RATIO_AT_BEST);
        assert!((likelihood_ratio(3.0) - 1.07).abs() < 0.01);
        assert_eq!(likelihood_ratio(1e9), LEAST_RATIO);
    }
}
