//! The layout solver on synthetic problems: time from nothing and from good positions, with proof.

use anyhow::ensure;
use fretsaw::puzzle::Grid;
use fretsaw::synthetic::layout::{LayoutSettings, LayoutWeights, layout_problem};
use fretsaw::unstable::graph::l1_layout::{
    Layout, LayoutEdge, LayoutProblem, is_optimal, solve_layout,
};
use fretsaw_cli::table::Table;
use std::time::Instant;

/// What to measure.
#[derive(Clone, Debug)]
pub(crate) struct LayoutBench {
    /// Boards as (rows, columns).
    pub(crate) boards: Vec<(u32, u32)>,
    /// Shares of wrong edges.
    pub(crate) wrong_shares: Vec<f64>,
    /// Weights of edges.
    pub(crate) weights: Vec<LayoutWeights>,
    /// Each time is the best of this many.
    pub(crate) repeats: usize,
    /// Seed of the problems.
    pub(crate) seed: u64,
}

/// The name of a kind of weights.
pub(crate) const fn weights_name(weights: LayoutWeights) -> &'static str {
    match weights {
        LayoutWeights::Random => "random",
        LayoutWeights::Equal => "equal",
    }
}

/// Of the edges, every so many is missing from the problem whose answer is the second warm start.
const ONE_IN: usize = 10;

/// Seconds and pushes of one way to start, both coordinates together.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    seconds: f64,
    num_pushes: usize,
}

/// Run and tabulate.
pub(crate) fn run(bench: &LayoutBench) -> anyhow::Result<Table> {
    let mut table = Table::with_columns(
        "board | vertices | edges | weights | wrong % | seconds | \
         pushes | from optimum | pushes | from 90 % | pushes | optimal | right %",
    );
    for &(rows, cols) in &bench.boards {
        for &weights in &bench.weights {
            for &wrong_share in &bench.wrong_shares {
                let grid = Grid::new(rows.into(), cols.into())?;
                let seed = bench.seed;
                let drawn = layout_problem(&LayoutSettings { grid, wrong_share, weights, seed })?;
                let num_vertices = grid.num_cells();
                let mut is_right = vec![true; num_vertices];
                let mut all_optimal = true;
                let [mut cold, mut same, mut near] = [Work::default(); 3];
                for (edges, truth) in
                    [(&drawn.row_edges, &drawn.rows), (&drawn.col_edges, &drawn.cols)]
                {
                    let problem = LayoutProblem { num_vertices, edges, bodies: None, fixed: &[] };
                    let layout = time(&problem, None, bench.repeats, &mut cold)?;
                    all_optimal &= is_optimal(&problem, &layout);
                    mark_wrong(&layout.positions, truth, &mut is_right);
                    let fewer: Vec<LayoutEdge> = (0..)
                        .zip(edges)
                        .filter(|(place, _)| place % ONE_IN != 0)
                        .map(|(_, edge)| *edge)
                        .collect();
                    let other = solve_layout(&LayoutProblem { edges: &fewer, ..problem }, None)?;
                    for (start, work) in
                        [(&layout.positions, &mut same), (&other.positions, &mut near)]
                    {
                        let again = time(&problem, Some(start), bench.repeats, work)?;
                        ensure!(again.cost == layout.cost, "a warm start changed the cost");
                    }
                }
                let num_right = is_right.iter().filter(|right| **right).count();
                table.push(vec![
                    format!("{cols}x{rows}"),
                    num_vertices.to_string(),
                    drawn.row_edges.len().to_string(),
                    weights_name(weights).into(),
                    format!("{:.0}", 100.0 * wrong_share),
                    format!("{:.4}", cold.seconds),
                    cold.num_pushes.to_string(),
                    format!("{:.4}", same.seconds),
                    same.num_pushes.to_string(),
                    format!("{:.4}", near.seconds),
                    near.num_pushes.to_string(),
                    if all_optimal { "yes" } else { "no" }.into(),
                    format!("{:.2}", 100.0 * num_right as f64 / num_vertices as f64),
                ]);
            }
        }
    }
    Ok(table)
}

/// Solves several times and adds the least time to the work.
fn time(
    problem: &LayoutProblem<'_>,
    start: Option<&[i64]>,
    repeats: usize,
    work: &mut Work,
) -> anyhow::Result<Layout> {
    let run = || {
        let clock = Instant::now();
        let layout = solve_layout(problem, start)?;
        anyhow::Ok((clock.elapsed().as_secs_f64(), layout))
    };
    let (mut seconds, layout) = run()?;
    for _ in 1..repeats {
        seconds = seconds.min(run()?.0);
    }
    work.seconds += seconds;
    work.num_pushes += layout.num_pushes;
    Ok(layout)
}

/// Notes the vertices that are not where the truth says, up to a shift of all.
fn mark_wrong(positions: &[i64], truth: &[i64], is_right: &mut [bool]) {
    let shifts: Vec<i64> =
        positions.iter().zip(truth).map(|(found, truth)| found - truth).collect();
    let mut sorted = shifts.clone();
    sorted.sort_unstable();
    let longest_run = sorted.chunk_by(|a, b| a == b).max_by_key(|run| run.len());
    let common = longest_run.and_then(|run| run.first());
    for (right, shift) in is_right.iter_mut().zip(&shifts) {
        *right &= Some(shift) == common;
    }
}
