//! Encodes frames as GIF or animated PNG. Every frame but the first holds only the changed rectangle.

use crate::EncodeError;
use color_quant::NeuQuant;
use gif::{DisposalMethod, Encoder, Frame};
use image::{Rgba, RgbaImage};
use std::borrow::Cow;

/// How long the first frame is shown, and how long each other frame, in hundredths of a second.
const FIRST_DELAY: u16 = 100;
const DELAY: u16 = 5;

/// Colours of the palette. The index after them marks pixels that did not change.
const NUM_COLORS: usize = 255;
const UNCHANGED: u8 = 255;
/// The palette is made from one of this many pixels.
const SAMPLED: i32 = 10;
/// Bits of each channel in the lookup table of nearest colours.
const LOOKUP_BITS: usize = 5;

/// The smallest rectangle in which two frames differ; one pixel if they are equal.
struct Change {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
}

impl Change {
    fn between(before: &RgbaImage, after: &RgbaImage) -> Self {
        let changed =
            after.enumerate_pixels().filter(|&(x, y, pixel)| before.get_pixel(x, y) != pixel);
        let bounds = changed.fold(None, |bounds: Option<[u32; 4]>, (x, y, _)| {
            let [left, top, right, bottom] = bounds.unwrap_or([x, y, x, y]);
            Some([left.min(x), top.min(y), right.max(x), bottom.max(y)])
        });
        let [left, top, right, bottom] = bounds.unwrap_or_default();
        Self { left, top, width: right - left + 1, height: bottom - top + 1 }
    }

    /// The pixels of the rectangle, row by row.
    fn pixels(&self) -> impl Iterator<Item = (u32, u32)> {
        let (cols, rows) = (self.left..self.left + self.width, self.top..self.top + self.height);
        rows.flat_map(move |y| cols.clone().map(move |x| (x, y)))
    }
}

/// An animated GIF with one palette for all frames, played once.
pub(super) fn gif(frames: &[RgbaImage]) -> Result<Vec<u8>, EncodeError> {
    let refused = |cause: &dyn std::fmt::Display| EncodeError::new("the animation", cause);
    let (Some(first), Some(last)) = (frames.first(), frames.last()) else {
        return Ok(Vec::new());
    };
    // The first frame shows all pieces, the last most of them, and the middle one also the darkened ones.
    let sample: Vec<u8> = [first, &frames[frames.len() / 2], last]
        .into_iter()
        .flat_map(|frame| frame.iter())
        .copied()
        .collect();
    let palette = Palette::new(&sample);
    let short = |side: u32| u16::try_from(side).map_err(|cause| refused(&cause));
    let (width, height) = (short(first.width())?, short(first.height())?);
    let mut file = Vec::new();
    let mut encoder =
        Encoder::new(&mut file, width, height, &palette.colors).map_err(|cause| refused(&cause))?;
    let mut write = |change: &Change, delay, indices: Vec<u8>| {
        let frame = Frame {
            delay,
            dispose: DisposalMethod::Keep,
            transparent: Some(UNCHANGED),
            top: short(change.top)?,
            left: short(change.left)?,
            width: short(change.width)?,
            height: short(change.height)?,
            buffer: Cow::Owned(indices),
            ..Frame::default()
        };
        encoder.write_frame(&frame).map_err(|cause| refused(&cause))
    };
    let whole = Change { left: 0, top: 0, width: first.width(), height: first.height() };
    let indices = first.pixels().map(|pixel| palette.index(pixel)).collect();
    write(&whole, FIRST_DELAY, indices)?;
    for pair in frames.windows(2) {
        let [before, after] = pair else { continue };
        let change = Change::between(before, after);
        let index = |(x, y)| {
            let pixel = after.get_pixel(x, y);
            if before.get_pixel(x, y) == pixel { UNCHANGED } else { palette.index(pixel) }
        };
        write(&change, DELAY, change.pixels().map(index).collect())?;
    }
    drop(encoder);
    Ok(file)
}

/// A palette, and the nearest of its colours to any colour.
struct Palette {
    colors: Vec<u8>,
    /// The nearest colour, by the first bits of red, green and blue.
    nearest: Vec<u8>,
}

impl Palette {
    fn new(sample: &[u8]) -> Self {
        let quantizer = NeuQuant::new(SAMPLED, NUM_COLORS, sample);
        let mut colors = quantizer.color_map_rgb();
        colors.resize(3 * (NUM_COLORS + 1), 0);
        let levels = 1 << LOOKUP_BITS;
        let value = |level: usize| u8::try_from(level * 255 / (levels - 1)).unwrap_or(u8::MAX);
        let nearest = (0..levels * levels * levels).map(|number| {
            let level = |shift: usize| value((number >> (shift * LOOKUP_BITS)) % levels);
            let found = quantizer.index_of(&[level(2), level(1), level(0), u8::MAX]);
            u8::try_from(found.min(NUM_COLORS - 1)).unwrap_or_default()
        });
        Self { colors, nearest: nearest.collect() }
    }

    fn index(&self, &Rgba([red, green, blue, _]): &Rgba<u8>) -> u8 {
        let bits = |value: u8| usize::from(value) >> (8 - LOOKUP_BITS);
        self.nearest[(bits(red) << (2 * LOOKUP_BITS)) | (bits(green) << LOOKUP_BITS) | bits(blue)]
    }
}

/// An animated PNG, played once.
pub(super) fn apng(frames: &[RgbaImage]) -> Result<Vec<u8>, EncodeError> {
    let refused = |cause: png::EncodingError| EncodeError::new("the animation", &cause);
    let Some(first) = frames.first() else { return Ok(Vec::new()) };
    let num_frames = u32::try_from(frames.len()).unwrap_or(u32::MAX);
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, first.width(), first.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_animated(num_frames, 1).map_err(refused)?;
    encoder.set_frame_delay(FIRST_DELAY, 100).map_err(refused)?;
    let mut writer = encoder.write_header().map_err(refused)?;
    writer.write_image_data(first.as_raw()).map_err(refused)?;
    for pair in frames.windows(2) {
        let [before, after] = pair else { continue };
        let change = Change::between(before, after);
        // Pixels that did not change are transparent, so that the previous frame shows.
        let bytes: Vec<u8> = change
            .pixels()
            .flat_map(|(x, y)| {
                let pixel = after.get_pixel(x, y);
                if before.get_pixel(x, y) == pixel { [0; 4] } else { pixel.0 }
            })
            .collect();
        writer.reset_frame_position().map_err(refused)?;
        writer.set_frame_dimension(change.width, change.height).map_err(refused)?;
        writer.set_frame_position(change.left, change.top).map_err(refused)?;
        writer.set_frame_delay(DELAY, 100).map_err(refused)?;
        writer.set_blend_op(png::BlendOp::Over).map_err(refused)?;
        writer.set_dispose_op(png::DisposeOp::None).map_err(refused)?;
        writer.write_image_data(&bytes).map_err(refused)?;
    }
    writer.finish().map_err(refused)?;
    Ok(file)
}
