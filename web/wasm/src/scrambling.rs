//! Puzzles that the page makes.

use crate::failure::Failure;
use crate::messages::{ScrambleRequest, limits};
use fretsaw::Picture;
use fretsaw::picture::synthetic::demo_picture;
use fretsaw::picture::{ScrambleSettings, Scrambled, cut, scramble};
use fretsaw::puzzle::{PieceShape, PuzzleType};
use fretsaw_io::{
    Layout, PiecesFingerprint, Scramble, TruthFile, TruthInfo, decode_picture, encode_scramble,
};
use std::path::Path;

/// The picture of the demonstration: the same as that of `fretsaw demo`.
const DEMO_PIECE_PX: u32 = 28;
const DEMO_ROWS: usize = 18;
const DEMO_COLS: usize = 24;

/// A zip archive with the puzzle of the demonstration.
pub(crate) fn demo() -> Result<Vec<u8>, Failure> {
    let side = DEMO_PIECE_PX as usize;
    let picture = demo_picture(DEMO_ROWS * side, DEMO_COLS * side, 1);
    let request = ScrambleRequest { piece: DEMO_PIECE_PX, turned: true, seed: 1 };
    archive("demo.zip", &picture, None, &request)
}

/// A zip archive with a puzzle of a picture.
pub(crate) fn of_picture(
    name: &str,
    bytes: &[u8],
    request: &ScrambleRequest,
) -> Result<Vec<u8>, Failure> {
    let read = decode_picture(Path::new(name), bytes, &limits())?;
    archive(name, &read.picture, read.constant_alpha, request)
}

fn archive(
    name: &str,
    picture: &Picture,
    constant_alpha: Option<u16>,
    &ScrambleRequest { piece, turned, seed }: &ScrambleRequest,
) -> Result<Vec<u8>, Failure> {
    let named = |error: &dyn std::fmt::Display| Failure::other(format!("{name}: {error}"));
    let shape = PieceShape::new(piece, piece).map_err(|error| named(&error))?;
    let cut = cut(picture, shape).map_err(|error| named(&error))?;
    let max_pieces = limits().max_pieces;
    if cut.pieces.num_pieces() > max_pieces {
        let found = cut.pieces.num_pieces();
        return Err(named(&format!(
            "{found} pieces are more than the {max_pieces} that a page solves; use larger pieces"
        )));
    }
    let puzzle_type = if turned { PuzzleType::Type2 } else { PuzzleType::Type1 };
    let scrambled = scramble(&cut, &ScrambleSettings::new(puzzle_type, seed));
    let Scrambled { pieces, truth, .. } = scrambled.map_err(|error| named(&error))?;
    let fingerprint = Some(PiecesFingerprint::of(&pieces));
    let truth = TruthFile { truth, info: TruthInfo { fingerprint, ..TruthInfo::default() } };
    let scramble = Scramble {
        pieces: &pieces,
        puzzle_type,
        // To be found by whoever gets the file.
        grid: None,
        layout: Layout::square_sheet(&pieces),
        constant_alpha,
        truth: &truth,
    };
    Ok(encode_scramble(Path::new(name), &scramble)?)
}
