//! `fretsaw-lab paper` does each run once, times runs that are alone, and prints figures beside the paper's.

use crate::common::{Folder, json_lines, picture_sets, refuse, succeed};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A folder with a set `sets/mine` of one small picture.
fn folder() -> Folder {
    picture_sets(&[("mine/1.png", 3, 4)])
}

const PAPER: &str = "paper --data sets --sets mine --out results.jsonl";

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap()
}

fn runs(dir: &Path) -> Vec<Value> {
    json_lines(&dir.join("results.jsonl"))
}

/// What identifies a run.
fn key(run: &Value) -> String {
    let fields = ["set", "image", "seed", "method", "gcl", "measure", "corrupt"];
    fields.map(|field| run[field].to_string()).join(" ")
}

/// The document and its plots.
fn written(dir: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::from([("document".into(), read(dir, "results-reproduction.md"))]);
    if let Ok(plots) = fs::read_dir(dir.join("results-reproduction")) {
        for plot in plots {
            let plot = plot.unwrap();
            let name = plot.file_name().into_string().unwrap();
            files.insert(name, fs::read_to_string(plot.path()).unwrap());
        }
    }
    files
}

#[test]
fn all_experiments_share_their_runs_and_make_a_document() {
    let dir = folder();
    let run = succeed(&dir, &format!("{PAPER} --seeds 2 --jobs 2"));
    assert_eq!((run.stdout.as_str(), run.stderr.trim()), ("", "results-reproduction.md"));
    let lines = runs(&dir);
    // Times of four ways; the second seed of three methods; all with our measure; corruption;
    // iterations 1 to 5 but for the timed one; the other eighteen seeds of the spread.
    assert_eq!(lines.len(), 4 + 3 + 6 + 7 * 5 * 3 + 2 * 5 - 1 + 18 * 3);
    assert_eq!(lines.iter().map(key).collect::<BTreeSet<_>>().len(), lines.len());
    let alone = lines.iter().filter(|run| run.get("jobs").is_none()).count();
    assert_eq!(alone, 4);
    assert!(lines.iter().all(|run| run["machine"].is_string() && run["threads"].is_u64()));

    let before = written(&dir);
    let document = &before["document"];
    for words in [
        "## How the runs were made",
        "## times",
        "### gcl by stage",
        "## comparison",
        "## histograms",
        "## seam",
        "## corruption",
        "## iterations",
        "## spread",
        "--only comparison --seeds 2 --sets 'mine'",
        "The paper has no figures for these sets.",
        "`gcl` is highest at ",
    ] {
        assert!(document.contains(words), "no {words:?} in {document}");
    }
    assert!(!document.contains("No runs."), "{document}");
    assert!(!document.contains(dir.to_str().unwrap()), "{document}");
    let plots: Vec<&String> = before.keys().filter(|name| *name != "document").collect();
    assert_eq!(plots.len(), 3, "{plots:?}");
    for plot in plots {
        let link = format!("](results-reproduction/{plot})");
        assert_eq!(document.matches(&link).count(), 1, "{plot}");
    }

    // Nothing is left to do, and the document is the same, with the pictures or without.
    succeed(&dir, &format!("{PAPER} --seeds 2"));
    assert_eq!((runs(&dir).len(), written(&dir)), (lines.len(), before.clone()));
    fs::remove_dir_all(dir.join("sets")).unwrap();
    fs::remove_file(dir.join("results-reproduction.md")).unwrap();
    succeed(&dir, "paper --out results.jsonl --sets mine --seeds 2 --report-only");
    assert_eq!(written(&dir), before);
    // The order of lines does not matter.
    let results = read(&dir, "results.jsonl");
    let reversed: Vec<&str> = results.lines().rev().collect();
    fs::write(dir.join("results.jsonl"), reversed.join("\n") + "\n").unwrap();
    succeed(&dir, "paper --out results.jsonl --sets mine --seeds 2 --report-only");
    assert_eq!(written(&dir), before);
}

#[test]
fn times_of_runs_that_were_not_alone_are_taken_again() {
    let dir = folder();
    succeed(&dir, &format!("{PAPER} --only comparison --seeds 1 --jobs 2"));
    assert!(runs(&dir).iter().all(|run| run["jobs"] == 2));
    succeed(&dir, &format!("{PAPER} --only times --jobs 2 --report times.md"));
    // Three again, and the one without updates.
    let all = runs(&dir);
    assert_eq!(all.len(), 3 + 4);
    assert!(all[3..].iter().all(|run| run.get("jobs").is_none()));
    let times = read(&dir, "times.md");
    assert_eq!(times.matches("| mine | ").count(), 5 + 1, "{times}");
    // They serve the scores as well, and are not taken a third time.
    succeed(&dir, &format!("{PAPER} --only comparison,times --seeds 1 --jobs 2"));
    assert_eq!(runs(&dir).len(), 3 + 4);
    assert!(written(&dir)["document"].contains("| 1              | 4 "), "{:?}", written(&dir));
}

#[test]
fn what_cannot_be_done_is_refused() {
    let dir = folder();
    fs::write(dir.join("taken"), "").unwrap();
    let refuse = |line: &str, words: &[&str]| refuse(&dir, line, 2, words);
    refuse(&format!("{PAPER} --only everything"), &["everything", "comparison", "spread"]);
    refuse("paper --data sets --out r.jsonl", &["sets/mit-432", "--sets", "datasets.md"]);
    refuse("paper --data no --sets mine --out r.jsonl", &["no/mine", "no such folder"]);
    refuse("paper --data sets --sets gone --out r.jsonl", &["sets/gone", "one folder"]);
    let line = "paper --data sets --sets pomeranz-3300 --only spread --out r.jsonl";
    refuse(line, &["none of --sets"]);
    refuse("paper --out r.jsonl", &["--data"]);
    refuse("paper --out r.jsonl --report-only", &["r.jsonl", "check the path"]);
    refuse(&format!("{PAPER} --seeds 0"), &["--seeds"]);
    refuse(&format!("{PAPER} --jobs 0"), &["--jobs"]);
    refuse(&format!("{PAPER} --report r.html"), &["--report", ".md"]);
    refuse(&format!("{PAPER} --report no/such.md"), &["no/such.md", "does not exist"]);
    refuse(&format!("{PAPER} --report taken.md"), &["taken", "a folder for the plots"]);
}
