//! Functions that run the program, and generated pictures.
#![allow(dead_code, unreachable_pub, reason = "each test file uses a part of this")]

use fretsaw::picture::synthetic::demo_picture;
use fretsaw::picture::{Picture, ScrambleSettings, cut, scramble};
use fretsaw::puzzle::{PieceShape, PuzzleType, Samples};
use fretsaw_io::{
    Layout, Limits, Scramble, TruthFile, TruthInfo, read_picture, write_picture, write_scramble,
};
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The result of a run of the program.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The program under test: the one of the crate that this file is compiled for.
const PROGRAM: &str =
    match (option_env!("CARGO_BIN_EXE_fretsaw"), option_env!("CARGO_BIN_EXE_fretsaw-lab")) {
        (Some(program), _) | (None, Some(program)) => program,
        (None, None) => panic!("cargo did not give the path of the program"),
    };

/// A temporary folder, which is removed with its contents when the test ends.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }
}

impl std::ops::Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

/// Runs the program in a folder, with empty input and all output piped.
pub fn program_in<A: AsRef<OsStr>>(dir: &Path, args: &[A]) -> Run {
    let output =
        Command::new(PROGRAM).args(args).current_dir(dir).stdin(Stdio::null()).output().unwrap();
    let run = Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    };
    assert!(!run.stderr.contains("panicked"), "{run:?}");
    assert!(!run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'), "{run:?}");
    run
}

/// Runs the program with arguments separated by spaces; it must succeed.
#[track_caller]
pub fn succeed(dir: &Path, line: &str) -> Run {
    let run = program_in(dir, &line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(run.code, Some(0), "{line}: {run:?}");
    run
}

/// Asserts that the help of every command has an example, and that the program tells its version.
#[track_caller]
pub fn check_help(program: &str, commands: &[&str]) {
    let dir = Folder::new();
    for command in commands {
        let run = succeed(&dir, &format!("{command} --help"));
        assert!(run.stdout.contains("Usage:"), "{command}: {run:?}");
        let (_, example) = run.stdout.split_once("Example").unwrap();
        assert!(example.contains(&format!("  {program} {command}")), "{command}: {run:?}");
    }
    let version = format!("{program} {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(succeed(&dir, "--version").stdout, version);
}

/// Runs the program; it must succeed and print JSON.
#[track_caller]
pub fn json_of(dir: &Path, line: &str) -> Value {
    serde_json::from_str(&succeed(dir, line).stdout).unwrap()
}

/// The content of a JSON file.
pub fn json_in(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Runs the program. It must fail with this exit code, print one message that contains all of these words,
/// and leave the folder unchanged.
#[track_caller]
pub fn refuse(dir: &Path, line: &str, code: i32, words: &[&str]) {
    let before = all_files(dir);
    let run = program_in(dir, &line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(run.code, Some(code), "{line}: {run:?}");
    assert_eq!(run.stdout, "", "{line}");
    for word in words {
        assert!(run.stderr.contains(word), "{line}: no {word:?} in: {}", run.stderr);
    }
    assert_eq!(before, all_files(dir), "{line} left something behind");
}

/// Every file and folder below a folder, with its size if it is a file.
pub fn all_files(dir: &Path) -> Vec<(PathBuf, Option<u64>)> {
    let mut found = Vec::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_dir = fs::symlink_metadata(&path).unwrap().is_dir();
            let size = (!is_dir).then(|| fs::symlink_metadata(&path).unwrap().len());
            if is_dir {
                folders.push(path.clone());
            }
            found.push((path, size));
        }
    }
    found.sort();
    found
}

/// Writes a landscape of `rows` x `cols` pieces of 28 px as `name`.
pub fn landscape(dir: &Path, name: &str, rows: usize, cols: usize) -> Picture {
    let picture = demo_picture(rows * 28, cols * 28, 1);
    write_picture(&dir.join(name), &picture, None).unwrap();
    picture
}

/// A folder with a landscape `photo.png` of `rows` x `cols` pieces of 28 px, scrambled into `puzzle`.
pub fn puzzle_folder(rows: usize, cols: usize, flags: &str) -> Folder {
    let dir = Folder::new();
    landscape(&dir, "photo.png", rows, cols);
    succeed(&dir, &format!("scramble photo.png --out puzzle {flags}"));
    dir
}

/// Writes a picture's pieces of 28 px as a scramble folder of type 2.
pub fn scrambled(dir: &Path, picture: &str, out: &str) {
    let picture = read_picture(&dir.join(picture), &Limits::default()).unwrap().picture;
    let puzzle_type = PuzzleType::Type2;
    let cut = cut(&picture, PieceShape::new(28, 28).unwrap()).unwrap();
    let puzzle = scramble(&cut, &ScrambleSettings::new(puzzle_type, 1)).unwrap();
    let info = TruthInfo { puzzle_type: Some(puzzle_type), ..TruthInfo::default() };
    let scramble = Scramble {
        pieces: &puzzle.pieces,
        puzzle_type,
        grid: Some(puzzle.grid),
        layout: Layout::Folder,
        constant_alpha: None,
        truth: &TruthFile { truth: puzzle.truth, info },
    };
    write_scramble(&dir.join(out), &scramble).unwrap();
}

/// The landscape's green channel, or all three, in 8 or 16 bit.
pub fn converted(picture: &Picture, channels: usize, bits: u8) -> Picture {
    let values: Vec<u16> = (0..picture.samples().len())
        .filter(|index| channels == 3 || index % 3 == 1)
        .map(|index| picture.samples().get(index))
        .collect();
    let samples = if bits == 8 {
        Samples::U8(values.iter().map(|&value| u8::try_from(value).unwrap()).collect())
    } else {
        Samples::U16(values.iter().map(|value| value * 257).collect())
    };
    Picture::new(picture.height_px(), picture.width_px(), channels, samples).unwrap()
}

/// The scores that `eval --json` prints.
pub fn scores(dir: &Path, truth: &str, solution: &str) -> Value {
    json_of(dir, &format!("eval --truth {truth} {solution} --json"))
}

/// A solution file without the lines that contain times.
pub fn without_times(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains("\"seconds\""), "no times in {text}");
    text.lines().filter(|line| !line.contains("\"seconds\"")).collect::<Vec<_>>().join("\n")
}

/// A line of a file of results: a run on a picture of the set `mine`, all its shares the same.
pub fn results_line(image: &str, seed: u64, method: &str, corrupt: f64, share: f64) -> String {
    let settings = serde_json::json!({"method": method, "seed": seed});
    let perfect = u8::from(share >= 1.0);
    let run = serde_json::json!({
        "set": "mine", "image": image, "seed": seed, "method": method, "measure": "mgc", "type": "2",
        "piece": [28, 28], "corrupt": corrupt, "pieces": 48, "placed": 48, "direct": share,
        "neighbor": share, "largest": share, "perfect": perfect, "neighbor_px": share,
        "direct_px": share, "perfect_px": perfect, "seconds": 2.0,
        "stages": {"measure": 0.5, "assemble": 1.5}, "peak_bytes": null, "settings": settings,
        "version": "0.1.0",
    });
    format!("{run}\n")
}

/// A folder with landscapes below `sets`: their names, and rows and columns of pieces of 28 px.
pub fn picture_sets(pictures: &[(&str, usize, usize)]) -> Folder {
    let dir = Folder::new();
    for (name, rows, cols) in pictures {
        let path = dir.join("sets").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        landscape(&dir.join("sets"), name, *rows, *cols);
    }
    dir
}

/// The entries of the tables in a text, row by row, headings included.
pub fn table_rows(text: &str) -> Vec<Vec<String>> {
    let entries = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|entry| entry.trim().into()).collect()
    };
    text.lines().filter(|line| line.starts_with("| ")).map(entries).collect()
}

/// The lines of a file, each a JSON object.
pub fn json_lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
