//! Pictures that are written and read again keep their values.

use crate::common::{names_in, picture, with_last_channel};
use fretsaw::puzzle::Samples;
use fretsaw_io::{
    Limits, PictureFormat, decode_picture, encode_picture, read_picture, write_picture,
};
use std::fs;

#[test]
fn every_lossless_format_keeps_every_value() {
    let dir = tempfile::tempdir().unwrap();
    let cases: [(&str, &[usize], &[u8]); 9] = [
        ("png", &[1, 2, 3, 4], &[8, 16]),
        ("tiff", &[1, 3, 4], &[8, 16]),
        ("tif", &[3], &[8]),
        ("bmp", &[3, 4], &[8]),
        ("webp", &[3, 4], &[8]),
        ("pgm", &[1], &[8, 16]),
        ("ppm", &[3], &[8, 16]),
        ("pnm", &[1, 3], &[8, 16]),
        ("pam", &[1, 2, 3, 4], &[8, 16]),
    ];
    for (ending, channels, depths) in cases {
        for &channels in channels {
            for &bits in depths {
                let path = dir.path().join(format!("picture.{ending}"));
                let before = picture(7, 5, channels, bits);
                write_picture(&path, &before, None).unwrap();
                let after = read_picture(&path, &Limits::default()).unwrap();
                assert_eq!(after.picture, before, "{ending}, {channels} channels, {bits} bit");
                assert_eq!(after.constant_alpha, None);
                assert_eq!(names_in(dir.path()), [format!("picture.{ending}")]);
                // The same in memory.
                let format = PictureFormat::from_path(&path).unwrap();
                let bytes = encode_picture(format, &before, None).unwrap();
                assert_eq!(bytes, fs::read(&path).unwrap());
                assert_eq!(decode_picture(&path, &bytes, &Limits::default()).unwrap(), after);
                fs::remove_file(path).unwrap();
            }
        }
    }
}

#[test]
fn grey_comes_back_from_bmp_and_webp_as_equal_colours() {
    let dir = tempfile::tempdir().unwrap();
    let grey = picture(4, 3, 1, 8);
    for ending in ["bmp", "webp"] {
        let path = dir.path().join(format!("grey.{ending}"));
        write_picture(&path, &grey, None).unwrap();
        let back = read_picture(&path, &Limits::default()).unwrap().picture;
        assert_eq!(back.channels(), 3);
        for index in 0..12 {
            for channel in 0..3 {
                assert_eq!(back.samples().get(index * 3 + channel), grey.samples().get(index));
            }
        }
    }
}

#[test]
fn jpeg_keeps_smooth_pictures_nearly() {
    let dir = tempfile::tempdir().unwrap();
    for channels in [1, 3] {
        let values = (0..32 * 32 * channels).map(|i| (i / channels / 32 * 7) as u8).collect();
        let before = fretsaw::picture::Picture::new(32, 32, channels, Samples::U8(values)).unwrap();
        let path = dir.path().join("smooth.JPG");
        write_picture(&path, &before, None).unwrap();
        let after = read_picture(&path, &Limits::default()).unwrap().picture;
        assert_eq!(after.channels(), channels);
        for index in 0..before.samples().len() {
            assert!(before.samples().get(index).abs_diff(after.samples().get(index)) <= 4);
        }
    }
}

#[test]
fn the_content_and_not_the_name_decides_the_format() {
    let dir = tempfile::tempdir().unwrap();
    let before = picture(4, 4, 3, 8);
    let png = dir.path().join("a.png");
    write_picture(&png, &before, None).unwrap();
    for name in ["a.jpg", "a.txt", "a"] {
        let path = dir.path().join(name);
        fs::copy(&png, &path).unwrap();
        assert_eq!(read_picture(&path, &Limits::default()).unwrap().picture, before);
    }
}

#[test]
fn palettes_and_single_bits_become_eight_bit_values() {
    let dir = tempfile::tempdir().unwrap();
    let pbm = crate::common::write(dir.path(), "bits.pbm", "P1\n3 2\n1 0 1\n0 1 0\n");
    let bits = read_picture(&pbm, &Limits::default()).unwrap().picture;
    assert_eq!((bits.width_px(), bits.height_px(), bits.channels()), (3, 2, 1));
    assert_eq!(bits.samples(), &Samples::U8(vec![0, 255, 0, 255, 0, 255]));

    let gif = dir.path().join("few.gif");
    let colours = image::RgbImage::from_fn(4, 4, |x, _| image::Rgb([x as u8 * 80, 0, 255]));
    colours.save(&gif).unwrap();
    let few = read_picture(&gif, &Limits::default()).unwrap();
    assert_eq!(few.picture.samples(), &Samples::U8(colours.into_raw()));
}

#[test]
fn alpha_is_a_channel_only_if_it_varies() {
    let dir = tempfile::tempdir().unwrap();
    for (channels, bits, opaque) in [(2, 8, 255), (4, 8, 255), (2, 16, 65_535), (4, 16, 65_535)] {
        let varying = picture(6, 4, channels, bits);
        for alpha in [opaque, 0, 77] {
            let path = dir.path().join("alpha.png");
            let before = with_last_channel(&varying, alpha);
            write_picture(&path, &before, None).unwrap();
            let read = read_picture(&path, &Limits::default()).unwrap();
            assert_eq!(read.picture.channels(), channels - 1);
            assert_eq!(read.constant_alpha, (alpha != opaque).then_some(alpha));

            // Written again with the constant alpha, the file is the same unless it was opaque.
            let again = dir.path().join("again.png");
            write_picture(&again, &read.picture, read.constant_alpha).unwrap();
            if alpha != opaque {
                assert_eq!(fs::read(&again).unwrap(), fs::read(&path).unwrap());
            }
            assert_eq!(read_picture(&again, &Limits::default()).unwrap(), read);
        }
    }
}

#[test]
fn a_link_to_a_picture_stays_a_link() {
    let dir = tempfile::tempdir().unwrap();
    let target = crate::common::write(dir.path(), "target.png", "old");
    let link = dir.path().join("link.png");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&target, &link).unwrap();
        write_picture(&link, &picture(3, 3, 1, 8), None).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(read_picture(&target, &Limits::default()).is_ok());
    }
    let _ = (target, link);
}

#[cfg(unix)]
#[test]
fn written_files_have_the_permissions_of_ordinary_ones() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let ordinary = crate::common::write(dir.path(), "ordinary", "");
    let path = dir.path().join("p.png");
    write_picture(&path, &picture(3, 3, 1, 8), None).unwrap();
    let mode = |path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(path), mode(ordinary));
    assert_eq!(PictureFormat::Png.name(), "PNG");
}
