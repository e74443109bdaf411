//! Puzzles to solve, from a scramble folder, a folder of piece images or one sheet.
//!
//! Nothing here opens a truth file, or knows what it is called.

use crate::picture_file::{Header, append_samples, empty_samples, read_header};
use crate::scramble_folder::{PIECES_NAME, PUZZLE_NAME, SHEET_NAME};
use crate::{IoError, Layout, Limits, PuzzleFile, Warning, alpha, natural_order, read_puzzle};
use fretsaw::puzzle::{PieceSet, PieceShape, Samples};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Endings that promise a picture: such a file is never skipped as something else.
const PICTURE_ENDINGS: [&str; 13] =
    ["png", "jpg", "jpeg", "bmp", "tif", "tiff", "webp", "gif", "pbm", "pgm", "ppm", "pnm", "pam"];

/// How to read a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputOptions {
    /// The size of the pieces. Needed for a sheet without a puzzle file; otherwise only checked.
    pub piece: Option<PieceShape>,
    /// How large the input may be.
    pub limits: Limits,
}

/// A puzzle to solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleInput {
    /// The pieces, alpha included only if it varies.
    pub pieces: PieceSet,
    /// The file names of the pieces, in order; empty if they come from a sheet.
    pub names: Vec<String>,
    /// The alpha of every pixel, in the units of the pieces' values, if it is the same in all
    /// pieces but not opaque. For [`write_picture`](crate::write_picture), to restore it.
    pub constant_alpha: Option<u16>,
    /// What `puzzle.json` says, if there is one.
    pub declared: Option<PuzzleFile>,
    /// What was odd about the files.
    pub warnings: Vec<Warning>,
}

/// Reads a puzzle from
///
/// * a scramble folder, told by its `puzzle.json` (naming that file, or its `sheet.png`, is the
///   same);
/// * a folder of piece images, in the natural order of their names (2 before 10). Hidden files and
///   JSON files are ignored; other files that are no pictures are skipped with a warning;
/// * a sheet: one picture of pieces side by side, row by row. What does not fill a piece at the
///   right and bottom is left out with a warning.
///
/// # Errors
/// If the path does not exist, a file cannot be read or is damaged, the pieces do not agree with
/// each other, with `puzzle.json` or with the size given, there are fewer than two, or they are
/// beyond the limits.
pub fn read_input(path: &Path, options: &InputOptions) -> Result<PuzzleInput, IoError> {
    let found = fs::metadata(path).map_err(|cause| IoError::read(path, cause))?;
    if found.is_dir() {
        return if path.join(PUZZLE_NAME).exists() {
            read_scramble(path, options)
        } else {
            read_folder(path, None, options)
        };
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_in_scramble_folder = match path.file_name().and_then(OsStr::to_str) {
        Some(PUZZLE_NAME) => true,
        Some(SHEET_NAME) => folder.join(PUZZLE_NAME).exists(),
        _ => false,
    };
    if is_in_scramble_folder { read_scramble(folder, options) } else { read_sheet(path, options) }
}

fn read_scramble(dir: &Path, options: &InputOptions) -> Result<PuzzleInput, IoError> {
    let puzzle_path = dir.join(PUZZLE_NAME);
    let puzzle = read_puzzle(&puzzle_path, &options.limits)?;
    check_given_shape(&puzzle_path, options, puzzle.shape)?;
    match puzzle.layout {
        Layout::Folder => read_folder(&dir.join(PIECES_NAME), Some(puzzle), options),
        Layout::Sheet(columns) => {
            read_declared_sheet(&dir.join(SHEET_NAME), puzzle, columns, options)
        }
    }
}

fn check_given_shape(
    path: &Path,
    options: &InputOptions,
    found: PieceShape,
) -> Result<(), IoError> {
    match options.piece {
        Some(given) if given != found => {
            Err(IoError::PieceSizeContradicts { path: path.into(), given, found })
        }
        _ => Ok(()),
    }
}

fn read_folder(
    dir: &Path,
    declared: Option<PuzzleFile>,
    options: &InputOptions,
) -> Result<PuzzleInput, IoError> {
    let limits = &options.limits;
    let mut warnings = Vec::new();
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    let mut header: Option<Header> = None;
    // Headers first: all that can be refused is refused before memory is taken.
    for (name, path) in list(dir)? {
        if fs::metadata(&path).is_ok_and(|found| found.is_dir()) {
            warnings.push(Warning::SkippedFolder { path });
            continue;
        }
        let Some(next) = read_header(&path, limits)? else {
            if promises_picture(&path) {
                return Err(IoError::NotAPicture { path });
            }
            warnings.push(Warning::SkippedFile { path });
            continue;
        };
        let first = *header.get_or_insert(next);
        if next != first {
            return Err(IoError::UnequalPieces {
                first: files.first().map_or_else(|| path.clone(), |(_, path)| path.clone()),
                first_kind: first.describe(),
                second: path,
                second_kind: next.describe(),
            });
        }
        files.push((name, path));
        let pixels = u64::from(first.width_px) * u64::from(first.height_px);
        limits.check_pieces(dir, files.len() as u64, pixels)?;
    }
    let found = files.len();
    if let Some(puzzle) = declared.as_ref().filter(|puzzle| puzzle.num_pieces != found) {
        return Err(IoError::bad_value(
            dir,
            format!("holds {found} pieces, but {PUZZLE_NAME} says {}", puzzle.num_pieces),
            "restore the missing files or take away the surplus ones",
        ));
    }
    let Some(header) = header.filter(|_| found >= 2) else {
        return Err(IoError::TooFewPieces {
            path: dir.into(),
            found: found as u64,
            remedy: "name a folder of piece images, a scramble folder, or a sheet file itself",
        });
    };
    let shape = shape_of(dir, &header)?;
    check_given_shape(dir, options, shape)?;
    let mut samples = with_capacity(dir, header.kind.bits, found * header.num_samples())?;
    for (_, path) in &files {
        append_samples(path, limits, &header, &mut samples)?;
    }
    let names = files.into_iter().map(|(name, _)| name).collect();
    finish(dir, &header, shape, samples, PuzzleParts { names, declared, warnings })
}

/// The entries of a folder in natural order, without hidden files and JSON documents.
fn list(dir: &Path) -> Result<Vec<(String, PathBuf)>, IoError> {
    let refused = |cause| IoError::read(dir, cause);
    let mut entries = Vec::new();
    for entry in fs::read_dir(dir).map_err(refused)? {
        let path = entry.map_err(refused)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.starts_with('.') && !has_ending(&path, &["json"]) {
            entries.push((name, path));
        }
    }
    entries.sort_by(|(a, _), (b, _)| natural_order::compare(a, b));
    Ok(entries)
}

fn promises_picture(path: &Path) -> bool {
    has_ending(path, &PICTURE_ENDINGS)
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension()
        .and_then(OsStr::to_str)
        .is_some_and(|found| endings.iter().any(|ending| found.eq_ignore_ascii_case(ending)))
}

fn shape_of(path: &Path, header: &Header) -> Result<PieceShape, IoError> {
    PieceShape::new(header.height_px, header.width_px)
        .map_err(|cause| IoError::BrokenPicture { path: path.into(), cause: cause.to_string() })
}

fn with_capacity(path: &Path, bits: u8, num_samples: usize) -> Result<Samples, IoError> {
    let mut samples = empty_samples(bits);
    let reserved = match &mut samples {
        Samples::U8(values) => values.try_reserve_exact(num_samples),
        Samples::U16(values) => values.try_reserve_exact(num_samples),
    };
    let bytes = num_samples as u64 * u64::from(bits / 8);
    reserved.map_err(|_| IoError::OutOfMemory { path: path.into(), bytes })?;
    Ok(samples)
}

fn read_sheet(path: &Path, options: &InputOptions) -> Result<PuzzleInput, IoError> {
    let header = read_header(path, &options.limits)?
        .ok_or_else(|| IoError::NotAPicture { path: path.into() })?;
    let shape = options.piece.ok_or_else(|| IoError::PieceSizeMissing { path: path.into() })?;
    let (columns, right_px) =
        (header.width_px / shape.width_px(), header.width_px % shape.width_px());
    let (rows, bottom_px) =
        (header.height_px / shape.height_px(), header.height_px % shape.height_px());
    let num_pieces = u64::from(columns) * u64::from(rows);
    if num_pieces < 2 {
        return Err(IoError::TooFewPieces {
            path: path.into(),
            found: num_pieces,
            remedy: "give a smaller piece size, or name a larger sheet or a folder of pieces",
        });
    }
    let mut warnings = Vec::new();
    if right_px > 0 || bottom_px > 0 {
        warnings.push(Warning::Cropped { path: path.into(), right_px, bottom_px });
    }
    let parts = PuzzleParts { names: Vec::new(), declared: None, warnings };
    cut_sheet(path, &header, shape, columns, num_pieces, options, parts)
}

fn read_declared_sheet(
    path: &Path,
    puzzle: PuzzleFile,
    columns: u32,
    options: &InputOptions,
) -> Result<PuzzleInput, IoError> {
    let header = read_header(path, &options.limits)?
        .ok_or_else(|| IoError::NotAPicture { path: path.into() })?;
    let shape = puzzle.shape;
    let num_pieces = puzzle.num_pieces as u64;
    let rows = num_pieces.div_ceil(columns.into());
    // The piece's size and the number of pieces have passed the limits: neither product overflows.
    let width_px = u64::from(columns) * u64::from(shape.width_px());
    let height_px = rows * u64::from(shape.height_px());
    if (width_px, height_px) != (header.width_px.into(), header.height_px.into()) {
        return Err(IoError::bad_value(
            path,
            format!(
                "is {} x {} pixels, but by {PUZZLE_NAME} it should be {width_px} x {height_px}",
                header.width_px, header.height_px
            ),
            "restore the sheet that belongs to this puzzle",
        ));
    }
    let parts = PuzzleParts { names: Vec::new(), declared: Some(puzzle), warnings: Vec::new() };
    cut_sheet(path, &header, shape, columns, num_pieces, options, parts)
}

fn cut_sheet(
    path: &Path,
    header: &Header,
    shape: PieceShape,
    columns: u32,
    num_pieces: u64,
    options: &InputOptions,
    parts: PuzzleParts,
) -> Result<PuzzleInput, IoError> {
    let limits = &options.limits;
    limits.check_pieces(path, num_pieces, shape.num_pixels() as u64)?;
    // Below the limit on pieces, which is a `usize`.
    let num_pieces = usize::try_from(num_pieces).unwrap_or_default();
    let mut sheet = with_capacity(path, header.kind.bits, header.num_samples())?;
    append_samples(path, limits, header, &mut sheet)?;
    let num_samples = num_pieces * shape.num_pixels() * header.kind.channels;
    let mut samples = with_capacity(path, header.kind.bits, num_samples)?;
    let cut = SheetCut { header, shape, columns: columns as usize, num_pieces };
    match (&sheet, &mut samples) {
        (Samples::U8(sheet), Samples::U8(values)) => cut.append_pieces(sheet, values),
        (Samples::U16(sheet), Samples::U16(values)) => cut.append_pieces(sheet, values),
        _ => {}
    }
    finish(path, header, shape, samples, parts)
}

struct SheetCut<'a> {
    header: &'a Header,
    shape: PieceShape,
    columns: usize,
    num_pieces: usize,
}

impl SheetCut<'_> {
    fn append_pieces<T: Copy>(&self, sheet: &[T], values: &mut Vec<T>) {
        let channels = self.header.kind.channels;
        let line = self.shape.width_px() as usize * channels;
        let lines = self.shape.height_px() as usize;
        let sheet_line = self.header.width_px as usize * channels;
        for piece in 0..self.num_pieces {
            let (row, col) = (piece / self.columns, piece % self.columns);
            for line_idx in 0..lines {
                let start = (row * lines + line_idx) * sheet_line + col * line;
                values.extend_from_slice(&sheet[start..start + line]);
            }
        }
    }
}

/// What accompanies the pieces.
struct PuzzleParts {
    names: Vec<String>,
    declared: Option<PuzzleFile>,
    warnings: Vec<Warning>,
}

/// Drops idle alpha and checks the pieces against what `puzzle.json` says.
fn finish(
    path: &Path,
    header: &Header,
    shape: PieceShape,
    mut samples: Samples,
    parts: PuzzleParts,
) -> Result<PuzzleInput, IoError> {
    let stored_channels = header.kind.channels;
    let mut channels = stored_channels;
    let mut constant_alpha = None;
    if header.kind.has_alpha()
        && let Some(value) = alpha::drop_if_constant(channels, &mut samples)
    {
        channels -= 1;
        constant_alpha = Some(value).filter(|&value| value != samples.white());
    }
    if let Some(puzzle) = &parts.declared {
        // A puzzle of four channels may have lost all pieces in which its alpha varied.
        let channels_agree = [channels, stored_channels].contains(&puzzle.channels);
        if !channels_agree || puzzle.bits != header.kind.bits || puzzle.shape != shape {
            return Err(IoError::bad_value(
                path,
                format!(
                    "its pieces are {} x {} pixels, {channels} channels, {} bit, but {PUZZLE_NAME} \
                     says {} x {} pixels, {} channels, {} bit",
                    shape.width_px(),
                    shape.height_px(),
                    header.kind.bits,
                    puzzle.shape.width_px(),
                    puzzle.shape.height_px(),
                    puzzle.channels,
                    puzzle.bits
                ),
                "restore the pieces that belong to this puzzle",
            ));
        }
    }
    let pieces = PieceSet::new(shape, channels, samples)
        .map_err(|cause| IoError::bad_value(path, cause.to_string(), "use other pieces"))?;
    let PuzzleParts { names, declared, warnings } = parts;
    Ok(PuzzleInput { pieces, names, constant_alpha, declared, warnings })
}
