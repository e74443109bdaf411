//! Modules of the core crate import only from layers below their own.

use crate::{files_below, shown};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// The sources of the core crate.
const SOURCE: &str = "crates/fretsaw/src";

/// A module and the modules that it may import.
struct Module {
    name: &'static str,
    /// The modules it may import, if not all of the layers below.
    only: Option<&'static [&'static str]>,
}

const fn module(name: &'static str) -> Module {
    Module { name, only: None }
}

/// The layers, bottom to top. A module imports from lower layers only, not from its own.
const LAYERS: &[&[Module]] = &[
    // `named_enum` is a macro of the module `named`, which the crate's root names.
    &[
        module("allocation"),
        module("graph"),
        module("linalg"),
        module("named"),
        module("named_enum"),
        module("random"),
    ],
    &[module("networks"), module("puzzle")],
    &[module("observer"), module("picture")],
    &[
        module("dissimilarity"),
        // Scores are for any solver, so the module may not import one.
        Module { name: "evaluation", only: Some(&["graph", "puzzle"]) },
        module("preparation"),
        module("upright"),
    ],
    &[module("matching")],
    &[module("locations"), module("turn_choice"), module("wear")],
    &[module("constraints")],
    &[module("search")],
    // Independent of the method.
    &[module("confidence"), module("boards")],
    &[module("suggestions")],
    &[module("methods"), module("solution")],
    &[module("solve")],
    // Of a solve: how good its answer is, and the memory it needs.
    &[module("memory"), module("verdict")],
];

/// The number of a module's layer, counted from the bottom.
fn layer_of(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.iter().any(|found| found.name == module))
}

/// Whether a file of one module may import another module.
fn may_import(from: &str, to: &str) -> bool {
    if from == to {
        return true;
    }
    let only = LAYERS
        .iter()
        .copied()
        .flatten()
        .find(|found| found.name == from)
        .and_then(|found| found.only);
    match (only, layer_of(from), layer_of(to)) {
        (Some(only), _, _) => only.contains(&to),
        (None, Some(from), Some(to)) => to < from,
        _ => false,
    }
}

/// Imports that reach up or sideways, and modules that have no layer.
///
/// The crate's root may name every module. Tests may import anything: a file is read up to its
/// first `#[cfg(test)]`, and files called `tests.rs` are not read.
pub fn problems(root: &Path) -> io::Result<Vec<String>> {
    let source = root.join(SOURCE);
    let mut problems = Vec::new();
    for path in files_below(&source, Some("rs"))? {
        let place = shown(&source, &path);
        if place == "lib.rs" || place.ends_with("tests.rs") {
            continue;
        }
        let own = place.split(['/', '.']).next().unwrap_or_default();
        if layer_of(own).is_none() {
            problems.push(format!("{SOURCE}/{place}: the module {own} is in no layer"));
            continue;
        }
        for imported in imported_modules(&fs::read_to_string(&path)?) {
            if !may_import(own, &imported) {
                problems.push(format!("{SOURCE}/{place}: {own} may not import {imported}"));
            }
        }
    }
    Ok(problems)
}

/// The modules named as `crate::module` before the first test, outside of comments.
fn imported_modules(source: &str) -> BTreeSet<String> {
    let before_tests = source.split("#[cfg(test)]").next().unwrap_or_default();
    let code: String = before_tests
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n");
    let mut modules = BTreeSet::new();
    for (start, pattern) in code.match_indices("crate::") {
        if code[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &code[start + pattern.len()..];
        match rest.strip_prefix('{') {
            Some(group) => modules.extend(names_of_group(group)),
            None => modules.extend(leading_name(rest)),
        }
    }
    modules
}

/// The first names of the items of `a::x, b::{y, z}, c}`, which goes on after the closing brace.
fn names_of_group(group: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut depth, mut item) = (0_usize, String::new());
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.extend(leading_name(&std::mem::take(&mut item))),
            _ => {}
        }
        if !(c == ',' && depth == 0) {
            item.push(c);
        }
    }
    names.extend(leading_name(&item));
    names
}

/// The identifier at the beginning, if it is a module's: items of the crate's root are capitals.
fn leading_name(text: &str) -> Option<String> {
    let name: String =
        text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    name.starts_with(|c: char| c.is_ascii_lowercase()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_found_alone_in_groups_and_inline() {
        let source = "\
use crate::puzzle::{Side, Grid};
use crate::{graph, linalg::{A, B}, picture::Picture};
// crate::comment::X
fn f() { crate::search::go(); mycrate::other(); }
#[cfg(test)]
mod tests { use crate::solve::Solver; }";
        let found: Vec<_> = imported_modules(source).into_iter().collect();
        assert_eq!(found, ["graph", "linalg", "picture", "puzzle", "search"]);
    }

    #[test]
    fn imports_go_down_only() {
        assert!(may_import("puzzle", "puzzle"));
        assert!(may_import("solve", "graph"));
        assert!(may_import("preparation", "picture"));
        assert!(may_import("evaluation", "puzzle"));
        assert!(!may_import("evaluation", "picture"));
        assert!(!may_import("turn_choice", "locations"));
        assert!(!may_import("puzzle", "picture"));
        assert!(!may_import("puzzle", "unknown"));
    }

    #[test]
    fn every_module_has_one_layer() {
        let names: Vec<_> = LAYERS.iter().copied().flatten().map(|module| module.name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }
}
