//! Generated pictures, puzzles and files for the tests.
#![allow(unreachable_pub, reason = "only the tests of this folder use it")]

use fretsaw::picture::Picture;
use fretsaw::puzzle::{
    Assembly, Cell, Grid, GroundTruth, PieceId, PieceSet, PieceShape, Place, Placement, PuzzleType,
    QuarterTurn, Samples,
};
use fretsaw_io::{
    InputOptions, IoError, Layout, PiecesFingerprint, PuzzleFile, PuzzleInput, Scramble, TruthFile,
    TruthInfo, read_input, write_scramble,
};
use std::fs;
use std::path::{Path, PathBuf};

/// Values without any pattern that a channel or row mix-up would leave unchanged.
pub fn samples(len: usize, bits: u8) -> Samples {
    let values = (0..len as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 16) as u16);
    if bits == 8 {
        Samples::U8(values.map(|value| (value & 0xff) as u8).collect())
    } else {
        Samples::U16(values.collect())
    }
}

pub fn picture(width: usize, height: usize, channels: usize, bits: u8) -> Picture {
    Picture::new(height, width, channels, samples(width * height * channels, bits)).unwrap()
}

/// The same picture with the last channel at one value.
pub fn with_last_channel(picture: &Picture, value: u16) -> Picture {
    let channels = picture.channels();
    let mut samples = picture.samples().clone();
    match &mut samples {
        Samples::U8(values) => values
            .iter_mut()
            .skip(channels - 1)
            .step_by(channels)
            .for_each(|v| *v = u8::try_from(value).unwrap()),
        Samples::U16(values) => {
            values.iter_mut().skip(channels - 1).step_by(channels).for_each(|v| *v = value);
        }
    }
    Picture::new(picture.height_px(), picture.width_px(), channels, samples).unwrap()
}

pub fn read(path: &Path) -> Result<PuzzleInput, IoError> {
    read_input(path, &InputOptions::default())
}

pub fn with_piece(height: u32, width: u32) -> InputOptions {
    InputOptions { piece: Some(shape(height, width)), ..InputOptions::default() }
}

pub fn shape(height: u32, width: u32) -> PieceShape {
    PieceShape::new(height, width).unwrap()
}

pub fn pieces(num: usize, shape: PieceShape, channels: usize, bits: u8) -> PieceSet {
    let len = num * shape.num_pixels() * channels;
    PieceSet::new(shape, channels, samples(len, bits)).unwrap()
}

/// The pieces laid out in order, row by row, each turned by its number.
pub fn truth_of(pieces: &PieceSet, grid: Grid) -> TruthFile {
    let placements = pieces.ids().map(|piece| Placement {
        piece,
        place: Place {
            board: 0,
            cell: grid.cell_at(piece.index()),
            turn: QuarterTurn::from_clockwise(i64::from(piece.number())),
        },
    });
    let assembly = Assembly::new(pieces.num_pieces(), vec![grid], placements).unwrap();
    TruthFile {
        truth: GroundTruth::of_pieces(assembly, pieces).unwrap(),
        info: TruthInfo {
            seed: Some(u64::MAX),
            source: Some("a \"quoted\" name.png".into()),
            puzzle_type: Some(PuzzleType::Type2),
            corrupt_rate: 0.25,
            num_dropped: 1,
            fingerprint: Some(PiecesFingerprint::of(pieces)),
        },
    }
}

/// Writes a scramble folder of type 2 with the truth of [`truth_of`].
pub fn write_puzzle(
    dir: &Path,
    pieces: &PieceSet,
    (rows, cols): (u64, u64),
    layout: Layout,
) -> Result<PuzzleFile, IoError> {
    let grid = Grid::new(rows, cols).unwrap();
    let scramble = Scramble {
        pieces,
        puzzle_type: PuzzleType::Type2,
        grid: Some(grid),
        layout,
        constant_alpha: None,
        truth: &truth_of(pieces, grid),
    };
    write_scramble(dir, &scramble)
}

pub const SHEET: Layout = Layout::Sheet(3);

pub fn place(piece: usize, row: u32, col: u32) -> Placement {
    Placement {
        piece: PieceId::new(piece),
        place: Place { board: 0, cell: Cell { row, col }, turn: QuarterTurn::ZERO },
    }
}

/// The names in a folder, sorted.
pub fn names_in(dir: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Asserts that a message names the file and holds each of the words.
#[track_caller]
pub fn assert_tells(error: &IoError, path: &Path, words: &[&str]) {
    let message = error.to_string();
    assert!(message.contains(&path.display().to_string()), "no path in: {message}");
    for word in words {
        assert!(message.contains(word), "no {word:?} in: {message}");
    }
}

/// The same for an error that other arguments would avoid.
#[track_caller]
pub fn assert_usage(error: &IoError, path: &Path, words: &[&str]) {
    assert!(error.is_usage(), "{error}");
    assert_tells(error, path, words);
}

/// Asserts that the warnings are about these files and hold these words.
#[track_caller]
pub fn assert_warnings(input: &PuzzleInput, expected: &[(&Path, &str)]) {
    assert_eq!(input.warnings.len(), expected.len(), "{:?}", input.warnings);
    for (warning, (path, words)) in input.warnings.iter().zip(expected) {
        assert!(warning.path == *path && warning.what.contains(words), "{warning:?}");
    }
}

/// A PNG file with a header of this size and almost no data.
pub fn png_claiming(width: u32, height: u32) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::new();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    // 8 bit RGB, no interlacing.
    header.extend([8, 2, 0, 0, 0]);
    chunk(&mut file, b"IHDR", &header);
    chunk(&mut file, b"IDAT", &[0x78, 0x9c, 0x63, 0, 0, 0, 1, 0, 1]);
    chunk(&mut file, b"IEND", &[]);
    file
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) {
    file.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
    let mut crc = u32::MAX;
    for &byte in name.iter().chain(content) {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    file.extend(name);
    file.extend(content);
    file.extend((!crc).to_be_bytes());
}

pub fn write(dir: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = dir.join(name);
    fs::write(&path, content).unwrap();
    path
}

/// A named pipe, if the system supports one. Opening it blocks until the other end is opened.
pub fn pipe(dir: &Path, name: &str) -> Option<PathBuf> {
    let path = dir.join(name);
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    made.is_ok_and(|status| status.success()).then_some(path)
}
