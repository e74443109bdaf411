//! Puzzles with known answers, made of photographs at random, to train the matcher on.
//!
//! A matcher must not learn what is special to its training pictures. Photographs come as JPEGs whose
//! blocks show at some sides and not at others: half of the puzzles are therefore of pictures shrunk
//! until no block survives, and others are compressed again with the blocks elsewhere. Sizes, tones
//! and noise vary so that no network learns to recognise matches by them.

mod worn_recipe;

use crate::picture_changes::{
    JPEG_BLOCK_PX, cropped, flipped, grey, recompressed, resized, with_noise, with_saturation,
    with_tone,
};
use crate::wear::{Wear, worn};
use anyhow::{Context, ensure};
use fretsaw::picture::{Picture, ScrambleSettings, Scrambled, cut, scramble};
use fretsaw::puzzle::{PieceShape, PuzzleType};
use image::imageops::FilterType;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use std::ops::RangeInclusive;

/// The size of pieces in the literature's experiments.
const USUAL_PIECE_PX: u32 = 28;
const OTHER_PIECES_PX: [u32; 10] = [14, 16, 18, 20, 24, 32, 36, 40, 48, 56];
const GRAPHIC_PIECES_PX: [u32; 12] = [14, 16, 20, 24, 28, 32, 32, 40, 50, 56, 64, 64];
const SMALLEST_PIECE_PX: u32 = 14;

const ROWS: RangeInclusive<u32> = 14..=24;
const COLS: RangeInclusive<u32> = 16..=28;
/// Rows and columns of large boards, on which a side has many more rivals.
const MANY_CELLS: RangeInclusive<u32> = 40..=120;
/// The fewest rows and columns, where a picture can hold as many.
const FEWEST_CELLS: u32 = 8;

/// Pictures are not enlarged more than this, and only for worn pieces.
const MOST_ENLARGED: f64 = 1.6;

/// Below this factor nothing is left of a JPEG's blocks.
const SHRINK_WITHOUT_BLOCKS: f64 = 0.6;

/// Pixels around the board that are shrunk too and then cut away, because filters behave differently at the
/// edge of a picture.
const MARGIN_PX: f64 = 4.0;

/// How often a piece size and a scale are drawn anew for a picture too small for them.
const MAX_REDRAWS: usize = 200;

/// A JPEG compression of a picture that may have been compressed before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Recompression {
    /// From 1 to 100.
    pub(crate) quality: u8,
    /// Rows and columns, 0 to 7, of the first blocks that lie above and to the left of the board.
    pub(crate) phase: (u8, u8),
}

/// What was done to a picture to make a puzzle of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Recipe {
    /// Draws the recipe, the shuffle, the turns and the noise.
    pub(crate) seed: u64,
    pub(crate) picture: usize,
    /// Rows and columns of pixels of a piece.
    pub(crate) piece_px: u32,
    pub(crate) rows: u32,
    pub(crate) cols: u32,
    /// Type 1 or 2.
    pub(crate) puzzle_type: PuzzleType,
    /// The board's first row, in pixels of the picture before it is scaled.
    pub(crate) top_px: usize,
    /// The board's first column, in pixels of the picture before it is scaled or flipped.
    pub(crate) left_px: usize,
    /// Factor of height and width: above 0, at most [`MOST_ENLARGED`].
    pub(crate) scale: f64,
    pub(crate) flipped: bool,
    /// The standard deviation of Gaussian noise, in levels of 255.
    pub(crate) noise: f64,
    /// The exponent of levels from 0 to 1.
    pub(crate) gamma: f64,
    /// The factor of levels after that.
    pub(crate) gain: f64,
    /// The factor of the distance of colours from grey.
    pub(crate) saturation: f64,
    pub(crate) grey: bool,
    /// The last change before the cut.
    pub(crate) jpeg: Option<Recompression>,
    /// The probability that a side of a piece is corrupted.
    pub(crate) corrupt_rate: f64,
    /// What happened to the pieces after the cut.
    #[serde(skip_serializing_if = "Wear::is_none")]
    pub(crate) wear: Wear,
    /// The quality of the JPEG file that the sheet of scrambled pieces was saved as, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sheet_jpeg: Option<u8>,
}

/// What a random number is drawn for.
///
/// The scramble uses the first streams of the same seed. Other streams keep recipe and shuffle independent.
#[derive(Clone, Copy)]
enum Purpose {
    Recipe = 1000,
    Noise,
    WornRecipe,
    SheetRecipe,
}

fn rng_for(seed: u64, purpose: Purpose) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(purpose as u64);
    rng
}

impl Recipe {
    /// A random recipe for one of the pictures, of which heights and widths in pixels are given.
    ///
    /// Boards have 14 to 24 rows and 16 to 28 columns; one in twelve has 40 to 120 of each. A small picture
    /// gives fewer. If it does not hold 8 x 8, piece size and scale are drawn again; after many tries the
    /// pieces are the smallest, and the picture is not shrunk.
    ///
    /// Graphics are mostly taken as they are: strokes do not survive much shrinking.
    pub(crate) fn draw(picture_sizes: &[(usize, usize)], seed: u64, is_graphic: bool) -> Self {
        assert!(!picture_sizes.is_empty(), "a puzzle needs a picture");
        let mut rng = rng_for(seed, Purpose::Recipe);
        let picture = rng.random_range(0..picture_sizes.len());
        let (height_px, width_px) = picture_sizes[picture];
        let puzzle_type = if rng.random_bool(0.7) { PuzzleType::Type2 } else { PuzzleType::Type1 };

        let holds = |&(piece_px, scale): &(u32, f64)| {
            num_cells(height_px.min(width_px), scale, piece_px) >= FEWEST_CELLS
        };
        let (piece_px, scale) = (0..MAX_REDRAWS)
            .map(|_| (draw_piece_px(&mut rng, is_graphic), draw_shrink(&mut rng, is_graphic)))
            .find(holds)
            .unwrap_or((SMALLEST_PIECE_PX, 1.0));
        let size = (height_px, width_px);
        let Board { rows, cols, top_px, left_px } =
            Board::draw(&mut rng, size, (piece_px, scale), [ROWS, COLS]);

        let jpeg =
            (!is_graphic && scale >= SHRINK_WITHOUT_BLOCKS && rng.random_bool(0.5)).then(|| {
                let quality = rng.random_range(55..=95);
                let phase =
                    (rng.random_range(0..JPEG_BLOCK_PX), rng.random_range(0..JPEG_BLOCK_PX));
                Recompression { quality, phase }
            });
        let (gamma, gain) = draw_tone(&mut rng);
        let saturation = draw_saturation(&mut rng);
        let noise =
            if !is_graphic && rng.random_bool(0.2) { rng.random_range(0.5..6.0) } else { 0.0 };
        let grey = rng.random_bool(0.1);
        let flipped = rng.random_bool(0.5);
        let corrupt_rate = if rng.random_bool(0.12) { rng.random_range(0.02..0.15) } else { 0.0 };
        let drawn = Self {
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
            noise,
            gamma,
            gain,
            saturation,
            grey,
            jpeg,
            corrupt_rate,
            wear: Wear::default(),
            sheet_jpeg: None,
        };
        if !rng.random_bool(1.0 / 12.0) {
            return drawn;
        }
        let Board { rows, cols, top_px, left_px } =
            Board::draw(&mut rng, size, (piece_px, scale), [MANY_CELLS, MANY_CELLS]);
        Self { rows, cols, top_px, left_px, ..drawn }
    }

    /// The puzzle before its sheet is saved, of the picture that the recipe names: 8 bits, one or three channels.
    ///
    /// Changes come in the order of a camera: noise of the sensor, tones, which clip, colours, and last the
    /// compression of the file.
    pub(crate) fn make(&self, picture: &Picture) -> anyhow::Result<Scrambled> {
        let mut board = self.board_of(picture)?;
        if self.flipped {
            board = flipped(&board)?;
        }
        if self.noise > 0.0 {
            board = with_noise(&board, self.noise, &mut rng_for(self.seed, Purpose::Noise))?;
        }
        board = with_tone(&board, self.gamma, self.gain)?;
        board = with_saturation(&board, self.saturation)?;
        if self.grey {
            board = grey(&board)?;
        }
        if let Some(Recompression { quality, phase }) = self.jpeg {
            board = recompressed(&board, quality, phase)?;
        }
        let cut = cut(&board, PieceShape::new(self.piece_px, self.piece_px)?)?;
        let cut = worn(cut, &self.wear, self.seed)?;
        let settings = ScrambleSettings {
            corrupt_rate: self.corrupt_rate,
            ..ScrambleSettings::new(self.puzzle_type, self.seed)
        };
        Ok(scramble(&cut, &settings)?)
    }

    /// The part of the picture that the board shows, scaled.
    ///
    /// It is cropped first: most of a large photograph lies outside the board.
    fn board_of(&self, picture: &Picture) -> anyhow::Result<Picture> {
        ensure!(
            self.scale > 0.0 && self.scale <= MOST_ENLARGED,
            "a scale of {} is not above 0 and at most {MOST_ENLARGED}",
            self.scale
        );
        let rows = self.span(self.top_px, self.rows, picture.height_px())?;
        let cols = self.span(self.left_px, self.cols, picture.width_px())?;
        let around = cropped(picture, rows.start_px, cols.start_px, rows.len_px, cols.len_px)?;
        let around = resized(&around, self.scale, FilterType::CatmullRom)?;
        let top_px = rows.margin_px.min(around.height_px().saturating_sub(rows.board_px));
        let left_px = cols.margin_px.min(around.width_px().saturating_sub(cols.board_px));
        cropped(&around, top_px, left_px, rows.board_px, cols.board_px)
    }

    /// Which rows or columns of the picture the board needs, of `all_px` there are.
    fn span(&self, first_px: usize, num_cells: u32, all_px: usize) -> anyhow::Result<Span> {
        let board_px = num_cells.checked_mul(self.piece_px).context("the board is too large")?;
        let end_px = first_px.saturating_add(source_px(board_px, self.scale));
        ensure!(
            num_cells > 0 && self.piece_px > 0 && end_px <= all_px,
            "the {num_cells} cells of {} pixels at a scale of {} do not lie within {all_px} \
             pixels from {first_px}",
            self.piece_px,
            self.scale
        );
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a few pixels, or clamped by the picture"
        )]
        let margin_px = (MARGIN_PX / self.scale).ceil() as usize;
        let start_px = first_px.saturating_sub(margin_px);
        let end_px = end_px.saturating_add(margin_px).min(all_px);
        #[expect(clippy::cast_possible_truncation, reason = "not above the margin")]
        let shrunk_margin_px = ((first_px - start_px) as f64 * self.scale).round() as usize;
        Ok(Span {
            start_px,
            len_px: end_px - start_px,
            margin_px: shrunk_margin_px,
            board_px: board_px as usize,
        })
    }
}

/// Rows or columns of a picture that a board and the margin around it need.
struct Span {
    /// The first one, before the picture is shrunk.
    start_px: usize,
    /// How many, before the picture is shrunk.
    len_px: usize,
    /// How many of them, once shrunk, lie before the board.
    margin_px: usize,
    /// How many, once shrunk, are the board's.
    board_px: usize,
}

/// The pixels of a picture that give `shrunk_px` pixels of the shrunk one.
fn source_px(shrunk_px: u32, scale: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "what is too large is clamped by `as`")]
    let source_px = (f64::from(shrunk_px) / scale).ceil() as usize;
    source_px
}

/// How many pieces a side of the picture holds once it is shrunk.
fn num_cells(side_px: usize, scale: f64, piece_px: u32) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "what is too large is clamped by `as`")]
    let most = (side_px as f64 * scale / f64::from(piece_px)).floor() as u32;
    // Rounding may have lifted a quotient to the next whole number.
    if source_px(most.saturating_mul(piece_px), scale) > side_px { most - 1 } else { most }
}

/// Which part of a picture becomes a board.
struct Board {
    rows: u32,
    cols: u32,
    /// In pixels of the picture before it is scaled.
    top_px: usize,
    left_px: usize,
}

impl Board {
    /// A board somewhere in a picture of this height and width, with rows and columns from these ranges, or fewer
    /// if the picture does not hold as many.
    fn draw(
        rng: &mut impl Rng,
        (height_px, width_px): (usize, usize),
        (piece_px, scale): (u32, f64),
        [rows, cols]: [RangeInclusive<u32>; 2],
    ) -> Self {
        let mut draw_count = |side_px, range: RangeInclusive<u32>| {
            rng.random_range(range).min(num_cells(side_px, scale, piece_px)).max(1)
        };
        let (rows, cols) = (draw_count(height_px, rows), draw_count(width_px, cols));
        let mut draw_start = |side_px: usize, num_cells: u32| {
            let needed_px = source_px(num_cells * piece_px, scale);
            rng.random_range(0..=side_px.saturating_sub(needed_px))
        };
        let (top_px, left_px) = (draw_start(height_px, rows), draw_start(width_px, cols));
        Self { rows, cols, top_px, left_px }
    }
}

/// Gamma and gain.
fn draw_tone(rng: &mut impl Rng) -> (f64, f64) {
    if rng.random_bool(0.35) {
        (rng.random_range(-0.5..0.5_f64).exp(), rng.random_range(0.7..1.5))
    } else {
        (1.0, 1.0)
    }
}

fn draw_saturation(rng: &mut impl Rng) -> f64 {
    if rng.random_bool(0.3) { rng.random_range(0.0..1.6) } else { 1.0 }
}

fn draw_piece_px(rng: &mut impl Rng, is_graphic: bool) -> u32 {
    if is_graphic {
        return *GRAPHIC_PIECES_PX.choose(rng).unwrap_or(&USUAL_PIECE_PX);
    }
    if rng.random_bool(0.55) {
        return USUAL_PIECE_PX;
    }
    *OTHER_PIECES_PX.choose(rng).unwrap_or(&USUAL_PIECE_PX)
}

fn draw_shrink(rng: &mut impl Rng, is_graphic: bool) -> f64 {
    if is_graphic {
        return if rng.random_bool(0.7) { 1.0 } else { rng.random_range(0.5..1.0) };
    }
    if rng.random_bool(0.5) {
        return rng.random_range(0.3..SHRINK_WITHOUT_BLOCKS);
    }
    match rng.random_range(0..4) {
        0 => 1.0,
        1 => 0.75,
        2 => 0.5,
        _ => rng.random_range(0.5..1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture_changes::shrunk;
    use crate::picture_changes::tests::mean_difference;
    use fretsaw::picture::render;
    use fretsaw::picture::synthetic::demo_picture;
    use fretsaw::puzzle::Samples;
    use std::collections::BTreeSet;

    const LARGE: (usize, usize) = (3000, 4000);

    fn recipes(sizes: &[(usize, usize)], count: u64) -> Vec<Recipe> {
        (0..count).map(|seed| Recipe::draw(sizes, seed, false)).collect()
    }

    fn share(recipes: &[Recipe], holds: impl Fn(&Recipe) -> bool) -> f64 {
        recipes.iter().filter(|recipe| holds(recipe)).count() as f64 / recipes.len() as f64
    }

    /// Nothing but a cut and a shuffle.
    fn plain(rows: u32, cols: u32, piece_px: u32) -> Recipe {
        Recipe {
            seed: 1,
            picture: 0,
            piece_px,
            rows,
            cols,
            puzzle_type: PuzzleType::Type1,
            top_px: 0,
            left_px: 0,
            scale: 1.0,
            flipped: false,
            noise: 0.0,
            gamma: 1.0,
            gain: 1.0,
            saturation: 1.0,
            grey: false,
            jpeg: None,
            corrupt_rate: 0.0,
            wear: Wear::default(),
            sheet_jpeg: None,
        }
    }

    fn painted(puzzle: &Scrambled) -> Picture {
        render(&puzzle.pieces, puzzle.truth.assembly(), 0).unwrap()
    }

    #[test]
    fn the_same_seed_gives_the_same_puzzle_and_another_seed_another() {
        let picture = demo_picture(240, 300, 1);
        let make = |seed| Recipe::draw(&[(240, 300)], seed, false).make(&picture).unwrap();
        for seed in 0..3 {
            assert_eq!(make(seed), make(seed));
            assert_ne!(make(seed), make(seed + 1));
        }
        let noisy = Recipe { noise: 3.0, ..plain(4, 4, 14) };
        assert_eq!(noisy.make(&picture).unwrap(), noisy.make(&picture).unwrap());
    }

    #[test]
    fn the_truth_is_a_picture_of_the_drawn_size_and_channels() {
        let picture = demo_picture(260, 340, 1);
        for recipe in recipes(&[(260, 340)], 16) {
            let puzzle = recipe.make(&picture).unwrap();
            assert_eq!((puzzle.grid.rows(), puzzle.grid.cols()), (recipe.rows, recipe.cols));
            let painted = painted(&puzzle);
            assert_eq!(painted.height_px(), (recipe.rows * recipe.piece_px) as usize);
            assert_eq!(painted.width_px(), (recipe.cols * recipe.piece_px) as usize);
            assert_eq!(painted.channels(), if recipe.grey { 1 } else { 3 });
        }
    }

    #[test]
    fn pieces_are_shuffled_in_both_types_and_turned_in_type_2_alone() {
        let picture = demo_picture(80, 80, 1);
        for puzzle_type in [PuzzleType::Type1, PuzzleType::Type2] {
            let puzzle = Recipe { puzzle_type, ..plain(5, 5, 16) }.make(&picture).unwrap();
            let placements = || puzzle.truth.assembly().placements();
            assert!(placements().any(|p| puzzle.grid.index_of(p.place.cell) != p.piece.index()));
            let turned = placements().any(|p| p.place.turn.clockwise() != 0);
            assert_eq!(turned, puzzle_type == PuzzleType::Type2);
        }
    }

    #[test]
    fn cropping_first_gives_what_shrinking_first_gives() {
        let picture = demo_picture(300, 400, 1);
        for (scale, (top_px, left_px), (top, left)) in [
            (0.5, (40, 60), (20, 30)),
            (0.5, (0, 0), (0, 0)),
            (0.4, (100, 55), (40, 22)),
            (1.0, (7, 9), (7, 9)),
        ] {
            let recipe = Recipe { scale, top_px, left_px, ..plain(4, 5, 16) };
            let board = painted(&recipe.make(&picture).unwrap());
            let whole = shrunk(&picture, scale).unwrap();
            let at = |top, left| cropped(&whole, top, left, 4 * 16, 5 * 16).unwrap();
            let difference = mean_difference(&board, &at(top, left));
            assert!(difference < 0.5, "{difference} at {recipe:?}");
            // The measure would notice a board one pixel off.
            assert!(mean_difference(&board, &at(top + 1, left)) > 2.0);
            assert!(mean_difference(&board, &at(top, left + 1)) > 2.0);
        }
    }

    #[test]
    fn every_change_reaches_the_pieces() {
        let picture = demo_picture(100, 120, 1);
        let recipe = plain(5, 6, 16);
        let unchanged = recipe.make(&picture).unwrap();
        assert_eq!(painted(&unchanged), cropped(&picture, 0, 0, 80, 96).unwrap());
        let jpeg = Some(Recompression { quality: 70, phase: (3, 4) });
        for changed in [
            Recipe { top_px: 1, ..recipe.clone() },
            Recipe { left_px: 1, ..recipe.clone() },
            Recipe { flipped: true, ..recipe.clone() },
            Recipe { noise: 1.0, ..recipe.clone() },
            Recipe { gamma: 1.2, ..recipe.clone() },
            Recipe { gain: 1.2, ..recipe.clone() },
            Recipe { saturation: 0.5, ..recipe.clone() },
            Recipe { grey: true, ..recipe.clone() },
            Recipe { jpeg, ..recipe.clone() },
            Recipe { corrupt_rate: 0.1, ..recipe.clone() },
            Recipe { wear: Wear { noise: 1.0, ..Wear::default() }, ..recipe.clone() },
        ] {
            let puzzle = changed.make(&picture).unwrap();
            assert_ne!(puzzle.pieces, unchanged.pieces, "{changed:?}");
            assert_eq!(puzzle.truth.assembly(), unchanged.truth.assembly(), "{changed:?}");
        }
    }

    #[test]
    fn what_tones_clip_is_flat_in_spite_of_noise() {
        let white = Picture::new(64, 64, 3, Samples::U8(vec![230; 64 * 64 * 3])).unwrap();
        let recipe = Recipe { noise: 3.0, gain: 1.4, ..plain(4, 4, 16) };
        let board = painted(&recipe.make(&white).unwrap());
        assert_eq!(board.samples(), &Samples::U8(vec![255; 64 * 64 * 3]));
    }

    #[test]
    fn every_kind_is_drawn_about_as_often_as_it_should() {
        let recipes = recipes(&[LARGE, LARGE, LARGE], 4000);
        // Standard deviations are at most 0.008.
        let about = |expected: f64, holds: &dyn Fn(&Recipe) -> bool| {
            let share = share(&recipes, holds);
            assert!((share - expected).abs() < 0.03, "{share} instead of {expected}");
        };
        about(1.0 / 3.0, &|r| r.picture == 2);
        about(0.7, &|r| r.puzzle_type == PuzzleType::Type2);
        about(0.3, &|r| r.puzzle_type == PuzzleType::Type1);
        about(0.55, &|r| r.piece_px == 28);
        for piece_px in OTHER_PIECES_PX {
            about(0.045, &|r| r.piece_px == piece_px);
        }
        about(0.125, &|r| r.scale == 1.0);
        about(0.125, &|r| r.scale == 0.75);
        about(0.125, &|r| r.scale == 0.5);
        about(0.25, &|r| r.scale < 0.45);
        about(0.5 + 0.125 + 0.125 / 5.0, &|r| r.scale < 0.6);
        about(0.35 / 2.0, &|r| r.jpeg.is_some());
        about(0.35 / 16.0, &|r| r.jpeg.is_some_and(|jpeg| jpeg.phase.0 == 7));
        about(0.35, &|r| r.gamma != 1.0 && r.gain != 1.0);
        about(0.3, &|r| r.saturation != 1.0);
        about(0.2, &|r| r.noise > 0.0);
        about(0.1, &|r| r.grey);
        about(0.5, &|r| r.flipped);
        about(0.12, &|r| r.corrupt_rate > 0.0);
        let all = |holds: &dyn Fn(&Recipe) -> bool| assert!(recipes.iter().all(holds));
        all(&|r| r.scale >= SHRINK_WITHOUT_BLOCKS || r.jpeg.is_none());
        all(&|r| r.jpeg.is_none_or(|jpeg| (55..=95).contains(&jpeg.quality)));
        all(&|r| r.corrupt_rate == 0.0 || (0.02..0.15).contains(&r.corrupt_rate));
        let is_usual = |r: &Recipe| ROWS.contains(&r.rows) && COLS.contains(&r.cols);
        about(11.0 / 12.0, &is_usual);
        all(&|r| is_usual(r) || r.rows.max(r.cols) <= *MANY_CELLS.end());
        let rows: BTreeSet<u32> = recipes.iter().filter(|r| is_usual(r)).map(|r| r.rows).collect();
        let cols: BTreeSet<u32> = recipes.iter().filter(|r| is_usual(r)).map(|r| r.cols).collect();
        assert_eq!((rows.len(), cols.len()), (11, 13));
    }

    #[test]
    fn boards_lie_anywhere_in_the_picture_and_never_beyond_it() {
        let recipes = recipes(&[(1000, 1400)], 2000);
        let mut places = BTreeSet::new();
        for r in &recipes {
            let needed = |num_cells: u32| source_px(num_cells * r.piece_px, r.scale);
            assert!(
                r.top_px + needed(r.rows) <= 1000 && r.left_px + needed(r.cols) <= 1400,
                "{r:?}"
            );
            assert!(r.rows >= FEWEST_CELLS && r.cols >= FEWEST_CELLS);
            if r.scale == 1.0 {
                places.extend([("top", r.top_px % 8), ("left", r.left_px % 8)]);
            }
        }
        assert_eq!(places.len(), 16, "blocks of JPEG lie at every phase");
    }

    #[test]
    fn boards_are_made_smaller_only_where_they_must() {
        for recipe in recipes(&[(600, 2000)], 400) {
            let r = &recipe;
            let most = num_cells(600, r.scale, r.piece_px);
            assert!(r.rows >= most.min(14), "{recipe:?}");
            assert!(r.rows >= FEWEST_CELLS && r.cols >= FEWEST_CELLS, "{recipe:?}");
        }
    }

    #[test]
    fn a_small_picture_still_gives_a_puzzle() {
        for (height_px, width_px) in [(112, 112), (113, 300), (60, 45), (14, 14)] {
            let picture = demo_picture(height_px, width_px, 1);
            for recipe in recipes(&[(height_px, width_px)], 20) {
                let puzzle = recipe.make(&picture).unwrap();
                let fewest = |side_px: usize| u32::try_from(side_px / 14).unwrap().min(8);
                assert!(puzzle.grid.rows() >= fewest(height_px), "{recipe:?}");
                assert!(puzzle.grid.cols() >= fewest(width_px), "{recipe:?}");
            }
        }
    }

    #[test]
    fn pictures_smaller_than_the_board_are_refused_and_not_made_up() {
        let picture = demo_picture(64, 80, 1);
        assert!(plain(4, 5, 16).make(&picture).is_ok());
        for bad in [
            plain(5, 5, 16),
            plain(4, 6, 16),
            plain(0, 5, 16),
            plain(4, 5, 0),
            plain(u32::MAX, 5, 16),
            Recipe { top_px: 1, ..plain(4, 5, 16) },
            Recipe { left_px: usize::MAX, ..plain(4, 5, 16) },
            Recipe { scale: 0.9, ..plain(4, 5, 16) },
            Recipe { scale: 0.0, ..plain(4, 5, 16) },
            Recipe { scale: 1e-300, ..plain(4, 5, 16) },
            Recipe { scale: f64::NAN, ..plain(4, 5, 16) },
            Recipe { corrupt_rate: 1.5, ..plain(4, 5, 16) },
        ] {
            assert!(bad.make(&picture).is_err(), "{bad:?}");
        }
        let tiny = Recipe::draw(&[(5, 5)], 1, false);
        assert!(tiny.make(&demo_picture(5, 5, 1)).is_err());
    }

    #[test]
    fn a_grey_photograph_gives_grey_pieces() {
        let picture = grey(&demo_picture(200, 200, 1)).unwrap();
        for recipe in recipes(&[(200, 200)], 12) {
            assert_eq!(recipe.make(&picture).unwrap().pieces.channels(), 1);
        }
    }
}
