//! The description of an input as one document: what it holds, and what is done to its pieces before a solve.

use crate::{Inspection, PieceKind, PuzzleInput, Skipped};
use fretsaw::picture::{LayoutCandidate, SheetLayout};
use fretsaw::preparation::{Done, Preparation};
use fretsaw::solution::WearEstimate;
use fretsaw::unstable::sizes_that_fit;
use fretsaw::{Puzzle, Silent};
use serde::Serialize;
use std::sync::Arc;

/// The wear of more pieces than this is not looked for: it would take long.
const MAX_PIECES_OF_WEAR: usize = 2000;

/// The wear of the pieces, if they are worn.
fn wear_of(input: &PuzzleInput) -> Option<WearEstimate> {
    if input.pieces.num_pieces() > MAX_PIECES_OF_WEAR {
        return None;
    }
    let puzzle =
        Puzzle::new(Arc::clone(&input.pieces)).colours_bleed(input.colour_bleeding.is_any());
    puzzle.estimate_wear(&Silent).ok().flatten()
}

/// The description of an input.
#[derive(Debug, Serialize)]
pub struct InspectionReport<'a> {
    /// The name of the input.
    pub input: String,
    /// `scramble folder`, `sheet` or `pieces`.
    pub kind: &'static str,
    /// The number of pieces; for a sheet by its likeliest layout or by `puzzle.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<u64>,
    /// The pictures by size, channels and depth.
    pub pictures: &'a [PieceKind],
    /// The layouts that a sheet may have, the likeliest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<CandidateRecord>,
    /// The boards that the pieces fill: columns and rows.
    pub boards: Vec<[u32; 2]>,
    /// What happened to worn pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wear: Option<WearEstimate>,
    /// The files that are not part of the puzzle.
    pub skipped: Vec<Skipped>,
    /// What is done to the pieces before a solve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preparation: Option<PreparationReport>,
}

/// What is done to the pieces before a solve.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PreparationReport {
    /// Columns of pixels of the prepared pieces.
    pub width: u32,
    /// Rows of pixels of the prepared pieces.
    pub height: u32,
    /// Whether a background is cut away.
    pub background: bool,
    /// Whether different sizes are brought to one.
    pub sizes: bool,
    /// Lines off every edge.
    pub trimmed: u32,
    /// The largest tilt in degrees.
    pub tilt: f64,
}

impl From<&Preparation> for PreparationReport {
    fn from(preparation: &Preparation) -> Self {
        let Done { background, sizes, trimmed_px } = preparation.done();
        let tilts = preparation.windows().iter().map(|window| window.tilt_degrees.abs());
        Self {
            width: preparation.shape().width_px(),
            height: preparation.shape().height_px(),
            background,
            sizes,
            trimmed: trimmed_px,
            tilt: tilts.fold(0.0, f64::max),
        }
    }
}

/// A layout that a sheet may have.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CandidateRecord {
    /// Columns of pixels of a piece.
    pub width: u32,
    /// Rows of pixels of a piece.
    pub height: u32,
    /// Columns of pieces.
    pub columns: u32,
    /// Rows of pieces.
    pub rows: u32,
    /// Between columns and between rows.
    pub gap: [u32; 2],
    /// Left, top, right, bottom.
    pub margins: [u32; 4],
    /// How much it stands out.
    pub score: f64,
    /// Whether it is taken without asking.
    pub stands_out: bool,
}

impl<'a> InspectionReport<'a> {
    /// Describes an input of this name. `read` is what its pieces are once they are read, if they can be.
    pub fn new(input: String, found: &'a Inspection, read: Option<&PuzzleInput>) -> Self {
        let kind = match (&found.declared, found.sheet.is_some()) {
            (Some(_), _) => "scramble folder",
            (None, true) => "sheet",
            (None, false) => "pieces",
        };
        let loose = found.kinds.iter().map(|kind| kind.count as u64).sum();
        let pieces = match (&found.declared, found.sheet.is_some()) {
            (Some(puzzle), _) => Some(puzzle.num_pieces as u64),
            (None, true) => {
                let first = found.layouts.first().filter(|first| first.stands_out);
                first.map(|first| first.layout.num_pieces())
            }
            (None, false) => Some(loose),
        };
        let number = pieces.and_then(|pieces| usize::try_from(pieces).ok());
        let boards = number.filter(|&number| number >= 2).map(sizes_that_fit).unwrap_or_default();
        Self {
            input,
            kind,
            pieces,
            pictures: &found.kinds,
            candidates: found.layouts.iter().map(CandidateRecord::from).collect(),
            boards: boards.iter().map(|grid| [grid.cols(), grid.rows()]).collect(),
            wear: read.and_then(wear_of),
            skipped: found.skipped(),
            preparation: read.and_then(|read| Some(read.preparation.as_ref()?.into())),
        }
    }
}

impl From<&LayoutCandidate> for CandidateRecord {
    fn from(&LayoutCandidate { layout, score, stands_out }: &LayoutCandidate) -> Self {
        let SheetLayout { shape, columns, rows, .. } = layout;
        Self {
            width: shape.width_px(),
            height: shape.height_px(),
            columns,
            rows,
            gap: [layout.gap_x_px, layout.gap_y_px],
            margins: [layout.left_px, layout.top_px, layout.right_px, layout.bottom_px],
            score,
            stands_out,
        }
    }
}
