//! Packing: segments side by side in the frame, the largest first.
//!
//! A segment may belong next to another and yet not have joined it, for a single wrong piece where the other
//! would lie forbids it. So where enough likely matches agree on a place next to what lies already, it goes
//! there. Of the others nothing tells where they lie: each goes where most of its pieces find an empty cell,
//! and of such places where it touches most of what lies there, or the frame's edge: close together they
//! leave the most room for the next. What finds no empty cell is cut off, and is packed like a segment of its
//! own. Cutting costs the seams of a cut; breaking a segment up would cost all of them.
//!
//! Cost: for each segment all matches and all places of the frame, times its rows, 64 columns at a time; for
//! so many segments at most, so that it is linear in the frame for segments of a given size.

use super::segment::{PlaceInSegment, Position, Rectangle, Segments};
use crate::puzzle::{Cell, Grid, PieceId, Place, Placement, QuarterTurn, Side, SideId, TurnSet};
use crate::random::Stream;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Smaller segments are not packed: their pieces are better put where a match would have them than all
/// together anywhere, and what lies together is hard to move.
const SMALLEST: usize = 400;
/// But where all are small, those of this share of the largest are large.
const SHARE_OF_LARGEST: usize = 4;
/// And no more than so many, or a puzzle of nothing but small ones would take a time quadratic in its size.
const MOST_PACKED: usize = 200;

/// So many likely matches tell where a segment lies.
const ENOUGH_MATCHES: usize = 8;
/// If so large a part of it finds an empty cell there: a half.
const SHARE_WITH_ROOM: usize = 2;

/// Where the pieces of the large segments lie, of which some may be cut. `matches` are likely. The seed
/// settles ties.
pub(crate) fn pack(
    segments: &Segments,
    matches: &[(SideId, SideId)],
    frame: Grid,
    turns: TurnSet,
    seed: u64,
) -> Vec<Placement> {
    let largest = segments.by_size().first().map_or(0, |segment| segment.pieces().len());
    let smallest = SMALLEST.min(largest.div_ceil(SHARE_OF_LARGEST));
    pack_from(smallest, segments, matches, frame, turns, seed)
}

/// The same for segments and cut off parts of at least so many pieces.
fn pack_from(
    smallest: usize,
    segments: &Segments,
    matches: &[(SideId, SideId)],
    frame: Grid,
    turns: TurnSet,
    seed: u64,
) -> Vec<Placement> {
    let mut random = Stream::new(seed, 0);
    let mut waiting: BinaryHeap<(usize, Reverse<Vec<PieceId>>)> = BinaryHeap::new();
    let wait = |waiting: &mut BinaryHeap<_>, pieces: Vec<PieceId>| {
        if pieces.len() >= smallest {
            waiting.push((pieces.len(), Reverse(pieces)));
        }
    };
    for segment in segments.by_size() {
        wait(&mut waiting, segment.pieces().to_vec());
    }
    let mut room = Room::new(frame);
    let mut packed = Vec::new();
    let mut places: FxHashMap<PieceId, Place> = FxHashMap::default();
    for _ in 0..MOST_PACKED {
        let Some((_, Reverse(pieces))) = waiting.pop() else { break };
        let ways = turns.turns().iter().map(|&turn| Shape::new(segments, &pieces, turn));
        let ways: Vec<Shape> = ways.collect();
        let found = matched_place(&ways, matches, &places, &room, &mut random)
            .or_else(|| best_place(&ways, &room, &mut random));
        let Some((shape, corner)) = found else { continue };
        let mut left_over = FxHashMap::default();
        for &(piece, PlaceInSegment { position, turn }) in &shape.places {
            match room.cell_at(position + corner).filter(|&cell| room.is_free(cell)) {
                Some(cell) => {
                    packed.push(Placement { piece, place: Place { board: 0, cell, turn } });
                }
                None => {
                    left_over.insert(position, piece);
                }
            }
        }
        let new = packed.len() + left_over.len() - pieces.len();
        for &Placement { piece, place } in &packed[new..] {
            room.take(place.cell);
            places.insert(piece, place);
        }
        room.count_touching();
        let in_order = shape.places.iter().map(|(_, place)| place.position);
        for part in connected_parts(left_over, in_order) {
            wait(&mut waiting, part);
        }
    }
    packed
}

/// What hangs together of pieces at positions, of which the order is given.
fn connected_parts(
    mut pieces: FxHashMap<Position, PieceId>,
    in_order: impl Iterator<Item = Position>,
) -> Vec<Vec<PieceId>> {
    let mut parts = Vec::new();
    for start in in_order {
        let Some(first) = pieces.remove(&start) else { continue };
        let (mut part, mut reached) = (vec![first], vec![start]);
        while let Some(position) = reached.pop() {
            for next in Side::ALL.map(|side| position.next_to(side)) {
                if let Some(piece) = pieces.remove(&next) {
                    part.push(piece);
                    reached.push(next);
                }
            }
        }
        parts.push(part);
    }
    parts
}

/// The place on which most likely matches with pieces that lie already agree, if that is enough of them and
/// there is room.
fn matched_place<'s>(
    ways: &'s [Shape],
    matches: &[(SideId, SideId)],
    places: &FxHashMap<PieceId, Place>,
    room: &Room,
    random: &mut Stream,
) -> Option<(&'s Shape, Position)> {
    // In the same order in all ways.
    let pieces = ways.first()?.places.iter().map(|&(piece, _)| piece);
    let index_of: FxHashMap<PieceId, usize> = pieces.zip(0..).collect();
    let mut agreed: Vec<(usize, Position)> = Vec::new();
    for (a, b) in matches.iter().flat_map(|&(a, b)| [(a, b), (b, a)]) {
        let (Some(&index), Some(place)) = (index_of.get(&a.piece()), places.get(&b.piece())) else {
            continue;
        };
        let direction = b.side() + place.turn;
        let Some(Cell { row, col }) = room.frame.neighbor(place.cell, direction) else { continue };
        let next = Position { row: row.cast_signed(), col: col.cast_signed() };
        for (way, shape) in ways.iter().enumerate() {
            let (_, PlaceInSegment { position, turn }) = shape.places[index];
            if a.side() + turn == direction.opposite() {
                agreed.push((way, next - position));
            }
        }
    }
    agreed.sort_unstable_by_key(|&(way, Position { row, col })| (way, row, col));
    let mut found = None;
    let (mut most, mut num_equal) = (ENOUGH_MATCHES, 0);
    for same in agreed.chunk_by(|x, y| x == y) {
        if same.len() < most {
            continue;
        }
        num_equal = if same.len() == most { num_equal + 1 } else { 1 };
        most = same.len();
        if random.below(num_equal) == 0 {
            found = Some(same[0]);
        }
    }
    let (way, corner) = found?;
    let shape = &ways[way];
    let has_room = |&&(_, place): &&(PieceId, PlaceInSegment)| {
        room.cell_at(place.position + corner).is_some_and(|cell| room.is_free(cell))
    };
    let num_with_room = shape.places.iter().filter(has_room).count();
    (SHARE_WITH_ROOM * num_with_room >= shape.places.len()).then_some((shape, corner))
}

/// The place where most pieces find an empty cell; of such places one where they touch most.
fn best_place<'s>(
    ways: &'s [Shape],
    room: &Room,
    random: &mut Stream,
) -> Option<(&'s Shape, Position)> {
    let mut best = (1, 0);
    let mut found = None;
    let mut num_equal = 0;
    for shape in ways {
        let rows = room.frame.rows().checked_sub(shape.rows()).map_or(0..0, |last| 0..last + 1);
        let cols = room.frame.cols().checked_sub(shape.cols).map_or(0..0, |last| 0..last + 1);
        for (row, col) in rows.flat_map(|row| cols.clone().map(move |col| (row, col))) {
            let Some(score) = shape.score(room, row, col, best.0) else { continue };
            if score < best {
                continue;
            }
            num_equal = if score == best { num_equal + 1 } else { 1 };
            best = score;
            if random.below(num_equal) == 0 {
                let corner = Position { row: row.cast_signed(), col: col.cast_signed() };
                found = Some((shape, corner));
            }
        }
    }
    found
}

/// Bits by row and column, a row in whole words.
#[derive(Clone, Debug)]
struct Bits {
    words_per_row: usize,
    words: Vec<u64>,
}

const WORD: usize = u64::BITS as usize;

impl Bits {
    /// None set, and one word more in each row than it takes.
    fn new(rows: u32, cols: u32) -> Self {
        let words_per_row = (cols as usize).div_ceil(WORD) + 1;
        Self { words_per_row, words: vec![0; words_per_row * rows as usize] }
    }

    fn set(&mut self, row: u32, col: u32, value: bool) {
        let word = &mut self.words[row as usize * self.words_per_row + col as usize / WORD];
        let bit = 1 << (col as usize % WORD);
        *word = if value { *word | bit } else { *word & !bit };
    }

    fn get(&self, row: u32, col: u32) -> bool {
        self.row(row)[col as usize / WORD] >> (col as usize % WORD) & 1 == 1
    }

    fn row(&self, row: u32) -> &[u64] {
        &self.words[row as usize * self.words_per_row..][..self.words_per_row]
    }

    /// How many bits a row has in common with that of another, laid so many columns further right.
    fn common(&self, row: u32, other: &Self, other_row: u32, col: u32) -> u32 {
        let (first, shift) = (col as usize / WORD, col as usize % WORD);
        let others = &other.row(other_row)[first..];
        let mut count = 0;
        for (word, &bits) in self.row(row).iter().enumerate() {
            let Some(&low) = others.get(word) else { break };
            let high = others.get(word + 1).copied().unwrap_or(0);
            let below = if shift == 0 { low } else { low >> shift | high << (WORD - shift) };
            count += (bits & below).count_ones();
        }
        count
    }
}

/// What is empty of the frame.
struct Room {
    frame: Grid,
    free: Bits,
    /// Of each empty cell how many of the cells next to it are taken or beyond the edge, in binary.
    touching: [Bits; 3],
}

impl Room {
    fn new(frame: Grid) -> Self {
        let mut free = Bits::new(frame.rows(), frame.cols());
        frame.cells().for_each(|Cell { row, col }| free.set(row, col, true));
        let none = Bits::new(frame.rows(), frame.cols());
        let mut room = Self { frame, free, touching: [none.clone(), none.clone(), none] };
        room.count_touching();
        room
    }

    fn cell_at(&self, Position { row, col }: Position) -> Option<Cell> {
        let cell = Cell { row: row.try_into().ok()?, col: col.try_into().ok()? };
        self.frame.contains(cell).then_some(cell)
    }

    fn is_free(&self, Cell { row, col }: Cell) -> bool {
        self.free.get(row, col)
    }

    fn take(&mut self, Cell { row, col }: Cell) {
        self.free.set(row, col, false);
    }

    fn count_touching(&mut self) {
        for cell in self.frame.cells() {
            let is_taken = |&side: &Side| {
                self.frame.neighbor(cell, side).is_none_or(|next| !self.is_free(next))
            };
            let is_free = self.is_free(cell);
            let count = Side::ALL.iter().filter(|side| is_free && is_taken(side)).count();
            for (bit, bits) in self.touching.iter_mut().enumerate() {
                bits.set(cell.row, cell.col, count >> bit & 1 == 1);
            }
        }
    }
}

/// A segment that is turned.
struct Shape {
    /// Its pieces, with the top left corner at the origin.
    places: Vec<(PieceId, PlaceInSegment)>,
    cols: u32,
    bits: Bits,
    pieces_by_row: Vec<u32>,
}

impl Shape {
    fn new(segments: &Segments, pieces: &[PieceId], turn: QuarterTurn) -> Self {
        let turned = |&piece: &PieceId| {
            let place = segments.place_of(piece);
            let position = place.position.turned(turn);
            (piece, PlaceInSegment { position, turn: place.turn + turn })
        };
        let mut places: Vec<(PieceId, PlaceInSegment)> = pieces.iter().map(turned).collect();
        let extents = places.iter().map(|(_, place)| Rectangle::of(place.position));
        let Rectangle { top_left, bottom_right } =
            extents.reduce(Rectangle::with).unwrap_or_default();
        let last = bottom_right - top_left;
        let (rows, cols) = (last.row.cast_unsigned() + 1, last.col.cast_unsigned() + 1);
        let mut bits = Bits::new(rows, cols);
        let mut pieces_by_row = vec![0; rows as usize];
        for (_, place) in &mut places {
            place.position = place.position - top_left;
            let Position { row, col } = place.position;
            bits.set(row.cast_unsigned(), col.cast_unsigned(), true);
            pieces_by_row[row.cast_unsigned() as usize] += 1;
        }
        Self { places, cols, bits, pieces_by_row }
    }

    const fn rows(&self) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "counted in 32 bits")]
        let rows = self.pieces_by_row.len() as u32;
        rows
    }

    /// How many pieces find an empty cell with the corner here, and how many sides they touch there;
    /// nothing if fewer find one than `least`.
    fn score(&self, room: &Room, row: u32, col: u32, least: u32) -> Option<(u32, u32)> {
        let mut num_free: u32 = self.pieces_by_row.iter().sum();
        for (own_row, num_pieces) in (0..).zip(&self.pieces_by_row) {
            num_free -= num_pieces - self.bits.common(own_row, &room.free, row + own_row, col);
            if num_free < least {
                return None;
            }
        }
        let mut touching = 0;
        for own_row in 0..self.rows() {
            for (bit, bits) in room.touching.iter().enumerate() {
                touching += self.bits.common(own_row, bits, row + own_row, col) << bit;
            }
        }
        Some((num_free, touching))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn grid(rows: u64, cols: u64) -> Grid {
        Grid::new(rows, cols).unwrap()
    }

    /// Rectangles of pieces, numbered one after the other, each row by row.
    fn rectangles(sizes: &[(usize, usize)]) -> Segments {
        let mut segments = Segments::singles(sizes.iter().map(|(rows, cols)| rows * cols).sum());
        let mut first = 0;
        for &(rows, cols) in sizes {
            let side = |row: usize, col: usize, side: Side| {
                SideId::new(PieceId::new(first + row * cols + col), side)
            };
            for (row, col) in (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
                let limit = crate::locations::segment::Limit::None;
                if col > 0 {
                    let (a, b) = (side(row, col - 1, Side::Right), side(row, col, Side::Left));
                    segments.try_join(a, b, limit);
                } else if row > 0 {
                    let (a, b) = (side(row - 1, 0, Side::Bottom), side(row, 0, Side::Top));
                    segments.try_join(a, b, limit);
                }
            }
            first += rows * cols;
        }
        segments
    }

    /// Asserts that no two pieces share a cell and no piece lies twice; returns the pieces by cell.
    fn checked(frame: Grid, packed: &[Placement]) -> FxHashMap<(u32, u32), Placement> {
        let mut by_cell = FxHashMap::default();
        let mut pieces = std::collections::BTreeSet::new();
        for placement in packed {
            let Cell { row, col } = placement.place.cell;
            assert!(frame.contains(placement.place.cell));
            assert!(by_cell.insert((row, col), *placement).is_none(), "two in a cell");
            assert!(pieces.insert(placement.piece), "a piece in two cells");
        }
        by_cell
    }

    #[test]
    fn what_fits_side_by_side_is_packed_whole() {
        for seed in 0..5 {
            let segments = rectangles(&[(20, 9), (5, 9), (9, 5), (2, 9)]);
            for (frame, turns) in [(grid(9, 32), TurnSet::Quarter), (grid(32, 9), TurnSet::Quarter)]
            {
                let packed = pack_from(1, &segments, &[], frame, turns, seed);
                checked(frame, &packed);
                assert_eq!(packed.len(), 20 * 9 + 5 * 9 + 9 * 5 + 2 * 9);
            }
            // Without turns the third does not fit as a whole, and is cut.
            let packed = pack_from(16, &segments, &[], grid(32, 9), TurnSet::None, seed);
            checked(grid(32, 9), &packed);
            assert!(packed.len() >= 20 * 9 + 5 * 9 + 2 * 9 + 16, "{}", packed.len());
            assert!(packed.iter().all(|placement| placement.place.turn == QuarterTurn::ZERO));
        }
    }

    #[test]
    fn what_is_cut_lies_in_parts_that_hang_together() {
        let segments = rectangles(&[(8, 20), (1, 20), (1, 20)]);
        let frame = grid(10, 20);
        let packed = pack_from(16, &segments, &[], frame, TurnSet::Half, 3);
        assert_eq!(checked(frame, &packed).len(), 200);
        let segments = rectangles(&[(8, 16), (3, 24)]);
        let packed = pack_from(1, &segments, &[], grid(10, 24), TurnSet::None, 3);
        let by_cell = checked(grid(10, 24), &packed);
        assert_eq!(packed.len(), 8 * 16 + 3 * 24);
        let seams = by_cell.iter().filter(|&(&(row, col), placement)| {
            let next = by_cell.get(&(row, col + 1));
            next.is_some_and(|next| next.piece.index() == placement.piece.index() + 1)
        });
        // All seams within rows, but for those of a cut.
        let seams = seams.count();
        assert!(seams >= 8 * 15 + 3 * 23 - 8, "{seams}");
    }

    #[test]
    fn a_segment_goes_where_likely_matches_would_have_it() {
        // Two halves of a picture, and a piece that lies where the other half would.
        let mut segments = rectangles(&[(12, 10), (12, 9), (1, 1)]);
        let side = |piece: usize, side: Side| SideId::new(PieceId::new(piece), side);
        let no_limit = crate::locations::segment::Limit::None;
        assert!(segments.try_join(side(49, Side::Right), side(228, Side::Left), no_limit));
        let seams: Vec<(SideId, SideId)> = (0..12)
            .map(|row| (side(10 * row + 9, Side::Right), side(120 + 9 * row, Side::Left)))
            .collect();
        let (frame, turns) = (grid(24, 24), TurnSet::Quarter);
        for seed in 0..5 {
            let together = |matches: &[(SideId, SideId)]| {
                let packed = pack_from(16, &segments, matches, frame, turns, seed);
                checked(frame, &packed);
                let place: FxHashMap<usize, Place> =
                    packed.iter().map(|x| (x.piece.index(), x.place)).collect();
                let touches = |&(a, b): &(SideId, SideId)| {
                    let (Some(at), Some(there)) =
                        (place.get(&a.piece().index()), place.get(&b.piece().index()))
                    else {
                        return false;
                    };
                    let direction = a.side() + at.turn;
                    frame.neighbor(at.cell, direction) == Some(there.cell)
                        && b.side() + there.turn == direction.opposite()
                };
                seams.iter().filter(|pair| touches(pair)).count()
            };
            // The seam with the piece in the way is lost.
            assert_eq!(together(&seams), 11);
            assert_eq!(together(&seams[..ENOUGH_MATCHES]), 11);
            assert!(together(&seams[..ENOUGH_MATCHES - 1]) < 11);
        }
    }

    #[test]
    fn small_segments_are_packed_only_where_none_is_large() {
        let frame = grid(30, 40);
        let count =
            |sizes: &[(usize, usize)]| pack(&rectangles(sizes), &[], frame, TurnSet::None, 2).len();
        assert_eq!(count(&[(5, 4), (2, 2), (4, 1), (3, 1)]), 20);
        assert_eq!(count(&[(5, 4), (1, 5), (5, 2), (2, 2)]), 35);
        assert_eq!(count(&[(30, 20), (20, 10), (10, 20), (5, 20)]), 600 + 200 + 200);
        assert_eq!(count(&[(30, 20), (5, 20)]), 600);
        assert_eq!(count(&[(1, 1)]), 1);
        // Of very many some are left out.
        assert_eq!(count(&[(1, 3); 350]), 3 * MOST_PACKED);
    }

    #[test]
    fn scores_are_those_of_counting_cell_by_cell() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..20 {
            let frame = grid(random.random_range(5..90), random.random_range(70..150));
            let mut room = Room::new(frame);
            for cell in frame.cells() {
                if random.random_bool(0.3) {
                    room.take(cell);
                }
            }
            room.count_touching();
            let rows = random.random_range(1..5);
            let segments = rectangles(&[(rows, random.random_range(1..70))]);
            let pieces: Vec<PieceId> = segments.by_size()[0].pieces().to_vec();
            let shape = Shape::new(&segments, &pieces, QuarterTurn::ZERO);
            for _ in 0..20 {
                let row = random.random_range(0..=frame.rows() - shape.rows());
                let col = random.random_range(0..=frame.cols() - shape.cols);
                let (mut num_free, mut touching) = (0, 0);
                for (_, place) in &shape.places {
                    let corner = Position { row: row.cast_signed(), col: col.cast_signed() };
                    let cell = room.cell_at(place.position + corner).unwrap();
                    if room.is_free(cell) {
                        num_free += 1;
                        let next = Side::ALL.map(|side| frame.neighbor(cell, side));
                        let taken = next.iter().filter(|x| x.is_none_or(|x| !room.is_free(x)));
                        touching += u32::try_from(taken.count()).unwrap();
                    }
                }
                let score = shape.score(&room, row, col, 0);
                assert_eq!(score, Some((num_free, touching)));
                assert_eq!(shape.score(&room, row, col, num_free), score);
                assert_eq!(shape.score(&room, row, col, num_free + 1), None);
            }
        }
    }
}
