//! Checks of the repository itself, and the build of the page in the browser.
//!
//! Prose that a machine can check is checked here: `cargo test --workspace` runs these checks as
//! tests. Each function looks at one kind of claim and returns the problems it found, one
//! sentence each.

pub mod citations;
pub mod dependencies;
pub mod layers;
pub mod paths;
pub mod web;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

/// All files below a folder, or those whose names end in `extension`, sorted.
fn files_below(folder: &Path, extension: Option<&str>) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if extension
                .is_none_or(|wanted| path.extension().is_some_and(|found| found == wanted))
            {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// A path as documents write it: from the root, with slashes.
fn shown(root: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(root).unwrap_or(path);
    relative
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/")
}
