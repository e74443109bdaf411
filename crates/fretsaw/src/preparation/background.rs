//! Tiles that lie on a plain background, perhaps a little askew.
//!
//! It is cut away only if nearly all pictures of a puzzle show a rectangle of about the same size on about the same
//! colour. No picture that was cut into pieces does.

use super::raw_pieces::RawPieces;
use super::tile_edges::TileEdges;
use super::window::Window;
use crate::linalg::median;
use rayon::prelude::*;

/// The share of pieces that must show a tile on a background.
const MIN_SHARE: f64 = 0.9;
/// The fewest pieces that tell.
const MIN_PIECES: usize = 4;
/// Backgrounds of one puzzle differ by at most so many levels.
const MOST_COLOUR_DIFFERENCE: f64 = 48.0;
/// A tile may be so much larger or smaller than the others.
const MOST_SIZE_DIFFERENCE: f64 = 0.03;
/// Margins up to this, in pixels, without a tilt are dirt along the edges, which is cut off all pieces alike.
const MOST_DIRT_PX: f64 = 3.0;
/// Tilts below this, in degrees, are none.
const MIN_TILT: f64 = 0.2;

/// The window of each tile, if tiles lie on a background.
pub(super) fn find(raw: &RawPieces) -> Option<Vec<Window>> {
    let num_pieces = raw.num_pieces();
    if num_pieces < MIN_PIECES {
        return None;
    }
    // Most puzzles are told by a few of their pieces.
    let num_tried = num_pieces.min(32);
    let is_tile = |at: usize| TileEdges::find(raw, at * num_pieces / num_tried).is_some();
    let num_tiles = (0..num_tried).into_par_iter().filter(|&at| is_tile(at)).count();
    if (num_tiles as f64) < 0.75 * num_tried as f64 {
        return None;
    }
    let tiles: Vec<Option<TileEdges>> =
        (0..num_pieces).into_par_iter().map(|piece| TileEdges::find(raw, piece)).collect();
    let typical = Typical::of(&tiles)?;
    let found: Vec<Option<TileEdges>> = tiles
        .into_iter()
        .map(|tile| tile.filter(|tile| typical.has_colour(tile)).and_then(|it| typical.mended(it)))
        .collect();
    let num_found = found.iter().flatten().count();
    if (num_found as f64) < MIN_SHARE * num_pieces as f64 {
        return None;
    }
    let windows = found.iter().enumerate().map(|(piece, tile)| {
        let size = raw.sizes()[piece];
        let centre = [size.width_px as f64 / 2.0, size.height_px as f64 / 2.0];
        typical.window(tile.as_ref(), centre)
    });
    let windows: Vec<Window> = windows.collect();
    is_more_than_dirt(raw, &windows).then_some(windows)
}

/// What the tiles of a puzzle have in common.
struct Typical {
    width_px: f64,
    height_px: f64,
    colour: Vec<f64>,
}

impl Typical {
    fn of(tiles: &[Option<TileEdges>]) -> Option<Self> {
        let tiles: Vec<&TileEdges> = tiles.iter().flatten().collect();
        let channels = tiles.first()?.background.len();
        let lengths = |low: usize, high: usize| -> Vec<f64> {
            let length = |tile: &&TileEdges| Some(tile.edges[high]?.0 - tile.edges[low]?.0);
            tiles.iter().filter_map(length).filter(|px| *px > 0.0).collect()
        };
        let (widths, heights) = (lengths(3, 1), lengths(0, 2));
        if widths.len().min(heights.len()) < tiles.len().div_ceil(2) {
            return None;
        }
        let middle =
            |channel: usize| median(tiles.iter().map(|it| it.background[channel]).collect());
        Some(Self {
            width_px: median(widths),
            height_px: median(heights),
            colour: (0..channels).map(middle).collect(),
        })
    }

    fn has_colour(&self, tile: &TileEdges) -> bool {
        let pairs = self.colour.iter().zip(&tile.background);
        pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) <= MOST_COLOUR_DIFFERENCE
    }

    /// The tile with edges that were not found, or that make it too small or too large, at the usual distance from the
    /// opposite ones. `None` if two opposite edges are missing.
    fn mended(&self, mut tile: TileEdges) -> Option<TileEdges> {
        for (low, high, usual) in [(3, 1, self.width_px), (0, 2, self.height_px)] {
            let (near, far) = match (tile.edges[low], tile.edges[high]) {
                (None, None) => return None,
                (Some(near), None) => (near, (near.0 + usual, near.1)),
                (None, Some(far)) => ((far.0 - usual, far.1), far),
                (Some(near), Some(far)) => {
                    let is_usual = ((far.0 - near.0) / usual - 1.0).abs() <= MOST_SIZE_DIFFERENCE;
                    if is_usual {
                        (near, far)
                    } else if near.1 >= far.1 {
                        (near, (near.0 + usual, near.1))
                    } else {
                        ((far.0 - usual, far.1), far)
                    }
                }
            };
            tile.edges[low] = Some(near);
            tile.edges[high] = Some(far);
        }
        Some(tile)
    }

    /// The window of a tile; of one that was not found, the usual size in the middle of its picture.
    fn window(&self, tile: Option<&TileEdges>, centre: [f64; 2]) -> Window {
        let tilt_degrees = tile.map_or(0.0, |tile| tile.tilt_degrees);
        let at = |edge: usize, otherwise: f64| {
            tile.and_then(|tile| tile.edges[edge]).map_or(otherwise, |(px, _)| px)
        };
        let (left, right) = (at(3, -self.width_px / 2.0), at(1, self.width_px / 2.0));
        let (top, bottom) = (at(0, -self.height_px / 2.0), at(2, self.height_px / 2.0));
        let (across, down) = (f64::midpoint(left, right), f64::midpoint(top, bottom));
        let (sine, cosine) = tilt_degrees.to_radians().sin_cos();
        let middle =
            [centre[0] + across * cosine - down * sine, centre[1] + across * sine + down * cosine];
        Window {
            left_px: middle[0] - (right - left) / 2.0,
            top_px: middle[1] - (bottom - top) / 2.0,
            width_px: right - left,
            height_px: bottom - top,
            tilt_degrees,
        }
    }
}

/// Whether tiles are askew, or margins are wider than lines of dirt.
fn is_more_than_dirt(raw: &RawPieces, windows: &[Window]) -> bool {
    let tilt = median(windows.iter().map(|window| window.tilt_degrees.abs()).collect());
    let margins = windows.iter().zip(raw.sizes()).map(|(window, size)| {
        let across = size.width_px as f64 - window.width_px;
        let down = size.height_px as f64 - window.height_px;
        across.max(down) / 2.0
    });
    tilt >= MIN_TILT || median(margins.collect()) > MOST_DIRT_PX
}
