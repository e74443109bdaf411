//! `fretsaw-lab run` wears pieces before it scrambles them, and results tell how.

use crate::common::{json_lines, picture_sets, succeed};
use serde_json::{Value, json};
use std::fs;

const RUN: &str = "run --data sets --sets mine --methods gallagher --seeds 1 --out results.jsonl";

#[test]
fn results_tell_worn_pieces_from_others_and_both_are_reported() {
    let dir = picture_sets(&[("mine/1.png", 4, 5)]);
    succeed(&dir, RUN);
    let before = fs::read_to_string(dir.join("results.jsonl")).unwrap();
    assert!(!before.contains("wear") && !before.contains("fit"), "{before}");
    let worn = succeed(&dir, &format!("{RUN} --erode 10% --scale-back --light 5 --jpeg 90"));
    assert!(worn.stdout.contains("(eroded 10%, scaled back, light 5%, piece JPEG 90)"), "{worn:?}");
    let runs = json_lines(&dir.join("results.jsonl"));
    assert_eq!(runs.len(), 2);
    assert_eq!(runs[0]["wear"], Value::Null);
    let said = json!({"erode": "10%", "scale_back": true, "light": 5.0, "jpeg": 90});
    assert_eq!(runs[1]["wear"], said);
    // Neither is done again.
    succeed(&dir, RUN);
    succeed(&dir, &format!("{RUN} --erode 10% --scale-back --light 5 --jpeg 90"));
    assert_eq!(json_lines(&dir.join("results.jsonl")).len(), 2);
}

#[test]
fn a_protocol_stands_for_its_sizes_and_types() {
    let dir = picture_sets(&[("mine/1.png", 4, 5)]);
    let lsej = succeed(&dir, &format!("{RUN} --protocol lsej --cells 4x4 --erode 2"));
    assert!(lsej.stdout.contains("mine (stretched to 4x4) (eroded 2, scaled back)"), "{lsej:?}");
    succeed(&dir, &format!("{RUN} --protocol panel --cells 4x3"));
    let runs = json_lines(&dir.join("results.jsonl"));
    let key = |run: &Value| ["type", "piece", "cells", "fit"].map(|name| run[name].clone());
    assert_eq!(key(&runs[0]), [json!("1"), json!([50, 50]), json!([4, 4]), json!("stretch")]);
    assert_eq!(key(&runs[1]), [json!("2"), json!([100, 100]), json!([3, 4]), json!("cover")]);
    assert_eq!(runs[0]["pieces"], 16);
}

#[test]
fn diagnoses_wear_pieces_too() {
    let dir = picture_sets(&[("mine/1.png", 4, 5)]);
    let matcher = "diagnose matcher --data sets --sets mine --seeds 1";
    let clean = succeed(&dir, matcher);
    let worn = succeed(&dir, &format!("{matcher} --ragged 20"));
    assert_ne!(clean.stdout, worn.stdout);
}

#[test]
fn parts_of_the_matcher_for_worn_pieces_are_examined_alone() {
    let dir = picture_sets(&[("mine/1.png", 5, 6)]);
    let matcher = "diagnose matcher --data sets --sets mine --seeds 1 --matchers learned --erode 3";
    let found = |flags: &str| {
        let out = dir.join("counts.jsonl");
        let table = succeed(&dir, &format!("{matcher} {flags} --out counts.jsonl")).stdout;
        let [record]: [Value; 1] = json_lines(&out).try_into().unwrap();
        fs::remove_file(out).unwrap();
        (table, record)
    };
    let (table, whole) = found("");
    assert!(!table.contains("board neighbor"), "{table}");
    for flags in ["--evidence features", "--evidence pixels", "--networks 1", "--as-clean"] {
        let (_, reduced) = found(flags);
        assert_ne!(reduced["answers"], whole["answers"], "{flags}");
        assert_eq!(reduced["inner"], whole["inner"], "{flags}");
    }
    let (_, same) = found("--evidence both");
    assert_eq!(same["answers"], whole["answers"]);
    let (table, with_boards) = found("--boards");
    assert!(table.contains("board neighbor"), "{table}");
    assert_eq!(with_boards["board"]["pieces"], 30);
}
