//! What the pixels say of two sides beyond one number: the measures' parts, and robust means.
//!
//! All is in 8-bit levels and scaled to a side of 28 pixels with 3 channels, so that it can be compared
//! across sizes of pieces and numbers of channels. With one channel there is no colour; more than three
//! are treated like three: their mean, and how they differ from it.

use super::mgc;
use super::quadratic::{Quadratic, Term};
use super::seam;
use super::strips::Strips;
use super::{Dissimilarity, Kind, Measure};
use crate::puzzle::SideId;
use pulp::{Arch, Simd, WithSimd};
use std::borrow::Cow;

/// Sums along a side are scaled as if it had so many pixels.
const USUAL_LENGTH: f64 = 28.0;
/// And so many channels.
const USUAL_CHANNELS: f64 = 3.0;

/// What is known of pairs of sides.
pub(crate) struct Evidence<'a> {
    arch: Arch,
    strips: &'a Strips,
    seam: Cow<'a, Quadratic>,
    mgc: Quadratic,
    textures: Vec<SideTexture>,
}

/// How a side looks by itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SideTexture {
    /// Mean square of the outward gradient.
    pub(crate) gradient_energy: f64,
    /// Standard deviation along the side of the mean over channels.
    pub(crate) grey_contrast: f64,
    /// Root mean square over channels of the standard deviation along the side of their difference
    /// from that mean.
    pub(crate) colour_contrast: f64,
}

/// How two sides u and v look together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PairEvidence {
    /// D1 of the seam measure, u to v and v to u.
    pub(crate) meeting: (f64, f64),
    /// D2 of the seam measure, both ways.
    pub(crate) along: (f64, f64),
    /// The terms of MGC, both ways.
    pub(crate) mgc: (f64, f64),
    /// Mean of |step across the seam| of the mean over channels.
    pub(crate) grey_step: f64,
    /// Mean of |step across the seam| of the channels' difference from their mean.
    pub(crate) colour_step: f64,
    /// Mean of |difference of the two extrapolations to the seam|.
    pub(crate) residual: f64,
    /// Mean of the root of |step across the seam|, which is least impressed by single large steps.
    pub(crate) root_step: f64,
}

impl<'a> Evidence<'a> {
    pub(crate) fn new(dissimilarity: &'a Dissimilarity) -> Self {
        let strips = &dissimilarity.strips;
        let seam = match (&dissimilarity.kind, dissimilarity.measure) {
            (Kind::Quadratic(seam), Measure::Seam) => Cow::Borrowed(seam),
            _ => Cow::Owned(Quadratic::new(seam::terms(strips))),
        };
        Self {
            arch: Arch::new(),
            strips,
            seam,
            mgc: Quadratic::new(mgc::terms(strips)),
            textures: (0..strips.num_strips()).map(|strip| texture(strips, strip)).collect(),
        }
    }

    /// How a side looks by itself.
    pub(crate) fn texture(&self, side: SideId) -> SideTexture {
        self.textures[self.strips.strip_of(side)]
    }

    /// What a sum of squares along a side is multiplied by to be comparable.
    pub(crate) fn scale(&self, side: SideId) -> f64 {
        let length = self.strips.length(self.strips.strip_of(side)) as f64;
        USUAL_LENGTH / length * USUAL_CHANNELS / self.strips.channels() as f64
    }

    /// How two sides of the same length look together.
    pub(crate) fn pair(&self, u: SideId, v: SideId) -> PairEvidence {
        let scale = self.scale(u);
        let (u, v) = (self.strips.strip_of(u), self.strips.strip_of(v));
        let scaled = |(there, back): (f64, f64)| (scale * there, scale * back);
        let Steps { grey, colour, residual, root } = self.arch.dispatch(StepSums {
            outer: &self.mgc.terms()[0],
            extrapolated: &self.seam.terms()[0],
            u,
            v,
        });
        let num_pixels = self.strips.length(u) as f64;
        let num_values = num_pixels * self.strips.channels() as f64;
        let unit = self.strips.unit();
        PairEvidence {
            meeting: scaled(self.seam.both_ways(0, u, v)),
            along: scaled(self.seam.both_ways(1, u, v)),
            mgc: scaled(self.mgc.both_ways(0, u, v)),
            grey_step: grey / (num_pixels * unit),
            colour_step: colour / (num_values * unit),
            residual: residual / (num_values * unit),
            root_step: root / (num_values * unit.sqrt()),
        }
    }
}

fn texture(strips: &Strips, strip: usize) -> SideTexture {
    let (length, k) = (strips.length(strip), strips.channels());
    let unit = strips.unit();
    let gradient = strips.outward_gradient(strip);
    let outer = strips.line(strip, 0);
    let value = |channel: usize, r: usize| f64::from(outer[channel * length + r]) / unit;
    let grey: Vec<f64> =
        (0..length).map(|r| (0..k).map(|c| value(c, r)).sum::<f64>() / k as f64).collect();
    let variance_of_channels =
        (0..k).map(|c| variance((0..length).map(|r| value(c, r) - grey[r]))).sum::<f64>()
            / k as f64;
    SideTexture {
        gradient_energy: gradient.iter().map(|g| g * g).sum::<f64>()
            / (gradient.len() as f64 * unit * unit),
        grey_contrast: variance(grey.iter().copied()).sqrt(),
        colour_contrast: variance_of_channels.sqrt(),
    }
}

fn variance(values: impl ExactSizeIterator<Item = f64> + Clone) -> f64 {
    let count = values.len() as f64;
    let mean = values.clone().sum::<f64>() / count;
    values.map(|x| (x - mean).powi(2)).sum::<f64>() / count
}

/// Sums over a seam.
struct Steps {
    grey: f64,
    colour: f64,
    residual: f64,
    root: f64,
}

/// Values are summed in so many lanes on every machine, so that sums are the same on all of them.
const LANES: usize = 16;

struct StepSums<'a> {
    outer: &'a Term,
    extrapolated: &'a Term,
    u: usize,
    v: usize,
}

impl WithSimd for StepSums<'_> {
    type Output = Steps;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Steps {
        let Self { outer, extrapolated, u, v } = self;
        let k = outer.channels();
        let padded = outer.padded();
        let (x, y) = (outer.forward(u), outer.backward(v));
        let mut grey = [0.0_f32; LANES];
        let mut colour = [0.0_f32; LANES];
        let mut root = [0.0_f32; LANES];
        for start in (0..padded).step_by(LANES) {
            let mut mean = [0.0_f32; LANES];
            for c in 0..k {
                let from = c * padded + start;
                let (x, y) = (&x[from..from + LANES], &y[from..from + LANES]);
                for lane in 0..LANES {
                    let step = y[lane] - x[lane];
                    mean[lane] += step;
                    root[lane] += step.abs().sqrt();
                }
            }
            for lane in 0..LANES {
                mean[lane] /= k as f32;
                grey[lane] += mean[lane].abs();
            }
            for c in 0..k {
                let from = c * padded + start;
                let (x, y) = (&x[from..from + LANES], &y[from..from + LANES]);
                for lane in 0..LANES {
                    colour[lane] += (y[lane] - x[lane] - mean[lane]).abs();
                }
            }
        }
        let mut residual = [0.0_f32; LANES];
        let (x, y) = (extrapolated.forward(u), extrapolated.backward(v));
        for (x, y) in x.chunks_exact(LANES).zip(y.chunks_exact(LANES)) {
            for lane in 0..LANES {
                residual[lane] += (y[lane] - x[lane]).abs();
            }
        }
        Steps {
            grey: total(&grey),
            colour: total(&colour),
            residual: total(&residual),
            root: total(&root),
        }
    }
}

#[inline(always)]
fn total(lanes: &[f32; LANES]) -> f64 {
    let mut sum = 0.0;
    for lane in lanes {
        sum += f64::from(*lane);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{PieceId, PieceSet, PieceShape, Samples, Side};

    fn pieces(channels: usize, height_px: u32, width_px: u32) -> PieceSet {
        let len = 3 * channels * (height_px * width_px) as usize;
        let values = (0..len).map(|x| u8::try_from(x * x * 31 % 251).unwrap()).collect();
        PieceSet::new(PieceShape::new(height_px, width_px).unwrap(), channels, Samples::U8(values))
            .unwrap()
    }

    #[test]
    fn robust_means_are_those_of_the_obvious_loop() {
        for channels in [1, 3, 5] {
            let pieces = pieces(channels, 9, 9);
            let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
            let evidence = Evidence::new(&dissimilarity);
            let (u, v) = (PieceId::new(0), PieceId::new(2));
            let found = evidence.pair(SideId::new(u, Side::Right), SideId::new(v, Side::Left));
            let pixel = |piece, row, col, c| f64::from(pieces.sample(piece, row, col, c));
            let (mut grey, mut colour, mut residual, mut root) = (0.0, 0.0, 0.0, 0.0);
            let k = channels as f64;
            for row in 0..9 {
                let step = |c| pixel(v, row, 0, c) - pixel(u, row, 8, c);
                let mean = (0..channels).map(step).sum::<f64>() / k;
                grey += mean.abs() / 9.0;
                for c in 0..channels {
                    colour += (step(c) - mean).abs() / (9.0 * k);
                    root += step(c).abs().sqrt() / (9.0 * k);
                    let ends = 1.5 * pixel(v, row, 0, c)
                        - 0.5 * pixel(v, row, 1, c)
                        - 1.5 * pixel(u, row, 8, c)
                        + 0.5 * pixel(u, row, 7, c);
                    residual += ends.abs() / (9.0 * k);
                }
            }
            for (found, expected) in [
                (found.grey_step, grey),
                (found.colour_step, colour),
                (found.residual, residual),
                (found.root_step, root),
            ] {
                assert!((found - expected).abs() < 1e-4 * (1.0 + expected), "{found} {expected}");
            }
        }
    }

    #[test]
    fn parts_of_the_measure_add_up_to_it_and_know_no_order() {
        let pieces = pieces(3, 9, 9);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let evidence = Evidence::new(&dissimilarity);
        let (u, v) = (SideId::from_index(2), SideId::from_index(9));
        let (there, back) = (evidence.pair(u, v), evidence.pair(v, u));
        let sum = there.meeting.0 + there.meeting.1 + there.along.0 + there.along.1;
        let value = evidence.scale(u) * dissimilarity.value(u, v);
        assert!((sum - value).abs() < 1e-9 * value);
        assert_eq!((there.mgc.0, there.mgc.1), (back.mgc.1, back.mgc.0));
        assert!((there.root_step - back.root_step).abs() < 1e-5 * there.root_step);
    }
}
