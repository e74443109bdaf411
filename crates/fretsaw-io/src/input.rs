//! Puzzles to solve, from a scramble folder, loose piece images or one sheet; on disk, in an archive or
//! in memory.
//!
//! This module never opens a truth file, and does not know its name.

use crate::archive::Archive;
use crate::input_discovery::{Declared, Found, find, find_in_archive, find_in_memory};
use crate::loose_pieces::{read_pieces, read_raw};
use crate::picture_format::PixelKind;
use crate::prepare::preparation_of;
use crate::scramble_folder::PUZZLE_NAME;
use crate::sheet_input::{read_declared_sheet, read_sheet};
use crate::warning::skipped_in;
use crate::{IoError, Limits, PiecesFingerprint, Prepare, Problem, PuzzleFile, Skipped, Warning};
use fretsaw::picture::{ColourBleeding, Picture, SheetLayout};
use fretsaw::preparation::{Preparation, RawPieces, contact_sheet};
use fretsaw::puzzle::{Grid, PieceSet, PieceShape};
use std::io::{Read, Seek};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

/// How to read a puzzle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InputOptions {
    /// The size of the pieces. Of loose pieces of several sizes it chooses one. For a sheet without a
    /// puzzle file it is found if `None`. Otherwise it is only checked.
    pub piece: Option<PieceShape>,
    /// The columns of the puzzle, which often are those of the sheet, too. They help to find the piece
    /// size of a sheet.
    pub columns: Option<u32>,
    /// The rows of the puzzle, likewise.
    pub rows: Option<u32>,
    /// Pixels between the pieces of a sheet without a puzzle file; found if `None`.
    pub gap_px: Option<u32>,
    /// Pixels around the pieces of a sheet without a puzzle file; found if `None`.
    pub border_px: Option<u32>,
    /// How to prepare the pieces: cut off background and dirt, bring them to one size.
    pub prepare: Prepare,
    /// How large the input may be.
    pub limits: Limits,
}

/// A puzzle to solve.
#[derive(Clone, Debug, PartialEq)]
pub struct PuzzleInput {
    /// The pieces. They have an alpha channel only if it varies.
    pub pieces: Arc<PieceSet>,
    /// By which a solution knows the pieces as they were handed in, before their preparation.
    pub fingerprint: PiecesFingerprint,
    /// The file names of the pieces, in order; empty if they come from a sheet.
    pub names: Vec<String>,
    /// The alpha of every pixel, in the units of the pieces' values, if it is the same in all
    /// pieces but not opaque. [`write_picture`](crate::write_picture) can restore it.
    pub constant_alpha: Option<u16>,
    /// The contents of `puzzle.json`, if there is one.
    pub declared: Option<PuzzleFile>,
    /// Where the pieces lay on their sheet, if they come from one.
    pub sheet: Option<SheetLayout>,
    /// Between which pieces of a sheet compression mixed colours.
    pub colour_bleeding: ColourBleeding,
    /// What was done to the pictures of the pieces, if anything.
    pub preparation: Option<Preparation>,
    /// Warnings about the files.
    pub warnings: Vec<Warning>,
}

impl PuzzleInput {
    /// Nothing but pieces.
    pub(crate) fn of(pieces: Arc<PieceSet>, fingerprint: PiecesFingerprint) -> Self {
        Self {
            pieces,
            fingerprint,
            names: Vec::new(),
            constant_alpha: None,
            declared: None,
            sheet: None,
            colour_bleeding: ColourBleeding::default(),
            preparation: None,
            warnings: Vec::new(),
        }
    }

    /// The grid in which the pieces lay on their sheet, if they come from one without a puzzle file and fill it.
    pub fn sheet_grid(&self) -> Option<Grid> {
        let SheetLayout { columns, rows, .. } = self.sheet?;
        let grid = Grid::new(rows.into(), columns.into()).ok()?;
        (grid.num_cells() == self.pieces.num_pieces()).then_some(grid)
    }

    /// The files that are not part of the puzzle.
    pub fn skipped(&self) -> Vec<Skipped> {
        skipped_in(&self.warnings)
    }
}

/// Reads a puzzle from one path; see [`read_inputs`].
pub fn read_input(path: &Path, options: &InputOptions) -> Result<PuzzleInput, IoError> {
    read_inputs(&[path], options)
}

/// Reads a puzzle from
///
/// * a scramble folder, recognized by its `puzzle.json` (naming that file, or its `sheet.png`, is the
///   same);
/// * a folder of piece images, in the natural order of their names (2 before 10). Hidden files and
///   JSON files are ignored; other files that are not pictures are skipped with a warning;
/// * several paths, each a piece image, in the natural order of the paths. A file that is not a
///   picture is skipped with a warning, and a file named twice is taken once;
/// * a sheet: one picture of pieces side by side, row by row. The size of the pieces, a gap between
///   them and a border around them are found unless they are given. Pixels at the right and bottom
///   that do not fill a piece are left out with a warning;
/// * a zip archive of any of these, in a folder or not. It is read in memory.
///
/// # Errors
/// If a path does not exist, a file cannot be read or is damaged, the pieces do not agree with
/// each other, with `puzzle.json` or with the size given, there are fewer than two, their size cannot
/// be found, or they are beyond the limits.
pub fn read_inputs<P: AsRef<Path>>(
    paths: &[P],
    options: &InputOptions,
) -> Result<PuzzleInput, IoError> {
    read_found(find(paths, &options.limits)?, options)
}

/// Reads a puzzle from files in memory, given by name and content: one zip archive, one sheet, or the
/// files of a folder, with slashes in names of files in folders below it.
pub fn read_files(
    files: Vec<(String, Vec<u8>)>,
    options: &InputOptions,
) -> Result<PuzzleInput, IoError> {
    read_found(find_in_memory(files, &options.limits)?, options)
}

/// Reads a puzzle from a zip archive that need not be a file. The path is for messages.
pub fn read_archive(
    path: &Path,
    archive: impl Read + Seek + 'static,
    options: &InputOptions,
) -> Result<PuzzleInput, IoError> {
    let archive = Rc::new(Archive::read(path, Box::new(archive), &options.limits)?);
    read_found(find_in_archive(&archive, &options.limits)?, options)
}

/// A picture of all pieces of an input as they are, with an outline around what is used of each.
///
/// # Errors
/// As [`read_inputs`].
pub fn read_contact_sheet<P: AsRef<Path>>(
    paths: &[P],
    options: &InputOptions,
) -> Result<Picture, IoError> {
    let path = || paths.first().map_or(Path::new(""), AsRef::as_ref);
    let (raw, names, is_declared) = match find(paths, &options.limits)? {
        Found::Pieces(listing) => {
            let found = read_raw(listing, None, options)?;
            (found.raw, found.names, false)
        }
        other => {
            let is_declared = !matches!(other, Found::Sheet(..));
            let as_they_are = InputOptions { prepare: Prepare::Again(None), ..options.clone() };
            let input = read_found(other, &as_they_are)?;
            (RawPieces::from(Arc::unwrap_or_clone(input.pieces)), input.names, is_declared)
        }
    };
    let preparation = preparation_of(path(), &raw, &names, &options.prepare, is_declared)?;
    contact_sheet(&raw, preparation.as_ref())
        .map_err(|cause| IoError::bad_value(path(), cause, "use fewer pieces"))
}

fn read_found(found: Found, options: &InputOptions) -> Result<PuzzleInput, IoError> {
    match found {
        Found::Pieces(listing) => read_pieces(listing, None, options),
        Found::Sheet(file, warnings) => read_sheet(&file, warnings, options),
        Found::DeclaredPieces(declared, listing) => {
            check_given_shape(&declared, options)?;
            read_pieces(listing, Some(declared.puzzle), options)
        }
        Found::DeclaredSheet(declared, file, columns) => {
            check_given_shape(&declared, options)?;
            read_declared_sheet(&file, declared.puzzle, columns, options)
        }
    }
}

fn check_given_shape(declared: &Declared, options: &InputOptions) -> Result<(), IoError> {
    let found = declared.puzzle.shape;
    match options.piece {
        Some(given) if given != found => {
            let found = format!("{} x {}", found.width_px(), found.height_px());
            Err(Problem::other_piece_size(given, &found).at(&declared.path))
        }
        _ => Ok(()),
    }
}

/// Checks the pieces against what `puzzle.json` says. `stored` is the kind of pixel in the files, where
/// a constant alpha is not dropped.
pub(crate) fn check_declared(
    path: &Path,
    declared: Option<&PuzzleFile>,
    shape: PieceShape,
    channels: usize,
    stored: PixelKind,
) -> Result<(), IoError> {
    let Some(puzzle) = declared else { return Ok(()) };
    // A puzzle of four channels may have lost all pieces in which its alpha varied.
    let channels_agree = [channels, stored.channels].contains(&puzzle.channels);
    if channels_agree && puzzle.bits == stored.bits && puzzle.shape == shape {
        return Ok(());
    }
    let describe = |shape: PieceShape, channels: usize, bits: u8| {
        let (width_px, height_px) = (shape.width_px(), shape.height_px());
        format!("{width_px} x {height_px} pixels, {channels} channels, {bits} bit")
    };
    Err(IoError::bad_value(
        path,
        format!(
            "its pieces are {}, but {PUZZLE_NAME} says {}",
            describe(shape, channels, stored.bits),
            describe(puzzle.shape, puzzle.channels, puzzle.bits)
        ),
        "restore the pieces that belong to this puzzle",
    ))
}
