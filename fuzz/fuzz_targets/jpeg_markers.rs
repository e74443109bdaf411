//! The markers of any bytes can be read, and the search for them always ends.

#![no_main]

use fretsaw_io::JpegMarkers;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    JpegMarkers::read(data).expect("bytes in memory can be read");
});
