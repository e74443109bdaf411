//! `truth.json`: any bytes are parsed or refused.

#![no_main]

use fretsaw_io::{Limits, parse_truth};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let _ = parse_truth(Path::new("truth.json"), data, &Limits::default());
});
