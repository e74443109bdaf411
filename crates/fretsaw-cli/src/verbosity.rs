//! How much to print on standard error.

use std::fmt::Display;

/// What `--quiet` and `--verbose` ask for.
#[derive(Clone, Copy, Debug)]
pub struct Verbosity {
    /// Print only errors and requested output.
    pub quiet: bool,
    /// Print details, too.
    pub verbose: bool,
}

impl Verbosity {
    /// Prints what users should know although it is not an error.
    pub fn warn(self, message: impl Display) {
        if !self.quiet {
            eprintln!("warning: {message}");
        }
    }

    /// Prints what happened.
    pub fn say(self, message: impl Display) {
        if !self.quiet {
            eprintln!("{message}");
        }
    }

    /// Prints a detail.
    pub fn detail(self, message: impl Display) {
        if self.verbose && !self.quiet {
            eprintln!("{message}");
        }
    }
}
