//! Scramble folders: a puzzle, its pieces and its truth.

use crate::picture_file::{encode_picture, pixel_bytes, stored_kind};
use crate::picture_format::{PixelKind, Pixels};
use crate::puzzle_file::num_in;
use crate::{IoError, Layout, PictureFormat, Problem, PuzzleFile, TruthFile, atomic};
use fretsaw::picture::{Picture, sheet};
use fretsaw::puzzle::{Grid, PieceSet, PuzzleType};
use std::fmt::Display;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

pub(crate) const PUZZLE_NAME: &str = "puzzle.json";
pub(crate) const PIECES_NAME: &str = "pieces";
pub(crate) const SHEET_NAME: &str = "sheet.png";
/// The name of the truth file in a scramble folder. It is only written here, and never read.
const TRUTH_NAME: &str = "truth.json";

/// The contents of a scramble folder.
#[derive(Clone, Copy, Debug)]
pub struct Scramble<'a> {
    /// The pieces in the order in which they are stored.
    pub pieces: &'a PieceSet,
    /// The type, which determines the unknowns.
    pub puzzle_type: PuzzleType,
    /// The size of the board; `None` hides it.
    pub grid: Option<Grid>,
    /// How to store the pieces.
    pub layout: Layout,
    /// The alpha of every pixel, if it was dropped from the picture: see
    /// [`ReadPicture`](crate::ReadPicture). It is stored with the pieces.
    pub constant_alpha: Option<u16>,
    /// Where the pieces belong.
    pub truth: &'a TruthFile,
}

/// Writes a scramble folder: `puzzle.json`, the pieces and `truth.json`. It appears whole or not at
/// all. Returns the content of `puzzle.json`.
///
/// # Errors
/// If the folder exists and is not empty, if the pieces cannot be stored as pictures or do not
/// agree with the truth or the board, or if something cannot be written.
pub fn write_scramble(dir: &Path, scramble: &Scramble<'_>) -> Result<PuzzleFile, IoError> {
    let (puzzle, kind) = described(dir, scramble)?;
    atomic::write_folder(dir, PUZZLE_NAME, |stage| {
        match puzzle.layout {
            Layout::Folder => write_pieces(&stage.join(PIECES_NAME), scramble, kind)?,
            Layout::Sheet(columns) => {
                write_sheet(&stage.join(SHEET_NAME), scramble, columns as usize)?;
            }
        }
        atomic::write_new_file(&stage.join(TRUTH_NAME), |file| {
            Ok(scramble.truth.write_to(file)?)
        })?;
        atomic::write_new_file(&stage.join(PUZZLE_NAME), |file| Ok(puzzle.write_to(file)?))
    })?;
    Ok(puzzle)
}

/// A zip archive of a scramble folder for someone who is to solve it: `puzzle.json` and the pieces on a sheet, without
/// the truth. The path is for messages.
///
/// # Errors
/// As [`write_scramble`], except errors of writing.
pub fn encode_scramble(path: &Path, scramble: &Scramble<'_>) -> Result<Vec<u8>, IoError> {
    let (puzzle, _) = described(path, scramble)?;
    let columns = match puzzle.layout {
        Layout::Sheet(columns) => columns,
        Layout::Folder => {
            return Err(
                Problem::usage("is an archive, which holds a sheet; ask for a sheet").at(path)
            );
        }
    };
    let not_encoded = |cause: &dyn Display| Problem::not_encoded(cause).at(path);
    let mut document = Vec::new();
    puzzle.write_to(&mut document).map_err(|cause| not_encoded(&cause))?;
    let picture = whole_sheet(path, scramble, columns as usize)?;
    let picture = encode_picture(PictureFormat::Png, &picture, scramble.constant_alpha)
        .map_err(|problem| problem.at(path))?;
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    // Pictures are compressed already.
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, content) in [(PUZZLE_NAME, document), (SHEET_NAME, picture)] {
        archive.start_file(name, stored).map_err(|cause| not_encoded(&cause))?;
        archive.write_all(&content).map_err(|cause| not_encoded(&cause))?;
    }
    let file = archive.finish().map_err(|cause| not_encoded(&cause))?;
    Ok(file.into_inner())
}

/// The puzzle file of a scramble, and how its pieces are stored.
fn described(path: &Path, scramble: &Scramble<'_>) -> Result<(PuzzleFile, PixelKind), IoError> {
    let &Scramble { pieces, grid, truth, .. } = scramble;
    let bits = pieces.samples().bits();
    let kind = stored_kind(pieces.channels(), bits, scramble.constant_alpha)
        .map_err(|problem| problem.at(path))?;
    let num_pieces = pieces.num_pieces();
    let bad = |what, remedy| Err(IoError::bad_value(path, what, remedy));
    let num_true = truth.truth.assembly().num_pieces();
    if num_true != num_pieces {
        return bad(
            format!("the truth is about {num_true} pieces, but there are {num_pieces}"),
            "pass the truth of these pieces",
        );
    }
    if let Some(grid) = grid.filter(|grid| grid.num_cells() < num_pieces) {
        return bad(
            format!(
                "{num_pieces} pieces do not fit a board of {} rows and {} columns",
                grid.rows(),
                grid.cols()
            ),
            "pass the size of the board they were cut from",
        );
    }
    if num_pieces < 2 {
        let remedy = "cut smaller pieces, or use a larger picture";
        return Err(Problem::too_few_pieces(num_pieces as u64, remedy).at(path));
    }
    let layout = match scramble.layout {
        Layout::Sheet(columns) => Layout::Sheet(columns.clamp(1, num_in(pieces))),
        Layout::Folder => Layout::Folder,
    };
    let puzzle = PuzzleFile {
        puzzle_type: scramble.puzzle_type,
        shape: pieces.shape(),
        channels: pieces.channels(),
        bits,
        num_pieces,
        grid,
        layout,
    };
    Ok((puzzle, kind))
}

fn write_pieces(dir: &Path, scramble: &Scramble<'_>, kind: PixelKind) -> Result<(), IoError> {
    let pieces = scramble.pieces;
    fs::create_dir(dir).map_err(|cause| Problem::not_written(cause).at(dir))?;
    for piece in pieces.ids() {
        let start = pieces.offset_of(piece, 0, 0);
        let range = start..start + pieces.samples_per_piece();
        let pixels = Pixels {
            bytes: pixel_bytes(pieces.samples(), range, pieces.channels(), scramble.constant_alpha),
            width_px: pieces.shape().width_px(),
            height_px: pieces.shape().height_px(),
            kind,
        };
        atomic::write_new_file(&dir.join(format!("{:06}.png", piece.index())), |file| {
            PictureFormat::Png.encode(file, &pixels)
        })?;
    }
    Ok(())
}

fn write_sheet(path: &Path, scramble: &Scramble<'_>, columns: usize) -> Result<(), IoError> {
    let picture = whole_sheet(path, scramble, columns)?;
    let pixels = Pixels::new(&picture, scramble.constant_alpha, PictureFormat::Png)
        .map_err(|problem| problem.at(path))?;
    atomic::write_new_file(path, |file| PictureFormat::Png.encode(file, &pixels))
}

/// All pieces side by side.
fn whole_sheet(path: &Path, scramble: &Scramble<'_>, columns: usize) -> Result<Picture, IoError> {
    let bytes = scramble.pieces.samples().len() as u64;
    sheet(scramble.pieces, columns).map_err(|_| Problem::out_of_memory(bytes).at(path))
}
