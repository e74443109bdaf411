//! Describes an input without decoding its pieces.

use crate::decode::Header;
use crate::input_discovery::{Declared, Found, Listing, find, find_in_memory};
use crate::loose_pieces::{groups_by, open_pictures};
use crate::sheet_input::Sheet;
use crate::warning::skipped_in;
use crate::{InputOptions, IoError, PuzzleFile, Skipped, Warning};
use fretsaw::picture::{LayoutCandidate, Picture};
use serde::Serialize;
use std::path::Path;

/// The description of an input.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// The contents of `puzzle.json`, if there is one.
    pub declared: Option<PuzzleFile>,
    /// The pictures by size, channels and depth, the most frequent kind first. For a sheet the kind of
    /// the sheet itself.
    pub kinds: Vec<PieceKind>,
    /// The picture of a sheet.
    pub sheet: Option<Picture>,
    /// The layouts that a sheet without a puzzle file may have, the likeliest first.
    pub layouts: Vec<LayoutCandidate>,
    /// Warnings about the files.
    pub warnings: Vec<Warning>,
}

/// Pictures that agree in size, channels and depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PieceKind {
    /// Columns of pixels.
    #[serde(rename = "width")]
    pub width_px: u32,
    /// Rows of pixels.
    #[serde(rename = "height")]
    pub height_px: u32,
    /// Values a pixel, alpha included.
    pub channels: usize,
    /// Bits a value, 8 or 16.
    pub bits: u8,
    /// How many pictures are of this kind.
    pub count: usize,
    /// The name of the first of them.
    pub example: String,
}

impl Inspection {
    /// The files that are not part of the puzzle.
    pub fn skipped(&self) -> Vec<Skipped> {
        skipped_in(&self.warnings)
    }
}

/// Describes an input that [`read_inputs`](crate::read_inputs) would read. Pieces that do not agree are
/// listed and not refused.
///
/// # Errors
/// If a path does not exist, a file cannot be read or is damaged, or the input is beyond the limits.
pub fn inspect<P: AsRef<Path>>(paths: &[P], options: &InputOptions) -> Result<Inspection, IoError> {
    inspect_found(find(paths, &options.limits)?, options)
}

/// Describes files in memory that [`read_files`](crate::read_files) would read.
pub fn inspect_files(
    files: Vec<(String, Vec<u8>)>,
    options: &InputOptions,
) -> Result<Inspection, IoError> {
    inspect_found(find_in_memory(files, &options.limits)?, options)
}

fn inspect_found(found: Found, options: &InputOptions) -> Result<Inspection, IoError> {
    let limits = &options.limits;
    let (declared, listing) = match found {
        Found::Pieces(listing) => (None, listing),
        Found::DeclaredPieces(Declared { puzzle, .. }, listing) => (Some(puzzle), listing),
        Found::Sheet(file, warnings) => {
            let sheet = Sheet::read(&file, warnings, limits)?;
            let layouts = sheet.layouts(options);
            return Ok(of_sheet(&file.name, None, sheet, layouts));
        }
        Found::DeclaredSheet(Declared { puzzle, .. }, file, _) => {
            let sheet = Sheet::read(&file, Vec::new(), limits)?;
            return Ok(of_sheet(&file.name, Some(puzzle), sheet, Vec::new()));
        }
    };
    let Listing { files, mut warnings, .. } = listing;
    let files = open_pictures(files, &mut warnings, limits)?;
    let groups = groups_by(&files, |header| *header).into_iter();
    let kinds = groups.map(|(first, count)| kind_of(&first.header, count, &first.name)).collect();
    Ok(Inspection { declared, kinds, sheet: None, layouts: Vec::new(), warnings })
}

fn of_sheet(
    name: &str,
    declared: Option<PuzzleFile>,
    sheet: Sheet,
    layouts: Vec<LayoutCandidate>,
) -> Inspection {
    let kinds = vec![kind_of(&sheet.header, 1, name)];
    let Sheet { picture, warnings, .. } = sheet;
    Inspection { declared, kinds, sheet: Some(picture), layouts, warnings }
}

fn kind_of(header: &Header, count: usize, name: &str) -> PieceKind {
    PieceKind {
        width_px: header.width_px,
        height_px: header.height_px,
        channels: header.kind.channels,
        bits: header.kind.bits,
        count,
        example: name.into(),
    }
}
