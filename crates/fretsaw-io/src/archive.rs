//! Files that are not on disk: the entries of a zip archive, or files given in memory.
//!
//! A small zip archive can claim anything. At most a given number of bytes is read to find its
//! directory; every name, and the sum of all sizes that it declares, are checked before anything is
//! unpacked; and unpacking an entry stops at its declared size. Entries are unpacked to memory, never
//! to disk, and each at most once.

use crate::{IoError, Limits, Problem};
use std::cell::{Cell, RefCell};
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

/// The first bytes of an archive; the second are those of an empty one.
const MAGICS: [&[u8; 4]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Bytes of the directory per entry, more than all but the longest names take.
const DIRECTORY_BYTES_PER_FILE: u64 = 512;

/// Bytes that may always be read to find the directory.
const MIN_DIRECTORY_BYTES: u64 = 1 << 20;

/// The largest ratio of unpacked to packed size of a large entry. Pictures come nowhere near.
const MAX_RATIO: u64 = 200;

/// An entry above this unpacked size is large.
const LARGE_BYTES: u64 = 16 << 20;

/// Files whose names and sizes have been checked.
pub(crate) struct Archive {
    path: PathBuf,
    content: RefCell<Content>,
    entries: Vec<Entry>,
    /// How many entries are hidden by a later one of the same name.
    pub(crate) num_hidden: u64,
}

enum Content {
    Zip(ZipArchive<Budgeted>),
    /// By entry.
    Memory(Vec<Vec<u8>>),
}

/// A file or a link in an archive.
pub(crate) struct Entry {
    /// Its path in the archive, with slashes.
    pub(crate) name: String,
    pub(crate) is_link: bool,
    /// Its number in the zip file's directory, or among the files in memory.
    index: usize,
    size: u64,
}

/// Whether the first bytes of a file are those of a zip archive.
pub(crate) fn is_archive_file(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && is_archive(&start)
}

pub(crate) fn is_archive(start: &[u8]) -> bool {
    MAGICS.iter().any(|magic| start.starts_with(*magic))
}

impl Archive {
    pub(crate) fn open(path: &Path, limits: &Limits) -> Result<Self, IoError> {
        let file = File::open(path).map_err(|cause| IoError::read(path, cause))?;
        Self::read(path, Box::new(BufReader::new(file)), limits)
    }

    /// Files given by name and content.
    pub(crate) fn in_memory(
        files: Vec<(String, Vec<u8>)>,
        limits: &Limits,
    ) -> Result<Self, IoError> {
        let path = PathBuf::new();
        let max_files = limits.max_files();
        if files.len() > max_files {
            return Err(Problem::too_many_files(max_files).at(path));
        }
        let (names, bytes): (Vec<_>, Vec<_>) = files.into_iter().unzip();
        let entry = |(index, name): (usize, String)| Entry {
            name: name.replace('\\', "/"),
            is_link: false,
            index,
            size: bytes[index].len() as u64,
        };
        let entries = names.into_iter().enumerate().map(entry).collect();
        Ok(Self { path, content: RefCell::new(Content::Memory(bytes)), entries, num_hidden: 0 })
    }

    /// A zip archive. The path is for messages.
    pub(crate) fn read(
        path: &Path,
        file: Box<dyn ReadSeek>,
        limits: &Limits,
    ) -> Result<Self, IoError> {
        let max_files = limits.max_files();
        let mut file = file;
        let num_declared =
            declared_entries(&mut file).map_err(|cause| IoError::read(path, cause))?;
        let left = Rc::new(Cell::new(
            (max_files as u64).saturating_mul(DIRECTORY_BYTES_PER_FILE) + MIN_DIRECTORY_BYTES,
        ));
        let zip = ZipArchive::new(Budgeted { file, left: Rc::clone(&left) })
            .map_err(|cause| zip_error(path, cause))?;
        left.set(u64::MAX);
        let mut entries = Vec::new();
        let mut total = 0_u64;
        let max_bytes = limits.max_decoder_bytes();
        for index in 0..zip.len() {
            let entry = zip.by_index_data(index).map_err(|cause| zip_error(path, cause))?;
            let name = entry.name().map_err(|cause| zip_error(path, cause))?.replace('\\', "/");
            if leads_outside(&name) {
                return Err(Problem::content(format!(
                    "holds a file named {name:?}, which would be unpacked outside the target \
                     folder; such an archive is not read. Make it again from the folder of pieces"
                ))
                .at(path));
            }
            if name.ends_with('/') {
                continue;
            }
            if entries.len() == max_files {
                return Err(Problem::too_many_files(max_files).at(path));
            }
            let size = entry.size();
            let too_large = |path: PathBuf, what: &str, bytes: u64, max_bytes: u64, note: &str| {
                Err(Problem::too_large(format!(
                    "{what} {bytes} bytes when unpacked, more than the limit of {max_bytes}{note}; \
                     make the archive of smaller files, or unpack it and name the folder"
                ))
                .at(path))
            };
            let max_by_ratio = entry.compressed_size().saturating_mul(MAX_RATIO);
            if size > LARGE_BYTES && size > max_by_ratio {
                let note = ", 200 times its size in the archive";
                return too_large(path.join(&name), "has", size, max_by_ratio, note);
            }
            total = total.saturating_add(size);
            if total > max_bytes {
                return too_large(path.into(), "its files have at least", total, max_bytes, "");
            }
            let method = entry.compression();
            if entry.encrypted()
                || !matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated)
            {
                let what = if entry.encrypted() {
                    "an encrypted file".into()
                } else {
                    format!("a file compressed by {method}")
                };
                return Err(unsupported(&what).at(path.join(&name)));
            }
            entries.push(Entry { is_link: entry.is_symlink(), name, index, size });
        }
        let num_hidden =
            num_declared.map_or(0, |declared| declared.saturating_sub(zip.len() as u64));
        Ok(Self {
            path: path.into(),
            content: RefCell::new(Content::Zip(zip)),
            entries,
            num_hidden,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The content of an entry, which is unpacked for this; a file in memory is handed over and no
    /// longer here. `number` is its place in [`entries`](Self::entries).
    pub(crate) fn take_bytes(&self, number: usize) -> Result<Vec<u8>, IoError> {
        let Entry { name, index, size, .. } = &self.entries[number];
        let path = self.path.join(name);
        let zip = &mut *self.content.borrow_mut();
        let zip = match zip {
            Content::Memory(files) => return Ok(std::mem::take(&mut files[*index])),
            Content::Zip(zip) => zip,
        };
        let file = zip.by_index(*index).map_err(|cause| zip_error(&path, cause))?;
        let mut bytes = Vec::new();
        // The declared size has passed the limits, but the entry may hold more. The checksum is
        // compared when the end is read.
        let read = file.take(size.saturating_add(1)).read_to_end(&mut bytes);
        // A fuzzer would not find the right checksum by chance.
        let is_forgiven = cfg!(fuzzing) && bytes.len() as u64 == *size;
        read.map(|_| ())
            .or_else(|cause| if is_forgiven { Ok(()) } else { Err(damaged(cause).at(&path)) })?;
        if bytes.len() as u64 == *size {
            return Ok(bytes);
        }
        Err(damaged("a file is not as long as it declares").at(path))
    }
}

/// The number of entries that the record at the end of a zip file declares. The reader keeps only the last of several
/// entries with the same name. `None` if there is no such record, or if it refers to a larger one.
fn declared_entries(file: &mut Box<dyn ReadSeek>) -> io::Result<Option<u64>> {
    /// The record without its comment, and the longest comment.
    const RECORD: u64 = 22;
    const LONGEST: u64 = RECORD + u16::MAX as u64;
    let length = file.seek(SeekFrom::End(0))?;
    let mut end = Vec::new();
    let mut record = None;
    // Few archives have a comment.
    for tried in [RECORD, LONGEST] {
        file.seek(SeekFrom::Start(length.saturating_sub(tried)))?;
        end.clear();
        file.by_ref().take(tried).read_to_end(&mut end)?;
        record = end.windows(4).rposition(|bytes| bytes == MAGICS[1]);
        if record.is_some() {
            break;
        }
    }
    file.rewind()?;
    let count = record.and_then(|at| end.get(at + 10..at + 12));
    let count = count.map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
    Ok(count.filter(|&count| count != u16::MAX).map(u64::from))
}

/// Whether a name leads out of the folder that an archive would be unpacked to.
fn leads_outside(name: &str) -> bool {
    let has_drive = matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    name.starts_with('/') || has_drive || name.split('/').any(|part| part == "..")
}

fn zip_error(path: &Path, cause: ZipError) -> IoError {
    match cause {
        ZipError::UnsupportedArchive(what) => unsupported(what).at(path),
        other => damaged(other).at(path),
    }
}

fn unsupported(what: &str) -> Problem {
    Problem::content(format!(
        "{what} is not supported; make the archive again with plain zip or deflate"
    ))
}

fn damaged(cause: impl Display) -> Problem {
    Problem::damaged("zip archive", cause)
}

/// A source that an archive can be read from.
pub(crate) trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// A reader that fails after a number of bytes.
struct Budgeted {
    file: Box<dyn ReadSeek>,
    left: Rc<Cell<u64>>,
}

impl Read for Budgeted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        if left == 0 && !buffer.is_empty() {
            return Err(io::Error::other("its directory is missing or too long"));
        }
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        let read = self.file.read(&mut buffer[..most])?;
        self.left.set(left - read as u64);
        Ok(read)
    }
}

impl Seek for Budgeted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_outside_the_archive_are_detected() {
        for name in ["../a.png", "a/../../b.png", "/etc/a.png", "C:/a.png", "..", "a/.."] {
            assert!(leads_outside(name), "{name}");
        }
        for name in ["a.png", "a/b.png", "..a/b..png", "a...png", "ab:c.png"] {
            assert!(!leads_outside(name), "{name}");
        }
    }
}
