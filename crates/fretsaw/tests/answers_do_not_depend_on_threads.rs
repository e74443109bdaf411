//! The same puzzle, settings and seed give the same solution on any number of threads.

use crate::by_ratio;
use fretsaw::observer::Silent;
use fretsaw::picture::synthetic::demo_picture;
use fretsaw::picture::{ScrambleSettings, Scrambled, cut, scramble};
use fretsaw::puzzle::{PieceShape, PuzzleType};
use fretsaw::unstable::dissimilarity::Measure;
use fretsaw::{Method, Puzzle, Settings, solve};

/// Asserts that so many threads give the solution of one thread.
fn check(scrambled: &Scrambled, puzzle_type: PuzzleType, settings: &Settings, threads: usize) {
    let puzzle = Puzzle::new(scrambled.pieces.clone()).of_type(puzzle_type).board(scrambled.grid);
    let answer = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let outcome = pool.install(|| solve(&puzzle, settings, &Silent)).unwrap();
        let bits: Vec<u64> = outcome.confidences.iter().flatten().map(|c| c.to_bits()).collect();
        (outcome.assembly, bits)
    };
    assert!(answer(1) == answer(threads), "{puzzle_type:?} {settings:?} {threads}");
}

#[test]
fn placements_and_confidences_are_the_same_to_the_bit() {
    let cut = cut(&demo_picture(120, 160, 3), PieceShape::new(20, 20).unwrap()).unwrap();
    let mut numbers_of_threads = [2, 3, 7, 4].into_iter().cycle();
    for puzzle_type in PuzzleType::ALL {
        for (measure, corrupt_rate) in
            [(Measure::Mgc, 0.0), (Measure::Seam, 0.1), (Measure::Ssd, 0.0)]
        {
            let settings =
                ScrambleSettings { corrupt_rate, ..ScrambleSettings::new(puzzle_type, 3) };
            let scrambled = scramble(&cut, &settings).unwrap();
            for method in Method::NAMES.map(|name| Method::from_name(name).unwrap()) {
                let threads = numbers_of_threads.next().unwrap();
                check(&scrambled, puzzle_type, &by_ratio(method, measure), threads);
            }
        }
    }
}
