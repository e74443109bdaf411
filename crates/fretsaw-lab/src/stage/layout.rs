//! The layout solver on synthetic problems: time from nothing and from good positions, with proof.

use super::check_synthetic;
use super::matching::best_of;
use crate::puzzle_args::check_positive;
use anyhow::ensure;
use clap::Args as ClapArgs;
use fretsaw::picture::synthetic::layout::{LayoutSettings, LayoutWeights, layout_problem};
use fretsaw::puzzle::Grid;
use fretsaw::unstable::graph::l1_layout::{
    Layout, LayoutEdge, LayoutProblem, is_optimal, solve_layout,
};
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::parse::parse_size;
use fretsaw_cli::table::Table;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Example:
  fretsaw-lab stage layout --boards 66x50 --wrong 0,0.05,0.15 --weights random

Times are for rows and columns together, on one thread: without positions to start from, from an \
optimum, and from the optimum of the same problem without a tenth of its edges. 'right' is the share \
of pieces at their true positions, up to a shift; where wrong edges pull the board together, few are.")]
pub(crate) struct LayoutArgs {
    /// Boards, as columns x rows
    #[arg(long, value_delimiter = ',', default_values = ["24x18", "66x50", "233x98"], value_parser = parse_size)]
    pub(crate) boards: Vec<(u32, u32)>,
    /// Shares of edges with a wrong end
    #[arg(long, value_delimiter = ',', default_values = ["0", "0.15"])]
    pub(crate) wrong: Vec<f64>,
    /// Weights of the edges: 1 to 1000, or all 1
    #[arg(long, value_delimiter = ',', default_values = ["random", "equal"],
          value_parser = by_name(LayoutWeights::ALL, LayoutWeights::name))]
    pub(crate) weights: Vec<LayoutWeights>,
    /// Each time is the best of this many
    #[arg(long, default_value_t = 3)]
    pub(crate) repeats: usize,
    /// The seed of the problems
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Of the edges, every so many is missing from the problem whose answer is the second warm start.
const ONE_IN: usize = 10;

/// Seconds and pushes of one way to start, both coordinates together.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    seconds: f64,
    num_pushes: usize,
}

pub(crate) fn run(args: &LayoutArgs) -> Result<Table, Failure> {
    check_synthetic(&args.boards, &args.wrong)?;
    check_positive("--repeats", args.repeats)?;
    Ok(table(args)?)
}

fn table(args: &LayoutArgs) -> anyhow::Result<Table> {
    let mut table = Table::with_columns(
        "board | vertices | edges | weights | wrong % | seconds | \
         pushes | from optimum | pushes | from 90 % | pushes | optimal | right %",
    );
    for &(cols, rows) in &args.boards {
        for &weights in &args.weights {
            for &wrong_share in &args.wrong {
                let grid = Grid::new(rows.into(), cols.into())?;
                let seed = args.seed;
                let drawn = layout_problem(&LayoutSettings { grid, wrong_share, weights, seed })?;
                let num_vertices = grid.num_cells();
                let mut is_right = vec![true; num_vertices];
                let mut all_optimal = true;
                let [mut cold, mut same, mut near] = [Work::default(); 3];
                for (edges, truth) in
                    [(&drawn.row_edges, &drawn.rows), (&drawn.col_edges, &drawn.cols)]
                {
                    let problem = LayoutProblem { num_vertices, edges, bodies: None };
                    let layout = time(&problem, None, args.repeats, &mut cold)?;
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
                        let again = time(&problem, Some(start), args.repeats, work)?;
                        ensure!(again.cost == layout.cost, "a warm start changed the cost");
                    }
                }
                let num_right = is_right.iter().filter(|right| **right).count();
                table.push(row! {
                    format!("{cols}x{rows}"), num_vertices, drawn.row_edges.len(),
                    weights.name(), format!("{:.0}", 100.0 * wrong_share),
                    format!("{:.4}", cold.seconds), cold.num_pushes, format!("{:.4}", same.seconds),
                    same.num_pushes, format!("{:.4}", near.seconds), near.num_pushes,
                    if all_optimal { "yes" } else { "no" },
                    format!("{:.2}", 100.0 * num_right as f64 / num_vertices as f64),
                });
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
    let (layout, seconds) = best_of(repeats, || Ok(solve_layout(problem, start)?))?;
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
