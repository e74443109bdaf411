//! The least certain places of a solution.

use crate::SolutionFile;
use fretsaw::puzzle::{PieceId, Place};
use fretsaw::unstable::suggestions::DOUBTFUL;
use serde::Serialize;

/// A doubtful place, and which other pieces may lie there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Doubt<'a> {
    /// The board.
    pub board: usize,
    /// The row of its cell.
    pub row: u32,
    /// The column of its cell.
    pub col: u32,
    /// The piece that lies there.
    pub piece: u32,
    /// Its clockwise quarter turns.
    pub turns: u8,
    /// The name of the piece, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// The confidence in its place, 0 to 1.
    pub confidence: f64,
    /// How likely it lies there, beside the alternatives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likelihood: Option<f64>,
    /// Other pieces, the likeliest first.
    pub alternatives: Vec<OtherPiece<'a>>,
}

/// A piece that may lie in a doubtful place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OtherPiece<'a> {
    /// The piece.
    pub piece: u32,
    /// Its clockwise quarter turns there.
    pub turns: u8,
    /// Its name, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// How likely it lies there.
    pub likelihood: f64,
}

impl SolutionFile {
    /// All doubtful places, least certain first, with suggestions. `None` if the solution has no confidences.
    pub fn doubts(&self) -> Option<Vec<Doubt<'_>>> {
        if self.confidences.iter().all(Option::is_none) {
            return None;
        }
        let name = |piece: PieceId| self.names.get(piece.index()).map(String::as_str);
        let doubt = |placement: fretsaw::puzzle::Placement| {
            let (piece, Place { board, cell, turn }) = (placement.piece, placement.place);
            let confidence = self.confidences.get(piece.index()).copied().flatten()?;
            if confidence >= DOUBTFUL {
                return None;
            }
            let suggestion = self.suggestions.iter().find(|found| found.piece == piece);
            let alternatives = suggestion.map_or(&[][..], |found| &found.alternatives);
            let others = alternatives.iter().map(|other| OtherPiece {
                piece: other.piece.number(),
                turns: other.turn.clockwise(),
                name: name(other.piece),
                likelihood: other.likelihood,
            });
            Some(Doubt {
                board,
                row: cell.row,
                col: cell.col,
                piece: piece.number(),
                turns: turn.clockwise(),
                name: name(piece),
                confidence,
                likelihood: suggestion.map(|found| found.likelihood),
                alternatives: others.collect(),
            })
        };
        let mut doubts: Vec<Doubt<'_>> = self.assembly.placements().filter_map(doubt).collect();
        doubts.sort_by(|a, b| a.confidence.total_cmp(&b.confidence).then(a.piece.cmp(&b.piece)));
        Some(doubts)
    }
}
