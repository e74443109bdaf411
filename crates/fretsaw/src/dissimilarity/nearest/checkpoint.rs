//! The checkpoint of the search: which tiles are done, and the lists after them.
//!
//! Lists depend only on the set of tiles done, so a search that goes on from a checkpoint returns the same
//! lists as one that was never stopped. Bytes are postcard's encoding.

use super::comparison::Comparison;
use super::shared_shortlists::number_of;
use super::shortlist::Measured;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// How far the search got.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    num_candidates: usize,
    /// The comparisons that have begun; all but the last of them are finished.
    pub(super) comparisons: Vec<ComparisonCheckpoint>,
}

/// How far one comparison got.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ComparisonCheckpoint {
    /// Number of tiles done, in the order of [`Comparison::tiles`].
    pub(super) tiles_done: usize,
    /// By entry, the numbers of the entries that it lists.
    pub(super) lists: Vec<Vec<u32>>,
}

impl Checkpoint {
    pub(super) const fn new(num_candidates: usize) -> Self {
        Self { num_candidates, comparisons: Vec::new() }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        // Writing numbers to memory cannot fail.
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// The checkpoint in these bytes; `None` unless it is one of these comparisons.
    pub(super) fn read(
        bytes: &[u8],
        comparisons: &[Comparison],
        num_candidates: usize,
    ) -> Option<Self> {
        let (checkpoint, rest) = postcard::take_from_bytes::<Self>(bytes).ok()?;
        let fits = |(index, (saved, comparison)): (usize, (&ComparisonCheckpoint, &Comparison))| {
            let is_last = index + 1 == checkpoint.comparisons.len();
            (is_last || saved.tiles_done == comparison.tiles.len()) && saved.fits(comparison)
        };
        let is_whole = rest.is_empty()
            && checkpoint.num_candidates == num_candidates
            && checkpoint.comparisons.len() <= comparisons.len()
            && checkpoint.comparisons.iter().zip(comparisons).enumerate().all(fits);
        is_whole.then_some(checkpoint)
    }

    pub(super) fn is_finished(&self, comparisons: &[Comparison]) -> bool {
        let is_finished = |(saved, comparison): (&ComparisonCheckpoint, &Comparison)| {
            saved.tiles_done == comparison.tiles.len()
        };
        self.comparisons.len() == comparisons.len()
            && self.comparisons.iter().zip(comparisons).all(is_finished)
    }
}

impl ComparisonCheckpoint {
    pub(super) fn new(tiles_done: usize, lists: &[Vec<Measured>]) -> Self {
        let numbers =
            |list: &Vec<Measured>| list.iter().map(|measured| number_of(measured.entry)).collect();
        Self { tiles_done, lists: lists.iter().map(numbers).collect() }
    }

    /// Whether these lists can be those of the first tiles of a comparison.
    pub(super) fn fits(&self, comparison: &Comparison) -> bool {
        let Some(done) = comparison.tiles.get(..self.tiles_done) else { return false };
        // A listed pair of a tile that is not done yet would be entered twice.
        let done: HashSet<_> = done.iter().map(|tile| (tile.rows.start, tile.cols.start)).collect();
        let is_done = |u: usize, v: u32| {
            comparison.tile_of(u, v as usize).is_some_and(|tile| done.contains(&tile))
        };
        self.lists.len() == comparison.entries.len()
            && self.lists.iter().enumerate().all(|(u, list)| {
                let distinct: HashSet<u32> = list.iter().copied().collect();
                distinct.len() == list.len() && list.iter().all(|&v| is_done(u, v))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::super::comparison::first_col_after;
    use super::super::{NearestSettings, NearestSides, find_nearest};
    use super::*;
    use crate::dissimilarity::{Dissimilarity, Measure};
    use crate::observer::{Keeper, Silent};
    use crate::picture::synthetic;
    use crate::puzzle::{PuzzleType, TurnSet};

    fn go_on(
        dissimilarity: &Dissimilarity,
        turns: TurnSet,
        given: Option<Vec<u8>>,
    ) -> (NearestSides, Vec<Vec<u8>>) {
        let keeper = Keeper::continuing_from(given);
        let settings = NearestSettings { num_candidates: 5, max_candidates: 9 };
        let found = find_nearest(dissimilarity, turns, &settings, &keeper).unwrap();
        (found, keeper.into_states())
    }

    #[test]
    fn any_checkpoint_leads_to_the_same_lists_and_bad_ones_are_ignored() {
        let (pieces, ..) = synthetic::puzzle(20, 22, 6, PuzzleType::Type2, 3);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let settings = NearestSettings { num_candidates: 5, max_candidates: 9 };
        for turns in [TurnSet::None, TurnSet::Half, TurnSet::Quarter] {
            let expected = find_nearest(&dissimilarity, turns, &settings, &Silent).unwrap();
            let (found, states) = go_on(&dissimilarity, turns, None);
            assert_eq!(found, expected);
            assert!(states.len() > 2, "{turns:?}: {}", states.len());
            let num_states = states.len();
            for (number, state) in states.iter().enumerate() {
                let (found, later) = go_on(&dissimilarity, turns, Some(state.clone()));
                assert_eq!(found, expected);
                // No tile is compared twice, and a finished checkpoint is not saved again.
                assert_eq!(later.len(), num_states - 1 - number, "{turns:?}");
            }
            let last = &states[num_states - 1];
            for length in (0..last.len()).step_by(last.len() / 9) {
                let cut = last[..length].to_vec();
                assert_eq!(
                    go_on(&dissimilarity, turns, Some(cut)),
                    (expected.clone(), states.clone())
                );
            }
            let longer = [last, &[0][..]].concat();
            let garbage = (0..=250).cycle().step_by(97).take(last.len()).collect();
            for bad in [longer, garbage, vec![0xff; 100], vec![5, 9]] {
                assert_eq!(
                    go_on(&dissimilarity, turns, Some(bad)),
                    (expected.clone(), states.clone())
                );
            }
        }
    }

    #[test]
    fn checkpoints_with_impossible_numbers_are_refused() {
        let (pieces, ..) = synthetic::puzzle(4, 5, 6, PuzzleType::Type1, 3);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let comparisons = Comparison::all(&dissimilarity.strips, TurnSet::None, |_| true);
        let lists = vec![Vec::new(); comparisons[0].entries.len()];
        let tiles_done = comparisons[0].tiles.len();
        let mut good = Checkpoint::new(3);
        good.comparisons.push(ComparisonCheckpoint { tiles_done, lists });
        let is_read =
            |state: &Checkpoint| Checkpoint::read(&state.bytes(), &comparisons, 3).is_some();
        assert!(is_read(&good));
        let num_rows = number_of(comparisons[0].num_rows);
        let first_col = number_of(first_col_after(comparisons[0].num_rows));
        good.comparisons[0].lists[0].push(first_col);
        assert!(is_read(&good));
        good.comparisons[0].lists[0].clear();
        let changes: [&dyn Fn(&mut Checkpoint); 10] = [
            &|state| state.num_candidates = 4,
            &|state| state.comparisons[0].tiles_done += 1,
            &|state| state.comparisons[0].lists.truncate(7),
            // A pair of two rows, a number without an entry, and the largest number.
            &|state| state.comparisons[0].lists[0].push(1),
            &|state| state.comparisons[0].lists[0].push(100_000),
            &|state| state.comparisons[0].lists[0].push(u32::MAX),
            // An entry of the padding, a pair of a tile that is not done, and a pair listed twice.
            &|state| state.comparisons[0].lists[0].push(num_rows),
            &|state| {
                state.comparisons[0].lists[0].push(first_col);
                state.comparisons[0].tiles_done = 0;
            },
            &|state| state.comparisons[0].lists[0].extend([first_col; 2]),
            // A second comparison has begun, but the first is not finished.
            &|state| {
                state.comparisons.push(state.comparisons[0].clone());
                state.comparisons[0].tiles_done = 0;
            },
        ];
        for (number, change) in changes.iter().enumerate() {
            let mut bad = good.clone();
            change(&mut bad);
            assert!(!is_read(&bad), "{number}");
        }
    }
}
