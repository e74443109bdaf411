//! The residual graph that the flow methods share.

use fretsaw::graph::l1_layout::LayoutEdge;
use std::ops::Range;

/// Half an edge. Flow may be sent along it to `head`; `twin` is the other half.
#[derive(Clone, Copy)]
pub struct Arc {
    pub head: usize,
    pub twin: usize,
    pub cost: i64,
    pub residual: i64,
}

pub struct Residual {
    starts: Vec<usize>,
    pub arcs: Vec<Arc>,
    pub potentials: Vec<i64>,
    /// What flows into a vertex and not out of it.
    pub surplus: Vec<i64>,
}

impl Residual {
    /// All potentials 0; edges that want another difference carry all they can. Costs are
    /// differences times `unit`.
    pub fn new(num_vertices: usize, edges: &[LayoutEdge], unit: i64) -> Self {
        let mut starts = vec![0; num_vertices + 1];
        for edge in edges {
            starts[edge.from + 1] += 1;
            starts[edge.to + 1] += 1;
        }
        for vertex in 0..num_vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut next = starts.clone();
        let mut arcs = vec![Arc { head: 0, twin: 0, cost: 0, residual: 0 }; 2 * edges.len()];
        let mut surplus = vec![0; num_vertices];
        for edge in edges {
            let (from, to, weight) = (edge.from, edge.to, i64::from(edge.weight));
            let (forth, back) = (next[from], next[to]);
            next[from] += 1;
            next[to] += 1;
            let flow = -weight * edge.difference.signum();
            let cost = edge.difference * unit;
            arcs[forth] = Arc { head: to, twin: back, cost, residual: weight - flow };
            arcs[back] = Arc { head: from, twin: forth, cost: -cost, residual: weight + flow };
            surplus[from] -= flow;
            surplus[to] += flow;
        }
        Self { starts, arcs, potentials: vec![0; num_vertices], surplus }
    }

    pub fn num_vertices(&self) -> usize {
        self.potentials.len()
    }

    pub fn arcs_of(&self, vertex: usize) -> Range<usize> {
        self.starts[vertex]..self.starts[vertex + 1]
    }

    pub fn send(&mut self, arc: usize, amount: i64) {
        let Arc { head, twin, .. } = self.arcs[arc];
        let tail = self.arcs[twin].head;
        self.arcs[arc].residual -= amount;
        self.arcs[twin].residual += amount;
        self.surplus[tail] -= amount;
        self.surplus[head] += amount;
    }

    /// The cost of the flow's own optimum, once it is balanced: by duality that of the layout.
    pub fn cost(&self, unit: i64) -> u128 {
        let total: i128 = self
            .arcs
            .iter()
            .map(|arc| {
                let flow = (self.arcs[arc.twin].residual - arc.residual) / 2;
                i128::from(flow) * i128::from(arc.cost / unit)
            })
            .sum();
        // Every edge was counted from both of its ends.
        (-total / 2).unsigned_abs()
    }
}
