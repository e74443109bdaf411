//! Truths and solutions survive the round trip; malformed and contradictory ones are refused.

use crate::common::{assert_tells, assert_usage, names_in, pieces, place, shape, truth_of, write};
use fretsaw::preparation::{Done, Preparation, Window};
use fretsaw::puzzle::{
    Assembly, Grid, GroundTruth, Join, PieceId, PieceShape, QuarterTurn, Side, SideId,
};
use fretsaw::solution::WearEstimate;
use fretsaw::solution::{Alternative, SeamConfidence, Suggestion};
use fretsaw_io::{
    IoError, Limits, PiecesFingerprint, Skipped, SolutionFile, SolutionInfo, Timing, TruthFile,
    TruthInfo, Upright, read_solution, read_truth, write_solution, write_truth,
};
use std::fs;
use std::path::Path;

fn seam(a: usize, a_side: Side, b: usize, b_side: Side, confidence: f64) -> SeamConfidence {
    let side = |piece, side| SideId::new(PieceId::new(piece), side);
    SeamConfidence { join: Join::new(side(a, a_side), side(b, b_side)), confidence }
}

/// A suggestion for the place of a piece: others, with their turns and likelihoods.
fn suggestion(piece: usize, likelihood: f64, others: &[(usize, i64, f64)]) -> Suggestion {
    let alternative = |&(piece, turns, likelihood): &(usize, i64, f64)| Alternative {
        piece: PieceId::new(piece),
        turn: QuarterTurn::from_clockwise(turns),
        likelihood,
    };
    let alternatives = others.iter().map(alternative).collect();
    Suggestion { piece: PieceId::new(piece), likelihood, alternatives }
}

fn preparation(num_pieces: usize) -> Preparation {
    let window = |piece: usize| Window {
        left_px: 0.1 + piece as f64,
        top_px: 2.0,
        width_px: 30.5,
        height_px: 29.75,
        tilt_degrees: -1.25,
    };
    let done = Done { background: true, sizes: true, trimmed_px: 2 };
    let shape = PieceShape::new(28, 28).unwrap();
    Preparation::new(shape, (0..num_pieces).map(window).collect(), done).unwrap()
}

#[test]
fn a_preparation_of_another_number_of_pieces_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("solution.json");
    write_solution(&path, &SolutionFile { preparation: Some(preparation(5)), ..solution() })
        .unwrap();
    let error = read_solution(&path, &Limits::default()).unwrap_err().to_string();
    assert!(error.contains("5 windows") && error.contains("6 pieces"), "{error}");
}

fn solution() -> SolutionFile {
    let boards = vec![Grid::new(2, 2).unwrap(), Grid::new(1, 1).unwrap()];
    let mut on_other_board = place(4, 0, 0);
    on_other_board.place.board = 1;
    let placements = [place(0, 0, 1), place(2, 1, 1), on_other_board];
    SolutionFile {
        assembly: Assembly::new(6, boards, placements).unwrap(),
        confidences: vec![Some(0.1), None, Some(1.0), None, Some(1e-300), None],
        seams: vec![seam(0, Side::Bottom, 2, Side::Top, 0.3)],
        mirrored: Vec::new(),
        interchangeable: [[0, 4], [1, 5]].map(|group| group.map(PieceId::new).to_vec()).into(),
        suggestions: vec![
            suggestion(2, 0.25, &[(5, 3, 0.5), (2, 1, 0.125)]),
            suggestion(0, 1.0, &[]),
        ],
        names: (0..6).map(|piece| format!("tile {piece}.png")).collect(),
        preparation: Some(preparation(6)),
        info: SolutionInfo {
            version: Some("0.1.0".into()),
            method: Some("gallagher".into()),
            settings: serde_json::json!({"measure": "mgc", "nested": [1, 2.5, null]}),
            seed: Some(u64::MAX),
            timings: vec![
                Timing { stage: "measure".into(), seconds: 0.1 + 0.2 },
                Timing { stage: "assemble".into(), seconds: 0.0 },
            ],
            status: Some("solved".into()),
            skipped: vec![Skipped {
                name: "pieces/notes.txt".into(),
                reason: "is not a picture".into(),
            }],
            upright: Some(Upright { turns: 2, probability: 0.96 }),
            fingerprint: Some(PiecesFingerprint::of(&pieces(6, shape(2, 3), 3, 8))),
            wear: Some(WearEstimate {
                gap_px: 5.75,
                gain_spread: 0.05,
                offset_spread: 0.0,
                misfit_px: 0.5,
                joins: 7,
            }),
        },
    }
}

#[test]
fn documents_survive_the_round_trip() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("solution.json");
    for solution in [
        solution(),
        SolutionFile { info: SolutionInfo::default(), ..solution() },
        SolutionFile { confidences: vec![None; 6], ..solution() },
        SolutionFile { seams: vec![], interchangeable: vec![], ..solution() },
        SolutionFile { suggestions: vec![], names: vec![], ..solution() },
    ] {
        write_solution(&path, &solution).unwrap();
        assert_eq!(read_solution(&path, &Limits::default()).unwrap(), solution);
    }
    assert_eq!(names_in(dir.path()), ["solution.json"]);

    let path = dir.path().join("truth.json");
    let with_looks = truth_of(&pieces(6, shape(3, 3), 1, 8), Grid::new(2, 3).unwrap());
    let bare = GroundTruth::new(with_looks.truth.assembly().clone(), None).unwrap();
    for truth in [with_looks, TruthFile { truth: bare, info: TruthInfo::default() }] {
        write_truth(&path, &truth).unwrap();
        assert_eq!(read_truth(&path, &Limits::default()).unwrap(), truth);
    }
}

#[test]
fn each_placement_is_on_its_own_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.json");
    write_solution(&path, &solution()).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().filter(|line| line.contains("\"row\"")).count(), 3);
    assert!(
        text.contains(
            "{\"piece\":0,\"board\":0,\"row\":0,\"col\":1,\"turns\":0,\"confidence\":0.1}"
        )
    );
    assert!(text.contains("\"unplaced\": [1,3,5]"));
    let names: Vec<_> =
        text.lines().filter_map(|line| line.strip_prefix("  \"")?.split('"').next()).collect();
    assert_eq!(
        names.join(" "),
        "format version method settings seed timings status skipped upright fingerprint wear boards placements \
         unplaced seams interchangeable suggestions names preparation"
    );
    assert!(text.contains("{\"a\":0,\"a_side\":2,\"b\":2,\"b_side\":0,\"confidence\":0.3}"));
    assert!(text.contains("\"interchangeable\": [\n    [0,4],\n    [1,5]\n  ]"));
}

/// A document with placements of pieces 0 and 1 on a board of 1 x 2; `second` replaces that of piece 1.
fn document(format: &str, second: &str, rest: &str) -> String {
    format!(
        r#"{{"format": "{format}", "boards": [{{"rows": 1, "cols": 2}}],
"placements": [{{"piece": 0, "board": 0, "row": 0, "col": 0, "turns": 0}}{second}]{rest}}}"#
    )
}

const GOOD: &str = r#", {"piece": 1, "board": 0, "row": 0, "col": 1, "turns": 3}"#;

/// Writes and reads a solution of two pieces with further fields.
fn solution_with(path: &Path, rest: &str) -> Result<SolutionFile, IoError> {
    fs::write(path, document("fretsaw-solution/1", GOOD, rest)).unwrap();
    read_solution(path, &Limits::default())
}

fn refusals(path: &Path, text: &dyn Fn(&str) -> String) -> [IoError; 2] {
    let limits = Limits::default();
    fs::write(path, text("fretsaw-truth/1")).unwrap();
    let truth = read_truth(path, &limits).unwrap_err();
    fs::write(path, text("fretsaw-solution/1")).unwrap();
    [truth, read_solution(path, &limits).unwrap_err()]
}

#[test]
fn contradictory_placements_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("d.json");
    let cases: [(&str, &str, &[&str]); 19] = [
        (r#""piece": 1"#, r#""piece": 0"#, &["piece 0", "twice"]),
        (r#""col": 1"#, r#""col": 0"#, &["row 0", "column 0", "twice"]),
        (r#""turns": 3"#, r#""turns": 7"#, &["piece 1", "7", "0, 1, 2 or 3"]),
        (r#""piece": 1"#, r#""piece": 2"#, &["piece 1", "missing", "piece 2"]),
        (r#""piece": 1"#, r#""piece": 18446744073709551615"#, &["missing"]),
        (r#""piece": 1"#, r#""piece": 18446744073709551616"#, &["line 2"]),
        (r#""piece": 1"#, r#""piece": -1"#, &["-1", "line 2"]),
        (r#""piece": 1"#, r#""piece": 1.5"#, &["1.5", "line 2"]),
        (r#""piece": 1"#, r#""piece": "1""#, &["line 2"]),
        (r#""piece": 1"#, r#""piece": null"#, &["line 2"]),
        (r#""col": 1, "#, "", &["col", "line 2"]),
        (r#""board": 0"#, r#""board": 1"#, &["piece 1", "board 1"]),
        (r#""board": 0"#, r#""board": 18446744073709551615"#, &["board 18446744073709551615"]),
        (r#""row": 0"#, r#""row": 1"#, &["piece 1", "row 1", "outside"]),
        (r#""row": 0"#, r#""row": 4294967296"#, &["row 4294967296", "outside"]),
        (r#""turns": 3"#, r#""turns": 18446744073709551615"#, &["turns must"]),
        ("3}", r#"3, "looks": [1, 2, 3]}"#, &["line 2"]),
        (r#""piece": 1"#, r#""piece": 1, "piece": 1"#, &["duplicate", "line 2"]),
        (GOOD, ", 5", &["line 2"]),
    ];
    for (from, to, words) in cases {
        assert!(GOOD.contains(from), "{from}");
        for error in refusals(&path, &|format| document(format, &GOOD.replace(from, to), "")) {
            assert_tells(&error, &path, words);
            assert!(!error.is_usage());
        }
    }
}

#[test]
fn pieces_must_be_placed_or_unplaced_once() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.json");
    let read = |rest: &str| solution_with(&path, rest);
    assert_eq!(read("").unwrap().assembly.num_pieces(), 2);
    let three = read(r#", "unplaced": [2]"#).unwrap().assembly;
    assert_eq!((three.num_pieces(), three.num_placed()), (3, 2));
    let words: [(&str, &[&str]); 5] = [
        (r#", "unplaced": [1]"#, &["piece 1", "unplaced", "once"]),
        (r#", "unplaced": [2, 2]"#, &["piece 2", "unplaced", "once"]),
        (r#", "unplaced": [3]"#, &["piece 2", "missing", "piece 3"]),
        (r#", "unplaced": [-1]"#, &["-1"]),
        (r#", "unplaced": 4"#, &["line"]),
    ];
    for (rest, words) in words {
        assert_tells(&read(rest).unwrap_err(), &path, words);
    }
}

#[test]
fn seams_and_interchangeable_pieces_are_those_of_the_assembly() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.json");
    let read = |rest: &str| solution_with(&path, rest);
    let seams = |seams: &str| read(&format!(r#", "seams": [{seams}]"#));
    // Older files, and those of other solvers, have neither.
    let bare = read("").unwrap();
    assert_eq!((bare.seams, bare.interchangeable), (vec![], Vec::<Vec<PieceId>>::new()));
    // Piece 0 lies upright at the left; piece 1 was turned by three, so that its top faces left.
    let good = r#"{"a": 0, "a_side": 1, "b": 1, "b_side": 0, "confidence": 0.5}"#;
    let other = r#"{"a": 1, "a_side": 0, "b": 0, "b_side": 1, "confidence": 0.5}"#;
    for good in [good, other] {
        let found = seams(good).unwrap().seams;
        assert_eq!(found, [seam(0, Side::Right, 1, Side::Top, 0.5)]);
    }
    let with = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replace(from, to)
    };
    let cases: [(String, &[&str]); 9] = [
        (with(r#""b": 1"#, r#""b": 2"#), &["a seam", "piece 2", "2 pieces"]),
        (with(r#""b": 1"#, r#""b": 18446744073709551615"#), &["18446744073709551615"]),
        (with(r#""b": 1"#, r#""b": -1"#), &["-1"]),
        (with(r#""b_side": 0"#, r#""b_side": 4"#), &["side 4", "0, 1, 2 or 3"]),
        (with(r#""b_side": 0"#, r#""b_side": 3"#), &["piece 1 side 3", "do not touch"]),
        (with("0.5", "1.5"), &["piece 0 side 1", "1.5", "between 0 and 1"]),
        (with("0.5", "-0.5"), &["between 0 and 1"]),
        (with(r#", "confidence": 0.5"#, ""), &["confidence"]),
        (format!("{good}, {other}"), &["piece 0 side 1", "twice"]),
    ];
    for (text, words) in cases {
        assert_tells(&seams(&text).unwrap_err(), &path, words);
    }
    let groups = |groups: &str| read(&format!(r#", "interchangeable": {groups}"#));
    assert_eq!(groups("[[0, 1]]").unwrap().interchangeable, [[0, 1].map(PieceId::new)]);
    let cases: [(&str, &[&str]); 7] = [
        ("[[0, 2]]", &["interchangeable", "piece 2", "2 pieces"]),
        ("[[0, 18446744073709551615]]", &["18446744073709551615"]),
        ("[[0, -1]]", &["-1"]),
        ("[[0, 0]]", &["piece 0", "twice"]),
        ("[[0, 1], [1, 0]]", &["piece 1", "twice"]),
        ("[[0]]", &["1 pieces", "at least two"]),
        ("[0, 1]", &["line"]),
    ];
    for (text, words) in cases {
        assert_tells(&groups(text).unwrap_err(), &path, words);
    }
    // Documents that could not be read are not written.
    fs::remove_file(&path).unwrap();
    for confidence in [f64::NAN, 1.1] {
        let seams = vec![seam(0, Side::Bottom, 2, Side::Top, confidence)];
        let error = write_solution(&path, &SolutionFile { seams, ..solution() }).unwrap_err();
        assert_tells(&error, &path, &["piece 2 side 0", "between 0 and 1"]);
    }
    let interchangeable = vec![[0, 6].map(PieceId::new).to_vec()];
    let error = write_solution(&path, &SolutionFile { interchangeable, ..solution() }).unwrap_err();
    assert_tells(&error, &path, &["no piece 6"]);
    assert_eq!(names_in(dir.path()), Vec::<String>::new());
}

#[test]
fn suggestions_and_names_are_of_the_pieces() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.json");
    let read = |rest: &str| solution_with(&path, rest);
    let suggestions = |records: &str| read(&format!(r#", "suggestions": [{records}]"#));
    let other = r#"{"piece": 1, "turns": 2, "likelihood": 0.25}"#;
    let good = format!(r#"{{"piece": 0, "likelihood": 0.5, "alternatives": [{other}]}}"#);
    assert_eq!(suggestions(&good).unwrap().suggestions, [suggestion(0, 0.5, &[(1, 2, 0.25)])]);
    let with = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replace(from, to)
    };
    let cases: [(String, &[&str]); 9] = [
        (with(r#""piece": 0"#, r#""piece": 2"#), &["a suggestion", "piece 2", "2 pieces"]),
        (with(r#""piece": 1"#, r#""piece": 18446744073709551615"#), &["18446744073709551615"]),
        (with(r#""piece": 1"#, r#""piece": -1"#), &["-1"]),
        (with(r#""turns": 2"#, r#""turns": 4"#), &["4 turns", "0, 1, 2 or 3"]),
        (with("0.25", "1.5"), &["piece 0", "1.5", "between 0 and 1"]),
        (with("0.5", "-0.5"), &["-0.5", "between 0 and 1"]),
        (with(other, &format!("{other}, {other}")), &["piece 1 turned 2 times", "twice"]),
        (
            with(r#""piece": 1, "turns": 2"#, r#""piece": 0, "turns": 0"#),
            &["piece 0 turned 0 times", "lies there"],
        ),
        (format!("{good}, {good}"), &["two suggestions", "piece 0"]),
    ];
    for (text, words) in cases {
        assert_tells(&suggestions(&text).unwrap_err(), &path, words);
    }
    let unplaced =
        r#", "unplaced": [2], "suggestions": [{"piece": 2, "likelihood": 1, "alternatives": []}]"#;
    assert_tells(&read(unplaced).unwrap_err(), &path, &["piece 2", "no place"]);
    let names = |names: &str| read(&format!(r#", "names": {names}"#));
    assert_eq!(names(r#"["a", "b"]"#).unwrap().names, ["a", "b"]);
    assert_tells(&names(r#"["a"]"#).unwrap_err(), &path, &["1 names", "2 pieces"]);
}

#[test]
fn impossible_boards_and_settings_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("d.json");
    for (boards, word) in [
        (r#"[{"rows": 0, "cols": 2}]"#, "no cells"),
        (r#"[{"rows": 18446744073709551615, "cols": 18446744073709551615}]"#, "more than"),
        (r#"[{"rows": 2000000, "cols": 1}]"#, "more than"),
        (r#"[{"rows": 1}]"#, "cols"),
        ("[]", "0 boards"),
        ("{}", "line"),
    ] {
        for error in refusals(&path, &|format| {
            document(format, GOOD, "").replace(r#"[{"rows": 1, "cols": 2}]"#, boards)
        }) {
            assert_tells(&error, &path, &[word]);
        }
    }
    // Large boards, and many of them, would fill the memory.
    let large = r#"{"rows": 500, "cols": 500}"#.to_string();
    let many = vec![r#"{"rows": 1, "cols": 1}"#; 1000].join(",");
    for (boards, word) in [(large, "limit of 200000 cells"), (many, "1000 boards")] {
        for error in refusals(&path, &|format| {
            document(format, GOOD, "").replace(r#"{"rows": 1, "cols": 2}"#, &boards)
        }) {
            assert_tells(&error, &path, &[word]);
        }
    }
    for error in refusals(&path, &|format| {
        format!(r#"{{"format": "{format}", "boards": [], "placements": []}}"#)
    }) {
        assert_tells(&error, &path, &["no pieces"]);
    }
    let truth = |rest: &str| {
        fs::write(&path, document("fretsaw-truth/1", GOOD, rest)).unwrap();
        read_truth(&path, &Limits::default())
    };
    assert!(truth("").is_ok());
    for (rest, word) in [
        (r#", "type": 0"#, "1, 2 or 3"),
        (r#", "seed": -1"#, "-1"),
        (r#", "settings": {"corrupt": 1.5}"#, "1.5"),
        (r#", "settings": {"corrupt": 1e999}"#, "line"),
        (r#", "settings": {"drop": "x"}"#, "line"),
    ] {
        assert_tells(&truth(rest).unwrap_err(), &path, &[word]);
    }
    // Pixel classes for one of two pieces.
    let some = GOOD.replace("3}", "3, \"looks\": [0, 1, 2, 3]}");
    fs::write(&path, document("fretsaw-truth/1", &some, "")).unwrap();
    assert_tells(&read_truth(&path, &Limits::default()).unwrap_err(), &path, &["1 of 2", "looks"]);
}

#[test]
fn impossible_confidences_and_times_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.json");
    for confidence in [f64::NAN, f64::INFINITY, -0.1, 1.1] {
        let mut bad = solution();
        bad.confidences[2] = Some(confidence);
        let error = write_solution(&path, &bad).unwrap_err();
        assert_tells(&error, &path, &["piece 2", "between 0 and 1"]);
    }
    let mut bad = solution();
    bad.info.timings[1].seconds = f64::NAN;
    assert_tells(&write_solution(&path, &bad).unwrap_err(), &path, &["assemble", "finite"]);
    for (turns, probability, word) in [(4, 0.5, "4 turns"), (0, 1.5, "between 0 and 1")] {
        let mut bad = solution();
        bad.info.upright = Some(Upright { turns, probability });
        assert_tells(&write_solution(&path, &bad).unwrap_err(), &path, &["upright", word]);
    }
    assert_eq!(names_in(dir.path()), Vec::<String>::new());
    let text = document("fretsaw-solution/1", &GOOD.replace("3}", "3, \"confidence\": 2}"), "");
    fs::write(&path, text).unwrap();
    let error = read_solution(&path, &Limits::default()).unwrap_err();
    assert_tells(&error, &path, &["piece 1", "between 0 and 1"]);
}

#[test]
fn malformed_documents_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("d.json");
    for (text, words) in [
        ("", ["line 1", "column 0"]),
        ("{", ["line 1", "column 1"]),
        ("{\"format\": \"x\",\n\n  oops}", ["line 3", "column 3"]),
        ("{} trailing", ["line 1", "column 4"]),
        ("[1, 2]", ["line 1", "line 1"]),
        ("\u{feff}{}", ["line 1", "column 1"]),
        ("{\"boards\": []}", ["missing", "format"]),
        ("{\"format\": \"fretsaw-puzzle/1\"}", ["fretsaw-puzzle/1", "name the right file"]),
        ("{\"format\": \"fretsaw-truth/9\"}", ["fretsaw-truth/9", "this version"]),
    ] {
        for error in refusals(&path, &|_| text.into()) {
            assert_tells(&error, &path, &words);
        }
    }
    for error in refusals(&path, &|_| "[".repeat(100_000)) {
        assert_tells(&error, &path, &["line 1"]);
    }
    // A solution is not accepted as a truth.
    fs::write(&path, document("fretsaw-solution/1", GOOD, "")).unwrap();
    let error = read_truth(&path, &Limits::default()).unwrap_err();
    assert_tells(&error, &path, &["fretsaw-truth/1", "is needed"]);
    fs::write(&path, [b'{', 0xff, b'}']).unwrap();
    assert!(read_truth(&path, &Limits::default()).is_err());
}

#[test]
fn missing_and_oversized_documents_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("missing.json");
    assert_usage(&read_truth(&path, &Limits::default()).unwrap_err(), &path, &["no such file"]);
    let error = read_solution(dir.path(), &Limits::default()).unwrap_err();
    assert_tells(&error, dir.path(), &["folder"]);
    let text = document("fretsaw-solution/1", GOOD, "");
    let path = write(dir.path(), "s.json", &text);
    let limits = |max_json_bytes| Limits { max_json_bytes, ..Limits::default() };
    assert!(read_solution(&path, &limits(text.len() as u64)).is_ok());
    let error = read_solution(&path, &limits(text.len() as u64 - 1)).unwrap_err();
    assert_tells(&error, &path, &["bytes", "limit"]);
}

#[test]
fn documents_that_cannot_be_written_leave_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "file", "kept");
    for path in [file.join("s.json"), dir.path().join("missing/s.json"), dir.path().into()] {
        assert!(write_solution(&path, &solution()).unwrap_err().is_usage());
    }
    for path in ["s.json/", "file/"].map(|name| dir.path().join(name)) {
        let error = fretsaw_io::check_file_target(&path).unwrap_err();
        assert_usage(&error, &path, &["name of a folder"]);
        assert!(write_solution(&path, &solution()).unwrap_err().is_usage());
    }
    let long = dir.path().join("x".repeat(300));
    assert_usage(&write_solution(&long, &solution()).unwrap_err(), &long, &["too long"]);
    assert_eq!(names_in(dir.path()), ["file"]);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_written_to_and_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let Some(pipe) = crate::common::pipe(dir.path(), "pipe.json") else { return };
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || read_solution(&pipe, &Limits::default())
    });
    write_solution(&pipe, &solution()).unwrap();
    assert_eq!(reader.join().unwrap().unwrap(), solution());
    assert_eq!(names_in(dir.path()), ["pipe.json"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let full = Path::new("/dev/full");
    if full.exists() {
        assert_tells(&write_solution(full, &solution()).unwrap_err(), full, &["space"]);
    }
}
