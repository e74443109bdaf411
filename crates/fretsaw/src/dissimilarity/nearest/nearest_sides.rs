//! The lists of candidates, which the search for the nearest sides returns.

use crate::puzzle::SideId;
use rayon::prelude::*;
use std::ops::Range;

/// A side that may belong next to another, and what that costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The side across the seam.
    pub side: SideId,
    /// Lower is better: the dissimilarity or, in the lists of a match model, the candidate cost.
    pub cost: f64,
}

impl Candidate {
    /// Best first; ties in order of the side number.
    pub(super) fn by_fit(&self, other: &Self) -> std::cmp::Ordering {
        self.cost.total_cmp(&other.cost).then_with(|| self.side.cmp(&other.side))
    }
}

/// The best candidates of every side, best first; ties in order of the side number.
///
/// A side lists all sides of other pieces that it may touch and whose dissimilarity is among its k
/// smallest, with all that tie with the k-th (but see
/// [`max_candidates`](super::NearestSettings::max_candidates)).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NearestSides {
    /// By side, where its list starts in `candidates`; after the last side, the end of the last list.
    starts: Vec<usize>,
    candidates: Vec<Candidate>,
    next_best: Vec<f64>,
}

impl NearestSides {
    /// Number of sides, 4n.
    pub fn num_sides(&self) -> usize {
        self.next_best.len()
    }

    /// The candidates of a side, best first.
    pub fn of(&self, side: SideId) -> &[Candidate] {
        &self.candidates[self.slots(side)]
    }

    /// Number of candidates of all sides together.
    pub fn num_candidates(&self) -> usize {
        self.candidates.len()
    }

    /// The positions of a side's candidates in the list of all sides' candidates.
    pub fn slots(&self, side: SideId) -> Range<usize> {
        self.starts[side.index()]..self.starts[side.index() + 1]
    }

    /// The next best dissimilarity: the smallest to any side that is not listed. Infinite if all are
    /// listed.
    pub fn next_best(&self, side: SideId) -> f64 {
        self.next_best[side.index()]
    }

    /// The smallest dissimilarity of `side` to any side but `other`.
    pub fn best_other(&self, side: SideId, other: SideId) -> f64 {
        self.of(side)
            .iter()
            .find(|candidate| candidate.side != other)
            .map_or(self.next_best(side), |candidate| candidate.cost)
    }

    /// Gallagher's dissimilarity ratio \[Gal12\] of a pair with this dissimilarity, lower is better:
    /// the dissimilarity over the smaller of the two sides' best others.
    ///
    /// Below 1 each is the other's best; two sides that fit everything perfectly get 1.
    pub fn ratio(&self, a: SideId, b: SideId, dissimilarity: f64) -> f64 {
        let best_other = self.best_other(a, b).min(self.best_other(b, a));
        if dissimilarity == best_other { 1.0 } else { dissimilarity / best_other }
    }

    /// The same candidates with new dissimilarities, `of(a, b, old)`, in their new order.
    ///
    /// Only listed pairs change. A pair that now fits worse than [`next_best`](Self::next_best) stays
    /// listed, although an unlisted side may fit better.
    pub fn reweighted(&self, of: impl Fn(SideId, SideId, f64) -> f64 + Sync) -> Self {
        self.rescored(|_, a, b, old| of(a, b, old), |side| self.next_best(side))
    }

    /// The same candidates with new dissimilarities, `of(slot, a, b, old)`, in their new order, and a
    /// new [`next_best`](Self::next_best) of every side.
    pub(crate) fn rescored(
        &self,
        of: impl Fn(usize, SideId, SideId, f64) -> f64 + Sync,
        next_best: impl Fn(SideId) -> f64 + Sync,
    ) -> Self {
        let sides = || (0..self.num_sides()).into_par_iter().map(SideId::from_index);
        let candidates = sides().flat_map_iter(|side| {
            let mut list = self.of(side).to_vec();
            for (slot, candidate) in self.slots(side).zip(&mut list) {
                candidate.cost = of(slot, side, candidate.side, candidate.cost);
            }
            list.sort_by(Candidate::by_fit);
            list
        });
        Self {
            starts: self.starts.clone(),
            candidates: candidates.collect(),
            next_best: sides().map(&next_best).collect(),
        }
    }

    /// The same with more candidates, `of_side[s]` for side s, which it does not list yet. Each side's
    /// [`next_best`](Self::next_best) stays as it is: no unlisted side fits better.
    pub(crate) fn with_more(&self, of_side: &[Vec<Candidate>]) -> Self {
        let mut more = Self::with_capacity(self.num_sides(), self.num_candidates());
        for (side, added) in of_side.iter().enumerate() {
            let side = SideId::from_index(side);
            let start = more.candidates.len();
            more.push(self.of(side).iter().chain(added).copied(), self.next_best(side));
            if !added.is_empty() {
                more.candidates[start..].sort_by(Candidate::by_fit);
            }
        }
        more
    }

    /// The same with so many candidates of each side at most. The next one is the best that is not listed.
    pub(crate) fn best(&self, num_candidates: usize) -> Self {
        let mut best = Self::with_capacity(self.num_sides(), self.num_sides() * num_candidates);
        for side in (0..self.num_sides()).map(SideId::from_index) {
            let list = self.of(side);
            let next_best = list.get(num_candidates).map_or(self.next_best(side), |next| next.cost);
            best.push(list.iter().copied().take(num_candidates), next_best);
        }
        best
    }

    /// Lists of some of `num_sides` sides, in increasing order, each with its
    /// [`next_best`](Self::next_best). The lists of the other sides are empty.
    pub(crate) fn of_some(num_sides: usize, lists: Vec<(SideId, Vec<Candidate>, f64)>) -> Self {
        let mut some =
            Self::with_capacity(num_sides, lists.iter().map(|(_, list, _)| list.len()).sum());
        for (side, mut list, next_best) in lists {
            list.sort_by(Candidate::by_fit);
            some.push_empty(side.index());
            some.push(list, next_best);
        }
        some.push_empty(num_sides);
        some
    }

    /// The same, but the lists of `sides`, which are in increasing order, come from `other`.
    pub(crate) fn with_lists_of(&self, sides: &[SideId], other: &Self) -> Self {
        let mut all = Self::with_capacity(self.num_sides(), self.num_candidates());
        let mut replaced = sides.iter().peekable();
        for side in (0..self.num_sides()).map(SideId::from_index) {
            let from = if replaced.next_if_eq(&&side).is_some() { other } else { self };
            all.push(from.of(side).iter().copied(), from.next_best(side));
        }
        all
    }

    fn with_capacity(num_sides: usize, num_candidates: usize) -> Self {
        let mut starts = Vec::with_capacity(num_sides + 1);
        starts.push(0);
        Self {
            starts,
            candidates: Vec::with_capacity(num_candidates),
            next_best: Vec::with_capacity(num_sides),
        }
    }

    /// Append the list of the next side, best first.
    fn push(&mut self, list: impl IntoIterator<Item = Candidate>, next_best: f64) {
        self.candidates.extend(list);
        self.starts.push(self.candidates.len());
        self.next_best.push(next_best);
    }

    /// Append empty lists until there are `num_sides` lists.
    fn push_empty(&mut self, num_sides: usize) {
        self.starts.resize(num_sides + 1, self.candidates.len());
        self.next_best.resize(num_sides, f64::INFINITY);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NearestSettings, find_nearest};
    use super::*;
    use crate::dissimilarity::{Dissimilarity, Measure};
    use crate::observer::Silent;
    use crate::picture::synthetic;
    use crate::puzzle::{PuzzleType, TurnSet};

    #[test]
    fn lists_are_cut_and_take_the_place_of_others() {
        let (pieces, ..) = synthetic::puzzle(3, 4, 8, PuzzleType::Type2, 6);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let nearest = |k| {
            let settings = NearestSettings { num_candidates: k, max_candidates: k };
            find_nearest(&dissimilarity, TurnSet::Quarter, &settings, &Silent).unwrap()
        };
        let (short, long) = (nearest(3), nearest(7));
        assert_eq!(long.best(3), short);
        assert_eq!(short.best(7), short);
        let sides = [2, 3, 11, 47].map(SideId::from_index);
        let lists = sides.map(|side| {
            (side, long.of(side).iter().rev().copied().collect(), long.next_best(side))
        });
        let some = NearestSides::of_some(48, lists.to_vec());
        let mixed = short.with_lists_of(&sides, &some);
        assert_eq!(some.num_sides(), 48);
        assert_eq!(mixed.num_candidates(), 44 * 3 + 4 * 7);
        for side in (0..48).map(SideId::from_index) {
            let is_replaced = sides.contains(&side);
            let expected = if is_replaced { &long } else { &short };
            assert_eq!(mixed.of(side), expected.of(side));
            assert_eq!(mixed.next_best(side), expected.next_best(side));
            assert_eq!(some.of(side).is_empty(), !is_replaced);
        }
    }
}
