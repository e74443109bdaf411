//! The command line program `fretsaw`.

mod args;
mod checkpoint;
mod commands;
mod memory_need;
mod output_names;
mod outputs;
mod same_pieces;

use clap::Parser;
use fretsaw::unstable::allocation::may_be_refused;
use fretsaw_alloc::EndsWhenRefused;
use fretsaw_cli::threads::check_environment;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: EndsWhenRefused = EndsWhenRefused::new("fretsaw", may_be_refused);

fn main() -> ExitCode {
    let args = args::Args::parse();
    let outcome = check_environment().and_then(|()| commands::run(&args));
    fretsaw_cli::failure::exit_code("fretsaw", outcome)
}
