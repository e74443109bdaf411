//! Failures of commands, their messages and exit codes.

use fretsaw::SolveError;
use fretsaw::evaluation::ScoreError;
use fretsaw::picture::{CutError, RenderError, ScrambleError, TileError};
use fretsaw::unstable::constraints::ConstraintError;
use fretsaw::unstable::locations::LocationError;
use fretsaw::unstable::methods::reference::ReferenceError;
use fretsaw_io::{IoError, Problem};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A failed command.
#[derive(Debug)]
pub enum Failure {
    /// The arguments are wrong: exit code 2, as for arguments that cannot be parsed.
    Usage(String),
    /// Any other failure: exit code 1.
    Failed(String),
}

impl Failure {
    /// The exit code of the program.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(2),
            Self::Failed(_) => ExitCode::from(1),
        }
    }
}

/// Prints the failure, if there is one, and returns the exit code of the program.
pub fn exit_code(program: &str, outcome: Result<(), Failure>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{program}: {failure}");
            failure.exit_code()
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
        let flag = match error.problem {
            Problem::PieceSizeNotFound { .. } | Problem::SeveralSizes { .. } => {
                " (--piece gives the piece size)"
            }
            Problem::BadCheckpoint { .. } => " (without --resume)",
            _ => "",
        };
        let message = format!("{error}{flag}");
        if error.is_usage() { Self::Usage(message) } else { Self::Failed(message) }
    }
}

// Errors of the library name neither files nor flags. These functions add both.
impl Failure {
    /// The puzzle read from `input` could not be solved.
    #[must_use]
    pub fn solving(input: &Path, error: &SolveError) -> Self {
        let input = input.display();
        match error {
            SolveError::GridNeeded { .. } => {
                Self::Usage(format!("{input}: {error} with --grid, for example --grid 24x18"))
            }
            SolveError::Grid(_)
            | SolveError::GridTooSmall { .. }
            | SolveError::GridNotFilled { .. } => {
                Self::Usage(format!("{input}: {error}; correct --grid"))
            }
            SolveError::NotOneBoard { .. }
            | SolveError::NoSuchBoard { .. }
            | SolveError::ConstraintsNotSupported
            | SolveError::WrongStart { .. }
            | SolveError::Constraint(ConstraintError::Impossible(_)) => {
                Self::Usage(format!("{input}: {error}"))
            }
            SolveError::Reference(ReferenceError::TooSmall { .. }) => {
                Self::Usage(format!("{input}: {error}; give a larger --reference"))
            }
            SolveError::Reference(ReferenceError::NothingAlike) => {
                Self::Usage(format!("{input}: {error}; give another --reference, or none"))
            }
            SolveError::ReferenceNotNeeded => {
                Self::Usage(format!("{input}: {error}; leave --reference out"))
            }
            SolveError::Dissimilarity(_) => {
                Self::Failed(format!("{input}: {error}; cut the picture into larger pieces"))
            }
            SolveError::TooFewCandidates(_) | SolveError::UnknownMeasure { .. } => {
                Self::Usage(format!("{input}: {error}"))
            }
            SolveError::Location(LocationError::Unsuitable(_)) => {
                Self::Usage(format!("{input}: {error}; give another --method"))
            }
            SolveError::Constraint(ConstraintError::NotMet(_))
            | SolveError::TooFewPieces(_)
            | SolveError::Cancelled(_)
            | SolveError::Location(_)
            | SolveError::Reference(_) => Self::Failed(format!("{input}: {error}")),
        }
    }

    /// The picture `image` could not be cut.
    #[must_use]
    pub fn cutting(image: &Path, error: CutError) -> Self {
        let image = image.display();
        match error {
            CutError::PictureTooSmall { .. } => {
                Self::Usage(format!("{image}: {error}; give a smaller --piece"))
            }
            CutError::TooManyPieces { .. } => Self::Usage(format!("{image}: {error} with --piece")),
            CutError::OutOfMemory => {
                Self::Failed(format!("{image}: {error}; use a smaller picture"))
            }
        }
    }

    /// The pictures `images` could not be laid side by side.
    #[must_use]
    pub fn tiling(images: &[PathBuf], error: TileError) -> Self {
        let name = |picture: usize| images[picture].display();
        match error {
            TileError::NoPictures => Self::Usage(error.to_string()),
            TileError::NotFilled { .. } => {
                Self::Usage(format!("{error}; give more pictures, or a smaller --grid or --piece"))
            }
            TileError::NoGoodShape => {
                Self::Usage(format!("{error}; give a --grid, or a smaller --piece"))
            }
            TileError::TooManyPieces { .. } => {
                Self::Usage(format!("{error}; give a smaller --grid or a larger --piece"))
            }
            TileError::DifferentKinds {
                picture,
                channels,
                bits,
                first,
                first_channels,
                first_bits,
            } => Self::Usage(format!(
                "{}: has {channels} channels of {bits} bit, but {} has {first_channels} of \
                 {first_bits} bit; convert one of them, or leave it out",
                name(picture),
                name(first)
            )),
            TileError::OtherSize { picture, .. } => {
                Self::Failed(format!("{}: changed while it was read; try again", name(picture)))
            }
            TileError::OutOfMemory => Self::Failed(format!("{error}; give a smaller --grid")),
        }
    }

    /// The picture `image` could not be scrambled.
    #[must_use]
    pub fn scrambling(image: &Path, error: ScrambleError) -> Self {
        let image = image.display();
        match error {
            ScrambleError::CorruptRate { .. } => {
                Self::Usage(format!("{image}: {error}; correct --corrupt"))
            }
            ScrambleError::DropsEverything { .. } | ScrambleError::DropFromKnownPositions => {
                Self::Usage(format!("{image}: {error}; correct --drop"))
            }
            ScrambleError::PiecesDoNotFillGrid { .. } => Self::Failed(format!("{image}: {error}")),
            ScrambleError::OutOfMemory => {
                Self::Failed(format!("{image}: {error}; use a smaller picture"))
            }
        }
    }

    /// The picture `out` could not be painted.
    #[must_use]
    pub fn painting(out: &Path, error: RenderError) -> Self {
        Self::Failed(format!("{}: {error}", out.display()))
    }

    /// `solution` could not be scored against `truth`.
    #[must_use]
    pub fn scoring(truth: &Path, solution: &Path, error: ScoreError) -> Self {
        Self::Failed(format!(
            "{}: {error}; is {} the truth of the same puzzle?",
            solution.display(),
            truth.display()
        ))
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        let message = format!("{error:#}");
        match error.downcast_ref::<IoError>() {
            Some(cause) if cause.is_usage() => Self::Usage(message),
            _ => Self::Failed(message),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Failed(format!("cannot write to standard output: {error}"))
    }
}
