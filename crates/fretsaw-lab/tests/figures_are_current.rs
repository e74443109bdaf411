//! Documents repeat the figures that were measured, and those are of the networks that are shipped.

use crate::common::succeed;
use std::fs;

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
