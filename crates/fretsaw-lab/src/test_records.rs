//! Records for tests.

use crate::puzzles::PuzzleKey;
use crate::set_run::{MethodKey, RunKey, RunRecord};
use crate::wear::Wear;
use fretsaw::evaluation::Score;
use fretsaw::puzzle::PuzzleType;
use fretsaw::settings::{Matcher, Measure};

/// A run of Gallagher's method on a picture of the set `mine`, to be changed as needed.
pub(crate) fn record(image: &str, seed: u64, neighbor: f64) -> RunRecord {
    RunRecord {
        key: RunKey {
            puzzle: PuzzleKey {
                set: "mine".into(),
                image: image.into(),
                seed,
                puzzle_type: PuzzleType::Type2,
                piece: (28, 28),
                cells: None,
                fit: None,
                corrupt: 0.0,
                sheet_jpeg: None,
                wear: Wear::default(),
            },
            method: MethodKey::Gallagher {},
            measure: Measure::Mgc,
            matcher: Matcher::Ratio,
        },
        score: Score {
            pieces: 48,
            placed: 48,
            direct: neighbor,
            neighbor,
            largest: neighbor,
            perfect: neighbor >= 1.0,
            neighbor_px: Some(neighbor),
            direct_px: Some(neighbor),
            perfect_px: Some(neighbor >= 1.0),
            neighbor_visual: Some(neighbor),
        },
        seconds: 2.0,
        stages: [("measure".into(), 0.5), ("assemble".into(), 1.5)].into(),
        peak_bytes: None,
        jobs: 1,
        settings: serde_json::json!({"method": "gallagher", "seed": seed, "no longer known": 1}),
        version: "0.1.0".into(),
        commit: None,
        machine: None,
        threads: None,
    }
}
