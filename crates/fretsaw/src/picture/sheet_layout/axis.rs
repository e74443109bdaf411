//! The sizes of pieces along one direction of a sheet, and the evidence for each.

use super::lines::{Profile, plain_lines, seam_excesses};
use crate::picture::Picture;

/// The smallest piece that is searched for, in pixels.
const MIN_PIECE_PX: usize = 4;

/// A direction has seams if its score reaches this: about the most that chance, or a horizon that strips of
/// full height share, can reach.
const MIN_AXIS_SCORE: f64 = 9.0;

/// Lines that are seams have at least this mean excess; pictures that were never cut have less, however
/// regular they are.
const MIN_MEAN_EXCESS: f64 = 0.12;

/// A last row or column that is mostly empty has weak lines. It counts if the evidence with it is at least
/// this share of the evidence without.
const LAST_LINE_SHARE: f64 = 0.8;

/// The factor of the evidence for a size that leaves a remainder: sheets are seldom cropped.
const CROPPED_FACTOR: f64 = 0.5;

/// The most sizes of one direction that are combined with those of the other.
const AXIS_CANDIDATES: usize = 8;

/// The known values of one direction.
pub(super) struct AxisHints {
    pub(super) size: Option<usize>,
    pub(super) count: Option<usize>,
    pub(super) gap: Option<usize>,
    pub(super) border: Option<usize>,
}

/// Pieces of one size along one direction, and the evidence for them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AxisFit {
    pub(super) size: usize,
    pub(super) count: usize,
    pub(super) gap: usize,
    pub(super) before: usize,
    pub(super) after: usize,
    /// The square of the score: higher is better.
    pub(super) evidence: f64,
    mean_excess: f64,
}

impl AxisFit {
    /// Whether its lines are clearly seams.
    fn is_seen(&self) -> bool {
        self.evidence >= MIN_AXIS_SCORE * MIN_AXIS_SCORE && self.mean_excess >= MIN_MEAN_EXCESS
    }
}

/// One direction of a sheet. Its lines are the columns of pixels, or the rows.
pub(super) struct Axis {
    /// By line: the excess of the step to it from the line before. That of the first line is 0.
    excesses: Vec<f64>,
    /// The standard deviation of the excess of lines that are not seams.
    deviation: f64,
    /// By line: whether it has the one colour of gaps and borders.
    is_plain: Vec<bool>,
}

impl Axis {
    pub(super) fn of_columns(sheet: &Picture) -> Self {
        Self::new(&Profile {
            sheet,
            num_lines: sheet.width_px(),
            line_length: sheet.height_px(),
            offset_of: |line, along| sheet.offset_of(along, line),
        })
    }

    pub(super) fn of_rows(sheet: &Picture) -> Self {
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

    /// The sizes that agree with the hints, the best first; one piece over the whole length if no seam is
    /// seen and the hints leave the size open.
    pub(super) fn fits(&self, hints: &AxisHints) -> Vec<AxisFit> {
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
        if let Some(size) = self.exact_size(hints) {
            // Plain lines at the edge are then pieces of one colour. A border that moves the seams off
            // the multiples of the size is kept if it is seen.
            let is_border = |fit: &AxisFit| !fit.before.is_multiple_of(size) && fit.is_seen();
            fits.retain(|fit| fit.before + fit.after == 0 || is_border(fit));
        }
        fits.sort_by(|a, b| b.evidence.total_cmp(&a.evidence));
        let mut fits = with_last_lines(fits);
        let is_open = hints.size.is_none() && hints.count.is_none();
        if is_open {
            fits.retain(AxisFit::is_seen);
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

    /// The size of the pieces, if by the hints they fill the whole length without a gap or a border.
    fn exact_size(&self, hints: &AxisHints) -> Option<usize> {
        let length = self.num_lines();
        let size = hints.size.or_else(|| length.checked_div(hints.count?))?;
        let is_exact = size > 0
            && length.is_multiple_of(size)
            && hints.count.is_none_or(|count| count == length / size)
            && hints.gap.unwrap_or(0) == 0
            && hints.border.is_none();
        is_exact.then_some(size)
    }

    /// The evidence for pieces of one size; `None` if they do not fit.
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
        // A remainder beside a border or a gap that was found means a wrong size, not a cropped sheet.
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

    /// The possible borders before and after: the one given, or none and those that are plain.
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

    /// Numbers of plain lines at both ends; zero if all lines are plain.
    fn ends(&self) -> (usize, usize) {
        let leading = self.is_plain.iter().take_while(|&&is| is).count();
        let trailing = self.is_plain.iter().rev().take_while(|&&is| is).count();
        if leading < self.num_lines() { (leading, trailing) } else { (0, 0) }
    }

    /// The possible gaps: the one given, or none and the lengths of plain runs, the most frequent first.
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

/// One fit for each size, gap and start, the best first. Of several that differ only in the number of
/// pieces, the best stays, or one with more pieces that is nearly as good.
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
