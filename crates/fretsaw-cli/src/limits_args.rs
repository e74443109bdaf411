//! The flags for limits on the size of inputs, each with an environment variable.

use clap::Args as ClapArgs;
use fretsaw_io::Limits;

/// How large inputs may be.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Limits of inputs")]
pub struct LimitsArgs {
    /// The most pixels of a picture, or of all pieces together [default: 268435456]
    #[arg(long, value_name = "N", env = "FRETSAW_MAX_PIXELS", hide_short_help = true)]
    pub max_pixels: Option<u64>,
    /// The most pieces, and cells of a board if there are fewer pieces [default: 200000]
    #[arg(long, value_name = "N", env = "FRETSAW_MAX_PIECES", hide_short_help = true)]
    pub max_pieces: Option<usize>,
}

impl LimitsArgs {
    /// The limits, by default those of the library.
    pub fn limits(&self) -> Limits {
        let usual = Limits::default();
        Limits {
            max_pixels: self.max_pixels.unwrap_or(usual.max_pixels),
            max_pieces: self.max_pieces.unwrap_or(usual.max_pieces),
            ..usual
        }
    }
}
