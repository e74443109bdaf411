//! Contracts rigid bodies to single vertices, and expands the solution again.

use super::{BodyPlace, LayoutError, LayoutProblem, MAX_POSITION, error_of};
use crate::graph::UnionFind;

/// Sums of weights stay below this, so that differences of two sums fit too.
const MAX_TOTAL_WEIGHT: u64 = 1 << 62;

/// An edge between two different bodies: wants `x[b] - x[a] = difference`, with `a < b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BodyEdge {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) difference: i64,
    /// At least 1.
    pub(super) weight: i64,
}

impl BodyEdge {
    /// The difference of the actual and the wanted distance.
    pub(super) fn error(&self, positions: &[i64]) -> i64 {
        positions[self.b as usize] - positions[self.a as usize] - self.difference
    }
}

/// The body edge that an edge of the problem became part of.
#[derive(Clone, Copy, Debug)]
struct Merged {
    into: u32,
    /// Whether its direction is the opposite one.
    is_reversed: bool,
}

/// The problem on bodies. The position of a body is that of its middle, so that bodies at equal positions overlap.
#[derive(Clone, Debug)]
pub(super) struct Contraction {
    /// Per vertex: its body, numbered without gaps.
    body_of: Vec<u32>,
    /// Per vertex: `x[vertex] - x[body]`.
    offset_of: Vec<i64>,
    num_bodies: usize,
    /// Sorted by ends and difference, without duplicates.
    edges: Vec<BodyEdge>,
    /// For each edge of the problem; `None` for edges inside a body or of weight 0.
    merged: Vec<Option<Merged>>,
}

fn within_bounds(value: i64, what: &'static str) -> Result<i64, LayoutError> {
    if value.unsigned_abs() > MAX_POSITION.unsigned_abs() {
        return Err(LayoutError::too_large(what));
    }
    Ok(value)
}

fn index(value: usize, what: &'static str) -> Result<u32, LayoutError> {
    // Twice the number of edges is counted too.
    u32::try_from(value)
        .ok()
        .filter(|&v| v < u32::MAX / 2)
        .ok_or_else(|| LayoutError::too_large(what))
}

impl Contraction {
    pub(super) fn new(problem: &LayoutProblem<'_>) -> Result<Self, LayoutError> {
        check(problem)?;
        let mut contraction = Self {
            body_of: Vec::with_capacity(problem.num_vertices),
            offset_of: Vec::with_capacity(problem.num_vertices),
            num_bodies: 0,
            edges: Vec::new(),
            merged: Vec::new(),
        };
        contraction.number_bodies(problem);
        contraction.merge_edges(problem)?;
        Ok(contraction)
    }

    fn number_bodies(&mut self, problem: &LayoutProblem<'_>) {
        let mut number_of: Vec<Option<u32>> = vec![None; problem.num_vertices];
        let mut num_bodies = 0;
        for vertex in 0..problem.num_vertices {
            let BodyPlace { body, offset } = match problem.bodies {
                Some(bodies) => bodies[vertex],
                None => BodyPlace { body: vertex, offset: 0 },
            };
            let number = number_of[body].get_or_insert_with(|| {
                num_bodies += 1;
                num_bodies - 1
            });
            self.body_of.push(*number);
            self.offset_of.push(offset);
        }
        self.num_bodies = num_bodies as usize;
        let mut extent = vec![(i64::MAX, i64::MIN); self.num_bodies];
        for (&body, &offset) in self.body_of.iter().zip(&self.offset_of) {
            let (least, most) = &mut extent[body as usize];
            *least = offset.min(*least);
            *most = offset.max(*most);
        }
        let middle: Vec<i64> =
            extent.into_iter().map(|(least, most)| least + (most - least) / 2).collect();
        for (&body, offset) in self.body_of.iter().zip(&mut self.offset_of) {
            *offset -= middle[body as usize];
        }
    }

    /// Sorts edges into rows by their smaller end, then each short row.
    fn merge_edges(&mut self, problem: &LayoutProblem<'_>) -> Result<(), LayoutError> {
        struct Draft {
            b: u32,
            edge: u32,
            difference: i64,
            is_reversed: bool,
        }
        let mut starts = vec![0_u32; self.num_bodies + 1];
        let is_kept = |from: u32, to: u32, weight: u32| from != to && weight > 0;
        for edge in problem.edges {
            let (from, to) = (self.body_of[edge.from], self.body_of[edge.to]);
            if is_kept(from, to, edge.weight) {
                starts[from.min(to) as usize + 1] += 1;
            }
        }
        for body in 0..self.num_bodies {
            starts[body + 1] += starts[body];
        }
        let num_kept = starts[self.num_bodies] as usize;
        let mut next = starts.clone();
        let mut drafts: Vec<Draft> = Vec::new();
        drafts.resize_with(num_kept, || Draft { b: 0, edge: 0, difference: 0, is_reversed: false });
        for (number, edge) in (0_u32..).zip(problem.edges) {
            let (from, to) = (self.body_of[edge.from], self.body_of[edge.to]);
            if !is_kept(from, to, edge.weight) {
                continue;
            }
            let difference = within_bounds(
                edge.difference + self.offset_of[edge.from] - self.offset_of[edge.to],
                "a difference between bodies is",
            )?;
            let is_reversed = from > to;
            let slot = &mut next[from.min(to) as usize];
            drafts[*slot as usize] = Draft {
                b: from.max(to),
                edge: number,
                difference: if is_reversed { -difference } else { difference },
                is_reversed,
            };
            *slot += 1;
        }
        self.merged = vec![None; problem.edges.len()];
        for a in 0..self.num_bodies {
            let row = &mut drafts[starts[a] as usize..starts[a + 1] as usize];
            row.sort_unstable_by_key(|draft| (draft.b, draft.difference, draft.edge));
            let a = index(a, "the number of vertices is")?;
            let begin = self.edges.len();
            for &mut Draft { b, edge, difference, is_reversed } in row {
                let weight = i64::from(problem.edges[edge as usize].weight);
                match self.edges[begin..].last_mut() {
                    Some(last) if (last.b, last.difference) == (b, difference) => {
                        last.weight += weight;
                    }
                    _ => self.edges.push(BodyEdge { a, b, difference, weight }),
                }
                let into = index(self.edges.len() - 1, "the number of edges is")?;
                self.merged[edge as usize] = Some(Merged { into, is_reversed });
            }
        }
        Ok(())
    }

    pub(super) const fn num_bodies(&self) -> usize {
        self.num_bodies
    }

    pub(super) fn edges(&self) -> &[BodyEdge] {
        &self.edges
    }

    /// Positions of bodies from positions of vertices: the first vertex of each body decides.
    pub(super) fn positions_of_bodies(&self, start: &[i64]) -> Result<Vec<i64>, LayoutError> {
        let num_vertices = self.body_of.len();
        if start.len() != num_vertices {
            return Err(LayoutError::length("the start", start.len(), num_vertices));
        }
        let mut positions = vec![None; self.num_bodies];
        for (vertex, &position) in start.iter().enumerate() {
            // A start may be any positions within bounds.
            let at = position.clamp(-MAX_POSITION, MAX_POSITION) - self.offset_of[vertex];
            positions[self.body_of[vertex] as usize].get_or_insert(at);
        }
        Ok(positions.into_iter().map(|at| at.unwrap_or(0)).collect())
    }

    /// Positions of vertices with the gauge fixed: the smallest position of every component is 0.
    pub(super) fn positions_of_vertices(&self, bodies: &[i64]) -> Result<Vec<i64>, LayoutError> {
        let mut sets = UnionFind::new(self.num_bodies);
        for edge in &self.edges {
            sets.union(edge.a as usize, edge.b as usize);
        }
        let mut gauge = vec![i64::MAX; self.num_bodies];
        for (&body, &offset) in self.body_of.iter().zip(&self.offset_of) {
            let slot = &mut gauge[sets.find(body as usize)];
            *slot = (*slot).min(bodies[body as usize] + offset);
        }
        self.body_of
            .iter()
            .zip(&self.offset_of)
            .map(|(&body, &offset)| {
                let at = bodies[body as usize] + offset - gauge[sets.find(body as usize)];
                within_bounds(at, "a position is")
            })
            .collect()
    }

    /// Distributes the flows of merged edges over the edges of the problem, in the order of the list. Edges inside a body
    /// carry their weight with the sign of their error.
    pub(super) fn flows_of_edges(
        &self,
        problem: &LayoutProblem<'_>,
        positions: &[i64],
        mut flows: Vec<i64>,
    ) -> Vec<i64> {
        let share = |(edge, merged): (&super::LayoutEdge, &Option<Merged>)| {
            let weight = i64::from(edge.weight);
            let Some(Merged { into, is_reversed }) = *merged else {
                return match error_of(edge, positions).signum() {
                    1 => weight,
                    -1 => -weight,
                    _ => 0,
                };
            };
            let left = &mut flows[into as usize];
            let part = (*left).clamp(-weight, weight);
            *left -= part;
            if is_reversed { -part } else { part }
        };
        problem.edges.iter().zip(&self.merged).map(share).collect()
    }
}

fn check(problem: &LayoutProblem<'_>) -> Result<(), LayoutError> {
    let LayoutProblem { num_vertices, edges, bodies } = *problem;
    index(num_vertices, "the number of vertices is")?;
    index(edges.len(), "the number of edges is")?;
    let mut total_weight = 0_u64;
    for edge in edges {
        let vertex = edge.from.max(edge.to);
        if vertex >= num_vertices {
            let error = format!("an edge names vertex {vertex}, but there are {num_vertices}");
            return Err(LayoutError::Invalid(error));
        }
        within_bounds(edge.difference, "a difference is")?;
        total_weight = total_weight.saturating_add(edge.weight.into());
    }
    if total_weight > MAX_TOTAL_WEIGHT {
        return Err(LayoutError::too_large("the sum of the weights is"));
    }
    if let Some(bodies) = bodies {
        if bodies.len() != num_vertices {
            return Err(LayoutError::length("the list of bodies", bodies.len(), num_vertices));
        }
        for (vertex, place) in bodies.iter().enumerate() {
            if place.body >= num_vertices {
                return Err(LayoutError::Invalid(format!(
                    "vertex {vertex} is in body {}, but bodies are numbered below {num_vertices}",
                    place.body
                )));
            }
            within_bounds(place.offset, "an offset is")?;
        }
    }
    Ok(())
}
