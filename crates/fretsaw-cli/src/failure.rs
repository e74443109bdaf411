//! What went wrong, and with which exit code to say so.

use fretsaw::evaluation::ScoreError;
use fretsaw::picture::{CutError, RenderError, ScrambleError};
use fretsaw::solve::SolveError;
use fretsaw_io::IoError;
use std::fmt;
use std::process::ExitCode;

/// A failed command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Other arguments would help: exit code 2, as for arguments that cannot be parsed.
    Usage(String),
    /// Other arguments would not help: exit code 1.
    Failed(String),
}

impl Failure {
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(2),
            Self::Failed(_) => ExitCode::from(1),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Failed(message) => f.write_str(message),
        }
    }
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Self {
        let message = error.to_string();
        if error.is_usage() { Self::Usage(message) } else { Self::Failed(message) }
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Self {
        let message = error.to_string();
        match error {
            SolveError::GridNeeded(_) => Self::Usage(format!(
                "{message} with --rows and --cols, for example --rows 18 --cols 24"
            )),
            SolveError::GridTooSmall { .. } | SolveError::TooFewCandidates(_) => {
                Self::Usage(message)
            }
            SolveError::TooFewPieces(_)
            | SolveError::PositionsKnown(_)
            | SolveError::Dissimilarity(_)
            | SolveError::Cancelled(_)
            | SolveError::Gallagher(_) => Self::Failed(message),
        }
    }
}

impl From<CutError> for Failure {
    fn from(error: CutError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<ScrambleError> for Failure {
    fn from(error: ScrambleError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<ScoreError> for Failure {
    fn from(error: ScoreError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(format!("{error:#}"))
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Failed(format!("cannot write to standard output: {error}"))
    }
}
