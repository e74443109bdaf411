//! The program `fretsaw-lab`: measurements of fretsaw. How accurate it is on sets of pictures, how well its
//! parts do, and how long its stages take.
//!
//! A library so that the fuzz targets can read files of results.

/// The entries of a row of a table, each as it prints.
macro_rules! row {
    ($($entry:expr),+ $(,)?) => { vec![$($entry.to_string()),+] };
}

mod commands;
mod compare;
mod diagnose;
mod feature_export;
mod figures;
mod graph_report;
mod groups;
mod images;
mod jpeg_file;
mod jpeg_sheet;
mod memory;
mod method_name;
mod paper;
mod picture_changes;
mod pools;
mod protocol;
mod provenance;
mod puzzle_args;
mod puzzles;
mod reference_changes;
mod report;
mod results;
mod run_queue;
mod scaling;
mod set_run;
mod stage;
mod summary;
#[cfg(test)]
mod test_records;
mod training_puzzle;
mod wear;

use clap::Parser;
use std::process::ExitCode;

/// The program: parses its arguments, does what they ask for, and says what went wrong.
pub fn program() -> ExitCode {
    let args = commands::Args::parse();
    let outcome = fretsaw_cli::threads::check_environment().and_then(|()| commands::run(&args));
    fretsaw_cli::failure::exit_code("fretsaw-lab", outcome)
}

/// Reads a file of results from memory and makes the tables, plots and pages of a report of it; returns how many bytes
/// they have.
///
/// # Errors
/// If a line is no line of results, or too long.
pub fn report_in_memory(bytes: &[u8]) -> anyhow::Result<usize> {
    let results = results::parse_results(bytes)?;
    Ok(report::num_bytes(&results.records))
}
