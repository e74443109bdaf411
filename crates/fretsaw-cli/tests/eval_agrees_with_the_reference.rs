//! `eval` prints the same scores and text as the reference scorer.

use crate::common::{Folder, refuse, succeed};
use std::fs;

const TRUTH: &str = r#"{"format":"fretsaw-truth/1","boards":[{"rows":2,"cols":2}],"placements":[
{"piece":0,"board":0,"row":0,"col":0,"turns":0,"looks":[0,1,2,3]},
{"piece":1,"board":0,"row":0,"col":1,"turns":1,"looks":[4,4,4,4]},
{"piece":2,"board":0,"row":1,"col":0,"turns":2,"looks":[4,4,4,4]},
{"piece":3,"board":0,"row":1,"col":1,"turns":3,"looks":[5,6,7,8]}]}"#;

/// Two identical pieces are exchanged, and one is left out.
const SOLUTION: &str = r#"{"format":"fretsaw-solution/1","boards":[{"rows":2,"cols":2}],"placements":[
{"piece":0,"board":0,"row":0,"col":0,"turns":0},
{"piece":2,"board":0,"row":0,"col":1,"turns":1},
{"piece":1,"board":0,"row":1,"col":0,"turns":2}],"unplaced":[3]}"#;

/// Printed by the reference scorer for these two files.
const SCORES: &str = "\
pieces       4
placed       3
direct       0.2500
neighbor     0.0000
largest      0.2500
perfect      0
neighbor_px  0.5000
direct_px    0.7500
perfect_px   0
";

fn folder() -> Folder {
    let dir = Folder::new();
    fs::write(dir.join("truth.json"), TRUTH).unwrap();
    fs::write(dir.join("solution.json"), SOLUTION).unwrap();
    dir
}

#[test]
fn the_text_equals_that_of_the_reference_scorer() {
    let dir = folder();
    let run = succeed(&dir, "eval --truth truth.json solution.json");
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (SCORES, ""));
}

#[test]
fn the_json_has_the_reference_scorers_keys_and_values() {
    let dir = folder();
    let run = succeed(&dir, "eval --truth truth.json solution.json --json");
    let scores: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(scores.len(), SCORES.lines().count());
    for line in SCORES.lines() {
        let (key, value) = line.split_once(' ').unwrap();
        assert_eq!(scores[key].as_f64().unwrap(), value.trim().parse::<f64>().unwrap(), "{key}");
    }
}

#[test]
fn a_truth_without_pixel_classes_has_no_pixel_scores() {
    let dir = folder();
    let other = TRUTH.replace("looks", "an unknown field");
    fs::write(dir.join("truth.json"), other).unwrap();
    let run = succeed(&dir, "eval --truth truth.json solution.json");
    let without: String = SCORES.lines().take(6).map(|line| format!("{line}\n")).collect();
    assert_eq!(run.stdout, without);
}

#[test]
fn a_solution_of_another_puzzle_is_refused() {
    let dir = folder();
    let other = SOLUTION.replace("\"piece\":2,", "\"piece\":4,").replace("[3]", "[2,3]");
    fs::write(dir.join("other.json"), other).unwrap();
    let words = ["other.json", "piece 4", "truth.json"];
    refuse(&dir, "eval --truth truth.json other.json", 1, &words);
}
