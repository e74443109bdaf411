//! How long it takes to assemble pieces once their candidates are known.

#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

use divan::Bencher;
use fretsaw::observer::Silent;
use fretsaw::puzzle::PuzzleType;
use fretsaw::synthetic;
use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
use fretsaw::unstable::locations::{LocationProblem, LocationSolver};
use fretsaw::unstable::matching::{MatchModel, Matcher};
use fretsaw::unstable::methods::gallagher::Gallagher;
use fretsaw::unstable::methods::yu::YuSettings;

fn main() {
    divan::main();
}

/// (rows, columns): 432 and 805 pieces.
const BOARDS: [(u32, u32); 2] = [(18, 24), (23, 35)];

fn locate(
    bencher: Bencher<'_, '_>,
    (rows, cols): (u32, u32),
    puzzle_type: PuzzleType,
    solver: &dyn LocationSolver,
) {
    let (pieces, frame, _) = synthetic::puzzle(rows, cols, 28, puzzle_type, 1);
    let dissimilarity = Dissimilarity::new(&pieces, Measure::Mgc).unwrap();
    let turns = puzzle_type.turns(pieces.shape());
    let candidates = NearestSettings::default();
    let nearest = find_nearest(&dissimilarity, turns, &candidates, &Silent).unwrap();
    let model = MatchModel::by_ratio(&dissimilarity, &nearest);
    let (pieces, matcher) = (&pieces, Matcher::Ratio);
    let problem =
        LocationProblem { model: &model, frame, turns, seed: 0, pieces, matcher, candidates };
    bencher.bench_local(|| solver.locate(&problem, &Silent).unwrap());
}

#[divan::bench(args = BOARDS)]
fn gallagher_type_2(bencher: Bencher<'_, '_>, board: (u32, u32)) {
    locate(bencher, board, PuzzleType::Type2, &Gallagher);
}

#[divan::bench(args = BOARDS)]
fn yu_type_1(bencher: Bencher<'_, '_>, board: (u32, u32)) {
    locate(bencher, board, PuzzleType::Type1, &YuSettings::default());
}

#[divan::bench(args = BOARDS)]
fn yu_type_2(bencher: Bencher<'_, '_>, board: (u32, u32)) {
    locate(bencher, board, PuzzleType::Type2, &YuSettings::default());
}
