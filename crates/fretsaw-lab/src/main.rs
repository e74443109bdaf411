//! The program `fretsaw-lab`: it measures speed and accuracy of `fretsaw`.

mod args;
mod commands;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = args::Args::parse();
    fretsaw_cli::failure::exit_code("fretsaw-lab", commands::run(&args))
}
