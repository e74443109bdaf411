//! How much to print on standard error.

use std::fmt::Display;

/// The flags `--quiet` and `--verbose`.
#[derive(Clone, Copy, Debug)]
pub struct Verbosity {
    /// Print only errors and requested output.
    pub quiet: bool,
    /// Also print details.
    pub verbose: bool,
}

impl Verbosity {
    /// Prints a warning, unless quiet.
    pub fn warn(self, message: impl Display) {
        if !self.quiet {
            eprintln!("warning: {message}");
        }
    }

    /// Prints a message, unless quiet.
    pub fn say(self, message: impl Display) {
        if !self.quiet {
            eprintln!("{message}");
        }
    }

    /// Prints a message if verbose.
    pub fn detail(self, message: impl Display) {
        if self.verbose && !self.quiet {
            eprintln!("{message}");
        }
    }
}
