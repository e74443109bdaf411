//! An animation of the pieces moving from their order in the input to their places, the most certain first.

mod encode;

use crate::paint::{BoardView, Miniatures, mixed};
use crate::{Answer, EncodeError};
use fretsaw::puzzle::{PieceId, QuarterTurn};
use image::{Rgba, RgbaImage};
use std::path::Path;

/// The file formats of animations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationFormat {
    /// `.gif`: 256 colours.
    Gif,
    /// `.png`, `.apng`: animated PNG, all colours, larger files.
    Apng,
}

impl AnimationFormat {
    /// The format that the file extension selects, in upper or lower case.
    pub fn from_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "gif" => Some(Self::Gif),
            "png" | "apng" => Some(Self::Apng),
            _ => None,
        }
    }
}

/// The longest side of a GIF in pixels, and of an animated PNG, which takes more bytes per pixel.
const MAX_GIF_PX: u32 = 640;
const MAX_APNG_PX: u32 = 480;
/// Frames from the start of the first piece to the arrival of the last.
const NUM_STEPS: u32 = 72;
/// The share of the time that a piece takes to move.
const FLIGHT: f64 = 0.1;
/// The share of the time in which waiting pieces darken. It is short, because every pixel changes.
const STEP_BACK: f64 = 0.03;
/// The share of their colour that waiting pieces keep.
const WAITING_SHARE: f64 = 0.45;
/// The colour of the background.
const GROUND: [u8; 3] = [0x20, 0x22, 0x26];

/// The animation of an answer, which plays once. The same answer gives the same bytes.
///
/// The pieces start row by row in the order of the input, and move to their places in order of confidence.
/// Moving pieces cover waiting ones; unplaced pieces fade.
pub fn animation(answer: Answer<'_>, format: AnimationFormat) -> Result<Vec<u8>, EncodeError> {
    match format {
        AnimationFormat::Gif => encode::gif(&Scene::new(answer, MAX_GIF_PX).frames()),
        AnimationFormat::Apng => encode::apng(&Scene::new(answer, MAX_APNG_PX).frames()),
    }
}

/// A piece with its start and its target: centres in pixels.
struct Actor {
    image: RgbaImage,
    from: (f64, f64),
    to: Option<Target>,
}

/// The place where a piece ends, and when it starts: a share of the time in which pieces start.
struct Target {
    center: (f64, f64),
    turn: QuarterTurn,
    starts: f64,
}

/// All pieces, and the size of the picture.
struct Scene {
    width_px: u32,
    height_px: u32,
    actors: Vec<Actor>,
}

impl Scene {
    fn new(answer: Answer<'_>, max_px: u32) -> Self {
        let Answer { pieces, assembly, .. } = answer;
        let boards: Vec<_> = BoardView::all(pieces, assembly).collect();
        // Several boards lie in a square arrangement of areas of the size of the largest board.
        let boards_across =
            (1..).find(|across| across * across >= boards.len().max(1)).unwrap_or(1);
        let boards_down = boards.len().div_ceil(boards_across).max(1);
        let largest = boards
            .iter()
            .map(BoardView::size_px)
            .fold((1, 1), |largest, size| (largest.0.max(size.0), largest.1.max(size.1)));
        let whole = (largest.0 * boards_across as u64, largest.1 * boards_down as u64);
        let miniatures = Miniatures::fitting(pieces, whole, (max_px, max_px));
        let upright = miniatures.size_turned(QuarterTurn::ZERO);
        let cell_of = |view: &BoardView<'_>| miniatures.size_turned(view.turn);
        let slot = boards.iter().fold((1, 1), |slot, view| {
            let (width, height) = cell_of(view);
            (slot.0.max(width * view.grid.cols()), slot.1.max(height * view.grid.rows()))
        });
        let across = u32::try_from(boards_across).unwrap_or(1);
        let down = u32::try_from(boards_down).unwrap_or(1);
        let width_px = (slot.0 * across).max(upright.0);
        let columns = width_px / upright.0;
        let num_pieces = u32::try_from(pieces.num_pieces()).unwrap_or(u32::MAX);
        let height_px = (slot.1 * down).max(num_pieces.div_ceil(columns) * upright.1);

        let mut order: Vec<PieceId> =
            assembly.placements().map(|placement| placement.piece).collect();
        let sure = |piece: PieceId| answer.confidence(piece).unwrap_or(0.0);
        order.sort_by(|&a, &b| sure(b).total_cmp(&sure(a)).then(a.cmp(&b)));
        let mut starts = vec![0.0; pieces.num_pieces()];
        for (rank, piece) in order.iter().enumerate() {
            starts[piece.index()] = rank as f64 / order.len() as f64;
        }
        let center = |col: u32, row: u32, (width, height): (u32, u32), shift: (u32, u32)| {
            let middle = |index: u32, size: u32, shift: u32| {
                f64::from(shift) + (f64::from(index) + 0.5) * f64::from(size)
            };
            (middle(col, width, shift.0), middle(row, height, shift.1))
        };
        let actor = |piece: PieceId| {
            let to = assembly.place_of(piece).map(|place| {
                let view = &boards[place.board];
                let board = u32::try_from(place.board).unwrap_or_default();
                let cell = cell_of(view);
                // Centred in its area.
                let shift = (
                    board % across * slot.0 + (slot.0 - cell.0 * view.grid.cols()) / 2,
                    board / across * slot.1 + (slot.1 - cell.1 * view.grid.rows()) / 2,
                );
                Target {
                    center: center(place.cell.col, place.cell.row, cell, shift),
                    turn: place.turn,
                    starts: starts[piece.index()],
                }
            });
            let (col, row) = (piece.number() % columns, piece.number() / columns);
            Actor { image: miniatures.piece(piece), from: center(col, row, upright, (0, 0)), to }
        };
        Self { width_px, height_px, actors: pieces.ids().map(actor).collect() }
    }

    fn frames(&self) -> Vec<RgbaImage> {
        (0..=NUM_STEPS).map(|step| self.frame(f64::from(step) / f64::from(NUM_STEPS))).collect()
    }

    /// The frame at a time from 0 to 1. Waiting pieces are at the bottom, moving ones on top.
    fn frame(&self, time: f64) -> RgbaImage {
        let [red, green, blue] = GROUND;
        let ground = Rgba([red, green, blue, u8::MAX]);
        let mut image = RgbaImage::from_pixel(self.width_px, self.height_px, ground);
        let progress =
            |target: &Target| ((time - target.starts * (1.0 - FLIGHT)) / FLIGHT).clamp(0.0, 1.0);
        // At the start all pieces have their full colour; then waiting pieces darken.
        let waiting = 1.0 - (1.0 - WAITING_SHARE) * (time / STEP_BACK).min(1.0);
        let fading = (1.0 - time) / FLIGHT;
        let mut flying = Vec::new();
        let mut landed = Vec::new();
        for actor in &self.actors {
            match &actor.to {
                None => actor.draw(&mut image, actor.from, 0.0, waiting * fading.min(1.0)),
                Some(target) => match progress(target) {
                    0.0 => actor.draw(&mut image, actor.from, 0.0, waiting),
                    1.0 => landed.push((actor, target)),
                    share => flying.push((actor, target, share)),
                },
            }
        }
        for (actor, target) in landed {
            actor.draw(&mut image, target.center, quarters(target.turn), 1.0);
        }
        for (actor, target, share) in flying {
            // Slow at both ends.
            let share = share * share * (3.0 - 2.0 * share);
            let between = |from: f64, to: f64| from + (to - from) * share;
            let center =
                (between(actor.from.0, target.center.0), between(actor.from.1, target.center.1));
            actor.draw(&mut image, center, quarters(target.turn) * share, 1.0);
        }
        image
    }
}

/// A turn as a signed number of quarter turns, the shorter way round.
fn quarters(turn: QuarterTurn) -> f64 {
    match turn.clockwise() {
        3 => -1.0,
        turns => f64::from(turns),
    }
}

impl Actor {
    /// Draws the piece around a centre, turned clockwise by `quarters`, with `share` of its colour.
    fn draw(&self, onto: &mut RgbaImage, center: (f64, f64), quarters: f64, share: f64) {
        let (width, height) =
            (f64::from(self.image.width()) / 2.0, f64::from(self.image.height()) / 2.0);
        let angle = quarters * std::f64::consts::FRAC_PI_2;
        // Exact for whole quarter turns, so that resting pieces keep their pixels.
        let snap = |value: f64| if quarters.fract() == 0.0 { value.round() } else { value };
        let (sine, cosine) = (snap(angle.sin()), snap(angle.cos()));
        let reach_x = width * cosine.abs() + height * sine.abs();
        let reach_y = width * sine.abs() + height * cosine.abs();
        let pixels = |center: f64, reach: f64, size: u32| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "clamped to the picture"
            )]
            let clamped = |value: f64| value.clamp(0.0, f64::from(size)) as u32;
            clamped((center - reach).floor())..clamped((center + reach).ceil())
        };
        for row in pixels(center.1, reach_y, onto.height()) {
            for col in pixels(center.0, reach_x, onto.width()) {
                let (x, y) = (f64::from(col) + 0.5 - center.0, f64::from(row) + 0.5 - center.1);
                // Turn back to the pixels of the piece.
                let from_x = x * cosine + y * sine + width;
                let from_y = y * cosine - x * sine + height;
                if from_x < 0.0 || from_y < 0.0 {
                    continue;
                }
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "not negative, and checked against the picture"
                )]
                let found = self.image.get_pixel_checked(from_x as u32, from_y as u32);
                let Some(Rgba([red, green, blue, alpha])) = found else { continue };
                let covers = f64::from(*alpha) / 255.0;
                let Rgba(under) = *onto.get_pixel(col, row);
                let mut over = [u8::MAX; 4];
                for (channel, value) in [red, green, blue].into_iter().enumerate() {
                    let color = mixed(*value, GROUND[channel], share);
                    over[channel] = mixed(color, under[channel], covers);
                }
                onto.put_pixel(col, row, Rgba(over));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::tests::{Example, plain_pieces};
    use image::AnimationDecoder;
    use std::io::Cursor;

    #[test]
    fn pieces_start_in_input_order_and_end_in_place() {
        let (pieces, example) = (plain_pieces(), Example::new());
        let scene = Scene::new(example.answer(&pieces), 100);
        // Two boards side by side, each in an area of 12 x 8 px.
        assert_eq!((scene.width_px, scene.height_px), (24, 8));
        let grey = |frame: &RgbaImage, x, y| frame.get_pixel(x, y).0[1];
        let first = scene.frame(0.0);
        for piece in 0..6 {
            assert_eq!(grey(&first, 4 * piece + 2, 2), u8::try_from(40 * piece).unwrap());
        }
        let last = scene.frame(1.0);
        // The first board is one cell high, in the middle; the second one cell wide.
        assert_eq!(grey(&last, 2, 4), 40);
        assert_eq!(grey(&last, 10, 4), 0);
        assert_eq!(grey(&last, 12 + 6, 2), 80);
        assert_eq!(grey(&last, 12 + 6, 6), 120);
        assert_eq!(grey(&last, 6, 4), GROUND[1], "a hole");
        assert_eq!(grey(&last, 22, 2), GROUND[1], "piece 5 has faded");
    }

    #[test]
    fn pieces_at_rest_are_turned_pixel_for_pixel() {
        let mut image = RgbaImage::from_pixel(3, 2, Rgba([0, 0, 0, 255]));
        for (index, pixel) in image.pixels_mut().enumerate() {
            pixel.0[0] = u8::try_from(10 * index).unwrap();
        }
        let actor = Actor { image: image.clone(), from: (0.0, 0.0), to: None };
        let drawn = |width: u32, height: u32, quarters| {
            let mut canvas = RgbaImage::new(width, height);
            let center = (f64::from(width) / 2.0, f64::from(height) / 2.0);
            actor.draw(&mut canvas, center, quarters, 1.0);
            canvas
        };
        assert_eq!(drawn(3, 2, 0.0), image);
        assert_eq!(drawn(2, 3, 1.0), image::imageops::rotate90(&image));
        assert_eq!(drawn(3, 2, 2.0), image::imageops::rotate180(&image));
        assert_eq!(drawn(2, 3, -1.0), image::imageops::rotate270(&image));
    }

    #[test]
    fn both_formats_hold_every_frame() {
        let (pieces, example) = (plain_pieces(), Example::new());
        let answer = example.answer(&pieces);
        let last = Scene::new(answer, 100).frame(1.0);
        let gif = animation(answer, AnimationFormat::Gif).unwrap();
        let frames = image::codecs::gif::GifDecoder::new(Cursor::new(&gif)).unwrap();
        let frames = frames.into_frames().collect_frames().unwrap();
        assert_eq!(frames.len(), NUM_STEPS as usize + 1);
        let shown = frames.last().unwrap().buffer();
        for (found, expected) in shown.pixels().zip(last.pixels()) {
            assert!(found.0[1].abs_diff(expected.0[1]) < 16, "{found:?} {expected:?}");
        }
        let apng = animation(answer, AnimationFormat::Apng).unwrap();
        let frames = image::codecs::png::PngDecoder::new(Cursor::new(&apng)).unwrap();
        let frames = frames.apng().unwrap().into_frames().collect_frames().unwrap();
        assert_eq!(frames.len(), NUM_STEPS as usize + 1);
        assert_eq!(*frames.last().unwrap().buffer(), last);
        assert_eq!(animation(answer, AnimationFormat::Gif).unwrap(), gif);
    }

    #[test]
    fn the_file_extension_selects_the_format() {
        let of = |name: &str| AnimationFormat::from_path(Path::new(name));
        assert_eq!(of("a.GIF"), Some(AnimationFormat::Gif));
        assert_eq!(of("a.apng"), Some(AnimationFormat::Apng));
        assert_eq!(of("a.mp4"), None);
        assert_eq!(of("gif"), None);
    }
}
