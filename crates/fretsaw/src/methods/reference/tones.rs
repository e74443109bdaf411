//! Makes the colours of pieces and of a reference comparable, whatever happened to the reference: sepia, faded,
//! another exposure, uneven light, another white balance, less detail.
//!
//! A [`Tones`] begins with a simple [`Start`]. Then pieces whose cells are probably known give a better one,
//! [`Tones::fitted`]:
//!
//! 1. Colours of pieces become colours of the reference by a quadratic function, by least squares. This covers
//!    everything that happens to all pixels alike.
//! 2. Light that differs from place to place is taken from the cells: a gain and an offset, each quadratic in the
//!    position.
//! 3. Block means become spatial frequencies (a cosine transform) of brightness and two colour differences. Each
//!    band of frequencies counts by the ratio of signal and error: whitening with a Wiener factor. Where the light
//!    of every piece differs, the mean counts less; where the reference is blurred, the fine detail; in a sepia
//!    reference, the colours do not count.

use super::blocks::{PieceBlocks, turned};
use crate::linalg::small_symmetric::inverse;
use crate::puzzle::{Grid, PieceShape, QuarterTurn};

/// A piece that probably belongs in a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) piece: usize,
    pub(super) turn: QuarterTurn,
    pub(super) cell: usize,
}

/// What is compared before anything is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// All channels, each with the mean and spread of the pieces.
    Colors,
    /// Brightness, with the distribution of the pieces.
    Brightness,
    /// The same; each piece and cell without most of its mean, and with the same contrast.
    Structure,
}

/// How the values of cells become those of pieces.
#[derive(Clone, Debug)]
enum CellTones {
    /// Gain and offset of every channel.
    Scaled(Vec<(f64, f64)>),
    /// The mean of the channels, by a monotone curve with these points.
    Curve(Vec<(f64, f64)>),
    /// Gain and offset of every channel by place, as coefficients of [`basis`].
    Light(Vec<[[f64; BASIS]; 2]>),
}

/// How the values of pieces are changed.
#[derive(Clone, Debug)]
enum PieceTones {
    AsTheyAre,
    Mean,
    /// By channel, the coefficients of [`features`].
    Map(Vec<Vec<f64>>),
}

/// What makes pieces and cells comparable.
#[derive(Clone, Debug)]
pub(super) struct Tones {
    /// Compared channels.
    channels: usize,
    pieces: PieceTones,
    cells: CellTones,
    /// By frequency and channel.
    weights: Vec<f64>,
    /// Whether every item gets the same contrast.
    is_local: bool,
    transform: Transform,
}

/// The number of functions in [`basis`].
const BASIS: usize = 6;

/// Functions of a place on the board; rows and columns from -1 to 1.
fn basis(down: f64, across: f64) -> [f64; BASIS] {
    [1.0, down, across, down * down, down * across, across * across]
}

/// Functions of a colour: 1, its values, and their squares.
fn features(color: &[f64]) -> impl Iterator<Item = f64> {
    let squares = color.iter().map(|value| value * value);
    std::iter::once(1.0).chain(color.iter().copied()).chain(squares)
}

/// The weight of the mean against the structure in [`Start::Structure`].
const WEIGHT_OF_MEAN: f64 = 0.25;
/// The contrast that all pieces get there.
const CONTRAST: f64 = 0.2;
/// Less contrast, 4 of 255 levels, is noise.
const NO_CONTRAST: f64 = 4.0 / 255.0;
/// The least error of a value: one of 255 levels.
const LEAST_ERROR: f64 = 1.0 / 255.0;
/// Points of the curve of [`Start::Brightness`].
const CURVE_POINTS: usize = 65;
/// The least number of pairs for which light is fitted.
const LEAST_FOR_LIGHT: usize = 40;
/// The least number of pairs for which tones are fitted.
pub(super) const LEAST_PAIRS: usize = 12;
/// The share of pairs that a second fit leaves out because they fit worst.
const TRIMMED: f64 = 0.25;

impl Tones {
    /// What to compare at first; `None` if the channels differ and colours were asked for.
    pub(super) fn new(
        start: Start,
        pieces: &PieceBlocks,
        cells: &[f64],
        colors: usize,
    ) -> Option<Self> {
        let transform = Transform::new(pieces.blocks);
        let all = |weight: f64| vec![weight; pieces.blocks.num_pixels()];
        if start == Start::Colors {
            if pieces.colors != colors {
                return None;
            }
            let (to, from) = (moments(pieces.values(), colors), moments(cells, colors));
            let scaled = to.into_iter().zip(from).map(|(to, from)| {
                let gain = if from.1 > 0.0 && to.1 > 0.0 { to.1 / from.1 } else { 1.0 };
                (gain, to.0 - gain * from.0)
            });
            return Some(Self {
                channels: colors,
                pieces: PieceTones::AsTheyAre,
                cells: CellTones::Scaled(scaled.collect()),
                weights: vec![1.0; pieces.blocks.num_pixels() * colors],
                is_local: false,
                transform,
            });
        }
        let points = |values: &[f64], colors: usize| {
            let mut means: Vec<f64> = values.chunks_exact(colors).map(mean).collect();
            means.sort_by(f64::total_cmp);
            let at = |point: usize| means[point * (means.len() - 1) / (CURVE_POINTS - 1)];
            (0..CURVE_POINTS).map(at).collect::<Vec<f64>>()
        };
        let (from, to) = (points(cells, colors), points(pieces.values(), pieces.colors));
        let is_local = start == Start::Structure;
        let mut weights = all(1.0);
        if is_local {
            weights[0] = WEIGHT_OF_MEAN;
        }
        Some(Self {
            channels: 1,
            pieces: PieceTones::Mean,
            cells: CellTones::Curve(from.into_iter().zip(to).collect()),
            weights,
            is_local,
            transform,
        })
    }

    /// The values that describe a piece after a turn.
    pub(super) fn of_piece(
        &self,
        pieces: &PieceBlocks,
        piece: usize,
        turn: QuarterTurn,
    ) -> Vec<f64> {
        let upright = self.piece_values(pieces.of(piece), pieces.colors);
        self.described(turned(&upright, pieces.blocks, self.channels, turn))
    }

    fn piece_values(&self, raw: &[f64], colors: usize) -> Vec<f64> {
        match &self.pieces {
            PieceTones::AsTheyAre => raw.to_vec(),
            PieceTones::Mean => raw.chunks_exact(colors).map(mean).collect(),
            PieceTones::Map(map) => raw
                .chunks_exact(colors)
                .flat_map(|color| {
                    map.iter().map(move |row| dot(row.iter().copied(), features(color)))
                })
                .collect(),
        }
    }

    /// The values that describe a cell with these block means.
    pub(super) fn of_cell(&self, raw: &[f64], colors: usize, grid: Grid, cell: usize) -> Vec<f64> {
        self.described(self.cell_values(raw, colors, grid, cell))
    }

    fn cell_values(&self, raw: &[f64], colors: usize, grid: Grid, cell: usize) -> Vec<f64> {
        match &self.cells {
            CellTones::Scaled(scales) => raw
                .iter()
                .zip(scales.iter().cycle())
                .map(|(value, (gain, offset))| gain * value + offset)
                .collect(),
            CellTones::Curve(points) => {
                raw.chunks_exact(colors).map(|color| on_curve(points, mean(color))).collect()
            }
            CellTones::Light(light) => {
                let places = self.transform.places(grid, cell);
                let corrected = raw.chunks_exact(colors).zip(places).flat_map(|(color, place)| {
                    let of_channel = move |(value, [gain, offset]): (&f64, &[[f64; BASIS]; 2])| {
                        let gain = dot(*gain, place).clamp(0.2, 5.0);
                        (value - dot(*offset, place)) / gain
                    };
                    color.iter().zip(light).map(of_channel)
                });
                corrected.collect()
            }
        }
    }

    /// Frequencies, weighted.
    fn described(&self, values: Vec<f64>) -> Vec<f64> {
        let mut found = self.transform.of(&values, self.channels);
        found.iter_mut().zip(&self.weights).for_each(|(value, weight)| *value *= weight);
        if self.is_local {
            let rest = &mut found[1..];
            let power = dot(rest.iter().copied(), rest.iter().copied()) / (rest.len() + 1) as f64;
            let gain = CONTRAST / (power + NO_CONTRAST * NO_CONTRAST).sqrt();
            rest.iter_mut().for_each(|value| *value *= gain);
        }
        found
    }

    /// Tones by these pairs; `cells` has the block means of all cells, one after the other.
    pub(super) fn fitted(
        pieces: &PieceBlocks,
        cells: &[f64],
        colors: usize,
        grid: Grid,
        pairs: &[Pair],
    ) -> Self {
        let transform = Transform::new(pieces.blocks);
        let len = pieces.blocks.num_pixels() * colors;
        let raw_cell = |pair: &Pair| &cells[pair.cell * len..(pair.cell + 1) * len];
        let raw_piece =
            |pair: &Pair| turned(pieces.of(pair.piece), pieces.blocks, pieces.colors, pair.turn);
        let mut flat = [[0.0; BASIS]; 2];
        flat[0][0] = 1.0;
        let mut tones = Self {
            channels: colors,
            pieces: PieceTones::AsTheyAre,
            cells: CellTones::Light(vec![flat; colors]),
            weights: vec![1.0; len],
            is_local: false,
            transform,
        };
        let mut pairs = pairs.to_vec();
        for round in 0..2 {
            let mut colors_fit = LeastSquares::new(1 + 2 * pieces.colors, colors);
            for pair in &pairs {
                let target = tones.cell_values(raw_cell(pair), colors, grid, pair.cell);
                let piece = raw_piece(pair);
                for (color, to) in
                    piece.chunks_exact(pieces.colors).zip(target.chunks_exact(colors))
                {
                    colors_fit.add(&features(color).collect::<Vec<_>>(), to);
                }
            }
            tones.pieces = PieceTones::Map(colors_fit.solved(1e-4));
            let errors = |tones: &Self, pair: &Pair| -> (Vec<f64>, Vec<f64>) {
                let here = tones.of_piece(pieces, pair.piece, pair.turn);
                let there = tones.of_cell(raw_cell(pair), colors, grid, pair.cell);
                let errors = here.iter().zip(there).map(|(a, b)| a - b).collect();
                (here, errors)
            };
            if pairs.len() >= LEAST_FOR_LIGHT {
                let mut fits = vec![LeastSquares::new(2 * BASIS, 1); colors];
                for pair in &pairs {
                    let piece = tones.piece_values(&raw_piece(pair), pieces.colors);
                    let places = tones.transform.places(grid, pair.cell);
                    let blocks =
                        piece.chunks_exact(colors).zip(raw_cell(pair).chunks_exact(colors));
                    for ((here, there), place) in blocks.zip(places) {
                        for (channel, fit) in fits.iter_mut().enumerate() {
                            let gains = place.iter().map(|value| value * here[channel]);
                            let row: Vec<f64> = gains.chain(place).collect();
                            fit.add(&row, &[there[channel] - here[channel]]);
                        }
                    }
                }
                let light = fits.iter().map(|fit| {
                    let found = &fit.solved(1e-2)[0];
                    let mut light = flat;
                    for (at, value) in found.iter().enumerate() {
                        light[at / BASIS][at % BASIS] += value;
                    }
                    light
                });
                tones.cells = CellTones::Light(light.collect());
            }
            if round == 0 {
                let mut by_error: Vec<(f64, Pair)> = pairs
                    .iter()
                    .map(|pair| {
                        let (here, errors) = errors(&tones, pair);
                        let channels = colors.min(here.len());
                        let power = |values: &[f64]| {
                            values[channels..].iter().map(|value| value * value).sum::<f64>()
                        };
                        let error: f64 = errors.iter().map(|value| value * value).sum();
                        (error / (power(&here) + len as f64 * LEAST_ERROR * LEAST_ERROR), *pair)
                    })
                    .collect();
                by_error.sort_by(|a, b| a.0.total_cmp(&b.0));
                #[expect(clippy::cast_possible_truncation, reason = "fewer than all")]
                let kept = ((1.0 - TRIMMED) * by_error.len() as f64).ceil() as usize;
                by_error.truncate(kept.max(LEAST_PAIRS));
                pairs = by_error.into_iter().map(|(_, pair)| pair).collect();
            } else {
                let all: Vec<_> = pairs.iter().map(|pair| errors(&tones, pair)).collect();
                let variance = moments(pieces.values(), 1)[0].1.powi(2);
                tones.weights = tones.transform.weights(&all, colors, variance);
            }
        }
        tones
    }
}

/// The mean and the standard deviation of every channel.
fn moments(values: &[f64], channels: usize) -> Vec<(f64, f64)> {
    (0..channels)
        .map(|channel| {
            let values = values.iter().skip(channel).step_by(channels);
            let count = values.clone().count() as f64;
            let mean = values.clone().sum::<f64>() / count;
            let squares: f64 = values.map(|value| (value - mean) * (value - mean)).sum();
            (mean, (squares / count).sqrt())
        })
        .collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn dot(a: impl IntoIterator<Item = f64>, b: impl IntoIterator<Item = f64>) -> f64 {
    a.into_iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The value of a monotone curve through these points.
fn on_curve(points: &[(f64, f64)], at: f64) -> f64 {
    let after = points.partition_point(|point| point.0 < at).clamp(1, points.len() - 1);
    let (a, b) = (points[after - 1], points[after]);
    let width = b.0 - a.0;
    let share = if width > 0.0 { ((at - a.0) / width).clamp(0.0, 1.0) } else { 0.5 };
    a.1 + share * (b.1 - a.1)
}

/// Sums for linear least squares with several right sides.
#[derive(Clone, Debug)]
struct LeastSquares {
    /// The sum of the products of unknowns, row by row.
    matrix: Vec<f64>,
    num_unknowns: usize,
    /// By right side.
    right: Vec<Vec<f64>>,
}

impl LeastSquares {
    fn new(num_unknowns: usize, num_right: usize) -> Self {
        let matrix = vec![0.0; num_unknowns * num_unknowns];
        Self { matrix, num_unknowns, right: vec![vec![0.0; num_unknowns]; num_right] }
    }

    fn add(&mut self, row: &[f64], right: &[f64]) {
        for (i, &a) in row.iter().enumerate() {
            for (j, &b) in row.iter().enumerate() {
                self.matrix[i * self.num_unknowns + j] += a * b;
            }
            self.right.iter_mut().zip(right).for_each(|(sums, value)| sums[i] += a * value);
        }
    }

    /// The unknowns of every right side, held near 0 by a multiple of the mean of the diagonal.
    fn solved(&self, ridge: f64) -> Vec<Vec<f64>> {
        let k = self.num_unknowns;
        let trace: f64 = (0..k).map(|i| self.matrix[i * k + i]).sum();
        let mut matrix = self.matrix.clone();
        (0..k).for_each(|i| matrix[i * k + i] += ridge * trace / k as f64 + 1e-12);
        let inverse = inverse(&matrix, k);
        let row = |right: &Vec<f64>, i: usize| {
            dot(inverse[i * k..(i + 1) * k].iter().copied(), right.iter().copied())
        };
        self.right.iter().map(|right| (0..k).map(|i| row(right, i)).collect()).collect()
    }
}

/// Cosine transforms along rows and columns of blocks, and brightness and differences of three colours.
/// Lengths stay what they are.
#[derive(Clone, Debug)]
struct Transform {
    rows: Vec<f64>,
    cols: Vec<f64>,
    blocks: PieceShape,
}

impl Transform {
    fn new(blocks: PieceShape) -> Self {
        let along = |len: u32| {
            let len = len as usize;
            let wave = |at: usize| {
                let (frequency, place) = ((at / len) as f64, (at % len) as f64);
                let norm = if at < len { 1.0 } else { 2.0 } / len as f64;
                let angle = std::f64::consts::PI * frequency * (place + 0.5) / len as f64;
                norm.sqrt() * angle.cos()
            };
            (0..len * len).map(wave).collect()
        };
        Self { rows: along(blocks.height_px()), cols: along(blocks.width_px()), blocks }
    }

    /// Frequency by frequency, channel by channel.
    fn of(&self, values: &[f64], channels: usize) -> Vec<f64> {
        let (rows, cols) = (self.blocks.height_px() as usize, self.blocks.width_px() as usize);
        let mut by_row = vec![0.0; values.len()];
        for row in 0..rows {
            for frequency in 0..cols {
                for col in 0..cols {
                    let wave = self.cols[frequency * cols + col];
                    for channel in 0..channels {
                        by_row[(row * cols + frequency) * channels + channel] +=
                            wave * values[(row * cols + col) * channels + channel];
                    }
                }
            }
        }
        let stride = cols * channels;
        let mut found = vec![0.0; values.len()];
        for frequency in 0..rows {
            for row in 0..rows {
                let wave = self.rows[frequency * rows + row];
                for at in 0..stride {
                    found[frequency * stride + at] += wave * by_row[row * stride + at];
                }
            }
        }
        if channels == 3 {
            for color in found.chunks_exact_mut(3) {
                let (r, g, b) = (color[0], color[1], color[2]);
                color[0] = (r + g + b) / 3.0_f64.sqrt();
                color[1] = (r - g) / 2.0_f64.sqrt();
                color[2] = (r + g - 2.0 * b) / 6.0_f64.sqrt();
            }
        }
        found
    }

    /// The places of the blocks of a cell on the board, as [`basis`] has them.
    fn places(&self, grid: Grid, cell: usize) -> impl Iterator<Item = [f64; BASIS]> + use<> {
        let (rows, cols) = (self.blocks.height_px(), self.blocks.width_px());
        let cell = grid.cell_at(cell);
        let at = |cell: u32, block: u32, blocks: u32, cells: u32| {
            let place = f64::from(cell) + (f64::from(block) + 0.5) / f64::from(blocks);
            2.0 * place / f64::from(cells) - 1.0
        };
        (0..rows * cols).map(move |block| {
            let down = at(cell.row, block / cols, rows, grid.rows());
            basis(down, at(cell.col, block % cols, cols, grid.cols()))
        })
    }

    /// The band of a frequency: 0 for the mean, then one per octave.
    fn band(&self, frequency: usize) -> usize {
        let cols = self.blocks.width_px() as usize;
        (frequency / cols)
            .max(frequency % cols)
            .checked_ilog2()
            .map_or(0, |octave| octave as usize + 1)
    }

    /// The weights of frequencies and channels by the descriptions of pieces and their errors. They leave the
    /// mean square of descriptions at `variance`.
    fn weights(&self, pairs: &[(Vec<f64>, Vec<f64>)], channels: usize, variance: f64) -> Vec<f64> {
        let len = self.blocks.num_pixels() * channels;
        let group = |at: usize| (self.band(at / channels), at % channels);
        let num_bands =
            1 + (0..self.blocks.num_pixels()).map(|at| self.band(at)).max().unwrap_or(0);
        // By band and channel: the number of values, their variance, their mean squared error.
        let mut sums = vec![(0.0, 0.0, 0.0); num_bands * channels];
        let count = pairs.len() as f64;
        for at in 0..len {
            let (band, channel) = group(at);
            let mean = pairs.iter().map(|pair| pair.0[at]).sum::<f64>() / count;
            let sum = &mut sums[band * channels + channel];
            sum.0 += 1.0;
            sum.1 += pairs.iter().map(|pair| (pair.0[at] - mean).powi(2)).sum::<f64>() / count;
            sum.2 += pairs.iter().map(|pair| pair.1[at].powi(2)).sum::<f64>() / count;
        }
        let squares: Vec<f64> = sums
            .iter()
            .map(|&(number, signal, error): &(f64, f64, f64)| {
                let (signal, error) = (signal / number, error / number + LEAST_ERROR * LEAST_ERROR);
                signal / (signal + error) / error
            })
            .collect();
        let total: f64 = sums.iter().zip(&squares).map(|(sum, square)| sum.1 * square).sum();
        let scale = if total > 0.0 { variance * len as f64 / total } else { 1.0 };
        let weight = |at: usize| {
            let (band, channel) = group(at);
            (scale * squares[band * channels + channel]).sqrt()
        };
        (0..len).map(weight).collect()
    }
}
