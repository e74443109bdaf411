//! Errors of reading and writing files.

use fretsaw::puzzle::PieceShape;
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

impl std::fmt::Display for IoError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.path.as_os_str().is_empty() {
            write!(f, "{}: ", self.path.display())?;
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for IoError {}

/// What can be wrong with a file, in words that follow its name.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The input does not exist.
    #[error("no such file or folder; check the path")]
    NoSuchInput,
    /// The folder to write into does not exist.
    #[error(
        "cannot be written because the folder {} does not exist; create it or choose another",
        folder.display()
    )]
    NoSuchFolder {
        /// The missing folder.
        folder: PathBuf,
    },
    /// A folder where a file is needed, a file where a folder is needed, or a device.
    #[error("is {found}, but {needed} is needed; name {needed}")]
    WrongKind {
        /// What it is.
        found: &'static str,
        /// What it should be.
        needed: &'static str,
    },
    /// The file extension selects no picture format that can be written.
    #[error(
        "the file extension selects no picture format that can be written{note}; use one of {}",
        crate::PictureFormat::ENDINGS
    )]
    UnknownEnding {
        /// Why, for a format that can be read but not written; begins with a separator.
        note: &'static str,
    },
    /// A picture that the chosen format cannot hold without loss.
    #[error("{format} cannot hold {what}; write {remedy} instead")]
    FormatCannotHold {
        /// The format's name.
        format: &'static str,
        /// What it cannot hold.
        what: String,
        /// A format that can.
        remedy: &'static str,
    },
    /// A number of channels that no picture format supports.
    #[error(
        "{channels} channels cannot be written as a picture file; \
         pictures have 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGBA); write some of them"
    )]
    ChannelCount {
        /// The picture's channels.
        channels: usize,
    },
    /// A sheet without a given piece size, whose seams do not show one.
    #[error(
        "no piece size stands out in this picture of {width_px} x {height_px} pixels: it is not a \
         sheet of shuffled pieces, or it has too few; give the piece size, or name the scramble \
         folder that holds its puzzle.json"
    )]
    PieceSizeNotFound {
        /// Columns of pixels.
        width_px: u32,
        /// Rows of pixels.
        height_px: u32,
    },
    /// Pieces of several sizes, and no given size.
    #[error(
        "its pictures have {} sizes: {}; all pieces of a puzzle must have the same. Give the piece \
         size to use, which skips the others, or remove them",
        groups.len(), describe_sizes(groups)
    )]
    SeveralSizes {
        /// The sizes, the most frequent first.
        groups: Vec<SizeGroup>,
    },
    /// A piece size that contradicts the files.
    #[error(
        "the piece size given is {} x {} pixels, but its pieces are {found}; leave the piece size \
         out, or correct it", given.width_px(), given.height_px()
    )]
    PieceSizeContradicts {
        /// The size given.
        given: PieceShape,
        /// The sizes found, in words.
        found: String,
    },
    /// A puzzle of its own among the files of another.
    #[error(
        "is {kind}, which is a puzzle of its own; read it alone, or name one picture per piece"
    )]
    NotAlone {
        /// What it is.
        kind: &'static str,
    },
    /// An output folder that is not empty.
    #[error("the folder exists and is not empty; name a new folder, or empty this one")]
    FolderNotEmpty,
    /// A file that a checkpoint would replace, but that is not one.
    #[error("exists and is not a checkpoint of fretsaw; name another file, or remove it")]
    NotACheckpoint,
    /// A checkpoint that cannot be resumed.
    #[error("{what}; name another checkpoint, or start from the beginning")]
    BadCheckpoint {
        /// What is wrong with it.
        what: String,
    },
    /// The system refused to read.
    #[error("cannot be read: {0}; check the file and its permissions")]
    Read(io::Error),
    /// The system refused to write.
    #[error(
        "cannot be written: {0}; check the folder's permissions and the free space, or write elsewhere"
    )]
    Write(io::Error),
    /// Not a picture in a known format.
    #[error(
        "is not a picture in a known format; PNG, JPEG, BMP, TIFF, WebP, PNM and GIF are read. \
         Convert it, or remove it"
    )]
    NotAPicture,
    /// A damaged picture or archive.
    #[error("the {what} is damaged or cut short: {cause}; copy or make it again")]
    Damaged {
        /// A picture or a zip archive.
        what: &'static str,
        /// The message of the decoder.
        cause: String,
    },
    /// A kind of picture or archive that is not read.
    #[error("{what} is not supported; {remedy}")]
    Unsupported {
        /// What it holds.
        what: String,
        /// What to do.
        remedy: &'static str,
    },
    /// The encoder refused.
    #[error("cannot be encoded: {cause}; try another format")]
    Encode {
        /// The message of the encoder.
        cause: String,
    },
    /// A picture beyond the limits.
    #[error(
        "a picture of {width_px} x {height_px} pixels exceeds the limit of {max_pixels} pixels \
         in all and {max_side_px} along a side; use a smaller picture, or raise the limit"
    )]
    PictureTooLarge {
        /// Columns of pixels.
        width_px: u64,
        /// Rows of pixels.
        height_px: u64,
        /// The limit on their product.
        max_pixels: u64,
        /// The limit on each.
        max_side_px: u32,
    },
    /// A picture that the decoder gave up on before it knew the size.
    #[error(
        "decoding this picture would take more than the limit of {max_bytes} bytes; use a smaller \
         picture, or raise the limit"
    )]
    DecoderLimit {
        /// The limit, which follows from that on pixels.
        max_bytes: u64,
    },
    /// A file too large to be opened.
    #[error(
        "the file has {bytes} bytes, more than the limit of {max_bytes}; use a smaller one, or raise \
         the limit"
    )]
    FileTooLarge {
        /// Its size.
        bytes: u64,
        /// The limit.
        max_bytes: u64,
    },
    /// More pieces than the limit.
    #[error(
        "{pieces} pieces are more than the limit of {max_pieces}; use larger pieces or a smaller \
         picture, or raise the limit"
    )]
    TooManyPieces {
        /// Its pieces.
        pieces: u64,
        /// The limit.
        max_pieces: usize,
    },
    /// More pixels in all pieces together than the limit.
    #[error(
        "{pieces} pieces of {pixels_per_piece} pixels each are more than the limit of {max_pixels} \
         pixels; use fewer or smaller pieces, or raise the limit"
    )]
    TooManyPixels {
        /// Its pieces.
        pieces: u64,
        /// Pixels of each.
        pixels_per_piece: u64,
        /// The limit.
        max_pixels: u64,
    },
    /// More files than pieces are allowed.
    #[error(
        "holds more than {max_files} files, the limit on pieces; remove some, or raise the limit"
    )]
    TooManyFiles {
        /// The limit.
        max_files: usize,
    },
    /// An archive with a name that leads out of it.
    #[error(
        "holds a file named {name:?}, which would be unpacked outside the target folder; such an archive is \
         not read. Make it again from the folder of pieces"
    )]
    NameOutside {
        /// The name.
        name: String,
    },
    /// An archive whose contents are beyond the limits.
    #[error(
        "{what} {bytes} bytes when unpacked, more than the limit of {max_bytes}{note}; make the \
         archive of smaller files, or unpack it and name the folder"
    )]
    ArchiveTooLarge {
        /// What is too large, and a verb.
        what: &'static str,
        /// Its size according to the archive.
        bytes: u64,
        /// The limit.
        max_bytes: u64,
        /// The reason for the limit, if it is not obvious.
        note: &'static str,
    },
    /// The machine does not have enough memory.
    #[error(
        "needs {bytes} bytes of memory, more than there is; use a smaller input or a larger machine"
    )]
    OutOfMemory {
        /// The bytes needed.
        bytes: u64,
    },
    /// A piece that differs from the first in channels or depth, or in size from what `puzzle.json` says.
    #[error(
        "is {kind}, but {} is {first_kind}; all pieces of a puzzle must agree. \
         Remove or convert the others", first.display()
    )]
    UnequalPieces {
        /// Its size and channels, in words.
        kind: String,
        /// The first piece.
        first: PathBuf,
        /// The first piece's size and channels, in words.
        first_kind: String,
    },
    /// Fewer pieces than make a puzzle.
    #[error("holds {found} pieces, but a puzzle needs at least 2; {remedy}")]
    TooFewPieces {
        /// Pieces found.
        found: u64,
        /// What to do.
        remedy: &'static str,
    },
    /// A document of another kind or version.
    #[error(
        "its \"format\" is {found}, but {expected:?} is needed; \
         name the right file, or one written by this version of fretsaw"
    )]
    WrongFormat {
        /// Its format field, in words.
        found: String,
        /// The expected format.
        expected: &'static str,
    },
    /// A document that is not JSON, or with a value that is impossible or contradicts another.
    #[error("{what}; {remedy}")]
    BadValue {
        /// What is wrong, with the numbers of the pieces and cells.
        what: String,
        /// What to do.
        remedy: &'static str,
    },
}

impl Problem {
    /// A directory where a file is needed.
    pub(crate) const IS_A_FOLDER: Self = Self::WrongKind { found: "a folder", needed: "a file" };
    /// A file where a directory is needed.
    pub(crate) const IS_A_FILE: Self = Self::WrongKind { found: "a file", needed: "a folder" };
    /// A pipe where a file is needed.
    pub(crate) const IS_A_DEVICE: Self =
        Self::WrongKind { found: "a pipe or device", needed: "a file" };

    /// A damaged picture.
    pub(crate) fn damaged_picture(cause: impl ToString) -> Self {
        Self::Damaged { what: "picture", cause: cause.to_string() }
    }

    /// This problem with a file.
    #[must_use]
    pub fn at(self, path: impl Into<PathBuf>) -> IoError {
        IoError { path: path.into(), problem: self }
    }
}

impl IoError {
    /// Whether other arguments would help: a path that does not exist, a missing piece size, an output
    /// that is taken or cannot hold the picture. All other errors are about the contents of files or
    /// the state of the machine.
    #[must_use]
    pub const fn is_usage(&self) -> bool {
        use Problem as P;
        matches!(
            self.problem,
            P::NoSuchInput
                | P::NoSuchFolder { .. }
                | P::WrongKind { .. }
                | P::UnknownEnding { .. }
                | P::FormatCannotHold { .. }
                | P::ChannelCount { .. }
                | P::PieceSizeNotFound { .. }
                | P::SeveralSizes { .. }
                | P::PieceSizeContradicts { .. }
                | P::NotAlone { .. }
                | P::FolderNotEmpty
                | P::NotACheckpoint
        )
    }

    /// A refusal of the system to read. A missing file is an error of its own.
    #[must_use]
    pub fn read(path: impl Into<PathBuf>, cause: io::Error) -> Self {
        let problem = match cause.kind() {
            io::ErrorKind::NotFound => Problem::NoSuchInput,
            io::ErrorKind::IsADirectory => Problem::IS_A_FOLDER,
            _ => Problem::Read(cause),
        };
        problem.at(path)
    }

    pub(crate) fn bad_value(
        path: impl Into<PathBuf>,
        what: impl Into<String>,
        remedy: &'static str,
    ) -> Self {
        Problem::BadValue { what: what.into(), remedy }.at(path)
    }
}

/// Pictures of one size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeGroup {
    /// Columns of pixels.
    pub width_px: u32,
    /// Rows of pixels.
    pub height_px: u32,
    /// How many pictures have this size.
    pub count: usize,
    /// The name of the first of them.
    pub example: String,
}

/// The first few sizes, in words.
pub(crate) fn describe_sizes(groups: &[SizeGroup]) -> String {
    const SHOWN: usize = 4;
    let group = |group: &SizeGroup| {
        let SizeGroup { width_px, height_px, count, example } = group;
        format!("{count} of {width_px} x {height_px} (such as {example})")
    };
    let mut text = groups.iter().take(SHOWN).map(group).collect::<Vec<_>>().join(", ");
    if groups.len() > SHOWN {
        text += &format!(" and {} more sizes", groups.len() - SHOWN);
    }
    text
}
