//! The flags of what reads a puzzle.

use super::{SolveArgs, parse_grid, parse_piece};
use clap::Args as ClapArgs;
use fretsaw::puzzle::PieceShape;
use fretsaw_io::{InputOptions, Limits};
use std::num::NonZeroU32;
use std::path::PathBuf;

/// Where the pieces are, and how large.
#[derive(Debug, ClapArgs)]
pub(crate) struct InputArgs {
    /// A scramble folder, a folder of piece images, several piece images, a sheet, or a zip archive
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) paths: Vec<PathBuf>,
    /// Size of the pieces in pixels: 28, or 40x25 for width x height. Of pictures of several sizes it
    /// chooses one; of a sheet it is found by default
    #[arg(long, value_name = "SIZE", value_parser = parse_piece)]
    pub(crate) piece: Option<PieceShape>,
    /// Pixels between the pieces of a sheet; found by default
    #[arg(long, value_name = "PIXELS")]
    pub(crate) gap: Option<u32>,
    /// Pixels around the pieces of a sheet; found by default
    #[arg(long, value_name = "PIXELS")]
    pub(crate) border: Option<u32>,
}

impl InputArgs {
    /// How to read the input, with the number of columns and rows that is known of the puzzle.
    pub(crate) fn options(&self, columns: Option<u64>, rows: Option<u64>) -> InputOptions {
        // A board of more than that is refused wherever it is used.
        let limit = |number: Option<u64>| number.and_then(|number| u32::try_from(number).ok());
        InputOptions {
            piece: self.piece,
            columns: limit(columns),
            rows: limit(rows),
            gap_px: self.gap,
            border_px: self.border,
            limits: Limits::default(),
        }
    }
}

impl SolveArgs {
    /// Rows and columns of the solved picture, as far as they are given.
    pub(crate) fn rows_and_cols(&self) -> (Option<u64>, Option<u64>) {
        match self.grid {
            Some((cols, rows)) => (Some(u32::from(rows).into()), Some(u32::from(cols).into())),
            None => (self.rows, self.cols),
        }
    }
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw inspect sheet.png
  fretsaw inspect pieces.zip --json

Of a sheet it lists the sizes that its pieces may have, the likeliest first. The score says by how many
standard deviations the seams of that size stand out; 'solve' takes the first unless --piece is given.")]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Columns and rows of pieces on the sheet
    #[arg(long, value_name = "COLUMNSxROWS", value_parser = parse_grid)]
    pub(crate) grid: Option<(NonZeroU32, NonZeroU32)>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
