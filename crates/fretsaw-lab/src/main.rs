//! The program `fretsaw-lab`: measurements of fretsaw. How accurate it is on sets of pictures, how well its
//! parts do, and how long its stages take.

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

fn main() -> ExitCode {
    let args = commands::Args::parse();
    fretsaw_cli::failure::exit_code("fretsaw-lab", commands::run(&args))
}
