//! Bad weather costs no answer and no file: outputs that fail, messages that nobody can read, names that collide.

use crate::common::{
    Folder, all_files, json_in, landscape, program_in, puzzle_folder, refuse, succeed,
};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

fn contents(dir: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    // Not devices behind links, which never end.
    let files = all_files(dir).into_iter().filter(|(path, _)| path.is_file());
    files.map(|(path, _)| (path.clone(), fs::read(&path).unwrap())).collect()
}

/// Refuses a command line with exit code 2, and changes no byte of any file.
#[track_caller]
fn refuse_untouched(dir: &Path, line: &str, words: &[&str]) {
    let before = contents(dir);
    refuse(dir, line, 2, words);
    assert!(before == contents(dir), "{line} changed a file");
}

#[cfg(target_os = "linux")]
#[test]
fn messages_that_cannot_be_written_cost_no_answer() {
    let dir = puzzle_folder(2, 3, "");
    let full = || Stdio::from(fs::File::options().write(true).open("/dev/full").unwrap());
    let solve = |number: u32, more: &[&str], stdout: Stdio, stderr: Stdio| {
        let (out, solution) = (format!("{number}.png"), format!("{number}.json"));
        let status = Command::new(env!("CARGO_BIN_EXE_fretsaw"))
            .args(["solve", "puzzle", "-v", "--out", &out, "--solution", &solution])
            .args(more)
            .current_dir(&*dir)
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr)
            .status()
            .unwrap();
        assert!(dir.join(&out).is_file() && dir.join(&solution).is_file(), "{number}");
        status.code()
    };
    assert_eq!(solve(1, &[], Stdio::null(), full()), Some(0));
    // What was asked for on standard output could not be printed, but all files are there.
    assert_eq!(solve(2, &["--json"], full(), full()), Some(1));
    // A pipe that nobody reads any more.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    assert_eq!(solve(3, &["--json"], writer.try_clone().unwrap().into(), writer.into()), Some(0));
    // A failure whose message cannot be written still has its exit code.
    let status = Command::new(env!("CARGO_BIN_EXE_fretsaw"))
        .args(["solve", "gone"])
        .current_dir(&*dir)
        .stderr(full())
        .status();
    assert_eq!(status.unwrap().code(), Some(2));
}

#[test]
fn no_output_overwrites_an_input() {
    let dir = puzzle_folder(2, 3, "");
    succeed(&dir, "scramble photo.png --as sheet --out sheet");
    fs::copy(dir.join("sheet/sheet.png"), dir.join("sheet.png")).unwrap();
    succeed(&dir, "solve puzzle --out start.png --solution start.json");
    fs::hard_link(dir.join("sheet.png"), dir.join("hard.png")).unwrap();
    fs::hard_link(dir.join("puzzle/pieces/000003.png"), dir.join("boards-2.png")).unwrap();
    for (line, words) in [
        ("solve sheet.png --piece 28 --out sheet.png", ["sheet.png", "--out would overwrite"]),
        ("solve sheet.png --piece 28 --out ./sheet.png", ["sheet.png", "overwrite"]),
        ("solve sheet.png --piece 28 --out hard.png", ["sheet.png", "overwrite"]),
        ("solve puzzle --out puzzle/pieces/000001.png", ["000001.png", "INPUT"]),
        ("solve puzzle --out s.png --solution puzzle/puzzle.json", ["puzzle.json", "--solution"]),
        ("solve puzzle --out s.png --solution puzzle/truth.json", ["truth.json", "a truth"]),
        ("solve puzzle --out s.png --report puzzle/pieces/000002.png", ["000002.png", "--report"]),
        ("solve sheet --out sheet/sheet.png", ["sheet.png", "overwrite"]),
        (
            "solve puzzle --out s.png --start start.json --solution start.json",
            ["start.json", "--start"],
        ),
        ("solve puzzle --reference photo.png --out photo.png", ["photo.png", "--reference"]),
        // Several boards would be boards-1.png and boards-2.png, which is a piece.
        ("solve puzzle/pieces --out boards.png", ["000003.png", "overwrite"]),
        ("solve puzzle/pieces --out s.png --report s-1.png", ["s-1.png", "same file"]),
        ("solve puzzle --out new.png --solution ./new.png", ["new.png", "same file"]),
        ("solve puzzle --out new.png --report NEW.png", ["NEW.png", "same file"]),
        ("apply start.json puzzle --out puzzle/pieces/000001.png", ["000001.png", "INPUT"]),
        ("apply start.json puzzle --out s.png --report start.json", ["start.json", "SOLUTION"]),
    ] {
        refuse_untouched(&dir, line, &words);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("puzzle/pieces/000004.png", dir.join("soft.png")).unwrap();
        refuse_untouched(&dir, "solve puzzle --out soft.png", &["000004.png", "overwrite"]);
    }
    // A file in the folder that is no piece may be replaced, again and again.
    fs::create_dir(dir.join("tiles")).unwrap();
    for piece in fs::read_dir(dir.join("puzzle/pieces")).unwrap().flatten() {
        fs::copy(piece.path(), dir.join("tiles").join(piece.file_name())).unwrap();
    }
    for _ in 0..2 {
        succeed(&dir, "solve tiles --out s.png --report tiles/report.html --solution tiles/s.json");
    }
}

#[cfg(unix)]
#[test]
fn one_output_that_fails_does_not_lose_the_others() {
    use std::os::unix::fs::PermissionsExt;
    let dir = puzzle_folder(2, 3, "");
    // A device that is always full can be opened, so that it fails only when it is written.
    std::os::unix::fs::symlink("/dev/full", dir.join("full.json")).unwrap();
    std::os::unix::fs::symlink("/dev/full", dir.join("full.html")).unwrap();
    let line = "solve puzzle --out s.png --solution full.json --report full.html --animation s.gif";
    let run = program_in(&dir, &line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("full.json") && run.stderr.contains("full.html"), "{run:?}");
    assert!(dir.join("s.png").is_file() && dir.join("s.gif").is_file());

    // What can be known beforehand is refused beforehand.
    let long = format!("{}.png", "n".repeat(252));
    for (name, word) in [(long.as_str(), "too long"), (&"n".repeat(300), "extension")] {
        refuse_untouched(&dir, &format!("solve puzzle --out {name}"), &[word]);
    }
    let almost = format!("{}.png", "n".repeat(250));
    refuse_untouched(&dir, &format!("solve puzzle/pieces --out {almost}"), &["too long"]);
    refuse_untouched(&dir, "solve puzzle --grid 3x3 --out s.jpg", &["s.jpg", ".png"]);
    fs::write(dir.join("kept.png"), "mine").unwrap();
    fs::set_permissions(dir.join("kept.png"), fs::Permissions::from_mode(0o444)).unwrap();
    refuse_untouched(&dir, "solve puzzle --out kept.png", &["kept.png", "read-only"]);
    fs::set_permissions(dir.join("kept.png"), fs::Permissions::from_mode(0o640)).unwrap();
    succeed(&dir, "solve puzzle --out kept.png");
    let mode = fs::metadata(dir.join("kept.png")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn an_answer_that_no_output_can_hold_is_rescued() {
    // A piece is missing and nobody said so: the hole shows after the solve, and JPEG has no alpha.
    let dir = puzzle_folder(3, 4, "--drop 1 --hide-size");
    let run = program_in(&dir, &["solve", "puzzle", "--out", "s.jpg", "--grid", "4x"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("s-rescued-1.json") && run.stderr.contains("apply"), "{run:?}");
    succeed(&dir, "apply s-rescued-1.json puzzle --out s.png");
}

#[test]
fn sizes_in_documents_are_limited_before_memory_is_taken() {
    let dir = puzzle_folder(4, 6, "");
    succeed(&dir, "solve puzzle --out s.png --solution s.json");
    let good = fs::read_to_string(dir.join("s.json")).unwrap();
    let board = "{\"rows\":4,\"cols\":6}";
    assert!(good.contains(board), "{good}");
    fs::write(dir.join("huge.json"), good.replace(board, "{\"rows\":1000,\"cols\":1000}")).unwrap();
    for line in [
        "apply huge.json puzzle --out h.png",
        "solve puzzle --start huge.json --out h.png",
        "suggest huge.json",
        "eval --truth puzzle/truth.json huge.json",
    ] {
        refuse(&dir, line, 1, &["huge.json", "1000000 cells", "200000", "--max-pieces"]);
    }
    let many = vec![board; 100].join(",");
    fs::write(dir.join("many.json"), good.replace(board, &many)).unwrap();
    refuse(&dir, "apply many.json puzzle --out h.png", 1, &["100 boards", "24 pieces"]);
    let settings = format!("\"settings\": [{}0],\n  \"old\": ", "0,".repeat(20_000));
    fs::write(dir.join("long.json"), good.replace("\"settings\": ", &settings)).unwrap();
    refuse(&dir, "suggest long.json", 1, &["long.json", "10000 values"]);
    let names = good.replace("\"000000.png\"", &format!("\"{}\"", "n".repeat(5000)));
    fs::write(dir.join("names.json"), names).unwrap();
    refuse(&dir, "suggest names.json", 1, &["names.json", "5000 bytes"]);

    let puzzle = dir.join("puzzle/puzzle.json");
    let text = fs::read_to_string(&puzzle).unwrap();
    fs::write(
        &puzzle,
        text.replace("\"rows\": 4", "\"rows\": 1").replace("\"cols\": 6", "\"cols\": 340000"),
    )
    .unwrap();
    refuse(&dir, "solve puzzle --out h.png", 1, &["puzzle.json", "340000 cells"]);
    fs::write(&puzzle, text).unwrap();
    refuse(&dir, "solve puzzle --grid 1000x1000 --out h.png", 2, &["--grid", "--max-pieces"]);
    refuse(&dir, "solve puzzle --grid x1000000 --out h.png", 2, &["--grid", "--max-pieces"]);
}

#[test]
fn limits_can_be_set_by_flags_and_by_the_environment() {
    let dir = puzzle_folder(2, 3, "");
    refuse(&dir, "solve puzzle --max-pieces 5 --out s.png", 1, &["limit of 5", "--max-pieces"]);
    refuse(&dir, "solve puzzle --max-pixels 4000 --out s.png", 1, &["4000", "--max-pixels"]);
    refuse(&dir, "solve puzzle --max-memory 5M --out s.png", 1, &["--max-memory", "5.0 MB"]);
    refuse(&dir, "solve puzzle --max-memory much --out s.png", 2, &["much", "500M"]);
    for (variable, value, code, words) in [
        ("FRETSAW_MAX_PIECES", "5", 1, "limit of 5"),
        // Rayon would start them all.
        ("RAYON_NUM_THREADS", "100000", 2, "RAYON_NUM_THREADS must be at most 1024"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_fretsaw"))
            .args(["solve", "puzzle", "--out", "s.png"])
            .env(variable, value)
            .current_dir(&*dir)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(code));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn a_solution_knows_its_pieces() {
    let dir = puzzle_folder(2, 3, "");
    succeed(&dir, "scramble photo.png --seed 2 --out other");
    succeed(&dir, "solve puzzle --out s.png --solution s.json");
    let fingerprint = json_in(&dir.join("s.json"))["fingerprint"].clone();
    assert_eq!(fingerprint, json_in(&dir.join("puzzle/truth.json"))["fingerprint"]);
    assert_eq!(fingerprint.as_str().unwrap().len(), 16);
    for line in [
        "apply s.json other --out a.png",
        "solve other --start s.json --out a.png",
        "eval --truth other/truth.json s.json",
    ] {
        refuse(&dir, line, 2, &["s.json", "other pieces", "--force"]);
        succeed(&dir, &format!("{line} --force"));
        let _ = fs::remove_file(dir.join("a.png"));
    }
    succeed(&dir, "apply s.json puzzle --out a.png");
    succeed(&dir, "eval --truth puzzle/truth.json s.json");
    // Answers of other programs have no fingerprint.
    let text = fs::read_to_string(dir.join("s.json")).unwrap();
    let without: Vec<&str> = text.lines().filter(|line| !line.contains("fingerprint")).collect();
    fs::write(dir.join("s.json"), without.join("\n")).unwrap();
    succeed(&dir, "apply s.json other --out a.png");
}

#[test]
fn what_is_said_is_heeded_or_refused() {
    let dir = puzzle_folder(2, 3, "");
    succeed(&dir, "scramble photo.png --type 3 --out turned");
    succeed(&dir, "solve puzzle --out s.png --solution s.json");
    for (line, words) in [
        ("solve puzzle --gap 3 --out a.png", ["--gap", "sheet"]),
        ("solve puzzle/pieces --border 3 --out a.png", ["--border", "sheet"]),
        ("apply s.json puzzle --gap 3 --out a.png", ["--gap", "sheet"]),
        ("solve puzzle --puzzles 7 --out a.png", ["--puzzles", "6 pieces"]),
        ("solve turned --puzzles 2 --out a.png", ["--puzzles", "type 3"]),
        ("solve puzzle --start s.json --grid 2x3 --out a.png", ["--grid", "--start"]),
        ("solve puzzle --start s.json --puzzles 2 --out a.png", ["--puzzles", "--start"]),
    ] {
        refuse(&dir, line, 2, &words);
    }
}

#[cfg(unix)]
#[test]
fn names_cannot_change_the_terminal() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 2, 3);
    succeed(&dir, "scramble photo.png --out puzzle");
    // The helper of these tests asserts that no escape character is printed.
    let name = "\u{1b}[31mred\n\u{9b}1m.txt";
    fs::write(dir.join("puzzle/pieces").join(name), "no picture").unwrap();
    let run = program_in(&dir, &["solve", "puzzle/pieces", "--out", "s.png"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.contains("\\u{1b}[31mred\\n\\u{9b}1m.txt"), "{run:?}");
    let run = program_in(&dir, &["inspect", "puzzle/pieces", "--json"]);
    assert!(run.stdout.contains("\\u009b"), "{run:?}");
    let parsed: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(parsed["skipped"][0]["name"].as_str().unwrap().ends_with(name), "{parsed}");
    let run = program_in(&dir, &["solve", name, "--out", "s.png"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}

#[test]
fn files_hidden_in_an_archive_are_told() {
    use std::io::Write;
    let dir = puzzle_folder(2, 3, "");
    let mut zip = zip::ZipWriter::new(fs::File::create(dir.join("a.zip")).unwrap());
    let options = zip::write::SimpleFileOptions::default();
    let mut pieces: Vec<_> = fs::read_dir(dir.join("puzzle/pieces")).unwrap().flatten().collect();
    pieces.sort_by_key(fs::DirEntry::file_name);
    for piece in &pieces {
        zip.start_file(piece.file_name().into_string().unwrap(), options).unwrap();
        zip.write_all(&fs::read(piece.path()).unwrap()).unwrap();
    }
    zip.finish().unwrap();
    // The writer refuses names that are taken, so one is renamed afterwards, in both places.
    let mut bytes = fs::read(dir.join("a.zip")).unwrap();
    for at in 0..bytes.len() - 10 {
        if &bytes[at..at + 10] == b"000005.png" {
            bytes[at + 5] = b'4';
        }
    }
    fs::write(dir.join("a.zip"), bytes).unwrap();
    let run = program_in(&dir, &["solve", "a.zip", "--out", "s.png"]);
    assert!(run.stderr.contains("a.zip") && run.stderr.contains("same name"), "{run:?}");
}

#[test]
fn a_killed_solve_leaves_old_files_or_whole_new_ones() {
    use std::time::{Duration, Instant};
    let dir = puzzle_folder(4, 5, "");
    let line = "solve puzzle --out s.png --solution s.json --report s.html --quiet";
    let start = Instant::now();
    succeed(&dir, line);
    let whole = start.elapsed();
    for eighth in 1..=8 {
        for name in ["s.png", "s.json", "s.html"] {
            fs::write(dir.join(name), "old").unwrap();
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_fretsaw"))
            .args(line.split_whitespace())
            .current_dir(&*dir)
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(whole * eighth / 8 + Duration::from_millis(1));
        child.kill().unwrap();
        child.wait().unwrap();
        let is_old = |name: &str| fs::read(dir.join(name)).unwrap() == b"old";
        if !is_old("s.json") {
            assert_eq!(json_in(&dir.join("s.json"))["status"], "finished");
        }
        if !is_old("s.png") {
            fretsaw_io::read_picture(&dir.join("s.png"), &fretsaw_io::Limits::default()).unwrap();
        }
        if !is_old("s.html") {
            assert!(
                fs::read_to_string(dir.join("s.html")).unwrap().trim_end().ends_with("</html>")
            );
        }
    }
}
