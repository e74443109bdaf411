//! Recipes of puzzles whose pieces are worn.

use super::{
    Board, MAX_REDRAWS, MOST_ENLARGED, Purpose, Recipe, draw_saturation, draw_shrink, draw_tone,
    num_cells, rng_for,
};
use crate::wear::{Extent, Wear};
use fretsaw::puzzle::PuzzleType;
use rand::Rng;
use rand::seq::IndexedRandom;
use std::ops::RangeInclusive;

/// Pixels of a piece before wear. Pieces of 50 pixels are those of published experiments with erosion.
const PIECES_PX: [u32; 10] = [24, 28, 32, 40, 50, 50, 50, 64, 80, 100];
const SMALLEST_PIECE_PX: u32 = 24;

/// Rows and columns.
const CELLS: RangeInclusive<u32> = 6..=14;

impl Recipe {
    /// Whether anything happened to the pieces after the cut.
    pub(crate) fn is_worn(&self) -> bool {
        !self.wear.is_none() || self.sheet_jpeg.is_some()
    }

    /// A random recipe for worn pieces of one of the pictures, of which heights and widths in pixels are given.
    ///
    /// Boards have 6 to 14 rows and columns. A picture that does not hold 6 x 6 is enlarged, within reason; a small
    /// one gives fewer. At least one kind of wear changes the pieces.
    pub(crate) fn draw_worn(picture_sizes: &[(usize, usize)], seed: u64) -> Self {
        assert!(!picture_sizes.is_empty(), "a puzzle needs a picture");
        let mut rng = rng_for(seed, Purpose::WornRecipe);
        let picture = rng.random_range(0..picture_sizes.len());
        let (height_px, width_px) = picture_sizes[picture];
        let puzzle_type = if rng.random_bool(0.6) { PuzzleType::Type2 } else { PuzzleType::Type1 };
        let (piece_px, scale) = (0..MAX_REDRAWS)
            .find_map(|_| draw_piece_and_scale(&mut rng, height_px.min(width_px)))
            .unwrap_or((SMALLEST_PIECE_PX, MOST_ENLARGED));
        let size = (height_px, width_px);
        let Board { rows, cols, top_px, left_px } =
            Board::draw(&mut rng, size, (piece_px, scale), [CELLS, CELLS]);
        let (gamma, gain) = draw_tone(&mut rng);
        let saturation = draw_saturation(&mut rng);
        let grey = rng.random_bool(0.12);
        let flipped = rng.random_bool(0.5);
        let (wear, sheet_jpeg) = loop {
            let drawn = draw_wear(&mut rng, piece_px);
            if !drawn.0.is_none() || drawn.1.is_some() {
                break drawn;
            }
        };
        Self {
            seed,
            picture,
            piece_px,
            rows,
            cols,
            puzzle_type,
            top_px,
            left_px,
            scale,
            flipped,
            noise: 0.0,
            gamma,
            gain,
            saturation,
            grey,
            jpeg: None,
            corrupt_rate: 0.0,
            wear,
            sheet_jpeg,
        }
    }

    /// A random recipe for pieces of a compressed sheet, three in ten of which were worn before.
    pub(crate) fn draw_bled(picture_sizes: &[(usize, usize)], seed: u64) -> Self {
        let mut recipe = Self::draw_worn(picture_sizes, seed);
        let mut rng = rng_for(seed, Purpose::SheetRecipe);
        recipe.sheet_jpeg = Some(rng.random_range(60..=95));
        recipe.wear.jpeg = None;
        if rng.random_bool(0.7) {
            recipe.wear = Wear::default();
        }
        recipe
    }
}

/// Pixels of a piece, and a scale with which a side of the picture holds the fewest cells; `None` if there is no
/// such scale.
fn draw_piece_and_scale(rng: &mut impl Rng, side_px: usize) -> Option<(u32, f64)> {
    let piece_px = *PIECES_PX.choose(rng)?;
    let holds = |scale: &f64| num_cells(side_px, *scale, piece_px) >= *CELLS.start();
    let shrink = Some(draw_shrink(rng, false)).filter(holds);
    let scale = shrink.or_else(|| {
        let least = f64::from(CELLS.start() * piece_px) / side_px as f64;
        (least <= MOST_ENLARGED).then(|| rng.random_range(least..=MOST_ENLARGED)).filter(holds)
    });
    scale.map(|scale| (piece_px, scale))
}

/// Wear of pieces of so many pixels, and the quality of the JPEG file of the sheet.
fn draw_wear(rng: &mut impl Rng, piece_px: u32) -> (Wear, Option<u8>) {
    let mut wear = Wear::default();
    if rng.random_bool(0.8) {
        let erode = Extent::Percent(rng.random_range(0.5..12.0));
        // Less than half a pixel is nothing.
        if erode.lines_of(piece_px as usize) > 0 {
            wear.erode = erode;
            wear.scale_back = rng.random_bool(0.5);
        }
    }
    if rng.random_bool(0.4) {
        wear.light = rng.random_range(2.0..15.0);
        wear.white_balance = if rng.random_bool(0.5) { wear.light / 2.0 } else { 0.0 };
        wear.gamma = if rng.random_bool(0.5) { wear.light } else { 0.0 };
    }
    if rng.random_bool(0.3) {
        wear.shift = f64::min(2.0, 0.03 * f64::from(piece_px)) * (1.0 - rng.random::<f64>());
    }
    if rng.random_bool(0.25) {
        wear.tilt = 1.5 * (1.0 - rng.random::<f64>());
    }
    if rng.random_bool(0.15) {
        wear.blur = rng.random_range(0.3..1.0);
    }
    if rng.random_bool(0.25) {
        wear.noise = rng.random_range(0.5..8.0);
    }
    let mut sheet_jpeg = None;
    match rng.random::<f64>() {
        it if it < 0.12 => sheet_jpeg = Some(rng.random_range(60..=95)),
        it if it < 0.12 + 0.3 => wear.jpeg = Some(rng.random_range(50..=95)),
        _ => {}
    }
    (wear, sheet_jpeg)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fretsaw::picture::synthetic::demo_picture;

    fn recipes(sizes: &[(usize, usize)], count: u64) -> Vec<Recipe> {
        (0..count).map(|seed| Recipe::draw_worn(sizes, seed)).collect()
    }

    #[test]
    fn every_kind_is_drawn_about_as_often_as_it_should() {
        let recipes = recipes(&[(3000, 4000), (2000, 2000)], 4000);
        let about = |expected: f64, holds: &dyn Fn(&Recipe) -> bool| {
            let count = recipes.iter().filter(|recipe| holds(recipe)).count();
            let share = count as f64 / recipes.len() as f64;
            assert!((share - expected).abs() < 0.04, "{share} instead of {expected}");
        };
        about(0.5, &|r| r.picture == 1);
        about(0.6, &|r| r.puzzle_type == PuzzleType::Type2);
        about(0.3, &|r| r.piece_px == 50);
        about(0.1, &|r| r.piece_px == 100);
        about(0.8, &|r| !r.wear.erode.is_none());
        about(0.4, &|r| r.wear.scale_back);
        about(0.4, &|r| r.wear.light > 0.0);
        about(0.2, &|r| r.wear.white_balance > 0.0);
        about(0.2, &|r| r.wear.gamma > 0.0);
        about(0.3, &|r| r.wear.jpeg.is_some());
        about(0.12, &|r| r.sheet_jpeg.is_some());
        about(0.3, &|r| r.wear.shift > 0.0);
        about(0.25, &|r| r.wear.tilt > 0.0);
        about(0.15, &|r| r.wear.blur > 0.0);
        about(0.25, &|r| r.wear.noise > 0.0);
        about(0.12, &|r| r.grey);
        about(0.5, &|r| r.flipped);
        for r in &recipes {
            assert!(r.is_worn(), "{r:?}");
            assert!(r.wear.jpeg.is_none() || r.sheet_jpeg.is_none(), "{r:?}");
            assert!(r.wear.shift <= 2.0 && r.wear.shift <= 0.03 * f64::from(r.piece_px), "{r:?}");
            assert!(r.wear.edge_line == 0.0 && r.wear.ragged == 0.0, "{r:?}");
            assert!(CELLS.contains(&r.rows) && CELLS.contains(&r.cols), "{r:?}");
        }
    }

    #[test]
    fn sheets_are_compressed_and_three_in_ten_of_their_pieces_are_worn() {
        let sizes = [(3000, 4000), (2000, 2000)];
        let recipes: Vec<Recipe> = (0..4000).map(|seed| Recipe::draw_bled(&sizes, seed)).collect();
        let worn = recipes.iter().filter(|recipe| !recipe.wear.is_none()).count();
        let share = worn as f64 / recipes.len() as f64;
        // A wear that was nothing but JPEG files of pieces is dropped.
        assert!((0.25..0.32).contains(&share), "{share}");
        for recipe in &recipes {
            assert!(recipe.sheet_jpeg.is_some_and(|quality| (60..=95).contains(&quality)));
            assert!(recipe.wear.jpeg.is_none(), "{recipe:?}");
        }
    }

    #[test]
    fn small_pictures_are_enlarged_until_they_hold_six_pieces() {
        let recipes = recipes(&[(321, 481)], 400);
        let least = recipes.iter().map(|r| r.rows.min(r.cols)).min();
        assert_eq!(least, Some(6));
        assert!(recipes.iter().all(|r| r.scale <= MOST_ENLARGED));
        assert!(recipes.iter().any(|r| r.piece_px == 80 && r.scale > 1.4));
        // 600 pixels would need a larger scale.
        assert!(recipes.iter().all(|r| r.piece_px < 100));
    }

    #[test]
    fn puzzles_are_worn_and_the_same_seed_gives_the_same_one() {
        for (height_px, width_px) in [(161, 241), (60, 45)] {
            let picture = demo_picture(height_px, width_px, 1);
            for recipe in recipes(&[(height_px, width_px)], 6) {
                let puzzle = recipe.make(&picture).unwrap();
                assert_eq!(puzzle, recipe.make(&picture).unwrap());
                let unworn = Recipe { wear: Wear::default(), ..recipe.clone() };
                let unworn = unworn.make(&picture).unwrap();
                assert_eq!(puzzle.truth.assembly(), unworn.truth.assembly());
                assert_eq!(puzzle.pieces == unworn.pieces, recipe.wear.is_none());
            }
        }
    }
}
