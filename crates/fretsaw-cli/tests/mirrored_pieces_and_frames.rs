//! Pieces that were flipped, and pictures that were scrambled alike.

use crate::common::{Folder, json_in, landscape, refuse, succeed};
use fretsaw::picture::synthetic::demo_picture;
use fretsaw::picture::{ScrambleSettings, sheet};
use fretsaw::puzzle::PuzzleType;
use fretsaw::{Picture, PieceShape, cut, scramble};
use fretsaw_io::{Limits, read_picture, write_picture};
use std::path::Path;

/// A sheet of the pieces of a picture, scrambled by one seed; the pieces with these numbers are mirrored.
fn scrambled_sheet(picture: &Picture, is_mirrored: impl Fn(usize) -> bool) -> Picture {
    let pieces = cut(picture, PieceShape::new(28, 28).unwrap()).unwrap();
    let made = scramble(&pieces, &ScrambleSettings::new(PuzzleType::Type1, 4)).unwrap();
    let pieces = made.pieces.mirrored(|piece| is_mirrored(piece.index()));
    sheet(&pieces, made.grid.cols() as usize).unwrap()
}

fn read(dir: &Path, name: &str) -> Picture {
    read_picture(&dir.join(name), &Limits::default()).unwrap().picture
}

#[test]
fn mirrored_pieces_are_flipped_back() {
    let dir = Folder::new();
    let photo = landscape(&dir, "photo.png", 6, 8);
    let scrambled = scrambled_sheet(&photo, |piece| piece % 5 == 1);
    write_picture(&dir.join("sheet.png"), &scrambled, None).unwrap();
    let run = succeed(
        &dir,
        "solve sheet.png --piece 28 --grid 8x6 --turns none --mirror -o s.png --solution s.json",
    );
    assert!(run.stderr.contains("found 10 mirrored pieces"), "{run:?}");
    assert_eq!(read(&dir, "s.png"), photo);
    let solution = json_in(&dir.join("s.json"));
    assert_eq!(solution["mirrored"].as_array().unwrap().len(), 10);
    succeed(&dir, "apply s.json sheet.png --piece 28 -o applied.png");
    assert_eq!(read(&dir, "applied.png"), photo);
    refuse(&dir, "solve sheet.png --mirror --type 3 --grid 8x6 --piece 28", 2, &["--mirror"]);
}

#[test]
fn pictures_that_were_scrambled_alike_are_all_solved() {
    let dir = Folder::new();
    let pictures: Vec<Picture> = (1..=3).map(|seed| demo_picture(112, 168, seed)).collect();
    for (number, picture) in (1..).zip(&pictures) {
        let path = dir.join(format!("frame{number}.png"));
        write_picture(&path, &scrambled_sheet(picture, |_| false), None).unwrap();
    }
    let known = "--same-scramble --piece 28 --grid 6x4 --turns none";
    succeed(&dir, &format!("solve frame1.png frame2.png frame3.png {known} -o s.png"));
    for (number, picture) in (1..).zip(&pictures) {
        assert_eq!(read(&dir, &format!("s-{number}.png")), *picture);
    }
    let run = succeed(&dir, &format!("solve frame1.png frame2.png {known}"));
    assert!(run.stderr.contains("seams are probably right"), "{run:?}");
    assert_eq!(read(&dir, "frame2-solved.png"), pictures[1]);

    refuse(&dir, &format!("solve frame1.png {known}"), 2, &["--same-scramble", "two pictures"]);
    // The outputs of -o frame.png are numbered.
    for name in ["frame-1.png", "frame-2.png"] {
        std::fs::copy(dir.join("frame1.png"), dir.join(name)).unwrap();
    }
    let own = format!("solve frame-1.png frame-2.png {known} -o frame.png");
    refuse(&dir, &own, 2, &["frame-1.png", "overwrite"]);
    write_picture(&dir.join("small.png"), &demo_picture(56, 84, 1), None).unwrap();
    let other = format!("solve frame1.png small.png {known}");
    refuse(&dir, &other, 2, &["small.png", "6 pieces", "24"]);
}
