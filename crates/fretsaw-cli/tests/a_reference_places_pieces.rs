//! Pieces are placed by a reference; pieces that match nowhere are left out and named.

use crate::common::{Folder, json_in, landscape, refuse, scores, succeed};
use fretsaw::picture::Picture;
use fretsaw::puzzle::Samples;
use fretsaw_io::write_picture;
use std::fs;

/// Every second pixel of every second row, as JPEG.
fn write_reference(picture: &Picture, path: &std::path::Path) {
    let (height, width) = (picture.height_px() / 2, picture.width_px() / 2);
    let pixels = (0..height).flat_map(|row| (0..width).map(move |col| (2 * row, 2 * col)));
    let values = pixels.flat_map(|(row, col)| {
        let offset = picture.offset_of(row, col);
        (offset..offset + 3).map(|at| u8::try_from(picture.samples().get(at)).unwrap())
    });
    let small = Picture::new(height, width, 3, Samples::U8(values.collect())).unwrap();
    write_picture(path, &small, None).unwrap();
}

#[test]
fn pieces_are_placed_by_a_small_reference() {
    let dir = Folder::new();
    let picture = landscape(&dir, "photo.png", 7, 9);
    write_reference(&picture, &dir.join("small.jpg"));
    succeed(&dir, "scramble photo.png --type 2 --seed 3 --out puzzle");
    // The size of the board is unknown, and one piece is foreign.
    let noise =
        Samples::U8((0..28 * 28 * 3_u32).map(|x| (x * x / 5 % 249).to_le_bytes()[0]).collect());
    let foreign = Picture::new(28, 28, 3, noise).unwrap();
    write_picture(&dir.join("puzzle/pieces/foreign.png"), &foreign, None).unwrap();
    let run = succeed(
        &dir,
        "solve puzzle/pieces --reference small.jpg --out solved.png --solution s.json",
    );
    assert!(run.stderr.contains("1 pieces fit nowhere"), "{run:?}");
    assert!(run.stderr.contains("foreign.png"), "{run:?}");
    let solution = json_in(&dir.join("s.json"));
    assert_eq!(solution["method"], "reference");
    assert_eq!(solution["boards"], serde_json::json!([{"rows": 7, "cols": 9}]));
    assert_eq!(solution["unplaced"], serde_json::json!([63]));
    fs::remove_file(dir.join("puzzle/pieces/foreign.png")).unwrap();
    succeed(&dir, "solve puzzle --reference small.jpg --out t.png --solution t.json");
    let scores = scores(&dir, "puzzle/truth.json", "t.json");
    assert!(scores["neighbor_px"].as_f64().unwrap() > 0.95, "{scores}");
}

#[test]
fn unusable_references_are_refused() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 4, 5);
    fs::write(dir.join("notes.jpg"), "no picture").unwrap();
    let tiny = Picture::new(4, 5, 3, Samples::U8(vec![9; 60])).unwrap();
    write_picture(&dir.join("tiny.png"), &tiny, None).unwrap();
    succeed(&dir, "scramble photo.png --out puzzle");
    succeed(&dir, "scramble photo.png --type 3 --out in-place");
    for (line, code, words) in [
        ("puzzle --reference none.jpg", 2, ["none.jpg", ""]),
        ("puzzle --reference notes.jpg", 1, ["notes.jpg", "picture"]),
        ("puzzle --reference tiny.png", 2, ["too small", "--reference"]),
        ("in-place --reference photo.png", 2, ["type 3", "--reference"]),
    ] {
        refuse(&dir, &format!("solve {line} --out s.png"), code, &words);
    }
    succeed(&dir, "scramble photo.png --piece 28x14 --out oblong");
    let run = succeed(&dir, "solve oblong --reference photo.png --out s.png");
    assert!(!run.stderr.contains("warning"), "{run:?}");
}
