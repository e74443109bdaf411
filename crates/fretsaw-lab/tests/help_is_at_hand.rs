//! Every command explains itself, and wrong arguments are refused.

use crate::common::{Folder, check_help, landscape, program_in, refuse, scrambled, succeed};

const COMMANDS: [&str; 25] = [
    "",
    "run",
    "report",
    "compare",
    "diagnose",
    "diagnose matcher",
    "diagnose energy",
    "diagnose confidence",
    "diagnose boards",
    "diagnose turns",
    "diagnose reference",
    "diagnose sheets",
    "diagnose rotations",
    "stage",
    "stage measure",
    "stage match",
    "stage rotations",
    "stage layout",
    "stage search",
    "scaling",
    "paper",
    "figures",
    "graph",
    "features",
    "kill",
];

#[test]
fn every_command_explains_itself_with_an_example_and_the_version_is_told() {
    check_help("fretsaw-lab", &COMMANDS);
}

#[test]
fn wrong_arguments_exit_with_2() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 2, 3);
    scrambled(&dir, "photo.png", "puzzle");
    for (line, word) in [
        ("graph puzzle --matcher learned", "cannot use 'mgc'"),
        ("run --data . --sets puzzle --matchers best --out r.jsonl", "best"),
        (
            "run --data . --sets puzzle --matchers ratio,learned --measures seam,ssd --out r.jsonl",
            "cannot use 'ssd'",
        ),
        ("diagnose rotations --data . --sets puzzle --matcher learned", "cannot use 'mgc'"),
        ("stage measure --boards 0x3", "--boards"),
        ("stage measure --boards 4000000000x4000000000", "--boards"),
        ("stage measure --candidates 0", "--candidates"),
        ("stage measure --repeats 0", "--repeats"),
        ("stage rotations --boards 1x1", "--boards"),
        ("stage rotations --boards 4000000000x4000000000", "--boards"),
        ("stage rotations --wrong 1.5", "--wrong"),
        ("stage layout --boards 1x1", "--boards"),
        ("stage layout --wrong nan", "--wrong"),
        ("stage layout --repeats 0", "--repeats"),
        ("stage rotations --rotations mrf", "'mrf' needs a picture"),
        ("stage rotations --rotations anchored", "'anchored' needs a picture"),
        ("run --data . --sets s --out r.jsonl --jobs 0", "--jobs"),
        ("run --data . --sets s --out r.jsonl --images some", "some"),
        ("run --data . --sets s --out r.jsonl --efforts most", "most"),
        ("run --data . --sets s --out r.jsonl --methods yu --efforts fast", "--efforts"),
        ("run --data . --sets s --out r.jsonl --types 3 --efforts fast", "--efforts"),
        (
            "run --data . --sets s --out r.jsonl --methods yu,fretsaw --matchers learned",
            "cannot use 'mgc'",
        ),
        ("run --data . --sets s --out r.jsonl --seeds 0", "--seeds"),
        ("run --data . --sets s --out r.jsonl --cells 0x3", "no pieces"),
        ("run --data . --sets s --out r.jsonl --cells 18", "18"),
        ("run --data . --sets s --out r.jsonl --corrupt 0,nan", "--corrupt"),
        ("run --data . --sets s --out r.jsonl --erode some", "whole pixels"),
        ("run --data . --sets s --out r.jsonl --erode 50%", "50 %"),
        ("run --data . --sets s --out r.jsonl --scale-back", "--erode"),
        ("run --data . --sets s --out r.jsonl --light 100", "between 0 and 99"),
        ("run --data . --sets s --out r.jsonl --jpeg 0", "--jpeg"),
        ("run --data . --sets s --out r.jsonl --protocol mine", "lsej"),
        ("run --data . --sets s --out r.jsonl --protocol lsej --piece 28", "--piece"),
        ("diagnose rotations --data . --sets s --types 1", "--types"),
        ("diagnose rotations --data . --sets s --types 2 --rotations anchored", "'anchored'"),
        ("diagnose rotations --data . --sets s --types 3 --rotations diffusion", "'diffusion'"),
        ("diagnose rotations --data . --sets s --seeds 0", "--seeds"),
        ("diagnose rotations --data . --sets s --initial-share 1.1", "--initial-share"),
        ("scaling --out r.jsonl", "--pictures"),
        ("scaling --pictures photo.png", "--out"),
        ("scaling --pictures photo.png --out r.jsonl --report r.txt", ".md"),
        ("scaling --pictures photo.png --out r.jsonl --threads 0", "--threads"),
        ("scaling --pictures photo.png --out r.jsonl --boards 1x1", "--boards"),
        ("run --data . --sets s --methods yu --set iterations=1 --out r.jsonl", "iterations"),
        ("run --data . --sets s --methods yu --set rounds=many --out r.jsonl", "rounds"),
        ("run --data . --sets s --methods yu --set rounds --out r.jsonl", "rounds=3"),
        ("figures --data . --only gone", "gone"),
        ("figures --only matcher", "--data"),
        ("unheard-of", "unheard-of"),
    ] {
        refuse(&dir, line, 2, &[word]);
    }
    assert_eq!(program_in(&dir, &[""; 0]).code, Some(2));
}

#[test]
fn a_run_without_pictures() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 2, 3);
    refuse(&dir, "run --data . --sets gone --out r.jsonl", 1, &["gone"]);
    std::fs::create_dir(dir.join("none")).unwrap();
    refuse(&dir, "run --data . --sets none --out r.jsonl", 1, &["none", "no pictures"]);
    refuse(&dir, "graph none", 1, &["none", "at least 2"]);
    std::fs::write(dir.join("r.jsonl"), "garbage\n").unwrap();
    std::fs::create_dir(dir.join("mine")).unwrap();
    std::fs::copy(dir.join("photo.png"), dir.join("mine/1.png")).unwrap();
    refuse(&dir, "run --data . --sets mine --out r.jsonl", 1, &["r.jsonl line 1", "--out"]);
    let run = succeed(&dir, "run --data . --sets mine --seeds 1 --out new.jsonl");
    assert!(run.stdout.contains("| mine"), "{run:?}");
    assert_eq!(std::fs::read_to_string(dir.join("new.jsonl")).unwrap().lines().count(), 1);
}
