//! Puzzles of loose pieces: one picture file per piece.

use crate::decode::{Header, empty_samples};
use crate::input::{PuzzleInput, check_declared};
use crate::input_discovery::{Listing, NOT_A_PICTURE};
use crate::input_file::{InputFile, PictureFile};
use crate::picture_format::PixelKind;
use crate::prepare::{prepared, sizes_in_words, too_many_sizes_of_files};
use crate::scramble_folder::PUZZLE_NAME;
use crate::{InputOptions, IoError, Limits, Problem, PuzzleFile, Warning};
use fretsaw::picture::{PictureSize, drop_constant_alpha};
use fretsaw::preparation::RawPieces;
use fretsaw::puzzle::PieceShape;
use std::path::{Path, PathBuf};

/// Reads all headers, so that bad inputs are refused before memory is allocated. Adds to the warnings
/// of the listing.
pub(crate) fn open_pictures(
    files: Vec<InputFile>,
    warnings: &mut Vec<Warning>,
    limits: &Limits,
) -> Result<Vec<PictureFile>, IoError> {
    let mut pictures = Vec::new();
    for file in files {
        match file.open(limits, warnings)? {
            Some(picture) => pictures.push(picture),
            None if file.has_picture_ending() => {
                return Err(Problem::not_a_picture().at(file.path));
            }
            None => warnings.push(Warning::skipped(file.path, NOT_A_PICTURE)),
        }
    }
    Ok(pictures)
}

/// The pictures in groups of the same key, the largest first; of equal ones the first found. Each is
/// given by its first picture and its size.
pub(crate) fn groups_by<K: PartialEq>(
    pictures: &[PictureFile],
    key: impl Fn(&Header) -> K,
) -> Vec<(&PictureFile, usize)> {
    let mut groups: Vec<(&PictureFile, usize)> = Vec::new();
    for picture in pictures {
        let is_same =
            |(first, _): &&mut (&PictureFile, usize)| key(&first.header) == key(&picture.header);
        match groups.iter_mut().find(is_same) {
            Some((_, count)) => *count += 1,
            None => groups.push((picture, 1)),
        }
    }
    groups.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    groups
}

/// The sizes and names of pictures.
fn sizes_of(pictures: &[PictureFile]) -> impl Iterator<Item = (PictureSize, &str)> {
    pictures.iter().map(|file| {
        let (width_px, height_px) = file.header.size();
        let size = PictureSize { height_px: height_px as usize, width_px: width_px as usize };
        (size, &*file.name)
    })
}

/// Skips pictures of another size than the one given.
fn choose_size(
    path: &Path,
    given: PieceShape,
    pictures: &mut Vec<PictureFile>,
    warnings: &mut Vec<Warning>,
) -> Result<(), IoError> {
    let is_given = |file: &PictureFile| file.header.size() == (given.width_px(), given.height_px());
    if !pictures.is_empty() && !pictures.iter().any(is_given) {
        return Err(
            Problem::other_piece_size(given, &sizes_in_words(sizes_of(pictures)).1).at(path)
        );
    }
    for other in pictures.extract_if(.., |file| !is_given(file)) {
        let (width_px, height_px) = other.header.size();
        let reason = format!("is {width_px} x {height_px} pixels, not the piece size given");
        warnings.push(Warning::skipped(other.path, reason));
    }
    Ok(())
}

/// Pictures whose sizes differ by more than this factor are not pieces of one puzzle, however they were cropped.
const MOST_SIZE_RATIO: usize = 2;

/// The pictures of an input before they are prepared.
pub(crate) struct RawInput {
    pub(crate) raw: RawPieces,
    path: PathBuf,
    constant_alpha: Option<u16>,
    kind: PixelKind,
    pub(crate) names: Vec<String>,
    warnings: Vec<Warning>,
}

/// Warns if some pieces note another orientation than the first: a program may have turned them when it showed them.
fn warn_of_orientations(pieces: &[PictureFile], warnings: &mut Vec<Warning>) {
    let Some(first) = pieces.first() else { return };
    let others: Vec<&PictureFile> =
        pieces.iter().filter(|piece| piece.orientation != first.orientation).collect();
    if let Some(other) = others.first() {
        let what = format!(
            "notes another orientation (EXIF) than {}, and so do {} of {} pieces; such notes are ignored, so that \
             these pieces may be turned against the others",
            first.name,
            others.len(),
            pieces.len()
        );
        warnings.push(Warning::used(&other.path, what));
    }
}

/// Reads the pieces, which must agree with `declared` if there is a puzzle file, and prepares them.
pub(crate) fn read_pieces(
    listing: Listing,
    declared: Option<PuzzleFile>,
    options: &InputOptions,
) -> Result<PuzzleInput, IoError> {
    let found = read_raw(listing, declared.as_ref(), options)?;
    let RawInput { raw, path, constant_alpha, kind, names, warnings } = found;
    if let Some(shape) = raw.shape() {
        check_declared(&path, declared.as_ref(), shape, raw.channels(), kind)?;
    }
    let found = prepared(&path, raw, &names, &options.prepare, declared.is_some())?;
    Ok(PuzzleInput { names, declared, warnings, ..found.into_input(constant_alpha) })
}

/// Reads the pictures of the pieces as they are.
pub(crate) fn read_raw(
    listing: Listing,
    declared: Option<&PuzzleFile>,
    options: &InputOptions,
) -> Result<RawInput, IoError> {
    let limits = &options.limits;
    let Listing { path, files, mut warnings } = listing;
    let mut files = open_pictures(files, &mut warnings, limits)?;
    if declared.is_none() {
        if let Some(given) = options.piece {
            choose_size(&path, given, &mut files, &mut warnings)?;
        }
        if !are_comparable(|| sizes_of(&files).map(|(size, _)| size)) {
            return Err(too_many_sizes_of_files(sizes_of(&files)).at(path));
        }
    }
    let first = files.first();
    let differs = |one: &Header, other: &Header| {
        one.kind != other.kind || (declared.is_some() && one.size() != other.size())
    };
    let odd =
        first.and_then(|first| files.iter().find(|next| differs(&next.header, &first.header)));
    if let (Some(first), Some(odd)) = (first, odd) {
        return Err(Problem::content(format!(
            "is {}, but {} is {}; all pieces of a puzzle must agree. Remove or convert the others",
            odd.header.describe(),
            first.path.display(),
            first.header.describe()
        ))
        .at(&odd.path));
    }
    warn_of_orientations(&files, &mut warnings);
    let found = files.len();
    if let Some(puzzle) = declared.filter(|puzzle| puzzle.num_pieces != found) {
        return Err(IoError::bad_value(
            path,
            format!("holds {found} pieces, but {PUZZLE_NAME} says {}", puzzle.num_pieces),
            "restore the missing files or remove the surplus ones",
        ));
    }
    let Some(kind) = first.filter(|_| found >= 2).map(|first| first.header.kind) else {
        let remedy = "name a folder of piece images, a scramble folder, or a sheet file itself";
        return Err(Problem::too_few_pieces(found as u64, remedy).at(path));
    };
    let num_pixels = |file: &PictureFile| {
        let (width_px, height_px) = file.header.size();
        u64::from(width_px) * u64::from(height_px)
    };
    let most_pixels = files.iter().map(num_pixels).max().unwrap_or(0);
    limits.check_pieces(found as u64, most_pixels).map_err(|problem| problem.at(&path))?;
    let num_samples = files.iter().map(|file| file.header.num_samples()).sum();
    let mut samples = empty_samples(&path, kind.bits, num_samples)?;
    for file in &mut files {
        file.append_samples(limits, &mut samples)?;
    }
    let sizes = sizes_of(&files).map(|(size, _)| size).collect();
    let names = files.into_iter().map(|file| file.name).collect();
    let (channels, constant_alpha) = drop_constant_alpha(&mut samples, kind.channels);
    let raw = RawPieces::new(sizes, channels, samples)
        .map_err(|cause| IoError::bad_value(&path, cause, "use other pieces"))?;
    Ok(RawInput { raw, path, constant_alpha, kind, names, warnings })
}

/// Whether the longest of all sides is not much longer than the shortest, or all sizes are the same.
pub(crate) fn are_comparable<I: Iterator<Item = PictureSize>>(sizes: impl Fn() -> I) -> bool {
    let first = sizes().next();
    let is_close = |lengths: &mut dyn Iterator<Item = usize>| {
        let (least, most) =
            lengths.fold((usize::MAX, 0), |(least, most), px| (px.min(least), px.max(most)));
        most / MOST_SIZE_RATIO <= least
    };
    sizes().all(|size| Some(size) == first)
        || (is_close(&mut sizes().map(|size| size.width_px))
            && is_close(&mut sizes().map(|size| size.height_px)))
}
