//! A landscape: sky, clouds and sun, mountains, forest, a village, a lake with a boat,
//! and a meadow.
//!
//! This file lays out the scene; [`painting`] paints it pixel by pixel from back to front. Positions are in units of the picture's height,
//! `u` rightward and `v` downward, so that the scene keeps its proportions at any size; `v` 0 is
//! the top and 1 the bottom. Colours are red, green and blue between 0 and 1. Every object is
//! drawn with an edge one pixel soft.

mod painting;

use super::noise::{Noise, lerp};
use crate::picture::Picture;
use crate::puzzle::Samples;
use rayon::prelude::*;

type Color = [f64; 3];

/// Where the far shore meets the water.
const SHORE_V: f64 = 0.665;
/// How far film grain moves a value, of 255.
const GRAIN: f64 = 3.0;

/// A procedural landscape, RGB, 8 bit; the same for the same seed on every run.
///
/// Rich enough to look at and to be solved at sizes from about 300 pixels. Sides of zero are
/// taken as one.
pub fn demo_picture(height_px: usize, width_px: usize, seed: u64) -> Picture {
    let (height_px, width_px) = (height_px.max(1), width_px.max(1));
    let scene = Scene::new(height_px, width_px, seed);
    let grain = Noise::new(seed).derived(1);
    let mut values = vec![0_u8; height_px * width_px * 3];
    values.par_chunks_exact_mut(width_px * 3).enumerate().for_each(|(row, line)| {
        for (col, pixel) in line.chunks_exact_mut(3).enumerate() {
            let color = scene.color(col, row);
            let (col, row) = (col as i64, row as i64);
            // The sum of two uniform numbers: small deviations are likelier than large ones.
            let common = grain.at(2 * col, row) + grain.at(2 * col + 1, row) - 1.0;
            for (channel, value) in pixel.iter_mut().enumerate() {
                let own = grain.at(3 * col + channel as i64, -1 - row) - 0.5;
                let exact = color[channel] * 255.0 + GRAIN * (common + 0.5 * own);
                #[expect(clippy::cast_possible_truncation, reason = "clamped to 0..=255")]
                let rounded = exact.round().clamp(0.0, 255.0) as u8;
                *value = rounded;
            }
        }
    });
    Picture::new(height_px, width_px, 3, Samples::U8(values)).expect("three values a pixel")
}

/// A row of trees in one column of pixels: where the tree ends, and which tree it is.
#[derive(Clone, Copy)]
struct TreeLine {
    top_v: f64,
    /// -1 at the left edge of the tree, 1 at the right.
    aside: f64,
    /// A number of the tree's own in 0..1.
    tint: f64,
}

/// A mountain range: the height of its crest in each column, far ranges first.
struct Range {
    crest_v: Vec<f64>,
    /// How far it fades into the air, 0 to 1.
    haze: f64,
    /// Above this there is snow.
    snow_v: f64,
    rock: Color,
    grass: Color,
    noise: Noise,
    /// Features to a unit of height.
    scale: f64,
}

struct House {
    left_u: f64,
    width: f64,
    base_v: f64,
    wall_height: f64,
    roof_height: f64,
    wall: Color,
    roof: Color,
}

struct Bird {
    u: f64,
    v: f64,
    span: f64,
    tilt: f64,
}

struct BigTree {
    u: f64,
    top_v: f64,
    base_v: f64,
    half_width: f64,
    noise: Noise,
}

struct Scene {
    /// One pixel in units of the height.
    pixel: f64,
    aspect: f64,
    noise: Noise,
    sun: (f64, f64),
    ranges: Vec<Range>,
    forests: Vec<Vec<TreeLine>>,
    houses: Vec<House>,
    birds: Vec<Bird>,
    big_trees: Vec<BigTree>,
    boat: (f64, f64),
    /// Where the meadow begins, by column.
    meadow_v: Vec<f64>,
}

impl Scene {
    fn new(height_px: usize, width_px: usize, seed: u64) -> Self {
        let pixel = 1.0 / height_px as f64;
        let aspect = width_px as f64 * pixel;
        let noise = Noise::new(seed).derived(2);
        let columns = || (0..width_px).map(move |col| (col as f64 + 0.5) * pixel);
        let sun = (aspect * lerp(0.68, 0.80, noise.at(0, 0)), lerp(0.17, 0.24, noise.at(0, 1)));

        let crest = |index: u64, base: f64, rise: f64, scale: f64, peak_u: f64, peak: f64| {
            let own = noise.derived(10 + index);
            columns()
                .map(|u| {
                    let massif = (1.0 - ((u - peak_u) / 0.55).abs()).max(0.0);
                    let rough = own.ridged(u * scale, 0.3, 6);
                    base - rise * rough * rough - peak * massif.powf(1.3) * (0.55 + 0.45 * rough)
                })
                .collect::<Vec<_>>()
        };
        let range = |index: u64, crest_v, haze, snow_v, rock, grass, scale| Range {
            crest_v,
            haze,
            snow_v,
            rock,
            grass,
            noise: noise.derived(30 + index),
            scale,
        };
        let left = aspect * lerp(0.26, 0.36, noise.at(1, 0));
        let right = aspect * lerp(0.80, 0.95, noise.at(1, 1));
        let ranges = vec![
            range(
                0,
                crest(0, 0.50, 0.16, 1.9, right, 0.10),
                0.62,
                0.44,
                [0.40, 0.42, 0.50],
                [0.38, 0.43, 0.47],
                6.0,
            ),
            range(
                1,
                crest(1, 0.56, 0.13, 1.6, left, 0.34),
                0.34,
                0.41,
                [0.39, 0.36, 0.37],
                [0.30, 0.36, 0.29],
                5.0,
            ),
            range(
                2,
                crest(2, 0.635, 0.12, 1.3, right + 0.1, 0.13),
                0.14,
                0.10,
                [0.35, 0.33, 0.27],
                [0.25, 0.34, 0.18],
                7.0,
            ),
        ];

        let forest = |index: u64, base: f64, rise: f64, tree: f64, spacing: f64| {
            let own = noise.derived(50 + index);
            columns()
                .map(|u| {
                    let ground = base - rise * own.fractal(u * 2.2, 0.7, 3);
                    let cell = (u / spacing).floor();
                    let mut best = TreeLine { top_v: ground, aside: 0.0, tint: 0.5 };
                    for neighbor in -2..=2 {
                        #[expect(
                            clippy::cast_possible_truncation,
                            reason = "the number of a tree in the picture"
                        )]
                        let number = cell as i64 + neighbor;
                        let middle = (number as f64 + own.at(number, 1)) * spacing;
                        let height = tree * lerp(0.55, 1.25, own.at(number, 2));
                        let half_width = height * lerp(0.20, 0.30, own.at(number, 3));
                        let aside = (u - middle) / half_width;
                        let top_v = ground - height * (1.0 - aside.abs());
                        if top_v < best.top_v {
                            best = TreeLine { top_v, aside, tint: own.at(number, 4) };
                        }
                    }
                    best
                })
                .collect::<Vec<_>>()
        };
        let forests = vec![
            forest(0, SHORE_V - 0.004, 0.070, 0.030, 0.0090),
            forest(1, SHORE_V + 0.004, 0.048, 0.036, 0.0120),
            forest(2, SHORE_V + 0.012, 0.034, 0.042, 0.0160),
        ];

        let village_u = aspect * lerp(0.50, 0.58, noise.at(2, 0));
        let mut houses: Vec<House> = (0..9)
            .map(|index| {
                let random = |what| noise.derived(70).at(index, what);
                let width = lerp(0.026, 0.040, random(0));
                let walls = [[0.93, 0.90, 0.82], [0.88, 0.80, 0.66], [0.80, 0.84, 0.86]];
                let roofs = [[0.62, 0.24, 0.16], [0.50, 0.22, 0.18], [0.38, 0.30, 0.28]];
                let pick = |value: f64| if value < 0.4 { 0 } else { 1 + usize::from(value > 0.7) };
                House {
                    left_u: village_u + (index as f64 - 4.0) * 0.041 + 0.012 * random(1),
                    width,
                    base_v: SHORE_V - 0.002 - 0.014 * random(2) * f64::from(index % 2 == 0),
                    wall_height: width * lerp(0.45, 0.65, random(3)),
                    roof_height: width * lerp(0.35, 0.5, random(4)),
                    wall: walls[pick(random(5))],
                    roof: roofs[pick(random(6))],
                }
            })
            .collect();
        houses.sort_by(|a, b| a.base_v.total_cmp(&b.base_v));
        // The church's tower stands behind the houses.
        let tower = House {
            left_u: village_u + 0.006,
            width: 0.017,
            base_v: SHORE_V - 0.010,
            wall_height: 0.052,
            roof_height: 0.044,
            wall: [0.92, 0.90, 0.86],
            roof: [0.30, 0.36, 0.38],
        };
        houses.insert(0, tower);

        let flock = (aspect * lerp(0.42, 0.52, noise.at(3, 0)), lerp(0.20, 0.27, noise.at(3, 1)));
        let birds = (0..11)
            .map(|index| {
                let random = |what| noise.derived(90).at(index, what);
                Bird {
                    u: flock.0 + 0.26 * (random(0) - 0.5),
                    v: flock.1 + 0.15 * (random(1) - 0.5),
                    span: lerp(0.008, 0.017, random(2)),
                    tilt: 0.5 * (random(3) - 0.5),
                }
            })
            .collect();

        let big_trees =
            [(0.965, 0.36, 1.03), (0.885, 0.50, 0.985), (1.03, 0.44, 1.01), (0.045, 0.55, 0.97)]
                .into_iter()
                .enumerate()
                .map(|(index, (place, top_v, base_v))| BigTree {
                    u: aspect * place,
                    top_v,
                    base_v,
                    half_width: (base_v - top_v) * 0.19,
                    noise: noise.derived(110 + index as u64),
                })
                .collect();
        let boat = (aspect * lerp(0.28, 0.36, noise.at(4, 0)), 0.765);
        let meadow = noise.derived(130);
        let meadow_v = columns()
            .map(|u| {
                let across = u / aspect;
                0.905 - 0.065 * (2.0 * across - 0.9).powi(2) * (0.6 + across)
                    + 0.035 * (meadow.fractal(u * 2.4, 0.2, 4) - 0.5)
            })
            .collect();
        Self {
            pixel,
            aspect,
            noise,
            sun,
            ranges,
            forests,
            houses,
            birds,
            big_trees,
            boat,
            meadow_v,
        }
    }
}
