//! Paths and tests that documents name in backticks exist.

use crate::files_below;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// The documents whose paths are checked.
const DOCUMENTS: &[&str] = &[
    "ARCHITECTURE.md",
    "README.md",
    "CONTRIBUTING.md",
    "docs/notation.md",
    "docs/conventions.md",
    "docs/guides/README.md",
    "docs/guides/rust-programmer.md",
];

/// The top folders of paths; other text in backticks is not a path.
const TOP_FOLDERS: &[&str] = &["crates", "docs", "xtask", "fuzz", "training", "web", ".ci"];

/// Paths that documents name and that do not exist.
pub fn problems(root: &Path) -> io::Result<Vec<String>> {
    let mut problems = Vec::new();
    for document in DOCUMENTS {
        let file = root.join(document);
        if !file.exists() {
            problems.push(format!("{document} is missing"));
            continue;
        }
        for span in code_spans(&fs::read_to_string(file)?) {
            for path in expanded(&span) {
                if is_repo_path(&path) && !root.join(&path).exists() {
                    problems.push(format!("{document} names {path}, which does not exist"));
                }
            }
        }
    }
    Ok(problems)
}

/// The document with a table of faults and their tests.
const FAULTS: &str = "docs/decisions/0024-nothing-lost.md";

/// Names of fewer words may be of something else than a test.
const LEAST_WORDS_OF_TESTS: usize = 4;

/// Tests that the table of faults names and that do not exist.
pub fn unknown_tests(root: &Path) -> io::Result<Vec<String>> {
    let mut functions = BTreeSet::new();
    for folder in ["crates", "xtask"] {
        for file in files_below(&root.join(folder), Some("rs"))? {
            let text = fs::read_to_string(file)?;
            let names = text.split("fn ").skip(1).filter_map(|rest| rest.split_once("()"));
            functions.extend(names.map(|(name, _)| name.to_owned()));
        }
    }
    let text = fs::read_to_string(root.join(FAULTS))?;
    let rows = text.lines().filter(|line| line.starts_with('|'));
    let named = rows.flat_map(code_spans).filter(|span| {
        let plain = |c: char| c.is_ascii_lowercase() || c == '_';
        span.split('_').count() >= LEAST_WORDS_OF_TESTS && span.chars().all(plain)
    });
    let unknown = named.filter(|name| !functions.contains(name));
    Ok(unknown
        .map(|name| format!("{FAULTS} names the test {name}, which does not exist"))
        .collect())
}

/// What stands between single backticks, outside of fenced blocks.
fn code_spans(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut spans = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            spans.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    spans
}

/// `a/{b,c}.rs` is `a/b.rs` and `a/c.rs`.
fn expanded(span: &str) -> Vec<String> {
    if let Some((before, rest)) = span.split_once('{')
        && let Some((choices, after)) = rest.split_once('}')
    {
        return choices.split(',').map(|one| format!("{before}{}{after}", one.trim())).collect();
    }
    vec![span.to_owned()]
}

/// Whether it names one file or folder from the root: `crates/...`, `Cargo.toml`.
fn is_repo_path(span: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    if span.is_empty() || span.contains("...") || !span.chars().all(plain) {
        return false;
    }
    match span.split_once('/') {
        Some((top, _)) => TOP_FOLDERS.contains(&top),
        None => {
            let is_document =
                span.ends_with(".md") && span.starts_with(|c: char| c.is_ascii_uppercase());
            is_document
                || span.starts_with("LICENSE-")
                || matches!(span, "Cargo.toml" | "Cargo.lock")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_in_fences_are_not_taken_for_prose() {
        let text = "see `crates/a.rs` and `x y`\n```sh\ncat `docs/b.md`\n```\n`docs/c.md`";
        assert_eq!(code_spans(text), ["crates/a.rs", "x y", "docs/c.md"]);
    }

    #[test]
    fn only_paths_from_the_root_are_taken_for_paths() {
        for path in
            ["crates/fretsaw/src", "docs/notation.md", "README.md", "LICENSE-MIT", ".ci/run"]
        {
            assert!(is_repo_path(path), "{path}");
        }
        for other in
            ["DIR/truth.json", "a / b", "SidePair::of", "turns", "crates/*/src", "pieces.md"]
        {
            assert!(!is_repo_path(other), "{other}");
        }
    }

    #[test]
    fn braces_stand_for_several_paths() {
        assert_eq!(expanded("docs/{a,b}.md"), ["docs/a.md", "docs/b.md"]);
        assert_eq!(expanded("docs/a.md"), ["docs/a.md"]);
    }
}
