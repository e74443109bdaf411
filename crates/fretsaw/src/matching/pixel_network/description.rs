//! The inputs of the encoder: the pixels below a side, finer near the side and coarser deep in the piece.

use crate::dissimilarity::{OPPONENT_CHANNELS, OpponentPixels};
use crate::linalg::single;
use crate::puzzle::{SideId, TurnSet};

/// The first lines of the slots by depth, and the end of the last: single lines, then bands.
const EDGES: [usize; 15] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64];
const SLOTS: usize = EDGES.len() - 1;
/// From this slot on they are bands, of which the least and the largest grey count too.
const FIRST_BAND: usize = 8;
const BANDS: usize = SLOTS - FIRST_BAND;

/// Values per pixel along the side.
pub(super) const ALONG: usize = OPPONENT_CHANNELS * SLOTS + 2 * BANDS;
/// Values that are the same along the side: which slots exist, orientation, length.
pub(super) const CONSTANTS: usize = SLOTS + 5 + 1;
/// The most values of the profile by depth.
pub(super) const PROFILE: usize = 64;

/// What the encoder sees of a side.
pub(super) struct Description {
    /// Per pixel along the side, clockwise, [`ALONG`] values.
    pub(super) along: Vec<f32>,
    pub(super) constants: [f32; CONSTANTS],
    /// The profile by depth: the mean grey of a line, or of some lines of a deep piece.
    pub(super) levels: Vec<f32>,
    /// By depth, the standard deviation of grey of the same lines.
    pub(super) contrasts: Vec<f32>,
}

impl Description {
    pub(super) fn new(pieces: &OpponentPixels, side: SideId, turns: TurnSet) -> Self {
        let shape = pieces.shape;
        let length = shape.side_length_px(side.side());
        let depth = shape.num_pixels() / length;
        let pixel = |line: usize, at: usize| {
            let (row, col) = shape.pixel_at_side(side.side(), line, at);
            pieces.pixel(side.piece(), row, col)
        };
        let mut along = Vec::with_capacity(length * ALONG);
        for at in 0..length {
            let start = along.len();
            along.resize(start + ALONG, 0.0);
            let (means, extremes) = along[start..].split_at_mut(OPPONENT_CHANNELS * SLOTS);
            let (least, most) = extremes.split_at_mut(BANDS);
            for (slot, mean) in means.chunks_exact_mut(OPPONENT_CHANNELS).enumerate() {
                let lines = EDGES[slot]..EDGES[slot + 1].min(depth);
                if lines.is_empty() {
                    continue;
                }
                let count = lines.len() as f32;
                let mut extreme = (f32::INFINITY, f32::NEG_INFINITY);
                for pixel in lines.map(|line| pixel(line, at)) {
                    for (sum, value) in mean.iter_mut().zip(pixel) {
                        *sum += value;
                    }
                    extreme = (extreme.0.min(pixel[0]), extreme.1.max(pixel[0]));
                }
                mean.iter_mut().for_each(|sum| *sum /= count);
                if let Some(band) = slot.checked_sub(FIRST_BAND) {
                    (least[band], most[band]) = extreme;
                }
            }
        }
        let mut constants = [0.0; CONSTANTS];
        for (exists, &edge) in constants.iter_mut().zip(&EDGES[..SLOTS]) {
            *exists = f32::from(u8::from(edge < depth));
        }
        let orientation = if turns == TurnSet::None { side.side().index() } else { 4 };
        constants[SLOTS + orientation] = 1.0;
        constants[CONSTANTS - 1] = single((length as f64 / 28.0).log2());
        // Lines of text lie further apart than PROFILE lines in a large piece.
        let lines_per_value = depth.div_ceil(PROFILE);
        let (levels, contrasts) = (0..depth / lines_per_value)
            .map(|value| {
                let lines = value * lines_per_value..(value + 1) * lines_per_value;
                let greys = || {
                    let all = lines.clone().flat_map(|line| (0..length).map(move |at| (line, at)));
                    all.map(|(line, at)| f64::from(pixel(line, at)[0]))
                };
                let count = (lines_per_value * length) as f64;
                let mean = greys().sum::<f64>() / count;
                let variance = greys().map(|grey| (grey - mean).powi(2)).sum::<f64>() / count;
                (single(mean), single(variance.sqrt()))
            })
            .unzip();
        Self { along, constants, levels, contrasts }
    }
}
