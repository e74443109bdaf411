//! A board whose every cell is known: what the search changes.

use super::cells::{CellIndex, Cells, OUTSIDE};
use super::costs::SeamCosts;
use crate::puzzle::{
    Assembly, AssemblyError, PieceId, Place, Placement, QuarterTurn, Side, SideId,
};

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
    /// An assembly on these boards. What it leaves out lies on the shelf, as far as there is room.
    pub(super) fn new(cells: &Cells, costs: &SeamCosts<'_>, assembly: &Assembly) -> Self {
        let placed = assembly.placements().map(|Placement { piece, place }| {
            (cells.of_place(place.board, place.cell), Held { piece, turn: place.turn })
        });
        let left_out = assembly.unplaced().map(|piece| Held { piece, turn: QuarterTurn::ZERO });
        let held = placed.chain(cells.shelf().zip(left_out));
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
        let placements = cells.all().filter_map(|cell| {
            let Held { piece, turn } = self.at(cell)?;
            let (board, cell) = cells.place(cell)?;
            Some(Placement { piece, place: Place { board, cell, turn } })
        });
        Assembly::new(self.cell_of.len(), cells.boards().frames.clone(), placements)
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

    /// Takes a cell's piece off the board.
    pub(super) fn lift(&mut self, cell: CellIndex) {
        if let Some(held) = self.held[cell as usize].take() {
            self.cell_of[held.piece.index()] = OUTSIDE;
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
