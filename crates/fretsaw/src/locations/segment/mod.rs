//! Segments: rigid groups of pieces whose place on the board is not decided yet.

mod geometry;

use super::matches::Match;
use crate::puzzle::{Grid, PieceId, Side, SideId, SidePair, TurnSet};
pub(crate) use geometry::Motion;
pub use geometry::{PlaceInSegment, Position, Rectangle};
use rustc_hash::FxHashMap;

/// How large segments may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// No limit.
    None,
    /// A segment must fit into the frame, or into the frame turned by 90 degrees where quarter turns are
    /// allowed.
    Frame {
        /// The frame.
        frame: Grid,
        /// How pieces may be turned.
        turns: TurnSet,
    },
}

impl Limit {
    fn allows(self, extent: Rectangle) -> bool {
        let Self::Frame { frame, turns } = self else { return true };
        let fits_turned = turns == TurnSet::Quarter && extent.fits(frame.cols(), frame.rows());
        fits_turned || extent.fits(frame.rows(), frame.cols())
    }
}

/// A rigid group of pieces; each cell holds at most one.
#[derive(Clone, Debug, Default)]
pub struct Segment {
    pieces: Vec<PieceId>,
    cells: FxHashMap<Position, PieceId>,
    extent: Rectangle,
}

impl Segment {
    /// Its pieces, in the order in which they joined.
    pub fn pieces(&self) -> &[PieceId] {
        &self.pieces
    }

    /// The piece at a position.
    pub fn piece_at(&self, position: Position) -> Option<PieceId> {
        self.cells.get(&position).copied()
    }

    /// The smallest rectangle around it.
    pub const fn extent(&self) -> Rectangle {
        self.extent
    }
}

/// A partition of all pieces into segments. At first every piece is a segment of its own.
#[derive(Clone, Debug)]
pub struct Segments {
    segment_of: Vec<usize>,
    places: Vec<PlaceInSegment>,
    segments: Vec<Segment>,
}

impl Segments {
    /// Every piece is a segment of its own, at the origin.
    pub fn singles(num_pieces: usize) -> Self {
        Self::alone(std::iter::repeat_n(PlaceInSegment::default(), num_pieces))
    }

    /// Every piece is a segment of its own, at the place given.
    pub fn alone(places: impl IntoIterator<Item = PlaceInSegment>) -> Self {
        let places: Vec<PlaceInSegment> = places.into_iter().collect();
        let alone = |(index, place): (usize, &PlaceInSegment)| {
            let piece = PieceId::new(index);
            let cells = std::iter::once((place.position, piece)).collect();
            Segment { pieces: vec![piece], cells, extent: Rectangle::of(place.position) }
        };
        Self {
            segment_of: (0..places.len()).collect(),
            segments: places.iter().enumerate().map(alone).collect(),
            places,
        }
    }

    /// Number of pieces.
    pub const fn num_pieces(&self) -> usize {
        self.places.len()
    }

    /// Where a piece lies in its segment.
    pub fn place_of(&self, piece: PieceId) -> PlaceInSegment {
        self.places[piece.index()]
    }

    /// The segments that hold pieces, largest first; equally large ones by their first piece.
    pub fn by_size(&self) -> Vec<&Segment> {
        let mut segments: Vec<&Segment> =
            self.segments.iter().filter(|segment| !segment.pieces.is_empty()).collect();
        segments.sort_by_key(|segment| std::cmp::Reverse(segment.pieces.len()));
        segments
    }

    /// The number of a piece's segment; pieces of one segment share it.
    pub fn segment_of(&self, piece: PieceId) -> usize {
        self.segment_of[piece.index()]
    }

    /// The position across a side, in the coordinates of its piece's segment.
    fn across(&self, side: SideId) -> Position {
        let place = self.place_of(side.piece());
        place.position.next_to(side.side() + place.turn)
    }

    /// The piece that a side touches in its segment.
    pub fn piece_across(&self, side: SideId) -> Option<PieceId> {
        self.segments[self.segment_of(side.piece())].piece_at(self.across(side))
    }

    /// Whether two sides lie in one segment and touch.
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
        let place_b = self.place_of(b.piece());
        let motion = Motion::new(place_b.position, target, turn - place_b.turn);
        if !limit.allows(segment_a.extent.with(segment_b.extent.moved(motion))) {
            return None;
        }
        let collides = segment_b.pieces.iter().any(|piece| {
            segment_a.cells.contains_key(&motion.apply(self.place_of(*piece).position))
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

    /// Gallagher's constrained tree \[Gal12\], Kruskal's algorithm in which no two pieces may share a cell: joins
    /// segments along the matches, best first as given. Cost: one collision check per match, linear in the smaller
    /// segment.
    pub fn grow<'m>(&mut self, matches: impl IntoIterator<Item = &'m Match>, limit: Limit) {
        for &Match { a, b, .. } in matches {
            self.try_join(a, b, limit);
        }
    }

    /// As [`Self::try_join`], but joins only if `is_good` accepts the pairs of sides that would touch.
    pub fn try_join_if(
        &mut self,
        a: SideId,
        b: SideId,
        limit: Limit,
        is_good: impl FnOnce(&[(SideId, SideId)]) -> bool,
    ) -> bool {
        let Some((a, b)) = self.larger_first(a, b) else { return false };
        let Some(motion) = self.motion_to_join(a, b, limit) else { return false };
        let joins = is_good(&self.contacts_after(a, b, motion));
        if joins {
            self.join(a, b, motion);
        }
        joins
    }

    /// The pairs of sides that would touch after the segment of `b` moved to that of `a`.
    fn contacts_after(&self, a: SideId, b: SideId, motion: Motion) -> Vec<(SideId, SideId)> {
        let segment_a = &self.segments[self.segment_of(a.piece())];
        let segment_b = &self.segments[self.segment_of(b.piece())];
        let mut contacts = Vec::new();
        for &piece in &segment_b.pieces {
            let PlaceInSegment { position, turn } = motion.apply_to_place(self.place_of(piece));
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
            let place = motion.apply_to_place(self.places[piece.index()]);
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
    fn joined_sides_touch_for_all_turns() {
        for pair in SidePair::all() {
            let mut segments = Segments::singles(3);
            // Join 1 and 2 first, so that the second join moves a segment that is already turned.
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
        // 1 is right of 0, 2 below 1, 4 right of 3. With 3 below 0, pieces 4 and 2 would overlap.
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
    fn try_join_if_passes_all_pairs_of_sides_that_would_touch() {
        let mut segments = Segments::singles(4);
        // 1 is right of 0. 3 is right of 2; turned upside down, 3 lies left of 2.
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
            // A column of four never fits; a column of three fits where it may be turned.
            for piece in 0..3 {
                segments.try_join(side(piece, Side::Bottom), side(piece + 1, Side::Top), limit);
            }
            assert_eq!(segments.by_size()[0].pieces().len(), longest, "{turns:?}");
        }
    }

    #[test]
    fn segments_that_can_join_do_join_and_then_touch() {
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
