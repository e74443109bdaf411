//! How the light differs from piece to piece, by the levels on both sides of confident seams.
//!
//! Along a seam the levels of the two pieces should be the same, but for what the picture does between them. So one
//! gain and one offset of each piece follow from least squares over all joins. A prior towards gain 1 and offset 0 keeps
//! the whole from drifting; how wide it is, the pieces themselves tell (empirical Bayes): where the light is even,
//! it becomes narrow, and nothing is corrected. Wrong joins, and edges of the picture that run along a seam, count little
//! (reweighted least squares). A seam counts as much as the picture around it is even: how much the levels change
//! towards the inside of the two pieces tells how much they may change across the seam. Light that is common to all channels is found first, and what is left of each channel
//! after it.

use super::LikelyJoin;
use crate::linalg::{mean, median};
use crate::picture::{EvenLight, Levels, num_colours};
use crate::puzzle::{Join, PieceSet, SideId};

/// A side is compared by the mean levels of so many bins at most, none shorter than so many pixels.
const MAX_BINS: usize = 8;
const MIN_BIN_PX: usize = 4;
/// Lines of pixels over which levels are averaged.
const DEPTH: usize = 2;
/// Bins with a level this close to black or white may be clipped, and tell nothing of the light.
const CLIPPED: f64 = 0.012;
/// Bins and channels of a seam err together: so many count as one.
const BINS_PER_FACT: f64 = 12.0;
/// Levels at a seam are compared with those this part of the side further inside.
const INSIDE: usize = 16;
/// Added to the change of levels towards the inside: nothing is perfectly even.
const LEAST_CHANGE: f64 = 0.004;

/// Rounds of least squares, each with new weights and a new width of the prior.
const NUM_ROUNDS: usize = 10;
/// The first and largest width of the prior: of gains and offsets.
const MAX_SPREAD: [f64; 2] = [0.12, 0.05];
/// The least width of the prior.
const MIN_SPREAD: f64 = 1e-4;
/// The least typical misfit of levels at a seam: rounding alone makes half a level.
const MIN_MISFIT: f64 = 0.002;

/// A bin of a seam: levels of two pieces that should be the same.
#[derive(Clone, Copy, Debug)]
struct Equation {
    pieces: [usize; 2],
    channel: usize,
    levels: [f64; 2],
    /// How much levels change around the seam.
    change: f64,
    /// How far it is believed.
    weight: f64,
}

/// Light that differs from piece to piece.
#[derive(Clone, Debug)]
pub(crate) struct UnevenLight {
    /// What evens it out.
    pub(crate) correction: EvenLight,
    /// The spread of gains and offsets, as standard deviations.
    pub(crate) spread: [f64; 2],
}

/// The light of the pieces, from joins that are likely right.
pub(crate) fn uneven_light(pieces: &PieceSet, joins: &[LikelyJoin]) -> UnevenLight {
    let (num_pieces, colours) = (pieces.num_pieces(), num_colours(pieces.channels()));
    let mut equations = equations(pieces, joins, colours);
    let (common, mut spread) = fitted(&equations, num_pieces);
    for equation in &mut equations {
        let levels = equation.pieces.map(|piece| common[piece]);
        equation.levels = [0, 1].map(|at| levels[at].of(equation.levels[at]));
    }
    let mut levels = vec![Levels::UNCHANGED; num_pieces * colours];
    let mut of_channels = [0.0; 2];
    for channel in 0..colours {
        let of_channel: Vec<Equation> =
            equations.iter().copied().filter(|equation| equation.channel == channel).collect();
        let (own, own_spread) = match colours {
            1 => (vec![Levels::UNCHANGED; num_pieces], [0.0; 2]),
            _ => fitted(&of_channel, num_pieces),
        };
        for piece in 0..num_pieces {
            levels[piece * colours + channel] = own[piece].after(common[piece]);
        }
        for (sum, own) in of_channels.iter_mut().zip(own_spread) {
            *sum += own * own / colours as f64;
        }
    }
    for (spread, own) in spread.iter_mut().zip(of_channels) {
        *spread = spread.mul_add(*spread, own).sqrt();
    }
    UnevenLight { correction: EvenLight::new(colours, levels), spread }
}

/// The levels along the seams of all joins.
fn equations(pieces: &PieceSet, joins: &[LikelyJoin], colours: usize) -> Vec<Equation> {
    let mut equations = Vec::new();
    for &LikelyJoin { join: Join { first: a, second: b }, probability } in joins {
        let length = pieces.shape().side_length_px(a.side());
        let num_bins = (length / MIN_BIN_PX).clamp(1, MAX_BINS);
        let change = change_inside(pieces, [a, b], num_bins, colours);
        for channel in 0..colours {
            for bin in 0..num_bins {
                // The neighbour is read backwards.
                let back = num_bins - 1 - bin;
                let levels = [(a, bin), (b, back)]
                    .map(|(side, bin)| bin_level(pieces, side, 0, (bin, num_bins), channel));
                if levels.iter().any(|level| !(CLIPPED..=1.0 - CLIPPED).contains(level)) {
                    continue;
                }
                equations.push(Equation {
                    pieces: [a, b].map(|side| side.piece().index()),
                    channel,
                    levels,
                    change,
                    weight: probability * MAX_BINS as f64 / (BINS_PER_FACT * num_bins as f64),
                });
            }
        }
    }
    equations
}

/// How much the levels of two sides change towards the inside of their pieces: the root of the mean square over bins.
fn change_inside(pieces: &PieceSet, sides: [SideId; 2], num_bins: usize, colours: usize) -> f64 {
    let shape = pieces.shape();
    let size_px = shape.height_px().min(shape.width_px()) as usize;
    let inside = (size_px / INSIDE).max(1).min(size_px.saturating_sub(DEPTH));
    let bins = (0..num_bins * colours).map(|at| (at / colours, at % colours));
    let squares = sides.into_iter().flat_map(|side| {
        bins.clone().map(move |(bin, channel)| {
            let level = |inward| bin_level(pieces, side, inward, (bin, num_bins), channel);
            (level(inside) - level(0)).powi(2)
        })
    });
    LEAST_CHANGE.mul_add(LEAST_CHANGE, mean(squares).unwrap_or(0.0)).sqrt()
}

/// The mean level of a bin of a side, over [`DEPTH`] lines from the line `inward`.
fn bin_level(
    pieces: &PieceSet,
    side: SideId,
    inward: usize,
    (bin, num_bins): (usize, usize),
    channel: usize,
) -> f64 {
    let shape = pieces.shape();
    let length = shape.side_length_px(side.side());
    let along = bin * length / num_bins..(bin + 1) * length / num_bins;
    let pixels = along.flat_map(|along| (0..DEPTH).map(move |line| (inward + line, along)));
    let levels = pixels.map(|(line, along)| {
        let (row, col) = shape.pixel_at_side(side.side(), line, along);
        f64::from(pieces.sample(side.piece(), row, col, channel))
    });
    mean(levels).unwrap_or(0.0) / f64::from(pieces.samples().white())
}

/// The corrections of all pieces that make the levels of the equations agree best, and the spread of the gains and
/// offsets in which the pieces were taken.
fn fitted(equations: &[Equation], num_pieces: usize) -> (Vec<Levels>, [f64; 2]) {
    let mut found = vec![[0.0; 2]; num_pieces];
    let mut spread = MAX_SPREAD;
    if equations.is_empty() {
        return (vec![Levels::UNCHANGED; num_pieces], [0.0; 2]);
    }
    let corrected = |[gain, offset]: [f64; 2], level: f64| level + gain.mul_add(level, offset);
    for _ in 0..NUM_ROUNDS {
        let misfit = |equation: &Equation| {
            let [x, y] =
                [0, 1].map(|at| corrected(found[equation.pieces[at]], equation.levels[at]));
            x - y
        };
        let misfits: Vec<f64> = equations.iter().map(misfit).collect();
        let relative = equations.iter().zip(&misfits);
        let relative = relative.map(|(equation, misfit)| misfit.abs() / equation.change).collect();
        // A median of absolute values is 0.67 standard deviations of a normal distribution.
        let typical = 1.5 * median(relative);
        // Cauchy's weights.
        let weights = equations.iter().zip(&misfits).map(|(equation, misfit)| {
            let scale = (typical * equation.change).max(MIN_MISFIT);
            equation.weight / (scale * scale * (1.0 + (misfit / (2.0 * scale)).powi(2)))
        });
        let system = System::new(equations, weights.collect(), num_pieces, spread);
        let variances = system.variances();
        found = system.solved(found);
        normalise(&mut found);
        spread = [0, 1].map(|at| {
            let square = found.iter().zip(&variances);
            let square =
                mean(square.map(|(value, variance)| value[at].mul_add(value[at], variance[at])));
            square.unwrap_or(0.0).sqrt().clamp(MIN_SPREAD, MAX_SPREAD[at])
        });
    }
    let levels = found.iter().map(|&[gain, offset]| Levels { gain: 1.0 + gain, offset });
    (levels.collect(), spread)
}

/// Makes the mean gain 1 and the mean offset 0: the whole board may have any light.
fn normalise(found: &mut [[f64; 2]]) {
    let mean_of = |at: usize| mean(found.iter().map(|value| value[at])).unwrap_or(0.0);
    let [gain, offset] = [mean_of(0), mean_of(1)];
    for value in found.iter_mut() {
        *value = [(1.0 + value[0]) / (1.0 + gain) - 1.0, (value[1] - offset) / (1.0 + gain)];
    }
}

/// The normal equations of the gains and offsets of all pieces.
struct System<'a> {
    equations: &'a [Equation],
    weights: Vec<f64>,
    /// What the prior adds to the diagonal.
    prior: [f64; 2],
    /// By piece, its own block: of gain, of both, of offset.
    blocks: Vec<[f64; 3]>,
}

/// Steps of conjugate gradients.
const MAX_STEPS: usize = 200;
/// They end when the remainder is this part of the first.
const TOLERANCE: f64 = 1e-8;

impl<'a> System<'a> {
    fn new(
        equations: &'a [Equation],
        weights: Vec<f64>,
        num_pieces: usize,
        spread: [f64; 2],
    ) -> Self {
        let prior = spread.map(|spread| 1.0 / (spread * spread));
        let mut blocks = vec![[prior[0], 0.0, prior[1]]; num_pieces];
        for (equation, weight) in equations.iter().zip(&weights) {
            for (piece, level) in equation.pieces.iter().zip(equation.levels) {
                let block = &mut blocks[*piece];
                block[0] += weight * level * level;
                block[1] += weight * level;
                block[2] += weight;
            }
        }
        Self { equations, weights, prior, blocks }
    }

    /// The variances of each piece's gain and offset if its neighbours are right.
    fn variances(&self) -> Vec<[f64; 2]> {
        let variances = self.blocks.iter().map(|[gain, both, offset]| {
            let determinant = gain.mul_add(*offset, -both * both);
            [offset / determinant, gain / determinant]
        });
        variances.collect()
    }

    /// The matrix times a vector.
    fn times(&self, x: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let mut out: Vec<[f64; 2]> =
            x.iter().map(|x| [self.prior[0] * x[0], self.prior[1] * x[1]]).collect();
        for (equation, weight) in self.equations.iter().zip(&self.weights) {
            let [a, b] = equation.pieces;
            let [level_a, level_b] = equation.levels;
            let change = |[gain, offset]: [f64; 2], level: f64| gain.mul_add(level, offset);
            let weighted = weight * (change(x[a], level_a) - change(x[b], level_b));
            out[a][0] += weighted * level_a;
            out[a][1] += weighted;
            out[b][0] -= weighted * level_b;
            out[b][1] -= weighted;
        }
        out
    }

    /// The gains less 1, and the offsets, by conjugate gradients from a start.
    fn solved(&self, start: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
        let mut x = start;
        let mut remainder: Vec<[f64; 2]> =
            self.times(&x).into_iter().map(|[p, q]| [-p, -q]).collect();
        for (equation, weight) in self.equations.iter().zip(&self.weights) {
            let [a, b] = equation.pieces;
            let [level_a, level_b] = equation.levels;
            let weighted = weight * (level_b - level_a);
            remainder[a][0] += weighted * level_a;
            remainder[a][1] += weighted;
            remainder[b][0] -= weighted * level_b;
            remainder[b][1] -= weighted;
        }
        let mut ahead = self.preconditioned(&remainder);
        let mut direction = ahead.clone();
        let mut size = product(&remainder, &ahead);
        let enough = size * TOLERANCE * TOLERANCE;
        for _ in 0..MAX_STEPS {
            if size <= enough {
                break;
            }
            let image = self.times(&direction);
            let step = size / product(&direction, &image);
            for at in 0..x.len() {
                for part in 0..2 {
                    x[at][part] += step * direction[at][part];
                    remainder[at][part] -= step * image[at][part];
                }
            }
            ahead = self.preconditioned(&remainder);
            let next = product(&remainder, &ahead);
            let keep = next / size;
            size = next;
            for (direction, ahead) in direction.iter_mut().zip(&ahead) {
                *direction = [0, 1].map(|part| keep.mul_add(direction[part], ahead[part]));
            }
        }
        x
    }

    /// Each piece's block solved on its own.
    fn preconditioned(&self, x: &[[f64; 2]]) -> Vec<[f64; 2]> {
        let solved = self.blocks.iter().zip(x).map(|([gain, both, offset], [p, q])| {
            let determinant = gain.mul_add(*offset, -both * both);
            [(offset * p - both * q) / determinant, (gain * q - both * p) / determinant]
        });
        solved.collect()
    }
}

fn product(x: &[[f64; 2]], y: &[[f64; 2]]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x[0].mul_add(y[0], x[1] * y[1])).sum()
}
