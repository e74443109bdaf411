//! A scrambled sheet that was saved as JPEG is solved, although compression mixed the colours of pieces that lay side
//! by side.

use fretsaw::picture::synthetic;
use fretsaw::picture::{ScrambleSettings, Scrambled, SheetOrder, cut, render, scramble, sheet};
use fretsaw::puzzle::{PieceShape, PuzzleType, Samples};
use fretsaw::{Puzzle, Settings, Silent, Solution, score, solve};
use fretsaw_io::{
    InputOptions, Limits, PictureFormat, PuzzleInput, decode_picture, encode_picture, read_files,
};
use jpeg_encoder::{ChromaSubsamplingMethod, ColorType, Encoder, SamplingFactor};
use std::path::Path;

const PIECE_PX: u32 = 20;
const COLUMNS: u32 = 12;
const ROWS: u32 = 9;

fn scrambled() -> Scrambled {
    let picture =
        synthetic::demo_picture((ROWS * PIECE_PX) as usize, (COLUMNS * PIECE_PX) as usize, 1);
    let cut = cut(&picture, PieceShape::new(PIECE_PX, PIECE_PX).unwrap()).unwrap();
    scramble(&cut, &ScrambleSettings::new(PuzzleType::Type1, 2)).unwrap()
}

fn jpeg_of_sheet(puzzle: &Scrambled, quality: u8, sampling: SamplingFactor) -> Vec<u8> {
    let sheet = sheet(&puzzle.pieces, COLUMNS as usize).unwrap();
    let Samples::U8(values) = sheet.samples() else { panic!("8 bits") };
    let mut saved = Vec::new();
    let mut encoder = Encoder::new(&mut saved, quality);
    encoder.set_sampling_factor(sampling);
    encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Average);
    let (width, height) = (sheet.width_px() as u16, sheet.height_px() as u16);
    encoder.encode(values, width, height, ColorType::Rgb).unwrap();
    saved
}

fn read(name: &str, bytes: Vec<u8>) -> PuzzleInput {
    let piece = Some(PieceShape::new(PIECE_PX, PIECE_PX).unwrap());
    read_files(vec![(name.into(), bytes)], &InputOptions { piece, ..Default::default() }).unwrap()
}

fn solved(puzzle: &Scrambled, input: &PuzzleInput, colours_bleed: bool) -> (Solution, f64) {
    let question = Puzzle::new(input.pieces.clone()).of_type(PuzzleType::Type1).board(puzzle.grid);
    let solution =
        solve(&question.colours_bleed(colours_bleed), &Settings::default(), &Silent).unwrap();
    let neighbor = score(&puzzle.truth, &solution.assembly).unwrap().neighbor;
    (solution, neighbor)
}

#[test]
fn luma_finds_seams_that_mixed_colours_hide() {
    let puzzle = scrambled();
    let input = read("sheet.jpg", jpeg_of_sheet(&puzzle, 75, SamplingFactor::R_4_2_0));
    assert!(input.colour_bleeding.across && input.colour_bleeding.down);
    assert!(input.warnings[0].to_string().contains("compressed"));
    let (_, by_colour) = solved(&puzzle, &input, false);
    let (solution, by_luma) = solved(&puzzle, &input, true);
    assert!(by_luma > 0.9 && by_luma > by_colour + 0.1, "{by_luma} {by_colour}");
    assert!(!SheetOrder::new(&solution.assembly, COLUMNS).is_suspect());
    // The solved picture has the colours of the file.
    assert_eq!(render(&input.pieces, &solution.assembly, 0).unwrap().channels(), 3);
}

#[test]
fn bleeding_is_known_from_the_file_or_found_after_it_was_saved_again_without_loss() {
    let puzzle = scrambled();
    let found = |input: &PuzzleInput| (input.colour_bleeding.across, input.colour_bleeding.down);
    for (sampling, across, down) in [
        (SamplingFactor::R_4_2_0, true, true),
        (SamplingFactor::R_4_2_2, true, false),
        (SamplingFactor::R_4_4_0, false, true),
    ] {
        let jpeg = jpeg_of_sheet(&puzzle, 95, sampling);
        let sheet = decode_picture(Path::new(""), &jpeg, &Limits::default()).unwrap().picture;
        let png = encode_picture(PictureFormat::Png, &sheet, None).unwrap();
        assert_eq!(found(&read("sheet.png", png)), (across, down));
        // Pieces of 20 px do not end with blocks of 8.
        assert_eq!(found(&read("sheet.jpg", jpeg)), (true, true));
    }
    let clean = sheet(&puzzle.pieces, COLUMNS as usize).unwrap();
    let png = encode_picture(PictureFormat::Png, &clean, None).unwrap();
    let input = read("sheet.png", png);
    assert!(!input.colour_bleeding.is_any() && input.warnings.is_empty());
}
