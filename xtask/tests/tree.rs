//! The repository keeps its own promises.

use xtask::{citations, dependencies, layers, paths, root};

fn assert_none(problems: std::io::Result<Vec<String>>) {
    let problems = problems.expect("the repository can be read");
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

#[test]
fn paths_named_in_documents_exist() {
    assert_none(paths::problems(&root()));
}

#[test]
fn tests_named_in_the_table_of_faults_exist() {
    assert_none(paths::unknown_tests(&root()));
}

#[test]
fn the_bibliography_has_exactly_the_works_that_are_cited() {
    assert_none(citations::key_problems(&root()));
}

#[test]
fn cited_deviations_are_recorded() {
    assert_none(citations::unknown_deviations(&root()));
}

#[test]
fn modules_import_only_from_lower_layers() {
    assert_none(layers::problems(&root()));
}

#[test]
fn every_dependency_has_a_reason() {
    assert_none(dependencies::problems(&root()));
}
