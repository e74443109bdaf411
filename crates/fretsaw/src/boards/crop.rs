//! Crops the empty rows and columns around boards.

use crate::puzzle::{Assembly, AssemblyError, Cell, Grid, Place, Placement};

/// The same assembly on boards without empty rows and columns at their edges, and without empty boards.
pub(super) fn cropped(assembly: &Assembly) -> Result<Assembly, AssemblyError> {
    let mut kept: Vec<Option<(usize, Cell)>> = Vec::new();
    let mut boards = Vec::new();
    for (board, &grid) in assembly.boards().iter().enumerate() {
        let is_filled = |&cell: &Cell| assembly.piece_at(board, cell).is_some();
        let rows = grid.cells().filter(is_filled).map(|cell| cell.row);
        let cols = grid.cells().filter(is_filled).map(|cell| cell.col);
        let ends = |values: &mut dyn Iterator<Item = u32>| {
            values.fold(None, |ends: Option<(u32, u32)>, at| {
                Some(ends.map_or((at, at), |(first, last)| (first.min(at), last.max(at))))
            })
        };
        let extent = ends(&mut { rows }).zip(ends(&mut { cols }));
        let found = extent.and_then(|((top, bottom), (left, right))| {
            let size = Grid::new((bottom - top + 1).into(), (right - left + 1).into()).ok()?;
            Some((size, Cell { row: top, col: left }))
        });
        kept.push(found.map(|(_, origin)| (boards.len(), origin)));
        boards.extend(found.map(|(size, _)| size));
    }
    let moved = |Placement { piece, place }: Placement| {
        let (board, origin) = kept[place.board]?;
        let cell = Cell { row: place.cell.row - origin.row, col: place.cell.col - origin.col };
        Some(Placement { piece, place: Place { board, cell, ..place } })
    };
    Assembly::new(assembly.num_pieces(), boards, assembly.placements().filter_map(moved))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{PieceId, QuarterTurn};

    #[test]
    fn empty_edges_are_cropped_and_inner_holes_stay() {
        let grid = |rows, cols| Grid::new(rows, cols).unwrap();
        let place = |piece, board, row, col| Placement {
            piece: PieceId::new(piece),
            place: Place { board, cell: Cell { row, col }, turn: QuarterTurn::ZERO },
        };
        let boards = vec![grid(4, 5), grid(2, 2), grid(1, 1)];
        let placed = [place(0, 0, 1, 1), place(1, 0, 3, 3), place(3, 2, 0, 0)];
        let found = cropped(&Assembly::new(5, boards, placed).unwrap()).unwrap();
        let expected = [place(0, 0, 0, 0), place(1, 0, 2, 2), place(3, 1, 0, 0)];
        let expected = Assembly::new(5, vec![grid(3, 3), grid(1, 1)], expected).unwrap();
        assert_eq!(found, expected);
    }
}
