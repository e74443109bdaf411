//! Pictures saved as JPEG files with chroma for cells of 2 x 2 pixels (4:2:0), as usual programs save them.

use crate::picture_changes::{picture_of, values_of};
use anyhow::Result;
use fretsaw::picture::Picture;
use image::ImageFormat;
use jpeg_encoder::{ChromaSubsamplingMethod, ColorType, Encoder, SamplingFactor};

/// The bytes of a JPEG file of this quality, 1 to 100, of a picture of 8 bits and one or three channels.
pub(crate) fn jpeg_file(picture: &Picture, quality: u8) -> Result<Vec<u8>> {
    let values = values_of(picture)?;
    let mut saved = Vec::new();
    let mut encoder = Encoder::new(&mut saved, quality);
    encoder.set_sampling_factor(SamplingFactor::R_4_2_0);
    // As usual programs do.
    encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Average);
    let colours = if picture.channels() == 1 { ColorType::Luma } else { ColorType::Rgb };
    let (width_px, height_px) =
        (u16::try_from(picture.width_px())?, u16::try_from(picture.height_px())?);
    encoder.encode(values, width_px, height_px, colours)?;
    Ok(saved)
}

/// The picture after it was saved as such a file and read again.
pub(crate) fn saved_as_jpeg(picture: &Picture, quality: u8) -> Result<Picture> {
    let saved = jpeg_file(picture, quality)?;
    let read = image::load_from_memory_with_format(&saved, ImageFormat::Jpeg)?;
    picture_of(read, picture.channels())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture_changes::tests::mean_difference;
    use fretsaw::picture::synthetic::demo_picture;

    #[test]
    fn the_lower_the_quality_the_more_is_lost() {
        let picture = demo_picture(50, 43, 1);
        let lost = [95, 75, 30]
            .map(|quality| mean_difference(&saved_as_jpeg(&picture, quality).unwrap(), &picture));
        assert!(lost[0] > 0.0 && lost[0] < lost[1] && lost[1] < lost[2], "{lost:?}");
        assert!(lost[2] < 20.0, "{lost:?}");
    }
}
