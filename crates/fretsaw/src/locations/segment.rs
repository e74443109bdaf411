//! Rigid groups of pieces that have no place on the board yet.

use crate::puzzle::{Grid, PieceId, QuarterTurn, Side, SideId, SidePair, TurnSet};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::ops::{Add, Sub};

/// A position in a segment's own coordinates, or a difference of two.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Position {
    /// Counted downward.
    pub row: i32,
    /// Counted rightward.
    pub col: i32,
}

impl Position {
    /// The position next to this one.
    #[must_use]
    pub const fn next_to(self, direction: Side) -> Self {
        let (down, right) = direction.step();
        Self { row: self.row + down, col: self.col + right }
    }

    /// The position after turning the plane clockwise around the origin.
    #[must_use]
    pub const fn turned(self, turn: QuarterTurn) -> Self {
        let Self { row, col } = self;
        match turn.clockwise() {
            0 => self,
            1 => Self { row: col, col: -row },
            2 => Self { row: -row, col: -col },
            _ => Self { row: -col, col: row },
        }
    }
}

impl Add for Position {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { row: self.row + other.row, col: self.col + other.col }
    }
}

impl Sub for Position {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { row: self.row - other.row, col: self.col - other.col }
    }
}

/// Where a piece lies in its segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaceInSegment {
    /// Its cell.
    pub position: Position,
    /// Clockwise turns applied to the piece as handed in.
    pub turn: QuarterTurn,
}

/// The smallest upright rectangle around some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// The smallest row and column.
    pub top_left: Position,
    /// The largest row and column.
    pub bottom_right: Position,
}

impl Extent {
    /// Around one position.
    #[must_use]
    pub const fn of(position: Position) -> Self {
        Self { top_left: position, bottom_right: position }
    }

    /// Whether it has at most so many rows and columns.
    #[must_use]
    pub fn fits(self, rows: u32, cols: u32) -> bool {
        let Position { row, col } = self.bottom_right - self.top_left;
        i64::from(row) < i64::from(rows) && i64::from(col) < i64::from(cols)
    }

    /// Around this one and another.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let (a, b) = (self, other);
        Self {
            top_left: Position {
                row: a.top_left.row.min(b.top_left.row),
                col: a.top_left.col.min(b.top_left.col),
            },
            bottom_right: Position {
                row: a.bottom_right.row.max(b.bottom_right.row),
                col: a.bottom_right.col.max(b.bottom_right.col),
            },
        }
    }

    fn moved(self, motion: Motion) -> Self {
        let corner = |position: Position| Self::of(position.turned(motion.turn) + motion.shift);
        corner(self.top_left).with(corner(self.bottom_right))
    }
}

/// How large segments may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// No limit.
    None,
    /// A segment must fit into the frame; where quarter turns are possible, also lying across.
    Frame {
        /// The frame.
        frame: Grid,
        /// How pieces may be turned.
        turns: TurnSet,
    },
}

impl Limit {
    fn allows(self, extent: Extent) -> bool {
        let Self::Frame { frame, turns } = self else { return true };
        let across = turns == TurnSet::Quarter && extent.fits(frame.cols(), frame.rows());
        across || extent.fits(frame.rows(), frame.cols())
    }
}

/// A rigid group of pieces; each cell holds at most one.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    pieces: Vec<PieceId>,
    cells: FxHashMap<Position, PieceId>,
    extent: Extent,
}

impl Segment {
    /// Its pieces, in the order in which they joined.
    #[must_use]
    pub fn pieces(&self) -> &[PieceId] {
        &self.pieces
    }

    /// The piece at a position.
    #[must_use]
    pub fn piece_at(&self, position: Position) -> Option<PieceId> {
        self.cells.get(&position).copied()
    }

    /// The smallest rectangle around it.
    #[must_use]
    pub const fn extent(&self) -> Extent {
        self.extent
    }
}

/// All pieces, in segments; at first each is alone.
#[derive(Clone, Debug)]
pub struct Segments {
    segment_of: Vec<usize>,
    places: Vec<PlaceInSegment>,
    segments: Vec<Segment>,
}

/// A rigid motion: turn around the origin, then shift.
#[derive(Clone, Copy, Debug)]
struct Motion {
    turn: QuarterTurn,
    shift: Position,
}

impl Motion {
    fn apply(self, place: PlaceInSegment) -> PlaceInSegment {
        PlaceInSegment {
            position: place.position.turned(self.turn) + self.shift,
            turn: place.turn + self.turn,
        }
    }

    /// The motion that brings a place to another.
    fn between(from: PlaceInSegment, to: PlaceInSegment) -> Self {
        let turn = to.turn - from.turn;
        Self { turn, shift: to.position - from.position.turned(turn) }
    }
}

impl Segments {
    /// Every piece alone at the origin of its own segment.
    #[must_use]
    pub fn singles(num_pieces: usize) -> Self {
        Self::alone(std::iter::repeat_n(PlaceInSegment::default(), num_pieces))
    }

    /// Every piece alone in its own segment, at the place given.
    #[must_use]
    pub fn alone(places: impl IntoIterator<Item = PlaceInSegment>) -> Self {
        let places: Vec<PlaceInSegment> = places.into_iter().collect();
        let alone = |(index, place): (usize, &PlaceInSegment)| {
            let piece = PieceId::new(index);
            let cells = std::iter::once((place.position, piece)).collect();
            Segment { pieces: vec![piece], cells, extent: Extent::of(place.position) }
        };
        Self {
            segment_of: (0..places.len()).collect(),
            segments: places.iter().enumerate().map(alone).collect(),
            places,
        }
    }

    /// Number of pieces.
    #[must_use]
    pub const fn num_pieces(&self) -> usize {
        self.places.len()
    }

    /// Where a piece lies in its segment.
    #[must_use]
    pub fn place_of(&self, piece: PieceId) -> PlaceInSegment {
        self.places[piece.index()]
    }

    /// The segments that hold pieces, largest first; equally large ones by their first piece.
    #[must_use]
    pub fn by_size(&self) -> Vec<&Segment> {
        let mut segments: Vec<&Segment> =
            self.segments.iter().filter(|segment| !segment.pieces.is_empty()).collect();
        segments.sort_by_key(|segment| std::cmp::Reverse(segment.pieces.len()));
        segments
    }

    /// The number of a piece's segment; pieces of one segment share it.
    #[must_use]
    pub fn segment_of(&self, piece: PieceId) -> usize {
        self.segment_of[piece.index()]
    }

    /// What lies across a side, in the segment of its piece.
    fn across(&self, side: SideId) -> Position {
        let place = self.place_of(side.piece());
        place.position.next_to(side.side() + place.turn)
    }

    /// The piece that a side touches in its segment.
    #[must_use]
    pub fn piece_across(&self, side: SideId) -> Option<PieceId> {
        self.segments[self.segment_of(side.piece())].piece_at(self.across(side))
    }

    /// Whether two sides touch.
    #[must_use]
    pub fn touch(&self, a: SideId, b: SideId) -> bool {
        self.segment_of(a.piece()) == self.segment_of(b.piece())
            && self.across(a) == self.place_of(b.piece()).position
            && self.across(b) == self.place_of(a.piece()).position
    }

    /// How the segment of `b` must move for the two sides to touch, if no two pieces then share a
    /// cell and the joined segment keeps within the limit.
    fn motion_to_join(&self, a: SideId, b: SideId, limit: Limit) -> Option<Motion> {
        let segment_a = &self.segments[self.segment_of(a.piece())];
        let segment_b = &self.segments[self.segment_of(b.piece())];
        // Most matches fail here, where one of the two sides is already taken.
        let target = self.across(a);
        if segment_a.cells.contains_key(&target) || segment_b.cells.contains_key(&self.across(b)) {
            return None;
        }
        let turn = self.place_of(a.piece()).turn + SidePair::of(a, b).turn_j_from_i();
        let motion =
            Motion::between(self.place_of(b.piece()), PlaceInSegment { position: target, turn });
        if !limit.allows(segment_a.extent.with(segment_b.extent.moved(motion))) {
            return None;
        }
        let collides = segment_b.pieces.iter().any(|piece| {
            segment_a.cells.contains_key(&motion.apply(self.places[piece.index()]).position)
        });
        (!collides).then_some(motion)
    }

    /// The two sides, that of the larger segment first; `None` if they lie in one segment.
    fn larger_first(&self, a: SideId, b: SideId) -> Option<(SideId, SideId)> {
        let (segment_a, segment_b) = (self.segment_of(a.piece()), self.segment_of(b.piece()));
        if segment_a == segment_b {
            return None;
        }
        let size = |segment: usize| self.segments[segment].pieces.len();
        Some(if size(segment_a) < size(segment_b) { (b, a) } else { (a, b) })
    }

    /// Whether [`Self::try_join`] would join two segments.
    #[must_use]
    pub fn can_join(&self, a: SideId, b: SideId, limit: Limit) -> bool {
        self.larger_first(a, b).is_some_and(|(a, b)| self.motion_to_join(a, b, limit).is_some())
    }

    /// Join two segments so that side `a` touches side `b`, if no two pieces then share a cell and
    /// the joined segment keeps within the limit.
    ///
    /// Returns whether they were joined now. The larger segment keeps its coordinates.
    pub fn try_join(&mut self, a: SideId, b: SideId, limit: Limit) -> bool {
        let Some((a, b)) = self.larger_first(a, b) else { return false };
        let Some(motion) = self.motion_to_join(a, b, limit) else { return false };
        self.join(a, b, motion);
        true
    }

    /// The same, if the sides that would come to touch are approved of: they are named in pairs.
    pub fn try_join_if(
        &mut self,
        a: SideId,
        b: SideId,
        limit: Limit,
        is_good: impl FnOnce(&[(SideId, SideId)]) -> bool,
    ) -> bool {
        let Some((a, b)) = self.larger_first(a, b) else { return false };
        let Some(motion) = self.motion_to_join(a, b, limit) else { return false };
        let goes = is_good(&self.contacts_after(a, b, motion));
        if goes {
            self.join(a, b, motion);
        }
        goes
    }

    /// The sides of the segments of `a` and of `b` that would touch after the motion of the latter.
    fn contacts_after(&self, a: SideId, b: SideId, motion: Motion) -> Vec<(SideId, SideId)> {
        let segment_a = &self.segments[self.segment_of(a.piece())];
        let segment_b = &self.segments[self.segment_of(b.piece())];
        let mut contacts = Vec::new();
        for &piece in &segment_b.pieces {
            let PlaceInSegment { position, turn } = motion.apply(self.place_of(piece));
            for direction in Side::ALL {
                if let Some(other) = segment_a.piece_at(position.next_to(direction)) {
                    let turn_of_other = self.place_of(other).turn;
                    contacts.push((
                        SideId::new(piece, direction - turn),
                        SideId::new(other, direction.opposite() - turn_of_other),
                    ));
                }
            }
        }
        contacts
    }

    fn join(&mut self, a: SideId, b: SideId, motion: Motion) {
        let (segment_a, segment_b) = (self.segment_of(a.piece()), self.segment_of(b.piece()));
        let joining = std::mem::take(&mut self.segments[segment_b]);
        let segment = &mut self.segments[segment_a];
        segment.extent = segment.extent.with(joining.extent.moved(motion));
        for piece in joining.pieces {
            let place = motion.apply(self.places[piece.index()]);
            self.places[piece.index()] = place;
            self.segment_of[piece.index()] = segment_a;
            segment.cells.insert(place.position, piece);
            segment.pieces.push(piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(piece: usize, side: Side) -> SideId {
        SideId::new(PieceId::new(piece), side)
    }

    #[test]
    fn joined_sides_touch_whatever_the_turns() {
        for pair in SidePair::all() {
            let mut segments = Segments::singles(3);
            // A partner first, so that the joint moves a segment that is already turned.
            assert!(segments.try_join(
                side(1, pair.of_j.opposite()),
                side(2, Side::Top),
                Limit::None
            ));
            assert!(segments.try_join(side(0, pair.of_i), side(1, pair.of_j), Limit::None));
            assert_eq!(
                segments.across(side(0, pair.of_i)),
                segments.place_of(PieceId::new(1)).position
            );
            assert_eq!(
                segments.across(side(1, pair.of_j)),
                segments.place_of(PieceId::new(0)).position
            );
            assert_eq!(
                segments.across(side(2, Side::Top)),
                segments.place_of(PieceId::new(1)).position
            );
            assert_eq!(segments.by_size().len(), 1);
        }
    }

    #[test]
    fn segments_that_would_overlap_are_not_joined() {
        let mut segments = Segments::singles(5);
        // 0 with 1 at its right and 2 below 1; then 3 below 0 with 4 at its right would meet 2.
        assert!(segments.try_join(side(0, Side::Right), side(1, Side::Left), Limit::None));
        assert!(segments.try_join(side(1, Side::Bottom), side(2, Side::Top), Limit::None));
        assert!(segments.try_join(side(3, Side::Right), side(4, Side::Left), Limit::None));
        assert!(!segments.try_join(side(0, Side::Bottom), side(3, Side::Top), Limit::None));
        assert!(
            !segments.try_join(side(0, Side::Right), side(4, Side::Left), Limit::None),
            "side taken"
        );
        assert!(
            !segments.try_join(side(0, Side::Top), side(2, Side::Top), Limit::None),
            "same segment"
        );
        assert_eq!(segments.by_size().len(), 2);
    }

    #[test]
    fn all_sides_that_would_touch_are_named_before_segments_are_joined() {
        let mut segments = Segments::singles(4);
        // 0 with 1 at its right; 2, upside down, with 3 at the left of it as it lies.
        assert!(segments.try_join(side(0, Side::Right), side(1, Side::Left), Limit::None));
        assert!(segments.try_join(side(2, Side::Right), side(3, Side::Left), Limit::None));
        let mut named = Vec::new();
        let (a, b) = (side(0, Side::Bottom), side(3, Side::Bottom));
        let joined = segments.try_join_if(a, b, Limit::None, |contacts| {
            named = contacts.iter().map(|&(x, y)| (x.min(y), x.max(y))).collect();
            false
        });
        named.sort();
        let expected = [(a, b), (side(1, Side::Bottom), side(2, Side::Bottom))];
        assert_eq!((joined, &named[..]), (false, &expected[..]));
        assert!(!segments.touch(a, b));
        assert!(segments.try_join_if(a, b, Limit::None, |_| true));
        assert!(expected.iter().all(|&(a, b)| segments.touch(a, b)));
    }

    #[test]
    fn segments_keep_within_the_frame() {
        let frame = Grid::new(2, 3).unwrap();
        for (turns, longest) in [(TurnSet::None, 2), (TurnSet::Half, 2), (TurnSet::Quarter, 3)] {
            let limit = Limit::Frame { frame, turns };
            let mut segments = Segments::singles(4);
            // A column of four does not fit; where it may lie across, a column of three does.
            for piece in 0..3 {
                segments.try_join(side(piece, Side::Bottom), side(piece + 1, Side::Top), limit);
            }
            assert_eq!(segments.by_size()[0].pieces().len(), longest, "{turns:?}");
        }
    }

    #[test]
    fn what_can_join_does_and_then_touches() {
        let mut segments = Segments::singles(3);
        let (a, b) = (side(0, Side::Top), side(1, Side::Top));
        assert!(segments.can_join(a, b, Limit::None) && !segments.touch(a, b));
        assert!(segments.try_join(a, b, Limit::None));
        assert!(segments.touch(a, b) && segments.touch(b, a));
        assert!(!segments.touch(a, side(1, Side::Left)), "the same pieces along other sides");
        assert!(!segments.can_join(a, b, Limit::None), "one segment already");
        assert_eq!(segments.piece_across(a), Some(PieceId::new(1)));
        assert_eq!(segments.piece_across(side(2, Side::Top)), None);
    }
}
