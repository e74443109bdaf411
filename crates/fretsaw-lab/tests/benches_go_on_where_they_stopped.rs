//! `fretsaw-lab run` loses no result: not to a kill, not to a failing puzzle, not to other jobs.

use crate::common::{Folder, json_lines, picture_sets, program_in, succeed};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A folder with a set `sets/mine` of so many small pictures.
fn folder(num_pictures: usize) -> Folder {
    let pictures = [("mine/1.png", 3, 4), ("mine/2.png", 4, 4), ("mine/3.png", 5, 4)];
    picture_sets(&pictures[..num_pictures])
}

const RUN: &str = "run --data sets --sets mine --methods gallagher --seeds 2 --threads 2";

/// The lines of a file of results, without what depends on the clock and the jobs, sorted.
fn runs(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'), "{text}");
    let mut lines: Vec<String> = Vec::new();
    for mut run in json_lines(path) {
        for name in ["seconds", "stages", "peak_bytes", "jobs", "threads"] {
            run.as_object_mut().unwrap().remove(name);
        }
        lines.push(run.to_string());
    }
    lines.sort();
    lines
}

/// The columns before the times.
fn scores_of(summary: &str) -> Vec<String> {
    let columns = |line: &str| line.split('|').take(13).map(|entry| entry.trim().into()).collect();
    summary.lines().map(columns).map(|entries: Vec<String>| entries.join("|")).collect()
}

#[test]
fn several_jobs_give_the_same_results_as_one() {
    let dir = folder(3);
    let one = succeed(&dir, &format!("{RUN} --out one.jsonl"));
    let many = succeed(&dir, &format!("{RUN} --jobs 3 --out many.jsonl"));
    assert_eq!(runs(&dir.join("one.jsonl")), runs(&dir.join("many.jsonl")));
    assert_eq!(runs(&dir.join("one.jsonl")).len(), 6);
    assert_eq!(scores_of(&one.stdout)[2..], scores_of(&many.stdout)[2..]);
    for run in json_lines(&dir.join("many.jsonl")) {
        // The peak is the process's, not the run's.
        assert_eq!((&run["peak_bytes"], &run["jobs"]), (&Value::Null, &3.into()));
    }
    // Nothing is left to do.
    let before = fs::read(dir.join("many.jsonl")).unwrap();
    succeed(&dir, &format!("{RUN} --jobs 2 --out many.jsonl"));
    assert!(before == fs::read(dir.join("many.jsonl")).unwrap());
}

#[test]
fn a_line_that_a_kill_cut_off_is_done_again() {
    let dir = folder(2);
    let out = dir.join("results.jsonl");
    succeed(&dir, &format!("{RUN} --out results.jsonl"));
    let (whole, before) = (runs(&out), fs::read(&out).unwrap());
    let last_line = before[..before.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    for (cut, jobs) in [(last_line + 20, 1), (before.len() - 1, 2), (last_line, 1), (7, 2)] {
        fs::write(&out, &before[..cut]).unwrap();
        succeed(&dir, &format!("{RUN} --out results.jsonl --jobs {jobs}"));
        assert_eq!(runs(&out), whole, "cut off at {cut}");
    }
}

#[test]
fn a_failing_puzzle_does_not_stop_the_others() {
    let dir = folder(3);
    let broken = dir.join("sets/mine/2.png");
    let picture = fs::read(&broken).unwrap();
    for jobs in [1, 2] {
        fs::write(&broken, b"no picture").unwrap();
        let line = format!("{RUN} --out results-{jobs}.jsonl --jobs {jobs}");
        let run = program_in(&dir, &line.split_whitespace().collect::<Vec<_>>());
        assert_eq!(run.code, Some(1), "{run:?}");
        for word in ["2 runs failed", "2.png seed 1", "2.png seed 2", "results-"] {
            assert!(run.stderr.contains(word), "no {word:?} in {run:?}");
        }
        assert!(run.stdout.contains("| 4    |"), "{run:?}");
        let out = dir.join(format!("results-{jobs}.jsonl"));
        assert_eq!(runs(&out).len(), 4);
        fs::write(&broken, &picture).unwrap();
        succeed(&dir, &line);
        assert_eq!(runs(&out).len(), 6);
    }
}
