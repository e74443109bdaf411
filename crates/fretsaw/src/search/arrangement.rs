//! A board whose every cell is known: what the search changes.

use super::costs::SeamCosts;
use crate::locations::segment::Position;
use crate::puzzle::{
    Assembly, AssemblyError, Grid, PieceId, Place, Placement, QuarterTurn, Side, SideId,
};

/// The number of a cell, row by row.
pub(super) type CellIndex = u32;

/// No cell: what lies beyond the border.
pub(super) const OUTSIDE: CellIndex = CellIndex::MAX;

/// The cells of a frame, which touch which, and what lies around the frame if it is a part of a board.
#[derive(Debug)]
pub(super) struct Cells {
    pub(super) frame: Grid,
    next: Vec<[CellIndex; 4]>,
    /// By cell and direction, the side that lies beyond the frame; empty if nothing does.
    beyond: Vec<[Option<SideId>; 4]>,
}

impl Cells {
    pub(super) fn new(frame: Grid) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "a frame has fewer cells")]
        let index = |cell| frame.index_of(cell) as CellIndex;
        let next = frame
            .cells()
            .map(|cell| Side::ALL.map(|side| frame.neighbor(cell, side).map_or(OUTSIDE, index)))
            .collect();
        Self { frame, next, beyond: Vec::new() }
    }

    /// A part of a board, around which pieces lie that stay.
    pub(super) fn part(frame: Grid, beyond: Vec<[Option<SideId>; 4]>) -> Self {
        Self { beyond, ..Self::new(frame) }
    }

    /// Whether this is a part of a board, whose pieces have to go with what lies around it.
    pub(super) const fn is_part(&self) -> bool {
        !self.beyond.is_empty()
    }

    /// What lies across the frame's edge.
    #[inline]
    pub(super) fn beyond(&self, cell: CellIndex, direction: Side) -> Option<SideId> {
        self.beyond.get(cell as usize).and_then(|sides| sides[direction.index()])
    }

    /// What a side costs that faces the frame's edge: next to what lies beyond it, or at the border
    /// of the picture.
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
        #[expect(clippy::cast_possible_truncation, reason = "a frame has fewer cells")]
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
    pub(super) const fn position(&self, cell: CellIndex) -> Position {
        let cols = self.frame.cols();
        Position { row: (cell / cols).cast_signed(), col: (cell % cols).cast_signed() }
    }

    /// The cell at a position, or [`OUTSIDE`].
    #[inline]
    pub(super) const fn at(&self, position: Position) -> CellIndex {
        // Negative ones become large.
        let (row, col) = (position.row.cast_unsigned(), position.col.cast_unsigned());
        if row < self.frame.rows() && col < self.frame.cols() {
            row * self.frame.cols() + col
        } else {
            OUTSIDE
        }
    }
}

/// A piece in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) piece: PieceId,
    pub(super) turn: QuarterTurn,
}

impl Held {
    /// Its side that faces a direction.
    #[inline]
    pub(super) fn facing(self, direction: Side) -> SideId {
        SideId::new(self.piece, direction - self.turn)
    }
}

/// Which piece lies in which cell, how it is turned, and what that costs.
#[derive(Clone, Debug)]
pub(super) struct Arrangement {
    held: Vec<Option<Held>>,
    cell_of: Vec<CellIndex>,
    /// The sum of all seams and borders.
    pub(super) energy: f64,
}

impl Arrangement {
    /// The first board of an assembly, which has the frame's size.
    pub(super) fn new(cells: &Cells, costs: &SeamCosts<'_>, assembly: &Assembly) -> Self {
        let held = assembly.placements().map(|Placement { piece, place }| {
            #[expect(clippy::cast_possible_truncation, reason = "a frame has fewer cells")]
            let cell = cells.frame.index_of(place.cell) as CellIndex;
            (cell, Held { piece, turn: place.turn })
        });
        Self::of(cells, costs, assembly.num_pieces(), held)
    }

    /// What lies in which cell.
    pub(super) fn of(
        cells: &Cells,
        costs: &SeamCosts<'_>,
        num_pieces: usize,
        held: impl IntoIterator<Item = (CellIndex, Held)>,
    ) -> Self {
        let (num_cells, nowhere) = (cells.len(), vec![OUTSIDE; num_pieces]);
        let mut found = Self { held: vec![None; num_cells], cell_of: nowhere, energy: 0.0 };
        for (cell, held) in held {
            found.put(cell, Some(held));
        }
        found.energy = found.total(cells, costs);
        found
    }

    pub(super) fn clear(&mut self) {
        self.held.fill(None);
        self.cell_of.fill(OUTSIDE);
    }

    pub(super) fn to_assembly(&self, cells: &Cells) -> Result<Assembly, AssemblyError> {
        let placements = self.held.iter().enumerate().filter_map(|(cell, held)| {
            let Held { piece, turn } = (*held)?;
            Some(Placement {
                piece,
                place: Place { board: 0, cell: cells.frame.cell_at(cell), turn },
            })
        });
        Assembly::new(self.cell_of.len(), vec![cells.frame], placements)
    }

    pub(super) const fn num_pieces(&self) -> usize {
        self.cell_of.len()
    }

    #[inline]
    pub(super) fn at(&self, cell: CellIndex) -> Option<Held> {
        self.held[cell as usize]
    }

    /// What lies in a cell, nothing if that is [`OUTSIDE`].
    #[inline]
    pub(super) fn get(&self, cell: CellIndex) -> Option<Held> {
        self.held.get(cell as usize).copied().flatten()
    }

    /// The cell of a piece, or [`OUTSIDE`].
    #[inline]
    pub(super) fn cell_of(&self, piece: PieceId) -> CellIndex {
        self.cell_of[piece.index()]
    }

    /// Changes a cell. What lay there, and where the piece came from, is the caller's concern.
    #[inline]
    pub(super) fn put(&mut self, cell: CellIndex, held: Option<Held>) {
        self.held[cell as usize] = held;
        if let Some(held) = held {
            self.cell_of[held.piece.index()] = cell;
        }
    }

    /// What lies between a cell and the next one costs; between an empty cell and the border nothing.
    #[inline]
    pub(super) fn seam(
        &self,
        cells: &Cells,
        costs: &SeamCosts<'_>,
        cell: CellIndex,
        direction: Side,
    ) -> f32 {
        let here = self.at(cell).map(|held| held.facing(direction));
        let next = cells.next(cell, direction);
        let there = if next == OUTSIDE {
            cells.beyond(cell, direction)
        } else {
            self.at(next).map(|held| held.facing(direction.opposite()))
        };
        match (here, there) {
            (Some(here), Some(there)) => costs.of(here, there),
            (Some(side), None) | (None, Some(side)) => costs.of_border(side),
            (None, None) => 0.0,
        }
    }

    /// The sum of all seams and borders, from scratch.
    pub(super) fn total(&self, cells: &Cells, costs: &SeamCosts<'_>) -> f64 {
        let mut total = 0.0;
        for cell in cells.all() {
            for direction in Side::ALL {
                // A seam inside belongs to the upper or left of its cells.
                let is_counted_here = matches!(direction, Side::Right | Side::Bottom)
                    || cells.next(cell, direction) == OUTSIDE;
                if is_counted_here {
                    total += f64::from(self.seam(cells, costs, cell, direction));
                }
            }
        }
        total
    }
}
