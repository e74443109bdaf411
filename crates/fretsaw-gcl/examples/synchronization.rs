//! How many wrong edges a grid of unknown turns bears: prints the share of turns recovered against
//! the share of wrong edges, method by method.
//!
//! `cargo run --release -p fretsaw-gcl --example synchronization -- [ROWS COLS [SEEDS]]`

use fretsaw::puzzle::{Grid, QuarterTurn, TurnSet};
use fretsaw::unstable::methods::turn_in_place::random_field::{FieldEdge, estimate_labels};
use fretsaw_gcl::connection_graph::{ConnectionGraph, EdgeTurn};
use fretsaw_gcl::rotations::{Eigenvector, RotationMethod, RotationSettings, estimate_rotations};
use fretsaw_gcl::synchronization::{SynchronizationSettings, synchronization_problem};
use std::time::Instant;

const METHODS: [(&str, RotationMethod); 4] = [
    ("C", RotationMethod::Spectral { normalized: true, eigenvector: Eigenvector::First }),
    ("S", RotationMethod::Spectral { normalized: false, eigenvector: Eigenvector::First }),
    ("C, second", RotationMethod::Spectral { normalized: true, eigenvector: Eigenvector::Second }),
    ("relaxation", RotationMethod::RELAXATION),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<u64> =
        std::env::args().skip(1).map(|word| word.parse()).collect::<Result<_, _>>()?;
    let (rows, cols) = match numbers[..] {
        [rows, cols, ..] => (rows, cols),
        _ => (18, 24),
    };
    let num_seeds = numbers.get(2).copied().unwrap_or(5);
    let grid = Grid::new(rows, cols)?;
    println!("{rows} x {cols}, mean of {num_seeds} seeds: share of turns right (seconds)");
    print!("wrong edges");
    for (name, _) in METHODS {
        print!("{name:>18}");
    }
    println!("{:>18}", "Markov field");
    for percent in [0, 1, 2, 3, 5, 7, 10, 15, 20] {
        print!("{percent:9} %");
        for method in METHODS.iter().map(|&(_, method)| Some(method)).chain([None]) {
            let (mut right, mut secs, mut unconverged) = (0.0, 0.0, 0);
            for seed in 0..num_seeds {
                let problem = synchronization_problem(&SynchronizationSettings {
                    wrong_share: f64::from(percent) / 100.0,
                    seed,
                    ..SynchronizationSettings::clean(grid)
                })?;
                let begin = Instant::now();
                let (turns, converged) = match method {
                    Some(method) => {
                        let settings = RotationSettings { method, ..Default::default() };
                        let (rotations, info) = estimate_rotations(&problem.graph, &settings)?;
                        (rotations, info.converged())
                    }
                    None => by_markov_field(&problem.graph)?,
                };
                secs += begin.elapsed().as_secs_f64();
                right += share_right(&turns, &problem.turns);
                unconverged += u32::from(!converged);
            }
            let mark = if unconverged > 0 { "!" } else { " " };
            let count = num_seeds as f64;
            print!("{:>9.4} ({:.3}){mark}", right / count, secs / count);
        }
        println!();
    }
    println!("(!: some seeds did not converge)");
    Ok(())
}

/// The same problem as a Markov field: an edge costs its weight unless its turn is met.
fn by_markov_field(
    graph: &ConnectionGraph,
) -> Result<(Vec<QuarterTurn>, bool), Box<dyn std::error::Error>> {
    let edges: Vec<FieldEdge> = graph
        .edges()
        .iter()
        .map(|edge| FieldEdge {
            i: edge.i,
            j: edge.j,
            costs: QuarterTurn::ALL.map(|turn_i| {
                QuarterTurn::ALL.map(|turn_j| {
                    let met = edge.turn_j_from_i == EdgeTurn::from(turn_j - turn_i);
                    if met { 0.0 } else { edge.weight }
                })
            }),
        })
        .collect();
    // Only differences of turns count, so the first vertex is held.
    let mut unary = vec![[0.0; 4]; graph.num_vertices()];
    unary[0] = [0.0, 10.0, 10.0, 10.0];
    let (turns, info) = estimate_labels(graph.num_vertices(), TurnSet::Quarter, &edges, &unary)?;
    Ok((turns, info.converged))
}

/// The share of right turns under the best common turn.
fn share_right(turns: &[QuarterTurn], truth: &[QuarterTurn]) -> f64 {
    let mut votes = [0u32; 4];
    for (&turn, &right) in turns.iter().zip(truth) {
        votes[(turn - right).index()] += 1;
    }
    f64::from(votes.into_iter().max().unwrap_or(0)) / turns.len() as f64
}
