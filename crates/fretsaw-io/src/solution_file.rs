//! `solution.json`: the places of the pieces, and how the solver found them.

use crate::json::{self, ObjectWriter, list, small_value};
use crate::limits::read_bytes;
use crate::placements::{BoardRecord, PlacementRecord, assemble};
use crate::prepare::PreparationRecord;
use crate::solution_check::check_solution;
use crate::{IoError, Limits, PiecesFingerprint, Problem, Skipped, atomic};
use fretsaw::preparation::Preparation;
use fretsaw::puzzle::{Assembly, Join, PieceId, QuarterTurn, Side, SideId};
use fretsaw::solution::WearEstimate;
use fretsaw::solution::{Alternative, SeamConfidence, Solution, Suggestion};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
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

/// The guess of which way up a picture is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Upright {
    /// Clockwise quarter turns by which the solver turned its answer as a whole, 0 to 3.
    pub turns: u8,
    /// The probability that the picture now stands upright, 0 to 1.
    pub probability: f64,
}

/// How a solution was made. All of it may be unknown in files of other solvers.
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
    /// Files of the input that are not part of the puzzle.
    pub skipped: Vec<Skipped>,
    /// Which way up the picture is, if the solver guessed that.
    pub upright: Option<Upright>,
    /// The pieces that it is a solution of, as they were read.
    pub fingerprint: Option<PiecesFingerprint>,
    /// What happened to worn pieces, if the solver could tell.
    pub wear: Option<WearEstimate>,
}

impl SolutionInfo {
    /// What is known of the solve, in words: a name and a value each.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let facts = [
            ("Status", self.status.clone()),
            ("Method", self.method.clone()),
            ("Wear", self.wear.map(|wear| wear.to_string())),
            ("Upright", self.upright.map(|it| format!("{:.0} % sure", 100.0 * it.probability))),
            ("Seed", self.seed.map(|seed| seed.to_string())),
            ("Version", self.version.clone()),
        ];
        facts.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

/// A solution file.
#[derive(Clone, Debug, PartialEq)]
pub struct SolutionFile {
    /// The places of the pieces.
    pub assembly: Assembly,
    /// The confidence in the place of each piece, 0 to 1. `None` for pieces without a place, or if the
    /// solver gave none. Pieces beyond the end of the list have none.
    pub confidences: Vec<Option<f64>>,
    /// Seams of the assembly, each at most once, and the confidence in each, 0 to 1. Seams without a
    /// confidence are left out.
    pub seams: Vec<SeamConfidence>,
    /// Groups of at least two pieces that look the same and could be exchanged; no piece is in two
    /// groups.
    pub interchangeable: Vec<Vec<PieceId>>,
    /// Pieces that have to be flipped left to right before they are turned.
    pub mirrored: Vec<PieceId>,
    /// The least certain places, each at most once, and which other pieces may lie there.
    pub suggestions: Vec<Suggestion>,
    /// The file names of the pieces, in order; empty if they have none.
    pub names: Vec<String>,
    /// What was done to the pictures of the pieces before they were compared, if anything.
    pub preparation: Option<Preparation>,
    /// How the solution was made.
    pub info: SolutionInfo,
}

impl SolutionFile {
    /// The file of a solution.
    pub fn new(solution: Solution, names: Vec<String>, info: SolutionInfo) -> Self {
        let Solution { assembly, confidences, seams, interchangeable, suggestions, .. } = solution;
        Self {
            assembly,
            confidences,
            seams,
            interchangeable,
            mirrored: Vec::new(),
            suggestions,
            names,
            preparation: None,
            info,
        }
    }
}

/// A seam as written. Sides are numbered clockwise from the top, 0 to 3.
///
/// Numbers are read as 64 bits and checked later, so that the message can name the seam.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct SeamRecord {
    a: u64,
    a_side: u64,
    b: u64,
    b_side: u64,
    confidence: f64,
}

impl From<&SeamConfidence> for SeamRecord {
    fn from(&SeamConfidence { join: Join { first, second }, confidence }: &SeamConfidence) -> Self {
        Self {
            a: first.piece().number().into(),
            a_side: first.side().index() as u64,
            b: second.piece().number().into(),
            b_side: second.side().index() as u64,
            confidence,
        }
    }
}

/// A suggestion as written.
#[derive(Clone, Serialize, Deserialize)]
struct SuggestionRecord {
    piece: u64,
    likelihood: f64,
    alternatives: Vec<AlternativeRecord>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct AlternativeRecord {
    piece: u64,
    turns: u64,
    likelihood: f64,
}

impl From<&Suggestion> for SuggestionRecord {
    fn from(Suggestion { piece, likelihood, alternatives }: &Suggestion) -> Self {
        let alternatives = alternatives.iter().map(|alternative| AlternativeRecord {
            piece: alternative.piece.number().into(),
            turns: alternative.turn.clockwise().into(),
            likelihood: alternative.likelihood,
        });
        Self {
            piece: piece.number().into(),
            likelihood: *likelihood,
            alternatives: alternatives.collect(),
        }
    }
}

#[derive(Deserialize)]
struct SolutionRecord {
    version: Option<String>,
    method: Option<String>,
    #[serde(default, deserialize_with = "small_value")]
    settings: serde_json::Value,
    seed: Option<u64>,
    #[serde(default, deserialize_with = "list")]
    timings: Vec<Timing>,
    status: Option<String>,
    #[serde(default, deserialize_with = "list")]
    skipped: Vec<Skipped>,
    upright: Option<Upright>,
    wear: Option<WearEstimate>,
    fingerprint: Option<PiecesFingerprint>,
    #[serde(deserialize_with = "list")]
    boards: Vec<BoardRecord>,
    #[serde(deserialize_with = "list")]
    placements: Vec<PlacementRecord>,
    #[serde(default, deserialize_with = "list")]
    unplaced: Vec<u64>,
    #[serde(default, deserialize_with = "list")]
    seams: Vec<SeamRecord>,
    #[serde(default, deserialize_with = "list")]
    interchangeable: Vec<Vec<u64>>,
    #[serde(default, deserialize_with = "list")]
    mirrored: Vec<u64>,
    #[serde(default, deserialize_with = "list")]
    suggestions: Vec<SuggestionRecord>,
    #[serde(default, deserialize_with = "list")]
    names: Vec<String>,
    preparation: Option<PreparationRecord>,
}

/// Reads a solution file. Each piece must be placed or listed as unplaced, once.
///
/// # Errors
/// If it cannot be read, is malformed, contradicts itself or is beyond the limits.
pub fn read_solution(path: &Path, limits: &Limits) -> Result<SolutionFile, IoError> {
    parse_solution(path, &read_bytes(path, limits.max_json_bytes)?, limits)
}

/// Reads a solution file from memory. The path is for messages.
pub fn parse_solution(path: &Path, bytes: &[u8], limits: &Limits) -> Result<SolutionFile, IoError> {
    let record: SolutionRecord = json::parse(path, bytes, SOLUTION_FORMAT)?;
    let assembly = assemble(path, &record.boards, &record.placements, &record.unplaced, limits)?;
    let mut confidences = vec![None; assembly.num_pieces()];
    for &PlacementRecord { piece, confidence, .. } in &record.placements {
        let slot = usize::try_from(piece).ok().and_then(|index| confidences.get_mut(index));
        if let Some(slot) = slot {
            *slot = confidence;
        }
    }
    let num_pieces = assembly.num_pieces();
    let seam = |record: &SeamRecord| seam_of(path, num_pieces, record);
    let group = |numbers: &Vec<u64>| {
        let piece =
            |&number: &u64| piece_of(path, num_pieces, number, "a group of interchangeable pieces");
        numbers.iter().map(piece).collect::<Result<Vec<_>, _>>()
    };
    let mirrored =
        |&number: &u64| piece_of(path, num_pieces, number, "the list of mirrored pieces");
    let suggestion = |record: &SuggestionRecord| suggestion_of(path, num_pieces, record);
    let solution = SolutionFile {
        assembly,
        confidences,
        seams: record.seams.iter().map(seam).collect::<Result<_, _>>()?,
        interchangeable: record.interchangeable.iter().map(group).collect::<Result<_, _>>()?,
        mirrored: record.mirrored.iter().map(mirrored).collect::<Result<_, _>>()?,
        suggestions: record.suggestions.iter().map(suggestion).collect::<Result<_, _>>()?,
        names: record.names,
        preparation: record.preparation.map(|it| it.checked(path, num_pieces)).transpose()?,
        info: SolutionInfo {
            version: record.version,
            method: record.method,
            settings: record.settings,
            seed: record.seed,
            timings: record.timings,
            status: record.status,
            skipped: record.skipped,
            upright: record.upright,
            fingerprint: record.fingerprint,
            wear: record.wear,
        },
    };
    check_solution(path, &solution)?;
    Ok(solution)
}

/// The piece with this number; `what` refers to it.
fn piece_of(path: &Path, num_pieces: usize, number: u64, what: &str) -> Result<PieceId, IoError> {
    let index = usize::try_from(number).ok().filter(|&index| index < num_pieces);
    index.map(PieceId::new).ok_or_else(|| {
        IoError::bad_value(
            path,
            format!("{what} names piece {number}, but there are {num_pieces} pieces"),
            "pieces are counted from 0; correct the number",
        )
    })
}

fn seam_of(path: &Path, num_pieces: usize, record: &SeamRecord) -> Result<SeamConfidence, IoError> {
    let &SeamRecord { a, a_side, b, b_side, confidence } = record;
    let side_of = |piece: u64, side: u64| {
        let piece = piece_of(path, num_pieces, piece, "a seam")?;
        let found = usize::try_from(side).ok().and_then(|side| Side::ALL.get(side));
        let side = found.ok_or_else(|| {
            IoError::bad_value(
                path,
                format!("a seam of pieces {a} and {b} names side {side}"),
                "sides must be 0, 1, 2 or 3, clockwise from the top",
            )
        })?;
        Ok(SideId::new(piece, *side))
    };
    Ok(SeamConfidence { join: Join::new(side_of(a, a_side)?, side_of(b, b_side)?), confidence })
}

fn suggestion_of(
    path: &Path,
    num_pieces: usize,
    record: &SuggestionRecord,
) -> Result<Suggestion, IoError> {
    let piece_of = |number| piece_of(path, num_pieces, number, "a suggestion");
    let alternative = |&AlternativeRecord { piece, turns, likelihood }: &AlternativeRecord| {
        let turn = usize::try_from(turns).ok().and_then(|turns| QuarterTurn::ALL.get(turns));
        let turn = *turn.ok_or_else(|| {
            IoError::bad_value(
                path,
                format!("piece {piece} is suggested with {turns} turns"),
                "turns must be 0, 1, 2 or 3",
            )
        })?;
        Ok(Alternative { piece: piece_of(piece)?, turn, likelihood })
    };
    Ok(Suggestion {
        piece: piece_of(record.piece)?,
        likelihood: record.likelihood,
        alternatives: record.alternatives.iter().map(alternative).collect::<Result<_, _>>()?,
    })
}

/// Writes a solution file. It appears whole or not at all; an existing file is replaced.
///
/// # Errors
/// If a confidence, a time, a seam, a group or a suggestion is not possible, or the file cannot be written.
pub fn write_solution(path: &Path, solution: &SolutionFile) -> Result<(), IoError> {
    check_solution(path, solution)?;
    atomic::write_file(path, |file| Ok(write_to(solution, file)?))
}

/// The bytes that [`write_solution`] would write. The path is for messages.
///
/// # Errors
/// If a confidence, a time, a seam, a group or a suggestion is not possible.
pub fn encode_solution(path: &Path, solution: &SolutionFile) -> Result<Vec<u8>, IoError> {
    check_solution(path, solution)?;
    let mut bytes = Vec::new();
    write_to(solution, &mut bytes).map_err(|cause| Problem::not_encoded(cause).at(path))?;
    Ok(bytes)
}

fn write_to(solution: &SolutionFile, file: &mut impl Write) -> io::Result<()> {
    let SolutionFile {
        assembly,
        confidences,
        seams,
        interchangeable,
        mirrored,
        suggestions,
        names,
        preparation,
        info,
    } = solution;
    let mut object = ObjectWriter::new(file);
    object.field("format", SOLUTION_FORMAT)?;
    object.optional("version", info.version.as_ref())?;
    object.optional("method", info.method.as_ref())?;
    object.optional("settings", Some(&info.settings).filter(|settings| !settings.is_null()))?;
    object.optional("seed", info.seed.as_ref())?;
    object.list("timings", &info.timings)?;
    object.optional("status", info.status.as_ref())?;
    if !info.skipped.is_empty() {
        object.list("skipped", &info.skipped)?;
    }
    object.optional("upright", info.upright.as_ref())?;
    object.optional("fingerprint", info.fingerprint.as_ref())?;
    object.optional("wear", info.wear.as_ref())?;
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
    if !mirrored.is_empty() {
        object.list("mirrored", mirrored.iter().map(|piece| piece.number()))?;
    }
    object.list("seams", seams.iter().map(SeamRecord::from))?;
    let numbers =
        |group: &Vec<PieceId>| -> Vec<u32> { group.iter().map(|piece| piece.number()).collect() };
    object.list("interchangeable", interchangeable.iter().map(numbers))?;
    object.list("suggestions", suggestions.iter().map(SuggestionRecord::from))?;
    if !names.is_empty() {
        object.list("names", names)?;
    }
    let preparation = preparation.as_ref().map(PreparationRecord::from);
    object.optional("preparation", preparation.as_ref())?;
    object.finish()
}
