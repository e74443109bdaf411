//! The k best candidates of every side, exactly.
//!
//! Pairs are visited in tiles. A tile's lower bounds ([`super::lower_bounds`]) rule out all pairs
//! that cannot be among the k best of either side. The other pairs enter both sides' shortlists, with a
//! lower and an upper bound. The k-th smallest upper bound of a shortlist rules out every entry whose
//! lower bound exceeds it. At the end the list holds the k best and the few others that the bounds cannot
//! tell from them; these are computed by the exact formula. The final list does not depend on the order of
//! the tiles, so the result is the same on any number of threads.
//!
//! Strips are sorted by colour and tiles of similar colour come first, so that shortlists are soon
//! short. Then the mean colours alone rule out most pairs of most other tiles. A tile with few pairs left
//! is measured pair by pair, and its product is not computed.
//!
//! Equal strips are compared once and share their list. A uniform picture of any size is therefore
//! one comparison, not n^2 ties.
//!
//! Cost: at most one product of 4n x 4n by twice the measure's numbers per side, of which symmetry
//! saves half; about k log n entries into the shortlist of a side; and little more than k exact pairs a
//! side, besides those that replace products. `docs/scaling.md` has measured times.
//!
//! An observer that keeps states receives a checkpoint between chunks of tiles and at the end
//! ([`checkpoint`]).

mod checkpoint;
mod comparison;
mod nearest_sides;
mod parts;
mod shared_shortlists;
mod shortlist;

pub use nearest_sides::{Candidate, NearestSides};
pub use parts::{PartsError, find_nearest_part, merge_nearest_parts};

use super::lower_bounds::LowerBounds;
use super::{Dissimilarity, Kind};
use crate::linalg::packed_product::TILE_QUANTUM;
use crate::observer::{Asking, Cancelled, Checkpoints, Muted, Observer, Stage, check_cancelled};
use crate::puzzle::{Side, SideId, TurnSet, is_large, is_quick};
use checkpoint::{Checkpoint, ComparisonCheckpoint};
use comparison::{Comparison, Tile};
use rayon::prelude::*;
use shared_shortlists::{SharedShortlists, TileBuffers};
use shortlist::Measured;
use std::sync::atomic::{AtomicBool, Ordering};

/// Strips per tile, each way: the tile's product and factors then fit a core's L2 cache.
pub const TILE: usize = 2 * TILE_QUANTUM;

/// About how many tiles a thread compares at least, and before the observer is asked whether it wants a checkpoint: a fraction
/// of a second, and enough that threads seldom wait for the last one.
const TILES_BETWEEN_QUESTIONS: usize = 64;

/// The candidates of each side of a puzzle that is not quick, if the observer stops: a first board of more of them takes longer
/// and is hardly better.
pub(crate) const CANDIDATES_AFTER_STOP: usize = 6;

/// Settings of the search for candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NearestSettings {
    /// Candidates per side: k. 0 counts as 1. Default 10.
    pub num_candidates: usize,
    /// The most candidates that a side may have when several tie with the k-th. A group of ties that
    /// does not fit is left out whole, because nothing distinguishes its members. Default 40.
    pub max_candidates: usize,
}

impl NearestSettings {
    /// The settings of a search of so many sides that was stopped.
    fn after_stop(&self, num_sides: usize) -> Self {
        if is_quick(num_sides / Side::ALL.len()) {
            return *self;
        }
        Self { num_candidates: self.num_candidates.min(CANDIDATES_AFTER_STOP), ..*self }
    }

    /// So many candidates per side, and up to four times as many where they tie.
    pub(crate) const fn of(num_candidates: usize) -> Self {
        Self { num_candidates, max_candidates: 4 * num_candidates }
    }
}

impl Default for NearestSettings {
    fn default() -> Self {
        Self::of(10)
    }
}

/// Find the best candidates of every side among the pairs that the turns allow; if the observer
/// [stops](Observer::is_stopped), among those that were compared until then.
pub fn find_nearest(
    dissimilarity: &Dissimilarity,
    turns: TurnSet,
    settings: &NearestSettings,
    observer: &dyn Observer,
) -> Result<NearestSides, Cancelled> {
    search(dissimilarity, turns, settings, |_| true, observer)
}

/// Find the best candidates of some sides among these sides. The lists of all other sides are empty.
///
/// This is part of another stage: the observer hears of no progress and receives no checkpoint.
pub(crate) fn find_nearest_among(
    dissimilarity: &Dissimilarity,
    turns: TurnSet,
    settings: &NearestSettings,
    sides: &[SideId],
    observer: &dyn Observer,
) -> Result<NearestSides, Cancelled> {
    let mut is_among = vec![false; dissimilarity.num_sides()];
    sides.iter().for_each(|side| is_among[side.index()] = true);
    let is_compared = |side: SideId| is_among[side.index()];
    search(dissimilarity, turns, settings, is_compared, &Muted(observer))
}

fn search(
    dissimilarity: &Dissimilarity,
    turns: TurnSet,
    settings: &NearestSettings,
    is_compared: impl Fn(SideId) -> bool,
    observer: &dyn Observer,
) -> Result<NearestSides, Cancelled> {
    let num_candidates = settings.num_candidates.max(1);
    let settings = &NearestSettings { num_candidates, ..*settings };
    let comparisons = Comparison::all(&dissimilarity.strips, turns, is_compared);
    let num_tiles: usize = comparisons.iter().map(|comparison| comparison.tiles.len()).sum();
    observer.stage_started(Stage::Measure, num_tiles as u64);
    let checkpoints = observer.checkpoints();
    let saved = checkpoints
        .and_then(|checkpoints| checkpoints.load(Stage::Measure))
        .and_then(|bytes| Checkpoint::read(&bytes, &comparisons, num_candidates));
    let mut finished = Checkpoint::new(num_candidates);
    let is_new = !saved.as_ref().is_some_and(|saved| saved.is_finished(&comparisons));
    let mut saved = saved.into_iter().flat_map(|saved| saved.comparisons);
    let mut lists: Vec<(SideId, Vec<Candidate>, f64)> = Vec::new();
    let mut is_whole = true;
    for comparison in &comparisons {
        let before = saved.next();
        let save = |tiles_done: usize, lists: &[Vec<Measured>]| {
            let mut checkpoint = finished.clone();
            checkpoint.comparisons.push(ComparisonCheckpoint::new(tiles_done, lists));
            if let Some(checkpoints) = checkpoints {
                checkpoints.save(Stage::Measure, checkpoint.bytes());
            }
        };
        let (best, tiles_done) =
            best_of_entries(comparison, dissimilarity, settings, before.as_ref(), save, observer)?;
        let settings = match tiles_done == comparison.tiles.len() {
            true => *settings,
            false => settings.after_stop(dissimilarity.num_sides()),
        };
        is_whole &= tiles_done == comparison.tiles.len();
        if checkpoints.is_some() {
            finished.comparisons.push(ComparisonCheckpoint::new(comparison.tiles.len(), &best));
        }
        lists.par_extend(comparison.entries.par_iter().zip(best).flat_map_iter(|(entry, best)| {
            entry.sides.iter().map(move |&side| {
                let (list, next_best) = candidates_of(side, comparison, &best, &settings);
                (side, list, next_best)
            })
        }));
    }
    if let Some(checkpoints) = checkpoints.filter(|_| is_new && is_whole) {
        checkpoints.save(Stage::Measure, finished.bytes());
    }
    observer.stage_finished(Stage::Measure);
    lists.sort_unstable_by_key(|&(side, ..)| side);
    Ok(NearestSides::of_some(dissimilarity.num_sides(), lists))
}

/// By entry, the entries that are best for it, and the number of tiles that were compared: all, unless the observer
/// stops.
///
/// Starts from the checkpoint `before`. Whenever the observer wants a checkpoint, `save` receives the
/// number of tiles done and the lists after them.
fn best_of_entries(
    comparison: &Comparison,
    dissimilarity: &Dissimilarity,
    settings: &NearestSettings,
    before: Option<&ComparisonCheckpoint>,
    save: impl Fn(usize, &[Vec<Measured>]),
    observer: &dyn Observer,
) -> Result<(Vec<Vec<Measured>>, usize), Cancelled> {
    let Comparison { entries, tiles, .. } = comparison;
    let lists = SharedShortlists::new(comparison, dissimilarity, settings.num_candidates);
    let mut tiles_done = 0;
    if let Some(before) = before {
        lists.start_from_saved(&before.lists);
        tiles_done = before.tiles_done;
        observer.stage_advanced(Stage::Measure, tiles_done as u64);
        if tiles_done == tiles.len() {
            return Ok((lists.best(settings.num_candidates), tiles_done));
        }
    }
    let bounds = match &dissimilarity.kind {
        Kind::Quadratic(measure) => {
            let strips: Vec<usize> = entries.iter().map(|entry| entry.strip).collect();
            // Where they take a moment, the first tiles are worth it.
            let is_needed = !is_large(dissimilarity.num_sides() / Side::ALL.len());
            let asking = Asking::new(observer);
            let found = LowerBounds::new(measure, &strips, &|| is_needed || asking.goes_on());
            if found.is_none() {
                check_cancelled(observer)?;
                lists.offer_neighbours();
                let settings = settings.after_stop(dissimilarity.num_sides());
                return Ok((lists.best_about(settings.num_candidates), tiles_done));
            }
            found
        }
        Kind::Lpq(_) => None,
    };
    let (is_begun, is_cut) = (AtomicBool::new(false), AtomicBool::new(false));
    let compare = |buffers: &mut TileBuffers, tile: &Tile| {
        check_cancelled(observer)?;
        // Without the first tiles the lists would be empty.
        if is_begun.load(Ordering::Relaxed) && observer.is_stopped() {
            is_cut.store(true, Ordering::Relaxed);
            return Ok(());
        }
        match &bounds {
            Some(bounds) => lists.offer_bounded(bounds, tile, buffers),
            None => lists.offer_all(tile, buffers),
        }
        observer.stage_advanced(Stage::Measure, 1);
        Ok(())
    };
    let checkpoints = observer.checkpoints();
    let max_chunk = TILES_BETWEEN_QUESTIONS * rayon::current_num_threads();
    // Strips of similar colour first: they settle most lists, and later tiles are quickly ruled out.
    for band in tiles[tiles_done..].chunk_by(|x, y| x.band == y.band) {
        for chunk in band.chunks(max_chunk) {
            chunk.par_iter().try_for_each_init(TileBuffers::default, compare)?;
            is_begun.store(true, Ordering::Relaxed);
            let is_cut = is_cut.load(Ordering::Relaxed);
            tiles_done += if is_cut { 0 } else { chunk.len() };
            if tiles_done < tiles.len() && (is_cut || observer.is_stopped()) {
                // The tiles of similar colours come first, so that these lists are useful.
                let after = settings.after_stop(dissimilarity.num_sides());
                let best = match after == *settings {
                    true => lists.best(settings.num_candidates),
                    false => lists.best_about(after.num_candidates),
                };
                return Ok((best, tiles_done));
            }
            if tiles_done < tiles.len() && checkpoints.is_some_and(Checkpoints::is_due) {
                save(tiles_done, &lists.best(settings.num_candidates));
            }
        }
    }
    Ok((lists.best(settings.num_candidates), tiles_done))
}

/// The candidates of a side, from the best entries of its own entry, and the next best dissimilarity.
///
/// Entries that tie are counted before their sides are listed: a blank strip may be that of all sides of a puzzle.
fn candidates_of(
    side: SideId,
    comparison: &Comparison,
    best: &[Measured],
    settings: &NearestSettings,
) -> (Vec<Candidate>, f64) {
    let most = settings.max_candidates.max(settings.num_candidates);
    let others = |tied: &Measured| comparison.entries[tied.entry].num_sides_of_others(side);
    let mut list: Vec<Candidate> = Vec::new();
    for tied in best.chunk_by(|x, y| x.dissimilarity == y.dissimilarity) {
        let num_tied: usize = tied.iter().map(others).sum();
        let is_full = list.len() >= settings.num_candidates;
        if num_tied > 0 && (is_full || list.len() + num_tied > most) {
            return (list, tied[0].dissimilarity);
        }
        let candidates = tied.iter().flat_map(|&Measured { dissimilarity, entry }| {
            let sides = comparison.entries[entry].sides.iter();
            sides.map(move |&side| Candidate { side, cost: dissimilarity })
        });
        let start = list.len();
        list.extend(candidates.filter(|candidate| candidate.side.piece() != side.piece()));
        list[start..].sort_by(Candidate::by_fit);
    }
    (list, f64::INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::Measure;
    use crate::observer::Silent;
    use crate::picture::synthetic;
    use crate::puzzle::PuzzleType;
    use std::sync::atomic::AtomicU64;

    /// Stops when so many tiles are done.
    #[derive(Default)]
    struct Stopping {
        after: u64,
        total: AtomicU64,
        done: AtomicU64,
    }

    impl Observer for Stopping {
        fn stage_started(&self, _stage: Stage, total: u64) {
            self.total.store(total, Ordering::Relaxed);
        }

        fn stage_advanced(&self, _stage: Stage, units: u64) {
            self.done.fetch_add(units, Ordering::Relaxed);
        }

        fn is_stopped(&self) -> bool {
            self.done.load(Ordering::Relaxed) >= self.after
        }
    }

    #[test]
    fn a_stop_ends_the_comparison_with_the_lists_so_far() {
        let (pieces, ..) = synthetic::puzzle(65, 65, 4, PuzzleType::Type2, 5);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let settings = NearestSettings::of(8);
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        // At once: before the bounds of tiles are complete, no tile is done.
        for (after, least_listing) in [(0, 0.9), (1, 0.5)] {
            let observer = Stopping { after, ..Stopping::default() };
            let found = one_thread
                .install(|| find_nearest(&dissimilarity, TurnSet::Quarter, &settings, &observer));
            let found = found.unwrap();
            let (done, total) = (observer.done.into_inner(), observer.total.into_inner());
            assert!(done >= after && done < total && (after > 0 || done == 0), "{done} of {total}");
            let sides = || (0..found.num_sides()).map(SideId::from_index);
            let num_listing = sides().filter(|&side| !found.of(side).is_empty()).count();
            let share = num_listing as f64 / found.num_sides() as f64;
            assert!(share > least_listing, "{share} of the sides, stopped after {after}");
            for side in sides() {
                let list = found.of(side);
                assert!(
                    list.len() <= 4 * CANDIDATES_AFTER_STOP && list.is_sorted_by_key(|it| it.cost)
                );
                for candidate in list {
                    let value = dissimilarity.value(side, candidate.side);
                    assert!(
                        (candidate.cost - value).abs() <= 0.05 * value + 1.0,
                        "{candidate:?}, {value}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_quick_puzzle_lists_what_the_first_tiles_hold_although_it_is_stopped() {
        let (pieces, ..) = synthetic::puzzle(5, 6, 8, PuzzleType::Type2, 5);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let settings = NearestSettings::of(4);
        let found = |observer: &dyn Observer| {
            find_nearest(&dissimilarity, TurnSet::Quarter, &settings, observer)
        };
        assert_eq!(found(&Stopping::default()), found(&Silent));
    }

    #[test]
    fn some_sides_list_the_best_of_all_pairs_among_them() {
        let (pieces, ..) = synthetic::puzzle(6, 7, 8, PuzzleType::Type2, 5);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let settings = NearestSettings { num_candidates: 4, max_candidates: 4 };
        let choices: [&dyn Fn(SideId) -> bool; 4] = [
            &|side| side.index() % 3 != 1,
            // In type 1 there is nothing to compare these with.
            &|side| side.side() == Side::Left,
            &|side| side.index() == 17,
            &|_| false,
        ];
        for turns in [TurnSet::None, TurnSet::Half, TurnSet::Quarter] {
            for is_among in choices {
                let all = (0..dissimilarity.num_sides()).map(SideId::from_index);
                let among: Vec<SideId> = all.clone().filter(|&side| is_among(side)).collect();
                let found =
                    find_nearest_among(&dissimilarity, turns, &settings, &among, &Silent).unwrap();
                for a in all {
                    let fits = |b: SideId| {
                        a.piece() != b.piece() && turns.allows(crate::puzzle::SidePair::of(a, b))
                    };
                    let candidate =
                        |b: SideId| Candidate { side: b, cost: dissimilarity.value(a, b) };
                    let others = among.iter().copied().filter(|&b| is_among(a) && fits(b));
                    let mut expected: Vec<Candidate> = others.map(candidate).collect();
                    expected.sort_by(Candidate::by_fit);
                    let next_best = expected.get(4).map_or(f64::INFINITY, |next| next.cost);
                    expected.truncate(4);
                    assert_eq!(found.of(a), expected, "{turns:?}, {a:?}");
                    assert_eq!(found.next_best(a), next_best, "{turns:?}, {a:?}");
                }
            }
        }
    }
}
