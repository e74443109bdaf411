//! Puzzles to solve, from a scramble folder, loose piece images or one sheet; on disk or in an archive.
//!
//! Nothing here opens a truth file, or knows what it is called.

use crate::archive::Archive;
use crate::door::{Declared, Found, Listing, find, find_in_archive};
use crate::input_file::InputFile;
use crate::picture_file::{Header, empty_samples};
use crate::scramble_folder::PUZZLE_NAME;
use crate::{IoError, Limits, PuzzleFile, SizeGroup, Skipped, Warning, alpha};
use fretsaw::picture::{LayoutCandidate, Picture, SheetHints, SheetLayout, find_layouts};
use fretsaw::puzzle::{PieceSet, PieceShape, Samples};
use std::io::{Read, Seek};
use std::path::Path;
use std::rc::Rc;

/// A layout that agrees with the numbers of rows and columns given is preferred to others if its
/// score reaches this share of theirs.
const GIVEN_GRID_SHARE: f64 = 0.7;

/// How far the pixels of a cell without a piece may be from their mean, on average, in grey levels of
/// 256.
const MAX_PLAIN_DEVIATION: f64 = 1.0;

/// How to read a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputOptions {
    /// The size of the pieces. Of loose pieces of several sizes it chooses one. For a sheet without a
    /// puzzle file it is found if `None`. Otherwise it is only checked.
    pub piece: Option<PieceShape>,
    /// The columns of the puzzle, which may be those of the sheet, too; for a sheet whose piece size
    /// is to be found.
    pub columns: Option<u32>,
    /// The rows of the puzzle, likewise.
    pub rows: Option<u32>,
    /// Pixels between the pieces of a sheet without a puzzle file; found if `None`.
    pub gap_px: Option<u32>,
    /// Pixels around the pieces of a sheet without a puzzle file; found if `None`.
    pub border_px: Option<u32>,
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
    /// Where the pieces lay on their sheet, if they come from one without a puzzle file.
    pub sheet: Option<SheetLayout>,
    /// What was odd about the files.
    pub warnings: Vec<Warning>,
}

impl PuzzleInput {
    /// What is not part of the puzzle although it was among the files.
    #[must_use]
    pub fn skipped(&self) -> Vec<Skipped> {
        self.warnings.iter().filter_map(Warning::skipped).collect()
    }
}

/// Reads a puzzle from one path; see [`read_inputs`].
///
/// # Errors
/// As [`read_inputs`].
pub fn read_input(path: &Path, options: &InputOptions) -> Result<PuzzleInput, IoError> {
    read_inputs(&[path], options)
}

/// Reads a puzzle from
///
/// * a scramble folder, told by its `puzzle.json` (naming that file, or its `sheet.png`, is the
///   same);
/// * a folder of piece images, in the natural order of their names (2 before 10). Hidden files and
///   JSON files are ignored; other files that are no pictures are skipped with a warning;
/// * several paths, each a piece image, in the natural order of the paths. What is no picture is
///   skipped with a warning, and a file named twice is taken once;
/// * a sheet: one picture of pieces side by side, row by row. The size of the pieces, a gap between
///   them and a border around them are found unless they are given. What does not fill a piece at the
///   right and bottom is left out with a warning;
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

/// Reads a puzzle from a zip archive that need not be a file. The path is for messages.
///
/// # Errors
/// As [`read_inputs`].
pub fn read_archive(
    path: &Path,
    archive: impl Read + Seek + 'static,
    options: &InputOptions,
) -> Result<PuzzleInput, IoError> {
    let archive = Rc::new(Archive::read(path, Box::new(archive), &options.limits)?);
    read_found(find_in_archive(&archive, &options.limits)?, options)
}

fn read_found(found: Found, options: &InputOptions) -> Result<PuzzleInput, IoError> {
    match found {
        Found::Pieces(listing) => read_pieces(listing, None, options),
        Found::Sheet(file, warnings) => read_sheet(&file, warnings, options),
        Found::DeclaredPieces(Declared { path, puzzle }, listing) => {
            check_given_shape(&path, options, puzzle.shape)?;
            read_pieces(listing, Some(puzzle), options)
        }
        Found::DeclaredSheet(Declared { path, puzzle }, file, columns) => {
            check_given_shape(&path, options, puzzle.shape)?;
            read_declared_sheet(&file, puzzle, columns, options)
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

/// Loose pictures: what their headers say, and what is no picture.
pub(crate) struct Pictures {
    pub(crate) files: Vec<(InputFile, Header)>,
    pub(crate) warnings: Vec<Warning>,
}

impl Pictures {
    /// Looks at all headers, so that what can be refused is refused before memory is taken.
    pub(crate) fn look(listing: Listing, limits: &Limits) -> Result<Self, IoError> {
        let Listing { files, mut warnings, .. } = listing;
        let mut pictures = Vec::new();
        for file in files {
            let Some((header, holds_several)) = file.header(limits)? else {
                if file.promises_picture() {
                    return Err(IoError::NotAPicture { path: file.path });
                }
                warnings.push(Warning::SkippedFile { path: file.path });
                continue;
            };
            if holds_several {
                warnings.push(Warning::FirstOfSeveral { path: file.path.clone() });
            }
            pictures.push((file, header));
        }
        Ok(Self { files: pictures, warnings })
    }

    /// The sizes there are, the most frequent first.
    pub(crate) fn sizes(&self) -> Vec<SizeGroup> {
        let mut groups: Vec<SizeGroup> = Vec::new();
        for (file, header) in &self.files {
            let (width_px, height_px) = (header.width_px, header.height_px);
            let is_same =
                |group: &&mut SizeGroup| (group.width_px, group.height_px) == (width_px, height_px);
            match groups.iter_mut().find(is_same) {
                Some(group) => group.count += 1,
                None => groups.push(SizeGroup {
                    width_px,
                    height_px,
                    count: 1,
                    example: file.name.clone(),
                }),
            }
        }
        // Of equally frequent ones the first stays first.
        groups.sort_by_key(|group| std::cmp::Reverse(group.count));
        groups
    }

    /// Skips what has another size than the one given.
    fn choose_size(&mut self, path: &Path, given: PieceShape) -> Result<(), IoError> {
        let is_given = |header: &Header| {
            (header.width_px, header.height_px) == (given.width_px(), given.height_px())
        };
        if !self.files.is_empty() && !self.files.iter().any(|(_, header)| is_given(header)) {
            let groups = self.sizes();
            return Err(IoError::NoPieceOfSize { path: path.into(), given, groups });
        }
        self.files.retain(|(file, header)| {
            if !is_given(header) {
                let &Header { width_px, height_px, .. } = header;
                let path = file.path.clone();
                self.warnings.push(Warning::SkippedSize { path, width_px, height_px });
            }
            is_given(header)
        });
        Ok(())
    }
}

fn read_pieces(
    listing: Listing,
    declared: Option<PuzzleFile>,
    options: &InputOptions,
) -> Result<PuzzleInput, IoError> {
    let limits = &options.limits;
    let path = listing.path.clone();
    let mut pictures = Pictures::look(listing, limits)?;
    // What a puzzle file describes must be as it says; nothing is left out.
    if declared.is_none() {
        if let Some(given) = options.piece {
            pictures.choose_size(&path, given)?;
        }
        let groups = pictures.sizes();
        if groups.len() > 1 {
            return Err(IoError::SeveralSizes { path, groups });
        }
    }
    let first = pictures.files.first();
    let odd = first.and_then(|(_, first)| pictures.files.iter().find(|(_, next)| next != first));
    if let (Some((first, first_header)), Some((second, second_header))) = (first, odd) {
        return Err(IoError::UnequalPieces {
            first: first.path.clone(),
            first_kind: first_header.describe(),
            second: second.path.clone(),
            second_kind: second_header.describe(),
        });
    }
    let found = pictures.files.len();
    if let Some(puzzle) = declared.as_ref().filter(|puzzle| puzzle.num_pieces != found) {
        return Err(IoError::bad_value(
            path,
            format!("holds {found} pieces, but {PUZZLE_NAME} says {}", puzzle.num_pieces),
            "restore the missing files or take away the surplus ones",
        ));
    }
    let Some(&(_, header)) = first.filter(|_| found >= 2) else {
        return Err(IoError::TooFewPieces {
            path,
            found: found as u64,
            remedy: "name a folder of piece images, a scramble folder, or a sheet file itself",
        });
    };
    let shape = shape_of(&path, &header)?;
    limits.check_pieces(&path, found as u64, shape.num_pixels() as u64)?;
    let mut samples = with_capacity(&path, header.kind.bits, found * header.num_samples())?;
    for (file, _) in &pictures.files {
        file.append_samples(limits, &header, &mut samples)?;
    }
    let names = pictures.files.into_iter().map(|(file, _)| file.name).collect();
    let parts = PuzzleParts { names, declared, sheet: None, warnings: pictures.warnings };
    finish(&path, &header, shape, samples, parts)
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

/// A sheet in memory, alpha and all.
pub(crate) struct Sheet {
    pub(crate) header: Header,
    pub(crate) picture: Picture,
    pub(crate) warnings: Vec<Warning>,
}

impl Sheet {
    pub(crate) fn read(
        file: &InputFile,
        mut warnings: Vec<Warning>,
        limits: &Limits,
    ) -> Result<Self, IoError> {
        let path = &file.path;
        let (header, holds_several) =
            file.header(limits)?.ok_or_else(|| IoError::NotAPicture { path: path.clone() })?;
        if holds_several {
            warnings.push(Warning::FirstOfSeveral { path: path.clone() });
        }
        let mut samples = with_capacity(path, header.kind.bits, header.num_samples())?;
        file.append_samples(limits, &header, &mut samples)?;
        let (height_px, width_px) = (header.height_px as usize, header.width_px as usize);
        let picture =
            Picture::new(height_px, width_px, header.kind.channels, samples).map_err(|cause| {
                IoError::BrokenPicture { path: path.clone(), cause: cause.to_string() }
            })?;
        Ok(Self { header, picture, warnings })
    }

    /// The layouts that it may have, the likeliest first.
    pub(crate) fn layouts(&self, options: &InputOptions) -> Vec<LayoutCandidate> {
        let &InputOptions { piece, columns, rows, gap_px, border_px, .. } = options;
        let open = SheetHints { piece, columns: None, rows: None, gap_px, border_px };
        let free = find_layouts(&self.picture, &open);
        if piece.is_some() || (columns.is_none() && rows.is_none()) {
            return free;
        }
        // The board's size need not be the sheet's.
        let given = find_layouts(&self.picture, &SheetHints { columns, rows, ..open });
        let best = |layouts: &[LayoutCandidate]| layouts.first().map_or(0.0, |first| first.score);
        if best(&given) >= GIVEN_GRID_SHARE * best(&free) { given } else { free }
    }
}

fn read_sheet(
    file: &InputFile,
    warnings: Vec<Warning>,
    options: &InputOptions,
) -> Result<PuzzleInput, IoError> {
    let path = &file.path;
    let sheet = Sheet::read(file, warnings, &options.limits)?;
    let Header { width_px, height_px, .. } = sheet.header;
    let Some(LayoutCandidate { layout, .. }) = sheet.layouts(options).into_iter().next() else {
        let Some(piece) = options.piece else {
            return Err(IoError::PieceSizeNotFound { path: path.clone(), width_px, height_px });
        };
        let (columns, rows) = (width_px / piece.width_px(), height_px / piece.height_px());
        return Err(IoError::TooFewPieces {
            path: path.clone(),
            found: u64::from(columns) * u64::from(rows),
            remedy: "give a smaller piece size, or name a larger sheet or a folder of pieces",
        });
    };
    let Sheet { header, picture, mut warnings } = sheet;
    let SheetLayout { right_px, bottom_px, left_px, top_px, gap_x_px, gap_y_px, .. } = layout;
    // What is left over beside a border or gaps is the border's other side.
    let right_px = if left_px + gap_x_px == 0 { right_px } else { 0 };
    let bottom_px = if top_px + gap_y_px == 0 { bottom_px } else { 0 };
    if right_px > 0 || bottom_px > 0 {
        warnings.push(Warning::Cropped { path: path.clone(), right_px, bottom_px });
    }
    let num_empty = num_empty_cells(&picture, &layout);
    if num_empty > 0 {
        warnings.push(Warning::EmptyCells { path: path.clone(), count: num_empty });
    }
    let num_pieces = layout.num_pieces() - u64::from(num_empty);
    let parts = PuzzleParts { names: Vec::new(), declared: None, sheet: Some(layout), warnings };
    cut_sheet(path, &header, &picture, &layout, num_pieces, options, parts)
}

/// Cells at the end of the last row that hold no piece: they have one colour, all the same, which no
/// other cell of the sheet consists of. A row has at least one piece, and a puzzle two.
fn num_empty_cells(sheet: &Picture, layout: &SheetLayout) -> u32 {
    let columns = layout.columns;
    let last_row = (layout.rows as usize - 1) * columns as usize;
    let cell = |number: usize| plain_colour(sheet, layout, number);
    let Some(colour) = cell(last_row + columns as usize - 1) else { return 0 };
    let is_alike = |other: &Vec<f64>| {
        other.iter().zip(&colour).all(|(a, b)| (a - b).abs() <= MAX_PLAIN_DEVIATION)
    };
    let is_empty = |number: usize| cell(number).as_ref().is_some_and(is_alike);
    let num_empty =
        (1..columns).take_while(|back| is_empty(last_row + (columns - back) as usize)).count();
    let first_empty = last_row + columns as usize - num_empty;
    if first_empty < 2 || (0..first_empty).any(is_empty) {
        return 0;
    }
    u32::try_from(num_empty).unwrap_or_default()
}

/// The colour of a cell, in grey levels of 256, if it has only one; JPEG may have blurred its edge.
fn plain_colour(sheet: &Picture, layout: &SheetLayout, number: usize) -> Option<Vec<f64>> {
    let (left, top) = layout.corner_of(number);
    let (width, height) = (layout.shape.width_px() as usize, layout.shape.height_px() as usize);
    let channels = sheet.channels();
    let levels = f64::from(sheet.samples().white()) / 255.0;
    let num_pixels = (width * height) as f64;
    let mut colour = Vec::with_capacity(channels);
    for channel in 0..channels {
        let value = |place: usize| {
            let offset = sheet.offset_of(top + place / width, left + place % width);
            f64::from(sheet.samples().get(offset + channel)) / levels
        };
        let places = || 0..width * height;
        let mean = places().map(value).sum::<f64>() / num_pixels;
        let deviation = places().map(|place| (value(place) - mean).abs()).sum::<f64>() / num_pixels;
        if deviation > MAX_PLAIN_DEVIATION {
            return None;
        }
        colour.push(mean);
    }
    Some(colour)
}

fn read_declared_sheet(
    file: &InputFile,
    puzzle: PuzzleFile,
    columns: u32,
    options: &InputOptions,
) -> Result<PuzzleInput, IoError> {
    let path = &file.path;
    let shape = puzzle.shape;
    let num_pieces = puzzle.num_pieces as u64;
    let rows = num_pieces.div_ceil(columns.into());
    let (header, _) =
        file.header(&options.limits)?.ok_or_else(|| IoError::NotAPicture { path: path.clone() })?;
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
    let Sheet { header, picture, warnings } = Sheet::read(file, Vec::new(), &options.limits)?;
    let layout = SheetLayout {
        shape,
        columns,
        // At most as many as the pieces, which are counted in 32 bits.
        rows: u32::try_from(rows).unwrap_or(u32::MAX),
        gap_x_px: 0,
        gap_y_px: 0,
        left_px: 0,
        top_px: 0,
        right_px: 0,
        bottom_px: 0,
    };
    let parts = PuzzleParts { names: Vec::new(), declared: Some(puzzle), sheet: None, warnings };
    cut_sheet(path, &header, &picture, &layout, num_pieces, options, parts)
}

fn cut_sheet(
    path: &Path,
    header: &Header,
    sheet: &Picture,
    layout: &SheetLayout,
    num_pieces: u64,
    options: &InputOptions,
    parts: PuzzleParts,
) -> Result<PuzzleInput, IoError> {
    let shape = layout.shape;
    options.limits.check_pieces(path, num_pieces, shape.num_pixels() as u64)?;
    // Below the limit on pieces, which is a `usize`.
    let num_pieces = usize::try_from(num_pieces).unwrap_or_default();
    let num_samples = num_pieces * shape.num_pixels() * header.kind.channels;
    let mut samples = with_capacity(path, header.kind.bits, num_samples)?;
    match (sheet.samples(), &mut samples) {
        (Samples::U8(values), Samples::U8(cut)) => {
            append_pieces(sheet, values, layout, num_pieces, cut);
        }
        (Samples::U16(values), Samples::U16(cut)) => {
            append_pieces(sheet, values, layout, num_pieces, cut);
        }
        _ => {}
    }
    finish(path, header, shape, samples, parts)
}

fn append_pieces<T: Copy>(
    sheet: &Picture,
    values: &[T],
    layout: &SheetLayout,
    num_pieces: usize,
    cut: &mut Vec<T>,
) {
    let run = layout.shape.width_px() as usize * sheet.channels();
    for piece in 0..num_pieces {
        let (left, top) = layout.corner_of(piece);
        for row in top..top + layout.shape.height_px() as usize {
            let start = sheet.offset_of(row, left);
            cut.extend_from_slice(&values[start..start + run]);
        }
    }
}

/// What accompanies the pieces.
struct PuzzleParts {
    names: Vec<String>,
    declared: Option<PuzzleFile>,
    sheet: Option<SheetLayout>,
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
    let PuzzleParts { names, declared, sheet, warnings } = parts;
    Ok(PuzzleInput { pieces, names, constant_alpha, declared, sheet, warnings })
}
