//! Turns from connection graphs: the sizes of the largest and of a middling puzzle.

use fretsaw::puzzle::Grid;
use fretsaw_gcl::connection_graph::ConnectionGraph;
use fretsaw_gcl::rotations::{RotationMethod, RotationSettings, estimate_rotations};
use fretsaw_gcl::synchronization::{SynchronizationSettings, synchronization_problem};

fn main() {
    divan::main();
}

/// Rows, columns, percentage of wrong edges.
const CASES: [(u64, u64, u32); 4] = [(66, 50, 0), (66, 50, 15), (185, 123, 0), (185, 123, 15)];

fn graph((rows, cols, percent): (u64, u64, u32)) -> Option<ConnectionGraph> {
    let grid = Grid::new(rows, cols).ok()?;
    let settings = SynchronizationSettings {
        wrong_share: f64::from(percent) / 100.0,
        ..SynchronizationSettings::clean(grid)
    };
    Some(synchronization_problem(&settings).ok()?.graph)
}

fn run(bencher: divan::Bencher, case: (u64, u64, u32), settings: &RotationSettings) {
    if let Some(graph) = graph(case) {
        bencher.bench_local(|| estimate_rotations(&graph, settings));
    }
}

#[divan::bench(args = CASES, sample_count = 5, sample_size = 1)]
fn spectral(bencher: divan::Bencher, case: (u64, u64, u32)) {
    run(bencher, case, &RotationSettings::default());
}

#[divan::bench(args = CASES, sample_count = 5, sample_size = 1)]
fn spectral_to_1e_6(bencher: divan::Bencher, case: (u64, u64, u32)) {
    run(bencher, case, &RotationSettings { tolerance: 1e-6, ..Default::default() });
}

#[divan::bench(args = CASES[..2].to_vec(), sample_count = 3, sample_size = 1)]
fn relaxation(bencher: divan::Bencher, case: (u64, u64, u32)) {
    let method = RotationMethod::RELAXATION;
    run(bencher, case, &RotationSettings { method, ..Default::default() });
}
