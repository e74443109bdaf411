//! Paths that documents name in backticks exist.

use crate::layers;
use std::fs;
use std::io;
use std::path::Path;

/// A document whose paths are checked.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// From the root.
    pub path: &'static str,
    /// Whether it is a problem if it is missing.
    pub required: bool,
}

/// The documents whose paths are checked. Those not required are skipped while missing.
pub const DOCUMENTS: &[Document] = &[
    Document { path: "ARCHITECTURE.md", required: true },
    Document { path: "README.md", required: true },
    Document { path: "CONTRIBUTING.md", required: true },
    Document { path: "docs/notation.md", required: true },
    Document { path: "docs/conventions.md", required: true },
    Document { path: "docs/guides/README.md", required: false },
    Document { path: "docs/guides/rust-programmer.md", required: false },
];

/// The top folders of paths; other text in backticks is not a path.
const TOP_FOLDERS: &[&str] = &["crates", "docs", "xtask", "comparisons", ".ci", "python", "web"];

/// Paths that documents name and that do not exist.
///
/// Files of a module in [`layers::LAYERS`] whose folder is not there at all are passed over: the
/// table and the notation may be ahead of the tree by whole modules.
///
/// # Errors
/// If a document cannot be read.
pub fn problems(root: &Path) -> io::Result<Vec<String>> {
    let mut problems = Vec::new();
    for document in DOCUMENTS {
        let file = root.join(document.path);
        if !file.exists() {
            if document.required {
                problems.push(format!("{} is missing", document.path));
            }
            continue;
        }
        for span in code_spans(&fs::read_to_string(file)?) {
            for path in expanded(&span) {
                if is_repo_path(&path) && !root.join(&path).exists() && !is_awaited(root, &path) {
                    problems.push(format!("{} names {path}, which does not exist", document.path));
                }
            }
        }
    }
    Ok(problems)
}

/// Whether the path is inside a module of the core crate that has not been written yet.
fn is_awaited(root: &Path, path: &str) -> bool {
    let Some((module, _)) =
        path.strip_prefix(layers::SOURCE).and_then(|rest| rest.strip_prefix('/')?.split_once('/'))
    else {
        return false;
    };
    layers::layer_of(module).is_some() && !root.join(layers::SOURCE).join(module).exists()
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
