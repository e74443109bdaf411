//! What can go wrong with files, and what is merely odd.

use fretsaw::puzzle::PieceShape;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why a file could not be read or written.
///
/// Each message names the file, says what is wrong, and how to put it right. It is complete in
/// itself: causes are part of the message and not chained, so that no report shows them twice.
#[derive(Debug, thiserror::Error)]
pub enum IoError {
    /// The input does not exist.
    #[error("{}: no such file or folder; check the path", path.display())]
    NoSuchInput {
        /// The input.
        path: PathBuf,
    },
    /// The folder to write into does not exist.
    #[error(
        "{}: cannot be written because the folder {} does not exist; create it or choose another",
        path.display(), folder.display()
    )]
    NoSuchFolder {
        /// The file or folder to be written.
        path: PathBuf,
        /// The missing folder.
        folder: PathBuf,
    },
    /// A folder where a file is needed.
    #[error("{}: is a folder, but a file is needed; name a file", path.display())]
    IsAFolder {
        /// The path given.
        path: PathBuf,
    },
    /// A file where a folder is needed, or a device where a file is needed.
    #[error("{}: is {found}, but {needed} is needed; choose another path", path.display())]
    WrongKind {
        /// The path given.
        path: PathBuf,
        /// What it is.
        found: &'static str,
        /// What it should be.
        needed: &'static str,
    },
    /// A picture name whose ending names no format that can be written.
    #[error(
        "{}: the name's ending does not say which picture format to write{}; use one of {}",
        path.display(), note, crate::PictureFormat::ENDINGS
    )]
    UnknownEnding {
        /// The file to be written.
        path: PathBuf,
        /// Why not, for an ending that is known but cannot be written; begins with a separator.
        note: &'static str,
    },
    /// A picture that the chosen format cannot hold without loss.
    #[error("{}: {format} cannot hold {what}; write {remedy} instead", path.display())]
    FormatCannotHold {
        /// The file to be written.
        path: PathBuf,
        /// The format's name.
        format: &'static str,
        /// What it cannot hold.
        what: String,
        /// A format that can.
        remedy: &'static str,
    },
    /// A picture with a number of channels that no picture format here stands for.
    #[error(
        "{}: {channels} channels cannot be written as a picture file; \
         pictures have 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGBA); write some of them",
        path.display()
    )]
    ChannelCount {
        /// The file to be written.
        path: PathBuf,
        /// The picture's channels.
        channels: usize,
    },
    /// A sheet without a piece size.
    #[error(
        "{}: a sheet of pieces does not say how large its pieces are; give the piece size (--piece), \
         or name the scramble folder that holds its puzzle.json",
        path.display()
    )]
    PieceSizeMissing {
        /// The sheet.
        path: PathBuf,
    },
    /// A piece size that contradicts the files.
    #[error(
        "{}: its pieces are {} pixels, but the piece size given is {}; leave the piece size out, \
         or correct it",
        path.display(), size(*found), size(*given)
    )]
    PieceSizeContradicts {
        /// The file or folder.
        path: PathBuf,
        /// The size asked for.
        given: PieceShape,
        /// The size found.
        found: PieceShape,
    },
    /// An output folder that holds something.
    #[error(
        "{}: the folder exists and is not empty; name a new folder, or empty this one",
        path.display()
    )]
    FolderNotEmpty {
        /// The folder.
        path: PathBuf,
    },
    /// A file that is no checkpoint where one is to be written.
    #[error(
        "{}: exists and is not a checkpoint of fretsaw, and is not replaced by one; name another \
         file, or take it away",
        path.display()
    )]
    NotACheckpoint {
        /// The file.
        path: PathBuf,
    },
    /// The system refused to read.
    #[error("{}: cannot be read: {cause}; check the file and its permissions", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The system refused to write.
    #[error(
        "{}: cannot be written: {cause}; check the folder's permissions and the free space, or write \
         elsewhere",
        path.display()
    )]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// Not a picture in any known format.
    #[error(
        "{}: is not a picture in a known format; PNG, JPEG, BMP, TIFF, WebP, PNM and GIF are read. \
         Convert it, or take it away",
        path.display()
    )]
    NotAPicture {
        /// The file.
        path: PathBuf,
    },
    /// A damaged picture.
    #[error(
        "{}: the picture is damaged or cut short: {cause}; copy or export it again",
        path.display()
    )]
    BrokenPicture {
        /// The file.
        path: PathBuf,
        /// What the decoder said.
        cause: String,
    },
    /// A picture of a kind that is not read.
    #[error(
        "{}: {what} is not supported; convert it to 8 or 16 bit grey or RGB, with or without alpha \
         (more bands are taken by the library only)",
        path.display()
    )]
    UnsupportedPicture {
        /// The file.
        path: PathBuf,
        /// What it holds.
        what: String,
    },
    /// An encoder refused.
    #[error("{}: cannot be encoded: {cause}; try another format", path.display())]
    Encode {
        /// The file to be written.
        path: PathBuf,
        /// What the encoder said.
        cause: String,
    },
    /// A picture beyond the limits.
    #[error(
        "{}: a picture of {width_px} x {height_px} pixels is beyond the limit of {max_pixels} pixels \
         in all and {max_side_px} along a side; use a smaller picture, or raise the limit",
        path.display()
    )]
    PictureTooLarge {
        /// The file.
        path: PathBuf,
        /// Columns of pixels.
        width_px: u64,
        /// Rows of pixels.
        height_px: u64,
        /// The limit on their product.
        max_pixels: u64,
        /// The limit on each.
        max_side_px: u32,
    },
    /// A picture whose decoder gave up at the limit before it told the size.
    #[error(
        "{}: to decode this picture would take more than the limit of {max_bytes} bytes; use a smaller \
         picture, or raise the limit",
        path.display()
    )]
    DecoderLimit {
        /// The file.
        path: PathBuf,
        /// The limit, which follows from that on pixels.
        max_bytes: u64,
    },
    /// A file too large to be opened.
    #[error(
        "{}: the file has {bytes} bytes, more than the limit of {max_bytes}; \
         use a smaller one, or raise the limit",
        path.display()
    )]
    FileTooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
        /// The limit.
        max_bytes: u64,
    },
    /// More pieces than the limit.
    #[error(
        "{}: {pieces} pieces are more than the limit of {max_pieces}; \
         use larger pieces or a smaller picture, or raise the limit",
        path.display()
    )]
    TooManyPieces {
        /// The file or folder.
        path: PathBuf,
        /// Its pieces.
        pieces: u64,
        /// The limit.
        max_pieces: usize,
    },
    /// More pixels in all pieces together than the limit.
    #[error(
        "{}: {pieces} pieces of {pixels_per_piece} pixels each are more than the limit of {max_pixels} \
         pixels; use fewer or smaller pieces, or raise the limit",
        path.display()
    )]
    TooManyPixels {
        /// The file or folder.
        path: PathBuf,
        /// Its pieces.
        pieces: u64,
        /// Pixels of each.
        pixels_per_piece: u64,
        /// The limit.
        max_pixels: u64,
    },
    /// The memory of the machine does not suffice.
    #[error("{}: needs {bytes} bytes of memory, which are not to be had; use a smaller input or a larger machine", path.display())]
    OutOfMemory {
        /// The file or folder.
        path: PathBuf,
        /// What was asked for.
        bytes: u64,
    },
    /// Pieces that differ in size or channels.
    #[error(
        "{}: is {second_kind}, but {} is {first_kind}; all pieces of a puzzle must agree. \
         Take away or convert the odd ones",
        second.display(), first.display()
    )]
    UnequalPieces {
        /// The first piece.
        first: PathBuf,
        /// Its size and channels, in words.
        first_kind: String,
        /// The first piece that differs.
        second: PathBuf,
        /// Its size and channels, in words.
        second_kind: String,
    },
    /// Fewer pieces than make a puzzle.
    #[error("{}: holds {found} of the at least 2 pieces that a puzzle needs; {remedy}", path.display())]
    TooFewPieces {
        /// The file or folder.
        path: PathBuf,
        /// Pieces found.
        found: u64,
        /// What to do.
        remedy: &'static str,
    },
    /// A document that is not JSON.
    #[error(
        "{}: line {line}, column {column} is not JSON: {cause}; correct it or write the file again",
        path.display()
    )]
    JsonSyntax {
        /// The file.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What the parser said.
        cause: String,
    },
    /// A document of another kind or version.
    #[error(
        "{}: its \"format\" is {found}, but {expected:?} is needed; \
         name the right file, or one written by this version of fretsaw",
        path.display()
    )]
    WrongFormat {
        /// The file.
        path: PathBuf,
        /// Its format field, in words.
        found: String,
        /// What it should say.
        expected: &'static str,
    },
    /// A document with a value that cannot be, or that contradicts another.
    #[error("{}: {what}; {remedy}", path.display())]
    BadValue {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong, with the numbers of the pieces and cells.
        what: String,
        /// What to do.
        remedy: &'static str,
    },
}

impl IoError {
    /// Whether the user can mend it by changing the arguments alone: a path that does not exist, a
    /// missing piece size, an output that is taken or cannot hold the picture. Everything else is
    /// about the contents of files or the state of the machine.
    #[must_use]
    pub const fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::NoSuchInput { .. }
                | Self::NoSuchFolder { .. }
                | Self::IsAFolder { .. }
                | Self::WrongKind { .. }
                | Self::UnknownEnding { .. }
                | Self::FormatCannotHold { .. }
                | Self::ChannelCount { .. }
                | Self::PieceSizeMissing { .. }
                | Self::PieceSizeContradicts { .. }
                | Self::FolderNotEmpty { .. }
                | Self::NotACheckpoint { .. }
        )
    }

    /// A refusal to read; a missing file is told apart, being the user's to mend.
    pub(crate) fn read(path: impl Into<PathBuf>, cause: io::Error) -> Self {
        let path = path.into();
        if cause.kind() == io::ErrorKind::NotFound {
            Self::NoSuchInput { path }
        } else {
            Self::Read { path, cause }
        }
    }

    pub(crate) fn bad_value(
        path: impl Into<PathBuf>,
        what: impl Into<String>,
        remedy: &'static str,
    ) -> Self {
        Self::BadValue { path: path.into(), what: what.into(), remedy }
    }
}

fn size(shape: PieceShape) -> String {
    format!("{} x {}", shape.width_px(), shape.height_px())
}

/// Something odd about an input that does not stop it from being used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// A file among the pieces that is no picture.
    SkippedFile {
        /// The file.
        path: PathBuf,
    },
    /// A folder among the pieces.
    SkippedFolder {
        /// The folder.
        path: PathBuf,
    },
    /// A sheet that is no whole number of pieces wide and high.
    Cropped {
        /// The sheet.
        path: PathBuf,
        /// Columns of pixels left out at the right.
        right_px: u32,
        /// Rows of pixels left out at the bottom.
        bottom_px: u32,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SkippedFile { path } => {
                write!(f, "{}: is not a picture and was skipped", path.display())
            }
            Self::SkippedFolder { path } => {
                write!(f, "{}: is a folder and was skipped", path.display())
            }
            Self::Cropped { path, right_px, bottom_px } => write!(
                f,
                "{}: is no whole number of pieces; {right_px} px at the right and {bottom_px} px at \
                 the bottom were left out",
                path.display()
            ),
        }
    }
}
