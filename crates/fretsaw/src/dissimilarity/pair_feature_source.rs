//! Measurements on pairs of sides, from which the matcher computes its features: the terms of the measures,
//! robust means of the steps across the seam, and the mismatch of the boundary profiles.
//!
//! Values are in 8-bit levels and scaled to a side of 28 pixels with 3 channels, so that they can be
//! compared across sizes of pieces and numbers of channels. Grey is the mean over channels, colour the
//! channels' difference from it. With one channel, colour is zero.

use super::boundary_profiles::{BANDS, BoundaryProfiles, ProfileMismatch, mismatches};
use super::mgc;
use super::quadratic::{Delta, Metric, Quadratic, ReadBackwards, padded_length};
use super::seam;
use super::strips::Strips;
use super::{Dissimilarity, Kind, Measure};
use crate::linalg::single;
use crate::puzzle::SideId;
use pulp::{Arch, Simd, WithSimd};
use std::borrow::Cow;

/// Sums along a side are scaled as if it had this many pixels.
const USUAL_LENGTH: f64 = 28.0;
/// Sums over channels are scaled as if there were this many.
const USUAL_CHANNELS: f64 = 3.0;

/// The data of all sides from which pairs are measured.
///
/// The candidates of a side lie all over memory, and fetching their data takes longer than computing with
/// it. So the data is small and kept in three lists: pixels as whole numbers, from which the measures'
/// profiles follow; metrics; and boundary profiles.
pub(crate) struct PairFeatureSource<'a> {
    arch: Arch,
    strips: &'a Strips,
    /// Values a channel takes in `lines`.
    padded: usize,
    /// Per strip: the outermost and the next line read backwards, each channel by channel, padded.
    lines: Vec<u16>,
    /// Per strip: the precisions of D1, which is also that of MGC, and of D2; the offset of MGC.
    metrics: Vec<f64>,
    /// By side.
    textures: Vec<SideTexture>,
    profiles: &'a BoundaryProfiles,
}

/// Logarithms of how a side looks by itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SideTexture {
    /// ln(0.1 + mean square of the outward gradient): -2.3 to 11.
    pub(crate) gradient: f32,
    /// ln(0.3 + standard deviation along the side of the mean over channels): -1.2 to 4.9.
    pub(crate) grey_contrast: f32,
    /// The same for the root mean square over channels of their difference from that mean.
    pub(crate) colour_contrast: f32,
}

/// Measurements on two sides u and v. Of all of them, lower is better.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PairMeasurements {
    /// D1 of the seam measure, D1(u -> v) and D1(v -> u).
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
    /// Mean of the root of |step across the seam|: the least sensitive to single large steps.
    pub(crate) root_step: f64,
    /// By band along the sides, how far the boundary profiles are from meeting.
    pub(crate) profile_mismatches: [ProfileMismatch; BANDS.len()],
}

impl<'a> PairFeatureSource<'a> {
    pub(crate) fn new(dissimilarity: &'a Dissimilarity) -> Self {
        let strips = &dissimilarity.strips;
        let seam = match (&dissimilarity.kind, dissimilarity.measure) {
            (Kind::Quadratic(seam), Measure::Seam) => Cow::Borrowed(seam),
            _ => Cow::Owned(Quadratic::new(seam::terms(strips))),
        };
        let longest = (0..strips.num_strips()).map(|strip| strips.length(strip)).max();
        let padded = padded_length(longest.unwrap_or(0));
        let k = strips.channels;
        let mut lines = vec![0; strips.num_strips() * 2 * k * padded];
        let mut metrics = Vec::with_capacity(strips.num_strips() * (2 * k * k + k));
        for (strip, lines) in lines.chunks_exact_mut((2 * k * padded).max(1)).enumerate() {
            let length = strips.length(strip);
            let channels = [0, 1].map(|line| strips.line(strip, line).chunks_exact(length));
            for (slots, values) in
                lines.chunks_exact_mut(padded).zip(channels.into_iter().flatten())
            {
                for (slot, value) in slots.iter_mut().zip(values.iter().rev()) {
                    *slot = *value;
                }
            }
            metrics.extend_from_slice(seam.terms[0].precision(strip));
            metrics.extend_from_slice(seam.terms[1].precision(strip));
            metrics.extend(mgc::mean_gradient(&strips.outward_gradient(strip), length));
        }
        let textures: Vec<_> =
            (0..strips.num_strips()).map(|strip| texture(strips, strip)).collect();
        Self {
            arch: Arch::new(),
            strips,
            padded,
            lines,
            metrics,
            textures: (0..strips.num_sides())
                .map(|side| textures[strips.strip_of(SideId::from_index(side))])
                .collect(),
            profiles: &dissimilarity.profiles,
        }
    }

    pub(crate) fn texture(&self, side: SideId) -> SideTexture {
        self.textures[side.index()]
    }

    /// The factor that makes sums of squares along sides of any length comparable.
    pub(crate) fn scale(&self, side: SideId) -> f64 {
        let length = self.strips.length(self.strips.strip_of(side)) as f64;
        USUAL_LENGTH / length * USUAL_CHANNELS / self.strips.channels as f64
    }

    /// The measurements on a side with others of the same length, in their order.
    pub(crate) fn pairs(
        &self,
        u: SideId,
        others: impl ExactSizeIterator<Item = SideId> + Clone,
    ) -> Vec<PairMeasurements> {
        // All data is fetched before any computation, so that the processor waits for many reads at once.
        let (size, metric_size) = (2 * self.strips.channels * self.padded, self.metric_size());
        let mut lines = Vec::with_capacity(others.len() * size);
        let mut metrics = Vec::with_capacity(others.len() * metric_size);
        let of_u = self.profiles.of(u);
        let mut profiles = Vec::with_capacity(others.len() * of_u.len());
        for side in others {
            profiles.extend_from_slice(self.profiles.of(side));
            let strip = self.strips.strip_of(side);
            lines.extend_from_slice(&self.lines[strip * size..][..size]);
            metrics.extend_from_slice(&self.metrics[strip * metric_size..][..metric_size]);
        }
        let mut found =
            self.arch.dispatch(SidePairs { source: self, u, lines: &lines, metrics: &metrics });
        for (pair, of_v) in found.iter_mut().zip(profiles.chunks_exact(of_u.len())) {
            pair.profile_mismatches = mismatches(of_u, of_v);
        }
        found
    }

    #[cfg(test)]
    fn pair(&self, u: SideId, v: SideId) -> PairMeasurements {
        self.pairs(u, [v].into_iter())[0]
    }

    /// Numbers of a strip in `metrics`.
    fn metric_size(&self) -> usize {
        let k = self.strips.channels;
        2 * k * k + k
    }
}

fn texture(strips: &Strips, strip: usize) -> SideTexture {
    let (length, k) = (strips.length(strip), strips.channels);
    let unit = strips.unit;
    let gradient = strips.outward_gradient(strip);
    let outer = strips.line(strip, 0);
    let value = |channel: usize, r: usize| f64::from(outer[channel * length + r]) / unit;
    let grey: Vec<f64> =
        (0..length).map(|r| (0..k).map(|c| value(c, r)).sum::<f64>() / k as f64).collect();
    let variance_of_channels =
        (0..k).map(|c| variance((0..length).map(|r| value(c, r) - grey[r]))).sum::<f64>()
            / k as f64;
    let gradient_energy =
        gradient.iter().map(|g| g * g).sum::<f64>() / (gradient.len() as f64 * unit * unit);
    let log_contrast = |variance: f64| single((variance.sqrt() + 0.3).ln());
    SideTexture {
        gradient: single((gradient_energy + 0.1).ln()),
        grey_contrast: log_contrast(variance(grey.iter().copied())),
        colour_contrast: log_contrast(variance_of_channels),
    }
}

fn variance(values: impl ExactSizeIterator<Item = f64> + Clone) -> f64 {
    let count = values.len() as f64;
    let mean = values.clone().sum::<f64>() / count;
    values.map(|x| (x - mean).powi(2)).sum::<f64>() / count
}

/// Values are summed in this many lanes on every machine, so that sums are the same on all of them.
const LANES: usize = 16;

/// A side, and the data of the others one after the other.
struct SidePairs<'a> {
    source: &'a PairFeatureSource<'a>,
    u: SideId,
    lines: &'a [u16],
    metrics: &'a [f64],
}

impl WithSimd for SidePairs<'_> {
    type Output = Vec<PairMeasurements>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Vec<PairMeasurements> {
        let PairFeatureSource { strips, padded, .. } = *self.source;
        let scale = self.source.scale(self.u);
        let u = strips.strip_of(self.u);
        let (k, length) = (strips.channels, strips.length(u));
        let num_pixels = length as f64;
        let num_values = num_pixels * k as f64;
        let unit = strips.unit;
        let metric_size = self.source.metric_size();
        let metrics_of_u = &self.source.metrics[u * metric_size..][..metric_size];
        let [meeting_of_u, mgc_of_u, along_of_u] = side_metrics(metrics_of_u, k);

        let size = k * padded;
        let mut own = vec![0.0; 2 * size];
        let (own_outer, own_end) = own.split_at_mut(size);
        let (outer_line, inner_line) = (strips.line(u, 0), strips.line(u, 1));
        for c in 0..k {
            for r in 0..length {
                let outer = f32::from(outer_line[c * length + r]);
                own_outer[c * padded + r] = outer;
                own_end[c * padded + r] =
                    extrapolated(outer, f32::from(inner_line[c * length + r]));
            }
        }
        let mut deltas = vec![0.0; 3 * size];
        let (outer, rest) = deltas.split_at_mut(size);
        let (end, along) = rest.split_at_mut(size);
        let mut found = Vec::with_capacity(self.lines.len() / (2 * size).max(1));
        let lines = self.lines.chunks_exact((2 * size).max(1));
        for (lines, metrics_of_v) in lines.zip(self.metrics.chunks_exact(metric_size)) {
            let (outer_line, inner_line) = lines.split_at(size);
            for at in 0..size {
                let value = f32::from(outer_line[at]);
                outer[at] = value - own_outer[at];
                end[at] = extrapolated(value, f32::from(inner_line[at])) - own_end[at];
            }
            // The difference of the derivatives along the side is the derivative of the difference,
            // because v is read backwards before the derivative is taken.
            for (along, outer) in along.chunks_exact_mut(padded).zip(outer.chunks_exact(padded)) {
                for (along, pair) in along.iter_mut().zip(outer.windows(2)) {
                    *along = pair[1] - pair[0];
                }
                along[length - 1] = 0.0;
            }
            let [meeting_of_v, mgc_of_v, along_of_v] = side_metrics(metrics_of_v, k);
            let delta =
                |values, length, backwards| Delta { values, channels: k, length, backwards };
            let meeting = delta(&*end, length, ReadBackwards::AsIs);
            let meeting = meeting.both_ways(simd, meeting_of_u, meeting_of_v);
            let mgc = delta(&*outer, length, ReadBackwards::AsIs);
            let mgc = mgc.both_ways(simd, mgc_of_u, mgc_of_v);
            let along = delta(&*along, length - 1, ReadBackwards::Negated);
            let along = along.both_ways(simd, along_of_u, along_of_v);
            let [grey, colour, residual, root] = step_sums(outer, end, k);
            found.push(PairMeasurements {
                meeting: (scale * meeting.0, scale * meeting.1),
                along: (scale * along.0, scale * along.1),
                mgc: (scale * mgc.0, scale * mgc.1),
                grey_step: grey / (num_pixels * unit),
                colour_step: colour / (num_values * unit),
                residual: residual / (num_values * unit),
                root_step: root / (num_values * unit.sqrt()),
                profile_mismatches: Default::default(),
            });
        }
        found
    }
}

/// The metrics of D1, of MGC and of D2 of a strip.
#[inline(always)]
fn side_metrics(metrics: &[f64], k: usize) -> [Metric<'_>; 3] {
    let (across, rest) = metrics.split_at(k * k);
    let (along, offset) = rest.split_at(k * k);
    [
        Metric { precision: across, offset: None },
        Metric { precision: across, offset: Some(offset) },
        Metric { precision: along, offset: None },
    ]
}

/// Half a pixel outward, as in the seam measure.
#[inline(always)]
fn extrapolated(outer: f32, inner: f32) -> f32 {
    1.5 * outer - 0.5 * inner
}

/// Sums along a seam: of the steps in grey and in colour, of the differences of the extrapolations, and of the roots of
/// the steps.
#[inline(always)]
fn step_sums(steps: &[f32], residuals: &[f32], k: usize) -> [f64; 4] {
    let padded = steps.len() / k;
    let mut grey = [0.0_f32; LANES];
    let mut colour = [0.0_f32; LANES];
    let mut root = [0.0_f32; LANES];
    for start in (0..padded).step_by(LANES) {
        let mut mean = [0.0_f32; LANES];
        for c in 0..k {
            let from = c * padded + start;
            let steps = &steps[from..from + LANES];
            for lane in 0..LANES {
                mean[lane] += steps[lane];
                root[lane] += steps[lane].abs().sqrt();
            }
        }
        for lane in 0..LANES {
            mean[lane] /= k as f32;
            grey[lane] += mean[lane].abs();
        }
        for c in 0..k {
            let from = c * padded + start;
            let steps = &steps[from..from + LANES];
            for lane in 0..LANES {
                colour[lane] += (steps[lane] - mean[lane]).abs();
            }
        }
    }
    let mut residual = [0.0_f32; LANES];
    for residuals in residuals.chunks_exact(LANES) {
        for lane in 0..LANES {
            residual[lane] += residuals[lane].abs();
        }
    }
    [total(&grey), total(&colour), total(&residual), total(&root)]
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
    fn robust_means_equal_those_of_a_plain_loop() {
        for channels in [1, 3, 5] {
            let pieces = pieces(channels, 9, 9);
            let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
            let source = PairFeatureSource::new(&dissimilarity);
            let (u, v) = (PieceId::new(0), PieceId::new(2));
            let found = source.pair(SideId::new(u, Side::Right), SideId::new(v, Side::Left));
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
    fn the_terms_of_the_measure_add_up_to_it_in_either_order() {
        let pieces = pieces(3, 9, 9);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let source = PairFeatureSource::new(&dissimilarity);
        let (u, v) = (SideId::from_index(2), SideId::from_index(9));
        let (there, back) = (source.pair(u, v), source.pair(v, u));
        let sum = there.meeting.0 + there.meeting.1 + there.along.0 + there.along.1;
        let value = source.scale(u) * dissimilarity.value(u, v);
        assert!((sum - value).abs() < 1e-9 * value);
        assert_eq!((there.mgc.0, there.mgc.1), (back.mgc.1, back.mgc.0));
        assert!((there.root_step - back.root_step).abs() < 1e-5 * there.root_step);
    }
}
