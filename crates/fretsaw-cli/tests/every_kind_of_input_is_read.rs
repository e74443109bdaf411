//! Folders, lists of files, archives and sheets give the same solution, can be inspected, and are refused
//! if bad.

use crate::common::{Folder, json_of, puzzle_folder, refuse, succeed};
use fretsaw_io::{Limits, read_picture};
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use zip::write::SimpleFileOptions;

/// Writes an archive with these names and contents.
fn write_zip(path: &Path, entries: &[(String, Vec<u8>)]) {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        archive.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        archive.write_all(content).unwrap();
    }
    fs::write(path, archive.finish().unwrap().into_inner()).unwrap();
}

fn folder() -> Folder {
    let dir = puzzle_folder(3, 4, "--type 1");
    succeed(&dir, "scramble photo.png --type 1 --as sheet --out sheet-puzzle");
    fs::rename(dir.join("puzzle/pieces"), dir.join("loose")).unwrap();
    fs::rename(dir.join("sheet-puzzle/sheet.png"), dir.join("sheet.png")).unwrap();
    dir
}

fn entries_of(dir: &Path, prefix: &str) -> Vec<(String, Vec<u8>)> {
    let files = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_string();
            (format!("{prefix}{name}"), fs::read(path).unwrap())
        })
        .collect()
}

#[test]
fn every_kind_of_input_gives_the_same_picture() {
    let dir = folder();
    let photo = read_picture(&dir.join("photo.png"), &Limits::default()).unwrap();
    write_zip(&dir.join("pieces.zip"), &entries_of(&dir.join("loose"), "some/folder/"));
    let content = fs::read(dir.join("sheet.png")).unwrap();
    write_zip(&dir.join("sheet.zip"), &[("sheet.png".into(), content)]);
    let list: Vec<String> = (0..12).map(|number| format!("loose/{number:06}.png")).collect();
    let list = list.join(" ");
    for input in ["loose", "pieces.zip", "sheet.png", "sheet.zip", &list] {
        let run = succeed(&dir, &format!("solve {input} --type 1 --grid 4x3 --out s.png"));
        let solved = read_picture(&dir.join("s.png"), &Limits::default()).unwrap();
        assert!(solved == photo, "{input}");
        let says_size = run.stderr.contains("28 x 28 px, 4 columns and 3 rows");
        assert_eq!(says_size, input.starts_with("sheet"), "{input}: {run:?}");
        fs::remove_file(dir.join("s.png")).unwrap();
    }
    let run = succeed(&dir, "solve sheet.png --piece 28 --type 1 --grid 4x3 --out s.png");
    assert!(!run.stderr.contains("found pieces"), "{run:?}");
    let run = succeed(&dir, "solve loose --grid x3 --out u.png");
    assert!(run.stderr.contains("found a board of 4 columns x 3 rows"), "{run:?}");
    refuse(&dir, "solve loose --grid 4x3 --grid x3 --out t.png", 2, &["--grid"]);
}

#[test]
fn inputs_are_inspected() {
    let dir = folder();
    let run = succeed(&dir, "inspect sheet.png");
    let first = run.stdout.lines().find(|line| line.contains("28 x 28"));
    assert!(first.is_some_and(|line| line.contains("4 x 3")), "{run:?}");
    let found = json_of(&dir, "inspect sheet.png --json");
    assert_eq!(found["kind"], "sheet");
    assert_eq!(found["candidates"][0]["width"], 28);
    assert_eq!(found["candidates"][0]["columns"], 4);
    assert!(found["candidates"][0]["score"].as_f64().unwrap() > 1.0);
    assert_eq!(found["pieces"], 12);
    fs::write(dir.join("loose/notes.txt"), "x").unwrap();
    let found = json_of(&dir, "inspect loose --json");
    assert_eq!(found["kind"], "pieces");
    assert_eq!(found["boards"][0], serde_json::json!([4, 3]));
    assert_eq!(found["pictures"][0]["count"], 12);
    assert_eq!(found["skipped"][0]["reason"], "is not a picture");
    let run = succeed(&dir, "inspect loose");
    assert!(run.stdout.contains("4 x 3") && run.stderr.contains("notes.txt"), "{run:?}");
    let run = succeed(&dir, "inspect photo.png");
    assert!(run.stdout.contains("no piece size stands out"), "{run:?}");
    refuse(&dir, "inspect gone.png", 2, &["gone.png", "check the path"]);
    refuse(&dir, "inspect", 2, &["INPUT"]);
}

#[test]
fn bad_inputs_of_every_kind_are_refused() {
    let dir = folder();
    let piece = fs::read(dir.join("loose/000000.png")).unwrap();
    write_zip(&dir.join("out.zip"), &[("a.png".into(), piece.clone()), ("../b.png".into(), piece)]);
    let whole = fs::read(dir.join("out.zip")).unwrap();
    fs::write(dir.join("cut.zip"), &whole[..whole.len() / 2]).unwrap();
    write_zip(&dir.join("bomb.zip"), &[("a.png".into(), vec![0; 32 << 20])]);
    for (input, code, words) in [
        ("out.zip", 1, ["../b.png", "outside"]),
        ("bomb.zip", 1, ["unpacked", "limit"]),
        ("cut.zip", 1, ["cut.zip", "damaged"]),
        ("loose/000000.png gone.png", 2, ["gone.png", "check the path"]),
        ("loose/000000.png loose", 2, ["loose", "alone"]),
        ("loose/000000.png cut.zip", 2, ["cut.zip", "alone"]),
        // A sheet of one piece.
        ("loose/000000.png", 2, ["000000.png", "--piece"]),
        ("loose/000000.png --piece 28", 1, ["000000.png", "at least 2"]),
    ] {
        refuse(&dir, &format!("solve {input} --out s.png"), code, &words);
    }
    let run = succeed(
        &dir,
        "solve loose/000000.png loose/000001.png loose/000000.png --grid 2x1 --out s.png",
    );
    assert!(run.stderr.contains("named more than once"), "{run:?}");
}

#[test]
fn an_answer_in_the_order_of_its_sheet_is_said_to_be_suspect() {
    let dir = folder();
    let solve = |input: &str| {
        let flags = "--piece 28 --type 1 --grid 4x3 --report r.html --out s.png";
        let run = succeed(&dir, &format!("solve {input} {flags}"));
        (run.stderr, fs::read_to_string(dir.join("r.html")).unwrap())
    };
    // The photograph is a sheet that is not scrambled.
    let (messages, report) = solve("photo.png");
    for text in [&messages, &report] {
        assert!(text.contains("17 of 17 seams") && text.contains("not scrambled"), "{messages}");
    }
    let (messages, report) = solve("sheet.png");
    assert!(!messages.contains("seams of the answer") && !report.contains("seams of the answer"));
}
