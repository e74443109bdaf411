//! Saves and restores the state of a search by domain decomposition.

use super::SearchSpace;
use super::board_state::{BoardState, PlacedPiece, ScoredBoard};
use super::cells::{Cells, OUTSIDE};
use super::domain_decomposition::{Search, Step};
use crate::puzzle::{PieceId, Side, SideId};
use serde::{Deserialize, Serialize};

/// The whole state of a search between two steps.
#[derive(Debug, Serialize, Deserialize)]
struct State {
    board: SavedBoard,
    before: SavedBoard,
    num_failures: Vec<u8>,
    pass: usize,
    step: Step,
}

/// By cell four times the piece plus its turn.
pub(super) type SavedBoard = Vec<Option<u32>>;

/// The state of a search as bytes.
pub(super) fn save(search: &Search<'_>) -> Vec<u8> {
    let cells = search.annealer.space.cells;
    let state = State {
        board: save_board(cells, search.annealer.board()),
        before: save_board(cells, &search.before.board),
        num_failures: search.num_failures.clone(),
        pass: search.pass,
        step: search.step.clone(),
    };
    // Numbers and lists of numbers in memory: this cannot fail.
    postcard::to_stdvec(&state).unwrap_or_default()
}

/// Continues a search from a saved state. Bytes that are not a state of this search are ignored.
pub(super) fn restore(search: &mut Search<'_>, bytes: &[u8]) {
    let (space, num_pieces) = (search.annealer.space, search.annealer.board().num_pieces());
    let Ok(state) = postcard::from_bytes::<State>(bytes) else { return };
    let Some(board) = restore_board(space, num_pieces, &state.board) else { return };
    let Some(before) = restore_board(space, num_pieces, &state.before) else { return };
    if state.num_failures.len() != space.cells.len() {
        return;
    }
    search.annealer.jump_to(&board);
    search.before = before;
    search.num_failures = state.num_failures;
    search.pass = state.pass;
    search.step = state.step;
}

pub(super) fn save_board(cells: &Cells, board: &BoardState) -> SavedBoard {
    let key = |PlacedPiece { piece, turn }: PlacedPiece| {
        #[expect(clippy::cast_possible_truncation, reason = "sides have numbers of 32 bits")]
        let key = SideId::new(piece, Side::Top + turn).index() as u32;
        key
    };
    cells.all().map(|cell| board.at(cell).map(key)).collect()
}

/// None unless every cell is listed and every piece lies in exactly one of them.
fn restore_board(
    space: SearchSpace<'_>,
    num_pieces: usize,
    saved: &SavedBoard,
) -> Option<ScoredBoard> {
    let mut placed = Vec::with_capacity(saved.len());
    for (cell, key) in space.cells.all().zip(saved) {
        let Some(key) = *key else { continue };
        let side = SideId::from_index(key as usize);
        if side.piece().index() >= num_pieces {
            return None;
        }
        placed.push((cell, PlacedPiece { piece: side.piece(), turn: side.side() - Side::Top }));
    }
    let is_whole = saved.len() == space.cells.len() && placed.len() == num_pieces;
    let board = BoardState::of(space, num_pieces, placed);
    let are_all_placed = (0..num_pieces).all(|index| board.cell_of(PieceId::new(index)) != OUTSIDE);
    (is_whole && are_all_placed).then(|| ScoredBoard::new(space, board))
}
