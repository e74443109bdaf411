//! Documents repeat the figures that were measured, and those are of the networks that are shipped.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../fretsaw-cli/tests/common/mod.rs"]
mod common;

use common::succeed;
use fretsaw::unstable::matching::NETWORK_VERSION;
use fretsaw_lab::figures::{blocks, documents, fragment_path, network_version};
use std::fs;
use std::path::Path;

fn docs() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

#[test]
fn steps_are_listed_and_documents_refreshed_without_pictures() {
    let dir = tempfile::tempdir().unwrap();
    let docs = dir.path().join("docs");
    fs::create_dir_all(docs.join("figures")).unwrap();
    fs::write(docs.join("figures/matcher.md"), "| new |\n").unwrap();
    let block = "<!-- figures: matcher -->\n<!-- end figures -->\n";
    fs::write(docs.join("matching.md"), block).unwrap();
    let list = succeed(dir.path(), "figures --list").stdout;
    assert!(list.contains("| matcher ") && list.contains("| paper "), "{list}");
    succeed(dir.path(), "figures --refresh");
    let document = fs::read_to_string(docs.join("matching.md")).unwrap();
    assert_eq!(document, block.replace("-->\n<!-- end", "-->\n| new |\n<!-- end"));
}

#[test]
fn every_block_equals_its_fragment() {
    for path in documents(&docs()).unwrap() {
        for (name, held) in blocks(&fs::read_to_string(&path).unwrap()).unwrap() {
            // What was not measured yet is empty.
            let fragment = fs::read_to_string(fragment_path(&docs(), &name)).unwrap_or_default();
            assert_eq!(held, fragment, "{}: run 'fretsaw-lab figures --refresh'", path.display());
        }
    }
}

#[test]
fn every_fragment_is_of_the_shipped_networks() {
    let Ok(entries) = fs::read_dir(docs().join("figures")) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "md") {
            let version = network_version(&fs::read_to_string(&path).unwrap());
            assert_eq!(version, Some(NETWORK_VERSION), "{}", path.display());
        }
    }
}
