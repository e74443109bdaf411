//! A landscape to look at: sky, clouds and sun, mountains, forest, a village, a lake with a boat,
//! and a meadow.
//!
//! Painted pixel by pixel from back to front. Positions are in units of the picture's height,
//! `u` rightward and `v` downward, so that the scene keeps its proportions at any size; `v` 0 is
//! the top and 1 the bottom. Colours are red, green and blue between 0 and 1. Every object is
//! drawn with an edge one pixel soft.

use super::noise::{Noise, lerp, step};
use crate::picture::Picture;
use crate::puzzle::Samples;
use rayon::prelude::*;
use std::f64::consts::PI;

type Color = [f64; 3];

/// Where the far shore meets the water.
const SHORE_V: f64 = 0.665;
/// How far a wisp of film grain moves a value, of 255.
const GRAIN: f64 = 3.0;

/// A procedural landscape, RGB, 8 bit; the same for the same seed on every run.
///
/// Rich enough to look at and to be solved at sizes from about 300 pixels. Sides of zero are
/// taken as one.
#[must_use]
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

fn mix(from: Color, to: Color, t: f64) -> Color {
    [0, 1, 2].map(|c| lerp(from[c], to[c], t))
}

fn scaled(color: Color, factor: f64) -> Color {
    color.map(|value| value * factor)
}

/// What a column of pixels sees of a row of trees: where the trees end and whose they are.
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

    /// The colour of a pixel, without grain.
    fn color(&self, col: usize, row: usize) -> Color {
        let u = (col as f64 + 0.5) * self.pixel;
        let v = (row as f64 + 0.5) * self.pixel;
        let mut color = if v < SHORE_V {
            self.boat(u, v, 0.0, self.land(col, u, v))
        } else {
            self.lake(col, u, v)
        };
        let ashore = self.soft(v - self.meadow_v[col]);
        if ashore > 0.0 {
            color = mix(color, self.meadow(u, v, v - self.meadow_v[col]), ashore);
        }
        for tree in &self.big_trees {
            color = self.big_tree(tree, u, v, color);
        }
        // Darker corners, as through a lens.
        let (x, y) = (u / self.aspect - 0.5, v - 0.5);
        scaled(color, 1.04 - 0.30 * (x * x + y * y))
    }

    /// 1 where `inside` is positive, 0 where negative, with a soft edge of one pixel.
    fn soft(&self, inside: f64) -> f64 {
        (inside / self.pixel + 0.5).clamp(0.0, 1.0)
    }

    /// Everything above the water, without the boat.
    fn land(&self, col: usize, u: f64, v: f64) -> Color {
        let covers_of_ranges = self.ranges.iter().map(|range| v - range.crest_v[col]);
        let covers_of_forests = self.forests.iter().map(|trees| v - trees[col].top_v);
        // Start at the foremost layer that hides all others.
        let mut hidden = 0;
        for (layer, inside) in covers_of_ranges.chain(covers_of_forests).enumerate() {
            if self.soft(inside) >= 1.0 {
                hidden = layer + 1;
            }
        }
        let mut color = if hidden == 0 { self.sky(u, v) } else { [0.0; 3] };
        for (layer, range) in self.ranges.iter().enumerate() {
            let cover = self.soft(v - range.crest_v[col]);
            if cover > 0.0 && layer + 1 >= hidden {
                color = mix(color, self.mountain(range, range.crest_v[col], u, v), cover);
            }
        }
        for (depth, trees) in self.forests.iter().enumerate() {
            let trees = trees[col];
            let cover = self.soft(v - trees.top_v);
            if cover > 0.0 && self.ranges.len() + depth + 1 >= hidden {
                color = mix(color, self.forest(trees, depth, u, v), cover);
            }
        }
        for house in &self.houses {
            color = self.house(house, u, v, color);
        }
        color
    }

    fn sky(&self, u: f64, v: f64) -> Color {
        let height = (v / 0.62).clamp(0.0, 1.0);
        let zenith = [0.16, 0.36, 0.66];
        let middle = [0.47, 0.67, 0.86];
        let horizon = [0.98, 0.86, 0.70];
        let mut color = if height < 0.6 {
            mix(zenith, middle, height / 0.6)
        } else {
            mix(middle, horizon, (height - 0.6) / 0.4)
        };
        let (du, dv) = (u - self.sun.0, v - self.sun.1);
        let distance = (du * du + dv * dv).sqrt();
        let glow = (-distance * 5.0).exp();
        color = mix(color, [1.0, 0.90, 0.68], 0.75 * glow);
        color = mix(color, [1.0, 0.98, 0.88], self.soft(0.034 - distance));

        // High thin streaks, then heaps of cumulus lit from the sun's side.
        let streaks = self.noise.derived(150);
        let bend = streaks.fractal(u * 1.4, v * 2.0, 2);
        let thin = streaks.fractal(u * 2.2 + 1.5 * bend, v * 13.0 + 3.0 * bend, 5);
        color = mix(color, [0.98, 0.96, 0.95], 0.55 * step(0.48, 0.85, thin));
        let heaps = self.noise.derived(151);
        let warp = heaps.fractal(u * 3.0, v * 4.0, 3) - 0.5;
        let density = |u: f64, v: f64| {
            heaps.fractal(u * 2.7 + warp * 0.7, v * 5.6 + warp * 0.9, 6)
                - 0.16 * (v / 0.30 - 1.1).abs()
        };
        let here = density(u, v);
        let cover = step(0.44, 0.60, here);
        if cover > 0.0 {
            let toward_sun = 0.030 / distance.max(0.030);
            let there = density(u - du * toward_sun, v - dv * toward_sun - 0.008);
            let light = (0.60 + 3.4 * (here - there)).clamp(0.0, 1.0);
            let lit = mix([0.56, 0.60, 0.70], [1.0, 0.97, 0.91], light);
            color = mix(color, mix(lit, [1.0, 0.92, 0.76], 0.5 * glow), 0.93 * cover);
        }
        for bird in &self.birds {
            color = self.bird(bird, u, v, color);
        }
        color
    }

    fn bird(&self, bird: &Bird, u: f64, v: f64, color: Color) -> Color {
        let across = (u - bird.u) / bird.span;
        if across.abs() > 1.0 || (v - bird.v).abs() > bird.span {
            return color;
        }
        let wing = (PI * across.abs().sqrt()).sin() * 0.42 - 0.12 * across.abs();
        let line = bird.v + bird.span * (0.2 - wing + bird.tilt * across);
        let thickness = (0.13 * bird.span * (1.15 - across.abs())).max(0.5 * self.pixel);
        let cover = ((thickness - (v - line).abs()) / self.pixel + 0.5).clamp(0.0, 1.0);
        mix(color, [0.13, 0.13, 0.17], 0.9 * cover)
    }

    fn mountain(&self, range: &Range, crest_v: f64, u: f64, v: f64) -> Color {
        let depth = v - crest_v;
        let scale = range.scale;
        // The relief runs down the slope: finer across than along.
        let bend = range.noise.fractal(u * scale * 0.5, v * scale * 0.5, 2) - 0.5;
        let relief = |u: f64| {
            range.noise.ridged(
                u * scale * 1.1 + bend * 2.2 + depth * scale * 0.6,
                v * scale * 0.9 - u + bend,
                6,
            )
        };
        let reach = 0.004;
        // Lit from the right everywhere: the sun is far behind the ranges.
        let slope = (relief(u) - relief(u + reach)) / reach;
        let light = (0.60 + 0.045 * slope).clamp(0.12, 1.1);
        let patches = range.noise.fractal(u * scale * 3.0, v * scale * 3.0, 4);
        let mut color =
            mix(range.rock, range.grass, step(0.02, 0.13, depth + 0.16 * (patches - 0.5)));
        color = scaled(color, (0.45 + 1.0 * light) * (0.80 + 0.40 * patches));
        let snow = step(0.03, -0.05, v - range.snow_v + 0.22 * (patches - 0.5) - 0.012 * slope);
        let snow_color = mix([0.55, 0.63, 0.80], [1.0, 0.985, 0.96], light);
        color = mix(color, snow_color, snow);
        // Air between: bluish above, warm near the ground.
        let air = mix([0.62, 0.72, 0.86], [0.90, 0.84, 0.78], step(0.35, 0.64, v));
        mix(color, air, (range.haze + 0.25 * step(0.0, 0.25, depth)).min(0.9))
    }

    fn forest(&self, trees: TreeLine, depth: usize, u: f64, v: f64) -> Color {
        let needles = self.noise.derived(170 + depth as u64);
        let speckle = needles.fractal(u * 150.0, v * 110.0, 2);
        let green = mix([0.11, 0.24, 0.14], [0.31, 0.37, 0.13], trees.tint * trees.tint);
        let below = ((v - trees.top_v) / 0.05).clamp(0.0, 1.0);
        let light = 0.62 + 0.30 * trees.aside + 0.65 * (speckle - 0.5) - 0.35 * below;
        let color = scaled(green, light.max(0.12) * 1.25);
        mix(color, [0.62, 0.68, 0.72], 0.20 - 0.08 * depth as f64)
    }

    fn house(&self, house: &House, u: f64, v: f64, color: Color) -> Color {
        let across = (u - house.left_u) / house.width;
        let above = house.base_v - v;
        if !(-0.2..1.2).contains(&across) || above < -self.pixel {
            return color;
        }
        let edge = self.soft(((0.5 - (across - 0.5).abs()) * house.width).min(above));
        let wall = edge * self.soft(house.wall_height - above);
        let mut painted = house.wall;
        // Windows in two rows.
        let (column, row) = (across * 3.0, above / house.wall_height * 2.0);
        let window = (0.25..0.72).contains(&column.fract()) && (0.28..0.75).contains(&row.fract());
        if window && across > 0.0 {
            painted = [0.24, 0.26, 0.32];
        }
        painted = scaled(painted, 0.80 + 0.25 * across.clamp(0.0, 1.0));
        let mut color = mix(color, painted, wall);
        let up = (above - house.wall_height) / house.roof_height;
        if (-0.05..1.05).contains(&up) {
            let overhang = 0.10;
            let half_width = (0.5 + overhang) * (1.0 - up);
            let roof = self.soft((half_width - (across - 0.5).abs()) * house.width)
                * self.soft(above - house.wall_height);
            let tiles = 0.88 + 0.16 * self.noise.smooth(u * 500.0, v * 700.0);
            color = mix(color, scaled(house.roof, tiles * (0.85 + 0.4 * across)), roof);
        }
        color
    }

    fn lake(&self, col: usize, u: f64, v: f64) -> Color {
        let down = v - SHORE_V;
        // Ripples grow towards the viewer.
        let waves = self.noise.derived(190);
        let closeness = (down / 0.3).clamp(0.02, 1.0);
        // In perspective waves shrink with the distance, across and, as the integral of that
        // scale, downward.
        let distance = 0.35 + closeness;
        let across = (u - 0.5 * self.aspect) / distance;
        let along = 0.3 * distance.ln();
        let ripple = waves.fractal(across * 11.0, along * 75.0, 4) - 0.5;
        let fine = waves.fractal(across * 34.0, along * 190.0, 2) - 0.5;
        let mirrored_v = SHORE_V - down * 1.45 + 0.10 * closeness * ripple - 0.002;
        let shift = (0.035 * closeness * fine / self.pixel).round();
        #[expect(
            clippy::cast_possible_truncation,
            reason = "clamped to the columns of the picture"
        )]
        let mirrored_col =
            (col as f64 + shift).clamp(0.0, self.meadow_v.len() as f64 - 1.0) as usize;
        let mirrored_u = (mirrored_col as f64 + 0.5) * self.pixel;
        let reflected = self.land(mirrored_col, mirrored_u, mirrored_v.clamp(0.0, SHORE_V));
        let water = mix([0.13, 0.30, 0.38], [0.05, 0.17, 0.24], closeness);
        let mut color = mix(reflected, water, 0.26 + 0.34 * closeness - 0.5 * ripple * closeness);
        color = scaled(color, 0.95 + 0.45 * fine * (0.3 + closeness));
        // The sun's path on the water.
        let path = (-((u - self.sun.0) / (0.035 + 0.16 * closeness)).powi(2)).exp();
        let glitter = step(0.10, 0.30, fine + 0.6 * ripple) * path;
        color = mix(color, [1.0, 0.93, 0.72], 0.8 * glitter);
        // A bright line where the water meets the land.
        color = mix(color, [0.80, 0.82, 0.80], 0.5 * step(0.006, 0.0, down));
        self.boat(u, v, ripple, color)
    }

    /// The boat, or below its water line its reflection, disturbed by the ripple.
    fn boat(&self, u: f64, v: f64, ripple: f64, color: Color) -> Color {
        let mirrored = v > self.boat.1;
        let size = 0.86;
        let x = (u - self.boat.0 + if mirrored { 0.030 * ripple } else { 0.0 }) / size;
        let up = (self.boat.1 - v).abs() / size;
        if x.abs() > 0.09 || up > 0.19 {
            return color;
        }
        let hull = self.soft(0.015 - up) * self.soft(0.042 + 0.9 * up - x.abs());
        // The main sail stands at the mast, the jib stretches to the bow; both bulge.
        let triangle = |low: f64, high: f64, x: f64, foot: f64| {
            let t = ((up - low) / (high - low)).clamp(0.0, 1.0);
            self.soft(up - low)
                * self.soft(x - 0.002)
                * self.soft(foot * (1.0 - t + 0.25 * (PI * t).sin()) - x)
        };
        let main = triangle(0.024, 0.168, x, 0.050);
        let jib = triangle(0.020, 0.140, -x, 0.040);
        let mast = self.soft(0.0016 - x.abs()) * self.soft(0.176 - up);
        let fade = if mirrored { 0.6 * (1.0 - up / 0.2) } else { 1.0 };
        let seams = 0.94 + 0.06 * (up * 260.0).sin();
        let mut color = mix(color, [0.35, 0.25, 0.18], mast * fade);
        color = mix(color, scaled([0.96, 0.94, 0.88], seams * (0.86 + 2.2 * x)), main * fade);
        color = mix(color, scaled([0.84, 0.33, 0.21], seams * (0.9 - 4.0 * x)), jib * fade);
        let stripe = if up > 0.011 { [0.93, 0.92, 0.88] } else { [0.16, 0.25, 0.42] };
        mix(color, stripe, hull * fade)
    }

    fn meadow(&self, u: f64, v: f64, inland: f64) -> Color {
        let grass = self.noise.derived(210);
        let lean = grass.fractal(u * 5.0, v * 5.0, 2);
        // Blades: far finer across than along.
        let blades = grass.fractal(u * 190.0 + 14.0 * lean, v * 38.0, 3);
        let patches = grass.fractal(u * 9.0, v * 16.0, 4);
        let mut color = mix([0.16, 0.27, 0.08], [0.52, 0.55, 0.20], patches);
        color = scaled(color, 0.45 + 1.15 * blades);
        // Sand and stones at the water's edge.
        let stones = grass.derived(1).fractal(u * 70.0, v * 90.0, 3);
        let sand = scaled([0.72, 0.65, 0.52], 0.45 + 1.05 * stones);
        color = mix(sand, color, step(0.008, 0.030, inland + 0.03 * (patches - 0.5)));
        // One flower in some cells of a lattice.
        let flowers = grass.derived(2);
        let spacing = 0.0135;
        let (cell_u, cell_v) = ((u / spacing).floor(), (v / spacing).floor());
        #[expect(clippy::cast_possible_truncation, reason = "a lattice of the picture's size")]
        let (number_u, number_v) = (cell_u as i64, cell_v as i64);
        let random = |what: u64| flowers.derived(what).at(number_u, number_v);
        let colors =
            [[0.93, 0.90, 0.84], [0.95, 0.76, 0.16], [0.80, 0.22, 0.20], [0.62, 0.42, 0.76]];
        if random(0) < 0.36 * step(0.35, 0.6, patches) + 0.05 && inland > 0.025 {
            let du = u - (cell_u + lerp(0.25, 0.75, random(1))) * spacing;
            let dv = v - (cell_v + lerp(0.25, 0.75, random(2))) * spacing;
            let radius = spacing * lerp(0.14, 0.27, random(3));
            let petals = self.soft(radius - (du * du + dv * dv * 1.6).sqrt());
            #[expect(clippy::cast_possible_truncation, reason = "a quarter of 0..1 each")]
            let which = (random(4) * 4.0) as usize;
            color = mix(color, scaled(colors[which.min(3)], 0.80 + 0.3 * blades), petals);
        }
        color
    }

    fn big_tree(&self, tree: &BigTree, u: f64, v: f64, color: Color) -> Color {
        let height = tree.base_v - tree.top_v;
        let down = (v - tree.top_v) / height;
        let aside = (u - tree.u) / tree.half_width;
        if !(0.0..1.0).contains(&down) || aside.abs() > 1.15 {
            return color;
        }
        let trunk = self.soft(height * 0.014 * (0.4 + down) - (u - tree.u).abs());
        let bark = scaled([0.30, 0.22, 0.16], 0.7 + 0.5 * tree.noise.smooth(u * 300.0, v * 40.0));
        let mut color = mix(color, bark, trunk);
        // Tiers of branches that hang outward; ragged by noise.
        let tiers = 15.0;
        let hang =
            down * tiers - 0.9 * aside.abs() + 0.7 * (tree.noise.smooth(u * 30.0, 0.5) - 0.5);
        let tier = hang - hang.floor();
        let ragged = tree.noise.fractal(u * 95.0, v * 95.0, 3);
        let reach = (down * 1.02 + 0.015) * (0.62 + 0.38 * tier) * (0.72 + 0.5 * ragged);
        let inside = (reach - aside.abs()) * tree.half_width;
        let needles = self.soft(inside) * step(1.0, 0.93, down);
        let gap = step(0.66, 0.74, tree.noise.derived(1).fractal(u * 55.0, v * 70.0, 3))
            * step(0.3, 0.8, aside.abs() / (down + 0.05));
        let light = 0.35 + 0.55 * tier * ragged * 1.6 + 0.16 * (self.sun.0 - u).signum() * aside;
        let green = mix([0.05, 0.13, 0.08], [0.24, 0.34, 0.13], light.clamp(0.0, 1.0));
        color = mix(color, scaled(green, 0.65 + 0.6 * ragged), needles * (1.0 - gap));
        color
    }
}
