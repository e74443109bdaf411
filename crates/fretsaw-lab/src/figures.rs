//! Figures that documents quote: fragments of Markdown, one file each in `docs/figures`, and the blocks of
//! documents that repeat them.
//!
//! A block lies between `<!-- figures: NAME -->` and `<!-- end figures -->`, each on a line of its own, and
//! repeats the file `docs/figures/NAME.md`. The command `fretsaw-lab figures` writes both.

use crate::provenance;
use anyhow::{Context, bail};
use fretsaw::unstable::matching::NETWORK_VERSION;
use fretsaw_io::write_text;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- figures: ";
const BEGIN_END: &str = " -->";
const END: &str = "<!-- end figures -->";

/// What a stamp says before the version of the networks.
const NETWORKS: &str = "networks of version ";

/// A line that says what figures were measured with, after these words on puzzles and seeds.
pub(crate) fn stamp(puzzles: &str) -> String {
    let commit = provenance::commit().unwrap_or("unknown");
    let threads = rayon::current_num_threads();
    let machine = provenance::machine();
    format!(
        "*{puzzles}; commit {commit}, {NETWORKS}{NETWORK_VERSION}; {machine}, {threads} threads.*\n"
    )
}

/// The file of a fragment.
pub(crate) fn fragment_path(docs: &Path, name: &str) -> PathBuf {
    docs.join("figures").join(format!("{name}.md"))
}

/// The document with every block replaced by what `fragment` gives for its name and what it holds.
pub(crate) fn with_blocks(
    document: &str,
    mut fragment: impl FnMut(&str, String) -> anyhow::Result<String>,
) -> anyhow::Result<String> {
    let mut text = String::new();
    let mut lines = document.split_inclusive('\n');
    while let Some(line) = lines.next() {
        text += line;
        let name = line.trim_end().strip_prefix(BEGIN).and_then(|it| it.strip_suffix(BEGIN_END));
        let Some(name) = name else { continue };
        let mut held = String::new();
        let end = loop {
            match lines.next() {
                Some(line) if line.trim_end() == END => break line,
                Some(line) => held += line,
                None => bail!("the figures '{name}' have no line {END}"),
            }
        };
        text += &fragment(name, held)?;
        text += end;
    }
    Ok(text)
}

/// All documents that may have blocks: the Markdown files in the folder of documents and below it, but for
/// the fragments, and `README.md` beside the folder.
pub(crate) fn documents(docs: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = vec![docs.join("../README.md")];
    let mut folders = vec![docs.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let unreadable = || format!("cannot read {}", folder.display());
        for entry in std::fs::read_dir(&folder).with_context(unreadable)? {
            let path = entry.with_context(unreadable)?.path();
            if path.is_dir() && path != docs.join("figures") {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    found.retain(|path| path.is_file());
    found.sort();
    Ok(found)
}

/// Writes the fragments into the blocks of all documents, and gives the documents that changed. Blocks whose
/// figures were not measured yet stay as they are.
pub(crate) fn refresh(docs: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut changed = Vec::new();
    for path in documents(docs)? {
        let name = || path.display().to_string();
        let text = std::fs::read_to_string(&path).with_context(name)?;
        let new = with_blocks(&text, |name, held| {
            let path = fragment_path(docs, name);
            if !path.is_file() {
                return Ok(held);
            }
            std::fs::read_to_string(&path).with_context(|| path.display().to_string())
        });
        let new = new.with_context(name)?;
        if new != text {
            write_text(&path, &new)?;
            changed.push(path);
        }
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "before\n<!-- figures: a -->\nold\n<!-- end figures -->\nafter\n";

    /// The version of the networks that a fragment was measured with, if it says so.
    fn network_version(fragment: &str) -> Option<u32> {
        let (_, after) = fragment.split_once(NETWORKS)?;
        after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    }

    /// The names of a document's blocks and what they hold.
    fn blocks(document: &str) -> anyhow::Result<Vec<(String, String)>> {
        let mut blocks = Vec::new();
        with_blocks(document, |name, held| {
            blocks.push((name.to_owned(), held.clone()));
            Ok(held)
        })?;
        Ok(blocks)
    }

    #[test]
    fn blocks_are_replaced_and_nothing_else() {
        let new = with_blocks(DOCUMENT, |name, _| Ok(format!("new {name}\n"))).unwrap();
        assert_eq!(new, DOCUMENT.replace("old", "new a"));
        assert_eq!(with_blocks(DOCUMENT, |_, held| Ok(held)).unwrap(), DOCUMENT);
        assert_eq!(blocks(&new).unwrap(), [("a".into(), "new a\n".into())]);
        assert!(blocks("<!-- figures: a -->\nold\n").is_err());
    }

    #[test]
    fn a_stamp_says_which_networks() {
        let stamp = stamp("mit-432, seed 1");
        assert_eq!(network_version(&stamp), Some(NETWORK_VERSION));
        assert_eq!(network_version("| a | b |"), None);
    }

    fn docs() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
    }

    #[test]
    fn every_block_equals_its_fragment() {
        for path in documents(&docs()).unwrap() {
            for (name, held) in blocks(&std::fs::read_to_string(&path).unwrap()).unwrap() {
                // What was not measured yet is empty.
                let fragment =
                    std::fs::read_to_string(fragment_path(&docs(), &name)).unwrap_or_default();
                assert_eq!(
                    held,
                    fragment,
                    "{}: run 'fretsaw-lab figures --refresh'",
                    path.display()
                );
            }
        }
    }

    #[test]
    fn every_fragment_is_of_the_shipped_networks() {
        let Ok(entries) = std::fs::read_dir(docs().join("figures")) else { return };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "md") {
                let version = network_version(&std::fs::read_to_string(&path).unwrap());
                assert_eq!(version, Some(NETWORK_VERSION), "{}", path.display());
            }
        }
    }
}
