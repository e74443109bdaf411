//! From pictures of pieces as people have them to equal pieces whose edges are the picture's.
//!
//! [`find_preparation`] looks at the pictures of a puzzle: a plain background around tiles and small tilts
//! (`background`), sizes that differ by a little (`sizes`), dirt along the edges (`edge_dirt`). What it finds is a
//! [`Preparation`]: a [`Window`] in every picture, and one size that all of them are brought to. Applying it gives
//! the pieces to solve. What is cut off becomes a gap between pieces, which the matcher for worn pieces bridges.
//!
//! Pieces that were cut cleanly need none, and stay as they are.

mod background;
mod contact_sheet;
mod edge_dirt;
mod raw_pieces;
mod sizes;
mod tile_edges;
mod window;

pub use contact_sheet::contact_sheet;
pub use edge_dirt::EdgeDirt;
pub use raw_pieces::{RawPieces, RawPiecesError};
pub use window::Window;

use crate::puzzle::{PieceSet, PieceSetError, PieceShape, Samples};
use std::fmt;

/// What to cut off the edges of pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trim {
    /// A plain background, and dirt to the depth where the picture begins.
    #[default]
    Auto,
    /// So many lines of pixels, and no background.
    Px(u32),
}

/// What is done to the pictures of pieces before they are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Preparation {
    shape: PieceShape,
    windows: Vec<Window>,
    done: Done,
}

/// What was done, for messages. It does not matter when a preparation is applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Whether a background around the tiles was cut away.
    pub background: bool,
    /// Whether pictures of different sizes were brought to one.
    pub sizes: bool,
    /// Lines cut off every edge because of dirt.
    pub trimmed_px: u32,
}

/// Why pieces cannot be prepared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PreparationError {
    /// Sizes differ by more than a few pixels.
    #[error("the pieces have {num_sizes} sizes, which differ by more than {most_percent} %")]
    Sizes {
        /// Different sizes.
        num_sizes: usize,
        /// By how much they may differ.
        most_percent: u32,
    },
    /// Trimming leaves nothing.
    #[error(
        "{trim_px} px less at every side leave nothing of pieces of {width_px} x {height_px} px"
    )]
    NothingLeft {
        /// Lines to cut off.
        trim_px: u32,
        /// Columns of pixels before.
        width_px: u32,
        /// Rows of pixels before.
        height_px: u32,
    },
    /// Windows for another number of pieces.
    #[error("the preparation is of {expected} pieces, but there are {found}")]
    Count {
        /// Windows.
        expected: usize,
        /// Pieces.
        found: usize,
    },
    /// A window is impossible.
    #[error("the window of piece {piece} is impossible")]
    Window {
        /// The piece's number, from 0.
        piece: usize,
    },
    /// The pieces cannot be built.
    #[error(transparent)]
    Pieces(#[from] PieceSetError),
}

/// Finds what to do to these pieces; `None` if they can stay as they are.
///
/// # Errors
/// If their sizes differ by too much, or nothing would be left of them.
pub fn find_preparation(
    raw: &RawPieces,
    trim: Trim,
) -> Result<Option<Preparation>, PreparationError> {
    let on_background = match trim {
        Trim::Auto => background::find(raw),
        Trim::Px(_) => None,
    };
    let background = on_background.is_some();
    let windows = on_background.unwrap_or_else(|| raw.sizes().iter().map(whole_picture).collect());
    let sizes = raw.shape().is_none();
    let mut found = Preparation {
        shape: sizes::common(&windows)?,
        windows,
        done: Done { background, sizes, trimmed_px: 0 },
    };
    let is_changed = background || sizes;
    let depth_px = match trim {
        Trim::Px(px) => px,
        Trim::Auto => {
            let seen = is_changed.then(|| found.apply(raw)).transpose()?.map(RawPieces::from);
            let dirt = EdgeDirt::find(seen.as_ref().unwrap_or(raw));
            u32::try_from(dirt.depth_px).unwrap_or(u32::MAX)
        }
    };
    if depth_px > 0 {
        found = found.trimmed(depth_px)?;
    }
    Ok((is_changed || depth_px > 0).then_some(found))
}

/// What lies on the edges of pieces of one size.
pub fn edge_dirt(raw: &RawPieces) -> EdgeDirt {
    EdgeDirt::find(raw)
}

fn whole_picture(size: &crate::picture::PictureSize) -> Window {
    Window {
        left_px: 0.0,
        top_px: 0.0,
        width_px: size.width_px as f64,
        height_px: size.height_px as f64,
        tilt_degrees: 0.0,
    }
}

impl Preparation {
    /// What was recorded of an earlier preparation: the size of the prepared pieces, and the window of each.
    ///
    /// # Errors
    /// If a window is impossible.
    pub fn new(
        shape: PieceShape,
        windows: Vec<Window>,
        done: Done,
    ) -> Result<Self, PreparationError> {
        match windows.iter().position(|window| !window.is_possible()) {
            Some(piece) => Err(PreparationError::Window { piece }),
            None => Ok(Self { shape, windows, done }),
        }
    }

    /// The size of the prepared pieces.
    pub const fn shape(&self) -> PieceShape {
        self.shape
    }

    /// The part of each picture that is its piece, in order.
    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// What was done, for messages.
    pub const fn done(&self) -> Done {
        self.done
    }

    /// The same with so many pixels less at every side of the prepared pieces.
    fn trimmed(self, depth_px: u32) -> Result<Self, PreparationError> {
        let (height_px, width_px) = (self.shape.height_px(), self.shape.width_px());
        let lost_px = depth_px.saturating_mul(2);
        if lost_px >= height_px.min(width_px) {
            return Err(PreparationError::NothingLeft { trim_px: depth_px, width_px, height_px });
        }
        let windows = self.windows.iter().map(|window| {
            let across_px = f64::from(depth_px) * window.width_px / f64::from(width_px);
            let down_px = f64::from(depth_px) * window.height_px / f64::from(height_px);
            window.shrunk(across_px, down_px)
        });
        Ok(Self {
            shape: PieceShape::new(height_px - lost_px, width_px - lost_px)?,
            windows: windows.collect(),
            done: Done { trimmed_px: depth_px, ..self.done },
        })
    }

    /// The prepared pieces.
    ///
    /// # Errors
    /// If it is of another number of pieces.
    pub fn apply(&self, raw: &RawPieces) -> Result<PieceSet, PreparationError> {
        let (expected, found) = (self.windows.len(), raw.num_pieces());
        if expected != found {
            return Err(PreparationError::Count { expected, found });
        }
        let len = found * self.shape.num_pixels() * raw.channels();
        let mut samples = match raw.samples() {
            Samples::U8(_) => Samples::U8(Vec::with_capacity(len)),
            Samples::U16(_) => Samples::U16(Vec::with_capacity(len)),
        };
        for (piece, window) in self.windows.iter().enumerate() {
            window.append(raw, piece, self.shape, &mut samples);
        }
        Ok(PieceSet::new(self.shape, raw.channels(), samples)?)
    }
}

impl fmt::Display for Preparation {
    /// What was done, in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Done { background, sizes, trimmed_px } = self.done;
        let mut words = Vec::new();
        if background {
            let tilt = self.windows.iter().map(|it| it.tilt_degrees.abs()).fold(0.0, f64::max);
            words.push(format!(
                "the background around {} pieces was cut away, and tilts of up to {tilt:.1} degrees were straightened",
                self.windows.len()
            ));
        }
        if sizes || background {
            let extent = |of: fn(&Window) -> f64| {
                // Before they were trimmed.
                let all = || self.windows.iter().map(|it| of(it) + 2.0 * f64::from(trimmed_px));
                (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max))
            };
            let (least_w, most_w) = extent(|window| window.width_px);
            let (least_h, most_h) = extent(|window| window.height_px);
            words.push(format!(
                "pieces of {least_w:.0} to {most_w:.0} px by {least_h:.0} to {most_h:.0} px were brought to one size"
            ));
        }
        if trimmed_px > 0 {
            words.push(format!("{trimmed_px} px were trimmed off every edge"));
        }
        let (width_px, height_px) = (self.shape.width_px(), self.shape.height_px());
        write!(f, "{}; the pieces now have {width_px} x {height_px} px", words.join("; "))
    }
}

#[cfg(test)]
mod tests;
