//! `solution.json`: any bytes are parsed or refused.

#![no_main]

use fretsaw_io::{Limits, parse_solution};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let _ = parse_solution(Path::new("solution.json"), data, &Limits::default());
});
