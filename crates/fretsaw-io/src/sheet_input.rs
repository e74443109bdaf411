//! Puzzles of one sheet: a picture of pieces side by side.

use crate::decode::{Header, empty_samples};
use crate::input::{PuzzleInput, check_declared};
use crate::input_file::InputFile;
use crate::picture_file::{stored_kind, to_picture};
use crate::prepare::prepared;
use crate::scramble_folder::PUZZLE_NAME;
use crate::{InputOptions, IoError, Limits, Problem, ProblemKind, PuzzleFile, Warning};
use fretsaw::picture::{
    ColourBleeding, LayoutCandidate, Picture, SheetError, SheetHints, SheetLayout, SheetPieces,
    cut_sheet, find_layouts_for_board, num_empty_cells,
};
use std::path::Path;

/// The most layouts that are offered if none stands out.
const MAX_OFFERED: usize = 3;

/// A sheet in memory. It keeps its alpha channel, since the pieces may have the same alpha everywhere
/// and gaps another.
pub(crate) struct Sheet {
    pub(crate) header: Header,
    pub(crate) picture: Picture,
    /// Pixels that share a value of chroma in a JPEG file.
    chroma_cell_px: Option<[u32; 2]>,
    pub(crate) warnings: Vec<Warning>,
}

impl Sheet {
    pub(crate) fn read(
        file: &InputFile,
        mut warnings: Vec<Warning>,
        limits: &Limits,
    ) -> Result<Self, IoError> {
        let mut file = file.open_picture(limits, &mut warnings)?;
        let header = file.header;
        let chroma_cell_px = file.jpeg_markers(limits)?.and_then(|markers| markers.chroma_cell_px);
        let mut samples = empty_samples(&file.path, header.kind.bits, header.num_samples())?;
        file.append_samples(limits, &mut samples)?;
        let picture = to_picture(&file.path, &header, header.kind.channels, samples)?;
        Ok(Self { header, picture, chroma_cell_px, warnings })
    }

    /// The layouts that it may have, the likeliest first; also those that do not stand out.
    pub(crate) fn layouts(&self, options: &InputOptions) -> Vec<LayoutCandidate> {
        let &InputOptions { piece, columns, rows, gap_px, border_px, .. } = options;
        find_layouts_for_board(
            &self.picture,
            &SheetHints { piece, columns, rows, gap_px, border_px },
        )
    }

    /// Cells at the end of the last row without a piece.
    ///
    /// If the given board has as many cells as the sheet, plain cells may be pieces that it needs. Then
    /// only black cells are empty, which is how fretsaw writes empty cells.
    fn num_empty_cells(&self, layout: &SheetLayout, options: &InputOptions) -> u32 {
        let num_cells = layout.num_pieces();
        let board = options.columns.zip(options.rows);
        let fills_board =
            board.is_some_and(|(cols, rows)| u64::from(cols) * u64::from(rows) == num_cells);
        let (left, top) = layout.corner_of(usize::try_from(num_cells - 1).unwrap_or_default());
        let start = self.picture.offset_of(top, left);
        let num_colours = self.header.kind.channels - usize::from(self.header.kind.has_alpha());
        let is_black = (start..start + num_colours).all(|at| self.picture.samples().get(at) == 0);
        if fills_board && !is_black { 0 } else { num_empty_cells(&self.picture, layout) }
    }

    /// Between which pieces colours were mixed. A sheet may have been a JPEG file before it was saved as it is.
    fn colour_bleeding(&self, layout: &SheetLayout) -> ColourBleeding {
        let of_file = self.chroma_cell_px.map(|cell_px| ColourBleeding::of_jpeg(cell_px, layout));
        let found = || ColourBleeding::find(&self.picture, layout);
        of_file.filter(|bleeding| bleeding.is_any()).unwrap_or_else(found)
    }

    fn cut(
        mut self,
        path: &Path,
        layout: &SheetLayout,
        num_pieces: u64,
        declared: Option<PuzzleFile>,
        options: &InputOptions,
    ) -> Result<PuzzleInput, IoError> {
        let limits = &options.limits;
        let num_pixels = layout.shape.num_pixels() as u64;
        limits.check_pieces(num_pieces, num_pixels).map_err(|problem| problem.at(path))?;
        // Below the limit on pieces, which is a `usize`.
        let count = usize::try_from(num_pieces).unwrap_or_default();
        let kind = self.header.kind;
        let cut = cut_sheet(&self.picture, layout, count).map_err(|error| match error {
            SheetError::OutOfMemory => {
                let bytes_per_pixel = kind.channels as u64 * u64::from(kind.bits / 8);
                Problem::out_of_memory(num_pieces * num_pixels * bytes_per_pixel).at(path)
            }
            other => IoError::bad_value(path, other, "use another sheet"),
        });
        let SheetPieces { pieces, constant_alpha } = cut?;
        check_declared(path, declared.as_ref(), pieces.shape(), pieces.channels(), kind)?;
        let colour_bleeding = self.colour_bleeding(layout);
        if colour_bleeding.is_any() {
            let what = "was compressed after its pieces were laid side by side, which mixed their colours; \
                        colours near their edges are not trusted";
            self.warnings.push(Warning::used(path, what));
        }
        let (sheet, warnings) = (Some(*layout), self.warnings);
        let is_declared = declared.is_some();
        let found = prepared(path, pieces.into(), &[], &options.prepare, is_declared)?;
        let input = found.into_input(constant_alpha);
        Ok(PuzzleInput { declared, sheet, colour_bleeding, warnings, ..input })
    }
}

impl PuzzleInput {
    /// Cuts a sheet in memory as [`read_inputs`](crate::read_inputs) cuts the same picture in a file.
    ///
    /// # Errors
    /// If the picture has more than four channels, its layout cannot be found, or it is beyond the limits.
    pub fn of_sheet(picture: Picture, options: &InputOptions) -> Result<Self, IoError> {
        let path = Path::new("");
        let (width_px, height_px) = (picture.width_px() as u64, picture.height_px() as u64);
        let check = options.limits.check_picture(width_px, height_px);
        check.map_err(|problem| problem.at(path))?;
        let kind = stored_kind(picture.channels(), picture.samples().bits(), None)
            .map_err(|problem| problem.at(path))?;
        // Below the limit on sides, which is a `u32`.
        let px = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let header =
            Header { width_px: px(picture.width_px()), height_px: px(picture.height_px()), kind };
        let sheet = Sheet { header, picture, chroma_cell_px: None, warnings: Vec::new() };
        found_sheet(sheet, path, options)
    }
}

/// Reads a sheet without a puzzle file; its layout is found unless the options give it.
pub(crate) fn read_sheet(
    file: &InputFile,
    warnings: Vec<Warning>,
    options: &InputOptions,
) -> Result<PuzzleInput, IoError> {
    found_sheet(Sheet::read(file, warnings, &options.limits)?, &file.path, options)
}

/// The pieces of a sheet without a puzzle file.
fn found_sheet(
    mut sheet: Sheet,
    path: &Path,
    options: &InputOptions,
) -> Result<PuzzleInput, IoError> {
    let (width_px, height_px) = sheet.header.size();
    let layouts = sheet.layouts(options);
    let standing_out = layouts.first().filter(|candidate| candidate.stands_out);
    let Some(&LayoutCandidate { layout, .. }) = standing_out else {
        let Some(piece) = options.piece else {
            let message = format!(
                "no piece size stands out in this picture of {width_px} x {height_px} pixels: it is \
                 not a sheet of shuffled pieces, or it has too few; give the piece size, or name \
                 the scramble folder that holds its puzzle.json"
            );
            let likely_layouts =
                layouts.iter().take(MAX_OFFERED).map(|candidate| candidate.layout).collect();
            let mut problem = Problem::new(ProblemKind::PieceSizeNeeded, message);
            problem.likely_layouts = likely_layouts;
            return Err(problem.at(path));
        };
        let (columns, rows) = (width_px / piece.width_px(), height_px / piece.height_px());
        let remedy = "give a smaller piece size, or name a larger sheet or a folder of pieces";
        let found = u64::from(columns) * u64::from(rows);
        return Err(Problem::too_few_pieces(found, remedy).at(path));
    };
    let SheetLayout { right_px, bottom_px, left_px, top_px, gap_x_px, gap_y_px, .. } = layout;
    // With a border or gaps, the remaining pixels are the border at the other side.
    let right_px = if left_px + gap_x_px == 0 { right_px } else { 0 };
    let bottom_px = if top_px + gap_y_px == 0 { bottom_px } else { 0 };
    if right_px > 0 || bottom_px > 0 {
        let what = format!(
            "is not a whole number of pieces wide and high; {right_px} px at the right and \
             {bottom_px} px at the bottom were left out"
        );
        sheet.warnings.push(Warning::used(path, what));
    }
    let num_empty = sheet.num_empty_cells(&layout, options);
    if num_empty > 0 {
        let what = format!(
            "{num_empty} cells at the end of the last row have one colour that no other cell has; \
             they were taken as empty"
        );
        sheet.warnings.push(Warning::used(path, what));
    }
    let num_pieces = layout.num_pieces() - u64::from(num_empty);
    sheet.cut(path, &layout, num_pieces, None, options)
}

/// Reads the sheet of a scramble folder, which must be as its puzzle file says.
pub(crate) fn read_declared_sheet(
    file: &InputFile,
    puzzle: PuzzleFile,
    columns: u32,
    options: &InputOptions,
) -> Result<PuzzleInput, IoError> {
    let path = &file.path;
    let shape = puzzle.shape;
    let num_pieces = puzzle.num_pieces as u64;
    let rows = num_pieces.div_ceil(columns.into());
    let sheet = Sheet::read(file, Vec::new(), &options.limits)?;
    let (width_px, height_px) = sheet.header.size();
    // The piece's size and the number of pieces have passed the limits: neither product overflows.
    let expected_width = u64::from(columns) * u64::from(shape.width_px());
    let expected_height = rows * u64::from(shape.height_px());
    if (expected_width, expected_height) != (width_px.into(), height_px.into()) {
        return Err(IoError::bad_value(
            path,
            format!(
                "is {width_px} x {height_px} pixels, but by {PUZZLE_NAME} it should be \
                 {expected_width} x {expected_height}"
            ),
            "restore the sheet that belongs to this puzzle",
        ));
    }
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
    sheet.cut(path, &layout, num_pieces, Some(puzzle), options)
}
