//! The rotation stage on synthetic synchronization problems: time, residual, memory, recovery.

use super::check_synthetic;
use crate::memory;
use clap::Args as ClapArgs;
use fretsaw::puzzle::{Grid, QuarterTurn};
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::parse::parse_size;
use fretsaw_cli::table::Table;
use fretsaw_gcl::rotation_choice::RotationChoice;
use fretsaw_gcl::rotations::{RotationMethod, RotationSettings, estimate_rotations};
use fretsaw_gcl::synchronization::{SynchronizationSettings, synchronization_problem};
use std::time::Instant;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw-lab stage rotations --boards 185x123 --wrong 0,0.15
  fretsaw-lab stage rotations --boards 24x18 --wrong 0,0.05,0.1,0.2 --rotations spectral,adjacency,second,relaxation")]
pub(crate) struct RotationsArgs {
    /// Boards, as columns x rows
    #[arg(long, value_delimiter = ',', default_values = ["66x50", "185x123"], value_parser = parse_size)]
    pub(crate) boards: Vec<(u32, u32)>,
    /// Shares of edges with a wrong turn
    #[arg(long, value_delimiter = ',', default_values = ["0", "0.05", "0.15"])]
    pub(crate) wrong: Vec<f64>,
    /// Ways to find turns
    #[arg(long, value_delimiter = ',', default_values = ["spectral", "adjacency"],
          value_parser = by_name(RotationChoice::ALL, RotationChoice::name))]
    pub(crate) rotations: Vec<RotationChoice>,
    /// The seed of the problems
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

/// What a choice does to a graph. Two choices build another graph than they are given, or change it: what
/// they do to a graph alone is what `spectral` does.
fn method_of(choice: RotationChoice) -> Result<RotationMethod, Failure> {
    let needs_picture = matches!(choice, RotationChoice::Diffusion | RotationChoice::Anchored);
    choice.graph_method().filter(|_| !needs_picture).ok_or_else(|| {
        Failure::Usage(format!(
            "'{}' needs a picture: it finds no turns in a graph; give another --rotations",
            choice.name()
        ))
    })
}

pub(crate) fn run(args: &RotationsArgs) -> Result<Table, Failure> {
    let method = |&choice: &RotationChoice| Ok((choice.name(), method_of(choice)?));
    let methods = args.rotations.iter().map(method).collect::<Result<Vec<_>, Failure>>()?;
    check_synthetic(&args.boards, &args.wrong)?;
    Ok(table(args, &methods)?)
}

fn table(args: &RotationsArgs, methods: &[(&str, RotationMethod)]) -> anyhow::Result<Table> {
    let mut table = Table::with_columns(
        "board | vertices | wrong % | method | seconds | \
         residual | converged | products | right % | peak MB",
    );
    for &(cols, rows) in &args.boards {
        for &wrong_share in &args.wrong {
            let grid = Grid::new(rows.into(), cols.into())?;
            let problem = synchronization_problem(&SynchronizationSettings {
                wrong_share,
                seed: args.seed,
                ..SynchronizationSettings::clean(grid)
            })?;
            for &(name, method) in methods {
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
                    let pairs = rotations.iter().zip(&problem.turns);
                    pairs.filter(|(found, truth)| **found + common == **truth).count()
                };
                let most = QuarterTurn::ALL.map(right).into_iter().max().unwrap_or(0);
                table.push(row! {
                    format!("{cols}x{rows}"), grid.num_cells(),
                    format!("{:.0}", 100.0 * wrong_share), name, format!("{seconds:.3}"),
                    format!("{residual:.1e}"), if info.converged() { "yes" } else { "no" },
                    info.components.iter().map(|c| c.num_products).sum::<usize>(),
                    format!("{:.2}", 100.0 * most as f64 / grid.num_cells() as f64),
                    memory::peak_bytes().map_or("-".into(), |b| (b / 1_000_000).to_string()),
                });
            }
        }
    }
    Ok(table)
}
