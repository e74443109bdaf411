//! `puzzle.json`: the known properties of a scrambled puzzle.

use crate::json::{self, ObjectWriter};
use crate::limits::read_bytes;
use crate::{IoError, Limits, Problem};
use fretsaw::puzzle::{Grid, PieceSet, PieceShape, PuzzleType};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;

/// The `format` field of a puzzle file.
pub const PUZZLE_FORMAT: &str = "fretsaw-puzzle/1";

/// How the pieces of a scramble folder are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// One file each: `pieces/000000.png` and so on.
    Folder,
    /// All in `sheet.png`, in order, row by row, with this many pieces a row.
    Sheet(u32),
}

impl Layout {
    /// A sheet of these pieces that is about square.
    pub fn square_sheet(pieces: &PieceSet) -> Self {
        let num_pieces = num_in(pieces);
        let side = num_pieces.isqrt();
        Self::Sheet(if side * side == num_pieces { side } else { side + 1 })
    }
}

/// The number of pieces, which is at most a million.
pub(crate) fn num_in(pieces: &PieceSet) -> u32 {
    u32::try_from(pieces.num_pieces()).unwrap_or(u32::MAX)
}

/// The contents of `puzzle.json`. Nothing in it is derived from the truth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleFile {
    /// The type, which determines the unknowns.
    pub puzzle_type: PuzzleType,
    /// The size of every piece.
    pub shape: PieceShape,
    /// Values a pixel, 1 to 4.
    pub channels: usize,
    /// Bits a value, 8 or 16.
    pub bits: u8,
    /// How many pieces there are.
    pub num_pieces: usize,
    /// The size of the board, unless it is hidden. It may have more cells than there are pieces.
    pub grid: Option<Grid>,
    /// How the pieces are stored.
    pub layout: Layout,
}

#[derive(Serialize, Deserialize)]
struct PieceRecord {
    width: u64,
    height: u64,
}

#[derive(Deserialize)]
struct PuzzleRecord {
    r#type: u64,
    piece: PieceRecord,
    channels: u64,
    bits: u64,
    pieces: u64,
    rows: Option<u64>,
    cols: Option<u64>,
    layout: Layout,
}

/// Reads a `puzzle.json`.
///
/// # Errors
/// If it cannot be read, is malformed, contradicts itself or is beyond the limits.
pub fn read_puzzle(path: &Path, limits: &Limits) -> Result<PuzzleFile, IoError> {
    // It is opened because it lies in a folder, not because somebody named it: a pipe there would block for ever.
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return Err(Problem::wrong_kind("a pipe or device", "a file").at(path));
    }
    parse_puzzle(path, &read_bytes(path, limits.max_json_bytes)?, limits)
}

/// Reads a `puzzle.json` from memory. The path is for messages.
pub fn parse_puzzle(path: &Path, bytes: &[u8], limits: &Limits) -> Result<PuzzleFile, IoError> {
    let record: PuzzleRecord = json::parse(path, bytes, PUZZLE_FORMAT)?;
    let bad = |what: String, remedy| IoError::bad_value(path, what, remedy);
    let PieceRecord { width, height } = record.piece;
    limits
        .check_picture(width, height)
        .and_then(|()| limits.check_pieces(record.pieces, width * height))
        .map_err(|problem| problem.at(path))?;
    let shape = u32::try_from(height)
        .ok()
        .zip(u32::try_from(width).ok())
        .and_then(|(height, width)| PieceShape::new(height, width).ok())
        .ok_or_else(|| {
            bad(format!("pieces of {width} x {height} pixels are empty"), "correct \"piece\"")
        })?;
    if record.pieces < 2 {
        let remedy = "scramble a larger picture, or cut smaller pieces";
        return Err(Problem::too_few_pieces(record.pieces, remedy).at(path));
    }
    if !(1..=4).contains(&record.channels) || !matches!(record.bits, 8 | 16) {
        return Err(bad(
            format!("{} channels of {} bits are not possible", record.channels, record.bits),
            "give 1 to 4 channels of 8 or 16 bits",
        ));
    }
    let grid = match (record.rows, record.cols) {
        (None, None) => None,
        (Some(rows), Some(cols)) => {
            let grid = Grid::new(rows, cols)
                .map_err(|cause| bad(cause.to_string(), "correct rows and cols"))?;
            if (grid.num_cells() as u64) < record.pieces {
                return Err(bad(
                    format!(
                        "{} pieces do not fit a board of {rows} rows and {cols} columns",
                        record.pieces
                    ),
                    "correct pieces, or rows and cols, or leave rows and cols out",
                ));
            }
            let num_pieces = usize::try_from(record.pieces).unwrap_or(usize::MAX);
            limits
                .check_cells(1, grid.num_cells() as u64, num_pieces)
                .map_err(|problem| problem.at(path))?;
            Some(grid)
        }
        _ => return Err(bad("only one of rows and cols is given".into(), "give both or none")),
    };
    if record.layout == Layout::Sheet(0) {
        return Err(bad("a sheet of 0 columns is empty".into(), "correct \"layout\""));
    }
    // In range: all were checked above.
    Ok(PuzzleFile {
        puzzle_type: puzzle_type(path, record.r#type)?,
        shape,
        channels: usize::try_from(record.channels).unwrap_or_default(),
        bits: u8::try_from(record.bits).unwrap_or_default(),
        num_pieces: usize::try_from(record.pieces).unwrap_or_default(),
        grid,
        layout: record.layout,
    })
}

pub(crate) fn puzzle_type(path: &Path, number: u64) -> Result<PuzzleType, IoError> {
    let is_it = |puzzle_type: &PuzzleType| u64::from(puzzle_type.number()) == number;
    PuzzleType::ALL.into_iter().find(is_it).ok_or_else(|| {
        let what = format!("{number} is no type of puzzle");
        IoError::bad_value(path, what, "type must be 1, 2 or 3")
    })
}

impl PuzzleFile {
    pub(crate) fn write_to(&self, file: &mut impl Write) -> io::Result<()> {
        let mut object = ObjectWriter::new(file);
        object.field("format", PUZZLE_FORMAT)?;
        object.field("type", &self.puzzle_type.number())?;
        object.field(
            "piece",
            &PieceRecord {
                width: self.shape.width_px().into(),
                height: self.shape.height_px().into(),
            },
        )?;
        object.field("channels", &self.channels)?;
        object.field("bits", &self.bits)?;
        object.field("pieces", &self.num_pieces)?;
        object.optional("rows", self.grid.map(Grid::rows).as_ref())?;
        object.optional("cols", self.grid.map(Grid::cols).as_ref())?;
        object.field("layout", &self.layout)?;
        object.finish()
    }
}
