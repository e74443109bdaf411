//! Positions that agree with most matches: the linear program of Yu, Russell and Agapito \[YRA16\].
//!
//! Every match says where one piece lies seen from another. The program minimises the weighted sum of
//! all deviations, in rows and in columns: `min sum w |x_j - x_i - d|`.
//!
//! Where turns are unknown every piece has a copy for each turn, and a match joins each copy of one
//! piece with the copy of the other whose turn it implies. Copies of one piece are different vertices:
//! the program does not choose between them, it lays the whole picture out once for every turn. What
//! keeps the copies consistent: a match holds in all of them or in none, and groups of pieces are rigid
//! in all of them alike.
//!
//! Turning everything by a quarter turn maps the copies onto each other and columns onto rows, so with
//! four copies the rows are found from the columns.

use super::LocationProblem;
use super::filter::Proposal;
use super::matches::Match;
use super::segment::{Position, Segments};
use crate::graph::l1_layout::{BodyPlace, LayoutEdge, LayoutError, LayoutProblem, solve_layout};
use crate::puzzle::{PieceId, QuarterTurn, SidePair, TurnSet};

/// Weights are whole numbers in the program; a match that could not be better has this one, for each
/// side that proposes it.
const UNIT_WEIGHT: f64 = 1e9;

/// Where the copies of all pieces lie.
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

    /// The vertex of a piece or segment turned so.
    fn vertex(self, number: usize, turn: QuarterTurn) -> usize {
        // The turns of a set are equally spaced.
        number * self.turns().len() + turn.index() * self.turns().len() / 4
    }
}

/// How strongly a match pulls: exp(-decay N^2) for each side that proposes it.
fn weight(proposal: &Proposal, decay: f64) -> u32 {
    let ratio = proposal.found.ratio;
    let weight = UNIT_WEIGHT * (-decay * ratio * ratio).exp() * f64::from(proposal.num_proposers);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 1 and twice the unit"
    )]
    let weight = weight.max(1.0) as u32;
    weight
}

/// Lay out all copies; `rigid` are groups of pieces that keep their shape, `start` is an earlier layout
/// to start from.
///
/// # Errors
/// None that a puzzle can cause.
pub fn lay_out(
    problem: &LocationProblem<'_>,
    proposals: &[Proposal],
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
        let problem =
            LayoutProblem { num_vertices, edges: &edges, bodies: bodies.as_deref(), fixed: &[] };
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
    #[must_use]
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
