//! Lines at one pitch over a whole page: the lines of text, the rows of a table, the columns of a terminal.
//!
//! Across a blank seam nothing but the distance of the lines above and below it tells whether two pieces belong
//! together. One piece shows few lines, so the pitch is found from all pieces together: as the wave of most power in
//! their profiles by depth. The phase of each piece in that wave must go on in the next piece. How far that can be believed
//! is learned from the puzzle itself, from pairs of pieces that are certain for other reasons: on a page with one pitch
//! their phases agree, on a picture without lines they do not, and then nothing is changed.
//!
//! Needs pieces that are not turned, since a turned piece has its lines along the other direction.

use super::features::all_sides;
use super::log_probabilities::LogProbabilities;
use crate::dissimilarity::{NearestSides, OpponentPixels};
use crate::linalg::single;
use crate::puzzle::{PieceId, Side, SideId};
use rayon::prelude::*;
use std::f64::consts::TAU;

/// The pitches that are tried, in pixels: from the first, each larger by this factor, up to this share of the depth of
/// a piece.
const LEAST_PITCH: f64 = 6.0;
const PITCH_STEP: f64 = 1.004;
const MAX_SHARE_OF_DEPTH: f64 = 0.55;

/// A pair is certain from this log probability on in both directions: ln 0.9.
const CERTAIN: f32 = -0.105;
/// The fewest certain pairs to learn from.
const MIN_CERTAIN: usize = 12;

/// How strongly agreement counts, of which the likeliest is chosen; the first is: not at all.
const STRENGTHS: [f64; 7] = [0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];

/// The probability that lines do not go on at the pitch between two neighbours: at headings and between paragraphs.
const INTERRUPTED: f64 = 0.15;

/// The evidence of lines in both directions.
#[derive(Debug)]
pub(super) struct LinePitch {
    /// Of lines below each other, which pairs of top and bottom sides continue; and of lines side by side.
    directions: [Option<Direction>; 2],
}

/// Lines of one direction.
#[derive(Debug)]
struct Direction {
    /// By piece: its phase where it begins, times the root of the share of its variation that is the wave.
    waves: Vec<Wave>,
    /// The phase from the beginning of a piece to its end.
    advance: Wave,
    strength: f64,
    /// By side, the logarithm of the mean of `exp(strength * agreement)` over all other pieces.
    log_means: [Vec<f32>; 2],
}

/// A complex number.
#[derive(Clone, Copy, Debug, Default)]
struct Wave {
    re: f64,
    im: f64,
}

impl Wave {
    fn of_angle(angle: f64) -> Self {
        Self { re: angle.cos(), im: angle.sin() }
    }

    fn times(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }

    /// The real part of the product with the conjugate.
    fn agreement(self, other: Self) -> f64 {
        self.re * other.re + self.im * other.im
    }

    fn power(self) -> f64 {
        self.agreement(self)
    }
}

impl LinePitch {
    /// Finds the pitch, and learns how far it counts from pairs that are certain.
    pub(super) fn new(
        pieces: &OpponentPixels,
        lists: &NearestSides,
        logs: &LogProbabilities,
    ) -> Self {
        let find = |is_down: bool| {
            let (waves, advance) = waves(pieces, is_down)?;
            let mut direction =
                Direction { waves, advance, strength: 0.0, log_means: [vec![], vec![]] };
            let end = if is_down { Side::Bottom } else { Side::Right };
            let pairs = certain_pairs(lists, logs, end);
            direction.learn_advance(&pairs);
            direction.learn(&pairs);
            (direction.strength > 0.0).then_some(direction)
        };
        Self { directions: [true, false].map(find) }
    }

    /// The logarithm of how much likelier it is that two sides touch, by their lines, as seen from the first.
    pub(super) fn log_ratio(&self, side: SideId, other: SideId) -> f32 {
        let (down, is_end) = match side.side() {
            Side::Top => (0, false),
            Side::Bottom => (0, true),
            Side::Left => (1, false),
            Side::Right => (1, true),
        };
        let Some(direction) = &self.directions[down] else { return 0.0 };
        let (one, two) = (side.piece(), other.piece());
        let agreement =
            if is_end { direction.agreement(one, two) } else { direction.agreement(two, one) };
        let log_mean = f64::from(direction.log_means[usize::from(is_end)][one.index()]);
        single(log_ratio(direction.strength * agreement - log_mean))
    }
}

/// The evidence, if lines may be interrupted.
fn log_ratio(log_ratio_of_lines: f64) -> f64 {
    ((1.0 - INTERRUPTED) * log_ratio_of_lines.exp() + INTERRUPTED).ln()
}

impl Direction {
    /// How well the lines of one piece go on in the next, from -1 to 1.
    fn agreement(&self, one: PieceId, next: PieceId) -> f64 {
        self.waves[one.index()].times(self.advance).agreement(self.waves[next.index()])
    }

    /// Corrects the advance by the mean of these pairs: the pitch, found from pieces that are a few lines high, is not exact
    /// enough.
    fn learn_advance(&mut self, pairs: &[(PieceId, PieceId)]) {
        if pairs.len() < MIN_CERTAIN {
            return;
        }
        let mut sum = Wave::default();
        for &(one, next) in pairs {
            let (one, next) = (self.waves[one.index()], self.waves[next.index()]);
            let step = next.times(Wave { re: one.re, im: -one.im });
            sum = Wave { re: sum.re + step.re, im: sum.im + step.im };
        }
        let length = sum.power().sqrt();
        if length > 0.0 {
            self.advance = Wave { re: sum.re / length, im: sum.im / length };
        }
    }

    /// Chooses the strength under which these pairs are likeliest.
    fn learn(&mut self, pairs: &[(PieceId, PieceId)]) {
        if pairs.len() < MIN_CERTAIN {
            return;
        }
        let mut best = 0.0;
        for strength in STRENGTHS {
            let means = self.log_means(strength);
            let gain = |&(one, next): &(PieceId, PieceId)| {
                let lines = strength * self.agreement(one, next);
                log_ratio(lines - f64::from(means[1][one.index()]))
                    + log_ratio(lines - f64::from(means[0][next.index()]))
            };
            let gain: f64 = pairs.iter().map(gain).sum();
            if gain > best {
                (best, self.strength, self.log_means) = (gain, strength, means);
            }
        }
    }

    /// For the beginning of each piece and for its end, as `log_means`.
    fn log_means(&self, strength: f64) -> [Vec<f32>; 2] {
        let num_pieces = self.waves.len();
        [false, true].map(|is_end| {
            let of_piece = |piece: usize| {
                let one = PieceId::new(piece);
                let others = (0..num_pieces).filter(|&other| other != piece).map(PieceId::new);
                let agreements = others.map(|other| {
                    if is_end { self.agreement(one, other) } else { self.agreement(other, one) }
                });
                let sum: f64 = agreements.map(|agreement| (strength * agreement).exp()).sum();
                single((sum / (num_pieces - 1) as f64).ln())
            };
            (0..num_pieces).into_par_iter().map(of_piece).collect()
        })
    }
}

/// Pieces that certainly lie side by side: the second at this side of the first.
fn certain_pairs(
    lists: &NearestSides,
    logs: &LogProbabilities,
    end: Side,
) -> Vec<(PieceId, PieceId)> {
    let best_of = |side: SideId| {
        let slots = lists.slots(side);
        let mut found = lists.of(side).iter().zip(&logs.candidates[slots]);
        found.find(|(_, log)| **log >= CERTAIN).map(|(candidate, _)| candidate.side)
    };
    let sides = all_sides(lists).filter(|side| side.side() == end);
    let mutual = sides.filter_map(|side| {
        let other = best_of(side)?;
        (best_of(other) == Some(side)).then_some((side.piece(), other.piece()))
    });
    mutual.collect()
}

/// The waves of the pitch with the most power, and how far it advances over a piece; `None` if pieces are too small.
fn waves(pieces: &OpponentPixels, is_down: bool) -> Option<(Vec<Wave>, Wave)> {
    let (height, width) = (pieces.shape.height_px() as usize, pieces.shape.width_px() as usize);
    let (depth, length) = if is_down { (height, width) } else { (width, height) };
    let profile = |piece: usize| {
        let mean_at = |line: usize| {
            let grey = |at: usize| {
                let (row, col) = if is_down { (line, at) } else { (at, line) };
                f64::from(pieces.pixel(PieceId::new(piece), row, col)[0])
            };
            (0..length).map(grey).sum::<f64>() / length as f64
        };
        let levels: Vec<f64> = (0..depth).map(mean_at).collect();
        let mean = levels.iter().sum::<f64>() / depth as f64;
        levels.into_iter().map(|level| level - mean).collect()
    };
    let profiles: Vec<Vec<f64>> = (0..pieces.num_pieces()).into_par_iter().map(profile).collect();
    let pitches: Vec<f64> =
        std::iter::successors(Some(LEAST_PITCH), |pitch| Some(pitch * PITCH_STEP))
            .take_while(|&pitch| pitch <= MAX_SHARE_OF_DEPTH * depth as f64)
            .collect();
    // The ends of a piece count less, so that what is cut off there does not disturb.
    let window = |line: usize| 0.5 - 0.5 * (TAU * (line as f64 + 0.5) / depth as f64).cos();
    let windowed: Vec<Vec<f64>> = profiles
        .iter()
        .map(|profile| profile.iter().enumerate().map(|(at, x)| window(at) * x).collect())
        .collect();
    let power = |pitch: f64| -> f64 {
        let wave = wave_of(pitch, depth);
        windowed.iter().map(|profile| projection(profile, &wave).power()).sum()
    };
    let powers: Vec<f64> = pitches.par_iter().map(|&pitch| power(pitch)).collect();
    let (at, _) = powers.iter().enumerate().max_by(|x, y| x.1.total_cmp(y.1))?;
    let wave = wave_of(pitches[at], depth);
    let of_profile = |profile: &Vec<f64>| {
        let found = projection(profile, &wave);
        let variation = profile.iter().map(|x| x * x).sum::<f64>() * depth as f64 / 2.0;
        let power = found.power();
        if power < 1e-9 || variation < 1e-9 {
            return Wave::default();
        }
        // A unit phase times the root of the share, which is at most about 1.
        let factor = (power / variation).min(1.0).sqrt() / power.sqrt();
        Wave { re: factor * found.re, im: factor * found.im }
    };
    let advance = Wave::of_angle(TAU * depth as f64 / pitches[at]);
    Some((profiles.iter().map(of_profile).collect(), advance))
}

fn wave_of(pitch: f64, depth: usize) -> Vec<Wave> {
    (0..depth).map(|line| Wave::of_angle(-TAU * (line as f64 + 0.5) / pitch)).collect()
}

fn projection(profile: &[f64], wave: &[Wave]) -> Wave {
    let mut sum = Wave::default();
    for (x, wave) in profile.iter().zip(wave) {
        sum.re += x * wave.re;
        sum.im += x * wave.im;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::Candidate;
    use crate::puzzle::{PieceSet, PieceShape, Samples};

    const PIECE_PX: u32 = 32;
    const NUM_ROWS: usize = 30;

    /// Pieces below each other of a page with lines at this pitch, or of noise.
    fn pieces(pitch: Option<usize>) -> OpponentPixels {
        let size = PIECE_PX as usize;
        let level = |at: usize| {
            let (line, col) = (at / size, at % size);
            let noise = (line * 7919 + col * 104_729 + line * line * 31) % 97;
            let is_ink = match pitch {
                Some(pitch) => line % pitch < pitch / 2 && noise < 60,
                None => noise < 30,
            };
            if is_ink { 0 } else { 255 }
        };
        let values = (0..NUM_ROWS * size * size).map(level).collect();
        let shape = PieceShape::new(PIECE_PX, PIECE_PX).unwrap();
        OpponentPixels::of(&PieceSet::new(shape, 1, Samples::U8(values)).unwrap())
    }

    fn side(piece: usize, side: Side) -> SideId {
        SideId::new(PieceId::new(piece), side)
    }

    /// Lists and probabilities by which the first twenty pieces certainly lie below each other.
    fn half_certain() -> (NearestSides, LogProbabilities) {
        let partner = |side_id: SideId| {
            let piece = side_id.piece().index();
            match side_id.side() {
                Side::Bottom if piece < 19 => Some(side(piece + 1, Side::Top)),
                Side::Top if (1..20).contains(&piece) => Some(side(piece - 1, Side::Bottom)),
                _ => None,
            }
        };
        let sides = (0..4 * NUM_ROWS).map(SideId::from_index);
        let listed: Vec<_> = sides
            .map(|side| {
                let candidates = partner(side).map(|side| Candidate { side, cost: 1.0 });
                (side, candidates.into_iter().collect::<Vec<_>>(), 2.0)
            })
            .collect();
        let mut logs = LogProbabilities::default();
        for (_, candidates, _) in &listed {
            logs.push(vec![9.0; candidates.len()], 0.0, 0.0);
        }
        (NearestSides::of_some(4 * NUM_ROWS, listed), logs)
    }

    #[test]
    fn lines_go_on_at_the_pitch_of_the_page() {
        let (lists, logs) = half_certain();
        let pitch = LinePitch::new(&pieces(Some(13)), &lists, &logs);
        for piece in 20..NUM_ROWS - 1 {
            let from = side(piece, Side::Bottom);
            let next = pitch.log_ratio(from, side(piece + 1, Side::Top));
            assert!(next > 0.5, "{piece}: {next}");
            // 32 px further down the lines lie 32 % 13 = 6 px apart from where they should.
            let other = pitch.log_ratio(from, side(piece - 4, Side::Top));
            assert!(other < next - 1.0, "{piece}: {next} {other}");
        }
        assert_eq!(pitch.log_ratio(side(3, Side::Right), side(4, Side::Left)), 0.0);
    }

    #[test]
    fn noise_is_no_evidence() {
        let (lists, logs) = half_certain();
        let pitch = LinePitch::new(&pieces(None), &lists, &logs);
        let ratios = (0..29).map(|piece| {
            pitch.log_ratio(side(piece, Side::Bottom), side(piece + 1, Side::Top)).abs()
        });
        assert!(ratios.fold(0.0, f32::max) < 0.5);
    }
}
