//! How many wrong edges a grid of unknown turns bears: prints the share of turns recovered.
//!
//! `cargo run --release -p fretsaw --example synchronization -- [ROWS COLS [SEEDS]]`

use fretsaw::puzzle::{Grid, QuarterTurn};
use fretsaw::rotations::{RotationMethod, RotationSettings, estimate_rotations};
use fretsaw::synthetic::synchronization::{SynchronizationSettings, synchronization_problem};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<u64> =
        std::env::args().skip(1).map(|word| word.parse()).collect::<Result<_, _>>()?;
    let (rows, cols) = match numbers[..] {
        [rows, cols, ..] => (rows, cols),
        _ => (18, 24),
    };
    let num_seeds = numbers.get(2).copied().unwrap_or(3);
    let grid = Grid::new(rows, cols)?;
    for percent in (0..=40).step_by(5) {
        for seed in 0..num_seeds {
            let problem = synchronization_problem(&SynchronizationSettings {
                wrong_share: f64::from(percent) / 100.0,
                seed,
                ..SynchronizationSettings::clean(grid)
            })?;
            for method in [RotationMethod::default()] {
                let settings = RotationSettings { method, ..Default::default() };
                let begin = std::time::Instant::now();
                let (rotations, info) = estimate_rotations(&problem.graph, &settings)?;
                let c = &info.components[0];
                println!(
                    "{percent:3} {seed} {:.4} conv {} prod {} rounds {} ev {:?} next {:?} res {:?} agr {:.3} t {:.3}",
                    share_right(rotations.turns(), &problem.turns),
                    c.converged,
                    c.num_products,
                    c.num_iterations,
                    c.eigenvalues,
                    c.next_eigenvalue,
                    c.residuals,
                    c.agreement,
                    begin.elapsed().as_secs_f64()
                );
            }
        }
    }
    Ok(())
}

/// The share of right turns under the best common turn.
fn share_right(turns: &[QuarterTurn], truth: &[QuarterTurn]) -> f64 {
    let mut votes = [0u32; 4];
    for (&turn, &right) in turns.iter().zip(truth) {
        votes[(turn - right).index()] += 1;
    }
    f64::from(votes.into_iter().max().unwrap_or(0)) / turns.len() as f64
}
