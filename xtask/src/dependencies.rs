//! Every dependency has a line of reason in `docs/dependencies.md`.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// Dependencies that no row of the document names, and rows that name none.
///
/// # Errors
/// If a file cannot be read.
pub fn problems(root: &Path) -> io::Result<Vec<String>> {
    let mut used = BTreeSet::new();
    let mut manifests = vec![root.join("web/wasm/Cargo.toml"), root.join("web/bindgen/Cargo.toml")];
    for entry in fs::read_dir(root.join("crates"))? {
        manifests.push(entry?.path().join("Cargo.toml"));
    }
    for manifest in manifests {
        used.extend(dependencies_in(&fs::read_to_string(manifest)?));
    }
    let document = fs::read_to_string(root.join("docs/dependencies.md"))?;
    let named: BTreeSet<String> = document
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('|').next())
        .flat_map(|cell| cell.split(',').map(|name| name.trim_matches([' ', '`']).to_string()))
        .collect();
    let missing = used.difference(&named).map(|name| format!("{name} has no reason"));
    let surplus = named.difference(&used).map(|name| format!("{name} is not used"));
    Ok(missing.chain(surplus).map(|what| format!("docs/dependencies.md: {what}")).collect())
}

/// The dependencies of a manifest that are not crates of this repository.
fn dependencies_in(manifest: &str) -> Vec<String> {
    let mut is_list = false;
    let mut found = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_list = line.ends_with("dependencies]");
        } else if is_list && let Some(name) = line.split(['.', '=', ' ']).next() {
            let is_name = name.starts_with(|first: char| first.is_ascii_lowercase());
            if is_name && !name.starts_with("fretsaw") {
                found.push(name.to_string());
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_of_all_kinds_are_found() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\nfretsaw.workspace = true\n# why\n\
                        png = \"1\"\n[dev-dependencies]\nzip.workspace = true\n[lints]\na = 1\n";
        assert_eq!(dependencies_in(manifest), ["png", "zip"]);
    }
}
