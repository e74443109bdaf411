//! The colours of the landscape's pixels: one function for each kind of object.

use super::{BigTree, Bird, Color, House, Range, SHORE_V, Scene, TreeLine};
use crate::picture::synthetic::noise::{lerp, step};
use std::f64::consts::PI;

fn mix(from: Color, to: Color, t: f64) -> Color {
    [0, 1, 2].map(|c| lerp(from[c], to[c], t))
}

fn scaled(color: Color, factor: f64) -> Color {
    color.map(|value| value * factor)
}

impl Scene {
    /// The colour of a pixel, without grain.
    pub(super) fn color(&self, col: usize, row: usize) -> Color {
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
