//! Pictures from and to files.

use crate::picture_format::{PixelKind, Pixels};
use crate::{IoError, Limits, PictureFormat, alpha, atomic, jpeg_end};
use fretsaw::picture::{Picture, PictureSize};
use fretsaw::puzzle::Samples;
use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{
    AnimationDecoder, ColorType, ExtendedColorType, ImageDecoder, ImageError, ImageFormat,
    ImageReader,
};
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Cursor, Seek};
use std::ops::Range;
use std::path::Path;

/// A picture and what was set aside of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadPicture {
    /// The picture, alpha included only if it varies.
    pub picture: Picture,
    /// The alpha of every pixel, in the units of the picture's values, if the file's alpha is the
    /// same all over but not opaque. For [`write_picture`], to restore it.
    pub constant_alpha: Option<u16>,
}

/// What the beginning of a picture file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) width_px: u32,
    pub(crate) height_px: u32,
    pub(crate) kind: PixelKind,
}

impl Header {
    pub(crate) fn describe(&self) -> String {
        let Self { width_px, height_px, kind } = self;
        format!("{width_px} x {height_px} pixels, {}, {} bit", kind.channel_name(), kind.bits)
    }

    /// Values in the picture. The header has passed the limits, so this fits.
    pub(crate) fn num_samples(&self) -> usize {
        self.width_px as usize * self.height_px as usize * self.kind.channels
    }
}

/// Reads a picture in any format that can be read, told by its content, not by its name.
///
/// Pixels are taken as they are stored: an orientation noted in the file is not applied. Of an
/// animation the first picture is read. Palettes become RGB or RGBA, fewer than 8 bits become 8.
///
/// # Errors
/// If the file cannot be read, is no picture or a damaged one, is beyond the limits, or holds
/// floating point values or more than four channels.
pub fn read_picture(path: &Path, limits: &Limits) -> Result<ReadPicture, IoError> {
    let header =
        read_header(path, limits)?.ok_or_else(|| IoError::NotAPicture { path: path.into() })?;
    let mut samples = empty_samples(header.kind.bits);
    append_samples(path, limits, &header, &mut samples)?;
    let mut channels = header.kind.channels;
    let mut constant_alpha = None;
    if header.kind.has_alpha()
        && let Some(value) = alpha::drop_if_constant(channels, &mut samples)
    {
        channels -= 1;
        constant_alpha = Some(value).filter(|&value| value != samples.white());
    }
    let (height_px, width_px) = (header.height_px as usize, header.width_px as usize);
    let picture = Picture::new(height_px, width_px, channels, samples)
        .map_err(|cause| IoError::BrokenPicture { path: path.into(), cause: cause.to_string() })?;
    Ok(ReadPicture { picture, constant_alpha })
}

/// The size that a picture file says it has. Only its beginning is decoded.
///
/// # Errors
/// As [`read_picture`], except for what only decoding can tell.
pub fn read_picture_size(path: &Path, limits: &Limits) -> Result<PictureSize, IoError> {
    let header =
        read_header(path, limits)?.ok_or_else(|| IoError::NotAPicture { path: path.into() })?;
    Ok(PictureSize { height_px: header.height_px as usize, width_px: header.width_px as usize })
}

pub(crate) const fn empty_samples(bits: u8) -> Samples {
    if bits == 8 { Samples::U8(Vec::new()) } else { Samples::U16(Vec::new()) }
}

/// The header of a picture file within the limits, or `None` if the content is no known picture.
pub(crate) fn read_header(path: &Path, limits: &Limits) -> Result<Option<Header>, IoError> {
    Ok(open(path, limits)?.map(|(header, _)| header))
}

/// The same of a picture in memory; the path is for messages.
pub(crate) fn header_of(
    path: &Path,
    bytes: &[u8],
    limits: &Limits,
) -> Result<Option<Header>, IoError> {
    Ok(open_reader(path, Cursor::new(bytes), limits)?.map(|(header, _)| header))
}

/// Decodes the picture and appends its values to those at hand, which must have its depth.
///
/// `expected` is the header read before; a file that has changed since is refused.
pub(crate) fn append_samples(
    path: &Path,
    limits: &Limits,
    expected: &Header,
    samples: &mut Samples,
) -> Result<(), IoError> {
    append_decoded(path, limits, expected, open(path, limits)?, samples)
}

/// The same of a picture in memory; the path is for messages.
pub(crate) fn append_samples_of(
    path: &Path,
    bytes: &[u8],
    limits: &Limits,
    expected: &Header,
    samples: &mut Samples,
) -> Result<(), IoError> {
    let opened = open_reader(path, Cursor::new(bytes), limits)?;
    append_decoded(path, limits, expected, opened, samples)
}

fn append_decoded(
    path: &Path,
    limits: &Limits,
    expected: &Header,
    opened: Option<(Header, impl ImageDecoder)>,
    samples: &mut Samples,
) -> Result<(), IoError> {
    let broken = |cause: &str| IoError::BrokenPicture { path: path.into(), cause: cause.into() };
    let (header, mut decoder) = opened.ok_or_else(|| IoError::NotAPicture { path: path.into() })?;
    let num_samples = header.num_samples();
    let num_bytes = num_samples * usize::from(header.kind.bits / 8);
    if header != *expected || decoder.total_bytes() != num_bytes as u64 {
        return Err(broken("it changed while it was read"));
    }
    let no_memory = |_| IoError::OutOfMemory { path: path.into(), bytes: num_bytes as u64 };
    let mut bounds = image::Limits::default();
    bounds.max_image_width = Some(limits.max_side_px);
    bounds.max_image_height = Some(limits.max_side_px);
    bounds.max_alloc = Some(limits.max_decoder_bytes());
    decoder.set_limits(bounds).map_err(|cause| image_error(path, limits, &cause))?;
    match samples {
        Samples::U8(values) => {
            let start = values.len();
            values.try_reserve(num_samples).map_err(no_memory)?;
            values.resize(start + num_samples, 0);
            decoder.read_image(&mut values[start..])
        }
        Samples::U16(values) => {
            let mut bytes = Vec::new();
            bytes.try_reserve_exact(num_bytes).map_err(no_memory)?;
            bytes.resize(num_bytes, 0);
            values.try_reserve(num_samples).map_err(no_memory)?;
            let decoded = decoder.read_image(&mut bytes);
            values.extend(bytes.as_chunks().0.iter().map(|&value| u16::from_ne_bytes(value)));
            decoded
        }
    }
    .map_err(|cause| image_error(path, limits, &cause))
}

fn open(
    path: &Path,
    limits: &Limits,
) -> Result<Option<(Header, impl ImageDecoder + use<>)>, IoError> {
    let refused = |cause| IoError::read(path, cause);
    let found = fs::metadata(path).map_err(refused)?;
    if found.is_dir() {
        return Err(IoError::IsAFolder { path: path.into() });
    }
    if !found.is_file() {
        // Opening a pipe could wait for ever.
        return Err(IoError::WrongKind {
            path: path.into(),
            found: "a pipe or device",
            needed: "a file",
        });
    }
    let max_bytes = limits.max_decoder_bytes();
    if found.len() > max_bytes {
        return Err(IoError::FileTooLarge { path: path.into(), bytes: found.len(), max_bytes });
    }
    open_reader(path, BufReader::new(File::open(path).map_err(refused)?), limits)
}

fn open_reader<'r, R: BufRead + Seek + 'r>(
    path: &Path,
    mut file: R,
    limits: &Limits,
) -> Result<Option<(Header, impl ImageDecoder + use<'r, R>)>, IoError> {
    let refused = |cause| IoError::read(path, cause);
    let max_bytes = limits.max_decoder_bytes();
    let format = ImageReader::new(&mut file).with_guessed_format().map_err(refused)?.format();
    let Some(format) = format.filter(|format| format.reading_enabled()) else {
        return Ok(None);
    };
    if format == ImageFormat::Jpeg {
        if !jpeg_end::is_complete_jpeg(&mut file).map_err(refused)? {
            return Err(IoError::BrokenPicture {
                path: path.into(),
                cause: "its end is missing".into(),
            });
        }
        file.rewind().map_err(refused)?;
    }
    let mut num_bands = None;
    if format == ImageFormat::Tiff {
        num_bands = tiff_bands(&mut file);
        file.rewind().map_err(refused)?;
    }
    let mut reader = ImageReader::with_format(file, format);
    let mut bounds = image::Limits::no_limits();
    // The sides are checked below, where the message can tell them.
    bounds.max_alloc = Some(max_bytes);
    reader.limits(bounds);
    let decoder = reader.into_decoder().map_err(|cause| image_error(path, limits, &cause))?;
    let (width_px, height_px) = decoder.dimensions();
    limits.check_picture(path, width_px.into(), height_px.into())?;
    let unsupported =
        |what: &str| IoError::UnsupportedPicture { path: path.into(), what: what.into() };
    let (channels, bits) = match decoder.color_type() {
        ColorType::L8 => (1, 8),
        ColorType::La8 => (2, 8),
        ColorType::Rgb8 => (3, 8),
        ColorType::Rgba8 => (4, 8),
        ColorType::L16 => (1, 16),
        ColorType::La16 => (2, 16),
        ColorType::Rgb16 => (3, 16),
        ColorType::Rgba16 => (4, 16),
        ColorType::Rgb32F | ColorType::Rgba32F => {
            return Err(unsupported("a picture of floating point values"));
        }
        _ => return Err(unsupported("this kind of pixel")),
    };
    // Of an RGB file with further bands the decoder reads the first three and says nothing.
    let is_cmyk = matches!(
        decoder.original_color_type(),
        ExtendedColorType::Cmyk8 | ExtendedColorType::Cmyk16
    );
    let num_read = if is_cmyk { 4 } else { channels };
    if let Some(num_bands) = num_bands.filter(|&num_bands| usize::from(num_bands) != num_read) {
        return Err(unsupported(&format!("a TIFF picture of {num_bands} bands")));
    }
    Ok(Some((Header { width_px, height_px, kind: PixelKind { channels, bits } }, decoder)))
}

/// Bands of a TIFF file. `None` if that cannot be told; reading it will tell why.
fn tiff_bands(file: &mut (impl BufRead + Seek)) -> Option<u16> {
    let mut decoder = tiff::decoder::Decoder::new(file).ok()?;
    Some(decoder.find_tag_unsigned(tiff::tags::Tag::SamplesPerPixel).ok()?.unwrap_or(1))
}

/// Whether a picture file holds more pictures than the first, which is the one that is read: an
/// animation, or pages. Of a file that cannot be decoded so far the answer is no.
pub(crate) fn holds_several(path: &Path, limits: &Limits) -> bool {
    File::open(path).is_ok_and(|file| reader_holds_several(BufReader::new(file), limits))
}

/// The same of a picture in memory.
pub(crate) fn bytes_hold_several(bytes: &[u8], limits: &Limits) -> bool {
    reader_holds_several(Cursor::new(bytes), limits)
}

fn reader_holds_several(mut file: impl BufRead + Seek, limits: &Limits) -> bool {
    let guessed = ImageReader::new(&mut file).with_guessed_format();
    match guessed.ok().and_then(|reader| reader.format()) {
        Some(ImageFormat::Gif) => GifDecoder::new(file).is_ok_and(|mut decoder| {
            let mut bounds = image::Limits::default();
            bounds.max_alloc = Some(limits.max_decoder_bytes());
            decoder.set_limits(bounds).is_ok()
                && decoder.into_frames().nth(1).is_some_and(|frame| frame.is_ok())
        }),
        Some(ImageFormat::Png) => {
            PngDecoder::new(file).is_ok_and(|decoder| decoder.is_apng().unwrap_or(false))
        }
        Some(ImageFormat::WebP) => {
            WebPDecoder::new(file).is_ok_and(|decoder| decoder.has_animation())
        }
        Some(ImageFormat::Tiff) => {
            tiff::decoder::Decoder::new(file).is_ok_and(|decoder| decoder.more_images())
        }
        _ => false,
    }
}

fn image_error(path: &Path, limits: &Limits, failure: &ImageError) -> IoError {
    match failure {
        ImageError::Limits(_) => {
            IoError::DecoderLimit { path: path.into(), max_bytes: limits.max_decoder_bytes() }
        }
        ImageError::Unsupported(what) => {
            IoError::UnsupportedPicture { path: path.into(), what: what.to_string() }
        }
        other => IoError::BrokenPicture { path: path.into(), cause: other.to_string() },
    }
}

/// Checks early, before a long computation, whether such a picture can be written at this path: the
/// name's ending, what the format can hold, and that the folder is there.
///
/// `bits` is 8 or 16.
///
/// # Errors
/// As [`write_picture`], except for what only writing can tell.
pub fn check_picture_target(
    path: &Path,
    channels: usize,
    bits: u8,
    constant_alpha: Option<u16>,
) -> Result<PictureFormat, IoError> {
    let format = PictureFormat::from_path(path)?;
    format.check_kind(path, stored_kind(path, channels, bits, constant_alpha)?)?;
    match atomic::check_target(path)? {
        atomic::Target::Regular { folder, .. } => {
            atomic::check_may_write(path, &folder)?;
            Ok(format)
        }
        atomic::Target::Stream => Err(IoError::WrongKind {
            path: path.into(),
            found: "a pipe or device",
            needed: "a file",
        }),
    }
}

/// Writes a picture in the format that the name's ending stands for.
///
/// `constant_alpha` is added to pictures of one or three channels as the alpha of every pixel. The
/// file appears whole or not at all; a file of that name is replaced.
///
/// # Errors
/// If the ending stands for no format, the format cannot hold the picture without loss, or the file
/// cannot be written.
pub fn write_picture(
    path: &Path,
    picture: &Picture,
    constant_alpha: Option<u16>,
) -> Result<(), IoError> {
    let (channels, bits) = (picture.channels(), bits_of(picture.samples()));
    let format = check_picture_target(path, channels, bits, constant_alpha)?;
    let kind = stored_kind(path, channels, bits, constant_alpha)?;
    let (width_px, height_px) = format.check_size(path, picture.width_px(), picture.height_px())?;
    let samples = picture.samples();
    let bytes = pixel_bytes(samples, 0..samples.len(), channels, constant_alpha);
    atomic::write_file(path, |file| {
        format.encode(file, &Pixels { bytes: &bytes, width_px, height_px, kind })
    })
}

pub(crate) const fn bits_of(samples: &Samples) -> u8 {
    match samples {
        Samples::U8(_) => 8,
        Samples::U16(_) => 16,
    }
}

/// Channels and depth in the file, the constant alpha included.
pub(crate) fn stored_kind(
    path: &Path,
    channels: usize,
    bits: u8,
    constant_alpha: Option<u16>,
) -> Result<PixelKind, IoError> {
    let stored = match (channels, constant_alpha) {
        (1 | 3, Some(_)) => channels + 1,
        (1..=4, _) => channels,
        _ => return Err(IoError::ChannelCount { path: path.into(), channels }),
    };
    Ok(PixelKind { channels: stored, bits })
}

/// The values in `range` as bytes, a constant alpha added to each pixel of one or three channels.
pub(crate) fn pixel_bytes(
    samples: &Samples,
    range: Range<usize>,
    channels: usize,
    constant_alpha: Option<u16>,
) -> Cow<'_, [u8]> {
    let constant_alpha = constant_alpha.filter(|_| matches!(channels, 1 | 3));
    match samples {
        Samples::U8(values) => match constant_alpha {
            None => Cow::Borrowed(&values[range]),
            // A value beyond the depth can only mean opaque.
            Some(alpha) => {
                let alpha = u8::try_from(alpha).unwrap_or(u8::MAX);
                Cow::Owned(join(&values[range], channels, Some([alpha]), |value| [value]))
            }
        },
        Samples::U16(values) => {
            let alpha = constant_alpha.map(u16::to_ne_bytes);
            Cow::Owned(join(&values[range], channels, alpha, u16::to_ne_bytes))
        }
    }
}

fn join<T: Copy, const N: usize>(
    values: &[T],
    channels: usize,
    alpha: Option<[u8; N]>,
    to_bytes: impl Fn(T) -> [u8; N],
) -> Vec<u8> {
    let pixels = values.len() / channels;
    let mut bytes = Vec::with_capacity((values.len() + pixels) * N);
    for pixel in values.chunks(channels) {
        for &value in pixel {
            bytes.extend(to_bytes(value));
        }
        if let Some(alpha) = alpha {
            bytes.extend(alpha);
        }
    }
    bytes
}
