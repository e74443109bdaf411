//! Packing: places large segments side by side in the frame, the largest first.
//!
//! Two segments that belong together may not have joined, because a single wrong piece is in the way. So a segment
//! is placed next to earlier ones where enough likely matches agree on a place. Other segments go where most of
//! their pieces find an empty cell; of such places, where they touch most pieces or edges, which leaves the
//! most room for the next. Pieces that find no empty cell are cut off and packed like segments of their
//! own. A cut costs the seams along it; breaking up the segment would cost all its seams.
//!
//! Cost: all matches, and for each segment all places in the frame times the rows of the segment, 64 columns at a
//! time. The number of segments is limited, so for segments of a given size this is linear in the frame.

mod bitmap;

use super::segment::{PlaceInSegment, Position, Segments};
use crate::observer::{Observer, is_over};
use crate::puzzle::{Grid, PieceId, Place, Placement, Side, SideId, TurnSet};
use crate::random::Stream;
use bitmap::{FreeCells, Shape};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Segments with fewer pieces are not packed: it is better to place their pieces by matches than together at a random
/// place, from which the search would hardly move them.
const SMALLEST: usize = 400;
/// But where all segments are small, those with at least 1 / 4 of the pieces of the largest are packed.
const SHARE_OF_LARGEST: usize = 4;
/// The most segments that are packed; otherwise the time could be quadratic in the size of the puzzle.
const MOST_PACKED: usize = 200;

/// The least number of likely matches that decide the place of a segment.
const ENOUGH_MATCHES: usize = 8;
/// At least 1 / 2 of its pieces must find an empty cell there.
const SHARE_WITH_ROOM: usize = 2;

/// The placements of the pieces of the large segments, of which some may be cut. `matches` are likely pairs. The seed
/// breaks ties. After a stop, segments go only where matches say, which takes no time.
pub(crate) fn pack(
    segments: &Segments,
    matches: &[(SideId, SideId)],
    frame: Grid,
    turns: TurnSet,
    seed: u64,
    observer: &dyn Observer,
) -> Vec<Placement> {
    let largest = segments.by_size().first().map_or(0, |segment| segment.pieces().len());
    let smallest = SMALLEST.min(largest.div_ceil(SHARE_OF_LARGEST));
    pack_from(smallest, segments, matches, frame, turns, seed, observer)
}

/// As [`pack`], for segments and parts of at least `smallest` pieces.
fn pack_from(
    smallest: usize,
    segments: &Segments,
    matches: &[(SideId, SideId)],
    frame: Grid,
    turns: TurnSet,
    seed: u64,
    observer: &dyn Observer,
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
    let mut room = FreeCells::new(frame);
    let mut packed = Vec::new();
    let matches = MatchesOfPieces::new(matches);
    let mut places: FxHashMap<PieceId, Place> = FxHashMap::default();
    for _ in 0..MOST_PACKED {
        let Some((_, Reverse(pieces))) = waiting.pop() else { break };
        let ways = turns.turns().iter().map(|&turn| Shape::new(segments, &pieces, turn));
        let ways: Vec<Shape> = ways.collect();
        let found = matched_place(&ways, &matches, &places, &room, &mut random).or_else(|| {
            let has_time = packed.is_empty() || !is_over(observer);
            has_time.then(|| best_place(&ways, &room, &mut random)).flatten()
        });
        let Some((shape, corner)) = found else { continue };
        let mut left_over = FxHashMap::default();
        for &(piece, PlaceInSegment { position, turn }) in &shape.places {
            match (position + corner).cell_of(room.frame).filter(|&cell| room.is_free(cell)) {
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

/// The connected parts of pieces at positions; `in_order` decides the order of the parts.
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

/// Likely matches, by piece: each is found at both of its pieces.
struct MatchesOfPieces {
    /// Sides of a piece and what they match, in the order of the pieces.
    matches: Vec<(SideId, SideId)>,
}

impl MatchesOfPieces {
    fn new(matches: &[(SideId, SideId)]) -> Self {
        let mut matches: Vec<(SideId, SideId)> =
            matches.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        matches.par_sort_unstable();
        Self { matches }
    }

    fn of(&self, piece: PieceId) -> impl Iterator<Item = (SideId, SideId)> {
        let start = self.matches.partition_point(|(a, _)| a.piece() < piece);
        self.matches[start..].iter().copied().take_while(move |(a, _)| a.piece() == piece)
    }
}

/// The place that most likely matches with placed pieces agree on, if there are enough of them and there is room.
fn matched_place<'s>(
    ways: &'s [Shape],
    matches: &MatchesOfPieces,
    places: &FxHashMap<PieceId, Place>,
    room: &FreeCells,
    random: &mut Stream,
) -> Option<(&'s Shape, Position)> {
    // The order of the pieces is the same in all orientations.
    let pieces = ways.first()?.places.iter().map(|&(piece, _)| piece).enumerate();
    let mut agreed: Vec<(usize, Position)> = Vec::new();
    for (index, (a, b)) in pieces.flat_map(|(at, piece)| matches.of(piece).map(move |it| (at, it)))
    {
        let Some(place) = places.get(&b.piece()) else { continue };
        let direction = b.side() + place.turn;
        let Some(next) = room.frame.neighbor(place.cell, direction) else { continue };
        for (way, shape) in ways.iter().enumerate() {
            let (_, PlaceInSegment { position, turn }) = shape.places[index];
            if a.side() + turn == direction.opposite() {
                agreed.push((way, Position::from(next) - position));
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
        (place.position + corner).cell_of(room.frame).is_some_and(|cell| room.is_free(cell))
    };
    let num_with_room = shape.places.iter().filter(has_room).count();
    (SHARE_WITH_ROOM * num_with_room >= shape.places.len()).then_some((shape, corner))
}

/// The place where most pieces find an empty cell; of several, one where they touch most.
fn best_place<'s>(
    ways: &'s [Shape],
    room: &FreeCells,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::Silent;
    use crate::puzzle::{Cell, QuarterTurn};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn grid(rows: u64, cols: u64) -> Grid {
        Grid::new(rows, cols).unwrap()
    }

    /// Segments that are rectangles of pieces, which are numbered row by row.
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

    /// Asserts that no two pieces share a cell and no piece is placed twice; returns the placements by cell.
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
    fn segments_that_fit_side_by_side_are_packed_whole() {
        for seed in 0..5 {
            let segments = rectangles(&[(20, 9), (5, 9), (9, 5), (2, 9)]);
            for (frame, turns) in [(grid(9, 32), TurnSet::Quarter), (grid(32, 9), TurnSet::Quarter)]
            {
                let packed = pack_from(1, &segments, &[], frame, turns, seed, &Silent);
                checked(frame, &packed);
                assert_eq!(packed.len(), 20 * 9 + 5 * 9 + 9 * 5 + 2 * 9);
            }
            // Without turns the third does not fit as a whole, and is cut.
            let packed = pack_from(16, &segments, &[], grid(32, 9), TurnSet::None, seed, &Silent);
            checked(grid(32, 9), &packed);
            assert!(packed.len() >= 20 * 9 + 5 * 9 + 2 * 9 + 16, "{}", packed.len());
            assert!(packed.iter().all(|placement| placement.place.turn == QuarterTurn::ZERO));
        }
    }

    #[test]
    fn segments_are_cut_into_connected_parts() {
        let segments = rectangles(&[(8, 20), (1, 20), (1, 20)]);
        let frame = grid(10, 20);
        let packed = pack_from(16, &segments, &[], frame, TurnSet::Half, 3, &Silent);
        assert_eq!(checked(frame, &packed).len(), 200);
        let segments = rectangles(&[(8, 16), (3, 24)]);
        let packed = pack_from(1, &segments, &[], grid(10, 24), TurnSet::None, 3, &Silent);
        let by_cell = checked(grid(10, 24), &packed);
        assert_eq!(packed.len(), 8 * 16 + 3 * 24);
        let seams = by_cell.iter().filter(|&(&(row, col), placement)| {
            let next = by_cell.get(&(row, col + 1));
            next.is_some_and(|next| next.piece.index() == placement.piece.index() + 1)
        });
        // All seams within rows, except those of a cut.
        let seams = seams.count();
        assert!(seams >= 8 * 15 + 3 * 23 - 8, "{seams}");
    }

    #[test]
    fn a_segment_goes_where_likely_matches_agree() {
        // Two halves of a picture, and a piece in the way of the second half.
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
                let packed = pack_from(16, &segments, matches, frame, turns, seed, &Silent);
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
    fn small_segments_are_packed_only_if_none_is_large() {
        let frame = grid(30, 40);
        let count = |sizes: &[(usize, usize)]| {
            pack(&rectangles(sizes), &[], frame, TurnSet::None, 2, &Silent).len()
        };
        assert_eq!(count(&[(5, 4), (2, 2), (4, 1), (3, 1)]), 20);
        assert_eq!(count(&[(5, 4), (1, 5), (5, 2), (2, 2)]), 35);
        assert_eq!(count(&[(30, 20), (20, 10), (10, 20), (5, 20)]), 600 + 200 + 200);
        assert_eq!(count(&[(30, 20), (5, 20)]), 600);
        assert_eq!(count(&[(1, 1)]), 1);
        // Of very many segments some are left out.
        assert_eq!(count(&[(1, 3); 350]), 3 * MOST_PACKED);
    }

    #[test]
    fn scores_equal_counts_cell_by_cell() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..20 {
            let frame = grid(random.random_range(5..90), random.random_range(70..150));
            let mut room = FreeCells::new(frame);
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
                    let cell = (place.position + corner).cell_of(room.frame).unwrap();
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
