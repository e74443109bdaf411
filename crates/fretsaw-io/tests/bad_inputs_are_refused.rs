//! Puzzles that cannot be read and folders that cannot be written are refused.

use crate::common::{
    SHEET, assert_tells, assert_usage, names_in, picture, pieces, png_claiming, read, shape,
    truth_of, with_piece, write, write_puzzle,
};
use fretsaw::puzzle::{Grid, PuzzleType};
use fretsaw_io::{
    InputOptions, IoError, Layout, Limits, ProblemKind, Scramble, check_output_folder, read_input,
    write_picture, write_scramble,
};
use std::fs;
use std::path::Path;

fn refusal(path: &Path) -> IoError {
    read(path).unwrap_err()
}

fn folder_of_two() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in ["a.png", "b.png"] {
        write_picture(&dir.path().join(name), &picture(4, 4, 3, 8), None).unwrap();
    }
    dir
}

/// A scramble folder of six 4 x 4 pieces.
fn scramble_folder(dir: &Path, layout: Layout) -> Result<(), IoError> {
    write_puzzle(dir, &pieces(6, shape(4, 4), 3, 8), (2, 3), layout).map(drop)
}

#[test]
fn paths_that_do_not_exist_are_refused() {
    let path = Path::new("no/such/input");
    assert_usage(&refusal(path), path, &["no such file", "check"]);
}

#[test]
fn pieces_that_do_not_agree_are_refused() {
    for (odd, words) in
        [(picture(4, 4, 1, 8), ["RGB", "grey"]), (picture(4, 4, 3, 16), ["8 bit", "16 bit"])]
    {
        let dir = folder_of_two();
        let path = dir.path().join("c.png");
        write_picture(&path, &odd, None).unwrap();
        let error = refusal(dir.path());
        assert_tells(&error, &path, &words);
        assert_tells(&error, &dir.path().join("a.png"), &["Remove or convert"]);
        assert!(!error.is_usage());
    }
}

#[test]
fn damaged_files_among_the_pieces_are_refused() {
    let dir = folder_of_two();
    let whole = fs::read(dir.path().join("a.png")).unwrap();
    let path = write(dir.path(), "c.png", &whole[..whole.len() / 2]);
    assert_tells(&refusal(dir.path()), &path, &["damaged"]);
    // A damaged file with the extension of a picture is not skipped.
    fs::write(&path, "text").unwrap();
    assert_tells(&refusal(dir.path()), &path, &["not a picture"]);
}

#[test]
fn fewer_than_two_pieces_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let words = ["holds 0 pieces", "at least 2", "name a folder"];
    assert_tells(&refusal(dir.path()), dir.path(), &words);
    let path = dir.path().join("only.png");
    write_picture(&path, &picture(4, 4, 3, 8), None).unwrap();
    assert_tells(&refusal(dir.path()), dir.path(), &["holds 1 pieces"]);
    for options in [with_piece(4, 4), with_piece(5, 4), with_piece(3, 4)] {
        let error = read_input(&path, &options).unwrap_err();
        assert_tells(&error, &path, &["at least 2", "smaller piece size"]);
    }
}

#[test]
fn sheets_without_a_piece_size_are_refused() {
    let dir = folder_of_two();
    let path = dir.path().join("a.png");
    assert_usage(&refusal(&path), &path, &["piece size"]);
    let text = write(dir.path(), "notes.txt", "no picture");
    assert_tells(&refusal(&text), &text, &["not a picture"]);
}

#[test]
fn piece_sizes_that_contradict_the_files_are_refused() {
    let dir = folder_of_two();
    let error = read_input(dir.path(), &with_piece(2, 8)).unwrap_err();
    assert_usage(&error, dir.path(), &["4 x 4", "8 x 2"]);
    assert!(read_input(dir.path(), &with_piece(4, 4)).is_ok());
    let scramble = dir.path().join("scramble");
    scramble_folder(&scramble, SHEET).unwrap();
    let error = read_input(&scramble, &with_piece(2, 2)).unwrap_err();
    assert_usage(&error, &scramble.join("puzzle.json"), &["4 x 4", "2 x 2"]);
}

#[test]
fn inputs_beyond_the_limits_are_refused() {
    let dir = folder_of_two();
    let bomb = write(dir.path(), "c.png", png_claiming(30_000, 30_000));
    assert_tells(&refusal(dir.path()), &bomb, &["30000 x 30000", "limit"]);
    assert_tells(&read_input(&bomb, &with_piece(28, 28)).unwrap_err(), &bomb, &["limit"]);
    fs::remove_file(bomb).unwrap();

    let limits = |max_pieces, max_pixels| InputOptions {
        limits: Limits { max_pieces, max_pixels, ..Limits::default() },
        ..InputOptions::default()
    };
    assert!(read_input(dir.path(), &limits(2, 32)).is_ok());
    let error = read_input(dir.path(), &limits(1, 32)).unwrap_err();
    assert_tells(&error, dir.path(), &["more than 1 files", "limit"]);
    let error = read_input(dir.path(), &limits(2, 31)).unwrap_err();
    assert_tells(&error, dir.path(), &["limit of 31 pixels"]);
    // A sheet within the limit on pixels may still hold too many pieces.
    let path = dir.path().join("a.png");
    let options = InputOptions { piece: Some(shape(2, 2)), ..limits(3, 32) };
    assert_tells(&read_input(&path, &options).unwrap_err(), &path, &["4 pieces", "limit of 3"]);
}

#[test]
fn puzzle_files_that_claim_too_much_or_nonsense_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let scramble = dir.path().join("scramble");
    scramble_folder(&scramble, Layout::Folder).unwrap();
    let path = scramble.join("puzzle.json");
    let good: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let cases = [
        ("pieces", "200001", "200001 pieces"),
        ("pieces", "18446744073709551615", "limit"),
        ("pieces", "18446744073709551616", "line"),
        ("pieces", "1e30", "line"),
        ("pieces", "-6", "line"),
        ("pieces", "1", "at least 2"),
        ("pieces", "7", "2 rows and 3 columns"),
        ("pieces", "5", "says 5"),
        ("piece", r#"{"width": 0, "height": 4}"#, "empty"),
        ("piece", r#"{"width": 100000, "height": 100000}"#, "limit"),
        ("piece", r#"{"width": 4294967296, "height": 4294967296}"#, "limit"),
        ("piece", r#"{"width": 20000, "height": 10000}"#, "limit"),
        ("piece", r#"{"width": 5, "height": 4}"#, "5 x 4"),
        ("piece", r#"{"width": 5}"#, "height"),
        ("channels", "0", "channels"),
        ("channels", "5", "channels"),
        ("channels", "1", "1 channels"),
        ("bits", "32", "bits"),
        ("bits", "16", "16 bit"),
        ("type", "4", "1, 2 or 3"),
        ("type", "\"2\"", "line"),
        ("rows", "null", "rows and cols"),
        ("rows", "0", "no cells"),
        ("cols", "18446744073709551615", "more than"),
        ("layout", "{\"sheet\": 0}", "0 columns"),
        ("layout", "\"heap\"", "heap"),
        ("layout", "{\"sheet\": 3}", "sheet.png"),
        ("format", "\"fretsaw-puzzle/2\"", "fretsaw-puzzle/1"),
        ("format", "\"fretsaw-truth/1\"", "fretsaw-puzzle/1"),
        ("format", "7", "fretsaw-puzzle/1"),
        ("format", "null", "missing"),
    ];
    for (key, value, word) in cases {
        let mut bad = good.as_object().unwrap().clone();
        bad.remove(key);
        let mut text = serde_json::to_string(&bad).unwrap();
        text.truncate(text.len() - 1);
        fs::write(&path, format!("{text}, {key:?}: {value}}}")).unwrap();
        assert_tells(&refusal(&scramble), &scramble, &[word]);
    }
    fs::write(&path, "{\"format\": \"fretsaw-puzzle/1\",\n \"type\": 2,\n oops").unwrap();
    assert_tells(&refusal(&scramble), &path, &["line 3", "column 2"]);
    for text in ["", "[]", "3", "{", "nonsense"] {
        fs::write(&path, text).unwrap();
        assert_tells(&refusal(&scramble), &path, &["line"]);
    }
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_tells(&refusal(&scramble), &path, &["is a folder"]);
}

#[test]
fn unknown_fields_are_ignored() {
    let dir = tempfile::tempdir().unwrap();
    let scramble = dir.path().join("scramble");
    scramble_folder(&scramble, Layout::Folder).unwrap();
    let path = scramble.join("puzzle.json");
    let text = fs::read_to_string(&path).unwrap().replacen('{', "{\"new\": [1, {}],", 1);
    fs::write(&path, text).unwrap();
    assert!(read(&scramble).is_ok());
}

#[test]
fn scramble_folders_with_parts_missing_or_changed_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("folder");
    scramble_folder(&folder, Layout::Folder).unwrap();
    fs::remove_file(folder.join("pieces/000003.png")).unwrap();
    assert_tells(&refusal(&folder), &folder.join("pieces"), &["5 pieces", "says 6", "restore"]);
    fs::remove_dir_all(folder.join("pieces")).unwrap();
    assert_tells(&refusal(&folder), &folder.join("pieces"), &["no such"]);
    let sheet = dir.path().join("sheet");
    scramble_folder(&sheet, SHEET).unwrap();
    let path = sheet.join("sheet.png");
    write_picture(&path, &picture(12, 12, 3, 8), None).unwrap();
    assert_tells(&refusal(&sheet), &path, &["12 x 12", "12 x 8"]);
    write_picture(&path, &picture(12, 8, 1, 8), None).unwrap();
    assert_tells(&refusal(&sheet), &path, &["1 channels", "3 channels"]);
}

#[test]
fn output_folders_that_exist_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let taken = dir.path().join("taken");
    fs::create_dir(&taken).unwrap();
    write(&taken, ".hidden", "kept");
    let file = write(dir.path(), "file", "kept");
    let before = names_in(dir.path());
    for layout in [Layout::Folder, SHEET] {
        let error = scramble_folder(&taken, layout).unwrap_err();
        assert_usage(&error, &taken, &["not empty", "new folder"]);
        assert_eq!(check_output_folder(&taken).unwrap_err().to_string(), error.to_string());

        assert_usage(&scramble_folder(&file, layout).unwrap_err(), &file, &["is a file"]);
        let error = scramble_folder(&file.join("inside"), layout).unwrap_err();
        assert_tells(&error, &file, &["is a file"]);
        let missing = dir.path().join("missing").join("deep");
        let error = scramble_folder(&missing, layout).unwrap_err();
        assert_usage(&error, &missing, &["does not exist", "create"]);
        // All files are written before the final rename fails.
        let long = dir.path().join("x".repeat(300));
        let error = scramble_folder(&long, layout).unwrap_err();
        assert_eq!(error.problem.kind, ProblemKind::System, "{error:?}");
        assert_tells(&error, &long, &["cannot be written"]);
    }
    assert_eq!(names_in(dir.path()), before);
    assert_eq!(names_in(&taken), [".hidden"]);
}

#[cfg(unix)]
#[test]
fn output_folders_without_permission_are_refused() {
    use std::os::unix::fs::PermissionsExt;
    let parent = tempfile::tempdir().unwrap();
    let set = |mode| {
        fs::set_permissions(parent.path(), fs::Permissions::from_mode(mode)).unwrap();
    };
    set(0o555);
    let probe = parent.path().join("probe");
    if fs::create_dir(&probe).is_err() {
        let dir = parent.path().join("new");
        let error = scramble_folder(&dir, SHEET).unwrap_err();
        assert!(!error.is_usage());
        assert_tells(&error, &dir, &["permission"]);
    }
    set(0o755);
    let _ = fs::remove_dir(probe);
    assert_eq!(names_in(parent.path()), Vec::<String>::new());
}

#[cfg(target_os = "linux")]
#[test]
fn output_folders_where_not_even_root_may_write_are_refused() {
    let dir = Path::new("/proc/fretsaw-test");
    let error = scramble_folder(dir, Layout::Folder).unwrap_err();
    assert_eq!(error.problem.kind, ProblemKind::System, "{error:?}");
    assert_tells(&error, dir, &["permissions"]);
}

#[test]
fn scrambles_that_contradict_themselves_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let of = |num, channels| pieces(num, shape(4, 4), channels, 8);
    let six = of(6, 3);
    let grid = Grid::new(2, 3).unwrap();
    let truth = truth_of(&six, grid);
    let scramble = Scramble {
        pieces: &six,
        puzzle_type: PuzzleType::Type2,
        grid: Some(grid),
        layout: Layout::Folder,
        constant_alpha: None,
        truth: &truth,
    };
    let (four, bands, one) = (of(4, 3), of(6, 7), of(1, 3));
    let lone = truth_of(&one, Grid::new(1, 1).unwrap());
    for (bad, words) in [
        (Scramble { pieces: &four, ..scramble }, ["6 pieces", "4"]),
        (Scramble { grid: Grid::new(1, 3).ok(), ..scramble }, ["1 rows", "3 columns"]),
        (Scramble { pieces: &bands, ..scramble }, ["7 channels", ""]),
        (Scramble { pieces: &one, truth: &lone, ..scramble }, ["at least 2", ""]),
    ] {
        assert_tells(&write_scramble(&out, &bad).unwrap_err(), &out, &words);
    }
    assert_eq!(names_in(dir.path()), Vec::<String>::new());
}
