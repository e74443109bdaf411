//! A solve that is stopped early, by a time limit or by Ctrl-C, writes its best board and reports the stop.

use crate::common::{Folder, json_in, json_of, landscape, puzzle_folder, refuse, scores, succeed};
use std::path::Path;

#[test]
fn a_time_limit_gives_a_full_board() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 6, 8);
    for puzzle_type in [1, 2] {
        // Corrupted, because a solve whose first board is perfect finishes before it is stopped.
        let line = format!("scramble photo.png --corrupt 0.3 --type {puzzle_type}");
        succeed(&dir, &format!("{line} --out {puzzle_type}"));
        for effort in ["fast", "normal", "high"] {
            let line = format!(
                "solve {puzzle_type} --effort {effort} --time-limit 0.000001 --out s.png --solution \
                 s.json"
            );
            let run = succeed(&dir, &line);
            let words = "48 of 48 pieces placed";
            assert!(run.stderr.contains(words), "{run:?}");
            assert!(run.stderr.contains("stopped early: time limit"), "{run:?}");
            let stopped = json_in(&dir.join("s.json"));
            assert_eq!(stopped["status"], "stopped early: time limit");
            assert_eq!(stopped["settings"]["effort"], effort);
            assert_eq!(stopped["placements"].as_array().unwrap().len(), 48);
            assert_eq!(stopped["seams"].as_array().unwrap().len(), 6 * 7 + 5 * 8);
            let truth = format!("{puzzle_type}/truth.json");
            assert_eq!(scores(&dir, &truth, "s.json")["placed"], 48);
            let summary = json_of(&dir, &format!("{line} --json"));
            assert_eq!(summary["status"], "stopped early: time limit");
        }
    }
}

#[test]
fn a_solve_with_enough_time_finishes() {
    let dir = puzzle_folder(4, 5, "");
    let answer = |more: &str| {
        let line = format!("solve puzzle --out s.png --solution s.json --json {more}");
        let summary = json_of(&dir, &line);
        let mut solution = json_in(&dir.join("s.json"));
        assert!([&summary, &solution].iter().all(|found| found["status"] == "finished"));
        solution.as_object_mut().unwrap().remove("timings");
        solution
    };
    // A limit that is not reached changes nothing.
    let usual = answer("");
    assert_eq!(usual, answer("--time-limit 3600"));
    assert_eq!(usual, answer("--effort normal --threads 1"));
    assert_eq!(usual["method"], "fretsaw");
    let run = succeed(&dir, "solve puzzle --out s.png");
    assert!(!run.stderr.contains("stopped"), "{run:?}");
    for method in ["gallagher", "yu"] {
        assert_eq!(answer(&format!("--method {method}"))["method"], method);
    }
}

#[test]
fn efforts_and_time_limits_are_only_for_the_method_fretsaw() {
    let dir = puzzle_folder(2, 3, "");
    succeed(&dir, "scramble photo.png --type 3 --out turned");
    for (flag, name) in [("--effort fast", "--effort"), ("--time-limit 5", "--time-limit")] {
        for method in ["gallagher", "yu", "gcl", "assignment"] {
            let line = format!("solve puzzle --method {method} {flag} --out s.png");
            refuse(&dir, &line, 2, &[name, "--method fretsaw"]);
        }
        for method in ["", "--method fretsaw"] {
            let line = format!("solve turned {method} {flag} --out s.png");
            refuse(&dir, &line, 2, &[name, "type 1 and 2"]);
        }
    }
    refuse(&dir, "solve puzzle --effort most --out s.png", 2, &["--effort", "fast, normal, high"]);
    for limit in ["0", "-1", "nan", "inf", "ten", "1e9"] {
        let line = format!("solve puzzle --time-limit={limit} --out s.png");
        refuse(&dir, &line, 2, &["--time-limit", limit]);
    }
}

#[cfg(unix)]
mod interrupts {
    use super::*;
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Child, ChildStderr, Command, Stdio};

    /// Whether signals reach the program. They do not if the tests were started with signals ignored, as
    /// shells do for background jobs, because the program keeps ignored signals ignored.
    fn are_received() -> bool {
        let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return true };
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        // Signals 1, 2 and 15: hangup, interrupt and terminate.
        ignored & (1 | 1 << 1 | 1 << 14) == 0
    }

    /// A folder with a puzzle that takes a second or more to solve.
    fn folder() -> Folder {
        puzzle_folder(20, 24, "--piece 14 --as sheet")
    }

    /// A solve that has begun.
    fn begun_solve(dir: &Path, more: &str) -> (Child, BufReader<ChildStderr>) {
        let line = format!("solve puzzle --out s.png --solution s.json -v --threads 1 {more}");
        let mut child = Command::new(env!("CARGO_BIN_EXE_fretsaw"))
            .args(line.split_whitespace())
            .current_dir(dir)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        wait_for(&mut stderr, "1920 pieces");
        (child, stderr)
    }

    fn wait_for(stderr: &mut BufReader<ChildStderr>, words: &str) {
        let mut line = String::new();
        while !line.contains(words) {
            line.clear();
            assert_ne!(stderr.read_line(&mut line).unwrap(), 0, "no {words:?}");
        }
    }

    fn send(signal: &str, child: &Child) {
        let status = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_first_interrupt_returns_the_best_board() {
        if !are_received() {
            return;
        }
        let dir = folder();
        for signal in ["-INT", "-TERM"] {
            let (mut child, mut stderr) = begun_solve(&dir, "");
            send(signal, &child);
            wait_for(&mut stderr, "best board so far; press Ctrl-C again to give up");
            let mut rest = String::new();
            stderr.read_to_string(&mut rest).unwrap();
            // An answer, but not the one that was asked for.
            assert_eq!(child.wait().unwrap().code(), Some(3), "{rest}");
            assert!(rest.contains("1920 of 1920 pieces placed"), "{rest}");
            assert!(rest.contains("stopped early: interrupted"), "{rest}");
            let solution = json_in(&dir.join("s.json"));
            assert_eq!(solution["status"], "stopped early: interrupted");
            assert_eq!(names(&dir), ["photo.png", "puzzle", "s.json", "s.png"]);
        }
    }

    #[test]
    fn the_second_interrupt_gives_up() {
        if !are_received() {
            return;
        }
        let dir = folder();
        let (mut child, mut stderr) = begun_solve(&dir, "");
        send("-INT", &child);
        wait_for(&mut stderr, "again to give up");
        send("-INT", &child);
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!(names(&dir), ["photo.png", "puzzle"]);
    }

    #[test]
    fn methods_that_cannot_stop_end_at_once() {
        if !are_received() {
            return;
        }
        let dir = folder();
        let (mut child, _stderr) = begun_solve(&dir, "--method yu");
        send("-INT", &child);
        // Terminated by the signal, not by the program.
        assert_eq!(child.wait().unwrap().code(), None);
        assert_eq!(names(&dir), ["photo.png", "puzzle"]);
    }
}
