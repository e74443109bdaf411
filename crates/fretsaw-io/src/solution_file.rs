//! `solution.json`: where a solver put the pieces, and how it came to that.

use crate::json::{self, ObjectWriter};
use crate::placements::{BoardRecord, PlacementRecord, assemble};
use crate::{IoError, Limits, atomic};
use fretsaw::puzzle::Assembly;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The `format` field of a solution file.
pub const SOLUTION_FORMAT: &str = "fretsaw-solution/1";

/// How long a stage took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// The stage's name.
    pub stage: String,
    /// Wall-clock time.
    pub seconds: f64,
}

/// How a solution came about. All of it may be unknown in files from elsewhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolutionInfo {
    /// The version of fretsaw.
    pub version: Option<String>,
    /// The method's name.
    pub method: Option<String>,
    /// Its settings; null if unknown.
    pub settings: serde_json::Value,
    /// The seed.
    pub seed: Option<u64>,
    /// The stages in the order in which they ran.
    pub timings: Vec<Timing>,
    /// How the method ended.
    pub status: Option<String>,
}

/// A solution file.
#[derive(Clone, Debug, PartialEq)]
pub struct SolutionFile {
    /// Where the pieces were put.
    pub assembly: Assembly,
    /// By piece: how sure the solver is of its place, 0 to 1. `None` for pieces without a place, or
    /// if the solver did not say. May be shorter than the pieces are many; the rest is `None`.
    pub confidences: Vec<Option<f64>>,
    /// How the solution came about.
    pub info: SolutionInfo,
}

#[derive(Deserialize)]
struct SolutionRecord {
    version: Option<String>,
    method: Option<String>,
    #[serde(default)]
    settings: serde_json::Value,
    seed: Option<u64>,
    #[serde(default)]
    timings: Vec<Timing>,
    status: Option<String>,
    boards: Vec<BoardRecord>,
    placements: Vec<PlacementRecord>,
    #[serde(default)]
    unplaced: Vec<u64>,
}

/// Reads a solution file. Each piece must be placed or listed as unplaced, once.
///
/// # Errors
/// If it cannot be read, is malformed, contradicts itself or is beyond the limits.
pub fn read_solution(path: &Path, limits: &Limits) -> Result<SolutionFile, IoError> {
    let record: SolutionRecord = json::read(path, SOLUTION_FORMAT, limits)?;
    let assembly = assemble(path, &record.boards, &record.placements, &record.unplaced)?;
    let mut confidences = vec![None; assembly.num_pieces()];
    for &PlacementRecord { piece, confidence, .. } in &record.placements {
        let slot = usize::try_from(piece).ok().and_then(|index| confidences.get_mut(index));
        if let Some(slot) = slot {
            *slot = confidence;
        }
    }
    let solution = SolutionFile {
        assembly,
        confidences,
        info: SolutionInfo {
            version: record.version,
            method: record.method,
            settings: record.settings,
            seed: record.seed,
            timings: record.timings,
            status: record.status,
        },
    };
    solution.check(path)?;
    Ok(solution)
}

/// Writes a solution file. It appears whole or not at all; a file of that name is replaced.
///
/// # Errors
/// If a confidence or a time is not possible, or the file cannot be written.
pub fn write_solution(path: &Path, solution: &SolutionFile) -> Result<(), IoError> {
    solution.check(path)?;
    let SolutionFile { assembly, confidences, info } = solution;
    atomic::write_file(path, |file| {
        let mut object = ObjectWriter::new(file);
        object.field("format", SOLUTION_FORMAT)?;
        object.optional("version", info.version.as_ref())?;
        object.optional("method", info.method.as_ref())?;
        object.optional("settings", Some(&info.settings).filter(|settings| !settings.is_null()))?;
        object.optional("seed", info.seed.as_ref())?;
        object.list("timings", &info.timings)?;
        object.optional("status", info.status.as_ref())?;
        object.list("boards", assembly.boards().iter().map(|&grid| BoardRecord::from(grid)))?;
        object.list(
            "placements",
            assembly.placements().map(|placement| PlacementRecord {
                confidence: confidences.get(placement.piece.index()).copied().flatten(),
                ..placement.into()
            }),
        )?;
        let unplaced: Vec<_> = assembly.unplaced().map(|piece| piece.number()).collect();
        object.field("unplaced", &unplaced)?;
        Ok(object.finish()?)
    })
}

impl SolutionFile {
    /// JSON has no numbers that are not finite, and a confidence is a probability.
    fn check(&self, path: &Path) -> Result<(), IoError> {
        for (piece, confidence) in self.confidences.iter().enumerate() {
            if let Some(confidence) = confidence.filter(|value| !(0.0..=1.0).contains(value)) {
                return Err(IoError::bad_value(
                    path,
                    format!("the confidence of piece {piece} is {confidence}"),
                    "it must lie between 0 and 1",
                ));
            }
        }
        for Timing { stage, seconds } in &self.info.timings {
            if !(seconds.is_finite() && *seconds >= 0.0) {
                return Err(IoError::bad_value(
                    path,
                    format!("stage {stage:?} is said to have taken {seconds} seconds"),
                    "times must be finite and not negative",
                ));
            }
        }
        Ok(())
    }
}
