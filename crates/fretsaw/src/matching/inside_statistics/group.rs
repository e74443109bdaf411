//! The sides of one length: what the seams inside the pieces teach of them, and the scores of their pairs.

use super::compared::{Compared, log_of_sum, pair_of};
use super::cut::{CUTS, Cut};
use super::ink_pixels::{InkPixels, NUM_PATTERNS};
use crate::linalg::single;
use crate::puzzle::{PieceId, Side, SideId};
use rayon::prelude::*;

/// At most so many seams inside each piece are learned from.
const MAX_SEAMS_INSIDE: usize = 16;
/// So many of them show how strongly the evidence counts.
const NUM_TEST_SEAMS: usize = 3;
/// Observations that are added to each pair of patterns, so that rare pairs say little.
const ADDED_COUNT: f32 = 4.0;

/// The strengths that are tried.
const STRENGTHS: [f32; 12] = [0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6];

/// The share of the strength that counts. What is left at a cut is worse than what lies inside.
const CAUTION: f32 = 0.6;

/// Comparing all pairs of pixels more often than this would take too long.
const MAX_COMPARISONS: usize = 1_000_000_000;
/// So many suffice to choose the way of cutting.
const COMPARISONS_PER_CUT: usize = 40_000_000;

/// So many candidates are proposed per side.
const PROPOSED: usize = 8;

/// Sides of the same length, which may touch.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) sides: Vec<Side>,
    /// By pair of sides of the group, both ways: minus infinity if they may not touch.
    pub(super) scores: Vec<f32>,
    pub(super) strength: f32,
    /// How the pieces were cut.
    pub(super) cut: Cut,
    /// By side, the logarithm of the mean of `exp(strength * score)` over all sides that it may touch.
    pub(super) log_means: Vec<f32>,
}

impl Group {
    pub(super) fn new(
        ink: &InkPixels,
        sides: Vec<Side>,
        may_touch: &(impl Fn(SideId, SideId) -> bool + Sync),
    ) -> Option<Self> {
        let mut group =
            Self { sides, scores: Vec::new(), strength: 0.0, cut: CUTS[0], log_means: Vec::new() };
        let length = ink.shape.side_length_px(group.sides[0]);
        let depth = ink.shape.num_pixels() / length;
        let num_sides = group.sides.len() * ink.num_pieces();
        let comparisons = num_sides * num_sides / 4 * length;
        if comparisons > MAX_COMPARISONS {
            return None;
        }
        let step = comparisons.div_ceil(COMPARISONS_PER_CUT);
        let cuts = CUTS.iter().filter(|cut| !cut.seams_inside(depth).is_empty());
        let mut best: Option<(f32, Cut, Vec<f32>)> = None;
        for &cut in cuts {
            let table = group.learn(ink, cut);
            let compared = Compared { table: &table, step };
            group.scores = group.all_scores(ink, compared, cut, may_touch);
            let clearness = group.clearness();
            if best.as_ref().is_none_or(|(most, ..)| clearness > *most) {
                best = Some((clearness, cut, table));
            }
        }
        let (_, cut, table) = best?;
        group.cut = cut;
        let compared = Compared { table: &table, step: 1 };
        group.scores = group.all_scores(ink, compared, cut, may_touch);
        group.strength = CAUTION * group.test(ink, compared, cut);
        group.log_means = (0..num_sides).into_par_iter().map(|u| group.log_mean(u)).collect();
        Some(group)
    }

    pub(super) fn num_sides(&self) -> usize {
        self.scores.len().isqrt()
    }

    pub(super) fn index_of(&self, side: SideId) -> Option<usize> {
        let at = self.sides.iter().position(|&of_group| of_group == side.side())?;
        Some(side.piece().index() * self.sides.len() + at)
    }

    pub(super) fn side_at(&self, index: usize) -> SideId {
        let number = self.sides.len();
        SideId::new(PieceId::new(index / number), self.sides[index % number])
    }

    pub(super) fn score(&self, u: usize, v: usize) -> f32 {
        self.scores[u * self.num_sides() + v]
    }

    pub(super) fn scores_of(&self, u: usize) -> &[f32] {
        let number = self.num_sides();
        &self.scores[u * number..][..number]
    }

    /// The side that fits one best, and its score.
    pub(super) fn best_of(&self, u: usize) -> Option<(usize, f32)> {
        let scores = self.scores_of(u).iter().copied().enumerate();
        let best = scores.max_by(|x, y| x.1.total_cmp(&y.1).then(y.0.cmp(&x.0)));
        best.filter(|(_, score)| score.is_finite())
    }

    /// The directions of seams inside a piece: the side that ends the part before such a seam, and the side that begins
    /// the part after it.
    fn directions(&self) -> impl Iterator<Item = (Side, Side)> {
        let ends = self.sides.iter().filter(|side| matches!(side, Side::Right | Side::Bottom));
        ends.map(|&end| (end, end.opposite()))
    }

    /// For each pair of patterns, the logarithm of how much likelier it is across a seam than by chance.
    fn learn(&self, ink: &InkPixels, cut: Cut) -> Vec<f32> {
        let add = |mut counts: Vec<u32>, piece: usize| {
            for (end, begin) in self.directions() {
                let depth = ink.depth(end);
                for seam in spread(cut.seams_inside(depth), MAX_SEAMS_INSIDE) {
                    let before = SideId::new(PieceId::new(piece), end);
                    let after = SideId::new(PieceId::new(piece), begin);
                    let (before_line, after_line) = (depth - seam, seam + cut.lost);
                    // The same seam as seen from either side.
                    for (one, other) in [
                        ((before, before_line), (after, after_line)),
                        ((after, after_line), (before, before_line)),
                    ] {
                        let there = ink.patterns(one.0, one.1, false);
                        let back = ink.patterns(other.0, other.1, true);
                        for (x, y) in there.iter().zip(&back) {
                            counts[pair_of(*x, *y)] += 1;
                        }
                    }
                }
            }
            counts
        };
        let none = || vec![0_u32; NUM_PATTERNS * NUM_PATTERNS];
        let counts = (0..ink.num_pieces())
            .into_par_iter()
            .fold(none, add)
            .reduce(none, |x, y| x.into_iter().zip(y).map(|(x, y)| x + y).collect());
        let mut of_pattern = vec![0_u64; NUM_PATTERNS];
        let mut of_back = vec![0_u64; NUM_PATTERNS];
        for (at, count) in counts.iter().enumerate() {
            of_pattern[at / NUM_PATTERNS] += u64::from(*count);
            of_back[at % NUM_PATTERNS] += u64::from(*count);
        }
        let total = of_pattern.iter().sum::<u64>().max(1) as f64;
        let log = |(at, count): (usize, &u32)| {
            let (x, y) = (of_pattern[at / NUM_PATTERNS], of_back[at % NUM_PATTERNS]);
            let by_chance = single(x as f64 * y as f64 / total);
            ((*count as f32 + ADDED_COUNT) / (by_chance + ADDED_COUNT)).ln()
        };
        counts.iter().enumerate().map(log).collect()
    }

    /// The scores of all pairs.
    fn all_scores(
        &self,
        ink: &InkPixels,
        compared: Compared<'_>,
        cut: Cut,
        may_touch: &(impl Fn(SideId, SideId) -> bool + Sync),
    ) -> Vec<f32> {
        let num_sides = self.sides.len() * ink.num_pieces();
        let sides = || (0..num_sides).into_par_iter().map(|index| self.side_at(index));
        let patterns = |is_back| -> Vec<Vec<u16>> {
            sides().map(|side| ink.patterns(side, cut.damaged, is_back)).collect()
        };
        let (there, back) = (patterns(false), patterns(true));
        let row = |u: usize| -> Vec<f32> {
            let score = |v: usize| {
                // Both orders have the same terms, in reverse order: compute one of them.
                let (u, v) = (u.min(v), u.max(v));
                if may_touch(self.side_at(u), self.side_at(v)) {
                    compared.score(&there[u], &back[v])
                } else {
                    f32::NEG_INFINITY
                }
            };
            (0..num_sides).map(score).collect()
        };
        (0..num_sides).into_par_iter().flat_map_iter(row).collect()
    }

    /// How clearly the best pairs differ from the second best.
    fn clearness(&self) -> f32 {
        let of_side = |u: usize| {
            let mut best = [f32::NEG_INFINITY; 2];
            for &score in self.scores_of(u) {
                if score > best[0] {
                    best = [score, best[0]];
                } else if score > best[1] {
                    best[1] = score;
                }
            }
            if best[1].is_finite() { best[0] - best[1] } else { 0.0 }
        };
        (0..self.num_sides()).map(of_side).sum()
    }

    /// The strength under which the sides of seams inside find each other with the best probability.
    fn test(&self, ink: &InkPixels, compared: Compared<'_>, cut: Cut) -> f32 {
        let mut sums = [0.0_f64; STRENGTHS.len()];
        for (end, begin) in self.directions() {
            let depth = ink.depth(end);
            for seam in spread(cut.seams_inside(depth), NUM_TEST_SEAMS) {
                let patterns = |side, line, is_back| -> Vec<Vec<u16>> {
                    let pieces = (0..ink.num_pieces()).into_par_iter().map(PieceId::new);
                    pieces
                        .map(|piece| ink.patterns(SideId::new(piece, side), line, is_back))
                        .collect()
                };
                let there = patterns(end, depth - seam, false);
                let back = patterns(begin, seam + cut.lost, true);
                let rows: Vec<Vec<f32>> = there
                    .par_iter()
                    .map(|one| back.iter().map(|other| compared.score(one, other)).collect())
                    .collect();
                let columns: Vec<Vec<f32>> =
                    (0..rows.len()).map(|at| rows.iter().map(|row| row[at]).collect()).collect();
                for (sum, strength) in sums.iter_mut().zip(STRENGTHS) {
                    let lists = rows.iter().enumerate().chain(columns.iter().enumerate());
                    let logs = lists.map(|(true_one, list)| {
                        f64::from(strength * list[true_one] - log_of_sum(list, strength))
                    });
                    *sum += logs.sum::<f64>();
                }
            }
        }
        let best = (0..STRENGTHS.len()).max_by(|&x, &y| sums[x].total_cmp(&sums[y]));
        best.map_or(0.0, |best| STRENGTHS[best])
    }

    fn log_mean(&self, u: usize) -> f32 {
        let allowed: Vec<f32> =
            self.scores_of(u).iter().copied().filter(|score| score.is_finite()).collect();
        if allowed.is_empty() {
            return 0.0;
        }
        log_of_sum(&allowed, self.strength) - (allowed.len() as f32).ln()
    }

    /// The best sides next to one, without those that tie with the first that is left out.
    pub(super) fn best(&self, u: usize) -> Vec<SideId> {
        let mut ranked: Vec<(f32, usize)> = self
            .scores_of(u)
            .iter()
            .copied()
            .zip(0..)
            .filter(|(score, _)| score.is_finite())
            .collect();
        ranked.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        let limit = ranked.get(PROPOSED).map_or(f32::NEG_INFINITY, |(score, _)| *score);
        let best = ranked.iter().take(PROPOSED).filter(|(score, _)| *score > limit);
        best.map(|&(_, v)| self.side_at(v)).collect()
    }
}

/// At most so many elements of a range, evenly spread.
fn spread(range: std::ops::Range<usize>, number: usize) -> impl Iterator<Item = usize> {
    let length = range.len();
    let number = number.min(length);
    (0..number).map(move |at| range.start + (2 * at + 1) * length / (2 * number))
}
