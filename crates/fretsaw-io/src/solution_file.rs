//! `solution.json`: where a solver put the pieces, and how it came to that.

use crate::json::{self, ObjectWriter};
use crate::limits::read_bytes;
use crate::placements::{BoardRecord, PlacementRecord, assemble};
use crate::{IoError, Limits, Skipped, atomic};
use fretsaw::puzzle::{Assembly, Join, PieceId, QuarterTurn, Side, SideId};
use fretsaw::unstable::confidence::SeamConfidence;
use fretsaw::unstable::suggestions::{Alternative, Suggestion};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
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
    /// Files of the input that are not part of the puzzle.
    pub skipped: Vec<Skipped>,
}

/// A solution file.
#[derive(Clone, Debug, PartialEq)]
pub struct SolutionFile {
    /// Where the pieces were put.
    pub assembly: Assembly,
    /// By piece: how sure the solver is of its place, 0 to 1. `None` for pieces without a place, or
    /// if the solver did not say. May be shorter than the pieces are many; the rest is `None`.
    pub confidences: Vec<Option<f64>>,
    /// Seams of the assembly, each at most once, and how sure the solver is of each, 0 to 1; those of
    /// which it did not say are left out.
    pub seams: Vec<SeamConfidence>,
    /// Groups of two and more pieces that could be exchanged without anyone seeing it; no piece is in
    /// two groups. Empty if there are none, or if the solver did not say.
    pub interchangeable: Vec<Vec<PieceId>>,
    /// Places of which the solver is least certain, and what else might lie there; each place at most
    /// once. Empty if there are none, or if the solver did not say.
    pub suggestions: Vec<Suggestion>,
    /// The pieces' names, in order, as of their files; empty if they have none.
    pub names: Vec<String>,
    /// How the solution came about.
    pub info: SolutionInfo,
}

/// A seam as written. Sides are numbered clockwise from the top, 0 to 3.
///
/// Numbers are read wide and checked after, so that the message can say which seam is meant.
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
    #[serde(default)]
    settings: serde_json::Value,
    seed: Option<u64>,
    #[serde(default)]
    timings: Vec<Timing>,
    status: Option<String>,
    #[serde(default)]
    skipped: Vec<Skipped>,
    boards: Vec<BoardRecord>,
    placements: Vec<PlacementRecord>,
    #[serde(default)]
    unplaced: Vec<u64>,
    #[serde(default)]
    seams: Vec<SeamRecord>,
    #[serde(default)]
    interchangeable: Vec<Vec<u64>>,
    #[serde(default)]
    suggestions: Vec<SuggestionRecord>,
    #[serde(default)]
    names: Vec<String>,
}

/// Reads a solution file. Each piece must be placed or listed as unplaced, once.
///
/// # Errors
/// If it cannot be read, is malformed, contradicts itself or is beyond the limits.
pub fn read_solution(path: &Path, limits: &Limits) -> Result<SolutionFile, IoError> {
    parse_solution(path, &read_bytes(path, limits.max_json_bytes)?)
}

/// Reads a solution file from memory. The path is for messages.
///
/// # Errors
/// As [`read_solution`].
pub fn parse_solution(path: &Path, bytes: &[u8]) -> Result<SolutionFile, IoError> {
    let record: SolutionRecord = json::parse(path, bytes, SOLUTION_FORMAT)?;
    let assembly = assemble(path, &record.boards, &record.placements, &record.unplaced)?;
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
    let solution = SolutionFile {
        assembly,
        confidences,
        seams: record.seams.iter().map(seam).collect::<Result<_, _>>()?,
        interchangeable: record.interchangeable.iter().map(group).collect::<Result<_, _>>()?,
        suggestions: record
            .suggestions
            .iter()
            .map(|record| suggestion_of(path, num_pieces, record))
            .collect::<Result<_, _>>()?,
        names: record.names,
        info: SolutionInfo {
            version: record.version,
            method: record.method,
            settings: record.settings,
            seed: record.seed,
            timings: record.timings,
            status: record.status,
            skipped: record.skipped,
        },
    };
    solution.check(path)?;
    Ok(solution)
}

/// The piece of this number, which `what` names, if there is one.
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
    solution.check(path)?;
    let SolutionFile { assembly, confidences, seams, interchangeable, suggestions, names, info } =
        solution;
    atomic::write_file(path, |file| {
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
        object.list("seams", seams.iter().map(SeamRecord::from))?;
        let numbers = |group: &Vec<PieceId>| -> Vec<u32> {
            group.iter().map(|piece| piece.number()).collect()
        };
        object.list("interchangeable", interchangeable.iter().map(numbers))?;
        object.list("suggestions", suggestions.iter().map(SuggestionRecord::from))?;
        if !names.is_empty() {
            object.list("names", names)?;
        }
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
        self.check_seams(path)?;
        self.check_groups(path)?;
        self.check_suggestions(path)?;
        let (num_names, num_pieces) = (self.names.len(), self.assembly.num_pieces());
        if num_names > 0 && num_names != num_pieces {
            return Err(IoError::bad_value(
                path,
                format!("there are {num_names} names of {num_pieces} pieces"),
                "name all pieces or none",
            ));
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

    /// Suggestions are for pieces that have a place, each once, and likelihoods are probabilities.
    fn check_suggestions(&self, path: &Path) -> Result<(), IoError> {
        let num_pieces = self.assembly.num_pieces();
        let mut doubted = BTreeSet::new();
        for Suggestion { piece, likelihood, alternatives } in &self.suggestions {
            let number = piece.number();
            let bad = |what, remedy| Err(IoError::bad_value(path, what, remedy));
            let pieces = alternatives.iter().map(|alternative| alternative.piece);
            if let Some(beyond) = pieces.chain([*piece]).find(|piece| piece.index() >= num_pieces) {
                return bad(
                    format!("there is no piece {} to be suggested", beyond.number()),
                    "name pieces of the puzzle",
                );
            }
            let Some(place) = self.assembly.place_of(*piece) else {
                return bad(
                    format!("a suggestion is for piece {number}, which has no place"),
                    "make suggestions for pieces that are placed",
                );
            };
            if !doubted.insert(*piece) {
                return bad(
                    format!("there are two suggestions for piece {number}"),
                    "keep one of them",
                );
            }
            let mut likelihoods =
                alternatives.iter().map(|alternative| alternative.likelihood).chain([*likelihood]);
            if let Some(likelihood) = likelihoods.find(|value| !(0.0..=1.0).contains(value)) {
                return bad(
                    format!("the suggestion for piece {number} has the likelihood {likelihood}"),
                    "it must lie between 0 and 1",
                );
            }
            let mut seen = BTreeSet::from([(*piece, place.turn)]);
            if let Some(Alternative { piece, turn, .. }) =
                alternatives.iter().find(|other| !seen.insert((other.piece, other.turn)))
            {
                return bad(
                    format!(
                        "piece {} turned {} times is suggested twice for the place of piece \
                         {number}, or lies there",
                        piece.number(),
                        turn.clockwise()
                    ),
                    "name each alternative once",
                );
            }
        }
        Ok(())
    }

    /// Seams are those of the assembly, each once.
    fn check_seams(&self, path: &Path) -> Result<(), IoError> {
        let mut joins: BTreeSet<Join> = BTreeSet::new();
        if !self.seams.is_empty() {
            joins.extend(self.assembly.joins());
        }
        for &SeamConfidence { join, confidence } in &self.seams {
            let seam = || {
                let Join { first, second } = join;
                format!(
                    "the seam of piece {} side {} and piece {} side {}",
                    first.piece().number(),
                    first.side().index(),
                    second.piece().number(),
                    second.side().index()
                )
            };
            if !(0.0..=1.0).contains(&confidence) {
                return Err(IoError::bad_value(
                    path,
                    format!("the confidence of {} is {confidence}", seam()),
                    "it must lie between 0 and 1",
                ));
            }
            if !joins.remove(&join) {
                return Err(IoError::bad_value(
                    path,
                    format!("{} is given twice, or these sides do not touch", seam()),
                    "give each seam of the placements at most once",
                ));
            }
        }
        Ok(())
    }

    /// Groups have two pieces and more, and no piece is in two of them.
    fn check_groups(&self, path: &Path) -> Result<(), IoError> {
        let bad = |what, remedy| Err(IoError::bad_value(path, what, remedy));
        let mut seen = vec![false; self.assembly.num_pieces()];
        for group in &self.interchangeable {
            if group.len() < 2 {
                return bad(
                    format!("a group of interchangeable pieces has {} pieces", group.len()),
                    "a group needs at least two; leave it out",
                );
            }
            for piece in group {
                match seen.get_mut(piece.index()) {
                    Some(seen) if !*seen => *seen = true,
                    Some(_) => {
                        return bad(
                            format!("piece {} is named twice as interchangeable", piece.number()),
                            "name each piece in one group, once",
                        );
                    }
                    None => {
                        return bad(
                            format!("there is no piece {} to be interchangeable", piece.number()),
                            "name pieces of the puzzle",
                        );
                    }
                }
            }
        }
        Ok(())
    }
}
