//! The same seed gives the same solution on any number of threads, and solving never reads the truth.

use crate::common::{Folder, landscape, puzzle_folder, succeed, without_times};
use std::fs;

#[test]
fn solutions_repeat_to_the_byte_on_any_number_of_threads() {
    let dir = puzzle_folder(8, 10, "--type 2 --seed 3");
    let solve = |name: &str, more: &str| {
        succeed(&dir, &format!("solve puzzle --out {name}.png --solution {name}.json {more}"));
        let picture = fs::read(dir.join(format!("{name}.png"))).unwrap();
        (without_times(&dir.join(format!("{name}.json"))), picture)
    };
    let first = solve("a", "--seed 5");
    assert!(first == solve("b", "--seed 5"));
    assert!(first == solve("c", "--seed 5 --threads 1"));
    assert!(first == solve("d", "--seed 5 --threads 2"));
}

#[test]
fn scrambles_repeat_to_the_byte() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 4, 5);
    let scramble = |out: &str, seed: u32| {
        succeed(
            &dir,
            &format!("scramble photo.png --corrupt 0.2 --as sheet --seed {seed} --out {out}"),
        );
        ["puzzle.json", "sheet.png", "truth.json"]
            .map(|name| fs::read(dir.join(out).join(name)).unwrap())
    };
    let first = scramble("a", 1);
    assert!(first == scramble("b", 1));
    assert!(first != scramble("c", 2));
}

#[test]
fn the_truth_is_never_opened() {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 5, 6);
    for layout in ["folder", "sheet"] {
        succeed(&dir, &format!("scramble photo.png --as {layout} --out {layout}"));
        let truth = dir.join(layout).join("truth.json");
        let solve = || {
            succeed(&dir, &format!("solve {layout} --out solved.png --solution solution.json"));
            without_times(&dir.join("solution.json"))
        };
        let with_truth = solve();
        fs::write(&truth, "garbage").unwrap();
        assert!(with_truth == solve());
        fs::remove_file(&truth).unwrap();
        assert!(with_truth == solve());
        // Opening a pipe without a writer would block for ever.
        let made = std::process::Command::new("mkfifo").arg(&truth).status();
        if made.is_ok_and(|status| status.success()) {
            assert!(with_truth == solve());
        }
    }
}
