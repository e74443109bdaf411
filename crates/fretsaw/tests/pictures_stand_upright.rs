//! A solution is turned as a whole so that its picture stands upright; nothing else changes.

use fretsaw::picture::synthetic;
use fretsaw::puzzle::{Cell, PieceId, Pin, PuzzleType, QuarterTurn, TurnSet};
use fretsaw::{Constraints, KnownBoards, Puzzle, Settings, Silent, Solution};
use fretsaw::{render, score, solve};

#[test]
fn a_solved_landscape_stands_upright_however_it_was_found() {
    let (pieces, _, truth) = synthetic::puzzle(9, 12, 28, PuzzleType::Type2, 1);
    let upright = render(&pieces, truth.assembly(), 0).unwrap();
    let puzzle = Puzzle::new(pieces.clone());
    let solution = solve(&puzzle, &Settings::default(), &Silent).unwrap();
    assert!(score(&truth, &solution.assembly).unwrap().perfect);
    for turn in QuarterTurn::ALL {
        let found = solution.clone().turned(turn);
        let (standing, guess) = found.clone().stand_upright(&puzzle);
        assert_eq!(render(&pieces, &standing.assembly, 0).unwrap(), upright);
        assert!(guess.unwrap().sure().is_some());
        assert_eq!(score(&truth, &standing.assembly), score(&truth, &found.assembly));
        assert_eq!(standing.confidences, found.confidences);
    }
}

#[test]
fn turning_a_solution_turns_seams_and_suggestions_with_it() {
    let (pieces, grid, _) = synthetic::puzzle(4, 5, 12, PuzzleType::Type2, 3);
    let puzzle = Puzzle::new(pieces).board(grid);
    let solution = solve(&puzzle, &Settings::default(), &Silent).unwrap();
    let quarter = QuarterTurn::from_clockwise(1);
    let turned = solution.clone().turned(quarter);
    let joins =
        |solution: &Solution| solution.seams.iter().map(|seam| seam.join).collect::<Vec<_>>();
    assert_eq!(joins(&turned), turned.assembly.joins().collect::<Vec<_>>());
    assert_eq!(turned.seams.len(), solution.seams.len());
    for (before, after) in solution.suggestions.iter().zip(&turned.suggestions) {
        for (before, after) in before.alternatives.iter().zip(&after.alternatives) {
            assert_eq!(after.turn, before.turn + quarter);
        }
    }
    assert_eq!(turned.turned(-quarter), solution);
}

#[test]
fn what_is_known_is_kept() {
    let (pieces, grid, truth) = synthetic::puzzle(3, 4, 12, PuzzleType::Type2, 1);
    let unknown = Puzzle::new(pieces);
    let free = |puzzle: &Puzzle| puzzle.free_turns(TurnSet::Quarter);
    assert_eq!(free(&unknown), TurnSet::Quarter);
    assert_eq!(unknown.free_turns(TurnSet::None), TurnSet::None);
    assert_eq!(unknown.free_turns(TurnSet::Half), TurnSet::Half);
    assert_eq!(free(&unknown.clone().board(grid)), TurnSet::Half);
    let square = KnownBoards { rows: Some(4), cols: Some(4), count: None };
    assert_eq!(free(&unknown.clone().boards(square)), TurnSet::Quarter);
    let columns = KnownBoards { cols: Some(4), ..KnownBoards::default() };
    assert_eq!(free(&unknown.clone().boards(columns)), TurnSet::Half);
    let pin = Pin { piece: PieceId::new(0), cell: Cell { row: 0, col: 0 }, turn: None };
    let pinned = Constraints { pins: vec![pin], ..Constraints::default() };
    assert_eq!(free(&unknown.clone().constraints(pinned)), TurnSet::None);
    assert_eq!(free(&unknown.clone().start(truth.assembly().clone())), TurnSet::None);
    assert_eq!(free(&unknown.of_type(PuzzleType::Type3)), TurnSet::None);
}
