//! Boards and placements, which truth and solution files have in common.

use crate::{IoError, Limits};
use fretsaw::puzzle::{Assembly, Cell, Grid, PieceClasses, PieceId, Place, Placement, QuarterTurn};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A board as written.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct BoardRecord {
    pub(crate) rows: u64,
    pub(crate) cols: u64,
}

impl From<Grid> for BoardRecord {
    fn from(grid: Grid) -> Self {
        Self { rows: grid.rows().into(), cols: grid.cols().into() }
    }
}

/// A placement as written.
///
/// Numbers are read as 64 bits and checked later, so that the message can name the piece.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct PlacementRecord {
    pub(crate) piece: u64,
    #[serde(default)]
    pub(crate) board: u64,
    pub(crate) row: u64,
    pub(crate) col: u64,
    pub(crate) turns: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) confidence: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) looks: Option<PieceClasses>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) visual: Option<PieceClasses>,
}

impl From<Placement> for PlacementRecord {
    fn from(Placement { piece, place }: Placement) -> Self {
        Self {
            piece: piece.number().into(),
            board: place.board as u64,
            row: place.cell.row.into(),
            col: place.cell.col.into(),
            turns: place.turn.clockwise().into(),
            confidence: None,
            looks: None,
            visual: None,
        }
    }
}

/// The assembly of all pieces, each of which is either placed or listed as unplaced.
pub(crate) fn assemble(
    path: &Path,
    boards: &[BoardRecord],
    placements: &[PlacementRecord],
    unplaced: &[u64],
    limits: &Limits,
) -> Result<Assembly, IoError> {
    let bad = |what: String, remedy| IoError::bad_value(path, what, remedy);
    let num_pieces = placements.len() + unplaced.len();
    if num_pieces == 0 {
        return Err(bad("it names no pieces".into(), "give each piece a placement"));
    }
    limits.check_pieces(num_pieces as u64, 1).map_err(|problem| problem.at(path))?;
    check_each_piece_once(path, num_pieces, placements, unplaced)?;
    let mut grids = Vec::with_capacity(boards.len());
    let mut num_cells = 0;
    for (board, &BoardRecord { rows, cols }) in boards.iter().enumerate() {
        let grid = Grid::new(rows, cols)
            .map_err(|cause| bad(format!("board {board}: {cause}"), "correct rows and cols"))?;
        num_cells += grid.num_cells() as u64;
        grids.push(grid);
    }
    limits.check_cells(grids.len(), num_cells, num_pieces).map_err(|problem| problem.at(path))?;
    let placements = placements
        .iter()
        .map(|record| placement(path, &grids, record))
        .collect::<Result<Vec<_>, _>>()?;
    Assembly::new(num_pieces, grids, placements)
        .map_err(|cause| bad(cause.to_string(), "give each piece a cell of its own"))
}

fn check_each_piece_once(
    path: &Path,
    num_pieces: usize,
    placements: &[PlacementRecord],
    unplaced: &[u64],
) -> Result<(), IoError> {
    let bad = |what, remedy| Err(IoError::bad_value(path, what, remedy));
    let mut seen = vec![false; num_pieces];
    let placed = placements.iter().map(|record| record.piece);
    // The first number beyond the others. Reported last: it means that another one is missing, and
    // a piece given twice explains that better.
    let mut beyond = None;
    for (position, piece) in placed.chain(unplaced.iter().copied()).enumerate() {
        match usize::try_from(piece).ok().and_then(|index| seen.get_mut(index)) {
            None => beyond = beyond.or(Some(piece)),
            Some(seen) if !*seen => *seen = true,
            Some(_) if position < placements.len() => {
                return bad(format!("piece {piece} is placed twice"), "keep one of its placements");
            }
            Some(_) => {
                return bad(
                    format!("piece {piece} is listed as unplaced, but it was named before"),
                    "name each piece once, in placements or in unplaced",
                );
            }
        }
    }
    if let Some(missing) = seen.iter().position(|&seen| !seen) {
        let beyond = beyond.map_or(String::new(), |piece| format!(", but piece {piece} is named"));
        return bad(
            format!("piece {missing} of the {num_pieces} pieces is missing{beyond}"),
            "number the pieces from 0 and name each once",
        );
    }
    Ok(())
}

fn placement(path: &Path, grids: &[Grid], record: &PlacementRecord) -> Result<Placement, IoError> {
    let &PlacementRecord { piece, board, row, col, turns, .. } = record;
    let bad = |what, remedy| IoError::bad_value(path, what, remedy);
    let turn = match turns {
        0..=3 => QuarterTurn::ALL[usize::try_from(turns).unwrap_or_default()],
        _ => {
            return Err(bad(
                format!("piece {piece} is turned {turns} times"),
                "turns must be 0, 1, 2 or 3",
            ));
        }
    };
    let place = usize::try_from(board).ok().and_then(|board| Some((board, grids.get(board)?)));
    let Some((board, grid)) = place else {
        return Err(bad(
            format!("piece {piece} lies on board {board}, but there are {} boards", grids.len()),
            "boards are counted from 0; list the board or correct the number",
        ));
    };
    let cell = u32::try_from(row)
        .ok()
        .zip(u32::try_from(col).ok())
        .map(|(row, col)| Cell { row, col })
        .filter(|&cell| grid.contains(cell));
    let Some(cell) = cell else {
        return Err(bad(
            format!(
                "piece {piece} lies at row {row}, column {col}, outside board {board} of {} rows and \
                 {} columns",
                grid.rows(),
                grid.cols()
            ),
            "rows and columns are counted from 0; correct them or the board's size",
        ));
    };
    let piece = PieceId::new(usize::try_from(piece).unwrap_or_default());
    Ok(Placement { piece, place: Place { board, cell, turn } })
}
