//! The ink along the sides of the pieces of a page, as patterns.

use crate::dissimilarity::OpponentPixels;
use crate::puzzle::{PieceId, PieceShape, Side, SideId};
use rayon::prelude::*;

/// Ink differs from the paper of its piece by more than this share of the contrast of the page.
const INK: f32 = 0.25;
/// The paper of a piece is as light as so many percent of its pixels are at most.
const PAPER_PERCENT: usize = 95;
/// Its ink is as light as so many percent of its pixels are at most.
const INK_PERCENT: usize = 1;

/// A pattern is the ink at these places near a side: how far along the side, and how deep.
const PATTERN: [(isize, usize); 9] =
    [(0, 0), (-1, 0), (1, 0), (-2, 0), (2, 0), (0, 1), (-1, 1), (1, 1), (0, 2)];
/// How many patterns there are.
pub(super) const NUM_PATTERNS: usize = 1 << PATTERN.len();
/// Lines that a pattern sees.
pub(super) const PATTERN_DEPTH: usize = 3;

/// Light is uneven if the paper of half of the pieces is lighter or darker than the median by this share of the contrast.
const UNEVEN: f32 = 0.01;

/// Which pixels are ink.
pub(super) struct InkPixels {
    pub(super) shape: PieceShape,
    /// Piece by piece, row by row.
    is_ink: Vec<bool>,
    /// Whether the paper of most pieces is equally light.
    pub(super) is_even: bool,
}

impl InkPixels {
    pub(super) fn new(pieces: &OpponentPixels) -> Self {
        let shape = pieces.shape;
        let (height, width) = (shape.height_px() as usize, shape.width_px() as usize);
        let greys = |piece: usize| -> Vec<f32> {
            let at = |at: usize| pieces.pixel(PieceId::new(piece), at / width, at % width)[0];
            (0..height * width).map(at).collect()
        };
        let all = || (0..pieces.num_pieces()).into_par_iter();
        // Greys are relative to their mean. More than half of a page is paper.
        let num_light: usize =
            all().map(|piece| greys(piece).iter().filter(|grey| **grey > 0.0).count()).sum();
        let is_light = 2 * num_light > pieces.num_pieces() * shape.num_pixels();
        let sign = if is_light { 1.0 } else { -1.0 };
        let quantiles = |piece: usize| {
            let mut sorted: Vec<f32> = greys(piece).into_iter().map(|grey| sign * grey).collect();
            sorted.sort_by(f32::total_cmp);
            let quantile = |percent: usize| sorted[(sorted.len() - 1) * percent / 100];
            (quantile(PAPER_PERCENT), quantile(INK_PERCENT))
        };
        let quantiles: Vec<(f32, f32)> = all().map(quantiles).collect();
        let contrast = quantiles.iter().map(|(paper, ink)| paper - ink).fold(0.0, f32::max);
        let median = |values: Vec<f32>| {
            let mut sorted = values;
            sorted.sort_by(f32::total_cmp);
            sorted[sorted.len() / 2]
        };
        let paper = median(quantiles.iter().map(|(paper, _)| *paper).collect());
        let differences = quantiles.iter().map(|(of_piece, _)| (of_piece - paper).abs());
        let is_even = median(differences.collect()) <= UNEVEN * contrast;
        let is_ink = |piece: usize| {
            let limit = quantiles[piece].0 - INK * contrast;
            greys(piece).into_iter().map(move |grey| sign * grey < limit)
        };
        Self { shape, is_ink: all().flat_map_iter(is_ink).collect(), is_even }
    }

    pub(super) fn num_pieces(&self) -> usize {
        self.is_ink.len() / self.shape.num_pixels()
    }

    /// How many lines a piece has from a side to the opposite one.
    pub(super) fn depth(&self, side: Side) -> usize {
        self.shape.num_pixels() / self.shape.side_length_px(side)
    }

    /// The patterns along a side, as if it began at this line: clockwise or, if it is to face another side, the other way
    /// round.
    pub(super) fn patterns(&self, side: SideId, first_line: usize, is_back: bool) -> Vec<u16> {
        let length = self.shape.side_length_px(side.side());
        let width = self.shape.width_px() as usize;
        let start = side.piece().index() * self.shape.num_pixels();
        let mut lines = vec![false; PATTERN_DEPTH * length];
        for (line, pixels) in lines.chunks_exact_mut(length).enumerate() {
            for (at, pixel) in pixels.iter_mut().enumerate() {
                let at = if is_back { length - 1 - at } else { at };
                let (row, col) = self.shape.pixel_at_side(side.side(), first_line + line, at);
                *pixel = self.is_ink[start + row * width + col];
            }
        }
        let pattern = |at: usize| {
            let bit = |&(along, depth): &(isize, usize)| {
                let at = at.checked_add_signed(along).filter(|&at| at < length);
                u16::from(at.is_some_and(|at| lines[depth * length + at]))
            };
            PATTERN.iter().fold(0, |bits, place| 2 * bits + bit(place))
        };
        (0..length).map(pattern).collect()
    }
}
