//! Which pairs of strips are compared, and in which tiles: strips of similar colour first.

use super::TILE;
use crate::dissimilarity::strips::Strips;
use crate::linalg::packed_product::TILE_QUANTUM;
use crate::puzzle::{PieceId, Side, SideId, TurnSet};
use rayon::prelude::*;
use std::ops::Range;

/// A strip and the sides that have it. Sides with equal pixels share a strip, so they share an entry.
pub(super) struct Entry {
    pub(super) strip: usize,
    /// In increasing order.
    pub(super) sides: Vec<SideId>,
}

impl Entry {
    /// The piece of the entry's sides, if they all belong to one.
    pub(super) fn only_piece(&self) -> Option<PieceId> {
        let piece = self.sides.first()?.piece();
        // Sides are in increasing order, so if the first and the last agree, all do.
        (self.sides.last()?.piece() == piece).then_some(piece)
    }

    /// How many of its sides belong to other pieces than this side.
    pub(super) fn num_sides_of_others(&self, side: SideId) -> usize {
        let up_to = |piece: PieceId| self.sides.partition_point(|other| other.piece() < piece);
        let own = up_to(side.piece());
        let num_own = self.sides[own..].iter().take_while(|x| x.piece() == side.piece()).count();
        self.sides.len() - num_own
    }
}

/// A set of pairs of strips to compare: a triangle (all with all) or a rectangle (rows with columns).
pub(super) struct Comparison {
    pub(super) entries: Vec<Entry>,
    /// Number of entries that are rows of the rectangle: the first ones. All of them in a triangle.
    pub(super) num_rows: usize,
    /// By increasing band.
    pub(super) tiles: Vec<Tile>,
}

/// A block of pairs.
pub(super) struct Tile {
    /// How far apart its rows and columns are in order of colour.
    pub(super) band: u32,
    pub(super) rows: Range<usize>,
    pub(super) cols: Range<usize>,
}

impl Comparison {
    /// The comparisons that find all candidates of the sides for which `is_compared` holds.
    pub(super) fn all(
        strips: &Strips,
        turns: TurnSet,
        is_compared: impl Fn(SideId) -> bool,
    ) -> Vec<Self> {
        use Side::{Bottom, Left, Right, Top};
        let compare = |rows: &[Side], cols: &[Side]| Self::new(strips, rows, cols, &is_compared);
        match turns {
            TurnSet::None => vec![compare(&[Right], &[Left]), compare(&[Bottom], &[Top])],
            TurnSet::Half => vec![compare(&[Top, Bottom], &[]), compare(&[Right, Left], &[])],
            TurnSet::Quarter => vec![compare(&Side::ALL, &[])],
        }
    }

    /// Compare the sides of `rows` with those of `cols`; with each other if `cols` is empty.
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
            // Padding has no sides and is never offered to a list, so any strip of the same length
            // will do.
            let first_col = first_col_after(num_rows);
            let strip = entries.first().map_or(0, |entry| entry.strip);
            entries.resize_with(first_col, || Entry { strip, sides: Vec::new() });
            entries.extend(entries_of(cols));
            blocks(first_col, entries.len())
        };
        let mut tiles = Vec::new();
        for (i, rows) in row_blocks.iter().enumerate() {
            for (j, cols) in col_blocks.iter().enumerate() {
                // A triangle needs only one of (row, column) and (column, row).
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

    /// The first row and the first column of the tile that compares two entries, if a tile does.
    pub(super) fn tile_of(&self, u: usize, v: usize) -> Option<(usize, usize)> {
        let (row, col) = (u.min(v), u.max(v));
        let num_entries = self.entries.len();
        let first_col =
            if self.num_rows == num_entries { 0 } else { first_col_after(self.num_rows) };
        let is_pair = row < self.num_rows && (first_col..num_entries).contains(&col);
        is_pair.then(|| (row - row % TILE, col - (col - first_col) % TILE))
    }
}

/// One entry for every distinct strip of the compared sides, in [order of colour](sort_by_colour).
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

/// Sort entries so that those of one tile have similar mean colours, and mostly those of neighbouring
/// tiles, too.
///
/// Entries are halved again and again along the axis (brightness, or the difference of two channels)
/// on which they vary most. No two entries have the same strip, so there is only one such order.
fn sort_by_colour(entries: &mut [Entry], strips: &Strips) {
    let axes: Vec<Vec<i64>> =
        (0..strips.num_strips()).into_par_iter().map(|strip| strips.colour_axes(strip)).collect();
    let mut parts = vec![entries];
    while let Some(part) = parts.pop() {
        let widest = (0..strips.channels)
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

/// The first column after `num_rows` rows: a multiple of the tile quantum, as the packed product requires.
pub(super) const fn first_col_after(num_rows: usize) -> usize {
    num_rows.next_multiple_of(TILE_QUANTUM)
}

fn blocks(start: usize, end: usize) -> Vec<Range<usize>> {
    (start..end).step_by(TILE).map(|from| from..(from + TILE).min(end)).collect()
}
