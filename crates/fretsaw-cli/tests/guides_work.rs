//! Every command of the guides in `docs/guides` works, in order, starting in an empty folder.

#![cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The guide's `sh` blocks, as one script, without the commands of `fretsaw-lab`, which that crate tests.
fn script(guide: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides").join(guide);
    let text = fs::read_to_string(path).unwrap();
    let blocks = text.split("```sh\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap().lines());
    lines.filter(|line| !line.starts_with("fretsaw-lab ")).flat_map(|line| [line, "\n"]).collect()
}

/// Runs the commands of the guide in a new folder with the program under test. Each command must succeed,
/// and the files must exist afterwards.
#[track_caller]
fn follow(guide: &str, files: &[&str]) {
    let script = script(guide);
    let num_commands = script.lines().filter(|line| line.starts_with("fretsaw ")).count();
    assert!(num_commands > 2, "{guide}: {script}");
    let dir = tempfile::tempdir().unwrap();
    let program = PathBuf::from(env!("CARGO_BIN_EXE_fretsaw"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let output = Command::new("sh")
        .args(["-e", "-x", "-c", &script])
        .current_dir(dir.path())
        .env("PATH", path)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{guide}: {}", String::from_utf8_lossy(&output.stderr));
    for file in files {
        let size = fs::metadata(dir.path().join(file)).map_or(0, |found| found.len());
        assert!(size > 0, "{guide} leaves no {file}");
    }
}

#[test]
fn the_browser_guide_works() {
    follow("browser.md", &["solved.png", "solution.json", "painted.png", "report.html"]);
}

#[test]
fn the_contest_player_guide_works() {
    follow("contest-player.md", &["solved.png", "solution.json", "report.html", "assembly.gif"]);
}

#[test]
fn the_other_tools_guide_works() {
    follow("other-tools.md", &["solved.png"]);
}

#[test]
fn the_restorer_guide_works() {
    follow(
        "restorer.md",
        &["contact.png", "panel.png", "by-likeness.png", "panel.tif", "panel.html", "panel.json"],
    );
}

#[test]
fn the_researcher_guide_works() {
    follow("researcher.md", &["solution.json", "sets/mine/1.png", "mine.png"]);
}

#[test]
fn the_rust_programmer_guide_works() {
    follow("rust-programmer.md", &["solved.png", "report.html"]);
}

/// The tests of the Python package run the blocks of its guide.
const TESTED_ELSEWHERE: [&str; 1] = ["python.md"];

#[test]
fn every_guide_is_tested_and_listed() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides");
    let list = fs::read_to_string(dir.join("README.md")).unwrap();
    let tests = include_str!("guides_work.rs");
    for entry in fs::read_dir(dir).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name != "README.md" {
            let is_followed = tests.contains(&format!("\"{name}\""));
            let is_tested = is_followed || TESTED_ELSEWHERE.contains(&&*name);
            assert!(is_tested, "no test follows {name}");
            assert!(list.contains(&format!("`{name}`")), "the list of guides leaves out {name}");
        }
    }
}
