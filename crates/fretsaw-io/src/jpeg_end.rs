//! Whether a JPEG file is whole.
//!
//! The decoder fills in what a truncated JPEG file lacks and reports success; pieces would then be
//! partly grey without anyone being told. Its markers show whether the file reaches its end.

use std::io::{self, BufRead, Read};

const START_OF_IMAGE: u8 = 0xd8;
const END_OF_IMAGE: u8 = 0xd9;
const START_OF_SCAN: u8 = 0xda;

/// Whether the end-of-image marker of a JPEG file is reached after at least one scan. Segments are
/// stepped over, so that the end of a thumbnail inside one does not count.
///
/// # Errors
/// If the file cannot be read.
pub fn is_complete_jpeg(mut file: impl BufRead) -> io::Result<bool> {
    let mut seen_scan = false;
    let mut in_scan = false;
    loop {
        let Some(byte) = next(&mut file)? else { return Ok(false) };
        if byte != 0xff {
            if in_scan {
                continue;
            }
            // Not a marker where one must stand: the decoder shall matcher.
            return Ok(true);
        }
        let mut marker = 0xff;
        while marker == 0xff {
            let Some(byte) = next(&mut file)? else { return Ok(false) };
            marker = byte;
        }
        match marker {
            // A stuffed byte, restart markers and markers without content.
            0x00 | 0x01 | 0xd0..=0xd7 | START_OF_IMAGE => {}
            END_OF_IMAGE => return Ok(seen_scan),
            _ => {
                let (Some(high), Some(low)) = (next(&mut file)?, next(&mut file)?) else {
                    return Ok(false);
                };
                let length = u64::from(u16::from_be_bytes([high, low])).saturating_sub(2);
                if skip(&mut file, length)? < length {
                    return Ok(false);
                }
                in_scan = marker == START_OF_SCAN;
                seen_scan |= in_scan;
            }
        }
    }
}

fn next(file: &mut impl BufRead) -> io::Result<Option<u8>> {
    let byte = file.fill_buf()?.first().copied();
    if byte.is_some() {
        file.consume(1);
    }
    Ok(byte)
}

fn skip(file: &mut impl BufRead, length: u64) -> io::Result<u64> {
    io::copy(&mut file.by_ref().take(length), &mut io::sink())
}
