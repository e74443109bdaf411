//! Whole pictures, from and to files or bytes in memory.

use crate::decode::{EncodedPicture, Header, empty_samples};
use crate::picture_format::{PixelKind, Pixels};
use crate::{IoError, Limits, PictureFormat, Problem, atomic};
use fretsaw::picture::{Picture, PictureSize, drop_constant_alpha};
use fretsaw::puzzle::Samples;
use std::borrow::Cow;
use std::io::Cursor;
use std::ops::Range;
use std::path::Path;

/// A picture, and the alpha that was dropped from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadPicture {
    /// The picture. It has an alpha channel only if it varies.
    pub picture: Picture,
    /// The alpha of every pixel, in the units of the picture's values, if the file's alpha is the
    /// same everywhere but not opaque. [`write_picture`] can restore it.
    pub constant_alpha: Option<u16>,
}

/// Reads a picture. The format is recognized by the content, not by the name.
///
/// Pixels are taken as they are stored: an orientation noted in the file is not applied. Of an
/// animation the first picture is read. Palettes become RGB or RGBA, fewer than 8 bits become 8.
///
/// # Errors
/// If the file cannot be read, is not a picture or a damaged one, is beyond the limits, or holds
/// floating point values or more than four channels.
pub fn read_picture(path: &Path, limits: &Limits) -> Result<ReadPicture, IoError> {
    decode(EncodedPicture { path, bytes: None }, limits)
}

/// Reads a picture from memory as [`read_picture`] does from a file. The path is for messages, and
/// may be empty.
pub fn decode_picture(path: &Path, bytes: &[u8], limits: &Limits) -> Result<ReadPicture, IoError> {
    decode(EncodedPicture { path, bytes: Some(bytes) }, limits)
}

fn decode(file: EncodedPicture<'_>, limits: &Limits) -> Result<ReadPicture, IoError> {
    let header = file.header(limits)?.ok_or_else(|| Problem::not_a_picture().at(file.path))?;
    let mut samples = empty_samples(file.path, header.kind.bits, header.num_samples())?;
    file.append_samples(limits, &header, &mut samples)?;
    let (channels, constant_alpha) = drop_constant_alpha(&mut samples, header.kind.channels);
    let picture = to_picture(file.path, &header, channels, samples)?;
    Ok(ReadPicture { picture, constant_alpha })
}

/// A picture of the header's size.
pub(crate) fn to_picture(
    path: &Path,
    header: &Header,
    channels: usize,
    samples: Samples,
) -> Result<Picture, IoError> {
    Picture::new(header.height_px as usize, header.width_px as usize, channels, samples)
        .map_err(|cause| Problem::damaged("picture", cause).at(path))
}

/// The size in the header of a picture file. Only the header is decoded.
///
/// # Errors
/// As [`read_picture`], except errors in the pixels.
pub fn read_picture_size(path: &Path, limits: &Limits) -> Result<PictureSize, IoError> {
    let header = EncodedPicture { path, bytes: None }.header(limits)?;
    let header = header.ok_or_else(|| Problem::not_a_picture().at(path))?;
    Ok(PictureSize { height_px: header.height_px as usize, width_px: header.width_px as usize })
}

/// Checks before a long computation whether such a picture can be written at this path: the file
/// extension, what the format can hold, and that the folder exists.
///
/// `bits` is 8 or 16.
///
/// # Errors
/// As [`write_picture`], except errors of writing.
pub fn check_picture_target(
    path: &Path,
    channels: usize,
    bits: u8,
    constant_alpha: Option<u16>,
) -> Result<PictureFormat, IoError> {
    let format = PictureFormat::from_path(path)?;
    stored_kind(channels, bits, constant_alpha)
        .and_then(|kind| format.check_kind(kind))
        .map_err(|problem| problem.at(path))?;
    match atomic::check_target(path)? {
        atomic::Target::Regular { folder, .. } => {
            atomic::check_may_write(path, &folder)?;
            Ok(format)
        }
        atomic::Target::Stream => Err(Problem::wrong_kind("a pipe or device", "a file").at(path)),
    }
}

/// Writes a picture in the format that the file extension selects.
///
/// `constant_alpha` is added to pictures of one or three channels as the alpha of every pixel. The
/// file appears whole or not at all; an existing file is replaced.
///
/// # Errors
/// If the extension selects no format, the format cannot hold the picture without loss, or the file
/// cannot be written.
pub fn write_picture(
    path: &Path,
    picture: &Picture,
    constant_alpha: Option<u16>,
) -> Result<(), IoError> {
    let (channels, bits) = (picture.channels(), picture.samples().bits());
    let format = check_picture_target(path, channels, bits, constant_alpha)?;
    let pixels =
        Pixels::new(picture, constant_alpha, format).map_err(|problem| problem.at(path))?;
    atomic::write_file(path, |file| format.encode(file, &pixels))
}

/// Encodes a picture in memory; the bytes are those that [`write_picture`] would write.
///
/// # Errors
/// If the format cannot hold the picture without loss.
pub fn encode_picture(
    format: PictureFormat,
    picture: &Picture,
    constant_alpha: Option<u16>,
) -> Result<Vec<u8>, Problem> {
    let pixels = Pixels::new(picture, constant_alpha, format)?;
    let mut file = Cursor::new(Vec::new());
    let encoded = format.encode(&mut file, &pixels);
    encoded.map_err(Problem::not_encoded)?;
    Ok(file.into_inner())
}

impl<'a> Pixels<'a> {
    /// The pixels of a picture that the format can hold.
    pub(crate) fn new(
        picture: &'a Picture,
        constant_alpha: Option<u16>,
        format: PictureFormat,
    ) -> Result<Self, Problem> {
        let (channels, samples) = (picture.channels(), picture.samples());
        let kind = stored_kind(channels, samples.bits(), constant_alpha)?;
        format.check_kind(kind)?;
        let (width_px, height_px) = format.check_size(picture.width_px(), picture.height_px())?;
        let bytes = pixel_bytes(samples, 0..samples.len(), channels, constant_alpha);
        Ok(Self { bytes, width_px, height_px, kind })
    }
}

/// Channels and depth in the file, the constant alpha included.
pub(crate) fn stored_kind(
    channels: usize,
    bits: u8,
    constant_alpha: Option<u16>,
) -> Result<PixelKind, Problem> {
    let stored = match (channels, constant_alpha) {
        (1 | 3, Some(_)) => channels + 1,
        (1..=4, _) => channels,
        _ => {
            return Err(Problem::usage(format!(
                "{channels} channels cannot be written as a picture file; pictures have 1 (grey), 2 \
                 (grey, alpha), 3 (RGB) or 4 (RGBA); write some of them"
            )));
        }
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
