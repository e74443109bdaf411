//! Detecting truncated JPEG files.
//!
//! The decoder fills the missing part of a truncated JPEG file with grey and reports success. The
//! file's markers show whether it is complete.

use std::io::{self, BufRead, Read};

const START_OF_IMAGE: u8 = 0xd8;
const END_OF_IMAGE: u8 = 0xd9;
const START_OF_SCAN: u8 = 0xda;

/// Whether the end-of-image marker of a JPEG file is reached after at least one scan. Segments are
/// skipped, so that the end marker of a thumbnail inside one does not count.
pub fn is_complete_jpeg(mut file: impl BufRead) -> io::Result<bool> {
    let mut seen_scan = false;
    let mut in_scan = false;
    loop {
        if in_scan {
            skip_until_marker(&mut file)?;
        }
        let Some(byte) = next(&mut file)? else { return Ok(false) };
        if byte != 0xff {
            // There is no marker where one must be: the decoder will report that.
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

/// Skips the data of a scan up to the next byte that may begin a marker, or to the end.
fn skip_until_marker(file: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = file.fill_buf()?;
        let (marker, length) = (buffer.iter().position(|&byte| byte == 0xff), buffer.len());
        file.consume(marker.unwrap_or(length));
        if marker.is_some() || length == 0 {
            return Ok(());
        }
    }
}

fn skip(file: &mut impl BufRead, length: u64) -> io::Result<u64> {
    io::copy(&mut file.by_ref().take(length), &mut io::sink())
}
