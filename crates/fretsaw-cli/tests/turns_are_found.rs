//! The turns of pieces are found or given by flags; contradictory flags are refused.

use crate::common::{Folder, json_in, json_of, landscape, refuse, scores, succeed};

#[test]
fn turns_are_found_if_they_are_not_given() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 5, 6);
    for (number, turns, words) in
        [(1, "none", "no piece is turned"), (2, "quarter", "turned by quarter turns")]
    {
        succeed(&dir, &format!("scramble photo.png --type {number} --out p{number}"));
        // Only the pieces: puzzle.json, which contains the type, is in the folder above.
        let solve = format!(
            "solve p{number}/pieces --grid 6x5 --out s{number}.png --solution s{number}.json"
        );
        let run = succeed(&dir, &solve);
        assert!(run.stderr.contains(words), "{run:?}");
        let solution = json_in(&dir.join(format!("s{number}.json")));
        assert_eq!(solution["settings"]["turns"], turns);
        let scores = scores(&dir, &format!("p{number}/truth.json"), &format!("s{number}.json"));
        assert!(scores["neighbor"].as_f64().unwrap() > 0.9, "{scores}");
        // No message if the turns are given.
        let said = succeed(&dir, &format!("{solve} --turns {turns}"));
        assert!(!said.stderr.contains("--turns overrides"), "{said:?}");
    }
    let summary = json_of(&dir, "solve p2 --turns auto --out auto.png --json");
    assert_eq!(summary["turns"], "quarter");
}

#[test]
fn strips_are_cut_and_solved() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 4, 6);
    for (piece, rows, cols) in [("12xfull", 1, 14), ("fullx14", 8, 1)] {
        succeed(&dir, &format!("scramble photo.png --piece {piece} --type 1 --out {piece}"));
        let size = format!("--turns none --grid {cols}x{rows}");
        succeed(
            &dir,
            &format!("solve {piece}/pieces {size} --out {piece}.png --solution {piece}.json"),
        );
        let scores = scores(&dir, &format!("{piece}/truth.json"), &format!("{piece}.json"));
        assert_eq!(scores["perfect_px"], 1, "{piece}: {scores}");
    }
    for line in ["photo.png --grid 2x2", "photo.png photo.png"] {
        let line = format!("scramble {line} --piece 8xfull --out x");
        refuse(&dir, &line, 2, &["one picture", "--piece"]);
    }
}

#[test]
fn contradictions_are_refused() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 2, 3);
    succeed(&dir, "scramble photo.png --out square");
    succeed(&dir, "scramble photo.png --piece 42x28 --out oblong");
    succeed(&dir, "scramble photo.png --type 3 --out in-place");
    for (line, words) in [
        ("square --type 1 --turns quarter", ["--turns", "type 1"]),
        ("square --type 2 --turns none", ["--turns", "types 2 and 3"]),
        ("oblong --turns quarter", ["42 x 28", "half"]),
        ("in-place --turns auto", ["'auto'", "unknown positions"]),
        ("in-place --turns none", ["type 3", "nothing is unknown"]),
        ("square --turns some", ["some", "quarter"]),
    ] {
        refuse(&dir, &format!("solve {line} --out s.png"), 2, &words);
    }
    succeed(&dir, "solve in-place --turns half --out s.png");
}
