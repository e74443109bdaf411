//! Scramble folders, folders of images and sheets give the same pieces, and the truth is never opened.

use crate::common::{
    SHEET, assert_warnings, names_in, picture, pieces, read, shape, truth_of, with_last_channel,
    with_piece, write, write_puzzle,
};
use fretsaw::picture::Picture;
use fretsaw::puzzle::{Grid, PieceSet, PuzzleType, Samples};
use fretsaw_io::{Layout, Limits, Scramble, read_input, read_truth, write_picture, write_scramble};
use std::fs;
use std::path::Path;

fn scramble_into(dir: &Path, pieces: &PieceSet, layout: Layout) {
    let puzzle = write_puzzle(dir, pieces, (2, 4), layout).unwrap();
    assert_eq!(puzzle.num_pieces, pieces.num_pieces());
    let truth = read_truth(&dir.join("truth.json"), &Limits::default()).unwrap();
    assert_eq!(truth, truth_of(pieces, Grid::new(2, 4).unwrap()));
}

#[test]
fn scramble_folders_give_back_their_pieces() {
    for (channels, bits) in [(1, 8), (2, 8), (3, 8), (4, 8), (1, 16), (2, 16), (3, 16), (4, 16)] {
        let pieces = pieces(7, shape(3, 5), channels, bits);
        for layout in [Layout::Folder, Layout::square_sheet(&pieces)] {
            let parent = tempfile::tempdir().unwrap();
            let dir = parent.path().join("puzzle");
            scramble_into(&dir, &pieces, layout);
            assert_eq!(names_in(parent.path()), ["puzzle"]);
            let input = read(&dir).unwrap();
            assert_eq!(*input.pieces, pieces);
            assert_eq!(input.constant_alpha, None);
            assert_eq!(input.warnings, []);
            let declared = input.declared.unwrap();
            assert_eq!(declared.grid, Some(Grid::new(2, 4).unwrap()));
            assert_eq!(declared.puzzle_type, PuzzleType::Type2);
            match layout {
                Layout::Folder => {
                    assert_eq!(names_in(&dir), ["pieces", "puzzle.json", "truth.json"]);
                    assert_eq!(input.names.len(), 7);
                    assert_eq!(input.names[6], "000006.png");
                    // The folder of pieces alone is a puzzle, too.
                    let alone = read(&dir.join("pieces")).unwrap();
                    assert_eq!(*alone.pieces, pieces);
                    assert_eq!(alone.declared, None);
                }
                Layout::Sheet(columns) => {
                    assert_eq!(names_in(&dir), ["puzzle.json", "sheet.png", "truth.json"]);
                    assert!(input.names.is_empty());
                    assert_eq!((declared.layout, columns), (layout, 3));
                    // The black cells of the last row do not count.
                    let by_sheet = read(&dir.join("sheet.png"));
                    assert_eq!(*by_sheet.unwrap().pieces, pieces);
                }
            }
            let by_file = read(&dir.join("puzzle.json")).unwrap();
            assert_eq!(*by_file.pieces, pieces);
        }
    }
}

#[test]
fn constant_alpha_is_kept() {
    for (channels, bits) in [(1, 8), (3, 8), (3, 16)] {
        for layout in [Layout::Folder, SHEET] {
            let parent = tempfile::tempdir().unwrap();
            let dir = parent.path().join("puzzle");
            let pieces = pieces(7, shape(4, 4), channels, bits);
            let grid = Grid::new(2, 4).unwrap();
            let scramble = Scramble {
                pieces: &pieces,
                puzzle_type: PuzzleType::Type2,
                grid: Some(grid),
                layout,
                constant_alpha: Some(99),
                truth: &truth_of(&pieces, grid),
            };
            write_scramble(&dir, &scramble).unwrap();
            let input = read(&dir).unwrap();
            assert_eq!(*input.pieces, pieces);
            assert_eq!(input.constant_alpha, Some(99));
        }
    }
}

#[test]
fn a_truth_file_is_never_opened() {
    let parent = tempfile::tempdir().unwrap();
    for (name, layout) in [("folder", Layout::Folder), ("sheet", SHEET)] {
        let dir = parent.path().join(name);
        scramble_into(&dir, &pieces(8, shape(4, 4), 3, 8), layout);
        let expected = read(&dir).unwrap();
        let truth = dir.join("truth.json");
        fs::write(&truth, [0xff, 0x00, b'{', b'{']).unwrap();
        assert_eq!(read(&dir).unwrap(), expected);
        fs::remove_file(&truth).unwrap();
        assert_eq!(read(&dir).unwrap(), expected);
        fs::create_dir(&truth).unwrap();
        assert_eq!(read(&dir).unwrap(), expected);
        // Opening this pipe would block for ever.
        fs::remove_dir(&truth).unwrap();
        if crate::common::pipe(&dir, "truth.json").is_some() {
            assert_eq!(read(&dir).unwrap(), expected);
        }
    }
    // Next to loose pieces it is not opened either, nor warned about.
    let dir = parent.path().join("folder").join("pieces");
    fs::create_dir(dir.join("truth.json")).unwrap();
    assert_eq!(read(&dir).unwrap().warnings, []);
}

#[test]
fn a_puzzle_file_reveals_nothing_of_the_truth() {
    let parent = tempfile::tempdir().unwrap();
    let dir = parent.path().join("hidden");
    let pieces = pieces(6, shape(4, 4), 3, 8);
    let truth = truth_of(&pieces, Grid::new(2, 3).unwrap());
    let scramble = Scramble {
        pieces: &pieces,
        puzzle_type: PuzzleType::Type1,
        grid: None,
        layout: Layout::Folder,
        constant_alpha: None,
        truth: &truth,
    };
    write_scramble(&dir, &scramble).unwrap();
    let text = fs::read_to_string(dir.join("puzzle.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut keys: Vec<_> = json.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["bits", "channels", "format", "layout", "piece", "pieces", "type"]);
    assert_eq!(read(&dir).unwrap().declared.unwrap().grid, None);
}

#[test]
fn an_empty_folder_is_filled_in_place() {
    let dir = tempfile::tempdir().unwrap();
    let pieces = pieces(8, shape(4, 4), 3, 8);
    scramble_into(dir.path(), &pieces, Layout::Folder);
    assert_eq!(names_in(dir.path()), ["pieces", "puzzle.json", "truth.json"]);
    assert_eq!(*read(dir.path()).unwrap().pieces, pieces);
}

#[test]
fn loose_pieces_are_in_natural_order_and_other_files_are_skipped() {
    let dir = tempfile::tempdir().unwrap();
    let flat = |value| Picture::new(2, 2, 1, Samples::U8(vec![value; 4])).unwrap();
    for (name, value) in [("p10.png", 10), ("p2.bmp.png", 2), ("p1.png", 1), ("p03.pgm", 3)] {
        write_picture(&dir.path().join(name), &flat(value), None).unwrap();
    }
    let notes = write(dir.path(), "notes.txt", "not a piece");
    write(dir.path(), ".hidden", "x");
    write(dir.path(), "Other.JSON", "x");
    let sub = dir.path().join("more");
    fs::create_dir(&sub).unwrap();
    let input = read(dir.path()).unwrap();
    assert_eq!(input.names, ["p1.png", "p2.bmp.png", "p03.pgm", "p10.png"]);
    let values: Vec<_> = input.pieces.ids().map(|id| input.pieces.sample(id, 0, 0, 0)).collect();
    assert_eq!(values, [1, 2, 3, 10]);
    assert_warnings(&input, &[(&sub, "is a folder"), (&notes, "is not a picture")]);
    let message = format!("{}: is not a picture and was skipped", notes.display());
    assert_eq!(input.warnings[1].to_string(), message);
}

#[test]
fn alpha_is_dropped_only_if_all_pieces_agree_on_it() {
    let dir = tempfile::tempdir().unwrap();
    let write_piece = |name: &str, alpha| {
        let piece = with_last_channel(&picture(3, 3, 4, 8), alpha);
        write_picture(&dir.path().join(name), &piece, None).unwrap();
    };
    write_piece("a.png", 40);
    write_piece("b.png", 40);
    let input = read(dir.path()).unwrap();
    assert_eq!((input.pieces.channels(), input.constant_alpha), (3, Some(40)));
    write_piece("b.png", 41);
    let input = read(dir.path()).unwrap();
    assert_eq!((input.pieces.channels(), input.constant_alpha), (4, None));
}

#[test]
fn sheets_are_cut_row_by_row_and_cropped_with_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("photo.png");
    let sheet = picture(11, 7, 3, 16);
    write_picture(&path, &sheet, None).unwrap();
    let input = read_input(&path, &with_piece(2, 3)).unwrap();
    assert_eq!(input.pieces.num_pieces(), 9);
    for piece in input.pieces.ids() {
        let (top, left) = (piece.index() / 3 * 2, piece.index() % 3 * 3);
        for row in 0..2 {
            for col in 0..3 {
                for channel in 0..3 {
                    let expected =
                        sheet.samples().get(sheet.offset_of(top + row, left + col) + channel);
                    assert_eq!(input.pieces.sample(piece, row, col, channel), expected);
                }
            }
        }
    }
    assert_warnings(&input, &[(&path, "2 px at the right and 1 px at the bottom")]);
    assert_eq!(read_input(&path, &with_piece(7, 1)).unwrap().warnings, []);
}
