//! Answers: which piece lies where, and how it is turned.

use super::{Cell, Grid, PieceId, QuarterTurn, Side, SideId};

/// Where a piece lies: the board, the cell, and the clockwise turn applied to the piece as handed
/// in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Index of the board.
    pub board: usize,
    /// The cell on that board.
    pub cell: Cell,
    /// Clockwise quarter turns to apply to the piece as handed in.
    pub turn: QuarterTurn,
}

/// A piece and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Placement {
    /// The piece.
    pub piece: PieceId,
    /// Where it lies.
    pub place: Place,
}

/// A piece pinned to a cell of the first board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The piece.
    pub piece: PieceId,
    /// Its cell.
    pub cell: Cell,
    /// Its turn, if that is known too.
    pub turn: Option<QuarterTurn>,
}

/// Two sides that touch on a board, the smaller side number first.
///
/// Free of the gauge: turning the whole board changes no join.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Join {
    /// The smaller side number.
    pub first: SideId,
    /// The larger side number.
    pub second: SideId,
}

impl Join {
    /// The join of two different sides, in either order.
    pub fn new(a: SideId, b: SideId) -> Self {
        Self { first: a.min(b), second: a.max(b) }
    }
}

/// Why placements do not form an assembly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AssemblyError(String);

/// Pieces laid out on one or more boards.
///
/// Each piece lies in at most one cell and each cell holds at most one piece; pieces may be left
/// out and cells may be empty. The answer has a gauge: turning a whole board changes nothing but
/// the point of view, see [`turned`](Self::turned).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assembly {
    boards: Vec<Grid>,
    places: Vec<Option<Place>>,
    /// Per board, the piece in each cell, row by row.
    pieces: Vec<Vec<Option<PieceId>>>,
}

impl Assembly {
    /// An assembly of some of the pieces 0 to `num_pieces - 1`.
    ///
    /// # Errors
    /// At the first placement that breaks the invariant.
    pub fn new(
        num_pieces: usize,
        boards: Vec<Grid>,
        placements: impl IntoIterator<Item = Placement>,
    ) -> Result<Self, AssemblyError> {
        let pieces = boards.iter().map(|grid| vec![None; grid.num_cells()]).collect();
        let mut assembly = Self { boards, places: vec![None; num_pieces], pieces };
        for placement in placements {
            assembly.insert(placement)?;
        }
        Ok(assembly)
    }

    fn insert(&mut self, Placement { piece, place }: Placement) -> Result<(), AssemblyError> {
        let num_pieces = self.places.len();
        let Place { board, cell: cell @ Cell { row, col }, .. } = place;
        let refuse = |what: String| Err(AssemblyError(what));
        let number = piece.index();
        let Some(slot) = self.places.get_mut(number) else {
            return refuse(format!(
                "piece {number} does not exist: the puzzle has {num_pieces} pieces"
            ));
        };
        if slot.is_some() {
            return refuse(format!("piece {number} is placed twice"));
        }
        let Some(grid) = self.boards.get(board) else {
            return refuse(format!("piece {number} lies on board {board}, which does not exist"));
        };
        if !grid.contains(cell) {
            return refuse(format!(
                "piece {number} lies at row {row}, column {col}, outside its board"
            ));
        }
        let content = &mut self.pieces[board][grid.index_of(cell)];
        if content.is_some() {
            return refuse(format!("board {board} row {row} column {col} is filled twice"));
        }
        *content = Some(piece);
        *slot = Some(place);
        Ok(())
    }

    /// The boards' sizes.
    pub fn boards(&self) -> &[Grid] {
        &self.boards
    }

    /// Pieces in the puzzle, placed or not.
    pub fn num_pieces(&self) -> usize {
        self.places.len()
    }

    /// Pieces that have a place.
    pub fn num_placed(&self) -> usize {
        self.places.iter().flatten().count()
    }

    /// Where a piece lies, if anywhere.
    pub fn place_of(&self, piece: PieceId) -> Option<Place> {
        self.places[piece.index()]
    }

    /// The piece in a cell, if any.
    pub fn piece_at(&self, board: usize, cell: Cell) -> Option<PieceId> {
        self.pieces[board][self.boards[board].index_of(cell)]
    }

    /// All placements, by piece number.
    pub fn placements(&self) -> impl Iterator<Item = Placement> {
        self.places.iter().enumerate().filter_map(|(index, place)| {
            place.map(|place| Placement { piece: PieceId::new(index), place })
        })
    }

    /// The pieces without a place, by number.
    pub fn unplaced(&self) -> impl Iterator<Item = PieceId> {
        self.places
            .iter()
            .enumerate()
            .filter(|(_, place)| place.is_none())
            .map(|(index, _)| PieceId::new(index))
    }

    /// The side of a placed piece that faces a direction of its board.
    pub fn side_facing(&self, piece: PieceId, direction: Side) -> Option<SideId> {
        self.place_of(piece).map(|place| SideId::new(piece, direction - place.turn))
    }

    /// Every pair of sides that touch: each cell's right and bottom neighbour, board by board, row
    /// by row.
    pub fn joins(&self) -> impl Iterator<Item = Join> {
        self.boards.iter().enumerate().flat_map(move |(board, grid)| {
            grid.cells().flat_map(move |cell| {
                [Side::Right, Side::Bottom].into_iter().filter_map(move |direction| {
                    let here = self.piece_at(board, cell)?;
                    let there = self.piece_at(board, grid.neighbor(cell, direction)?)?;
                    Some(Join::new(
                        self.side_facing(here, direction)?,
                        self.side_facing(there, direction.opposite())?,
                    ))
                })
            })
        })
    }

    /// The same assembly with every board turned clockwise.
    #[must_use]
    pub fn turned(&self, turn: QuarterTurn) -> Self {
        let mut turned = Self {
            boards: self.boards.iter().map(|grid| grid.turned(turn)).collect(),
            places: vec![None; self.places.len()],
            pieces: self.pieces.iter().map(|cells| vec![None; cells.len()]).collect(),
        };
        for Placement { piece, place } in self.placements() {
            let cell = self.boards[place.board].cell_turned(place.cell, turn);
            turned.pieces[place.board][turned.boards[place.board].index_of(cell)] = Some(piece);
            turned.places[piece.index()] =
                Some(Place { board: place.board, cell, turn: place.turn + turn });
        }
        turned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(piece: usize, row: u32, col: u32, turns: i64) -> Placement {
        Placement {
            piece: PieceId::new(piece),
            place: Place {
                board: 0,
                cell: Cell { row, col },
                turn: QuarterTurn::from_clockwise(turns),
            },
        }
    }

    fn board() -> Vec<Grid> {
        vec![Grid::new(2, 3).unwrap()]
    }

    #[test]
    fn contradictory_placements_are_refused() {
        let first = place(0, 0, 0, 0);
        let mut elsewhere = first;
        elsewhere.place.board = 1;
        for (placements, expected) in [
            (vec![first, place(0, 1, 1, 0)], "piece 0 is placed twice"),
            (vec![first, place(1, 0, 0, 0)], "board 0 row 0 column 0 is filled twice"),
            (vec![place(0, 2, 0, 0)], "piece 0 lies at row 2, column 0, outside its board"),
            (vec![place(4, 0, 0, 0)], "piece 4 does not exist: the puzzle has 4 pieces"),
            (vec![elsewhere], "piece 0 lies on board 1, which does not exist"),
        ] {
            let error = Assembly::new(4, board(), placements).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn turning_the_whole_assembly_keeps_its_joins() {
        let assembly = Assembly::new(
            6,
            board(),
            [place(0, 0, 0, 1), place(1, 0, 1, 3), place(2, 1, 1, 0), place(4, 1, 2, 2)],
        )
        .unwrap();
        let sorted = |assembly: &Assembly| {
            let mut joins: Vec<_> = assembly.joins().collect();
            joins.sort();
            joins
        };
        assert_eq!(sorted(&assembly).len(), 3);
        for turn in QuarterTurn::ALL {
            assert_eq!(sorted(&assembly.turned(turn)), sorted(&assembly));
            assert_eq!(assembly.turned(turn).turned(-turn), assembly);
        }
        assert_eq!(assembly.unplaced().map(PieceId::index).collect::<Vec<_>>(), [3, 5]);
    }

    #[test]
    fn a_join_names_the_sides_that_touch() {
        // Piece 0 upright at the left, piece 1 upside down at its right: right side on right side.
        let assembly = Assembly::new(2, board(), [place(0, 0, 0, 0), place(1, 0, 1, 2)]).unwrap();
        let side = |piece, side| SideId::new(PieceId::new(piece), side);
        assert_eq!(
            assembly.joins().collect::<Vec<_>>(),
            [Join::new(side(0, Side::Right), side(1, Side::Right))]
        );
    }
}
