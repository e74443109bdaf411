//! Segments: parts of an answer by seams alone whose seams are certain. Each lies as a whole where its pieces look
//! most like the reference.

use super::assign::assign;
use super::likeness::Likeness;
use super::likeness_cost;
use super::refine::TurnedPiece;
use crate::confidence::SeamConfidence;
use crate::graph::UnionFind;
use crate::puzzle::{Assembly, Grid, PieceId, Place, Placement, QuarterTurn, TurnSet};

/// Seams of at least this confidence hold segments together.
const CERTAIN: f64 = 0.9;

/// A segment whose pieces cost this much more, in the mean, than each in the cell that it is most like, is not
/// believed: its pieces are laid one by one.
const MAX_EXCESS: f64 = 24.0;

/// An answer by seams alone.
#[derive(Clone, Copy, Debug)]
pub struct SeamAnswer<'a> {
    /// Where pieces lie; their places on the board mean nothing, only which are neighbours.
    pub assembly: &'a Assembly,
    /// The confidence in its seams.
    pub seams: &'a [SeamConfidence],
}

/// A board with these pieces: first the segments, the largest first, then single pieces.
pub(super) fn board_of_segments(
    likeness: &Likeness,
    own: &[PieceId],
    grid: Grid,
    answer: SeamAnswer<'_>,
) -> Vec<Option<TurnedPiece>> {
    let mut place_of = vec![usize::MAX; likeness.num_pieces()];
    own.iter().enumerate().for_each(|(at, piece)| place_of[piece.index()] = at);
    let costs = LikenessCosts::new(likeness, own);
    let mut board: Vec<Option<TurnedPiece>> = vec![None; grid.num_cells()];
    let mut is_laid = vec![false; likeness.num_pieces()];
    let turned: Vec<Assembly> =
        likeness.turns().turns().iter().map(|&turn| answer.assembly.turned(turn)).collect();
    for segment in segments(answer, |piece| place_of[piece.index()] != usize::MAX) {
        let mut best: Option<(f64, Vec<(usize, TurnedPiece)>)> = None;
        for assembly in &turned {
            let members: Vec<(PieceId, Place)> = segment
                .iter()
                .filter_map(|&piece| Some((piece, assembly.place_of(piece)?)))
                .collect();
            let rows = || members.iter().map(|(_, place)| place.cell.row);
            let cols = || members.iter().map(|(_, place)| place.cell.col);
            let range = |from: Option<u32>, to: Option<u32>, all: u32| {
                let (from, to) = (from.unwrap_or(0), to.unwrap_or(0));
                // Where the first row or column of the segment may lie.
                (from, (all + from).checked_sub(to + 1))
            };
            let (top, last_row) = range(rows().min(), rows().max(), grid.rows());
            let (left, last_col) = range(cols().min(), cols().max(), grid.cols());
            let (Some(last_row), Some(last_col)) = (last_row, last_col) else { continue };
            for row in 0..=last_row {
                for col in 0..=last_col {
                    let cell_of = |place: &Place| {
                        let mut cell = place.cell;
                        cell.row = cell.row - top + row;
                        cell.col = cell.col - left + col;
                        grid.index_of(cell)
                    };
                    if members.iter().any(|(_, place)| board[cell_of(place)].is_some()) {
                        continue;
                    }
                    let excess = members.iter().map(|(piece, place)| {
                        costs.excess(place_of[piece.index()], place.turn, cell_of(place))
                    });
                    let excess: f64 = excess.sum();
                    if best.as_ref().is_none_or(|best| excess < best.0) {
                        let laid = members
                            .iter()
                            .map(|(piece, place)| (cell_of(place), (*piece, place.turn)));
                        best = Some((excess, laid.collect()));
                    }
                }
            }
        }
        let Some((excess, laid)) = best else { continue };
        if excess <= MAX_EXCESS * laid.len() as f64 {
            for (cell, (piece, turn)) in laid {
                board[cell] = Some((piece, turn));
                is_laid[piece.index()] = true;
            }
        }
    }
    let left: Vec<PieceId> = own.iter().copied().filter(|piece| !is_laid[piece.index()]).collect();
    assign(likeness, &left, &mut board);
    board
}

/// The segments of two and more pieces that may be laid, the largest first.
fn segments(answer: SeamAnswer<'_>, may_lay: impl Fn(PieceId) -> bool) -> Vec<Vec<PieceId>> {
    let SeamAnswer { assembly, seams } = answer;
    let mut sets = UnionFind::new(assembly.num_pieces());
    for SeamConfidence { join, confidence } in seams {
        let (a, b) = (join.first.piece(), join.second.piece());
        if *confidence >= CERTAIN && may_lay(a) && may_lay(b) {
            sets.union(a.index(), b.index());
        }
    }
    let mut members = vec![Vec::new(); assembly.num_pieces()];
    for Placement { piece, .. } in assembly.placements().filter(|found| may_lay(found.piece)) {
        members[sets.find(piece.index())].push(piece);
    }
    members.retain(|segment| segment.len() > 1);
    members.sort_by(|a, b| b.len().cmp(&a.len()).then(a[0].cmp(&b[0])));
    members
}

/// What pieces cost in every cell and turn more than where they are most alike.
struct LikenessCosts {
    num_cells: usize,
    turns: TurnSet,
    /// Piece by piece, turn by turn, cell by cell.
    excess: Vec<f32>,
}

impl LikenessCosts {
    fn new(likeness: &Likeness, pieces: &[PieceId]) -> Self {
        let excess = likeness.map_differences(pieces, |_, differences| {
            #[expect(clippy::cast_possible_truncation, reason = "digits that do not matter")]
            let mut costs: Vec<f32> =
                differences.iter().map(|&difference| likeness_cost(difference) as f32).collect();
            let least = costs.iter().copied().fold(f32::INFINITY, f32::min);
            costs.iter_mut().for_each(|cost| *cost -= least);
            costs
        });
        let excess = excess.concat();
        Self { num_cells: likeness.num_cells(), turns: likeness.turns(), excess }
    }

    fn excess(&self, at: usize, turn: QuarterTurn, cell: usize) -> f64 {
        let turns = self.turns.turns();
        let turn = turns.iter().position(|&other| other == turn).unwrap_or(0);
        f64::from(self.excess[(at * turns.len() + turn) * self.num_cells + cell])
    }
}
