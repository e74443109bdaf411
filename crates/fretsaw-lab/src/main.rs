//! The program `fretsaw-lab`, which is the library of the same name.

use fretsaw::unstable::allocation::may_be_refused;
use fretsaw_alloc::EndsWhenRefused;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: EndsWhenRefused = EndsWhenRefused::new("fretsaw-lab", may_be_refused);

fn main() -> ExitCode {
    fretsaw_lab::program()
}
