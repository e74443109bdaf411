//! Warnings about inputs that can be used.

use crate::printable::printable_path;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// A warning about an input that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The file or folder.
    pub path: PathBuf,
    /// What is unusual, in words that follow its name.
    pub what: String,
    /// Whether it is not part of the puzzle.
    pub is_skipped: bool,
}

impl Warning {
    /// A file or folder that is not part of the puzzle.
    pub(crate) fn skipped(path: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Self { path: path.into(), what: reason.into(), is_skipped: true }
    }

    pub(crate) fn used(path: impl Into<PathBuf>, what: impl Into<String>) -> Self {
        Self { path: path.into(), what: what.into(), is_skipped: false }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = if self.is_skipped { " and was skipped" } else { "" };
        write!(f, "{}: {}{end}", printable_path(&self.path), self.what)
    }
}

/// A file or folder of the input that is not part of the puzzle, as documents record it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Its path, as far as it was given.
    pub name: String,
    /// Why, in words that follow the name.
    pub reason: String,
}

pub(crate) fn skipped_in(warnings: &[Warning]) -> Vec<Skipped> {
    let skipped = warnings.iter().filter(|warning| warning.is_skipped);
    let record = |warning: &Warning| Skipped {
        name: warning.path.display().to_string(),
        reason: warning.what.clone(),
    };
    skipped.map(record).collect()
}
