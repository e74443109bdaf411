//! Stores of pair costs: of all pairs, of listed pairs, and of recently used pairs.

use crate::puzzle::SideId;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Two sides as one number, the same in either order.
pub(crate) const fn pair_key(a: SideId, b: SideId) -> u64 {
    let (a, b) = (a.index() as u64, b.index() as u64);
    if a < b { (a << 32) | b } else { (b << 32) | a }
}

/// A table of all pairs is made for at most this many sides: it then takes 64 MiB.
pub(crate) const MAX_SIDES_OF_ALL_PAIRS: usize = 4096;

/// A square table of the costs of all pairs, filled on demand, with a row for each second side.
#[derive(Debug)]
pub(crate) struct AllPairs {
    num_sides: usize,
    /// The bits of a cost, or [`UNKNOWN`].
    costs: Vec<AtomicU32>,
}

/// No cost has these bits.
const UNKNOWN: u32 = u32::MAX;

impl AllPairs {
    pub(crate) fn new(num_sides: usize) -> Self {
        let costs = (0..num_sides * num_sides).map(|_| AtomicU32::new(UNKNOWN)).collect();
        Self { num_sides, costs }
    }

    /// The stored cost of a pair; if there is none, `find` computes it.
    #[inline]
    pub(crate) fn get_or(&self, a: SideId, b: SideId, find: impl FnOnce() -> f32) -> f32 {
        let place = &self.costs[b.index() * self.num_sides + a.index()];
        match place.load(Ordering::Relaxed) {
            UNKNOWN => {
                let cost = find();
                place.store(cost.to_bits(), Ordering::Relaxed);
                cost
            }
            bits => f32::from_bits(bits),
        }
    }
}

/// A hash table of the costs of listed pairs, with open addressing, at most half full.
///
/// Most lookups are of pairs that are not in the table. A filter of 256 bits per side, in which each partner of the
/// side sets one bit, rules out most of those. The filter fits the processor's cache, the table does not.
#[derive(Debug)]
pub(super) struct PairTable {
    slots: Vec<(u64, f32)>,
    shift: u32,
    partners: Vec<[u64; 4]>,
}

/// The word and the bit of a side in the filters of its partners.
#[inline]
const fn bit_of(side: SideId) -> (usize, u64) {
    let hash = (side.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
    ((hash >> 6) as usize, 1 << (hash & 63))
}

/// No pair has this key.
const EMPTY: u64 = u64::MAX;

impl PairTable {
    /// An empty table with room for this many pairs.
    pub(super) fn new(num_sides: usize, num_pairs: usize) -> Self {
        let num_slots = (2 * num_pairs).next_power_of_two().max(2);
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

    /// The slot that holds a key, or the empty slot where it belongs.
    #[inline]
    fn slot_of(&self, key: u64) -> usize {
        #[expect(clippy::cast_possible_truncation, reason = "smaller than the table")]
        let mut slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        while self.slots[slot].0 != key && self.slots[slot].0 != EMPTY {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    /// Stores the cost of a pair. Returns whether the pair is new.
    pub(super) fn insert(&mut self, a: SideId, b: SideId, cost: f32) -> bool {
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
    pub(super) fn get(&self, a: SideId, b: SideId) -> Option<f32> {
        if !self.may_have(a, b) {
            return None;
        }
        let (key, cost) = self.slots[self.slot_of(pair_key(a, b))];
        (key != EMPTY).then_some(cost)
    }
}

/// A cache of pair costs. Each pair has one place, which it shares with others; the last one stays.
#[derive(Debug)]
pub(super) struct PairCache {
    /// The upper half of a word identifies the pair, the lower half is its cost.
    places: Vec<AtomicU64>,
    place_bits: u32,
    /// Bits of a side's number.
    side_bits: u32,
}

/// The cache has 2^22 places, 32 MiB; where [`AllPairs`] remembers the costs, 2^12.
const PLACE_BITS: u32 = 22;
const FEW_PLACE_BITS: u32 = 12;

impl PairCache {
    pub(super) fn new(num_sides: usize) -> Self {
        let place_bits =
            if num_sides > MAX_SIDES_OF_ALL_PAIRS { PLACE_BITS } else { FEW_PLACE_BITS };
        let places = (0..1_usize << place_bits).map(|_| AtomicU64::new(EMPTY)).collect();
        Self { places, place_bits, side_bits: usize::BITS - num_sides.leading_zeros() }
    }

    /// The cached cost of a pair; if there is none, `find` computes it.
    #[inline]
    pub(super) fn get_or(&self, a: SideId, b: SideId, find: impl FnOnce() -> f32) -> f32 {
        let bits = (2 * self.side_bits).max(self.place_bits);
        if bits > self.place_bits + 32 {
            // 32 bits cannot identify the pairs of a place.
            return find();
        }
        let (key, mask) = (pair_key(a, b), (1_u64 << bits) - 1);
        let packed = ((key >> 32) << self.side_bits) | (key & 0xffff_ffff);
        // Odd factors and shifts make a bijection, so that no two pairs have the same place and tag.
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
        let cost = find();
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
    fn tables_return_stored_costs_in_either_order_of_sides() {
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
    fn a_cache_never_confuses_two_pairs() {
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
        // Too many sides to identify pairs, so that nothing is remembered.
        let cache = PairCache::new(1 << 28);
        assert_eq!(cache.get_or(side(3), side(4), || 1.0), 1.0);
        assert_eq!(cache.get_or(side(3), side(4), || 2.0), 2.0);
    }
}
