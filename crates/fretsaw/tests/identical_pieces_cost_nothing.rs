//! Puzzles with many identical pieces: they are solved like others, and need no more memory and work.

use fretsaw::picture::ScrambleSettings;
use fretsaw::unstable::dissimilarity::TellingSides;
use fretsaw::unstable::{Measured, estimate_memory};
use fretsaw::{
    Picture, PieceShape, Puzzle, PuzzleType, Settings, Silent, cut, score, scramble, solve,
};

const PIECE_PX: u32 = 8;

/// A puzzle of 16 x 20 pieces, drawn by the colour of each pixel.
fn puzzle(level: impl Fn(u32, u32) -> u8) -> fretsaw::picture::Scrambled {
    let (rows, cols) = (16 * PIECE_PX, 20 * PIECE_PX);
    let values = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
    let values = values.map(|(row, col)| level(row, col)).collect();
    let samples = fretsaw::puzzle::Samples::U8(values);
    let picture = Picture::new(rows as usize, cols as usize, 1, samples).unwrap();
    let pieces = cut(&picture, PieceShape::new(PIECE_PX, PIECE_PX).unwrap()).unwrap();
    scramble(&pieces, &ScrambleSettings::new(PuzzleType::Type2, 5)).unwrap()
}

/// Every piece is of one of two colours.
fn two_colours(row: u32, col: u32) -> u8 {
    let (row, col) = (row / PIECE_PX, col / PIECE_PX);
    if (row / 5 + col / 7) % 2 == 0 { 250 } else { 20 }
}

/// Grains on a white ground, which cover every second block of 4 x 4 pieces.
fn half_blank(row: u32, col: u32) -> u8 {
    let is_blank = (row / PIECE_PX / 4 + col / PIECE_PX / 4).is_multiple_of(2);
    let slope = |at: u32, period: u32| (at % period).abs_diff(period / 2);
    let grain = slope(row * 3 + col, 61) + slope(col * 5 + row, 83) + slope(row * col / 9, 97);
    if is_blank { 255 } else { u8::try_from(grain + 60).unwrap_or(200) }
}

#[test]
fn a_puzzle_of_two_colours_is_solved_up_to_the_exchange_of_identical_pieces() {
    let made = puzzle(two_colours);
    let puzzle = Puzzle::new(made.pieces).board(made.grid);
    let found = solve(&puzzle, &Settings::default(), &Silent).unwrap();
    let score = score(&made.truth, &found.assembly).unwrap();
    assert_eq!((score.placed, score.neighbor_px), (score.pieces, Some(1.0)));
    assert_eq!(score.neighbor_visual, Some(1.0));
}

#[test]
fn sides_that_tie_with_many_others_have_no_candidates() {
    let settings = Settings::default();
    for (made, most_per_side) in [(puzzle(two_colours), 0), (puzzle(half_blank), 20)] {
        let puzzle = Puzzle::new(made.pieces).board(made.grid).of_type(PuzzleType::Type2);
        let nearest = Measured::new(&puzzle, &settings, &Silent).unwrap().nearest;
        assert!(nearest.num_candidates() <= most_per_side * nearest.num_sides());
        assert!(most_per_side == 0 || nearest.num_candidates() > 0);
    }
}

#[test]
fn pieces_around_blank_ones_are_put_together() {
    let made = puzzle(half_blank);
    let puzzle = Puzzle::new(made.pieces).board(made.grid);
    let found = solve(&puzzle, &Settings::default(), &Silent).unwrap();
    let score = score(&made.truth, &found.assembly).unwrap();
    assert_eq!(score.placed, score.pieces);
    // Nothing tells where an island of grains lies in the white. Most seams within islands and in the white are right.
    assert!(score.neighbor_px > Some(0.7), "{score}");
}

#[test]
fn blank_pieces_are_reported_before_the_search_and_their_memory_is_not_counted() {
    let settings = Settings::default();
    let of = |made: fretsaw::picture::Scrambled| {
        let puzzle = Puzzle::new(made.pieces).board(made.grid);
        let telling = TellingSides::of(&puzzle.pieces, puzzle.possible_turns()).unwrap();
        (telling, estimate_memory(&puzzle, &settings, 2).candidates)
    };
    let (plain, plain_candidates) = of(puzzle(two_colours));
    let (half, half_candidates) = of(puzzle(half_blank));
    assert_eq!((plain.alike, plain.are_few()), (320, true));
    assert!(plain.seam_share < 0.01 && half.seam_share > 0.45 && half.seam_share < 0.55);
    assert!(plain_candidates == 0 && half_candidates > 0, "{plain_candidates} {half_candidates}");
}
