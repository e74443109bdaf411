//! Solutions by the matcher 'ratio' equal those of earlier versions.

use crate::by_ratio;
use fretsaw::evaluation::score;
use fretsaw::observer::Silent;
use fretsaw::picture::synthetic;
use fretsaw::puzzle::{Assembly, PuzzleType};
use fretsaw::unstable::dissimilarity::Measure;
use fretsaw::unstable::methods::yu::YuSettings;
use fretsaw::{Method, Puzzle, Settings, solve};

/// A hash of all placements.
fn fingerprint(assembly: &Assembly) -> u64 {
    let mut numbers = Vec::new();
    for placement in assembly.placements() {
        let (cell, turn) = (placement.place.cell, placement.place.turn);
        numbers.extend([cell.row.into(), cell.col.into(), turn.index() as u64]);
    }
    // FNV-1a over numbers instead of bytes.
    numbers.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, number: u64| {
        (hash ^ number).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn every_piece_is_placed_as_in_earlier_versions() {
    // Small pieces, many of which are placed wrongly, so that a change of any order or weight shows.
    let (pieces, grid, truth) = synthetic::puzzle(9, 12, 10, PuzzleType::Type2, 4);
    let puzzle = Puzzle::new(pieces.clone()).of_type(PuzzleType::Type2).board(grid);
    for (method, joins_found, expected) in [
        (Method::Gallagher, 122, 11_591_258_643_642_433_820),
        (Method::Yu(YuSettings::default()), 143, 3_562_634_158_565_531_371),
    ] {
        let settings = Settings { seed: 1, ..by_ratio(method.clone(), Measure::Mgc) };
        let board = solve(&puzzle, &settings, &Silent).unwrap().assembly;
        let found =
            score(&truth, &board).unwrap().neighbor * truth.assembly().joins().count() as f64;
        assert_eq!(
            (found.round(), fingerprint(&board)),
            (f64::from(joins_found), expected),
            "{}",
            method.name()
        );
    }
}
