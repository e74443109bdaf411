//! The k best candidates of every side, exactly.
//!
//! Pairs are visited in tiles. A tile's lower bounds ([`super::lower_bounds`]) rule out all pairs
//! that cannot be among the k best of either side; the others are entered into both sides'
//! shortlists, with an upper bound besides. The k-th smallest upper bound of a shortlist rules out
//! what lies above it, so all that is left at the end are the k best and the few others that the
//! bounds cannot tell from them; those are computed by the exact formula. What ends up in a list does
//! not depend on the order of the tiles, so the result is the same on any number of threads.
//!
//! Strips are sorted by colour and tiles of similar colour come first, so that shortlists are soon
//! short. Then the mean colours alone rule out most pairs of most other tiles: where few are left, those
//! are measured one by one and the tile's product is not computed at all.
//!
//! Equal strips are compared once and share their list. A uniform picture of any size is therefore
//! one comparison, not n^2 ties.
//!
//! Cost: at the most one product of 4n x 4n by twice the measure's numbers per side, of which symmetry
//! saves half; entries into shortlists, whose number a side grows like k log n; and little more than k
//! exact pairs a side, besides those that take the place of products. Measured against the bare product
//! by `fretsaw bench stage measure`; the ratio is stated in [`super`].
//!
//! An observer that keeps states is given the lists between chunks of tiles and at the end
//! ([`MeasureState`]). As any start gives the same lists, one that goes on from a state does, too.

use super::lower_bounds::{BoundedPair, LowerBounds, TileThresholds};
use super::strips::Strips;
use super::{Dissimilarity, Kind};
use crate::linalg::packed_product::TILE_QUANTUM;
use crate::observer::{Cancelled, Muted, Observer, Stage, check_cancelled};
use crate::puzzle::{PieceId, Side, SideId, TurnSet};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many strips a tile spans each way: its product and factors then fit a core's L2 cache.
pub const TILE: usize = 2 * TILE_QUANTUM;

/// Pairs of a tile up to which they are measured one by one, without a product: one takes about as long
/// as some forty in a product.
const FEW_PAIRS: usize = TILE * TILE / 96;

/// The last additions of single-precision bounds round; this share of a bound covers that.
const BOUND_MARGIN: f32 = 1e-6;

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

impl NearestSides {
    /// Lists of some of so many sides, in increasing order, each with what lies
    /// [beyond](Self::beyond) it; the others list nothing.
    #[must_use]
    pub(crate) fn of_some(num_sides: usize, lists: Vec<(SideId, Vec<Candidate>, f64)>) -> Self {
        let mut some = Self {
            starts: vec![0],
            candidates: Vec::new(),
            beyond: vec![f64::INFINITY; num_sides],
        };
        for (side, mut list, beyond) in lists {
            some.starts.resize(side.index() + 1, some.candidates.len());
            list.sort_by(Candidate::by_fit);
            some.candidates.append(&mut list);
            some.beyond[side.index()] = beyond;
        }
        some.starts.resize(num_sides, some.candidates.len());
        some.starts.push(some.candidates.len());
        some
    }

    /// The same but for some sides, in increasing order, whose lists are those that another has.
    #[must_use]
    pub(crate) fn with_lists_of(&self, sides: &[SideId], other: &Self) -> Self {
        let mut all = Self {
            starts: vec![0],
            candidates: Vec::with_capacity(self.candidates.len()),
            beyond: Vec::with_capacity(self.num_sides()),
        };
        let mut replaced = sides.iter().peekable();
        for side in (0..self.num_sides()).map(SideId::from_index) {
            let from = if replaced.next_if_eq(&&side).is_some() { other } else { self };
            all.candidates.extend_from_slice(from.of(side));
            all.beyond.push(from.beyond(side));
            all.starts.push(all.candidates.len());
        }
        all
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
    find_nearest_of(dissimilarity, turns, settings, |_| true, observer)
}

/// The same for some sides, among themselves; the others list nothing. Part of another stage: the
/// observer is told of no progress and given no states.
///
/// # Errors
/// If the observer cancels.
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
    find_nearest_of(dissimilarity, turns, settings, is_compared, &Muted(observer))
}

fn find_nearest_of(
    dissimilarity: &Dissimilarity,
    turns: TurnSet,
    settings: &NearestSettings,
    is_compared: impl Fn(SideId) -> bool,
    observer: &dyn Observer,
) -> Result<NearestSides, Cancelled> {
    // Nobody can mean no candidates; one is the least that makes sense.
    let settings = &NearestSettings {
        num_candidates: settings.num_candidates.max(1),
        max_candidates: settings.max_candidates,
    };
    let strips = &dissimilarity.strips;
    let groups = comparison_groups(turns);
    let comparison = |&(rows, cols)| Comparison::new(strips, rows, cols, &is_compared);
    let comparisons: Vec<Comparison> = groups.iter().map(comparison).collect();
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
        let save = |tiles_done: usize, lists: &[BestOf]| {
            let mut state = finished.clone();
            state.comparisons.push(ComparisonState::new(tiles_done, lists));
            observer.save_state(Stage::Measure, state.bytes());
        };
        let rows = comparison.run(dissimilarity, settings, before.as_ref(), save, observer)?;
        if observer.keeps_states() {
            finished.comparisons.push(ComparisonState::new(comparison.tiles.len(), &rows));
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

impl Entry {
    fn only_piece(&self) -> Option<PieceId> {
        let piece = self.sides.first()?.piece();
        // In increasing order, so the last one tells of all between.
        (self.sides.last()?.piece() == piece).then_some(piece)
    }
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
    /// How far apart its rows and columns are in order of colour.
    band: u32,
    rows: Range<usize>,
    cols: Range<usize>,
}

impl Comparison {
    /// Of those sides that are compared at all.
    fn new(
        strips: &Strips,
        rows: &[Side],
        cols: &[Side],
        is_compared: &impl Fn(SideId) -> bool,
    ) -> Self {
        let entries_of = |sides: &[Side]| {
            entries_of(strips, |side| sides.contains(&side.side()) && is_compared(side))
        };
        let mut entries = entries_of(rows);
        let num_rows = entries.len();
        let row_blocks = blocks(0, num_rows);
        let col_blocks = if cols.is_empty() {
            row_blocks.clone()
        } else {
            // The padding has no sides and is never offered, so any strip of the same length will do
            // for it.
            let first_col = first_col_after(num_rows);
            let strip = entries.first().map_or(0, |entry| entry.strip);
            entries.resize_with(first_col, || Entry { strip, sides: Vec::new() });
            entries.extend(entries_of(cols));
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
        save: impl Fn(usize, &[BestOf]),
        observer: &dyn Observer,
    ) -> Result<Vec<BestOf>, Cancelled> {
        let lists = Shortlists::new(self, dissimilarity, settings);
        let mut tiles_done = 0;
        if let Some(before) = before {
            lists.start_from_saved(&before.lists);
            tiles_done = before.tiles_done;
            observer.stage_advanced(Stage::Measure, tiles_done as u64);
            if tiles_done == self.tiles.len() {
                return Ok(lists.best());
            }
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
                Some(bounds) => lists.offer_bounded(bounds, rows, cols, buffers),
                None => lists.offer_all(rows, cols, buffers),
            }
            observer.stage_advanced(Stage::Measure, 1);
            Ok(())
        };
        // Strips of one colour first: they settle most lists, and what is left is quickly ruled out.
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
                    save(tiles_done, &lists.best());
                }
            }
        }
        Ok(lists.best())
    }

    /// The tile that compares two entries, as where its rows and its columns begin, if there is one.
    fn tile_of(&self, u: usize, v: usize) -> Option<(usize, usize)> {
        let (row, col) = (u.min(v), u.max(v));
        let num_entries = self.entries.len();
        let first_col =
            if self.num_rows == num_entries { 0 } else { first_col_after(self.num_rows) };
        let is_pair = row < self.num_rows && (first_col..num_entries).contains(&col);
        is_pair.then(|| (row - row % TILE, col - (col - first_col) % TILE))
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
            .flat_map(|&Listed { dissimilarity, entry }| {
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

fn entries_of(strips: &Strips, is_compared: impl Fn(SideId) -> bool) -> Vec<Entry> {
    let mut entry_of_strip: Vec<Option<usize>> = vec![None; strips.num_strips()];
    let mut entries: Vec<Entry> = Vec::new();
    for index in 0..strips.num_sides() {
        let side = SideId::from_index(index);
        if !is_compared(side) {
            continue;
        }
        let strip = strips.strip_of(side);
        let entry = *entry_of_strip[strip].get_or_insert_with(|| {
            entries.push(Entry { strip, sides: Vec::new() });
            entries.len() - 1
        });
        entries[entry].sides.push(side);
    }
    sort_by_colour(&mut entries, strips);
    entries
}

/// Sorts entries so that those of a block have similar mean colours, and neighbouring blocks mostly, too:
/// halves again and again along the widest of some axes, brightness and differences of channels.
///
/// No two entries have the same strip, so there is one such order.
fn sort_by_colour(entries: &mut [Entry], strips: &Strips) {
    let axes: Vec<Vec<i64>> =
        (0..strips.num_strips()).into_par_iter().map(|strip| strips.colour_axes(strip)).collect();
    let mut parts = vec![entries];
    while let Some(part) = parts.pop() {
        let widest = (0..strips.channels())
            .max_by_key(|&axis| {
                let values = part.iter().map(|entry| axes[entry.strip][axis]);
                let mean = values.clone().sum::<i64>() / part.len().max(1) as i64;
                values.map(|value| u128::from(value.abs_diff(mean)).pow(2)).sum::<u128>()
            })
            .unwrap_or(0);
        let key = |entry: &Entry| (axes[entry.strip][widest], entry.strip);
        if part.len() > TILE {
            let half = (part.len() / TILE).div_ceil(2) * TILE;
            part.select_nth_unstable_by_key(half, key);
            let (low, high) = part.split_at_mut(half);
            parts.extend([low, high]);
        } else {
            part.sort_unstable_by_key(key);
        }
    }
}

/// Where columns begin after so many rows: at a whole tile quantum, as the packed product wants it.
const fn first_col_after(num_rows: usize) -> usize {
    num_rows.next_multiple_of(TILE_QUANTUM)
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
}

/// How many entries a list must hold so that each of its owner's sides finds enough in it: every entry
/// stands for one side at least.
#[derive(Clone, Copy, Debug)]
struct Needed {
    /// Entries that give k candidates.
    enough: usize,
    /// Entries beyond those and all that tie with the last of them, less one.
    left_out: usize,
}

impl Needed {
    fn of(owner: &Entry, num_candidates: usize) -> Self {
        // Where one strip stands for several sides, each has its own piece to leave out, four sides at
        // the most.
        let left_out = if owner.sides.len() > 1 { Side::ALL.len() } else { 0 };
        Self { enough: num_candidates + left_out, left_out }
    }

    /// Below which dissimilarity all entries are needed, of those at hand and of any others.
    ///
    /// `entries` are (lower, upper) bounds, in any order but that the first `enough` have the smallest
    /// upper bounds. What lies above the largest of those for certain does not tie with the k-th.
    fn threshold<T: PartialOrd + Copy>(
        self,
        entries: impl Iterator<Item = (T, T)> + Clone,
        infinity: T,
    ) -> T {
        let uppers = entries.clone().take(self.enough).map(|(_, upper)| upper);
        let Some(kth) = uppers.reduce(|x, y| if y > x { y } else { x }) else { return infinity };
        let mut beyond = [infinity; Side::ALL.len() + 1];
        let beyond = &mut beyond[..=self.left_out];
        for (_, mut upper) in entries.skip(self.enough).filter(|&(lower, _)| lower > kth) {
            for smaller in &mut *beyond {
                if upper < *smaller {
                    std::mem::swap(smaller, &mut upper);
                }
            }
        }
        beyond[self.left_out]
    }
}

/// An entry that may be among the best of another, and between what their dissimilarity lies.
#[derive(Clone, Copy, Debug)]
struct Bounded {
    lower: f32,
    upper: f32,
    entry: u32,
}

impl Bounded {
    /// Once the dissimilarity is known.
    fn measured(entry: u32, dissimilarity: f64) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "rounded down and up right after")]
        let near = dissimilarity as f32;
        Self { lower: near.next_down(), upper: near.next_up(), entry }
    }

    /// Whether measuring it would bring its bounds closer together.
    fn is_open(&self) -> bool {
        self.upper > self.lower.next_up().next_up()
    }
}

/// All entries that may be among the best of one entry, in no order.
#[derive(Clone, Debug, Default)]
struct Shortlist {
    entries: Vec<Bounded>,
    /// How many there may be before those are dropped that others have ruled out.
    room: usize,
}

impl Shortlist {
    /// Room enough that dropping is seldom and not in vain.
    const fn room(num_candidates: usize) -> usize {
        2 * num_candidates + 16
    }

    /// Drops what is ruled out, and returns above what everything is.
    fn drop_ruled_out(&mut self, needed: Needed) -> f32 {
        if self.entries.len() <= needed.enough {
            return f32::INFINITY;
        }
        self.entries.select_nth_unstable_by(needed.enough - 1, |x, y| x.upper.total_cmp(&y.upper));
        let bounds = self.entries.iter().map(|entry| (entry.lower, entry.upper));
        let threshold = needed.threshold(bounds, f32::INFINITY);
        self.entries.retain(|entry| entry.lower <= threshold);
        threshold
    }
}

/// All shortlists, shared between threads.
struct Shortlists<'a> {
    comparison: &'a Comparison,
    dissimilarity: &'a Dissimilarity,
    num_candidates: usize,
    /// Those of [`TILE_QUANTUM`] entries in a row together, as tiles enter much into few of them.
    lists: Vec<Mutex<Vec<Shortlist>>>,
    /// The piece of each entry's sides, if they have one only.
    only_pieces: Vec<Option<PieceId>>,
    /// The largest bound that may still enter each list, as the bits of an f32.
    thresholds: Vec<AtomicU32>,
}

impl<'a> Shortlists<'a> {
    fn new(
        comparison: &'a Comparison,
        dissimilarity: &'a Dissimilarity,
        settings: &NearestSettings,
    ) -> Self {
        let threshold = |entry: &Entry| {
            let nothing_enters = entry.sides.is_empty();
            AtomicU32::new(
                (if nothing_enters { f32::NEG_INFINITY } else { f32::INFINITY }).to_bits(),
            )
        };
        let room = Shortlist::room(settings.num_candidates);
        let list = |_: &Entry| Shortlist { entries: Vec::new(), room };
        let lists = comparison.entries.chunks(TILE_QUANTUM);
        Self {
            comparison,
            dissimilarity,
            num_candidates: settings.num_candidates,
            lists: lists.map(|block| Mutex::new(block.iter().map(list).collect())).collect(),
            only_pieces: comparison.entries.iter().map(Entry::only_piece).collect(),
            thresholds: comparison.entries.iter().map(threshold).collect(),
        }
    }

    fn threshold(&self, entry: usize) -> f32 {
        f32::from_bits(self.thresholds[entry].load(Ordering::Relaxed))
    }

    /// The exact dissimilarity of two entries.
    fn value(&self, u: usize, v: usize) -> f64 {
        let strip = |entry: usize| self.comparison.entries[entry].strip;
        self.dissimilarity.value_of_strips(strip(u.min(v)), strip(u.max(v)))
    }

    fn needed(&self, entry: usize) -> Needed {
        Needed::of(&self.comparison.entries[entry], self.num_candidates)
    }

    /// Offer every pair of a tile.
    fn offer_all(&self, rows: &Range<usize>, cols: &Range<usize>, buffers: &mut TileBuffers) {
        buffers.pairs.clear();
        for row in rows.clone() {
            let first = if rows == cols { row } else { cols.start };
            let pair = |col: usize| BoundedPair { row, col, bound: f32::NEG_INFINITY };
            buffers.pairs.extend((first..cols.end).map(pair));
        }
        self.offer_measured(rows, cols, &mut buffers.pairs);
    }

    /// Measure the pairs of a tile, as far as they may still enter a list, and offer them.
    fn offer_measured(
        &self,
        rows: &Range<usize>,
        cols: &Range<usize>,
        pairs: &mut Vec<BoundedPair>,
    ) {
        pairs.retain_mut(|pair| {
            let &mut BoundedPair { row, col, bound } = pair;
            let may_enter = bound <= self.threshold(row) || bound <= self.threshold(col);
            if may_enter {
                #[expect(clippy::cast_possible_truncation, reason = "rounded down when it enters")]
                let value = self.value(row, col) as f32;
                pair.bound = value;
            }
            may_enter
        });
        self.offer(rows, cols, pairs, |pair| (pair.bound.next_down(), pair.bound.next_up()));
    }

    /// Offer those pairs of a tile that their bounds do not rule out.
    fn offer_bounded(
        &self,
        bounds: &LowerBounds,
        rows: &Range<usize>,
        cols: &Range<usize>,
        buffers: &mut TileBuffers,
    ) {
        if bounds.has_means() {
            self.bound_tile(bounds, rows, cols, false, buffers);
            if buffers.pairs.len() <= FEW_PAIRS {
                return self.offer_measured(rows, cols, &mut buffers.pairs);
            }
        }
        self.bound_tile(bounds, rows, cols, true, buffers);
        let strips = &self.dissimilarity.strips;
        let length = |entry: usize| strips.length(self.comparison.entries[entry].strip);
        let can_differ = !strips.are_of_one_length();
        self.offer(rows, cols, &buffers.pairs, |pair| {
            let lower = pair.bound - pair.bound.abs() * BOUND_MARGIN;
            // Sides of different length do not fit at all.
            let never = can_differ && length(pair.row) != length(pair.col);
            (lower, if never { f32::INFINITY } else { bounds.upper_bound(pair) })
        });
    }

    /// Those pairs of a tile that may enter a list, by its product or without one: then, if they are many,
    /// not all of them.
    fn bound_tile(
        &self,
        bounds: &LowerBounds,
        rows: &Range<usize>,
        cols: &Range<usize>,
        with_product: bool,
        buffers: &mut TileBuffers,
    ) {
        let TileBuffers { product, of_rows, of_cols, pairs } = buffers;
        let height = rows.len().next_multiple_of(TILE_QUANTUM);
        let width = cols.len().next_multiple_of(TILE_QUANTUM);
        if with_product {
            product.resize(height * width, 0.0);
            let (rows, cols) = (rows.start..rows.start + height, cols.start..cols.start + width);
            bounds.multiply_tile(rows, cols, product);
        }
        of_rows.clear();
        of_rows.extend(rows.clone().map(|u| self.threshold(u)));
        of_cols.clear();
        of_cols.extend(cols.clone().map(|v| self.threshold(v)));
        of_cols.resize(width, f32::NEG_INFINITY);
        pairs.clear();
        let tile = TileThresholds {
            rows: rows.clone(),
            cols: cols.clone(),
            product: with_product.then_some(&product[..]),
            stride: width,
            of_rows,
            of_cols,
            upper_only: rows == cols,
            enough: if with_product { usize::MAX } else { FEW_PAIRS },
        };
        bounds.pairs_below(&tile, pairs);
    }

    /// Offer every entry what it listed when the lists were saved. Pairs are measured again: they are
    /// few, and no saved figure can then be wrong.
    fn start_from_saved(&self, saved: &[Vec<u32>]) {
        saved.par_chunks(TILE_QUANTUM).enumerate().for_each(|(block, saved)| {
            for ((at, list), saved) in self.lock(block).iter_mut().enumerate().zip(saved) {
                let to = block * TILE_QUANTUM + at;
                for &other in saved {
                    let value = self.value(to, other as usize);
                    self.enter(to, list, Bounded::measured(other, value));
                }
            }
        });
    }

    /// Enter the pairs of a tile into both entries' lists; `bounds_of` gives a pair's lower and upper
    /// bound.
    fn offer(
        &self,
        rows: &Range<usize>,
        cols: &Range<usize>,
        pairs: &[BoundedPair],
        bounds_of: impl Fn(&BoundedPair) -> (f32, f32),
    ) {
        let enter_into =
            |block: usize, to_and_other: fn(&BoundedPair) -> Option<(usize, usize)>| {
                let mut lists = self.lock(block);
                let first = block * TILE_QUANTUM;
                for pair in pairs {
                    let Some((to, other)) = to_and_other(pair) else { continue };
                    if to / TILE_QUANTUM == block && pair.bound <= self.threshold(to) {
                        let (lower, upper) = bounds_of(pair);
                        let offered = Bounded { lower, upper, entry: number_of(other) };
                        self.enter(to, &mut lists[to - first], offered);
                    }
                }
            };
        let blocks =
            |range: &Range<usize>| range.start / TILE_QUANTUM..range.end.div_ceil(TILE_QUANTUM);
        for block in blocks(rows) {
            enter_into(block, |pair| Some((pair.row, pair.col)));
        }
        for block in blocks(cols) {
            // Equal sides of different pieces are one entry, which enters its own list once.
            enter_into(block, |pair| (pair.row != pair.col).then_some((pair.col, pair.row)));
        }
    }

    /// Enter what is offered to an entry into its list, unless they belong to one piece.
    fn enter(&self, to: usize, list: &mut Shortlist, offered: Bounded) {
        let own = self.only_pieces[to];
        if own.is_some() && own == self.only_pieces[offered.entry as usize] {
            return;
        }
        if list.entries.is_empty() {
            list.entries.reserve_exact(list.room);
        }
        list.entries.push(offered);
        if list.entries.len() >= list.room {
            let threshold = self.make_room(to, list) * (1.0 + 2.0 * BOUND_MARGIN);
            self.thresholds[to].store(threshold.to_bits(), Ordering::Relaxed);
        }
    }

    fn lock(&self, block: usize) -> MutexGuard<'_, Vec<Shortlist>> {
        // A poisoned lock means that another thread panicked; the panic will surface there.
        self.lists[block].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops what is ruled out from a list, and returns above what everything is.
    fn make_room(&self, owner: usize, list: &mut Shortlist) -> f32 {
        let needed = self.needed(owner);
        let mut threshold = list.drop_ruled_out(needed);
        let is_crowded = |list: &Shortlist| 4 * list.entries.len() > 3 * list.room;
        if is_crowded(list) {
            // Too many that the bounds cannot tell apart.
            for entry in list.entries.iter_mut().filter(|entry| entry.is_open()) {
                *entry = Bounded::measured(entry.entry, self.value(owner, entry.entry as usize));
            }
            threshold = list.drop_ruled_out(needed);
            if is_crowded(list) {
                list.room *= 2;
            }
        }
        threshold
    }

    /// The best of all that was offered, measured.
    fn best(&self) -> Vec<BestOf> {
        let best_of_block = |block: usize| {
            let mut lists = self.lock(block);
            let owners = (block * TILE_QUANTUM..).zip(lists.iter_mut());
            owners.map(|(owner, list)| self.best_of(owner, list)).collect::<Vec<_>>()
        };
        (0..self.lists.len()).into_par_iter().flat_map_iter(best_of_block).collect()
    }

    fn best_of(&self, owner: usize, list: &mut Shortlist) -> BestOf {
        let needed = self.needed(owner);
        list.drop_ruled_out(needed);
        let measure = |entry: &Bounded| {
            let entry = entry.entry as usize;
            Listed { dissimilarity: self.value(owner, entry), entry }
        };
        let mut entries: Vec<Listed> = list.entries.iter().map(measure).collect();
        entries.sort_unstable_by(|x, y| {
            x.dissimilarity.total_cmp(&y.dissimilarity).then_with(|| x.entry.cmp(&y.entry))
        });
        let values = entries.iter().map(|listed| (listed.dissimilarity, listed.dissimilarity));
        let largest = needed.threshold(values, f64::INFINITY);
        entries.truncate(entries.partition_point(|listed| listed.dissimilarity <= largest));
        BestOf { entries }
    }
}

/// An entry's number in shortlists and states.
fn number_of(entry: usize) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "sides have numbers of 32 bits")]
    let number = entry as u32;
    number
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
            let is_last = index + 1 == state.comparisons.len();
            (is_last || saved.tiles_done == comparison.tiles.len()) && saved.fits(comparison)
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
    fn new(tiles_done: usize, lists: &[BestOf]) -> Self {
        let numbers =
            |list: &BestOf| list.entries.iter().map(|listed| number_of(listed.entry)).collect();
        Self { tiles_done, lists: lists.iter().map(numbers).collect() }
    }

    /// Whether these lists can be those of the first tiles of a comparison.
    fn fits(&self, comparison: &Comparison) -> bool {
        let Some(done) = comparison.tiles.get(..self.tiles_done) else { return false };
        // What is listed and in a tile to come would be entered twice.
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
            .map(|&(rows, cols)| Comparison::new(&dissimilarity.strips, rows, cols, &|_| true))
            .collect();
        let lists = vec![Vec::new(); comparisons[0].entries.len()];
        let tiles_done = comparisons[0].tiles.len();
        let mut good = MeasureState::new(&settings);
        good.comparisons.push(ComparisonState { tiles_done, lists });
        let is_read = |state: &MeasureState| {
            MeasureState::read(&state.bytes(), &comparisons, &settings).is_some()
        };
        assert!(is_read(&good));
        let num_rows = number_of(comparisons[0].num_rows);
        let first_col = number_of(first_col_after(comparisons[0].num_rows));
        good.comparisons[0].lists[0].push(first_col);
        assert!(is_read(&good));
        good.comparisons[0].lists[0].clear();
        let changes: [&dyn Fn(&mut MeasureState); 10] = [
            &|state| state.num_candidates = 4,
            &|state| state.comparisons[0].tiles_done += 1,
            &|state| state.comparisons[0].lists.truncate(7),
            // A row of a row, a number of no entry, and the last of all numbers.
            &|state| state.comparisons[0].lists[0].push(1),
            &|state| state.comparisons[0].lists[0].push(100_000),
            &|state| state.comparisons[0].lists[0].push(u32::MAX),
            // One of the padding, one in a tile that is not done, and one twice.
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

    #[test]
    fn some_sides_list_what_all_pairs_among_them_say() {
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
                        |b: SideId| Candidate { side: b, dissimilarity: dissimilarity.value(a, b) };
                    let others = among.iter().copied().filter(|&b| is_among(a) && fits(b));
                    let mut expected: Vec<Candidate> = others.map(candidate).collect();
                    expected.sort_by(Candidate::by_fit);
                    let beyond = expected.get(4).map_or(f64::INFINITY, |next| next.dissimilarity);
                    expected.truncate(4);
                    assert_eq!(found.of(a), expected, "{turns:?}, {a:?}");
                    assert_eq!(found.beyond(a), beyond, "{turns:?}, {a:?}");
                }
            }
        }
    }

    #[test]
    fn lists_of_some_sides_take_the_place_of_others() {
        let (pieces, ..) = synthetic::puzzle(3, 4, 8, PuzzleType::Type2, 6);
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Seam).unwrap();
        let nearest = |k| {
            let settings = NearestSettings { num_candidates: k, max_candidates: k };
            find_nearest(&dissimilarity, TurnSet::Quarter, &settings, &Silent).unwrap()
        };
        let (short, long) = (nearest(3), nearest(7));
        let sides = [2, 3, 11, 47].map(SideId::from_index);
        let lists = sides
            .map(|side| (side, long.of(side).iter().rev().copied().collect(), long.beyond(side)));
        let some = NearestSides::of_some(48, lists.to_vec());
        let mixed = short.with_lists_of(&sides, &some);
        assert_eq!(some.num_sides(), 48);
        assert_eq!(mixed.num_candidates(), 44 * 3 + 4 * 7);
        for side in (0..48).map(SideId::from_index) {
            let is_replaced = sides.contains(&side);
            let expected = if is_replaced { &long } else { &short };
            assert_eq!(mixed.of(side), expected.of(side));
            assert_eq!(mixed.beyond(side), expected.beyond(side));
            assert_eq!(some.of(side).is_empty(), !is_replaced);
        }
    }
}
