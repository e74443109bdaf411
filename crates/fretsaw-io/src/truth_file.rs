//! `truth.json`: the true place of every piece. For scoring; no solver may open it.

use crate::json::{self, ObjectWriter, list};
use crate::limits::read_bytes;
use crate::placements::{BoardRecord, PlacementRecord, assemble};
use crate::puzzle_file::puzzle_type;
use crate::{IoError, Limits, PiecesFingerprint, Problem, atomic};
use fretsaw::puzzle::{GroundTruth, PieceClasses, PuzzleType};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;

/// The `format` field of a truth file.
pub const TRUTH_FORMAT: &str = "fretsaw-truth/1";

/// How a puzzle was made. All of it may be unknown in files of other programs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TruthInfo {
    /// The seed of the scramble.
    pub seed: Option<u64>,
    /// The file name of the picture, without its folder; of several, joined by a comma and a space.
    pub source: Option<String>,
    /// The type, which determines the unknowns.
    pub puzzle_type: Option<PuzzleType>,
    /// The rate of the paper's corruption model, 0 to 1.
    pub corrupt_rate: f64,
    /// How many pieces were left out.
    pub num_dropped: u64,
    /// The pieces that it is the truth of.
    pub fingerprint: Option<PiecesFingerprint>,
}

/// A truth file.
#[derive(Clone, Debug, PartialEq)]
pub struct TruthFile {
    /// The true place of every piece.
    pub truth: GroundTruth,
    /// How the puzzle was made.
    pub info: TruthInfo,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct SettingsRecord {
    corrupt: f64,
    drop: u64,
}

#[derive(Deserialize)]
struct TruthRecord {
    seed: Option<u64>,
    source: Option<String>,
    r#type: Option<u64>,
    #[serde(default)]
    settings: SettingsRecord,
    fingerprint: Option<PiecesFingerprint>,
    #[serde(deserialize_with = "list")]
    boards: Vec<BoardRecord>,
    #[serde(deserialize_with = "list")]
    placements: Vec<PlacementRecord>,
}

/// Reads a truth file. Its pieces must be numbered from 0 and all have a place.
///
/// # Errors
/// If it cannot be read, is malformed, contradicts itself or is beyond the limits.
pub fn read_truth(path: &Path, limits: &Limits) -> Result<TruthFile, IoError> {
    parse_truth(path, &read_bytes(path, limits.max_json_bytes)?, limits)
}

/// Reads a truth file from memory. The path is for messages.
pub fn parse_truth(path: &Path, bytes: &[u8], limits: &Limits) -> Result<TruthFile, IoError> {
    let mut record: TruthRecord = json::parse(path, bytes, TRUTH_FORMAT)?;
    let SettingsRecord { corrupt, drop } = record.settings;
    if !(0.0..=1.0).contains(&corrupt) {
        return Err(IoError::bad_value(
            path,
            format!("a corruption rate of {corrupt} is not possible"),
            "corrupt must lie between 0 and 1",
        ));
    }
    let puzzle_type = record.r#type.map(|number| puzzle_type(path, number)).transpose()?;
    let assembly = assemble(path, &record.boards, &record.placements, &[], limits)?;
    record.placements.sort_by_key(|placement| placement.piece);
    let classes = |of: fn(&PlacementRecord) -> Option<PieceClasses>| {
        let known: Vec<PieceClasses> = record.placements.iter().filter_map(of).collect();
        Some(known).filter(|known| !known.is_empty())
    };
    let truth = GroundTruth::new(assembly, classes(|placement| placement.looks))
        .and_then(|truth| truth.with_visual_classes(classes(|placement| placement.visual)))
        .map_err(|cause| IoError::bad_value(path, cause.to_string(), "complete the placements"))?;
    let info = TruthInfo {
        seed: record.seed,
        source: record.source,
        puzzle_type,
        corrupt_rate: corrupt,
        num_dropped: drop,
        fingerprint: record.fingerprint,
    };
    Ok(TruthFile { truth, info })
}

/// Writes a truth file. It appears whole or not at all; an existing file is replaced.
pub fn write_truth(path: &Path, truth: &TruthFile) -> Result<(), IoError> {
    atomic::write_file(path, |file| Ok(truth.write_to(file)?))
}

/// The bytes that [`write_truth`] would write. The path is for messages.
///
/// # Errors
/// If a value cannot be written as JSON.
pub fn encode_truth(path: &Path, truth: &TruthFile) -> Result<Vec<u8>, IoError> {
    let mut bytes = Vec::new();
    truth.write_to(&mut bytes).map_err(|cause| Problem::not_encoded(cause).at(path))?;
    Ok(bytes)
}

impl TruthFile {
    pub(crate) fn write_to(&self, file: &mut impl Write) -> io::Result<()> {
        let Self { truth, info } = self;
        let mut object = ObjectWriter::new(file);
        object.field("format", TRUTH_FORMAT)?;
        object.optional("seed", info.seed.as_ref())?;
        object.optional("source", info.source.as_ref())?;
        object.optional("type", info.puzzle_type.map(PuzzleType::number).as_ref())?;
        object.field(
            "settings",
            &SettingsRecord { corrupt: info.corrupt_rate, drop: info.num_dropped },
        )?;
        object.optional("fingerprint", info.fingerprint.as_ref())?;
        object.list(
            "boards",
            truth.assembly().boards().iter().map(|&grid| BoardRecord::from(grid)),
        )?;
        object.list(
            "placements",
            truth.assembly().placements().map(|placement| PlacementRecord {
                looks: truth.pixel_classes().map(|classes| classes[placement.piece.index()]),
                visual: truth.visual_classes().map(|classes| classes[placement.piece.index()]),
                ..placement.into()
            }),
        )?;
        object.finish()
    }
}
