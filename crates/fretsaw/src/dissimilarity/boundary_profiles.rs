//! Boundary profiles: level and slope at each side, fitted to bands of several depths.
//!
//! In a sky two lines of pixels hold little but noise, and dozens of sides fit about equally well. They
//! differ in how the levels change over the whole piece. So in a band along a side, a share of the piece's
//! depth, a polynomial across the side times cosines along it is fitted to the levels. At the seam, the
//! fits of true neighbours agree in level and in slope.
//!
//! Like a strip, a band is read outward and clockwise. Every sum is taken in that order, so a profile does
//! not depend on how the piece is turned.

use crate::linalg::single;
use crate::puzzle::{PieceId, PieceSet, Side, SideId};
use rayon::prelude::*;
use std::f64::consts::PI;

/// Number of waves along the side: cosines of 0 to 3 half periods.
const WAVES: usize = 4;

/// Numbers that describe a fit at the seam: level and slope.
const ENDS: usize = 2;

/// The bands of every side.
pub(crate) const BANDS: [Band; 4] = [
    Band { share: 0.2, degree: 1 },
    Band { share: 0.35, degree: 1 },
    Band { share: 0.5, degree: 1 },
    Band { share: 1.0, degree: 2 },
];

pub(crate) struct Band {
    /// Its share of the piece's depth.
    share: f64,
    /// Degree of the polynomial across the side; smaller where the band has too few lines.
    degree: usize,
}

/// The profiles of all sides.
#[derive(Clone, Debug)]
pub(crate) struct BoundaryProfiles {
    channels: usize,
    /// By side, band, end and channel: the coefficients of the waves. The first end is the level at the
    /// seam, the second its change outward over half the band.
    values: Vec<f32>,
}

/// How far the fits of two sides in one band are from meeting at the seam, in grey levels. Lower is better.
///
/// The differences of the mean level in grey and in colour, of the waves of the level in grey and in colour, of the
/// slope across the seam in grey and in colour, and of the waves of the slope in grey. Grey is the mean over channels,
/// colour the root mean square of the channels' difference from it.
pub(crate) type ProfileMismatch = [f32; 7];

impl BoundaryProfiles {
    /// Fits the profiles of all sides. Once `goes_on`, which is asked often, says no, those of further pieces stay zero.
    pub(crate) fn new(pieces: &PieceSet, goes_on: &(dyn Fn() -> bool + Sync)) -> Self {
        let channels = pieces.channels();
        let shape = pieces.shape();
        let plans = Side::ALL.map(|side| {
            let length = shape.side_length_px(side);
            Plan::new(length, shape.num_pixels() / length)
        });
        let unit = f64::from(pieces.samples().white()) / 255.0;
        let size = per_side(channels);
        let mut values = vec![0.0; 4 * pieces.num_pieces() * size];
        values.par_chunks_mut(4 * size).enumerate().for_each(|(piece, values)| {
            if !goes_on() {
                return;
            }
            let piece = PieceId::new(piece);
            for (side, values) in Side::ALL.into_iter().zip(values.chunks_exact_mut(size)) {
                plans[side.index()].fit(pieces, piece, side, unit, values);
            }
        });
        Self { channels, values }
    }

    pub(crate) fn of(&self, side: SideId) -> &[f32] {
        let size = per_side(self.channels);
        &self.values[side.index() * size..][..size]
    }
}

/// The mismatch of the profiles of two sides of the same length, band by band.
pub(crate) fn mismatches(of_u: &[f32], of_v: &[f32]) -> [ProfileMismatch; BANDS.len()] {
    let size = of_u.len() / (BANDS.len() * ENDS);
    std::array::from_fn(|band| {
        let [level, slope] = [0, 1].map(|end| {
            let start = (band * ENDS + end) * size;
            // Outward for u is inward for v.
            let direction = if end == 0 { 1.0 } else { -1.0 };
            Spread::new(&of_u[start..][..size], &of_v[start..][..size], direction)
        });
        [
            level.grey[0].abs(),
            level.colour[0].sqrt(),
            sum_of_squares(&level.grey[1..]).sqrt(),
            level.colour[1..].iter().sum::<f32>().sqrt(),
            slope.grey[0].abs(),
            slope.colour[0].sqrt(),
            sum_of_squares(&slope.grey[1..]).sqrt(),
        ]
    })
}

fn per_side(channels: usize) -> usize {
    BANDS.len() * ENDS * channels * WAVES
}

fn sum_of_squares(values: &[f32]) -> f32 {
    values.iter().map(|x| x * x).sum()
}

/// By wave: the mean over channels of the difference of two sides, and the mean square over channels of the
/// difference from that mean.
struct Spread {
    grey: [f32; WAVES],
    colour: [f32; WAVES],
}

impl Spread {
    fn new(of_u: &[f32], of_v: &[f32], direction: f32) -> Self {
        // The neighbour is read backwards, which changes the sign of odd waves.
        let signs: [f32; WAVES] =
            std::array::from_fn(|wave| if wave % 2 == 0 { direction } else { -direction });
        let (of_u, _) = of_u.as_chunks::<WAVES>();
        let (of_v, _) = of_v.as_chunks::<WAVES>();
        let share = 1.0 / of_u.len() as f32;
        let mut grey = [0.0; WAVES];
        let mut squares = [0.0; WAVES];
        for (u, v) in of_u.iter().zip(of_v) {
            for wave in 0..WAVES {
                let difference = u[wave] - signs[wave] * v[wave];
                grey[wave] += share * difference;
                squares[wave] += share * difference * difference;
            }
        }
        let colour = std::array::from_fn(|wave| (squares[wave] - grey[wave] * grey[wave]).max(0.0));
        Self { grey, colour }
    }
}

/// The weights with which pixels enter the fits of a side. Sides of equal length share a plan.
struct Plan {
    /// By pixel along the side: the waves there.
    waves: Vec<[f32; WAVES]>,
    /// By line from the outermost inward: its weight in each band and end.
    parts: Vec<[[f32; ENDS]; BANDS.len()]>,
}

impl Plan {
    /// The plan for a side of this length, of a piece of this depth, in pixels.
    fn new(length: usize, depth: usize) -> Self {
        let wave = |along: usize, wave: usize| {
            let scale = if wave == 0 { 1.0 } else { 2.0 } / length as f64;
            scale * (PI * wave as f64 * (along as f64 + 0.5) / length as f64).cos()
        };
        let mut parts = vec![[[0.0; ENDS]; BANDS.len()]; depth];
        for (at, band) in BANDS.iter().enumerate() {
            for (line, ends) in band.parts(depth).into_iter().enumerate() {
                parts[line][at] = ends.map(single);
            }
        }
        Self {
            waves: (0..length)
                .map(|along| std::array::from_fn(|number| single(wave(along, number))))
                .collect(),
            parts,
        }
    }

    fn fit(&self, pieces: &PieceSet, piece: PieceId, side: Side, unit: f64, out: &mut [f32]) {
        let channels = pieces.channels();
        let shape = pieces.shape();
        let unit = single(1.0 / unit);
        let mut line_waves = vec![[0.0_f32; WAVES]; channels];
        for (line, parts) in self.parts.iter().enumerate() {
            line_waves.fill([0.0; WAVES]);
            for (along, waves) in self.waves.iter().enumerate() {
                let (row, col) = shape.pixel_at_side(side, line, along);
                for (channel, sums) in line_waves.iter_mut().enumerate() {
                    let value = f32::from(pieces.sample(piece, row, col, channel)) * unit;
                    for (sum, wave) in sums.iter_mut().zip(waves) {
                        *sum += wave * value;
                    }
                }
            }
            let (slots, _) = out.as_chunks_mut::<WAVES>();
            for (slots, part) in slots.chunks_exact_mut(channels).zip(parts.as_flattened()) {
                for (slots, sums) in slots.iter_mut().zip(&line_waves) {
                    for (slot, sum) in slots.iter_mut().zip(sums) {
                        *slot += part * sum;
                    }
                }
            }
        }
    }
}

impl Band {
    /// The weight of each line in the least-squares level at the seam, half a pixel outside, and in the
    /// slope outward times half the band.
    fn parts(&self, depth: usize) -> Vec<[f64; ENDS]> {
        #[expect(clippy::cast_possible_truncation, reason = "at most the depth")]
        let lines = ((self.share * depth as f64).round() as usize).clamp(2, depth);
        let degree = self.degree.min(lines - 1);
        let half = lines as f64 / 2.0;
        // Distance from the seam, inward, in halves of the band: 0 to 2.
        let at = |line: usize| (line as f64 + 0.5) / half;
        // Gram-Schmidt: polynomials orthogonal on the lines, each with its value and slope at the seam.
        let mut polynomials: Vec<(Vec<f64>, f64, f64)> = Vec::new();
        for power in 0..=i32::try_from(degree).unwrap_or(i32::MAX) {
            let mut values: Vec<f64> = (0..lines).map(|line| at(line).powi(power)).collect();
            let mut level = f64::from(u8::from(power == 0));
            let mut slope = f64::from(u8::from(power == 1));
            for (other, other_level, other_slope) in &polynomials {
                let along: f64 = values.iter().zip(other).map(|(x, y)| x * y).sum();
                values.iter_mut().zip(other).for_each(|(x, y)| *x -= along * y);
                level -= along * other_level;
                slope -= along * other_slope;
            }
            let norm = values.iter().map(|x| x * x).sum::<f64>().sqrt();
            values.iter_mut().for_each(|x| *x /= norm);
            polynomials.push((values, level / norm, slope / norm));
        }
        let part = |line: usize| {
            let mut ends = [0.0; ENDS];
            for (values, level, slope) in &polynomials {
                ends[0] += values[line] * level;
                // Distances count inward, slopes outward.
                ends[1] -= values[line] * slope;
            }
            ends
        };
        (0..lines).map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{PieceShape, QuarterTurn, Samples};

    /// Two pieces of 8 rows x 6 columns side by side, of levels that follow a function of row and column.
    fn neighbors(level: impl Fn(f64, f64, usize) -> f64, channels: usize) -> PieceSet {
        let mut values = Vec::new();
        for piece in 0..2 {
            for row in 0..8 {
                for col in 0..6 {
                    for channel in 0..channels {
                        let x = level(f64::from(row), f64::from(col + 6 * piece), channel);
                        #[expect(
                            clippy::cast_possible_truncation,
                            reason = "a few hundred levels"
                        )]
                        values.push((x * 100.0).round() as u16);
                    }
                }
            }
        }
        PieceSet::new(PieceShape::new(8, 6).unwrap(), channels, Samples::U16(values)).unwrap()
    }

    fn of_seam(pieces: &PieceSet) -> [ProfileMismatch; BANDS.len()] {
        let side = |piece, side| SideId::new(PieceId::new(piece), side);
        let profiles = BoundaryProfiles::new(pieces, &|| true);
        mismatches(profiles.of(side(0, Side::Right)), profiles.of(side(1, Side::Left)))
    }

    #[test]
    fn a_straight_continuation_meets_in_level_and_slope() {
        let pieces = neighbors(|row, col, channel| 90.0 + row + 2.0 * col - channel as f64, 3);
        for mismatch in of_seam(&pieces) {
            let [grey_level, colour_level, grey_wave, _, grey_slope, ..] = mismatch;
            for x in [grey_level, colour_level, grey_wave, grey_slope] {
                assert!(x < 1e-3, "{mismatch:?}");
            }
        }
    }

    #[test]
    fn a_step_is_found_in_grey_and_in_colour_and_a_bend_in_the_slope() {
        let unit = 65535.0 / 255.0 / 100.0;
        let step = |col: f64| f64::from(u8::from(col >= 6.0));
        let grey = neighbors(|_, col, _| unit * (50.0 + 3.0 * step(col)), 3);
        for [grey_level, colour_level, _, _, grey_slope, ..] in of_seam(&grey) {
            assert!((grey_level - 3.0).abs() < 1e-3, "{grey_level}");
            assert!(colour_level < 0.05 && grey_slope < 1e-3, "{colour_level} {grey_slope}");
        }
        let colour = neighbors(|_, col, c| unit * (50.0 + step(col) * [3.0, -3.0, 0.0][c]), 3);
        for [grey_level, colour_level, ..] in of_seam(&colour) {
            assert!(grey_level < 0.01, "{grey_level}");
            assert!((colour_level - 6.0_f32.sqrt()).abs() < 1e-2, "{colour_level}");
        }
        let bend = neighbors(|_, col, _| unit * (50.0 + 2.0 * (col - 5.5) * step(col)), 1);
        for (mismatch, lines) in of_seam(&bend).into_iter().zip([2.0, 2.0, 3.0, 6.0]) {
            let [_, _, _, _, grey_slope, ..] = mismatch;
            assert!((grey_slope - lines).abs() < 1e-2, "{mismatch:?}");
        }
        let wave = neighbors(
            |row, col, _| unit * (50.0 + 4.0 * step(col) * (PI * (row + 0.5) / 8.0).cos()),
            1,
        );
        for [_, _, grey_wave, ..] in of_seam(&wave) {
            assert!((grey_wave - 4.0).abs() < 1e-2, "{grey_wave}");
        }
    }

    #[test]
    fn weights_are_those_of_the_normal_equations() {
        // A parabola over 5 lines, whose level at the seam and slope there are known.
        let band = Band { share: 1.0, degree: 2 };
        let parts = band.parts(5);
        let level = |line: f64| 7.0 - 3.0 * (line + 0.5) + 0.25 * (line + 0.5).powi(2);
        let sum = |end: usize| -> f64 {
            (0..5_u8).map(|line| parts[usize::from(line)][end] * level(f64::from(line))).sum()
        };
        assert!((sum(0) - 7.0).abs() < 1e-9);
        // The slope outward is 3 a line, times two and a half lines.
        assert!((sum(1) - 7.5).abs() < 1e-9);
        // Two lines bear no parabola.
        assert!(band.parts(2).iter().flatten().all(|part| part.is_finite()));
    }

    #[test]
    fn the_way_a_piece_is_turned_changes_no_bit() {
        let values = (0..7 * 7 * 3).map(|x| u8::try_from(x * x * 37 % 253).unwrap()).collect();
        let shape = PieceShape::new(7, 7).unwrap();
        let upright = PieceSet::new(shape, 3, Samples::U8(values)).unwrap();
        let turned = upright.turned(|_| QuarterTurn::from_clockwise(1)).unwrap();
        let profiles = [upright, turned].map(|pieces| BoundaryProfiles::new(&pieces, &|| true));
        for side in Side::ALL {
            let after = Side::from_index(side.index() + 1);
            let of = |turns: usize, side| profiles[turns].of(SideId::new(PieceId::new(0), side));
            assert_eq!(of(0, side), of(1, after));
        }
    }
}
