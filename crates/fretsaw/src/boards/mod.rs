//! Finds how many boards there are, and their sizes, if they are unknown.
//!
//! Segments grow as long as that lowers the energy (`growth.rs`). Each large segment is a picture, and the
//! best frame around it is its board (`frame.rs`). The search ([`crate::search`]) places the remaining
//! pieces: it works on all boards at once and has slots for unplaced pieces.
//!
//! Cost: linear in the number of matches, plus a few hundred thousand frames, which are compared by table
//! lookups.

mod crop;
mod frame;
mod full;
mod growth;
mod strips;

use crate::constraints::Constraints;
use crate::locations::segment::{Limit, Segment, Segments};
use crate::observer::{Observer, is_over};
use crate::puzzle::{
    Assembly, AssemblyError, Grid, GridError, PieceShape, Place, Placement, QuarterTurn, TurnSet,
};
use crate::search::Boards;
use crate::search::costs::SeamCosts;
use frame::{Framed, SegmentTable, Wanted};
use full::full_sizes;
pub use full::sizes_that_fit;
pub(crate) use full::unusual_form;
pub(crate) use growth::grow;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The known properties of the boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownBoards {
    /// The rows of each board.
    pub rows: Option<u32>,
    /// The columns of each board.
    pub cols: Option<u32>,
    /// The number of boards.
    pub count: Option<usize>,
}

impl KnownBoards {
    /// One board of this size.
    pub const fn one(grid: Grid) -> Self {
        Self { rows: Some(grid.rows()), cols: Some(grid.cols()), count: Some(1) }
    }

    /// The size of each board, if both rows and columns are known.
    pub fn grid(&self) -> Option<Grid> {
        self.checked_grid().ok().flatten()
    }

    /// The size of each board, if both rows and columns are known.
    pub fn checked_grid(&self) -> Result<Option<Grid>, GridError> {
        match (self.rows, self.cols) {
            (Some(rows), Some(cols)) => Grid::new(rows.into(), cols.into()).map(Some),
            _ => Ok(None),
        }
    }
}

/// Boards of a puzzle, and pieces already placed on them.
#[derive(Clone, Debug)]
pub struct BoardHypothesis {
    /// The boards.
    pub boards: Boards,
    /// The assembly to start from, if there is one.
    pub start: Option<Assembly>,
    /// Whether the sizes of the boards were known.
    has_known_sizes: bool,
}

impl BoardHypothesis {
    /// One board of known size that has room for all pieces.
    pub fn of_known_size(grid: Grid) -> Self {
        Self { boards: grid.into(), start: None, has_known_sizes: true }
    }

    /// The boards of an assembly, whose sizes are known, with slots for its unplaced pieces.
    pub fn of(start: Assembly) -> Self {
        let frames = start.boards().to_vec();
        let num_pieces = start.num_pieces();
        let num_cells: usize = frames.iter().map(|frame| frame.num_cells()).sum();
        let num_unplaced_slots = if num_cells == num_pieces {
            0
        } else {
            num_pieces.saturating_sub(num_cells) + MIN_SLOTS + num_pieces / PIECES_PER_SLOT
        };
        let boards = Boards { frames, num_unplaced_slots, pins: Vec::new() };
        Self { boards, start: Some(start), has_known_sizes: true }
    }

    /// Adds the pins, which are on the first board, and turns the start to agree with them.
    #[must_use]
    pub fn with_pins(self, constraints: &Constraints, turns: TurnSet) -> Self {
        if constraints.pins.is_empty() {
            return self;
        }
        let boards = Boards { pins: constraints.pins.clone(), ..self.boards };
        let start = self.start.map(|start| constraints.best_turned(&start, turns));
        Self { boards, start, ..self }
    }

    /// The size of the board, if there is a single one that the pieces fill exactly.
    pub fn filled_frame(&self, num_pieces: usize) -> Option<Grid> {
        match self.boards.frames[..] {
            [frame] if frame.num_cells() == num_pieces => Some(frame),
            _ => None,
        }
    }

    /// Whether more pieces are left out than a few that may belong to another picture.
    pub fn leaves_many_out(&self, num_pieces: usize) -> bool {
        let num_cells: usize = self.boards.frames.iter().map(|frame| frame.num_cells()).sum();
        num_pieces.saturating_sub(num_cells) > num_pieces / PIECES_PER_LEFT_OUT
    }

    /// Crops empty rows and columns at the edges of the boards, unless the sizes were known.
    pub fn finished(&self, found: Assembly) -> Result<Assembly, AssemblyError> {
        if self.has_known_sizes { Ok(found) } else { crop::cropped(&found) }
    }
}

/// Another segment is a board if it has at least `ALMOST_AS_LARGE` times the pieces of the largest segment,
/// or at least `LARGE` times all pieces and clear edges.
const ALMOST_AS_LARGE: f64 = 0.3;
const LARGE: f64 = 0.02;
/// The smallest number of pieces of a board, except the largest.
const MIN_PIECES: usize = 9;
/// Edges are clear if their mean cost is below the first, and no edges if it is above the second.
const CLEAR_EDGES: f64 = 0.5;
const NO_EDGES: f64 = 1.5;
/// The share of its extent that a segment with clear edges must fill to be a board.
const WELL_FILLED: f64 = 0.8;

/// A board that the pieces fill exactly is not tried if it costs more than the cheapest by this much: a
/// constant, and a cost per piece.
const UNLIKELY: (f64, f64) = (200.0, 2.0);
/// The same between several boards that the pieces fill exactly, of which at most `MAX_FILLED` are tried.
const DOUBTFUL: (f64, f64) = (30.0, 0.3);
const MAX_FILLED: usize = 3;

const fn allowance((once, per_piece): (f64, f64), num_pieces: usize) -> f64 {
    once + per_piece * num_pieces as f64
}

/// Leaving out more than one piece in this many is unlikely.
pub(crate) const PIECES_PER_LEFT_OUT: usize = 10;

/// The most sizes of each board that are considered if there are several boards to fill.
const MAX_CHOICES: usize = 400;

/// Slots for unplaced pieces, besides those that the boards have no cells for: one per this many pieces,
/// plus `MIN_SLOTS`.
const PIECES_PER_SLOT: usize = 20;
const MIN_SLOTS: usize = 4;

/// The pieces that boards are wanted for.
#[derive(Clone, Copy, Debug)]
pub struct PiecesToLay {
    /// How many.
    pub num_pieces: usize,
    /// Their size.
    pub shape: PieceShape,
    /// The turns that they are allowed.
    pub turns: TurnSet,
    /// The grid of the sheet that the pieces lay on, if they fill it.
    pub sheet: Option<Grid>,
    /// Whether they are of a page, a screen or a drawing. Blank margins then hide which boards are right.
    pub are_graphics: bool,
}

/// Proposes boards, in this order: boards that the pieces fill exactly, the likeliest first; then the
/// cheapest other boards. There is only one proposal if the answer is clear.
///
/// A picture that was cut and shuffled mostly has the grid of its sheet, so it is always proposed. If the other boards
/// leave out many pieces, full boards of several sizes are, too. Graphics may come apart where they are blank, so unless
/// there is a single proposal, boards for all pieces together are proposed for them as well.
///
/// If the observer stops or cancels, the proposals are the best of those that were looked at until then.
pub fn propose_boards(
    costs: &SeamCosts<'_>,
    pieces: &PiecesToLay,
    known: &KnownBoards,
    seed: u64,
    observer: &dyn Observer,
) -> Result<Vec<BoardHypothesis>, AssemblyError> {
    let &PiecesToLay { num_pieces, turns, sheet, are_graphics, .. } = pieces;
    // Segments do not grow beyond a board of known size.
    let limit = known.grid().map_or(Limit::None, |frame| Limit::Frame { frame, turns });
    let segments = grow(costs, num_pieces, limit, seed, observer);
    let bodies = bodies(&segments, costs, known.count);
    let wanted = Wanted { rows: known.rows, cols: known.cols, num_cells: None };
    let across = Wanted { rows: wanted.cols, cols: wanted.rows, ..wanted };
    let both = [wanted, across];
    let ways = if turns == TurnSet::Quarter { &both[..] } else { &both[..1] };
    let frames = |table: &SegmentTable, num_cells: Option<usize>| {
        let of_way = |&way: &Wanted| table.frames(Wanted { num_cells, ..way }, observer);
        let mut found: Vec<Framed> = ways.iter().flat_map(of_way).collect();
        found.sort_by(|x, y| x.cost.total_cmp(&y.cost));
        found
    };
    let choices: Vec<Vec<Framed>> = bodies.iter().map(|(_, table)| frames(table, None)).collect();
    let cheapest: Option<Vec<Framed>> =
        choices.iter().map(|choices| choices.first().copied()).collect();
    let filled: Vec<Vec<Framed>> = match &bodies[..] {
        [(_, table)] => {
            let mut found = frames(table, Some(num_pieces));
            let least = found.first().map_or(0.0, |framed| framed.cost);
            found.retain(|framed| framed.cost <= least + allowance(DOUBTFUL, num_pieces));
            found.truncate(MAX_FILLED);
            found.into_iter().map(|framed| vec![framed]).collect()
        }
        _ => cheapest_of_size(&choices, num_pieces, observer).into_iter().collect(),
    };
    let finish = |framed: &[Framed]| {
        let framed = bodies.iter().map(|&(segment, _)| segment).zip(framed.iter().copied());
        laid(&segments, &framed.collect::<Vec<_>>(), num_pieces, known)
    };
    let cost = |framed: &[Framed]| framed.iter().map(|framed| framed.cost).sum::<f64>();
    let mut found = Vec::new();
    let most = cheapest.as_ref().map_or(f64::INFINITY, |cheapest| cost(cheapest));
    for filled in &filled {
        if cost(filled) <= most + allowance(UNLIKELY, num_pieces) {
            found.push(finish(filled)?);
        }
    }
    let cheapest = cheapest.map(|cheapest| finish(&cheapest)).transpose()?;
    let cheapest =
        cheapest.filter(|cheapest| found.is_empty() || cheapest.filled_frame(num_pieces).is_none());
    let is_poor = found.is_empty()
        && cheapest.as_ref().is_none_or(|cheapest| cheapest.leaves_many_out(num_pieces));
    if let Some((segment, table)) = bodies.first() {
        let is_clear = bodies.len() == 1 && found.len() + usize::from(cheapest.is_some()) < 2;
        let mut sizes = full_sizes(num_pieces, turns, known, sheet, is_poor);
        if are_graphics && !is_clear {
            let others = full_sizes(num_pieces, turns, known, None, true);
            sizes
                .extend(others.into_iter().filter(|&size| unusual_form(size, pieces.shape) == 0.0));
        }
        for frame in sizes {
            if found.iter().any(|other| other.filled_frame(num_pieces) == Some(frame)) {
                continue;
            }
            let (rows, cols) = (Some(frame.rows()), Some(frame.cols()));
            let wanted = Wanted { rows, cols, num_cells: Some(num_pieces) };
            let full = table.frames(wanted, observer);
            if let Some(&framed) = full.first() {
                found.push(laid(&segments, &[(segment, framed)], num_pieces, known)?);
            }
        }
    }
    found.extend(cheapest.filter(|cheapest| {
        let frame = cheapest.filled_frame(num_pieces);
        frame.is_none() || found.iter().all(|other| other.filled_frame(num_pieces) != frame)
    }));
    Ok(found)
}

/// Picks one frame per segment: the cheapest choice with as many cells as there are pieces. `None` if there is none, or
/// no time left.
fn cheapest_of_size(
    choices: &[Vec<Framed>],
    num_pieces: usize,
    observer: &dyn Observer,
) -> Option<Vec<Framed>> {
    // By number of cells, the cheapest choice so far.
    let mut so_far: BTreeMap<usize, (f64, Vec<Framed>)> = BTreeMap::from([(0, (0.0, Vec::new()))]);
    for choices in choices {
        if is_over(observer) {
            return None;
        }
        let mut next: BTreeMap<usize, (f64, Vec<Framed>)> = BTreeMap::new();
        for (&num_cells, (cost, chosen)) in &so_far {
            for framed in choices.iter().take(MAX_CHOICES) {
                let num_cells = num_cells + framed.frame.num_cells();
                let cost = cost + framed.cost;
                let is_better = next.get(&num_cells).is_none_or(|(least, _)| cost < *least);
                if num_cells <= num_pieces && is_better {
                    let chosen = chosen.iter().chain([framed]).copied().collect();
                    next.insert(num_cells, (cost, chosen));
                }
            }
        }
        so_far = next;
    }
    so_far.remove(&num_pieces).map(|(_, chosen)| chosen)
}

/// The segments that are boards.
fn bodies<'s>(
    segments: &'s Segments,
    costs: &SeamCosts<'_>,
    count: Option<usize>,
) -> Vec<(&'s Segment, SegmentTable)> {
    let table = |segment: &'s Segment| (segment, SegmentTable::new(segments, segment, costs));
    let by_size = segments.by_size();
    if let Some(count) = count {
        return by_size.into_iter().take(count.max(1)).map(table).collect();
    }
    let num_pieces: usize = by_size.iter().map(|segment| segment.pieces().len()).sum();
    let largest = by_size.first().map_or(0, |segment| segment.pieces().len());
    let is_board = |(index, (segment, table)): &(usize, (&Segment, SegmentTable))| {
        let size = segment.pieces().len() as f64;
        let edges = table.mean_edge_cost();
        let as_large = size >= ALMOST_AS_LARGE * largest as f64 && edges < NO_EDGES;
        let has_clear_edges =
            size >= LARGE * num_pieces as f64 && edges < CLEAR_EDGES && table.fill() >= WELL_FILLED;
        *index == 0 || (segment.pieces().len() >= MIN_PIECES && (as_large || has_clear_edges))
    };
    let large = by_size.into_iter().enumerate();
    let large =
        large.take_while(|(index, segment)| *index == 0 || segment.pieces().len() >= MIN_PIECES);
    let large = large.map(|(index, segment)| (index, table(segment)));
    large.filter(is_board).map(|(_, body)| body).collect()
}

/// Places the pieces that the frames cover. A board whose rows and columns are swapped compared with the
/// known ones is turned.
fn laid(
    segments: &Segments,
    framed: &[(&Segment, Framed)],
    num_pieces: usize,
    known: &KnownBoards,
) -> Result<BoardHypothesis, AssemblyError> {
    let is = |known: Option<u32>, found: u32| known.is_none_or(|known| known == found);
    let turn_of = |frame: Grid| {
        let lies_right = is(known.rows, frame.rows()) && is(known.cols, frame.cols());
        QuarterTurn::from_clockwise(i64::from(!lies_right))
    };
    let frames: Vec<Grid> =
        framed.iter().map(|(_, framed)| framed.frame.turned(turn_of(framed.frame))).collect();
    let placements = framed.iter().enumerate().flat_map(|(board, &(segment, framed))| {
        let turn = turn_of(framed.frame);
        segment.pieces().iter().filter_map(move |&piece| {
            let place = segments.place_of(piece);
            let cell = (place.position - framed.origin).cell_of(framed.frame)?;
            let cell = framed.frame.cell_turned(cell, turn);
            Some(Placement { piece, place: Place { board, cell, turn: place.turn + turn } })
        })
    });
    let start = Assembly::new(num_pieces, frames, placements)?;
    let has_known_sizes = known.rows.is_some() && known.cols.is_some();
    Ok(BoardHypothesis { has_known_sizes, ..BoardHypothesis::of(start) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locations::segment::Position;
    use crate::observer::Silent;

    #[test]
    fn boards_have_as_many_cells_as_there_are_pieces_if_that_is_possible() {
        let framed = |rows, cols, cost| Framed {
            origin: Position::default(),
            frame: Grid::new(rows, cols).unwrap(),
            cost,
        };
        let choices = [
            vec![framed(3, 5, 0.0), framed(3, 4, 1.0), framed(2, 4, 5.0)],
            vec![framed(2, 3, 0.0), framed(2, 2, 1.5), framed(2, 5, 9.0)],
        ];
        let sizes = |num_pieces| {
            let found = cheapest_of_size(&choices, num_pieces, &Silent)?;
            Some(found.iter().map(|framed| framed.frame.num_cells()).collect::<Vec<_>>())
        };
        assert_eq!(sizes(21), Some(vec![15, 6]));
        // 12 + 6 costs less than 8 + 10.
        assert_eq!(sizes(18), Some(vec![12, 6]));
        assert_eq!(sizes(17), None);
    }
}
