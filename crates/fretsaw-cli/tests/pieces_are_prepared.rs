//! Tiles with dirty edges, or of slightly different sizes, are solved; what was done is said, recorded and repeated.

use crate::common::{Folder, json_in, json_of, refuse, scores, succeed};
use fretsaw::picture::Picture;
use fretsaw::picture::synthetic::demo_picture;
use fretsaw::puzzle::Samples;
use fretsaw_io::{Limits, read_picture, write_picture};
use std::fs;

const SIDE_PX: usize = 56;

/// A folder `tiles` of 8 x 6 pieces after a change, and a truth beside it.
fn tiles(change: impl Fn(usize, Picture) -> Picture) -> Folder {
    let dir = Folder::new();
    let picture = demo_picture(6 * SIDE_PX, 8 * SIDE_PX, 1);
    write_picture(&dir.join("photo.png"), &picture, None).unwrap();
    succeed(&dir, &format!("scramble photo.png --piece {SIDE_PX} --out puzzle"));
    fs::create_dir(dir.join("tiles")).unwrap();
    for entry in fs::read_dir(dir.join("puzzle/pieces")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let number: usize = name.trim_end_matches(".png").parse().unwrap();
        let piece = read_picture(&path, &Limits::default()).unwrap().picture;
        write_picture(&dir.join("tiles").join(name), &change(number, piece), None).unwrap();
    }
    dir
}

/// The picture with white lines of 2 pixels along its edges.
fn with_white_edges(_: usize, piece: Picture) -> Picture {
    let (height_px, width_px) = (piece.height_px(), piece.width_px());
    let value = |at: usize| {
        let (row, col) = (at / 3 / width_px, at / 3 % width_px);
        let depth = row.min(height_px - 1 - row).min(col).min(width_px - 1 - col);
        if depth < 2 { 245 } else { u8::try_from(piece.samples().get(at)).unwrap() }
    };
    let values = (0..piece.samples().len()).map(value).collect();
    Picture::new(height_px, width_px, 3, Samples::U8(values)).unwrap()
}

/// The picture without its first rows and columns, as many as its number says.
fn cropped(number: usize, piece: Picture) -> Picture {
    let (top, left) = (number % 2, number / 2 % 2);
    let (height_px, width_px) = (piece.height_px() - top, piece.width_px() - left);
    let rows = (0..height_px).map(|row| piece.offset_of(row + top, left));
    let offsets = rows.flat_map(|start| start..start + 3 * width_px);
    let values = offsets.map(|at| u8::try_from(piece.samples().get(at)).unwrap()).collect();
    Picture::new(height_px, width_px, 3, Samples::U8(values)).unwrap()
}

/// The score of a solution of tiles, whose pixels are no longer those of the truth.
fn neighbor_of(dir: &Folder) -> Option<f64> {
    json_of(dir, "eval --truth puzzle/truth.json solution.json --force --json")["neighbor"].as_f64()
}

#[test]
fn dirty_edges_are_cut_off_and_applying_the_solution_repeats_it() {
    let dir = tiles(with_white_edges);
    let run = succeed(&dir, "solve tiles --grid 8x6 -o solved.png --solution solution.json");
    assert!(run.stderr.contains("2 px were trimmed off every edge"), "{run:?}");
    let neighbor = neighbor_of(&dir);
    assert!(neighbor.unwrap() > 0.9, "{neighbor:?}");
    let recorded = &json_in(&dir.join("solution.json"))["preparation"];
    assert_eq!((&recorded["trimmed"], &recorded["width"]), (&2.into(), &52.into()));
    assert_eq!(recorded["windows"].as_array().map(Vec::len), Some(48));
    succeed(&dir, "apply solution.json tiles --out again.png");
    let picture = |name: &str| read_picture(&dir.join(name), &Limits::default()).unwrap().picture;
    assert!(picture("again.png") == picture("solved.png"), "another picture");

    let inspected = json_of(&dir, "inspect tiles --json --contact-sheet contact.png");
    assert_eq!(inspected["preparation"]["trimmed"], 2);
    assert!(picture("contact.png").width_px() > 7 * SIDE_PX);
    let run = succeed(&dir, "inspect tiles");
    assert!(run.stdout.contains("2 px were trimmed off every edge"), "{run:?}");
    let untouched = json_of(&dir, "inspect tiles --json --trim 0");
    assert!(untouched.get("preparation").is_none(), "{untouched}");
    assert_eq!(json_of(&dir, "inspect tiles --json --trim 5")["preparation"]["width"], 46);
    // The pieces of a scramble folder are clean.
    assert!(json_of(&dir, "inspect puzzle --json").get("preparation").is_none());
    // A solution of trimmed pieces is one of the pieces as they were handed in.
    succeed(&dir, "solve puzzle --trim 2 -o trimmed.png --solution trimmed.json");
    assert!(scores(&dir, "puzzle/truth.json", "trimmed.json")["neighbor"].as_f64() > Some(0.9));
    refuse(&dir, "solve tiles --trim 28 -o none.png", 2, &["tiles", "28 px", "56 x 56"]);
    refuse(&dir, "solve tiles --trim 2% -o none.png", 2, &["--trim", "auto"]);
}

#[test]
fn tiles_of_slightly_different_sizes_are_solved() {
    let dir = tiles(cropped);
    let run = succeed(&dir, "solve tiles --grid 8x6 -o solved.png --solution solution.json");
    assert!(run.stderr.contains("brought to one size"), "{run:?}");
    let neighbor = neighbor_of(&dir);
    assert!(neighbor.unwrap() > 0.9, "{neighbor:?}");
    succeed(&dir, "apply solution.json tiles --out again.png");
    assert!(fs::read(dir.join("again.png")).unwrap() == fs::read(dir.join("solved.png")).unwrap());
}
