//! Zip archives: entries are read in memory, one at a time, and never written to disk.
//!
//! An archive is a small file that can claim anything. Its directory is read within a budget, every
//! name is checked, and the sizes it declares are held against the limits before anything is unpacked;
//! then no entry yields more than it declared.

use crate::{IoError, Limits};
use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

/// What a file begins with if it is an archive; the second is an empty one.
const MAGICS: [&[u8; 4]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Bytes of the directory for an entry, more than all but the longest names take.
const DIRECTORY_BYTES_PER_FILE: u64 = 512;

/// Bytes that may be read to find the directory, whatever the limit on files.
const MIN_DIRECTORY_BYTES: u64 = 1 << 20;

/// How many times its packed size a large entry may unpack to. Pictures come nowhere near.
const MAX_RATIO: u64 = 200;

/// From this size on an entry is large.
const LARGE_BYTES: u64 = 16 << 20;

/// An open archive whose names and sizes have been checked.
pub(crate) struct Archive {
    path: PathBuf,
    zip: RefCell<ZipArchive<Budgeted>>,
    entries: Vec<Entry>,
}

/// A file or a link in an archive.
pub(crate) struct Entry {
    /// Where it lies in the archive, with slashes.
    pub(crate) name: String,
    pub(crate) is_link: bool,
    index: usize,
    size: u64,
}

/// Whether a file is a zip archive by what it begins with.
pub(crate) fn is_archive(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && MAGICS.contains(&&start)
}

impl Archive {
    pub(crate) fn open(path: &Path, limits: &Limits) -> Result<Self, IoError> {
        let file = File::open(path).map_err(|cause| IoError::read(path, cause))?;
        Self::read(path, Box::new(BufReader::new(file)), limits)
    }

    /// The path is for messages.
    pub(crate) fn read(
        path: &Path,
        file: Box<dyn ReadSeek>,
        limits: &Limits,
    ) -> Result<Self, IoError> {
        let max_files = limits.max_pieces.min(fretsaw::puzzle::MAX_PIECES);
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
            if climbs_out(&name) {
                return Err(IoError::ClimbingName { path: path.into(), name });
            }
            if name.ends_with('/') {
                continue;
            }
            if entries.len() == max_files {
                return Err(IoError::TooManyFiles { path: path.into(), max_files });
            }
            let size = entry.size();
            let too_large = |path: PathBuf, what, bytes, max_bytes, note| {
                Err(IoError::ArchiveTooLarge { path, what, bytes, max_bytes, note })
            };
            let max_by_ratio = entry.compressed_size().saturating_mul(MAX_RATIO);
            if size > LARGE_BYTES && size > max_by_ratio {
                let note = ", 200 times what it takes in the archive";
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
                return Err(IoError::UnsupportedArchive { path: path.join(&name), what });
            }
            entries.push(Entry { is_link: entry.is_symlink(), name, index, size });
        }
        Ok(Self { path: path.into(), zip: RefCell::new(zip), entries })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// What an entry holds; the number is its place in [`entries`](Self::entries).
    pub(crate) fn bytes_of(&self, number: usize) -> Result<Vec<u8>, IoError> {
        let Entry { name, index, size, .. } = &self.entries[number];
        let path = self.path.join(name);
        let mut zip = self.zip.borrow_mut();
        let file = zip.by_index(*index).map_err(|cause| zip_error(&path, cause))?;
        let mut bytes = Vec::new();
        // What it declares has passed the limits; what it holds may be more. The checksum is
        // compared when the end is read.
        file.take(size.saturating_add(1)).read_to_end(&mut bytes).map_err(|cause| {
            IoError::BrokenArchive { path: path.clone(), cause: cause.to_string() }
        })?;
        if bytes.len() as u64 == *size {
            return Ok(bytes);
        }
        Err(IoError::BrokenArchive { path, cause: "a file is not as long as it declares".into() })
    }
}

/// Whether a name leads out of the folder that an archive would be unpacked to.
fn climbs_out(name: &str) -> bool {
    let has_drive = matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    name.starts_with('/') || has_drive || name.split('/').any(|part| part == "..")
}

fn zip_error(path: &Path, cause: ZipError) -> IoError {
    match cause {
        ZipError::UnsupportedArchive(what) => {
            IoError::UnsupportedArchive { path: path.into(), what: what.to_string() }
        }
        other => IoError::BrokenArchive { path: path.into(), cause: other.to_string() },
    }
}

/// What an archive can be read from.
pub(crate) trait ReadSeek: Read + Seek {}

impl<T: Read + Seek> ReadSeek for T {}

/// Reads until a budget is spent.
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
    fn names_that_climb_out_are_told() {
        for name in ["../a.png", "a/../../b.png", "/etc/a.png", "C:/a.png", "..", "a/.."] {
            assert!(climbs_out(name), "{name}");
        }
        for name in ["a.png", "a/b.png", "..a/b..png", "a...png", "ab:c.png"] {
            assert!(!climbs_out(name), "{name}");
        }
    }
}
