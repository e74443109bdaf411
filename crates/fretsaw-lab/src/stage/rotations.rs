//! The rotation stage on synthetic synchronization problems: time, residual, memory, recovery.

use crate::memory;
use fretsaw::puzzle::{Grid, QuarterTurn};
use fretsaw_cli::table::Table;
use fretsaw_gcl::rotations::{RotationMethod, RotationSettings, estimate_rotations};
use fretsaw_gcl::synchronization::{SynchronizationSettings, synchronization_problem};
use std::time::Instant;

/// What to measure.
#[derive(Clone, Debug)]
pub(crate) struct RotationBench {
    /// Boards as (rows, columns).
    pub(crate) boards: Vec<(u32, u32)>,
    /// Shares of wrong edges.
    pub(crate) wrong_shares: Vec<f64>,
    /// Methods, with the names to print.
    pub(crate) methods: Vec<(&'static str, RotationMethod)>,
    /// Seed of the problems.
    pub(crate) seed: u64,
}

/// Run and tabulate.
pub(crate) fn run(bench: &RotationBench) -> anyhow::Result<Table> {
    let mut table = Table::with_columns(
        "board | vertices | wrong % | method | seconds | \
         residual | converged | products | right % | peak MB",
    );
    for &(rows, cols) in &bench.boards {
        for &wrong_share in &bench.wrong_shares {
            let grid = Grid::new(rows.into(), cols.into())?;
            let problem = synchronization_problem(&SynchronizationSettings {
                wrong_share,
                seed: bench.seed,
                ..SynchronizationSettings::clean(grid)
            })?;
            for &(name, method) in &bench.methods {
                memory::reset_peak();
                let start = Instant::now();
                let (rotations, info) = estimate_rotations(
                    &problem.graph,
                    &RotationSettings { method, ..RotationSettings::default() },
                )?;
                let seconds = start.elapsed().as_secs_f64();
                let residual = info
                    .components
                    .iter()
                    .flat_map(|component| component.residuals.iter().copied())
                    .fold(0.0, f64::max);
                let right = |common: QuarterTurn| {
                    let pairs = rotations.turns().iter().zip(&problem.turns);
                    pairs.filter(|(found, truth)| **found + common == **truth).count()
                };
                let most = QuarterTurn::ALL.map(right).into_iter().max().unwrap_or(0);
                table.push(vec![
                    format!("{cols}x{rows}"),
                    grid.num_cells().to_string(),
                    format!("{:.0}", 100.0 * wrong_share),
                    name.into(),
                    format!("{seconds:.3}"),
                    format!("{residual:.1e}"),
                    if info.converged() { "yes" } else { "no" }.into(),
                    info.components.iter().map(|c| c.num_products).sum::<usize>().to_string(),
                    format!("{:.2}", 100.0 * most as f64 / grid.num_cells() as f64),
                    memory::peak_bytes().map_or("-".into(), |b| (b / 1_000_000).to_string()),
                ]);
            }
        }
    }
    Ok(table)
}
