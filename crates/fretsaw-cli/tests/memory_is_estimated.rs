//! The memory of a solve is estimated without solving.

use crate::common::{json_in, json_of, puzzle_folder, succeed};
use fretsaw_io::{Limits, read_picture};
use std::fs;

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

#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_ends_with_a_message_and_never_with_an_abort() {
    use std::process::Command;
    let dir = puzzle_folder(10, 12, "");
    // Without the check before a solve memory is refused in the middle of it.
    for flag in ["", "--ignore-memory"] {
        let (mut num_refused, mut num_solved) = (0, 0);
        for mebibytes in (24..=408).step_by(16) {
            let line = format!(
                "ulimit -v {}; exec {} solve puzzle --threads 2 --effort fast {flag} --out s.png --solution s.json",
                mebibytes * 1024,
                env!("CARGO_BIN_EXE_fretsaw")
            );
            for name in ["s.png", "s.json"] {
                fs::write(dir.join(name), "old").unwrap();
            }
            let run = Command::new("sh").args(["-c", &line]).current_dir(&*dir).output().unwrap();
            let told = String::from_utf8_lossy(&run.stderr);
            let is_old = |name: &str| fs::read(dir.join(name)).unwrap() == b"old";
            match run.status.code() {
                Some(0) => num_solved += 1,
                Some(1) => {
                    assert!(told.contains("memory") || told.contains("threads"), "{told}");
                    num_refused += i32::from(told.contains(" more were refused"));
                }
                // The system could not even load the program.
                Some(126 | 127) => assert!(mebibytes < 64, "{mebibytes} MiB: {told}"),
                code => panic!("{mebibytes} MiB: ended with {code:?}: {told}"),
            }
            assert!(
                is_old("s.json") || json_in(&dir.join("s.json"))["status"] == "finished",
                "{mebibytes} MiB: half a solution"
            );
            let is_whole = || read_picture(&dir.join("s.png"), &Limits::default()).is_ok();
            assert!(is_old("s.png") || is_whole(), "{mebibytes} MiB: half a picture");
        }
        assert!(num_solved > 0, "{flag}");
        assert!(num_refused > 0 || flag.is_empty(), "no allocation was refused");
    }
}
