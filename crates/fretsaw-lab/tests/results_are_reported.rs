//! `fretsaw-lab report` makes tables, plots and a page that stands alone.

use crate::common::{Folder, picture_sets, program_in, refuse, results_line, scrambled, succeed};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Runs of two methods at three rates on three pictures with two seeds each.
fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for (method, best) in [("gallagher", 0.9), ("yu", 1.0)] {
        for corrupt in [0.0, 0.05, 0.1] {
            for (image, worse) in [("1.png", 0.0), ("2.png", 0.01), ("10.png", 0.2)] {
                for (seed, luck) in [(1, 0.0), (2, 0.003)] {
                    let share = best - corrupt - worse - luck;
                    lines.push(results_line(image, seed, method, corrupt, share));
                }
            }
        }
    }
    lines
}

fn files(dir: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read_to_string(entry.path()).unwrap())
        })
        .collect()
}

#[test]
fn a_report_has_tables_plots_and_a_page() {
    let dir = Folder::new();
    fs::write(dir.join("results.jsonl"), lines().concat()).unwrap();
    let run = succeed(&dir, "report results.jsonl");
    assert!(run.stderr.contains("36 runs: results-report/report.html"), "{run:?}");
    let files = files(&dir.join("results-report"));
    let svgs: Vec<&String> = files.keys().filter(|name| name.ends_with(".svg")).collect();
    // A curve, and a histogram and seconds for each of three rates.
    assert_eq!((files.len(), svgs.len()), (11, 7), "{:?}", files.keys());

    assert_eq!(files["runs.csv"].lines().count(), 1 + 36);
    assert_eq!(files["report.csv"].lines().count(), 1 + 6);
    let markdown = &files["report.md"];
    for words in ["## Scores", "## Times", "## Spread over seeds", "## Settings", "92.85 ± 11.27"]
    {
        assert!(markdown.contains(words), "no {words:?} in {markdown}");
    }
    for svg in &svgs {
        assert!(markdown.contains(&format!("]({svg})")), "{svg} is not in report.md");
    }

    let page = &files["report.html"];
    assert_eq!((page.matches("<svg").count(), page.matches("<table>").count()), (7, 4));
    for foreign in ["<script", "<link", "<img", "src=", "href=", "url(", "@import"] {
        assert!(!page.contains(foreign), "{foreign} in the page");
    }
    // The name of the SVG format is an address, but nothing is fetched from it.
    let name = "http://www.w3.org/2000/svg";
    assert_eq!(page.matches("http").count(), page.matches(name).count());
}

#[test]
fn the_order_of_runs_does_not_matter() {
    let dir = Folder::new();
    let mut lines = lines();
    fs::write(dir.join("a.jsonl"), lines.concat()).unwrap();
    lines.reverse();
    lines.swap(3, 20);
    fs::write(dir.join("b.jsonl"), lines.concat()).unwrap();
    succeed(&dir, "report a.jsonl --out a");
    fs::create_dir(dir.join("b")).unwrap();
    let run = succeed(&dir, "report b.jsonl --out b --quiet");
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    assert!(files(&dir.join("a")) == files(&dir.join("b")));
}

#[test]
fn what_run_writes_is_reported() {
    let dir = picture_sets(&[("my set/<1>.png", 3, 4)]);
    let run = [
        "run", "--data", "sets", "--sets", "my set", "--seeds", "1", "--types", "1,3", "--out",
        "r.jsonl",
    ];
    let run = program_in(&dir, &run);
    assert_eq!(run.code, Some(0), "{run:?}");
    succeed(&dir, "report r.jsonl --out report");
    let files = files(&dir.join("report"));
    assert!(files.contains_key("histogram-my-set-type3-piece28-corrupt0.svg"), "{files:?}");
    // One seed has no spread.
    assert!(!files["report.md"].contains("Spread"), "{files:?}");
}

#[test]
fn what_cannot_be_reported_is_refused() {
    let dir = Folder::new();
    let line = results_line("1.png", 1, "yu", 0.0, 0.5);
    fs::write(dir.join("good.jsonl"), &line).unwrap();
    fs::write(dir.join("empty.jsonl"), "").unwrap();
    fs::write(dir.join("bad.jsonl"), format!("{line}{line}{{\"set\": 1}}\n")).unwrap();
    fs::create_dir(dir.join("full")).unwrap();
    fs::write(dir.join("full/file"), "").unwrap();
    refuse(&dir, "report gone.jsonl", 2, &["gone.jsonl", "check the path"]);
    refuse(&dir, "report full", 1, &["full: holds no runs", "--out full/1.jsonl"]);
    refuse(&dir, "report empty.jsonl", 1, &["empty.jsonl: holds no runs"]);
    refuse(&dir, "report bad.jsonl", 1, &["bad.jsonl line 3: not a line of results"]);
    refuse(&dir, "report good.jsonl --out full", 2, &["full", "empty"]);
    refuse(&dir, "report good.jsonl --out no/such", 2, &["no/such", "does not exist"]);
    // A line that was cut off is passed over, and said to be.
    fs::write(dir.join("cut.jsonl"), format!("{line}{}", &line[..50])).unwrap();
    let run = succeed(&dir, "report cut.jsonl");
    assert!(run.stderr.contains("the last line is cut off"), "{run:?}");
    assert!(run.stderr.contains("1 runs"), "{run:?}");
}

#[test]
fn the_commands_of_the_researchers_guide_work() {
    let guide = include_str!("../../../docs/guides/researcher.md");
    let dir = picture_sets(&[("mine/1.png", 7, 9)]);
    let commands: Vec<&str> =
        guide.lines().filter_map(|line| line.strip_prefix("fretsaw-lab ")).collect();
    assert!(commands.len() > 2, "{commands:?}");
    scrambled(&dir, "sets/mine/1.png", "puzzle");
    fs::create_dir(dir.join("parts")).unwrap();
    for command in commands {
        succeed(&dir, command);
    }
    assert!(dir.join("report/report.html").is_file());
}

#[test]
fn parts_of_runs_are_merged() {
    let dir = picture_sets(&[("mine/1.png", 3, 4), ("mine/2.png", 3, 4)]);
    let run = "run --data sets --sets mine --seeds 2 --methods gallagher,yu";
    fs::create_dir(dir.join("parts")).unwrap();
    for part in 1..=3 {
        succeed(&dir, &format!("{run} --shard {part}/3 --out parts/{part}.jsonl"));
    }
    succeed(&dir, &format!("{run} --out whole.jsonl"));
    let run_of = succeed(&dir, "report parts");
    assert!(run_of.stderr.contains("8 runs: parts-report/report.html"), "{run_of:?}");
    let run_of = succeed(&dir, "compare parts whole.jsonl");
    assert!(run_of.stdout.contains("0 runs of A, 0 of B"), "{run_of:?}");
    fs::create_dir(dir.join("empty")).unwrap();
    refuse(&dir, "report empty", 1, &["empty: holds no runs"]);
}
