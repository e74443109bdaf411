//! `fretsaw-lab features` writes what the learned matcher is trained on.

use crate::common::{Folder, landscape, refuse, succeed};
use serde_json::Value;
use std::fs;

const FILES: [&str; 4] = ["features.f32", "lengths.u8", "labels.u8", "export.json"];

#[test]
fn files_agree_with_each_other_and_do_not_depend_on_threads() {
    let dir = Folder::new();
    landscape(&dir, "a.png", 12, 14);
    for threads in [1, 2] {
        let out = format!("--out out{threads} --threads {threads}");
        succeed(&dir, &format!("features a.png --puzzles 3 --first-seed 5 {out}"));
    }
    let read = |threads: usize, name: &str| {
        fs::read(dir.join(format!("out{threads}")).join(name)).unwrap()
    };
    for name in FILES {
        assert!(read(1, name) == read(2, name), "{name}");
    }
    let (lengths, labels) = (read(1, "lengths.u8"), read(1, "labels.u8"));
    let described: Value = serde_json::from_slice(&read(1, "export.json")).unwrap();
    let num_features = described["features"].as_array().unwrap().len();
    let puzzles = described["puzzles"].as_array().unwrap();
    let num_sides: u64 = puzzles.iter().map(|puzzle| puzzle["num_sides"].as_u64().unwrap()).sum();
    assert_eq!(puzzles.len(), 3);
    assert_eq!(lengths.len() as u64, num_sides);
    assert_eq!(labels.len(), lengths.len());
    let num_rows: usize = lengths.iter().map(|&length| usize::from(length)).sum();
    assert_eq!(read(1, "features.f32").len(), 4 * num_rows * num_features);
    for (label, length) in labels.iter().zip(&lengths) {
        assert!(label < length || *label >= 254, "{label} of {length}");
    }
    // Most sides of a drawn picture list their neighbour first; some are on the border.
    assert!(labels.iter().filter(|&&label| label == 0).count() > labels.len() / 3);
    assert!(labels.contains(&254));
}

#[test]
fn worn_pieces_are_exported_with_what_happened_to_them() {
    let dir = tempfile::tempdir().unwrap();
    landscape(dir.path(), "a.png", 12, 14);
    succeed(dir.path(), "features a.png --worn --puzzles 4 --out out");
    let described = fs::read(dir.path().join("out/export.json")).unwrap();
    let described: Value = serde_json::from_slice(&described).unwrap();
    for puzzle in described["puzzles"].as_array().unwrap() {
        let recipe = &puzzle["recipe"];
        assert!(recipe["wear"].is_object() || recipe["sheet_jpeg"].is_u64(), "{recipe}");
    }
}

#[test]
fn bad_pictures_and_networks_are_refused() {
    let dir = Folder::new();
    landscape(&dir, "a.png", 12, 14);
    fs::write(dir.join("networks.bin"), "not networks").unwrap();
    let with_networks = "features a.png --out out --networks networks.bin";
    refuse(&dir, with_networks, 1, &["networks.bin", "not a file of the matcher's networks"]);
    refuse(&dir, "features none.png --out out", 2, &["none.png"]);
}
