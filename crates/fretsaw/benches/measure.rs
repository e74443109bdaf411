//! How long it takes to compare sides: all with all, and a single pair.
//!
//! `fretsaw-lab stage measure` compares the same stage with its floor, a bare matrix product.

#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

use divan::{Bencher, black_box};
use fretsaw::observer::Silent;
use fretsaw::puzzle::{PuzzleType, SideId, TurnSet};
use fretsaw::synthetic;
use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};

fn main() {
    divan::main();
}

/// (rows, columns): 432 and 805 pieces.
const BOARDS: [(u32, u32); 2] = [(18, 24), (23, 35)];

fn prepared((rows, cols): (u32, u32), measure: Measure) -> Dissimilarity {
    let (pieces, _, _) = synthetic::puzzle(rows, cols, 28, PuzzleType::Type2, 1);
    Dissimilarity::new(&pieces, measure).unwrap()
}

fn nearest(bencher: Bencher<'_, '_>, board: (u32, u32), measure: Measure) {
    let dissimilarity = prepared(board, measure);
    let settings = NearestSettings::default();
    bencher.bench_local(|| {
        find_nearest(&dissimilarity, TurnSet::Quarter, &settings, &Silent).unwrap()
    });
}

#[divan::bench(args = BOARDS)]
fn nearest_mgc(bencher: Bencher<'_, '_>, board: (u32, u32)) {
    nearest(bencher, board, Measure::Mgc);
}

#[divan::bench(args = BOARDS)]
fn nearest_seam(bencher: Bencher<'_, '_>, board: (u32, u32)) {
    nearest(bencher, board, Measure::Seam);
}

#[divan::bench(args = Measure::ALL)]
fn single_pair(bencher: Bencher<'_, '_>, measure: Measure) {
    let dissimilarity = prepared((3, 4), measure);
    let (a, b) = (SideId::from_index(5), SideId::from_index(42));
    bencher.bench_local(|| dissimilarity.value(black_box(a), black_box(b)));
}
