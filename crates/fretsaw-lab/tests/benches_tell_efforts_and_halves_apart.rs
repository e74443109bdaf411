//! `fretsaw-lab run` runs every effort by itself and can do half of a set; results tell which.

use crate::common::{Folder, json_lines, picture_sets, program_in, results_line, succeed};
use serde_json::Value;
use std::fs;

/// A folder with a set `sets/mine` of three small pictures.
fn folder() -> Folder {
    picture_sets(&["mine/1.png", "mine/2.png", "mine/3.png"].map(|name| (name, 3, 4)))
}

const RUN: &str = "run --data sets --sets mine --seeds 1 --out results.jsonl";

#[test]
fn the_default_is_the_default_of_solve() {
    let dir = folder();
    succeed(&dir, &format!("{RUN} --types 1,2,3 --images even"));
    let runs = json_lines(&dir.join("results.jsonl"));
    assert_eq!(runs.len(), 3);
    for (run, (puzzle_type, measure, matcher, effort)) in runs.iter().zip([
        ("1", "seam", "learned", Value::from("normal")),
        ("2", "seam", "learned", Value::from("normal")),
        ("3", "mgc", "ratio", Value::Null),
    ]) {
        assert_eq!((&run["image"], &run["method"]), (&"2.png".into(), &"fretsaw".into()));
        assert_eq!(run["type"], puzzle_type);
        assert_eq!((&run["measure"], &run["judge"]), (&measure.into(), &matcher.into()));
        assert_eq!(run["effort"], effort);
    }
}

#[test]
fn every_effort_is_run_by_itself_and_once() {
    let dir = folder();
    let line = format!("{RUN} --images odd --types 2,3 --efforts fast,normal,high");
    let first = succeed(&dir, &line);
    for method in ["| fretsaw ", "| fretsaw-fast ", "| fretsaw-high "] {
        assert!(first.stdout.contains(method), "{first:?}");
    }
    // Two pictures; three efforts, and one run for type 3.
    let done = json_lines(&dir.join("results.jsonl"));
    assert_eq!(done.len(), 2 * (3 + 1));
    for run in &done {
        let effort = run.get("effort").cloned();
        assert_eq!(effort.is_none(), run["type"] == "3", "{run}");
        if let Some(effort) = effort {
            assert_eq!(run["settings"]["effort"], effort);
        }
    }
    // Nothing is repeated, and the other half is added.
    assert_eq!(succeed(&dir, &line).stdout, first.stdout);
    assert_eq!(json_lines(&dir.join("results.jsonl")).len(), 8);
    let whole = succeed(&dir, &format!("{RUN} --types 2 --halves"));
    assert_eq!(json_lines(&dir.join("results.jsonl")).len(), 9);
    let halves = |stdout: &str| -> Vec<String> {
        let lines = stdout.lines().filter(|line| line.starts_with("| mine "));
        lines.map(|line| line.split('|').nth(7).unwrap().trim().to_owned()).collect()
    };
    assert_eq!(halves(&whole.stdout), ["odd", "even"], "{whole:?}");
    let report = succeed(&dir, "report results.jsonl --halves");
    // Each effort, of which only one was run on the even half, and type 3.
    assert_eq!(halves(&report.stdout), ["odd", "even", "odd", "odd", "odd"], "{report:?}");
    assert!(dir.join("results-report/report.html").is_file());
}

#[test]
fn the_middle_of_a_picture_is_a_run_of_its_own() {
    let dir = folder();
    let line = format!("{RUN} --images even --methods gallagher");
    succeed(&dir, &line);
    let middle = succeed(&dir, &format!("{line} --cells 3x2"));
    assert!(middle.stdout.contains("| mine (middle 3x2) "), "{middle:?}");
    let done = json_lines(&dir.join("results.jsonl"));
    let sizes: Vec<(&Value, Option<&Value>)> =
        done.iter().map(|run| (&run["pieces"], run.get("cells"))).collect();
    assert_eq!(sizes, [(&12.into(), None), (&6.into(), Some(&serde_json::json!([2, 3])))]);
    // Pictures that are too small are named; the others are done.
    let too_small = program_in(&dir, &format!("{line} --cells 4x4").split(' ').collect::<Vec<_>>());
    assert_eq!(too_small.code, Some(1), "{too_small:?}");
    assert!(too_small.stderr.contains("2.png") && too_small.stderr.contains("too small"));
}

#[test]
fn results_without_efforts_are_read() {
    let dir = Folder::new();
    let lines = ["1.png", "2.png"].map(|image| results_line(image, 1, "gallagher", 0.0, 0.5));
    fs::write(dir.join("old.jsonl"), lines.concat()).unwrap();
    let report = succeed(&dir, "report old.jsonl --halves");
    for half in ["| odd ", "| even "] {
        assert!(report.stdout.contains(half), "{report:?}");
    }
    // Without being asked a report prints no table.
    assert_eq!(succeed(&dir, "report old.jsonl --out again").stdout, "");
}
