//! Pieces in another order, or another number of threads, give the same picture: ties are broken by pixels.

use fretsaw::picture::synthetic::demo_picture;
use fretsaw::picture::{ScrambleSettings, Scrambled};
use fretsaw::puzzle::Samples;
use fretsaw::{
    Assembly, Effort, Method, Picture, PieceSet, PieceShape, Puzzle, PuzzleType, Settings, Silent,
    cut, render, score, scramble, solve,
};

/// What the pieces show.
#[derive(Clone, Copy, Debug)]
enum Material {
    Drawn,
    Noise,
    /// Blocks of two colours: many pieces are equal.
    TwoColours,
    /// A drawn picture in few levels of grey: many sides are equal.
    Coarse,
}

#[derive(Clone, Copy, Debug)]
struct Dials {
    material: Material,
    rows: u32,
    cols: u32,
    piece_px: u32,
    puzzle_type: PuzzleType,
    /// Whether the size of the board and the turns are told.
    is_told: bool,
    corrupt_rate: f64,
}

fn scrambled(dials: Dials, seed: u64) -> Scrambled {
    let Dials { material, rows, cols, piece_px, .. } = dials;
    let (height, width) = ((rows * piece_px) as usize, (cols * piece_px) as usize);
    let drawn = demo_picture(height, width, seed);
    let level = |at: usize| match material {
        Material::Drawn => drawn.samples().get(at),
        Material::Noise => {
            let hash = (at as u64 + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            u16::from((hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).to_be_bytes()[1])
        }
        Material::TwoColours => {
            let (row, col) = (at / (3 * width), at / 3 % width);
            if (row / 5 + col / 7) % 2 == 0 { 250 } else { 20 }
        }
        Material::Coarse => drawn.samples().get(at) / 64 * 64,
    };
    let values = (0..3 * height * width).map(|at| u8::try_from(level(at)).unwrap()).collect();
    let picture = Picture::new(height, width, 3, Samples::U8(values)).unwrap();
    let cut = cut(&picture, PieceShape::new(piece_px, piece_px).unwrap()).unwrap();
    let settings = ScrambleSettings {
        corrupt_rate: dials.corrupt_rate,
        ..ScrambleSettings::new(dials.puzzle_type, seed)
    };
    scramble(&cut, &settings).unwrap()
}

/// The pieces in another order: each `step` further on, all around.
fn reordered(pieces: &PieceSet, step: usize) -> PieceSet {
    let (number, length) = (pieces.num_pieces(), pieces.samples_per_piece());
    let values = (0..number).flat_map(|place| {
        let piece = place * step % number;
        (piece * length..(piece + 1) * length)
            .map(|at| u8::try_from(pieces.samples().get(at)).unwrap())
    });
    let values = Samples::U8(values.collect());
    PieceSet::new(pieces.shape(), pieces.channels(), values).unwrap()
}

#[test]
fn twenty_varied_puzzles_look_the_same_in_every_order_and_on_any_number_of_threads() {
    let materials = [Material::Drawn, Material::Noise, Material::TwoColours, Material::Coarse];
    let sizes = [(4, 5, 5), (3, 7, 8), (5, 6, 3), (2, 4, 12), (6, 6, 4)];
    // A longer search would break no other ties.
    let settings = Settings { method: Method::Fretsaw(Effort::Fast), ..Settings::default() };
    let mut num_hard = 0;
    for (number, (rows, cols, piece_px)) in sizes.into_iter().cycle().take(20).enumerate() {
        let dials = Dials {
            material: materials[number / 5],
            rows,
            cols,
            piece_px,
            puzzle_type: if number % 3 == 0 { PuzzleType::Type1 } else { PuzzleType::Type2 },
            is_told: number % 2 == 0,
            corrupt_rate: if number % 4 == 1 { 0.2 } else { 0.0 },
        };
        let Scrambled { pieces, grid, truth, .. } = scrambled(dials, number as u64);
        let answer = |pieces: PieceSet, num_threads: usize| -> (Assembly, Vec<Picture>) {
            let mut puzzle = Puzzle::new(pieces);
            if dials.is_told {
                puzzle = puzzle.of_type(dials.puzzle_type).board(grid);
            }
            let pool = rayon::ThreadPoolBuilder::new().num_threads(num_threads).build().unwrap();
            let found = pool.install(|| solve(&puzzle, &settings, &Silent)).unwrap();
            let boards = 0..found.assembly.boards().len();
            let painted = |board| render(&puzzle.pieces, &found.assembly, board).unwrap();
            (found.assembly.clone(), boards.map(painted).collect())
        };
        let (assembly, expected) = answer(pieces.clone(), 1);
        // No number of pieces above is a multiple of 11 or 13.
        for (step, num_threads) in [(1, 2), (11, 1), (13, 2)] {
            let (_, found) = answer(reordered(&pieces, step), num_threads);
            assert!(found == expected, "{dials:?}, every {step}th piece, {num_threads} threads");
        }
        num_hard += usize::from(score(&truth, &assembly).unwrap().neighbor < 0.9);
    }
    // Easy puzzles would look the same whatever breaks their ties.
    assert!(num_hard >= 10, "{num_hard}");
}
