//! The cells that pieces lie in: those of one board, of several boards or of a region of one, and the slots of
//! unplaced pieces.
//!
//! All cells lie in one plane, so that a segment can move from one board to another as it moves on one. Boards
//! lie side by side with an empty column between them. The unplaced slots lie below them and touch nothing.

use super::costs::SeamCosts;
use crate::locations::segment::{Limit, Position, Rectangle};
use crate::puzzle::Pin;
use crate::puzzle::{Cell, Grid, PieceId, QuarterTurn, Side, SideId, TurnSet};

/// The number of a cell. Cells of a board are numbered row by row, board after board.
pub(super) type CellIndex = u32;

/// No cell: the number that stands for everything beyond the edge.
pub(super) const OUTSIDE: CellIndex = CellIndex::MAX;

/// Boards of known sizes, with slots for pieces that belong on none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boards {
    /// The sizes of the boards.
    pub frames: Vec<Grid>,
    /// How many pieces may stay unplaced. An unplaced piece costs as much as if all its sides were borders.
    pub num_unplaced_slots: usize,
    /// Pieces whose place on the first board is given.
    pub pins: Vec<Pin>,
}

impl From<Grid> for Boards {
    fn from(frame: Grid) -> Self {
        Self { frames: vec![frame], num_unplaced_slots: 0, pins: Vec::new() }
    }
}

impl Boards {
    /// The number of cells of all boards, plus the unplaced slots.
    pub fn num_cells(&self) -> usize {
        self.frames.iter().map(|frame| frame.num_cells()).sum::<usize>() + self.num_unplaced_slots
    }

    /// The size of the board, if there is exactly one.
    pub(super) fn single_frame(&self) -> Option<Grid> {
        match self.frames[..] {
            [frame] => Some(frame),
            _ => None,
        }
    }
}

/// The size of the rectangle that contains all cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plane {
    pub(super) rows: u32,
    pub(super) cols: u32,
}

impl Plane {
    /// The number of a position, row by row, if it is in the plane.
    #[inline]
    const fn index_of(self, position: Position) -> Option<u32> {
        // Negative numbers become large ones.
        let (row, col) = (position.row.cast_unsigned(), position.col.cast_unsigned());
        if row < self.rows && col < self.cols { Some(row * self.cols + col) } else { None }
    }
}

/// The cells, their neighbours, and the fixed pieces around them if they are a region of a board.
#[derive(Debug)]
pub(super) struct Cells {
    boards: Boards,
    pub(super) plane: Plane,
    /// The positions of the cells, unless they fill the plane row by row.
    scattered: Option<Scattered>,
    neighbors: Vec<[CellIndex; 4]>,
    /// By cell and direction, the side of a fixed piece beyond the edge; empty if this is not a region.
    fixed_neighbors: Vec<[Option<SideId>; 4]>,
    pins: Vec<PinnedCell>,
    /// By cell; empty if there are no pins.
    is_pinned: Vec<bool>,
}

/// A cell whose piece is given.
#[derive(Clone, Copy, Debug)]
pub(super) struct PinnedCell {
    pub(super) cell: CellIndex,
    pub(super) piece: PieceId,
    /// `None` allows any turn.
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
    /// The cells of boards and their unplaced slots.
    pub(super) fn new(boards: &Boards) -> Self {
        let mut positions = Vec::with_capacity(boards.num_cells());
        let mut left = 0;
        for &frame in &boards.frames {
            let origin = Position { row: 0, col: left };
            positions.extend(frame.cells().map(|cell| origin + cell.into()));
            left += frame.cols().cast_signed() + 1;
        }
        let height = boards.frames.iter().map(|frame| frame.rows().cast_signed()).max();
        // Unplaced slots take every other cell of every other row.
        let (top, per_row) = (height.unwrap_or(0) + 1, left.max(2) / 2);
        positions.extend((0..).take(boards.num_unplaced_slots).map(|index| Position {
            row: top + 2 * (index / per_row),
            col: 2 * (index % per_row),
        }));
        let cells = Self { boards: boards.clone(), ..Self::at_positions(positions) };
        let pins = boards.pins.iter().map(|&Pin { piece, cell, turn }| PinnedCell {
            cell: cells.index_of(0, cell),
            piece,
            turn,
        });
        let pins = pins.collect();
        cells.with_pins(pins)
    }

    /// The same cells with pins.
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

    /// Whether the piece of a cell is given.
    #[inline]
    pub(super) fn is_pinned(&self, cell: CellIndex) -> bool {
        self.is_pinned.get(cell as usize) == Some(&true)
    }

    /// Cells at these positions, none of them negative: a region of a board.
    pub(super) fn at_positions(positions: Vec<Position>) -> Self {
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
        let neighbors = positions.iter().map(around).collect();
        let fills_plane = cell_at.iter().zip(0..).all(|(&cell, index)| cell == index);
        Self {
            boards: Boards { frames: Vec::new(), num_unplaced_slots: 0, pins: Vec::new() },
            plane,
            scattered: (!fills_plane).then_some(Scattered { cell_at, positions }),
            neighbors,
            fixed_neighbors: Vec::new(),
            pins: Vec::new(),
            is_pinned: Vec::new(),
        }
    }

    /// The same cells with fixed pieces around them: by cell and direction, the side beyond the edge.
    pub(super) fn with_fixed_neighbors(self, fixed_neighbors: Vec<[Option<SideId>; 4]>) -> Self {
        Self { fixed_neighbors, ..self }
    }

    pub(super) const fn boards(&self) -> &Boards {
        &self.boards
    }

    /// Whether the position of a segment in the plane matters: in a region, on several boards, or where pieces
    /// are pinned. Otherwise all pieces may be shifted together.
    pub(super) fn is_anchored(&self) -> bool {
        self.boards.single_frame().is_none() || !self.pins.is_empty()
    }

    /// How large segments may grow.
    pub(super) fn limit(&self, turns: TurnSet) -> Limit {
        let most = |of: fn(&Grid) -> u32, plane: u32| {
            self.boards.frames.iter().map(of).max().unwrap_or(plane).into()
        };
        let rows = most(|frame| frame.rows(), self.plane.rows);
        let cols = most(|frame| frame.cols(), self.plane.cols);
        Grid::new(rows, cols).map_or(Limit::None, |frame| Limit::Frame { frame, turns })
    }

    /// The board of a cell and its place there; none for an unplaced slot.
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

    /// The number of a board's cell.
    pub(super) fn index_of(&self, board: usize, cell: Cell) -> CellIndex {
        let before = &self.boards.frames[..board];
        let before: usize = before.iter().map(|frame| frame.num_cells()).sum();
        #[expect(clippy::cast_possible_truncation, reason = "there are fewer cells")]
        let index = (before + self.boards.frames[board].index_of(cell)) as CellIndex;
        index
    }

    /// The cells of the unplaced slots.
    pub(super) fn unplaced_slots(&self) -> std::ops::Range<CellIndex> {
        let all = self.all();
        #[expect(clippy::cast_possible_truncation, reason = "there are fewer cells")]
        let num_slots = self.boards.num_unplaced_slots as CellIndex;
        all.end - num_slots..all.end
    }

    /// The side of a fixed piece beyond the edge.
    #[inline]
    pub(super) fn fixed_neighbor(&self, cell: CellIndex, direction: Side) -> Option<SideId> {
        self.fixed_neighbors.get(cell as usize).and_then(|sides| sides[direction.index()])
    }

    /// The cost of a side at the edge: the seam with the fixed piece beyond it, or the border.
    #[inline]
    pub(super) fn edge_cost(
        &self,
        costs: &SeamCosts<'_>,
        cell: CellIndex,
        direction: Side,
        side: SideId,
    ) -> f32 {
        match self.fixed_neighbor(cell, direction) {
            Some(other) => costs.of(side, other),
            None => costs.of_border(side),
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.neighbors.len()
    }

    pub(super) fn all(&self) -> std::ops::Range<CellIndex> {
        #[expect(clippy::cast_possible_truncation, reason = "there are fewer cells")]
        let len = self.len() as CellIndex;
        0..len
    }

    /// All cells with all directions.
    pub(super) fn all_sides(&self) -> impl Iterator<Item = (CellIndex, Side)> + use<> {
        self.all().flat_map(|cell| Side::ALL.map(|direction| (cell, direction)))
    }

    /// The cells in a rectangle that has finite corners.
    pub(super) fn within(&self, rectangle: Rectangle) -> impl Iterator<Item = CellIndex> {
        let Rectangle { top_left, bottom_right } = rectangle;
        let at = (top_left.row..=bottom_right.row).flat_map(move |row| {
            (top_left.col..=bottom_right.col).map(move |col| self.at(Position { row, col }))
        });
        at.filter(|&cell| cell != OUTSIDE)
    }

    /// The cell next to a cell, or [`OUTSIDE`].
    #[inline]
    pub(super) fn neighbor(&self, cell: CellIndex, direction: Side) -> CellIndex {
        self.neighbors[cell as usize][direction.index()]
    }

    /// The cells next to a cell by direction; [`OUTSIDE`] where there is none.
    pub(super) fn neighbors(&self, cell: CellIndex) -> [CellIndex; 4] {
        self.neighbors[cell as usize]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_lie_apart_and_unplaced_slots_touch_nothing() {
        let frames = [(2, 3), (4, 1), (1, 1)].map(|(rows, cols)| Grid::new(rows, cols).unwrap());
        let boards = Boards { frames: frames.to_vec(), num_unplaced_slots: 9, pins: Vec::new() };
        let cells = Cells::new(&boards);
        assert_eq!(cells.len(), 6 + 4 + 1 + 9);
        for cell in cells.all() {
            assert_eq!(cells.at(cells.position(cell)), cell);
            let place = cells.place(cell);
            assert_eq!(place.is_none(), cells.unplaced_slots().contains(&cell));
            let Some((board, of_board)) = place else {
                assert_eq!(cells.neighbors(cell), [OUTSIDE; 4]);
                continue;
            };
            assert_eq!(cells.index_of(board, of_board), cell);
            for direction in Side::ALL {
                let expected = frames[board].neighbor(of_board, direction);
                let found = cells.neighbor(cell, direction);
                assert_eq!(expected.map_or(OUTSIDE, |next| cells.index_of(board, next)), found);
                assert_eq!(cells.at(cells.position(cell).next_to(direction)), found);
            }
        }
        assert!(cells.is_anchored());
        let with_slots =
            Boards { frames: frames[..1].to_vec(), num_unplaced_slots: 2, pins: Vec::new() };
        assert!(!Cells::new(&with_slots).is_anchored());
    }

    #[test]
    fn a_single_board_fills_the_plane_row_by_row() {
        let frame = Grid::new(3, 5).unwrap();
        let cells = Cells::new(&frame.into());
        assert!(
            cells.scattered.is_none() && !cells.is_anchored() && cells.unplaced_slots().is_empty()
        );
        assert_eq!(cells.plane, Plane { rows: 3, cols: 5 });
        assert_eq!(cells.position(7), Position { row: 1, col: 2 });
        assert_eq!(cells.at(Position { row: -1, col: 2 }), OUTSIDE);
        assert_eq!(cells.at(Position { row: 2, col: 5 }), OUTSIDE);
    }
}
