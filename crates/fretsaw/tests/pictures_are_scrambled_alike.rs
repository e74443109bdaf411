//! Pictures that were cut and scrambled alike are evidence of one answer.

use fretsaw::picture::synthetic::demo_picture;
use fretsaw::picture::{ScrambleSettings, Scrambled};
use fretsaw::puzzle::Samples;
use fretsaw::{
    Picture, PieceShape, Puzzle, PuzzleType, Settings, Silent, SolveError, cut, score, scramble,
    solve,
};
use std::sync::Arc;

/// A very noisy picture of 8 x 10 pieces, scrambled by one seed.
fn scrambled(number: u64, piece_px: u32) -> Scrambled {
    let (rows, cols) = (8 * piece_px as usize, 10 * piece_px as usize);
    let clean = demo_picture(rows, cols, number);
    let mut state = number + 1;
    let noisy = (0..clean.samples().len()).map(|at| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let noise = i32::try_from(state >> 40 & 127).unwrap() - 64;
        u8::try_from((i32::from(clean.samples().get(at)) + noise).clamp(0, 255)).unwrap()
    });
    let picture = Picture::new(rows, cols, 3, Samples::U8(noisy.collect())).unwrap();
    let pieces = cut(&picture, PieceShape::new(piece_px, piece_px).unwrap()).unwrap();
    scramble(&pieces, &ScrambleSettings::new(PuzzleType::Type1, 9)).unwrap()
}

#[test]
fn several_noisy_pictures_are_solved_where_each_alone_is_not() {
    let made: Vec<Scrambled> = (1..=5).map(|number| scrambled(number, 16)).collect();
    let truth = &made[0].truth;
    let solved = |puzzle: &Puzzle| {
        let solution = solve(puzzle, &Settings::default(), &Silent).unwrap();
        score(truth, &solution.assembly).unwrap().neighbor
    };
    let puzzle = |made: &Scrambled| {
        Puzzle::new(made.pieces.clone()).board(made.grid).of_type(PuzzleType::Type1)
    };
    let alone: Vec<f64> = made.iter().map(|made| solved(&puzzle(made))).collect();
    let others = made[1..].iter().map(|made| Arc::new(made.pieces.clone())).collect();
    let together = solved(&puzzle(&made[0]).scrambled_alike(others));
    assert!(alone.iter().all(|&alone| together > alone + 0.5), "{together} {alone:?}");
    assert!(together > 0.9, "{together} {alone:?}");
}

#[test]
fn pictures_of_other_pieces_are_refused() {
    let puzzle = Puzzle::new(scrambled(1, 8).pieces);
    let puzzle = puzzle.scrambled_alike(vec![Arc::new(scrambled(2, 9).pieces)]);
    let found = solve(&puzzle, &Settings::default(), &Silent);
    assert_eq!(found.unwrap_err(), SolveError::OtherForm);
}
