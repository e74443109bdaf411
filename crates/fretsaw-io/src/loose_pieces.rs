//! Puzzles of loose pieces: one picture file per piece.

use crate::error::describe_sizes;
use crate::input::{PuzzleInput, check_declared};
use crate::input_discovery::Listing;
use crate::input_file::PictureFile;
use crate::scramble_folder::PUZZLE_NAME;
use crate::{
    InputOptions, IoError, Limits, Problem, PuzzleFile, SizeGroup, SkipReason, Warning, decode,
};
use fretsaw::picture::drop_constant_alpha;
use fretsaw::puzzle::{PieceSet, PieceShape};
use std::path::Path;

/// Loose pictures whose headers have been read.
pub(crate) struct Pictures {
    pub(crate) files: Vec<PictureFile>,
    pub(crate) warnings: Vec<Warning>,
}

impl Pictures {
    /// Reads all headers, so that bad inputs are refused before memory is allocated.
    pub(crate) fn open(listing: Listing, limits: &Limits) -> Result<Self, IoError> {
        let Listing { files, mut warnings, .. } = listing;
        let mut pictures = Vec::new();
        for file in files {
            match file.open(limits, &mut warnings)? {
                Some(picture) => pictures.push(picture),
                None if file.has_picture_ending() => {
                    return Err(Problem::NotAPicture.at(file.path));
                }
                None => warnings
                    .push(Warning::Skipped { path: file.path, reason: SkipReason::NotAPicture }),
            }
        }
        Ok(Self { files: pictures, warnings })
    }

    /// The sizes, the most frequent first; of equally frequent ones the first found.
    fn sizes(&self) -> Vec<SizeGroup> {
        let mut groups: Vec<SizeGroup> = Vec::new();
        for PictureFile { name, header, .. } in &self.files {
            let (width_px, height_px) = (header.width_px, header.height_px);
            let is_same =
                |group: &&mut SizeGroup| (group.width_px, group.height_px) == (width_px, height_px);
            match groups.iter_mut().find(is_same) {
                Some(group) => group.count += 1,
                None => {
                    let example = name.clone();
                    groups.push(SizeGroup { width_px, height_px, count: 1, example });
                }
            }
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.count));
        groups
    }

    /// Skips pictures of another size than the one given.
    fn choose_size(&mut self, path: &Path, given: PieceShape) -> Result<(), IoError> {
        let is_given = |file: &PictureFile| {
            (file.header.width_px, file.header.height_px) == (given.width_px(), given.height_px())
        };
        if !self.files.is_empty() && !self.files.iter().any(is_given) {
            let found = describe_sizes(&self.sizes());
            return Err(Problem::PieceSizeContradicts { given, found }.at(path));
        }
        self.files.retain(|file| {
            if !is_given(file) {
                let (width_px, height_px) = (file.header.width_px, file.header.height_px);
                let reason = SkipReason::OtherSize { width_px, height_px };
                self.warnings.push(Warning::Skipped { path: file.path.clone(), reason });
            }
            is_given(file)
        });
        Ok(())
    }
}

/// Reads the pieces, which must agree with `declared` if there is a puzzle file.
pub(crate) fn read_pieces(
    listing: Listing,
    declared: Option<PuzzleFile>,
    options: &InputOptions,
) -> Result<PuzzleInput, IoError> {
    let limits = &options.limits;
    let path = listing.path.clone();
    let mut pictures = Pictures::open(listing, limits)?;
    if declared.is_none() {
        if let Some(given) = options.piece {
            pictures.choose_size(&path, given)?;
        }
        let groups = pictures.sizes();
        if groups.len() > 1 {
            return Err(Problem::SeveralSizes { groups }.at(path));
        }
    }
    let Pictures { mut files, warnings } = pictures;
    let first = files.first();
    let odd = first.and_then(|first| files.iter().find(|next| next.header != first.header));
    if let (Some(first), Some(odd)) = (first, odd) {
        return Err(Problem::UnequalPieces {
            kind: odd.header.describe(),
            first: first.path.clone(),
            first_kind: first.header.describe(),
        }
        .at(&odd.path));
    }
    let found = files.len();
    if let Some(puzzle) = declared.as_ref().filter(|puzzle| puzzle.num_pieces != found) {
        return Err(IoError::bad_value(
            path,
            format!("holds {found} pieces, but {PUZZLE_NAME} says {}", puzzle.num_pieces),
            "restore the missing files or remove the surplus ones",
        ));
    }
    let Some(header) = first.filter(|_| found >= 2).map(|first| first.header) else {
        return Err(Problem::TooFewPieces {
            found: found as u64,
            remedy: "name a folder of piece images, a scramble folder, or a sheet file itself",
        }
        .at(path));
    };
    let shape = PieceShape::new(header.height_px, header.width_px)
        .map_err(|cause| Problem::damaged_picture(cause).at(&path))?;
    limits
        .check_pieces(found as u64, shape.num_pixels() as u64)
        .map_err(|problem| problem.at(&path))?;
    let mut samples = decode::empty_samples(&path, header.kind.bits, found * header.num_samples())?;
    for file in &mut files {
        file.append_samples(limits, &mut samples)?;
    }
    let names = files.into_iter().map(|file| file.name).collect();
    let (channels, constant_alpha) = drop_constant_alpha(&mut samples, header.kind.channels);
    let pieces = PieceSet::new(shape, channels, samples)
        .map_err(|cause| IoError::bad_value(&path, cause.to_string(), "use other pieces"))?;
    check_declared(&path, declared.as_ref(), &pieces, header.kind)?;
    Ok(PuzzleInput {
        pieces: pieces.into(),
        constant_alpha,
        names,
        declared,
        sheet: None,
        warnings,
    })
}
