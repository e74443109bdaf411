//! The lines of pixels of a sheet: evidence of seams, and plain lines of gaps and borders.

use crate::picture::Picture;
use crate::puzzle::Samples;

/// The most pixels that are read along a line.
const MAX_SAMPLED: usize = 1024;

/// The evidence of a seam is the share of the step across it in all steps there, which is about a half without
/// a seam. The excess of a line is at most this, so that no single line decides.
const MAX_EXCESS: f64 = 0.3;

/// The side of JPEG's blocks in pixels. Their edges look like weak seams.
const JPEG_BLOCK_PX: usize = 8;

/// The most excess that the edges of JPEG's blocks can have.
const MAX_JPEG_EXCESS: f64 = 0.15;

/// A sheet seen along one direction.
pub(super) struct Profile<'a, F> {
    pub(super) sheet: &'a Picture,
    pub(super) num_lines: usize,
    pub(super) line_length: usize,
    /// The offset of a pixel, from its line and its place along the line.
    pub(super) offset_of: F,
}

impl<F: Fn(usize, usize) -> usize> Profile<'_, F> {
    /// Call `look` with the pixels at one place of all lines, for places spread evenly.
    fn for_each_place(&self, mut look: impl FnMut(&[f32])) {
        let num_sampled = self.line_length.min(MAX_SAMPLED);
        let channels = self.sheet.channels();
        // The first eight of 16 bits are enough.
        let scale = if matches!(self.sheet.samples(), Samples::U8(_)) { 1.0 } else { 1.0 / 257.0 };
        let mut pixels = vec![0.0; self.num_lines * channels];
        for sample in 0..num_sampled {
            let along = sample * self.line_length / num_sampled;
            for (line, pixel) in pixels.chunks_exact_mut(channels).enumerate() {
                let offset = (self.offset_of)(line, along);
                for (channel, value) in pixel.iter_mut().enumerate() {
                    *value = f32::from(self.sheet.samples().get(offset + channel)) * scale;
                }
            }
            look(&pixels);
        }
    }

    fn num_sampled(&self) -> usize {
        self.line_length.min(MAX_SAMPLED)
    }
}

/// By line, the excess of the step to it from the line before: its share of the steps there, less the median
/// of that share in this picture. Also returns the standard deviation of the excess.
pub(super) fn seam_excesses<F: Fn(usize, usize) -> usize>(
    profile: &Profile<'_, F>,
) -> (Vec<f64>, f64) {
    let (num_lines, channels) = (profile.num_lines, profile.sheet.channels());
    if num_lines < 3 {
        return (vec![0.0; num_lines], 1.0);
    }
    // Steps below one grey level are noise.
    let floor = channels as f32;
    let mut shares = vec![0.0_f64; num_lines];
    let mut steps = vec![0.0_f32; num_lines + 1];
    profile.for_each_place(|pixels| {
        let (before, after) = (pixels, &pixels[channels..]);
        let pairs = before.chunks_exact(channels).zip(after.chunks_exact(channels));
        for (step, (a, b)) in steps[1..].iter_mut().zip(pairs) {
            *step = a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum();
        }
        // At the ends, the missing neighbour is replaced by the one on the other side.
        steps[0] = steps[2];
        steps[num_lines] = steps[num_lines - 2];
        for line in 1..num_lines {
            let around = (steps[line - 1] + steps[line + 1]) / 2.0;
            shares[line] += f64::from(steps[line] / (steps[line] + around + floor));
        }
    });
    shares.iter_mut().for_each(|share| *share /= profile.num_sampled() as f64);
    let middle = quantile(shares[1..].to_vec(), 0.5);
    shares[1..].iter_mut().for_each(|share| *share -= middle);
    let mut excesses = shares;
    // On a sheet of larger pieces most lines between JPEG blocks are not seams.
    let between_blocks = || (JPEG_BLOCK_PX..num_lines).step_by(JPEG_BLOCK_PX);
    let of_jpeg = quantile(between_blocks().map(|line| excesses[line]).collect(), 0.25);
    let of_jpeg = of_jpeg.clamp(0.0, MAX_JPEG_EXCESS);
    between_blocks().for_each(|line| excesses[line] -= of_jpeg);
    // Half a percent at least: in a picture of few colours most lines can be exactly alike.
    let spread = quantile(excesses[1..].iter().map(|excess| excess.abs()).collect(), 0.5);
    let deviation = (1.4826 * spread).max(0.005);
    excesses.iter_mut().for_each(|excess| *excess = excess.clamp(-MAX_EXCESS, MAX_EXCESS));
    (excesses, deviation)
}

/// The value below which a share of the values lie; 0 if there are none.
fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (values.len().saturating_sub(1)) as f64 * share;
    #[expect(clippy::cast_possible_truncation, reason = "a share of a length is a place")]
    values.get(place as usize).copied().unwrap_or_default()
}

/// By line: whether it has one colour, and this is the colour that most such lines have.
pub(super) fn plain_lines<F: Fn(usize, usize) -> usize>(profile: &Profile<'_, F>) -> Vec<bool> {
    // In grey levels of 256. JPEG blurs pieces into gaps beside them; lines of content deviate several
    // times as much.
    const MIN_DEVIATION: f32 = 4.0;
    const SHARE_OF_USUAL_DEVIATION: f64 = 0.3;
    const MAX_COLOUR_DIFFERENCE: f32 = 12.0;

    let channels = profile.sheet.channels();
    let num_sampled = profile.num_sampled() as f32;
    let mut colours = vec![0.0_f32; profile.num_lines * channels];
    profile.for_each_place(|pixels| {
        colours.iter_mut().zip(pixels).for_each(|(sum, value)| *sum += value / num_sampled);
    });
    let mut deviations = vec![0.0_f32; profile.num_lines];
    profile.for_each_place(|pixels| {
        let lines = pixels.chunks_exact(channels).zip(colours.chunks_exact(channels));
        for (deviation, (pixel, colour)) in deviations.iter_mut().zip(lines) {
            let furthest = pixel.iter().zip(colour).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            *deviation += furthest / num_sampled;
        }
    });
    let usual = quantile(deviations.iter().map(|&deviation| deviation.into()).collect(), 0.5);
    #[expect(clippy::cast_possible_truncation, reason = "grey levels")]
    let max_deviation = MIN_DEVIATION.max((SHARE_OF_USUAL_DEVIATION * usual) as f32);
    let colour_of = |line: usize| &colours[line * channels..(line + 1) * channels];
    let is_alike =
        |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= MAX_COLOUR_DIFFERENCE);
    let even: Vec<usize> =
        (0..profile.num_lines).filter(|&line| deviations[line] <= max_deviation).collect();
    // The first and the last even line, and a few between, represent all possible colours.
    let step = even.len().div_ceil(16).max(1);
    let common =
        even.iter().step_by(step).chain(even.last()).map(|&line| colour_of(line)).max_by_key(
            |colour| even.iter().filter(|&&line| is_alike(colour, colour_of(line))).count(),
        );
    let mut is_plain = vec![false; profile.num_lines];
    if let Some(common) = common {
        even.iter().for_each(|&line| is_plain[line] = is_alike(common, colour_of(line)));
    }
    is_plain
}
