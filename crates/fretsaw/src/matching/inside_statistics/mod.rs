//! What stands beside what inside the pieces of a page tells what fits across their seams.
//!
//! The networks learned from sides of up to 150 pixels. The sides of strips are thousands of pixels long: enough for
//! a puzzle to teach itself how its strokes go on. Every line inside a piece is a seam whose two sides are known. From them
//! follows, for each pattern of ink on one side and each on the other, how much likelier the two face each other
//! at a true seam than by chance. The sum of the logarithms over a side, times a strength, is the evidence of a pair.
//!
//! Shredders and scissors destroy pixels. So the seams inside are also taken with some lines left out, as many as
//! may be lost or damaged at the cut, and the way of cutting that tells pairs apart most clearly is chosen.
//!
//! Strips of a shredder are also shifted along each other. If the best pairs fit better so, every pair is compared at
//! several shifts, and the best counts.
//!
//! Neighbouring rows of a side are not independent, so that the sum says too much. The strength corrects this: it is the one
//! under which the sides of seams inside find each other among all pieces with the best probability.

mod ink_pixels;

use crate::dissimilarity::{Candidate, Dissimilarity, NearestSides, OpponentPixels};
use crate::linalg::single;
use crate::puzzle::{PieceId, Side, SideId, SidePair, TurnSet};
use ink_pixels::{InkPixels, NUM_PATTERNS, PATTERN_DEPTH};
use rayon::prelude::*;

/// Shorter sides are left to the networks.
const MIN_LENGTH_PX: usize = 160;

/// Ways in which pieces may have been cut, the cleanest first.
const CUTS: [Cut; 7] = [
    Cut { damaged: 0, lost: 0 },
    Cut { damaged: 0, lost: 1 },
    Cut { damaged: 0, lost: 2 },
    Cut { damaged: 0, lost: 4 },
    Cut { damaged: 1, lost: 2 },
    Cut { damaged: 2, lost: 4 },
    Cut { damaged: 3, lost: 6 },
];

/// Strips are shifted along each other by at most so many pixels, ...
const MAX_SHIFT: usize = 16;
/// ... and by at most this part of their length.
const MIN_LENGTH_PER_SHIFT: usize = 100;

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
/// The probability that strokes do not go on across a true seam as they do inside.
const INTERRUPTED: f32 = 1e-4;

/// How much the networks, which expect clean cuts and even light, are trusted about other sides.
const TRUST_IN_NETWORKS: f32 = 0.3;

/// Comparing all pairs of pixels more often than this would take too long.
const MAX_COMPARISONS: usize = 1_000_000_000;
/// So many suffice to choose the way of cutting, and to see whether strips are shifted.
const COMPARISONS_PER_CUT: usize = 40_000_000;

/// So many candidates are proposed per side.
const PROPOSED: usize = 8;

/// A way in which pieces were cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cut {
    /// So many lines at each side do not look like the page.
    damaged: usize,
    /// So many lines are missing between what is left of two neighbours.
    lost: usize,
}

/// The evidence of all pairs of long sides.
#[derive(Debug)]
pub(crate) struct InsideStatistics {
    /// Sides of one length each.
    groups: Vec<Group>,
    /// Whether the paper of most pieces is equally light.
    is_even: bool,
}

/// Sides of the same length, which may touch.
#[derive(Debug)]
struct Group {
    sides: Vec<Side>,
    /// By pair of sides of the group, both ways: minus infinity if they may not touch.
    scores: Vec<f32>,
    strength: f32,
    /// How the pieces were cut.
    cut: Cut,
    /// By how many pixels pieces may be shifted along their neighbours.
    max_shift: usize,
    /// By side, the logarithm of the mean of `exp(strength * score)` over all sides that it may touch.
    log_means: Vec<f32>,
}

impl InsideStatistics {
    /// `None` if no side is long enough, or if there are too many pieces.
    pub(crate) fn new(
        pieces: &OpponentPixels,
        dissimilarity: &Dissimilarity,
        turns: TurnSet,
    ) -> Option<Self> {
        let shape = pieces.shape;
        let is_long = |sides: &Vec<Side>| shape.side_length_px(sides[0]) >= MIN_LENGTH_PX;
        let groups = if shape.width_px() == shape.height_px() && turns == TurnSet::Quarter {
            vec![Side::ALL.to_vec()]
        } else {
            vec![vec![Side::Left, Side::Right], vec![Side::Top, Side::Bottom]]
        };
        let groups: Vec<Vec<Side>> = groups.into_iter().filter(is_long).collect();
        if groups.is_empty() {
            return None;
        }
        let ink = InkPixels::new(pieces);
        let may_touch = |u: SideId, v: SideId| {
            u.piece() != v.piece()
                && turns.allows(SidePair::of(u, v))
                && dissimilarity.may_touch(u, v)
        };
        let found = groups.into_iter().filter_map(|sides| Group::new(&ink, sides, &may_touch));
        let groups: Vec<Group> = found.collect();
        (!groups.is_empty()).then_some(Self { groups, is_even: ink.is_even })
    }

    /// The logarithm of how much likelier it is that two sides touch, as seen from the first.
    pub(super) fn log_ratio(&self, side: SideId, other: SideId) -> f32 {
        let found = self.groups.iter().find_map(|group| {
            let (u, v) = (group.index_of(side)?, group.index_of(other)?);
            let score = group.score(u, v);
            Some(group.strength * score - group.log_means[u])
        });
        found.map_or(0.0, |log| ((1.0 - INTERRUPTED) * log.exp() + INTERRUPTED).ln())
    }

    /// How much the networks are trusted about a side, from 0 to 1: they expect the pixels of neighbours to touch.
    pub(super) fn trust_in_networks(&self, side: SideId) -> f32 {
        let group = self.groups.iter().find(|group| group.sides.contains(&side.side()));
        let is_clean = |group: &Group| group.cut == CUTS[0] && group.max_shift == 0 && self.is_even;
        group.map_or(1.0, |group| if is_clean(group) { 1.0 } else { TRUST_IN_NETWORKS })
    }

    /// Sides that are each other's best, each pair once, with the probability that they touch.
    pub(crate) fn mutual_matches(&self) -> Vec<(SideId, SideId, f64)> {
        let of_group = |group: &Group| {
            let best_of = |u: usize| {
                let (v, score) = group.best_of(u)?;
                let allowed = group.scores_of(u).iter().filter(|score| score.is_finite()).count();
                let log_sum = group.log_means[u] + (allowed as f32).ln();
                Some((v, (group.strength * score - log_sum).exp()))
            };
            let mutual = (0..group.num_sides()).filter_map(|u| {
                let (v, there) = best_of(u).filter(|(v, _)| u < *v)?;
                let (_, back) = best_of(v).filter(|(back, _)| *back == u)?;
                Some((group.side_at(u), group.side_at(v), f64::from(there.min(back))))
            });
            mutual.collect::<Vec<_>>()
        };
        self.groups.iter().flat_map(of_group).collect()
    }

    /// The lists with the best sides added to them.
    pub(super) fn with_proposals(
        &self,
        nearest: &NearestSides,
        dissimilarity: &Dissimilarity,
    ) -> NearestSides {
        let added = |u: SideId| {
            let best = self.groups.iter().find_map(|group| Some(group.best(group.index_of(u)?)));
            let is_new = |v: &SideId| nearest.of(u).iter().all(|listed| listed.side != *v);
            let candidate = |v| Candidate { side: v, cost: dissimilarity.value(u, v) };
            best.into_iter().flatten().filter(is_new).map(candidate).collect()
        };
        let sides = (0..nearest.num_sides()).into_par_iter().map(SideId::from_index);
        nearest.with_more(&sides.map(added).collect::<Vec<_>>())
    }
}

impl Group {
    fn new(
        ink: &InkPixels,
        sides: Vec<Side>,
        may_touch: &(impl Fn(SideId, SideId) -> bool + Sync),
    ) -> Option<Self> {
        let mut group = Self {
            sides,
            scores: Vec::new(),
            strength: 0.0,
            cut: CUTS[0],
            max_shift: 0,
            log_means: Vec::new(),
        };
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
            let compared = Compared { table: &table, step, max_shift: 0 };
            group.scores = group.all_scores(ink, compared, cut, may_touch);
            let clearness = group.clearness();
            if best.as_ref().is_none_or(|(most, ..)| clearness > *most) {
                best = Some((clearness, cut, table));
            }
        }
        let (_, cut, table) = best?;
        group.cut = cut;
        group.max_shift = group.find_shift(ink, &table, length, comparisons, may_touch);
        let step = (comparisons * (2 * group.max_shift + 1)).div_ceil(MAX_COMPARISONS);
        let compared = Compared { table: &table, step, max_shift: group.max_shift };
        group.scores = group.all_scores(ink, compared, cut, may_touch);
        group.strength = CAUTION * group.test(ink, compared, cut);
        group.log_means = (0..num_sides).into_par_iter().map(|u| group.log_mean(u)).collect();
        Some(group)
    }

    /// By how many pixels to shift pieces along each other: as many as may be, if most sides that are each other's best
    /// fit better with a shift, and otherwise none.
    fn find_shift(
        &mut self,
        ink: &InkPixels,
        table: &[f32],
        length: usize,
        comparisons: usize,
        may_touch: &(impl Fn(SideId, SideId) -> bool + Sync),
    ) -> usize {
        let max_shift = MAX_SHIFT.min(length / MIN_LENGTH_PER_SHIFT);
        let step = (comparisons * (2 * max_shift + 1)).div_ceil(COMPARISONS_PER_CUT);
        let compared = Compared { table, step, max_shift };
        self.scores = self.all_scores(ink, compared, self.cut, may_touch);
        let best_of = |u: usize| self.best_of(u).map(|(v, _)| v);
        let mutual = (0..self.num_sides())
            .filter_map(|u| best_of(u).filter(|&v| u < v && best_of(v) == Some(u)).map(|v| (u, v)));
        let shift = |(u, v): (usize, usize)| {
            let there = ink.patterns(self.side_at(u), self.cut.damaged, false);
            let back = ink.patterns(self.side_at(v), self.cut.damaged, true);
            compared.best(&there, &back).1
        };
        let shifts: Vec<isize> = mutual.map(shift).collect();
        let num_shifted = shifts.iter().filter(|&&shift| shift != 0).count();
        if 2 * num_shifted > shifts.len() { max_shift } else { 0 }
    }

    fn num_sides(&self) -> usize {
        self.scores.len().isqrt()
    }

    fn index_of(&self, side: SideId) -> Option<usize> {
        let at = self.sides.iter().position(|&of_group| of_group == side.side())?;
        Some(side.piece().index() * self.sides.len() + at)
    }

    fn side_at(&self, index: usize) -> SideId {
        let number = self.sides.len();
        SideId::new(PieceId::new(index / number), self.sides[index % number])
    }

    fn score(&self, u: usize, v: usize) -> f32 {
        self.scores[u * self.num_sides() + v]
    }

    fn scores_of(&self, u: usize) -> &[f32] {
        let number = self.num_sides();
        &self.scores[u * number..][..number]
    }

    /// The side that fits one best, and its score.
    fn best_of(&self, u: usize) -> Option<(usize, f32)> {
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
                    compared.best(&there[u], &back[v]).0
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
                    .map(|one| back.iter().map(|other| compared.best(one, other).0).collect())
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
    fn best(&self, u: usize) -> Vec<SideId> {
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

impl Cut {
    /// Where the part after a seam inside begins if no line is lost: enough lines remain on both sides that look like the
    /// page.
    fn seams_inside(self, depth: usize) -> std::ops::Range<usize> {
        let first = self.damaged + PATTERN_DEPTH;
        let end = (depth + 1).saturating_sub(self.damaged + PATTERN_DEPTH + self.lost);
        first..end.max(first)
    }
}

/// At most so many elements of a range, evenly spread.
fn spread(range: std::ops::Range<usize>, number: usize) -> impl Iterator<Item = usize> {
    let length = range.len();
    let number = number.min(length);
    (0..number).map(move |at| range.start + (2 * at + 1) * length / (2 * number))
}

const fn pair_of(there: u16, back: u16) -> usize {
    there as usize * NUM_PATTERNS + back as usize
}

/// How two sides are compared.
#[derive(Clone, Copy)]
struct Compared<'a> {
    /// The score of each pair of patterns.
    table: &'a [f32],
    /// Every so many-th pixel counts.
    step: usize,
    /// By so many pixels the sides may be shifted along each other.
    max_shift: usize,
}

impl Compared<'_> {
    /// The score at the best shift, and that shift; the smallest of several that are as good.
    fn best(&self, there: &[u16], back: &[u16]) -> (f32, isize) {
        let mut best = (self.score(there, back), 0);
        for (shift, by) in (1..=self.max_shift).zip(1..) {
            let forward = self.score(&there[shift..], &back[..back.len() - shift]);
            let backward = self.score(&there[..there.len() - shift], &back[shift..]);
            for (score, by) in [(forward, by), (backward, -by)] {
                if score > best.0 {
                    best = (score, by);
                }
            }
        }
        best
    }

    fn score(&self, there: &[u16], back: &[u16]) -> f32 {
        let pairs = there.iter().zip(back).step_by(self.step);
        pairs.map(|(x, y)| self.table[pair_of(*x, *y)]).sum()
    }
}

/// The logarithm of the sum of `exp(strength * score)`.
fn log_of_sum(scores: &[f32], strength: f32) -> f32 {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = scores.iter().map(|score| (strength * (score - most)).exp()).sum();
    strength * most + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::Measure;
    use crate::puzzle::{PieceSet, PieceShape, Samples};
    use crate::random::Stream;

    const NUM_STRIPS: usize = 14;
    const WIDTH: usize = 16;
    const HEIGHT: usize = 240;

    /// Strips of a page of slanted strokes, in their order. At both long sides of each so many lines are lost, the light of
    /// each strip differs, and every other strip is shifted by so many rows.
    fn strips(lost: usize, shift: usize) -> PieceSet {
        let page_width = NUM_STRIPS * WIDTH;
        let mut page = vec![255_u8; page_width * HEIGHT];
        let mut random = Stream::new(5, 0);
        for _ in 0..260 {
            let (top, left) = (random.below(HEIGHT), random.below(page_width));
            let (slope, length) = (random.below(9), 10 + random.below(40));
            for step in 0..length {
                for thick in 0..3 {
                    let row = top + step * slope / 4 + thick;
                    let col = left + step;
                    if row < HEIGHT && col < page_width {
                        page[row * page_width + col] = 30;
                    }
                }
            }
        }
        let width = WIDTH - 2 * lost;
        let value = |at: usize| {
            let (strip, row, col) = (at / (width * HEIGHT), at / width % HEIGHT, at % width);
            let row = (row + strip % 2 * shift) % HEIGHT;
            let value = page[row * page_width + strip * WIDTH + lost + col];
            value - u8::try_from(3 * (strip % 5)).unwrap()
        };
        let shape = PieceShape::new(u32::try_from(HEIGHT).unwrap(), u32::try_from(width).unwrap());
        let values = (0..NUM_STRIPS * width * HEIGHT).map(value).collect();
        PieceSet::new(shape.unwrap(), 1, Samples::U8(values)).unwrap()
    }

    fn statistics(pieces: &PieceSet) -> Option<InsideStatistics> {
        let dissimilarity = Dissimilarity::new(pieces, Measure::Seam).unwrap();
        InsideStatistics::new(&OpponentPixels::of(pieces), &dissimilarity, TurnSet::None)
    }

    #[test]
    fn strips_find_their_neighbours_and_whether_lines_are_lost() {
        for (lost, shift, least_found) in
            [(0, 0, NUM_STRIPS - 2), (1, 0, NUM_STRIPS / 2), (0, 2, NUM_STRIPS - 2)]
        {
            let found = statistics(&strips(lost, shift)).unwrap();
            assert_eq!(found.groups.len(), 1);
            let group = &found.groups[0];
            assert_eq!(group.max_shift, shift);
            assert_eq!(group.cut == CUTS[0], lost == 0, "{:?}", group.cut);
            let side = |piece: usize, side| SideId::new(PieceId::new(piece), side);
            let is_found = |piece: &usize| {
                let from = side(*piece, Side::Right);
                let ratio = |other: usize| found.log_ratio(from, side(other, Side::Left));
                let mut others =
                    (0..NUM_STRIPS).filter(|other| ![*piece, *piece + 1].contains(other));
                ratio(*piece + 1) > 0.0 && others.all(|other| ratio(other) < ratio(*piece + 1))
            };
            let num_found = (0..NUM_STRIPS - 1).filter(is_found).count();
            assert!(num_found >= least_found, "{lost} {shift}: {num_found}");
            // Tops and bottoms are short, and nothing is said about them.
            assert_eq!(found.log_ratio(side(0, Side::Bottom), side(1, Side::Top)), 0.0);
        }
    }

    #[test]
    fn short_sides_are_left_to_the_networks() {
        let values = (0..4 * 40 * 40).map(|at: usize| if at % 7 < 2 { 0 } else { 255 }).collect();
        let shape = PieceShape::new(40, 40).unwrap();
        let pieces = PieceSet::new(shape, 1, Samples::U8(values)).unwrap();
        assert!(statistics(&pieces).is_none());
    }
}
