//! The 64-bit hash FNV-1a. It detects accidental damage and differences, not forgery.

use fretsaw::puzzle::Samples;

/// A hash in the making.
pub(crate) struct Fnv(pub(crate) u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(crate) fn add_samples(&mut self, samples: &Samples) {
        match samples {
            Samples::U8(samples) => {
                self.add(b"8 bit\n");
                self.add(samples);
            }
            Samples::U16(samples) => {
                self.add(b"16 bit\n");
                samples.iter().for_each(|sample| self.add(&sample.to_le_bytes()));
            }
        }
    }
}
