//! The set of turns is found from the pieces, and every method supports every set of turns.

use fretsaw::evaluation::score;
use fretsaw::observer::Silent;
use fretsaw::picture::synthetic::demo_picture;
use fretsaw::picture::{Cut, cut};
use fretsaw::puzzle::{Assembly, GroundTruth, PieceShape, Place, Placement, QuarterTurn, TurnSet};
use fretsaw::{Method, Puzzle, Settings, solve};

/// A landscape of 6 x 7 pieces, in their true order.
fn landscape(shape: PieceShape) -> Cut {
    let (height, width) = (shape.height_px() as usize, shape.width_px() as usize);
    cut(&demo_picture(6 * height, 7 * width, 2), shape).unwrap()
}

/// Irregular turns from this set.
fn given_turns(turns: TurnSet, num_pieces: usize) -> Vec<QuarterTurn> {
    let turns = turns.turns();
    (0..num_pieces).map(|piece| turns[piece * piece / 3 % turns.len()]).collect()
}

#[track_caller]
fn check(method: Method, shape: PieceShape, given: TurnSet, finds_turns: bool) {
    let Cut { pieces, grid, .. } = landscape(shape);
    let turns = given_turns(given, pieces.num_pieces());
    let pieces = pieces.turned(|piece| turns[piece.index()]).unwrap();
    let place = |index: usize| Place { board: 0, cell: grid.cell_at(index), turn: -turns[index] };
    let placements = pieces.ids().map(|piece| Placement { piece, place: place(piece.index()) });
    let truth = Assembly::new(pieces.num_pieces(), vec![grid], placements).unwrap();
    let truth = GroundTruth::new(truth, None).unwrap();
    let puzzle = Puzzle::new(pieces).board(grid);
    let puzzle = Puzzle { turns: (!finds_turns).then_some(given), ..puzzle };
    let settings = Settings { method: method.clone(), ..Settings::default() };
    let outcome = solve(&puzzle, &settings, &Silent).unwrap();
    assert_eq!(outcome.turns, given);
    let found = score(&truth, &outcome.assembly).unwrap();
    assert!(found.neighbor > 0.9, "{method:?} {given:?}: {found}");
    let of_first = outcome.assembly.placements().next().unwrap().place.turn;
    let relative = outcome.assembly.placements().map(|found| found.place.turn - of_first);
    for (index, turn) in relative.enumerate() {
        assert!(given.contains(turn), "{method:?} {given:?}: piece {index} is turned by {turn:?}");
    }
}

#[test]
fn the_smallest_set_of_turns_that_explains_the_pieces_is_found() {
    let square = PieceShape::new(28, 28).unwrap();
    let oblong = PieceShape::new(20, 32).unwrap();
    for given in [TurnSet::None, TurnSet::Half, TurnSet::Quarter] {
        check(Method::default(), square, given, true);
    }
    for given in [TurnSet::None, TurnSet::Half] {
        check(Method::default(), oblong, given, true);
    }
}

#[test]
fn every_method_supports_every_set_of_turns() {
    let square = PieceShape::new(28, 28).unwrap();
    for method in ["fretsaw", "gallagher", "yu"] {
        for given in [TurnSet::None, TurnSet::Half] {
            check(Method::from_name(method).unwrap(), square, given, false);
        }
    }
}
