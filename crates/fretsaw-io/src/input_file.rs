//! The files of an input, on disk or in an archive.

use crate::archive::Archive;
use crate::picture_file::{self, Header};
use crate::{IoError, Limits};
use fretsaw::puzzle::Samples;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Endings that promise a picture: such a file is never skipped as something else.
const PICTURE_ENDINGS: [&str; 13] =
    ["png", "jpg", "jpeg", "bmp", "tif", "tiff", "webp", "gif", "pbm", "pgm", "ppm", "pnm", "pam"];

/// A file that may be a piece or a sheet.
#[derive(Clone)]
pub(crate) struct InputFile {
    /// The name by which it is sorted and known.
    pub(crate) name: String,
    /// For messages; of a file in an archive the archive's path and the name in it.
    pub(crate) path: PathBuf,
    /// The archive it lies in and its number there; `None` if it lies on disk.
    entry: Option<(Rc<Archive>, usize)>,
}

impl InputFile {
    pub(crate) fn on_disk(name: String, path: PathBuf) -> Self {
        Self { name, path, entry: None }
    }

    pub(crate) fn in_archive(name: String, archive: &Rc<Archive>, number: usize) -> Self {
        let path = archive.path().join(&archive.entries()[number].name);
        Self { name, path, entry: Some((Rc::clone(archive), number)) }
    }

    /// What it says it is, or `None` if it is no known picture; and whether it holds more pictures
    /// than the first.
    pub(crate) fn header(&self, limits: &Limits) -> Result<Option<(Header, bool)>, IoError> {
        match &self.entry {
            None => Ok(picture_file::read_header(&self.path, limits)?
                .map(|header| (header, picture_file::holds_several(&self.path, limits)))),
            Some((archive, number)) => {
                let bytes = archive.bytes_of(*number)?;
                Ok(picture_file::header_of(&self.path, &bytes, limits)?
                    .map(|header| (header, picture_file::bytes_hold_several(&bytes, limits))))
            }
        }
    }

    /// Decodes it and appends its values to those at hand, as
    /// [`append_samples`](picture_file::append_samples) does.
    pub(crate) fn append_samples(
        &self,
        limits: &Limits,
        expected: &Header,
        samples: &mut Samples,
    ) -> Result<(), IoError> {
        match &self.entry {
            None => picture_file::append_samples(&self.path, limits, expected, samples),
            Some((archive, number)) => {
                let bytes = archive.bytes_of(*number)?;
                picture_file::append_samples_of(&self.path, &bytes, limits, expected, samples)
            }
        }
    }

    pub(crate) fn promises_picture(&self) -> bool {
        has_ending(Path::new(&self.name), &PICTURE_ENDINGS)
    }

    /// Whether it is none of the pieces' business: hidden, or a document of ours.
    pub(crate) fn is_ignored(&self) -> bool {
        is_hidden(&self.name) || has_ending(Path::new(&self.name), &["json"])
    }
}

pub(crate) fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension()
        .and_then(OsStr::to_str)
        .is_some_and(|found| endings.iter().any(|ending| found.eq_ignore_ascii_case(ending)))
}
