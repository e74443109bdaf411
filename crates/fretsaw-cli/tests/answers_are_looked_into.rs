//! `fretsaw bench energy` says why boards are wrong.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{landscape, refuse, succeed};
use std::fs;

/// A folder with two sets of small pictures.
fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for set in ["mine", "yours"] {
        let set = dir.path().join("sets").join(set);
        fs::create_dir_all(&set).unwrap();
        landscape(&set, "1.png", 4, 5);
        landscape(&set, "2.png", 3, 4);
    }
    dir
}

/// The entries of the tables in a text, line by line.
fn entries(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().filter(|line| line.starts_with("| "));
    lines
        .map(|line| line.trim_matches('|').split('|').map(|entry| entry.trim().into()).collect())
        .collect()
}

const PUZZLES: &str = "--data sets --sets mine,yours --efforts fast";

#[test]
fn wrong_boards_have_reasons_and_are_counted() {
    let dir = folder();
    let dir = dir.path();
    let easy = succeed(dir, &format!("bench energy {PUZZLES} --types 1,2 --images odd"));
    let rows = entries(&easy.stdout);
    assert_eq!(
        rows[0].join(" | "),
        "set | type | method | puzzles | perfect | identical pieces | judge | search"
    );
    let easy_rows: Vec<String> = rows[1..].iter().map(|row| row.join(" ")).collect();
    let row = |set, number| format!("{set} {number} fretsaw-fast 1 1 0 0 0");
    let expected = ["mine", "yours"].map(|set| [1, 2].map(|number| row(set, number)));
    assert_eq!(easy_rows, expected.concat());

    // Pieces of 6 pixels are too small for a perfect board.
    let line = format!("bench energy {PUZZLES} --piece 6 --images even --seeds 2");
    let hard = succeed(dir, &format!("{line} --jobs 2"));
    let rows = entries(&hard.stdout);
    let wrong: Vec<_> = rows.iter().skip(1).take_while(|row| row[0] != "set").collect();
    let counts = &rows[wrong.len() + 2..];
    assert_eq!(counts.len(), 2);
    for count in counts {
        let numbers: Vec<usize> = count[3..].iter().map(|entry| entry.parse().unwrap()).collect();
        assert_eq!(numbers[0], 2);
        assert_eq!(numbers[1..].iter().sum::<usize>(), 2);
        let listed = wrong.iter().filter(|row| row[0] == count[0]).count();
        assert_eq!(listed, numbers[2..].iter().sum::<usize>());
        assert!(listed > 0, "{hard:?}");
    }
    for row in wrong {
        let energy = |column: usize| row[column].parse::<f64>().unwrap();
        match row[10].as_str() {
            "judge" => assert!(energy(8) < energy(9), "{row:?}"),
            "search" => assert!(energy(8) >= energy(9) - 0.02, "{row:?}"),
            other => assert_eq!(other, "identical pieces"),
        }
    }
    assert_eq!(succeed(dir, &format!("{line} --threads 1")).stdout, hard.stdout);
}

#[test]
fn bad_input_is_refused() {
    let dir = folder();
    for (flags, code, word) in [
        ("--types 3", 2, "--types"),
        ("--seeds 0", 2, "--seeds"),
        ("--jobs 0", 2, "--jobs"),
        ("--corrupt 2", 2, "--corrupt"),
        ("--piece 900", 1, "1.png"),
    ] {
        refuse(dir.path(), &format!("bench energy {PUZZLES} {flags}"), code, &[word]);
    }
}
