//! Positions that agree with most matches: the linear program of Yu, Russell and Agapito \[YRA16\].
//!
//! Every match wants a difference d between the positions of two pieces. The program minimises the weighted sum of
//! all deviations, in rows and in columns: `min sum w |x_j - x_i - d|`.
//!
//! Where turns are unknown, every piece has one copy for each turn. A match connects each copy of one piece with the
//! copy of the other whose turn it implies. The program does not choose between copies: it lays out the whole
//! picture once for every turn. A match counts as satisfied only if it holds in all copies, and segments
//! are rigid in all copies alike.
//!
//! Turning everything by a quarter turn maps the copies onto each other and columns onto rows. So with four copies
//! only the columns are solved, and the rows follow.

use super::LocationProblem;
use super::filter::ProposedMatch;
use super::matches::Match;
use super::segment::{Position, Segments};
use crate::graph::l1_layout::{BodyPlace, LayoutEdge, LayoutError, LayoutProblem, solve_layout};
use crate::puzzle::{PieceId, QuarterTurn, SidePair, TurnSet};

/// Weights are integers; a match with ratio 0 has this one for each side that proposes it.
const UNIT_WEIGHT: f64 = 1e9;

/// The positions of the copies of all pieces.
#[derive(Clone, Debug)]
pub struct CopyLayout {
    rows: Vec<i64>,
    cols: Vec<i64>,
}

/// Numbers the copies of pieces or segments.
#[derive(Clone, Copy)]
struct Copies(TurnSet);

impl Copies {
    fn turns(self) -> &'static [QuarterTurn] {
        self.0.turns()
    }

    /// The vertex of the copy of a piece or segment with this turn.
    fn vertex(self, number: usize, turn: QuarterTurn) -> usize {
        // The turns of a set are equally spaced.
        number * self.turns().len() + turn.index() * self.turns().len() / 4
    }
}

/// The weight of a match: exp(-decay N^2) for each side that proposes it.
fn weight(proposal: &ProposedMatch, decay: f64) -> u32 {
    let ratio = proposal.found.cost;
    let weight = UNIT_WEIGHT * (-decay * ratio * ratio).exp() * f64::from(proposal.num_proposers);
    #[expect(clippy::cast_possible_truncation, reason = "between 1 and twice the unit")]
    let weight = weight.max(1.0) as u32;
    weight
}

/// Solves the program for all copies. `rigid` segments keep their shape; `start` is an earlier layout, which saves
/// time.
pub fn solve_copy_layout(
    problem: &LocationProblem<'_>,
    proposals: &[ProposedMatch],
    decay: f64,
    rigid: Option<&Segments>,
    start: Option<&CopyLayout>,
) -> Result<CopyLayout, LayoutError> {
    let copies = Copies(problem.turns);
    let num_vertices = problem.num_pieces() * copies.turns().len();
    let solve = |coordinate: fn(Position) -> i32, start: Option<&Vec<i64>>| {
        let mut edges = Vec::with_capacity(proposals.len() * copies.turns().len());
        for proposal in proposals {
            let Match { a, b, .. } = proposal.found;
            let weight = weight(proposal, decay);
            for &turn in copies.turns() {
                let step = Position::default().next_to(a.side() + turn);
                edges.push(LayoutEdge {
                    from: copies.vertex(a.piece().index(), turn),
                    to: copies.vertex(b.piece().index(), turn + SidePair::of(a, b).turn_j_from_i()),
                    difference: coordinate(step).into(),
                    weight,
                });
            }
        }
        let bodies = rigid.map(|segments| {
            let place = |vertex: usize| {
                let piece = PieceId::new(vertex / copies.turns().len());
                let turn = copies.turns()[vertex % copies.turns().len()];
                let place = segments.place_of(piece);
                let whole = turn - place.turn;
                BodyPlace {
                    body: copies.vertex(segments.segment_of(piece), whole),
                    offset: coordinate(place.position.turned(whole)).into(),
                }
            };
            (0..num_vertices).map(place).collect::<Vec<_>>()
        });
        let problem = LayoutProblem { num_vertices, edges: &edges, bodies: bodies.as_deref() };
        solve_layout(&problem, start.map(Vec::as_slice)).map(|layout| layout.positions)
    };
    let solve_cols = || solve(|position| position.col, start.map(|start| &start.cols));
    let solve_rows = || solve(|position| position.row, start.map(|start| &start.rows));
    if problem.turns == TurnSet::Quarter {
        let cols = solve_cols()?;
        let rows =
            (0..num_vertices).map(|vertex| cols[vertex - vertex % 4 + (vertex + 3) % 4]).collect();
        return Ok(CopyLayout { rows, cols });
    }
    let (rows, cols) = rayon::join(solve_rows, solve_cols);
    Ok(CopyLayout { rows: rows?, cols: cols? })
}

impl CopyLayout {
    /// Whether a match holds in every copy.
    pub fn agrees_with(&self, turns: TurnSet, Match { a, b, .. }: Match) -> bool {
        let copies = Copies(turns);
        copies.turns().iter().all(|&turn| {
            let from = copies.vertex(a.piece().index(), turn);
            let to = copies.vertex(b.piece().index(), turn + SidePair::of(a, b).turn_j_from_i());
            let (down, right) = (a.side() + turn).step();
            self.rows[to] - self.rows[from] == i64::from(down)
                && self.cols[to] - self.cols[from] == i64::from(right)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dissimilarity::{Dissimilarity, Measure, NearestSettings, find_nearest};
    use crate::locations::segment::Limit;
    use crate::matching::{MatchModel, Matcher};
    use crate::observer::Silent;
    use crate::puzzle::{
        Assembly, Grid, Join, PieceSet, PieceShape, Place, Placement, Samples, SideId,
    };
    use crate::random::tie_breaker;

    /// A problem of 5 x 6 pieces of noise, of which only the turns and the number of pieces matter, and matches of one
    /// board, all true except the last.
    fn with_problem(turns: TurnSet, test: impl Fn(&LocationProblem<'_>, &[ProposedMatch])) {
        let frame = Grid::new(5, 6).unwrap();
        let noise = tie_breaker(1);
        let shape = PieceShape::new(4, 4).unwrap();
        let values = (0..30 * 16).map(|at| noise(at, 0).to_le_bytes()[0]).collect();
        let pieces = PieceSet::new(shape, 1, Samples::U8(values)).unwrap();
        let dissimilarity = Dissimilarity::new(&pieces, Measure::Ssd).unwrap();
        let settings = NearestSettings::default();
        let nearest = find_nearest(&dissimilarity, turns, &settings, &Silent).unwrap();
        let model = MatchModel::by_ratio(&dissimilarity, &nearest);
        let (pieces, matcher, candidates) = (&pieces, Matcher::Ratio, settings);
        let problem =
            LocationProblem { model: &model, frame, turns, seed: 1, pieces, matcher, candidates };
        let placements = frame.cells().enumerate().map(|(index, cell)| {
            let nth = usize::try_from(noise(index as u64, 1) % 4).unwrap();
            let turn = turns.turns()[nth % turns.turns().len()];
            Placement { piece: PieceId::new(index), place: Place { board: 0, cell, turn } }
        });
        let board = Assembly::new(30, vec![frame], placements).unwrap();
        let proposal = |a, b, ratio| ProposedMatch {
            index: 0,
            found: Match { a, b, cost: ratio },
            num_proposers: 1,
        };
        let joins: Vec<Join> = board.joins().collect();
        let mut proposals: Vec<ProposedMatch> =
            joins.iter().map(|join| proposal(join.first, join.second, 0.5)).collect();
        // A match of pieces that are not neighbours, with the turns of the board. With other turns it would connect
        // copies that nothing else connects, and a layout could satisfy it.
        let turn_of = |side: SideId| board.place_of(side.piece()).unwrap().turn;
        let first = joins[0].first;
        let crossed = joins.iter().skip(1).map(|join| join.second).find(|&second| {
            first.piece() != second.piece()
                && turn_of(first) + SidePair::of(first, second).turn_j_from_i() == turn_of(second)
        });
        proposals.push(proposal(first, crossed.unwrap(), 0.8));
        test(&problem, &proposals);
    }

    #[test]
    fn one_wrong_match_among_true_ones_is_the_only_one_violated() {
        for turns in [TurnSet::None, TurnSet::Half, TurnSet::Quarter] {
            with_problem(turns, |problem, proposals| {
                let layout = solve_copy_layout(problem, proposals, 5.0, None, None).unwrap();
                let (wrong, right) = proposals.split_last().unwrap();
                assert!(right.iter().all(|p| layout.agrees_with(problem.turns, p.found)));
                assert!(!layout.agrees_with(problem.turns, wrong.found));
                // Again from this layout, with the first two pieces as a rigid segment.
                let mut rigid = Segments::singles(problem.num_pieces());
                assert!(rigid.try_join(right[0].found.a, right[0].found.b, Limit::None));
                let again = solve_copy_layout(problem, proposals, 5.0, Some(&rigid), Some(&layout))
                    .unwrap();
                assert!(right.iter().all(|p| again.agrees_with(problem.turns, p.found)));
            });
        }
    }

    #[test]
    fn a_wrong_rigid_body_keeps_its_shape_against_all_matches() {
        with_problem(TurnSet::Quarter, |problem, proposals| {
            let (wrong, right) = proposals.split_last().unwrap();
            let mut rigid = Segments::singles(problem.num_pieces());
            assert!(rigid.try_join(wrong.found.a, wrong.found.b, Limit::None));
            let layout = solve_copy_layout(problem, right, 5.0, Some(&rigid), None).unwrap();
            assert!(layout.agrees_with(problem.turns, wrong.found));
            assert!(!right.iter().all(|p| layout.agrees_with(problem.turns, p.found)));
        });
    }

    #[test]
    fn weights_fall_with_the_ratio_and_never_vanish() {
        let weight_of = |ratio: f64, num_proposers: u32| {
            let found = Match { a: SideId::from_index(0), b: SideId::from_index(5), cost: ratio };
            weight(&ProposedMatch { index: 0, found, num_proposers }, 5.0)
        };
        assert_eq!(weight_of(0.0, 1), 1_000_000_000);
        assert_eq!(weight_of(0.0, 2), 2_000_000_000);
        assert_eq!(weight_of(1.0, 1), 6_737_946);
        assert_eq!(weight_of(f64::INFINITY, 1), 1);
    }
}
