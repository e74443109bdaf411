//! Which boards the pieces are laid on: those that are known, or those that the pieces suggest.

use super::{Puzzle, Settings, SolveError};
use crate::boards::{
    BoardHypothesis, PIECES_PER_LEFT_OUT, PiecesToLay, propose_boards, unusual_form,
};
use crate::dissimilarity::Material;
use crate::locations::LocationError;
use crate::matching::MatchModel;
use crate::methods::fretsaw::Effort;
use crate::observer::Observer;
use crate::puzzle::{TurnSet, is_large};
use crate::search::SearchProblem;
use crate::search::costs::SeamCosts;

/// Finds the boards.
///
/// A board of known size that the pieces fill is kept, and so are the boards of a start. Otherwise segments of
/// likely matches suggest boards with the known properties, and a short search chooses one.
///
/// # Errors
/// If no board has the known properties, or the observer cancels.
pub fn find_boards(
    puzzle: &Puzzle,
    model: &MatchModel<'_>,
    turns: TurnSet,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<BoardHypothesis, SolveError> {
    let num_pieces = puzzle.pieces.num_pieces();
    let (constraints, method) = (&puzzle.constraints, &settings.method);
    if let Some(start) = &puzzle.start {
        return Ok(BoardHypothesis::of(start.clone()).with_pins(constraints, turns));
    }
    let mut known = puzzle.boards.or_of_strips(puzzle.pieces.shape(), num_pieces, puzzle.sheet);
    if let Some(grid) = known.grid() {
        if grid.num_cells() == num_pieces && constraints.is_empty() {
            return Ok(BoardHypothesis::of_known_size(grid));
        }
        let num_cells = grid.num_cells() * *known.count.get_or_insert(1);
        // The method 'fretsaw' leaves out pieces that do not belong. If it had to leave out more than one in
        // four, the size must be wrong.
        let is_too_small = if method.is_fretsaw() {
            4 * num_cells < 3 * num_pieces
        } else {
            num_cells < num_pieces
        };
        if is_too_small {
            return Err(SolveError::GridTooSmall { num_pieces, grid });
        }
    }
    let costs = || SeamCosts::new(model).with_constraints(constraints);
    let pieces = PiecesToLay {
        num_pieces,
        shape: puzzle.pieces.shape(),
        turns,
        sheet: puzzle.sheet,
        are_graphics: model.material() == Material::Graphics,
    };
    let seed = settings.seed;
    let proposed =
        propose_boards(&costs(), &pieces, &known, seed, observer).map_err(LocationError::from)?;
    let choice = BoardChoice { pieces, seed };
    let chosen = choice.choose(proposed, costs, observer)?;
    let chosen = chosen.ok_or(SolveError::NoSuchBoard { num_pieces })?;
    if !constraints.is_empty() {
        return Ok(chosen.with_pins(constraints, turns));
    }
    match chosen.filled_frame(num_pieces) {
        // If the pieces fill one board exactly, it is solved as a board of known size.
        Some(frame) => Ok(BoardHypothesis::of_known_size(frame)),
        None if method.is_fretsaw() => Ok(chosen),
        None => match known.grid() {
            // The other methods leave cells empty, but no pieces out.
            Some(grid) if grid.num_cells() > num_pieces => Ok(BoardHypothesis::of_known_size(grid)),
            _ => {
                let (method, grids) = (method.name(), chosen.boards.frames);
                Err(SolveError::NotOneBoard { method, grids, num_pieces })
            }
        },
    }
}

/// Boards that all pieces fill are likelier than others: another one must have an energy that is lower by this much, and
/// by this much for each piece.
const ADVANTAGE_OF_FILLED: (f64, f64) = (20.0, 0.5);
/// The same if the other boards are filled to the last cell, too, and pieces are left over.
const ADVANTAGE_WITHOUT_REST: (f64, f64) = (3.0, 0.05);

/// The price of each piece that is left out, beyond one in `PIECES_PER_LEFT_OUT`: sides that look like borders make it
/// cheap to leave out pieces that the matcher is at a loss with.
const COST_OF_LEFT_OUT: f64 = 4.0;

/// The same for graphics, whose blank pieces have no match anywhere.
const COST_OF_LEFT_OUT_GRAPHICS: f64 = 12.0;

/// A full board of the sheet's own rows and columns is a little likelier than others.
const ADVANTAGE_OF_SHEET: f64 = 3.0;

/// The price of another board of graphics, and that of a form, times how unusual it is: once, and for each piece. Where
/// pages are blank, a part of them can lie anywhere, or be a picture of its own, at no cost.
const COST_OF_ANOTHER_BOARD: (f64, f64) = (40.0, 0.5);
const COST_OF_UNUSUAL_FORM: (f64, f64) = (20.0, 0.5);
/// The price of an empty cell between graphics.
const COST_OF_GRAPHICS_GAP: f64 = 0.75;

/// What decides between boards, besides the costs.
struct BoardChoice {
    pieces: PiecesToLay,
    seed: u64,
}

impl BoardChoice {
    /// Of the proposed boards, the one on which a short search finds the least energy. Boards that the pieces do not fill
    /// must be better by far. In a large puzzle the first proposal is taken.
    fn choose<'a>(
        &self,
        mut proposed: Vec<BoardHypothesis>,
        costs: impl Fn() -> SeamCosts<'a>,
        observer: &dyn Observer,
    ) -> Result<Option<BoardHypothesis>, LocationError> {
        if proposed.len() < 2 || is_large(self.pieces.num_pieces) {
            proposed.truncate(1);
            return Ok(proposed.pop());
        }
        let (turns, seed) = (self.pieces.turns, self.seed);
        let mut best: Option<(f64, BoardHypothesis)> = None;
        for hypothesis in proposed {
            if best.is_some() && observer.is_stopped() {
                break;
            }
            let search = SearchProblem { costs: costs(), boards: &hypothesis.boards, turns, seed };
            let starts = hypothesis.start.as_slice();
            let result = search.improve(starts, &Effort::Fast.budget(), observer)?;
            let energy = result.energy + self.price(&hypothesis, result.assembly.num_placed());
            if best.as_ref().is_none_or(|&(least, _)| energy < least) {
                best = Some((energy, hypothesis));
            }
        }
        Ok(best.map(|(_, hypothesis)| hypothesis))
    }

    /// What is added to the energy of boards on which so many pieces were placed: the less likely they are, the more.
    fn price(&self, hypothesis: &BoardHypothesis, num_placed: usize) -> f64 {
        let PiecesToLay { num_pieces, sheet, are_graphics, .. } = self.pieces;
        let frames = &hypothesis.boards.frames;
        let num_cells: usize = frames.iter().map(|frame| frame.num_cells()).sum();
        let is_of_sheet = hypothesis.filled_frame(num_pieces) == sheet;
        let (once, per_piece) = if num_cells == num_pieces {
            (if is_of_sheet && sheet.is_some() { -ADVANTAGE_OF_SHEET } else { 0.0 }, 0.0)
        } else if num_placed == num_cells {
            ADVANTAGE_WITHOUT_REST
        } else {
            ADVANTAGE_OF_FILLED
        };
        let num_left_out = num_pieces - num_placed;
        let num_too_many = num_left_out.saturating_sub(num_pieces / PIECES_PER_LEFT_OUT);
        let each = if are_graphics { COST_OF_LEFT_OUT_GRAPHICS } else { COST_OF_LEFT_OUT };
        let price = once + per_piece * num_pieces as f64 + each * num_too_many as f64;
        if are_graphics { price + self.price_of_parting(hypothesis, num_placed) } else { price }
    }

    /// What is added for graphics that lie on several boards, on one of unusual form, or far apart.
    fn price_of_parting(&self, hypothesis: &BoardHypothesis, num_placed: usize) -> f64 {
        let frames = &hypothesis.boards.frames;
        let price = |(once, per_piece): (f64, f64), num: usize| once + per_piece * num as f64;
        let others =
            (frames.len() - 1) as f64 * price(COST_OF_ANOTHER_BOARD, self.pieces.num_pieces);
        let forms = frames.iter().map(|&frame| {
            let num_filled = frame.num_cells().min(self.pieces.num_pieces);
            unusual_form(frame, self.pieces.shape) * price(COST_OF_UNUSUAL_FORM, num_filled)
        });
        let num_cells: usize = frames.iter().map(|frame| frame.num_cells()).sum();
        let num_empty = num_cells.saturating_sub(num_placed);
        others + forms.sum::<f64>() + COST_OF_GRAPHICS_GAP * num_empty as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Assembly, Grid, PieceShape};

    #[test]
    fn graphics_pay_for_further_boards_for_unusual_forms_and_for_gaps() {
        let boards = |sizes: &[(u64, u64)]| {
            let frames: Vec<Grid> =
                sizes.iter().map(|&(cols, rows)| Grid::new(rows, cols).unwrap()).collect();
            BoardHypothesis::of(Assembly::new(160, frames, []).unwrap())
        };
        let price = |are_graphics: bool, sizes: &[(u64, u64)]| {
            let pieces = PiecesToLay {
                num_pieces: 160,
                shape: PieceShape::new(64, 64).unwrap(),
                turns: TurnSet::None,
                sheet: None,
                are_graphics,
            };
            BoardChoice { pieces, seed: 1 }.price(&boards(sizes), 160)
        };
        for sizes in [&[(16, 10)][..], &[(10, 16)]] {
            assert_eq!(price(true, sizes), 0.0);
        }
        for sizes in [&[(20, 8)][..], &[(8, 11), (8, 9)], &[(20, 11)]] {
            assert!(price(true, sizes) > price(false, sizes) + 20.0, "{sizes:?}");
        }
        assert_eq!(price(false, &[(20, 8)]), 0.0);
    }
}
