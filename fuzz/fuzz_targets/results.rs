//! Files of results of the lab: any bytes are made into a report or refused.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = fretsaw_lab::report_in_memory(data);
});
