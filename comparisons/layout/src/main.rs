//! fretsaw's layout solver against other exact ones, each run in a process of its own.

mod augmenting_paths;
mod cost_scaling;
mod linear_programs;
mod network_simplex;
mod residual;

use fretsaw::graph::l1_layout::{LayoutEdge, LayoutProblem, solve_layout};
use fretsaw::puzzle::Grid;
use fretsaw::synthetic::layout::{LayoutSettings, LayoutWeights, layout_problem};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Rows and columns: 500, 3300 and 22,834 vertices.
const BOARDS: [(u64, u64); 3] = [(20, 25), (50, 66), (98, 233)];
const WRONG_SHARES: [f64; 2] = [0.0, 0.15];
const METHODS: [&str; 7] = [
    "fretsaw",
    "network simplex",
    "augmenting paths",
    "cost scaling by 2",
    "cost scaling by 16",
    "microlp",
    "clarabel",
];
/// Whoever takes longer than this, both coordinates and reading the clock included, is stopped.
const LIMIT: Duration = Duration::from_secs(60);

/// Equal edges as one, as fretsaw does it: a courtesy to the others.
fn merged(edges: &[LayoutEdge]) -> Vec<LayoutEdge> {
    let upward = |edge: &LayoutEdge| {
        if edge.from < edge.to {
            *edge
        } else {
            LayoutEdge { from: edge.to, to: edge.from, difference: -edge.difference, ..*edge }
        }
    };
    let mut edges: Vec<LayoutEdge> = edges.iter().map(upward).collect();
    edges.sort_by_key(|edge| (edge.from, edge.to, edge.difference));
    edges.dedup_by(|edge, kept| {
        let is_same =
            (edge.from, edge.to, edge.difference) == (kept.from, kept.to, kept.difference);
        kept.weight += if is_same { edge.weight } else { 0 };
        is_same
    });
    edges
}

/// Solves both coordinates by one method; prints seconds, and the cost or a dash.
fn solve(method: &str, (rows, cols): (u64, u64), wrong_share: f64) -> Option<()> {
    let grid = Grid::new(rows, cols).ok()?;
    let weights = LayoutWeights::Random;
    let drawn = layout_problem(&LayoutSettings { grid, wrong_share, weights, seed: 1 }).ok()?;
    let num_vertices = grid.num_cells();
    let (mut seconds, mut cost) = (0.0, Some(0.0));
    for edges in [&drawn.row_edges, &drawn.col_edges] {
        let few = merged(edges);
        let start = Instant::now();
        let found = match method {
            "fretsaw" => {
                let problem = LayoutProblem { num_vertices, edges, bodies: None };
                solve_layout(&problem, None).ok().map(|layout| layout.cost as f64)
            }
            "network simplex" => Some(network_simplex::solve(num_vertices, &few).0 as f64),
            "augmenting paths" => Some(augmenting_paths::solve(num_vertices, &few).0 as f64),
            "cost scaling by 2" => Some(cost_scaling::solve(num_vertices, &few, 2).0 as f64),
            "cost scaling by 16" => Some(cost_scaling::solve(num_vertices, &few, 16).0 as f64),
            "microlp" => linear_programs::by_microlp(num_vertices, &few),
            _ => linear_programs::by_clarabel(num_vertices, &few),
        };
        seconds += start.elapsed().as_secs_f64();
        cost = cost.zip(found).map(|(sum, found)| sum + found);
    }
    println!("{seconds:.3} {}", cost.map_or("-".into(), |cost| format!("{cost:.0}")));
    Some(())
}

/// Runs this program on one method; `None` if it takes too long or fails.
fn run(method: &str, board: usize, share: usize) -> Option<String> {
    let mut child = Command::new(std::env::current_exe().ok()?)
        .args([method, &board.to_string(), &share.to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let start = Instant::now();
    while child.try_wait().ok()?.is_none() {
        if start.elapsed() > LIMIT {
            child.kill().ok()?;
            child.wait().ok()?;
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if let [_, method, board, share] = &args[..] {
        let (Ok(board), Ok(share)) = (board.parse::<usize>(), share.parse::<usize>()) else {
            return;
        };
        solve(method, BOARDS[board], WRONG_SHARES[share]);
        return;
    }
    println!("| board | wrong % | method | seconds | cost |");
    println!("|---|---|---|---|---|");
    for (board, (rows, cols)) in BOARDS.into_iter().enumerate() {
        for (share, wrong_share) in WRONG_SHARES.into_iter().enumerate() {
            for method in METHODS {
                let result = run(method, board, share);
                let limit = format!("over {} -", LIMIT.as_secs());
                let result = result.unwrap_or(limit);
                let (seconds, cost) = result.rsplit_once(' ').unwrap_or((&result, "-"));
                println!(
                    "| {cols}x{rows} | {:.0} | {method} | {seconds} | {cost} |",
                    100.0 * wrong_share
                );
            }
        }
    }
}
