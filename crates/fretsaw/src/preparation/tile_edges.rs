//! Where the edges of one tile lie in its picture, if a plain background surrounds it.

use super::raw_pieces::RawPieces;
use crate::linalg::median;
use crate::puzzle::Side;

/// The background is plain if this share of the picture's outermost pixels ...
const PLAIN_SHARE: f64 = 0.9;
/// ... differs by at most so many levels of 255 from the middle of all.
const PLAIN_LEVELS: f64 = 20.0;
/// A pixel that differs by more than twice the background's own deviation, and by more than this, is of the tile.
const MIN_CONTRAST: f64 = 14.0;
/// Of alpha, a background is at most this and a tile more.
const MOST_ALPHA_LEVELS: f64 = 64.0;
/// The edges are looked for at most this far inside, as a share of the picture.
const MAX_MARGIN: f64 = 0.4;
/// Places along a side where the edge is looked for, at most.
const MAX_PLACES: usize = 128;
/// The share of these places that must lie on one straight line.
const MIN_ON_LINE: f64 = 0.6;
/// How far from the line, in pixels.
const LINE_WIDTH_PX: f64 = 1.5;
/// Slopes that are tried: as many of this step to either side of 0, about 5 degrees.
const SLOPE_STEP: f64 = 0.0025;
const NUM_SLOPES: i32 = 35;
/// Sides that belong to one rectangle have the same slope, give or take this.
const SAME_SLOPE: f64 = 0.02;

/// The edges of a tile in its own directions: coordinates from the middle of the picture, after the tilt is undone.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TileEdges {
    /// Clockwise.
    pub(super) tilt_degrees: f64,
    /// Top, right, bottom, left: how far from the middle of the picture, to the right or down, and how many places
    /// said so; `None` if the edge was not found.
    pub(super) edges: [Option<(f64, usize)>; 4],
    /// The colour of the background, in levels.
    pub(super) background: Vec<f64>,
}

/// A straight line along a side.
struct EdgeLine {
    /// Depth per place along the side.
    slope: f64,
    /// The places on it: along the side and inward, in pixels.
    points: Vec<[f64; 2]>,
}

impl TileEdges {
    /// `None` if there is no plain background, or fewer than three edges of a rectangle.
    pub(super) fn find(raw: &RawPieces, piece: usize) -> Option<Self> {
        let ground = Background::of(raw, piece)?;
        let lines = Side::ALL.map(|side| ground.edge_line(raw, piece, side));
        let slopes: Vec<f64> = lines.iter().flatten().map(|line| line.slope).collect();
        if slopes.len() < 3 {
            return None;
        }
        let slope = median(slopes);
        // All sides are read clockwise, so a clockwise tilt leads inward on each of them.
        let tilt = slope.atan();
        let size = raw.sizes()[piece];
        let (width, height) = (size.width_px as f64, size.height_px as f64);
        let mut edges = [None; 4];
        for ((edge, line), side) in edges.iter_mut().zip(lines).zip(Side::ALL) {
            let Some(line) = line.filter(|line| (line.slope - slope).abs() <= SAME_SLOPE) else {
                continue;
            };
            let distances = line.points.iter().map(|&[along, inward]| {
                let [x, y] = match side {
                    Side::Top => [along, inward],
                    Side::Right => [width - inward, along],
                    Side::Bottom => [width - along, height - inward],
                    Side::Left => [inward, height - along],
                };
                let (x, y) = (x - width / 2.0, y - height / 2.0);
                match side {
                    Side::Top | Side::Bottom => y * tilt.cos() - x * tilt.sin(),
                    Side::Right | Side::Left => x * tilt.cos() + y * tilt.sin(),
                }
            });
            *edge = Some((median(distances.collect()), line.points.len()));
        }
        let is_rectangle = edges.iter().flatten().count() >= 3;
        is_rectangle.then(|| Self {
            tilt_degrees: tilt.to_degrees(),
            edges,
            background: ground.colour,
        })
    }
}

/// The plain surroundings of a tile.
struct Background {
    colour: Vec<f64>,
    /// A pixel that differs by more is of the tile.
    contrast: f64,
    /// Whether alpha tells, and colours do not matter.
    by_alpha: bool,
}

impl Background {
    fn of(raw: &RawPieces, piece: usize) -> Option<Self> {
        let channels = raw.channels();
        let size = raw.sizes()[piece];
        let unit = raw.levels_per_unit();
        let outline: Vec<usize> = Side::ALL
            .into_iter()
            .flat_map(|side| {
                let length = raw.length_of(piece, side);
                (0..length - 1).map(move |along| raw.offset_at_side(piece, side, 0, along))
            })
            .collect();
        if size.height_px.min(size.width_px) < 8 {
            return None;
        }
        let level = |at: usize| f64::from(raw.samples().get(at)) * unit;
        let colour: Vec<f64> = (0..channels)
            .map(|channel| median(outline.iter().map(|at| level(at + channel)).collect()))
            .collect();
        let by_alpha = matches!(channels, 2 | 4) && colour[channels - 1] <= MOST_ALPHA_LEVELS;
        let mut ground = Self { colour, contrast: 0.0, by_alpha };
        let mut differences: Vec<f64> =
            outline.iter().map(|&at| ground.difference(raw, at)).collect();
        differences.sort_by(f64::total_cmp);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of the outline"
        )]
        let deviation = differences[(PLAIN_SHARE * (differences.len() - 1) as f64) as usize];
        if deviation > PLAIN_LEVELS {
            return None;
        }
        ground.contrast =
            if by_alpha { MOST_ALPHA_LEVELS } else { (2.0 * deviation).max(MIN_CONTRAST) };
        Some(ground)
    }

    /// How much a pixel differs from the background, in levels.
    fn difference(&self, raw: &RawPieces, at: usize) -> f64 {
        let level =
            |channel: usize| f64::from(raw.samples().get(at + channel)) * raw.levels_per_unit();
        let channels = raw.channels();
        let first = if self.by_alpha { channels - 1 } else { 0 };
        (first..channels).map(|it| (level(it) - self.colour[it]).abs()).fold(0.0, f64::max)
    }

    /// The line on which most places of the tile's edge lie, seen from a side of the picture.
    fn edge_line(&self, raw: &RawPieces, piece: usize, side: Side) -> Option<EdgeLine> {
        let length = raw.length_of(piece, side);
        let size = raw.sizes()[piece];
        let across = size.height_px + size.width_px - length;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of a side"
        )]
        let deepest = (MAX_MARGIN * across as f64) as usize;
        // Tilted corners are not on the line.
        let (first, last) = (length * 3 / 20, length - length * 3 / 20);
        let num_places = (last - first).min(MAX_PLACES);
        let places = (0..num_places).map(|at| first + at * (last - first) / num_places);
        let is_tile = |inward: usize, along: usize| {
            self.difference(raw, raw.offset_at_side(piece, side, inward, along)) > self.contrast
        };
        let points: Vec<[f64; 2]> = places
            .filter_map(|along| {
                // One pixel may be dust.
                let inward =
                    (0..deepest).find(|&at| is_tile(at, along) && is_tile(at + 1, along))?;
                Some([along as f64 + 0.5, inward as f64])
            })
            .collect();
        let on_line = straightest(&points);
        let is_clear = on_line.len() as f64 >= MIN_ON_LINE * num_places as f64;
        is_clear.then(|| EdgeLine { slope: fitted_slope(&on_line), points: on_line })
    }
}

/// The points on the line that has the most; of several the one of the least slope.
fn straightest(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut best = Vec::new();
    let slopes = (0..=NUM_SLOPES).flat_map(|step| [step, -step]);
    for slope in slopes.map(|steps| f64::from(steps) * SLOPE_STEP) {
        let mut by_offset: Vec<(f64, [f64; 2])> =
            points.iter().map(|&point| (point[1] - slope * point[0], point)).collect();
        by_offset.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1[0].total_cmp(&b.1[0])));
        let mut start = 0;
        for end in 0..by_offset.len() {
            while by_offset[end].0 - by_offset[start].0 > LINE_WIDTH_PX {
                start += 1;
            }
            if end + 1 - start > best.len() {
                best = by_offset[start..=end].iter().map(|it| it.1).collect();
            }
        }
    }
    best
}

/// The slope by least squares.
fn fitted_slope(points: &[[f64; 2]]) -> f64 {
    let count = points.len().max(1) as f64;
    let mean = |axis: usize| points.iter().map(|point| point[axis]).sum::<f64>() / count;
    let (mean_along, mean_inward) = (mean(0), mean(1));
    let products = points.iter().fold((0.0, 0.0), |(both, alone), point| {
        let along = point[0] - mean_along;
        (both + along * (point[1] - mean_inward), alone + along * along)
    });
    if products.1 > 0.0 { products.0 / products.1 } else { 0.0 }
}
