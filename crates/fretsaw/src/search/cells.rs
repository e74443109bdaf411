//! The cells that pieces are laid in: of one board, of several, of a part of one; and of a shelf.
//!
//! All of them lie in one plane, so that a segment moves from one board to another as it does on one:
//! boards side by side with a column between them, and below them the shelf, whose cells touch nothing.

use super::costs::SeamCosts;
use crate::constraints::Pin;
use crate::locations::segment::{Limit, Position};
use crate::puzzle::{Cell, Grid, PieceId, QuarterTurn, Side, SideId, TurnSet};

/// The number of a cell: of a single board row by row.
pub(super) type CellIndex = u32;

/// No cell: what lies beyond the border.
pub(super) const OUTSIDE: CellIndex = CellIndex::MAX;

/// What pieces are laid on: boards, and a shelf for pieces that belong on none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boards {
    /// Their sizes.
    pub frames: Vec<Grid>,
    /// How many pieces may be left out. One that is costs as much as if all its sides were borders.
    pub shelf: usize,
    /// Pieces that lie where they lie, on the first board.
    pub pins: Vec<Pin>,
}

impl From<Grid> for Boards {
    fn from(frame: Grid) -> Self {
        Self { frames: vec![frame], shelf: 0, pins: Vec::new() }
    }
}

impl Boards {
    /// The cells of all boards and of the shelf.
    #[must_use]
    pub fn num_cells(&self) -> usize {
        self.frames.iter().map(|frame| frame.num_cells()).sum::<usize>() + self.shelf
    }

    /// The board, if there is but one.
    pub(super) fn only(&self) -> Option<Grid> {
        match self.frames[..] {
            [frame] => Some(frame),
            _ => None,
        }
    }
}

/// Rows and columns of all there is to lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plane {
    pub(super) rows: u32,
    pub(super) cols: u32,
}

impl Plane {
    /// The number of a position, row by row, if it is in the plane.
    #[inline]
    const fn index_of(self, position: Position) -> Option<u32> {
        // Negative ones become large.
        let (row, col) = (position.row.cast_unsigned(), position.col.cast_unsigned());
        if row < self.rows && col < self.cols { Some(row * self.cols + col) } else { None }
    }
}

/// The cells, which touch which, and what lies around them if they are a part of a board.
#[derive(Debug)]
pub(super) struct Cells {
    boards: Boards,
    pub(super) plane: Plane,
    /// Where the cells lie, if they do not fill the plane.
    scattered: Option<Scattered>,
    next: Vec<[CellIndex; 4]>,
    /// By cell and direction, the side that lies beyond the edge; empty if this is no part.
    beyond: Vec<[Option<SideId>; 4]>,
    pins: Vec<PinnedCell>,
    /// By cell; empty if there are no pins.
    is_pinned: Vec<bool>,
}

/// A cell whose piece stays.
#[derive(Clone, Copy, Debug)]
pub(super) struct PinnedCell {
    pub(super) cell: CellIndex,
    pub(super) piece: PieceId,
    /// Any if none is given.
    pub(super) turn: Option<QuarterTurn>,
}

/// Cells that do not fill the plane.
#[derive(Debug)]
struct Scattered {
    /// By position, row by row.
    cell_at: Vec<CellIndex>,
    positions: Vec<Position>,
}

impl Cells {
    /// The cells of boards and their shelf.
    pub(super) fn new(boards: &Boards) -> Self {
        let mut positions = Vec::with_capacity(boards.num_cells());
        let mut left = 0;
        for &frame in &boards.frames {
            positions.extend(
                positions_of(frame).map(|Position { row, col }| Position { row, col: left + col }),
            );
            left += frame.cols().cast_signed() + 1;
        }
        let height = boards.frames.iter().map(|frame| frame.rows().cast_signed()).max();
        // The shelf has every other cell of every other row.
        let (top, per_row) = (height.unwrap_or(0) + 1, left.max(2) / 2);
        positions.extend((0..).take(boards.shelf).map(|index| Position {
            row: top + 2 * (index / per_row),
            col: 2 * (index % per_row),
        }));
        let cells = Self { boards: boards.clone(), ..Self::at_positions(positions) };
        let pins = boards.pins.iter().map(|&Pin { piece, cell, turn }| PinnedCell {
            cell: cells.of_place(0, cell),
            piece,
            turn,
        });
        let pins = pins.collect();
        cells.with_pins(pins)
    }

    /// The same with cells whose pieces stay.
    pub(super) fn with_pins(mut self, pins: Vec<PinnedCell>) -> Self {
        if !pins.is_empty() {
            self.is_pinned = vec![false; self.len()];
        }
        for pin in &pins {
            self.is_pinned[pin.cell as usize] = true;
        }
        Self { pins, ..self }
    }

    pub(super) fn pins(&self) -> &[PinnedCell] {
        &self.pins
    }

    /// Whether the piece of a cell stays.
    #[inline]
    pub(super) fn is_pinned(&self, cell: CellIndex) -> bool {
        self.is_pinned.get(cell as usize) == Some(&true)
    }

    /// A part of a board: cells at these positions, none of them negative, around which pieces lie that
    /// stay.
    pub(super) fn part(positions: Vec<Position>) -> Self {
        Self::at_positions(positions)
    }

    fn at_positions(positions: Vec<Position>) -> Self {
        let extent = |of: fn(&Position) -> i32| {
            1 + positions.iter().map(of).max().unwrap_or(0).cast_unsigned()
        };
        let plane =
            Plane { rows: extent(|position| position.row), cols: extent(|position| position.col) };
        let mut cell_at = vec![OUTSIDE; plane.rows as usize * plane.cols as usize];
        for (cell, &position) in (0..).zip(&positions) {
            if let Some(index) = plane.index_of(position) {
                cell_at[index as usize] = cell;
            }
        }
        let at = |position| plane.index_of(position).map_or(OUTSIDE, |at| cell_at[at as usize]);
        let around = |position: &Position| Side::ALL.map(|side| at(position.next_to(side)));
        let next = positions.iter().map(around).collect();
        let fills_plane = cell_at.iter().zip(0..).all(|(&cell, index)| cell == index);
        Self {
            boards: Boards { frames: Vec::new(), shelf: 0, pins: Vec::new() },
            plane,
            scattered: (!fills_plane).then_some(Scattered { cell_at, positions }),
            next,
            beyond: Vec::new(),
            pins: Vec::new(),
            is_pinned: Vec::new(),
        }
    }

    /// The same with what lies beyond the edge, by cell and direction.
    pub(super) fn with_beyond(self, beyond: Vec<[Option<SideId>; 4]>) -> Self {
        Self { beyond, ..self }
    }

    pub(super) const fn boards(&self) -> &Boards {
        &self.boards
    }

    /// Whether segments have their places in the plane: next to what lies around a part, on one board of
    /// several, or where a piece is pinned. Otherwise all pieces may be shifted together.
    pub(super) fn has_places(&self) -> bool {
        self.boards.only().is_none() || !self.pins.is_empty()
    }

    /// How large segments may grow.
    pub(super) fn limit(&self, turns: TurnSet) -> Limit {
        let most = |of: fn(&Grid) -> u32, plane: u32| {
            self.boards.frames.iter().map(of).max().map_or(plane, |most| most).into()
        };
        let rows = most(|frame| frame.rows(), self.plane.rows);
        let cols = most(|frame| frame.cols(), self.plane.cols);
        Grid::new(rows, cols).map_or(Limit::None, |frame| Limit::Frame { frame, turns })
    }

    /// The board and its cell that a cell is; nothing for the shelf.
    pub(super) fn place(&self, cell: CellIndex) -> Option<(usize, Cell)> {
        let mut index = cell as usize;
        for (board, frame) in self.boards.frames.iter().enumerate() {
            if index < frame.num_cells() {
                return Some((board, frame.cell_at(index)));
            }
            index -= frame.num_cells();
        }
        None
    }

    /// The cell of a board's cell.
    pub(super) fn of_place(&self, board: usize, cell: Cell) -> CellIndex {
        let before = &self.boards.frames[..board];
        let before: usize = before.iter().map(|frame| frame.num_cells()).sum();
        #[expect(clippy::cast_possible_truncation, reason = "there are fewer cells")]
        let index = (before + self.boards.frames[board].index_of(cell)) as CellIndex;
        index
    }

    /// The cells of the shelf.
    pub(super) fn shelf(&self) -> std::ops::Range<CellIndex> {
        let all = self.all();
        #[expect(clippy::cast_possible_truncation, reason = "there are fewer cells")]
        let shelf = self.boards.shelf as CellIndex;
        all.end - shelf..all.end
    }

    /// What lies across the edge.
    #[inline]
    pub(super) fn beyond(&self, cell: CellIndex, direction: Side) -> Option<SideId> {
        self.beyond.get(cell as usize).and_then(|sides| sides[direction.index()])
    }

    /// What a side costs that faces an edge: next to what lies beyond it, or at the border of the
    /// picture.
    #[inline]
    pub(super) fn edge_cost(
        &self,
        costs: &SeamCosts<'_>,
        cell: CellIndex,
        direction: Side,
        side: SideId,
    ) -> f32 {
        match self.beyond(cell, direction) {
            Some(other) => costs.of(side, other),
            None => costs.of_border(side),
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.next.len()
    }

    pub(super) fn all(&self) -> std::ops::Range<CellIndex> {
        #[expect(clippy::cast_possible_truncation, reason = "there are fewer cells")]
        let len = self.len() as CellIndex;
        0..len
    }

    /// The cell next to a cell, or [`OUTSIDE`].
    #[inline]
    pub(super) fn next(&self, cell: CellIndex, direction: Side) -> CellIndex {
        self.next[cell as usize][direction.index()]
    }

    /// The cells next to a cell, and [`OUTSIDE`] for those that it has not.
    pub(super) fn around(&self, cell: CellIndex) -> [CellIndex; 4] {
        self.next[cell as usize]
    }

    #[inline]
    pub(super) fn position(&self, cell: CellIndex) -> Position {
        if let Some(scattered) = &self.scattered {
            return scattered.positions[cell as usize];
        }
        let cols = self.plane.cols;
        Position { row: (cell / cols).cast_signed(), col: (cell % cols).cast_signed() }
    }

    /// The cell at a position, or [`OUTSIDE`].
    #[inline]
    pub(super) fn at(&self, position: Position) -> CellIndex {
        match (self.plane.index_of(position), &self.scattered) {
            (Some(index), None) => index,
            (Some(index), Some(scattered)) => scattered.cell_at[index as usize],
            (None, _) => OUTSIDE,
        }
    }
}

/// All positions of a frame, row by row.
pub(super) fn positions_of(frame: Grid) -> impl Iterator<Item = Position> {
    frame
        .cells()
        .map(|Cell { row, col }| Position { row: row.cast_signed(), col: col.cast_signed() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_lie_apart_and_the_shelf_touches_nothing() {
        let frames = [(2, 3), (4, 1), (1, 1)].map(|(rows, cols)| Grid::new(rows, cols).unwrap());
        let boards = Boards { frames: frames.to_vec(), shelf: 9, pins: Vec::new() };
        let cells = Cells::new(&boards);
        assert_eq!(cells.len(), 6 + 4 + 1 + 9);
        for cell in cells.all() {
            assert_eq!(cells.at(cells.position(cell)), cell);
            let place = cells.place(cell);
            assert_eq!(place.is_none(), cells.shelf().contains(&cell));
            let Some((board, of_board)) = place else {
                assert_eq!(cells.around(cell), [OUTSIDE; 4]);
                continue;
            };
            assert_eq!(cells.of_place(board, of_board), cell);
            for direction in Side::ALL {
                let expected = frames[board].neighbor(of_board, direction);
                let found = cells.next(cell, direction);
                assert_eq!(expected.map_or(OUTSIDE, |next| cells.of_place(board, next)), found);
                assert_eq!(cells.at(cells.position(cell).next_to(direction)), found);
            }
        }
        assert!(cells.has_places());
        let with_shelf = Boards { frames: frames[..1].to_vec(), shelf: 2, pins: Vec::new() };
        assert!(!Cells::new(&with_shelf).has_places());
    }

    #[test]
    fn a_single_board_fills_the_plane_row_by_row() {
        let frame = Grid::new(3, 5).unwrap();
        let cells = Cells::new(&frame.into());
        assert!(cells.scattered.is_none() && !cells.has_places() && cells.shelf().is_empty());
        assert_eq!(cells.plane, Plane { rows: 3, cols: 5 });
        assert_eq!(cells.position(7), Position { row: 1, col: 2 });
        assert_eq!(cells.at(Position { row: -1, col: 2 }), OUTSIDE);
        assert_eq!(cells.at(Position { row: 2, col: 5 }), OUTSIDE);
    }
}
