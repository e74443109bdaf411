//! Positions on a line from wanted differences, exact in the sum of absolute errors.
//!
//! Given edges that want `x[to] - x[from] = difference`, [`solve_layout`] finds integers `x` with
//! the least `sum of weight |x[to] - x[from] - difference|`. The problem is the dual of a
//! circulation of least cost with flows between `-weight` and `weight`, and so has an integral
//! optimum; all arithmetic is in integers. The flows come with the answer and prove it:
//! [`is_optimal`].
//!
//! Rigid bodies and fixed vertices are contracted first, and equal edges merged (`contraction.rs`).
//! Positions to begin with come from votes or from the caller (`start.rs`), and are made optimal by
//! pushing flow (`circulation.rs`). `docs/decisions/0005-layout.md` has the alternatives and times.

mod circulation;
mod contraction;
mod start;

use circulation::Circulation;
use contraction::Contraction;

/// Positions, differences and offsets may not be larger than this, in either direction.
pub const MAX_POSITION: i64 = 1 << 56;

/// Wants `x[to] - x[from] = difference`; `weight` is the price of being off by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutEdge {
    /// The vertex that the difference is counted from.
    pub from: usize,
    /// The vertex that the difference is counted to.
    pub to: usize,
    /// The wanted `x[to] - x[from]`.
    pub difference: i64,
    /// What each unit of error costs. An edge of weight 0 has no say.
    pub weight: u32,
}

/// Where a vertex lies in its rigid body: `x[vertex] = x_body + offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyPlace {
    /// The body, numbered below the number of vertices.
    pub body: usize,
    /// The vertex's position when the body's is 0.
    pub offset: i64,
}

/// What is to be laid out, along one coordinate.
#[derive(Clone, Copy, Debug)]
pub struct LayoutProblem<'a> {
    /// Vertices are 0 to this less one.
    pub num_vertices: usize,
    /// Wanted differences, in any order; loops and repetitions are allowed.
    pub edges: &'a [LayoutEdge],
    /// Each vertex's place in its body; `None` lets every vertex move on its own.
    pub bodies: Option<&'a [BodyPlace]>,
    /// Vertices with known positions, and with them the rest of their bodies.
    pub fixed: &'a [(usize, i64)],
}

/// An optimal layout and its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// One position per vertex. In a connected component without a fixed vertex the smallest is 0.
    pub positions: Vec<i64>,
    /// `sum of weight |x[to] - x[from] - difference|`, the least possible.
    pub cost: u128,
    /// Per edge a flow between `-weight` and `weight`; [`is_optimal`] says what it proves.
    pub flows: Vec<i64>,
    /// How many times flow was pushed along an edge: a measure of the work done.
    pub num_pushes: usize,
}

/// Why there is no layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// A vertex that is not there.
    #[error("{what} names vertex {vertex}, but there are {num_vertices}")]
    NoSuchVertex {
        /// Who names it.
        what: &'static str,
        /// As given.
        vertex: usize,
        /// How many there are.
        num_vertices: usize,
    },
    /// A body that is not there.
    #[error("vertex {vertex} is in body {body}, but bodies are numbered below {num_vertices}")]
    NoSuchBody {
        /// Whose place it is.
        vertex: usize,
        /// As given.
        body: usize,
        /// How many vertices, and so bodies, there are.
        num_vertices: usize,
    },
    /// A list with one entry per vertex has another length.
    #[error("{what} has {found} entries for {num_vertices} vertices")]
    Length {
        /// Which list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// How many there should be.
        num_vertices: usize,
    },
    /// Two fixed vertices of one body, or one vertex fixed twice, with positions that do not agree.
    #[error("the fixed positions of vertices {first} and {second} contradict each other")]
    Contradiction {
        /// The vertex named first.
        first: usize,
        /// The vertex that does not agree with it.
        second: usize,
    },
    /// A number beyond [`MAX_POSITION`], or weights that add up to more than 2^62.
    #[error("{what} too large for exact arithmetic")]
    TooLarge {
        /// Which number.
        what: &'static str,
    },
    /// The solver broke an invariant of its own.
    #[error("the layout solver made no progress; this is a bug")]
    Stuck,
}

/// Finds positions of least cost.
///
/// `start` are positions near an optimum, as of a problem with slightly other edges: they save
/// time, but do not change the cost. Deterministic; among several optima any may be returned.
///
/// # Errors
/// If the problem names what is not there, contradicts itself, or has numbers that are too large.
pub fn solve_layout(
    problem: &LayoutProblem<'_>,
    start: Option<&[i64]>,
) -> Result<Layout, LayoutError> {
    let contraction = Contraction::new(problem)?;
    let (num_bodies, edges) = (contraction.num_bodies(), contraction.edges());
    let begin = match start {
        Some(start) => contraction.positions_of_bodies(start)?,
        None => start::by_votes(num_bodies, edges)?,
    };
    let mut circulation = Circulation::new(edges, &start::cheapest_scale(edges, begin))?;
    circulation.solve()?;
    let positions = contraction.positions_of_vertices(&circulation.round())?;
    let flows = contraction.flows_of_edges(problem, &positions, circulation.flows());
    let cost = layout_cost(problem.edges, &positions);
    Ok(Layout { positions, cost, flows, num_pushes: circulation.num_pushes() })
}

/// How far an edge is from what it wants.
fn error_of(edge: &LayoutEdge, positions: &[i64]) -> i128 {
    i128::from(positions[edge.to]) - i128::from(positions[edge.from]) - i128::from(edge.difference)
}

/// `sum of weight |x[to] - x[from] - difference|`; every end must have a position.
#[must_use]
pub fn layout_cost(edges: &[LayoutEdge], positions: &[i64]) -> u128 {
    edges
        .iter()
        .map(|edge| u128::from(edge.weight) * error_of(edge, positions).unsigned_abs())
        .sum()
}

/// Whether a layout's flows prove that no positions cost less.
///
/// They do if every flow is within its bounds, what flows into each body that is not fixed flows
/// out of it, and every edge that is not exactly as wanted carries all its weight, with the sign of
/// its error. For then, whatever the positions, the sum of flow times error is the same and no
/// more than the cost; and here it is the cost. The positions must also fit bodies and fixed
/// vertices.
#[must_use]
pub fn is_optimal(problem: &LayoutProblem<'_>, layout: &Layout) -> bool {
    let LayoutProblem { num_vertices, edges, bodies, fixed } = *problem;
    let Layout { positions, cost, flows, .. } = layout;
    if positions.len() != num_vertices || flows.len() != edges.len() {
        return false;
    }
    let place = |vertex: usize| {
        bodies.map_or(BodyPlace { body: vertex, offset: 0 }, |bodies| bodies[vertex])
    };
    let mut body_at = vec![None; num_vertices];
    let is_rigid = (0..num_vertices).all(|vertex| {
        let BodyPlace { body, offset } = place(vertex);
        let at = positions[vertex] - offset;
        *body_at[body].get_or_insert(at) == at
    });
    let is_fixed = fixed.iter().all(|&(vertex, position)| positions[vertex] == position);
    let mut surplus = vec![0_i128; num_vertices];
    let is_slack = edges.iter().zip(flows).all(|(edge, &flow)| {
        surplus[place(edge.to).body] += i128::from(flow);
        surplus[place(edge.from).body] -= i128::from(flow);
        let weight = i64::from(edge.weight);
        let error = error_of(edge, positions);
        flow.abs() <= weight && (error <= 0 || flow == weight) && (error >= 0 || flow == -weight)
    });
    for &(vertex, _) in fixed {
        surplus[place(vertex).body] = 0;
    }
    let is_balanced = surplus.iter().all(|&surplus| surplus == 0);
    is_rigid && is_fixed && is_slack && is_balanced && *cost == layout_cost(edges, positions)
}

#[cfg(test)]
mod tests;
