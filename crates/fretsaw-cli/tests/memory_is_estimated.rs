//! The memory of a solve is estimated without solving.

use crate::common::{json_of, puzzle_folder, succeed};

#[test]
fn a_dry_run_prints_the_memory_and_writes_nothing() {
    let dir = puzzle_folder(4, 5, "");
    let run = succeed(&dir, "solve puzzle --out s.png --solution s.json --dry-run");
    for word in ["20 pieces", "pixels", "sides", "candidates", "search", "peak", "MB"] {
        assert!(run.stdout.contains(word), "{word}: {run:?}");
    }
    assert!(!dir.join("s.png").exists() && !dir.join("s.json").exists());

    let found = json_of(&dir, "solve puzzle --out s.png --dry-run --json --threads 3");
    assert_eq!((&found["pieces"], &found["threads"]), (&20.into(), &3.into()));
    let bytes = |part: &str| found["memory"][part].as_u64().unwrap();
    assert_eq!(bytes("pixels"), 20 * 28 * 28 * 3);
    assert!(bytes("peak") > bytes("pixels") + bytes("sides"), "{found}");
    assert!(!dir.join("s.png").exists());
}

#[test]
fn ignore_memory_solves_without_the_check() {
    let dir = puzzle_folder(3, 4, "");
    succeed(&dir, "solve puzzle --out s.png --ignore-memory");
    assert!(dir.join("s.png").exists());
}
