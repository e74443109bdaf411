//! Solutions are shown as boards, reports, animations and suggestions, also without solving again.

use crate::common::{
    Folder, converted, json_of, landscape, program_in, puzzle_folder, refuse, succeed,
};
use fretsaw_io::{Limits, read_picture, write_picture};
use std::fs;

/// A puzzle of 4 x 5 pieces and its solution.
fn solved(scramble_flags: &str) -> Folder {
    let dir = puzzle_folder(4, 5, scramble_flags);
    succeed(&dir, "solve puzzle --out solved.png --solution solution.json");
    dir
}

#[test]
fn apply_paints_what_solve_painted() {
    let dir = Folder::new();
    for (flags, bits) in [("--as sheet", 8), ("--type 1 --drop 2", 16)] {
        let photo = landscape(&dir, "photo8.png", 4, 5);
        write_picture(&dir.join("photo.png"), &converted(&photo, 3, bits), None).unwrap();
        succeed(&dir, &format!("scramble photo.png --out puzzle {flags}"));
        succeed(&dir, "solve puzzle --out solved.png --solution solution.json");
        let run = succeed(&dir, "apply solution.json puzzle --out again.tif");
        assert!(run.stderr.contains("again.tif: "), "{run:?}");
        let read = |name: &str| read_picture(&dir.join(name), &Limits::default()).unwrap();
        assert_eq!(read("again.tif"), read("solved.png"));
        fs::remove_dir_all(dir.join("puzzle")).unwrap();
    }
}

/// Two boards with two pieces each, one of them with a hole, and two unplaced pieces.
const TWO_BOARDS: &str = r#"{"format": "fretsaw-solution/1",
    "boards": [{"rows": 1, "cols": 2}, {"rows": 1, "cols": 3}],
    "placements": [
        {"piece": 0, "row": 0, "col": 1, "turns": 0},
        {"piece": 1, "row": 0, "col": 0, "turns": 2},
        {"piece": 2, "board": 1, "row": 0, "col": 0, "turns": 0},
        {"piece": 3, "board": 1, "row": 0, "col": 2, "turns": 0}],
    "unplaced": [4, 5]}"#;

#[test]
fn several_boards_are_written_as_a_picture_each() {
    let dir = Folder::new();
    landscape(&dir, "sheet.png", 2, 3);
    fs::write(dir.join("two.json"), TWO_BOARDS).unwrap();
    let flags = "--piece 28 --report two.html --animation two.png";
    let run = succeed(&dir, &format!("apply two.json sheet.png --out out.png {flags}"));
    assert!(run.stderr.contains("out-1.png, out-2.png: 4 of 6 pieces placed"), "{run:?}");
    let read = |name: &str| read_picture(&dir.join(name), &Limits::default()).unwrap().picture;
    let (first, second) = (read("out-1.png"), read("out-2.png"));
    assert_eq!((first.width_px(), first.height_px(), first.channels()), (56, 28, 3));
    assert_eq!((second.width_px(), second.channels()), (84, 4), "a hole is transparent");
    let value = |picture: &fretsaw::picture::Picture, row, col| {
        picture.samples().get(picture.offset_of(row, col))
    };
    let sheet = read("sheet.png");
    assert_eq!(value(&first, 5, 28 + 6), value(&sheet, 5, 6), "piece 0 at the right");
    assert_eq!(value(&first, 0, 0), value(&sheet, 27, 28 + 27), "piece 1 upside down at the left");
    assert_eq!(value(&second, 3, 56 + 4), value(&sheet, 28 + 3, 4), "piece 3");
    let opacity = |col| second.samples().get(second.offset_of(0, col) + 3);
    assert_eq!((opacity(0), opacity(30), opacity(60)), (255, 0, 255));
    assert!(!dir.join("out.png").exists());
    let report = fs::read_to_string(dir.join("two.html")).unwrap();
    assert!(report.contains("board 2") && report.contains("Unplaced pieces"));
    // No board may overwrite another output, or have a format that cannot hold its holes.
    let line = "apply two.json sheet.png --out again.png --piece 28 --animation again-2.png";
    refuse(&dir, line, 2, &["again-2.png", "--out and --animation", "same file"]);
    refuse(
        &dir,
        "apply two.json sheet.png --out again.jpg --piece 28",
        2,
        &["again-2.jpg", "RGBA"],
    );
}

#[test]
fn a_solution_of_another_puzzle_is_refused() {
    let dir = solved("");
    landscape(&dir, "other.png", 2, 3);
    let words = ["other.png", "6 pieces", "solution.json", "solution of 20", "--piece"];
    refuse(&dir, "apply solution.json other.png --piece 28 --out x.png", 2, &words);
    refuse(&dir, "apply solution.json puzzle --out x.xyz", 2, &[".png"]);
    refuse(&dir, "apply puzzle/puzzle.json puzzle --out x.png", 1, &["puzzle.json", "format"]);
    refuse(&dir, "apply nothing.json puzzle --out x.png", 2, &["nothing.json"]);
    refuse(&dir, "apply solution.json puzzle --out x.png --report x.png", 2, &["same file"]);
    refuse(&dir, "apply solution.json puzzle --out x.png --report no/x.html", 2, &["no"]);
    refuse(&dir, "apply solution.json puzzle --out x.png --animation x.mp4", 2, &["x.mp4", ".gif"]);
    refuse(&dir, "solve puzzle --out x.png --animation x.mp4", 2, &["x.mp4", ".gif"]);
    refuse(&dir, "solve puzzle --out x.png --report x.png", 2, &["--out and --report"]);
    refuse(&dir, "solve puzzle --out x.png --preview --json", 2, &["--preview and --json"]);
    // Oblong pieces of which some are turned by a quarter cannot be painted, and no file is written.
    let text = TWO_BOARDS.replace(r#""turns": 2"#, r#""turns": 1"#);
    fs::write(dir.join("across.json"), text).unwrap();
    let line = "apply across.json other.png --piece 28x26 --out x.png --report x.html";
    refuse(&dir, line, 1, &["x-1.png", "across"]);
}

#[test]
fn reports_and_animations_are_reproducible() {
    let dir = solved("");
    let show = |name: &str| {
        let flags = format!("--report {name}.html --animation {name}.gif");
        succeed(&dir, &format!("apply solution.json puzzle --out {name}.png {flags}"));
        let read = |ending: &str| fs::read(dir.join(format!("{name}.{ending}"))).unwrap();
        (read("html"), read("gif"))
    };
    let (html, gif) = show("a");
    assert_eq!((html.clone(), gif.clone()), show("b"));
    assert!(gif.starts_with(b"GIF89a"));
    let html = String::from_utf8(html).unwrap();
    for words in
        ["000007.png", "The least certain seams", "<h2>Confidence</h2>", "assemble", "learned"]
    {
        assert!(html.contains(words), "{words}");
    }
    assert!(!html.contains("http"));
}

#[test]
fn a_preview_needs_a_terminal() {
    let dir = solved("");
    let run = succeed(&dir, "apply solution.json puzzle --out x.png --preview");
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains("no preview: standard output is not a terminal"), "{run:?}");
}

#[test]
fn doubts_are_listed_least_certain_first() {
    // Corrupted sides leave doubts.
    let dir = solved("--corrupt 0.4 --seed 3");
    let doubts = json_of(&dir, "suggest solution.json --json --top 20");
    let doubts = doubts.as_array().unwrap();
    assert!((2..=20).contains(&doubts.len()), "{doubts:?}");
    let confidences: Vec<f64> =
        doubts.iter().map(|doubt| doubt["confidence"].as_f64().unwrap()).collect();
    assert!(confidences.is_sorted() && confidences.iter().all(|&value| value < 0.9));
    let first =
        doubts.iter().find(|doubt| !doubt["alternatives"].as_array().unwrap().is_empty()).unwrap();
    let others = first["alternatives"].as_array().unwrap();
    let likelihoods: Vec<f64> =
        others.iter().map(|other| other["likelihood"].as_f64().unwrap()).collect();
    assert!(likelihoods.is_sorted_by(|a, b| a >= b));
    let all = first["likelihood"].as_f64().unwrap() + likelihoods.iter().sum::<f64>();
    assert!(all > 0.0 && all < 1.0 + 1e-9, "{first}");
    let piece = usize::try_from(first["piece"].as_u64().unwrap()).unwrap();
    assert_eq!(first["name"], format!("{piece:06}.png"));

    let run = succeed(&dir, "suggest solution.json --top 20");
    let place =
        format!("row {}, column {}: piece {piece} ({piece:06}.png)", first["row"], first["col"]);
    assert!(run.stdout.contains(&place), "{run:?}");
    let counted = format!("{0} of {0} doubtful places", doubts.len());
    for words in [counted.as_str(), " --pin ", "--start solution.json", "--forbid"] {
        assert!(run.stdout.contains(words), "{words}: {run:?}");
    }
    let sure = TWO_BOARDS.replace(r#""turns": 2"#, r#""turns": 2, "confidence": 0.95"#);
    fs::write(dir.join("sure.json"), sure).unwrap();
    assert!(succeed(&dir, "suggest sure.json").stdout.starts_with("no doubts"));
    assert_eq!(succeed(&dir, "suggest sure.json --json").stdout, "[]\n");
    fs::write(dir.join("bare.json"), TWO_BOARDS).unwrap();
    let words = ["bare.json", "no confidences", "fretsaw solve --solution"];
    refuse(&dir, "suggest bare.json", 1, &words);
}

#[test]
fn completions_and_manual_pages_cover_every_command() {
    let dir = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = succeed(&dir, &format!("completions {shell}"));
        for word in ["suggest", "report", "animation"] {
            assert!(run.stdout.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(program_in(&dir, &["completions", "tcsh"]).code, Some(2));
    let run = succeed(&dir, "man");
    assert!(run.stdout.contains(".TH") && run.stdout.contains("fretsaw\\-solve(1)"), "{run:?}");
    succeed(&dir, "man --out man1");
    for page in ["fretsaw.1", "fretsaw-solve.1", "fretsaw-suggest.1", "fretsaw-man.1"] {
        let text = fs::read_to_string(dir.join("man1").join(page)).unwrap();
        assert!(text.contains(".SH SYNOPSIS"), "{page}: {text}");
    }
    refuse(&dir, "man --out man1", 2, &["man1", "empty"]);
}
