//! How long it takes to assemble pieces once their candidates are known.

#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

use divan::Bencher;
use fretsaw::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
use fretsaw::methods::gallagher;
use fretsaw::observer::Silent;
use fretsaw::puzzle::{PuzzleType, TurnSet};
use fretsaw::synthetic;

fn main() {
    divan::main();
}

/// (rows, columns): 432 and 805 pieces.
#[divan::bench(args = [(18, 24), (23, 35)])]
fn gallagher_mgc(bencher: Bencher<'_, '_>, (rows, cols): (u32, u32)) {
    let (pieces, grid, _) = synthetic::puzzle(rows, cols, 28, PuzzleType::Type2, 1);
    let dissimilarity = Dissimilarity::new(&pieces, Measure::Mgc).unwrap();
    let turns = TurnSet::Quarter;
    let nearest =
        find_nearest(&dissimilarity, turns, &NearestSettings::default(), &Silent).unwrap();
    bencher.bench_local(|| {
        gallagher::assemble(&dissimilarity, &nearest, grid, turns, 0, &Silent).unwrap()
    });
}
