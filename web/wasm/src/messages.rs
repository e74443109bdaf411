//! What the page asks for and gets, as JSON.

use crate::failure::{Failure, Layout};
use fretsaw::preparation::Trim;
use fretsaw::puzzle::{Cell, Join, PieceId, PieceShape, Pin, QuarterTurn, Side, SideId, TurnSet};
use fretsaw::solution::{Alternative, SeamConfidence};
use fretsaw::unstable::TurnsHint;
use fretsaw::{Constraints, Effort, KnownBoards};
use fretsaw_io::{InputOptions, Limits, Prepare, Upright};
use serde::{Deserialize, Serialize};

/// The most pieces and pixels that a page takes. The command line takes more.
const MAX_PIECES: usize = 20_000;
const MAX_PIXELS: u64 = 1 << 26;

/// How large an input of the page may be.
pub(crate) fn limits() -> Limits {
    Limits { max_pieces: MAX_PIECES, max_pixels: MAX_PIXELS, ..Limits::default() }
}

/// How to read an input.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ReadRequest {
    /// Width and height of a piece.
    piece: Option<[u32; 2]>,
    gap: Option<u32>,
    border: Option<u32>,
    columns: Option<u32>,
    rows: Option<u32>,
}

impl ReadRequest {
    pub(crate) fn options(&self) -> Result<InputOptions, Failure> {
        let shape = |[width, height]: [u32; 2]| PieceShape::new(height, width);
        Ok(InputOptions {
            piece: self.piece.map(shape).transpose().map_err(Failure::other)?,
            columns: self.columns,
            rows: self.rows,
            gap_px: self.gap,
            border_px: self.border,
            prepare: Prepare::Find(Trim::Auto),
            limits: limits(),
        })
    }
}

/// How to solve, and what is known of the answer.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct SolveRequest {
    columns: Option<u32>,
    rows: Option<u32>,
    /// How many pictures the pieces belong to.
    pictures: Option<usize>,
    /// `auto`, `none`, `half` or `quarter`; without it what `puzzle.json` says.
    turns: Option<String>,
    effort: Option<String>,
    pub(crate) seed: u64,
    pins: Vec<PinRequest>,
    joins: Vec<JoinRequest>,
    apart: Vec<JoinRequest>,
    /// Whether the start is only to be rated.
    pub(crate) only_rate: bool,
}

#[derive(Debug, Deserialize)]
struct PinRequest {
    piece: usize,
    row: u32,
    col: u32,
    turns: i64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct JoinRequest {
    a: usize,
    a_side: usize,
    b: usize,
    b_side: usize,
}

impl SolveRequest {
    pub(crate) fn turns(&self) -> Option<TurnsHint> {
        Some(match self.turns.as_deref()? {
            "none" => TurnsHint::Only(TurnSet::None),
            "half" => TurnsHint::Only(TurnSet::Half),
            "quarter" => TurnsHint::Only(TurnSet::Quarter),
            _ => TurnsHint::Auto,
        })
    }

    pub(crate) fn effort(&self) -> Effort {
        let is_it = |effort: &Effort| Some(effort.name()) == self.effort.as_deref();
        Effort::ALL.into_iter().find(is_it).unwrap_or_default()
    }

    pub(crate) const fn boards(&self) -> KnownBoards {
        KnownBoards { rows: self.rows, cols: self.columns, count: self.pictures }
    }

    pub(crate) fn constraints(&self, num_pieces: usize) -> Result<Constraints, Failure> {
        let piece = |number: usize| match number < num_pieces {
            true => Ok(PieceId::new(number)),
            false => Err(Failure::other(format!("there is no piece {number}"))),
        };
        let pin = |&PinRequest { piece: number, row, col, turns }: &PinRequest| {
            let turn = Some(QuarterTurn::from_clockwise(turns));
            Ok(Pin { piece: piece(number)?, cell: Cell { row, col }, turn })
        };
        let join = |&JoinRequest { a, a_side, b, b_side }: &JoinRequest| {
            let side = |number, side: usize| {
                Ok::<_, Failure>(SideId::new(piece(number)?, Side::from_index(side % 4)))
            };
            Ok(Join::new(side(a, a_side)?, side(b, b_side)?))
        };
        Ok(Constraints {
            pins: self.pins.iter().map(pin).collect::<Result<_, Failure>>()?,
            joins: self.joins.iter().map(join).collect::<Result<_, Failure>>()?,
            forbidden: self.apart.iter().map(join).collect::<Result<_, Failure>>()?,
        })
    }
}

/// How to make a puzzle of a picture.
#[derive(Debug, Deserialize)]
pub(crate) struct ScrambleRequest {
    pub(crate) piece: u32,
    pub(crate) turned: bool,
    pub(crate) seed: u64,
}

/// What was found in an input.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Found<'a> {
    pub(crate) pieces: usize,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) bits: u8,
    /// How the pieces lay on their sheet.
    pub(crate) layout: Option<Layout>,
    /// Whether `puzzle.json` describes it.
    pub(crate) is_declared: bool,
    /// Columns and rows by `puzzle.json`.
    pub(crate) declared_grid: Option<[u32; 2]>,
    /// `none`, `half` or `quarter`, if `puzzle.json` says so.
    pub(crate) declared_turns: Option<TurnSet>,
    /// What was done to the pictures of the pieces.
    pub(crate) preparation: Option<String>,
    pub(crate) warnings: Vec<String>,
    pub(crate) names: &'a [String],
    /// Whether a quarter turn brings a piece to the form of its cell.
    pub(crate) is_square: bool,
    pub(crate) fingerprint: String,
}

/// What a sheet may be cut into.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Inspected {
    /// The width and height of the sheet's picture in pixels.
    pub(crate) sheet: Option<[usize; 2]>,
    pub(crate) layouts: Vec<Layout>,
}

/// An answer, without its board.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Answer {
    pub(crate) status: String,
    pub(crate) turns: TurnSet,
    /// What was found out besides, in words.
    pub(crate) notes: Vec<String>,
    pub(crate) warnings: Vec<String>,
    /// How good it probably is, in words.
    pub(crate) verdict: Option<String>,
    /// `size`, `turns` or `effort`: what may help.
    pub(crate) helps: Vec<&'static str>,
    /// Which way up the picture was turned by a guess.
    pub(crate) upright: Option<Upright>,
    pub(crate) seconds: f64,
    pub(crate) rating: Rating,
}

/// How certain the places and seams of a board are.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Rating {
    /// By piece; null without a place.
    pub(crate) pieces: Vec<Option<f32>>,
    /// The seams in doubt, the least certain first.
    pub(crate) doubts: Vec<Doubt>,
}

/// A seam in doubt.
#[derive(Debug, Serialize)]
pub(crate) struct Doubt {
    a: usize,
    b: usize,
    confidence: f64,
}

/// Seams of a lower confidence are in doubt.
const DOUBTFUL: f64 = 0.9;
/// The most that are listed.
const MAX_DOUBTS: usize = 300;

impl Rating {
    pub(crate) fn new(pieces: &[Option<f64>], seams: &[SeamConfidence]) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "rounded: it is only shown")]
        let rounded = |confidence: f64| confidence as f32;
        let mut doubts: Vec<Doubt> = seams
            .iter()
            .filter(|seam| seam.confidence < DOUBTFUL)
            .map(|&SeamConfidence { join, confidence }| Doubt {
                a: join.first.piece().index(),
                b: join.second.piece().index(),
                confidence,
            })
            .collect();
        doubts.sort_by(|x, y| x.confidence.total_cmp(&y.confidence));
        doubts.truncate(MAX_DOUBTS);
        Self { pieces: pieces.iter().map(|known| known.map(rounded)).collect(), doubts }
    }
}

/// Which pieces may lie in a place.
#[derive(Debug, Serialize)]
pub(crate) struct Suggested {
    /// How likely that which lies there belongs there.
    pub(crate) here: f64,
    pub(crate) alternatives: Vec<Other>,
}

/// An alternative.
#[derive(Debug, Serialize)]
pub(crate) struct Other {
    piece: usize,
    turns: u8,
    likelihood: f64,
}

impl From<Alternative> for Other {
    fn from(Alternative { piece, turn, likelihood }: Alternative) -> Self {
        Self { piece: piece.index(), turns: turn.clockwise(), likelihood }
    }
}
