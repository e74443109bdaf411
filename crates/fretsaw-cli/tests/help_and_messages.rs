//! Every command has help, and the flags control which messages are printed.

use crate::common::{
    Folder, check_help, json_in, json_of, landscape, program_in, puzzle_folder, refuse, succeed,
};
use fretsaw::picture::Picture;
use fretsaw::puzzle::Samples;
use fretsaw_io::write_picture;

const COMMANDS: [&str; 10] =
    ["", "demo", "scramble", "solve", "apply", "suggest", "eval", "inspect", "completions", "man"];

#[test]
fn every_command_explains_itself_with_an_example_and_the_version_is_told() {
    check_help("fretsaw", &COMMANDS);
}

#[test]
fn the_flags_of_solve_fit_one_screen_under_headings() {
    let dir = Folder::new();
    let help = succeed(&dir, "solve -h").stdout;
    assert!(help.lines().count() <= 60, "{}", help.lines().count());
    let flags = help.lines().filter(|line| line.trim_start().starts_with('-'));
    let own = flags.filter(|line| {
        !["--quiet", "--verbose", "--help", "--version"].iter().any(|x| line.contains(x))
    });
    assert!(own.count() <= 33);
    for (heading, flag) in [
        ("Input:", "--piece"),
        ("What is known:", "--grid"),
        ("Output:", "--out"),
        ("Limits:", "--time-limit"),
        ("Research:", "--method"),
    ] {
        let (_, group) = help.split_once(heading).unwrap();
        let group = group.split("\n\n").next().unwrap();
        assert!(group.contains(flag), "{heading} {group}");
    }
}

#[test]
fn a_picture_is_written_beside_the_input_if_no_name_is_given() {
    let dir = puzzle_folder(3, 4, "--type 1");
    for name in ["puzzle-solved.png", "puzzle-solved-2.png"] {
        let run = succeed(&dir, "solve puzzle");
        assert!(run.stderr.contains(name) && dir.join(name).is_file(), "{run:?}");
    }
}

#[test]
fn wrong_arguments_exit_with_2() {
    let dir = puzzle_folder(2, 3, "");
    for (line, word) in [
        ("solve puzzle --out s.png --colour", "--colour"),
        ("solve puzzle --out s.png --measure best", "best"),
        ("solve puzzle --out s.png --matcher best", "best"),
        ("solve puzzle --out s.png --matcher learned --measure mgc", "cannot use 'mgc'"),
        ("solve puzzle --out s.png --type 4", "4"),
        ("solve puzzle --out s.png --grid 3x0", "--grid"),
        ("solve puzzle --out s.png --grid 3x1", "3x2"),
        ("solve puzzle --out s.png --grid 3x-2", "-2"),
        ("solve puzzle --out s.png --threads 0", "--threads"),
        ("solve puzzle --out s.png --threads 9999999", "--threads"),
        ("solve puzzle --out s.png --solution s.png", "same file"),
        ("solve puzzle --out s.xyz", ".png"),
        ("scramble photo.png --out p --piece 0", "0"),
        ("scramble photo.png --out p --piece 28x", "28x"),
        ("scramble photo.png --out p --corrupt 1.5", "--corrupt"),
        ("scramble photo.png --out p --corrupt NaN", "--corrupt"),
        ("scramble photo.png --out p --drop 6", "--drop"),
        ("scramble photo.png --out p --drop 1 --type 3", "--drop"),
        ("scramble photo.png --out p --piece 100", "--piece"),
        ("unheard-of", "unheard-of"),
    ] {
        refuse(&dir, line, 2, &[word]);
    }
    assert_eq!(program_in(&dir, &[""; 0]).code, Some(2));
}

#[test]
fn quiet_prints_nothing_on_success() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 4, 5);
    // Not even warnings about cropped pixels.
    for line in [
        "scramble photo.png --piece 27 --out puzzle --quiet",
        "-q solve puzzle --out s.png --solution s.json",
        "demo --out demo --quiet",
    ] {
        let run = succeed(&dir, line);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""), "{line}");
    }
    let run = succeed(&dir, "solve puzzle --out s.png --json --quiet");
    assert_eq!(run.stderr, "");
    assert!(run.stdout.starts_with('{'), "{run:?}");
}

#[test]
fn verbose_prints_settings_and_times() {
    let dir = puzzle_folder(4, 5, "");
    let run = succeed(&dir, "solve puzzle --out s.png -v");
    for word in ["20 pieces", "measure", "assemble", "measure seam", "matcher learned"] {
        assert!(run.stderr.contains(word), "{word}: {run:?}");
    }
    assert_eq!(run.stdout, "");
}

#[test]
fn json_summaries_can_be_parsed() {
    let dir = puzzle_folder(4, 5, "--type 1");
    let summary = json_of(&dir, "solve puzzle --out s.png --json");
    assert_eq!(summary["placed"], 20);
    assert_eq!((&summary["rows"], &summary["cols"]), (&4.into(), &5.into()));
    assert_eq!(summary["method"], "fretsaw");
    assert_eq!(summary["status"], "finished");
}

#[test]
fn the_default_measure_and_matcher_suit_each_other() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 4, 5);
    for puzzle_type in [1, 3] {
        succeed(&dir, &format!("scramble photo.png --type {puzzle_type} --out {puzzle_type}"));
    }
    for (flags, measure, matcher) in [
        ("1", "seam", "learned"),
        ("1 --measure mgc", "mgc", "ratio"),
        ("1 --matcher loops", "seam", "loops"),
        ("1 --matcher loops --measure ssd", "ssd", "loops"),
        ("1 --matcher ratio --measure seam", "seam", "ratio"),
    ] {
        let line = format!("solve {flags} --out s.png --solution s.json --json");
        let summary = json_of(&dir, &line);
        let settings = &json_in(&dir.join("s.json"))["settings"];
        for found in [&summary, settings] {
            assert_eq!((&found["measure"], &found["matcher"]), (&measure.into(), &matcher.into()));
        }
    }
    // Type 3 has no matcher, because the positions are known.
    let summary = json_of(&dir, "solve 3 --out s.png --json");
    assert_eq!(summary["measure"], "mgc");
    assert!(summary.get("matcher").is_none(), "{summary}");
}

#[test]
fn the_demo_writes_three_pictures_and_prints_scores_and_times() {
    let dir = Folder::new();
    for folder in ["fretsaw-demo", "fretsaw-demo-2"] {
        let run = succeed(&dir, "demo");
        for name in ["input.png", "solution.png", "truth.png"] {
            assert!(dir.join(folder).join(name).is_file(), "{name}");
            assert!(run.stdout.contains(&format!("{folder}/{name}")), "{run:?}");
        }
        for word in ["432 pieces", "neighbor ", "measure ", "assemble "] {
            assert!(run.stdout.contains(word), "{word}: {run:?}");
        }
    }
}

#[test]
fn a_doubtful_answer_names_the_piece_size_that_was_guessed() {
    let dir = Folder::new();
    // Tiles of 16 px whose colours have nothing to do with each other: they fit nowhere.
    let mut values = vec![0_u8; 160 * 160 * 3];
    for (at, value) in values.iter_mut().enumerate() {
        let (row, col, channel) = (at / 3 / 160, at / 3 % 160, at % 3);
        let tile = row / 16 * 10 + col / 16;
        let slope = [row % 16, col % 16][(tile + channel) % 2] * (1 + tile % 4);
        *value = u8::try_from((tile * 89 + channel * 57) % 170 + slope).unwrap();
    }
    let sheet = Picture::new(160, 160, 3, Samples::U8(values)).unwrap();
    write_picture(&dir.join("sheet.png"), &sheet, None).unwrap();
    let said = succeed(&dir, "solve sheet.png --effort fast").stderr;
    assert!(said.contains("--piece if the pieces are not of 16 x 16 px"), "{said}");
    let said = succeed(&dir, "solve sheet.png --effort fast --piece 16").stderr;
    assert!(said.contains("probably right") && !said.contains("--piece if"), "{said}");
}
