//! Failures, and the Python exceptions that they become.

use fretsaw::SolveError;
use fretsaw::picture::SheetLayout;
use fretsaw::unstable::locations::LocationError;
use fretsaw::unstable::methods::reference::ReferenceError;
use fretsaw_io::{IoError, Problem, ProblemKind};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use std::fmt::Display;

/// A failure, which may come from a thread without Python.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: Kind,
    message: String,
    /// The likeliest layouts of a sheet whose piece size is needed.
    layouts: Vec<SheetLayout>,
}

/// The exceptions of `fretsaw._errors`.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Input,
    PieceSize,
    TooLarge,
    Settings,
    Solve,
    Internal,
}

impl Kind {
    const fn class(self) -> &'static str {
        match self {
            Self::Input => "InputError",
            Self::PieceSize => "PieceSizeNeeded",
            Self::TooLarge => "TooLarge",
            Self::Settings => "SettingsError",
            Self::Solve => "SolveError",
            Self::Internal => "FretsawError",
        }
    }
}

impl Failure {
    fn new(kind: Kind, message: impl Display) -> Self {
        Self { kind, message: message.to_string(), layouts: Vec::new() }
    }

    /// The pieces or pictures are wrong.
    pub(crate) fn input(message: impl Display) -> Self {
        Self::new(Kind::Input, message)
    }

    /// An argument is wrong.
    pub(crate) fn settings(message: impl Display) -> Self {
        Self::new(Kind::Settings, message)
    }

    /// A computation failed.
    pub(crate) fn solve(message: impl Display) -> Self {
        Self::new(Kind::Solve, message)
    }

    /// A defect of this package.
    pub(crate) fn internal(message: impl Display) -> Self {
        Self::new(Kind::Internal, format_args!("this is a defect of fretsaw: {message}"))
    }

    /// A puzzle that could not be solved. `source` is its name, or empty.
    pub(crate) fn solving(source: &str, error: &SolveError) -> Self {
        use SolveError as E;
        let remedy = match error {
            E::GridNeeded { .. } => " with grid=, for example grid=(24, 18)",
            E::Grid(_) | E::GridTooSmall { .. } | E::GridNotFilled { .. } => "; correct grid=",
            E::Reference(ReferenceError::TooSmall { .. }) => "; give a larger reference=",
            E::Reference(ReferenceError::NothingAlike { .. }) => {
                "; give another reference=, or none"
            }
            E::ReferenceNotNeeded => "; leave reference= out",
            E::Location(LocationError::Unsuitable(_)) => "; give another method=",
            E::Dissimilarity(_) => "; cut the picture into larger pieces",
            _ => "",
        };
        let kind = if error.other_settings_may_help() { Kind::Settings } else { Kind::Solve };
        let name = if source.is_empty() { String::new() } else { format!("{source}: ") };
        Self::new(kind, format_args!("{name}{error}{remedy}"))
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        problem.at("").into()
    }
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Self {
        let (kind, remedy) = match error.problem.kind {
            ProblemKind::PieceSizeNeeded => (Kind::PieceSize, " (piece= gives it)"),
            ProblemKind::TooLarge => {
                (Kind::TooLarge, " (max_pixels= and max_pieces= set the limits)")
            }
            ProblemKind::NoSuchInput
            | ProblemKind::Usage
            | ProblemKind::BadCheckpoint
            | ProblemKind::BadContent
            | ProblemKind::System => (Kind::Input, ""),
        };
        let layouts = error.problem.likely_layouts.clone();
        let offers: Vec<String> = layouts.iter().map(offer).collect();
        let offers = match offers.is_empty() {
            true => String::new(),
            false => format!("; the likeliest are {}", offers.join(", ")),
        };
        Self { layouts, ..Self::new(kind, format_args!("{error}{remedy}{offers}")) }
    }
}

/// The arguments that give a layout.
fn offer(layout: &SheetLayout) -> String {
    let (width_px, height_px) = (layout.shape.width_px(), layout.shape.height_px());
    let size = match width_px == height_px {
        true => width_px.to_string(),
        false => format!("({width_px}, {height_px})"),
    };
    format!("piece={size} for grid=({}, {})", layout.columns, layout.rows)
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        let Failure { kind, message, layouts } = failure;
        Python::attach(|py| {
            let raised = || -> PyResult<Bound<'_, PyAny>> {
                let class = py.import("fretsaw._errors")?.getattr(kind.class())?;
                let error = class.call1((&message,))?;
                if matches!(kind, Kind::PieceSize) {
                    let layouts: Vec<_> = layouts
                        .iter()
                        .map(|it| {
                            let piece = (it.shape.width_px(), it.shape.height_px());
                            (piece, (it.columns, it.rows))
                        })
                        .collect();
                    error.setattr("layouts", layouts)?;
                }
                Ok(error)
            };
            match raised() {
                Ok(error) => Self::from_value(error),
                Err(_) => PyException::new_err(message.clone()),
            }
        })
    }
}
