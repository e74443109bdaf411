//! One region of a board as a small puzzle of its own.

use super::SearchSpace;
use super::annealer::{Annealer, ENERGY_STEP};
use super::board_state::{BoardState, PlacedPiece, ScoredBoard};
use super::budget::MultiStartBudget;
use super::cells::{CellIndex, Cells, OUTSIDE, PinnedCell, Plane};
use super::multi_start;
use crate::locations::segment::{Position, Rectangle};
use crate::observer::{Cancelled, Muted, Observer};
use crate::puzzle::{PieceId, Side, SideId};
use rustc_hash::FxHashMap;

/// Divides the plane into square regions, one cell apart. The first row of regions is `first_rows` high, the first
/// column `first_cols` wide.
pub(super) fn divide(plane: Plane, size: i32, first_rows: i32, first_cols: i32) -> Vec<Rectangle> {
    let ranges = |len: u32, first: i32| {
        let len = len.cast_signed();
        let starts = (0..).map(move |index| first - size + index * (size + 1));
        let starts = starts.take_while(move |&start| start < len);
        starts.map(move |start| (start.max(0), (start + size).min(len) - 1))
    };
    let mut regions = Vec::new();
    for (top, bottom) in ranges(plane.rows, first_rows) {
        for (left, right) in ranges(plane.cols, first_cols) {
            regions.push(Rectangle {
                top_left: Position { row: top, col: left },
                bottom_right: Position { row: bottom, col: right },
            });
        }
    }
    regions
}

/// Rearranges the pieces of a region; the pieces around it stay. Returns the new contents of its cells, or nothing
/// if there is no improvement.
pub(super) fn optimize_region(
    annealer: &Annealer<'_>,
    region: Rectangle,
    budget: &MultiStartBudget,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Vec<(CellIndex, Option<PlacedPiece>)>, Cancelled> {
    let (whole, board) = (annealer.space, annealer.board());
    let whole_cells: Vec<CellIndex> = whole.cells.within(region).collect();
    let position = |&cell: &CellIndex| whole.cells.position(cell) - region.top_left;
    let cells = Cells::at_positions(whole_cells.iter().map(position).collect());
    let in_whole = |cell: CellIndex| whole_cells[cell as usize];
    // The pieces of the region, then those around it. In the region they are numbered in this order.
    let mut pieces: Vec<PieceId> =
        cells.all().filter_map(|cell| Some(board.at(in_whole(cell))?.piece)).collect();
    let num_own = pieces.len();
    let mut numbers: FxHashMap<PieceId, PieceId> =
        pieces.iter().copied().zip((0..).map(PieceId::new)).collect();
    let mut fixed_neighbor = |cell: CellIndex, direction: Side| {
        if cells.neighbor(cell, direction) != OUTSIDE {
            return None;
        }
        let neighbor = whole.cells.neighbor(in_whole(cell), direction);
        let side = board.get(neighbor)?.facing(direction.opposite());
        let number = *numbers.entry(side.piece()).or_insert_with(|| {
            pieces.push(side.piece());
            PieceId::new(pieces.len() - 1)
        });
        Some(SideId::new(number, side.side()))
    };
    let fixed_neighbors = cells
        .all()
        .map(|cell| Side::ALL.map(|direction| fixed_neighbor(cell, direction)))
        .collect();
    let placed = |cell: CellIndex| {
        let placed = board.at(in_whole(cell))?;
        Some((cell, PlacedPiece { piece: numbers[&placed.piece], ..placed }))
    };
    let pins = cells.all().filter(|&cell| whole.cells.is_pinned(in_whole(cell)));
    let pins = pins.filter_map(placed).map(|(cell, PlacedPiece { piece, turn })| PinnedCell {
        cell,
        piece,
        turn: Some(turn),
    });
    let pins = pins.collect();
    let cells = cells.with_fixed_neighbors(fixed_neighbors).with_pins(pins);
    let mut costs = whole.costs.part(pieces.clone(), num_own);
    costs.remember_pairs();
    let space = SearchSpace { cells: &cells, costs: &costs, turns: whole.turns };
    let start = BoardState::of(space, num_own, cells.all().filter_map(placed));
    let start = ScoredBoard::new(space, start);
    let before = start.energy();
    let (found, _) = multi_start::search(space, &[start], budget, seed, &Muted(observer))?;
    if found.energy() > before - ENERGY_STEP {
        return Ok(Vec::new());
    }
    let change = |cell: CellIndex| {
        let placed = found.board.at(cell);
        let in_whole_numbers =
            |placed: PlacedPiece| PlacedPiece { piece: pieces[placed.piece.index()], ..placed };
        (in_whole(cell), placed.map(in_whole_numbers))
    };
    Ok(cells.all().map(change).collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Measured, REGION_BUDGET};
    use super::*;
    use crate::matching::Matcher;
    use crate::observer::Silent;
    use crate::puzzle::{Grid, PuzzleType};
    use crate::random::Stream;
    use crate::search::costs::SeamCosts;

    #[test]
    fn regions_lie_one_cell_apart_and_are_at_most_as_large_as_asked() {
        for (rows, cols, size) in [(7, 9, 3), (40, 70, 30), (5, 5, 62)] {
            let frame = Grid::new(rows, cols).unwrap();
            let cells = Cells::new(&frame.into());
            for first in 1..=size {
                let regions = divide(cells.plane, size, first, size + 1 - first);
                let mut owner = vec![None; cells.len()];
                for (index, &region) in regions.iter().enumerate() {
                    for cell in cells.within(region) {
                        assert_eq!(owner[cell as usize].replace(index), None, "in two regions");
                    }
                    let Position { row, col } = region.bottom_right - region.top_left;
                    assert!((0..size).contains(&row) && (0..size).contains(&col));
                }
                for cell in cells.all() {
                    let here = owner[cell as usize];
                    let around = cells.neighbors(cell).into_iter().filter(|&next| next != OUTSIDE);
                    let there: Vec<_> = around.map(|next| owner[next as usize]).collect();
                    let touches_other = |next: &Option<usize>| next.is_some() && *next != here;
                    assert!(here.is_none() || !there.iter().any(touches_other));
                }
            }
        }
    }

    #[test]
    fn a_better_region_makes_a_better_board_and_the_rest_stays() {
        let puzzle = Measured::new(12, 14, 7, PuzzleType::Type2, 3);
        let model = puzzle.matched(Matcher::Learned);
        let costs = SeamCosts::new(&model);
        let cells = Cells::new(&puzzle.frame.into());
        let space = SearchSpace { cells: &cells, costs: &costs, turns: puzzle.turns };
        let start = BoardState::new(space, &puzzle.in_input_order(puzzle.frame));
        let start = ScoredBoard::new(space, start);
        let mut annealer = Annealer::new(space, start, Stream::new(1, 2));
        for (top, left, bottom, right) in [(2, 3, 8, 9), (0, 0, 5, 5), (4, 2, 11, 13)] {
            let region = Rectangle {
                top_left: Position { row: top, col: left },
                bottom_right: Position { row: bottom, col: right },
            };
            let before = annealer.current().clone();
            let changes = optimize_region(&annealer, region, &REGION_BUDGET, 5, &Silent).unwrap();
            assert!(!changes.is_empty(), "shuffled pieces can be placed better");
            annealer.replace_cells(changes);
            assert!(annealer.current().energy() < before.energy() - ENERGY_STEP);
            for cell in cells.all() {
                if !region.contains(cells.position(cell)) {
                    assert_eq!(annealer.board().at(cell), before.board.at(cell));
                }
            }
            assert_eq!(annealer.board().to_assembly(&cells).unwrap().num_placed(), 12 * 14);
        }
    }
}
