//! How large the pieces of a sheet are, told by its seams.
//!
//! Where two pieces of a scrambled sheet meet, neighbouring pixels differ more than those on either
//! side of the seam, along the whole sheet and at every multiple of the pieces' size. For every line
//! between two columns of pixels [`seam_excesses`] says by how much it stands out. A size is then judged
//! by all lines that it predicts together: the sum of what they have in excess over the square root of
//! their number. If every predicted line is a seam, the double size has half as many, and half the size
//! predicts as many lines again that are none; both come out lower by the square root of two. The same
//! is done for rows.
//!
//! Gaps and borders are lines of one colour, the same all over the sheet; they are looked for first,
//! and only those found so are tried.

use super::Picture;
use crate::puzzle::{PieceShape, Samples};

/// The most pixels that are looked at along a line.
const MAX_SAMPLED: usize = 1024;

/// The smallest piece that is looked for, in pixels.
const MIN_PIECE_PX: usize = 4;

/// A seam is told by the share that the step across it has in the steps there, which is about a half
/// where there is none. A line counts for at most this much more, lest one line decide.
const MAX_EXCESS: f64 = 0.3;

/// The side of JPEG's blocks in pixels. Their edges look like weak seams.
const JPEG_BLOCK_PX: usize = 8;

/// The most that the edges of JPEG's blocks can have in excess.
const MAX_JPEG_EXCESS: f64 = 0.15;

/// A direction is said to have seams from this score on: about what chance, or a horizon that strips
/// of full height share, can reach.
const MIN_AXIS_SCORE: f64 = 9.0;

/// Lines that are seams have at least this much in excess on average; pictures that were never cut
/// have less, however regular they are.
const MIN_MEAN_EXCESS: f64 = 0.12;

/// A last row or column of which little is filled has weak lines; it is taken for one if the evidence
/// with it is at least this share of the evidence without.
const LAST_LINE_SHARE: f64 = 0.8;

/// What is left of the evidence for a size that leaves a remainder: sheets are seldom cropped.
const CROPPED_FACTOR: f64 = 0.5;

/// What the evidence for square pieces is multiplied by: most are.
const SQUARE_FACTOR: f64 = 1.3;

/// Sizes of each direction that are combined with those of the other.
const AXIS_CANDIDATES: usize = 8;

/// Candidates that are returned at most.
const MAX_CANDIDATES: usize = 10;

/// Where the pieces of a sheet lie: row by row, all of one size, perhaps with a gap between them and
/// a border around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetLayout {
    /// The size of a piece.
    pub shape: PieceShape,
    /// Pieces in a row.
    pub columns: u32,
    /// Pieces in a column.
    pub rows: u32,
    /// Columns of pixels between two pieces of a row.
    pub gap_x_px: u32,
    /// Rows of pixels between two pieces of a column.
    pub gap_y_px: u32,
    /// Columns of pixels left of the first piece of a row.
    pub left_px: u32,
    /// Rows of pixels above the first piece of a column.
    pub top_px: u32,
    /// Columns of pixels right of the last piece of a row.
    pub right_px: u32,
    /// Rows of pixels below the last piece of a column.
    pub bottom_px: u32,
}

impl SheetLayout {
    /// Pieces in all.
    #[must_use]
    pub const fn num_pieces(&self) -> u64 {
        self.columns as u64 * self.rows as u64
    }

    /// The pixel column and row of a piece's top left corner, of pieces counted row by row.
    #[must_use]
    pub const fn corner_of(&self, piece: usize) -> (usize, usize) {
        let (row, col) = (piece / self.columns as usize, piece % self.columns as usize);
        let left = self.left_px as usize + col * (self.shape.width_px() + self.gap_x_px) as usize;
        let top = self.top_px as usize + row * (self.shape.height_px() + self.gap_y_px) as usize;
        (left, top)
    }
}

/// What is known of a sheet's layout. What is `None` is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SheetHints {
    /// The size of a piece.
    pub piece: Option<PieceShape>,
    /// Pieces in a row.
    pub columns: Option<u32>,
    /// Pieces in a column.
    pub rows: Option<u32>,
    /// Pixels between two pieces.
    pub gap_px: Option<u32>,
    /// Pixels around all pieces together.
    pub border_px: Option<u32>,
}

/// A layout that a sheet may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LayoutCandidate {
    /// The layout.
    pub layout: SheetLayout,
    /// By how many standard deviations its lines together stand out; more for square pieces, less
    /// where the sheet is no whole number of pieces. Scores of different sheets may be compared.
    pub score: f64,
}

/// The layouts that a sheet may have, the likeliest first; at most ten. None if nothing in the
/// picture looks like seams, or if no layout agrees with the hints.
#[must_use]
pub fn find_layouts(sheet: &Picture, hints: &SheetHints) -> Vec<LayoutCandidate> {
    let across = Axis::of_columns(sheet);
    let down = Axis::of_rows(sheet);
    let limit = |number: Option<u32>| number.map(|number| number as usize);
    let fits_across = across.fits(&AxisHints {
        size: hints.piece.map(|shape| shape.width_px() as usize),
        count: limit(hints.columns),
        gap: limit(hints.gap_px),
        border: limit(hints.border_px),
    });
    let fits_down = down.fits(&AxisHints {
        size: hints.piece.map(|shape| shape.height_px() as usize),
        count: limit(hints.rows),
        gap: limit(hints.gap_px),
        border: limit(hints.border_px),
    });
    let best = |fits: &[AxisFit]| fits.first().map_or(0.0, |fit| fit.evidence);
    let (best_across, best_down) = (best(&fits_across), best(&fits_down));
    let share = |evidence: f64, best: f64| if best > 0.0 { evidence / best } else { 1.0 };
    let mut candidates: Vec<LayoutCandidate> = Vec::new();
    for x in &fits_across {
        for y in &fits_down {
            let Some(layout) = layout_of(x, y) else { continue };
            let square = if layout.shape.is_square() { SQUARE_FACTOR } else { 1.0 };
            let factor = share(x.evidence, best_across) * share(y.evidence, best_down) * square;
            let score = ((best_across + best_down) * factor).sqrt();
            candidates.push(LayoutCandidate { layout, score });
        }
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    candidates.truncate(MAX_CANDIDATES);
    candidates
}

/// Both directions together, if that makes at least two pieces.
fn layout_of(x: &AxisFit, y: &AxisFit) -> Option<SheetLayout> {
    let number = |value: usize| u32::try_from(value).ok();
    let shape = PieceShape::new(number(y.size)?, number(x.size)?).ok()?;
    (x.count * y.count >= 2).then_some(SheetLayout {
        shape,
        columns: number(x.count)?,
        rows: number(y.count)?,
        gap_x_px: number(x.gap)?,
        gap_y_px: number(y.gap)?,
        left_px: number(x.before)?,
        top_px: number(y.before)?,
        right_px: number(x.after)?,
        bottom_px: number(y.after)?,
    })
}

/// What is known of one direction.
struct AxisHints {
    size: Option<usize>,
    count: Option<usize>,
    gap: Option<usize>,
    border: Option<usize>,
}

/// Pieces of one size along one direction, and what speaks for them.
#[derive(Clone, Debug, PartialEq)]
struct AxisFit {
    size: usize,
    count: usize,
    gap: usize,
    before: usize,
    after: usize,
    /// The square of the score.
    evidence: f64,
    /// The excess of its lines on average.
    mean_excess: f64,
}

/// One direction of a sheet. Its lines are the columns of pixels, or the rows.
struct Axis {
    /// By line: how much the step to it from the line before has in excess. The first has none.
    excesses: Vec<f64>,
    /// The standard deviation of lines that are no seams.
    deviation: f64,
    /// By line: whether it has the one colour of gaps and borders.
    is_plain: Vec<bool>,
}

impl Axis {
    fn of_columns(sheet: &Picture) -> Self {
        Self::new(&Profile {
            sheet,
            num_lines: sheet.width_px(),
            line_length: sheet.height_px(),
            offset_of: |line, along| sheet.offset_of(along, line),
        })
    }

    fn of_rows(sheet: &Picture) -> Self {
        Self::new(&Profile {
            sheet,
            num_lines: sheet.height_px(),
            line_length: sheet.width_px(),
            offset_of: |line, along| sheet.offset_of(line, along),
        })
    }

    fn new<F: Fn(usize, usize) -> usize>(profile: &Profile<'_, F>) -> Self {
        let (excesses, deviation) = seam_excesses(profile);
        Self { excesses, deviation, is_plain: plain_lines(profile) }
    }

    const fn num_lines(&self) -> usize {
        self.excesses.len()
    }

    /// The sizes that agree with the hints, the best first, and one piece over the whole length if
    /// that may be.
    fn fits(&self, hints: &AxisHints) -> Vec<AxisFit> {
        let length = self.num_lines();
        let mut fits = Vec::new();
        for (before, after) in self.borders(hints) {
            for gap in self.gaps(hints) {
                let Some(inner) = length.checked_sub(before + after) else { continue };
                let sizes = match (hints.size, hints.count) {
                    (Some(size), _) => size..=size,
                    (None, Some(count)) if count > 0 && inner + gap >= count * gap => {
                        let size = (inner + gap) / count - gap;
                        size..=size
                    }
                    (None, Some(_)) => continue,
                    (None, None) => MIN_PIECE_PX..=inner / 2,
                };
                for size in sizes.filter(|&size| size > 0) {
                    fits.extend(self.fit(before, after, gap, size, hints));
                }
            }
        }
        fits.sort_by(|a, b| b.evidence.total_cmp(&a.evidence));
        let mut fits = with_last_lines(fits);
        let is_open = hints.size.is_none() && hints.count.is_none();
        if is_open {
            let is_seen = |fit: &AxisFit| {
                fit.evidence >= MIN_AXIS_SCORE * MIN_AXIS_SCORE
                    && fit.mean_excess >= MIN_MEAN_EXCESS
            };
            fits.retain(is_seen);
        }
        fits.truncate(AXIS_CANDIDATES);
        if is_open && fits.is_empty() {
            let (before, after) =
                hints.border.map_or_else(|| self.ends(), |border| (border, border));
            let size = length.saturating_sub(before + after);
            let whole =
                AxisFit { size, count: 1, gap: 0, before, after, evidence: 0.0, mean_excess: 0.0 };
            fits.push(whole);
        }
        fits
    }

    /// What speaks for pieces of one size; `None` if they do not fit.
    fn fit(
        &self,
        before: usize,
        after: usize,
        gap: usize,
        size: usize,
        hints: &AxisHints,
    ) -> Option<AxisFit> {
        let length = self.num_lines();
        let inner = length.checked_sub(before + after)?;
        let period = size + gap;
        let count = (inner + gap) / period;
        let rest = (inner + gap) % period;
        if count == 0 || hints.count.is_some_and(|given| given != count) {
            return None;
        }
        // Remainders where a border or a gap was found are not pieces cut off, but a wrong size.
        let found_border = hints.border.is_none() && before + after > 0;
        let found_gap = hints.gap.is_none() && gap > 0;
        let is_vague = hints.size.is_none() && count < 3;
        if rest > 0 && (found_border || found_gap || is_vague) {
            return None;
        }
        let starts = (0..count).map(|piece| before + piece * period);
        if found_gap {
            let is_gap = |start: usize| self.is_plain[start - gap..start].iter().all(|&is| is);
            if !starts.clone().skip(1).all(is_gap) {
                return None;
            }
        }
        let mut num_lines = 0_usize;
        let mut sum = 0.0;
        let ends = starts.clone().map(|start| start + size);
        // Without a gap an end is the next start.
        let edges = starts.chain(ends.filter(|&end| gap > 0 || end + rest + after >= length));
        for line in edges.filter(|&line| line > 0 && line < length) {
            num_lines += 1;
            sum += self.excesses[line];
        }
        let mean_excess = sum / num_lines.max(1) as f64;
        let strength = mean_excess.max(0.0) / self.deviation;
        let mut evidence = strength * strength * num_lines as f64;
        if rest > 0 {
            evidence *= CROPPED_FACTOR;
        }
        Some(AxisFit { size, count, gap, before, after: after + rest, evidence, mean_excess })
    }

    /// Borders before and after that may be: those given, or none and those that are there.
    fn borders(&self, hints: &AxisHints) -> Vec<(usize, usize)> {
        if let Some(border) = hints.border {
            return vec![(border, border)];
        }
        let (leading, trailing) = self.ends();
        let mut borders = vec![(0, 0)];
        if leading + trailing > 0 {
            let ends = [(0, trailing), (leading, 0), (leading, trailing), (leading, leading)];
            borders.extend(ends.into_iter().filter(|&(before, after)| before + after > 0));
        }
        borders
    }

    /// Lines of the one colour at both ends; none if there is nothing between.
    fn ends(&self) -> (usize, usize) {
        let leading = self.is_plain.iter().take_while(|&&is| is).count();
        let trailing = self.is_plain.iter().rev().take_while(|&&is| is).count();
        if leading < self.num_lines() { (leading, trailing) } else { (0, 0) }
    }

    /// Gaps that may be: the one given, or none and those that are there, the most frequent first.
    fn gaps(&self, hints: &AxisHints) -> Vec<usize> {
        if let Some(gap) = hints.gap {
            return vec![gap];
        }
        let mut lengths: Vec<usize> = self
            .is_plain
            .chunk_by(|a, b| a == b)
            .filter(|run| run[0])
            .map(<[bool]>::len)
            .filter(|&run| run < self.num_lines() / 2)
            .collect();
        lengths.sort_unstable();
        let mut runs: Vec<(usize, usize)> =
            lengths.chunk_by(|a, b| a == b).map(|equal| (equal.len(), equal[0])).collect();
        runs.sort_by(|a, b| b.cmp(a));
        std::iter::once(0).chain(runs.into_iter().take(4).map(|(_, gap)| gap)).collect()
    }
}

/// One fit for each size, gap and start, the best first. Of several that differ in the number of pieces
/// it is the best, or one with more that is nearly as good.
fn with_last_lines(sorted: Vec<AxisFit>) -> Vec<AxisFit> {
    let mut fits: Vec<AxisFit> = Vec::new();
    for fit in sorted {
        let is_same = |kept: &&mut AxisFit| {
            (kept.size, kept.gap, kept.before) == (fit.size, fit.gap, fit.before)
        };
        match fits.iter_mut().find(is_same) {
            None => fits.push(fit),
            Some(kept) => {
                let is_good = fit.evidence >= LAST_LINE_SHARE * kept.evidence;
                if is_good && fit.count > kept.count {
                    (kept.count, kept.after) = (fit.count, fit.after);
                }
            }
        }
    }
    fits
}

/// A sheet seen along one direction.
struct Profile<'a, F> {
    sheet: &'a Picture,
    num_lines: usize,
    line_length: usize,
    /// From a line and a place along it to the offset of that pixel.
    offset_of: F,
}

impl<F: Fn(usize, usize) -> usize> Profile<'_, F> {
    /// Calls `look` with the pixels at one place of all lines, for places spread evenly.
    fn for_each_place(&self, mut look: impl FnMut(&[f32])) {
        let num_sampled = self.line_length.min(MAX_SAMPLED);
        let channels = self.sheet.channels();
        // Of 16 bits the first eight say enough.
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

/// By line: by how much the step to it from the line before has a larger share of the steps there than
/// such steps usually have in this picture; and the standard deviation of that.
fn seam_excesses<F: Fn(usize, usize) -> usize>(profile: &Profile<'_, F>) -> (Vec<f64>, f64) {
    let (num_lines, channels) = (profile.num_lines, profile.sheet.channels());
    if num_lines < 3 {
        return (vec![0.0; num_lines], 1.0);
    }
    // Steps of less than a grey level say nothing.
    let floor = channels as f32;
    let mut shares = vec![0.0_f64; num_lines];
    let mut steps = vec![0.0_f32; num_lines + 1];
    profile.for_each_place(|pixels| {
        let (before, after) = (pixels, &pixels[channels..]);
        let pairs = before.chunks_exact(channels).zip(after.chunks_exact(channels));
        for (step, (a, b)) in steps[1..].iter_mut().zip(pairs) {
            *step = a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum();
        }
        // Neighbours beyond the ends are those on the other side.
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
    // Of a sheet of larger pieces most lines between blocks are no seams.
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

/// By line: whether it has one colour, and the one that most such lines have.
fn plain_lines<F: Fn(usize, usize) -> usize>(profile: &Profile<'_, F>) -> Vec<bool> {
    // In grey levels of 256. JPEG spreads what lies next to a gap into it; lines of content deviate
    // several times as much.
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
    // The first and the last even line, and a few between, stand for all colours that may be.
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
