//! Citations in comments have an entry: `[Gal12]` in the bibliography, `D-03` among the
//! deviations.

use crate::{files_below, shown};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

const BIBLIOGRAPHY: &str = "docs/bibliography.md";
const DEVIATIONS: &str = "docs/deviations.md";

/// Keys that comments or documents cite without an entry, entries given twice, and entries that nothing cites.
pub fn key_problems(root: &Path) -> io::Result<Vec<String>> {
    let mut is_cited = BTreeMap::new();
    let mut problems = Vec::new();
    for key in defined_keys(&fs::read_to_string(root.join(BIBLIOGRAPHY))?) {
        if is_cited.insert(key.clone(), false).is_some() {
            problems.push(format!("{BIBLIOGRAPHY} has two entries [{key}]"));
        }
    }
    for (place, text) in cited_text(root)? {
        for key in bracketed_keys(&text) {
            match is_cited.get_mut(&key) {
                Some(is_cited) => *is_cited = true,
                None => {
                    problems.push(format!("{place} cites [{key}], which is not in {BIBLIOGRAPHY}"));
                }
            }
        }
    }
    let uncited = is_cited.iter().filter(|(_, is_cited)| !**is_cited);
    problems.extend(uncited.map(|(key, _)| format!("nothing cites [{key}] of {BIBLIOGRAPHY}")));
    Ok(problems)
}

/// Deviations cited without an entry.
pub fn unknown_deviations(root: &Path) -> io::Result<Vec<String>> {
    let entries = fs::read_to_string(root.join(DEVIATIONS))?;
    let is_entry = |line: &&str| line.starts_with(['#', '|', '-', '*']);
    let known: BTreeSet<String> = entries
        .lines()
        .filter(is_entry)
        .filter_map(|line| deviation_numbers(line).into_iter().next())
        .collect();
    let mut problems = Vec::new();
    for (place, text) in cited_text(root)? {
        for number in deviation_numbers(&text) {
            if !known.contains(&number) {
                problems.push(format!("{place} cites {number}, which is not in {DEVIATIONS}"));
            }
        }
    }
    Ok(problems)
}

/// The comments of all sources and the text of all other documents, with their places.
fn cited_text(root: &Path) -> io::Result<Vec<(String, String)>> {
    let mut texts = Vec::new();
    for path in files_below(&root.join("crates"), Some("rs"))? {
        let comments: Vec<String> = fs::read_to_string(&path)?
            .lines()
            .filter_map(|line| line.split_once("//").map(|(_, comment)| comment.to_owned()))
            .collect();
        texts.push((shown(root, &path), comments.join("\n")));
    }
    for path in files_below(&root.join("docs"), Some("md"))? {
        let place = shown(root, &path);
        if place != BIBLIOGRAPHY {
            texts.push((place, fs::read_to_string(&path)?));
        }
    }
    Ok(texts)
}

/// The keys of the entries: list items that begin with a bold key.
fn defined_keys(bibliography: &str) -> Vec<String> {
    bibliography
        .lines()
        .filter_map(|line| line.strip_prefix("- **[")?.split_once("]**"))
        .map(|(key, _)| key.to_owned())
        .collect()
}

/// Everything of the form `[Abc12]` or, as documentation comments write it, `\[Abc12\]`.
fn bracketed_keys(text: &str) -> Vec<String> {
    let candidates = text.split('[').skip(1).filter_map(|rest| rest.split(']').next());
    candidates
        .map(|key| key.trim_end_matches('\\'))
        .filter(|key| is_key(key))
        .map(str::to_owned)
        .collect()
}

/// Letters, the first of them large, and two digits.
fn is_key(candidate: &str) -> bool {
    let letters = candidate.trim_end_matches(|c: char| c.is_ascii_digit());
    candidate.len() == letters.len() + 2
        && letters.len() >= 2
        && letters.starts_with(|c: char| c.is_ascii_uppercase())
        && letters.chars().all(|c| c.is_ascii_alphabetic())
}

/// Everything of the form `D-12`.
fn deviation_numbers(text: &str) -> Vec<String> {
    let mut numbers = Vec::new();
    for (start, _) in text.match_indices("D-") {
        let begins_word = !text[..start].ends_with(|c: char| c.is_alphanumeric());
        let rest = &text[start + 2..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if begins_word && digits == 2 {
            numbers.push(text[start..start + 4].to_owned());
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_found_plain_and_escaped() {
        let text = r"see [Gal12], \[HLW20\] and R\[i, j\], [`Side`], [A1], [x12] [SW12]";
        assert_eq!(bracketed_keys(text), ["Gal12", "HLW20", "SW12"]);
    }

    #[test]
    fn entries_are_list_items_with_a_bold_key() {
        let text = "# Title [No10]\n- **[Gal12]** A. Author.\n  More [Not11].\n- **[SW12]** B.";
        assert_eq!(defined_keys(text), ["Gal12", "SW12"]);
    }

    #[test]
    fn deviations_have_two_digits() {
        assert_eq!(
            deviation_numbers("differs, see D-03 and D-12; not D-nn, 2D-10, D-123"),
            ["D-03", "D-12"]
        );
    }
}
