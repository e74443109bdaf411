//! `fretsaw-lab compare` pairs the same puzzles and says what changed.

use crate::common::{Folder, picture_sets, refuse, results_line, succeed};
use serde_json::Value;
use std::fs;

#[test]
fn changes_are_shown_with_their_error_and_pictures() {
    let dir = Folder::new();
    let lines = |runs: &[(&str, u64, f64)]| -> String {
        runs.iter()
            .map(|&(image, seed, n)| results_line(image, seed, "gallagher", 0.0, n))
            .collect()
    };
    fs::write(dir.join("a"), lines(&[("1.png", 1, 0.5), ("2.png", 1, 0.9), ("3.png", 1, 1.0)]))
        .unwrap();
    fs::write(dir.join("b"), lines(&[("2.png", 1, 0.8), ("1.png", 1, 0.9), ("1.png", 2, 1.0)]))
        .unwrap();
    let run = succeed(&dir, "compare a b");
    for words in ["+15.00 ± 25.00", "| 1.png | 50.00 | 90.00 | +40.00", "1 runs of A, 1 of B"] {
        assert!(run.stdout.contains(words), "no {words:?} in {}", run.stdout);
    }
    let run = succeed(&dir, "compare a b --json");
    let found: Value = serde_json::from_str(&run.stdout).unwrap();
    let group = &found["groups"][0];
    assert_eq!((&group["pairs"], &group["set"]), (&2.into(), &"mine".into()));
    assert_eq!(
        (&group["better"], &group["equal"], &group["worse"]),
        (&1.into(), &0.into(), &1.into())
    );
    assert!((group["neighbor"]["mean"].as_f64().unwrap() - 0.15).abs() < 1e-9);
    assert_eq!((&found["only_in_a"], &found["only_in_b"]), (&1.into(), &1.into()));
}

#[test]
fn methods_of_one_file_are_compared() {
    let dir = picture_sets(&[("mine/1.png", 3, 4)]);
    succeed(
        &dir,
        "run --data sets --sets mine --seeds 2 --methods gallagher,yu --measures mgc,seam \
         --out r.jsonl",
    );
    let run = succeed(&dir, "compare r.jsonl r.jsonl --method-a gallagher --method-b yu");
    for words in ["gallagher, mgc, ratio", "yu, seam, learned", "0 runs of A, 0 of B"] {
        assert!(run.stdout.contains(words), "no {words:?} in {}", run.stdout);
    }
    succeed(
        &dir,
        "compare r.jsonl r.jsonl --method-a yu --method-b yu --measure-a mgc --measure-b seam",
    );
    let both = "compare r.jsonl r.jsonl --method-a yu --method-b yu";
    succeed(&dir, &format!("{both} --matcher-a ratio --matcher-b learned"));
    refuse(&dir, &format!("{both} --matcher-a loops"), 2, &["A holds no such runs", "--matcher-a"]);
    refuse(
        &dir,
        "compare r.jsonl r.jsonl --method-a tree",
        2,
        &["A holds no such runs", "gallagher, mgc", "--method-a"],
    );
}

#[test]
fn files_that_cannot_be_compared_are_refused() {
    let dir = Folder::new();
    let line = results_line("1.png", 1, "gallagher", 0.0, 0.5);
    fs::write(dir.join("good"), &line).unwrap();
    fs::write(dir.join("empty"), "").unwrap();
    fs::write(dir.join("bad"), format!("{line}no JSON\n")).unwrap();
    fs::write(dir.join("other"), results_line("2.png", 1, "gallagher", 0.0, 0.5)).unwrap();
    fs::create_dir(dir.join("folder")).unwrap();
    refuse(&dir, "compare good gone", 2, &["gone", "check the path"]);
    refuse(&dir, "compare good folder", 1, &["folder: holds no runs", "folder/1.jsonl"]);
    refuse(&dir, "compare empty good", 1, &["empty: holds no runs"]);
    refuse(&dir, "compare good bad", 1, &["bad line 2: not a line of results"]);
    refuse(&dir, "compare good other", 2, &["no run of A has a partner in B"]);
}
