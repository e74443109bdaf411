//! The flags of `fretsaw bench reference`.

use super::answers::PuzzlesArgs;
use clap::Args as ClapArgs;

#[derive(Debug, ClapArgs)]
#[command(after_help = "Examples:
  fretsaw bench reference --data sets --sets mit-432,mcgill-540
  fretsaw bench reference --data sets --sets mit-432 --scale 0.25 --quality 50 --foreign 5 --hide-size

Every picture, scaled and compressed, is the reference for its own pieces. 'direct', 'neighbor' and
'neighbor_px' are means in percent; the rest but the seconds are counts: of boards that are perfect by
pixels, of boards whose size is right, of foreign pieces and of the pictures' own that were left out.
--efforts changes nothing.")]
pub(crate) struct BenchReferenceArgs {
    #[command(flatten)]
    pub(crate) puzzles: PuzzlesArgs,
    /// The reference's size against the picture's
    #[arg(long, value_name = "FACTOR", default_value_t = 0.5)]
    pub(crate) scale: f64,
    /// The quality of its JPEG compression
    #[arg(long, value_name = "QUALITY", default_value_t = 75, value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) quality: u8,
    /// Mix in so many pieces of another picture of the set
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) foreign: usize,
    /// Do not say how many rows and columns the picture has
    #[arg(long)]
    pub(crate) hide_size: bool,
}
