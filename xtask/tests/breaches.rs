//! Each check finds the breach it is there for.

use std::fs;
use tempfile::TempDir;
use xtask::{citations, layers, paths};

/// A small repository that keeps all promises.
const SOUND: &[(&str, &str)] = &[
    ("README.md", "Read `CONTRIBUTING.md`."),
    ("ARCHITECTURE.md", "Layers."),
    ("CONTRIBUTING.md", "See `docs/notation.md`."),
    ("docs/notation.md", "| x | `crates/fretsaw/src/puzzle/mod.rs` | [Abc10]"),
    ("docs/conventions.md", "Sides."),
    ("docs/bibliography.md", "- **[Abc10]** A. Author."),
    ("docs/deviations.md", "## D-01 A difference"),
    ("crates/fretsaw/src/puzzle/mod.rs", "//! As in [Abc10]; differs, see D-01."),
    ("crates/fretsaw/src/picture/mod.rs", "use crate::puzzle;"),
];

/// The sound repository with one more or another file.
fn tree_with(path: &str, text: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in SOUND.iter().copied().chain([(path, text)]) {
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a new folder");
        fs::write(file, text).expect("a new file");
    }
    folder
}

/// All problems found in the sound repository with this file.
fn problems(path: &str, text: &str) -> Vec<String> {
    let folder = tree_with(path, text);
    let root = folder.path();
    let found = [
        paths::problems(root),
        citations::unknown_keys(root),
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
fn a_path_that_does_not_exist_is_found() {
    let found = problems("README.md", "Look at `crates/fretsaw/src/puzzle/gone.rs`.");
    assert_eq!(found, ["README.md names crates/fretsaw/src/puzzle/gone.rs, which does not exist"]);
}

#[test]
fn files_of_a_module_not_yet_written_are_passed_over() {
    assert_eq!(problems("README.md", "Look at `crates/fretsaw/src/search/moves.rs`."), [""; 0]);
}

#[test]
fn a_citation_without_an_entry_is_found() {
    let found = problems("crates/fretsaw/src/picture/cut.rs", r"/// As in \[Xyz12\].");
    assert_eq!(
        found,
        ["crates/fretsaw/src/picture/cut.rs cites [Xyz12], which is not in docs/bibliography.md"]
    );
}

#[test]
fn an_entry_given_twice_is_found() {
    let found = problems("docs/bibliography.md", "- **[Abc10]** A.\n- **[Abc10]** B.");
    assert_eq!(found, ["docs/bibliography.md has two entries [Abc10]"]);
}

#[test]
fn a_deviation_without_an_entry_is_found() {
    let found = problems("crates/fretsaw/src/picture/cut.rs", "// differs, see D-02");
    assert_eq!(
        found,
        ["crates/fretsaw/src/picture/cut.rs cites D-02, which is not in docs/deviations.md"]
    );
}

#[test]
fn an_import_from_above_is_found() {
    let found = problems("crates/fretsaw/src/puzzle/grid.rs", "use crate::picture::Picture;");
    assert_eq!(found, ["crates/fretsaw/src/puzzle/grid.rs: puzzle may not import picture"]);
}

#[test]
fn a_module_without_a_layer_is_found() {
    let found = problems("crates/fretsaw/src/odds.rs", "");
    assert_eq!(found, ["crates/fretsaw/src/odds.rs: the module odds is in no layer"]);
}
