//! Positions on a line from wanted differences, with the least sum of absolute errors.
//!
//! Given edges that want `x[to] - x[from] = difference`, [`solve_layout`] finds integers `x` with
//! the least `sum of weight |x[to] - x[from] - difference|`. The problem is the dual of a
//! circulation of least cost with flows between `-weight` and `weight`, so it has an integral
//! optimum, and all arithmetic is in integers. The flows come with the answer and prove it
//! ([`is_optimal`]).
//!
//! First, rigid bodies are contracted, and equal edges merged (`contraction.rs`).
//! Start positions come from votes or from the caller (`start.rs`); pushing flow makes them optimal
//! (`circulation.rs`). `docs/decisions/0005-layout.md` compares alternatives and times.

mod circulation;
mod contraction;
mod start;

use circulation::Circulation;
use contraction::Contraction;

/// The largest absolute value of positions, differences and offsets.
pub const MAX_POSITION: i64 = 1 << 56;

/// Wants `x[to] - x[from] = difference`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutEdge {
    /// The first vertex.
    pub from: usize,
    /// The second vertex.
    pub to: usize,
    /// The wanted `x[to] - x[from]`.
    pub difference: i64,
    /// The cost of each unit of error. An edge of weight 0 has no influence.
    pub weight: u32,
}

/// Where a vertex lies in its rigid body: `x[vertex] = x_body + offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyPlace {
    /// The body, numbered below the number of vertices.
    pub body: usize,
    /// The position of the vertex when the body is at 0.
    pub offset: i64,
}

/// A layout problem along one coordinate.
#[derive(Clone, Copy, Debug)]
pub struct LayoutProblem<'a> {
    /// Vertices are numbered from 0.
    pub num_vertices: usize,
    /// Wanted differences, in any order; loops and repetitions are allowed.
    pub edges: &'a [LayoutEdge],
    /// The place of each vertex in its body; `None` if every vertex is a body of its own.
    pub bodies: Option<&'a [BodyPlace]>,
}

/// An optimal layout and its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// One position per vertex. The smallest of a connected component is 0.
    pub positions: Vec<i64>,
    /// `sum of weight |x[to] - x[from] - difference|`, the least possible.
    pub cost: u128,
    /// For each edge a flow between `-weight` and `weight`; see [`is_optimal`].
    pub flows: Vec<i64>,
    /// How often flow was pushed along an edge: a measure of the work done.
    pub num_pushes: usize,
}

/// Why there is no layout.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// The problem names missing vertices or bodies, or has numbers beyond [`MAX_POSITION`] or weights that add up to
    /// more than 2^62.
    #[error("{0}")]
    Invalid(String),
    /// The solver violated its own invariant.
    #[error("the layout solver made no progress; this is a bug")]
    Stuck,
}

impl LayoutError {
    fn too_large(what: &str) -> Self {
        Self::Invalid(format!("{what} too large for exact arithmetic"))
    }

    fn length(what: &str, found: usize, num_vertices: usize) -> Self {
        Self::Invalid(format!("{what} has {found} entries for {num_vertices} vertices"))
    }
}

/// Finds positions of least cost.
///
/// `start` has positions near an optimum, such as those of a problem with slightly different edges:
/// they save time, but do not change the cost. Deterministic; of several optima any may be returned.
///
/// # Errors
/// If the problem names missing vertices or bodies, or has too large numbers.
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

/// The actual difference of an edge minus the wanted one.
fn error_of(edge: &LayoutEdge, positions: &[i64]) -> i128 {
    i128::from(positions[edge.to]) - i128::from(positions[edge.from]) - i128::from(edge.difference)
}

/// `sum of weight |x[to] - x[from] - difference|`; every end must have a position.
pub fn layout_cost(edges: &[LayoutEdge], positions: &[i64]) -> u128 {
    edges
        .iter()
        .map(|edge| u128::from(edge.weight) * error_of(edge, positions).unsigned_abs())
        .sum()
}

/// Whether a layout's flows prove that no positions cost less.
///
/// They do if every flow is within its bounds, if the flow into each body equals the flow out of it, and if every
/// edge with an error carries its full weight, with the sign of the error. Then the sum of flow times error is the same
/// for all positions and never more than the cost; for these positions it equals the cost. The positions must
/// also respect bodies.
pub fn is_optimal(problem: &LayoutProblem<'_>, layout: &Layout) -> bool {
    let LayoutProblem { num_vertices, edges, bodies } = *problem;
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
    let mut surplus = vec![0_i128; num_vertices];
    let is_slack = edges.iter().zip(flows).all(|(edge, &flow)| {
        surplus[place(edge.to).body] += i128::from(flow);
        surplus[place(edge.from).body] -= i128::from(flow);
        let weight = i64::from(edge.weight);
        let error = error_of(edge, positions);
        flow.abs() <= weight && (error <= 0 || flow == weight) && (error >= 0 || flow == -weight)
    });
    let is_balanced = surplus.iter().all(|&surplus| surplus == 0);
    is_rigid && is_slack && is_balanced && *cost == layout_cost(edges, positions)
}

#[cfg(test)]
mod tests;
