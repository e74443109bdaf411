//! Zip archives: any bytes are read as a puzzle or refused, within small limits.

#![no_main]

use fretsaw_io::{InputOptions, Limits, read_archive};
use libfuzzer_sys::fuzz_target;
use std::io::Cursor;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let limits = Limits { max_pixels: 1 << 16, max_side_px: 1 << 10, max_pieces: 64, ..Limits::default() };
    let options = InputOptions { limits, ..InputOptions::default() };
    let _ = read_archive(Path::new("x.zip"), Cursor::new(data.to_vec()), &options);
});
