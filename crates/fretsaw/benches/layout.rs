//! Exact layouts of both coordinates: middling and the largest puzzles, clean and with wrong matches.

#![expect(clippy::unwrap_used, reason = "a benchmark may panic")]

use divan::Bencher;
use fretsaw::puzzle::Grid;
use fretsaw::synthetic::layout::{LayoutSettings, LayoutWeights, layout_problem};
use fretsaw::unstable::graph::l1_layout::{LayoutProblem, solve_layout};

fn main() {
    divan::main();
}

/// Rows, columns, percentage of wrong edges.
const CASES: [(u64, u64, u32); 4] = [(50, 66, 0), (50, 66, 15), (98, 233, 0), (98, 233, 15)];

#[divan::bench(args = CASES, sample_count = 5, sample_size = 1)]
fn from_nothing(bencher: Bencher<'_, '_>, (rows, cols, percent): (u64, u64, u32)) {
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
