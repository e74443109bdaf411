//! The flags of `fretsaw inspect`, and the board's size as `fretsaw solve` takes it.

use super::SolveArgs;
use clap::Args as ClapArgs;
use fretsaw_cli::input_args::InputArgs;
use fretsaw_cli::parse::parse_grid;
use std::num::NonZeroU32;

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
