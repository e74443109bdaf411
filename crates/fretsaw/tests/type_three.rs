//! Type 3 puzzles are solved, and unsuitable boards are refused.

use crate::type_three_puzzles::{TYPE, corrupted, oblong, share_right, turns_in_order};
use fretsaw::observer::Silent;
use fretsaw::picture::Scrambled;
use fretsaw::picture::synthetic;
use fretsaw::puzzle::{Grid, PieceId, PieceSet, PieceShape, QuarterTurn, Samples};
use fretsaw::{KnownBoards, Puzzle, Settings, Solution, SolveError, solve};

fn try_solve(pieces: &PieceSet, grid: Option<Grid>) -> Result<Solution, SolveError> {
    let boards = grid.map(KnownBoards::one).unwrap_or_default();
    solve(&Puzzle::new(pieces.clone()).of_type(TYPE).boards(boards), &Settings::default(), &Silent)
}

/// The turns found, by piece. Asserts that every piece is in its given cell.
fn turns_of(pieces: &PieceSet, grid: Grid) -> Vec<QuarterTurn> {
    let outcome = try_solve(pieces, Some(grid)).unwrap();
    assert_eq!(outcome.method, "mrf");
    assert_eq!(outcome.confidences.len(), pieces.num_pieces());
    assert!(outcome.confidences.iter().flatten().all(|c| (0.0..=1.0).contains(c)));
    turns_in_order(&outcome.assembly, grid)
}

#[test]
fn the_turns_of_a_picture_are_found_with_and_without_corrupted_sides() {
    // Each bar is a little below the current value.
    for (corrupt_rate, bar) in [(0.0, 0.99), (0.1, 0.73)] {
        let Scrambled { pieces, grid, truth } = corrupted(corrupt_rate);
        let share = share_right(&truth, &turns_of(&pieces, grid));
        assert!(share >= bar, "{corrupt_rate}: {share}");
    }
}

#[test]
fn turning_a_piece_changes_only_its_own_turn_by_the_inverse() {
    let (pieces, grid, _) = synthetic::puzzle(6, 8, 20, TYPE, 3);
    let before = turns_of(&pieces, grid);
    for (piece, quarters) in [(0, 1), (21, 2), (47, 3)] {
        let turn = QuarterTurn::from_clockwise(quarters);
        let turn_of =
            |other: PieceId| if other.index() == piece { turn } else { QuarterTurn::ZERO };
        let turned = pieces.turned(turn_of).unwrap();
        let mut expected = before.clone();
        expected[piece] = expected[piece] - turn;
        assert_eq!(turns_of(&turned, grid), expected);
    }
}

#[test]
fn oblong_pieces_are_turned_by_half_turns() {
    let Scrambled { pieces, grid, truth } = oblong();
    let turns = turns_of(&pieces, grid);
    assert!(turns.iter().all(|turn| !turn.swaps_axes()));
    let share = share_right(&truth, &turns);
    assert!(share >= 0.97, "{share}");
}

#[test]
fn the_board_must_be_known_and_full() {
    let (pieces, _, _) = synthetic::puzzle(3, 4, 10, TYPE, 1);
    let error = try_solve(&pieces, None).unwrap_err();
    assert!(matches!(error, SolveError::GridNeeded { .. }));
    assert!(error.to_string().contains("type 3"), "{error}");
    for (rows, cols) in [(3, 3), (3, 5), (5, 3), (1, 1)] {
        let error = try_solve(&pieces, Some(Grid::new(rows, cols).unwrap())).unwrap_err();
        assert!(matches!(error, SolveError::GridNotFilled { num_pieces: 12, .. }), "{error:?}");
        assert!(error.to_string().contains("4x3"), "{error}");
    }
}

#[test]
fn a_uniform_picture_gives_a_full_board() {
    let shape = PieceShape::new(6, 6).unwrap();
    let pieces = PieceSet::new(shape, 3, Samples::U8(vec![200; 6 * 6 * 3 * 12])).unwrap();
    let grid = Grid::new(3, 4).unwrap();
    assert_eq!(turns_of(&pieces, grid).len(), 12);
}
