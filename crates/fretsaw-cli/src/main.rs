//! The fretsaw command line: flags to settings, library calls, files.

mod args;
mod checkpoint;
mod commands;
mod failure;
mod memory_need;
mod outputs;
mod progress;
mod stdout;
mod stop;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = args::Args::parse();
    match commands::run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("fretsaw: {failure}");
            failure.exit_code()
        }
    }
}
