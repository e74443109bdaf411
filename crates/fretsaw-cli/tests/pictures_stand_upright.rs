//! If the turn of the whole picture is unknown, it is written upright, or the program says that it is unsure.

use crate::common::{Folder, json_in, json_of, landscape, refuse, scores, succeed};
use fretsaw_io::{Limits, read_picture};
use std::path::Path;

fn picture(dir: &Path, name: &str) -> fretsaw::Picture {
    read_picture(&dir.join(name), &Limits::default()).unwrap().picture
}

#[test]
fn a_scrambled_landscape_is_written_upright() {
    let dir = Folder::new();
    let photo = landscape(&dir, "photo.png", 9, 12);
    succeed(&dir, "scramble photo.png --seed 3 --out p");
    let run = succeed(&dir, "solve p/pieces -o s.png --solution s.json --report r.html");
    assert!(run.stderr.contains("upright"), "{run:?}");
    assert_eq!(picture(&dir, "s.png"), photo);
    let solution = json_in(&dir.join("s.json"));
    assert!(solution["upright"]["probability"].as_f64().unwrap() >= 0.6, "{solution}");
    succeed(&dir, "apply s.json p/pieces -o applied.png");
    assert_eq!(picture(&dir, "applied.png"), photo);

    let run = succeed(&dir, "solve p/pieces --upright off -o off.png --solution off.json");
    assert!(!run.stderr.contains("upright"), "{run:?}");
    assert!(json_in(&dir.join("off.json")).get("upright").is_none());
    let of = |solution| scores(&dir, "p/truth.json", solution);
    assert_eq!(of("s.json"), of("off.json"));
}

#[test]
fn a_known_turn_is_kept() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 3, 4);
    succeed(&dir, "scramble photo.png --type 1 --out one");
    let summary = json_of(&dir, "solve one -o one.png --json");
    assert!(summary.get("upright").is_none(), "{summary}");
    let run = succeed(&dir, "solve one -o one-2.png");
    assert!(!run.stderr.contains("upright"), "{run:?}");
    refuse(&dir, "solve one --upright perhaps -o x.png", 2, &["perhaps", "auto"]);
}
