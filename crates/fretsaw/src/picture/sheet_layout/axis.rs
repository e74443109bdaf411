//! The sizes of pieces along one direction of a sheet, and the evidence for each.

use super::lines::{Profile, Steps, plain_lines, quantile};
use crate::picture::Picture;

/// The smallest size that is searched for, in pixels. Pieces are larger, but not the squares of some pictures.
const MIN_SIZE_PX: usize = 2;

/// The evidence for one piece over the whole length: a size of less evidence is not believed.
const WHOLE_EVIDENCE: f64 = 6.0;

/// The lines of a border are clear with this evidence.
const CLEAR_EVIDENCE: f64 = 40.0;

/// A size is too small if the other lines than those of a multiple have less than this share of their excess, or of
/// their steps. Both are less if the multiple has few lines.
const SHARE_OF_EXCESS: f64 = 0.5;
const SHARE_OF_STEPS: f64 = 0.65;

/// The fewest pieces along the length for a multiple to be preferred: a single line may stand out by chance.
const MIN_COUNT_OF_MULTIPLE: usize = 3;

/// A last row or column that is mostly empty has weak lines. It counts if the evidence with it is at least
/// this share of the evidence without.
const LAST_LINE_SHARE: f64 = 0.8;

/// The factor of the evidence for a size that leaves a remainder, and what is subtracted from it: sheets are seldom
/// cropped, and there are many such sizes.
const CROPPED_FACTOR: f64 = 0.5;
const CROPPED_LOSS: f64 = 12.0;

/// The fewest pieces along the length of a cropped sheet, unless its size or their number is known.
const MIN_COUNT_OF_CROPPED: usize = 6;

/// The most sizes of one direction that are combined with those of the other.
const AXIS_CANDIDATES: usize = 12;

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
    /// Twice the logarithm of how much likelier its lines are as seams than as other lines: higher is better.
    pub(super) evidence: f64,
    /// The mean excess of its lines.
    pub(super) mean_excess: f64,
    /// Whether plain lines at an end were taken for a border.
    pub(super) found_border: bool,
}

/// One direction of a sheet. Its lines are the columns of pixels, or the rows.
pub(super) struct Axis {
    steps: Steps,
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
        Self { steps: Steps::new(profile), is_plain: plain_lines(profile) }
    }

    const fn num_lines(&self) -> usize {
        self.is_plain.len()
    }

    /// The sizes that agree with the hints, the best first. If the hints leave the size open, one piece over the
    /// whole length is among them.
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
                    (None, None) => MIN_SIZE_PX..=inner / 2,
                };
                for size in sizes.filter(|&size| size > 0) {
                    fits.extend(self.fit(before, after, gap, size, hints));
                }
            }
        }
        if let Some(size) = self.exact_size(hints) {
            // Plain lines at the edge are then pieces of one colour. A border that moves the seams off
            // the multiples of the size is kept if it is clear.
            let is_border =
                |fit: &AxisFit| !fit.before.is_multiple_of(size) && fit.evidence >= CLEAR_EVIDENCE;
            fits.retain(|fit| fit.before + fit.after == 0 || is_border(fit));
        }
        // Plain lines at the edge that are whole pieces are pieces.
        fits.retain(|fit| {
            let is_whole = |lines: usize| lines.is_multiple_of(fit.size);
            let are_pieces = fit.gap == 0 && is_whole(fit.before) && is_whole(fit.after);
            !(fit.found_border && are_pieces && length.is_multiple_of(fit.size))
        });
        fits.sort_by(|a, b| b.evidence.total_cmp(&a.evidence));
        let mut fits = with_last_lines(fits);
        fits.truncate(AXIS_CANDIDATES);
        if hints.size.is_none() && hints.count.is_none() {
            fits = self.without_divisors(fits, hints);
            fits.extend(self.whole(hints));
            fits.sort_by(|a, b| b.evidence.total_cmp(&a.evidence));
        }
        fits
    }

    /// One piece over the whole length, without a border and with the one that is given or plain.
    fn whole(&self, hints: &AxisHints) -> Vec<AxisFit> {
        let mut borders = match hints.border {
            Some(border) => vec![(border, border)],
            None => vec![(0, 0), self.ends()],
        };
        borders.dedup();
        let whole = |(before, after): (usize, usize)| {
            let size = self.num_lines().checked_sub(before + after)?;
            let evidence = WHOLE_EVIDENCE;
            let found_border = hints.border.is_none() && before + after > 0;
            let mean_excess = 0.0;
            Some(AxisFit {
                size,
                count: 1,
                gap: 0,
                before,
                after,
                evidence,
                mean_excess,
                found_border,
            })
        };
        borders.into_iter().filter_map(whole).collect()
    }

    /// The same, with multiples in place of sizes that are too small. A multiple has the evidence of the size that
    /// it replaces, since it explains it.
    fn without_divisors(&self, fits: Vec<AxisFit>, hints: &AxisHints) -> Vec<AxisFit> {
        let mut found: Vec<AxisFit> = Vec::new();
        for fit in fits {
            let evidence = fit.evidence;
            let mut multiple = fit;
            while let Some(larger) = self.better_multiple(&multiple, hints) {
                multiple = larger;
            }
            let is_same = |kept: &AxisFit| {
                (kept.size, kept.gap, kept.before) == (multiple.size, multiple.gap, multiple.before)
            };
            // The fits are sorted, so one that is there already has more evidence.
            if !found.iter().any(is_same) {
                found.push(AxisFit { evidence, ..multiple });
            }
        }
        found
    }

    /// The best multiple of a size at whose lines the steps are much stronger than at the size's other lines.
    fn better_multiple(&self, fit: &AxisFit, hints: &AxisHints) -> Option<AxisFit> {
        if fit.gap > 0 {
            return None;
        }
        let inner = self.num_lines() - fit.before - fit.after;
        let is_cropped = fit.before == 0 && fit.after > 0;
        let mut best: Option<AxisFit> = None;
        for times in 2..=fit.count / MIN_COUNT_OF_MULTIPLE {
            let size = times * fit.size;
            if !inner.is_multiple_of(size) && !is_cropped {
                continue;
            }
            let (mut at_lines, mut between) = (Strength::default(), Strength::default());
            for piece in 1..fit.count {
                let line = fit.before + piece * fit.size;
                let of_kind =
                    if piece.is_multiple_of(times) { &mut at_lines } else { &mut between };
                of_kind.add(self.steps.excesses[line], self.steps.sizes[line]);
            }
            // The fewer lines the multiple has, the more they may stand out by chance.
            let num_lines = at_lines.steps.len() as f64;
            let caution = num_lines / (num_lines + 1.0);
            let is_weaker = between.excess() < SHARE_OF_EXCESS * caution * at_lines.excess()
                || between.step() < SHARE_OF_STEPS * caution * at_lines.step();
            if !is_weaker {
                continue;
            }
            let found =
                self.fit(fit.before, if is_cropped { 0 } else { fit.after }, 0, size, hints);
            if let Some(found) = found
                && best.as_ref().is_none_or(|best| found.evidence > best.evidence)
            {
                best = Some(found);
            }
        }
        best
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
        let is_open = hints.size.is_none() && hints.count.is_none();
        let is_vague = is_open && count < MIN_COUNT_OF_CROPPED;
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
            sum += self.steps.excesses[line];
        }
        let mean_excess = sum / num_lines.max(1) as f64;
        let strength = mean_excess.max(0.0) / self.steps.deviation;
        let mut evidence = strength * strength * num_lines as f64;
        if rest > 0 {
            evidence = evidence * CROPPED_FACTOR - CROPPED_LOSS;
        }
        let after = after + rest;
        Some(AxisFit { size, count, gap, before, after, evidence, mean_excess, found_border })
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

/// How strong some lines are.
#[derive(Default)]
struct Strength {
    excesses: f64,
    steps: Vec<f64>,
}

impl Strength {
    fn add(&mut self, excess: f64, step: f64) {
        self.excesses += excess;
        self.steps.push(step);
    }

    /// The mean excess.
    fn excess(&self) -> f64 {
        self.excesses / self.steps.len().max(1) as f64
    }

    /// The median step: where a sheet is nearly blank, the only line with ink stands out by hundreds of times.
    fn step(&self) -> f64 {
        quantile(self.steps.clone(), 0.5)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_of_a_nearly_blank_sheet_does_not_decide() {
        let strength = |steps: &[f64]| {
            let mut found = Strength::default();
            steps.iter().for_each(|&step| found.add(0.5, step));
            found.step()
        };
        assert_eq!(strength(&[180.0, 154.0, 958.0, 125.0]), 154.0);
        assert_eq!(strength(&[125.0, 173.0, 189.0, 266.0, 160.0]), 173.0);
    }
}
