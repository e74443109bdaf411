//! Smooth random functions of the plane: the same for the same seed on every machine.

use crate::random::mix;

/// A random source for pictures: no state, only a seed and coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noise {
    seed: u64,
}

impl Noise {
    pub(super) const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// An independent source.
    pub(super) fn derived(self, label: u64) -> Self {
        Self { seed: mix(self.seed ^ mix(label)) }
    }

    /// Uniform in 0..1, independent for each lattice point.
    pub(super) fn at(self, col: i64, row: i64) -> f64 {
        let key = col.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ row.cast_unsigned().wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
            ^ self.seed;
        // The upper 53 bits fill a double's mantissa.
        (mix(key) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Smooth in the plane, 0..1, with features of size 1.
    pub(super) fn smooth(self, x: f64, y: f64) -> f64 {
        let (col, row) = (whole_below(x), whole_below(y));
        let ease = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
        let (across, down) = (ease(x - col as f64), ease(y - row as f64));
        let upper = lerp(self.at(col, row), self.at(col + 1, row), across);
        let lower = lerp(self.at(col, row + 1), self.at(col + 1, row + 1), across);
        lerp(upper, lower, down)
    }

    /// Octaves of smooth noise, each twice as fine and half as strong; 0..1.
    pub(super) fn fractal(self, x: f64, y: f64, octaves: u32) -> f64 {
        self.octaves(x, y, octaves, |value| value)
    }

    /// The same with creases at the crests, like mountain ridges; 0..1.
    pub(super) fn ridged(self, x: f64, y: f64, octaves: u32) -> f64 {
        self.octaves(x, y, octaves, |value| 1.0 - (2.0 * value - 1.0).abs())
    }

    fn octaves(self, x: f64, y: f64, octaves: u32, shape: impl Fn(f64) -> f64) -> f64 {
        let (mut sum, mut strength, mut total, mut scale) = (0.0, 1.0, 0.0, 1.0);
        for octave in 0..octaves {
            // Shifted, so that the lattices of the octaves do not show through.
            let shift = 17.3 * f64::from(octave);
            sum += strength * shape(self.smooth(x * scale + shift, y * scale - shift));
            total += strength;
            strength *= 0.5;
            scale *= 2.03;
        }
        sum / total
    }
}

/// The largest whole number not above `value`.
///
/// Not by `floor`, which is a call into the C library on processors without SSE 4.1 and took
/// most of the time.
fn whole_below(value: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "coordinates lie near the picture")]
    let toward_zero = value as i64;
    toward_zero - i64::from(value < toward_zero as f64)
}

/// `from` at 0, `to` at 1.
pub(super) fn lerp(from: f64, to: f64, t: f64) -> f64 {
    from + (to - from) * t
}

/// 0 up to `from`, 1 beyond `to`, smooth between; falls if `from` is the larger.
pub(super) fn step(from: f64, to: f64, value: f64) -> f64 {
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
