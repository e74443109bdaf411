//! Printing that survives a closed pipe.

use crate::failure::Failure;
use std::io::{ErrorKind, Write};

/// Print a line to standard output. A reader that went away (`| head`) is no failure.
pub(crate) fn print_line(line: impl std::fmt::Display) -> Result<(), Failure> {
    match writeln!(std::io::stdout().lock(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
