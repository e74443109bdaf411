//! The command line program `fretsaw`.

mod args;
mod checkpoint;
mod commands;
mod memory_need;
mod output_names;
mod outputs;
mod same_pieces;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = args::Args::parse();
    fretsaw_cli::failure::exit_code("fretsaw", commands::run(&args))
}
