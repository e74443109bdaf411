//! How long the stages of a solve take: comparing sides, assembling pieces, assignments and layouts.
//!
//! `fretsaw-lab stage measure` compares the first with its floor, a bare matrix product.

#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

use divan::{Bencher, black_box};
use fretsaw::observer::Silent;
use fretsaw::picture::synthetic;
use fretsaw::picture::synthetic::layout::{LayoutSettings, LayoutWeights, layout_problem};
use fretsaw::puzzle::{Grid, PieceSet, PuzzleType, SideId, TurnSet};
use fretsaw::unstable::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
use fretsaw::unstable::graph::AssignmentSolver;
use fretsaw::unstable::graph::l1_layout::{LayoutProblem, solve_layout};
use fretsaw::unstable::locations::{LocationProblem, LocationSolver};
use fretsaw::unstable::matching::{MatchModel, Matcher};
use fretsaw::unstable::methods::gallagher::Gallagher;
use fretsaw::unstable::methods::yu::YuSettings;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() {
    divan::main();
}

/// (rows, columns): 432 and 805 pieces.
const BOARDS: [(u32, u32); 2] = [(18, 24), (23, 35)];

fn puzzle((rows, cols): (u32, u32), puzzle_type: PuzzleType) -> (PieceSet, Grid) {
    let (pieces, grid, _) = synthetic::puzzle(rows, cols, 28, puzzle_type, 1);
    (pieces, grid)
}

/// All sides compared with all.
fn nearest(bencher: Bencher<'_, '_>, board: (u32, u32), measure: Measure) {
    let (pieces, _) = puzzle(board, PuzzleType::Type2);
    let dissimilarity = Dissimilarity::new(&pieces, measure).unwrap();
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
    let (pieces, _) = puzzle((3, 4), PuzzleType::Type2);
    let dissimilarity = Dissimilarity::new(&pieces, measure).unwrap();
    let (a, b) = (SideId::from_index(5), SideId::from_index(42));
    bencher.bench_local(|| dissimilarity.value(black_box(a), black_box(b)));
}

/// Pieces assembled once their candidates are known.
fn locate(
    bencher: Bencher<'_, '_>,
    board: (u32, u32),
    puzzle_type: PuzzleType,
    solver: &dyn LocationSolver,
) {
    let (pieces, frame) = puzzle(board, puzzle_type);
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

/// The sizes of a search's moves and of whole boards.
const SIZES: [usize; 5] = [10, 30, 100, 432, 1000];

fn assignment(bencher: Bencher<'_, '_>, size: usize, cost: impl Fn(&mut ChaCha8Rng) -> f64) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let costs: Vec<f64> = (0..size * size).map(|_| cost(&mut rng)).collect();
    let mut solver = AssignmentSolver::default();
    bencher.bench_local(|| solver.solve(&costs, size, size).unwrap().total);
}

#[divan::bench(args = SIZES)]
fn assignment_uniform(bencher: Bencher<'_, '_>, size: usize) {
    assignment(bencher, size, |rng| rng.random_range(0.0..1.0));
}

/// Whole numbers from 0 to 99: many ties.
#[divan::bench(args = SIZES)]
fn assignment_hundred_levels(bencher: Bencher<'_, '_>, size: usize) {
    assignment(bencher, size, |rng| f64::from(rng.random_range(0..100_u32)));
}

/// Nearly all costs equal, as in a gradient of sparse affinities.
#[divan::bench(args = SIZES)]
fn assignment_sparse(bencher: Bencher<'_, '_>, size: usize) {
    assignment(bencher, size, |rng| {
        if rng.random_range(0..size) < 4 { -rng.random::<f64>() } else { 0.0 }
    });
}

/// Rows, columns, percentage of wrong edges.
const CASES: [(u64, u64, u32); 4] = [(50, 66, 0), (50, 66, 15), (98, 233, 0), (98, 233, 15)];

#[divan::bench(args = CASES, sample_count = 5, sample_size = 1)]
fn layout(bencher: Bencher<'_, '_>, (rows, cols, percent): (u64, u64, u32)) {
    let drawn = layout_problem(&LayoutSettings {
        grid: Grid::new(rows, cols).unwrap(),
        wrong_share: f64::from(percent) / 100.0,
        weights: LayoutWeights::Random,
        seed: 1,
    })
    .unwrap();
    let num_vertices = drawn.rows.len();
    bencher.bench_local(|| {
        [&drawn.row_edges, &drawn.col_edges].map(|edges| {
            let problem = LayoutProblem { num_vertices, edges, bodies: None };
            solve_layout(&problem, None).unwrap()
        })
    });
}
