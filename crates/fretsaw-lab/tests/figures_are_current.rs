//! Documents repeat the figures that were measured, and those are of the networks that are shipped.

use crate::common::{Folder, succeed};
use std::fs;

#[test]
fn steps_are_listed_and_documents_refreshed_without_pictures() {
    let dir = Folder::new();
    let docs = dir.join("docs");
    for folder in ["figures", "decisions"] {
        fs::create_dir_all(docs.join(folder)).unwrap();
    }
    fs::write(docs.join("figures/matcher.md"), "| new |\n").unwrap();
    let block = "before\n<!-- figures: matcher -->\nold\n<!-- end figures -->\nafter\n";
    let files = ["README.md", "docs/matching.md", "docs/decisions/0001-a.md"];
    for file in files {
        fs::write(dir.join(file), block).unwrap();
    }
    let list = succeed(&dir, "figures --list").stdout;
    assert!(list.contains("| matcher ") && list.contains("| paper "), "{list}");
    assert_eq!(succeed(&dir, "figures --refresh").stderr.lines().count(), 3);
    for file in files {
        let document = fs::read_to_string(dir.join(file)).unwrap();
        assert_eq!(document, block.replace("old", "| new |"));
    }
    assert_eq!(succeed(&dir, "figures --refresh").stderr, "");
}
