//! Bad input is refused with a message that names the file and the remedy, and leaves nothing behind.

use crate::common::{Folder, converted, landscape, puzzle_folder, refuse, succeed};
use fretsaw::picture::synthetic::demo_picture;
use fretsaw_io::write_picture;
use std::fs;
use std::path::Path;

/// A folder with `photo.png` of 2 x 3 pieces of 28 px, and its `puzzle`, scrambled and solved.
fn folder() -> Folder {
    let dir = puzzle_folder(2, 3, "");
    succeed(&dir, "solve puzzle --out solved.png --solution solution.json");
    dir
}

/// Truncates a file.
fn truncate(path: &Path) {
    let whole = fs::read(path).unwrap();
    fs::write(path, &whole[..whole.len() / 2]).unwrap();
}

#[test]
fn unreadable_and_truncated_pictures_are_refused() {
    let dir = folder();
    truncate(&dir.join("photo.png"));
    refuse(&dir, "scramble photo.png --out p", 1, &["photo.png", "damaged", "again"]);
    truncate(&dir.join("puzzle/pieces/000003.png"));
    refuse(&dir, "solve puzzle --out s.png", 1, &["000003.png", "damaged", "again"]);
    fs::write(dir.join("notes.txt"), "no picture").unwrap();
    refuse(&dir, "scramble notes.txt --out p", 1, &["notes.txt", "not a picture", "Convert"]);
    refuse(&dir, "solve notes.txt --piece 8 --out s.png", 1, &["notes.txt", "not a picture"]);
    fs::write(dir.join("empty.png"), "").unwrap();
    refuse(&dir, "scramble empty.png --out p", 1, &["empty.png"]);
    refuse(&dir, "scramble gone.png --out p", 2, &["gone.png", "check the path"]);
    refuse(&dir, "solve gone --out s.png", 2, &["gone", "check the path"]);
    refuse(&dir, "scramble puzzle --out p", 2, &["puzzle", "folder", "name a file"]);
}

#[test]
fn methods_unsuitable_for_the_puzzle_are_refused() {
    let dir = folder();
    let line = "solve puzzle --method assignment --out s.png";
    refuse(&dir, line, 2, &["puzzle: ", "type 1", "--method"]);
    let line = "solve puzzle --method assignment --type 1 --grid 40x40 --out s.png";
    refuse(&dir, line, 2, &["1600 cells", "1024", "--method"]);
}

#[test]
fn boards_that_are_too_small_are_refused() {
    let dir = folder();
    for method in ["gallagher", "yu"] {
        let small = format!("solve puzzle --method {method} --grid 5x1 --out s.png");
        refuse(&dir, &small, 2, &["6 pieces", "5 columns x 1 rows", "3x2, 6x1", "--grid"]);
        // A larger board may be right, as pieces may be missing.
        let large = format!("solve puzzle --method {method} --grid 4x2 --out {method}.png");
        let run = succeed(&dir, &large);
        for words in ["warning: ", "2 of 8 cells", "--grid 3x2, or --grid 6x1"] {
            assert!(run.stderr.contains(words), "{words}: {run:?}");
        }
    }
}

#[test]
fn a_text_file_among_the_pieces_is_skipped_with_a_warning() {
    let dir = folder();
    fs::write(dir.join("puzzle/pieces/readme.txt"), "hello").unwrap();
    let run = succeed(&dir, "solve puzzle --out s.png");
    assert!(run.stderr.contains("warning: ") && run.stderr.contains("readme.txt"), "{run:?}");
    fs::write(dir.join("puzzle/pieces/000009.png"), "hello").unwrap();
    refuse(&dir, "solve puzzle --out s.png", 1, &["000009.png", "not a picture"]);
}

#[test]
fn pieces_of_unequal_size_are_refused() {
    let dir = folder();
    fs::copy(dir.join("photo.png"), dir.join("puzzle/pieces/000002.png")).unwrap();
    refuse(
        &dir,
        "solve puzzle --out s.png",
        1,
        &["000002.png", "000000.png", "must agree", "Remove or convert"],
    );
    fs::rename(dir.join("puzzle/pieces"), dir.join("loose")).unwrap();
    let words =
        ["5 of 28 x 28 (such as 000000.png)", "1 of 84 x 56 (such as 000002.png)", "--piece"];
    refuse(&dir, "solve loose --grid 3x2 --out s.png", 2, &words);
    let line = "solve loose --piece 28 --grid 3x2 --out s.png --solution s.json";
    let run = succeed(&dir, line);
    assert!(run.stderr.contains("000002.png: is 84 x 56 pixels"), "{run:?}");
    assert!(fs::read_to_string(dir.join("s.json")).unwrap().contains("\"skipped\""));
}

#[test]
fn fewer_than_two_pieces_are_refused() {
    let dir = folder();
    refuse(&dir, "scramble photo.png --piece 84x56 --out p", 1, &["p:", "at least 2", "smaller"]);
    refuse(&dir, "scramble photo.png --drop 5 --out p", 1, &["p:", "at least 2"]);
    refuse(&dir, "solve photo.png --piece 84x56 --out s.png", 1, &["photo.png", "at least 2"]);
    fs::create_dir(dir.join("none")).unwrap();
    refuse(&dir, "solve none --out s.png", 1, &["none", "at least 2", "name a folder"]);
    fs::create_dir(dir.join("one")).unwrap();
    fs::copy(dir.join("photo.png"), dir.join("one/0.png")).unwrap();
    refuse(&dir, "solve one --grid 1x1 --out s.png", 1, &["one", "at least 2"]);
}

#[test]
fn pieces_too_thin_for_a_gradient_are_refused() {
    let dir = folder();
    succeed(&dir, "scramble photo.png --piece 1x28 --type 1 --out thin");
    for measure in ["mgc", "seam", "lpq"] {
        let line = format!("solve thin --measure {measure} --out s.png");
        refuse(&dir, &line, 1, &["thin", "1 x 28", "larger pieces"]);
    }
}

#[test]
fn a_matcher_that_was_not_trained_on_the_measure_is_refused() {
    let dir = folder();
    for measure in ["mgc", "ssd", "lpq"] {
        let line = format!("solve puzzle --matcher learned --measure {measure} --out s.png");
        let known = "the matcher 'learned' was trained on the measure 'seam'";
        let unknown = format!("cannot use '{measure}'");
        let remedy = "choose the matcher 'ratio' or 'loops', or the measure 'seam'";
        refuse(&dir, &line, 2, &[known, &unknown, remedy]);
    }
}

#[test]
fn sizes_beyond_the_limits_are_refused() {
    let dir = folder();
    for grid in ["1000x1000", "4294967296x4294967296", "1000001x1", "x1000001"] {
        refuse(&dir, &format!("solve puzzle --grid {grid} --out s.png"), 2, &["--grid"]);
    }
    fs::write(dir.join("bomb.png"), claiming(30_000)).unwrap();
    refuse(&dir, "scramble bomb.png --out p", 1, &["bomb.png", "30000 x 30000", "smaller"]);
    refuse(&dir, "solve bomb.png --piece 28 --out s.png", 1, &["bomb.png", "30000 x 30000"]);
    fs::write(dir.join("puzzle/pieces/000001.png"), claiming(30_000)).unwrap();
    refuse(&dir, "solve puzzle --out s.png", 1, &["000001.png", "30000 x 30000"]);
    landscape(&dir, "many.png", 20, 20);
    refuse(&dir, "scramble many.png --piece 1 --out p", 2, &["many.png", "--piece"]);
}

#[test]
fn pictures_that_cannot_be_laid_side_by_side_are_refused() {
    let dir = folder();
    let refuse_scramble = |flags: &str, code, words: &[&str]| {
        refuse(&dir, &format!("scramble {flags} --out p"), code, words);
    };
    landscape(&dir, "other.png", 3, 2);
    fs::write(dir.join("notes.txt"), "no picture").unwrap();
    refuse_scramble("photo.png notes.txt other.png", 1, &["notes.txt", "not a picture", "Convert"]);
    refuse_scramble("photo.png gone.png", 2, &["gone.png", "check the path"]);
    refuse_scramble("photo.png other.png photo.png", 2, &["photo.png", "twice"]);
    // The pictures have 3 and 2 columns; the smaller one has 2 rows.
    let remedy = "give more pictures, or a smaller --grid or --piece";
    refuse_scramble("photo.png other.png --grid 6x2", 2, &["5 of 6 columns", remedy]);
    refuse_scramble("photo.png other.png --grid 5x3", 2, &["2 of 3 rows", remedy]);
    refuse_scramble("photo.png --grid 4x2", 2, &["3 of 4 columns", remedy]);
    refuse_scramble("photo.png --grid 3x3", 2, &["2 of 3 rows", remedy]);
    refuse_scramble("photo.png other.png --piece 90", 2, &["--grid", "--piece"]);
    for grid in ["0x3", "3x0", "3", "axb", "4294967296x1"] {
        refuse_scramble(&format!("photo.png --grid {grid}"), 2, &["--grid"]);
    }
    let grey = converted(&demo_picture(56, 56, 1), 1, 8);
    write_picture(&dir.join("grey.png"), &grey, None).unwrap();
    refuse_scramble(
        "photo.png grey.png --grid 5x2",
        2,
        &["grey.png", "1 channels", "photo.png", "3 of 8 bit", "convert"],
    );
    write_picture(&dir.join("glass.png"), &demo_picture(56, 56, 1), Some(100)).unwrap();
    refuse_scramble(
        "photo.png glass.png --grid 5x2",
        2,
        &["glass.png", "alpha", "photo.png", "convert"],
    );
    // Before the sizes are checked, only the headers of pictures are read.
    truncate(&dir.join("other.png"));
    refuse_scramble("photo.png other.png --grid 9x9", 2, &["5 of 9 columns"]);
    refuse_scramble("photo.png other.png --grid 5x2", 1, &["other.png", "damaged", "again"]);
    // Each picture is within the limits, all together are not.
    let names: Vec<String> = (0..4).map(|n| format!("large{n}.png")).collect();
    for name in &names {
        fs::write(dir.join(name), claiming(15_000)).unwrap();
    }
    let flags = format!("{} --piece 100", names.join(" "));
    refuse_scramble(&flags, 2, &["300 x 300 pieces", "268435456 pixels", "--grid"]);
}

#[test]
fn existing_and_impossible_outputs_are_refused() {
    let dir = folder();
    refuse(&dir, "scramble photo.png --out puzzle", 2, &["puzzle", "not empty", "new folder"]);
    refuse(&dir, "demo --out puzzle", 2, &["puzzle", "not empty"]);
    refuse(&dir, "scramble photo.png --out photo.png", 2, &["photo.png", "folder is needed"]);
    refuse(&dir, "scramble photo.png --out a/b", 2, &["a/b", "does not exist", "create it"]);
    refuse(&dir, "solve puzzle --out a/s.png", 2, &["a/s.png", "does not exist"]);
    refuse(&dir, "solve puzzle --out puzzle", 2, &["puzzle"]);
    refuse(
        &dir,
        "solve puzzle --out s.png --solution a/s.json",
        2,
        &["a/s.json", "does not exist"],
    );
    refuse(&dir, "solve puzzle --out s.png --solution puzzle", 2, &["puzzle", "is a folder"]);
    // An empty folder is accepted.
    fs::create_dir(dir.join("empty")).unwrap();
    succeed(&dir, "scramble photo.png --out empty");
}

#[cfg(unix)]
#[test]
fn missing_permissions_are_reported() {
    use std::os::unix::fs::PermissionsExt;
    let dir = folder();
    let locked = dir.join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    // Root has all permissions, so that these cases are for other users.
    if fs::write(locked.join("probe"), "").is_err() {
        refuse(&dir, "scramble photo.png --out locked/p", 1, &["locked/p", "permissions"]);
        refuse(&dir, "solve puzzle --out locked/s.png", 1, &["locked/s.png", "permissions"]);
        let line = "solve puzzle --out s.png --solution locked/s.json";
        refuse(&dir, line, 1, &["locked/s.json", "permissions"]);
        fs::set_permissions(dir.join("photo.png"), fs::Permissions::from_mode(0o000)).unwrap();
        refuse(&dir, "scramble photo.png --out p", 1, &["photo.png", "permissions"]);
    }
    // Not even root can create files in /proc.
    if Path::new("/proc/self").exists() {
        refuse(&dir, "scramble photo.png --out /proc/p", 1, &["/proc/p", "permissions"]);
        refuse(&dir, "demo --out /proc/p", 1, &["/proc/p", "permissions"]);
        refuse(&dir, "solve puzzle --out /proc/s.png", 1, &["/proc/s.png", "permissions"]);
        let line = "solve puzzle --out s.png --solution /proc/s.json";
        refuse(&dir, line, 1, &["/proc/s.json", "permissions"]);
    }
}

#[test]
fn malformed_documents_are_refused() {
    let dir = folder();
    for (name, eval) in [
        ("puzzle/truth.json", "eval --truth bad.json solution.json"),
        ("solution.json", "eval --truth puzzle/truth.json bad.json"),
    ] {
        let good = fs::read_to_string(dir.join(name)).unwrap();
        for (bad, words) in [
            (good.replacen("\"piece\":1,", "\"piece\":0,", 1), ["piece 0", "twice"]),
            (good.replacen("fretsaw-", "other-", 1), ["format", "other-"]),
            (good[..good.len() / 2].into(), ["line", "not JSON"]),
        ] {
            assert_ne!(bad, good);
            fs::write(dir.join("bad.json"), bad).unwrap();
            refuse(&dir, eval, 1, &[&["bad.json"], &words[..]].concat());
        }
        fs::remove_file(dir.join("bad.json")).unwrap();
        refuse(&dir, eval, 2, &["bad.json", "check the path"]);
    }
    // The two documents swapped.
    let line = "eval --truth solution.json puzzle/truth.json";
    refuse(&dir, line, 1, &["solution.json", "fretsaw-truth/1"]);
    let path = dir.join("puzzle/puzzle.json");
    let good = fs::read_to_string(&path).unwrap();
    for (from, to) in
        [("\"type\": 2", "\"type\": 4"), ("\"pieces\": 6", "\"pieces\": 7"), ("{", "[")]
    {
        assert!(good.contains(from), "{from} is not in {good}");
        fs::write(&path, good.replacen(from, to, 1)).unwrap();
        refuse(&dir, "solve puzzle --out s.png", 1, &["puzzle"]);
    }
    fs::write(&path, &good).unwrap();
    refuse(&dir, "solve puzzle --piece 14 --out s.png", 2, &["puzzle.json", "28 x 28", "14 x 14"]);
    fs::remove_file(dir.join("puzzle/pieces/000004.png")).unwrap();
    refuse(&dir, "solve puzzle --out s.png", 1, &["pieces", "6", "restore"]);
    refuse(&dir, "solve photo.png --out s.png", 2, &["photo.png", "--piece"]);
}

/// A picture file with a header of this size and no data.
fn claiming(side: u32) -> String {
    format!("P6\n{side} {side}\n255\n")
}
