//! Whole pictures in memory: cutting them into pieces and painting assemblies.
//!
//! A [`Tiling`] lays several pictures side by side where one is not large enough. [`cut()`] makes pieces
//! in their true order, [`scramble()`] makes a puzzle and its truth of them,
//! [`render()`] paints an assembly and [`sheet()`] the pieces as handed in. Painting the truth of a
//! scrambled picture gives the picture back, value for value.
//!
//! The `fretsaw-io` crate reads and writes picture files.

mod bridge;
mod colour_bleeding;
mod constant_alpha;
mod corrupt;
mod cut;
mod cut_sheet;
mod light;
mod mix;
mod render;
mod scramble;
mod sheet_layout;
mod sheet_order;
pub mod synthetic;
mod tile;

pub use bridge::bridged;
pub use colour_bleeding::{ColourBleeding, luma_of};
pub use constant_alpha::drop_constant_alpha;
pub use cut::{Crop, Cut, CutError, CutSize, cut};
pub use cut_sheet::{SheetError, SheetPieces, cut_sheet, find_layouts_for_board, num_empty_cells};
pub(crate) use light::num_colours;
pub use light::{EvenLight, Levels};
pub use mix::{MixError, mix};
pub use render::{RenderError, render, sheet};
pub use scramble::{ScrambleError, ScrambleSettings, Scrambled, scramble};
pub use sheet_layout::{LayoutCandidate, SheetHints, SheetLayout, find_layouts, likely_layouts};
pub use sheet_order::SheetOrder;
pub use tile::{Tile, TileError, TileUse, Tiling};

use crate::allocation::try_reserve_exact;
use crate::puzzle::Samples;

/// A picture: rows of pixels with the same channels, 8 or 16 bit.
///
/// Values are stored row by row, pixel by pixel, channel by channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    height_px: usize,
    width_px: usize,
    channels: usize,
    samples: Samples,
}

/// The size of a picture in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureSize {
    /// Rows of pixels.
    pub height_px: usize,
    /// Columns of pixels.
    pub width_px: usize,
}

/// Why values do not form a picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{samples} values do not fill a picture of {width_px} x {height_px} pixels with {channels} channels"
)]
pub struct PictureError {
    /// Values given.
    pub samples: usize,
    /// Columns of pixels.
    pub width_px: usize,
    /// Rows of pixels.
    pub height_px: usize,
    /// Values a pixel.
    pub channels: usize,
}

impl Picture {
    /// A picture of at least one pixel and one channel.
    ///
    /// # Errors
    /// If the number of values is not height x width x channels, or zero.
    pub fn new(
        height_px: usize,
        width_px: usize,
        channels: usize,
        samples: Samples,
    ) -> Result<Self, PictureError> {
        let expected =
            height_px.checked_mul(width_px).and_then(|pixels| pixels.checked_mul(channels));
        if expected != Some(samples.len()) || samples.is_empty() {
            return Err(PictureError { samples: samples.len(), width_px, height_px, channels });
        }
        Ok(Self { height_px, width_px, channels, samples })
    }

    /// Rows of pixels.
    pub const fn height_px(&self) -> usize {
        self.height_px
    }

    /// Columns of pixels.
    pub const fn width_px(&self) -> usize {
        self.width_px
    }

    /// Rows and columns of pixels.
    pub const fn size(&self) -> PictureSize {
        PictureSize { height_px: self.height_px, width_px: self.width_px }
    }

    /// Values a pixel.
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// All values: row by row, pixel by pixel, channel by channel.
    pub const fn samples(&self) -> &Samples {
        &self.samples
    }

    /// The offset in [`samples`](Self::samples) of a pixel's first channel.
    pub const fn offset_of(&self, row: usize, col: usize) -> usize {
        (row * self.width_px + col) * self.channels
    }
}

/// There are too many values for this machine's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OutOfMemory;

/// New values made of `num_runs` runs of `run_len` values each: for every start a copy of the
/// run that begins there, for every `None` a run of zeros.
fn gather(
    samples: &Samples,
    run_len: usize,
    num_runs: usize,
    starts: impl Iterator<Item = Option<usize>>,
) -> Result<Samples, OutOfMemory> {
    fn gather_values<T: Copy + Default>(
        values: &[T],
        run_len: usize,
        num_runs: usize,
        starts: impl Iterator<Item = Option<usize>>,
    ) -> Result<Vec<T>, OutOfMemory> {
        let len = run_len.checked_mul(num_runs).ok_or(OutOfMemory)?;
        let mut gathered = Vec::new();
        try_reserve_exact(&mut gathered, len).map_err(|_| OutOfMemory)?;
        for start in starts {
            match start {
                Some(start) => gathered.extend_from_slice(&values[start..start + run_len]),
                None => gathered.resize(gathered.len() + run_len, T::default()),
            }
        }
        Ok(gathered)
    }
    Ok(match samples {
        Samples::U8(values) => Samples::U8(gather_values(values, run_len, num_runs, starts)?),
        Samples::U16(values) => Samples::U16(gather_values(values, run_len, num_runs, starts)?),
    })
}
