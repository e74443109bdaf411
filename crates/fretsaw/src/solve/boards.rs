//! Which boards the pieces are laid on: those that are known, or those that the pieces suggest.

use super::{Puzzle, Settings, SolveError};
use crate::boards::{BoardHypothesis, PIECES_PER_LEFT_OUT, propose_boards};
use crate::locations::LocationError;
use crate::matching::MatchModel;
use crate::methods::fretsaw::Effort;
use crate::observer::Observer;
use crate::puzzle::{Grid, TurnSet, is_large};
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
    let (sheet, seed) = (puzzle.sheet, settings.seed);
    let proposed = propose_boards(&costs(), num_pieces, turns, &known, sheet, seed, observer)
        .map_err(LocationError::from)?;
    let choice = BoardChoice { num_pieces, turns, sheet, seed };
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

/// A full board of the sheet's own rows and columns is a little likelier than others.
const ADVANTAGE_OF_SHEET: f64 = 3.0;

/// What decides between boards, besides the costs.
struct BoardChoice {
    num_pieces: usize,
    turns: TurnSet,
    /// The grid of the sheet that the pieces lay on.
    sheet: Option<Grid>,
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
        if proposed.len() < 2 || is_large(self.num_pieces) {
            proposed.truncate(1);
            return Ok(proposed.pop());
        }
        let &Self { turns, seed, .. } = self;
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
        let frames = &hypothesis.boards.frames;
        let num_cells: usize = frames.iter().map(|frame| frame.num_cells()).sum();
        let is_of_sheet = hypothesis.filled_frame(self.num_pieces) == self.sheet;
        let (once, per_piece) = if num_cells == self.num_pieces {
            (if is_of_sheet && self.sheet.is_some() { -ADVANTAGE_OF_SHEET } else { 0.0 }, 0.0)
        } else if num_placed == num_cells {
            ADVANTAGE_WITHOUT_REST
        } else {
            ADVANTAGE_OF_FILLED
        };
        let num_left_out = self.num_pieces - num_placed;
        let num_too_many = num_left_out.saturating_sub(self.num_pieces / PIECES_PER_LEFT_OUT);
        once + per_piece * self.num_pieces as f64 + COST_OF_LEFT_OUT * num_too_many as f64
    }
}
