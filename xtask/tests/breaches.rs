//! Each check finds the breach it is there for.

use std::fs;
use xtask::{citations, layers, paths};

/// A small repository that keeps all promises.
const SOUND: &[(&str, &str)] = &[
    ("README.md", "Read `CONTRIBUTING.md`."),
    ("ARCHITECTURE.md", "Layers."),
    ("CONTRIBUTING.md", "See `docs/notation.md`."),
    ("docs/notation.md", "| x | `crates/fretsaw/src/puzzle/mod.rs` | [Abc10]"),
    ("docs/conventions.md", "Sides."),
    ("docs/guides/README.md", "Guides."),
    ("docs/guides/rust-programmer.md", "For programmers."),
    ("docs/bibliography.md", "- **[Abc10]** A. Author."),
    ("docs/deviations.md", "## D-01 A difference"),
    ("crates/fretsaw/src/puzzle/mod.rs", "//! As in [Abc10]; differs, see D-01."),
    ("crates/fretsaw/src/picture/mod.rs", "use crate::puzzle;"),
];

/// All problems found in the sound repository with one more or another file.
fn problems(path: &str, text: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in SOUND.iter().copied().chain([(path, text)]) {
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a new folder");
        fs::write(file, text).expect("a new file");
    }
    let root = folder.path();
    let found = [
        paths::problems(root),
        citations::key_problems(root),
        citations::unknown_deviations(root),
        layers::problems(root),
    ];
    found.into_iter().flat_map(|problems| problems.expect("a readable tree")).collect()
}

#[test]
fn a_sound_tree_has_no_problems() {
    assert_eq!(problems("docs/more.md", "Nothing special."), [""; 0]);
}

#[test]
fn every_breach_is_found_and_nothing_else() {
    for (path, text, problem) in [
        (
            "README.md",
            "Look at `crates/fretsaw/src/puzzle/gone.rs`.",
            "README.md names crates/fretsaw/src/puzzle/gone.rs, which does not exist",
        ),
        (
            "crates/fretsaw/src/picture/cut.rs",
            r"/// As in \[Xyz12\].",
            "crates/fretsaw/src/picture/cut.rs cites [Xyz12], which is not in docs/bibliography.md",
        ),
        (
            "docs/bibliography.md",
            "- **[Abc10]** A.\n- **[Abc10]** B.",
            "docs/bibliography.md has two entries [Abc10]",
        ),
        (
            "docs/bibliography.md",
            "- **[Abc10]** A.\n- **[Xyz12]** B.",
            "nothing cites [Xyz12] of docs/bibliography.md",
        ),
        (
            "crates/fretsaw/src/picture/cut.rs",
            "// differs, see D-02",
            "crates/fretsaw/src/picture/cut.rs cites D-02, which is not in docs/deviations.md",
        ),
        (
            "crates/fretsaw/src/puzzle/grid.rs",
            "use crate::picture::Picture;",
            "crates/fretsaw/src/puzzle/grid.rs: puzzle may not import picture",
        ),
        (
            "crates/fretsaw/src/odds.rs",
            "",
            "crates/fretsaw/src/odds.rs: the module odds is in no layer",
        ),
    ] {
        assert_eq!(problems(path, text), [problem]);
    }
}
