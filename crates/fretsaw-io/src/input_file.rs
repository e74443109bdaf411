//! A file of an input: on disk, in an archive or in memory.

use crate::archive::Archive;
use crate::decode::{EncodedPicture, Header};
use crate::{IoError, JpegMarkers, Limits, Problem, Warning};
use fretsaw::puzzle::Samples;
use image::metadata::Orientation;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// File extensions of pictures. A file with one of them must be a picture, and is never skipped.
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

/// A picture whose header has been read.
pub(crate) struct PictureFile {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) header: Header,
    /// The orientation that the file notes, which is not applied.
    pub(crate) orientation: Orientation,
    /// The content of a file that is not on disk.
    bytes: Option<Vec<u8>>,
}

impl InputFile {
    pub(crate) fn on_disk(name: String, path: PathBuf) -> Self {
        Self { name, path, entry: None }
    }

    pub(crate) fn in_archive(name: String, archive: &Rc<Archive>, number: usize) -> Self {
        let path = archive.path().join(&archive.entries()[number].name);
        Self { name, path, entry: Some((Rc::clone(archive), number)) }
    }

    /// Reads the header; `None` if the content is not a picture of a known format. Unpacks a file in an archive, and
    /// keeps its content for [`PictureFile::append_samples`]. Warns if there are further pictures.
    pub(crate) fn open(
        &self,
        limits: &Limits,
        warnings: &mut Vec<Warning>,
    ) -> Result<Option<PictureFile>, IoError> {
        let Self { name, path, entry } = self;
        let bytes =
            entry.as_ref().map(|(archive, number)| archive.take_bytes(*number)).transpose()?;
        let encoded = EncodedPicture { path, bytes: bytes.as_deref() };
        let Some((header, orientation)) = encoded.header_and_orientation(limits)? else {
            return Ok(None);
        };
        if encoded.holds_several(limits) {
            let what = "holds several pictures, an animation or pages; the first was taken";
            warnings.push(Warning::used(path, what));
        }
        Ok(Some(PictureFile { name: name.clone(), path: path.clone(), header, orientation, bytes }))
    }

    /// Reads the header of a file that must be a picture.
    pub(crate) fn open_picture(
        &self,
        limits: &Limits,
        warnings: &mut Vec<Warning>,
    ) -> Result<PictureFile, IoError> {
        self.open(limits, warnings)?.ok_or_else(|| Problem::not_a_picture().at(&self.path))
    }

    pub(crate) fn has_picture_ending(&self) -> bool {
        has_ending(&self.name, &PICTURE_ENDINGS)
    }

    /// Whether it is silently left out of the pieces: hidden, or a JSON document.
    pub(crate) fn is_ignored(&self) -> bool {
        is_hidden(&self.name) || has_ending(&self.name, &["json"])
    }
}

impl PictureFile {
    /// What the markers say, if it is a JPEG file whose pixels have not been decoded yet.
    pub(crate) fn jpeg_markers(&self, limits: &Limits) -> Result<Option<JpegMarkers>, IoError> {
        EncodedPicture { path: &self.path, bytes: self.bytes.as_deref() }.jpeg_markers(limits)
    }

    /// Decodes the picture, appends its values to `samples`, and frees its encoded content.
    pub(crate) fn append_samples(
        &mut self,
        limits: &Limits,
        samples: &mut Samples,
    ) -> Result<(), IoError> {
        let bytes = self.bytes.take();
        let encoded = EncodedPicture { path: &self.path, bytes: bytes.as_deref() };
        encoded.append_samples(limits, &self.header, samples)
    }
}

pub(crate) fn is_hidden(name: &str) -> bool {
    name.starts_with('.')
}

fn has_ending(name: &str, endings: &[&str]) -> bool {
    Path::new(name)
        .extension()
        .and_then(OsStr::to_str)
        .is_some_and(|found| endings.iter().any(|ending| found.eq_ignore_ascii_case(ending)))
}
