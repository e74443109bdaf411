//! Linear assignments: the sizes of a search's moves and of whole boards.

#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

use divan::Bencher;
use fretsaw::unstable::graph::AssignmentSolver;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn main() {
    divan::main();
}

const SIZES: [usize; 5] = [10, 30, 100, 432, 1000];

fn run(bencher: Bencher<'_, '_>, size: usize, cost: impl Fn(&mut ChaCha8Rng) -> f64) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let costs: Vec<f64> = (0..size * size).map(|_| cost(&mut rng)).collect();
    let mut solver = AssignmentSolver::default();
    bencher.bench_local(|| solver.solve(&costs, size, size).unwrap().total);
}

#[divan::bench(args = SIZES)]
fn uniform(bencher: Bencher<'_, '_>, size: usize) {
    run(bencher, size, |rng| rng.random_range(0.0..1.0));
}

/// Whole numbers from 0 to 99: many ties.
#[divan::bench(args = SIZES)]
fn hundred_levels(bencher: Bencher<'_, '_>, size: usize) {
    run(bencher, size, |rng| f64::from(rng.random_range(0..100_u32)));
}

/// Nearly all costs equal, as in a gradient of sparse affinities.
#[divan::bench(args = SIZES)]
fn sparse(bencher: Bencher<'_, '_>, size: usize) {
    run(
        bencher,
        size,
        |rng| if rng.random_range(0..size) < 4 { -rng.random::<f64>() } else { 0.0 },
    );
}
