//! Any bytes are recognized as a complete or truncated JPEG file, and the search always ends.

#![no_main]

use fretsaw_io::is_complete_jpeg;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    is_complete_jpeg(data).expect("bytes in memory can be read");
});
