//! Checkpoints: any bytes are refused or parsed. The bytes are also tried between a right beginning and
//! a right checksum, which the fuzzer would not find by chance.

#![no_main]

use fretsaw::puzzle::{PieceSet, PieceShape, PuzzleType, Samples};
use fretsaw::{Puzzle, Settings};
use fretsaw_io::{
    CHECKPOINT_MAGIC, CHECKPOINT_VERSION, Fingerprint, checkpoint_checksum, parse_checkpoint,
};
use libfuzzer_sys::fuzz_target;
use std::path::Path;
use std::sync::LazyLock;

/// The fingerprint of a puzzle of two pieces of one pixel.
static FINGERPRINT: LazyLock<Fingerprint> = LazyLock::new(|| {
    let shape = PieceShape::new(1, 1).expect("a pixel is a shape");
    let pieces = PieceSet::new(shape, 1, Samples::U8(vec![1, 2])).expect("two pixels are two pieces");
    let puzzle = Puzzle::new(pieces).of_type(PuzzleType::Type1);
    Fingerprint::new(&puzzle, &Settings::default())
});

fuzz_target!(|data: &[u8]| {
    let path = Path::new("saved");
    let _ = parse_checkpoint(path, data, *FINGERPRINT);
    let mut bytes = CHECKPOINT_MAGIC.to_vec();
    bytes.extend(CHECKPOINT_VERSION.to_le_bytes());
    bytes.extend(FINGERPRINT.to_bytes());
    bytes.extend(data);
    bytes.extend(checkpoint_checksum(&bytes));
    let _ = parse_checkpoint(path, &bytes, *FINGERPRINT);
});
