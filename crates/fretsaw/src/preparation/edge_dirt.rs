//! Dirt along the edges of pieces: lines of background, shadow, plaster, ragged wear.
//!
//! In a picture that was cut cleanly, the outermost lines of pixels of the pieces are like lines further in: the steps
//! from one line to the next are as large, and, over all sides of all pieces, brighter and darker steps cancel. Dirt
//! makes one or both untrue up to the depth where the picture begins. It is common to a puzzle, so the steps of
//! all pieces together tell.

use super::raw_pieces::RawPieces;
use crate::linalg::mean;
use crate::puzzle::Side;
use rayon::prelude::*;

/// Dirt is looked for to this share of the shorter side, and to [`MIN_DEPTH`] lines at least.
const MAX_DEPTH_SHARE: f64 = 0.08;
const MIN_DEPTH: usize = 3;
/// Lines below that depth which show how the picture is: this share of the shorter side, at least [`MIN_INNER`].
const INNER_SHARE: f64 = 0.08;
const MIN_INNER: usize = 4;
/// The fewest pieces that tell.
const MIN_PIECES: usize = 9;
/// Of more pieces, so many at even distances are looked at.
const MAX_PIECES_SEEN: usize = 4096;
/// Steps below so many levels of 255 are not told from none.
const MIN_STEP: f64 = 1.0;

/// There is dirt if a step at its end is so many times as large as steps in the picture, ...
const SURE_STEP: f64 = 3.0;
/// ... or if what does not cancel of it is at least this share of the steps in the picture.
const SURE_BIAS: f64 = 0.75;
/// Where there is dirt, it reaches as deep as steps go on to be so large, ...
const SOME_STEP: f64 = 1.5;
/// ... or so one-sided.
const SOME_BIAS: f64 = 0.35;

/// On drawings, dirt is seen on more than this share of the sides. What is on fewer belongs to the picture: the lines
/// between the panels of a comic lie at the same place in many pieces, and other steps are few.
const MOST_SIDES: f64 = 0.75;
/// A drawing has at least this share of pixels that equal the next one in the row; ...
const EQUAL_SHARE_OF_DRAWINGS: f64 = 0.7;
/// ... or this share, and where pixels differ, this mean step in 8-bit levels, as at strokes. Bright skies have as many equal
/// pixels, but small steps.
const EQUAL_SHARE_WITH_STROKES: f64 = 0.4;
const STEP_OF_STROKES: f64 = 8.0;
/// It is seen on a side if its step, or what does not cancel of it, is at least this share of the typical one.
const SEEN: f64 = 1.0 / 3.0;

/// What looks like dirt is the picture's own ground, such as paper between lines of text, if more than this share of the
/// pixels further in has about its brightness: ...
const MOST_OWN_GROUND: f64 = 0.5;
/// ... give or take so many levels of 255.
const SAME_LEVELS: usize = 16;

/// The steps from line to line near the edges, compared with steps further in.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeDirt {
    /// Lines that are dirt, counted from the edge; 0 if pieces are clean.
    pub depth_px: usize,
    /// The largest step near the edge, divided by those further in. About 1 for clean pieces.
    pub step: f64,
    /// The largest part of such a step that does not cancel over the pieces, divided likewise. About 0 for clean
    /// pieces.
    pub bias: f64,
}

impl EdgeDirt {
    /// What lies on the edges of these pieces, which must have one size.
    pub(super) fn find(raw: &RawPieces) -> Self {
        let mut found = Self { depth_px: 0, step: 1.0, bias: 0.0 };
        let Some(depths) = Depths::of(raw) else { return found };
        let steps = SideSteps::of_all(raw, depths);
        let least_seen = if is_drawing(raw) { MOST_SIDES } else { 0.0 };
        // A shadow lies at the same side of all photographs, so every side is judged for itself, too.
        let groups = [&Side::ALL[..]].into_iter().chain(Side::ALL.chunks(1));
        for sides in groups {
            let profile = Profile::new(&steps, sides, depths, raw.num_pieces());
            let depth_px = profile.dirt_depth(least_seen);
            if depth_px > found.depth_px && !is_own_ground(raw, sides, depths, depth_px) {
                found.depth_px = depth_px;
            }
            found.step = profile.steps.iter().copied().fold(found.step, f64::max);
            found.bias = profile.biases.iter().copied().fold(found.bias, f64::max);
        }
        found
    }
}

/// The pieces that are looked at.
fn pieces_seen(raw: &RawPieces) -> impl Iterator<Item = usize> + use<> {
    let num_pieces = raw.num_pieces();
    let num_seen = num_pieces.min(MAX_PIECES_SEEN);
    (0..num_seen).map(move |at| at * num_pieces / num_seen)
}

/// Whether many pixels of the pieces equal their neighbours, and the others differ much. Only the middle of each piece counts,
/// where there is no dirt.
fn is_drawing(raw: &RawPieces) -> bool {
    let (mut num_equal, mut num_pixels, mut sum) = (0_usize, 0_usize, 0_u64);
    for piece in pieces_seen(raw) {
        let middle = |length: usize| length / 6..length - length / 6;
        let (width, height) = (raw.length_of(piece, Side::Top), raw.length_of(piece, Side::Left));
        for line in middle(height) {
            let at = |along: usize| raw.offset_at_side(piece, Side::Top, line, along);
            for along in middle(width - 1) {
                let step = |channel: usize| {
                    let value = |along: usize| raw.samples().get(at(along) + channel);
                    u64::from(value(along).abs_diff(value(along + 1)))
                };
                let step: u64 = (0..raw.channels()).map(step).sum();
                num_equal += usize::from(step == 0);
                num_pixels += 1;
                sum += step;
            }
        }
    }
    let equal_share = num_equal as f64 / num_pixels.max(1) as f64;
    let num_steps = ((num_pixels - num_equal) * raw.channels()).max(1);
    let mean_step = sum as f64 * raw.levels_per_unit() / num_steps as f64;
    equal_share >= EQUAL_SHARE_OF_DRAWINGS
        || (equal_share >= EQUAL_SHARE_WITH_STROKES && mean_step >= STEP_OF_STROKES)
}

/// Whether most of the picture is as bright as the outermost lines of these sides.
fn is_own_ground(raw: &RawPieces, sides: &[Side], depths: Depths, depth_px: usize) -> bool {
    let tally = |lines: std::ops::Range<usize>| {
        let mut counts = vec![0_usize; 256];
        for piece in pieces_seen(raw) {
            for &side in sides {
                for along in depths.outer..raw.length_of(piece, side) - depths.outer {
                    for line in lines.clone() {
                        counts[raw.brightness(raw.offset_at_side(piece, side, line, along))] += 1;
                    }
                }
            }
        }
        counts
    };
    let outer = tally(0..depth_px);
    let mut below = 0;
    let half = outer.iter().sum::<usize>() / 2;
    let middle = outer.iter().position(|count| {
        below += count;
        below > half
    });
    let middle = middle.unwrap_or(0);
    let inner = tally(depths.outer..depths.outer + depths.inner);
    let alike = middle.saturating_sub(SAME_LEVELS)..=(middle + SAME_LEVELS).min(255);
    let num_alike: usize = inner[alike].iter().sum();
    num_alike as f64 > MOST_OWN_GROUND * inner.iter().sum::<usize>() as f64
}

/// Which lines are looked at.
#[derive(Clone, Copy)]
struct Depths {
    /// Lines that may be dirt.
    outer: usize,
    /// Lines after them, which are the picture.
    inner: usize,
}

impl Depths {
    /// `None` if pieces are too few, too small or of several sizes.
    fn of(raw: &RawPieces) -> Option<Self> {
        let shape = raw.shape()?;
        let shorter_px = shape.height_px().min(shape.width_px()) as usize;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small share of a side"
        )]
        let share = |share: f64| (share * shorter_px as f64).round() as usize;
        let outer = share(MAX_DEPTH_SHARE).max(MIN_DEPTH);
        let inner = share(INNER_SHARE).max(MIN_INNER);
        let fits = 2 * (outer + inner + 1) <= shorter_px;
        (fits && raw.num_pieces() >= MIN_PIECES).then_some(Self { outer, inner })
    }
}

/// The steps of one side of one piece, by depth: step `d` leads from line `d` to line `d + 1`.
struct SideSteps {
    side: Side,
    /// The mean of their sizes, in levels.
    sizes: Vec<f64>,
    /// Their mean by depth and channel, in levels.
    signed: Vec<f64>,
}

impl SideSteps {
    fn of_all(raw: &RawPieces, depths: Depths) -> Vec<Self> {
        let of_piece = |piece: usize| Side::ALL.map(|side| Self::new(raw, piece, side, depths));
        let pieces: Vec<usize> = pieces_seen(raw).collect();
        pieces.into_par_iter().flat_map_iter(of_piece).collect()
    }

    fn new(raw: &RawPieces, piece: usize, side: Side, depths: Depths) -> Self {
        let num_steps = depths.outer + depths.inner;
        let channels = raw.channels();
        // Near the corners lies the dirt of other sides.
        let along = depths.outer..raw.length_of(piece, side) - depths.outer;
        let unit = raw.levels_per_unit() / along.len() as f64;
        let (mut sizes, mut signed) = (Vec::new(), vec![0.0; num_steps * channels]);
        for depth in 0..num_steps {
            let mut size = 0.0;
            for along in along.clone() {
                let outer = raw.offset_at_side(piece, side, depth, along);
                let inner = raw.offset_at_side(piece, side, depth + 1, along);
                for channel in 0..channels {
                    let [outer, inner] =
                        [outer, inner].map(|at| f64::from(raw.samples().get(at + channel)));
                    size += (outer - inner).abs();
                    signed[depth * channels + channel] += outer - inner;
                }
            }
            sizes.push(size * unit / channels as f64);
        }
        signed.iter_mut().for_each(|sum| *sum *= unit);
        Self { side, sizes, signed }
    }
}

/// The steps of many sides together.
struct Profile {
    /// By depth, divided by the steps of inner lines.
    steps: Vec<f64>,
    /// What does not cancel of them, less that of inner lines, divided likewise.
    biases: Vec<f64>,
    /// By depth, the shares of the sides on which such a step is seen, and what does not cancel of it.
    seen_steps: Vec<f64>,
    seen_biases: Vec<f64>,
}

impl Profile {
    fn new(all: &[SideSteps], sides: &[Side], depths: Depths, num_pieces: usize) -> Self {
        let of_sides: Vec<&SideSteps> =
            all.iter().filter(|steps| sides.contains(&steps.side)).collect();
        let Depths { outer, inner } = depths;
        let num_steps = outer + inner;
        // A picture may have a frame of its own, which lies on about this share of the sides: the largest are left out.
        let dropped = (1.25 / (num_pieces as f64).sqrt() + 0.02).min(0.35);
        let typical = |values: Vec<f64>, both_ends: bool| trimmed_mean(values, dropped, both_ends);
        let sizes: Vec<f64> = (0..num_steps)
            .map(|step| typical(of_sides.iter().map(|side| side.sizes[step]).collect(), false))
            .collect();
        let inner_mean = |values: &[f64]| mean(values[outer..].iter().copied()).unwrap_or(0.0);
        let in_picture = inner_mean(&sizes).max(MIN_STEP);
        let channels = of_sides.first().map_or(0, |side| side.signed.len() / num_steps);
        let (mut biases, mut seen_biases) = (vec![0.0_f64; outer], vec![0.0; outer]);
        for channel in 0..channels {
            let signed: Vec<f64> = (0..num_steps)
                .map(|step| {
                    let at = step * channels + channel;
                    typical(of_sides.iter().map(|side| side.signed[at]).collect(), true)
                })
                .collect();
            let usual = inner_mean(&signed);
            for depth in 0..outer {
                let excess = signed[depth] - usual;
                if excess.abs() / in_picture > biases[depth] {
                    biases[depth] = excess.abs() / in_picture;
                    let at = depth * channels + channel;
                    let is_seen =
                        |side: &SideSteps| side.signed[at] * excess.signum() >= SEEN * excess.abs();
                    seen_biases[depth] = share_of(&of_sides, is_seen);
                }
            }
        }
        let seen_steps = (0..outer)
            .map(|depth| share_of(&of_sides, |side| side.sizes[depth] >= SEEN * sizes[depth]))
            .collect();
        let steps = sizes[..outer].iter().map(|size| size / in_picture).collect();
        Self { steps, biases, seen_steps, seen_biases }
    }

    /// Lines that are dirt, which is seen on more than this share of the sides.
    fn dirt_depth(&self, least_seen: f64) -> usize {
        let is_sure = |&at: &usize| {
            (self.steps[at] >= SURE_STEP && self.seen_steps[at] > least_seen)
                || (self.biases[at] >= SURE_BIAS && self.seen_biases[at] > least_seen)
        };
        let Some(last) = (0..self.steps.len()).rev().find(is_sure) else { return 0 };
        let goes_on = |&at: &usize| self.steps[at] >= SOME_STEP || self.biases[at] >= SOME_BIAS;
        last + 1 + (last + 1..self.steps.len()).take_while(goes_on).count()
    }
}

/// The share of the sides for which this holds.
fn share_of(sides: &[&SideSteps], holds: impl Fn(&SideSteps) -> bool) -> f64 {
    sides.iter().filter(|side| holds(side)).count() as f64 / sides.len().max(1) as f64
}

/// The mean without this share of the largest values, and of the smallest if asked for.
fn trimmed_mean(mut values: Vec<f64>, dropped: f64, both_ends: bool) -> f64 {
    values.sort_by(f64::total_cmp);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of the values"
    )]
    let num_dropped = (dropped * values.len() as f64) as usize;
    let first = if both_ends { num_dropped } else { 0 };
    mean(values[first..values.len() - num_dropped].iter().copied()).unwrap_or(0.0)
}
