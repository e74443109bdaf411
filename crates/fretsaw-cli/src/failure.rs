//! Failures of commands, their messages and exit codes.

use crate::stdout::tell;
use fretsaw::SolveError;
use fretsaw::evaluation::ScoreError;
use fretsaw::picture::{CutError, RenderError, ScrambleError, SheetLayout, TileError};
use fretsaw::unstable::locations::LocationError;
use fretsaw::unstable::methods::reference::ReferenceError;
use fretsaw_io::{IoError, ProblemKind};
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
    /// The user interrupted, and the best board so far was written: exit code 3.
    Interrupted(String),
}

/// The failures of steps that do not depend on each other, all of which are tried.
#[derive(Debug, Default)]
pub struct Failures(Vec<Failure>);

impl Failures {
    /// Notes the outcome of a step. Returns what it gave.
    pub fn note<T>(&mut self, outcome: Result<T, impl Into<Failure>>) -> Option<T> {
        outcome.map_err(|failure| self.0.push(failure.into())).ok()
    }

    /// Whether no step failed.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// One failure with all messages, if there are any.
    ///
    /// # Errors
    /// If a step failed. It is no error of usage, which would mean that nothing was done.
    pub fn outcome(self) -> Result<(), Failure> {
        if self.0.is_empty() {
            return Ok(());
        }
        let messages: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        Err(Failure::Failed(messages.join("\n")))
    }
}

/// Prints the failure, if there is one, and returns the exit code of the program.
pub fn exit_code(program: &str, outcome: Result<(), Failure>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            tell(format!("{program}: {failure}"));
            ExitCode::from(match failure {
                Failure::Failed(_) => 1,
                Failure::Usage(_) => 2,
                Failure::Interrupted(_) => 3,
            })
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Failed(message) | Self::Interrupted(message) => {
                f.write_str(message)
            }
        }
    }
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Self {
        let flag = match error.problem.kind {
            ProblemKind::PieceSizeNeeded => " (--piece gives the piece size)",
            ProblemKind::BadCheckpoint => " (without --resume)",
            ProblemKind::TooLarge => " (--max-pixels and --max-pieces set the limits)",
            _ => "",
        };
        let offers: String = error.problem.likely_layouts.iter().map(offer).collect();
        let offers = if offers.is_empty() { offers } else { format!("\nThe likeliest:{offers}") };
        let message = format!("{error}{flag}{offers}");
        if error.is_usage() { Self::Usage(message) } else { Self::Failed(message) }
    }
}

/// The flags that give a layout, on a line of their own.
fn offer(layout: &SheetLayout) -> String {
    let (width_px, height_px) = (layout.shape.width_px(), layout.shape.height_px());
    let size = if width_px == height_px {
        width_px.to_string()
    } else {
        format!("{width_px}x{height_px}")
    };
    format!("\n  --piece {size}  or  --grid {}x{}", layout.columns, layout.rows)
}

// Errors of the library name neither files nor flags. These functions add both.
impl Failure {
    /// The puzzle read from `input` could not be solved.
    pub fn solving(input: &Path, error: &SolveError) -> Self {
        use SolveError as E;
        let remedy = match error {
            E::GridNeeded { .. } => " with --grid, for example --grid 24x18",
            E::Grid(_) | E::GridTooSmall { .. } | E::GridNotFilled { .. } => "; correct --grid",
            E::Reference(ReferenceError::TooSmall { .. }) => "; give a larger --reference",
            E::Reference(ReferenceError::NothingAlike { .. }) => {
                "; give another --reference, or none"
            }
            E::ReferenceNotNeeded => "; leave --reference out",
            E::Location(LocationError::Unsuitable(_)) => "; give another --method",
            E::Dissimilarity(_) => "; cut the picture into larger pieces",
            _ => "",
        };
        let failure = if error.other_settings_may_help() { Self::Usage } else { Self::Failed };
        failure(format!("{}: {error}{remedy}", input.display()))
    }

    /// The picture `image` could not be cut.
    pub fn cutting(image: &Path, error: CutError) -> Self {
        let (failure, remedy): (fn(String) -> Self, &str) = match error {
            CutError::PictureTooSmall { .. } => (Self::Usage, "; give a smaller --piece"),
            CutError::TooManyPieces { .. } => (Self::Usage, " with --piece"),
            CutError::OutOfMemory => (Self::Failed, "; use a smaller picture"),
        };
        failure(format!("{}: {error}{remedy}", image.display()))
    }

    /// The pictures `images` could not be laid side by side.
    pub fn tiling(images: &[PathBuf], error: TileError) -> Self {
        use TileError as E;
        let name = |picture: usize| images[picture].display();
        let (failure, remedy): (fn(String) -> Self, &str) = match error {
            E::NoPictures => (Self::Usage, ""),
            E::NotFilled { .. } => {
                (Self::Usage, "; give more pictures, or a smaller --grid or --piece")
            }
            E::NoGoodShape => (Self::Usage, "; give a --grid, or a smaller --piece"),
            E::TooManyPieces { .. } => (Self::Usage, "; give a smaller --grid or a larger --piece"),
            E::OutOfMemory => (Self::Failed, "; give a smaller --grid"),
            E::DifferentKinds { picture, channels, bits, first, first_channels, first_bits } => {
                return Self::Usage(format!(
                    "{}: has {channels} channels of {bits} bit, but {} has {first_channels} of \
                     {first_bits} bit; convert one of them, or leave it out",
                    name(picture),
                    name(first)
                ));
            }
            E::OtherSize { picture, .. } => {
                let message = format!("{}: changed while it was read; try again", name(picture));
                return Self::Failed(message);
            }
        };
        failure(format!("{error}{remedy}"))
    }

    /// The picture `image` could not be scrambled.
    pub fn scrambling(image: &Path, error: ScrambleError) -> Self {
        use ScrambleError as E;
        let (failure, remedy): (fn(String) -> Self, &str) = match error {
            E::CorruptRate { .. } => (Self::Usage, "; correct --corrupt"),
            E::DropsEverything { .. } | E::DropFromKnownPositions => {
                (Self::Usage, "; correct --drop")
            }
            E::PiecesDoNotFillGrid { .. } => (Self::Failed, ""),
            E::OutOfMemory => (Self::Failed, "; use a smaller picture"),
        };
        failure(format!("{}: {error}{remedy}", image.display()))
    }

    /// The picture `out` could not be painted.
    pub fn painting(out: &Path, error: RenderError) -> Self {
        Self::Failed(format!("{}: {error}", out.display()))
    }

    /// `solution` could not be scored against `truth`.
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
