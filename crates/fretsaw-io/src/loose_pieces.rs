//! Puzzles of loose pieces: one picture file per piece.

use crate::decode::{Header, empty_samples};
use crate::input::{PuzzleInput, check_declared};
use crate::input_discovery::{Listing, NOT_A_PICTURE};
use crate::input_file::{InputFile, PictureFile};
use crate::scramble_folder::PUZZLE_NAME;
use crate::{InputOptions, IoError, Limits, Problem, ProblemKind, PuzzleFile, Warning};
use fretsaw::picture::{ColourBleeding, drop_constant_alpha};
use fretsaw::puzzle::{PieceSet, PieceShape};
use std::path::Path;

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

/// The number of sizes, and the first few in words.
fn sizes(pictures: &[PictureFile]) -> (usize, String) {
    const SHOWN: usize = 4;
    let groups = groups_by(pictures, Header::size);
    let group = |(first, count): &(&PictureFile, usize)| {
        let (width_px, height_px) = first.header.size();
        format!("{count} of {width_px} x {height_px} (such as {})", first.name)
    };
    let mut text = groups.iter().take(SHOWN).map(group).collect::<Vec<_>>().join(", ");
    if groups.len() > SHOWN {
        text += &format!(" and {} more sizes", groups.len() - SHOWN);
    }
    (groups.len(), text)
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
        return Err(Problem::other_piece_size(given, &sizes(pictures).1).at(path));
    }
    for other in pictures.extract_if(.., |file| !is_given(file)) {
        let (width_px, height_px) = other.header.size();
        let reason = format!("is {width_px} x {height_px} pixels, not the piece size given");
        warnings.push(Warning::skipped(other.path, reason));
    }
    Ok(())
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

/// Reads the pieces, which must agree with `declared` if there is a puzzle file.
pub(crate) fn read_pieces(
    listing: Listing,
    declared: Option<PuzzleFile>,
    options: &InputOptions,
) -> Result<PuzzleInput, IoError> {
    let limits = &options.limits;
    let Listing { path, files, mut warnings } = listing;
    let mut files = open_pictures(files, &mut warnings, limits)?;
    if declared.is_none() {
        if let Some(given) = options.piece {
            choose_size(&path, given, &mut files, &mut warnings)?;
        }
        let (num_sizes, sizes) = sizes(&files);
        if num_sizes > 1 {
            let message = format!(
                "its pictures have {num_sizes} sizes: {sizes}; all pieces of a puzzle must have the \
                 same. Give the piece size to use, which skips the others, or remove them"
            );
            return Err(Problem::new(ProblemKind::PieceSizeNeeded, message).at(path));
        }
    }
    let first = files.first();
    let odd = first.and_then(|first| files.iter().find(|next| next.header != first.header));
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
    if let Some(puzzle) = declared.as_ref().filter(|puzzle| puzzle.num_pieces != found) {
        return Err(IoError::bad_value(
            path,
            format!("holds {found} pieces, but {PUZZLE_NAME} says {}", puzzle.num_pieces),
            "restore the missing files or remove the surplus ones",
        ));
    }
    let Some(header) = first.filter(|_| found >= 2).map(|first| first.header) else {
        let remedy = "name a folder of piece images, a scramble folder, or a sheet file itself";
        return Err(Problem::too_few_pieces(found as u64, remedy).at(path));
    };
    let shape = PieceShape::new(header.height_px, header.width_px)
        .map_err(|cause| Problem::damaged("picture", cause).at(&path))?;
    limits
        .check_pieces(found as u64, shape.num_pixels() as u64)
        .map_err(|problem| problem.at(&path))?;
    let mut samples = empty_samples(&path, header.kind.bits, found * header.num_samples())?;
    for file in &mut files {
        file.append_samples(limits, &mut samples)?;
    }
    let names = files.into_iter().map(|file| file.name).collect();
    let (channels, constant_alpha) = drop_constant_alpha(&mut samples, header.kind.channels);
    let pieces = PieceSet::new(shape, channels, samples)
        .map_err(|cause| IoError::bad_value(&path, cause, "use other pieces"))?;
    check_declared(&path, declared.as_ref(), &pieces, header.kind)?;
    Ok(PuzzleInput {
        pieces: pieces.into(),
        constant_alpha,
        names,
        declared,
        sheet: None,
        colour_bleeding: ColourBleeding::default(),
        warnings,
    })
}
