//! Boards are found, mixed puzzles are separated, and pins, joins and forbidden seams are respected.

use crate::common::{Folder, json_in, json_of, puzzle_folder, refuse, scores, succeed};
use fretsaw::picture::Picture;
use fretsaw::picture::synthetic::demo_picture;
use fretsaw::puzzle::Samples;
use fretsaw_io::write_picture;
use serde_json::Value;

#[test]
fn a_board_is_found_and_pins_and_forbidden_seams_are_respected() {
    let dir = puzzle_folder(6, 8, "--hide-size");
    let said = succeed(&dir, "solve puzzle --out solved.png --solution solution.json");
    assert!(said.stderr.contains("found a board of"), "{}", said.stderr);
    let board = &json_in(&dir.join("solution.json"))["boards"][0];
    let mut sizes = [board["rows"].as_u64().unwrap(), board["cols"].as_u64().unwrap()];
    sizes.sort_unstable();
    assert_eq!(sizes, [6, 8]);

    // The true place of a piece, which the solution may have elsewhere.
    let truth = json_in(&dir.join("puzzle/truth.json"));
    let placement = &truth["placements"][5];
    let number = |key: &str| placement[key].as_u64().unwrap();
    let pin =
        format!("{}={},{},{}", number("piece"), number("row"), number("col"), number("turns"));
    let line = format!("solve puzzle --grid 8x6 --pin {pin} --out again.png --solution again.json");
    succeed(&dir, &line);
    let again = json_in(&dir.join("again.json"));
    let found = again["placements"].as_array().unwrap();
    let found = found.iter().find(|found| found["piece"] == placement["piece"]).unwrap();
    for key in ["row", "col", "turns"] {
        assert_eq!(found[key], placement[key], "{key}");
    }
    let score = scores(&dir, "puzzle/truth.json", "again.json");
    assert!(score["direct"].as_f64().unwrap() > 0.9, "a pin determines the orientation: {score}");

    // Start from that solution, and forbid two sides to touch.
    let seam = &again["seams"][0];
    let side = |piece: &str, side: &str| format!("{}:{}", seam[piece], seam[side]);
    let forbid = format!("{}={}", side("a", "a_side"), side("b", "b_side"));
    let line = format!("solve puzzle --start again.json --forbid {forbid} --out third.png");
    succeed(&dir, &format!("{line} --solution third.json"));
    let third = json_in(&dir.join("third.json"));
    let is_same =
        |other: &Value| ["a", "a_side", "b", "b_side"].iter().all(|&key| other[key] == seam[key]);
    assert!(!third["seams"].as_array().unwrap().iter().any(is_same));
}

#[test]
fn several_puzzles_get_a_picture_each() {
    let dir = Folder::new();
    let picture = demo_picture(6 * 28, 8 * 28, 2);
    write_picture(&dir.join("one.png"), &picture, None).unwrap();
    // The negative of the picture, so that the two have nothing in common.
    let values = (0..picture.samples().len()).map(|index| picture.samples().get(index));
    let values = values.map(|value| 255 - u8::try_from(value).unwrap());
    let samples = Samples::U8(values.collect());
    let negative = Picture::new(picture.height_px(), picture.width_px(), 3, samples).unwrap();
    write_picture(&dir.join("two.png"), &negative, None).unwrap();
    succeed(&dir, "scramble one.png two.png --mix --piece 28 --out heap");
    let summary = json_of(&dir, "solve heap --out solved.png --solution solution.json --json");
    assert_eq!(summary["boards"].as_array().unwrap().len(), 2, "{summary}");
    assert!(dir.join("solved-1.png").exists() && dir.join("solved-2.png").exists());
    let score = scores(&dir, "heap/truth.json", "solution.json");
    assert!(score["neighbor"].as_f64().unwrap() > 0.95, "{score}");
}

#[test]
fn impossible_constraints_are_refused_before_solving() {
    let dir = puzzle_folder(6, 8, "--hide-size");
    for (flags, expected) in [
        ("--grid 8x6 --pin 0=0,0 --pin 1=0,0", "contradicts"),
        ("--grid 8x6 --pin 48=0,0", "no piece 48"),
        ("--grid 8x6 --pin 0=6,0", "outside the board"),
        ("--pin 0=0,0", "rows and columns of the board"),
        ("--pin 0-0,0", "PIECE=ROW,COL"),
        ("--join 0:right=1:left --forbid 1:left=0:right", "contradicts"),
        ("--join 0:right=1:left --join 0:right=2:left", "contradicts"),
        ("--join 0:up=1:left", "not a side"),
        ("--puzzles none", "neither a number nor auto"),
        ("--grid x0", "columns or rows"),
        ("--start no-such.json", "no-such.json"),
        ("--method yu --join 0:right=1:left", "--join or --forbid: only for --method fretsaw"),
    ] {
        refuse(&dir, &format!("solve puzzle --out solved.png {flags}"), 2, &[expected]);
    }
}
