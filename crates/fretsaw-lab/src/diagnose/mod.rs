//! `fretsaw-lab diagnose`: examinations of single parts of the solver on sets of pictures, one file each.
//!
//! All but [`sheets`] and [`upright`] take a list of puzzles, make each of them, and give one record per puzzle, from
//! which they make tables.

pub(crate) mod boards;
mod calibration;
pub(crate) mod confidence;
pub(crate) mod dirt;
pub(crate) mod energy;
pub(crate) mod matcher;
pub(crate) mod matcher_counts;
pub(crate) mod reference;
pub(crate) mod rotations;
pub(crate) mod sheets;
pub(crate) mod turns;
pub(crate) mod upright;
pub(crate) mod wear;

use crate::pools::share_threads;
use crate::puzzle_args::PuzzleArgs;
use crate::puzzles::{PuzzleKey, PuzzleSet};
use crate::set_run::{MethodKey, RunKey, SetRun};
use anyhow::Context;
use clap::{Args as ClapArgs, Subcommand};
use fretsaw::Effort;
use fretsaw::picture::Scrambled;
use fretsaw_cli::by_name::by_name;
use fretsaw_cli::failure::Failure;
use fretsaw_cli::stdout::print_line;
use fretsaw_cli::table::Table;
use fretsaw_cli::verbosity::Verbosity;
use std::path::Path;

pub(crate) const EXAMPLE: &str = "Example:
  fretsaw-lab diagnose energy --data sets --sets mit-432";

#[derive(Debug, Subcommand)]
pub(crate) enum DiagnoseCommand {
    /// How well matchers rank true neighbours, before anything is assembled
    Matcher(matcher::MatcherArgs),
    /// Why boards are wrong: the energy prefers them, or the search missed the truth
    Energy(energy::EnergyArgs),
    /// Calibration of the confidences of seams and pieces
    Confidence(confidence::ConfidenceArgs),
    /// Boards of unknown size or number, with missing or foreign pieces
    Boards(boards::BoardsArgs),
    /// How often 'solve --turns auto' finds the turns that pieces need
    Turns(turns::TurnsArgs),
    /// How often the guess of which way up a picture is, is right
    Upright(upright::UprightArgs),
    /// Whether worn pieces are told from pieces that were cut cleanly
    Wear(wear::WearArgs),
    /// Whether dirt along the edges of pieces is found, and clean pieces are left alone
    Dirt(dirt::DirtArgs),
    /// Placing pieces by a smaller, compressed copy of the picture
    Reference(reference::ReferenceArgs),
    /// How often the size of a sheet's pieces is found
    Sheets(sheets::SheetsArgs),
    /// The share of right turns of every way to find turns
    Rotations(rotations::RotationsArgs),
}

pub(crate) fn run(command: &DiagnoseCommand, verbosity: Verbosity) -> Result<(), Failure> {
    match command {
        DiagnoseCommand::Matcher(args) => matcher::diagnose(args, verbosity),
        DiagnoseCommand::Energy(args) => energy::diagnose(args),
        DiagnoseCommand::Confidence(args) => confidence::diagnose(args),
        DiagnoseCommand::Boards(args) => boards::diagnose(args),
        DiagnoseCommand::Turns(args) => turns::diagnose(args),
        DiagnoseCommand::Upright(args) => upright::diagnose(args),
        DiagnoseCommand::Wear(args) => wear::diagnose(args),
        DiagnoseCommand::Dirt(args) => dirt::diagnose(args),
        DiagnoseCommand::Reference(args) => reference::diagnose(args),
        DiagnoseCommand::Sheets(args) => sheets::diagnose(args),
        DiagnoseCommand::Rotations(args) => rotations::diagnose(args),
    }
}

/// Puzzles, and the efforts of the method `fretsaw` that solve them.
#[derive(Debug, ClapArgs)]
pub(crate) struct FretsawArgs {
    #[command(flatten)]
    puzzles: PuzzleArgs,
    /// Efforts, each a run
    #[arg(long, value_delimiter = ',', default_value = "normal",
          value_parser = by_name(Effort::ALL, Effort::name))]
    efforts: Vec<Effort>,
}

impl FretsawArgs {
    fn keys(&self) -> Result<Vec<RunKey>, Failure> {
        self.puzzles.check_positions_unknown()?;
        Ok(fretsaw_runs(&self.puzzles.puzzle_set(1)?, &self.efforts, &self.puzzles.data)?)
    }
}

/// Prints the tables that have rows.
fn print_tables(tables: [Table; 2]) -> Result<(), Failure> {
    tables.into_iter().filter(|table| !table.is_empty()).try_for_each(print_line)
}

/// Runs of the method fretsaw, with the defaults of `solve`, on these puzzles.
pub(crate) fn fretsaw_runs(
    puzzles: &PuzzleSet,
    efforts: &[Effort],
    data: &Path,
) -> anyhow::Result<Vec<RunKey>> {
    let methods = efforts.iter().map(|&effort| MethodKey::Fretsaw { effort: Some(effort) });
    SetRun::new(puzzles.clone(), &methods.collect::<Vec<_>>()).keys(data)
}

/// Makes every puzzle and works on it, so many at a time, which share the threads. Results are in the
/// order of the keys; an error names the picture.
fn with_puzzles<K: AsRef<PuzzleKey> + Sync, T: Send>(
    data: &Path,
    keys: &[K],
    jobs: usize,
    work: impl Fn(&K, Scrambled) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    share_threads(jobs, keys, |key| {
        let puzzle = key.as_ref();
        let scrambled = puzzle.make(data)?;
        work(key, scrambled).with_context(|| puzzle.path(data).display().to_string())
    })
}
