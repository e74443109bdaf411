//! Pictures of every format: any bytes are decoded or refused, within small limits. What was decoded is encoded and
//! decoded again without a change.

#![no_main]

use fretsaw_io::{Limits, PictureFormat, decode_picture, encode_picture};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let limits = Limits { max_pixels: 1 << 16, max_side_px: 1 << 10, ..Limits::default() };
    let Ok(read) = decode_picture(Path::new("x"), data, &limits) else { return };
    let written = encode_picture(PictureFormat::Png, &read.picture, read.constant_alpha);
    let written = written.expect("PNG holds every picture");
    let again = decode_picture(Path::new("x.png"), &written, &limits).expect("our own PNG is read");
    assert_eq!(read, again);
});
