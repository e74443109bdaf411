//! An answer that is no better than chance says so, and pieces that seem to be mirrored are suspected.

use fretsaw::picture::synthetic;
use fretsaw::puzzle::{PieceId, Samples};
use fretsaw::verdict::Verdict;
use fretsaw::{
    Effort, Method, PieceSet, PieceShape, Puzzle, PuzzleType, Settings, Silent, Solution, solve,
};

fn fast() -> Settings {
    Settings { method: Method::Fretsaw(Effort::Fast), ..Settings::default() }
}

fn solved(puzzle: &Puzzle) -> (Solution, Verdict) {
    let solution = solve(puzzle, &fast(), &Silent).unwrap();
    let verdict = Verdict::new(puzzle, &fast(), &solution).unwrap();
    (solution, verdict)
}

#[test]
fn an_answer_to_noise_is_said_to_be_no_better_than_chance() {
    let shape = PieceShape::new(12, 12).unwrap();
    let mut state = 1_u64;
    let mut noise = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    let values = (0..100 * shape.num_pixels() * 3).map(|_| noise()).collect();
    let puzzle = Puzzle::new(PieceSet::new(shape, 3, Samples::U8(values)).unwrap());
    let (solution, verdict) = solved(&puzzle);
    assert_eq!(solution.assembly.num_placed(), 100);
    assert!(verdict.is_by_chance(), "{verdict}");
    assert!(verdict.to_string().contains("no better than chance"), "{verdict}");
    assert!(!puzzle.seems_mirrored(&fast(), &Silent).unwrap());
}

#[test]
fn mirrored_pieces_are_suspected_only_where_there_are_some() {
    let (pieces, grid, _) = synthetic::puzzle(8, 10, 20, PuzzleType::Type2, 1);
    for (one_in, seems) in [(1000, false), (2, true), (5, true)] {
        let is_mirrored = |piece: PieceId| (piece.index() + 1).is_multiple_of(one_in);
        let puzzle = Puzzle::new(pieces.mirrored(is_mirrored)).board(grid);
        assert_eq!(puzzle.seems_mirrored(&fast(), &Silent).unwrap(), seems, "one in {one_in}");
        let (_, verdict) = solved(&puzzle);
        assert_eq!(verdict.is_doubtful(), seems, "one in {one_in}: {verdict}");
    }
}
