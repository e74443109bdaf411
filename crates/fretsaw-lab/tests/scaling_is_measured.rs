//! `fretsaw-lab scaling` solves puzzles in processes of their own and measures how time and memory grow.

use crate::common::{Folder, landscape, refuse, succeed};
use serde_json::Value;
use std::fs;

const RUN: &str = "scaling --pictures sets/a.png,sets/b.png --tiled sets/a.png,sets/b.png \
    --threads 2 --boards 4x3 --repeats 1 --out r.jsonl --report scaling.md";

#[test]
fn puzzles_are_solved_once_and_their_growth_is_reported() {
    let dir = Folder::new();
    fs::create_dir(dir.join("sets")).unwrap();
    landscape(&dir.join("sets"), "a.png", 3, 4);
    landscape(&dir.join("sets"), "b.png", 3, 6);
    let alone = "scaling --pictures sets/b.png --threads 2 --out r.jsonl";
    succeed(&dir, alone);
    succeed(&dir, &format!("{alone} --seed 2"));
    let first = fs::read_to_string(dir.join("r.jsonl")).unwrap();
    // As a kill would leave it.
    fs::write(dir.join("r.jsonl"), format!("{first}{{\"kind\":")).unwrap();
    let run = succeed(&dir, RUN);
    for word in ["| pieces", "| peak memory", "sets/a.png + sets/b.png", "| neighbor"] {
        assert!(run.stdout.contains(word), "{word}: {run:?}");
    }
    let text = fs::read_to_string(dir.join("r.jsonl")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_kind = |kind: &str| lines.iter().filter(|line| line["kind"] == kind).count();
    // The measure stage on one thread and on two.
    assert_eq!((of_kind("puzzle"), of_kind("measure"), lines.len()), (4, 2, 6), "{text}");
    // What was there is not solved again, but with another seed it is another puzzle.
    assert!(text.starts_with(&first), "{text}");
    let pieces: Vec<u64> = lines[..4].iter().map(|line| line["pieces"].as_u64().unwrap()).collect();
    assert_eq!(pieces[..3], [18, 18, 12]);
    assert!(pieces[3] >= 24, "{text}");
    let document = fs::read_to_string(dir.join("scaling.md")).unwrap();
    for word in ["--pictures sets/a.png,sets/b.png", "## Exponents", "product alone s"] {
        assert!(document.contains(word), "{word}: {document}");
    }
    assert!(!document.contains(dir.to_str().unwrap()), "{document}");

    let again = succeed(&dir, RUN);
    assert_eq!(again.stdout, run.stdout);
    assert_eq!(fs::read_to_string(dir.join("r.jsonl")).unwrap(), text);
    assert_eq!(fs::read_to_string(dir.join("scaling.md")).unwrap(), document);
}

#[test]
fn a_picture_that_is_not_there_is_named() {
    let dir = Folder::new();
    let line = "scaling --pictures missing.png --threads 1 --out r.jsonl";
    refuse(&dir, line, 1, &["missing.png"]);
}
