//! How much to print on standard error.

use crate::stdout::tell;
use clap::Args as ClapArgs;
use std::fmt::Display;

/// The flags `--quiet` and `--verbose`.
#[derive(Clone, Copy, Debug, ClapArgs)]
pub struct Verbosity {
    /// Print only errors and requested output
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Also print details, such as settings, sizes and the time of each stage
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

impl Verbosity {
    /// Prints a warning, unless quiet.
    pub fn warn(self, message: impl Display) {
        if !self.quiet {
            tell(format!("warning: {message}"));
        }
    }

    /// Prints a message, unless quiet.
    pub fn say(self, message: impl Display) {
        if !self.quiet {
            tell(message);
        }
    }

    /// Prints a message if verbose.
    pub fn detail(self, message: impl Display) {
        if self.verbose && !self.quiet {
            tell(message);
        }
    }
}
