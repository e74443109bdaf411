//! `fretsaw-lab diagnose energy` says why boards are wrong, `fretsaw-lab diagnose confidence` how confidences
//! are calibrated, and `fretsaw-lab stage search` how long the search takes.

use crate::common::{Folder, picture_sets, refuse, succeed, table_rows};
use std::fs;

/// A folder with two sets of small pictures.
fn folder() -> Folder {
    let mine = [("mine/1.png", 4, 5), ("mine/2.png", 3, 4)];
    let yours = [("yours/1.png", 4, 5), ("yours/2.png", 3, 4)];
    picture_sets(&[mine, yours].concat())
}

const PUZZLES: &str = "--data sets --sets mine,yours --efforts fast";

#[test]
fn wrong_boards_have_reasons_and_are_counted() {
    let dir = folder();
    let easy = succeed(&dir, &format!("diagnose energy {PUZZLES} --types 1,2 --images odd"));
    let rows = table_rows(&easy.stdout);
    assert_eq!(
        rows[0].join(" | "),
        "set | type | method | puzzles | perfect | identical pieces | matcher | search"
    );
    let easy_rows: Vec<String> = rows[1..].iter().map(|row| row.join(" ")).collect();
    let row = |set, number| format!("{set} {number} fretsaw-fast 1 1 0 0 0");
    let expected = ["mine", "yours"].map(|set| [1, 2].map(|number| row(set, number)));
    assert_eq!(easy_rows, expected.concat());

    // Pieces of 6 pixels are too small for a perfect board.
    let line = format!("diagnose energy {PUZZLES} --piece 6 --images even --seeds 2");
    let hard = succeed(&dir, &format!("{line} --jobs 2"));
    let rows = table_rows(&hard.stdout);
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
            "matcher" => assert!(energy(8) < energy(9), "{row:?}"),
            "search" => assert!(energy(8) >= energy(9) - 0.02, "{row:?}"),
            other => assert_eq!(other, "identical pieces"),
        }
    }
    assert_eq!(succeed(&dir, &format!("{line} --threads 1")).stdout, hard.stdout);
}

#[test]
fn confidences_are_held_against_the_truth() {
    let dir = folder();
    let line = format!("diagnose confidence {PUZZLES} --corrupt 0.2 --out out.csv");
    let found = succeed(&dir, &format!("{line} --jobs 2"));
    let titles: Vec<&str> = found.stdout.lines().filter(|line| line.contains(": ")).collect();
    assert_eq!(
        titles,
        [
            "Seams: mine, type 2, fretsaw-fast",
            "Pieces: mine, type 2, fretsaw-fast",
            "Seams: yours, type 2, fretsaw-fast",
            "Pieces: yours, type 2, fretsaw-fast",
            "Seams: all",
            "Pieces: all",
        ]
    );
    assert_eq!(found.stdout.matches("expected calibration error").count(), 6);
    let csv = fs::read_to_string(dir.join("out.csv")).unwrap();
    let count = |start: &str| csv.lines().filter(|line| line.starts_with(start)).count();
    // Boards of 4 x 5 and 3 x 4 pieces.
    assert_eq!((count("seam,mine,1.png,1,"), count("piece,mine,1.png,1,")), (31, 20));
    assert_eq!((count("seam,yours,2.png,1,"), count("piece,yours,2.png,1,")), (17, 12));
    let rows = table_rows(&found.stdout);
    let number = |rows: &[Vec<String>]| -> usize {
        rows.iter().map(|row| row[1].parse::<usize>().unwrap()).sum()
    };
    let tables: Vec<usize> = rows.split(|row| row[0] == "confidence").skip(1).map(number).collect();
    assert_eq!(tables, [48, 32, 48, 32, 96, 64]);
    assert_eq!(succeed(&dir, &format!("{line} --threads 1")).stdout, found.stdout);
}

#[test]
fn the_search_is_timed_on_an_easy_and_a_hard_puzzle() {
    let dir = Folder::new();
    let stage = "stage search";
    let run = succeed(&dir, &format!("{stage} --pieces 20,35 --efforts fast,normal"));
    let rows = table_rows(&run.stdout);
    assert_eq!(
        rows[0].join(" | "),
        "pieces | puzzle | threads | effort | costs s | assemble s | neighbor | energy"
    );
    let names: Vec<[&str; 3]> = rows[1..].iter().map(|row| [0, 1, 3].map(|i| &*row[i])).collect();
    let expected = ["20", "35"].map(|pieces| {
        ["easy", "hard"].map(|puzzle| ["fast", "normal"].map(|effort| [pieces, puzzle, effort]))
    });
    assert_eq!(names, expected.concat().concat());
    for row in rows[1..].iter().filter(|row| row[1] == "easy") {
        assert_eq!(row[6], "100.00", "{row:?}");
    }
    refuse(&dir, &format!("{stage} --pieces 1"), 2, &["--pieces"]);
    refuse(&dir, &format!("{stage} --threads 0"), 2, &["--threads"]);
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
        for command in ["energy", "confidence"] {
            refuse(&dir, &format!("diagnose {command} {PUZZLES} {flags}"), code, &[word]);
        }
    }
    let line = format!("diagnose confidence {PUZZLES} --out gone/out.csv");
    refuse(&dir, &line, 2, &["gone"]);
}

#[test]
fn sheets_are_made_and_their_pieces_found() {
    let dir = picture_sets(&[("mine/1.png", 10, 12)]);
    let line = "diagnose sheets --data sets --count 16 --seed 4 --out found.jsonl";
    let run = succeed(&dir, line);
    let all = run.stdout.lines().find(|line| line.contains("| all")).unwrap().to_string();
    let right: usize = all.split('|').nth(5).unwrap().trim().parse().unwrap();
    assert!(right >= 15, "{}", run.stdout);
    assert_eq!(fs::read_to_string(dir.join("found.jsonl")).unwrap().lines().count(), 16);
    assert_eq!(succeed(&dir, line).stdout, run.stdout);
    refuse(&dir, "diagnose sheets --data gone", 1, &["gone"]);
    refuse(&dir, "diagnose sheets --data sets --count 0", 2, &["--count"]);
    refuse(&dir, "diagnose sheets --data sets/mine", 1, &["no folders of pictures"]);
}
