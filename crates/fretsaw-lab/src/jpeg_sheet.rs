//! Puzzles whose pieces lay on a sheet that was saved as a JPEG file.

use crate::jpeg_file::jpeg_file;
use crate::picture_changes::in_8_bits;
use fretsaw::Puzzle;
use fretsaw::picture::sheet;
use fretsaw::puzzle::{Grid, PieceSet};
use fretsaw_io::{InputOptions, PuzzleInput, read_files};

/// Lays the pieces on a sheet of the board's columns, saves it as a JPEG file of this quality with chroma for cells of
/// 2 x 2 pixels (4:2:0), and reads it as the program `fretsaw` does. `None` if plain pieces were taken as empty cells.
fn read_from_jpeg_sheet(
    pieces: &PieceSet,
    grid: Grid,
    quality: u8,
) -> anyhow::Result<Option<PuzzleInput>> {
    let (columns, rows) = (grid.cols(), grid.rows());
    let sheet = in_8_bits(&sheet(pieces, columns as usize)?);
    let options = InputOptions {
        piece: Some(pieces.shape()),
        columns: Some(columns),
        rows: Some(rows),
        ..InputOptions::default()
    };
    let read = read_files(vec![("sheet.jpg".into(), jpeg_file(&sheet, quality)?)], &options)?;
    Ok((read.pieces.num_pieces() == pieces.num_pieces()).then_some(read))
}

/// The puzzle of these pieces after their sheet was saved as a JPEG file of this quality, if it was; `None` if plain
/// pieces of the file were taken as empty cells.
pub(crate) fn puzzle_from_sheet(
    pieces: PieceSet,
    grid: Grid,
    sheet_jpeg: Option<u8>,
) -> anyhow::Result<Option<Puzzle>> {
    let Some(quality) = sheet_jpeg else { return Ok(Some(Puzzle::new(pieces))) };
    let read = read_from_jpeg_sheet(&pieces, grid, quality)?;
    Ok(read.map(|read| Puzzle::new(read.pieces).colours_bleed(read.colour_bleeding.is_any())))
}
