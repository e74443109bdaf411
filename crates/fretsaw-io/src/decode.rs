//! Decoding pictures: what their headers say, and their pixels.

use crate::picture_format::PixelKind;
use crate::{IoError, JpegMarkers, Limits, Problem};
use fretsaw::puzzle::Samples;
use fretsaw::unstable::allocation::{try_reserve, try_reserve_exact};
use image::codecs::gif::GifDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{
    AnimationDecoder, ColorType, ExtendedColorType, ImageDecoder, ImageError, ImageFormat,
    ImageReader,
};
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Cursor, Read, Seek};
use std::path::Path;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The header of a picture file.
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

    pub(crate) const fn size(&self) -> (u32, u32) {
        (self.width_px, self.height_px)
    }

    /// Values in the picture. The header has passed the limits, so this fits.
    pub(crate) fn num_samples(&self) -> usize {
        self.width_px as usize * self.height_px as usize * self.kind.channels
    }
}

/// An empty list of values of 8 or 16 bits with this capacity.
pub(crate) fn empty_samples(path: &Path, bits: u8, capacity: usize) -> Result<Samples, IoError> {
    let mut samples = if bits == 8 { Samples::U8(Vec::new()) } else { Samples::U16(Vec::new()) };
    let reserved = match &mut samples {
        Samples::U8(values) => try_reserve_exact(values, capacity),
        Samples::U16(values) => try_reserve_exact(values, capacity),
    };
    let bytes = capacity as u64 * u64::from(bits / 8);
    reserved.map_err(|_| Problem::out_of_memory(bytes).at(path))?;
    Ok(samples)
}

/// How JPEG files begin and end.
const JPEG_START: &[u8] = &[0xff, 0xd8];
const JPEG_END: &[u8] = &[0xff, 0xd9];
/// At least as many bytes as the JPEG decoder reads ahead.
const READ_AHEAD: usize = 16;

/// Decodes a JPEG file into grey or RGB values as `image` does, but refuses a scan that is damaged or ends too early.
/// `image` fills what it cannot read, and says nothing. Oddities between the headers are no damage.
///
/// The end marker is withheld if all of the picture is in one scan: the decoder then notices when it runs out of data.
/// Behind the marker it would read zeros. A few zeros take its place, because the decoder reads some bytes ahead.
fn read_whole_jpeg(bytes: &[u8], kind: PixelKind, values: &mut [u8]) -> Result<(), DecodeErrors> {
    let colours = if kind.channels == 1 { ColorSpace::Luma } else { ColorSpace::RGB };
    let options = DecoderOptions::default()
        .jpeg_set_out_colorspace(colours)
        .set_strict_mode(false)
        .set_max_width(usize::MAX)
        .set_max_height(usize::MAX);
    let is_one_scan = JpegMarkers::read(bytes).is_ok_and(|markers| !markers.is_progressive);
    let end = bytes.windows(2).rposition(|pair| pair == JPEG_END).filter(|_| is_one_scan);
    let bytes = match end {
        Some(end) => Cow::Owned([&bytes[..end], &[0; READ_AHEAD]].concat()),
        None => Cow::Borrowed(bytes),
    };
    // As a slice, as `image` reads it, so that the decoder is compiled for one kind of bytes.
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(&*bytes), options);
    decoder.decode_headers()?;
    decoder.set_options(options.set_strict_mode(true));
    decoder.decode_into(values)
}

/// An encoded picture, in a file or in memory.
#[derive(Clone, Copy)]
pub(crate) struct EncodedPicture<'a> {
    /// The file, or a name for messages if `bytes` are given.
    pub(crate) path: &'a Path,
    /// The content, unless it is to be read from the file.
    pub(crate) bytes: Option<&'a [u8]>,
}

trait BufReadSeek: BufRead + Seek {}

impl<T: BufRead + Seek> BufReadSeek for T {}

impl<'a> EncodedPicture<'a> {
    /// The header, or `None` if the content is not a picture of a known format.
    pub(crate) fn header(self, limits: &Limits) -> Result<Option<Header>, IoError> {
        Ok(self.open(limits)?.map(|(header, _)| header))
    }

    /// The header, and the orientation that the file notes (EXIF); `None` if it is no picture of a known format.
    pub(crate) fn header_and_orientation(
        self,
        limits: &Limits,
    ) -> Result<Option<(Header, Orientation)>, IoError> {
        Ok(self.open(limits)?.map(|(header, mut decoder)| {
            // Notes that cannot be read are ignored, like those that can.
            (header, decoder.orientation().unwrap_or(Orientation::NoTransforms))
        }))
    }

    /// Decodes the picture and appends its values to `samples`, which must have its depth.
    ///
    /// `expected` is the header read before; a file that has changed since is refused.
    pub(crate) fn append_samples(
        self,
        limits: &Limits,
        expected: &Header,
        samples: &mut Samples,
    ) -> Result<(), IoError> {
        let failed = |problem: Problem| problem.at(self.path);
        let opened = self.open(limits)?;
        let (header, mut decoder) = opened.ok_or_else(|| failed(Problem::not_a_picture()))?;
        let num_samples = header.num_samples();
        let num_bytes = num_samples * usize::from(header.kind.bits / 8);
        if header != *expected || decoder.total_bytes() != num_bytes as u64 {
            return Err(failed(Problem::damaged("picture", "it changed while it was read")));
        }
        let no_memory = |_| failed(Problem::out_of_memory(num_bytes as u64));
        let mut bounds = image::Limits::default();
        bounds.max_image_width = Some(limits.max_side_px);
        bounds.max_image_height = Some(limits.max_side_px);
        bounds.max_alloc = Some(limits.max_decoder_bytes());
        decoder.set_limits(bounds).map_err(|cause| failed(problem_of(limits, &cause)))?;
        match samples {
            Samples::U8(values) => {
                let start = values.len();
                try_reserve(values, num_samples).map_err(no_memory)?;
                values.resize(start + num_samples, 0);
                match self.jpeg_bytes(limits)? {
                    Some(bytes) => {
                        return read_whole_jpeg(&bytes, header.kind, &mut values[start..])
                            .map_err(|cause| failed(Problem::damaged("picture", cause)));
                    }
                    None => decoder.read_image(&mut values[start..]),
                }
            }
            Samples::U16(values) => {
                let mut bytes = Vec::new();
                try_reserve_exact(&mut bytes, num_bytes).map_err(no_memory)?;
                bytes.resize(num_bytes, 0);
                try_reserve(values, num_samples).map_err(no_memory)?;
                let decoded = decoder.read_image(&mut bytes);
                values.extend(bytes.as_chunks().0.iter().map(|&value| u16::from_ne_bytes(value)));
                decoded
            }
        }
        .map_err(|cause| failed(problem_of(limits, &cause)))
    }

    /// The whole file, if it is a JPEG file.
    fn jpeg_bytes(self, limits: &Limits) -> Result<Option<Cow<'a, [u8]>>, IoError> {
        let bytes = match self.bytes {
            Some(bytes) => Cow::Borrowed(bytes),
            None => {
                let mut file = self.reader(limits)?;
                let mut bytes = vec![0; JPEG_START.len()];
                if file.read_exact(&mut bytes).is_err() || bytes != JPEG_START {
                    return Ok(None);
                }
                let read = file.read_to_end(&mut bytes);
                read.map_err(|cause| IoError::read(self.path, cause))?;
                Cow::Owned(bytes)
            }
        };
        Ok(Some(bytes).filter(|bytes| bytes.starts_with(JPEG_START)))
    }

    /// Whether the file holds more pictures than the first, which is the one that is read: an
    /// animation, or pages. False if it cannot be decoded that far.
    pub(crate) fn holds_several(self, limits: &Limits) -> bool {
        let Ok(mut file) = self.reader(limits) else { return false };
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

    /// What the markers say, if it is a JPEG file.
    pub(crate) fn jpeg_markers(self, limits: &Limits) -> Result<Option<JpegMarkers>, IoError> {
        let refused = |cause| IoError::read(self.path, cause);
        let mut file = self.reader(limits)?;
        let guessed = ImageReader::new(&mut file).with_guessed_format().map_err(refused)?;
        if guessed.format() != Some(ImageFormat::Jpeg) {
            return Ok(None);
        }
        file.rewind().map_err(refused)?;
        JpegMarkers::read(file).map(Some).map_err(refused)
    }

    fn reader(self, limits: &Limits) -> Result<Box<dyn BufReadSeek + 'a>, IoError> {
        if let Some(bytes) = self.bytes {
            return Ok(Box::new(Cursor::new(bytes)));
        }
        let refused = |cause| IoError::read(self.path, cause);
        let found = fs::metadata(self.path).map_err(refused)?;
        if found.is_dir() {
            return Err(Problem::wrong_kind("a folder", "a file").at(self.path));
        }
        if !found.is_file() {
            // Opening a pipe could block forever.
            return Err(Problem::wrong_kind("a pipe or device", "a file").at(self.path));
        }
        let max_bytes = limits.max_decoder_bytes();
        if found.len() > max_bytes {
            return Err(Problem::file_too_large(found.len(), max_bytes).at(self.path));
        }
        Ok(Box::new(BufReader::new(File::open(self.path).map_err(refused)?)))
    }

    /// A decoder that has read the header, or `None` if the content is not a picture of a known format.
    fn open(
        self,
        limits: &Limits,
    ) -> Result<Option<(Header, impl ImageDecoder + use<'a>)>, IoError> {
        let refused = |cause| IoError::read(self.path, cause);
        let failed = |problem: Problem| problem.at(self.path);
        let mut file = self.reader(limits)?;
        let format = ImageReader::new(&mut file).with_guessed_format().map_err(refused)?.format();
        let Some(format) = format.filter(|format| format.reading_enabled()) else {
            return Ok(None);
        };
        if format == ImageFormat::Jpeg {
            if !JpegMarkers::read(&mut file).map_err(refused)?.is_complete {
                return Err(failed(Problem::damaged("picture", "its end is missing")));
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
        // The sides are checked below, where the message can name them.
        bounds.max_alloc = Some(limits.max_decoder_bytes());
        reader.limits(bounds);
        let decoder = reader.into_decoder().map_err(|cause| failed(problem_of(limits, &cause)))?;
        let (width_px, height_px) = decoder.dimensions();
        limits.check_picture(width_px.into(), height_px.into()).map_err(failed)?;
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
                return Err(failed(unsupported("a picture of floating point values")));
            }
            _ => return Err(failed(unsupported("this kind of pixel"))),
        };
        // Of an RGB file with further bands the decoder reads the first three without a word.
        let is_cmyk = matches!(
            decoder.original_color_type(),
            ExtendedColorType::Cmyk8 | ExtendedColorType::Cmyk16
        );
        let num_read = if is_cmyk { 4 } else { channels };
        if let Some(num_bands) = num_bands.filter(|&num_bands| usize::from(num_bands) != num_read) {
            return Err(failed(unsupported(&format!("a TIFF picture of {num_bands} bands"))));
        }
        Ok(Some((Header { width_px, height_px, kind: PixelKind { channels, bits } }, decoder)))
    }
}

/// Bands of a TIFF file. `None` if they cannot be read; decoding will then say why.
fn tiff_bands(file: &mut (impl BufRead + Seek)) -> Option<u16> {
    let mut decoder = tiff::decoder::Decoder::new(file).ok()?;
    Some(decoder.find_tag_unsigned(tiff::tags::Tag::SamplesPerPixel).ok()?.unwrap_or(1))
}

fn unsupported(what: &str) -> Problem {
    Problem::content(format!(
        "{what} is not supported; convert it to 8 or 16 bit grey or RGB, with or without alpha \
         (more bands can only be solved through the library, from values in memory)"
    ))
}

fn problem_of(limits: &Limits, failure: &ImageError) -> Problem {
    match failure {
        ImageError::Limits(_) => Problem::too_large(format!(
            "decoding this picture would take more than the limit of {} bytes; use a smaller \
             picture, or raise the limit",
            limits.max_decoder_bytes()
        )),
        ImageError::Unsupported(what) => unsupported(&what.to_string()),
        other => Problem::damaged("picture", other),
    }
}
