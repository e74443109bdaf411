//! A solve that is killed at any time resumes from its checkpoint to the same solution. Unusable checkpoint
//! files are refused.

#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bytes of a picture")]

use crate::common::{Folder, landscape, refuse, succeed, without_times};
use fretsaw::picture::Picture;
use fretsaw::puzzle::Samples;
use fretsaw_io::write_picture;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A picture that is easy to solve even with small pieces: random brightness at the corners of all pieces,
/// interpolated between them, and slowly changing colours.
fn patches(dir: &Path, name: &str, rows: u32, cols: u32, piece_px: u32) {
    let corner = |row: u32, col: u32| {
        let mixed = u64::from(row * 1009 + col + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        f64::from((mixed >> 40 & 0xff) as u8) / 255.0
    };
    let share = |px: u32| f64::from(px % piece_px) / f64::from(piece_px);
    let mut samples = Vec::new();
    for y in 0..rows * piece_px {
        for x in 0..cols * piece_px {
            let (row, col) = (y / piece_px, x / piece_px);
            let along = |row| {
                let (left, right) = (corner(row, col), corner(row, col + 1));
                left + share(x) * (right - left)
            };
            let patch = along(row) + share(y) * (along(row + 1) - along(row));
            let wave = |phase: f64| 127.0 + 127.0 * phase.sin();
            let colors = [
                255.0 * patch,
                wave(f64::from(x) / 37.0 + patch),
                wave(f64::from(y) / 41.0 + 3.0 * patch),
            ];
            samples.extend(colors.map(|value| value as u8));
        }
    }
    let (height_px, width_px) = ((rows * piece_px) as usize, (cols * piece_px) as usize);
    let picture = Picture::new(height_px, width_px, 3, Samples::U8(samples)).unwrap();
    write_picture(&dir.join(name), &picture, None).unwrap();
}

/// Kills solves of a puzzle after increasing times, each resuming from the one before, until one finishes.
/// Returns how many solves were killed after they had saved a checkpoint.
fn solve_and_kill(dir: &Path, line: &str, first: Duration) -> usize {
    let checkpoint = dir.join("saved");
    let mut num_killed = 0;
    let mut patience = first;
    loop {
        let flag = if checkpoint.exists() { "--resume" } else { "--checkpoint" };
        let mut child = Command::new(env!("CARGO_BIN_EXE_fretsaw"))
            .args(line.split_whitespace())
            .args([flag, "saved", "--checkpoint-interval", "0.05", "-q"])
            .current_dir(dir)
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let start = Instant::now();
        let termination = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if start.elapsed() >= patience {
                break None;
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        if let Some(status) = termination {
            assert!(status.success(), "{status}");
            return num_killed;
        }
        // SIGKILL on Unix.
        child.kill().unwrap();
        child.wait().unwrap();
        num_killed += usize::from(checkpoint.exists());
        patience += first / 2;
    }
}

#[track_caller]
fn assert_killing_changes_nothing(dir: &Path, puzzle: &str, more: &str) {
    let line =
        |name: &str| format!("solve {puzzle} {more} --out {name}.png --solution {name}.json");
    let start = Instant::now();
    succeed(dir, &line("whole"));
    let time = start.elapsed();
    let num_killed = solve_and_kill(dir, &line("killed"), time / 4);
    assert!(num_killed >= 2, "killed only {num_killed} times");
    let solution = |name: &str| without_times(&dir.join(name));
    assert_eq!(solution("killed.json"), solution("whole.json"));
    assert_eq!(fs::read(dir.join("killed.png")).unwrap(), fs::read(dir.join("whole.png")).unwrap());
}

#[test]
fn a_large_puzzle_is_solved_the_same_after_kills() {
    let dir = Folder::new();
    // More than 4096 pieces, and hard enough that the state of the search is saved, too.
    patches(&dir, "picture.png", 64, 65, 8);
    succeed(
        &dir,
        "scramble picture.png --piece 8 --type 1 --corrupt 0.004 --as sheet --out puzzle",
    );
    assert_killing_changes_nothing(&dir, "puzzle", "--effort fast --matcher loops");
}

#[test]
fn a_small_puzzle_is_solved_the_same_after_kills() {
    let dir = Folder::new();
    landscape(&dir, "picture.png", 12, 16);
    succeed(&dir, "scramble picture.png --type 2 --corrupt 0.1 --as sheet --out puzzle");
    assert_killing_changes_nothing(&dir, "puzzle", "--effort fast");
    // From the last checkpoint.
    succeed(
        &dir,
        "solve puzzle --effort fast --resume saved --out again.png --solution again.json",
    );
    let solution = |name: &str| without_times(&dir.join(name));
    assert_eq!(solution("again.json"), solution("whole.json"));
}

#[test]
fn checkpoints_of_other_puzzles_and_other_files_are_refused() {
    let dir = Folder::new();
    landscape(&dir, "picture.png", 3, 4);
    for (name, seed) in [("puzzle", 1), ("other", 2)] {
        succeed(&dir, &format!("scramble picture.png --type 2 --seed {seed} --out {name}"));
    }
    let solve = "solve puzzle --out s.png";
    refuse(&dir, &format!("{solve} --resume saved"), 2, &["saved", "no such file"]);
    refuse(&dir, &format!("{solve} --checkpoint none/saved"), 2, &["none/saved", "does not exist"]);
    refuse(&dir, &format!("{solve} --checkpoint puzzle"), 2, &["puzzle", "folder"]);
    refuse(&dir, &format!("{solve} --checkpoint-interval 5"), 2, &["--checkpoint"]);
    refuse(&dir, &format!("{solve} --checkpoint saved --checkpoint-interval 0"), 2, &["above 0"]);
    refuse(&dir, &format!("{solve} --checkpoint s.png"), 2, &["s.png", "same file"]);
    for flag in ["--checkpoint", "--resume"] {
        let words = [flag, "--method fretsaw"];
        refuse(&dir, &format!("{solve} --method yu {flag} saved"), 2, &words);
        refuse(&dir, &format!("{solve} --type 3 --grid 4x3 {flag} saved"), 2, &[flag]);
    }

    succeed(&dir, &format!("{solve} --checkpoint saved"));
    let saved = fs::read(dir.join("saved")).unwrap();
    fs::remove_file(dir.join("s.png")).unwrap();
    let words = ["saved", "another puzzle", "--resume"];
    refuse(&dir, "solve other --out s.png --resume saved", 1, &words);
    refuse(&dir, &format!("{solve} --seed 3 --resume saved"), 1, &words);
    refuse(&dir, &format!("{solve} --effort high --resume saved"), 1, &words);
    refuse(&dir, &format!("{solve} --measure ssd --resume saved"), 1, &words);

    fs::write(dir.join("letter"), "Dear friend").unwrap();
    refuse(&dir, &format!("{solve} --checkpoint letter"), 2, &["letter", "not a checkpoint"]);
    refuse(&dir, &format!("{solve} --resume letter"), 1, &["letter", "not a checkpoint"]);
    let resume_to_letter = format!("{solve} --resume saved --checkpoint letter");
    refuse(&dir, &resume_to_letter, 2, &["letter", "not a checkpoint"]);
    fs::write(dir.join("cut"), &saved[..saved.len() / 2]).unwrap();
    refuse(&dir, &format!("{solve} --resume cut"), 1, &["cut", "damaged"]);

    // --checkpoint replaces checkpoints of other puzzles and truncated checkpoints.
    succeed(&dir, "solve other --out s.png --checkpoint saved");
    assert_ne!(fs::read(dir.join("saved")).unwrap(), saved);
    succeed(&dir, &format!("{solve} --checkpoint cut"));
    // Resumes from one file and saves to another. The solve was finished, so nothing is saved.
    succeed(&dir, &format!("{solve} --resume cut --checkpoint third"));
}
