//! The program `fretsaw-lab`, which is the library of the same name.

use std::process::ExitCode;

fn main() -> ExitCode {
    fretsaw_lab::program()
}
