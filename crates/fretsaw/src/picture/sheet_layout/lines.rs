//! The lines of pixels of a sheet: evidence of seams, and plain lines of gaps and borders.

use crate::picture::Picture;
use crate::puzzle::Samples;

/// The most pixels that are read along a line.
const MAX_SAMPLED: usize = 1024;

/// Lines are compared in blocks of at least so many pixels, at most so many blocks.
const MIN_BLOCK_PX: usize = 30;
const MAX_BLOCKS: usize = 16;

/// Smaller steps are noise, in grey levels of 256: where nothing but noise is, a line is neither a seam nor none.
const NOISE_STEP: f64 = 4.0;

/// The least standard deviation of excesses: in a picture of few colours most lines can be exactly alike.
const MIN_EXCESS_DEVIATION: f64 = 0.02;

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

/// The steps from each line to the next.
pub(super) struct Steps {
    /// By line: the excess of the step to it from the line before. That of the first line is 0.
    pub(super) excesses: Vec<f64>,
    /// The standard deviation of the excess of lines that are not seams.
    pub(super) deviation: f64,
    /// By line: the size of the step to it, as a multiple of the usual one. That of the first line is 0.
    pub(super) sizes: Vec<f64>,
}

impl Steps {
    /// The steps of a sheet along one direction.
    ///
    /// Every line is compared in blocks along it, so that a strong edge in one piece counts in one block only. In each
    /// block, the energy of a step is the sum of its squares, and the share of a step is its energy as a part of
    /// this energy and that of the steps beside it: about a half without a seam. The excess of a line is the mean of
    /// its shares, less the median of all lines.
    pub(super) fn new<F: Fn(usize, usize) -> usize>(profile: &Profile<'_, F>) -> Self {
        let num_lines = profile.num_lines;
        if num_lines < 3 {
            let zeros = vec![0.0; num_lines];
            return Self { excesses: zeros.clone(), deviation: 1.0, sizes: zeros };
        }
        let mut excesses = vec![0.0; num_lines];
        let mut sizes = vec![0.0; num_lines];
        let blocks = step_energies(profile);
        for (energies, num_places) in &blocks {
            let noise = NOISE_STEP * profile.sheet.channels() as f64;
            let noise = noise * noise * *num_places as f64;
            let usual = energies.iter().map(|energy| energy.sqrt()).sum::<f64>() / num_lines as f64;
            for line in 1..num_lines {
                // At the ends, the missing neighbour is replaced by the one on the other side.
                let before = energies[if line == 1 { 2 } else { line - 1 }];
                let after = energies[if line + 1 == num_lines { line - 1 } else { line + 1 }];
                let energy = energies[line];
                let share =
                    (energy + noise / 2.0) / (energy + f64::midpoint(before, after) + noise);
                excesses[line] += share / blocks.len() as f64;
                sizes[line] += energy.sqrt() / usual.max(f64::MIN_POSITIVE);
            }
        }
        let middle = quantile(excesses[1..].to_vec(), 0.5);
        excesses[1..].iter_mut().for_each(|share| *share -= middle);
        // On a sheet of larger pieces most lines between JPEG blocks are not seams.
        let between_blocks = || (JPEG_BLOCK_PX..num_lines).step_by(JPEG_BLOCK_PX);
        let of_jpeg = quantile(between_blocks().map(|line| excesses[line]).collect(), 0.25);
        let of_jpeg = of_jpeg.clamp(0.0, MAX_JPEG_EXCESS);
        between_blocks().for_each(|line| excesses[line] -= of_jpeg);
        let spread = quantile(excesses[1..].iter().map(|excess| excess.abs()).collect(), 0.5);
        let deviation = (1.4826 * spread).max(MIN_EXCESS_DEVIATION);
        Self { excesses, deviation, sizes }
    }
}

/// By block along the lines: the energy of the step to each line, and the number of places that were read.
fn step_energies<F: Fn(usize, usize) -> usize>(profile: &Profile<'_, F>) -> Vec<(Vec<f64>, usize)> {
    let (num_sampled, channels) = (profile.num_sampled(), profile.sheet.channels());
    let num_blocks = (num_sampled / MIN_BLOCK_PX).clamp(1, MAX_BLOCKS);
    let mut blocks = vec![(vec![0.0; profile.num_lines], 0); num_blocks];
    let mut place = 0;
    profile.for_each_place(|pixels| {
        let (energies, num_places) = &mut blocks[place * num_blocks / num_sampled];
        *num_places += 1;
        place += 1;
        let pairs = pixels.chunks_exact(channels).zip(pixels[channels..].chunks_exact(channels));
        for (energy, (a, b)) in energies[1..].iter_mut().zip(pairs) {
            let step: f32 = a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum();
            *energy += f64::from(step * step);
        }
    });
    blocks
}

/// The value below which a share of the values lie; 0 if there are none.
pub(super) fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
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
