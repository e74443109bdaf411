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
//! Neighbouring rows of a side are not independent, so that the sum says too much. The strength corrects this: it is the one
//! under which the sides of seams inside find each other among all pieces with the best probability.

mod compared;
mod cut;
mod group;
mod ink_pixels;

use crate::dissimilarity::{Candidate, Dissimilarity, LONG_SIDE_PX, NearestSides, OpponentPixels};
use crate::puzzle::{Side, SideId, SidePair, TurnSet};
use cut::CUTS;
use group::Group;
use ink_pixels::InkPixels;
use rayon::prelude::*;

/// The probability that strokes do not go on across a true seam as they do inside.
const INTERRUPTED: f32 = 1e-4;

/// How much the networks, which expect clean cuts and even light, are trusted about other sides.
const TRUST_IN_NETWORKS: f32 = 0.3;

/// The evidence of all pairs of long sides.
#[derive(Debug)]
pub(crate) struct InsideStatistics {
    /// Sides of one length each.
    groups: Vec<Group>,
    /// Whether the paper of most pieces is equally light.
    is_even: bool,
}

impl InsideStatistics {
    /// `None` if no side is long enough, or if there are too many pieces.
    pub(crate) fn new(
        pieces: &OpponentPixels,
        dissimilarity: &Dissimilarity,
        turns: TurnSet,
    ) -> Option<Self> {
        let shape = pieces.shape;
        let is_long = |sides: &Vec<Side>| shape.side_length_px(sides[0]) >= LONG_SIDE_PX as usize;
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
        let is_clean = |group: &Group| group.cut == CUTS[0] && self.is_even;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::Measure;
    use crate::puzzle::{PieceId, PieceSet, PieceShape, Samples};
    use crate::random::Stream;

    const NUM_STRIPS: usize = 14;
    const WIDTH: usize = 16;
    const HEIGHT: usize = 240;

    /// Strips of a page of slanted strokes, in their order. At both long sides of each so many lines are lost, and the light of
    /// each strip differs.
    fn strips(lost: usize) -> PieceSet {
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
        for (lost, least_found) in [(0, NUM_STRIPS - 2), (1, NUM_STRIPS / 2)] {
            let found = statistics(&strips(lost)).unwrap();
            assert_eq!(found.groups.len(), 1);
            let group = &found.groups[0];
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
            assert!(num_found >= least_found, "{lost}: {num_found}");
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
