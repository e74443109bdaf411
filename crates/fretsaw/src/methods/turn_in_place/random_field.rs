//! Turns as labels of a Markov random field, by min-sum belief propagation.
//!
//! In: the turns that a piece may have, and for every edge a table of costs, one for each pair of
//! turns. Out: one turn per vertex.
//!
//! The idea: find the labels of least total cost. Every vertex sends each neighbour a message: for each
//! label of the neighbour, the least cost of the vertex given the messages of its other neighbours. A grid
//! has loops, so the answer is approximate, and the iteration is damped and bounded. This is Gallagher's method for type 3 puzzles \[Gal12\].
//!
//! How we differ: messages travel in forward and backward sweeps over the vertices instead of all
//! at once, and the cheapest labels seen in any sweep are kept. Cost: O(edges) a sweep.

use crate::graph::Adjacency;
use crate::puzzle::{PieceId, QuarterTurn, TurnSet};
use serde::Serialize;

/// Costs of the pairs of turns of two vertices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldEdge {
    /// One end.
    pub i: PieceId,
    /// The other end.
    pub j: PieceId,
    /// `costs[turn_i][turn_j]`, lower is better. Entries of turns that are not allowed are not used.
    pub costs: [[f64; 4]; 4],
}

/// Share of the old message that stays in the new one.
const DAMPING: f64 = 0.5;
/// The most sweeps, forward and backward counted as one.
const MAX_SWEEPS: usize = 100;
/// The largest change of any message at which to stop, relative to the largest cost.
const TOLERANCE: f64 = 1e-6;

/// What [`estimate_labels`] did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FieldInfo {
    /// Total cost of the labels returned.
    pub cost: f64,
    /// Sweeps made.
    pub num_sweeps: usize,
    /// Whether the messages converged. Even then the labels need not be the cheapest.
    pub converged: bool,
}

/// Why there are no labels: an edge or a cost is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FieldError(String);

/// Turns of small total cost.
///
/// `turns` are the turns that a vertex may have. `unary[v][turn]` is the cost of a vertex's turn by itself;
/// empty for none. If every table depends only on the difference of its turns, turning all vertices changes
/// no cost and all messages stay zero: give one vertex of each component a unary cost. Ties go to the smaller
/// turn.
pub fn estimate_labels(
    num_vertices: usize,
    turns: TurnSet,
    edges: &[FieldEdge],
    unary: &[[f64; 4]],
) -> Result<(Vec<QuarterTurn>, FieldInfo), FieldError> {
    validate(num_vertices, edges, unary)?;
    let mut field = Field::new(num_vertices, turns, edges, unary);
    let scale = edges
        .iter()
        .flat_map(|edge| edge.costs.as_flattened())
        .fold(f64::MIN_POSITIVE, |largest, cost| largest.max(cost.abs()));
    let mut labels = field.labels();
    let mut cost = field.cost(&labels);
    let (mut num_sweeps, mut converged) = (0, edges.is_empty());
    while num_sweeps < MAX_SWEEPS && !converged {
        let mut change = 0.0f64;
        for vertex in (0..num_vertices).chain((0..num_vertices).rev()) {
            change = change.max(field.send(vertex));
        }
        num_sweeps += 1;
        converged = change <= TOLERANCE * scale;
        let now = field.labels();
        let cost_now = field.cost(&now);
        if cost_now < cost {
            (labels, cost) = (now, cost_now);
        }
    }
    Ok((labels, FieldInfo { cost, num_sweeps, converged }))
}

fn validate(
    num_vertices: usize,
    edges: &[FieldEdge],
    unary: &[[f64; 4]],
) -> Result<(), FieldError> {
    let refuse = |what: String| Err(FieldError(what));
    for edge in edges {
        let (i, j) = (edge.i.index(), edge.j.index());
        if i.max(j) >= num_vertices || i == j {
            return refuse(format!(
                "edge {i} - {j} does not join two of the {num_vertices} vertices"
            ));
        }
        if !edge.costs.as_flattened().iter().all(|cost| cost.is_finite()) {
            return refuse(format!("edge {i} - {j} has a cost that is not a finite number"));
        }
    }
    if !unary.is_empty() && unary.len() != num_vertices {
        let given = unary.len();
        return refuse(format!(
            "{given} of {num_vertices} vertices have unary costs; give all or none"
        ));
    }
    if let Some(vertex) = unary.iter().position(|costs| !costs.iter().all(|c| c.is_finite())) {
        return refuse(format!("vertex {vertex} has a cost that is not a finite number"));
    }
    Ok(())
}

struct Field<'a> {
    edges: &'a [FieldEdge],
    unary: &'a [[f64; 4]],
    /// The turns that a vertex may have, in increasing order.
    turns: &'static [QuarterTurn],
    adjacency: Adjacency,
    /// Per edge the message to its `i` and the message to its `j`, least entry 0.
    messages: Vec<[[f64; 4]; 2]>,
}

impl<'a> Field<'a> {
    fn new(
        num_vertices: usize,
        turns: TurnSet,
        edges: &'a [FieldEdge],
        unary: &'a [[f64; 4]],
    ) -> Self {
        let ends: Vec<_> = edges.iter().map(|edge| (edge.i.index(), edge.j.index())).collect();
        Self {
            edges,
            unary,
            turns: turns.turns(),
            adjacency: Adjacency::new(num_vertices, &ends),
            messages: vec![[[0.0; 4]; 2]; edges.len()],
        }
    }

    /// 0 if the vertex is the edge's `i`, 1 if its `j`.
    fn end_of(&self, edge: usize, vertex: usize) -> usize {
        usize::from(self.edges[edge].j.index() == vertex)
    }

    /// The sum of the unary costs of a vertex and all messages to it, by label.
    fn belief(&self, vertex: usize) -> [f64; 4] {
        let mut belief = self.unary.get(vertex).copied().unwrap_or_default();
        for next in self.adjacency.neighbors(vertex) {
            let message = self.messages[next.edge][self.end_of(next.edge, vertex)];
            for (sum, value) in belief.iter_mut().zip(message) {
                *sum += value;
            }
        }
        belief
    }

    /// Renews the messages from a vertex; returns the largest change.
    fn send(&mut self, vertex: usize) -> f64 {
        let belief = self.belief(vertex);
        let mut change = 0.0f64;
        for place in 0..self.adjacency.neighbors(vertex).len() {
            let edge = self.adjacency.neighbors(vertex)[place].edge;
            let end = self.end_of(edge, vertex);
            let heard = self.messages[edge][end];
            let costs = &self.edges[edge].costs;
            let indices = || self.turns.iter().map(|turn| turn.index());
            let mut message = [0.0; 4];
            let mut least = f64::INFINITY;
            for theirs in indices() {
                message[theirs] = indices()
                    .map(|ours| {
                        let cost = if end == 0 { costs[ours][theirs] } else { costs[theirs][ours] };
                        // Without the message of that neighbour.
                        belief[ours] - heard[ours] + cost
                    })
                    .fold(f64::INFINITY, f64::min);
                least = least.min(message[theirs]);
            }
            let sent = &mut self.messages[edge][1 - end];
            for turn in indices() {
                let old = sent[turn];
                sent[turn] = DAMPING * old + (1.0 - DAMPING) * (message[turn] - least);
                change = change.max((sent[turn] - old).abs());
            }
        }
        change
    }

    /// Every vertex's turn of least belief; the smallest of equally good ones.
    fn labels(&self) -> Vec<QuarterTurn> {
        (0..self.adjacency.num_vertices())
            .map(|vertex| {
                let belief = self.belief(vertex);
                let turns = self.turns.iter().copied();
                turns
                    .reduce(
                        |best, turn| {
                            if belief[turn.index()] < belief[best.index()] { turn } else { best }
                        },
                    )
                    .unwrap_or_default()
            })
            .collect()
    }

    fn cost(&self, labels: &[QuarterTurn]) -> f64 {
        let label = |piece: PieceId| labels[piece.index()].index();
        let pairs: f64 =
            self.edges.iter().map(|edge| edge.costs[label(edge.i)][label(edge.j)]).sum();
        let single = self.unary.iter().zip(labels).map(|(costs, turn)| costs[turn.index()]);
        pairs + single.sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn random_edge(i: usize, j: usize, rng: &mut ChaCha8Rng) -> FieldEdge {
        let costs = std::array::from_fn(|_| std::array::from_fn(|_| rng.random_range(0.0..1.0)));
        FieldEdge { i: PieceId::new(i), j: PieceId::new(j), costs }
    }

    #[test]
    fn on_a_tree_the_labels_are_the_cheapest() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for _ in 0..20 {
            let edges: Vec<_> =
                (1..6).map(|v| random_edge(rng.random_range(0..v), v, &mut rng)).collect();
            for turns in [TurnSet::Quarter, TurnSet::Half, TurnSet::None] {
                let (found, info) = estimate_labels(6, turns, &edges, &[]).unwrap();
                let field = Field::new(6, turns, &edges, &[]);
                let least = (0..4_usize.pow(6))
                    .map(|code| (0..6).map(|v| QuarterTurn::ALL[code >> (2 * v) & 3]).collect())
                    .filter(|labels: &Vec<_>| labels.iter().all(|&turn| turns.contains(turn)))
                    .map(|labels| field.cost(&labels))
                    .fold(f64::INFINITY, f64::min);
                assert!(info.converged && found.iter().all(|&turn| turns.contains(turn)));
                assert!((info.cost - least).abs() < 1e-9, "{} is not {least}", info.cost);
            }
        }
    }

    #[test]
    fn a_grid_with_some_misleading_tables_is_solved() {
        // Tables whose least entry is at the true pair of labels, one in ten elsewhere.
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let side = 12;
        let truth: Vec<QuarterTurn> =
            (0..side * side).map(|_| QuarterTurn::ALL[rng.random_range(0..4)]).collect();
        let mut edges = Vec::new();
        for v in 0..side * side {
            for w in [(v % side + 1 < side).then_some(v + 1), Some(v + side)].into_iter().flatten()
            {
                if w < side * side {
                    let mut edge = random_edge(v, w, &mut rng);
                    let shift = if rng.random_bool(0.1) { 1 } else { 0 };
                    edge.costs[(truth[v].index() + shift) % 4][truth[w].index()] = -1.0;
                    edges.push(edge);
                }
            }
        }
        let turns = TurnSet::Quarter;
        let (labels, info) = estimate_labels(side * side, turns, &edges, &[]).unwrap();
        let right = labels.iter().zip(&truth).filter(|(label, right)| label == right).count();
        assert!(right >= 140, "{right} of 144");
        assert!(info.cost <= Field::new(side * side, turns, &edges, &[]).cost(&truth));
    }

    #[test]
    fn bad_input_is_refused_and_an_empty_field_is_solved() {
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let edge = random_edge(0, 1, &mut rng);
        let run = |n, edges: &[FieldEdge], unary: &[[f64; 4]]| {
            estimate_labels(n, TurnSet::Quarter, edges, unary)
        };
        let mut bad = edge;
        bad.costs[1][2] = f64::NAN;
        for (num_vertices, edge, unary, expected) in [
            (1, edge, &[][..], "edge 0 - 1 does not join two of the 1 vertices"),
            (2, bad, &[], "edge 0 - 1 has a cost that is not a finite number"),
            (2, edge, &[[0.0; 4]], "1 of 2 vertices have unary costs; give all or none"),
        ] {
            let error = run(num_vertices, &[edge], unary).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
        assert!(run(0, &[], &[]).unwrap().1.converged);
        let wish = [[1.0, 0.0, 1.0, 1.0]];
        assert_eq!(run(1, &[], &wish).unwrap().0, [QuarterTurn::from_clockwise(1)]);
    }
}
