//! Printing that survives a closed pipe.

use crate::failure::Failure;
use std::io::{ErrorKind, Write};

/// Prints a line to standard output. A closed pipe (`| head`) is not a failure.
///
/// # Errors
/// If standard output cannot be written for another reason.
pub fn print_line(line: impl std::fmt::Display) -> Result<(), Failure> {
    match writeln!(std::io::stdout().lock(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
