//! Errors of reading and writing files.

use crate::printable::printable_path;
use fretsaw::picture::SheetLayout;
use fretsaw::puzzle::PieceShape;
use std::fmt::{self, Display};
use std::io;
use std::path::PathBuf;

/// A file that could not be read or written, and why.
///
/// The message names the file, the problem and the remedy. It is complete: causes
/// are part of the message and not chained, so that no report shows them twice.
#[derive(Debug)]
pub struct IoError {
    /// The file or folder; in an archive the archive's path and the name in it. Empty for data
    /// that has no name.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a file and what to do, in words that follow its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What programs can tell apart.
    pub kind: ProblemKind,
    /// The likeliest layouts of a sheet whose piece size is needed, the likeliest first.
    pub likely_layouts: Vec<SheetLayout>,
    message: String,
}

/// The kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// The input does not exist.
    NoSuchInput,
    /// The piece size must be given: none stands out, or there are several.
    PieceSizeNeeded,
    /// Other arguments would help, such as another name for the output.
    Usage,
    /// A checkpoint that cannot be resumed.
    BadCheckpoint,
    /// The content is damaged, not supported, impossible or contradictory.
    BadContent,
    /// The input is beyond the limits or the memory of the machine.
    TooLarge,
    /// The system refused to read or to write.
    System,
}

impl Display for IoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.as_os_str().is_empty() {
            write!(f, "{}: ", printable_path(&self.path))?;
        }
        self.problem.fmt(f)
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for IoError {}

impl std::error::Error for Problem {}

impl Problem {
    pub(crate) fn new(kind: ProblemKind, message: impl Into<String>) -> Self {
        Self { kind, likely_layouts: Vec::new(), message: message.into() }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(ProblemKind::Usage, message)
    }

    pub(crate) fn content(message: impl Into<String>) -> Self {
        Self::new(ProblemKind::BadContent, message)
    }

    pub(crate) fn too_large(message: impl Into<String>) -> Self {
        Self::new(ProblemKind::TooLarge, message)
    }

    /// This problem with a file.
    pub fn at(self, path: impl Into<PathBuf>) -> IoError {
        IoError { path: path.into(), problem: self }
    }

    pub(crate) fn no_such_input() -> Self {
        Self::new(ProblemKind::NoSuchInput, "no such file or folder; check the path")
    }

    /// A folder where a file is needed, a file where a folder is needed, or a device.
    pub fn wrong_kind(found: &str, needed: &str) -> Self {
        Self::usage(format!("is {found}, but {needed} is needed; name {needed}"))
    }

    /// The system refused to write.
    pub fn not_written(cause: io::Error) -> Self {
        let message = format!(
            "cannot be written: {cause}; check the folder's permissions and the free space, or \
             write elsewhere"
        );
        Self::new(ProblemKind::System, message)
    }

    pub(crate) fn not_encoded(cause: impl Display) -> Self {
        Self::content(format!("cannot be encoded: {cause}; try another format"))
    }

    pub(crate) fn not_a_picture() -> Self {
        Self::content(
            "is not a picture in a known format; PNG, JPEG, BMP, TIFF, WebP, PNM and GIF are \
             read. Convert it, or remove it",
        )
    }

    /// `what` is a picture or a zip archive.
    pub(crate) fn damaged(what: &str, cause: impl Display) -> Self {
        Self::content(format!("the {what} is damaged or cut short: {cause}; copy or make it again"))
    }

    pub(crate) fn too_few_pieces(found: u64, remedy: &str) -> Self {
        Self::content(format!("holds {found} pieces, but a puzzle needs at least 2; {remedy}"))
    }

    pub(crate) fn too_many_files(max_files: usize) -> Self {
        Self::too_large(format!(
            "holds more than {max_files} files, the limit on pieces; remove some, or raise the limit"
        ))
    }

    pub(crate) fn file_too_large(bytes: u64, max_bytes: u64) -> Self {
        Self::too_large(format!(
            "the file has {bytes} bytes, more than the limit of {max_bytes}; use a smaller one, or \
             raise the limit"
        ))
    }

    pub(crate) fn out_of_memory(bytes: u64) -> Self {
        Self::too_large(format!(
            "needs {bytes} bytes of memory, more than there is; use a smaller input or a larger \
             machine"
        ))
    }

    pub(crate) fn other_piece_size(given: PieceShape, found: &str) -> Self {
        Self::usage(format!(
            "the piece size given is {} x {} pixels, but the pieces are {found}; leave the piece \
             size out, or correct it",
            given.width_px(),
            given.height_px()
        ))
    }
}

impl IoError {
    /// Whether other arguments would help: a path that does not exist, a missing piece size, an output
    /// that is taken or cannot hold the picture. All other errors are about the contents of files or
    /// the state of the machine.
    pub const fn is_usage(&self) -> bool {
        use ProblemKind::{NoSuchInput, PieceSizeNeeded, Usage};
        matches!(self.problem.kind, NoSuchInput | PieceSizeNeeded | Usage)
    }

    /// A refusal of the system to read. A missing file is an error of its own.
    pub fn read(path: impl Into<PathBuf>, cause: io::Error) -> Self {
        let problem = match cause.kind() {
            io::ErrorKind::NotFound => Problem::no_such_input(),
            io::ErrorKind::IsADirectory => Problem::wrong_kind("a folder", "a file"),
            _ => Problem::new(
                ProblemKind::System,
                format!("cannot be read: {cause}; check the file and its permissions"),
            ),
        };
        problem.at(path)
    }

    /// A value that is impossible or contradicts another.
    pub(crate) fn bad_value(path: impl Into<PathBuf>, what: impl Display, remedy: &str) -> Self {
        Problem::content(format!("{what}; {remedy}")).at(path)
    }
}
