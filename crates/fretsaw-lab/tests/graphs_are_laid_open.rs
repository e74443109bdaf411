//! `fretsaw-lab graph` and the benches of turns show what they promise, and refuse what they cannot.

use crate::common::{Folder, landscape, refuse, scrambled, succeed};
use serde_json::Value;
use std::fs;
use std::path::Path;

const STEPS: [&str; 5] = ["nearest", "pruned", "jaccard", "connected", "loops"];

/// A folder with `photo.png`, 6 x 8 pieces of 28 px, scrambled as `puzzle`.
fn folder() -> Folder {
    let dir = Folder::new();
    landscape(&dir, "photo.png", 6, 8);
    scrambled(&dir, "photo.png", "puzzle");
    dir
}

fn graph_file(path: &Path) -> Value {
    let file: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    assert_eq!(file["format"], "fretsaw-graph/1");
    assert_eq!((&file["pieces"], &file["measure"]), (&48.into(), &"mgc".into()));
    file
}

#[test]
fn every_step_is_printed_and_written() {
    let dir = folder();
    let run = succeed(&dir, "graph puzzle --out graph.json --seed 3");
    assert!(STEPS.iter().all(|step| run.stdout.contains(&format!("| {step}"))), "{run:?}");
    let file = graph_file(&dir.join("graph.json"));
    assert_eq!(file["seed"], 3);
    let steps = file["steps"].as_array().unwrap();
    assert_eq!(steps.iter().map(|step| step["step"].as_str().unwrap()).collect::<Vec<_>>(), STEPS);
    for step in steps {
        assert!(step.get("judgement").is_none());
        for edge in step["edges"].as_array().unwrap() {
            let number = |name: &str| edge[name].as_u64().unwrap();
            assert!(number("i") < number("j") && number("j") < 48 && number("turns") < 4);
            assert!((0.0..=1.0).contains(&edge["weight"].as_f64().unwrap()));
            assert!(edge.get("touches").is_none() && edge.get("turn_is_right").is_none());
        }
    }
    succeed(&dir, "graph puzzle --step jaccard --out graph.json");
    assert_eq!(graph_file(&dir.join("graph.json"))["steps"].as_array().unwrap().len(), 3);
}

#[test]
fn every_step_is_compared_with_the_truth_and_drawn() {
    let dir = folder();
    let run = succeed(
        &dir,
        "graph puzzle --truth puzzle/truth.json --out graph.json --svg graph.svg --theory",
    );
    for word in ["right turns %", "d_max", "epsilon", "gamma", "phi of E'", "conditions hold"] {
        assert!(run.stdout.contains(word), "{word}: {run:?}");
    }
    let file = graph_file(&dir.join("graph.json"));
    for step in file["steps"].as_array().unwrap() {
        let edges = step["edges"].as_array().unwrap();
        let share = |name: &str| {
            let right = edges.iter().filter(|edge| edge[name].as_bool().unwrap()).count();
            right as f64 / edges.len() as f64
        };
        let written = |name: &str| step["judgement"][name].as_f64().unwrap();
        assert!((written("right_edges") - share("touches")).abs() < 1e-12, "{step}");
        assert!((written("right_turns") - share("turn_is_right")).abs() < 1e-12, "{step}");
        for name in ["right_edges_by_weight", "right_turns_by_weight", "found_joins"] {
            assert!((0.0..=1.0).contains(&written(name)), "{step}");
        }
    }
    // The truth does not change the graph.
    succeed(&dir, "graph puzzle --out blind.json");
    let edges = |file: &Value| -> Vec<(Value, Value, Value, Value)> {
        let steps = file["steps"].as_array().unwrap();
        let edges = steps.iter().flat_map(|step| step["edges"].as_array().unwrap());
        edges.map(|e| ["i", "j", "weight", "turns"].map(|name| e[name].clone()).into()).collect()
    };
    assert_eq!(edges(&file), edges(&graph_file(&dir.join("blind.json"))));

    let svg = fs::read_to_string(dir.join("graph.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!((svg.matches("<svg").count(), svg.matches("</svg>").count()), (1, 1));
    let num_edges = file["steps"][4]["edges"].as_array().unwrap().len();
    assert_eq!(svg.matches("<line ").count(), num_edges);
    assert_eq!(svg.matches("<circle ").count(), 48);
    // One element a line, each closed, every attribute quoted.
    for line in svg.lines() {
        assert!(line.starts_with('<') && line.ends_with('>'), "{line}");
        assert_eq!((line.matches('<').count(), line.matches('"').count() % 2), (1, 0), "{line}");
        assert!(line.ends_with("/>") || line.contains("svg"), "{line}");
    }
}

#[test]
fn the_same_seed_gives_the_same_file_on_any_number_of_threads() {
    let dir = folder();
    for (threads, name) in [(1, "a.json"), (2, "b.json")] {
        succeed(&dir, &format!("graph puzzle --threads {threads} --out {name}"));
    }
    assert!(fs::read(dir.join("a.json")).unwrap() == fs::read(dir.join("b.json")).unwrap());
}

#[test]
fn what_a_graph_needs_is_said_before_any_work() {
    let dir = folder();
    refuse(&dir, "graph puzzle --svg graph.svg", 2, &["--svg", "--truth"]);
    refuse(&dir, "graph puzzle --theory", 2, &["--theory", "--truth"]);
    refuse(&dir, "graph puzzle --truth gone.json", 2, &["gone.json", "check the path"]);
    refuse(&dir, "graph gone", 2, &["gone", "check the path"]);
    refuse(&dir, "graph puzzle --out a/g.json", 2, &["a/g.json", "does not exist"]);
    refuse(
        &dir,
        "graph puzzle --truth puzzle/truth.json --out g --svg g",
        2,
        &["--out and --svg name the same file"],
    );
    refuse(&dir, "graph puzzle --step last", 2, &["last", "loops"]);
    for (flag, value) in [
        ("--one-sided-weight", "2"),
        ("--initial-share", "NaN"),
        ("--connecting-weight", "1.5"),
        ("--contradicted-factor", "7"),
        ("--unlooped-factor", "inf"),
        ("--diagonal-weight", "1.01"),
    ] {
        let line = format!("graph puzzle {flag} {value} --out g.json");
        refuse(&dir, &line, 2, &[flag, "between 0 and 1"]);
    }
    landscape(&dir, "small.png", 2, 3);
    scrambled(&dir, "small.png", "other");
    refuse(&dir, "graph puzzle --truth other/truth.json", 2, &["other/truth.json", "6", "48"]);
}

#[test]
fn turns_have_tables() {
    let dir = Folder::new();
    let run = succeed(&dir, "stage rotations --boards 12x9 --wrong 0,0.1");
    for word in ["| board", "residual", "right %", "spectral", "adjacency"] {
        assert!(run.stdout.contains(word), "{word}: {run:?}");
    }
    // A heading, a rule, and two shares of wrong edges for two methods.
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with('|')).count(), 6, "{run:?}");
    assert_eq!(run.stdout.matches("100.00").count(), 2, "{run:?}");

    fs::create_dir(dir.join("mine")).unwrap();
    landscape(&dir.join("mine"), "1.png", 4, 5);
    for (puzzle_type, choices) in [(2, ["spectral", "diffusion"]), (3, ["anchored", "mrf"])] {
        let line =
            format!("diagnose rotations --data . --sets mine --types {puzzle_type} --seeds 1");
        let run = succeed(&dir, &line);
        assert!(choices.iter().all(|choice| run.stdout.contains(choice)), "{run:?}");
        assert_eq!(run.stdout.matches("| mine").count(), 2, "{run:?}");
    }
}

#[test]
fn the_layout_stage_prints_a_table() {
    let dir = Folder::new();
    let run = succeed(&dir, "stage layout --boards 12x9 --wrong 0,0.1");
    for word in ["| board", "from optimum", "right %", "random", "equal"] {
        assert!(run.stdout.contains(word), "{word}: {run:?}");
    }
    // A heading, a rule, and two shares of wrong edges for two kinds of weights.
    assert_eq!(run.stdout.lines().filter(|line| line.starts_with('|')).count(), 6, "{run:?}");
    assert_eq!(run.stdout.matches("| yes").count(), 4, "{run:?}");
}
