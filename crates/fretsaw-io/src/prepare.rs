//! Pieces of an input, prepared for solving; and preparations as solutions record them.

use crate::{IoError, PiecesFingerprint, Problem, ProblemKind, PuzzleInput};
use fretsaw::picture::{PictureSize, drop_constant_alpha};
use fretsaw::preparation::{
    Done, Preparation, PreparationError, RawPieces, Trim, Window, find_preparation,
};
use fretsaw::puzzle::{PieceSet, PieceShape};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How to prepare the pieces of an input.
#[derive(Clone, Debug, PartialEq)]
pub enum Prepare {
    /// As is found to be best. The pieces of a scramble folder were cut by fretsaw; they are only trimmed if a number of
    /// pixels is given.
    Find(Trim),
    /// As it was done before, or not at all.
    Again(Option<Preparation>),
}

impl Default for Prepare {
    fn default() -> Self {
        Self::Find(Trim::Auto)
    }
}

/// Prepared pieces.
pub(crate) struct Prepared {
    pub(crate) pieces: PieceSet,
    /// Of the pieces as they were handed in.
    pub(crate) fingerprint: PiecesFingerprint,
    pub(crate) preparation: Option<Preparation>,
    /// The alpha of all pixels, if it is the same everywhere since the background was cut away, but not opaque.
    pub(crate) constant_alpha: Option<u16>,
}

impl Prepared {
    /// The input of these pieces. `constant_alpha` was dropped from them before they were prepared.
    pub(crate) fn into_input(self, constant_alpha: Option<u16>) -> PuzzleInput {
        PuzzleInput {
            preparation: self.preparation,
            constant_alpha: constant_alpha.or(self.constant_alpha),
            ..PuzzleInput::of(self.pieces.into(), self.fingerprint)
        }
    }
}

/// What is to be done to the pieces of a folder or sheet, if anything.
pub(crate) fn preparation_of(
    path: &Path,
    raw: &RawPieces,
    names: &[String],
    prepare: &Prepare,
    is_declared: bool,
) -> Result<Option<Preparation>, IoError> {
    let found = match prepare {
        Prepare::Again(given) => return Ok(given.clone()),
        Prepare::Find(Trim::Auto) if is_declared => return Ok(None),
        Prepare::Find(trim) => find_preparation(raw, *trim),
    };
    found.map_err(|error| match error {
        PreparationError::Sizes { .. } => {
            let name = |at: usize| names.get(at).map_or("", String::as_str);
            let sizes = raw.sizes().iter().enumerate().map(|(at, &size)| (size, name(at)));
            too_many_sizes_of_files(sizes).at(path)
        }
        other => Problem::usage(format!("{other}; trim less")).at(path),
    })
}

/// Pictures of these sizes and names are not of one puzzle.
pub(crate) fn too_many_sizes<'a>(
    pictures: impl Iterator<Item = (PictureSize, &'a str)>,
    kind: ProblemKind,
    remedy: &str,
) -> Problem {
    let (num_sizes, sizes) = sizes_in_words(pictures);
    let message = format!(
        "the pictures have {num_sizes} sizes: {sizes}; all pieces of a puzzle must have about the \
         same: {remedy}"
    );
    Problem::new(kind, message)
}

/// The same of files, which are skipped if another size is chosen.
pub(crate) fn too_many_sizes_of_files<'a>(
    pictures: impl Iterator<Item = (PictureSize, &'a str)>,
) -> Problem {
    let remedy = "give the piece size to use, which skips the others, or remove them";
    too_many_sizes(pictures, ProblemKind::PieceSizeNeeded, remedy)
}

/// The number of sizes, and the most frequent in words.
pub(crate) fn sizes_in_words<'a>(
    pictures: impl Iterator<Item = (PictureSize, &'a str)>,
) -> (usize, String) {
    const SHOWN: usize = 4;
    let mut groups: Vec<(PictureSize, &str, usize)> = Vec::new();
    for (size, name) in pictures {
        match groups.iter_mut().find(|group| group.0 == size) {
            Some(group) => group.2 += 1,
            None => groups.push((size, name, 1)),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.2));
    let in_words = |(size, name, count): &(PictureSize, &str, usize)| {
        format!("{count} of {} x {} (such as {name})", size.width_px, size.height_px)
    };
    let mut text = groups.iter().take(SHOWN).map(in_words).collect::<Vec<_>>().join(", ");
    if groups.len() > SHOWN {
        text += &format!(" and {} more sizes", groups.len() - SHOWN);
    }
    (groups.len(), text)
}

/// The pieces after what is to be done to them.
pub(crate) fn prepared(
    path: &Path,
    raw: RawPieces,
    names: &[String],
    prepare: &Prepare,
    is_declared: bool,
) -> Result<Prepared, IoError> {
    let fingerprint = PiecesFingerprint::of_raw(&raw);
    let preparation = preparation_of(path, &raw, names, prepare, is_declared)?;
    let Some(found) = &preparation else {
        let (first, num_pieces) = (raw.sizes()[0], raw.num_pieces());
        let pieces = raw.into_pieces().ok_or_else(|| {
            let text = format!(
                "the {num_pieces} pictures are not all {} x {} pixels",
                first.width_px, first.height_px
            );
            IoError::bad_value(path, text, "name the pictures that the solution was made of")
        })?;
        return Ok(Prepared { pieces, fingerprint, preparation, constant_alpha: None });
    };
    let pieces = found.apply(&raw).map_err(|error| {
        IoError::bad_value(path, error, "name the pictures that the solution was made of")
    })?;
    let (shape, channels) = (pieces.shape(), pieces.channels());
    let mut samples = pieces.into_samples();
    let (channels, constant_alpha) = drop_constant_alpha(&mut samples, channels);
    let pieces = PieceSet::new(shape, channels, samples)
        .map_err(|cause| IoError::bad_value(path, cause, "use other pieces"))?;
    Ok(Prepared { pieces, fingerprint, preparation, constant_alpha })
}

/// A preparation as written.
#[derive(Serialize, Deserialize)]
pub(crate) struct PreparationRecord {
    width: u32,
    height: u32,
    #[serde(default)]
    background: bool,
    #[serde(default)]
    sizes: bool,
    #[serde(default)]
    trimmed: u32,
    /// Left, top, width, height, degrees clockwise.
    windows: Vec<[f64; 5]>,
}

impl From<&Preparation> for PreparationRecord {
    fn from(preparation: &Preparation) -> Self {
        let Done { background, sizes, trimmed_px } = preparation.done();
        let record =
            |it: &Window| [it.left_px, it.top_px, it.width_px, it.height_px, it.tilt_degrees];
        Self {
            width: preparation.shape().width_px(),
            height: preparation.shape().height_px(),
            background,
            sizes,
            trimmed: trimmed_px,
            windows: preparation.windows().iter().map(record).collect(),
        }
    }
}

impl PreparationRecord {
    /// The preparation of a solution of so many pieces.
    pub(crate) fn checked(&self, path: &Path, num_pieces: usize) -> Result<Preparation, IoError> {
        let wrong = |text: String| {
            IoError::bad_value(path, text, "restore the file as 'fretsaw solve' wrote it")
        };
        if self.windows.len() != num_pieces {
            let found = self.windows.len();
            return Err(wrong(format!(
                "its preparation has {found} windows, but there are {num_pieces} pieces"
            )));
        }
        let shape = PieceShape::new(self.height, self.width)
            .map_err(|cause| wrong(format!("its preparation: {cause}")))?;
        let window = |&[left_px, top_px, width_px, height_px, tilt_degrees]: &[f64; 5]| Window {
            left_px,
            top_px,
            width_px,
            height_px,
            tilt_degrees,
        };
        let Self { background, sizes, trimmed, .. } = *self;
        let done = Done { background, sizes, trimmed_px: trimmed };
        Preparation::new(shape, self.windows.iter().map(window).collect(), done)
            .map_err(|cause| wrong(format!("its preparation: {cause}")))
    }
}
