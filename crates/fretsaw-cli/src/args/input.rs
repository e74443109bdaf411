//! The flags of `fretsaw inspect`.

use clap::Args as ClapArgs;
use fretsaw_cli::input_args::InputArgs;
use fretsaw_cli::parse::parse_grid;
use std::num::NonZeroU32;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw inspect sheet.png
  fretsaw inspect pieces.zip --json

For a sheet it lists the possible piece sizes, the likeliest first. The score is the number of standard deviations by \
which the seams of that size stand out. 'fretsaw solve' uses the first size unless --piece is given.")]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Columns and rows of pieces on the sheet
    #[arg(long, value_name = "COLSxROWS", value_parser = parse_grid)]
    pub(crate) grid: Option<(NonZeroU32, NonZeroU32)>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}
