//! Wears the pieces of a cut picture.

use super::Wear;
use super::edges::{
    Colour, background_colour, covered, line_depths, plaster_colour, ragged_depths,
};
use super::geometry::{Window, cropped_by_hand, eroded, seen_through};
use super::light::Light;
use crate::jpeg_file::saved_as_jpeg;
use crate::picture_changes::{blurred, in_8_bits, with_noise};
use anyhow::Context;
use fretsaw::picture::{Cut, Picture};
use fretsaw::preparation::{RawPieces, Trim, find_preparation};
use fretsaw::puzzle::{PieceSet, Samples};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a random number is drawn for.
///
/// Scrambles and recipes of training puzzles use other streams of the same seed. Each kind of wear has a stream
/// of its own, so that it does the same whatever else happens to the pieces.
#[derive(Clone, Copy)]
enum Purpose {
    Shift = 2000,
    Tilt,
    Light,
    WhiteBalance,
    Gamma,
    Noise,
    EdgeLine,
    Ragged,
    Plaster,
    Sizes,
}

fn rng_for(seed: u64, purpose: Purpose) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(purpose as u64);
    rng
}

/// The pieces after wear, in the same order on the same board. The same seed gives the same pieces.
///
/// The order is that of a camera: pieces are moved, tilted, eroded and scaled back, cropped by hand, then blurred, lit, and noisy;
/// what lies on their edges covers them; at last each is saved. Pieces of 16 bits become pieces of 8 bits.
pub(crate) fn worn(cut: Cut, wear: &Wear, seed: u64) -> anyhow::Result<Cut> {
    if wear.is_none() {
        return Ok(cut);
    }
    let mut wearer = Wearer::new(*wear, seed);
    let pieces = pictures_of(&cut.pieces)?;
    let worn: Vec<Picture> =
        pieces.iter().map(|piece| wearer.worn(piece)).collect::<anyhow::Result<_>>()?;
    Ok(Cut { pieces: pieces_of(&worn)?, ..cut })
}

/// Wears one piece after the other.
struct Wearer {
    wear: Wear,
    shifts: ChaCha8Rng,
    tilts: ChaCha8Rng,
    lights: ChaCha8Rng,
    white_balances: ChaCha8Rng,
    gammas: ChaCha8Rng,
    noises: ChaCha8Rng,
    lines: ChaCha8Rng,
    line_colour: Colour,
    rags: ChaCha8Rng,
    plaster: ChaCha8Rng,
    plaster_colour: Colour,
    crops: ChaCha8Rng,
}

impl Wearer {
    fn new(wear: Wear, seed: u64) -> Self {
        let rng = |purpose| rng_for(seed, purpose);
        let (mut lines, mut plaster) = (rng(Purpose::EdgeLine), rng(Purpose::Plaster));
        Self {
            wear,
            shifts: rng(Purpose::Shift),
            tilts: rng(Purpose::Tilt),
            lights: rng(Purpose::Light),
            white_balances: rng(Purpose::WhiteBalance),
            gammas: rng(Purpose::Gamma),
            noises: rng(Purpose::Noise),
            line_colour: background_colour(&mut lines),
            lines,
            rags: rng(Purpose::Ragged),
            plaster_colour: plaster_colour(&mut plaster),
            plaster,
            crops: rng(Purpose::Sizes),
        }
    }

    fn worn(&mut self, piece: &Picture) -> anyhow::Result<Picture> {
        let wear = self.wear;
        let shorter_px = piece.height_px().min(piece.width_px());
        let mut piece = seen_through(piece, self.window())?;
        piece = eroded(&piece, wear.erode.lines_of(shorter_px), wear.scale_back)?;
        if wear.sizes > 0.0 {
            piece = cropped_by_hand(&piece, wear.sizes / 100.0, &mut self.crops)?;
        }
        if wear.blur > 0.0 {
            piece = blurred(&piece, wear.blur)?;
        }
        piece = self.light().on(&piece)?;
        if wear.noise > 0.0 {
            piece = with_noise(&piece, wear.noise, &mut self.noises)?;
        }
        if wear.edge_line > 0.0 {
            let depths = line_depths(&piece, wear.edge_line, &mut self.lines);
            piece = covered(&piece, &depths, self.line_colour, None::<&mut ChaCha8Rng>)?;
        }
        if wear.ragged > 0.0 {
            let most_px = wear.ragged / 100.0 * shorter_px as f64;
            let depths = ragged_depths(&piece, most_px, &mut self.rags);
            piece = covered(&piece, &depths, self.plaster_colour, Some(&mut self.plaster))?;
        }
        if let Some(quality) = wear.jpeg {
            piece = saved_as_jpeg(&piece, quality)?;
        }
        Ok(piece)
    }

    fn window(&mut self) -> Window {
        let Wear { shift, tilt, .. } = self.wear;
        Window {
            shift_px: [(); 2].map(|()| within(shift, &mut self.shifts)),
            tilt_degrees: within(tilt, &mut self.tilts),
        }
    }

    fn light(&mut self) -> Light {
        let [light, white_balance, gamma] =
            [self.wear.light, self.wear.white_balance, self.wear.gamma].map(|it| it / 100.0);
        let gain = 1.0 + within(light, &mut self.lights);
        let offset = within(light, &mut self.lights) / 3.0;
        Light {
            gains: [(); 3].map(|()| gain * (1.0 + within(white_balance, &mut self.white_balances))),
            offset,
            exponent: 1.0 + within(gamma, &mut self.gammas),
        }
    }
}

/// A random number, at most this far from 0.
fn within(most: f64, rng: &mut impl Rng) -> f64 {
    if most == 0.0 { 0.0 } else { rng.random_range(-most..=most) }
}

/// The pieces, each a picture of 8 bits.
fn pictures_of(pieces: &PieceSet) -> anyhow::Result<Vec<Picture>> {
    let shape = pieces.shape();
    let picture_of = |samples: Samples| {
        let (height_px, width_px) = (shape.height_px() as usize, shape.width_px() as usize);
        Ok(in_8_bits(&Picture::new(height_px, width_px, pieces.channels(), samples)?))
    };
    let len = pieces.samples_per_piece();
    match pieces.samples() {
        Samples::U8(all) => {
            all.chunks_exact(len).map(|it| picture_of(Samples::U8(it.to_vec()))).collect()
        }
        Samples::U16(all) => {
            all.chunks_exact(len).map(|it| picture_of(Samples::U16(it.to_vec()))).collect()
        }
    }
}

/// The piece set of pictures. If their sizes differ, they are brought to one.
fn pieces_of(pictures: &[Picture]) -> anyhow::Result<PieceSet> {
    let channels = pictures.first().context("a puzzle has pieces")?.channels();
    let mut all = Vec::new();
    for picture in pictures {
        all.extend_from_slice(crate::picture_changes::values_of(picture)?);
    }
    let sizes = pictures.iter().map(Picture::size).collect();
    let raw = RawPieces::new(sizes, channels, Samples::U8(all))?;
    match find_preparation(&raw, Trim::Px(0))? {
        Some(found) => Ok(found.apply(&raw)?),
        None => raw.into_pieces().context("pieces of one size"),
    }
}

#[cfg(test)]
mod tests;
