//! Every location solver gives a full board for every suitable puzzle, including unusual ones.

use fretsaw::Effort;
use fretsaw::evaluation::score;
use fretsaw::observer::Silent;
use fretsaw::picture::synthetic;
use fretsaw::puzzle::{
    Assembly, Grid, GroundTruth, PieceSet, PieceShape, PuzzleType, Samples, TurnSet,
};
use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
use fretsaw::unstable::locations::ranking::Ranking;
use fretsaw::unstable::locations::{LocationProblem, LocationSolver};
use fretsaw::unstable::matching::{MatchModel, Matcher};
use fretsaw::unstable::methods::gallagher::Gallagher;
use fretsaw::unstable::methods::yu::{Variant, YuSettings};

/// Ours, Gallagher's tree, Yu's portfolio and each of its variants.
fn solvers() -> Vec<(String, Box<dyn LocationSolver>)> {
    let mut solvers: Vec<(String, Box<dyn LocationSolver>)> = vec![
        ("fretsaw".into(), Box::new(Effort::default())),
        ("gallagher".into(), Box::new(Gallagher)),
        ("yu".into(), Box::new(YuSettings::default())),
        (
            "yu inverse".into(),
            Box::new(YuSettings { ranking: Ranking::Inverse, ..YuSettings::default() }),
        ),
        ("yu without rounds".into(), Box::new(YuSettings { rounds: 0, ..YuSettings::default() })),
    ];
    for variant in Variant::ALL {
        let settings = YuSettings { variant: Some(variant), ..YuSettings::default() };
        solvers.push((variant.name().into(), Box::new(settings)));
    }
    solvers
}

/// Solves, and asserts that every piece is placed.
fn locate(
    solver: &dyn LocationSolver,
    pieces: &PieceSet,
    frame: Grid,
    puzzle_type: PuzzleType,
) -> Assembly {
    let dissimilarity = Dissimilarity::new(pieces, Measure::Mgc).unwrap();
    let turns = puzzle_type.turns(pieces.shape());
    let candidates = NearestSettings::default();
    let nearest = find_nearest(&dissimilarity, turns, &candidates, &Silent).unwrap();
    let model = MatchModel::by_ratio(&dissimilarity, &nearest);
    let matcher = Matcher::Ratio;
    let problem =
        LocationProblem { model: &model, frame, turns, seed: 1, pieces, matcher, candidates };
    let board = solver.locate(&problem, &Silent).unwrap();
    assert_eq!(board.num_placed(), pieces.num_pieces());
    board
}

fn neighbor(truth: &GroundTruth, board: &Assembly) -> f64 {
    score(truth, board).unwrap().neighbor
}

#[test]
fn easy_puzzles_are_solved_by_all() {
    for puzzle_type in [PuzzleType::Type1, PuzzleType::Type2] {
        let (pieces, frame, truth) = synthetic::puzzle(7, 9, 28, puzzle_type, 2);
        for (name, solver) in solvers() {
            let found = neighbor(&truth, &locate(&*solver, &pieces, frame, puzzle_type));
            assert!(found > 0.95, "{name} {puzzle_type:?}: {found}");
        }
    }
}

#[test]
fn boards_of_one_row_or_one_column_are_solved() {
    for puzzle_type in [PuzzleType::Type1, PuzzleType::Type2] {
        // With two pieces there is no alternative to compare with, so that any pair of sides may win.
        for (rows, cols, least) in [(1, 12, 0.7), (12, 1, 0.7), (1, 2, 0.0), (2, 1, 0.0)] {
            let (pieces, frame, truth) = synthetic::puzzle(rows, cols, 28, puzzle_type, 3);
            for (name, solver) in solvers() {
                let found = neighbor(&truth, &locate(&*solver, &pieces, frame, puzzle_type));
                assert!(found >= least, "{name} {puzzle_type:?} {rows} x {cols}: {found}");
            }
        }
    }
}

/// Pieces of one colour each.
fn plain_pieces(colors: &[u8]) -> PieceSet {
    let shape = PieceShape::new(6, 6).unwrap();
    let values = colors.iter().flat_map(|&color| [color; 36]).collect();
    PieceSet::new(shape, 1, Samples::U8(values)).unwrap()
}

#[test]
fn pieces_that_are_all_the_same_fill_the_board() {
    let pieces = plain_pieces(&[90; 80]);
    let frame = Grid::new(8, 10).unwrap();
    for puzzle_type in [PuzzleType::Type1, PuzzleType::Type2] {
        for (_, solver) in solvers() {
            locate(&*solver, &pieces, frame, puzzle_type);
        }
    }
}

#[test]
fn groups_without_matches_between_them_fill_one_board() {
    // The candidates of each side are ties of its own colour, which gives three components.
    let colors: Vec<u8> = (0..72).map(|index| [0, 120, 250][index % 3]).collect();
    let pieces = plain_pieces(&colors);
    for puzzle_type in [PuzzleType::Type1, PuzzleType::Type2] {
        for (_, solver) in solvers() {
            locate(&*solver, &pieces, Grid::new(8, 9).unwrap(), puzzle_type);
        }
    }
}

#[test]
fn a_board_may_have_empty_cells_and_either_orientation() {
    let (pieces, _, truth) = synthetic::puzzle(5, 8, 28, PuzzleType::Type2, 4);
    for frame in [Grid::new(8, 5), Grid::new(6, 9), Grid::new(9, 6), Grid::new(20, 20)] {
        for (name, solver) in solvers() {
            let board = locate(&*solver, &pieces, frame.unwrap(), PuzzleType::Type2);
            let found = neighbor(&truth, &board);
            assert!(found > 0.8, "{name} {frame:?}: {found}");
        }
    }
}

#[test]
fn oblong_pieces_are_turned_by_half_turns_only() {
    let picture = synthetic::demo_picture(5 * 20, 7 * 30, 5);
    let cut = fretsaw::picture::cut(&picture, PieceShape::new(20, 30).unwrap()).unwrap();
    let settings = fretsaw::picture::ScrambleSettings::new(PuzzleType::Type2, 1);
    let scrambled = fretsaw::picture::scramble(&cut, &settings).unwrap();
    for (name, solver) in solvers() {
        let board = locate(&*solver, &scrambled.pieces, scrambled.grid, PuzzleType::Type2);
        assert!(board.placements().all(|p| TurnSet::Half.contains(p.place.turn)), "{name}");
        assert!(neighbor(&scrambled.truth, &board) > 0.85, "{name}");
    }
}
