//! Sheets and folders in memory: any picture is cut or refused, within small limits.

#![no_main]

use fretsaw_io::{InputOptions, Limits, inspect_files, read_files};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let limits = Limits { max_pixels: 1 << 14, max_side_px: 1 << 8, max_pieces: 64, ..Limits::default() };
    let options = InputOptions { limits, ..InputOptions::default() };
    let file = |name: &str| (name.to_string(), data.to_vec());
    let _ = read_files(vec![file("sheet.png")], &options);
    let _ = read_files(vec![file("1.png"), file("2.jpg")], &options);
    let _ = inspect_files(vec![file("sheet.png")], &options);
});
