//! What can go wrong with files, and what is merely odd.

use fretsaw::puzzle::PieceShape;
use serde::{Deserialize, Serialize};
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
    /// A sheet whose piece size is not given, and cannot be told from its seams.
    #[error(
        "{}: no piece size stands out in this picture of {width_px} x {height_px} pixels: it is no sheet \
         of shuffled pieces, or of too few; give the piece size (--piece), or name the scramble folder \
         that holds its puzzle.json",
        path.display()
    )]
    PieceSizeNotFound {
        /// The sheet.
        path: PathBuf,
        /// Columns of pixels.
        width_px: u32,
        /// Rows of pixels.
        height_px: u32,
    },
    /// Pieces of several sizes, and none is asked for.
    #[error(
        "{}: its pictures have {} sizes: {}; all pieces of a puzzle must agree. Choose one size with \
         --piece, which skips the others, or take them away",
        path.display(), groups.len(), describe(groups)
    )]
    SeveralSizes {
        /// The folder or archive.
        path: PathBuf,
        /// The sizes, the most frequent first.
        groups: Vec<SizeGroup>,
    },
    /// A piece size that no picture has.
    #[error(
        "{}: no picture in it is {} pixels, the piece size given, but {}; leave the piece size out, or \
         correct it",
        path.display(), size(*given), describe(groups)
    )]
    NoPieceOfSize {
        /// The folder or archive.
        path: PathBuf,
        /// The size asked for.
        given: PieceShape,
        /// The sizes there are, the most frequent first.
        groups: Vec<SizeGroup>,
    },
    /// Something that is an input of its own, among several.
    #[error(
        "{}: is {kind}, which is a puzzle of its own; name it alone, or name one picture a piece",
        path.display()
    )]
    NotAlone {
        /// The input.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
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
    /// More files than pieces may be.
    #[error(
        "{}: holds more than {max_files} files, the limit on pieces; take some away, or raise the limit",
        path.display()
    )]
    TooManyFiles {
        /// The folder or archive.
        path: PathBuf,
        /// The limit.
        max_files: usize,
    },
    /// An archive that cannot be read.
    #[error(
        "{}: the zip archive is damaged or cut short: {cause}; copy or make it again",
        path.display()
    )]
    BrokenArchive {
        /// The archive, with the name of the entry if it is one that is damaged.
        path: PathBuf,
        /// What is wrong.
        cause: String,
    },
    /// An archive with a name that leads out of it.
    #[error(
        "{}: holds a file named {name:?}, which would lie outside of it; such an archive is not read. \
         Make it again from the folder of pieces",
        path.display()
    )]
    ClimbingName {
        /// The archive.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// An archive whose contents are beyond the limits.
    #[error(
        "{}: {what} {bytes} bytes when unpacked, more than the limit of {max_bytes}{note}; make the \
         archive of smaller files, or unpack it and name the folder",
        path.display()
    )]
    ArchiveTooLarge {
        /// The archive, with the name of the entry if that alone is too large.
        path: PathBuf,
        /// What is too large, and that it has these bytes.
        what: &'static str,
        /// Its size as the archive tells it.
        bytes: u64,
        /// The limit.
        max_bytes: u64,
        /// What the limit follows from, if it is not obvious.
        note: &'static str,
    },
    /// An archive entry stored in a way that is not read.
    #[error(
        "{}: {what} cannot be read; make the archive again with plain zip or deflate",
        path.display()
    )]
    UnsupportedArchive {
        /// The archive, with the name of the entry.
        path: PathBuf,
        /// What it holds.
        what: String,
    },
    /// The memory of the machine does not suffice.
    #[error("{}: needs {bytes} bytes of memory, which are not to be had; use a smaller input or a larger machine", path.display())]
    OutOfMemory {
        /// The file or folder.
        path: PathBuf,
        /// What was asked for.
        bytes: u64,
    },
    /// Pieces that differ in channels or depth, or in size from what `puzzle.json` says.
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
                | Self::PieceSizeNotFound { .. }
                | Self::SeveralSizes { .. }
                | Self::NoPieceOfSize { .. }
                | Self::NotAlone { .. }
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

fn describe(groups: &[SizeGroup]) -> String {
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
    /// A picture of another size than the one asked for.
    SkippedSize {
        /// The file.
        path: PathBuf,
        /// Columns of pixels.
        width_px: u32,
        /// Rows of pixels.
        height_px: u32,
    },
    /// A file that was named before.
    SkippedAgain {
        /// The file.
        path: PathBuf,
    },
    /// A link in an archive.
    SkippedLink {
        /// The archive and the link's name.
        path: PathBuf,
    },
    /// A file of several pictures, an animation or pages, of which the first was taken.
    FirstOfSeveral {
        /// The file.
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
    /// A sheet whose last row is not full.
    EmptyCells {
        /// The sheet.
        path: PathBuf,
        /// Cells without a piece.
        count: u32,
    },
}

impl Warning {
    /// What was left out and why, if this is about a file or folder that is not part of the puzzle.
    #[must_use]
    pub fn skipped(&self) -> Option<Skipped> {
        let (path, reason) = match self {
            Self::SkippedFile { path } => (path, "is not a picture".into()),
            Self::SkippedFolder { path } => (path, "is a folder".into()),
            Self::SkippedSize { path, width_px, height_px } => {
                (path, format!("is {width_px} x {height_px} pixels, not the piece size given"))
            }
            Self::SkippedAgain { path } => (path, "is named more than once".into()),
            Self::SkippedLink { path } => (path, "is a link".into()),
            Self::FirstOfSeveral { .. } | Self::Cropped { .. } | Self::EmptyCells { .. } => {
                return None;
            }
        };
        Some(Skipped { name: path.display().to_string(), reason })
    }
}

/// A file or folder of the input that is not part of the puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Its path, as far as it was given.
    pub name: String,
    /// Why, to follow the name.
    pub reason: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FirstOfSeveral { path } => write!(
                f,
                "{}: holds several pictures, an animation or pages; the first was taken",
                path.display()
            ),
            Self::Cropped { path, right_px, bottom_px } => write!(
                f,
                "{}: is no whole number of pieces; {right_px} px at the right and {bottom_px} px at \
                 the bottom were left out",
                path.display()
            ),
            Self::EmptyCells { path, count } => write!(
                f,
                "{}: {count} cells at the end of the last row have one colour, which no other has; they \
                 were taken for empty",
                path.display()
            ),
            Self::SkippedFile { .. }
            | Self::SkippedFolder { .. }
            | Self::SkippedSize { .. }
            | Self::SkippedAgain { .. }
            | Self::SkippedLink { .. } => {
                let Skipped { name, reason } = self.skipped().unwrap_or_default();
                write!(f, "{name}: {reason} and was skipped")
            }
        }
    }
}
