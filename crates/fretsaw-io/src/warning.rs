//! Warnings about inputs that can be used.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// A warning about an input that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// A file or folder that is not part of the puzzle.
    Skipped {
        /// The file or folder.
        path: PathBuf,
        /// Why it was skipped.
        reason: SkipReason,
    },
    /// A file of several pictures, an animation or pages, of which the first was taken.
    FirstOfSeveral {
        /// The file.
        path: PathBuf,
    },
    /// A sheet whose width or height is not a whole number of pieces.
    Cropped {
        /// The sheet.
        path: PathBuf,
        /// Columns of pixels left out at the right.
        right_px: u32,
        /// Rows of pixels left out at the bottom.
        bottom_px: u32,
    },
    /// A sheet whose last row is not full.
    EmptyCells {
        /// The sheet.
        path: PathBuf,
        /// Cells without a piece.
        count: u32,
    },
}

/// Why a file or folder is not part of the puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkipReason {
    /// It is a file, but not a picture.
    NotAPicture,
    /// It is a folder.
    Folder,
    /// It is a link in an archive.
    Link,
    /// It was named before.
    NamedTwice,
    /// It is a picture of another size than the piece size given.
    OtherSize {
        /// Columns of pixels.
        width_px: u32,
        /// Rows of pixels.
        height_px: u32,
    },
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAPicture => f.write_str("is not a picture"),
            Self::Folder => f.write_str("is a folder"),
            Self::Link => f.write_str("is a link"),
            Self::NamedTwice => f.write_str("is named more than once"),
            Self::OtherSize { width_px, height_px } => {
                write!(f, "is {width_px} x {height_px} pixels, not the piece size given")
            }
        }
    }
}

impl Warning {
    /// The skipped file or folder and the reason, if the warning is about one.
    #[must_use]
    pub fn skipped(&self) -> Option<Skipped> {
        match self {
            Self::Skipped { path, reason } => {
                Some(Skipped { name: path.display().to_string(), reason: reason.to_string() })
            }
            _ => None,
        }
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

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Skipped { path, .. }
        | Self::FirstOfSeveral { path }
        | Self::Cropped { path, .. }
        | Self::EmptyCells { path, .. }) = self;
        write!(f, "{}: ", path.display())?;
        match self {
            Self::Skipped { reason, .. } => write!(f, "{reason} and was skipped"),
            Self::FirstOfSeveral { .. } => {
                f.write_str("holds several pictures, an animation or pages; the first was taken")
            }
            Self::Cropped { right_px, bottom_px, .. } => write!(
                f,
                "is not a whole number of pieces wide and high; {right_px} px at the right and \
                 {bottom_px} px at the bottom were left out"
            ),
            Self::EmptyCells { count, .. } => write!(
                f,
                "{count} cells at the end of the last row have one colour that no other cell has; \
                 they were taken as empty"
            ),
        }
    }
}
