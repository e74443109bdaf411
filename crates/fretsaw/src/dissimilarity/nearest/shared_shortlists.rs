//! The shortlists of all entries, and how tiles of pairs enter them.

use super::TILE;
use super::comparison::{Comparison, Entry, Tile};
use super::shortlist::{Bounded, Measured, Needed, Shortlist};
use crate::dissimilarity::Dissimilarity;
use crate::dissimilarity::lower_bounds::{BoundedPair, LowerBounds, TileThresholds};
use crate::linalg::packed_product::TILE_QUANTUM;
use crate::linalg::single;
use crate::puzzle::PieceId;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A tile with at most this many pairs left is measured pair by pair, without a product: one pair takes
/// about as long as forty in a product.
const FEW_PAIRS: usize = TILE * TILE / 96;

/// Covers, as a share of a bound, the rounding of the last single-precision additions to it.
const BOUND_MARGIN: f32 = 1e-6;

/// Memory that a thread reuses from tile to tile.
#[derive(Default)]
pub(super) struct TileBuffers {
    product: Vec<f32>,
    of_rows: Vec<f32>,
    of_cols: Vec<f32>,
    pairs: Vec<BoundedPair>,
}

/// The shortlists of all entries of a comparison, filled by several threads at once.
pub(super) struct SharedShortlists<'a> {
    comparison: &'a Comparison,
    dissimilarity: &'a Dissimilarity,
    num_candidates: usize,
    /// One lock for [`TILE_QUANTUM`] neighbouring entries: a tile enters many pairs into few lists.
    lists: Vec<Mutex<Vec<Shortlist>>>,
    /// [`Entry::only_piece`] of every entry.
    only_pieces: Vec<Option<PieceId>>,
    /// The largest bound that may still enter each list, as the bits of an f32.
    thresholds: Vec<AtomicU32>,
}

impl<'a> SharedShortlists<'a> {
    pub(super) fn new(
        comparison: &'a Comparison,
        dissimilarity: &'a Dissimilarity,
        num_candidates: usize,
    ) -> Self {
        let threshold = |entry: &Entry| {
            let nothing_enters = entry.sides.is_empty();
            AtomicU32::new(
                (if nothing_enters { f32::NEG_INFINITY } else { f32::INFINITY }).to_bits(),
            )
        };
        let list = |_: &Entry| Shortlist::new(num_candidates);
        let lists = comparison.entries.chunks(TILE_QUANTUM);
        Self {
            comparison,
            dissimilarity,
            num_candidates,
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
    pub(super) fn offer_all(&self, tile: &Tile, buffers: &mut TileBuffers) {
        let Tile { rows, cols, .. } = tile;
        buffers.pairs.clear();
        for row in rows.clone() {
            let first = if rows == cols { row } else { cols.start };
            let pair = |col: usize| BoundedPair { row, col, bound: f32::NEG_INFINITY };
            buffers.pairs.extend((first..cols.end).map(pair));
        }
        self.offer_measured(tile, &mut buffers.pairs);
    }

    /// Offer to every entry a few of those that follow it in order of colour, where there was no time for tiles.
    pub(super) fn offer_neighbours(&self) {
        /// Entries that are offered to each other.
        const GROUP: usize = 16;
        let near = self.comparison.tiles.par_iter().filter(|tile| tile.band == 0);
        near.for_each_init(TileBuffers::default, |buffers, tile| {
            let starts = tile.rows.clone().zip(tile.cols.clone()).step_by(GROUP);
            for (row, col) in starts {
                let part = Tile {
                    band: 0,
                    rows: row..(row + GROUP).min(tile.rows.end),
                    cols: col..(col + GROUP).min(tile.cols.end),
                };
                self.offer_all(&part, buffers);
            }
        });
    }

    /// Measure the pairs of a tile that may still enter a list, and offer them.
    fn offer_measured(&self, tile: &Tile, pairs: &mut Vec<BoundedPair>) {
        pairs.retain_mut(|pair| {
            let &mut BoundedPair { row, col, bound } = pair;
            let may_enter = bound <= self.threshold(row) || bound <= self.threshold(col);
            if may_enter {
                pair.bound = single(self.value(row, col));
            }
            may_enter
        });
        self.offer(tile, pairs, |pair| (pair.bound.next_down(), pair.bound.next_up()));
    }

    /// Offer those pairs of a tile that their bounds do not rule out.
    pub(super) fn offer_bounded(
        &self,
        bounds: &LowerBounds,
        tile: &Tile,
        buffers: &mut TileBuffers,
    ) {
        if bounds.has_means() {
            self.bound_tile(bounds, tile, false, buffers);
            if buffers.pairs.len() <= FEW_PAIRS {
                return self.offer_measured(tile, &mut buffers.pairs);
            }
        }
        self.bound_tile(bounds, tile, true, buffers);
        let strips = &self.dissimilarity.strips;
        let length = |entry: usize| strips.length(self.comparison.entries[entry].strip);
        let can_differ = !strips.are_of_one_length();
        self.offer(tile, &buffers.pairs, |pair| {
            let lower = pair.bound - pair.bound.abs() * BOUND_MARGIN;
            // Sides of different length have an infinite dissimilarity.
            let never = can_differ && length(pair.row) != length(pair.col);
            (lower, if never { f32::INFINITY } else { bounds.upper_bound(pair) })
        });
    }

    /// Collect the pairs of a tile that may enter a list in `buffers.pairs`. Without the product the
    /// bounds are those of the mean colours, and the collection stops after [`FEW_PAIRS`].
    fn bound_tile(
        &self,
        bounds: &LowerBounds,
        Tile { rows, cols, .. }: &Tile,
        with_product: bool,
        buffers: &mut TileBuffers,
    ) {
        let TileBuffers { product, of_rows, of_cols, pairs } = buffers;
        let height = rows.len().next_multiple_of(TILE_QUANTUM);
        let width = cols.len().next_multiple_of(TILE_QUANTUM);
        if with_product {
            product.resize(height * width, 0.0);
            let (rows, cols) = (rows.start..rows.start + height, cols.start..cols.start + width);
            bounds.product.multiply_tile(rows, cols, product);
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

    /// Enter the saved candidates of each entry. Pairs are measured again: they are few,
    /// and a damaged checkpoint then cannot bring in a wrong dissimilarity.
    pub(super) fn start_from_saved(&self, saved: &[Vec<u32>]) {
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
        tile: &Tile,
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
        for block in blocks(&tile.rows) {
            enter_into(block, |pair| Some((pair.row, pair.col)));
        }
        for block in blocks(&tile.cols) {
            // Equal sides of different pieces are one entry, which enters its own list once.
            enter_into(block, |pair| (pair.row != pair.col).then_some((pair.col, pair.row)));
        }
    }

    /// Enter an offered entry into the list of entry `to`, unless all their sides are of one piece.
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
        // A poisoned lock means that another thread panicked; that panic is reported there.
        self.lists[block].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drop the entries of a list that others rule out; if it stays crowded, measure them first, and at
    /// last enlarge the room. Returns the largest lower bound that may still enter.
    fn make_room(&self, owner: usize, list: &mut Shortlist) -> f32 {
        let needed = self.needed(owner);
        let mut threshold = list.drop_ruled_out(needed);
        let is_crowded = |list: &Shortlist| 4 * list.entries.len() > 3 * list.room;
        if is_crowded(list) {
            // The bounds cannot tell these apart.
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

    /// For every entry, the best of all that was offered, in increasing order of dissimilarity, as far as they are needed for
    /// so many candidates of a side.
    pub(super) fn best(&self, num_candidates: usize) -> Vec<Vec<Measured>> {
        self.best_by(num_candidates, &|owner, it| self.value(owner, it.entry as usize))
    }

    /// About what [`Self::best`] gives: a dissimilarity is taken as the mean of its bounds, so that nothing is measured.
    pub(super) fn best_about(&self, num_candidates: usize) -> Vec<Vec<Measured>> {
        self.best_by(num_candidates, &|_, Bounded { lower, upper, .. }| {
            f64::from(*lower).midpoint(f64::from(*upper)).max(0.0)
        })
    }

    fn best_by(
        &self,
        num_candidates: usize,
        dissimilarity_to: &(dyn Fn(usize, &Bounded) -> f64 + Sync),
    ) -> Vec<Vec<Measured>> {
        let best_of_block = |block: usize| {
            let mut lists = self.lock(block);
            let owners = (block * TILE_QUANTUM..).zip(lists.iter_mut());
            owners
                .map(|(owner, list)| {
                    self.best_of(owner, num_candidates, list, &|it| dissimilarity_to(owner, it))
                })
                .collect::<Vec<_>>()
        };
        (0..self.lists.len()).into_par_iter().flat_map_iter(best_of_block).collect()
    }

    fn best_of(
        &self,
        owner: usize,
        num_candidates: usize,
        list: &mut Shortlist,
        dissimilarity_to: &dyn Fn(&Bounded) -> f64,
    ) -> Vec<Measured> {
        let needed = Needed::of(&self.comparison.entries[owner], num_candidates);
        list.drop_ruled_out(needed);
        let measure = |it: &Bounded| Measured {
            dissimilarity: dissimilarity_to(it),
            entry: it.entry as usize,
        };
        let mut entries: Vec<Measured> = list.entries.iter().map(measure).collect();
        entries.sort_unstable_by(|x, y| {
            x.dissimilarity.total_cmp(&y.dissimilarity).then_with(|| x.entry.cmp(&y.entry))
        });
        let values =
            entries.iter().map(|measured| (measured.dissimilarity, measured.dissimilarity));
        let largest = needed.threshold(values, f64::INFINITY);
        entries.truncate(entries.partition_point(|measured| measured.dissimilarity <= largest));
        entries
    }
}

/// The number of an entry in shortlists and checkpoints.
pub(super) fn number_of(entry: usize) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "sides have numbers of 32 bits")]
    let number = entry as u32;
    number
}
