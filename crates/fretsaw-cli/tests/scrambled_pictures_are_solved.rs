//! `solve` solves what `scramble` scrambled, by the scores of `eval`.

use crate::common::{
    Folder, converted, json_in, landscape, puzzle_folder, refuse, scores, succeed,
};
use fretsaw::picture::{Picture, render};
use fretsaw::puzzle::Samples;
use fretsaw_io::{InputOptions, Limits, read_input, read_picture, read_truth, write_picture};

/// Scrambles `photo.png`, solves it, and returns the share of true joins found.
fn neighbor(dir: &std::path::Path, scramble: &str, solve: &str) -> f64 {
    let puzzle = dir.join("puzzle");
    if puzzle.exists() {
        std::fs::remove_dir_all(puzzle).unwrap();
    }
    succeed(dir, &format!("scramble photo.png --seed 7 --out puzzle {scramble}"));
    succeed(dir, &format!("solve puzzle --out solved.png --solution solution.json {solve}"));
    scores(dir, "puzzle/truth.json", "solution.json")["neighbor"].as_f64().unwrap()
}

#[test]
fn folders_and_sheets_of_types_1_and_2_are_solved() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 8, 10);
    for layout in ["folder", "sheet"] {
        for puzzle_type in [1, 2] {
            let scramble = format!("--as {layout} --type {puzzle_type}");
            let found = neighbor(&dir, &scramble, "");
            assert!(found > 0.9, "{scramble}: {found}");
        }
    }
}

#[test]
fn every_measure_solves() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 6, 8);
    for measure in ["mgc", "seam", "ssd", "lpq"] {
        let found = neighbor(&dir, "--type 1", &format!("--measure {measure}"));
        assert!(found > 0.7, "{measure}: {found}");
    }
}

#[test]
fn a_perfect_solution_equals_the_picture() {
    let dir = Folder::new();
    let picture = landscape(&dir, "photo.png", 18, 24);
    assert_eq!(neighbor(&dir, "--type 1 --as sheet", ""), 1.0);
    let solved = read_picture(&dir.join("solved.png"), &Limits::default()).unwrap();
    assert!(solved.picture == picture);
}

#[test]
fn loose_pieces_and_a_sheet_alone_are_solved_with_the_sizes_given() {
    let dir = Folder::new();
    // The sheet of a square board is full, so that puzzle.json is not needed.
    landscape(&dir, "photo.png", 9, 9);
    succeed(&dir, "scramble photo.png --as sheet --type 2 --seed 4 --out sheet");
    std::fs::copy(dir.join("sheet/sheet.png"), dir.join("alone.png")).unwrap();
    succeed(&dir, "solve alone.png --piece 28 --grid 9x9 --out a.png --solution a.json");
    succeed(&dir, "scramble photo.png --as folder --type 2 --seed 4 --out folder");
    std::fs::rename(dir.join("folder/pieces"), dir.join("loose")).unwrap();
    succeed(&dir, "solve loose --grid 9x9 --out b.png --solution b.json");
    // The same solution as with puzzle.json, except the names of files.
    succeed(&dir, "solve sheet --out c.png --solution c.json");
    let answer = |name: &str| {
        let mut answer = json_in(&dir.join(name));
        let fields = answer.as_object_mut().unwrap();
        fields.remove("timings").unwrap();
        fields.remove("names");
        answer
    };
    assert_eq!(answer("a.json"), answer("c.json"));
    assert_eq!(answer("b.json"), answer("c.json"));
}

#[test]
fn oblong_pieces_are_solved() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 10, 15);
    for puzzle_type in [1, 2] {
        let found = neighbor(&dir, &format!("--piece 40x25 --type {puzzle_type}"), "");
        assert!(found > 0.9, "type {puzzle_type}: {found}");
    }
}

#[test]
fn grey_and_16_bit_pictures_keep_their_kind() {
    let dir = Folder::new();
    let picture = landscape(&dir, "colour.png", 8, 10);
    for (channels, bits) in [(1, 8), (1, 16), (3, 16)] {
        let photo = converted(&picture, channels, bits);
        write_picture(&dir.join("photo.png"), &photo, None).unwrap();
        let found = neighbor(&dir, "--type 2", "");
        assert!(found > 0.8, "{channels} channels, {bits} bit: {found}");
        let solved = read_picture(&dir.join("solved.png"), &Limits::default()).unwrap();
        assert_eq!(solved.picture.channels(), channels);
        assert_eq!(matches!(solved.picture.samples(), Samples::U16(_)), bits == 16);
    }
}

#[test]
fn missing_pieces_leave_transparent_holes() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 9, 12);
    let found = neighbor(&dir, "--type 1 --drop 5", "");
    assert!(found > 0.7, "{found}");
    let solved = read_picture(&dir.join("solved.png"), &Limits::default()).unwrap().picture;
    assert_eq!((solved.width_px(), solved.height_px(), solved.channels()), (12 * 28, 9 * 28, 4));
    let alpha = |opacity: u16| {
        (3..solved.samples().len())
            .step_by(4)
            .filter(|&at| solved.samples().get(at) == opacity)
            .count()
    };
    assert_eq!((alpha(0), alpha(255)), (5 * 28 * 28, 103 * 28 * 28));
    // Refused before solving: the format cannot store holes.
    refuse(&dir, "solve puzzle --out solved.jpg", 2, &["solved.jpg", "RGBA", "instead"]);
}

#[test]
fn a_hidden_size_is_found_or_taken_from_the_flag() {
    let dir = puzzle_folder(4, 5, "--hide-size");
    let hidden = std::fs::read_to_string(dir.join("puzzle/puzzle.json")).unwrap();
    assert!(!hidden.contains("rows"), "{hidden}");
    let run = succeed(&dir, "solve puzzle --out s.png");
    assert!(run.stderr.contains("found a board of "), "{run:?}");
    let run = succeed(&dir, "solve puzzle --out s.png --grid x4");
    assert!(run.stderr.contains("found a board of 5 columns x 4 rows"), "{run:?}");
    let run = succeed(&dir, "solve puzzle --grid 5x4 --out s.png");
    assert!(!run.stderr.contains("found a board"), "{run:?}");
}

#[test]
fn a_picture_that_does_not_divide_evenly_is_cropped_with_a_warning() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 4, 5);
    let run = succeed(&dir, "scramble photo.png --piece 25x30 --type 1 --out puzzle");
    for words in ["photo.png", "15 px at the right", "22 px at the bottom"] {
        assert!(run.stderr.contains(words), "{run:?}");
    }
}

/// The picture that the truth of a puzzle of 28 px in a sheet paints.
fn true_picture(dir: &std::path::Path, puzzle: &str) -> Picture {
    let options = InputOptions::default();
    let pieces = read_input(&dir.join(puzzle), &options).unwrap().pieces;
    let truth = read_truth(&dir.join(puzzle).join("truth.json"), &Limits::default()).unwrap();
    render(&pieces, truth.truth.assembly(), 0).unwrap()
}

#[test]
fn several_pictures_are_laid_side_by_side() {
    let dir = Folder::new();
    let low = landscape(&dir, "low.png", 4, 5);
    let high = landscape(&dir, "high.png", 6, 3);
    let line = "scramble low.png high.png --grid 7x3 --as sheet --seed 2 --out puzzle";
    let run = succeed(&dir, line);
    for words in ["low.png: 8 of 20 pieces were left out", "high.png: 9 of 18 pieces", "21 pieces"]
    {
        assert!(run.stderr.contains(words), "{words}: {run:?}");
    }
    // The higher picture comes first. The tops of both are used, and the left part of the second.
    let found = true_picture(&dir, "puzzle");
    assert_eq!((found.height_px(), found.width_px()), (3 * 28, 7 * 28));
    for row in 0..3 * 28 {
        for col in 0..7 * 28 {
            let (from, from_col) = if col < 3 * 28 { (&high, col) } else { (&low, col - 3 * 28) };
            for c in 0..3 {
                let expected = from.samples().get(from.offset_of(row, from_col) + c);
                assert_eq!(found.samples().get(found.offset_of(row, col) + c), expected);
            }
        }
    }
    let truth = read_truth(&dir.join("puzzle/truth.json"), &Limits::default()).unwrap();
    assert_eq!(truth.info.source.as_deref(), Some("low.png, high.png"));
    succeed(&dir, "solve puzzle --effort fast --out s.png");
    // Without a grid all columns are used, and four rows of the higher picture.
    let run = succeed(&dir, "scramble low.png high.png --out free");
    assert!(run.stderr.contains("4 rows x 8 columns"), "{run:?}");
    // A small board is full without the second picture.
    let run = succeed(&dir, "scramble low.png high.png --grid 3x4 --out small");
    assert!(run.stderr.contains("warning: low.png: is not used"), "{run:?}");
    let truth = read_truth(&dir.join("small/truth.json"), &Limits::default()).unwrap();
    assert_eq!(truth.info.source.as_deref(), Some("high.png"));
}

#[test]
fn one_picture_is_cropped_to_the_grid() {
    let dir = Folder::new();
    let picture = landscape(&dir, "photo.png", 4, 5);
    succeed(&dir, "scramble photo.png --grid 5x4 --as sheet --out all");
    assert!(true_picture(&dir, "all") == picture);
    // The same as without a grid, except the name of the folder.
    succeed(&dir, "scramble photo.png --as sheet --out plain");
    for file in ["sheet.png", "puzzle.json", "truth.json"] {
        let read = |puzzle: &str| std::fs::read(dir.join(puzzle).join(file)).unwrap();
        assert!(read("all") == read("plain"), "{file}");
    }
    let run = succeed(&dir, "scramble photo.png --grid 3x2 --as sheet --out part");
    assert!(run.stderr.contains("photo.png: 14 of 20 pieces were left out"), "{run:?}");
    let part = true_picture(&dir, "part");
    assert_eq!((part.height_px(), part.width_px()), (2 * 28, 3 * 28));
    let last = part.offset_of(2 * 28 - 1, 3 * 28 - 1);
    let from = picture.offset_of(2 * 28 - 1, 3 * 28 - 1);
    assert_eq!(part.samples().get(last), picture.samples().get(from));
}

#[test]
fn a_picture_with_corrupted_sides_is_solved() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 6, 8);
    let found = neighbor(&dir, "--type 2 --corrupt 0.05", "--measure seam");
    assert!(found > 0.4, "{found}");
}

#[test]
fn type_3_is_solved() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 8, 10);
    let found = neighbor(&dir, "--type 3", "");
    assert!(found > 0.95, "{found}");
    let solution = std::fs::read_to_string(dir.join("solution.json")).unwrap();
    assert!(solution.contains("\"method\": \"mrf\""), "{solution}");
    let found = neighbor(&dir, "--type 3 --as sheet --piece 40x25", "");
    assert!(found > 0.9, "oblong: {found}");
    // The same pieces with unknown positions.
    let found = neighbor(&dir, "--type 3", "--type 2");
    assert!(found > 0.9, "as type 2: {found}");
}

#[test]
fn type_3_needs_the_exact_size_of_the_board() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 4, 5);
    succeed(&dir, "scramble photo.png --type 3 --hide-size --out turned");
    refuse(&dir, "solve turned --out s.png", 2, &["turned", "type 3", "--grid"]);
    for size in ["--grid 6x4", "--grid 5x3"] {
        let line = format!("solve turned {size} --out s.png");
        refuse(&dir, &line, 2, &["turned", "type 3", "5x4", "correct --grid"]);
    }
    succeed(&dir, "solve turned --grid 5x4 --out s.png");
}
