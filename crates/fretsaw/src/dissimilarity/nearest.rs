//! The k best candidates of every side, exactly.
//!
//! Pairs are visited in tiles. A tile's lower bounds ([`super::lower_bounds`]) rule out all pairs
//! that cannot be among the k best of either side; the few that are left are computed by the exact
//! formula and entered into both sides' lists. What ends up in a list does not depend on the order
//! of the tiles, so the result is the same on any number of threads. Lists start from a guess,
//! sides of similar mean brightness, so that the very first tiles already rule out nearly all.
//!
//! Equal strips are compared once and share their list. A uniform picture of any size is therefore
//! one comparison, not n^2 ties.
//!
//! Cost: one product of 4n x 4n by twice the measure's numbers per side, of which symmetry saves
//! half; and exact pairs whose number a side grows like k log n. Measured against the bare product
//! by `fretsaw bench stage measure`; the ratio is stated in [`super`].
//!
//! An observer that keeps states is given the lists between chunks of tiles and at the end
//! ([`MeasureState`]). As any start gives the same lists, one that goes on from a state does, too.

use super::lower_bounds::{BoundedPair, LowerBounds, TileThresholds};
use super::strips::Strips;
use super::{Dissimilarity, Kind};
use crate::footprint::{Footprint, SidesSize, array, lists, pushed};
use crate::linalg::packed_product::TILE_QUANTUM;
use crate::observer::{Cancelled, Observer, Stage, check_cancelled};
use crate::puzzle::{PieceId, Side, SideId, TurnSet};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// How many strips a tile spans each way: its product and factors then fit a core's L2 cache.
pub const TILE: usize = 2 * TILE_QUANTUM;

/// Thresholds are compared with single-precision bounds whose last additions round; this factor
/// covers that.
const THRESHOLD_MARGIN: f64 = 1.0 + 1e-6;

/// How many tiles a thread compares, about, before the observer is asked whether it wants the state:
/// a fraction of a second, and enough that threads seldom wait for the last of them.
const TILES_BETWEEN_STATES: usize = 64;

/// Settings of the search for candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NearestSettings {
    /// Candidates per side: k; 0 is taken as 1. Default 10.
    pub num_candidates: usize,
    /// Candidates a side may have at most when several tie with the k-th. A group of ties that does
    /// not fit is left out whole, for nothing distinguishes its members. Default 40.
    pub max_candidates: usize,
}

impl NearestSettings {
    /// So many candidates, and some more where they tie.
    pub(crate) const fn of(num_candidates: usize) -> Self {
        Self { num_candidates, max_candidates: 4 * num_candidates }
    }
}

impl Default for NearestSettings {
    fn default() -> Self {
        Self { num_candidates: 10, max_candidates: 40 }
    }
}

/// A side that may belong next to another, and how badly it fits there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The side across the seam.
    pub side: SideId,
    /// Lower is better.
    pub dissimilarity: f64,
}

/// The best candidates of every side, best first; ties in order of the side number.
///
/// A side lists all sides of other pieces that it may touch and whose dissimilarity is among its k
/// smallest, with all that tie with the k-th (but see [`NearestSettings::max_candidates`]).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NearestSides {
    starts: Vec<usize>,
    candidates: Vec<Candidate>,
    beyond: Vec<f64>,
}

impl NearestSides {
    /// The memory of so many candidates for each of so many sides.
    pub(crate) fn bytes(num_sides: usize, candidates_each: usize) -> u64 {
        array::<Candidate>(num_sides * candidates_each)
            + array::<usize>(num_sides)
            + array::<f64>(num_sides)
    }

    /// Number of sides, 4n.
    #[must_use]
    pub fn num_sides(&self) -> usize {
        self.beyond.len()
    }

    /// The candidates of a side, best first.
    #[must_use]
    pub fn of(&self, side: SideId) -> &[Candidate] {
        &self.candidates[self.slots(side)]
    }

    /// Number of candidates of all sides together.
    #[must_use]
    pub fn num_candidates(&self) -> usize {
        self.candidates.len()
    }

    /// Where the candidates of a side are among those of all sides.
    #[must_use]
    pub fn slots(&self, side: SideId) -> Range<usize> {
        self.starts[side.index()]..self.starts[side.index() + 1]
    }

    /// The smallest dissimilarity of a side to anything that it does not list; infinite if it lists
    /// all.
    #[must_use]
    pub fn beyond(&self, side: SideId) -> f64 {
        self.beyond[side.index()]
    }

    /// The smallest dissimilarity of `side` to anything but `other`.
    #[must_use]
    pub fn best_other(&self, side: SideId, other: SideId) -> f64 {
        self.of(side)
            .iter()
            .find(|candidate| candidate.side != other)
            .map_or(self.beyond(side), |candidate| candidate.dissimilarity)
    }

    /// Gallagher's dissimilarity ratio \[Gal12\] of a pair with this dissimilarity, lower is better:
    /// the dissimilarity over the smaller of the two sides' best others.
    ///
    /// Below 1 each is the other's best; two sides that fit everything perfectly get 1.
    #[must_use]
    pub fn ratio(&self, a: SideId, b: SideId, dissimilarity: f64) -> f64 {
        let best_other = self.best_other(a, b).min(self.best_other(b, a));
        if dissimilarity == best_other { 1.0 } else { dissimilarity / best_other }
    }
}

impl NearestSides {
    /// The same candidates with other dissimilarities, `of(a, b, old)`, in their new order.
    ///
    /// Only listed pairs change: a pair that now fits worse than what lies beyond the list stays in
    /// it, although something unlisted may fit better.
    #[must_use]
    pub fn reweighted(&self, of: impl Fn(SideId, SideId, f64) -> f64 + Sync) -> Self {
        self.judged(|_, a, b, old| of(a, b, old), |side| self.beyond(side))
    }

    /// The same candidates with other dissimilarities, `of(slot, a, b, old)`, in their new order,
    /// where unlisted sides fit no better than `beyond`.
    #[must_use]
    pub(crate) fn judged(
        &self,
        of: impl Fn(usize, SideId, SideId, f64) -> f64 + Sync,
        beyond: impl Fn(SideId) -> f64 + Sync,
    ) -> Self {
        let sides = || (0..self.num_sides()).into_par_iter().map(SideId::from_index);
        let candidates = sides().flat_map_iter(|side| {
            let mut list = self.of(side).to_vec();
            for (slot, candidate) in self.slots(side).zip(&mut list) {
                candidate.dissimilarity = of(slot, side, candidate.side, candidate.dissimilarity);
            }
            list.sort_by(Candidate::by_fit);
            list
        });
        Self {
            starts: self.starts.clone(),
            candidates: candidates.collect(),
            beyond: sides().map(&beyond).collect(),
        }
    }
}

impl NearestSides {
    /// The same with more candidates, `of_side[s]` for side s, none of which it lists yet.
    ///
    /// [`beyond`](Self::beyond) stays as it is: nothing unlisted fits better.
    #[must_use]
    pub(crate) fn with_more(&self, of_side: &[Vec<Candidate>]) -> Self {
        let mut more = Self {
            starts: vec![0],
            candidates: Vec::with_capacity(self.candidates.len()),
            beyond: self.beyond.clone(),
        };
        for (side, added) in of_side.iter().enumerate() {
            let start = more.candidates.len();
            more.candidates.extend_from_slice(self.of(SideId::from_index(side)));
            if !added.is_empty() {
                more.candidates.extend_from_slice(added);
                more.candidates[start..].sort_by(Candidate::by_fit);
            }
            more.starts.push(more.candidates.len());
        }
        more
    }
}

impl Candidate {
    /// Best first; ties in order of the side number.
    fn by_fit(&self, other: &Self) -> std::cmp::Ordering {
        self.dissimilarity.total_cmp(&other.dissimilarity).then_with(|| self.side.cmp(&other.side))
    }
}

/// Find the best candidates of every side among the pairs that the turns allow.
///
/// # Errors
/// If the observer cancels.
pub fn find_nearest(
    dissimilarity: &Dissimilarity,
    turns: TurnSet,
    settings: &NearestSettings,
    observer: &dyn Observer,
) -> Result<NearestSides, Cancelled> {
    // Nobody can mean no candidates; one is the least that makes sense.
    let settings = &NearestSettings {
        num_candidates: settings.num_candidates.max(1),
        max_candidates: settings.max_candidates,
    };
    let strips = &dissimilarity.strips;
    let groups = comparison_groups(turns);
    let comparisons: Vec<Comparison> =
        groups.iter().map(|&(rows, cols)| Comparison::new(strips, rows, cols)).collect();
    let num_tiles: usize = comparisons.iter().map(|comparison| comparison.tiles.len()).sum();
    observer.stage_started(Stage::Measure, num_tiles as u64);
    let mut lists: Vec<Vec<Candidate>> = vec![Vec::new(); strips.num_sides()];
    let mut beyond = vec![f64::INFINITY; strips.num_sides()];
    let saved = observer.saved_state(Stage::Measure);
    let mut saved = saved.and_then(|saved| MeasureState::read(&saved, &comparisons, settings));
    let mut finished = MeasureState::new(settings);
    let is_new = !saved.as_ref().is_some_and(|saved| saved.is_finished(&comparisons));
    for comparison in &comparisons {
        let before = saved.as_mut().and_then(MeasureState::take_first);
        let save = |tiles_done: usize, lists: &SharedLists| {
            let mut state = finished.clone();
            state.comparisons.push(ComparisonState::new(tiles_done, lists));
            observer.save_state(Stage::Measure, state.bytes());
        };
        let rows = comparison.run(dissimilarity, settings, before.as_ref(), save, observer)?;
        if observer.keeps_states() {
            finished.comparisons.push(ComparisonState::of_lists(comparison.tiles.len(), &rows));
        }
        let expanded: Vec<(SideId, Vec<Candidate>, f64)> = comparison
            .entries
            .par_iter()
            .zip(rows)
            .flat_map_iter(|(entry, row)| {
                entry.sides.iter().map(move |&side| {
                    let (list, rest) = comparison.list_of(side, &row, settings);
                    (side, list, rest)
                })
            })
            .collect();
        for (side, list, rest) in expanded {
            lists[side.index()] = list;
            beyond[side.index()] = rest;
        }
    }
    if observer.keeps_states() && is_new {
        observer.save_state(Stage::Measure, finished.bytes());
    }
    observer.stage_finished(Stage::Measure);
    let mut starts = vec![0];
    starts.extend(lists.iter().scan(0, |end, list| {
        *end += list.len();
        Some(*end)
    }));
    Ok(NearestSides { starts, candidates: lists.concat(), beyond })
}

/// The memory of the search for candidates, in a measure of so many quadratic terms; none if it is not
/// quadratic.
pub(crate) fn nearest_footprint(
    sides: SidesSize,
    turns: TurnSet,
    settings: &NearestSettings,
    num_terms: usize,
) -> Footprint {
    let groups = comparison_groups(turns);
    let kept = NearestSides::bytes(sides.num_sides, settings.num_candidates);
    // Groups are compared one after the other.
    let num_entries = groups
        .iter()
        .map(|(rows, cols)| sides.num_sides / Side::ALL.len() * (rows.len() + cols.len()))
        .max()
        .unwrap_or(0);
    let compared = SidesSize { num_sides: num_entries, ..sides };
    let (bounds, roles) =
        if num_terms > 0 { LowerBounds::bytes(compared, num_terms) } else { (0, 0) };
    // One beyond the k best, and one that is about to enter.
    let best = lists::<Listed>(num_entries, pushed(settings.num_candidates + 2));
    let entries = lists::<SideId>(num_entries, pushed(4)) + array::<usize>(num_entries);
    let tables = array::<Mutex<BestOf>>(num_entries) + array::<AtomicU32>(num_entries);
    let found = lists::<Candidate>(sides.num_sides, pushed(settings.num_candidates + 1));
    Footprint {
        kept,
        tables: (bounds + tables).max(tables + kept),
        // Lists of candidates are made when the bounds are gone.
        blocks: best + entries + roles.max(found),
    }
}

/// Which sides are compared with which: (rows, columns), or (all, none) for all with all.
fn comparison_groups(turns: TurnSet) -> Vec<(&'static [Side], &'static [Side])> {
    use Side::{Bottom, Left, Right, Top};
    match turns {
        TurnSet::None => vec![(&[Right], &[Left]), (&[Bottom], &[Top])],
        TurnSet::Half => vec![(&[Top, Bottom], &[]), (&[Right, Left], &[])],
        TurnSet::Quarter => vec![(&Side::ALL, &[])],
    }
}

/// A strip and the sides that have it.
struct Entry {
    strip: usize,
    /// In increasing order.
    sides: Vec<SideId>,
}

/// A set of pairs of strips to compare: a triangle (all with all) or a rectangle.
struct Comparison {
    entries: Vec<Entry>,
    /// Entries before this are rows of the rectangle; all of them in a triangle.
    num_rows: usize,
    /// By increasing band.
    tiles: Vec<Tile>,
}

/// A block of pairs.
struct Tile {
    /// How far apart its rows and columns are in order of brightness.
    band: u32,
    rows: Range<usize>,
    cols: Range<usize>,
}

impl Comparison {
    fn new(strips: &Strips, rows: &[Side], cols: &[Side]) -> Self {
        let mut entries = entries_of(strips, rows);
        let num_rows = entries.len();
        let row_blocks = blocks(0, num_rows);
        let col_blocks = if cols.is_empty() {
            row_blocks.clone()
        } else {
            // Columns start at a whole tile quantum, as the packed product wants it. The padding has
            // no sides and is never offered, so any strip of the same length will do for it.
            let first_col = num_rows.next_multiple_of(TILE_QUANTUM);
            let strip = entries[0].strip;
            entries.resize_with(first_col, || Entry { strip, sides: Vec::new() });
            entries.extend(entries_of(strips, cols));
            blocks(first_col, entries.len())
        };
        let mut tiles = Vec::new();
        for (i, rows) in row_blocks.iter().enumerate() {
            for (j, cols) in col_blocks.iter().enumerate() {
                // Of all with all, half is enough.
                if rows.start <= cols.start {
                    let rank = i * col_blocks.len() / row_blocks.len();
                    // 0 on the diagonal, 1 beside it, 2 for the next two, 3 for the next four, ...
                    let band = usize::BITS - rank.abs_diff(j).leading_zeros();
                    tiles.push(Tile { band, rows: rows.clone(), cols: cols.clone() });
                }
            }
        }
        tiles.sort_by_key(|tile| tile.band);
        Self { entries, num_rows, tiles }
    }

    /// The list of every entry. Begins where `before` was saved; `save` is given the number of tiles
    /// done and their lists whenever the observer wants a state.
    fn run(
        &self,
        dissimilarity: &Dissimilarity,
        settings: &NearestSettings,
        before: Option<&ComparisonState>,
        save: impl Fn(usize, &SharedLists),
        observer: &dyn Observer,
    ) -> Result<Vec<BestOf>, Cancelled> {
        let lists = SharedLists::new(self, settings);
        let mut tiles_done = 0;
        if let Some(before) = before {
            self.start_from_saved(dissimilarity, &before.lists, &lists);
            tiles_done = before.tiles_done;
            observer.stage_advanced(Stage::Measure, tiles_done as u64);
            if tiles_done == self.tiles.len() {
                return Ok(lists.into_lists());
            }
        } else {
            self.start_from_similar_brightness(dissimilarity, settings, &lists);
        }
        let bounds = match &dissimilarity.kind {
            Kind::Quadratic(measure) => {
                let strips: Vec<usize> = self.entries.iter().map(|entry| entry.strip).collect();
                Some(LowerBounds::new(measure, &strips))
            }
            Kind::Lpq(_) => None,
        };
        let compare = |buffers: &mut TileBuffers, Tile { rows, cols, .. }: &Tile| {
            check_cancelled(observer)?;
            match &bounds {
                Some(bounds) => {
                    self.bound_tile(bounds, rows, cols, &lists, buffers);
                    self.offer_bounded(dissimilarity, &lists, &mut buffers.pairs);
                }
                None => self.offer_tile(dissimilarity, rows, cols, &lists),
            }
            observer.stage_advanced(Stage::Measure, 1);
            Ok(())
        };
        // Equally bright strips first: they settle most lists, and what is left is quickly ruled out.
        let longest = if observer.keeps_states() {
            TILES_BETWEEN_STATES * rayon::current_num_threads()
        } else {
            self.tiles.len()
        };
        for band in self.tiles[tiles_done..].chunk_by(|x, y| x.band == y.band) {
            for chunk in band.chunks(longest) {
                chunk.par_iter().try_for_each_init(TileBuffers::default, compare)?;
                tiles_done += chunk.len();
                if tiles_done < self.tiles.len() && observer.wants_state() {
                    save(tiles_done, &lists);
                }
            }
        }
        Ok(lists.into_lists())
    }

    fn value(&self, dissimilarity: &Dissimilarity, u: usize, v: usize) -> f64 {
        dissimilarity.value_of_strips(self.entries[u].strip, self.entries[v].strip)
    }

    /// Offer every pair of a tile.
    fn offer_tile(
        &self,
        dissimilarity: &Dissimilarity,
        rows: &Range<usize>,
        cols: &Range<usize>,
        lists: &SharedLists,
    ) {
        for u in rows.clone() {
            let first = if rows == cols { u } else { cols.start };
            for v in first..cols.end {
                lists.offer(self, u, v, self.value(dissimilarity, u, v));
            }
        }
    }

    /// Offer the pairs of a tile, each row's most promising first: they lower the thresholds, and
    /// most of the others then need not be computed.
    fn offer_bounded(
        &self,
        dissimilarity: &Dissimilarity,
        lists: &SharedLists,
        pairs: &mut [BoundedPair],
    ) {
        for row in pairs.chunk_by_mut(|x, y| x.row == y.row) {
            row.sort_unstable_by(|x, y| x.bound.total_cmp(&y.bound));
            for &BoundedPair { row: u, col: v, bound } in row.iter() {
                if bound <= lists.threshold(u) || bound <= lists.threshold(v) {
                    lists.offer(self, u, v, self.value(dissimilarity, u, v));
                }
            }
        }
    }

    /// The product of a tile, and those of its pairs that may enter a list.
    fn bound_tile(
        &self,
        bounds: &LowerBounds,
        rows: &Range<usize>,
        cols: &Range<usize>,
        lists: &SharedLists,
        buffers: &mut TileBuffers,
    ) {
        let height = rows.len().next_multiple_of(TILE_QUANTUM);
        let width = cols.len().next_multiple_of(TILE_QUANTUM);
        buffers.product.resize(height * width, 0.0);
        bounds.multiply_tile(
            rows.start..rows.start + height,
            cols.start..cols.start + width,
            &mut buffers.product,
        );
        buffers.of_rows.clear();
        buffers.of_rows.extend(rows.clone().map(|u| lists.threshold(u)));
        buffers.of_cols.clear();
        buffers.of_cols.extend(cols.clone().map(|v| lists.threshold(v)));
        buffers.of_cols.resize(width, f32::NEG_INFINITY);
        buffers.pairs.clear();
        bounds.pairs_below(
            &TileThresholds {
                rows: rows.clone(),
                cols: cols.clone(),
                product: &buffers.product,
                stride: width,
                of_rows: &buffers.of_rows,
                of_cols: &buffers.of_cols,
                upper_only: rows == cols,
            },
            &mut buffers.pairs,
        );
    }

    /// Offer every entry some partners of similar brightness, so that its threshold is low from the
    /// start. Any other start gives the same lists, only later.
    fn start_from_similar_brightness(
        &self,
        dissimilarity: &Dissimilarity,
        settings: &NearestSettings,
        lists: &SharedLists,
    ) {
        let reach = settings.num_candidates / 2 + 4;
        let brightness = |entry: &Entry| dissimilarity.strips.brightness(entry.strip);
        let offer_around = |from: Range<usize>, to: Range<usize>| {
            from.into_par_iter().for_each(|u| {
                let level = brightness(&self.entries[u]);
                let middle = to.start
                    + self.entries[to.clone()].partition_point(|entry| brightness(entry) < level);
                let around =
                    middle.saturating_sub(reach).max(to.start)..(middle + reach).min(to.end);
                for v in around {
                    let (u, v) = (u.min(v), u.max(v));
                    lists.offer(self, u, v, self.value(dissimilarity, u, v));
                }
            });
        };
        let rows = 0..self.num_rows;
        if self.num_rows == self.entries.len() {
            offer_around(rows.clone(), rows);
        } else {
            let cols = self.num_rows.next_multiple_of(TILE_QUANTUM)..self.entries.len();
            offer_around(rows.clone(), cols.clone());
            offer_around(cols, rows);
        }
    }

    /// Offer every entry what it listed when the lists were saved. Pairs are measured again: they are
    /// few, and no saved figure can then be wrong.
    fn start_from_saved(
        &self,
        dissimilarity: &Dissimilarity,
        saved: &[Vec<u32>],
        lists: &SharedLists,
    ) {
        saved.par_iter().enumerate().for_each(|(to, listed)| {
            for &other in listed {
                let other = other as usize;
                let value = self.value(dissimilarity, to.min(other), to.max(other));
                lists.offer_one(self, to, other, value);
            }
        });
    }

    /// Whether pairs of the two entries are compared at all.
    fn compares(&self, u: usize, v: usize) -> bool {
        let num_entries = self.entries.len();
        let is_triangle = self.num_rows == num_entries;
        u < num_entries
            && v < num_entries
            && (is_triangle || (u < self.num_rows) != (v < self.num_rows))
    }

    /// A side's candidates, and the smallest dissimilarity left out.
    fn list_of(
        &self,
        side: SideId,
        row: &BestOf,
        settings: &NearestSettings,
    ) -> (Vec<Candidate>, f64) {
        let mut list: Vec<Candidate> = row
            .entries
            .iter()
            .flat_map(|&Listed { dissimilarity, entry, .. }| {
                let sides = self.entries[entry].sides.iter();
                sides.map(move |&side| Candidate { side, dissimilarity })
            })
            .filter(|candidate| candidate.side.piece() != side.piece())
            .collect();
        list.sort_by(Candidate::by_fit);
        if list.len() <= settings.num_candidates {
            return (list, f64::INFINITY);
        }
        let last = list[settings.num_candidates - 1].dissimilarity;
        let mut len = list.partition_point(|candidate| candidate.dissimilarity <= last);
        if len > settings.max_candidates.max(settings.num_candidates) {
            len = list.partition_point(|candidate| candidate.dissimilarity < last);
        }
        let beyond = list.get(len).map_or(f64::INFINITY, |candidate| candidate.dissimilarity);
        list.truncate(len);
        (list, beyond)
    }
}

fn entries_of(strips: &Strips, sides: &[Side]) -> Vec<Entry> {
    let mut entry_of_strip: Vec<Option<usize>> = vec![None; strips.num_strips()];
    let mut entries: Vec<Entry> = Vec::new();
    for index in 0..strips.num_sides() {
        let side = SideId::from_index(index);
        if !sides.contains(&side.side()) {
            continue;
        }
        let strip = strips.strip_of(side);
        let entry = *entry_of_strip[strip].get_or_insert_with(|| {
            entries.push(Entry { strip, sides: Vec::new() });
            entries.len() - 1
        });
        entries[entry].sides.push(side);
    }
    entries.sort_by_cached_key(|entry| strips.brightness(entry.strip));
    entries
}

fn blocks(start: usize, end: usize) -> Vec<Range<usize>> {
    (start..end).step_by(TILE).map(|from| from..(from + TILE).min(end)).collect()
}

#[derive(Default)]
struct TileBuffers {
    product: Vec<f32>,
    of_rows: Vec<f32>,
    of_cols: Vec<f32>,
    pairs: Vec<BoundedPair>,
}

/// The best entries of one entry so far, in increasing order of dissimilarity.
#[derive(Clone, Debug, Default)]
struct BestOf {
    entries: Vec<Listed>,
}

#[derive(Clone, Copy, Debug)]
struct Listed {
    dissimilarity: f64,
    entry: usize,
    /// How many of the entry's sides are candidates for the list's owner.
    num_sides: usize,
}

/// All lists, shared between threads.
struct SharedLists {
    num_candidates: usize,
    lists: Vec<Mutex<BestOf>>,
    /// The largest dissimilarity that may still enter each list, as the bits of an f32 rounded up.
    thresholds: Vec<AtomicU32>,
}

impl SharedLists {
    fn new(comparison: &Comparison, settings: &NearestSettings) -> Self {
        let threshold = |entry: &Entry| {
            let nothing_enters = entry.sides.is_empty();
            AtomicU32::new(
                (if nothing_enters { f32::NEG_INFINITY } else { f32::INFINITY }).to_bits(),
            )
        };
        Self {
            num_candidates: settings.num_candidates,
            lists: comparison.entries.iter().map(|_| Mutex::default()).collect(),
            thresholds: comparison.entries.iter().map(threshold).collect(),
        }
    }

    fn threshold(&self, entry: usize) -> f32 {
        f32::from_bits(self.thresholds[entry].load(Ordering::Relaxed))
    }

    /// Enter a pair into both entries' lists.
    fn offer(&self, comparison: &Comparison, u: usize, v: usize, dissimilarity: f64) {
        self.offer_one(comparison, u, v, dissimilarity);
        if u != v {
            self.offer_one(comparison, v, u, dissimilarity);
        }
    }

    fn offer_one(&self, comparison: &Comparison, to: usize, other: usize, dissimilarity: f64) {
        if dissimilarity > f64::from(self.threshold(to)) {
            return;
        }
        let receiver = &comparison.entries[to];
        // A side is no candidate for another side of its own piece. Where one strip stands for
        // several sides, each has its own piece to leave out, four sides at the most.
        let (own_piece, left_out) = match receiver.sides[..] {
            [] => return,
            [side] => (Some(side.piece()), 0),
            _ => (None, Side::ALL.len()),
        };
        let num_sides = usable_sides(&comparison.entries[other].sides, own_piece);
        if num_sides == 0 {
            return;
        }
        // A poisoned lock means that another thread panicked; the panic will surface there.
        let mut list = self.lists[to].lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let position = match list.entries.binary_search_by(|listed| {
            listed.dissimilarity.total_cmp(&dissimilarity).then_with(|| listed.entry.cmp(&other))
        }) {
            Ok(_) => return,
            Err(position) => position,
        };
        list.entries.insert(position, Listed { dissimilarity, entry: other, num_sides });
        // Hold k sides, all that tie with the k-th, and one beyond those.
        let (mut held, mut beyond) = (0, 0);
        let mut kth = f64::NEG_INFINITY;
        let enough = list.entries.iter().position(|listed| {
            if held < self.num_candidates + left_out {
                held += listed.num_sides;
                kth = listed.dissimilarity;
            } else if listed.dissimilarity > kth {
                beyond += listed.num_sides;
            }
            beyond > left_out
        });
        if let Some(last) = enough {
            let largest = list.entries[last].dissimilarity;
            let len = list.entries.partition_point(|listed| listed.dissimilarity <= largest);
            list.entries.truncate(len);
            #[expect(clippy::cast_possible_truncation, reason = "rounded up right after")]
            let threshold = ((largest * THRESHOLD_MARGIN) as f32).next_up();
            self.thresholds[to].store(threshold.to_bits(), Ordering::Relaxed);
        }
    }

    fn into_lists(self) -> Vec<BestOf> {
        self.lists
            .into_iter()
            .map(|list| list.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
            .collect()
    }
}

/// How far the stage got, to go on from another time.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct MeasureState {
    num_candidates: usize,
    /// Of the comparisons that have begun; all but the last of them are finished.
    comparisons: Vec<ComparisonState>,
}

/// How far a comparison got.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ComparisonState {
    /// In the order in which they are compared.
    tiles_done: usize,
    /// For each entry those that it lists.
    lists: Vec<Vec<u32>>,
}

impl MeasureState {
    const fn new(settings: &NearestSettings) -> Self {
        Self { num_candidates: settings.num_candidates, comparisons: Vec::new() }
    }

    fn bytes(&self) -> Vec<u8> {
        // Numbers and lists of numbers, in memory: nothing to go wrong.
        postcard::to_stdvec(self).unwrap_or_default()
    }

    /// The state that the bytes are, if it is one of these comparisons.
    fn read(bytes: &[u8], comparisons: &[Comparison], settings: &NearestSettings) -> Option<Self> {
        let (state, rest) = postcard::take_from_bytes::<Self>(bytes).ok()?;
        let fits = |(index, (saved, comparison)): (usize, (&ComparisonState, &Comparison))| {
            let num_tiles = comparison.tiles.len();
            let is_last = index + 1 == state.comparisons.len();
            let listed = saved.lists.iter().enumerate();
            let mut pairs = listed.flat_map(|(u, list)| list.iter().map(move |&v| (u, v as usize)));
            saved.lists.len() == comparison.entries.len()
                && (saved.tiles_done == num_tiles || (is_last && saved.tiles_done < num_tiles))
                && pairs.all(|(u, v)| comparison.compares(u, v))
        };
        let is_whole = rest.is_empty()
            && state.num_candidates == settings.num_candidates
            && state.comparisons.len() <= comparisons.len()
            && state.comparisons.iter().zip(comparisons).enumerate().all(fits);
        is_whole.then_some(state)
    }

    fn is_finished(&self, comparisons: &[Comparison]) -> bool {
        let is_finished = |(saved, comparison): (&ComparisonState, &Comparison)| {
            saved.tiles_done == comparison.tiles.len()
        };
        self.comparisons.len() == comparisons.len()
            && self.comparisons.iter().zip(comparisons).all(is_finished)
    }

    fn take_first(&mut self) -> Option<ComparisonState> {
        (!self.comparisons.is_empty()).then(|| self.comparisons.remove(0))
    }
}

impl ComparisonState {
    fn new(tiles_done: usize, lists: &SharedLists) -> Self {
        let lock = |list: &Mutex<BestOf>| {
            list.lock().unwrap_or_else(std::sync::PoisonError::into_inner).numbers()
        };
        Self { tiles_done, lists: lists.lists.iter().map(lock).collect() }
    }

    fn of_lists(tiles_done: usize, lists: &[BestOf]) -> Self {
        Self { tiles_done, lists: lists.iter().map(BestOf::numbers).collect() }
    }
}

impl BestOf {
    fn numbers(&self) -> Vec<u32> {
        let number = |listed: &Listed| {
            #[expect(clippy::cast_possible_truncation, reason = "sides have numbers of 32 bits")]
            let number = listed.entry as u32;
            number
        };
        self.entries.iter().map(number).collect()
    }
}

/// How many of these sides belong to other pieces than `own`.
fn usable_sides(sides: &[SideId], own: Option<PieceId>) -> usize {
    if let [side] = sides {
        return usize::from(own != Some(side.piece()));
    }
    own.map_or(sides.len(), |own| {
        let from = sides.partition_point(|side| side.piece() < own);
        let to = sides.partition_point(|side| side.piece() <= own);
        sides.len() - (to - from)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::Measure;
    use crate::observer::Silent;
    use crate::puzzle::PuzzleType;
    use crate::synthetic;

    /// Keeps every state that it is given, and has one to begin with.
    #[derive(Default)]
    struct Keeper {
        given: Option<Vec<u8>>,
        kept: Mutex<Vec<Vec<u8>>>,
    }

    impl Observer for Keeper {
        fn keeps_states(&self) -> bool {
            true
        }

        fn wants_state(&self) -> bool {
            true
        }

        fn save_state(&self, stage: Stage, state: Vec<u8>) {
            assert_eq!(stage, Stage::Measure);
            self.kept.lock().unwrap().push(state);
        }

        fn saved_state(&self, _: Stage) -> Option<Vec<u8>> {
            self.given.clone()
        }
    }

    fn go_on(
        dissimilarity: &Dissimilarity,
        turns: TurnSet,
        given: Option<Vec<u8>>,
    ) -> (NearestSides, Vec<Vec<u8>>) {
        let keeper = Keeper { given, ..Keeper::default() };
        let settings = NearestSettings { num_candidates: 5, max_candidates: 9 };
        let found = find_nearest(dissimilarity, turns, &settings, &keeper).unwrap();
        (found, keeper.kept.into_inner().unwrap())
    }

    #[test]
    fn any_saved_state_leads_to_the_same_lists_and_bad_ones_are_ignored() {
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
                // Nothing is done twice; a finished state is not given again.
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
    fn states_with_impossible_numbers_are_no_states() {
        let (pieces, ..) = synthetic::puzzle(4, 5, 6, PuzzleType::Type1, 3);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let settings = NearestSettings { num_candidates: 3, max_candidates: 9 };
        let comparisons: Vec<Comparison> = comparison_groups(TurnSet::None)
            .iter()
            .map(|&(rows, cols)| Comparison::new(&dissimilarity.strips, rows, cols))
            .collect();
        let lists = vec![Vec::new(); comparisons[0].entries.len()];
        let tiles_done = comparisons[0].tiles.len();
        let mut good = MeasureState::new(&settings);
        good.comparisons.push(ComparisonState { tiles_done, lists });
        let is_read = |state: &MeasureState| {
            MeasureState::read(&state.bytes(), &comparisons, &settings).is_some()
        };
        assert!(is_read(&good));
        let changes: [&dyn Fn(&mut MeasureState); 7] = [
            &|state| state.num_candidates = 4,
            &|state| state.comparisons[0].tiles_done += 1,
            &|state| state.comparisons[0].lists.truncate(7),
            // A row of a row, a number of no entry, and the last of all numbers.
            &|state| state.comparisons[0].lists[0].push(1),
            &|state| state.comparisons[0].lists[0].push(100_000),
            &|state| state.comparisons[0].lists[0].push(u32::MAX),
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
