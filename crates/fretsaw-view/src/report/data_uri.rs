//! Pictures embedded in the page.

use crate::EncodeError;
use crate::paint::on_ground;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{DynamicImage, ExtendedColorType, ImageEncoder, RgbImage, Rgba, RgbaImage};

/// The colour of empty cells, and the background of transparent pixels.
pub(super) const GROUND: Rgba<u8> = Rgba([0x8f, 0x95, 0x9c, 0xff]);

/// A picture whose PNG has more bytes is embedded as JPEG.
const MAX_PNG_BYTES: usize = 300_000;
const JPEG_QUALITY: u8 = 85;

fn refused(cause: image::ImageError) -> EncodeError {
    EncodeError::new("a picture of the report", &cause)
}

fn opaque(mut image: RgbaImage) -> RgbImage {
    let Rgba([red, green, blue, _]) = GROUND;
    on_ground(&mut image, [red, green, blue]);
    DynamicImage::ImageRgba8(image).into_rgb8()
}

fn encoded(colors: &RgbImage) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = Vec::new();
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive)
        .write_image(colors, colors.width(), colors.height(), ExtendedColorType::Rgb8)
        .map_err(refused)?;
    Ok(bytes)
}

/// The picture as a PNG file.
pub(super) fn png(image: RgbaImage) -> Result<Vec<u8>, EncodeError> {
    encoded(&opaque(image))
}

/// The picture as a `data:` address.
pub(super) fn data_uri(image: RgbaImage) -> Result<String, EncodeError> {
    let colors = opaque(image);
    let (width, height) = colors.dimensions();
    let mut bytes = encoded(&colors)?;
    let mut kind = "png";
    if bytes.len() > MAX_PNG_BYTES {
        bytes.clear();
        kind = "jpeg";
        JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY)
            .write_image(&colors, width, height, ExtendedColorType::Rgb8)
            .map_err(refused)?;
    }
    Ok(format!("data:image/{kind};base64,{}", STANDARD.encode(bytes)))
}
