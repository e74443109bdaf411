//! What the markers of a JPEG file say: whether it is complete, and how its colours were sampled.
//!
//! The decoder fills the missing part of a truncated JPEG file with grey and reports success, and it does not
//! report how colours were sampled.

use std::io::{self, BufRead, Read};

const START_OF_IMAGE: u8 = 0xd8;
const END_OF_IMAGE: u8 = 0xd9;
const START_OF_SCAN: u8 = 0xda;

/// The bytes of a frame header that are read: precision, height, width, the number of components, and three
/// bytes for each of three components.
const FRAME_HEADER_LENGTH: usize = 6 + 3 * 3;

/// What the markers of a JPEG file say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JpegMarkers {
    /// Whether the end-of-image marker is reached after at least one scan.
    pub is_complete: bool,
    /// Pixels across and down that share one value of chroma: 2 and 2 for 4:2:0, 1 and 1 for 4:4:4. `None` for
    /// files that are not of three components, or without a frame header.
    pub chroma_cell_px: Option<[u32; 2]>,
    /// Whether the picture is sent in several scans, each finer than the last.
    pub is_progressive: bool,
}

impl JpegMarkers {
    /// Reads the markers. Segments are skipped, so that the markers of a thumbnail inside one do not count.
    ///
    /// # Errors
    /// If the file cannot be read. A damaged file is no error: the decoder will report it.
    pub fn read(mut file: impl BufRead) -> io::Result<Self> {
        let mut found = Self::default();
        let mut seen_scan = false;
        let mut in_scan = false;
        loop {
            if in_scan {
                skip_until_marker(&mut file)?;
            }
            let Some(byte) = next(&mut file)? else { return Ok(found) };
            if byte != 0xff {
                // There is no marker where one must be: the decoder will report that.
                return Ok(Self { is_complete: true, ..found });
            }
            let mut marker = 0xff;
            while marker == 0xff {
                let Some(byte) = next(&mut file)? else { return Ok(found) };
                marker = byte;
            }
            match marker {
                // A stuffed byte, restart markers and markers without content.
                0x00 | 0x01 | 0xd0..=0xd7 | START_OF_IMAGE => {}
                END_OF_IMAGE => return Ok(Self { is_complete: seen_scan, ..found }),
                _ => {
                    let (Some(high), Some(low)) = (next(&mut file)?, next(&mut file)?) else {
                        return Ok(found);
                    };
                    let length = u64::from(u16::from_be_bytes([high, low])).saturating_sub(2);
                    let mut header = Vec::new();
                    if is_frame_header(marker) {
                        let header_length = length.min(FRAME_HEADER_LENGTH as u64);
                        file.by_ref().take(header_length).read_to_end(&mut header)?;
                        found.chroma_cell_px = chroma_cell_in(&header);
                        found.is_progressive = matches!(marker, 0xc2 | 0xc6 | 0xca | 0xce);
                    }
                    let rest = length - header.len() as u64;
                    if skip(&mut file, rest)? < rest {
                        return Ok(found);
                    }
                    in_scan = marker == START_OF_SCAN;
                    seen_scan |= in_scan;
                }
            }
        }
    }
}

/// Whether a marker begins a frame header (SOF). The other markers of this range begin tables: DHT, JPG, DAC.
const fn is_frame_header(marker: u8) -> bool {
    matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc)
}

/// The pixels that share a value of chroma, by the content of a frame header.
///
/// Each component has sampling factors, across and down. Luma has the largest, and chroma as many values as its
/// factors are of those.
fn chroma_cell_in(header: &[u8]) -> Option<[u32; 2]> {
    let (&num_components, components) = header.get(5..)?.split_first()?;
    if num_components != 3 || components.len() != 9 {
        return None;
    }
    let [luma, blue, red] = [0, 1, 2].map(|component| {
        let factors = components[3 * component + 1];
        [factors >> 4, factors & 15]
    });
    let cell_px = |axis: usize| {
        // Both components of chroma nearly always have the same factors; if not, the coarser one counts.
        let of_chroma = blue[axis].min(red[axis]).max(1);
        u32::from(luma[axis] / of_chroma).max(1)
    };
    Some([cell_px(0), cell_px(1)])
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of markers alone: a comment that holds a whole file as a thumbnail would, a frame header with these
    /// sampling factors, and a scan.
    fn file(frame: u8, factors: &[[u8; 2]]) -> Vec<u8> {
        let segment = |marker: u8, content: &[u8]| {
            let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
            [&[0xff, marker], &length[..], content].concat()
        };
        let num_components = u8::try_from(factors.len()).unwrap();
        let mut header = vec![8, 0, 16, 0, 16, num_components];
        for (number, [across, down]) in (1..).zip(factors) {
            header.extend([number, across << 4 | down, 0]);
        }
        let thumbnail =
            [&[0xff, 0xd8][..], &segment(0xc0, &[8, 0, 1, 0, 1, 1, 1, 0x44, 0])].concat();
        [
            vec![0xff, START_OF_IMAGE],
            segment(0xe1, &[thumbnail, vec![0xff, END_OF_IMAGE]].concat()),
            segment(0xc4, &[0; 20]),
            segment(frame, &header),
            segment(START_OF_SCAN, &[1, 2, 3]),
            vec![7, 0xff, 0, 9, 0xff, 0xd0, 5, 0xff, END_OF_IMAGE],
        ]
        .concat()
    }

    #[test]
    fn chroma_cells_follow_from_the_sampling_factors_of_every_kind_of_frame() {
        let cell = |frame, factors: &[[u8; 2]]| {
            let found = JpegMarkers::read(&file(frame, factors)[..]).unwrap();
            assert!(found.is_complete);
            found.chroma_cell_px
        };
        let equal = [1, 1];
        for frame in [0xc0, 0xc1, 0xc2, 0xc9, 0xca] {
            assert_eq!(cell(frame, &[equal; 3]), Some([1, 1]), "4:4:4");
            assert_eq!(cell(frame, &[[2, 1], equal, equal]), Some([2, 1]), "4:2:2");
            assert_eq!(cell(frame, &[[1, 2], equal, equal]), Some([1, 2]), "4:4:0");
            assert_eq!(cell(frame, &[[2, 2], equal, equal]), Some([2, 2]), "4:2:0");
            assert_eq!(cell(frame, &[[4, 1], equal, equal]), Some([4, 1]), "4:1:1");
            assert_eq!(cell(frame, &[[4, 2], equal, equal]), Some([4, 2]), "4:1:0");
            assert_eq!(cell(frame, &[[2, 2]; 3]), Some([1, 1]), "4:4:4 by larger factors");
            assert_eq!(cell(frame, &[[2, 2], [2, 1], [1, 2]]), Some([2, 2]));
            assert_eq!(cell(frame, &[equal]), None, "grey");
            assert_eq!(cell(frame, &[equal; 4]), None, "CMYK");
        }
        // Factors of 0 are not allowed, and the decoder will say so.
        assert_eq!(cell(0xc0, &[[2, 2], [0, 0], [0, 0]]), Some([2, 2]));
    }

    #[test]
    fn a_file_that_ends_early_is_not_complete() {
        let whole = file(0xc0, &[[2, 2], [1, 1], [1, 1]]);
        for length in 0..whole.len() {
            let found = JpegMarkers::read(&whole[..length]).unwrap();
            assert!(!found.is_complete, "{length}");
        }
    }
}
