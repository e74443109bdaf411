//! Randomness from a seed, the same on every machine and any number of threads.

/// A function that gives every pair of numbers a pseudo-random order, fixed by the seed.
///
/// Used to break ties. The order of the pieces might reveal where they belong; this order does not
/// depend on it.
pub fn tie_breaker(seed: u64) -> impl Fn(u64, u64) -> u64 {
    move |a, b| mix(mix(mix(seed) ^ a) ^ b)
}

/// The finaliser of SplitMix64: a bijection whose output bits all depend on all input bits.
pub(crate) const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A stream of pseudo-random numbers, SplitMix64: fast, and fixed by the seed.
#[derive(Clone, Debug)]
pub(crate) struct Stream(u64);

impl Stream {
    /// The stream of a seed and a purpose.
    pub(crate) const fn new(seed: u64, purpose: u64) -> Self {
        Self(mix(mix(seed) ^ purpose))
    }

    /// The next 64 random bits.
    pub(crate) const fn next(&mut self) -> u64 {
        let found = mix(self.0);
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        found
    }

    /// A number from 0 to `below - 1`.
    pub(crate) const fn below(&mut self, below: usize) -> usize {
        (((self.next() >> 32) * below as u64) >> 32) as usize
    }

    /// A number from 0 to below 1.
    pub(crate) const fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 * (1.0 / (1_u64 << 24) as f32)
    }
}
