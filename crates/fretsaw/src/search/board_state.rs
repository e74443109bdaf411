//! The board that the search changes: which piece lies in which cell, and what that costs.

use super::SearchSpace;
use super::cells::{CellIndex, Cells, OUTSIDE};
use super::open_sides::{OPEN_COST, side_key};
use crate::observer::Observer;
use crate::puzzle::{
    Assembly, AssemblyError, PieceId, Place, Placement, QuarterTurn, Side, SideId,
};

/// A piece in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlacedPiece {
    pub(super) piece: PieceId,
    pub(super) turn: QuarterTurn,
}

impl PlacedPiece {
    /// Its side that faces a direction.
    #[inline]
    pub(super) fn facing(self, direction: Side) -> SideId {
        SideId::new(self.piece, direction - self.turn)
    }
}

/// Which piece lies in which cell, how it is turned, and the energy of that.
#[derive(Clone, Debug)]
pub(super) struct BoardState {
    placed: Vec<Option<PlacedPiece>>,
    cell_of: Vec<CellIndex>,
    /// The sum of the costs of all seams and borders.
    pub(super) energy: f64,
}

impl BoardState {
    /// The state of an assembly. Pieces that it leaves out lie in the unplaced slots, as far as there are
    /// enough.
    pub(super) fn new(space: SearchSpace<'_>, assembly: &Assembly) -> Self {
        let cells = space.cells;
        let placed = assembly.placements().map(|Placement { piece, place }| {
            (cells.index_of(place.board, place.cell), PlacedPiece { piece, turn: place.turn })
        });
        let left_out =
            assembly.unplaced().map(|piece| PlacedPiece { piece, turn: QuarterTurn::ZERO });
        let placed = placed.chain(cells.unplaced_slots().zip(left_out));
        Self::of(space, assembly.num_pieces(), placed)
    }

    /// The state with these pieces in these cells.
    pub(super) fn of(
        space: SearchSpace<'_>,
        num_pieces: usize,
        placed: impl IntoIterator<Item = (CellIndex, PlacedPiece)>,
    ) -> Self {
        let (num_cells, nowhere) = (space.cells.len(), vec![OUTSIDE; num_pieces]);
        let mut board = Self { placed: vec![None; num_cells], cell_of: nowhere, energy: 0.0 };
        for (cell, placed) in placed {
            board.put(cell, Some(placed));
        }
        board.energy = board.total(space);
        board
    }

    pub(super) fn clear(&mut self) {
        self.placed.fill(None);
        self.cell_of.fill(OUTSIDE);
    }

    pub(super) fn to_assembly(&self, cells: &Cells) -> Result<Assembly, AssemblyError> {
        let placements = cells.all().filter_map(|cell| {
            let PlacedPiece { piece, turn } = self.at(cell)?;
            let (board, cell) = cells.place(cell)?;
            Some(Placement { piece, place: Place { board, cell, turn } })
        });
        Assembly::new(self.cell_of.len(), cells.boards().frames.clone(), placements)
    }

    pub(super) const fn num_pieces(&self) -> usize {
        self.cell_of.len()
    }

    #[inline]
    pub(super) fn at(&self, cell: CellIndex) -> Option<PlacedPiece> {
        self.placed[cell as usize]
    }

    /// The piece in a cell; none if the cell is [`OUTSIDE`].
    #[inline]
    pub(super) fn get(&self, cell: CellIndex) -> Option<PlacedPiece> {
        self.placed.get(cell as usize).copied().flatten()
    }

    /// The cell of a piece, or [`OUTSIDE`].
    #[inline]
    pub(super) fn cell_of(&self, piece: PieceId) -> CellIndex {
        self.cell_of[piece.index()]
    }

    /// Sets the content of a cell. The caller takes care of the piece that lay there, and of the cell that the
    /// new piece came from.
    #[inline]
    pub(super) fn put(&mut self, cell: CellIndex, placed: Option<PlacedPiece>) {
        self.placed[cell as usize] = placed;
        if let Some(placed) = placed {
            self.cell_of[placed.piece.index()] = cell;
        }
    }

    /// Takes a cell's piece off the board.
    pub(super) fn remove(&mut self, cell: CellIndex) {
        if let Some(placed) = self.placed[cell as usize].take() {
            self.cell_of[placed.piece.index()] = OUTSIDE;
        }
    }

    /// The cost of the seam between a cell and its neighbour: that of a border if one of them is empty, 0 if
    /// both are.
    #[inline]
    pub(super) fn seam(&self, space: SearchSpace<'_>, cell: CellIndex, direction: Side) -> f32 {
        let costs = space.costs;
        match self.sides_of_seam(space.cells, cell, direction) {
            (Some(here), Some(there)) => costs.of(here, there),
            (Some(side), None) | (None, Some(side)) => costs.of_border(side),
            (None, None) => 0.0,
        }
    }

    /// Whether a seam or border of this cost is open: something else is about as likely.
    ///
    /// Two sides without candidates, as of blank pieces, never cost little. Their seam is open if others would fit
    /// better; their borders are never open.
    #[inline]
    pub(super) fn is_open(
        &self,
        space: SearchSpace<'_>,
        cell: CellIndex,
        direction: Side,
        cost: f32,
    ) -> bool {
        let least = || match self.sides_of_seam(space.cells, cell, direction) {
            _ if self.has_candidates(space, cell, direction) => 0.0,
            (Some(here), Some(there)) => space.costs.least_of_unlisted(here, there),
            _ => f32::INFINITY,
        };
        cost > OPEN_COST && cost > OPEN_COST + least()
    }

    /// Whether a side of a seam or border has candidates, so that something can be tried there.
    #[inline]
    fn has_candidates(&self, space: SearchSpace<'_>, cell: CellIndex, direction: Side) -> bool {
        let (here, there) = self.sides_of_seam(space.cells, cell, direction);
        here.into_iter().chain(there).any(|side| space.costs.has_candidates(side))
    }

    /// The sides of the pieces in a cell and next to it that face each other.
    #[inline]
    fn sides_of_seam(
        &self,
        cells: &Cells,
        cell: CellIndex,
        direction: Side,
    ) -> (Option<SideId>, Option<SideId>) {
        let here = self.at(cell).map(|placed| placed.facing(direction));
        let neighbor = cells.neighbor(cell, direction);
        let there = if neighbor == OUTSIDE {
            cells.fixed_neighbor(cell, direction)
        } else {
            self.at(neighbor).map(|placed| placed.facing(direction.opposite()))
        };
        (here, there)
    }

    /// The sum of all seams and borders, computed from scratch.
    pub(super) fn total(&self, space: SearchSpace<'_>) -> f64 {
        let mut total = 0.0;
        for (cell, direction) in space.cells.all_sides() {
            // The upper or left cell of a seam counts it.
            let is_counted_here = matches!(direction, Side::Right | Side::Bottom)
                || space.cells.neighbor(cell, direction) == OUTSIDE;
            if is_counted_here {
                total += f64::from(self.seam(space, cell, direction));
            }
        }
        total
    }
}

/// A board with the cost of each of its seams.
#[derive(Clone, Debug)]
pub(super) struct ScoredBoard {
    pub(super) board: BoardState,
    /// By [`side_key`].
    pub(super) seams: Vec<f32>,
}

impl ScoredBoard {
    pub(super) fn new(space: SearchSpace<'_>, board: BoardState) -> Self {
        let seam = |(cell, direction)| board.seam(space, cell, direction);
        let seams = space.cells.all_sides().map(seam).collect();
        Self { board, seams }
    }

    pub(super) const fn energy(&self) -> f64 {
        self.board.energy
    }

    /// Shows the board to an observer that wants it.
    pub(super) fn show(&self, space: SearchSpace<'_>, observer: &dyn Observer) {
        if observer.wants_board()
            && let Ok(assembly) = self.board.to_assembly(space.cells)
        {
            observer.board_so_far(&assembly);
        }
    }

    /// Whether no seam is open, so that there is nothing to improve. Open borders do not count: where all
    /// seams hold, no piece can be moved for the better. Nor do seams of two sides without candidates: a puzzle
    /// of plain pieces would be searched without end.
    pub(super) fn has_no_open_seam(&self, space: SearchSpace<'_>) -> bool {
        let cells = space.cells;
        cells.all_sides().all(|(cell, direction)| {
            let is_touched = self.board.get(cells.neighbor(cell, direction)).is_some()
                || cells.fixed_neighbor(cell, direction).is_some();
            let is_seam = self.board.at(cell).is_some() && is_touched;
            let cost = self.seams[side_key(cell, direction) as usize];
            let is_open = || self.board.is_open(space, cell, direction, cost);
            !(is_seam && is_open() && self.board.has_candidates(space, cell, direction))
        })
    }
}
