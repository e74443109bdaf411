//! Help is at hand, and nothing is said that was not asked for.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{fretsaw_in, landscape, refuse, succeed};

const COMMANDS: [&str; 30] = [
    "",
    "demo",
    "scramble",
    "solve",
    "apply",
    "suggest",
    "eval",
    "inspect",
    "graph",
    "bench",
    "bench stage",
    "bench stage measure",
    "bench stage rotations",
    "bench stage layout",
    "bench stage judge",
    "bench stage search",
    "bench run",
    "bench report",
    "bench compare",
    "bench rotations",
    "bench turns",
    "bench judge",
    "bench energy",
    "bench confidence",
    "bench reference",
    "bench paper",
    "bench scaling",
    "completions",
    "man",
    "bench sheets",
];

#[test]
fn every_command_explains_itself_with_an_example() {
    let dir = tempfile::tempdir().unwrap();
    for command in COMMANDS {
        let run = succeed(dir.path(), &format!("{command} --help"));
        assert!(run.stdout.contains("Usage:"), "{command}: {run:?}");
        let (_, example) = run.stdout.split_once("Example").unwrap();
        assert!(example.contains(&format!("  fretsaw {command}")), "{command}: {run:?}");
    }
}

#[test]
fn the_version_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let run = succeed(dir.path(), "--version");
    assert_eq!(run.stdout, format!("fretsaw {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_arguments_exit_with_2() {
    let dir = tempfile::tempdir().unwrap();
    landscape(dir.path(), "photo.png", 2, 3);
    succeed(dir.path(), "scramble photo.png --out puzzle");
    for (line, word) in [
        ("solve puzzle --out s.png --colour", "--colour"),
        ("solve puzzle", "--out"),
        ("solve puzzle --out s.png --measure best", "best"),
        ("solve puzzle --out s.png --judge best", "best"),
        ("solve puzzle --out s.png --judge learned --measure mgc", "does not know 'mgc'"),
        ("graph puzzle --judge learned", "does not know 'mgc'"),
        ("bench run --data . --sets puzzle --judges best --out r.jsonl", "best"),
        (
            "bench run --data . --sets puzzle --judges ratio,learned --measures seam,ssd --out r.jsonl",
            "does not know 'ssd'",
        ),
        ("bench rotations --data . --sets puzzle --judge learned", "does not know 'mgc'"),
        ("solve puzzle --out s.png --type 4", "4"),
        ("solve puzzle --out s.png --rows 0 --cols 3", "--rows"),
        ("solve puzzle --out s.png --rows 1 --cols 3", "2 x 3"),
        ("solve puzzle --out s.png --rows -2 --cols 3", "-2"),
        ("solve puzzle --out s.png --threads 0", "--threads"),
        ("solve puzzle --out s.png --threads 9999999", "--threads"),
        ("solve puzzle --out s.png --solution s.png", "same file"),
        ("solve puzzle --out s.xyz", ".png"),
        ("scramble photo.png --out p --piece 0", "0"),
        ("scramble photo.png --out p --piece 28x", "28x"),
        ("scramble photo.png --out p --corrupt 1.5", "--corrupt"),
        ("scramble photo.png --out p --corrupt NaN", "--corrupt"),
        ("scramble photo.png --out p --drop 6", "--drop"),
        ("scramble photo.png --out p --drop 1 --type 3", "--drop"),
        ("scramble photo.png --out p --piece 100", "--piece"),
        ("bench stage measure --boards 0x3", "--boards"),
        ("bench stage measure --boards 4000000000x4000000000", "--boards"),
        ("bench stage measure --candidates 0", "--candidates"),
        ("bench stage measure --repeats 0", "--repeats"),
        ("bench stage rotations --boards 1x1", "--boards"),
        ("bench stage rotations --boards 4000000000x4000000000", "--boards"),
        ("bench stage rotations --wrong 1.5", "--wrong"),
        ("bench stage layout --boards 1x1", "--boards"),
        ("bench stage layout --wrong nan", "--wrong"),
        ("bench stage layout --repeats 0", "--repeats"),
        ("bench stage rotations --rotations mrf", "'mrf' needs a picture"),
        ("bench stage rotations --rotations anchored", "'anchored' needs a picture"),
        ("bench run --data . --sets s --out r.jsonl --jobs 0", "--jobs"),
        ("bench run --data . --sets s --out r.jsonl --images some", "some"),
        ("bench run --data . --sets s --out r.jsonl --efforts most", "most"),
        ("bench run --data . --sets s --out r.jsonl --methods yu --efforts fast", "--efforts"),
        ("bench run --data . --sets s --out r.jsonl --types 3 --efforts fast", "--efforts"),
        (
            "bench run --data . --sets s --out r.jsonl --methods yu,fretsaw --judges learned",
            "does not know 'mgc'",
        ),
        ("bench run --data . --sets s --out r.jsonl --seeds 0", "--seeds"),
        ("bench run --data . --sets s --out r.jsonl --cells 0x3", "no pieces"),
        ("bench run --data . --sets s --out r.jsonl --cells 18", "18"),
        ("bench run --data . --sets s --out r.jsonl --corrupt 0,nan", "--corrupt"),
        ("bench rotations --data . --sets s --type 1", "--type"),
        ("bench rotations --data . --sets s --type 2 --rotations anchored", "'anchored'"),
        ("bench rotations --data . --sets s --type 3 --rotations diffusion", "'diffusion'"),
        ("bench rotations --data . --sets s --seeds 0", "--seeds"),
        ("bench rotations --data . --sets s --initial-share 1.1", "--initial-share"),
        ("bench scaling --out r.jsonl", "--pictures"),
        ("bench scaling --pictures photo.png", "--out"),
        ("bench scaling --pictures photo.png --out r.jsonl --report r.txt", ".md"),
        ("bench scaling --pictures photo.png --out r.jsonl --threads 0", "--threads"),
        ("bench scaling --pictures photo.png --out r.jsonl --boards 1x1", "--boards"),
        ("unheard-of", "unheard-of"),
    ] {
        refuse(dir.path(), line, 2, &[word]);
    }
    assert_eq!(fretsaw_in(dir.path(), &[""; 0]).code, Some(2));
}

#[test]
fn quiet_says_nothing_on_success() {
    let dir = tempfile::tempdir().unwrap();
    landscape(dir.path(), "photo.png", 4, 5);
    // Neither what was cropped, nor what was skipped.
    for line in [
        "scramble photo.png --piece 27 --out puzzle --quiet",
        "-q solve puzzle --out s.png --solution s.json",
        "demo --out demo --quiet",
    ] {
        let run = succeed(dir.path(), line);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""), "{line}");
    }
    let run = succeed(dir.path(), "solve puzzle --out s.png --json --quiet");
    assert_eq!(run.stderr, "");
    assert!(run.stdout.starts_with('{'), "{run:?}");
}

#[test]
fn verbose_tells_settings_and_times() {
    let dir = tempfile::tempdir().unwrap();
    landscape(dir.path(), "photo.png", 4, 5);
    succeed(dir.path(), "scramble photo.png --out puzzle");
    let run = succeed(dir.path(), "solve puzzle --out s.png -v");
    for word in ["20 pieces", "measure", "assemble", "Seam", "Learned"] {
        assert!(run.stderr.contains(word), "{word}: {run:?}");
    }
    assert_eq!(run.stdout, "");
}

#[test]
fn json_summaries_can_be_parsed() {
    let dir = tempfile::tempdir().unwrap();
    landscape(dir.path(), "photo.png", 4, 5);
    succeed(dir.path(), "scramble photo.png --out puzzle --type 1");
    let run = succeed(dir.path(), "solve puzzle --out s.png --json");
    let summary: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(summary["placed"], 20);
    assert_eq!((&summary["rows"], &summary["cols"]), (&4.into(), &5.into()));
    assert_eq!(summary["method"], "fretsaw");
    assert_eq!(summary["status"], "finished");
}

#[test]
fn measure_and_judge_go_together_unless_told_otherwise() {
    let dir = tempfile::tempdir().unwrap();
    landscape(dir.path(), "photo.png", 4, 5);
    for puzzle_type in [1, 3] {
        succeed(
            dir.path(),
            &format!("scramble photo.png --type {puzzle_type} --out {puzzle_type}"),
        );
    }
    for (flags, measure, matcher) in [
        ("1", "seam", "learned"),
        ("1 --measure mgc", "mgc", "ratio"),
        ("1 --judge loops", "seam", "loops"),
        ("1 --judge loops --measure ssd", "ssd", "loops"),
        ("1 --judge ratio --measure seam", "seam", "ratio"),
    ] {
        let line = format!("solve {flags} --out s.png --solution s.json --json");
        let run = succeed(dir.path(), &line);
        let summary: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!((&summary["measure"], &summary["judge"]), (&measure.into(), &matcher.into()));
        let solution = std::fs::read_to_string(dir.path().join("s.json")).unwrap();
        let solution: serde_json::Value = serde_json::from_str(&solution).unwrap();
        let settings = &solution["settings"];
        assert_eq!((&settings["measure"], &settings["judge"]), (&measure.into(), &matcher.into()));
    }
    // Where positions are known there is nothing to matcher.
    let run = succeed(dir.path(), "solve 3 --out s.png --json");
    let summary: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(summary["measure"], "mgc");
    assert!(summary.get("judge").is_none(), "{summary}");
}

#[test]
fn the_demo_writes_three_pictures_and_tells_scores_and_times() {
    let dir = tempfile::tempdir().unwrap();
    for folder in ["fretsaw-demo", "fretsaw-demo-2"] {
        let run = succeed(dir.path(), "demo");
        for name in ["input.png", "solution.png", "truth.png"] {
            assert!(dir.path().join(folder).join(name).is_file(), "{name}");
            assert!(run.stdout.contains(&format!("{folder}/{name}")), "{run:?}");
        }
        for word in ["432 pieces", "neighbor ", "measure ", "assemble "] {
            assert!(run.stdout.contains(word), "{word}: {run:?}");
        }
    }
}
