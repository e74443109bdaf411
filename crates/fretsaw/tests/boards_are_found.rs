//! Boards of unknown size and number are found, also with missing or foreign pieces, and constraints are
//! respected.

use fretsaw::Constraints;
use fretsaw::evaluation::score;
use fretsaw::observer::Silent;
use fretsaw::picture::synthetic;
use fretsaw::picture::{Picture, ScrambleSettings, Scrambled, cut, mix, scramble};
use fretsaw::puzzle::Pin;
use fretsaw::puzzle::{
    Assembly, Grid, Join, PieceSet, PieceShape, Placement, PuzzleType, Samples, TurnSet,
};
use fretsaw::unstable::constraints::ConstraintError;
use fretsaw::{KnownBoards, Method, Puzzle, Settings, Solution, SolveError, solve};

/// A puzzle of a generated picture of `rows` x `cols` pieces of 28 pixels.
fn puzzle(rows: usize, cols: usize, drop: usize, puzzle_type: PuzzleType, seed: u64) -> Scrambled {
    let picture = synthetic::demo_picture(28 * rows, 28 * cols, seed);
    let cut = cut(&picture, PieceShape::new(28, 28).unwrap()).unwrap();
    let settings = ScrambleSettings { drop, ..ScrambleSettings::new(puzzle_type, seed) };
    scramble(&cut, &settings).unwrap()
}

fn solved(puzzle: &Puzzle) -> Result<Solution, SolveError> {
    solve(puzzle, &Settings::default(), &Silent)
}

/// The size of a grid, the larger number last.
fn lying(grid: Grid) -> (u32, u32) {
    (grid.rows().min(grid.cols()), grid.rows().max(grid.cols()))
}

#[test]
fn a_board_of_unknown_size_is_found() {
    for (rows, cols, puzzle_type) in
        [(7, 9, PuzzleType::Type2), (6, 12, PuzzleType::Type1), (20, 2, PuzzleType::Type2)]
    {
        let Scrambled { pieces, grid, truth } = puzzle(rows, cols, 0, puzzle_type, 3);
        let found = solved(&Puzzle::new(pieces.clone()).of_type(puzzle_type)).unwrap().assembly;
        assert_eq!(found.boards().len(), 1);
        assert_eq!(lying(found.boards()[0]), lying(grid), "{rows} x {cols}");
        assert!(score(&truth, &found).unwrap().neighbor_px.unwrap() > 0.95, "{rows} x {cols}");
    }
}

#[test]
fn strips_form_one_row() {
    let picture = synthetic::demo_picture(180, 8 * 30, 3);
    let cut = cut(&picture, PieceShape::new(180, 8).unwrap()).unwrap();
    let settings = ScrambleSettings::new(PuzzleType::Type1, 3);
    let Scrambled { pieces, grid, truth } = scramble(&cut, &settings).unwrap();
    let found = solved(&Puzzle::new(pieces.clone()).of_type(PuzzleType::Type1)).unwrap().assembly;
    assert_eq!(found.boards(), [grid]);
    assert!(score(&truth, &found).unwrap().neighbor_px.unwrap() > 0.95);
}

/// The same pieces, each with a brightness of its own.
fn lit_differently(pieces: &PieceSet) -> PieceSet {
    let Samples::U8(values) = pieces.samples() else { panic!("drawn in 8 bit") };
    let per_piece = values.len() / pieces.num_pieces();
    let lit = values.iter().enumerate().map(|(at, &value)| {
        let percent = 90 + at / per_piece * 37 % 21;
        u8::try_from((usize::from(value) * percent / 100).min(255)).unwrap()
    });
    PieceSet::new(pieces.shape(), pieces.channels(), Samples::U8(lit.collect())).unwrap()
}

#[test]
fn all_strips_are_placed_even_if_they_match_badly() {
    let picture = synthetic::demo_picture(300, 6 * 90, 4);
    let cut = cut(&picture, PieceShape::new(300, 6).unwrap()).unwrap();
    let Scrambled { pieces, grid, .. } =
        scramble(&cut, &ScrambleSettings::new(PuzzleType::Type1, 3)).unwrap();
    let found = solved(&Puzzle::new(lit_differently(&pieces))).unwrap().assembly;
    assert_eq!(found.boards(), [grid]);
    assert_eq!(found.num_placed(), 90);
}

#[test]
fn a_full_board_is_preferred_to_leaving_out_many_pieces() {
    // Noise, in which nothing matches.
    let noise =
        |at: u64| u8::try_from((at * at * 2_654_435_761 + at * 40_503) >> 13 & 255).unwrap();
    let shape = PieceShape::new(12, 12).unwrap();
    let samples = Samples::U8((0..24 * 144 * 3).map(noise).collect());
    let pieces = PieceSet::new(shape, 3, samples).unwrap();
    for sheet in [None, Some(Grid::new(3, 8).unwrap())] {
        let puzzle = Puzzle::new(pieces.clone()).turns(TurnSet::None).sheet(sheet);
        let found = solved(&puzzle).unwrap().assembly;
        assert_eq!((found.boards().len(), found.num_placed()), (1, 24), "{:?}", found.boards());
    }
}

#[test]
fn a_known_number_of_rows_or_columns_is_kept() {
    let Scrambled { pieces, grid, .. } = puzzle(6, 10, 0, PuzzleType::Type2, 4);
    for (rows, cols) in [(Some(6), None), (None, Some(6)), (Some(10), None), (None, Some(10))] {
        let boards = KnownBoards { rows, cols, count: None };
        let puzzle = Puzzle::new(pieces.clone()).of_type(PuzzleType::Type2).boards(boards);
        let found = solved(&puzzle).unwrap().assembly.boards()[0];
        assert_eq!(lying(found), lying(grid));
        assert!(rows.is_none_or(|rows| rows == found.rows()), "{rows:?}");
        assert!(cols.is_none_or(|cols| cols == found.cols()), "{cols:?}");
    }
}

#[test]
fn missing_pieces_leave_holes() {
    for grid_is_known in [false, true] {
        let Scrambled { pieces, grid, truth } = puzzle(8, 11, 9, PuzzleType::Type2, 5);
        let known = grid_is_known.then_some(grid);
        let boards = known.map(KnownBoards::one).unwrap_or_default();
        let puzzle = Puzzle::new(pieces.clone()).of_type(PuzzleType::Type2).boards(boards);
        let found = solved(&puzzle).unwrap().assembly;
        assert_eq!(found.boards().len(), 1);
        assert_eq!(lying(found.boards()[0]), lying(grid));
        if grid_is_known {
            assert_eq!(found.boards()[0], grid, "the given size");
        }
        let score = score(&truth, &found).unwrap();
        assert!(score.neighbor > 0.95, "{score}");
    }
}

#[test]
fn foreign_pieces_are_left_out() {
    let own = puzzle(8, 10, 0, PuzzleType::Type2, 6);
    let others = (0..4).map(|seed| puzzle(1, 1, 0, PuzzleType::Type2, 100 + seed));
    let all: Vec<Scrambled> = std::iter::once(own.clone()).chain(others).collect();
    let (pieces, truth) = mix(&all, 2).unwrap();
    for known in [None, Some(own.grid)] {
        let boards = known.map(KnownBoards::one).unwrap_or_default();
        let puzzle = Puzzle::new(pieces.clone()).of_type(PuzzleType::Type2).boards(boards);
        let found = solved(&puzzle).unwrap().assembly;
        assert_eq!(found.boards().len(), 1);
        assert_eq!(lying(found.boards()[0]), lying(own.grid));
        let is_foreign = |piece| truth.assembly().place_of(piece).unwrap().board > 0;
        assert!(found.unplaced().all(is_foreign), "a piece that belongs was left out");
        assert!(found.unplaced().count() >= 3, "{}", found.unplaced().count());
        assert!(score(&truth, &found).unwrap().neighbor > 0.95);
    }
}

#[test]
fn mixed_puzzles_get_a_board_each() {
    // One picture unchanged, one with other colours, one negative.
    let sizes = [(7, 9), (8, 8), (5, 11)];
    let recolored: [fn(usize, u8) -> u8; 3] = [
        |_, value| value,
        |channel, value| if channel == 0 { value } else { value / 2 },
        |_, value| 255 - value,
    ];
    let mut puzzles: Vec<Scrambled> = Vec::new();
    for ((seed, (rows, cols)), recolored) in (1..).zip(sizes).zip(recolored) {
        let picture = synthetic::demo_picture(28 * rows, 28 * cols, seed);
        let Samples::U8(values) = picture.samples() else { panic!("drawn in 8 bit") };
        let values = values.iter().enumerate().map(|(at, &value)| recolored(at % 3, value));
        let samples = Samples::U8(values.collect());
        let picture = Picture::new(28 * rows, 28 * cols, 3, samples).unwrap();
        let cut = cut(&picture, PieceShape::new(28, 28).unwrap()).unwrap();
        let settings = ScrambleSettings::new(PuzzleType::Type2, seed);
        puzzles.push(scramble(&cut, &settings).unwrap());
    }
    let (pieces, truth) = mix(&puzzles, 3).unwrap();
    let mut expected: Vec<(u32, u32)> = puzzles.iter().map(|puzzle| lying(puzzle.grid)).collect();
    expected.sort_unstable();
    for count in [None, Some(3)] {
        let boards = KnownBoards { count, ..KnownBoards::default() };
        let puzzle = Puzzle::new(pieces.clone()).of_type(PuzzleType::Type2).boards(boards);
        let found = solved(&puzzle).unwrap().assembly;
        let mut sizes: Vec<(u32, u32)> = found.boards().iter().map(|&grid| lying(grid)).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, expected);
        let score = score(&truth, &found).unwrap();
        assert!(score.neighbor > 0.95, "{score}");
    }
    // The other methods fill one board.
    let gallagher = Settings { method: Method::Gallagher, ..Settings::default() };
    let error = solve(&Puzzle::new(pieces.clone()).of_type(PuzzleType::Type2), &gallagher, &Silent);
    assert!(matches!(error, Err(SolveError::NotOneBoard { grids, .. }) if grids.len() == 3));
}

/// Pins of the first pieces to their true places.
fn pins_of(truth: &Assembly, count: usize) -> Vec<Pin> {
    let pin = |Placement { piece, place }: Placement| Pin {
        piece,
        cell: place.cell,
        turn: (piece.index() % 2 == 0).then_some(place.turn),
    };
    truth.placements().take(count).map(pin).collect()
}

#[test]
fn pins_joins_and_forbidden_seams_are_respected_even_if_they_are_wrong() {
    let Scrambled { pieces, grid, truth } = puzzle(6, 8, 0, PuzzleType::Type2, 7);
    let solve_with = |constraints: &Constraints, start: Option<&Assembly>| {
        let puzzle = Puzzle::new(pieces.clone()).of_type(PuzzleType::Type2).board(grid);
        let puzzle = puzzle.constraints(constraints.clone());
        solved(&Puzzle { start: start.cloned(), ..puzzle })
    };
    let pins = Constraints { pins: pins_of(truth.assembly(), 3), ..Constraints::default() };
    let found = solve_with(&pins, None).unwrap().assembly;
    assert_eq!(pins.verify(&found), Ok(()));
    let score_of = |assembly: &Assembly| score(&truth, assembly).unwrap();
    assert!(score_of(&found).direct > 0.9, "pins determine the orientation: {}", score_of(&found));

    // Forbid a true seam, and join two sides that are not neighbours.
    let true_joins: Vec<Join> = truth.assembly().joins().collect();
    let (one, other) = (true_joins[0], true_joins[40]);
    let wrong = Constraints {
        joins: vec![Join::new(one.first, other.first)],
        forbidden: vec![true_joins[20]],
        ..Constraints::default()
    };
    let found = solve_with(&wrong, None).unwrap().assembly;
    assert_eq!(wrong.verify(&found), Ok(()));
    assert!(score_of(&found).neighbor > 0.5, "{}", score_of(&found));

    // Also if the solve starts from a solution.
    let again = solve_with(&pins, Some(&found)).unwrap().assembly;
    assert_eq!(pins.verify(&again), Ok(()));
    assert!(score_of(&again).neighbor > 0.95, "{}", score_of(&again));

    let clash = Constraints { forbidden: true_joins[..1].into(), ..Constraints::default() };
    let clash = Constraints { joins: true_joins[..1].into(), ..clash };
    let error = solve_with(&clash, None).unwrap_err();
    assert!(matches!(error, SolveError::Constraint(ConstraintError::Impossible(_))), "{error}");
}

#[test]
fn a_start_keeps_its_boards() {
    let Scrambled { pieces, grid, truth } = puzzle(5, 7, 3, PuzzleType::Type1, 8);
    let start = truth.assembly().clone();
    let from_start = |pieces: PieceSet| {
        solved(&Puzzle::new(pieces).of_type(PuzzleType::Type1).start(start.clone()))
    };
    let found = from_start(pieces);
    let found = found.unwrap().assembly;
    assert_eq!(found.boards(), [grid]);
    let score = score(&truth, &found).unwrap();
    assert!(score.neighbor > 0.9, "{score}");
    let fewer = puzzle(5, 6, 0, PuzzleType::Type1, 8);
    let error = from_start(fewer.pieces);
    assert!(matches!(error, Err(SolveError::WrongStart { of_start: 32, .. })));
}

#[test]
fn mixed_puzzles_get_the_same_boards_on_any_number_of_threads() {
    let puzzles = [3, 4].map(|seed| puzzle(5, 6, 2, PuzzleType::Type2, seed));
    let (pieces, _) = mix(&puzzles, 1).unwrap();
    let found = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            solved(&Puzzle::new(pieces.clone()).of_type(PuzzleType::Type2)).unwrap().assembly
        })
    };
    assert_eq!(found(1), found(3));
}
