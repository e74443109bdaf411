//! Pictures that cannot be read or written are refused. The error names the file, and no file is left.

use crate::common::{assert_tells, assert_usage, names_in, picture, png_claiming, write};
use fretsaw_io::{
    InputOptions, Limits, ProblemKind, check_picture_target, read_input, read_picture,
    write_picture,
};
use std::fs;
use std::path::Path;

#[test]
fn truncated_pictures_of_every_format_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    for ending in ["png", "jpg", "bmp", "tiff", "webp", "ppm", "pam", "gif"] {
        let path = dir.path().join(format!("p.{ending}"));
        if ending == "gif" {
            image::RgbImage::from_fn(64, 64, |x, y| image::Rgb([(x * y) as u8, x as u8, y as u8]))
                .save(&path)
                .unwrap();
        } else {
            write_picture(&path, &picture(64, 64, 3, 8), None).unwrap();
        }
        let whole = fs::read(&path).unwrap();
        for part in [whole.len() / 2, whole.len() * 9 / 10, 40, 20] {
            fs::write(&path, &whole[..part]).unwrap();
            let error = read_picture(&path, &Limits::default()).unwrap_err();
            assert_tells(&error, &path, &["damaged", "again"]);
            assert!(!error.is_usage());
        }
    }
}

#[test]
fn jpeg_files_whose_scan_was_cut_out_before_the_end_marker_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("p.jpg");
    for channels in [1, 3] {
        write_picture(&path, &picture(96, 80, channels, 8), None).unwrap();
        let whole = fs::read(&path).unwrap();
        assert!(read_picture(&path, &Limits::default()).is_ok());
        for tenths in 5..9 {
            let mut cut = whole[..whole.len() * tenths / 10].to_vec();
            cut.extend([0xff, 0xd9]);
            fs::write(&path, cut).unwrap();
            let error = read_picture(&path, &Limits::default()).unwrap_err();
            assert_tells(&error, &path, &["damaged", "again"]);
        }
    }
    // A picture that is one grey to the end is no cut one.
    let grey =
        fretsaw::picture::Picture::new(40, 40, 1, fretsaw::puzzle::Samples::U8(vec![128; 1600]));
    write_picture(&path, &grey.unwrap(), None).unwrap();
    assert!(read_picture(&path, &Limits::default()).is_ok());
}

#[test]
fn files_that_are_not_pictures_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (name, content) in [("a.png", ""), ("b.jpg", "hello"), ("c.txt", "some text, not short")] {
        let path = write(dir.path(), name, content);
        let error = read_picture(&path, &Limits::default()).unwrap_err();
        assert_tells(&error, &path, &["not a picture", "Convert"]);
    }
    let missing = dir.path().join("missing.png");
    let error = read_picture(&missing, &Limits::default()).unwrap_err();
    assert_usage(&error, &missing, &["no such file", "check the path"]);
    let error = read_picture(dir.path(), &Limits::default()).unwrap_err();
    assert_usage(&error, dir.path(), &["folder"]);
}

#[test]
fn damaged_bytes_never_panic() {
    // Some headers claim a large picture, so that the limits are low to save memory.
    let limits = Limits { max_pixels: 1 << 20, ..Limits::default() };
    let dir = tempfile::tempdir().unwrap();
    for ending in ["png", "jpg", "bmp", "tiff", "webp", "ppm"] {
        let path = dir.path().join(format!("p.{ending}"));
        write_picture(&path, &picture(16, 16, 3, 8), None).unwrap();
        let whole = fs::read(&path).unwrap();
        for position in 0..whole.len().min(200) {
            let mut damaged = whole.clone();
            damaged[position] ^= 0xff;
            fs::write(&path, damaged).unwrap();
            // Whether it can still be read depends on the format.
            let _ = read_picture(&path, &limits);
        }
    }
}

#[test]
fn a_small_file_that_claims_to_be_huge_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    for (width, height) in [(30_000, 30_000), (200_000, 1)] {
        let path = write(dir.path(), "bomb.png", png_claiming(width, height));
        let error = read_picture(&path, &Limits::default()).unwrap_err();
        assert_tells(&error, &path, &[&format!("{width} x {height} pixels exceeds the limit")]);
    }
    // So large that the decoder itself gives up.
    let side = i32::MAX.unsigned_abs();
    let path = write(dir.path(), "bomb.png", png_claiming(side, side));
    let error = read_picture(&path, &Limits::default()).unwrap_err();
    assert_tells(&error, &path, &["decoding", "limit", "smaller"]);
    // The same in formats whose header is plain text or whose decoder takes no limits.
    let path = write(dir.path(), "bomb.ppm", "P6\n30000 30000\n255\n");
    let error = read_picture(&path, &Limits::default()).unwrap_err();
    assert_tells(&error, &path, &["30000 x 30000 pixels exceeds the limit"]);
}

#[test]
fn limits_can_be_lowered() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("p.png");
    write_picture(&path, &picture(20, 10, 3, 8), None).unwrap();
    let read = |max_pixels, max_side_px| {
        read_picture(&path, &Limits { max_pixels, max_side_px, ..Limits::default() })
    };
    assert!(read(200, 20).is_ok());
    for error in [read(199, 20).unwrap_err(), read(200, 19).unwrap_err()] {
        assert_eq!(error.problem.kind, ProblemKind::TooLarge);
    }
}

#[test]
fn floating_point_pictures_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("float.tiff");
    image::Rgb32FImage::new(4, 4).save(&path).unwrap();
    let error = read_picture(&path, &Limits::default()).unwrap_err();
    assert_tells(&error, &path, &["floating point", "8 or 16 bit"]);
}

/// An uncompressed TIFF file of 2 x 2 pixels, 8 bit, with as many bands as given.
fn tiff(bands: u16, photometric: u16, is_planar: bool) -> Vec<u8> {
    let planar = if is_planar { 2 } else { 1 };
    let strips = if is_planar { bands } else { 1 };
    let strip_bytes = 4 * bands / strips;
    let pixels: Vec<u8> = (0..4 * bands).map(|value| (value * 3) as u8).collect();
    // After the header: bit depths, strip offsets, strip lengths, extra samples, pixels, directory.
    let mut file = b"II*\0\0\0\0\0".to_vec();
    let start = |file: &Vec<u8>| u32::try_from(file.len()).unwrap();
    let (depths, offsets_at) = (start(&file), start(&file) + 2 * u32::from(bands));
    let lengths_at = offsets_at + 4 * u32::from(strips);
    let extras_at = lengths_at + 4 * u32::from(strips);
    let pixels_at = extras_at + 2 * u32::from(bands);
    (0..bands).for_each(|_| file.extend(8_u16.to_le_bytes()));
    for strip in 0..strips {
        file.extend((pixels_at + u32::from(strip * strip_bytes)).to_le_bytes());
    }
    (0..strips).for_each(|_| file.extend(u32::from(strip_bytes).to_le_bytes()));
    (0..bands).for_each(|_| file.extend(0_u16.to_le_bytes()));
    file.extend(&pixels);
    if file.len() % 2 == 1 {
        file.push(0);
    }
    let directory = start(&file).to_le_bytes();
    file[4..8].copy_from_slice(&directory);
    let at = |count: u16, position: u32, single: u32| if count == 1 { single } else { position };
    let mut entries: Vec<(u16, u16, u16, u32)> = vec![
        (256, 3, 1, 2),
        (257, 3, 1, 2),
        (258, 3, bands, if bands == 2 { 0x0008_0008 } else { at(bands, depths, 8) }),
        (259, 3, 1, 1),
        (262, 3, 1, photometric.into()),
        (273, 4, strips, at(strips, offsets_at, pixels_at)),
        (277, 3, 1, bands.into()),
        (278, 3, 1, 2),
        (279, 4, strips, at(strips, lengths_at, strip_bytes.into())),
        (284, 3, 1, planar),
    ];
    let colours = if photometric == 2 { 3 } else { 1 };
    if bands > colours {
        let extras = bands - colours;
        entries.push((338, 3, extras, if extras <= 2 { 0 } else { extras_at }));
    }
    file.extend(u16::try_from(entries.len()).unwrap().to_le_bytes());
    for (tag, kind, count, value) in entries {
        file.extend(tag.to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend(u32::from(count).to_le_bytes());
        file.extend(value.to_le_bytes());
    }
    file.extend([0; 4]);
    file
}

#[test]
fn tiff_files_of_many_bands_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    for is_planar in [false, true] {
        for (bands, photometric) in [(5, 1), (7, 1), (5, 2), (300, 1)] {
            let path = write(dir.path(), "bands.tif", tiff(bands, photometric, is_planar));
            let error = read_picture(&path, &Limits::default()).unwrap_err();
            assert_tells(&error, &path, &["not supported", "library"]);
        }
    }
    // Three bands are read in either arrangement, and none is lost.
    let read = |is_planar| {
        let path = write(dir.path(), "rgb.tif", tiff(3, 2, is_planar));
        read_picture(&path, &Limits::default()).unwrap().picture
    };
    let (chunky, planar) = (read(false), read(true));
    for pixel in 0..4 {
        for band in 0..3 {
            let (in_chunky, in_planar) = (pixel * 3 + band, band * 4 + pixel);
            assert_eq!(usize::from(chunky.samples().get(in_chunky)), in_chunky * 3);
            assert_eq!(usize::from(planar.samples().get(in_chunky)), in_planar * 3);
        }
    }
}

#[test]
fn nothing_is_dropped_to_fit_a_format() {
    let dir = tempfile::tempdir().unwrap();
    let cases = [
        ("a.jpg", 4, 8, None, "RGBA"),
        ("a.jpeg", 3, 16, None, "16 bit"),
        ("a.jpg", 3, 8, Some(100), "RGBA"),
        ("a.webp", 1, 16, None, "16 bit"),
        ("a.pgm", 3, 8, None, "RGB"),
        ("a.ppm", 1, 8, None, "grey"),
        ("a.tiff", 2, 8, None, "alpha"),
        ("a.png", 5, 8, None, "5 channels"),
        ("a.gif", 3, 8, None, "256 colours"),
        ("a.docx", 3, 8, None, ".png"),
        ("a", 3, 8, None, ".png"),
    ];
    for (name, channels, bits, alpha, word) in cases {
        let path = dir.path().join(name);
        let early = check_picture_target(&path, channels, bits, alpha).unwrap_err();
        let error = write_picture(&path, &picture(4, 4, channels, bits), alpha).unwrap_err();
        assert_eq!(early.to_string(), error.to_string());
        assert!(error.is_usage());
        assert_tells(&error, &path, &[word]);
    }
    let path = dir.path().join("wide.webp");
    let error = write_picture(&path, &picture(20_000, 1, 3, 8), None).unwrap_err();
    assert_tells(&error, &path, &["20000", "16384"]);
    assert_eq!(names_in(dir.path()), Vec::<String>::new());
}

#[test]
fn places_that_cannot_be_written_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let p = picture(4, 4, 3, 8);
    let file = write(dir.path(), "file", "kept");
    let folder = dir.path().join("folder.png");
    fs::create_dir(&folder).unwrap();
    let before = names_in(dir.path());

    let inside_file = file.join("out.png");
    let error = write_picture(&inside_file, &p, None).unwrap_err();
    assert_tells(&error, &file, &["folder is needed"]);
    let error = write_picture(&inside_file.join("deeper.png"), &p, None).unwrap_err();
    assert_tells(&error, &inside_file, &[]);
    let missing = dir.path().join("missing").join("out.png");
    let error = write_picture(&missing, &p, None).unwrap_err();
    assert_usage(&error, &missing, &["does not exist", "create it"]);
    assert_usage(&write_picture(&folder, &p, None).unwrap_err(), &folder, &["is a folder"]);
    // A name that the system would refuse when the file is renamed.
    let long = dir.path().join(format!("{}.png", "x".repeat(300)));
    let error = write_picture(&long, &p, None).unwrap_err();
    assert_usage(&error, &long, &["too long"]);

    assert_eq!(names_in(dir.path()), before);
    assert_eq!(names_in(&folder), Vec::<String>::new());
    assert_eq!(fs::read(file).unwrap(), b"kept");
}

#[cfg(unix)]
#[test]
fn folders_and_files_without_permission_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("old.png");
    write_picture(&path, &picture(3, 3, 1, 8), None).unwrap();
    let old = fs::read(&path).unwrap();
    let set = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    set(&path, 0o000);
    set(dir.path(), 0o555);
    let permissions_bind = fs::write(dir.path().join("probe"), "").is_err();
    if permissions_bind {
        let error = read_picture(&path, &Limits::default()).unwrap_err();
        assert_tells(&error, &path, &["permission"]);
        let error = write_picture(&path, &picture(4, 4, 1, 8), None).unwrap_err();
        assert!(!error.is_usage());
        assert_tells(&error, &path, &["permission"]);
    }
    set(dir.path(), 0o755);
    set(&path, 0o644);
    assert_eq!(fs::read(&path).unwrap(), old);
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_in_which_not_even_root_may_write_is_refused() {
    let path = Path::new("/proc/fretsaw-test.png");
    let error = write_picture(path, &picture(4, 4, 1, 8), None).unwrap_err();
    assert_eq!(error.problem.kind, ProblemKind::System, "{error:?}");
    assert_tells(&error, path, &["cannot be written", "permissions"]);
}

#[cfg(unix)]
#[test]
fn pipes_are_not_replaced_and_do_not_block() {
    let dir = tempfile::tempdir().unwrap();
    let Some(pipe) = crate::common::pipe(dir.path(), "pipe.png") else { return };
    let error = write_picture(&pipe, &picture(4, 4, 1, 8), None).unwrap_err();
    assert_tells(&error, &pipe, &["pipe or device"]);
    let error = read_picture(&pipe, &Limits::default()).unwrap_err();
    assert_tells(&error, &pipe, &["pipe or device"]);
    // In a folder that somebody sent.
    let Some(pipe) = crate::common::pipe(dir.path(), "puzzle.json") else { return };
    let error = read_input(dir.path(), &InputOptions::default()).unwrap_err();
    assert_tells(&error, &pipe, &["pipe or device"]);
}
