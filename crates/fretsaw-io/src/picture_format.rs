//! The formats in which pictures are written.

use crate::{IoError, Problem};
use image::codecs::bmp::BmpEncoder;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::codecs::tiff::TiffEncoder;
use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder, ImageResult};
use std::borrow::Cow;
use std::io::{Seek, Write};
use std::path::Path;

/// JPEG loses detail whatever the setting; at this quality the loss cannot be seen.
const JPEG_QUALITY: u8 = 95;

/// A format in which a picture can be written. The file extension selects it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PictureFormat {
    /// `.png`: everything.
    Png,
    /// `.jpg`, `.jpeg`: 8 bit grey or RGB, with loss.
    Jpeg,
    /// `.bmp`: 8 bit grey, RGB or RGBA. Grey is read back as RGB.
    Bmp,
    /// `.tif`, `.tiff`: 8 or 16 bit grey, RGB or RGBA.
    Tiff,
    /// `.webp`: 8 bit, without loss. Grey is read back as RGB.
    WebP,
    /// `.pgm`: 8 or 16 bit grey.
    Pgm,
    /// `.ppm`: 8 or 16 bit RGB.
    Ppm,
    /// `.pnm`: 8 or 16 bit grey or RGB.
    Pnm,
    /// `.pam`: everything.
    Pam,
}

/// Pixels ready to be encoded: 16 bit values in the machine's byte order.
pub(crate) struct Pixels<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    pub(crate) width_px: u32,
    pub(crate) height_px: u32,
    pub(crate) kind: PixelKind,
}

/// Channels and depth of a picture file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PixelKind {
    /// 1 to 4.
    pub(crate) channels: usize,
    /// 8 or 16.
    pub(crate) bits: u8,
}

impl PixelKind {
    pub(crate) const fn channel_name(self) -> &'static str {
        match self.channels {
            1 => "grey",
            2 => "grey with alpha",
            3 => "RGB",
            _ => "RGBA",
        }
    }

    pub(crate) const fn has_alpha(self) -> bool {
        matches!(self.channels, 2 | 4)
    }

    const fn color_type(self) -> ExtendedColorType {
        match (self.channels, self.bits) {
            (1, 8) => ExtendedColorType::L8,
            (2, 8) => ExtendedColorType::La8,
            (3, 8) => ExtendedColorType::Rgb8,
            (_, 8) => ExtendedColorType::Rgba8,
            (1, _) => ExtendedColorType::L16,
            (2, _) => ExtendedColorType::La16,
            (3, _) => ExtendedColorType::Rgb16,
            _ => ExtendedColorType::Rgba16,
        }
    }
}

impl PictureFormat {
    /// The file extensions that can be written, for messages and help texts.
    pub const ENDINGS: &'static str =
        ".png, .tif, .tiff, .webp, .bmp, .ppm, .pgm, .pnm, .pam, .jpg, .jpeg";

    /// The format that the file extension selects, in upper or lower case.
    pub fn from_path(path: &Path) -> Result<Self, IoError> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let note = match ending.to_ascii_lowercase().as_str() {
            "png" => return Ok(Self::Png),
            "jpg" | "jpeg" => return Ok(Self::Jpeg),
            "bmp" => return Ok(Self::Bmp),
            "tif" | "tiff" => return Ok(Self::Tiff),
            "webp" => return Ok(Self::WebP),
            "pgm" => return Ok(Self::Pgm),
            "ppm" => return Ok(Self::Ppm),
            "pnm" => return Ok(Self::Pnm),
            "pam" => return Ok(Self::Pam),
            "gif" => " (GIF is read but not written: it holds only 256 colours)",
            "pbm" => " (PBM is read but not written: it holds only black and white)",
            _ => "",
        };
        Err(Problem::usage(format!(
            "the file extension selects no picture format that can be written{note}; use one of {}",
            Self::ENDINGS
        ))
        .at(path))
    }

    /// The format's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Bmp => "BMP",
            Self::Tiff => "TIFF",
            Self::WebP => "WebP",
            Self::Pgm => "PGM",
            Self::Ppm => "PPM",
            Self::Pnm => "PNM",
            Self::Pam => "PAM",
        }
    }

    /// Whether pixels of this kind can be written without dropping a channel or half the bits.
    pub(crate) fn check_kind(self, kind: PixelKind) -> Result<(), Problem> {
        let deep_ok = !matches!(self, Self::Jpeg | Self::Bmp | Self::WebP);
        let channels_ok = match self {
            Self::Png | Self::WebP | Self::Pam => true,
            Self::Bmp | Self::Tiff => kind.channels != 2,
            Self::Jpeg | Self::Pnm => !kind.has_alpha(),
            Self::Pgm => kind.channels == 1,
            Self::Ppm => kind.channels == 3,
        };
        if kind.bits == 16 && !deep_ok {
            return Err(self.cannot_hold("16 bit values", ".png or .tiff"));
        }
        if !channels_ok {
            let remedy = if kind.has_alpha() { ".png" } else { ".png or .pnm" };
            return Err(self.cannot_hold(&format!("{} pixels", kind.channel_name()), remedy));
        }
        Ok(())
    }

    fn cannot_hold(self, what: &str, remedy: &str) -> Problem {
        Problem::usage(format!("{} cannot hold {what}; write {remedy} instead", self.name()))
    }

    /// Whether a picture of this size can be written.
    pub(crate) fn check_size(
        self,
        width_px: usize,
        height_px: usize,
    ) -> Result<(u32, u32), Problem> {
        let max_side = match self {
            Self::Jpeg => 65_535,
            Self::WebP => 16_384,
            // Signed 32 bit in BMP and PNG; beyond any memory for the others.
            _ => i32::MAX.unsigned_abs(),
        };
        let fit = |side: usize| u32::try_from(side).ok().filter(|&side| side <= max_side);
        match (fit(width_px), fit(height_px)) {
            (Some(width), Some(height)) => Ok((width, height)),
            _ => {
                let what =
                    format!("{width_px} x {height_px} pixels (at most {max_side} along a side)");
                Err(self.cannot_hold(&what, ".png or .tiff"))
            }
        }
    }

    pub(crate) fn encode(
        self,
        file: &mut (impl Write + Seek),
        pixels: &Pixels<'_>,
    ) -> ImageResult<()> {
        let &Pixels { ref bytes, width_px, height_px, kind } = pixels;
        let color = kind.color_type();
        match self {
            Self::Png => PngEncoder::new(file).write_image(bytes, width_px, height_px, color),
            Self::Jpeg => JpegEncoder::new_with_quality(file, JPEG_QUALITY)
                .write_image(bytes, width_px, height_px, color),
            Self::Bmp => BmpEncoder::new(file).write_image(bytes, width_px, height_px, color),
            Self::Tiff => TiffEncoder::new(file).write_image(bytes, width_px, height_px, color),
            Self::WebP => {
                WebPEncoder::new_lossless(file).write_image(bytes, width_px, height_px, color)
            }
            Self::Pgm | Self::Ppm | Self::Pnm | Self::Pam => Ok(self.encode_pnm(file, pixels)?),
        }
    }

    fn encode_pnm(self, file: &mut impl Write, pixels: &Pixels<'_>) -> std::io::Result<()> {
        let Pixels { bytes, width_px, height_px, kind } = pixels;
        let max_value = if kind.bits == 8 { 255 } else { 65_535 };
        if self == Self::Pam {
            let tuple = match kind.channels {
                1 => "GRAYSCALE",
                2 => "GRAYSCALE_ALPHA",
                3 => "RGB",
                _ => "RGB_ALPHA",
            };
            write!(
                file,
                "P7\nWIDTH {width_px}\nHEIGHT {height_px}\nDEPTH {}\nMAXVAL {max_value}\n\
                 TUPLTYPE {tuple}\nENDHDR\n",
                kind.channels
            )?;
        } else {
            let magic = if kind.channels == 1 { "P5" } else { "P6" };
            write!(file, "{magic}\n{width_px} {height_px}\n{max_value}\n")?;
        }
        if kind.bits == 8 {
            return file.write_all(bytes);
        }
        for value in bytes.as_chunks().0 {
            file.write_all(&u16::from_ne_bytes(*value).to_be_bytes())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_extensions_select_formats_in_upper_and_lower_case() {
        let of = |name: &str| PictureFormat::from_path(Path::new(name));
        assert_eq!(of("a/b.PNG").unwrap(), PictureFormat::Png);
        assert_eq!(of("b.x.jpeg").unwrap(), PictureFormat::Jpeg);
        for name in ["b.gif", "b.xcf", "png", "", "b."] {
            let error = of(name).unwrap_err();
            assert!(error.is_usage());
            assert!(error.to_string().contains(".png"), "{error}");
        }
    }

    #[test]
    fn formats_that_would_lose_values_are_refused() {
        let check = |format: PictureFormat, channels, bits| {
            format.check_kind(PixelKind { channels, bits }).is_ok()
        };
        assert!(check(PictureFormat::Png, 2, 16) && check(PictureFormat::Pam, 4, 16));
        assert!(check(PictureFormat::Jpeg, 3, 8) && !check(PictureFormat::Jpeg, 4, 8));
        assert!(!check(PictureFormat::Jpeg, 3, 16) && !check(PictureFormat::WebP, 3, 16));
        assert!(!check(PictureFormat::Ppm, 1, 8) && !check(PictureFormat::Pgm, 3, 8));
        assert!(!check(PictureFormat::Tiff, 2, 8) && check(PictureFormat::Tiff, 4, 16));
    }
}
