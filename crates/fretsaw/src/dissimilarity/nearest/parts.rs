//! The search in parts, which may run on different machines, and their union.
//!
//! A part compares every n-th tile and keeps, by entry, those that are best among its pairs. What is among the best of
//! all pairs is among the best of its part, and every pair is in one tile. So the best of all that the parts keep are
//! the best of all, whatever the order of tiles: the same lists as those of a search in one piece.

use super::checkpoint::{Checkpoint, ComparisonCheckpoint};
use super::comparison::Comparison;
use super::shared_shortlists::SharedShortlists;
use super::{NearestSettings, best_of_entries};
use crate::dissimilarity::Dissimilarity;
use crate::observer::{Cancelled, Observer, Stage};
use crate::puzzle::TurnSet;
use serde::{Deserialize, Serialize};

/// Why parts cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PartsError {
    /// Numbers of parts that are missing, or occur twice.
    #[error("there are {found} parts of {wanted}, or one of them twice; give every part once")]
    NotEveryPart {
        /// Parts given.
        found: usize,
        /// Parts there must be.
        wanted: usize,
    },
    /// Bytes that are no part of this search.
    #[error("part {0} is damaged, or of other pieces or settings; find it again")]
    OtherSearch(usize),
}

/// What a part found.
#[derive(Serialize, Deserialize)]
struct Part {
    num_candidates: usize,
    number: usize,
    num_parts: usize,
    comparisons: Vec<ComparisonCheckpoint>,
}

/// Passes on progress and cancelling; a part that stops early would not be one.
struct Whole<'a>(&'a dyn Observer);

impl Observer for Whole<'_> {
    fn stage_advanced(&self, stage: Stage, units: u64) {
        self.0.stage_advanced(stage, units);
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

/// The comparisons with every n-th tile, from that of the part's number on.
fn comparisons_of(
    dissimilarity: &Dissimilarity,
    turns: TurnSet,
    number: usize,
    num_parts: usize,
) -> Vec<Comparison> {
    let mut comparisons = Comparison::all(&dissimilarity.strips, turns, |_| true);
    for comparison in &mut comparisons {
        let tiles = std::mem::take(&mut comparison.tiles);
        comparison.tiles = tiles.into_iter().skip(number).step_by(num_parts.max(1)).collect();
    }
    comparisons
}

/// Searches in one of `num_parts` parts, numbered from 0. The bytes are for [`merge_nearest_parts`].
///
/// # Errors
/// If the observer cancels.
pub fn find_nearest_part(
    dissimilarity: &Dissimilarity,
    turns: TurnSet,
    settings: &NearestSettings,
    number: usize,
    num_parts: usize,
    observer: &dyn Observer,
) -> Result<Vec<u8>, Cancelled> {
    let num_candidates = settings.num_candidates.max(1);
    let settings = &NearestSettings { num_candidates, ..*settings };
    let comparisons = comparisons_of(dissimilarity, turns, number, num_parts);
    let num_tiles: usize = comparisons.iter().map(|comparison| comparison.tiles.len()).sum();
    observer.stage_started(Stage::Measure, num_tiles as u64);
    let mut part = Part { num_candidates, number, num_parts, comparisons: Vec::new() };
    for comparison in &comparisons {
        let (best, tiles_done) = best_of_entries(
            comparison,
            dissimilarity,
            settings,
            None,
            |_, _| {},
            &Whole(observer),
        )?;
        part.comparisons.push(ComparisonCheckpoint::new(tiles_done, &best));
    }
    observer.stage_finished(Stage::Measure);
    // Writing numbers to memory cannot fail.
    Ok(postcard::to_stdvec(&part).unwrap_or_default())
}

/// The finished state of the stage measure, from which [`find_nearest`](super::find_nearest) has its lists without
/// comparing anything, by [`Checkpoints`](crate::observer::Checkpoints). The parts may be in any order.
///
/// # Errors
/// If a part is missing, occurs twice, or is of another search.
pub fn merge_nearest_parts(
    dissimilarity: &Dissimilarity,
    turns: TurnSet,
    settings: &NearestSettings,
    parts: &[Vec<u8>],
) -> Result<Vec<u8>, PartsError> {
    let num_candidates = settings.num_candidates.max(1);
    let mut found: Vec<Part> = Vec::new();
    for (place, bytes) in parts.iter().enumerate() {
        let part = postcard::from_bytes::<Part>(bytes).ok();
        found.push(part.ok_or(PartsError::OtherSearch(place))?);
    }
    found.sort_by_key(|part| part.number);
    let wanted = found.first().map_or(1, |part| part.num_parts);
    if !found.iter().map(|part| part.number).eq(0..wanted) {
        return Err(PartsError::NotEveryPart { found: parts.len(), wanted });
    }
    let comparisons = Comparison::all(&dissimilarity.strips, turns, |_| true);
    let lists_of = |comparison| SharedShortlists::new(comparison, dissimilarity, num_candidates);
    let lists: Vec<SharedShortlists<'_>> = comparisons.iter().map(lists_of).collect();
    for part in &found {
        let own = comparisons_of(dissimilarity, turns, part.number, wanted);
        let is_whole = |(saved, own): (&ComparisonCheckpoint, &Comparison)| {
            saved.tiles_done == own.tiles.len() && saved.fits(own)
        };
        let fits = part.num_candidates == num_candidates
            && part.num_parts == wanted
            && part.comparisons.len() == own.len()
            && part.comparisons.iter().zip(&own).all(is_whole);
        if !fits {
            return Err(PartsError::OtherSearch(part.number));
        }
        for (lists, saved) in lists.iter().zip(&part.comparisons) {
            lists.start_from_saved(&saved.lists);
        }
    }
    let mut finished = Checkpoint::new(num_candidates);
    for (comparison, lists) in comparisons.iter().zip(&lists) {
        let merged = ComparisonCheckpoint::new(comparison.tiles.len(), &lists.best(num_candidates));
        finished.comparisons.push(merged);
    }
    Ok(finished.bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::{Measure, find_nearest};
    use crate::observer::{Keeper, Silent};
    use crate::picture::synthetic;
    use crate::puzzle::{PieceSet, PuzzleType, Samples};

    #[test]
    fn merged_parts_are_the_state_of_a_search_in_one_piece() {
        let (pieces, ..) = synthetic::puzzle(12, 13, 6, PuzzleType::Type2, 3);
        let settings = NearestSettings { num_candidates: 5, max_candidates: 9 };
        for (measure, turns) in [
            (Measure::Seam, TurnSet::None),
            (Measure::Mgc, TurnSet::Half),
            (Measure::Seam, TurnSet::Quarter),
            (Measure::Lpq, TurnSet::Quarter),
        ] {
            let dissimilarity = Dissimilarity::new(&pieces, measure).unwrap();
            let keeper = Keeper::default();
            let expected = find_nearest(&dissimilarity, turns, &settings, &keeper).unwrap();
            let state = keeper.into_states().pop().unwrap();
            // More parts than tiles leave some of them empty.
            for num_parts in [1, 2, 5, 40] {
                let part = |number| {
                    find_nearest_part(&dissimilarity, turns, &settings, number, num_parts, &Silent)
                };
                let mut parts: Vec<Vec<u8>> =
                    (0..num_parts).map(|number| part(number).unwrap()).collect();
                parts.reverse();
                let merged = merge_nearest_parts(&dissimilarity, turns, &settings, &parts).unwrap();
                assert_eq!(merged, state, "{measure:?}, {turns:?}, {num_parts} parts");
                let given = Keeper::continuing_from(Some(merged));
                let found = find_nearest(&dissimilarity, turns, &settings, &given).unwrap();
                assert_eq!(found, expected);
                assert!(given.into_states().is_empty(), "nothing was compared again");
            }
        }
    }

    #[test]
    fn equal_sides_tie_in_parts_as_in_one_piece() {
        let (pieces, ..) = synthetic::puzzle(3, 4, 6, PuzzleType::Type2, 3);
        let Samples::U8(values) = pieces.samples() else { unreachable!("drawn with 8 bits") };
        // Few levels, so that many sides are equal.
        let values = Samples::U8(values.iter().map(|value| value / 120).collect());
        let pieces = PieceSet::new(pieces.shape(), pieces.channels(), values).unwrap();
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let (turns, settings) = (TurnSet::Quarter, NearestSettings::of(3));
        let keeper = Keeper::default();
        find_nearest(&dissimilarity, turns, &settings, &keeper).unwrap();
        let parts: Vec<Vec<u8>> = (0..3)
            .map(|number| {
                find_nearest_part(&dissimilarity, turns, &settings, number, 3, &Silent).unwrap()
            })
            .collect();
        let merged = merge_nearest_parts(&dissimilarity, turns, &settings, &parts).unwrap();
        assert_eq!(Some(merged), keeper.into_states().pop());
    }

    #[test]
    fn parts_of_other_searches_are_refused() {
        let of = |rows| {
            let (pieces, ..) = synthetic::puzzle(rows, 13, 6, PuzzleType::Type2, 3);
            Dissimilarity::new(&pieces, Measure::Seam).unwrap()
        };
        let (dissimilarity, other) = (of(12), of(11));
        let (turns, settings) = (TurnSet::Quarter, NearestSettings::of(4));
        let part = |dissimilarity: &Dissimilarity, number| {
            find_nearest_part(dissimilarity, turns, &settings, number, 2, &Silent).unwrap()
        };
        let (one, two) = (part(&dissimilarity, 0), part(&dissimilarity, 1));
        let merge =
            |parts: &[Vec<u8>]| merge_nearest_parts(&dissimilarity, turns, &settings, parts);
        let missing = |found| Err(PartsError::NotEveryPart { found, wanted: 2 });
        assert_eq!(merge(std::slice::from_ref(&one)), missing(1));
        assert_eq!(merge(&[one.clone(), one.clone()]), missing(2));
        assert_eq!(merge(&[]), Err(PartsError::NotEveryPart { found: 0, wanted: 1 }));
        let refused = |number| Err(PartsError::OtherSearch(number));
        assert_eq!(merge(&[one.clone(), part(&other, 1)]), refused(1));
        assert_eq!(merge(&[two, one[..one.len() / 2].to_vec()]), refused(1));
    }
}
