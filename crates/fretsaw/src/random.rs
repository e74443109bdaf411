//! Randomness from a seed, the same on every machine and any number of threads.

/// A function that gives every pair of numbers a pseudo-random order, fixed by the seed.
///
/// Used to break ties: it knows nothing of where pieces belong, and unlike "the first one wins" it
/// does not favour the order in which pieces were handed in, which might.
pub(crate) fn tie_breaker(seed: u64) -> impl Fn(u64, u64) -> u64 {
    move |a, b| mix(mix(mix(seed) ^ a) ^ b)
}

/// The finaliser of SplitMix64: a bijection whose output bits all depend on all input bits.
const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
